# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trunks between many legs that are raised out of the ground (numpy only).

Legs that spread wide carry their hips low: treads, and stones between the feet, reach up to the belly
(docs/method/body.md, Underside).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.bounded import keep_under
from ..maths.rotations import FloatArray
from ..maths.smoothing import blur_hann, find_sliding_maximum
from ..motions.tables import MotionTables
from ..prints.states import StepStates
from ..swings.feet import FootTargets
from ..times.source import SourcePoses
from .carriage import BodyTrack
from .hips import find_calmness, find_hip_wishes
from .leaning import add_leans, lean_about
from .limits import UNDERSIDE


@dataclass(frozen=True)
class PlacedBody:
    """A body at T instants, whose legs are ``length`` long, metres.

    Its hips' middle, world, metres, (T, 3), its world rotation, (T, 4), the world z above which nothing
    is looked for under it, metres, (T,), and seconds, (T,).
    """

    centres: FloatArray
    turns: FloatArray
    tops: FloatArray
    times: FloatArray
    length: float


@dataclass(frozen=True)
class Underside:
    """Points of the underside in character axes, from the middle of all hips, metres, (P, 3).

    ``clear`` is how far each stays above the ground, metres, (P,): no more than in the motions.
    """

    points: FloatArray
    clear: FloatArray

    @classmethod
    def read(cls, tables: MotionTables) -> Underside:
        """The underside of a rig as it is kept.

        What drags on the ground in the motions does so on all of it, and is left out.
        """
        rig, slowest, length = tables.rig, tables.cycles.slowest, tables.rig.leg_length
        level = tables.cycles.hip_centres[slowest, 2] - tables.cycles.ground_heights[slowest]
        heights = rig.underside[:, 2] + level
        kept = heights > UNDERSIDE.drags * length
        ahead = np.array([*rig.forward, 0.0])
        axes = np.stack([ahead, [-ahead[1], ahead[0], 0.0], rot.UP])
        clear = np.minimum(UNDERSIDE.clear * length, 0.5 * heights[kept])
        return cls(rig.underside[kept] @ axes, clear)

    def refine(
        self, forward: FloatArray, joined: float, spacing: float
    ) -> tuple[Underside, np.ndarray]:
        """Neighbours along the body joined by lines of points.

        Parameters
        ----------
        forward
            Horizontal unit vector to which the body faces, shape (2,).
        joined
            Gap up to which they are, metres.
        spacing
            How near the points are then, metres.

        Returns
        -------
        underside
            With Q points.
        first
            Index of the point that each is at or ahead of, before the next one's, shape (Q,).
        """
        along = self.points[:, :2] @ forward
        gaps = np.append(np.diff(along), 0.0)
        are_joined = (gaps > 0.0) & (gaps < joined)
        counts = np.where(are_joined, np.ceil(gaps / spacing), 1).astype(np.intp)
        first = np.repeat(np.arange(len(counts)), counts)
        shares = (np.arange(len(first)) - (np.cumsum(counts) - counts)[first]) / counts[first]
        then = np.minimum(first + 1, len(along) - 1)
        points, clear = (
            values[first]
            + shares.reshape(-1, *[1] * (values.ndim - 1)) * (values[then] - values[first])
            for values in (self.points, self.clear)
        )
        return Underside(points, clear), first

    def measure_room(self, at: PlacedBody, ground: Ground, looked: np.ndarray | bool) -> FloatArray:
        """How far each point is above what it has to clear, metres, (T, P).

        Infinite where it is high above all prints about, over nothing, or not ``looked`` at, (T, P).
        """
        upward = rot.rotate(rot.conjugate(at.turns), rot.UP)
        heights = at.centres[:, 2:] + upward @ self.points.T
        room = np.full(heights.shape, np.inf)
        low = heights < at.tops[:, None]
        row, point = np.nonzero(low & looked)
        if not len(row):
            return room
        places = at.centres[row] + rot.rotate(at.turns[row], self.points[point])
        # Ground that reaches farther up is a wall beside the body.
        hits = ground.cast_down(places + UNDERSIDE.most * at.length * rot.UP, at.times[row])
        over = places[:, 2] - self.clear[point] - hits.points[:, 2]
        room[row, point] = np.where(hits.hit, over, np.inf)
        return room


