# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which limbs carry the body, over all clips: legs that one clip hides, arms that one clip shows.

The method: docs/method/legs.md, Legs over all clips.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

import numpy as np

from .chains import LegChain, measure_length
from .levels import keep_whole_pairs, measure_lows, share_pair_levels
from .limits import LOADS, TINY
from .readings import ClipReading, rate_walking
from .stepping import measure_backing, measure_stepping


class Load(Enum):
    """What a clip in which others walk shows of a limb."""

    CARRIES = "carries"
    UNSURE = "unsure"
    SWINGS = "swings"


def merge_readings(readings: list[ClipReading], chosen: ClipReading) -> ClipReading:
    """The chosen reading with the pairs of legs that others show and none that they deny.

    Parameters
    ----------
    readings
        All clips and the rest pose.
    chosen
        That of them which decides, with legs.
    """
    others = [r for r in readings if r is not chosen and r.chains]
    upright = [r for r in others if stands_like(r, chosen)]
    walking = [r for r in (chosen, *upright) if is_walk(r)]
    kept = chosen if walking else _drop_denied(chosen, upright)
    for pair in _list_missing(kept, others):
        loads = [weigh_limb(reading, pair) for reading in walking]
        shown = sum(all(shows_limb(r, limb) for limb in pair) for r in upright)
        if _is_leg(loads, shown, len(upright)):
            kept = _add_pair(kept, pair)
    return kept


def is_walk(reading: ClipReading) -> bool:
    """Whether a clip walks surely enough to say which limbs carry."""
    return rate_walking(reading) > LOADS.least_walk


def stands_like(reading: ClipReading, chosen: ClipReading) -> bool:
    """Whether the hips of a clip are about as high as those of the deciding one: no crawl, no death."""
    return reading.hip_ratio > LOADS.upright * chosen.hip_ratio


def shows_limb(reading: ClipReading, chain: LegChain) -> bool:
    """Whether one of a reading's legs is the same limb as ``chain``."""
    bones = set(chain.bones)
    return any(not bones.isdisjoint(own.bones) for own in reading.chains)


def weigh_limb(reading: ClipReading, pair: tuple[LegChain, LegChain]) -> Load:
    """Whether a pair of limbs carries in a clip whose own legs walk.

    What carries comes down to the ground of the others and goes backward with it while it is low. An arm
    is as low going forward as going back.

    Parameters
    ----------
    reading
        A reading that walks.
    pair
        Two limbs, whether or not the reading has them.
    """
    if all(shows_limb(reading, limb) for limb in pair):
        return Load.CARRIES
    travel = reading.stepping.travel
    if travel is None or float(np.linalg.norm(travel)) < TINY:
        return Load.UNSURE
    length = float(np.mean([chain.length for chain in reading.chains]))
    floor = max(chain.low for chain in reading.chains)
    rises = [(measure_lows(reading.clip, limb)[0] - floor) / length for limb in pair]
    back = float(np.mean([measure_backing(reading.clip, limb, travel) for limb in pair]))
    if min(rises) > LOADS.raised or back < LOADS.swinging:
        return Load.SWINGS
    if max(rises) < LOADS.level and back > LOADS.carrying:
        return Load.CARRIES
    return Load.UNSURE


def _is_leg(loads: list[Load], shown: int, count: int) -> bool:
    """Whether a limb that the deciding clip does not show is a leg all the same.

    Parameters
    ----------
    loads
        What every walk shows of it.
    shown, count
        How many of the other upright readings show it, and how many there are.
    """
    if not loads:  # one reading more, the chosen one, does not show it
        return shown > LOADS.majority * (count + 1)
    carrying, swinging = loads.count(Load.CARRIES), loads.count(Load.SWINGS)
    usual = shown > 0 and shown >= LOADS.majority * count
    return carrying > swinging or (carrying == swinging == 0 and usual)


def _list_missing(
    chosen: ClipReading, others: list[ClipReading]
) -> list[tuple[LegChain, LegChain]]:
    """Pairs that other readings show and that share no bone with one another or with the chosen legs.

    Readings of upright bodies come first.
    """
    taken = {bone for chain in chosen.chains for bone in chain.bones}
    pairs: list[tuple[LegChain, LegChain]] = []
    for reading in sorted(others, key=lambda r: (-rate_walking(r), -r.hip_ratio)):
        by_tip = {chain.tip: chain for chain in reading.chains}
        for chain in reading.chains:
            partner = by_tip.get(chain.other)
            if partner is None or partner.tip < chain.tip:
                continue
            bones = {*chain.bones, *partner.bones}
            if bones.isdisjoint(taken):
                taken |= bones
                pairs.append((chain, partner))
    return pairs


def _drop_denied(chosen: ClipReading, others: list[ClipReading]) -> ClipReading:
    """Where nothing walks: the reading without pairs that most of the others do not show."""
    kept = []
    for chain in chosen.chains:
        shown = 1 + sum(shows_limb(reading, chain) for reading in others)
        if shown >= LOADS.majority * (len(others) + 1):
            kept.append(chain)
    if not kept or len(kept) == len(chosen.chains):
        return chosen
    kept = keep_whole_pairs(kept)
    return _measure_again(chosen, kept) if kept else chosen


def _add_pair(chosen: ClipReading, pair: tuple[LegChain, LegChain]) -> ClipReading:
    """The reading with two limbs more, measured in its own clip."""
    chains = list(chosen.chains)
    for limb in pair:
        length = measure_length(chosen.clip, limb.joints)
        hip = float(np.median(chosen.clip.heads[:, limb.joints[0], 2])) - chosen.ground
        low = measure_lows(chosen.clip, limb)[0]
        ratio = hip / max(length, TINY)
        chains.append(replace(limb, length=length, hip_ratio=ratio, low=low))
    found = _measure_again(chosen, share_pair_levels(chains))
    tips = {limb.tip for limb in pair}
    return replace(found, unpaired=tuple(tip for tip in found.unpaired if tip not in tips))


def _measure_again(chosen: ClipReading, chains: list[LegChain]) -> ClipReading:
    """The reading with other chains and their stepping."""
    chains, stepping = measure_stepping(chosen.clip, chains, chosen.ground, may_drop=False)
    return replace(chosen, chains=tuple(chains), stepping=stepping)
