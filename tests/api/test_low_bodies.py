# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A lizard of boxes over stairs: its belly stays out of the treads, seen in the evaluated mesh."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.api.setups import bake_set_up, set_up
from tests.api.test_odd_legs import build_body
from tests.core.legged_bodies import BodyMaker, LegPath, walk
from tests.meters import mesh_heights, see_feet

pytestmark = [pytest.mark.newest, pytest.mark.usefixtures("empty_scene")]

TRUNK = ("pelvis", "spine")


def make_lizard():
    """A lizard facing -Y: a belly at 0.1 between hips at 0.3, from which legs spread to the sides."""
    maker, legs = BodyMaker(), []
    maker.bone("root", None, (0, 0, 0), deform=False)
    maker.bone("pelvis", "root", (0, 0.5, 0.3))
    maker.bone("spine", "pelvis", (0, 0, 0.3))
    maker.box("pelvis", (-0.1, 0.0, 0.1), (0.1, 0.6, 0.4), steps=6)
    maker.box("spine", (-0.1, -0.6, 0.1), (0.1, 0.0, 0.4), steps=6)
    for side, sign in ((".L", 1), (".R", -1)):
        for end, y, parent in (("fore", -0.5, "spine"), ("hind", 0.5, "pelvis")):
            upper = maker.bone(f"{end}_upper{side}", parent, (0.1 * sign, y, 0.3))
            lower = maker.bone(f"{end}_lower{side}", upper, (0.35 * sign, y, 0.32))
            paw = maker.bone(f"{end}_paw{side}", lower, (0.35 * sign, y, 0.04))
            phase = 0.5 * ((side == ".R") ^ (end == "hind"))
            legs.append(LegPath(upper, lower, paw, phase, bend=(sign, 0, 0.6)))
            maker.tube(upper, lower, 0.02)
            maker.tube(lower, paw, 0.02)
            x = sorted((0.31 * sign, 0.39 * sign))
            maker.box(paw, (x[0], y - 0.1, 0.0), (x[1], y + 0.04, 0.04), steps=3)
            maker.tails[paw] = maker.heads[paw] + np.array([0.0, -0.08, -0.03])
    return maker, legs


def add_stairs(length):
    """Six treads up and six down ahead of a lizard, a fifth of the leg high and half of it deep."""
    profile, place, height = [(-20.0, 0.0)], 4.0, 0.0
    for rise in (0.2, -0.2):
        for _ in range(6):
            profile += [(place, height), (place + 1e-4, height + rise)]
            place, height = place + 0.5, height + rise
        place += 2.0
    profile.append((60.0, height))
    points = [(20.0 * s * length, -x * length, z * length) for x, z in profile for s in (-1, 1)]
    faces = [(2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1) for i in range(len(profile) - 1)]
    mesh = bpy.data.meshes.new("Ground")
    mesh.from_pydata(points, [], faces)
    item = bpy.data.objects.new("Ground", mesh)
    bpy.context.scene.collection.objects.link(item)
    bpy.context.view_layer.update()
    return item


def test_a_lizard_keeps_its_belly_out_of_the_treads():
    maker, legs = make_lizard()
    armature, _ = build_body(maker, walk(maker, legs, stride=0.25, lift=0.08))
    scene = bpy.context.scene
    scene.frame_end = 520
    character, _ = set_up(armature)
    length = character.rig.leg_length
    item = add_stairs(length)
    result = bake_set_up(armature, scene)
    assert not any("too short" in text for text in result.warnings)
    (trunk,) = see_feet(armature, [TRUNK], range(1, scene.frame_end + 1), mesh_heights(item))
    # All of it has gone up and down.
    assert trunk.points[-1, :, 1].max() < -(4.0 + 12 * 0.5 + 2.0) * length
    assert trunk.lows.min() > -0.006 * length
