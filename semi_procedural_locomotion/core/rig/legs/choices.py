# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs whose bones a user names: checked, and measured like legs that were found."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....errors import RigError
from ..skeleton import Skeleton
from .attachment import Attachment
from .body import Body, PosedClip
from .chains import NO_PARTNER, LegChain, measure_length
from .contacts import Contacts
from .evidence import LegChoice
from .levels import find_level, share_pair_levels
from .limits import JOINTS, LEG_RECORDS, TINY
from .names import split_side
from .pairing import LimbPair, Mirror, pair_limbs
from .readings import ClipReading
from .stepping import measure_stepping


@dataclass(frozen=True)
class ChosenLeg:
    """Indices of a leg's bones, and its name or None."""

    joints: tuple[int, ...]
    toe: int | None
    name: str | None

    @property
    def tip(self) -> int:
        """The lowest bone."""
        return self.joints[-1] if self.toe is None else self.toe


def resolve_choices(skeleton: Skeleton, choices: Sequence[LegChoice]) -> list[ChosenLeg]:
    """Check named legs and turn names into indices.

    Parameters
    ----------
    skeleton
        The bones.
    choices
        One leg or more.

    Raises
    ------
    RigError
        Naming the bone and the cure.
    """
    if not choices:
        raise RigError("no legs were named; name at least one from hip to ankle")
    owners: dict[int, str] = {}
    chosen: list[ChosenLeg] = []
    for number, choice in enumerate(choices, start=1):
        label = f"leg {choice.name!r}" if choice.name else f"leg {number}"
        if len(choice.bones) < 2:
            raise RigError(f"{label} needs two bones or more, from hip to ankle")
        joints = [_find_bone(skeleton, name, label) for name in choice.bones]
        toe = None if choice.toe is None else _find_bone(skeleton, choice.toe, label)
        _check_descent(skeleton, joints, toe, label)
        for bone in [*joints, *([] if toe is None else [toe])]:
            if bone in owners:
                raise RigError(
                    f"bone {skeleton.names[bone]!r} is named by {owners[bone]} and {label}; "
                    "name every bone once"
                )
            owners[bone] = label
        chosen.append(ChosenLeg(tuple(joints), toe, choice.name))
    return chosen


def _find_bone(skeleton: Skeleton, name: str, label: str) -> int:
    """Index of a bone, or an error that suggests a similar name."""
    if name in skeleton.names:
        return skeleton.find_index(name)
    if not name:
        raise RigError(f"{label}: a bone is not chosen; choose one of the armature's bones")
    similar = difflib.get_close_matches(name, skeleton.names, n=1)
    cure = f"did you mean {similar[0]!r}?" if similar else "choose one of the armature's bones"
    raise RigError(f"{label}: there is no bone {name!r}; {cure}")


def _check_descent(skeleton: Skeleton, joints: list[int], toe: int | None, label: str) -> None:
    """Every joint is below the one before; only an ankle may hang elsewhere, but not above."""
    names = skeleton.names
    for index, (upper, lower) in enumerate(itertools.pairwise(joints)):
        is_ankle = index == len(joints) - 2 and len(joints) > 2
        above = upper in skeleton.find_ancestors(lower)[1:]
        loose = is_ankle and lower not in skeleton.find_ancestors(upper)
        if not above and not loose:
            raise RigError(
                f"{label}: bone {names[lower]!r} is not below {names[upper]!r}; "
                "name the bones from hip to ankle"
            )
    if toe is not None and joints[-1] not in skeleton.find_ancestors(toe)[1:]:
        raise RigError(
            f"{label}: toe {names[toe]!r} is not below the ankle {names[joints[-1]]!r}; "
            "choose a bone of the foot"
        )


