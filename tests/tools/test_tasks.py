# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the development tasks count tests and name what is missing."""

from __future__ import annotations

import sys

import pytest


@pytest.fixture(scope="module")
def tools(repository):
    """Import the modules of tools/, which are no package."""
    sys.path.insert(0, str(repository / "tools"))
    import environments
    import stages

    yield environments, stages
    sys.path.remove(str(repository / "tools"))


def make_result(stages, output, exit_code=0):
    return stages.Result(stages.Stage("tests", ["true"]), exit_code, output, 1.0)


def test_closing_line_is_counted(tools):
    result = make_result(tools[1], "1 failed in the text\n2 failed, 10 passed, 3 skipped in 1.50s")
    assert result.count("passed") == 10
    assert result.count("failed", "error", "errors") == 2
    assert result.count("skipped") == 3


def test_long_runs_and_errors_are_counted(tools):
    result = make_result(tools[1], "1 passed, 2 errors in 75.00s (0:01:15)\nBlender quit")
    assert (result.count("passed"), result.count("error", "errors")) == (1, 2)


def test_a_failed_check_counts_as_a_failure(tools):
    results = [make_result(tools[1], "5 passed in 0.1s"), make_result(tools[1], "E501", 1)]
    summary = tools[1].summary_from_results(results)
    assert summary.splitlines()[-1] == "tests: 5 passed, 1 failed, 0 skipped"
    assert "FAILED" in summary


def test_a_crash_counts_as_a_failure(tools):
    summary = tools[1].summary_from_results([make_result(tools[1], "", -11)])
    assert summary.endswith("tests: 0 passed, 1 failed, 0 skipped")


def test_stages_run_in_order_and_keep_their_exit_codes(tools, capsys):
    stages = tools[1]
    commands = [[sys.executable, "-c", f"print({n}); exit({n})"] for n in range(3)]
    results = stages.run_stages([stages.Stage(f"stage {n}", c) for n, c in enumerate(commands)])
    assert [result.exit_code for result in results] == [0, 1, 2]
    out = capsys.readouterr().out
    assert out.index("stage 0") < out.index("stage 1") < out.index("stage 2")


def test_a_stage_waits_for_those_that_it_needs(tools, tmp_path):
    stages, flag = tools[1], tmp_path / "flag"
    slow = f"import time, pathlib; time.sleep(0.5); pathlib.Path({str(flag)!r}).touch()"
    look = f"import pathlib; print(pathlib.Path({str(flag)!r}).exists())"
    makes = stages.Stage("makes", [sys.executable, "-c", slow])
    needs = stages.Stage("needs", [sys.executable, "-c", look], after=["makes"])
    results = stages.run_stages([makes, needs])
    assert results[1].output.strip() == "True"


def test_environments_of_all_tests_are_made(tools, monkeypatch):
    import tasks

    made = []
    monkeypatch.setattr(
        tasks, "make_environment", lambda environment: made.append(environment.name)
    )
    monkeypatch.setattr(tasks, "make_bpy_environments", made.extend)
    monkeypatch.setattr(tasks, "bpy_versions", lambda: ("4.2.23", "5.0.1"))
    assert tasks.make_environments() == 0
    assert made == ["core", "blender", "4.2.23", "5.0.1"]


def test_missing_libraries_are_named_to_users(tools, monkeypatch):
    environments = tools[0]
    libraries = {"libno-such-library.so.1": "libno-such-library1"}
    monkeypatch.setattr(environments, "SYSTEM_LIBRARIES", libraries)
    monkeypatch.setattr(environments.os, "geteuid", lambda: 1000)
    with pytest.raises(environments.SetupError, match="apt-get install libno-such-library1"):
        environments.ensure_system_libraries()


def test_other_pythons_get_the_newest_wheel(tools, monkeypatch):
    environments = tools[0]
    monkeypatch.setattr(environments.sys, "version_info", (3, 13, 0, "final", 0))
    assert environments.bpy_versions() == ("",)
    assert environments.environment_with_bpy("").requirements[0] == "bpy"
    monkeypatch.setattr(environments.sys, "version_info", (3, 11, 0, "final", 0))
    assert environments.bpy_versions() == ("4.2.23", "4.5.15", "5.0.1")
    assert "numpy<2" in environments.environment_with_bpy("4.2.23").requirements


def test_a_blender_that_does_not_run_is_named(tools, monkeypatch):
    environments, stages = tools
    monkeypatch.setenv("BLENDER", "/bin/false")
    with pytest.raises(environments.SetupError, match="BLENDER=/bin/false does not run"):
        stages.blender_stage()
    monkeypatch.setenv("BLENDER", "/no/such/blender")
    with pytest.raises(environments.SetupError, match="is not a program"):
        stages.blender_stage()


def test_no_blender_is_said(tools, monkeypatch, capsys):
    monkeypatch.delenv("BLENDER", raising=False)
    monkeypatch.setattr(tools[1].shutil, "which", lambda name: None)
    assert tools[1].blender_stage() is None
    assert "no Blender found" in capsys.readouterr().err


def test_each_wheel_saves_a_file_for_newer_blenders(tools, monkeypatch, tmp_path):
    environments, stages = tools
    saved = tmp_path / "saved"
    monkeypatch.setattr(stages, "SAVED_FILES", saved)
    monkeypatch.setattr(stages, "ENVIRONMENTS", tmp_path)
    saved.mkdir()
    (saved / "old.json").touch()
    wheels = [environments.environment_with_bpy(version) for version in ("4.2.23", "")]
    made = stages.saving_stages(wheels)
    assert [stage.command[0] for stage in made] == [str(wheel.python) for wheel in wheels]
    assert made[0].command[-1] == str(saved / "bpy-4.2.23.json")
    assert list(saved.iterdir()) == []
    assert made[1].environment == stages.wheel_stage(wheels[1]).environment
    assert made[1].environment["SPL_SAVED_FILES"] == str(saved)


@pytest.mark.parametrize("has_program", [True, False])
def test_the_longest_stages_come_first_and_none_is_left_out(tools, monkeypatch, has_program):
    import tasks

    wheels = ("4.2.23", "4.5.15", "5.0.1")
    make = tasks.stages.Stage
    program = make("tests in Blender", ()) if has_program else None
    seen = []
    monkeypatch.setattr(tasks, "bpy_versions", lambda: wheels)
    monkeypatch.setattr(tasks, "make_bpy_environments", lambda versions: versions)
    monkeypatch.setattr(tasks.stages, "check_stages", lambda: [make("ruff", ()), make("core", ())])
    monkeypatch.setattr(tasks.stages, "blender_stage", lambda: program)
    monkeypatch.setattr(tasks.stages, "saving_stages", lambda environments: [make("file", ())])
    monkeypatch.setattr(tasks.stages, "wheel_stage", lambda name: make(name, ()))
    monkeypatch.setattr(tasks.stages, "run_stages", lambda todo: seen.extend(todo) or [])
    monkeypatch.setattr(tasks.stages, "summary_from_results", lambda results: "")
    assert tasks.run_tests() == 0
    inside = ["tests in Blender"] if has_program else []
    order = ["file", "ruff", "5.0.1", *inside, "4.2.23", "core", "4.5.15"]
    assert [s.name for s in seen] == order
    # Files that wheels save are looked at by all tests.
    in_blenders = {*wheels, *inside}
    assert {s.name for s in seen if list(s.after) == ["file"]} == in_blenders
