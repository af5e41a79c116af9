# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Left and right limbs matched by structure and a mirror plane (docs/method/legs.md, Pairs)."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from .attachment import Attachment
from .body import Body, PosedClip
from .contacts import Contacts
from .limits import LEVELS, PAIRS, STEPPING
from .names import is_never_leg, split_side


@dataclass(frozen=True)
class LimbPair:
    """Two limbs that mirror one another.

    Attributes
    ----------
    tips
        The bones that stand for the limbs.
    fork
        Their last common ancestor or -1.
    paths
        Bones from the child of the fork down to each tip.
    cost
        Structure, names and mirror together; at most `PairingCosts.most_total`.
    """

    tips: tuple[int, int]
    fork: int
    paths: tuple[tuple[int, ...], tuple[int, ...]]
    cost: float


@dataclass(frozen=True)
class Mirror:
    """A vertical plane.

    Attributes
    ----------
    normal
        Horizontal unit vector, shape (3,).
    origin
        A point of the plane, metres, shape (3,).
    frame
        The frame in which it was found.
    """

    normal: FloatArray
    origin: FloatArray
    frame: int

    def measure_sides(self, points: FloatArray) -> FloatArray:
        """Signed distances of points (..., 3) from the plane, metres."""
        return rot.dot(points - self.origin, self.normal)


@dataclass(frozen=True)
class _Candidate:
    """Two limbs that may be a pair."""

    pair: LimbPair
    structure_cost: float


def pair_limbs(
    body: Body, attachment: Attachment, clip: PosedClip, contacts: Contacts
) -> tuple[list[LimbPair], Mirror | None]:
    """Pairs of limbs and the mirror plane that most of them share.

    Parameters
    ----------
    body, attachment
        The prepared evidence and its re-attached tree.
    clip, contacts
        A clip and what touches the ground in it.
    """
    candidates = _list_candidates(body, attachment, clip, contacts)
    if not candidates:
        return [], None
    best_score = -np.inf
    best: tuple[list[LimbPair], Mirror | None] = ([], None)
    limbs = _list_limbs(candidates)
    way = _measure_way(clip, contacts)
    for frame in _choose_frames(clip, contacts):
        score, pairs, mirror = _vote_plane(
            candidates, limbs, way, body.heads[body.used], clip.heads[frame], contacts.height, frame
        )
        if mirror is not None and score > best_score + PAIRS.better_frame:
            best_score, best = score, (pairs, mirror)
    pairs, mirror = best
    named = [pair for pair in pairs if not any(is_never_leg(body.names[tip]) for tip in pair.tips)]
    return named, mirror


