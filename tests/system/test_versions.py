# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files saved by older Blenders, opened by the one that the tests run in.

SPL_SAVED_FILES names a folder of files that ``version_session.py`` made in other Blenders, each with
what it told of it there; ``bash tools/run test`` fills one with all bpy wheels that it tests with.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

SESSION = Path(__file__).with_name("version_session.py")
VARIABLE = "SPL_SAVED_FILES"
# Keys may differ by this share of the leg, and rotations by as much in radians.
KEY_LIMIT = 1e-5
# Numbers differ by rounding alone; the small ones are shares of the leg, as keys in float32 give.
NUMBER_LIMIT = 1e-6


def tell(blend, target):
    """What this Blender, in a process of its own, finds in a file."""
    command = [sys.executable, str(SESSION), str(blend), str(target)]
    if bpy.app.binary_path:
        start = [bpy.app.binary_path, "-b", "--factory-startup", "--python-exit-code", "1"]
        command = [*start, "--python", str(SESSION), "--", str(blend), str(target)]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(target.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    """What each older Blender found in its own file, and what this one finds in it, by version."""
    named = os.environ.get(VARIABLE)
    own = bpy.app.version[:2]
    older = {}
    for path in sorted(Path(named).glob("*.json")) if named else ():
        seen = json.loads(path.read_text(encoding="utf-8"))
        if tuple(seen["opened by"]) < own:
            older[tuple(seen["opened by"])] = (path.with_suffix(".blend"), seen)
    if not older:
        pytest.skip(f"no file of a Blender before {own[0]}.{own[1]} in {VARIABLE}={named}")
    folder = tmp_path_factory.mktemp("versions")
    return {
        version: (seen, tell(blend, folder / f"{blend.stem}.json"))
        for version, (blend, seen) in sorted(older.items())
    }


def check_keys(first, second, limit):
    """Fail where two sets of curves differ by more than a limit."""
    assert set(first["curves"]) == set(second["curves"])
    for path, keys in first["curves"].items():
        others = second["curves"][path]
        assert len(others) == len(keys), path
        assert np.abs(np.array(keys) - np.array(others)).max(initial=0.0) <= limit, path


def check_numbers(first, second):
    """Fail where two reports differ by more than rounding."""
    assert set(first) == set(second)
    for key, value in first.items():
        if isinstance(value, dict):
            check_numbers(value, second[key])
        elif isinstance(value, list) and all(isinstance(item, dict) for item in value):
            # Notes, with numbers of their own.
            assert len(second[key]) == len(value), key
            for one, other in zip(value, second[key], strict=True):
                check_numbers(one, other)
        elif isinstance(value, float):
            assert second[key] == pytest.approx(value, rel=NUMBER_LIMIT, abs=NUMBER_LIMIT), key
        else:
            assert second[key] == value, key


def test_each_file_was_opened_by_a_newer_blender(pairs):
    for version, (own, here) in pairs.items():
        assert tuple(own["saved by"]) == tuple(own["opened by"]) == version
        assert tuple(here["saved by"]) == version
        assert tuple(here["opened by"]) == tuple(bpy.app.version[:2])


def test_set_ups_are_intact(pairs):
    for own, here in pairs.values():
        assert own["set-up"]["legs"]
        assert own["set-up"]["settings"]["action_name"] == "Hero Walk"
        assert [step["edited"] for step in own["footsteps"]].count(True) == 1
        for part in ("set-up", "footsteps", "analyzed", "slots"):
            assert here[part] == own[part], part


def test_keys_and_numbers_are_those_saved(pairs):
    for own, here in pairs.values():
        assert len(own["keys"]["curves"]) > 50
        check_keys(own["keys"], here["keys"], 0.0)
        check_numbers(own["numbers"], here["numbers"])


@pytest.mark.parametrize("bake", ["keys over", "keys anew"])
def test_another_bake_gives_the_same_keys(pairs, bake):
    for own, here in pairs.values():
        limit = KEY_LIMIT * min(1.0, own["leg length"])
        assert here[bake]["action"] == own["keys"]["action"]
        check_keys(own["keys"], here[bake], limit)
        assert not here["playing without bake"]
        check_numbers(own["numbers"], here["numbers anew"])
