# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Verbs, options and exit codes, with the api replaced, so that no Blender is needed."""

from __future__ import annotations

import json
import os
import signal
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import semi_procedural_locomotion
from semi_procedural_locomotion.errors import RigError
from semi_procedural_locomotion.headless import batch, cli
from semi_procedural_locomotion.headless.batch import DONE, FAILED, Outcome, Stopped

REPORT = {"characters": [{"name": "Hero", "feet_slide_worst": 0.001, "warnings": []}]}
FINDINGS = {
    "armatures": [{"name": "Rig", "forward": [1, 0], "root": None, "legs": [], "motions": []}]
}


class Api(ModuleType):
    """Stands in for the api: remembers calls, writes what it is asked to write."""

    def __init__(self):
        super().__init__("semi_procedural_locomotion.api")
        self.calls = []
        self.failure = None

    def _call(self, *call):
        self.calls.append(call)
        print("Blender chatters")
        if self.failure is not None:
            raise self.failure

    def inspect_file(self, path, progress=None):
        self._call("inspect_file", path)
        return FINDINGS

    def bake_job(self, job, output_path, only=None, frames=None, progress=None):
        output_path.write_text("half")
        progress(0.5, "baking")
        self._call("bake_job", job.path.name, only, frames)
        return REPORT

    def bake_blend(self, path, output_path, only=None, frames=None, progress=None):
        output_path.write_text("half")
        self._call("bake_blend", path.name, only, frames)
        return REPORT

    def fix_file(self, path, output_path, only=None, frames=None, progress=None):
        output_path.write_text("half")
        self._call("fix_file", path.name, only, frames)
        numbers = {"shown_slip_worst": 0.001, "shown_sink_worst": 0.0, "shown_float_p99": None}
        entry = {
            "name": "Rig",
            "stances": {"Left": 3, "Right": 4},
            "before": dict(numbers),
            "warnings": ["Left foot does not stand"],
            **numbers,
        }
        entry["before"]["shown_slip_worst"] = 0.05
        return {"file": path.name, "characters": [entry]}

    def make_demo(self, folder, progress=None):
        (folder / "demo.blend").write_text("blend")
        self._call("make_demo")
        return REPORT

    def report_file(self, path, folder=None, progress=None, *, with_plan=False):
        if folder is not None:
            (folder / "Hero-soles.svg").write_text("svg")
        self._call("report_file", path.name)
        return REPORT


@pytest.fixture
def api(monkeypatch, tmp_path):
    """Replace the api and the Blender session."""
    fake = Api()
    session = ModuleType("semi_procedural_locomotion.headless.session")
    session.ensure_registered = lambda: None
    making = ModuleType("semi_procedural_locomotion.demo.making")
    making.make_demo = fake.make_demo
    for module in (fake, session, making):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(semi_procedural_locomotion, "api", fake, raising=False)
    monkeypatch.setattr(semi_procedural_locomotion.headless, "session", session, raising=False)
    monkeypatch.setattr(cli, "find_spec", lambda name: name)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hero.glb").touch()
    (tmp_path / "shot.blend").touch()
    (tmp_path / "walk.toml").write_text('output = "out.blend"\n[[character]]\nfile = "hero.glb"\n')
    return fake


