# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Birds and dogs without a mesh: their feet are told from joints, and stand on the toes."""

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

# Shares of the leg: of a toe joint that stands. Its height is keyed to the skin of a sole not seen.
STILL, LEVEL = 0.002, 0.005
LAST = 60


def walk_without_mesh(name, size, heading):
    """Bake a stranger's walk on a floor; its armature and all of its heads, world, metres (F, B, 3)."""
    (stranger,) = [one for one in list_strangers() if one.name == name]
    armature = make_stranger(stranger)
    for item in [item for item in bpy.data.objects if item.type == "MESH"]:
        bpy.data.objects.remove(item)
    armature.scale = (size,) * 3
    armature.rotation_mode = "XYZ"
    armature.rotation_euler = (0.0, 0.0, radians(heading))
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    bpy.context.view_layer.update()
    api.set_up(armature)
    setups.bake_set_up(armature, scene)
    heads = []
    for frame in range(1, LAST + 1):
        scene.frame_set(frame)
        world = np.array(armature.matrix_world)
        local = np.array([bone.head for bone in armature.pose.bones])
        heads.append(local @ world[:3, :3].T + world[:3, 3])
    return armature, np.array(heads)


@pytest.mark.parametrize(("size", "heading"), [(1.0, 0.0), (0.01, 130.0)])
def test_toes_stand_under_ankles_that_swing_all_through_the_stance(size, heading):
    armature, heads = walk_without_mesh("dinosaur", size, heading)
    names = [bone.name for bone in armature.pose.bones]
    length = size * 1.6
    for side in "LR":
        toe, ankle = names.index(f"toes_{side}"), names.index(f"metatarsus_{side}")
        rest = armature.data.bones[toe].head_local.z * size
        above = heads[:, toe, 2] - rest
        assert above.min() > -LEVEL * length
        low = above < LEVEL * length
        stands = low[1:] & low[:-1] & np.append(low[2:], True) & np.append(True, low[:-2])
        assert stands.sum() > LAST // 3
        ways = np.linalg.norm(np.diff(heads[:, toe], axis=0), axis=1)
        assert ways[stands].max() < STILL * length
        # The test would say nothing of ankles that stand as well.
        assert np.ptp(heads[1:, ankle, 2][stands]) > 0.1 * length
