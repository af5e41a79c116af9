# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole clips to motions: truth, refusals, rest motions, reversal, common skate."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.analysis import (
    AnalysisOptions,
    analyze_clip,
    rest_motion_from_clip,
)
from semi_procedural_locomotion.core.motions.changes import (
    MEASURED_SPEED,
    reverse_motion,
    set_speed,
)
from semi_procedural_locomotion.core.rig.footpoints import compute_sole_points
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from semi_procedural_locomotion.errors import AnalysisError
from semi_procedural_locomotion.notes import NoteKind
from tests.core.synthetic import Recipe, find_leg_place
from tests.core.synthetic_clips import cut_clip, make_clip, pad_clip

WALK = Recipe()
FORCE = AnalysisOptions(force=True)


def analyze(recipe, travelling=False, options=None):
    clip, rig, feet = make_clip(recipe, travelling)
    return analyze_clip(clip, rig, options), rig, feet


def kinds_of(motion):
    return [note.kind for note in motion.notes]


def phase_gap(a, b):
    return abs((a - b + 0.5) % 1.0 - 0.5)


@pytest.mark.parametrize("travelling", [False, True])
@pytest.mark.parametrize(
    "recipe",
    [
        WALK,
        Recipe(duty=0.35, speed=3.0, period=0.7, lift=0.2),
        Recipe(gait="trot", duty=0.5),
        Recipe(turn_rate=0.9),
        Recipe(heading=np.pi / 2, speed=0.8),
        Recipe(heading=np.pi),
        Recipe(ground=0.12, scale=100.0),
    ],
)
def test_motion_equals_its_truth(recipe, travelling):
    motion, rig, feet = analyze(recipe, travelling)
    scale = recipe.scale
    assert motion.kind == "cycle"
    assert motion.period == pytest.approx(recipe.period)
    np.testing.assert_allclose(motion.velocity, feet.velocity, atol=0.006 * recipe.speed * scale)
    assert motion.turn_rate == pytest.approx(recipe.turn_rate, abs=0.01)
    assert motion.ground_height == pytest.approx(recipe.ground * scale, abs=0.004 * scale)
    for index, (leg, true) in enumerate(zip(motion.legs, feet.truth, strict=True)):
        assert phase_gap(leg.stance + leg.off, true.off) < 0.015
        assert phase_gap(leg.stance + leg.strike, true.strike) < 0.015
        assert leg.stride == pytest.approx(recipe.speed * recipe.period * scale, rel=0.35)
        np.testing.assert_allclose(leg.foot_direction, (0, 1, 0), atol=0.06)
        # The footbase is the heel end of the sole; at stance it lies under the foot's own place,
        # but for the time between the middle of the contact and the stance.
        place = find_leg_place(recipe, index) - (0.0, 0.5 * recipe.foot_length)
        np.testing.assert_allclose(leg.stance_position[:2], place * scale, atol=0.03 * scale)
        assert leg.stance_position[2] == leg.ground_height
        assert leg.steps
        assert leg.skate < 0.03
        times = (leg.lift, leg.off, leg.post_lift, leg.pre_land, leg.strike, leg.land)
        assert all(0.0 <= time <= 1.0 for time in times)
        assert leg.off <= leg.post_lift <= leg.land
        assert leg.lift <= leg.pre_land <= leg.strike
    assert motion.quality["ripple"] < 0.004 * rig.leg_length


def measure_planted_slide(motion, rig, leg_index):
    """Largest distance of planted footbases from their anchor, metres."""
    leg = motion.legs[leg_index]
    rows = len(motion.rotations)
    since = (np.arange(rows) / rows - leg.stance - leg.strike) % 1.0
    planted = since <= leg.off + 1.0 - leg.strike
    times = (since - (1.0 - leg.strike)) * motion.period
    world = leg.footbases[:, :2] + motion.ripple + times[:, None] * motion.velocity
    return np.max(np.linalg.norm(world[planted] - leg.stance_position[:2], axis=1))


