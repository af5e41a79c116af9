# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Units of a batch, their workers and the manifest, with a stand-in for the worker."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from semi_procedural_locomotion.errors import JobError, LocomotionError
from semi_procedural_locomotion.headless import batch
from semi_procedural_locomotion.headless.batch import plan_units

# Writes what a bake would write, or fails as the character's file says. It ends with its parent, as the
# program's own command line does.
WORKER = """
import json, os, signal, sys, time
from pathlib import Path
from semi_procedural_locomotion.headless.output import whole_file
from semi_procedural_locomotion.headless.batch import Stopped, end_with_parent
from semi_procedural_locomotion.headless.batch import stopped_by_signals
verb, job, _, number, _, output, _, report = sys.argv[1:]
assert verb == "bake", verb
with open("calls.txt", "a") as calls:
    calls.write(Path(job).name + " " + number + "\\n")
orders = Path(job).with_suffix(".glb").read_text()
end_with_parent()
try:
    with stopped_by_signals(), whole_file(Path(output)) as blend:
        blend.write_bytes(b"BLENDER-v402" + bytes(400) + b"ENDB" + bytes(20))
        print("noise on stdout")
        print("noise", file=sys.stderr)
        if "fail" in orders:
            print("semi_procedural_locomotion: hero.glb has no legs: name them", file=sys.stderr)
            sys.exit(1)
        if "crash" in orders:
            os._exit(134)
        if "sleep" in orders:
            Path(f"asleep-{os.getpid()}").touch()
            time.sleep(60.0)
        if "killed" in orders and not Path("killed").exists():
            Path("killed").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if "always" in orders:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.1)
except Stopped as stop:
    sys.exit(stop.exit_code)
entry = {"name": "Rig", "frames": 3 + int(number), "warnings": ["a foot sinks"]}
files = [str(Path(name).resolve()) for name in orders.split() if Path(name).exists()]
Path(report).write_text(json.dumps({"characters": [entry], "files": files}))
"""
# Runs a batch as the command line does, in a process that can be ended.
PARENT = """
import sys
from pathlib import Path
from semi_procedural_locomotion.headless import batch
from semi_procedural_locomotion.headless.batch import stopped_by_signals
from semi_procedural_locomotion.headless.batch import plan_units
here = Path.cwd()
choice = batch.BatchChoice(2, here / "m.jsonl", here / "logs")
units = plan_units([Path(name) for name in sys.argv[1:]])
with stopped_by_signals():
    batch.run_units(units, [sys.executable, "worker.py"], {}, choice)
"""
ENVIRONMENT = {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "worker.py").write_text(WORKER)
    return tmp_path


def write_job(folder, name, orders="", characters=1, output=True):
    """A job file beside the character that it names."""
    (folder / f"{name}.glb").write_text(orders)
    line = f'output = "{name}.blend"\n' if output else ""
    text = line + f'[[character]]\nfile = "{name}.glb"\n' * characters
    path = folder / f"{name}.toml"
    path.write_text(text)
    return path.relative_to(folder)


def run(folder, jobs, resume=False, time_limit=None):
    command = [sys.executable, "worker.py"]
    choice = batch.BatchChoice(2, folder / "m.jsonl", folder / "logs", resume, time_limit)
    return batch.run_units(plan_units(jobs), command, ENVIRONMENT, choice)


def read_manifest(folder):
    return [json.loads(line) for line in (folder / "m.jsonl").read_text().splitlines()]


def read_calls(folder):
    return sorted((folder / "calls.txt").read_text().splitlines())


