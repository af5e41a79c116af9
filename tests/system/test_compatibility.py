# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The compatibility command on a small character of the project's own."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

pytestmark = pytest.mark.newest

if bpy.app.binary_path:
    pytest.skip("needs the bpy wheel", allow_module_level=True)


@pytest.fixture
def registered():
    from semi_procedural_locomotion import register, unregister

    register()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    yield
    unregister()


@pytest.mark.parametrize("name", ["hidden_names", "mixamo", "mid_step", "turned", "small"])
def test_relatives_move_as_what_they_are_made_of(registered, name):
    from tests.scenes import add_person
    from tools.compatibility import relatives
    from tools.compatibility.seeing import make_cast, see_frames
    from tools.compatibility.verdicts import Truth

    armature = add_person()
    relatives.find_armature()

    def see():
        walk = next(a for a in bpy.data.actions if a.name.endswith("Walk"))
        armature.animation_data_create().action = walk
        return see_frames(make_cast(armature), [1, 9]).points

    before = see()
    armature.animation_data.action = None
    relative = relatives.RELATIVES[name](armature)
    after = see()
    turn, own = relative.turn, relative.scale * before
    if name == "turned":
        cos, sin = np.cos(turn), np.sin(turn)
        own = own @ np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]]).T + [3.0, -2.0, 0.5]
    # Skin that two bones share is bent otherwise from another rest pose.
    most = 1e-2 if name == "mid_step" else 2e-3
    assert np.abs(after - own).max() < most * relative.scale
    truth = relative.adapt(Truth(legs=[["foot.L"], ["foot.R"]], forward=(0.0, -1.0)))
    if name == "hidden_names":
        feet = {foot for (foot,) in truth.legs}
        assert len(feet) == 2
        assert feet <= {bone.name for bone in armature.data.bones}
        assert all(bone.name.startswith("Bone.") for bone in armature.data.bones)
    elif name == "mixamo":
        assert truth.legs == [["mixamorig:LeftFoot"], ["mixamorig:RightFoot"]]
    assert relative.adapt(Truth(speeds={"Walk": (1.0, 2.0)})).speeds in (
        {"Walk": (relative.scale, 2.0 * relative.scale)},
        {},
    )


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
