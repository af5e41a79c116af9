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
from .levels import (
    drop_doubles,
    drop_hanging_pairs,
    drop_raised_pairs,
    find_level,
    share_pair_levels,
)
from .limits import CLIP_SCORES, DOUBTS, GROUND, LOADS, TINY
from .pairing import Mirror, pair_limbs
from .singles import find_lone_leg, find_middle_legs, find_unlike_pair
from .stepping import Stepping, measure_stepping

_FEWEST_TO_HANG = 4  # legs: two that stand and two that may hang


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
    hanging
        Limbs of pairs that end near the ground and are no legs.
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
    hanging: tuple[int, ...] = ()

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
    chains, stepping, ground, hanging = _drop_hanging(body, clip, chains, stepping, ground)
    singles: list[LegChain] = []
    if mirror is not None and _rate_steadiness(clip, chains, stepping) > LOADS.least_walk:
        shared = replace(contacts, ground=ground)
        singles = find_middle_legs(
            body, attachment, clip, shared, chains, stepping, mirror, stances
        )
    if not stepping.walks:
        lone = find_lone_leg(body, attachment, clip, contacts, pairs, stances)
        if lone is not None:
            chains, singles, pairs, mirror, ground = [], [lone], [], None, lone.low
            contacts = replace(contacts, tips=(lone.tip,))  # the others hang higher
        elif both := find_unlike_pair(body, attachment, clip, contacts, pairs, stances):
            chains, singles, pairs, mirror = [], both, [], None
            ground = min(chain.low for chain in both)
            contacts = replace(contacts, tips=tuple(chain.tip for chain in both))
    if singles:
        chains, stepping = measure_stepping(clip, [*chains, *singles], ground, may_drop=False)
    known = {tip for pair in pairs for tip in pair.tips} | {single.tip for single in singles}
    unpaired = tuple(tip for tip in contacts.tips if tip not in known)
    return ClipReading(
        clip, ground, contacts.height, tuple(chains), unpaired, mirror, stepping, hanging
    )


def _drop_hanging(
    body: Body, clip: PosedClip, chains: list[LegChain], stepping: Stepping, ground: float
) -> tuple[list[LegChain], Stepping, float, tuple[int, ...]]:
    """Legs, stepping and ground without pairs that hang where others stand, and the tips of these."""
    if not body.has_mesh or len(chains) < _FEWEST_TO_HANG:
        return chains, stepping, ground, ()
    standing = drop_hanging_pairs(clip, chains)
    if len(standing) == len(chains) or rate_steps(clip, chains, stepping) > 0.0:
        return chains, stepping, ground, ()
    hanging = tuple(chain.tip for chain in chains if chain not in standing)
    ground = find_level(standing)
    chains, stepping = measure_stepping(clip, standing, ground)
    return chains, stepping, ground, hanging


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


def rate_walking(reading: ClipReading) -> float:
    """How surely a clip is a walk, 0 to 1; see `rate_steps`."""
    return rate_steps(reading.clip, list(reading.chains), reading.stepping)


def rate_steps(clip: PosedClip, chains: list[LegChain], stepping: Stepping) -> float:
    """How surely legs walk, 0 to 1: feet that agree on the way, hips that keep their height.

    Two feet that move in phase do not walk; getting up and falling down do not either.

    Parameters
    ----------
    clip, chains, stepping
        A clip, its legs and how they step.
    """
    together = stepping.alternation is not None and stepping.alternation > DOUBTS.phase_correlation
    if len(chains) == 2 and together:
        return 0.0
    return _rate_steadiness(clip, chains, stepping)


def _rate_steadiness(clip: PosedClip, chains: list[LegChain], stepping: Stepping) -> float:
    """How well stepping feet agree on the way, and the hips keep their height, 0 to 1."""
    if not stepping.walks:
        return 0.0
    heights = clip.heads[:, [chain.joints[0] for chain in chains], 2]
    length = float(np.mean([chain.length for chain in chains]))
    rise = float(np.ptp(np.median(heights, axis=1))) / max(length, TINY)
    steady = np.clip((CLIP_SCORES.most_rise - rise) / CLIP_SCORES.most_rise, 0.0, 1.0)
    return float(max(0.0, 1.0 - stepping.spread) * steady)


def _score(reading: ClipReading, tallest: float) -> float:
    """Score of one reading; far below all others without legs."""
    if not reading.chains:
        return -np.inf
    return (
        CLIP_SCORES.upright * min(1.0, reading.hip_ratio / max(tallest, TINY))
        + CLIP_SCORES.leg * min(len(reading.chains), CLIP_SCORES.most_legs)
        + CLIP_SCORES.name * reading.clip.rank
        + CLIP_SCORES.walks * rate_walking(reading)
        + CLIP_SCORES.duty * min(1.0, reading.stepping.duty / CLIP_SCORES.full_duty)
        - float(np.mean([chain.cost for chain in reading.chains]))
        - CLIP_SCORES.unpaired * len(reading.unpaired)
    )