@dataclass(frozen=True)
class _BearingLegs:
    """Legs on which a body rises beyond what is planned so far, at the G times of a grid.

    Attributes
    ----------
    tables
        The motions.
    walked
        Blended poses, steps and feet.
    hips
        World positions of the hip joints as planned so far, metres, shape (G, L, 3).
    ahead
        World direction to which the body faces, shape (G, 3).
    ends
        Of a long body, which rise by themselves; None for others.
    interval
        Seconds between the times.
    """

    tables: MotionTables
    walked: tuple[SourcePoses, StepStates, FootTargets]
    hips: FloatArray
    ahead: FloatArray
    ends: BodyEnds | None
    interval: float

    def share_out(self, along: FloatArray) -> FloatArray:
        """How far each end rises for points to rise by 1, (P, 2), or all of the body, (P, 1).

        ``along`` is how far ahead of the middle of all hips they are, metres, (P,).
        """
        return np.ones((len(along), 1)) if self.ends is None else self.ends.share_out(along)

    def rise(self, rises: FloatArray) -> tuple[FloatArray, FloatArray | None]:
        """How far a body rises, (G,), and tilts beyond its leans, (G, 2), as far as its legs reach.

        ``rises`` are what is asked of the fore end and the hind one, or of all, metres, (G, 2 or 1).
        """
        if self.ends is None:
            return self._bound(rises[:, 0], self.hips), None
        fore, hind = (
            self._bound(rise, self.hips, legs)
            for rise, legs in zip(rises.T, (self.ends.fore, self.ends.hind), strict=True)
        )
        leans = -np.arctan((fore - hind) / self.ends.apart)[:, None] * self.ahead[:, :2]
        lift = self.ends.middle * fore + (1.0 - self.ends.middle) * hind
        return self._bound(lift, _lean_hips(leans, self.hips)), leans

    def _bound(
        self, rise: FloatArray, hips: FloatArray, legs: np.ndarray | slice = slice(None)
    ) -> FloatArray:
        """A rise (G,) that some legs can bear with their hips at places (G, L, 3)."""
        _, ceiling = find_hip_wishes(self.tables, *self.walked, hips).combine(0.0, legs)
        radius = find_calmness(self.tables).radius
        return np.maximum(keep_under(rise, ceiling, self.interval, radius), 0.0)


@dataclass(frozen=True)
class BodyEnds:
    """Legs that carry each end of a long body, (L,) of bool; those between the ends carry both.

    ``middle`` is where the middle of all hips is, from the hind end (0) to the fore end (1), ``apart``
    how far the ends are from each other, metres.
    """

    fore: np.ndarray
    hind: np.ndarray
    middle: float
    apart: float

    def share_out(self, along: FloatArray) -> FloatArray:
        """How far the fore and the hind end rise, as little as can be, for points to rise by 1, (P, 2).

        ``along`` is how far ahead of the middle of all hips they are, metres, (P,). No end is lowered.
        """
        shares = self.middle + along / self.apart
        gains = np.maximum(np.stack([shares, 1.0 - shares], axis=1), 0.0)
        return np.asarray(gains / np.sum(gains * gains, axis=1, keepdims=True))


def find_body_ends(hips: FloatArray, ahead: FloatArray, length: float) -> BodyEnds | None:
    """The ends of a body that faces ahead (G, 3); None where its hips are abreast."""
    away = hips - hips.mean(axis=1, keepdims=True)
    along = rot.dot(away, ahead[:, None]).mean(axis=0)
    apart = float(np.ptp(along))
    if apart < UNDERSIDE.apart * length:
        return None
    shares = (along - along.min()) / apart
    fore, hind = shares > 1.0 - UNDERSIDE.end, shares < UNDERSIDE.end
    return BodyEnds(fore, hind, float(shares.mean()), apart)


