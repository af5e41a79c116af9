# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A cycle made ready for planning: one velocity, a shift of the body, anchors of the feet (numpy only).

What all planted feet slide together may be a ripple of the speed that the clip lost; a small periodic
shift gives it back to the body. Feet that slide together by more than that are the legs' to correct,
or the body would lurch (docs/method/motions.md, Ripple).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..contacts.find import LegContact
from ..maths.periodic import differentiate_periodic, integrate_periodic, wrap_phases
from ..maths.rotations import FloatArray
from ..rig.footpoints import compute_footbases
from ..rig.structure import Rig
from .limits import PREPARATION


@dataclass(frozen=True)
class Preparation:
    """Feet of a cycle against one velocity.

    Attributes
    ----------
    ripple
        Horizontal shift of the body that a walk with planted feet has, character space, metres, shape
        (S, 2).
    ripple_size
        Largest shift, metres.
    surge
        Largest speed that would keep planted feet still on the whole, share of the native speed.
    ripple_speed
        Largest speed of the shift, share of the native speed.
    anchors
        Mean place of each planted footbase at stance under the shifted body, metres, at the leg's own
        ground, shape (L, 3).
    directions
        Horizontal unit vectors heel to toe at stance, shape (L, 3).
    footbases
        As the clip has them, metres, shape (L, S, 3).
    grounds
        Height of each leg's ground, metres, shape (L,).
    skates
        Slip of each planted foot that is left, root mean square, share of the speed, shape (L,).
    """

    ripple: FloatArray
    ripple_size: float
    surge: float
    ripple_speed: float
    anchors: FloatArray
    directions: FloatArray
    footbases: FloatArray
    grounds: FloatArray
    skates: FloatArray


@dataclass(frozen=True)
class _Planting:
    """Contact of one leg at the rows of the tables."""

    times: FloatArray
    planted: np.ndarray
    votes: FloatArray


def _measure_planting(contact: LegContact, phases: FloatArray) -> _Planting:
    """Times from stance, in cycles, and contact of one leg at ``phases`` (S,)."""
    if not contact.steps:
        whole = np.ones(len(phases), dtype=bool)
        votes = np.zeros(len(phases), dtype=np.float64)
        return _Planting(wrap_phases(phases - contact.stance), whole, votes)
    since = (phases - contact.strike) % 1.0
    to_stance = (contact.stance - contact.strike) % 1.0
    planted = since <= contact.duty
    edge = np.minimum(since, contact.duty - since) / (PREPARATION.fade * contact.duty)
    votes = np.where(planted, np.clip(edge, 0.0, 1.0), 0.0)
    # In flight the time counts on from strike to strike; there it only has to be continuous.
    return _Planting(since - to_stance, planted, votes)