def test_failures_never_stop_the_rest(folder):
    jobs = [
        write_job(folder, "one"),
        write_job(folder, "lame", "fail"),
        write_job(folder, "dead", "crash"),
        write_job(folder, "two"),
    ]
    outcomes = run(folder, jobs)
    assert [o.state for o in outcomes] == ["done", "failed", "failed", "done"]
    assert outcomes[1].error == "hero.glb has no legs: name them"
    assert "exit code 134" in outcomes[2].error
    assert "noise" in outcomes[2].error
    lines = read_manifest(folder)
    assert [line["unit"] for line in lines] == ["one.toml", "lame.toml", "dead.toml", "two.toml"]
    assert lines[0]["numbers"]["frames"] == 4
    assert lines[0]["seconds"] > 0.0
    assert [line["state"] for line in lines] == [o.state for o in outcomes]
    blends = sorted(p.name for p in folder.glob("*.blend")) + list(folder.glob(".*"))
    assert blends == ["one.blend", "two.blend"]
    with pytest.raises(
        LocomotionError, match=r"2 of 4 units failed: lame.toml: hero.glb.*dead.toml"
    ):
        batch.raise_failures(outcomes)


def test_broken_jobs_are_units_that_failed(folder):
    good = write_job(folder, "good")
    bad = folder / "bad.toml"
    bad.write_text("[[character]\n")
    nameless = write_job(folder, "nameless", output=False)
    missing = folder / "missing.toml"
    outcomes = run(folder, [bad, good, nameless, missing])
    assert [o.state for o in outcomes] == ["failed", "done", "failed", "failed"]
    assert "is not TOML" in outcomes[0].error
    assert "no output is named" in outcomes[2].error
    assert "cannot be read" in outcomes[3].error


def test_each_character_is_a_unit(folder):
    outcomes = run(folder, [write_job(folder, "crowd", characters=3)])
    assert [o.unit.name for o in outcomes] == ["crowd.toml#1", "crowd.toml#2", "crowd.toml#3"]
    assert read_calls(folder) == ["crowd.toml 1", "crowd.toml 2", "crowd.toml 3"]
    assert [o.numbers["frames"] for o in outcomes] == [4, 5, 6]
    assert sorted(p.name for p in folder.glob("*.blend")) == [
        "crowd-1.blend",
        "crowd-2.blend",
        "crowd-3.blend",
    ]


def test_resume_leaves_out_what_is_done_and_unchanged(folder):
    names = ["same", "changed", "gone", "reworded", "failed"]
    jobs = [write_job(folder, name, "fail" if name == "failed" else "") for name in names]
    run(folder, jobs)
    (folder / "calls.txt").unlink()
    (folder / "changed.glb").write_text("another character")
    (folder / "gone.blend").unlink()
    job = folder / "reworded.toml"
    job.write_text("fps = 30\n" + job.read_text())
    (folder / "failed.glb").write_text("mended")
    outcomes = run(folder, jobs, resume=True)
    assert read_calls(folder) == [
        "changed.toml 1",
        "failed.toml 1",
        "gone.toml 1",
        "reworded.toml 1",
    ]
    assert [o.kept for o in outcomes] == [True, False, False, False, False]
    assert [o.state for o in outcomes] == ["done"] * 5
    assert [line["state"] for line in read_manifest(folder)] == ["done"] * 5
    assert outcomes[0].numbers["frames"] == 4


def test_without_resume_all_is_done_again(folder):
    job = write_job(folder, "one")
    run(folder, [job])
    run(folder, [job])
    assert read_calls(folder) == ["one.toml 1", "one.toml 1"]
    assert len(read_manifest(folder)) == 1


def test_two_writers_of_one_file_are_refused(folder):
    job = write_job(folder, "one")
    other = folder / "other.toml"
    other.write_text((folder / job).read_text())
    with pytest.raises(JobError, match=r"one\.toml both write"):
        plan_units([job, other])


def test_a_file_that_is_no_manifest_is_refused(folder):
    (folder / "m.jsonl").write_text("not JSON\n")
    with pytest.raises(JobError, match="is no manifest of a batch"):
        run(folder, [write_job(folder, "one")], resume=True)
    assert not (folder / "calls.txt").exists()


