# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which chains reach the ground that the legs share, and no limb twice (docs/method/legs.md, Levels)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .body import Body, PosedClip
from .chains import NO_PARTNER, LegChain
from .limits import LEVELS
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


def share_pair_levels(chains: list[LegChain]) -> list[LegChain]:
    """The chains with ``low`` set to the lower of each pair, so that a raised twin stays."""
    lows = {chain.tip: chain.low for chain in chains}
    return [replace(c, low=min(c.low, lows.get(c.other, c.low))) for c in chains]


def drop_raised_pairs(chains: list[LegChain], ground: float) -> list[LegChain]:
    """Drop legs that stay clearly above the ground: arms, arms of a dinosaur."""
    near = [chain for chain in chains if chain.low <= ground + LEVELS.spread * chain.length]
    return keep_whole_pairs(near)


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
) -> tuple[int, int, int, int]:
    """Order among chains of one limb: those in use first, then those that move and are no controls."""
    joints = list(chain.joints)
    way = clip.heads[:, joints[-1]]
    still = bool(np.linalg.norm(np.ptp(way, axis=0)) < LEVELS.still * height)
    steering = sum(is_control(body.names[bone], is_chain=True) for bone in joints)
    return -int(np.sum(body.used[joints])), -int(np.sum(body.deform[joints])), still, steering


def _is_double(
    body: Body, clip: PosedClip, chain: LegChain, other: LegChain, height: float
) -> bool:
    """Whether a chain lies over another, ends at its ankle, or hangs in its foot."""
    if chain.other == other.tip:
        return False
    near = LEVELS.same_leg * height
    for heads in (clip.heads[0], body.heads):
        gaps = np.linalg.norm(
            heads[[chain.joints[0], chain.joints[-1]]] - heads[[other.joints[0], other.joints[-1]]],
            axis=1,
        )
        if gaps.max() < near:
            return True
    lower = [*other.joints[1:], *(() if other.toe is None else (other.toe,))]
    in_leg = np.linalg.norm(body.heads[lower] - body.heads[chain.joints[0]], axis=1).min() < near
    return bool(in_leg or gaps[1] < near)
