# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Captures that begin with a pose that is none of the motion (numpy only)."""

from __future__ import annotations

from dataclasses import replace

from ...maths import rotations as rot
from ..clips import Clip
from .limits import TRANSFER


def drop_leading_pose(clip: Clip) -> Clip:
    """The clip without its first sample where that stands apart from the others.

    Captures begin with the pose in which the skeleton was built, one frame before the motion.
    """
    if len(clip.times) < TRANSFER.fewest_samples:
        return clip
    turns = rot.angles_between(clip.rotations[1:], clip.rotations[:-1]).mean(axis=1)
    if turns[0] < max(TRANSFER.apart * float(turns[1:].max()), TRANSFER.least_apart):
        return clip
    return replace(
        clip,
        times=clip.times[1:] - clip.times[1],
        rotations=clip.rotations[1:],
        translations=clip.translations[1:],
        scales=clip.scales[1:],
        properties={},
    )
