# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Detached feet without motion evidence, assigned to shins by distance in the rest pose."""

from __future__ import annotations

import itertools

import numpy as np

from .body import Body
from .footless import measure_deviations
from .limits import MOTION_LINKS, REST_LINKS, TINY


def assign_feet_at_rest(
    body: Body, linked: set[int], leaves: list[int], taken: set[int]
) -> list[tuple[int, int]]:
    """Pair low, twinned feet that nothing carries with higher leaves, nearest first.

    Parameters
    ----------
    body
        The prepared evidence.
    linked
        Feet that have a shin already.
    leaves
        Bones that may be shins.
    taken
        Shins that have a foot already.

    Returns
    -------
    list of (foot, shin)
        Only feet one of whose twins has a shin too: one lonely foot proves nothing.
    """
    feet = _find_loose_feet(body, linked, taken, leaves)
    inside = {int(b) for foot in feet for b in body.tree.find_subtree(foot)}
    shins = [
        leaf
        for leaf in leaves
        if body.twins[leaf].any() and body.used[leaf] and leaf not in inside and leaf not in taken
    ]
    costs = {
        (foot, shin): _measure_distance(body, foot, shin)
        for foot in feet
        for shin in shins
        if _fits(body, foot, shin)
    }
    assigned = _assign(feet, shins, costs)
    known = linked | set(assigned)
    return [
        (foot, shin)
        for foot, shin in assigned.items()
        if any(body.twins[foot, other] for other in known)
    ]


def _find_loose_feet(body: Body, linked: set[int], taken: set[int], leaves: list[int]) -> list[int]:
    """Low twinned bones, hardly anything below them, with no used bone but the trunk above.

    A bone above a shin that has a foot is an upper leg, however low and light.
    """
    tree = body.tree
    heavy = body.find_heavy(tree)
    shares = body.measure_shares(tree)
    floor, top = _find_extent(body)
    twinned = body.twins.any(axis=1)
    feet: list[int] = []
    for bone in np.flatnonzero(body.used_below & twinned & (shares < REST_LINKS.most_weight)):
        above = tree.find_ancestors(int(bone))
        if body.heads[bone, 2] >= floor + REST_LINKS.low * (top - floor):
            continue
        if any(body.tree.below[bone, shin] for shin in taken):
            continue
        if any(b in linked for b in above) or any(body.used[b] and not heavy[b] for b in above[1:]):
            continue
        if any(body.used_below[b] and not heavy[b] and twinned[b] for b in above[1:]):
            continue
        if count_used_levels(body, int(bone)) <= REST_LINKS.most_levels:
            feet.append(int(bone))
    return _drop_short_legs(body, feet, leaves)


def _drop_short_legs(body: Body, feet: list[int], leaves: list[int]) -> list[int]:
    """Remove feet whose subtree holds the leaf nearest to a lower one: they are short upper legs."""
    twinned = body.twins.any(axis=1)
    removed: set[int] = set()
    for foot in feet:
        near = [
            (_measure_distance(body, foot, leaf), leaf)
            for leaf in leaves
            if not body.tree.below[foot, leaf] and twinned[leaf] and body.used[leaf]
            if _is_higher(body, leaf, foot)
        ]
        if near:
            nearest = min(near)[1]
            removed |= {
                other for other in feet if other != foot and body.tree.below[other, nearest]
            }
    return [foot for foot in feet if foot not in removed]


def _find_extent(body: Body) -> tuple[float, float]:
    """Lowest and highest of what supports the rest pose."""
    lows = body.rest.lows[0]
    if not body.used.any():
        return 0.0, 0.0
    floor = float(lows[body.used].min())
    return floor, floor + body.size if body.has_mesh else float(body.heads[body.used, 2].max())


def count_used_levels(body: Body, bone: int) -> int:
    """Largest number of used bones on a way down from ``bone``, not counting itself."""
    counts = [
        int(body.used[child]) + count_used_levels(body, child) for child in body.tree.children[bone]
    ]
    return max(counts, default=0)


def _measure_distance(body: Body, first: int, second: int) -> float:
    """Rest distance of two heads."""
    return float(np.linalg.norm(body.heads[first] - body.heads[second]))


def _is_higher(body: Body, shin: int, foot: int) -> bool:
    """Whether a shin's head is clearly above a foot's."""
    rise = body.heads[shin, 2] - body.heads[foot, 2]
    return bool(rise > REST_LINKS.higher * _measure_distance(body, foot, shin))


def _fits(body: Body, foot: int, shin: int) -> bool:
    """Whether the foot can hang from the shin at all."""
    distance, segment = _measure_distance(body, foot, shin), body.measure_segment(shin)
    return (
        _is_higher(body, shin, foot)
        and distance < MOTION_LINKS.reach * segment
        and body.measure_extent(foot) < MOTION_LINKS.extent * (segment + distance)
        and not body.tree.below[shin, foot]
        and not _is_jointed(body, foot, shin)
    )


def _is_jointed(body: Body, foot: int, shin: int) -> bool:
    """Whether clips have a bone stay where it joins the trunk, and the shin move: it is a hip."""
    parent = body.tree.parents[foot]
    clips = [clip for clip in body.clips if clip.frame_count >= MOTION_LINKS.fewest_frames]
    if parent < 0 or not body.used[parent] or not clips:
        return False
    ways = np.max(
        [
            np.percentile(
                measure_deviations(clip, np.array([parent, parent]), clip.heads[:, [foot, shin]]),
                MOTION_LINKS.motion_percentile,
                axis=0,
            )
            for clip in clips
        ],
        axis=0,
    )
    least = MOTION_LINKS.moves * body.size
    return bool(ways[0] < least < ways[1])


def _assign(
    feet: list[int], shins: list[int], costs: dict[tuple[int, int], float]
) -> dict[int, int]:
    """One-to-one assignment of small total distance: greedy, then swaps of two while they help."""
    assigned: dict[int, int] = {}
    for (foot, shin), _ in sorted(costs.items(), key=lambda item: (item[1], item[0])):
        if foot not in assigned and shin not in assigned.values():
            assigned[foot] = shin
    missing = REST_LINKS.unassigned_factor * max(costs.values(), default=1.0)

    def cost(foot: int, shin: int | None) -> float:
        return missing if shin is None else costs.get((foot, shin), missing)

    improved = True
    while improved:
        improved = False
        for first, second in itertools.combinations(feet, 2):
            a, b = assigned.get(first), assigned.get(second)
            if cost(first, b) + cost(second, a) < cost(first, a) + cost(second, b) - TINY * missing:
                for foot, swapped in ((first, b), (second, a)):
                    if swapped is None or (foot, swapped) not in costs:
                        assigned.pop(foot, None)
                    else:
                        assigned[foot] = swapped
                improved = True
        for foot in feet:
            free = [
                shin for shin in shins if (foot, shin) in costs and shin not in assigned.values()
            ]
            if foot not in assigned and free:
                assigned[foot] = min(free, key=lambda shin: costs[foot, shin])
                improved = True
    return assigned