def test_inspect_json_on_a_clean_stdout(api, tmp_path, capfd):
    assert cli.main(["inspect", "hero.glb", "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == FINDINGS
    assert api.calls == [("inspect_file", tmp_path / "hero.glb")]


def test_inspect_json_tells_refusals_as_json_too(api, capfd):
    api.failure = RigError("Rig has no legs; name them")
    assert cli.main(["inspect", "hero.glb", "--json"]) == 1
    out, err = capfd.readouterr()
    found = json.loads(out)
    assert found["refused"] == ["Rig has no legs; name them"]
    assert (found["file"], found["armatures"]) == ("hero.glb", [])
    assert "Rig has no legs" in err


def test_failures_are_told_with_the_keys_of_jobs(api, capfd):
    api.failure = RigError("Rig has no legs", "press Set Up", "name `legs`", ("press it",), ("do",))
    assert cli.main(["inspect", "hero.glb", "--json"]) == 1
    out, err = capfd.readouterr()
    assert json.loads(out)["refused"] == ["Rig has no legs: name `legs`"]
    assert err.splitlines()[-2:] == [
        "note: do",
        "semi_procedural_locomotion: Rig has no legs: name `legs`",
    ]
    assert str(api.failure) == "Rig has no legs: press Set Up"


def test_inspect_for_people_and_into_a_file(api, tmp_path, capfd):
    assert cli.main(["inspect", "hero.glb"]) == 0
    assert capfd.readouterr().out.startswith("Rig: faces 0 deg")
    assert cli.main(["inspect", "hero.glb", "--json", "-o", "found.json"]) == 0
    assert json.loads((tmp_path / "found.json").read_text()) == FINDINGS
    assert capfd.readouterr().out == ""


def test_bake_of_a_job(api, tmp_path, capfd):
    arguments = ["--only", "Rig", "--frames=-5-10", "--report", "numbers/r.json"]
    assert cli.main(["bake", "walk.toml", *arguments]) == 0
    out, err = capfd.readouterr()
    assert api.calls == [("bake_job", "walk.toml", "Rig", (-5, 10))]
    assert (tmp_path / "out.blend").read_text() == "half"
    assert json.loads((tmp_path / "numbers" / "r.json").read_text()) == REPORT
    assert "Hero" in out
    assert "0.10 %" in out
    assert "progress: 0.50 baking\n" in err


def test_output_of_the_command_line_comes_first(api, tmp_path):
    assert cli.main(["bake", "walk.toml", "-o", "other.blend"]) == 0
    assert (tmp_path / "other.blend").exists()
    assert not (tmp_path / "out.blend").exists()


def test_fix_tells_the_numbers_before_and_after(api, tmp_path, capfd):
    arguments = ["-o", "fixed.blend", "--only", "Rig", "--frames", "1-9", "--report", "fixed.json"]
    assert cli.main(["fix", "shot.blend", *arguments]) == 0
    assert api.calls == [("fix_file", "shot.blend", "Rig", (1, 9))]
    text = capfd.readouterr().out
    assert "Rig: 7 stances" in text
    assert "  Left foot does not stand" in text
    assert "slide, worst (of L): 5.00 % -> 0.10 %" in text
    assert "above" not in text
    assert (tmp_path / "fixed.json").exists()


def test_bake_of_a_blend(api, tmp_path):
    assert cli.main(["bake", "shot.blend", "-o", "baked.blend"]) == 0
    assert api.calls == [("bake_blend", "shot.blend", None, None)]
    assert (tmp_path / "baked.blend").exists()


def test_demo_and_report(api, tmp_path):
    assert cli.main(["demo"]) == 0
    assert sorted(p.name for p in (tmp_path / "demo").iterdir()) == ["demo.blend", "report.json"]
    assert cli.main(["report", "shot.blend", "-o", "numbers"]) == 0
    assert json.loads((tmp_path / "numbers" / "report.json").read_text()) == REPORT
    assert "Hero" in (tmp_path / "numbers" / "index.html").read_text()
    assert (tmp_path / "numbers" / "Hero-soles.svg").exists()
    assert cli.main(["report", "shot.blend"]) == 0


def test_one_character_of_a_job(api, tmp_path, monkeypatch):
    job = (tmp_path / "walk.toml").read_text() + '[[character]]\nfile = "hero.glb"\nroot = "b"\n'
    (tmp_path / "walk.toml").write_text(job)
    roots = []

    def bake_job(job, output, **_):
        output.write_text("blend")
        roots.append([character.root for character in job.characters])
        return REPORT

    monkeypatch.setattr(api, "bake_job", bake_job)
    for number in ("1", "2"):
        assert cli.main(["bake", "walk.toml", "--character", number]) == 0
    assert cli.main(["bake", "walk.toml"]) == 0
    assert roots == [[None], ["b"], [None, "b"]]
    assert cli.main(["bake", "walk.toml", "--character", "3"]) == 2
    assert cli.main(["bake", "shot.blend", "-o", "o.blend", "--character", "1"]) == 2
    assert len(roots) == 3


def test_batch_names_failures_and_goes_on(api, tmp_path, monkeypatch, capfd):
    def run_units(units, command, environment, choice):
        assert [unit.name for unit in units] == ["walk.toml", "no.toml"]
        assert (command, environment) == (["worker"], {"A": "1"})
        manifest, logs = tmp_path / "m.jsonl", tmp_path / "m-logs"
        assert choice == batch.BatchChoice(2, manifest, logs, True, 90.0)
        done = Outcome(units[0], DONE, 1.5, {"frames": 9, "feet_slide_worst": 0.001})
        return [done, Outcome(units[1], FAILED, error="it is missing")]

    session = sys.modules["semi_procedural_locomotion.headless.session"]
    monkeypatch.setattr(
        session, "find_worker_command", lambda: (["worker"], {"A": "1"}), raising=False
    )
    monkeypatch.setattr(batch, "run_units", run_units)
    arguments = ["walk.toml", "no.toml", "--workers", "2", "--resume", "--manifest", "m.jsonl"]
    arguments += ["--time-limit", "90"]
    assert cli.main(["batch", *arguments]) == 1
    out, err = capfd.readouterr()
    assert "walk.toml    done      1.5       9  0.10 %" in out
    assert "0.10 %" in out
    assert err.splitlines()[-1].endswith("1 of 2 units failed: no.toml: it is missing")


@pytest.mark.parametrize(
    "arguments",
    [
        ["inspect", "hero.glb"],
        ["bake", "walk.toml", "--report", "r.json"],
        ["bake", "shot.blend", "-o", "out.blend"],
        ["demo"],
        ["report", "shot.blend", "-o", "demo"],
    ],
)
def test_a_failed_unit_says_why_and_writes_nothing(api, tmp_path, capfd, arguments):
    api.failure = RigError("Rig has no legs; name them")
    before = sorted(p.name for p in tmp_path.iterdir())
    assert cli.main(arguments) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert err.splitlines()[-1] == "semi_procedural_locomotion: Rig has no legs; name them"
    after = sorted(p.name for p in tmp_path.rglob("*"))
    assert [name for name in after if name != "demo"] == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "VERB"),
        (["walk"], "invalid choice"),
        (["inspect"], "FILE"),
        (["inspect", "none.glb"], "none.glb: does not exist"),
        (["inspect", "walk.toml"], "must end in .blend, .glb"),
        (["bake", "hero.glb"], "must end in .blend, .toml"),
        (["bake", "shot.blend"], "no output is named; add -o OUT.blend"),
        (["bake", "shot.blend", "-o", "out.glb"], "must end in .blend"),
        (["bake", "shot.blend", "-o", "o.blend", "--frames", "9"], "FIRST-LAST such as 1-240"),
        (["bake", "shot.blend", "-o", "o.blend", "--frames", "9-9"], "FIRST-LAST such as 1-240"),
        (["inspect", "hero.glb", "-o", "hero.glb"], "hero.glb: is read here and not written over"),
        (["bake", "shot.blend", "-o", "shot.blend"], "shot.blend: is read here"),
        (["bake", "shot.blend", "-o", "o.blend", "--report", "shot.blend"], "is read here"),
        (["report", "hero.glb"], "must end in .blend"),
        (["batch"], "JOB.toml"),
        (["batch", "walk.toml", "--workers", "0"], "a whole number above 0"),
        (["batch", "walk.toml", "--time-limit", "nan"], "a number of seconds above 0"),
        (["bake", "shot.blend", "-o", "o.blend", "--report", "o.blend"], "is written twice here"),
        (["fix", "hero.glb", "-o", "o.blend", "--report", "./o.blend"], "is written twice here"),
        (["bake", "walk.toml", "--report", "walk.toml"], "is read here"),
        (["inspect", "hero.glb", "-o", "."], "is a folder"),
        (["bake", "shot.blend", "-o", "o.jpg"], "o.jpg: -o names a file that must end in .blend"),
    ],
)
def test_wrong_use(api, capfd, arguments, message):
    assert cli.main(arguments) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert message in err
    assert api.calls == []


