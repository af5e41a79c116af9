# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line as a process: exit codes and a clean stdout."""

from __future__ import annotations

import json
import re

import pytest

bpy = pytest.importorskip("bpy")


# A Blender binary greets and logs on stdout before any script runs: "00:00.022  system | ...".
GREETING = re.compile(r"Blender \d|\d\d:\d\d\.\d+  ")


def own_lines(text):
    """Lines of stdout that a Blender binary did not write before the verb started."""
    return [line for line in text.splitlines() if not GREETING.match(line)]


def messages(text):
    """Lines of stderr that tell why a verb failed."""
    return [line for line in text.splitlines() if line.startswith("semi_procedural_locomotion: ")]


def test_wrong_use(run_headless):
    done = run_headless("walk")
    assert done.returncode == 2, done.stderr
    assert "invalid choice" in done.stderr
    assert own_lines(done.stdout) == []


def test_missing_file(run_headless, tmp_path):
    done = run_headless("inspect", tmp_path / "none.glb", "--json")
    assert done.returncode == 2, done.stderr
    assert "none.glb: does not exist" in done.stderr
    assert own_lines(done.stdout) == []


def test_help_lists_the_verbs(run_headless):
    done = run_headless("--help")
    assert done.returncode == 0, done.stderr
    assert "inspect" in done.stdout


def test_broken_file(run_headless, tmp_path):
    broken = tmp_path / "broken.glb"
    broken.write_bytes(b"glTF but not really")
    done = run_headless("inspect", broken, "--json")
    assert done.returncode == 1, done.stderr
    (message,) = messages(done.stderr)
    assert "broken.glb" in message
    found = json.loads("\n".join(own_lines(done.stdout)))
    assert found["armatures"] == []
    assert "broken.glb" in found["refused"][0]


def test_file_without_armature(run_headless, tmp_path):
    path = tmp_path / "empty.blend"
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    done = run_headless("bake", path, "-o", tmp_path / "out.blend")
    assert done.returncode == 1, done.stderr
    (message,) = messages(done.stderr)
    assert "empty.blend" in message
    assert not (tmp_path / "out.blend").exists()
    assert own_lines(done.stdout) == []
