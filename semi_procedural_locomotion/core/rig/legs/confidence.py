# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How sure the legs are, and why not, in words (docs/method/legs.md, Confidence)."""

from __future__ import annotations

import numpy as np

from .body import Body
from .direction import Facing
from .limits import DOUBTS
from .names import weigh_leg_names
from .readings import ClipReading


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
        doubts.append((DOUBTS.no_foot, "a leg has no foot bone"))
    if any(len(chain.joints) < 3 and chain.foot != "tip" for chain in chains):
        doubts.append((DOUBTS.single_segment, "a leg has a single segment"))
    if length < DOUBTS.short * reading.height:
        doubts.append((DOUBTS.short_legs, "the legs are very short for the body"))
    if reading.hip_ratio < DOUBTS.low:
        doubts.append((DOUBTS.low_hips, "the hips are low above the ground"))
    if reading.ground > DOUBTS.hover * length:
        share = reading.ground / length
        doubts.append(
            (DOUBTS.hovering, f"the feet hover {share:.2f} leg lengths above the object's origin")
        )
    if max(chain.cost for chain in chains) > 0:
        doubts.append(
            (DOUBTS.nameless_pairs, "left and right were paired without the help of names")
        )
    if reading.unpaired:
        names = ", ".join(body.names[tip] for tip in reading.unpaired)
        doubts.append((DOUBTS.other_contacts, f"other bones touch the ground: {names}"))
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
    if facing.certainty < DOUBTS.unsure_forward:
        reasons.append("forward is uncertain: neither feet, travel nor names tell it clearly")
    return min(1.0, confidence * named), tuple(reasons)


def _doubt_clips(reading: ClipReading, readings: list[ClipReading]) -> list[tuple[float, str]]:
    """Doubts that come from how the legs move, or that they do not."""
    doubts: list[tuple[float, str]] = []
    stepping = reading.stepping
    if reading.clip.is_rest:
        doubts.append((DOUBTS.rest_only, "only the rest pose shows the legs"))
    elif not stepping.walks:
        doubts.append((DOUBTS.no_steps, "no stepping clip"))
    else:
        in_phase = (
            stepping.alternation is not None and stepping.alternation > DOUBTS.phase_correlation
        )
        if len(reading.chains) == 2 and in_phase:
            doubts.append((DOUBTS.in_phase, "both feet move in phase"))
        if stepping.spread > DOUBTS.speed_spread:
            doubts.append((DOUBTS.disagreeing_speeds, "the feet disagree on the speed"))
    counts = [len(other.chains) for other in readings if other.chains]
    if (
        counts
        and np.mean([count == len(reading.chains) for count in counts]) < DOUBTS.least_agreement
    ):
        doubts.append((DOUBTS.disagreeing_clips, "the clips disagree on the number of legs"))
    return doubts
