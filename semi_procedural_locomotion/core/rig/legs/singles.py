# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs in the middle, which have no partner, told from tails by their steps.

The method: docs/method/legs.md, Single legs.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...maths.rotations import FloatArray
from .ankles import StancePose
from .attachment import Attachment
from .body import Body, PosedClip
from .chains import LegChain, build_single_chain
from .contacts import Contacts
from .limits import GROUND, LEVELS, LOADS, SINGLES, STEPPING, TINY
from .names import is_never_leg
from .pairing import LimbPair, Mirror
from .skin import pose_heights
from .stepping import FootMotion, Stepping, measure_backing, measure_stepping

_BOTH = 2


def find_middle_legs(
    body: Body,
    attachment: Attachment,
    clip: PosedClip,
    contacts: Contacts,
    chains: list[LegChain],
    stepping: Stepping,
    mirror: Mirror,
    stances: list[StancePose],
) -> list[LegChain]:
    """Limbs on the mirror plane that step with the pairs of a clip.

    Parameters
    ----------
    body, attachment, clip, contacts, stances
        As for `chains.build_chains`, with the ground that the pairs share.
    chains, stepping, mirror
        The pairs of the clip, how they step, and their plane.
    """
    if not (stepping.walks and chains):
        return []
    length = float(np.mean([chain.length for chain in chains]))
    taken = {bone for chain in chains for bone in (*chain.bones, *chain.joints, chain.tip)}
    width = _measure_width(clip, chains, mirror)
    found: list[LegChain] = []
    for single in _list_singles(body, attachment, clip, contacts, taken, stances):
        ends = clip.heads[mirror.frame, [single.joints[0], single.joints[-1]]]
        central = np.abs(mirror.measure_sides(ends)).max() < SINGLES.central * width
        alike = length / SINGLES.most_longer < single.length < length * SINGLES.most_longer
        level = abs(single.low - contacts.ground) < LEVELS.spread * length
        steep = _measure_steepness(clip, [single]) > SINGLES.as_steep * _measure_steepness(
            clip, chains
        )
        stands = central and alike and level and steep
        if stands and _steps_along(clip, single, stepping, contacts.ground):
            found.append(single)
    return found


def find_lone_leg(
    body: Body,
    attachment: Attachment,
    clip: PosedClip,
    contacts: Contacts,
    pairs: list[LimbPair],
    stances: list[StancePose],
) -> LegChain | None:
    """The one leg of a character that hops, or None.

    It alone reaches the ground, it is steep, no limb may be its twin, and the clip travels on it.

    Parameters
    ----------
    body, attachment, clip, contacts, stances
        As for `chains.build_chains`.
    pairs
        Limbs of the clip that mirror one another; they hang higher, as arms do.
    """
    singles = _list_alone(body, attachment, clip, contacts, pairs, stances)
    if len(singles) != 1:
        return None
    single = singles[0]
    paired = np.zeros(len(body.names), dtype=bool)
    for pair in pairs:
        paired |= attachment.tree.below[[path[0] for path in pair.paths]].any(axis=0)
    twins = body.used & body.twins[list(single.joints)].any(axis=0)
    if np.any(twins & ~paired & ~attachment.tree.below[single.joints[0]]):
        return None
    _, stepping = measure_stepping(clip, [single], single.low, may_drop=False)
    steep = _measure_steepness(clip, [single]) > SINGLES.steep
    return single if steep and stepping.walks else None


def find_unlike_pair(
    body: Body,
    attachment: Attachment,
    clip: PosedClip,
    contacts: Contacts,
    pairs: list[LimbPair],
    stances: list[StancePose],
) -> list[LegChain]:
    """Two legs of unlike build, as a foot and a peg, or none.

    They alone reach the ground, are steep, begin as twins, and the clip travels on them in turns.

    Parameters
    ----------
    body, attachment, clip, contacts, stances
        As for `chains.build_chains`.
    pairs
        Limbs of the clip that mirror one another; they hang higher, as arms do.
    """
    singles = _list_alone(body, attachment, clip, contacts, pairs, stances)
    if len(singles) != _BOTH:
        return []
    first, second = singles
    twins = body.twins[first.joints[0], second.joints[0]]
    steep = min(_measure_steepness(clip, [single]) for single in singles) > SINGLES.steep
    fork = attachment.tree.find_common_ancestor(first.joints[0], second.joints[0])
    both = [
        replace(first, other=second.tip, fork=fork, cost=SINGLES.unlike),
        replace(second, other=first.tip, fork=fork, cost=SINGLES.unlike),
    ]
    low = min(single.low for single in singles)
    _, stepping = measure_stepping(clip, both, low, may_drop=False)
    turns = stepping.alternation is not None and stepping.alternation < 0.0
    return both if twins and steep and stepping.walks and turns else []


