# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Made gaits beside people who were measured, on the bones that the scene shows.

Bands are what a normal person's spread allows. Those of time and distance, in adults: C. A. Fukuchi and
others, PeerJ 6:e4640, 2018 (stance, step length and cadence by speed); M. S. Orendurff and others,
J Rehabil Res Dev 41, 2004 (rise and sway of the body); S. A. Moosabhoy and another, Gait Posture 24, 2006
(clearance); C. J. Lamoth and others, Gait Posture 16, 2002 (pelvis against chest); R. K. Fukuchi and
others, PeerJ 5:e3298, 2017 (runs). Curves: benchmarks/measured.py.
"""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from benchmarks.measured import read_run, read_walk
from semi_procedural_locomotion.api import bake_set_up
from semi_procedural_locomotion.api.cycles import CycleChoice, make_cycles
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.core.gaits.fitting import GaitStyle
from semi_procedural_locomotion.demo.characters import CHARACTER_SHAPES, create_character
from tests.gait_meters import WALKER, SeenGait, see_gait
from tests.scenes import select_only

pytestmark = pytest.mark.newest

# Frames a second, for contacts to a hundredth of a cycle, and the height of the person's hips, metres.
RATE, HIPS = 100, 0.9


def make(gait, speed):
    """The demo's person, and its made cycle and stance."""
    bpy.context.scene.render.fps = RATE
    armature = create_character(CHARACTER_SHAPES["biped"](), bpy.context.scene.collection)
    select_only(armature)
    choices = [CycleChoice(gait, GaitStyle(speed=speed)), CycleChoice("rest")]
    return armature, make_cycles(armature, choices)


def see_made(gait, speed) -> SeenGait:
    """A made cycle as the scene plays it, again and again."""
    armature, made = make(gait, speed)
    action, motion = made.actions[0], made.findings[0].motion
    assert np.hypot(*motion.velocity) == pytest.approx(speed, rel=0.005)
    slot = versions.find_slot(action, armature)
    versions.assign_action(armature, action, slot)
    for curve in versions.get_curves(action, slot):
        curve.modifiers.new("CYCLES")
    return see_gait(armature, WALKER, range(1, 2 + int(2.7 * motion.period * RATE)), speed)


def see_baked(gait, speed) -> SeenGait:
    """The same walk baked on level ground."""
    armature, made = make(gait, speed)
    period = made.findings[0].motion.period
    count = int(3.7 * period * RATE)
    bake_set_up(armature, bpy.context.scene, (1, count))
    return see_gait(armature, WALKER, range(1 + int(period * RATE), count + 1))


def measure_shape(seen, wanted):
    """Deviation of a curve from another, and their distance in the mean."""
    away = seen - wanted
    return float(np.std(away)), float(abs(np.mean(away)))