def _choose_frames(clip: PosedClip, contacts: Contacts) -> list[int]:
    """The best stance, the first, the quarter points and the last frame."""
    last = clip.frame_count - 1
    heights = clip.lows[:, list(contacts.tips)]
    away = np.where(np.isfinite(heights), np.abs(heights - contacts.ground), 0.0).sum(axis=1)
    stance = int(np.argmin(away))
    return sorted({stance, 0, last // 4, last // 2, (3 * last) // 4, last})


def _list_candidates(
    body: Body, attachment: Attachment, clip: PosedClip, contacts: Contacts
) -> list[_Candidate]:
    """All pairs of limbs that are alike in structure, with the cost of structure and names."""
    tree = attachment.tree
    candidates: list[_Candidate] = []
    ways = np.linalg.norm(np.ptp(clip.heads[:, list(contacts.tips)], axis=0), axis=-1)
    moving = dict(zip(contacts.tips, ways > LEVELS.still * contacts.height, strict=True))
    for first, second in itertools.combinations(contacts.tips, 2):
        if tree.below[first, second] or tree.below[second, first]:
            continue
        fork = tree.find_common_ancestor(first, second)
        paths = [tree.find_path_down(tip, fork) for tip in (first, second)]
        segments = [np.linalg.norm(np.diff(body.heads[path], axis=0), axis=1) for path in paths]
        longest = max(float(s.sum()) for s in segments)
        if longest < PAIRS.shortest * contacts.height:
            continue
        cost = abs(float(segments[0].sum() - segments[1].sum())) / longest
        cost += PAIRS.extra_bone * abs(len(paths[0]) - len(paths[1]))
        if len(paths[0]) == len(paths[1]):
            cost += float(np.abs(segments[0] - segments[1]).sum()) / longest
        if cost > PAIRS.most_plane_structure:
            continue
        names = _weigh_names(body, paths)
        names += PAIRS.one_still * (moving[first] != moving[second])
        pair = LimbPair((first, second), fork, (tuple(paths[0]), tuple(paths[1])), cost + names)
        candidates.append(_Candidate(pair, cost))
    return candidates


def _weigh_names(body: Body, paths: list[list[int]]) -> float:
    """Bonus for opposite sides with the same name, penalty for the same side."""
    bonus = 0.0
    top, end = ([split_side(body.names[path[index]]) for path in paths] for index in (0, -1))
    opposite = [{a[0], b[0]} == {"L", "R"} for a, b in (top, end)]
    same = [a[0] == b[0] != "" for a, b in (top, end)]
    matching = [far and a[1] == b[1] for far, (a, b) in zip(opposite, (top, end), strict=True)]
    if any(matching):
        bonus += PAIRS.same_name
    elif any(opposite):
        bonus += PAIRS.opposite_side
    if any(same):
        copied = top[0] == top[1] and end[0] == end[1]
        bonus += PAIRS.copied_side if copied else PAIRS.same_side
    return bonus


def _list_limbs(candidates: list[_Candidate]) -> np.ndarray:
    """Top and tip of each limb of some candidates, shape (N, 2) of int."""
    limbs = {
        tip: path[0]
        for candidate in candidates
        for tip, path in zip(candidate.pair.tips, candidate.pair.paths, strict=True)
    }
    return np.array([[top, tip] for tip, top in limbs.items()], dtype=np.intp)


def _measure_way(clip: PosedClip, contacts: Contacts) -> FloatArray:
    """How surely, and along which line, limbs go together while they are low: at most 1, shape (2,)."""
    if clip.frame_count < STEPPING.fewest_frames:
        return np.zeros(2)
    velocities = []
    for tip in contacts.tips:
        heights = np.where(np.isfinite(clip.lows[:, tip]), clip.lows[:, tip], clip.heads[:, tip, 2])
        low = heights <= np.percentile(heights, PAIRS.low_percentile)
        moves = np.gradient(clip.heads[:, tip, :2], clip.interval, axis=0)
        velocities.append(np.median(moves[low], axis=0))
    common = np.median(velocities, axis=0)
    speed = float(np.linalg.norm(common))
    strayed = float(np.median(np.linalg.norm(velocities - common, axis=1)))
    if speed < PAIRS.least_way * contacts.height:
        return np.zeros(2)
    return common / speed * max(0.0, 1.0 - strayed / speed)


def _vote_plane(
    candidates: list[_Candidate],
    limbs: np.ndarray,
    way: FloatArray,
    rest: FloatArray,
    heads: FloatArray,
    height: float,
    frame: int,
) -> tuple[float, list[LimbPair], Mirror | None]:
    """The plane that collects the most: pairs, limbs that lie on it, and the way along it.

    Planes are proposed by pairs, and by the way through the middle of all limbs.
    """
    pairs = [candidate.pair for candidate in candidates]
    tops = np.array([[path[0] for path in pair.paths] for pair in pairs])
    tips = np.array([pair.tips for pair in pairs])
    structure = np.array([candidate.structure_cost for candidate in candidates])
    named = np.array([pair.cost for pair in pairs])
    best: tuple[float, list[LimbPair], Mirror | None] = (-np.inf, [], None)
    proposed: list[tuple[FloatArray, FloatArray]] = []
    for pair in pairs:
        ends = find_separation(pair, heads, height)
        across = (heads[ends[0]] - heads[ends[1]]) * [1.0, 1.0, 0.0]
        if float(np.linalg.norm(across)) >= PAIRS.plane_separate * height:
            proposed.append((across, 0.5 * (heads[ends[0]] + heads[ends[1]])))
    if way.any():  # where nothing mirrors along it, it collects no pairs
        proposed.append((np.array([-way[1], way[0], 0.0]), heads[limbs[:, 0]].mean(axis=0)))
    for across, origin in proposed:
        normal = across / float(np.linalg.norm(across))
        away = heads[tops[:, 0]] - origin
        mirrored = heads[tops[:, 0]] - 2.0 * rot.dot(away, normal)[:, None] * normal
        cost = np.linalg.norm(mirrored - heads[tops[:, 1]], axis=1) / height
        top_gap = np.abs(rot.dot(heads[tops[:, 0]] - heads[tops[:, 1]], normal)) / height
        tip_gap = np.abs(rot.dot(heads[tips[:, 0]] - heads[tips[:, 1]], normal)) / height
        cost += np.where(np.maximum(top_gap, tip_gap) < PAIRS.crowded, PAIRS.crowded_cost, 0.0)
        total = named + cost
        fits = (
            (structure <= PAIRS.most_structure)
            & (cost <= PAIRS.most_mirror)
            & (total <= PAIRS.most_total)
        )
        taken: set[int] = set()
        chosen: list[LimbPair] = []
        score = 0.0
        if way.any() and _measure_unlike(rest, normal) < PAIRS.crowded * height:
            # Crabs go sideways: what has a front of its own is mirrored along one plane alone.
            score = PAIRS.along * (1.0 - abs(float(way @ normal[:2])))
        for index in sorted(np.flatnonzero(fits), key=lambda i: total[i]):
            found = pairs[index]
            if taken.isdisjoint(found.tips):
                taken.update(found.tips)
                chosen.append(LimbPair(found.tips, found.fork, found.paths, float(total[index])))
                score += 1.0 - PAIRS.worth * float(total[index])
        sides = np.abs(rot.dot(heads[limbs] - origin, normal)).max(axis=1)
        on_plane = sides < PAIRS.crowded * height
        on_plane &= ~np.isin(limbs[:, 1], list(taken))
        score += PAIRS.middle * float(np.count_nonzero(on_plane))
        if score > best[0]:
            best = (score, chosen, Mirror(normal, origin, frame))
    return best


def _measure_unlike(points: FloatArray, normal: FloatArray) -> float:
    """Mean distance from the image of points (N, 3), mirrored in their middle, to the nearest."""
    some = points[:: max(1, len(points) // PAIRS.most_mirrored)]
    away = rot.dot(some - points.mean(axis=0), normal)[:, None] * normal
    apart = points[:, None] - (some - 2.0 * away)
    return float(np.linalg.norm(apart, axis=-1).min(axis=0).mean())


def find_separation(pair: LimbPair, heads: FloatArray, height: float) -> tuple[int, int]:
    """First joints down the two paths that are clearly apart horizontally; the tips if none are.

    Parameters
    ----------
    pair
        The limbs.
    heads
        Heads of one frame, metres, shape (B, 3).
    height
        H, metres.
    """
    for first, second in zip(*pair.paths, strict=False):
        if np.linalg.norm((heads[first] - heads[second])[:2]) > PAIRS.separate * height:
            return first, second
    return pair.tips
