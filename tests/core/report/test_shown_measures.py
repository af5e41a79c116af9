# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults put into shown walks are found and measured, whatever the plan says."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import terrain_shapes
from benchmarks.mesh_grounds import MeshGround
from benchmarks.planned.metrics import measure_walk
from benchmarks.planned.recording import record_walk
from semi_procedural_locomotion.core.ground.terrain import FlatGround, MovingGround
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.report.body_depths import measure_body_depths, place_leg_skin
from semi_procedural_locomotion.core.report.shown import PosedBones, ShownWalk, list_shown_bones
from semi_procedural_locomotion.core.report.shown_measures import (
    FORMER,
    HEADLINES,
    SHOWN_KEYS,
    measure_shown,
)
from semi_procedural_locomotion.core.report.shown_recording import record_shown
from semi_procedural_locomotion.core.report.verdicts import judge_number
from semi_procedural_locomotion.core.report.walk_notes import note_shown
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from semi_procedural_locomotion.notes import NoteKind
from tests.core.grounds import GroundStack
from tests.core.walkers import make_walker, native_walk

FRAMES = 90


def show_walk(names=("walk",), legs=2, ground=None):
    """A planned walk straight ahead as a perfect scene shows it."""
    return show_motions(*make_walker(names, legs), ground=ground)


def show_motions(rig, motions, settings=None, ground=None, pace=1.0):
    """A planned walk of these motions straight ahead as a perfect scene shows it."""
    walk = native_walk(motions)
    travel = make_straight_travel(np.zeros(3), 0.0, pace * walk.velocity, 0.0, FRAMES / 30)
    plan = make_plan(rig, motions, travel, ground or FlatGround(), settings)
    solved = solve_poses(plan, np.arange(FRAMES) / 30)
    names = plan.tables.small_rig.skeleton.names
    bones = PosedBones.from_poses(names, solved.rotations, solved.positions)
    return plan, record_shown(plan, solved, np.arange(FRAMES) + 1, bones)


def measure(plan, shown):
    return measure_shown(plan.tables.rig, shown, plan.ground)


def move_bones(shown, shift, select=lambda name: True):
    """What is shown with some bones moved by (3,) or (N, 3)."""
    chosen = np.array([select(name) for name in shown.bones.names])
    shift = np.broadcast_to(shift, (len(shown.times), 3))
    positions = shown.bones.positions + shift[:, None] * chosen[:, None]
    return replace(shown, bones=replace(shown.bones, positions=positions))


@pytest.mark.parametrize(
    ("names", "legs"),
    [(("walk",), 2), (("run",), 2), (("walk",), 4), (("trot",), 4), (("walk",), 6)],
)
def test_a_walk_that_is_shown_as_planned_is_good(names, legs):
    report = measure(*show_walk(names, legs))
    # Six legs carry their body without any bob, so that there is no jerk to compare with.
    still = {"shown_hip_jerk_ratio"} if legs == 6 else set()
    assert set(report.unknown) == still
    numbers, keys = report.list_numbers(), (*HEADLINES, *SHOWN_KEYS)
    assert set(numbers) == {*keys, *FORMER}
    verdicts = {key: judge_number(key, numbers[key]) for key in keys}
    assert verdicts == {key: None if key in still else "good" for key in keys}
    assert report.worst_miss == 0.0


def test_feet_that_stand_in_the_air_float():
    plan, shown = show_walk()
    length = plan.tables.rig.leg_length
    report = measure(plan, move_bones(shown, [0.0, 0.0, 0.4 * length]))
    assert report.shown_float_p99 == pytest.approx(0.4, abs=0.02)
    assert report.shown_airborne_share == 0.0
    assert report.worst_miss > 1.0


def test_feet_that_stand_in_the_ground_sink():
    plan, shown = show_walk()
    length = plan.tables.rig.leg_length
    report = measure(plan, move_bones(shown, [0.0, 0.0, -0.17 * length]))
    assert report.shown_sink_worst == pytest.approx(0.17, abs=0.02)
    assert judge_number("shown_sink_worst", report.shown_sink_worst) == "bad"


