# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the feet of a cycle take turns, pause and fly, and how the body goes with them (numpy only).

These signs do not need contacts that are right to a hair: they tell walks from jumps, kicks and rolls
by whole paths (docs/method/motions.md, Judgement).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..contacts.find import ContactStudy, find_contacts
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..rig.footpoints import compute_sole_points
from ..rig.structure import Rig
from .cycles import InPlaceCycle
from .limits import STEPPING


@dataclass(frozen=True)
class PairPaths:
    """How the mirrored paths of two partners go with each other.

    Attributes
    ----------
    first, second
        The legs.
    unlike
        By how much the paths differ at the best distance in time, share of their size.
    lag
        By how much the first is later than the second then, share of the cycle.
    """

    first: int
    second: int
    unlike: float
    lag: float

    @property
    def is_alike(self) -> bool:
        """Whether both go the same way."""
        return self.unlike < STEPPING.alike


@dataclass(frozen=True)
class SteppingSigns:
    """What the paths of the feet and of the body tell about a cycle.

    Attributes
    ----------
    pairs
        How left and right go.
    pause
        Share of the cycle in which all feet are on the ground and none of them moves.
    flight
        Longest share of the cycle without a foot on the ground.
    rise
        Way of the hips up and down, share of the leg's length.
    tilt
        Largest angle between two leans of the body, radians.
    hang
        How far feet come below the height at which they seem to stand, share of the height range of
        their paths, median of the feet.
    """

    pairs: tuple[PairPaths, ...]
    pause: float
    flight: float
    rise: float
    tilt: float
    hang: float

    @property
    def is_alike(self) -> bool:
        """Whether the feet of every pair go mirrored paths, at whatever distance in time."""
        return all(pair.is_alike for pair in self.pairs)

    @property
    def alternates(self) -> bool:
        """Whether they do so about half a cycle apart, as in walks and runs; False without pairs."""
        apart = all(abs(pair.lag - 0.5) < STEPPING.half for pair in self.pairs)
        return bool(self.pairs) and self.is_alike and apart


def study_feet(
    rig: Rig, cycle: InPlaceCycle, allow_turning: bool = True
) -> tuple[FloatArray, ContactStudy]:
    """Sole points (S, L, 3, 3) of a cycle, metres, and what they do; whether it may turn by itself."""
    points = list_sole_points(rig, cycle)
    return points, find_contacts(
        points, cycle.period, rig.leg_length, cycle.keys, allow_turning, np.asarray(rig.forward)
    )


def list_sole_points(rig: Rig, cycle: InPlaceCycle) -> FloatArray:
    """Sole points of a cycle, metres, shape (S, L, 3, 3)."""
    return np.stack(
        [compute_sole_points(leg, cycle.global_rotations, cycle.positions) for leg in rig.legs],
        axis=1,
    )


def measure_stepping(
    rig: Rig, cycle: InPlaceCycle, points: FloatArray, study: ContactStudy
) -> SteppingSigns:
    """Measure how a cycle steps.

    Parameters
    ----------
    rig
        The character.
    cycle
        The cycle in place.
    points
        Its sole points, metres, shape (S, L, 3, 3).
    study
        What its feet do.
    """
    heights = np.min(points[..., 2], axis=2) - np.array([leg.floor for leg in study.legs])
    lifts = np.maximum([leg.lift_height for leg in study.legs], 1e-12)
    steps = np.roll(points, -1, axis=0) - np.roll(points, 1, axis=0)
    speeds = np.linalg.norm(steps, axis=-1) * len(points) / (2.0 * cycle.period)
    speed = float(np.hypot(*study.centre_velocity))
    low = np.all(heights < STEPPING.low * lifts, axis=1)
    still = np.max(speeds, axis=(1, 2)) < STEPPING.still * speed
    hips = np.mean(cycle.positions[:, [leg.joints[0] for leg in rig.legs], 2], axis=1)
    return SteppingSigns(
        pairs=tuple(_compare_pairs(rig, points)),
        pause=float(np.mean(low & still)),
        flight=_find_longest(np.min(heights, axis=1) > STEPPING.clear * rig.leg_length),
        rise=float(np.ptp(hips)) / rig.leg_length,
        tilt=_measure_tilt(cycle.global_rotations[:, rig.body]),
        hang=_measure_hang(points, study),
    )