def test_a_link_to_what_is_read_is_not_written_over(api, tmp_path, capfd):
    (tmp_path / "link.glb").symlink_to(tmp_path / "hero.glb")
    before = (tmp_path / "hero.glb").read_bytes()
    assert cli.main(["inspect", "hero.glb", "-o", "link.glb"]) == 2
    assert "link.glb: is read here" in capfd.readouterr().err
    assert (tmp_path / "hero.glb").read_bytes() == before
    assert api.calls == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["bake", "shot.blend", "-o", "o.blend", "--report"],
            "--report names a file that must end in .json",
        ),
        (
            ["fix", "hero.glb", "-o", "o.blend", "--report"],
            "--report names a file that must end in .json",
        ),
        (["inspect", "hero.glb", "--json", "-o"], "-o names a file that must end in .json"),
        (["inspect", "hero.glb", "-o"], "-o names a file that must end in .txt"),
    ],
)
@pytest.mark.parametrize("name", ["other.blend", "other.glb", "other.png", "other"])
def test_no_output_replaces_a_file_of_another_kind(api, tmp_path, capfd, arguments, message, name):
    (tmp_path / name).write_bytes(b"kept")
    assert cli.main([*arguments, name]) == 2
    assert message in capfd.readouterr().err
    assert (tmp_path / name).read_bytes() == b"kept"
    assert api.calls == []