def test_feet_that_creep_slip_by_as_much_as_they_creep():
    plan, shown = show_walk()
    report = measure(plan, move_bones(shown, np.arange(FRAMES)[:, None] * [0.003, 0.0, 0.0]))
    # A flat foot stands for half a second, the first and last frame of which do not count.
    assert 0.02 < report.shown_slip_worst * plan.tables.rig.leg_length < 0.06
    assert report.shown_off_travel_worst > 0.2


def test_a_character_that_is_drawn_along_without_steps_has_no_foot_on_the_ground():
    plan, shown = show_walk()
    still = np.repeat(shown.bones.positions[:1], FRAMES, axis=0)
    positions = still + (shown.travel - shown.travel[0])[:, None]
    axes = np.repeat(shown.bones.axes[:1], FRAMES, axis=0)
    report = measure(plan, replace(shown, bones=PosedBones(shown.bones.names, axes, positions)))
    assert report.shown_airborne_share == 1.0


def test_runs_may_fly():
    plan, shown = show_walk(("run",))
    assert shown.has_flight.any()
    report = measure(plan, replace(shown, has_flight=None))
    assert report.shown_airborne_share > 0.1


def test_a_foot_that_jumps_in_one_frame_is_found_with_its_frame():
    plan, shown = show_walk()
    length = plan.tables.rig.leg_length
    shift = np.zeros((FRAMES, 3))
    shift[40:] = [0.0, 0.0, 0.5 * length]
    below = {
        plan.tables.rig.skeleton.names[bone]
        for bone in plan.tables.rig.skeleton.find_descendants(plan.tables.rig.legs[1].ankle)
    }
    report = measure(plan, move_bones(shown, shift, below.__contains__))
    assert judge_number("shown_foot_way_ratio", report.shown_foot_way_ratio) == "bad"
    place = report.worst["shown_foot_way_ratio"]
    assert (place.frame, place.leg) == (41, plan.tables.rig.legs[1].name)


def test_hips_that_rock_along_and_beside_the_travel_are_measured():
    plan, shown = show_walk()
    rate = 2.0 * np.pi * 2.0
    times, speed = shown.times, native_walk(plan.tables.motion_set).speed
    swing = 0.3 * speed / rate * np.sin(rate * times)[:, None]
    ahead = np.array([*plan.tables.rig.forward, 0.0])
    beside = np.array([-ahead[1], ahead[0], 0.0])
    for direction, key, other in (
        (ahead, "shown_hip_surge", "shown_hip_sway"),
        (beside, "shown_hip_sway", "shown_hip_surge"),
    ):
        report = measure(plan, move_bones(shown, swing * direction))
        assert 0.15 < getattr(report, key) < 0.31
        assert getattr(report, other) < 0.01
        assert report.shown_hip_jerk_ratio > 1.3


def give_ripple(motions, share):
    """The motions, their walk with hips that speed up and slow down by a share of its speed."""
    walk = native_walk(motions)
    rows = len(walk.rotations)
    swing = share * walk.speed * walk.period / (4 * np.pi)
    along = swing * np.sin(4 * np.pi * np.arange(rows) / rows)[:, None] * walk.velocity / walk.speed
    return replace(motions, motions=(replace(walk, ripple=along),))


@pytest.mark.parametrize("pace", [0.3, 1.0])
def test_hips_surge_by_the_same_share_of_a_slower_travel(pace):
    rig, motions = make_walker(rest=False)
    report = measure(*show_motions(rig, give_ripple(motions, 0.09), pace=pace))
    assert 0.06 < report.shown_hip_surge < 0.1


