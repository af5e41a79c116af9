# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One clip read from ground to stepping, and the choice between clips.

The method: docs/method/legs.md, The clip that decides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .ankles import StancePose
from .attachment import Attachment
from .body import Body, PosedClip
from .chains import LegChain, build_chains
from .contacts import find_contacts
from .levels import drop_doubles, drop_raised_pairs, find_level, share_pair_levels
from .limits import CLIP_SCORES, GROUND, TINY
from .pairing import Mirror, pair_limbs
from .singles import find_lone_leg, find_middle_legs
from .stepping import Stepping, measure_stepping


@dataclass(frozen=True)
class ClipReading:
    """What one clip (or the rest pose) shows.

    Attributes
    ----------
    clip
        The clip.
    ground
        Height of the ground that the legs share, metres.
    height
        H, metres.
    chains
        The legs: whole pairs, then those without a partner.
    unpaired
        Limbs that touch the ground without a twin.
    mirror
        Mirror plane or None.
    stepping
        Motion of the feet.
    """

    clip: PosedClip
    ground: float
    height: float
    chains: tuple[LegChain, ...]
    unpaired: tuple[int, ...]
    mirror: Mirror | None
    stepping: Stepping

    @property
    def hip_ratio(self) -> float:
        """Median height of the hips over the legs' length."""
        return float(np.median([c.hip_ratio for c in self.chains])) if self.chains else 0.0


def read_clip(
    body: Body, attachment: Attachment, clip: PosedClip, stances: list[StancePose]
) -> ClipReading:
    """Find the legs that one clip shows.

    Parameters
    ----------
    body, attachment
        The prepared evidence and its re-attached tree.
    clip
        One of the body's clips or its rest pose.
    stances
        See `gather_stances`.
    """
    contacts = find_contacts(body, attachment, clip)
    if contacts is None or not contacts.tips:
        return ClipReading(clip, 0.0, 1.0, (), (), None, Stepping({}))
    pairs, mirror = pair_limbs(body, attachment, clip, contacts)
    ground = contacts.ground
    chains: list[LegChain] = []
    if mirror is not None:
        chains = build_chains(body, attachment, clip, contacts, pairs, mirror, stances)
    chains = share_pair_levels(chains)
    if chains:
        ground = find_level(chains)
        chains = drop_raised_pairs(chains, ground)
        chains = drop_doubles(body, clip, chains, contacts.height)
    chains, stepping = measure_stepping(clip, chains, ground)
    singles: list[LegChain] = []
    if mirror is not None:
        shared = replace(contacts, ground=ground)
        singles = find_middle_legs(
            body, attachment, clip, shared, chains, stepping, mirror, stances
        )
    if not stepping.walks:
        lone = find_lone_leg(body, attachment, clip, contacts, pairs, stances)
        if lone is not None:
            chains, singles, pairs, mirror, ground = [], [lone], [], None, lone.low
    if singles:
        chains, stepping = measure_stepping(clip, [*chains, *singles], ground, may_drop=False)
    known = {tip for pair in pairs for tip in pair.tips} | {single.tip for single in singles}
    unpaired = tuple(tip for tip in contacts.tips if tip not in known)
    return ClipReading(clip, ground, contacts.height, tuple(chains), unpaired, mirror, stepping)


def gather_stances(body: Body) -> list[StancePose]:
    """Poses of all clips that are not badly named, and of the rest pose, with their grounds.

    Parameters
    ----------
    body
        The prepared evidence.
    """
    stances: list[StancePose] = []
    best = max((clip.rank for clip in body.clips), default=0)
    for clip in (*body.clips, body.rest):
        # Clips of a bad name do not help with ankles and soles while there are better ones.
        if clip.rank < 0 <= best and not clip.is_rest:
            continue
        # Heads, not vertices: a sword that dips into the ground must not raise the ankles.
        heights = clip.heads[:, body.used, 2] if body.used.any() else clip.heads[:, :, 2]
        ground = float(np.percentile(heights.min(axis=1), GROUND.percentile))
        stances.append(StancePose(clip.pick_frames(CLIP_SCORES.pooled_frames).heads, ground))
    return stances


def choose_reading(readings: list[ClipReading]) -> ClipReading:
    """The reading with the best score; upright clips with walking legs win.

    Parameters
    ----------
    readings
        One or more, of all clips and the rest pose.
    """
    tallest = max(reading.hip_ratio for reading in readings)
    return max(readings, key=lambda reading: _score(reading, tallest))


def _score(reading: ClipReading, tallest: float) -> float:
    """Score of one reading; far below all others without legs."""
    if not reading.chains:
        return -np.inf
    return (
        CLIP_SCORES.upright * min(1.0, reading.hip_ratio / max(tallest, TINY))
        + CLIP_SCORES.leg * min(len(reading.chains), CLIP_SCORES.most_legs)
        + CLIP_SCORES.name * reading.clip.rank
        + CLIP_SCORES.walks * reading.stepping.walks
        + CLIP_SCORES.duty * min(1.0, reading.stepping.duty / CLIP_SCORES.full_duty)
        - float(np.mean([chain.cost for chain in reading.chains]))
        - CLIP_SCORES.unpaired * len(reading.unpaired)
    )
