# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The method that the program began with, by its published formulas, on the rig of `ordinary`.

R. S. Johansen, Automated Semi-Procedural Animation for Character Locomotion (2009), and the program that
came with it: two rays a footprint, a path between two prints that is lifted over the line between
them, the body on the weighted mean of the feet's ground, hips as low as the legs need frame by frame.
Straight on at the clip's own speed its prediction of prints is exact.

Not its own are the key times (those that the program finds), the speed, and the solver: Blender's IK
in place of its two. A foot in flight keeps the turn that the clip gives it in the world rather than to
the shin. The limits on how far a foot may be moved and turned are not set.
Arrays are in the axes of a course, metres; F frames, K legs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tools.compatibility.courses import Course

from .ordinary import Ankles, add_empty, carried, find_ways, look_at_held, playing
from .stages import Actor, Shown, find_way

_UP = np.array([0.0, 0.0, 1.0])
# Its fixed numbers: gain of the balance, supports, reach, ledges (a share of the foot).
_BALANCE, _LEAST, _REACH, _LEDGE = 20.0, 0.001, 0.999, 0.25
_STEEPEST = np.cos(np.radians(60.0))
_PLUMB = 0.1
# Share of the leg that a foot is long at least.
_SHORTEST = 0.02


@dataclass(frozen=True)
class Cycle:
    """What is read off the clip in place.

    Attributes
    ----------
    heels, tips
        Places of heel and toe tip, shape (F, K, 3).
    ankles, hips
        Places of the joints, shape (F, K, 3).
    lengths
        Of the legs, shape (K,).
    phases
        Cycles since the first frame, shape (F,).
    """

    heels: np.ndarray
    tips: np.ndarray
    ankles: np.ndarray
    hips: np.ndarray
    lengths: np.ndarray
    phases: np.ndarray


@dataclass(frozen=True)
class Step:
    """One leg between two prints, each of shape (F, 3) or (F,).

    Attributes
    ----------
    target
        Where the ankle shall be.
    base
        Where the footbase is.
    normal
        Up of the foot's turn away from that of the clip.
    ground
        Supporting ground, as if the body stood over it.
    weight
        How much that counts.
    spot
        Supporting ground itself.
    """

    target: np.ndarray
    base: np.ndarray
    normal: np.ndarray
    ground: np.ndarray
    weight: np.ndarray
    spot: np.ndarray


def read_cycle(actor: Actor, still: Shown) -> Cycle:
    """Read the clip as it plays in place."""
    walk, bones = actor.found["walk"], still.sight.bones
    phases = np.arange(len(bones)) / actor.found["fps"] / walk["period"]
    heels, tips = [], []
    for leg, points in zip(walk["legs"], still.feet.values(), strict=True):
        stance = points[int(np.abs(phases - 1.0 - leg["stance"]).argmin())]
        low = np.flatnonzero(stance[:, 2] < stance[:, 2].min() + 0.05 * actor.length)
        heels.append(points[:, low[stance[low, 0].argmin()]])
        tips.append(points[:, low[stance[low, 0].argmax()]])
    chains = [bones[:, leg, 0] for leg in actor.joints]
    return Cycle(
        np.stack(heels, axis=1),
        np.stack(tips, axis=1),
        np.stack([chain[:, -1] for chain in chains], axis=1),
        np.stack([chain[:, 0] for chain in chains], axis=1),
        np.array([np.linalg.norm(np.diff(c[0], axis=0), axis=1).sum() for c in chains]),
        phases,
    )