def prepare_cycle(
    points: FloatArray,
    rig: Rig,
    contacts: Sequence[LegContact],
    period: float,
    velocity: FloatArray,
    turn_rate: float,
    hips: FloatArray,
    remove_ripple: bool = True,
) -> Preparation:
    """Find what the body may take of the common skate, and anchor the feet.

    Parameters
    ----------
    points
        Sole points at equally spaced phases, character space, metres, shape (S, L, 3, 3).
    rig
        The character.
    contacts
        Key times of each leg.
    period
        Seconds.
    velocity
        Native velocity of the character's origin, metres a second, shape (2,).
    turn_rate
        Native turn rate, radians a second.
    hips
        Mean of the hip joints at the same phases, character space, metres, shape (S, 3).
    remove_ripple
        Whether the body takes anything.

    Returns
    -------
    Preparation
        See docs/method/motions.md, Preparation.
    """
    count, legs = points.shape[:2]
    phases = np.arange(count) / count
    plantings = [_measure_planting(contact, phases) for contact in contacts]
    directions = np.array(
        [_find_direction(points[:, i], p, turn_rate * period, rig) for i, p in enumerate(plantings)]
    )
    footbases = np.stack(
        [
            compute_footbases(
                points[:, i],
                _turn_directions(directions[i], contacts[i], plantings[i], turn_rate * period),
                float(rig.foot_lengths[i]),
                float(rig.ball_shares[i]),
            )[0]
            for i in range(legs)
        ]
    )
    stepping = [i for i in range(legs) if contacts[i].steps]
    speed = float(np.hypot(*velocity)) + 1e-12
    wanted = np.zeros((count, 2))
    for _ in range(PREPARATION.rounds if stepping else 0):
        slips = _measure_slips(footbases[..., :2] + wanted, period, velocity, turn_rate)
        wanted = wanted - period * _share_slips(slips, plantings, stepping)
    share = _find_borne_share(wanted, hips, period, speed, rig.leg_length) if remove_ripple else 0.0
    ripple = share * wanted
    surge = _measure_peak(wanted, period) / speed
    anchors = np.zeros((legs, 3))
    grounds = np.zeros(legs)
    skates = np.zeros(legs)
    shifted = footbases[..., :2] + ripple
    slips = _measure_slips(shifted, period, velocity, turn_rate)
    for i, planting in enumerate(plantings):
        lowest = np.min(points[planting.planted, i, :, 2], axis=1)
        grounds[i] = np.percentile(lowest, PREPARATION.ground_percentile)
        anchors[i, 2] = grounds[i]
        if contacts[i].steps:
            still = _carry_back(shifted[i], planting.times * period, velocity, turn_rate)
            anchors[i, :2] = np.mean(still[planting.planted], axis=0)
            votes = planting.votes / max(float(np.sum(planting.votes)), 1e-12)
            skates[i] = np.sqrt(np.sum(votes * np.sum(np.square(slips[i]), axis=-1))) / speed
        else:
            anchors[i, :2] = np.mean(shifted[i], axis=0)
    return Preparation(
        ripple=ripple,
        ripple_size=float(np.max(np.hypot(ripple[:, 0], ripple[:, 1]))),
        surge=surge,
        ripple_speed=share * surge,
        anchors=anchors,
        directions=directions,
        footbases=footbases,
        grounds=grounds,
        skates=skates,
    )


def _find_direction(points: FloatArray, planting: _Planting, turn: float, rig: Rig) -> FloatArray:
    """Horizontal unit vector (3,) from heel to toe tip at stance, mean of the middle of contact."""
    along = points[:, 2, :2] - points[:, 0, :2]
    times = planting.times
    reach = max(float(np.max(np.abs(times[planting.planted]))), 1e-9)
    chosen = planting.planted & (np.abs(times) <= PREPARATION.middle * reach)
    if not np.any(chosen):
        chosen = planting.planted
    mean = np.mean(_turn(along[chosen], turn * times[chosen]), axis=0)
    size = float(np.hypot(*mean))
    if size < 1e-9:
        return np.array([rig.forward[0], rig.forward[1], 0.0])
    return np.array([mean[0] / size, mean[1] / size, 0.0])


def _turn(vectors: FloatArray, angles: FloatArray) -> FloatArray:
    """Horizontal vectors (..., 2) turned by angles (...)."""
    cosine, sine = np.cos(angles), np.sin(angles)
    x, y = vectors[..., 0], vectors[..., 1]
    return np.stack([cosine * x - sine * y, sine * x + cosine * y], axis=-1)


def _turn_directions(
    direction: FloatArray, contact: LegContact, planting: _Planting, turn: float
) -> FloatArray:
    """The foot's direction at each row (S, 3): still in the world in contact, evenly back in flight."""
    if turn == 0.0 or not contact.steps:
        return np.broadcast_to(direction, (len(planting.times), 3))
    to_stance = (contact.stance - contact.strike) % 1.0
    after = contact.duty - to_stance
    angles = -turn * np.interp(
        planting.times, [-to_stance, after, 1.0 - to_stance], [-to_stance, after, -to_stance]
    )
    turned = _turn(np.broadcast_to(direction[:2], (len(angles), 2)), angles)
    return np.concatenate([turned, np.zeros((len(angles), 1))], axis=1)


