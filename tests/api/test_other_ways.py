# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters of which no motion goes ahead go straight on where their motion goes."""

from __future__ import annotations

from math import radians

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion import api
from semi_procedural_locomotion.api import setups
from tools.compatibility.strangers import list_strangers
from tools.compatibility.striding import make_stranger

pytestmark = pytest.mark.newest

LAST = 49


@pytest.mark.parametrize(
    ("name", "way", "size", "heading"),
    [("crab", 90.0, 1.0, 0.0), ("crab", 90.0, 0.1, 70.0), ("backs", 180.0, 1.0, -30.0)],
)
def test_straight_on_is_where_the_only_motion_goes(name, way, size, heading):
    (stranger,) = [one for one in list_strangers() if one.name == name]
    armature = make_stranger(stranger)
    armature.scale = (size,) * 3
    armature.rotation_mode = "XYZ"
    armature.rotation_euler = (0.0, 0.0, radians(heading))
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    bpy.context.view_layer.update()
    api.set_up(armature)
    result = setups.bake_set_up(armature, scene)
    carrier = armature.pose.bones[stranger.body]
    places, axes = [], []
    for frame in (1, LAST):
        scene.frame_set(frame)
        shown = armature.matrix_world @ carrier.matrix
        places.append(np.array(shown.translation))
        axes.append(np.array(shown.to_3x3().normalized()))
    gone = places[1] - places[0]
    seconds = (LAST - 1) / 24.0
    assert np.hypot(*gone[:2]) == pytest.approx(size * stranger.speed * seconds, rel=0.08)
    # It faces -y at rest: so much the way is off that, counter-clockwise or not.
    turn = np.angle(np.exp(1j * (np.arctan2(gone[1], gone[0]) + 0.5 * np.pi - radians(heading))))
    assert abs(np.degrees(turn)) == pytest.approx(way, abs=3.0)
    assert np.abs(axes[1] - axes[0]).max() < 0.2
    assert not [note for note in result.notes if note.severity.value == "walk"]