def test_planted_footbases_stay_put():
    for recipe in (WALK, Recipe(gait="trot", duty=0.55), Recipe(duty=0.35, speed=3.0, period=0.7)):
        motion, rig, _ = analyze(recipe)
        for leg in range(len(motion.legs)):
            assert measure_planted_slide(motion, rig, leg) < 0.02 * rig.leg_length


def test_footbases_belong_to_the_tables():
    motion, rig, _ = analyze(WALK)
    turns, positions = compute_global_poses(rig.skeleton, motion.rotations, motion.translations)
    for leg, cycle in zip(rig.legs, motion.legs, strict=True):
        heel = compute_sole_points(leg, turns, positions)[:, 0]
        row = round(cycle.stance * len(turns)) % len(turns)
        np.testing.assert_allclose(cycle.footbases[row, :2], heel[row, :2], atol=1e-3)


def add_shift(clip, shift):
    translations = clip.translations.copy()
    translations[:, 0, :2] += shift
    return replace(clip, translations=translations)


def test_a_small_common_skate_is_given_to_the_body():
    recipe = Recipe(duty=0.62, keys=60)
    clip, rig, _ = make_clip(recipe)
    phases = clip.times / recipe.period
    shift = np.stack(
        [0.005 * np.sin(2 * np.pi * phases), 0.01 * np.sin(4 * np.pi * phases)], axis=1
    )
    skating = add_shift(clip, shift)
    cured = analyze_clip(skating, rig)
    kept = analyze_clip(skating, rig, AnalysisOptions(remove_ripple=False))
    for leg in range(2):
        assert measure_planted_slide(cured, rig, leg) < 0.4 * measure_planted_slide(kept, rig, leg)
        assert cured.legs[leg].skate < 0.4 * kept.legs[leg].skate
    assert cured.quality["ripple"] == pytest.approx(0.01, rel=0.35)
    assert kept.quality["ripple"] == 0.0
    np.testing.assert_array_equal(cured.translations, kept.translations)
    expected = -np.stack([np.interp(np.arange(60) / 60, phases, c) for c in shift.T], axis=1)
    rows = len(cured.ripple) // 60
    assert np.corrcoef(cured.ripple[:, 1], np.repeat(expected[:, 1], rows))[0, 1] > 0.9
    assert NoteKind.FEET_SURGE not in kinds_of(cured)


def test_no_body_lurches_for_feet_that_slide_together():
    recipe = Recipe(duty=0.62, keys=60)
    clip, rig, _ = make_clip(recipe)
    shift = 0.05 * np.sin(4 * np.pi * clip.times / recipe.period)[:, None] * np.array([0.0, 1.0])
    motion = analyze_clip(add_shift(clip, shift), rig, FORCE)
    period, rows = motion.period, len(motion.ripple)
    speeds = np.linalg.norm(np.roll(motion.ripple, -1, axis=0) - motion.ripple, axis=1)
    assert 0.02 < speeds.max() * rows / period / motion.speed < 0.1
    (note,) = (note for note in motion.notes if note.kind is NoteKind.FEET_SURGE)
    assert 0.35 < note.values["share"] < 0.65
    assert note.values["taken"] == pytest.approx(0.09, abs=0.005)


def test_hips_without_a_jerk_of_their_own_get_none():
    recipe = Recipe(duty=0.62, keys=60)
    clip, rig, _ = make_clip(recipe)
    phases = clip.times / recipe.period
    skating = add_shift(clip, 0.01 * np.sin(4 * np.pi * phases)[:, None] * np.array([0.0, 1.0]))
    # The body keeps still and the feet slide under it, as in clips of beasts with a stiff trunk.
    body = skating.translations[:, 0]
    stiff = replace(skating, translations=skating.translations.copy())
    stiff.translations[:, 0] = body.mean(axis=0)
    assert analyze_clip(skating, rig).quality["ripple"] > 0.005
    assert analyze_clip(stiff, rig, FORCE).quality["ripple"] < 1e-4