def walk_as_published(actor: Actor, course: Course, cycle: Cycle, ankles: Ankles) -> Shown:
    """Walk over a ground, the rig after `ordinary.add_tips`."""
    count = len(ankles.matrices)
    axes, ways = find_way(actor), find_ways(actor, count)
    steps = [_plan_step(actor, course, cycle, leg, ways) for leg in range(len(actor.joints))]
    weights = np.array([s.weight for s in steps]) + _LEAST
    heights = (weights * [s.ground[:, 2] for s in steps]).sum(axis=0) / weights.sum(axis=0)
    targets = _support(steps, heights, cycle, actor)
    pitches = _find_pitches(steps) if len(steps) > 2 else np.tile(_UP, (count, 1))
    middle = cycle.hips[:count].mean(axis=1)
    turns = _turn_to(pitches)
    place = np.stack([ways, 0.0 * ways, heights], axis=1)
    tilted = np.einsum("fij,fkj->fki", turns, cycle.hips[:count] - middle[:, None])
    hips = tilted + (middle + place)[:, None]
    targets, offsets = _lower(targets, hips, steps, cycle, count)
    moves = np.tile(np.eye(4), (count, 1, 1))
    moves[:, :3, :3] = turns
    place[:, 2] += offsets
    moves[:, :3, 3] = middle + place - np.einsum("fij,fj->fi", turns, middle)
    back = np.linalg.inv(axes)
    controls = []
    for leg, step in enumerate(steps):
        matrices = ankles.matrices[:, leg].copy()
        spin = axes[:3, :3] @ _turn_to(step.normal) @ axes[:3, :3].T
        matrices[:, :3, :3] = spin @ matrices[:, :3, :3]
        matrices[:, :3, 3] = targets[:, leg] @ axes[:3, :3].T + axes[:3, 3]
        controls.append(add_empty("Control", matrices))
    with playing(actor, count), carried(actor, axes @ moves @ back):
        return look_at_held(actor, axes, controls, ankles.gaps)


def _plan_step(actor: Actor, course: Course, cycle: Cycle, leg: int, ways: np.ndarray) -> Step:
    """Prints of a leg and the path between them; the body's support is added later."""
    times = actor.found["walk"]["legs"][leg]
    stride, count = actor.stride, len(ways)
    since = cycle.phases[:count] - times["stance"]
    number = np.floor(since).astype(int)
    tau = since - number

    def read(rows: np.ndarray, share: float) -> np.ndarray:
        place = times["stance"] + share + (1.0 if times["stance"] + share < 1.0 else 0.0)
        return np.array([np.interp(place, cycle.phases, row) for row in rows.T])

    across = read(cycle.tips[:, leg] - cycle.heels[:, leg], 0.0) * [1.0, 1.0, 0.0]
    size = float(np.linalg.norm(across))
    if size < _SHORTEST * actor.length:
        # A hoof that stands on one vertex; heel and toe tip are the same then.
        size = _SHORTEST * actor.length
        across = np.array([size, 0.0, 0.0])
    rolls = _find_balance(cycle.heels[:, leg] - cycle.tips[:, leg], size)[:, None]
    bases = (1.0 - rolls) * cycle.heels[:, leg] + rolls * (cycle.tips[:, leg] - across)
    stance, off, strike = (read(bases, t) for t in (0.0, times["off"], times["strike"]))
    own = float((strike - off)[0]) / (times["off"] - times["strike"] + 1.0)
    gone = bases[:count] - off
    gone[:, 0] += own * (tau - times["off"])
    share = np.clip(gone[:, 0] / own, 0.0, 1.0)
    share[tau <= times["off"]], share[tau >= times["strike"]] = 0.0, 1.0
    aside, lift = gone[:, 1], bases[:count, 2]

    numbers = np.arange(number.min(), number.max() + 2)
    starts = stance * [1.0, 1.0, 0.0] + (numbers + times["stance"])[:, None] * [stride, 0.0, 0.0]
    prints, normals = _ground(course, starts, across, size)
    row = number - numbers[0]
    last, coming, up, above = prints[row], prints[row + 1], normals[row], normals[row + 1]
    flight = np.clip((tau - times["off"]) / (times["strike"] - times["off"]), 0.0, 1.0)

    arc = np.sin(np.pi * share)[:, None]
    base = (1.0 - share)[:, None] * last + share[:, None] * coming
    level = np.stack([ways, 0.0 * ways], axis=1) + stance[:2]
    line = (1.0 - tau)[:, None] * last + tau[:, None] * coming
    base[:, :2] += arc * (level - line[:, :2])
    middle = 0.5 * (last + coming)
    rises = [
        np.einsum("fc,fc->f", normal, place - middle) / normal[:, 2]
        for normal, place in ((up, last), (above, coming))
    ]
    over = np.maximum(*rises) * 2.0 / np.pi * arc[:, 0]
    base[:, 2] += np.maximum(0.0, over - lift) + lift
    base[:, 1] += aside
    normal = _mix(up, above, flight)

    spot, weight = _find_support(times, tau, stride, (last, coming), (up, above))
    target, turned = _find_ankle(cycle, leg, base, normal, across, size, times, tau)
    ground = spot - stance * [1.0, 1.0, 0.0]
    return Step(target, base, turned, ground, weight, spot)


