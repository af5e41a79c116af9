# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One clean in-place cycle from recordings of known truth (docs/method/motions.md, One clean cycle)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.clip_keys import find_key_interval, make_uniform
from semi_procedural_locomotion.core.motions.clips import resample_clip
from semi_procedural_locomotion.core.motions.cycles import count_rows, extract_cycle
from semi_procedural_locomotion.core.motions.in_place import place_clip
from semi_procedural_locomotion.core.motions.periods import find_cycle, select_body_joints
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from tests.core.synthetic import Recipe, place_mean_body
from tests.core.synthetic_clips import cut_clip, make_clip, pad_clip

WALK = Recipe(period=1.1)
TAKE = replace(WALK, cycles=4.0)
TURN = replace(TAKE, turn_rate=0.8)


def extract(recipe, travelling=False, **options):
    clip, rig, _ = make_clip(recipe, travelling)
    return extract_cycle(clip, rig, **options)


def test_whole_range_that_repeats_its_first_key():
    cycle = extract(WALK)
    assert cycle.mode == "closed"
    assert cycle.period == pytest.approx(1.1)
    assert len(cycle.rotations) == 90
    assert not cycle.travels
    assert cycle.seam_before < 1e-6


def test_open_range_gets_one_key_interval_more():
    clip, rig, _ = make_clip(WALK)
    cycle = extract_cycle(cut_clip(clip, 0, len(clip.times) - 1), rig)
    assert cycle.mode == "open"
    assert cycle.period == pytest.approx(1.1)
    whole = extract_cycle(clip, rig)
    np.testing.assert_allclose(cycle.positions, whole.positions, atol=1e-6)


def test_travelling_open_range():
    clip, rig, _ = make_clip(WALK, travelling=True)
    cycle = extract_cycle(cut_clip(clip, 0, len(clip.times) - 1), rig)
    assert cycle.mode == "open"
    assert cycle.travels
    np.testing.assert_allclose(cycle.root_velocity, (0.0, 1.4), atol=0.02)


def test_held_ends_are_left_out():
    clip, rig, _ = make_clip(WALK)
    cycle = extract_cycle(pad_clip(clip, 7, 12), rig)
    assert cycle.mode == "closed"
    assert cycle.period == pytest.approx(1.1)
    assert cycle.start == pytest.approx(7 * clip.key_interval)
    assert "held or foreign ends left out" in cycle.notes[0]
    np.testing.assert_allclose(cycle.positions, extract_cycle(clip, rig).positions, atol=1e-6)


def stutter(clip, every):
    """The clip with some of its poses shown twice."""
    index = np.sort(
        np.concatenate([np.arange(len(clip.times)), np.arange(0, len(clip.times), every)])
    )
    return replace(
        clip,
        times=np.arange(len(index)) * clip.key_interval,
        rotations=clip.rotations[index],
        translations=clip.translations[index],
        scales=clip.scales[index],
    )


@pytest.mark.parametrize("travelling", [False, True])
@pytest.mark.parametrize(("before", "after"), [(1, 0), (0, 1), (1, 1)])
def test_a_copied_key_at_an_end_is_left_out(before, after, travelling):
    clip, rig, _ = make_clip(WALK, travelling)
    cycle = extract_cycle(pad_clip(clip, before, after), rig)
    assert cycle.mode == "closed"
    assert cycle.start == pytest.approx(before * clip.key_interval)
    assert cycle.period == pytest.approx(1.1)
    np.testing.assert_allclose(np.hypot(*cycle.root_velocity), 1.4 * travelling, atol=0.01)


def test_a_still_interval_is_no_hold_where_others_are_still_too():
    clip, rig, _ = make_clip(WALK)
    shown = stutter(clip, 5)
    cycle = extract_cycle(shown, rig)
    assert cycle.start == 0.0
    assert cycle.period == pytest.approx(shown.duration)