def test_ripple_is_capped():
    clip, rig, _ = make_clip(Recipe(duty=0.62, keys=60))
    phases = clip.times / clip.times[-1]
    shift = 0.3 * np.sin(2 * np.pi * phases)[:, None] * np.array([0.0, 1.0])
    motion = analyze_clip(add_shift(clip, shift), rig, FORCE)
    assert motion.quality["ripple"] <= 0.06 * rig.leg_length + 1e-9


def test_results_scale_with_the_character():
    small, _, _ = analyze(WALK)
    large, _, _ = analyze(replace(WALK, scale=300.0))
    np.testing.assert_allclose(large.velocity, 300 * small.velocity, rtol=1e-6, atol=1e-6)
    for a, b in zip(small.legs, large.legs, strict=True):
        assert b.stance == pytest.approx(a.stance, abs=1e-6)
        np.testing.assert_allclose(b.stance_position, 300 * a.stance_position, atol=1e-3)


def test_root_motion_is_the_native_speed():
    motion, _, _ = analyze(replace(WALK, skate=-0.08), travelling=True)
    np.testing.assert_allclose(motion.velocity, (0.0, 1.4), atol=1e-3)
    assert motion.quality["foot_speed"] == pytest.approx(1.4 * 0.92, rel=0.01)
    assert NoteKind.ROOT_AND_FEET_DIFFER in kinds_of(motion)
    assert motion.speed_range == (motion.speed, motion.speed)


def drift(clip, shift, yaw=0.0):
    """The clip while its root goes to a shift (2,) and turns by a yaw, evenly."""
    shares = clip.times / clip.times[-1]
    rotations, translations = clip.rotations.copy(), clip.translations.copy()
    turns = rot.quaternions_from_yaws(yaw * shares)
    rotations[:, 0] = rot.multiply(turns, clip.rotations[:, 0])
    translations[:, 0] = rot.rotate(turns, clip.translations[:, 0])
    translations[:, 0, :2] += shares[:, None] * np.asarray(shift)
    return replace(clip, rotations=rotations, translations=translations)


@pytest.mark.parametrize("recipe", [WALK, Recipe(gait="trot", duty=0.5, scale=100.0)])
@pytest.mark.parametrize(
    ("shift", "yaw"),
    [
        ((0.0, 0.08), 0.0),
        ((0.2, 0.0), 0.0),
        ((0.0, -0.25), 0.0),
        ((0.1, 0.1), 0.35),
        ((0, 0), -0.3),
    ],
)
def test_a_root_that_drifts_does_not_travel(recipe, shift, yaw):
    clip, rig, _ = make_clip(recipe)
    motion = analyze_clip(drift(clip, recipe.scale * np.array(shift), yaw), rig)
    np.testing.assert_allclose(motion.velocity, (0.0, 1.4 * recipe.scale), atol=0.05 * recipe.scale)
    assert abs(motion.turn_rate * motion.period) < 0.02
    assert NoteKind.ROOT_LAGS not in kinds_of(motion)


def test_a_root_at_half_the_speed_of_the_feet_is_told_and_not_followed():
    clip, rig, _ = make_clip(WALK)
    motion = analyze_clip(drift(clip, (0.0, 0.7)), rig)
    np.testing.assert_allclose(motion.velocity, (0.0, 1.4), atol=0.03)
    notes = {note.kind: note.values for note in motion.notes}
    assert notes[NoteKind.ROOT_LAGS]["root"] == pytest.approx(0.7, rel=0.02)
    assert notes[NoteKind.ROOT_LAGS]["feet"] == pytest.approx(1.4, rel=0.02)
    assert NoteKind.ROOT_AND_FEET_DIFFER not in notes
    slower = set_speed(motion, 0.7, np.array([0.0, 1.0]))
    assert NoteKind.ROOT_LAGS not in kinds_of(slower)


