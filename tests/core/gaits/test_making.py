# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Made gaits keep what their numbers say: planted feet, closed cycles, reach, mirror, truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.gaits.feet import (
    carry_points,
    compute_lead_times,
    compute_rolls,
)
from semi_procedural_locomotion.core.gaits.limits import FIT, ROLLS, STRIDING
from semi_procedural_locomotion.core.gaits.making import (
    compute_truth,
    make_gait,
    make_rest,
)
from semi_procedural_locomotion.core.gaits.presets import find_preset, list_presets
from semi_procedural_locomotion.core.gaits.settings import GaitSettings, fit_to_frames
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.analysis import analyze_clip
from semi_procedural_locomotion.core.rig.footpoints import compute_sole_points, compute_sole_weights
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses, compute_rest_poses
from semi_procedural_locomotion.core.rig.upper_body import find_body_parts
from semi_procedural_locomotion.errors import RigError
from tests.core.gait_rigs import build_biped, build_many_legged

CASES = [(name, 2) for name in list_presets(2)]
CASES += [(name, 4) for name in list_presets(4)]
CASES += [(name, 6) for name in list_presets(6)] + [("tripod", 8)]


def build(name, legs):
    rig = build_biped() if legs == 2 else build_many_legged(legs // 2)
    return rig, find_preset(name, legs, rig.leg_length)


def pose(rig, clip):
    return compute_global_poses(rig.skeleton, clip.rotations, clip.translations)


@pytest.mark.parametrize(("name", "legs"), CASES)
def test_cycle_closes_and_has_the_asked_keys(name, legs):
    rig, settings = build(name, legs)
    clip = make_gait(rig, settings)
    assert len(clip.times) == settings.keys + 1
    assert clip.duration == pytest.approx(settings.period)
    np.testing.assert_array_equal(clip.translations[-1], clip.translations[0])
    turn = rot.angles_between(clip.rotations[-1], clip.rotations[0])
    assert turn.max() < 1e-7


@pytest.mark.parametrize(("name", "legs"), CASES)
def test_planted_sole_moves_exactly_against_the_travel(name, legs):
    rig, settings = build(name, legs)
    settings = replace(settings, keys=60)
    clip, truth = make_gait(rig, settings), compute_truth(rig, settings)
    rotations, positions = pose(rig, clip)
    phases = np.arange(settings.keys + 1) / settings.keys
    for leg, strike in zip(rig.legs, truth.strike, strict=True):
        points = compute_sole_points(leg, rotations, positions)
        since = (phases - strike) % 1.0
        stands = (since > 1e-9) & (since < settings.duty - 1e-9)
        weights = compute_sole_weights(points[..., 2], 1e-6)
        low = points[..., 2].min(axis=1)
        np.testing.assert_allclose(low[stands], 0.0, atol=1e-9)
        # Back in the ground's frame every point that bears weight lies where it lay at mid stance.
        back = -(since - 0.5 * settings.duty) * settings.period
        fixed = [
            carry_points(points[:, i], -back, truth.velocity, truth.turn_rate)[0] for i in range(3)
        ]
        for index in range(3):
            bears = stands & (weights[:, index] > 0.2)
            if bears.sum() > 1:
                assert np.ptp(fixed[index][bears], axis=0).max() < 1e-8


@pytest.mark.parametrize(("name", "legs"), CASES)
def test_swinging_foot_stays_above_ground_and_lifts(name, legs):
    rig, settings = build(name, legs)
    clip, truth = make_gait(rig, settings), compute_truth(rig, settings)
    rotations, positions = pose(rig, clip)
    phases = np.arange(settings.keys + 1) / settings.keys
    for leg, strike in zip(rig.legs, truth.strike, strict=True):
        low = compute_sole_points(leg, rotations, positions)[..., 2].min(axis=1)
        assert low.min() > -1e-9
        since = (phases - strike) % 1.0
        swing = (since > settings.duty) & (since < 1.0)
        assert low[swing].max() > 0.8 * settings.lift * leg.length


@pytest.mark.parametrize(("name", "legs"), CASES)
def test_legs_stay_within_reach_and_keep_their_lengths(name, legs):
    rig, settings = build(name, legs)
    _, positions = pose(rig, make_gait(rig, settings))
    rest = compute_rest_poses(rig.skeleton)[1]
    for leg in rig.legs:
        chain = list(leg.joints)
        reach = rot.lengths(positions[:, chain[-1]] - positions[:, chain[0]]) / leg.length
        straight = FIT.most_reach if settings.curves is None else STRIDING.straight
        assert reach.max() <= straight + 1e-6
        wanted = rot.lengths(np.diff(rest[chain], axis=0))
        lengths = rot.lengths(np.diff(positions[:, chain], axis=1))
        np.testing.assert_allclose(lengths, np.broadcast_to(wanted, lengths.shape), atol=1e-9)


@pytest.mark.parametrize("name", ["walk", "run", "sneak", "backward"])
def test_knees_bend_forward_and_without_pops(name):
    rig, settings = build(name, 2)
    settings = replace(settings, keys=96)
    _, positions = pose(rig, make_gait(rig, settings))
    for leg in rig.legs:
        thigh = rot.normalize(positions[:, leg.joints[1]] - positions[:, leg.joints[0]])
        shin = rot.normalize(positions[:, leg.joints[2]] - positions[:, leg.joints[1]])
        # Left of a rig that faces +Y is -X: the hinge of a knee that bends forward.
        assert rot.cross(thigh, shin)[:, 0].max() < 0.0
        bend = np.arccos(np.clip(rot.dot(thigh, shin), -1.0, 1.0))
        assert bend.min() > np.radians(10.0 if settings.curves is None else 3.5)
        speed = np.abs(np.diff(bend)) / (settings.period / settings.keys)
        assert speed.max() < np.radians(1000.0)


@pytest.mark.parametrize("name", ["walk", "run", "sneak", "backward"])
def test_half_a_cycle_later_is_the_mirror_image(name):
    rig, settings = build(name, 2)
    settings = replace(settings, keys=40)
    _, positions = pose(rig, make_gait(rig, settings))
    names = rig.skeleton.names
    twins = [
        names.index(n[:-1] + {"L": "R", "R": "L"}[n[-1]] if n[-2:] in (".L", ".R") else n)
        for n in names
    ]
    later = np.roll(positions[:-1], -20, axis=0)
    mirrored = later[:, twins] * np.array([-1.0, 1.0, 1.0])
    np.testing.assert_allclose(positions[:-1], mirrored, atol=1e-9)


def test_arms_swing_against_the_legs_and_the_head_is_steady():
    rig, settings = build("walk", 2)
    rotations, positions = pose(rig, make_gait(rig, settings))
    find = rig.skeleton.find_index
    foot = positions[:, find("foot.L"), 1] - positions[:, find("thigh.L"), 1]
    hand = positions[:, find("hand.L"), 1] - positions[:, find("arm.L"), 1]
    assert np.corrcoef(foot, hand)[0, 1] < -0.8

    def turning(bone):
        rest = rot.conjugate(compute_rest_poses(rig.skeleton)[0][find(bone)])
        turns = rot.multiply(rotations[:, find(bone)], rest)
        ahead = rot.rotate(turns, np.array([*rig.forward, 0.0]))
        return np.ptp(np.arctan2(*ahead[:, [0, 1]].T))

    assert turning("head") < 0.3 * turning("chest")
    assert turning("hips") > 0.5 * settings.twist


def test_pelvis_is_lowest_in_double_support_and_sways_over_the_standing_foot():
    rig, settings = build("walk", 2)
    settings = replace(settings, keys=96)
    _, positions = pose(rig, make_gait(rig, settings))
    body = positions[:-1, rig.body]
    phases = np.arange(96) / 96
    # Both feet stand from the strike to a tenth of the cycle.
    assert phases[np.argmin(body[:, 2])] % 0.5 < 0.08
    assert 0.25 < phases[np.argmax(body[:, 2])] % 0.5 < 0.35
    left_stands = np.argmin(np.abs(phases - 0.5 * settings.duty))
    assert body[left_stands, 0] == pytest.approx(-settings.sway * rig.leg_length, rel=0.01)


def test_lead_times_are_periodic_and_fall_like_the_clock_in_the_stance():
    since = np.linspace(0.0, 0.6, 13)
    np.testing.assert_allclose(compute_lead_times(since, 0.6), 0.3 - since, atol=1e-15)
    end = compute_lead_times(np.array([1.0 - 1e-12]), 0.6)
    assert end[0] == pytest.approx(0.3, abs=1e-9)


def test_carried_points_go_round_the_centre_of_the_turn():
    velocity, rate = np.array([0.6, 0.0]), 0.5
    centre = np.array([0.0, velocity[0] / rate, 0.0])
    points = np.tile([0.3, 0.4, 0.1], (5, 1))
    times = np.linspace(-2.0, 3.0, 5)
    moved, yaws = carry_points(points, times, velocity, rate)
    np.testing.assert_allclose(yaws, rate * times)
    expected = centre + rot.rotate(rot.quaternions_from_yaws(rate * times), points - centre)
    np.testing.assert_allclose(moved, expected, atol=1e-12)
    straight, _ = carry_points(points, times, velocity, 0.0)
    np.testing.assert_allclose(straight[:, 0], 0.3 + 0.6 * times)


@pytest.mark.parametrize("name", list_presets(2))
def test_rolls_are_continuous_everywhere(name):
    settings = find_preset(name, 2)
    since = (np.arange(4000) / 4000.0) % 1.0
    rolls = compute_rolls(since, settings)
    for angle in (rolls.tip, rolls.bend, rolls.heel):
        # Toes that are raised in the air are turned back about their tip.
        assert angle.min() >= (-ROLLS.toes_raised if angle is rolls.tip else 0.0)
        step = np.abs(np.diff(np.append(angle, angle[0])))
        assert step.max() < 0.02


def test_truth_gives_key_times_speed_and_direction():
    rig = build_biped()
    settings = GaitSettings(
        "test",
        phases=(0.1, 0.6),
        period=0.8,
        stride=1.0,
        direction=np.pi / 2,
        duty=0.6,
        off_roll=0.3,
        off_roll_share=0.2,
        strike_roll=0.2,
        strike_roll_share=0.05,
    )
    truth = compute_truth(rig, settings)
    np.testing.assert_allclose(truth.velocity, [-rig.leg_length / 0.8, 0.0], atol=1e-12)
    np.testing.assert_allclose(truth.strike, [0.1, 0.6])
    np.testing.assert_allclose(truth.land, [0.15, 0.65])
    np.testing.assert_allclose(truth.lift, [0.5, 0.0], atol=1e-12)
    np.testing.assert_allclose(truth.off, [0.7, 0.2])


def test_presets_scale_with_the_leg():
    small, large = find_preset("walk", 2, 0.2), find_preset("walk", 2, 0.8)
    assert large.period == pytest.approx(2.0 * small.period)
    assert large.stride == small.stride
    fitted = fit_to_frames(large, 30.0)
    assert fitted.period * 30.0 == pytest.approx(fitted.keys)
    assert abs(fitted.period - large.period) <= 0.5 / 30.0 + 1e-12


def test_rest_stands_still_on_both_feet():
    rig, settings = build("walk", 2)
    rotations, positions = pose(rig, make_rest(rig, settings))
    np.testing.assert_allclose(positions[0], positions[1], atol=1e-12)
    for leg in rig.legs:
        points = compute_sole_points(leg, rotations, positions)
        np.testing.assert_allclose(points[..., 2], 0.0, atol=1e-9)


def test_body_parts_are_found_by_structure():
    rig = build_biped()
    parts = find_body_parts(rig)
    names = rig.skeleton.names
    assert [names[i] for i in parts.spine] == ["spine", "chest"]
    assert [names[i] for i in parts.neck] == ["neck"]
    assert parts.head is not None
    assert names[parts.head] == "head"
    left, right = parts.arms
    assert (left.side, names[left.upper], names[left.hand]) == (1, "arm.L", "hand.L")
    assert (right.side, names[right.shoulder], names[right.fore]) == (-1, "collar.R", "fore.R")
    assert find_body_parts(build_many_legged(3)).arms == ()


def test_wrong_numbers_are_refused():
    rig = build_biped()
    with pytest.raises(RigError, match="phases for 4 legs"):
        make_gait(rig, find_preset("trot", 4))
    with pytest.raises(RigError, match=r"choose one of: .*walk"):
        find_preset("trot", 2)
    with pytest.raises(RigError, match="lower its Stride"):
        make_gait(rig, replace(find_preset("walk", 2), stride=5.0))
    for wrong in (
        {"period": 0.0},
        {"duty": 1.0},
        {"keys": 4},
        {"off_roll_share": 0.7},
        {"lift": -0.1},
        {"toe_bend": 1.5},
    ):
        with pytest.raises(ValueError, match=r"must|needs"):
            replace(find_preset("walk", 2), **wrong)


def test_legs_without_any_gait_are_told_so():
    with pytest.raises(RigError, match="no gaits are known for 3 legs: key a walk by hand"):
        find_preset("walk", 3)


@pytest.mark.parametrize(
    ("name", "legs"),
    [("walk", 2), ("run", 2), ("backward", 2), ("turn", 2), ("gallop", 4), ("ripple", 6)],
)
def test_the_analysis_finds_the_truth(name, legs):
    rig, settings = build(name, legs)
    settings = fit_to_frames(settings, 30.0 / settings.period)
    truth = compute_truth(rig, settings)
    motion = analyze_clip(make_gait(rig, settings), rig)
    half_key = 0.5 / 30.0  # between keys nothing is known of when a foot leaves
    assert motion.kind == "cycle"
    assert motion.period == pytest.approx(truth.period, rel=1e-6)
    speed = float(np.hypot(*truth.velocity))
    assert np.hypot(*(motion.velocity - truth.velocity)) < 0.01 * speed
    assert motion.turn_rate == pytest.approx(truth.turn_rate, abs=0.02)
    for index, leg in enumerate(motion.legs):
        strike = rot.wrap_angles(2.0 * np.pi * (leg.stance + leg.strike - truth.strike[index])) / (
            2.0 * np.pi
        )
        off = rot.wrap_angles(2.0 * np.pi * (leg.stance + leg.off - truth.off[index]))
        assert abs(strike) < half_key
        assert abs(off / (2.0 * np.pi)) < half_key
