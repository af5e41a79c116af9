# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Units of a batch, their workers and the manifest, with a stand-in for the worker."""

from __future__ import annotations

import json
import sys

import pytest

from semi_procedural_locomotion.errors import JobError, LocomotionError
from semi_procedural_locomotion.headless import batch

# Writes what a bake would write, or fails as the character's file says.
WORKER = """
import json, os, sys, time
from pathlib import Path
verb, job, _, number, _, output, _, report = sys.argv[1:]
assert verb == "bake", verb
with open("calls.txt", "a") as calls:
    calls.write(Path(job).name + " " + number + "\\n")
orders = Path(job).with_suffix(".glb").read_text()
Path(output).with_name(f".{Path(output).stem}.partial-{os.getpid()}.blend").write_text("half")
print("noise on stdout")
print("noise", file=sys.stderr)
if "fail" in orders:
    print("semi_procedural_locomotion: hero.glb has no legs: name them", file=sys.stderr)
    sys.exit(1)
if "crash" in orders:
    os._exit(134)
time.sleep(0.1)
Path(output).with_name(f".{Path(output).stem}.partial-{os.getpid()}.blend").replace(output)
Path(report).write_text(json.dumps({"characters": [{"name": "Rig", "frames": 3 + int(number)}]}))
"""


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


def run(folder, jobs, workers=2, resume=False):
    command = [sys.executable, "worker.py"]
    units = batch.plan_units(jobs)
    return batch.run_units(units, command, {"A": "1"}, workers, folder / "m.jsonl", resume)


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
        batch.plan_units([job, other])


def test_a_file_that_is_no_manifest_is_refused(folder):
    (folder / "m.jsonl").write_text("not JSON\n")
    with pytest.raises(JobError, match="is no manifest of a batch"):
        run(folder, [write_job(folder, "one")], resume=True)
    assert not (folder / "calls.txt").exists()