def test_a_speed_by_hand_keeps_direction_and_ends_the_doubt():
    motion, _, _ = analyze(replace(WALK, skate=-0.08), travelling=True)
    assert NoteKind.ROOT_AND_FEET_DIFFER in kinds_of(motion)
    slower = set_speed(motion, 0.7, np.array([1.0, 0.0]))
    np.testing.assert_allclose(slower.velocity, 0.5 * motion.velocity, atol=1e-3)
    assert slower.speed_range == (slower.speed, slower.speed)
    assert slower.quality[MEASURED_SPEED] == motion.speed
    assert NoteKind.ROOT_AND_FEET_DIFFER not in kinds_of(slower)
    on_the_spot = replace(motion, velocity=np.zeros(2))
    ahead = set_speed(on_the_spot, 0.7, np.array([1.0, 0.0]))
    np.testing.assert_allclose(ahead.velocity, (0.7, 0.0))
    with pytest.raises(ValueError, match="above 0"):
        set_speed(motion, 0.0, np.array([1.0, 0.0]))


def test_doubts_are_noted_with_their_numbers():
    motion, _, _ = analyze(replace(WALK, keys=10))
    (few,) = [note for note in motion.notes if note.kind is NoteKind.FEW_KEYS]
    assert few.values["keys"] == pytest.approx(10)
    assert few.values["seconds"] == pytest.approx(0.5 * WALK.period / 10)
    motion, _, _ = analyze(replace(WALK, ground=0.2))
    (off,) = [note for note in motion.notes if note.kind is NoteKind.GROUND_OFF_REST]
    assert off.values["height"] == pytest.approx(0.2, abs=0.02)
    motion, _, _ = analyze(Recipe(limp=0.2))
    (uneven,) = [note for note in motion.notes if note.kind is NoteKind.LEGS_UNEVEN]
    assert {uneven.leg, uneven.values["partner"]} == {"L 0", "R 0"}
    assert analyze(WALK)[0].notes == ()


@pytest.mark.parametrize("travelling", [False, True])
def test_cycles_at_a_wrong_frame_rate_are_told(travelling):
    slow = replace(WALK, period=4.0 * WALK.period, speed=WALK.speed / 4.0, keys=120)
    motion, _, _ = analyze(slow, travelling)
    (told,) = [note for note in motion.notes if note.kind is NoteKind.CLIP_SLOW]
    assert told.values["period"] == pytest.approx(4.0)
    assert told.values["frame_rate"] == 30.0
    # Small steps may be as slow as they like, and an elephant's are not yet slow.
    for other in (replace(slow, speed=0.1), replace(WALK, period=2.2, speed=WALK.speed / 2.2)):
        assert NoteKind.CLIP_SLOW not in kinds_of(analyze(other, travelling)[0])


# --- What is no cycle


def freeze_feet(clip, rig, leg):
    """The clip with one leg held as in its first sample."""
    rotations = clip.rotations.copy()
    for bone in rig.legs[leg].bones:
        rotations[:, bone] = rotations[0, bone]
    return replace(clip, rotations=rotations)


def lay_down(clip):
    rotations = clip.rotations.copy()
    rotations[:, 0] = rot.multiply(
        rot.quaternions_from_axis_angles(np.array([1.0, 0.0, 0.0]), np.pi / 2), rotations[:, 0]
    )
    return replace(clip, rotations=rotations)


def refuse_lying():
    clip, rig, _ = make_clip(WALK)
    return lay_down(pad_clip(cut_clip(clip, 0, 1), 5, 5)), rig, "nothing moves"


def refuse_gliding():
    clip, rig, _ = make_clip(Recipe(style="flat", lift=0.004))
    return clip, rig, "do not lift"


def refuse_one_shot():
    clip, rig, _ = make_clip(WALK)
    return cut_clip(clip, 0, 17), rig, "does not repeat"