def _list_alone(
    body: Body,
    attachment: Attachment,
    clip: PosedClip,
    contacts: Contacts,
    pairs: list[LimbPair],
    stances: list[StancePose],
) -> list[LegChain]:
    """Limbs beside pairs that reach the ground on one level, none where anything else comes so low."""
    taken = {bone for pair in pairs for path in pair.paths for bone in path}
    singles = _list_singles(body, attachment, clip, contacts, taken, stances, is_lone=True)
    if not singles:
        return []
    lows, tips = [single.low for single in singles], [single.tip for single in singles]
    floor = min(lows) + LEVELS.spread * max(single.length for single in singles)
    others = [bone for bone in contacts.tips if bone not in tips]
    alone = max(lows) <= floor and not np.any(clip.lows[:, others] < floor)
    return singles if alone else []


def _list_singles(
    body: Body,
    attachment: Attachment,
    clip: PosedClip,
    contacts: Contacts,
    taken: set[int],
    stances: list[StancePose],
    is_lone: bool = False,
) -> list[LegChain]:
    """Chains of the limbs that reach the ground and share no bone with those that are taken.

    An only leg may be half of its body, and goes on above the bones that carry as much of it.
    """
    tree = attachment.tree
    heavy = body.find_heavy(tree)
    known = [tip for tip in contacts.tips if tip in taken]
    found: list[LegChain] = []
    for tip in contacts.tips:
        above = tree.find_ancestors(tip)[1:]
        if tip in taken or taken.intersection(above) or is_never_leg(body.names[tip]):
            continue
        forks = (b for b in above if heavy[b] or any(tree.below[b, other] for other in known))
        fork = next(forks, -1)
        if is_lone:
            fork = _find_lone_fork(body, attachment, tip, fork)
        # Where arms alone have twins, the guessed ground is theirs.
        lows = np.where(np.isfinite(clip.lows[:, tip]), clip.lows[:, tip], clip.heads[:, tip, 2])
        low = float(np.percentile(lows, GROUND.percentile))
        seen = replace(contacts, ground=min(contacts.ground, low))
        chain = build_single_chain(body, attachment, clip, seen, tip, fork, stances)
        if chain is not None:
            found.append(chain)
    return found


def _find_lone_fork(body: Body, attachment: Attachment, tip: int, fork: int) -> int:
    """The bone of the trunk from which an only leg hangs, from a heavy bone above it upwards.

    What is heavy is of the leg where it carries nothing beside that, and hangs down.
    """
    tree = attachment.tree
    while fork >= 0 and tree.parents[fork] >= 0:
        below = tree.find_path_down(tip, fork)[0]
        beside = body.used & tree.below[fork] & ~tree.below[below]
        beside[fork] = False
        away = body.heads[below] - body.heads[fork]
        hangs = -away[2] > SINGLES.steep * np.linalg.norm(away)
        if beside.any() or not hangs or not _is_below_its_head(body, fork):
            break
        fork = tree.parents[fork]
    return fork


def _is_below_its_head(body: Body, bone: int) -> bool:
    """Whether the skin of a bone lies mostly below its head at rest; its tail where there is none."""
    if not body.has_mesh:
        return bool(body.tails[bone, 2] < body.heads[bone, 2])
    owned = body.skin.select(np.flatnonzero(body.skin.owners == bone))
    heights = pose_heights(owned, body.rest.axes, body.rest.heads)[0]
    return bool(len(heights) == 0 or np.median(heights) < body.heads[bone, 2])


def _measure_width(clip: PosedClip, chains: list[LegChain], mirror: Mirror) -> float:
    """Mean distance of the legs of pairs from their plane, where they are farthest, metres."""
    heads = clip.heads[mirror.frame]
    return float(
        np.mean([np.abs(mirror.measure_sides(heads[list(c.joints)])).max() for c in chains])
    )


def _measure_steepness(clip: PosedClip, chains: list[LegChain]) -> float:
    """Mean height of hips above their ankles over the legs' lengths; negative where they hang."""
    drops = [
        float(np.mean(clip.heads[:, c.joints[0], 2] - clip.heads[:, c.joints[-1], 2])) / c.length
        for c in chains
    ]
    return float(np.mean(drops))


def _steps_along(clip: PosedClip, single: LegChain, stepping: Stepping, ground: float) -> bool:
    """Whether a foot stands, lifts and goes with the ground as the feet of the pairs do."""
    _, alone = measure_stepping(clip, [single], ground, may_drop=False)
    foot = alone.feet.get(single.tip)
    travel = stepping.travel
    if foot is None or travel is None or measure_backing(clip, single, travel) < LOADS.carrying:
        return False
    feet = list(stepping.feet.values())
    common: FloatArray = np.median([other.velocity for other in feet], axis=0)
    speed = max(float(np.linalg.norm(common)), TINY)
    return bool(
        _lifts(foot, feet)
        and float(np.linalg.norm(foot.velocity - common)) < SINGLES.most_contrary * speed
        and foot.stance_share > STEPPING.least_own * max(other.stance_share for other in feet)
    )


def _lifts(foot: FootMotion, feet: list[FootMotion]) -> bool:
    """Whether a foot lifts in proportion to the others."""
    usual = float(np.median([other.lift for other in feet]))
    return foot.lift > max(STEPPING.least_lift, SINGLES.least_lift * usual)
