# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stances of feet whose times are known, on the ground, sliding, shaking, on a step and in the air."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.contacts.stances import FootTrack, find_stances

RATE = 30.0
# Heel, ball and toe of a foot, metres, beside a leg of 0.9.
SOLE = np.array([[0.0, 0.0, 0.0], [0.18, 0.0, 0.0], [0.25, 0.0, 0.0]])
LEG = 0.9


def make_track(slide=0.0, noise=0.0, lift=0.12, height=0.0, ground=0.0):
    """A foot that stands in frames 0-14, 25-39 and 50-64, and swings between; its stances."""
    rng = np.random.default_rng(3)
    places, stances, x = [], [], 0.0
    for _ in range(3):
        stances.append((len(places), len(places) + 14))
        for frame in range(15):
            places.append((x + slide * frame / RATE, 0.0, height))
        for share in np.arange(1, 11) / 11.0:
            rise = lift * np.sin(np.pi * share) ** 2
            start = x + slide * 14 / RATE
            places.append(
                (start + (x + 1.0 - start) * (3 - 2 * share) * share**2, 0.0, height + rise)
            )
        x += 1.0
    points = np.array(places[:-10])[:, None] + SOLE
    points = points + noise * rng.standard_normal((len(points), 1, 3))
    lows = points[..., 2].min(axis=1)
    return FootTrack(points, np.diff(points, axis=0), lows, lows - ground), stances


def list_found(track, hold=0.25):
    """First and last frames of what is found."""
    (found,) = find_stances([track], 1.0 / RATE, LEG, hold)
    return list(zip(found.firsts.tolist(), found.lasts.tolist(), strict=True))


@pytest.mark.parametrize(("slide", "noise"), [(0.0, 0.0), (0.4, 0.0), (-0.4, 0.0), (0.0, 0.002)])
def test_stances_are_found_to_a_frame(slide, noise):
    track, stances = make_track(slide, noise)
    found = list_found(track)
    assert len(found) == len(stances)
    assert np.abs(np.array(found) - np.array(stances)).max() <= 1


def test_fast_slides_are_stances_only_where_they_are_asked_for():
    track, stances = make_track(slide=-1.2)
    assert len(list_found(track, hold=0.5)) == len(stances)
    assert list_found(track, hold=0.1) == []


def test_a_foot_that_is_held_in_the_air_does_not_stand():
    track, _ = make_track()
    points = track.points.copy()
    points[50:, :, 2] += 0.4
    lows = points[..., 2].min(axis=1)
    raised = FootTrack(points, np.diff(points, axis=0), lows, lows)
    assert list_found(raised)[-1][1] < 50
    # On a step of the scene, it does.
    on_step = FootTrack(
        points, np.diff(points, axis=0), lows, np.where(lows > 0.3, lows - 0.4, lows)
    )
    first, last = list_found(on_step)[-1]
    assert 50 <= first <= 51
    assert last == 64


@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_sizes_do_not_matter(scale):
    track, _ = make_track(slide=0.3)
    large = FootTrack(
        track.points * scale, track.moves * scale, track.lows * scale, track.gaps * scale
    )
    (found,) = find_stances([large], 1.0 / RATE, LEG * scale, 0.25)
    assert list(zip(found.firsts.tolist(), found.lasts.tolist(), strict=True)) == list_found(track)