def test_what_is_prepared_into_the_hips_is_measured_against_the_clip():
    rig, motions = make_walker(rest=False)
    walk = native_walk(motions)
    swing = 0.3 * walk.speed * walk.period / (4 * np.pi)
    lurching = give_ripple(motions, 0.3)
    plan, shown = show_motions(rig, lurching)
    report = measure(plan, shown)
    assert report.shown_hip_surge == pytest.approx(0.3, abs=0.05)
    assert report.shown_hip_jerk_ratio > 1.25
    whole = measure_walk(
        plan.tables.small_rig, record_walk(plan, solve_poses(plan, shown.times)), plan.ground
    )
    assert whole.fidelity_rms > 0.3 * swing / rig.leg_length
    # The clip is the source, and all that is shown where feet are not corrected.
    _, own = show_motions(rig, motions)
    loose, placed = show_motions(rig, lurching, PlanSettings(lock_feet=False))
    np.testing.assert_array_equal(shown.source.positions, own.source.positions)
    np.testing.assert_allclose(placed.bones.positions, own.source.positions, atol=1e-12)
    assert measure(loose, placed).shown_hip_surge < 1e-6


def test_sunk_thighs_are_told_though_the_feet_stand_well():
    plan, shown = show_walk()
    legs = plan.tables.rig.legs
    knee = plan.tables.rig.skeleton.names[legs[0].joints[1]]
    down = np.zeros((FRAMES, 3))
    down[:, 2] = -1.0 * plan.tables.rig.leg_length
    report = measure(plan, move_bones(shown, down, lambda name: name == knee))
    assert report.shown_body_depth_worst > 0.1
    assert report.worst["shown_body_depth_worst"].leg == legs[0].name
    assert report.shown_sink_worst < 0.006


def test_legs_are_as_thick_as_their_mesh_but_not_below_their_ankles():
    (leg, *_) = show_walk()[0].tables.rig.legs
    thick = replace(leg, joints=(0, 1, 2), girths=(0.1, 0.3))
    joints = np.array([[[0.0, 0.0, 1.0], [0.0, 0.0, 0.5], [0.3, 0.0, 0.1]]])
    points = place_leg_skin(thick, joints)[0].reshape(2, -1, 4, 3)
    # An upright thigh is wide, and hangs no lower for it.
    upper = points[0]
    np.testing.assert_allclose(np.ptp(upper[..., :2], axis=1), 0.2, atol=1e-9)
    np.testing.assert_allclose(np.ptp(upper[..., 2], axis=1), 0.0, atol=1e-9)
    # A shin that leans hangs below its bone, up to where its foot begins.
    lower = points[1]
    assert lower[0, :, 2].min() < 0.5 - 0.1
    assert points[..., 2].min() > 0.1 - 1e-9


@pytest.mark.parametrize(("back", "depth"), [(0.018, 0.02), (0.06, 0.07), (0.5, 0.3)])
def test_what_is_just_behind_an_edge_is_no_deeper_than_that(back, depth):
    plan, shown = show_walk()
    rig, length = plan.tables.rig, plan.tables.rig.leg_length
    knee = rig.legs[0].joints[1]
    name = rig.skeleton.names[knee]
    # A wall that ends so far beside the knee, above it by much more, and far from the other leg.
    place = shown.bones.place_joints(rig, [knee])[0, 0]
    top = place[2] + 0.3 * length
    away = place[:2] / np.hypot(*place[:2]) if np.hypot(*place[:2]) else np.array([1.0, 0.0])
    sheet = make_wall(place[:2] - back * length * away, away, top)
    still = replace(
        shown,
        frames=shown.frames[:1],
        times=shown.times[:1],
        travel=shown.travel[:1],
        bones=PosedBones(shown.bones.names, shown.bones.axes[:1], shown.bones.positions[:1]),
        source=None,
        has_flight=None,
    )
    assert name in still.bones.names
    legs = tuple(replace(leg, girths=()) for leg in rig.legs)
    found = measure_body_depths(replace(rig, legs=legs), still, GroundStack([sheet, FlatGround()]))
    assert found[0, 0] == pytest.approx(depth * length, abs=0.002 * length)