def _find_ankle(
    cycle: Cycle,
    leg: int,
    base: np.ndarray,
    normal: np.ndarray,
    across: np.ndarray,
    size: float,
    times: dict[str, float],
    tau: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Ankle over a footbase, and up of the foot's own turn, each (F, 3)."""
    count = len(base)
    rise = _ramp(times["lift"], times["post_lift"], tau)
    fall = 1.0 - _ramp(times["pre_land"], times["land"], tau)
    turned = _mix(np.tile(_UP, (count, 1)), normal, 1.0 - np.minimum(rise, fall))
    own, lay = _turn_to(turned), _turn_to(normal)
    heel, ankle = cycle.heels[:count, leg], cycle.ankles[:count, leg]
    apart = np.einsum("fij,fj->fi", own, heel - cycle.tips[:count, leg])
    roll = _find_balance(np.einsum("fji,fj->fi", lay, apart), size)[:, None]
    offset = roll * (lay @ across + apart)
    return base + offset - np.einsum("fij,fj->fi", own, heel - ankle), turned


def _find_support(
    times: dict[str, float],
    tau: np.ndarray,
    stride: float,
    places: tuple[np.ndarray, np.ndarray],
    normals: tuple[np.ndarray, np.ndarray],
) -> tuple[np.ndarray, np.ndarray]:
    """Supporting ground of a leg (F, 3), and its weight (F,)."""
    eased = 0.5 - 0.5 * np.cos(np.pi * _ramp(times["lift"], times["land"], tau))
    ahead = [_turn_to(normal)[:, :, 0] for normal in normals]
    first = places[0] + ahead[0] * (stride * tau)[:, None]
    second = places[1] + ahead[1] * (stride * (tau - 1.0))[:, None]
    spot = (1.0 - eased)[:, None] * first + eased[:, None] * second
    return spot, 0.5 + 0.5 * np.cos(2.0 * np.pi * tau)


def _support(steps: list[Step], heights: np.ndarray, cycle: Cycle, actor: Actor) -> np.ndarray:
    """Ankles with swinging feet raised to the body's ground, shape (F, K, 3)."""
    found = []
    for step, times in zip(steps, actor.found["walk"]["legs"], strict=True):
        tau = (cycle.phases[: len(heights)] - times["stance"]) % 1.0
        flight = np.clip((tau - times["off"]) / (times["strike"] - times["off"]), 0.0, 1.0)
        bow = np.sin(np.pi * flight)
        raised = (1.0 - bow) * step.base[:, 2] + bow * heights
        lift = np.maximum(raised - step.base[:, 2], 0.0)
        found.append(step.target + lift[:, None] * _UP)
    return np.stack(found, axis=1)


def _ground(
    course: Course, starts: np.ndarray, across: np.ndarray, size: float
) -> tuple[np.ndarray, np.ndarray]:
    """Prints (N, 3) and their normals (N, 3) by a ray at the heel and one at the toe tip."""
    heels, heel_ups = _cast(course, starts)
    tips, tip_ups = _cast(course, starts + across)
    good = np.stack([heel_ups[:, 2], tip_ups[:, 2]], axis=1) > _STEEPEST
    mean = heel_ups + tip_ups
    mean /= np.linalg.norm(mean, axis=1, keepdims=True)
    gaps = np.einsum("nc,nc->n", heels - tips, mean)
    both = good.all(axis=1)
    is_heel = np.where(both, gaps >= 0.0, good[:, 0] | ~good[:, 1])
    alone = np.where(both, np.abs(gaps) > _LEDGE * size, good[:, 0] != good[:, 1])
    own = np.where(is_heel[:, None], heel_ups, tip_ups)
    normals = np.where(both[:, None] & ~alone[:, None], mean, own)
    normals[~good.any(axis=1)] = _UP
    laid = _turn_to(normals) @ across
    half = 0.5 * laid * alone[:, None]
    return np.where(is_heel[:, None], heels - half, tips - laid + half), normals


def _cast(course: Course, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ground below places (N, 3) and its normals (N, 3)."""
    small = 1e-4 * course.length

    def height(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return course.find_heights(x, y)

    x, y = places[:, 0], places[:, 1]
    slopes = [
        (height(x + small, y) - height(x - small, y)) / (2.0 * small),
        (height(x, y + small) - height(x, y - small)) / (2.0 * small),
    ]
    normals = np.stack([-slopes[0], -slopes[1], np.ones(len(x))], axis=1)
    hits = np.stack([x, y, height(x, y)], axis=1)
    return hits, normals / np.linalg.norm(normals, axis=1, keepdims=True)


def _find_pitches(steps: list[Step]) -> np.ndarray:
    """Up of a body that hugs the ground lengthways, shape (F, 3)."""
    spots = np.stack([s.spot for s in steps], axis=1)
    apart = spots - spots.mean(axis=1, keepdims=True)
    found, up = [], _UP
    for legs in apart:
        leaning = _PLUMB * _UP + (legs**2).sum() * up - (legs @ up) @ legs
        up = leaning / leaning[2] if leaning[2] > 0.0 else up
        along = np.array([up[0], 0.0, 1.0])
        found.append(along / np.linalg.norm(along))
    return np.array(found)


def _lower(
    targets: np.ndarray, hips: np.ndarray, steps: list[Step], cycle: Cycle, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Ankles that are drawn in where they are too far (F, K, 3), and offsets of the hips (F,)."""
    legs = cycle.ankles[:count] - cycle.hips[:count]
    reach = np.linalg.norm(legs, axis=2)
    level = np.linalg.norm(legs[..., :2], axis=2)
    flat = targets[..., :2] - hips[..., :2]
    far = np.linalg.norm(flat, axis=2)
    beyond = np.maximum(far - level, 0.0)
    buffer = np.maximum(_REACH * cycle.lengths - level, 1e-9)
    kept = np.where(beyond > 0.0, level + beyond * buffer / (beyond + buffer), far)
    drawn = targets.copy()
    drawn[..., :2] = hips[..., :2] + flat * (kept / np.maximum(far, 1e-9))[..., None]
    foot = np.stack([s.base[:, 2] for s in steps], axis=1)
    wanted = _find_height(drawn, kept, reach, foot) - hips[..., 2]
    most = _find_height(drawn, kept, _REACH * cycle.lengths, drawn[..., 2]) - hips[..., 2]
    high = most.min(axis=1)
    low = np.minimum(wanted.min(axis=1), high)
    first, second = wanted.mean(axis=1) - low, high - low
    total = first + second
    between = np.where(total > 0.0, first * second / np.where(total > 0.0, total, 1.0), 0.0)
    return drawn, low + between


def _find_height(
    targets: np.ndarray, level: np.ndarray, reach: np.ndarray, instead: np.ndarray
) -> np.ndarray:
    """How high a hip is whose ankle is a reach away, or what there is instead, shape (F, K)."""
    square = reach**2 - level**2
    return np.where(square >= 0.0, targets[..., 2] + np.sqrt(np.maximum(square, 0.0)), instead)


def _find_balance(apart: np.ndarray, size: float) -> np.ndarray:
    """How much a foot is on its toes, by heel minus toe tip (F, 3); 0 on the heel, 1 on the toes."""
    return np.arctan(_BALANCE * apart[:, 2] / size) / np.pi + 0.5


def _ramp(first: float, last: float, tau: np.ndarray) -> np.ndarray:
    return np.clip((tau - first) / max(last - first, 1e-9), 0.0, 1.0)


def _mix(first: np.ndarray, second: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Directions between two, unit vectors (F, 3)."""
    mixed = (1.0 - share)[:, None] * first + share[:, None] * second
    return mixed / np.linalg.norm(mixed, axis=1, keepdims=True)


def _turn_to(normals: np.ndarray) -> np.ndarray:
    """Shortest turns from up to directions (F, 3), shape (F, 3, 3)."""
    x, y, z = normals.T
    bent = 1.0 / (1.0 + z)
    return np.stack(
        [
            np.stack([1.0 - x * x * bent, -x * y * bent, x], axis=-1),
            np.stack([-x * y * bent, 1.0 - y * y * bent, y], axis=-1),
            np.stack([-x, -y, z], axis=-1),
        ],
        axis=-2,
    )
