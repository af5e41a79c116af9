# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The made walk on stairs beside measured people, on the bones and meshes that the scene shows.

Stairs are those of M. Protopapadaki and others, Clin Biomech 22, 2007: 33 young adults on treads of 18
by 28.5 cm, whose peaks are up 65 (deviation 7) degrees at the hip and 94 (7) at the knee, down 40 (8)
and 91 (7). Feet stand 60 to 66 % of a stride (B. J. McFadyen and another, J Biomech 21, 1988); the ball
of the foot meets a lower tread first; trunks lean ahead by 10 to 15 degrees up and by 0 to 5 down. On
long stairs people take 84 to 105 steps a minute (docs/method/sources.md, Stairs).
"""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import bake_set_up
from semi_procedural_locomotion.api.cycles import CycleChoice, make_cycles
from semi_procedural_locomotion.core.gaits.fitting import GaitStyle
from semi_procedural_locomotion.demo.characters import CHARACTER_SHAPES, create_character
from tests.gait_meters import WALKER
from tests.meters import mesh_heights
from tests.scenes import add_mesh, select_only
from tests.stair_meters import see_climbs

pytestmark = pytest.mark.newest

RATE = 50
# Metres of the stairs; treads of a flight; seconds.
RISE, TREAD, COUNT, START, LANDING, SECONDS = 0.18, 0.285, 6, 1.6, 1.5, 14


def make_profile():
    """Corners (x ahead, z) of stairs up, a landing and stairs down."""
    corners, way, height = [(-3.0, 0.0)], START, 0.0
    for turn in (1.0, -1.0):
        for tread in range(COUNT):
            corners += [(way, height), (way, height + turn * RISE)]
            height += turn * RISE
            way += LANDING if turn > 0.0 and tread == COUNT - 1 else TREAD
    return np.array([*corners, (40.0, 0.0)])


def see_stairs():
    """The demo's person as it walks up and down them at its own choice of speed."""
    bpy.context.scene.render.fps = RATE
    armature = create_character(CHARACTER_SHAPES["biped"](), bpy.context.scene.collection)
    select_only(armature)
    make_cycles(armature, [CycleChoice("walk", GaitStyle(speed=1.2)), CycleChoice("rest")])
    profile = make_profile()
    vertices = [(side, -x, z) for x, z in profile for side in (-2.0, 2.0)]
    faces = [(2 * n, 2 * n + 1, 2 * n + 3, 2 * n + 2) for n in range(len(profile) - 1)]
    ground = add_mesh("Ground", vertices, faces)
    last = SECONDS * RATE
    bake_set_up(armature, bpy.context.scene, (1, last))
    up, top = START, START + (COUNT - 1) * TREAD
    down = top + LANDING
    stretches = {
        "level": (-0.5, 0.5 * START),
        "up": (up - 0.5 * TREAD, top + 0.5 * TREAD),
        "down": (down - 0.5 * TREAD, down + (COUNT - 0.5) * TREAD),
    }
    heights = mesh_heights(ground)
    return see_climbs(armature, WALKER, range(1, last + 1), heights, stretches)


def test_people_take_stairs_about_as_measured():
    """Hips that climb and knees that descend bend further (docs/method/gaits.md, Stairs)."""
    seen = see_stairs()
    up, down = seen["up"], seen["down"]
    assert len(up.duties) >= 2
    assert len(down.duties) >= 3
    for seen_way in (up, down):
        # One tread a step.
        np.testing.assert_allclose(seen_way.rises, 2.0 * RISE, atol=0.01)
        assert 84.0 < np.mean(120.0 / seen_way.periods) < 105.0
    peaks = {name: seen[name].curves["knee"].max(axis=1).mean() for name in ("up", "down")}
    # Feet change least: up they swing lower than those of people do.
    assert abs(peaks["up"] - 94.0) < 2.8 * 7.0
    assert 75.0 < peaks["down"] < 112.0
    hips = down.curves["hip"].max(axis=1)
    assert np.all(np.abs(hips - 40.0) < 2.0 * 8.0)
    # On the level heels come first; up feet strike flat, down toes point and the heel follows.
    assert np.all(down.curves["pitch"][:, 0] < -3.0)
    assert np.all(np.abs(down.curves["pitch"][:, 15]) < 5.0)
    assert np.all(np.abs(up.curves["pitch"][:, 0]) < 3.0)
    assert 8.0 < up.lean < 15.0
    assert -5.0 < down.lean < 5.0
    assert np.all(np.abs(up.duties - 0.63) < 0.07)
    assert abs(up.duties.mean() - 0.63) < 0.03
    assert up.clearance > 0.008
    assert down.clearance > 0.004
