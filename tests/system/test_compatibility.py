# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The compatibility command on a small character of the project's own."""

from __future__ import annotations

import json
import sys

import pytest

bpy = pytest.importorskip("bpy")

pytestmark = pytest.mark.newest

if bpy.app.binary_path:
    pytest.skip("needs the bpy wheel", allow_module_level=True)


def test_own_character_is_tried_and_is_right(tmp_path):
    from semi_procedural_locomotion import register, unregister
    from tests.scenes import add_person
    from tools.compatibility import running
    from tools.compatibility.verdicts import Truth, judge_file

    folder = tmp_path / "characters"
    folder.mkdir()
    register()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    add_person()
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "person.blend"), copy=True)
    unregister()
    (folder / "broken.glb").write_bytes(b"glTF")
    options = running.RunOptions(tmp_path / "out", sys.executable, ["flat"])
    files = running.find_files(folder)
    broken, person = running.run_trials(folder, files, options, lambda text: None)
    assert "broken" in broken["refused"]
    truth = Truth(legs=2, forward=(0.0, -1.0))
    assert judge_file(person, truth).kind == "right", json.dumps(person)[:2000]
    assert person["source"]["speed"] == pytest.approx(person["walk"]["speed"], rel=0.2)
    for name in ("legs", "flat"):
        data = (tmp_path / "out" / "files" / f"person.blend.{name}.png").read_bytes()
        assert data.startswith(b"\x89PNG")