@pytest.mark.parametrize("share", [1.0, 0.4])
@pytest.mark.parametrize("ends", [(0, 20), (12, 20)])
def test_a_body_that_is_carried_on_holds_its_pose(ends, share):
    clip, rig, _ = make_clip(WALK, travelling=True)
    padded = pad_clip(clip, *ends)
    shift = share * 1.4 * padded.times
    held = np.clip(np.arange(len(shift)) - ends[0], 0, len(clip.times) - 1)
    translations = padded.translations.copy()
    translations[:, 0, 1] += shift - shift[ends[0] + held]
    cycle = extract_cycle(replace(padded, translations=translations), rig)
    assert cycle.period == pytest.approx(1.1)
    np.testing.assert_allclose(cycle.root_velocity, (0.0, 1.4), atol=0.01)


def add_poses(clip, rig, before=0, after=0):
    """The clip after and before poses of rest that stand where it begins and ends."""
    padded = pad_clip(clip, before, after)
    rotations, translations = padded.rotations.copy(), padded.translations.copy()
    for part in (slice(0, before), slice(len(rotations) - after, len(rotations))):
        rotations[part] = rig.skeleton.rest_rotations
        translations[part, :, 2] = rig.skeleton.rest_translations[:, 2]
    return replace(padded, rotations=rotations, translations=translations)


@pytest.mark.parametrize("travelling", [False, True])
@pytest.mark.parametrize(("before", "after"), [(1, 0), (0, 1), (1, 1), (9, 0)])
@pytest.mark.parametrize("is_open", [False, True])
def test_poses_before_and_after_a_cycle_are_left_out(before, after, travelling, is_open):
    clip, rig, _ = make_clip(WALK, travelling)
    clip = cut_clip(clip, 0, len(clip.times) - is_open)
    cycle = extract_cycle(add_poses(clip, rig, before, after), rig)
    assert cycle.mode == ("open" if is_open else "closed")
    assert cycle.start == pytest.approx(before * clip.key_interval)
    assert cycle.period == pytest.approx(1.1)


def ease_out(clip, rig, count):
    """The clip and then a change to the rest pose that is held as long."""
    padded = pad_clip(clip, 0, 2 * count)
    share = np.clip((np.arange(len(padded.times)) - len(clip.times) + 1) / count, 0.0, 1.0)
    share = rot.step_cubic(share)[:, None]
    target = np.broadcast_to(rig.skeleton.rest_rotations, padded.rotations.shape)
    return replace(padded, rotations=rot.nlerp(padded.rotations, target, share))