def make_wall(edge, ahead, top):
    """A block of some height whose face is at an edge, and which goes on ahead."""
    left = np.array([-ahead[1], ahead[0]])
    corners = [
        edge + 9.0 * along * ahead + 9.0 * aside * left for along in (0, 1) for aside in (-1, 1)
    ]
    points = np.array([[*corner, top] for corner in corners])
    return MeshGround(points, np.array([[0, 2, 1], [1, 2, 3]]))


def test_thick_thighs_and_low_bellies_are_in_the_ground_before_their_bones_are():
    plan, shown = show_walk()
    rig, length = plan.tables.rig, plan.tables.rig.leg_length
    assert measure(plan, shown).shown_body_depth_worst == 0.0
    hips = min(shown.bones.place_joints(rig, [leg.joints[0] for leg in rig.legs])[..., 2].ravel())
    low = replace(rig, belly=float(hips) + 0.1 * length)
    report = measure_shown(low, shown, plan.ground)
    assert report.shown_body_depth_worst == pytest.approx(0.1, abs=0.02)
    assert report.worst["shown_body_depth_worst"].leg == "body"
    # A shin that lies along the ground, as in a crouch.
    knee = rig.skeleton.names[rig.legs[0].joints[1]]
    lying = move_bones(shown, [0.6 * length, 0.0, -0.35 * length], lambda name: name == knee)
    assert measure(plan, lying).shown_body_depth_worst == 0.0
    wide = replace(rig.legs[0], girths=(0.0, 0.9 * length))
    report = measure_shown(replace(rig, legs=(wide, *rig.legs[1:])), lying, plan.ground)
    assert report.shown_body_depth_worst > 0.1
    assert report.worst["shown_body_depth_worst"].leg == rig.legs[0].name


@pytest.mark.parametrize("height", [1.46, 1.6])
def test_under_a_low_ceiling_the_floor_is_measured(height):
    corners = np.array([[x, y, 0.0] for y in (-20, 20) for x in (-20, 20)])
    plan, shown = show_walk()
    length = plan.tables.rig.leg_length
    sheet = MeshGround(
        corners + np.array([0, 0, height * length]), np.array([[0, 1, 3], [0, 3, 2]])
    )
    ground = GroundStack([sheet, FlatGround()])
    alone = measure(plan, shown)
    under = measure_shown(plan.tables.rig, shown, ground)
    assert under.shown_body_depth_worst == 0.0
    assert under.shown_sink_worst == pytest.approx(alone.shown_sink_worst)
    assert under.shown_float_p99 == pytest.approx(alone.shown_float_p99)


def test_feet_on_a_carriage_do_not_slip():
    plate = terrain_shapes.make_flat(1.0, 40.0)

    def move(times):
        places = np.zeros((len(times), 3))
        places[:, 0] = 2.0 * times
        return places, 0.0 * times

    ground = MovingGround(MeshGround(plate.vertices, plate.triangles), move)
    plan, shown = show_walk(ground=FlatGround())
    drift = 2.0 * shown.times[:, None] * [1.0, 0.0, 0.0]
    carried = replace(move_bones(shown, drift), travel=shown.travel + drift)
    on_carriage = measure_shown(plan.tables.rig, carried, ground)
    assert on_carriage.shown_slip_worst < 0.005
    assert on_carriage.shown_airborne_share == 0.0
    beside = measure_shown(plan.tables.rig, shown, ground)
    assert beside.shown_airborne_share > 0.3 or beside.shown_slip_worst > 0.1