def lend_contacts(
    rig: Rig, study: ContactStudy, signs: SteppingSigns
) -> tuple[ContactStudy, dict[int, int]]:
    """Let feet without a contact of their own step as their partners do.

    Parameters
    ----------
    rig
        The character.
    study
        What the feet do.
    signs
        How they go with each other.

    Returns
    -------
    ContactStudy
        With contacts for feet whose partners go the same mirrored way and step, and their share of the
        velocity: what one foot tells of the way to its side, its mirrored partner takes back.
    dict
        Those feet, and whose contacts they have.
    """
    legs, lent = list(study.legs), {}
    for pair in signs.pairs:
        for leg, other, lag in (
            (pair.first, pair.second, pair.lag),
            (pair.second, pair.first, -pair.lag),
        ):
            if not pair.is_alike or legs[leg].steps or not study.legs[other].steps:
                continue
            lender = study.legs[other]
            times = {
                name: (getattr(lender, name) + lag) % 1.0
                for name in ("stance", "strike", "land", "lift", "off")
            }
            both = 0.5 * (lender.velocity + _mirror(lender.velocity, rig))
            legs[other] = replace(lender, velocity=both)
            legs[leg] = replace(
                legs[leg],
                steps=True,
                reason=None,
                duty=lender.duty,
                points=lender.points,
                velocity=both,
                **times,
            )
            lent[leg] = other
    if not lent or study.turn_rate:
        return replace(study, legs=tuple(legs)), lent
    share = len(lent) / sum(leg.steps for leg in legs)
    velocity, planted = (
        (1.0 - share) * own + share * _mirror(own, rig)
        for own in (study.velocity, study.planted_velocity)
    )
    return replace(study, legs=tuple(legs), velocity=velocity, planted_velocity=planted), lent


def _mirror(vector: FloatArray, rig: Rig) -> FloatArray:
    """A horizontal vector (2,) with its part to the side turned round."""
    forward = np.asarray(rig.forward)
    return np.asarray(2.0 * float(vector @ forward) * forward - vector)


def _compare_pairs(rig: Rig, points: FloatArray) -> list[PairPaths]:
    """How the mirrored paths of each pair go with each other."""
    forward = np.asarray(rig.forward)
    across = np.array([-forward[1], forward[0]])
    found = []
    for index, leg in enumerate(rig.legs):
        if leg.partner is None or index > leg.partner:
            continue
        paths = np.mean(points[:, [index, leg.partner]], axis=2)
        paths = paths - np.mean(paths, axis=0)
        turned = np.stack([paths[..., :2] @ forward, paths[..., :2] @ across, paths[..., 2]], -1)
        first, second = turned[:, 0], turned[:, 1] * np.array([1.0, -1.0, 1.0])
        size = max(float(np.mean(np.sum(np.square(turned), axis=-1))), 1e-24)
        gaps = [
            float(np.mean(np.sum(np.square(first - np.roll(second, lag, axis=0)), axis=-1)))
            for lag in range(len(points))
        ]
        best = int(np.argmin(gaps))
        unlike = float(np.sqrt(gaps[best] / size))
        found.append(PairPaths(index, leg.partner, unlike, best / len(points)))
    return found


def _find_longest(flags: np.ndarray) -> float:
    """Longest stretch of a closed cycle in which flags (S,) hold, share of the cycle."""
    if np.all(flags):
        return 1.0
    rolled = np.roll(flags, -int(np.argmin(flags)))
    ends = np.flatnonzero(~np.append(rolled, False))
    return float(np.max(np.diff(ends) - 1, initial=0)) / len(flags)


def _measure_hang(points: FloatArray, study: ContactStudy) -> float:
    """How far the paths of feet lie below where they stand, see `SteppingSigns`; 0 if none stands."""
    heights = np.mean(points[..., 2], axis=2)
    phases = np.arange(len(heights)) / len(heights)
    hangs = []
    for index, leg in enumerate(study.legs):
        inside = (phases - leg.strike) % 1.0 <= leg.duty
        size = float(np.ptp(heights[:, index]))
        if leg.steps and np.any(inside) and size > 0.0:
            stands = float(np.median(heights[inside, index]))
            hangs.append((stands - float(np.min(heights[:, index]))) / size)
    return float(np.median(hangs)) if hangs else 0.0


def measure_own_way(rig: Rig, cycle: InPlaceCycle) -> float:
    """How far ankles go as seen from the body, share of how far they go at all, median of the feet."""
    places = cycle.positions[:, [leg.ankle for leg in rig.legs]]
    back = rot.conjugate(cycle.global_rotations[:, rig.body])[:, None]
    seen = rot.rotate(back, places - cycle.positions[:, [rig.body]])
    ways = [np.linalg.norm(np.ptp(path, axis=0), axis=-1) for path in (seen, places)]
    return float(np.median(ways[0] / np.maximum(ways[1], 1e-12)))


def _measure_tilt(rotations: FloatArray) -> float:
    """Largest angle between two leans of a body (S, 4), radians; turns about up do not count."""
    still = rot.conjugate(rotations[0])
    ups = rot.rotate(rot.multiply(rotations, still), np.array([0.0, 0.0, 1.0]))
    return float(np.arccos(np.clip(np.min(ups @ ups.T), -1.0, 1.0)))