def refuse_one_leg():
    clip, rig, _ = make_clip(WALK)
    return freeze_feet(clip, rig, 0), rig, "only 1 of 2 feet step"


def refuse_jump():
    clip, rig, _ = make_clip(Recipe(gait="jump", speed=0.3, duty=0.5, lift=0.3))
    return clip, rig, "all feet leave the ground together"


def refuse_hop():
    clip, rig, _ = make_clip(WALK)
    count = len(clip.times)
    rotations = np.repeat(clip.rotations[:1], count, axis=0)
    translations = np.repeat(clip.translations[:1], count, axis=0)
    # No sample of it is quite still.
    translations[:, 0, 2] += 0.4 * np.sin(np.linspace(0.1, np.pi + 0.1, count)) ** 2
    return replace(clip, rotations=rotations, translations=translations), rig, "0 of 2 feet step"


def refuse_marching():
    clip, rig, _ = make_clip(Recipe(style="flat", speed=0.05))
    return clip, rig, "does not travel"


@pytest.mark.parametrize(
    "make",
    [
        refuse_lying,
        refuse_gliding,
        refuse_one_shot,
        refuse_one_leg,
        refuse_jump,
        refuse_hop,
        refuse_marching,
    ],
)
def test_clips_that_are_no_cycle_are_refused_with_the_reason(make):
    clip, rig, reason = make()
    with pytest.raises(AnalysisError, match=reason) as caught:
        analyze_clip(clip, rig)
    assert "'Walk'" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("travelling", [False, True])
@pytest.mark.parametrize("lift", [0.012, 0.02])
def test_feet_that_take_turns_may_shuffle(lift, travelling):
    recipe = Recipe(style="flat", lift=lift)
    motion, _, _ = analyze(recipe, travelling)
    assert motion.kind == "cycle"
    assert motion.speed == pytest.approx(recipe.speed, rel=0.03)


def test_feet_that_slide_together_do_not_shuffle():
    clip, rig, _ = make_clip(Recipe(style="flat", gait="jump", lift=0.015))
    with pytest.raises(AnalysisError, match="do not lift"):
        analyze_clip(clip, rig)


@pytest.mark.parametrize("start", [0.0, 0.1, 0.3])
@pytest.mark.parametrize("travelling", [False, True])
@pytest.mark.parametrize(("samples", "is_half"), [(16, True), (9, False), (23, False)])
def test_half_a_cycle_is_told_as_such(samples, is_half, travelling, start):
    clip, rig, _ = make_clip(Recipe(start=start), travelling)
    with pytest.raises(AnalysisError) as caught:
        analyze_clip(cut_clip(clip, 0, samples), rig)
    assert ("its last pose mirrors its first" in caught.value.case) is is_half
    # One cure alone: half a cycle is not to be walked as if it were a whole one.
    assert ("Paste Pose Flipped" in caught.value.cure) is is_half
    assert ("set its Kind to Cycle" in caught.value.cure) is not is_half


@pytest.mark.parametrize("make", [refuse_gliding, refuse_one_leg, refuse_jump, refuse_marching])
def test_user_can_overrule_objections(make):
    clip, rig, _ = make()
    assert analyze_clip(clip, rig, FORCE).kind == "cycle"


def test_nothing_to_force_where_nothing_moves():
    clip, rig, _ = refuse_lying()
    with pytest.raises(AnalysisError, match="nothing moves"):
        analyze_clip(clip, rig, FORCE)


def test_options_and_bones_are_checked():
    clip, rig, _ = make_clip(WALK)
    with pytest.raises(ValueError, match="kind"):
        AnalysisOptions(kind="dance")
    with pytest.raises(ValueError, match="period"):
        AnalysisOptions(period=0.0)
    with pytest.raises(ValueError, match="bones"):
        analyze_clip(make_clip(Recipe(gait="trot"))[0], rig)
    assert clip.rotations.shape[1] == len(rig.skeleton)