def test_what_workers_say_is_kept(folder):
    outcomes = run(folder, [write_job(folder, "one"), write_job(folder, "lame", "fail")])
    lines = read_manifest(folder)
    assert [Path(line["log"]).read_text().splitlines()[0] for line in lines] == ["noise"] * 2
    assert outcomes[1].log != outcomes[0].log
    assert lines[0]["warnings"] == ["a foot sinks"]
    assert lines[1]["warnings"] == []


def test_resume_looks_at_files_that_no_job_names(folder):
    (folder / "library.txt").write_text("linked")
    jobs = [write_job(folder, "linking", "library.txt"), write_job(folder, "plain")]
    run(folder, jobs)
    (folder / "library.txt").write_text("edited")
    outcomes = run(folder, jobs, resume=True)
    assert [outcome.kept for outcome in outcomes] == [False, True]


@pytest.mark.parametrize("cut", [1, 30, 400])
def test_resume_does_an_output_again_that_is_not_whole(folder, cut):
    job = write_job(folder, "one")
    run(folder, [job])
    whole = (folder / "one.blend").read_bytes()
    (folder / "one.blend").write_bytes(whole[:-cut])
    (outcome,) = run(folder, [job], resume=True)
    assert not outcome.kept
    assert (folder / "one.blend").read_bytes() == whole


def test_resume_does_an_output_again_that_was_changed_inside(folder):
    job = write_job(folder, "one")
    (first,) = run(folder, [job])
    output = first.unit.output
    whole = output.read_bytes()
    middle = len(whole) // 2
    output.write_bytes(whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :])
    (outcome,) = run(folder, [job], resume=True)
    assert not outcome.kept
    assert run(folder, [job], resume=True)[0].kept


def test_resume_does_all_again_after_an_update(folder, monkeypatch):
    job = write_job(folder, "one")
    run(folder, [job])
    monkeypatch.setattr("semi_procedural_locomotion.headless.batch.read_version", lambda: "99.0.0")
    (outcome,) = run(folder, [job], resume=True)
    assert not outcome.kept


def test_a_line_changed_by_hand_tells_nothing(folder):
    job = write_job(folder, "one")
    run(folder, [job])
    (line,) = read_manifest(folder)
    for change in ({"seconds": "long"}, {"numbers": None, "seconds": None}, {"files": [1]}):
        (folder / "m.jsonl").write_text(json.dumps(line | change) + "\n")
        (outcome,) = run(folder, [job], resume=True)
        assert outcome.state == "done"
        assert not outcome.kept


def test_no_output_takes_the_place_of_what_is_read(folder):
    job = write_job(folder, "one")
    for name in ("one.toml", "one.glb", "one.blend"):
        before = (folder / name).read_bytes() if (folder / name).exists() else None
        choice = batch.BatchChoice(1, folder / name, folder / "logs")
        with pytest.raises(JobError, match=r"is (read|written twice) here"):
            batch.run_units(plan_units([job]), [sys.executable, "worker.py"], {}, choice)
        assert ((folder / name).read_bytes() if (folder / name).exists() else None) == before
    assert not (folder / "calls.txt").exists()


@pytest.mark.parametrize("name", ["other.blend", "other.png", "other"])
def test_a_manifest_replaces_no_file_of_another_kind(folder, name):
    job = write_job(folder, "one")
    (folder / name).write_bytes(b"kept")
    choice = batch.BatchChoice(1, folder / name, folder / "logs")
    with pytest.raises(JobError, match=r"--manifest names a file that must end in .jsonl or .json"):
        batch.run_units(plan_units([job]), [sys.executable, "worker.py"], {}, choice)
    assert (folder / name).read_bytes() == b"kept"
    assert not (folder / "calls.txt").exists()


def test_a_unit_that_takes_too_long(folder):
    outcomes = run(
        folder, [write_job(folder, "slow", "sleep"), write_job(folder, "one")], False, 3.0
    )
    assert [outcome.state for outcome in outcomes] == ["failed", "done"]
    assert "took longer than 3 s" in outcomes[0].error
    assert list(folder.glob(".*")) == []


