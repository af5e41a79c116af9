# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which chains reach the ground that the legs share, and no limb twice (docs/method/legs.md, Levels)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...maths.rotations import FloatArray
from .body import Body, PosedClip
from .chains import NO_PARTNER, LegChain
from .limits import JOINTS, LEVELS, TINY
from .names import is_control


def find_level(chains: list[LegChain]) -> float:
    """Height of the ground that most legs share, metres.

    Parameters
    ----------
    chains
        One or more legs; ``low`` is already the lower of each pair.
    """
    lowest = min(chain.low for chain in chains)
    near = [chain.low for chain in chains if chain.low < lowest + LEVELS.spread * chain.length]
    return float(np.median(near)) if near else lowest


def measure_lows(clip: PosedClip, chain: LegChain) -> tuple[float, float]:
    """Height that the lowest point of a limb reaches, and its median height, metres."""
    bones = [bone for bone in chain.bones if np.isfinite(clip.lows[0, bone])]
    lows = clip.lows[:, bones] if bones else clip.heads[:, list(chain.bones), 2]
    lowest = lows.min(axis=1)
    return float(np.percentile(lowest, JOINTS.low_percentile)), float(np.median(lowest))


def share_pair_levels(chains: list[LegChain]) -> list[LegChain]:
    """The chains with ``low`` set to the lower of each pair, so that a raised twin stays."""
    lows = {chain.tip: chain.low for chain in chains}
    return [replace(c, low=min(c.low, lows.get(c.other, c.low))) for c in chains]


def drop_raised_pairs(chains: list[LegChain], ground: float) -> list[LegChain]:
    """Drop legs that stay clearly above the ground: arms, arms of a dinosaur."""
    near = [chain for chain in chains if chain.low <= ground + LEVELS.spread * chain.length]
    return keep_whole_pairs(near)


def drop_hanging_pairs(clip: PosedClip, chains: list[LegChain]) -> list[LegChain]:
    """Drop pairs whose lower limb hangs above the ground on which another pair stands.

    Only for clips in which nothing steps, seen with a mesh: whoever stands has its soles on one level,
    and hands that reach low are above it.

    Parameters
    ----------
    clip
        A clip without steps or the rest pose.
    chains
        Whole pairs.
    """
    medians = {chain.tip: measure_lows(clip, chain)[1] for chain in chains}
    levels = {c.tip: min(medians[c.tip], medians.get(c.other, np.inf)) for c in chains}
    lowest = min(chains, key=lambda chain: levels[chain.tip])
    most = levels[lowest.tip] + LEVELS.standing * lowest.length
    return [chain for chain in chains if levels[chain.tip] <= most]


def keep_whole_pairs(chains: list[LegChain]) -> list[LegChain]:
    """Drop legs whose partner was dropped; those that never had one stay."""
    tips = {chain.tip for chain in chains} | {NO_PARTNER}
    return [chain for chain in chains if chain.other in tips]


def drop_doubles(
    body: Body, clip: PosedClip, chains: list[LegChain], height: float
) -> list[LegChain]:
    """Keep one of several chains over the same place or from the same hip.

    Parameters
    ----------
    body, clip
        The prepared evidence and the clip in which the chains were found.
    chains
        Any chains.
    height
        H, metres.
    """
    apart: list[LegChain] = []
    ranks = {chain.tip: _rank_double(body, clip, chain, height) for chain in chains}
    # A pair is as good as the worse of both, so that left and right are of one kind.
    for chain in sorted(chains, key=lambda c: max(ranks[c.tip], ranks.get(c.other, ranks[c.tip]))):
        if not any(_is_double(body, clip, chain, other, height) for other in apart):
            apart.append(chain)
    single: list[LegChain] = []
    for chain in sorted(apart, key=lambda c: (-len(c.joints) if c.detached else 0, c.low)):
        if all(chain.joints[0] != other.joints[0] for other in single):
            single.append(chain)
    return keep_whole_pairs(single)


def _rank_double(
    body: Body, clip: PosedClip, chain: LegChain, height: float
) -> tuple[int, int, int, int, int]:
    """Order among chains of one limb: a foot first, then what is in use, moves, is no control."""
    joints = list(chain.joints)
    way = clip.heads[:, joints[-1]]
    still = bool(np.linalg.norm(np.ptp(way, axis=0)) < LEVELS.still * height)
    steering = sum(is_control(body.names[bone], is_chain=True) for bone in joints)
    used, deforming = (int(np.sum(flags[joints])) for flags in (body.used, body.deform))
    return chain.foot == "tip", -used, -deforming, still, steering


def _is_double(
    body: Body, clip: PosedClip, chain: LegChain, other: LegChain, height: float
) -> bool:
    """Whether a chain lies over or along another, ends at its ankle, or hangs in its foot."""
    if chain.other == other.tip:
        return False
    near = LEVELS.same_leg * height
    ends = [[c.joints[0], c.joints[-1]] for c in (chain, other)]
    over = np.linalg.norm(clip.heads[0, ends[0]] - clip.heads[0, ends[1]], axis=1).max() < near
    heads = body.heads
    same_ankle = np.linalg.norm(heads[ends[0][1]] - heads[ends[1][1]]) < near
    own, others = list(chain.joints), list(other.joints)
    lower = [*others[1:], *(() if other.toe is None else (other.toe,))]
    in_foot = np.linalg.norm(heads[lower] - heads[own[0]], axis=1).min() < near
    along = max(_measure_gaps(heads[own], heads[others])) < near
    covered = max(_measure_gaps(heads[others], heads[own])) < near
    return bool(over or same_ankle or in_foot or along or covered)


def _measure_gaps(points: FloatArray, line: FloatArray) -> list[float]:
    """Distances of points (N, 3) from a line of joints (K, 3)."""
    gaps: list[float] = []
    for point in points:
        away, ways = point - line[:-1], np.diff(line, axis=0)
        lengths = np.maximum(np.sum(ways**2, axis=1), TINY**2)
        shares = np.clip(np.sum(away * ways, axis=1) / lengths, 0.0, 1.0)
        gaps.append(float(np.linalg.norm(away - shares[:, None] * ways, axis=1).min()))
    return gaps
