# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips whose poses are held from key to key, as on twos and threes, walk as if they were joined."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.motions.analysis import analyze_clip
from semi_procedural_locomotion.core.motions.clip_keys import ease_holds
from semi_procedural_locomotion.notes import NoteKind
from tests.core.synthetic import Recipe
from tests.core.synthetic_clips import cut_clip, make_clip, pad_clip

WALK = Recipe(speed=1.2)


def hold(clip, every, bones=slice(None)):
    """The clip with only each ``every``-th pose of some bones, which is held until the next."""
    index = np.arange(len(clip.times)) // every * every
    rotations, translations = clip.rotations.copy(), clip.translations.copy()
    rotations[:, bones] = clip.rotations[index][:, bones]
    translations[:, bones] = clip.translations[index][:, bones]
    return replace(
        clip, rotations=rotations, translations=translations, key_interval=every * clip.key_interval
    )


def join(clip, every):
    """The poses that `hold` keeps, joined by straight lines."""
    held = hold(clip, every)
    return replace(
        held,
        times=held.times[::every],
        rotations=held.rotations[::every],
        translations=held.translations[::every],
        scales=held.scales[::every],
    )


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
@pytest.mark.parametrize(
    ("rate", "every"), [(12, 2), (24, 2), (24, 3), (30, 2), (30, 3), (60, 2), (60, 3), (60, 5)]
)
@pytest.mark.parametrize("travelling", [False, True])
def test_held_poses_have_the_speed_of_those_that_are_joined(rate, every, scale, travelling):
    clip, rig, _ = make_clip(replace(WALK, keys=rate, scale=scale), travelling)
    motion, joined = (analyze_clip(c, rig) for c in (hold(clip, every), join(clip, every)))
    assert motion.speed == pytest.approx(WALK.speed * scale, rel=0.05)
    assert motion.speed == pytest.approx(joined.speed, rel=0.01)
    assert motion.period == pytest.approx(WALK.period)
    told = [note.kind for note in motion.notes]
    assert NoteKind.SPEED_UNEVEN not in told
    assert NoteKind.HOLDS_EASED in told
    assert NoteKind.HOLDS_EASED not in [note.kind for note in joined.notes]


@pytest.mark.parametrize("every", [2, 3])
def test_held_poses_of_a_body_that_is_carried_on_every_frame(every):
    clip, rig, _ = make_clip(replace(WALK, keys=24), travelling=True)
    motion = analyze_clip(hold(clip, every, slice(1, None)), rig)
    assert motion.speed == pytest.approx(WALK.speed, rel=0.05)


def test_takes_on_twos_are_cut_to_a_cycle():
    clip, rig, _ = make_clip(replace(WALK, keys=24, cycles=3))
    motion = analyze_clip(hold(clip, 2), rig)
    assert motion.period == pytest.approx(WALK.period)
    assert motion.speed == pytest.approx(WALK.speed, rel=0.05)


def test_a_last_pose_that_is_held_for_a_step_belongs_to_the_next():
    clip, _, _ = make_clip(replace(WALK, keys=24))
    open_clip = cut_clip(hold(clip, 2), 0, 24)
    eased = ease_holds(open_clip)
    assert eased.times[-1] == pytest.approx(22 / 24 * WALK.period)
    np.testing.assert_allclose(eased.rotations[-1], open_clip.rotations[-1], atol=1e-12)


def test_poses_that_are_held_for_longer_stand():
    clip, _, _ = make_clip(replace(WALK, keys=24))
    held = pad_clip(hold(clip, 2), 10, 10)
    eased = ease_holds(held)
    for still in (slice(0, 10), slice(34, 45)):
        for values in (eased.rotations, eased.translations):
            assert np.ptp(values[still], axis=0).max() < 1e-12
    moves = np.abs(np.diff(eased.rotations[11:34], axis=0)).max(axis=(1, 2))
    assert moves.min() > 1e-4


def test_joined_clips_stay_as_they_are():
    """Also with a bone that is held among others, and with poses that are shown twice now and then."""
    clip, _, _ = make_clip(replace(WALK, keys=24))
    index = np.sort(np.concatenate([np.arange(25), np.arange(0, 25, 5)]))
    stutter = replace(
        clip,
        times=np.arange(len(index)) * clip.key_interval,
        rotations=clip.rotations[index],
        translations=clip.translations[index],
        scales=clip.scales[index],
    )
    for joined in (clip, hold(clip, 3, slice(4, 5)), stutter):
        assert ease_holds(joined) is joined


def test_two_poses_that_take_turns_stay_as_they_are():
    clip, _, _ = make_clip(replace(WALK, keys=24))
    index = np.arange(25) // 12 % 2 * 12
    still = replace(clip, rotations=clip.rotations[index], translations=clip.translations[index])
    assert ease_holds(still) is still