@pytest.mark.parametrize("height", [-0.001, 0.0, 0.001])
def test_feet_on_a_belt_stand_though_half_of_their_sole_is_over_a_still_rail(height):
    def move(times):
        return times[:, None] * [0.0, 1.5, 0.0], 0.0 * times

    plan, shown = show_walk(ground=FlatGround())
    rig = plan.tables.rig
    drift = shown.times[:, None] * [0.0, 1.5, 0.0]
    carried = replace(move_bones(shown, drift), travel=shown.travel + drift)
    rails = []
    for leg in range(2):
        across = shown.bones.place_hull(rig, leg)[..., 0]
        outer = across.max() if across.max() > -across.min() else across.min()
        corners = np.array(
            [[x, y, height] for y in (-50.0, 50.0) for x in sorted((np.median(across), outer))]
        )
        rails.append(MeshGround(corners, np.array([[0, 1, 3], [0, 3, 2]])))
    ground = GroundStack([*rails, MovingGround(FlatGround(), move)])
    report = measure_shown(rig, carried, ground)
    assert report.shown_airborne_share == 0.0
    assert report.shown_slip_worst < 0.005
    # Between the two it slides over either.
    creeping = replace(move_bones(shown, 0.5 * drift), travel=shown.travel + 0.5 * drift)
    adrift = measure_shown(rig, creeping, ground)
    assert adrift.shown_airborne_share > 0.3 or adrift.shown_slip_worst > 0.1


def test_frames_that_do_not_follow_one_another_still_tell_depths():
    plan, shown = show_walk()
    rows = np.array([0, 7, 20, 33, 41])
    down = move_bones(shown, [0.0, 0.0, -0.1 * plan.tables.rig.leg_length])
    few = ShownWalk(
        frames=down.frames[rows],
        times=down.times[rows],
        bones=PosedBones(down.bones.names, down.bones.axes[rows], down.bones.positions[rows]),
        travel=down.travel[rows],
    )
    report = measure(plan, few)
    assert report.shown_sink_worst > 0.09
    assert "shown_foot_way_ratio" in report.unknown
    assert report.shown_foot_way_ratio is None


def test_the_needed_bones_are_those_of_legs_hulls_and_body():
    rig, _ = make_walker()
    names = list_shown_bones(rig)
    wanted = {rig.body, *(bone for leg in rig.legs for bone in leg.bones)}
    assert {rig.skeleton.names[bone] for bone in wanted} <= set(names)
    assert [rig.skeleton.find_index(name) for name in names] == sorted(
        rig.skeleton.find_index(name) for name in names
    )


def test_a_missing_bone_is_named():
    plan, shown = show_walk()
    fewer = PosedBones(shown.bones.names[1:], shown.bones.axes[:, 1:], shown.bones.positions[:, 1:])
    hip = plan.tables.rig.skeleton.names[plan.tables.rig.legs[0].joints[0]]
    rows = [i for i, name in enumerate(shown.bones.names) if name != hip]
    fewer = PosedBones(
        tuple(shown.bones.names[i] for i in rows),
        shown.bones.axes[:, rows],
        shown.bones.positions[:, rows],
    )
    with pytest.raises(ValueError, match=hip):
        measure(plan, replace(shown, bones=fewer))


@pytest.mark.parametrize(("down", "told"), [(0.004, []), (0.009, ["L", "R"])])
def test_depths_beyond_their_bar_are_told(down, told):
    plan, shown = show_walk()
    length = plan.tables.rig.leg_length
    report = measure(plan, move_bones(shown, [0.0, 0.0, -down * length]))
    notes = note_shown(report, ())
    assert {note.kind for note in notes} <= {NoteKind.FOOT_SINKS}
    assert sorted(str(note.leg) for note in notes) == told


def test_each_leg_is_told_with_its_own_share_the_worst_first():
    plan, shown = show_walk()
    rig, length = plan.tables.rig, plan.tables.rig.leg_length
    lowered = move_bones(shown, [0.0, 0.0, -0.02 * length])
    foot = rig.skeleton.names[rig.legs[1].joints[-1]]
    report = measure(plan, move_bones(lowered, [0.0, 0.0, -0.02 * length], lambda n: n == foot))
    first, second = [n for n in note_shown(report, ()) if n.kind is NoteKind.FOOT_SINKS]
    assert (first.leg, second.leg) == (rig.legs[1].name, rig.legs[0].name)
    assert first.values["share"] == report.shown_sink_worst
    assert second.values["share"] == pytest.approx(0.02, abs=0.005)