@pytest.mark.parametrize("travelling", [False, True])
@pytest.mark.parametrize("keys", [20.0, 30.0, 120.0])
def test_a_cycle_is_cut_out_before_the_body_comes_to_stand(keys, travelling):
    clip, rig, _ = make_clip(replace(WALK, keys=keys), travelling)
    cycle = extract_cycle(ease_out(clip, rig, len(clip.times) // 4), rig)
    assert cycle.mode == "part"
    assert cycle.period == pytest.approx(1.1, rel=0.03)
    assert cycle.seam_before < 0.02


@pytest.mark.parametrize("cycles", [1.1, 1.25, 1.5, 1.9])
@pytest.mark.parametrize("keys", [20.0, 24.7, 30.0, 120.0])
def test_takes_of_little_more_than_a_cycle_close(cycles, keys):
    cycle = extract(replace(WALK, cycles=cycles, keys=keys, start=0.13), travelling=True)
    assert cycle.period == pytest.approx(1.1, rel=0.015)
    assert cycle.seam_before < 0.02
    np.testing.assert_allclose(cycle.root_velocity, (0.0, 1.4), atol=0.02)


def test_whole_number_of_cycles_keeps_the_authored_start():
    cycle = extract(replace(WALK, cycles=3.0, limp=0.1))
    assert cycle.mode == "multiple"
    assert cycle.period == pytest.approx(1.1)
    assert cycle.start == 0.0


@pytest.mark.parametrize("degrees", [0.0, 3.0, 20.0])
def test_what_another_cycle_of_a_clip_does_otherwise_is_measured(degrees):
    clip, rig, _ = make_clip(replace(WALK, cycles=2.0), False)
    foot = rig.legs[0].ankle
    second = np.linspace(0.0, 2.0, len(clip.times)) - 1.0
    angles = np.radians(degrees) * np.sin(np.pi * np.clip(second, 0.0, 1.0)) ** 2
    turns = rot.quaternions_from_axis_angles(np.array([1.0, 0.0, 0.0]), angles)
    rotations = clip.rotations.copy()
    rotations[:, foot] = rot.multiply(rotations[:, foot], turns)
    cycle = extract_cycle(replace(clip, rotations=rotations), rig)
    assert cycle.mode == "multiple"
    assert np.degrees(cycle.unlike) == pytest.approx(degrees, abs=0.2)
    if degrees:
        assert cycle.unlike_bone == rig.skeleton.names[foot]


@pytest.mark.parametrize("travelling", [False, True])
def test_cycle_is_cut_from_a_take(travelling):
    cycle = extract(replace(WALK, cycles=3.4, keys=31.4, start=0.2, limp=0.1), travelling)
    assert cycle.mode == "take"
    assert cycle.period == pytest.approx(1.1, rel=0.005)
    assert cycle.seam_before < 0.02
    assert len(cycle.rotations) == 128


def test_static_clips_have_no_cycle():
    clip, rig, _ = make_clip(WALK)
    assert extract_cycle(cut_clip(clip, 0, 1), rig) is None
    held = pad_clip(cut_clip(clip, 0, 1), 10, 10)
    assert extract_cycle(held, rig) is None


def test_user_decides_period_and_ends():
    assert extract(WALK, closed=False).period == pytest.approx(1.1 * 31 / 30)
    open_clip, rig, _ = make_clip(WALK)
    open_clip = cut_clip(open_clip, 0, 30)
    assert extract_cycle(open_clip, rig, closed=True).period == pytest.approx(1.1 * 29 / 30)
    assert extract(TAKE, period=2.2).period == pytest.approx(2.2)
    assert extract(TAKE, period=2.2).mode == "given"


def test_half_a_cycle_is_imperfect_and_says_how_much():
    clip, rig, _ = make_clip(WALK)
    cycle = extract_cycle(cut_clip(clip, 0, 16), rig)
    assert cycle.mode == "imperfect"
    assert cycle.seam > 0.6
    assert cycle.seam_before > 0.05


@pytest.mark.parametrize(
    ("keys", "rows"),
    [
        (None, 64),
        (17.0, 68),
        (32.0, 64),
        (24.0, 72),
        (64.0, 64),
        (65.0, 65),
        (100.0, 100),
        (154.0, 128),
        (23.6, 128),
        (1.0, 64),
    ],
)
def test_rows_are_a_multiple_of_the_keys(keys, rows):
    assert count_rows(keys) == rows


@pytest.mark.parametrize(
    "recipe", [TAKE, TURN, replace(TURN, turn_rate=-1.5), replace(TAKE, heading=np.pi / 2)]
)
def test_even_root_motion_is_removed_and_reported(recipe):
    cycle = extract(recipe, travelling=True)
    assert cycle.travels
    assert cycle.period == pytest.approx(1.1)
    assert cycle.root_turn == pytest.approx(recipe.turn_rate * 1.1, abs=np.radians(0.01))
    assert np.hypot(*cycle.root_velocity) == pytest.approx(1.4, rel=0.001)
    np.testing.assert_allclose(cycle.root_velocity, recipe.velocity, atol=0.002)
    in_place = extract(recipe, travelling=False)
    np.testing.assert_allclose(cycle.positions, in_place.positions, atol=0.004)


def test_ripple_and_sway_stay_in_the_clip():
    recipe = replace(TAKE, ripple=0.3, sway=0.05)
    clip, rig, feet = make_clip(recipe, travelling=True)
    cycle = extract_cycle(clip, rig)
    place, _ = place_mean_body(recipe, feet.times)
    apart = feet.body - place
    kept = np.ptp(cycle.positions[:, 0, :2], axis=0)
    np.testing.assert_allclose(kept, np.ptp(apart, axis=0), rtol=0.05)


@pytest.mark.parametrize("recipe", [replace(WALK, keys=40), replace(TURN, cycles=1.0)])
def test_where_a_travelling_clip_lies_does_not_matter(recipe):
    clip, rig, _ = make_clip(recipe, travelling=True)
    expected = extract_cycle(clip, rig)
    moved = place_clip(clip, rig.skeleton.parents, 2.3, np.array([50.0, -20.0]))
    cycle = extract_cycle(moved, rig)
    np.testing.assert_allclose(cycle.positions, expected.positions, atol=1e-6)
    np.testing.assert_allclose(cycle.root_velocity, expected.root_velocity, atol=1e-6)
    assert cycle.root_turn == pytest.approx(expected.root_turn, abs=1e-9)


def turn_feet(clip, rig, yaw):
    """The clip with all feet turned about up, as seen from above."""
    turned = rot.quaternions_from_yaws(np.array([yaw]))
    rotations = clip.rotations.copy()
    poses, _ = compute_global_poses(rig.skeleton, rotations, clip.translations, clip.scales)
    for leg in rig.legs:
        shin, ankle = leg.joints[-2:]
        foot = rot.multiply(turned, poses[:, ankle])
        rotations[:, ankle] = rot.multiply(rot.conjugate(poses[:, shin]), foot)
    return replace(clip, rotations=rotations)


@pytest.mark.parametrize("feet", [-80.0, -50.0, 30.0, 60.0])
@pytest.mark.parametrize("heading", [90.0, -90.0, 60.0, 0.0])
def test_strafes_go_sideways_wherever_their_feet_point(heading, feet):
    recipe = replace(WALK, heading=np.radians(heading), duty=0.4)
    clip, rig, _ = make_clip(recipe, travelling=True)
    cycle = extract_cycle(turn_feet(clip, rig, np.radians(feet)), rig)
    np.testing.assert_allclose(cycle.root_velocity, recipe.velocity, atol=0.03)


def test_feet_tell_the_yaw_where_hips_lie_together():
    clip, rig, _ = make_clip(WALK, travelling=True)
    left, right = (leg.joints[0] for leg in rig.legs)
    rest = rig.skeleton.rest_translations.copy()
    rest[left] = rest[right] + (0.0, 1e-6, 0.0)
    narrow = replace(rig, skeleton=replace(rig.skeleton, rest_translations=rest))
    np.testing.assert_allclose(extract_cycle(clip, narrow).root_velocity, (0.0, 1.4), atol=0.03)


def test_small_drift_is_a_seam_error_and_is_spread():
    clip, rig, _ = make_clip(WALK)
    drift = np.linspace(0.0, 1.0, len(clip.times))[:, None]
    translations = clip.translations.copy()
    translations[:, 0] += drift * np.array([0.04, 0.0, 0.02])
    turned = clip.rotations.copy()
    axis = np.array([1.0, 0.0, 0.0])
    turned[:, 1] = rot.multiply(
        turned[:, 1], rot.quaternions_from_axis_angles(axis, 0.1 * drift[:, 0])
    )
    cycle = extract_cycle(
        replace(clip, translations=translations, rotations=turned), rig, closed=True
    )
    assert not cycle.travels
    steps = np.roll(cycle.positions, -1, axis=0) - cycle.positions
    sizes = np.linalg.norm(steps[:, 0], axis=1)
    assert sizes[-1] < 1.5 * np.median(sizes)
    turns = rot.angles_between(cycle.rotations[:, 1], np.roll(cycle.rotations[:, 1], 1, axis=0))
    assert np.max(turns) < 1e-6


def test_bad_seam_of_a_take_is_cross_faded():
    cycle = extract(replace(WALK, cycles=3.4, keys=31.4, noise=0.04, seed=1))
    assert cycle.mode == "take"
    assert cycle.seam_before > 0.02
    assert "seam cross-faded with the step before" in cycle.notes
    steps = np.linalg.norm(np.roll(cycle.positions, -1, axis=0) - cycle.positions, axis=2)
    assert np.max(steps[-1]) < np.max(steps)
    assert cycle.seam_after < 0.02


def test_rows_lie_in_one_hemisphere():
    clip, rig, _ = make_clip(WALK)
    signs = np.where(np.arange(len(clip.times)) % 2, -1.0, 1.0)[:, None, None]
    cycle = extract_cycle(replace(clip, rotations=clip.rotations * signs), rig)
    assert np.all(np.sum(cycle.rotations * rig.skeleton.rest_rotations, axis=-1) >= 0)


def test_far_helpers_do_not_count():
    clip, rig, _ = make_clip(WALK)
    _, positions = compute_global_poses(rig.skeleton, clip.rotations, clip.translations)
    far = np.concatenate([positions, np.full((len(positions), 1, 3), 30.0)], axis=1)
    assert select_body_joints(rig, far).tolist() == [True] * positions.shape[1] + [False]


def test_legs_count_however_many_joints_a_face_has():
    clip, rig, _ = make_clip(WALK)
    _, positions = compute_global_poses(rig.skeleton, clip.rotations, clip.translations)
    head = positions[:, :, :].max(axis=1, keepdims=True)
    face = np.repeat(head, 10 * positions.shape[1], axis=1)
    face = face + 0.01 * np.random.default_rng(1).standard_normal(face.shape)
    chosen = select_body_joints(rig, np.concatenate([positions, face], axis=1))
    assert all(chosen[bone] for leg in rig.legs for bone in leg.bones)


def test_keys_joined_by_curves_do_not_count_as_straight():
    clip, _, _ = make_clip(replace(WALK, keys=60))
    assert find_key_interval(clip) == pytest.approx(1.1 / 60)
    coarse = replace(clip, key_interval=1.1 / 6)
    assert find_key_interval(coarse) == pytest.approx(1.1 / 60)
    straight, _, _ = make_clip(replace(WALK, keys=12))
    fine = resample_clip(straight, np.linspace(0.0, 1.1, 61))
    assert find_key_interval(fine) == pytest.approx(1.1 / 12)
    assert find_key_interval(cut_clip(clip, 0, 1)) is None


def test_uneven_times_are_made_even():
    clip, _, _ = make_clip(WALK)
    times = clip.times.copy()
    times[3:] += 0.4 * clip.key_interval
    even = make_uniform(replace(clip, times=times))
    np.testing.assert_allclose(np.diff(even.times), np.diff(even.times)[0])
    assert even.duration == pytest.approx(times[-1])
    assert make_uniform(clip) is clip


def test_long_recordings_are_thinned():
    phases = np.arange(4000) / 100.0
    swing = np.sin(2 * np.pi * phases)[:, None]
    rest = np.array([(0.2, 0.0, 0.0), (-0.2, 0.0, 0.0), (0.0, 0.0, 1.0)])
    lift = np.cos(2 * np.pi * phases)[:, None]
    positions = rest + swing[..., None] * np.array([(0, 0.1, 0), (0, 0.3, 0), (0, 0, 0)])
    positions[..., 2] += 0.1 * lift * (1.0, -0.5, 0.0)
    choice = find_cycle(positions, 1.0)
    assert choice.mode in ("take", "multiple")
    assert choice.length == pytest.approx(100.0, rel=0.02)