def read_chosen_legs(
    body: Body, attachment: Attachment, clip: PosedClip, chosen: list[ChosenLeg]
) -> ClipReading:
    """What one clip shows of legs that are given.

    Parameters
    ----------
    body, attachment
        The prepared evidence and its re-attached tree.
    clip
        One of the body's clips or its rest pose.
    chosen
        The legs.
    """
    tips = tuple(leg.tip for leg in chosen)
    lows = {leg.tip: _measure_low(body, clip, leg) for leg in chosen}
    ground = min(lows.values())
    height = max(float(np.median(clip.heads[:, :, 2].max(axis=1))) - ground, TINY)
    contacts = Contacts(ground, height, np.isin(np.arange(len(body.names)), tips), tips)
    pairs, mirror = pair_limbs(body, attachment, clip, contacts)
    chains = [_make_chain(body, clip, leg, pairs, ground, lows[leg.tip]) for leg in chosen]
    chains = share_pair_levels(_pair_last_two(body, clip, chains, mirror))
    ground = find_level(chains)
    chains, stepping = measure_stepping(clip, chains, ground, may_drop=False)
    return ClipReading(clip, ground, height, tuple(chains), (), mirror, stepping)


def _pair_last_two(
    body: Body, clip: PosedClip, chains: list[LegChain], mirror: Mirror | None
) -> list[LegChain]:
    """The chains, two without a partner as a pair where they are on different sides."""
    lone = [chain for chain in chains if chain.other == NO_PARTNER]
    if len(lone) != 2:
        return chains
    first, second = lone
    sides = [split_side(body.names[chain.joints[0]])[0] for chain in lone]
    if sides[0] and sides[0] == sides[1]:
        return chains
    if len(chains) > 2:
        if mirror is None:
            return chains
        hips = clip.heads[mirror.frame, [chain.joints[0] for chain in lone]]
        out = mirror.measure_sides(hips)
        least = LEG_RECORDS.sides_clear * min(first.length, second.length)
        if out[0] * out[1] >= 0 or np.abs(out).min() < least:
            return chains
    common = set(body.tree.find_ancestors(first.joints[0]))
    fork = next((b for b in body.tree.find_ancestors(second.joints[0]) if b in common), -1)
    others = {first.tip: second.tip, second.tip: first.tip}
    return [
        replace(chain, other=others[chain.tip], fork=fork) if chain.tip in others else chain
        for chain in chains
    ]


def _measure_low(body: Body, clip: PosedClip, leg: ChosenLeg) -> float:
    """Height that the lowest point of a leg and of what hangs from its ankle reaches, metres."""
    foot = [*leg.joints, *body.tree.find_subtree(leg.joints[-1])]
    lows = np.minimum(clip.lows[:, foot], clip.heads[:, foot, 2]).min(axis=1)
    return float(np.percentile(lows, JOINTS.low_percentile))


def _make_chain(
    body: Body, clip: PosedClip, leg: ChosenLeg, pairs: list[LimbPair], ground: float, low: float
) -> LegChain:
    """A chain for a leg that was named."""
    other, fork, cost = NO_PARTNER, -1, 0.0
    for pair in pairs:
        if leg.tip in pair.tips:
            other = pair.tips[1 - pair.tips.index(leg.tip)]
            fork, cost = pair.fork, pair.cost
    length = measure_length(clip, leg.joints)
    rest_length = float(np.linalg.norm(np.diff(body.heads[list(leg.joints)], axis=0), axis=1).sum())
    if min(length, rest_length) < TINY * body.size:
        name = body.names[leg.joints[0]]
        raise RigError(f"the leg from {name!r} has no length: choose joints that are apart")
    hip = float(np.median(clip.heads[:, leg.joints[0], 2])) - ground
    shin, ankle = leg.joints[-2:]
    return LegChain(
        tip=leg.tip,
        other=other,
        fork=fork,
        cost=cost,
        joints=leg.joints,
        toe=leg.toe,
        bones=leg.joints if leg.toe is None else (*leg.joints, leg.toe),
        contacts=(leg.tip,) if body.used[leg.tip] else (),
        foot="foot",
        detached=not body.tree.below[shin, ankle],
        length=length,
        hip_ratio=hip / length,
        low=low,
    )