def _compute_carry(times: FloatArray, turn_rate: float) -> FloatArray:
    """Matrices (n, 2, 2) that take the native velocity to the body's displacement after ``times``."""
    angles = turn_rate * times
    if abs(turn_rate) < 1e-9:
        along, across = times, np.zeros_like(times)
    else:
        along, across = np.sin(angles) / turn_rate, (1.0 - np.cos(angles)) / turn_rate
    return np.stack([np.stack([along, -across], -1), np.stack([across, along], -1)], -2)


def _carry_back(
    places: FloatArray, times: FloatArray, velocity: FloatArray, turn_rate: float
) -> FloatArray:
    """Where places (n, 2) at ``times`` (seconds from stance) lie for the body as it is at stance."""
    return _turn(places, turn_rate * times) + _compute_carry(times, turn_rate) @ velocity


def _measure_slips(
    footbases: FloatArray, period: float, velocity: FloatArray, turn_rate: float
) -> FloatArray:
    """Velocities (L, S, 2) of footbases against the ground, metres a second."""
    moved = np.moveaxis(differentiate_periodic(np.moveaxis(footbases, 1, 0), period), 0, 1)
    turned = np.stack([-footbases[..., 1], footbases[..., 0]], axis=-1)
    return moved + velocity + turn_rate * turned


def _share_slips(slips: FloatArray, plantings: list[_Planting], stepping: list[int]) -> FloatArray:
    """Displacement (S, 2) per second of period that the planted feet slide together.

    While no foot stands the body is free: there it makes good what the planted feet slid on the whole.
    """
    votes = np.array([plantings[i].votes for i in stepping])
    total = np.sum(votes, axis=0)
    common = (
        np.einsum("ls,lsc->sc", votes, slips[stepping]) / (total + PREPARATION.no_vote)[:, None]
    )
    free = np.maximum(0.0, 1.0 - total)
    if np.mean(free) > PREPARATION.least_free:
        common = common - (free / np.mean(free))[:, None] * np.mean(common, axis=0)
    return integrate_periodic(common, PREPARATION.harmonics)


def _measure_peak(shift: FloatArray, period: float) -> float:
    """Largest speed of a shift (S, 2), metres a second."""
    return float(np.max(np.hypot(*differentiate_periodic(shift, period).T)))


def _find_borne_share(
    wanted: FloatArray, hips: FloatArray, period: float, speed: float, leg_length: float
) -> float:
    """Share of a wanted shift (S, 2) that a body whose hips go along (S, 3) may take without a lurch.

    All of it where its size, its speed and the jerk that it adds to the hips' own allow.
    """
    size = float(np.max(np.hypot(wanted[:, 0], wanted[:, 1])))
    share = min(
        1.0,
        PREPARATION.most_ripple * leg_length / max(size, 1e-12),
        PREPARATION.most_speed * speed / max(_measure_peak(wanted, period), 1e-12),
    )
    # Straight lines between keys have no jerk of their own: waves as slow as the shift's are compared.
    own = integrate_periodic(differentiate_periodic(hips, 1.0), PREPARATION.harmonics)
    jerk, added = _measure_jerk(own), _measure_jerk(np.pad(wanted, ((0, 0), (0, 1))))
    square, both = float(np.sum(added**2)), float(np.sum(jerk * added))
    room = (PREPARATION.most_jerk**2 - 1.0) * float(np.sum(jerk**2))
    if square * share**2 + 2.0 * both * share <= room:
        return share
    return (np.sqrt(both**2 + square * room) - both) / square


def _measure_jerk(places: FloatArray) -> FloatArray:
    """Third derivative of places (S, 3) of a cycle, by the cycle."""
    for _ in range(3):
        places = differentiate_periodic(places, 1.0)
    return places