@pytest.mark.skipif(os.name != "posix", reason="processes are killed by signals on POSIX alone")
def test_a_unit_that_was_killed_is_tried_once_more(folder):
    outcomes = run(folder, [write_job(folder, "one", "killed"), write_job(folder, "two", "always")])
    assert [(outcome.state, outcome.attempts) for outcome in outcomes] == [
        ("done", 2),
        ("failed", 2),
    ]
    assert "exit code -9" in outcomes[1].error
    assert sorted(path.name for path in folder.glob("*.blend")) == ["one.blend"]
    assert list(folder.glob(".*")) == []


def _wait_for(condition):
    """Wait until something is so; a test that waits in vain fails."""
    for _ in range(400):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("nothing happened in 20 s")


def _start_batch(folder):
    """A batch of two that sleep and one that waits, when both have begun; and their process numbers."""
    jobs = [str(write_job(folder, name, "sleep")) for name in ("one", "two", "three")]
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, *jobs],
        env={**os.environ, **ENVIRONMENT},
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_heed_signals,
    )
    _wait_for(lambda: len(list(folder.glob("asleep-*"))) == 2)
    return parent, [int(path.name.removeprefix("asleep-")) for path in folder.glob("asleep-*")]


def _heed_signals():
    """Heed signals that the tests themselves may be told to ignore, as in the background of a shell."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def _is_alive(process):
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_workers_and_is_told(folder, number):
    parent, workers = _start_batch(folder)
    parent.send_signal(number)
    parent.communicate(timeout=20)
    assert not any(_is_alive(worker) for worker in workers)
    states = [(line["unit"], line["state"]) for line in read_manifest(folder)]
    assert states == [
        ("one.toml", "interrupted"),
        ("two.toml", "interrupted"),
        ("three.toml", "waiting"),
    ]
    assert f"interrupted by {number.name}" in read_manifest(folder)[0]["error"]
    assert [path.name for path in folder.iterdir() if "partial" in path.name] == []


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
def test_workers_end_with_a_parent_that_was_killed(folder):
    parent, workers = _start_batch(folder)
    parent.kill()
    parent.communicate(timeout=20)
    _wait_for(lambda: not any(_is_alive(worker) for worker in workers))
    _wait_for(lambda: not [path for path in folder.iterdir() if "partial" in path.name])


def test_resuming_some_keeps_what_is_known_of_others(folder):
    jobs = [write_job(folder, name) for name in ("one", "two", "three")]
    run(folder, jobs)
    run(folder, jobs[1:2], resume=True)
    assert [line["unit"] for line in read_manifest(folder)] == [
        "two.toml",
        "one.toml",
        "three.toml",
    ]
    assert all(outcome.kept for outcome in run(folder, jobs, resume=True))
    assert len(read_calls(folder)) == 3


def test_logs_that_cannot_be_leave_the_manifest(folder):
    job = write_job(folder, "one")
    run(folder, [job])
    before = (folder / "m.jsonl").read_text()
    choice = batch.BatchChoice(1, folder / "m.jsonl", folder / "one.glb")
    with pytest.raises(JobError, match="--logs"):
        batch.run_units(plan_units([job]), [sys.executable, "worker.py"], {}, choice)
    assert (folder / "m.jsonl").read_text() == before


def test_odd_jobs_stop_no_other(tmp_path):
    (tmp_path / "hero.glb").write_text("")
    odd = ["a\\u0000b", "a" * 300, "~nobody-at-all-1/x", "b/" * 3000]
    for number, name in enumerate([*odd, "hero"]):
        text = f'output = "{number}.blend"\n[[character]]\nfile = "{name}.glb"\n'
        (tmp_path / f"{number}.toml").write_text(text)
    units = plan_units([*(tmp_path / f"{n}.toml" for n in range(5)), Path("c" * 300)])
    assert [bool(unit.error) for unit in units] == [True] * 4 + [False, True]