def test_a_job_does_not_write_over_its_files(api, tmp_path, capfd):
    (tmp_path / "walk.toml").write_text('[[character]]\nfile = "hero.blend"\n')
    (tmp_path / "hero.blend").write_bytes(b"hero")
    assert cli.main(["bake", "walk.toml", "-o", "hero.blend"]) == 2
    assert "hero.blend: is read here" in capfd.readouterr().err
    assert (tmp_path / "hero.blend").read_bytes() == b"hero"


def test_wrong_job_is_wrong_use(api, tmp_path, capfd):
    (tmp_path / "walk.toml").write_text('[[character]]\nfil = "hero.glb"\n')
    assert cli.main(["bake", "walk.toml", "-o", "o.blend"]) == 2
    assert "character[0].file is missing" in capfd.readouterr().err


def test_help(api, capfd):
    assert cli.main(["--help"]) == 0
    out = capfd.readouterr().out
    assert all(verb in out for verb in ("demo", "inspect", "bake", "report"))


def test_without_blender(monkeypatch, capfd):
    monkeypatch.setattr(cli, "find_spec", lambda name: None)
    assert cli.main(["demo"]) == 1
    assert "install the bpy package" in capfd.readouterr().err


def test_programming_errors_are_not_hidden(api):
    api.failure = KeyError("bug")
    with pytest.raises(KeyError):
        cli.main(["inspect", "hero.glb"])


def test_the_version_is_the_manifests(capsys):
    manifest = Path(__file__).parents[2] / "blender_manifest.toml"
    version = tomllib.loads(manifest.read_text(encoding="utf-8"))["version"]
    assert cli.main(["--version"]) == cli.DONE
    assert capsys.readouterr().out.split() == [cli.PROGRAM, version]


@pytest.mark.parametrize("name", ["linked.blend", "./linked.blend"])
def test_what_was_read_unnamed_is_not_written_over(api, tmp_path, capfd, monkeypatch, name):
    (tmp_path / "linked.blend").write_bytes(b"a library")
    monkeypatch.setitem(REPORT, "files", [str(tmp_path / "linked.blend")])
    assert cli.main(["bake", "shot.blend", "-o", name]) == 2
    assert "linked.blend: is read here" in capfd.readouterr().err
    assert (tmp_path / "linked.blend").read_bytes() == b"a library"


def test_names_that_are_too_long_are_told(api, tmp_path, capfd):
    assert cli.main(["bake", "shot.blend", "-o", "n" * 300 + ".blend"]) == 1
    assert "cannot be written" in capfd.readouterr().err
    assert cli.main(["bake", "shot.blend", "-o", "n" * 249 + ".blend"]) == 0
    assert (tmp_path / ("n" * 249 + ".blend")).exists()


@pytest.mark.skipif(os.name != "posix", reason="signals are sent to oneself on POSIX alone")
def test_a_signal_ends_a_verb_and_leaves_nothing(api, tmp_path, capfd):
    before, handler = sorted(tmp_path.iterdir()), signal.getsignal(signal.SIGTERM)
    bake = api.bake_blend

    def stop(*arguments, **options):
        bake(*arguments, **options)
        os.kill(os.getpid(), signal.SIGTERM)
        raise AssertionError("went on")

    api.bake_blend = stop
    assert cli.main(["bake", "shot.blend", "-o", "o.blend"]) == 128 + signal.SIGTERM
    assert "interrupted by SIGTERM" in capfd.readouterr().err.splitlines()[-1]
    assert sorted(tmp_path.iterdir()) == before
    assert signal.getsignal(signal.SIGTERM) == handler


def test_stdout_that_closes_is_told_in_words(api, capfd, monkeypatch):
    def write(descriptor, text):
        raise BrokenPipeError

    monkeypatch.setattr("semi_procedural_locomotion.headless.output.os.write", write)
    assert cli.main(["inspect", "hero.glb"]) == 1
    monkeypatch.undo()
    assert "stdout was closed" in capfd.readouterr().err


def test_stopping_is_no_exception_that_work_may_catch():
    assert not issubclass(Stopped, Exception)