@pytest.mark.parametrize(
    ("see", "speed", "band"),
    [
        (see_made, 0.7, "slow"),
        (see_made, 1.3, "free"),
        (see_made, 1.7, "fast"),
        (see_baked, 1.3, "free"),
    ],
    ids=["made-0.7", "made-1.3", "made-1.7", "baked-1.3"],
)
def test_people_walk_as_measured(see, speed, band):
    seen, people = see("walk", speed), read_walk(band)
    curves, knee = seen.curves, seen.curves["knee"]
    for name, shape, offset in (("thigh", 5.0, 8.0), ("knee", 5.0, 5.0), ("ankle", 4.5, 4.0)):
        away, mean = measure_shape(curves[name], getattr(people, name))
        assert away < shape, name
        assert mean < offset, name
        inside = np.abs(curves[name] - getattr(people, name)) / people.deviations[name]
        assert np.mean(inside < 2.0) > 0.85, name
    assert knee[0] < 15.0
    assert knee.min() > 3.0
    assert 55.0 < knee.max() < 71.0
    assert 70 <= np.argmax(knee) <= 75
    # Two waves of the knee with a minimum between them: it gives as it takes the load.
    assert 30 <= 25 + np.argmin(knee[25:50]) <= 46
    assert (2.0 if speed < 1.0 else 8.0) < knee[8:19].max() - knee[0] < 21.0
    assert 20.0 < curves["thigh"].max() < 29.0
    assert -20.0 < curves["thigh"].min() < (-7.0 if speed < 1.0 else -12.5)
    assert 42 <= np.argmin(curves["thigh"]) <= 56
    assert 60 <= 50 + np.argmin(curves["ankle"][50:75]) <= (70 if speed < 1.0 else 68)
    pitch = curves["pitch"]
    assert 10.0 < pitch[0] < 28.0
    assert 8 <= np.argmax(pitch < 2.0) <= 15
    assert -75.0 < pitch[round(100.0 * seen.duty)] < -48.0

    assert seen.duty == pytest.approx(0.603 - 0.05 * (speed - 1.24), abs=0.025)
    assert seen.phase == pytest.approx(0.5, abs=0.015)
    size = speed / np.sqrt(9.81 * HIPS)
    assert 0.5 * seen.stride / HIPS == pytest.approx(1.12 * size**0.51, rel=0.1)
    assert 120.0 / seen.period == pytest.approx(107.0 * speed**0.48, rel=0.08)
    # People rise and fall by 35 to 55 mm, which their knees, on these feet, do not give.
    assert 0.025 - 0.011 * (speed < 1.0) < np.ptp(curves["height"]) < 0.055
    assert np.argmin(curves["height"][:50]) <= 8
    assert 25 <= np.argmax(curves["height"][:50]) <= 35
    assert 0.03 < seen.lateral < 0.06
    assert 0.06 < seen.width < 0.14
    assert 0.009 < seen.clearance < 0.03
    assert 4.5 < np.ptp(curves["pelvis_roll"]) < 13.0
    assert 6.0 < np.ptp(curves["pelvis_yaw"]) < 14.0
    assert np.corrcoef(curves["pelvis_yaw"], curves["chest_yaw"])[0, 1] < -0.3
    assert 25.0 < np.ptp(curves["arm"]) < 55.0
    assert 45 <= np.argmax(curves["arm"]) <= 53
    assert 15.0 < curves["elbow"].min() < 40.0


@pytest.mark.parametrize(("speed", "duty", "swing"), [(2.5, 0.385, 90.0), (3.5, 0.337, 105.0)])
def test_people_run_as_measured(speed, duty, swing):
    seen, people = see_made("run", speed), read_run(speed)
    knee = seen.curves["knee"]
    assert measure_shape(knee, people.knee)[0] < 7.0
    assert measure_shape(seen.curves["thigh"], people.thigh)[0] < 6.0
    assert 38.0 < knee[:30].max() < 48.0
    assert knee.max() == pytest.approx(swing, abs=8.0)
    assert knee.min() > 7.0
    assert seen.duty == pytest.approx(duty, abs=0.05)
    assert 0.075 < seen.flight < 0.125
    assert 0.07 < np.ptp(seen.curves["height"]) < 0.1
    # Lowest over the standing foot and highest in flight, unlike in a walk.
    assert 10 <= np.argmin(seen.curves["height"][:50]) <= 20
    assert 30 <= np.argmax(seen.curves["height"][:50]) <= 48


def test_people_stand_on_straight_legs():
    armature, made = make("walk", 1.3)
    slot = versions.find_slot(made.actions[1], armature)
    versions.assign_action(armature, made.actions[1], slot)
    bpy.context.scene.frame_set(1)
    hip, knee, ankle = (
        np.array(armature.pose.bones[name].head) for name in ("thigh.L", "shin.L", "foot.L")
    )
    thigh, shin = knee - hip, ankle - knee
    bend = np.arccos(thigh @ shin / np.linalg.norm(thigh) / np.linalg.norm(shin))
    assert 0.0 <= np.degrees(bend) < 5.0
