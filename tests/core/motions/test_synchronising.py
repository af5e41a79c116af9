# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Phase offsets against worked fixtures and brute force (docs/method/motions.md, Synchronising)."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.motions.records import LegCycle, Motion
from semi_procedural_locomotion.core.motions.synchronising import (
    synchronize_motions,
    synchronize_stances,
)


def circle_distance(a, b):
    return np.abs((np.asarray(a) - np.asarray(b) + 0.5) % 1.0 - 0.5)


@pytest.mark.parametrize(
    ("stances", "offsets", "score"),
    [
        ([(0.30, 0.80), (0.55, 0.05), (0.10, 0.62)], (0, 0.75, 0.19), 0.99912),
        ([(0.2, 0.7), (0.7, 0.2)], (0, 0.5), 1.0),
        (
            [(0, 0.5, 0.75, 0.25), (0.42, 0.9, 0.93, 0.44), (0.1, 0.25, 0.6, 0.70)],
            (0, 0.70190, 0.20751),
            0.64408,
        ),
    ],
)
def test_offsets_equal_worked_fixtures(stances, offsets, score):
    found, found_score, _ = synchronize_stances(np.array(stances))
    assert np.max(circle_distance(found, offsets)) < 1e-5
    assert found_score == pytest.approx(score, abs=1e-5)
    assert found[0] == 0.0
    assert np.all((found >= 0) & (found < 1))


def test_motion_scores_equal_worked_fixture():
    stances = [(0, 0.5, 0.75, 0.25), (0.42, 0.9, 0.93, 0.44), (0.1, 0.25, 0.6, 0.70)]
    _, _, scores = synchronize_stances(np.array(stances))
    np.testing.assert_allclose(scores, (0.818, 0.914, 0.647), atol=1e-3)


@pytest.mark.parametrize("legs", [1, 2, 4, 6, 8])
@pytest.mark.parametrize("clips", [2, 3, 4, 6, 9])
def test_compatible_gaits_align_exactly(legs, clips):
    rng = np.random.default_rng(100 * legs + clips)
    for case in range(8):
        shifts = rng.uniform(0, 1, (clips, 1)) if case else 0.5 * (np.arange(clips) > 0)[:, None]
        stances = (rng.uniform(0, 1, legs) + shifts) % 1.0
        offsets, score, scores = synchronize_stances(stances)
        aligned = stances + offsets[:, None]
        assert np.max(circle_distance(aligned, aligned[0])) < 1e-12
        assert score == pytest.approx(1.0, abs=1e-12)
        np.testing.assert_allclose(scores, 1.0, atol=1e-12)


def test_dissimilar_gaits_come_near_the_best_score():
    rng = np.random.default_rng(5)
    grid = np.arange(0, 1, 1 / 90)
    turns = np.exp(2j * np.pi * grid)
    for _ in range(12):
        base, shifts = rng.uniform(0, 1, 2), rng.uniform(0, 1, (3, 1))
        stances = (base + shifts + rng.normal(0, 0.1, (3, 2))) % 1.0
        _, score, _ = synchronize_stances(stances)
        pointers = np.exp(2j * np.pi * stances)
        sums = pointers[0] + pointers[1] * turns[:, None, None] + pointers[2] * turns[None, :, None]
        best = np.max(np.sum(np.abs(sums) ** 2, axis=-1)) / (9 * 2)
        assert score > best - 0.002


def test_a_leg_that_does_not_step_has_no_say():
    stances = np.array([(0.0, 0.5, 0.3), (0.2, 0.7, 0.9)])
    steps = np.array([(True, True, False), (True, True, True)])
    offsets, score, _ = synchronize_stances(stances, steps)
    assert offsets[1] == pytest.approx(0.8)
    assert score == pytest.approx(1.0)


def make_motion(name, stances, kind="cycle"):
    legs = tuple(
        LegCycle(
            stance=stance,
            lift=0.25,
            off=0.3,
            post_lift=0.45,
            pre_land=0.6,
            strike=0.7,
            land=0.75,
            stride=1.0,
            stance_position=np.zeros(3),
            foot_direction=np.array([0.0, 1.0, 0.0]),
            footbases=np.zeros((1, 3)),
            ground_height=0.0,
        )
        for stance in stances
    )
    return Motion(
        name=name,
        kind=kind,
        period=1.0,
        velocity=np.zeros(2),
        turn_rate=0.0,
        rotations=np.zeros((1, 1, 4)),
        translations=np.zeros((1, 1, 3)),
        ripple=np.zeros((1, 2)),
        scales=np.ones((1, 1, 3)),
        legs=legs,
        ground_height=0.0,
    )


def test_motions_align_and_rest_motions_keep_offset_zero():
    motions = [
        make_motion("idle", (0.0, 0.0), "rest"),
        make_motion("walk", (0.30, 0.80)),
        make_motion("run", (0.55, 0.05)),
    ]
    offsets, score, scores = synchronize_motions(motions)
    np.testing.assert_allclose(offsets, (0, 0, 0.75), atol=1e-9)
    assert score == pytest.approx(1.0)
    np.testing.assert_allclose(scores, 1.0, atol=1e-9)


def test_no_cycles_at_all():
    offsets, score, scores = synchronize_motions([make_motion("idle", (0.0,), "rest")])
    assert (offsets.tolist(), score, scores.tolist()) == ([0.0], 1.0, [1.0])
    assert synchronize_motions([])[0].shape == (0,)


def test_shapes_are_checked():
    with pytest.raises(ValueError, match="must have shape"):
        synchronize_stances(np.zeros(3))
