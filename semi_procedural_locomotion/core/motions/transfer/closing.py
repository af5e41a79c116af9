# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cycles whose last key is one before the first (numpy only)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...maths.rotations import FloatArray
from ...rig.structure import Rig
from ..clips import Clip
from ..cycles import extract_cycle


def close_clip(clip: Clip, rig: Rig) -> Clip:
    """The clip, with its first sample again at the end where it is a cycle in place without it.

    Where its keys are written closer together nothing else would tell how long the cycle takes.
    """
    cycle = extract_cycle(clip, rig) if len(clip.times) > 1 else None
    if cycle is None or cycle.mode != "open" or cycle.travels:
        return clip
    end = clip.times[0] + cycle.start + cycle.period
    if not end > clip.times[-1]:
        return clip

    def repeat(values: FloatArray) -> FloatArray:
        return np.concatenate([values, values[:1]])

    return replace(
        clip,
        times=np.append(clip.times, end),
        rotations=repeat(clip.rotations),
        translations=repeat(clip.translations),
        scales=repeat(clip.scales),
        properties={},
    )
