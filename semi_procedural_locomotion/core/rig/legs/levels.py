# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which chains reach the ground that the legs share, and no limb twice (docs/method/legs.md, Levels)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .body import Body, PosedClip
from .chains import NO_PARTNER, LegChain
from .limits import LEVELS


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
    heads = clip.heads[0]
    apart: list[LegChain] = []
    for chain in sorted(chains, key=lambda c: -int(np.sum(body.used[list(c.joints)]))):
        ends = heads[[chain.joints[0], chain.joints[-1]]]
        gaps = [
            np.linalg.norm(ends - heads[[c.joints[0], c.joints[-1]]], axis=1).max() for c in apart
        ]
        if all(gap >= LEVELS.same_leg * height for gap in gaps):
            apart.append(chain)
    single: list[LegChain] = []
    for chain in sorted(apart, key=lambda c: (-len(c.joints) if c.detached else 0, c.low)):
        if all(chain.joints[0] != other.joints[0] for other in single):
            single.append(chain)
    return keep_whole_pairs(single)