# --- Rest motions


def make_idle():
    """A standing pose that breathes."""
    clip, rig, _ = make_clip(Recipe(style="flat", speed=1e-6, lift=1e-6))
    return clip, rig


def test_standing_clips_become_rest_motions():
    clip, rig = make_idle()
    motion = analyze_clip(clip, rig)
    assert (motion.kind, motion.period, motion.speed, motion.stride) == ("rest", 0.0, 0.0, 0.0)
    assert motion.rotations.shape[0] == 1
    for index, leg in enumerate(motion.legs):
        place = find_leg_place(WALK, index) - (0.0, 0.5 * WALK.foot_length)
        np.testing.assert_allclose(leg.stance_position, (*place, 0.0), atol=1e-6)
        np.testing.assert_allclose(leg.foot_direction, (0, 1, 0), atol=1e-9)
        assert leg.footbases.shape == (1, 3)
        assert not leg.steps
    held = pad_clip(cut_clip(clip, 0, 1), 3, 3)
    assert analyze_clip(held, rig).kind == "rest"
    assert analyze_clip(cut_clip(clip, 0, 1), rig).kind == "rest"


def test_user_can_take_any_clip_as_rest_motion():
    clip, rig, _ = make_clip(WALK)
    assert analyze_clip(clip, rig, AnalysisOptions(kind="rest")).kind == "rest"
    idle, _ = make_idle()
    with pytest.raises(AnalysisError):
        analyze_clip(idle, rig, AnalysisOptions(kind="cycle"))


def test_rest_motion_away_from_the_origin_is_brought_back():
    clip, rig = make_idle()
    away = rest_motion_from_clip(add_shift(clip, np.array([5.0, -3.0])), rig)
    home = rest_motion_from_clip(clip, rig)
    np.testing.assert_allclose(
        away.legs[0].stance_position, home.legs[0].stance_position, atol=1e-6
    )


# --- Reversal


def test_reversing_twice_gives_the_motion_back():
    motion, _, _ = analyze(Recipe(gait="gallop", duty=0.4))
    again = reverse_motion(reverse_motion(motion))
    assert again.name == motion.name
    assert again.reversed is False
    np.testing.assert_array_equal(again.rotations, motion.rotations)
    for a, b in zip(motion.legs, again.legs, strict=True):
        for name in ("stance", "lift", "off", "post_lift", "pre_land", "strike", "land"):
            assert getattr(b, name) == pytest.approx(getattr(a, name), abs=1e-12)


def test_reversed_motion_equals_the_analysis_of_the_reversed_clip():
    clip, rig, _ = make_clip(Recipe(duty=0.4, speed=2.0))
    backwards = replace(
        clip,
        rotations=clip.rotations[::-1],
        translations=clip.translations[::-1],
        scales=clip.scales[::-1],
    )
    expected, found = analyze_clip(backwards, rig), reverse_motion(analyze_clip(clip, rig))
    assert found.reversed
    assert found.name.endswith("(reversed)")
    np.testing.assert_allclose(found.velocity, expected.velocity, atol=1e-6)
    np.testing.assert_allclose(found.translations, expected.translations, atol=1e-6)
    for a, b in zip(expected.legs, found.legs, strict=True):
        assert phase_gap(b.stance, a.stance) < 1e-6
        for name in ("lift", "off", "post_lift", "pre_land", "strike", "land"):
            assert getattr(b, name) == pytest.approx(getattr(a, name), abs=1e-6)
        np.testing.assert_allclose(b.footbases, a.footbases, atol=1e-6)
        np.testing.assert_allclose(b.stance_position, a.stance_position, atol=1e-6)


def test_rest_motions_cannot_be_reversed():
    clip, rig = make_idle()
    with pytest.raises(ValueError, match="rest"):
        reverse_motion(analyze_clip(clip, rig))
