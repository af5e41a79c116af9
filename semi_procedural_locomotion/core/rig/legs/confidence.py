# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How sure the legs are, and why not, in words (rig_study.md 1.13)."""

from __future__ import annotations

import numpy as np

from .body import Body
from .direction import Facing
from .names import weigh_leg_names
from .readings import ClipReading

# Factors and limits of rig_study.md 1.13.
_IN_PHASE = 0.3
_SPREAD = 0.5
_SHORT = 0.08
_LOW_HIPS = 0.35
_HOVERS = 0.25
_MOST_AGREE = 0.5
# Sum of votes below which forward is a guess; only words, the legs are not in doubt.
_UNSURE_FORWARD = 0.5


def judge_legs(
    body: Body, reading: ClipReading, readings: list[ClipReading], facing: Facing
) -> tuple[float, tuple[str, ...]]:
    """Confidence in the legs of the chosen reading, and the reasons of doubt.

    Parameters
    ----------
    body
        The prepared evidence.
    reading, readings
        The chosen clip, with legs, and all that were read.
    facing
        Where the character faces.

    Returns
    -------
    confidence
        0 to 1.
    reasons
        One sentence each.
    """
    chains = reading.chains
    doubts = _doubt_clips(reading, readings)
    length = float(np.mean([chain.length for chain in chains]))
    if any(chain.foot == "tip" for chain in chains):
        doubts.append((0.7, "a leg has no foot bone"))
    if any(len(chain.joints) < 3 and chain.foot != "tip" for chain in chains):
        doubts.append((0.7, "a leg has a single segment"))
    if length < _SHORT * reading.height:
        doubts.append((0.5, "the legs are very short for the body"))
    if reading.hip_ratio < _LOW_HIPS:
        doubts.append((0.8, "the hips are low above the ground"))
    if reading.ground > _HOVERS * length:
        share = reading.ground / length
        doubts.append((0.5, f"the feet hover {share:.2f} leg lengths above the object's origin"))
    if max(chain.cost for chain in chains) > 0:
        doubts.append((0.9, "left and right were paired without the help of names"))
    if reading.unpaired:
        names = ", ".join(body.names[tip] for tip in reading.unpaired)
        doubts.append((0.95, f"other bones touch the ground: {names}"))
    confidence = float(np.prod([factor for factor, _ in doubts]))
    reasons = [words for _, words in doubts]
    named = weigh_leg_names([body.names[bone] for chain in chains for bone in chain.joints])
    if named < 1.0:
        reasons.append("the names of the bones say arm, hand or wing")
    if facing.mirrored_names:
        reasons.append("the sides in the bones' names are swapped; the geometry decided")
    if facing.yaw_offset:
        turn = round(np.degrees(facing.yaw_offset))
        reasons.append(f"the clip faces {turn} degrees away from the rest pose")
    if facing.certainty < _UNSURE_FORWARD:
        reasons.append("forward is uncertain: neither feet, travel nor names tell it clearly")
    return min(1.0, confidence * named), tuple(reasons)


def _doubt_clips(reading: ClipReading, readings: list[ClipReading]) -> list[tuple[float, str]]:
    """Doubts that come from how the legs move, or that they do not."""
    doubts: list[tuple[float, str]] = []
    stepping = reading.stepping
    if reading.clip.is_rest:
        doubts.append((0.8, "only the rest pose shows the legs"))
    elif not stepping.walks:
        doubts.append((0.85, "no stepping clip"))
    else:
        in_phase = stepping.alternation is not None and stepping.alternation > _IN_PHASE
        if len(reading.chains) == 2 and in_phase:
            doubts.append((0.5, "both feet move in phase"))
        if stepping.spread > _SPREAD:
            doubts.append((0.75, "the feet disagree on the speed"))
    counts = [len(other.chains) for other in readings if other.chains]
    if counts and np.mean([count == len(reading.chains) for count in counts]) < _MOST_AGREE:
        doubts.append((0.85, "the clips disagree on the number of legs"))
    return doubts
