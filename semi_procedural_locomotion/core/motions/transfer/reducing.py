# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips of some bones of a rig, and the same on all its bones (numpy only)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from ...rig.driving import drive_bones
from ...rig.skeleton import compute_global_poses, compute_rest_poses
from ...rig.structure import Rig
from ..clips import Clip


def reduce_clip(clip: Clip, rig: Rig, small: Rig) -> Clip:
    """A clip of all bones of a rig as one of those that a smaller rig has, by their names."""
    rotations, positions = compute_global_poses(
        rig.skeleton, clip.rotations, clip.translations, clip.scales
    )
    bones = [rig.skeleton.find_index(name) for name in small.skeleton.names]
    return _make_clip(
        clip,
        small,
        {number: rotations[:, bone] for number, bone in enumerate(bones)},
        {number: positions[:, bone] for number, bone in enumerate(bones)},
    )


def expand_clip(clip: Clip, small: Rig, rig: Rig) -> Clip:
    """A clip of a smaller rig on all bones of the rig; the others rest on those above them.

    What carries the hips goes along with the smaller rig's body where that is another bone.
    """
    rotations, positions = compute_global_poses(
        small.skeleton, clip.rotations, clip.translations, clip.scales
    )
    names = small.skeleton.names
    bones = [rig.skeleton.find_index(name) for name in names]
    turned = {bone: rotations[:, number] for number, bone in enumerate(bones)}
    placed = {bone: positions[:, number] for number, bone in enumerate(bones)}
    if rig.body not in turned:
        rest_rotations, rest_positions = compute_rest_poses(rig.skeleton)
        hips = bones[small.body]
        turn = rot.multiply(turned[hips], rot.conjugate(rest_rotations[hips]))
        turned[rig.body] = rot.multiply(turn, rest_rotations[rig.body])
        away = rest_positions[rig.body] - rest_positions[hips]
        placed[rig.body] = placed[hips] + rot.rotate(turn, away)
    return _make_clip(clip, rig, turned, placed)


def _make_clip(
    clip: Clip, rig: Rig, turned: dict[int, FloatArray], placed: dict[int, FloatArray]
) -> Clip:
    """The clip with other bones."""
    posed = drive_bones(rig.skeleton, turned, placed, len(clip.times))
    return replace(
        clip,
        rotations=rot.unroll_quaternions(posed.rotations),
        translations=posed.translations,
        scales=np.ones_like(posed.translations),
        keyed=frozenset(),
        properties={},
    )