def raise_underside(
    tables: MotionTables,
    walked: tuple[SourcePoses, StepStates, FootTargets],
    hips: FloatArray,
    held: BodyTrack,
    orientations: FloatArray,
    ground: Ground,
) -> tuple[FloatArray, FloatArray | None]:
    """A body raised so that its underside is out of the ground, as far as its legs reach.

    Parameters
    ----------
    tables
        The motions.
    walked
        Blended poses, steps and feet at the G times of the body's grid.
    hips
        World positions of the hip joints there before they are moved, metres, shape (G, L, 3).
    held
        How the body is carried so far.
    orientations
        World rotations of the character, shape (G, 4).
    ground
        What it walks on.

    Returns
    -------
    offsets, leans
        Of `held`, metres upwards, shape (G,), and radians, shape (G, 2), or None as there.
    """
    rig, grid, length = tables.rig, held.grid, tables.rig.leg_length
    found = offsets, leans = held.hip_offsets, held.leans
    kept = Underside.read(tables)
    if len(rig.legs) < UNDERSIDE.legs or not len(kept.points):
        return found
    step = max(round(UNDERSIDE.interval / grid.interval), 1)
    frames = np.arange(0, grid.count, step)
    prints = walked[1].behind[frames], walked[1].ahead[frames]
    tops = np.maximum(*prints)[..., 2].max(axis=1) + UNDERSIDE.near * length
    if not ground.moving_surfaces():
        # Nothing is looked for over level ground. How high a moving one reaches is dear.
        tops = np.minimum(tops, ground.height_limits()[1] + UNDERSIDE.clear * length)

    def place() -> PlacedBody:
        centres = hips[frames].mean(axis=1) + offsets[frames, None] * rot.UP
        turns = orientations[frames]
        if leans is not None:
            nowhere = np.zeros((len(frames), 1, 3))
            turns = lean_about(leans[frames], nowhere[:, 0], turns[:, None], nowhere)[0][:, 0]
        return PlacedBody(centres, turns, tops, grid.times[frames], length)

    at, joined = place(), UNDERSIDE.joined * length
    coarse, _ = kept.refine(rig.forward, joined, UNDERSIDE.coarse * length)
    room = coarse.measure_room(at, ground, True)
    near = -find_sliding_maximum(-room, 1) < UNDERSIDE.far * length
    if not np.any(near):
        return found
    underside, first = coarse.refine(rig.forward, joined, UNDERSIDE.spacing * length)
    looked = near[:, first] | near[:, np.minimum(first + 1, near.shape[1] - 1)]
    ahead = rot.rotate(rot.quaternions_from_yaws(walked[0].yaws), np.array([*rig.forward, 0.0]))
    placed = hips + offsets[:, None, None] * rot.UP
    ends = find_body_ends(hips, ahead, length)
    legs = _BearingLegs(tables, walked, placed, ahead, ends, grid.interval)
    gains = legs.share_out(underside.points[:, :2] @ rig.forward)
    reach = max(round(find_calmness(tables).radius / grid.interval), step)
    rises, least = np.zeros((grid.count, gains.shape[1])), np.inf
    for _ in range(UNDERSIDE.passes + 1):
        needs = np.maximum(-underside.measure_room(at, ground, looked), 0.0)
        total = float(needs.sum())
        if total >= least:
            # Legs reach no farther.
            break
        found, least = (offsets, leans), total
        if needs.max() <= UNDERSIDE.same * length:
            break
        asked = np.zeros_like(rises)
        asked[frames] = np.stack([(needs * gain).max(axis=1) for gain in gains.T], axis=1)
        rises = rises + blur_hann(find_sliding_maximum(asked, reach), reach)
        lift, tilt = legs.rise(rises)
        offsets, leans = held.hip_offsets + lift, add_leans(held.leans, tilt)
        if ends is None:
            return offsets, leans
        at = place()
    return found


def _lean_hips(leans: FloatArray, hips: FloatArray) -> FloatArray:
    """Hip joints (G, L, 3) of a body that turns about their middle by leans (G, 2)."""
    still = np.broadcast_to(rot.IDENTITY, (*hips.shape[:2], 4))
    return lean_about(leans, hips.mean(axis=1), still, hips)[1]
