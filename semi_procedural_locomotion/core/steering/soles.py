# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where steered feet stand, and will stand as far as can be foreseen (numpy only).

Predicted prints change while their foot is on its way. They are followed smoothly, and stand still from
the strike on (docs/method/steering.md, Prediction).
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..prints.choice import choose_alone
from ..prints.records import PrintRow
from ..prints.soles import FootholdRules, SolePlaces, limit_way, make_sole_shape
from .limits import STEPS


@dataclass(frozen=True)
class Soles:
    """One print of each of L legs.

    Attributes
    ----------
    positions
        Heel ends, world, metres, shape (L, 3).
    headings
        Direction from heel to toe, radians from +X, shape (L,).
    frames
        See `StoodSoles`, shape (L, 4).
    normals
        Unit normals, shape (L, 3).
    surfaces, found
        Surface under each, -1 for none, and whether there is any ground, shape (L,).
    times
        Seconds of their stances, shape (L,).
    """

    positions: FloatArray
    headings: FloatArray
    frames: FloatArray
    normals: FloatArray
    surfaces: np.ndarray
    found: np.ndarray
    times: FloatArray

    def choose(self, which: np.ndarray, others: Soles) -> Soles:
        """These, and of some legs (L,) others."""
        taken = {}
        for entry in fields(self):
            own, new = getattr(self, entry.name), getattr(others, entry.name)
            taken[entry.name] = np.where(which.reshape(-1, *[1] * (own.ndim - 1)), new, own)
        return Soles(**taken)


@dataclass(frozen=True)
class Goals:
    """Record of where the feet of L legs shall stand.

    Attributes
    ----------
    asked
        Ideal soles for which ground was looked for.
    stood
        The same on the ground.
    levels
        Height of the ground under the body then, metres, shape (L,).
    """

    asked: Soles
    stood: Soles
    levels: FloatArray

    def choose_stale(
        self, asked: Soles, level: float, begins: np.ndarray, length: float
    ) -> np.ndarray:
        """For which feet on their way ground is to be looked for anew, shape (L,) of bool.

        Looking for it over stairs takes longer than all else together, and a body that goes on steadily
        asks for the same place until the foot strikes.

        Parameters
        ----------
        level
            Height of the ground under the body now, metres: what is much higher than that is not seen.
        begins
            Feet that have just left, shape (L,) of bool.
        length
            Of the leg, metres.
        """
        distance = STEPS.same_place * length
        heels = asked.positions[:, :2]
        moved = is_elsewhere(self.asked, heels, asked.headings, distance, STEPS.same_angle)
        rose = np.abs(level - self.levels) > distance
        return np.asarray(begins | moved | rose | ~self.stood.found)

    def renew(self, stale: np.ndarray, asked: Soles, stood: Soles, level: float) -> Goals:
        """These, with those of some feet (L,) replaced."""
        return Goals(
            self.asked.choose(stale, asked),
            self.stood.choose(stale, stood),
            np.where(stale, level, self.levels),
        )


def place_ideal_soles(
    tables: MotionTables, weights: FloatArray, places: FloatArray, yaws: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Find where the motions put the foot of each leg at its stance, on the flat.

    Parameters
    ----------
    weights
        Their shares, shape (M,).
    places, yaws
        Where the body is then, for each leg, world metres and radians, shapes (L, 2) and (L,).

    Returns
    -------
    heels
        World x and y, metres, shape (L, 2).
    headings
        Radians from +X, shape (L,).
    """
    local = np.tensordot(weights, tables.leg_cycles.stance_positions, axes=1)
    ways = np.tensordot(weights, tables.leg_cycles.foot_directions, axes=1)
    turned = rot.rotate(rot.quaternions_from_yaws(yaws), local)
    return turned[:, :2] + places, yaws + np.arctan2(ways[:, 1], ways[:, 0])


def ground_soles(
    tables: MotionTables,
    ground: Ground,
    rules: FootholdRules,
    soles: Soles,
    legs: np.ndarray,
    level: float,
) -> Soles:
    """Some of the soles put on the ground.

    Parameters
    ----------
    tables, ground, rules
        The character, what it walks on, and what counts as ground.
    soles
        Heels, headings and times that are asked for.
    legs
        Which of them, indices.
    level
        Height of the ground under the body, metres.
    """
    taken = {entry.name: getattr(soles, entry.name).copy() for entry in fields(soles)}
    for leg in legs:
        one = slice(leg, leg + 1)
        places = SolePlaces(
            heels=soles.positions[one, :2],
            headings=soles.headings[one],
            times=soles.times[one],
            levels=np.array([level]),
        )
        shape = replace(make_sole_shape(tables.small_rig, leg), outline=np.zeros((0, 3)))
        stood = choose_alone(ground, shape, replace(rules, most_way=limit_way(shape, 0.0)), places)
        taken["positions"][one], taken["frames"][one] = stood.positions, stood.frames
        taken["normals"][one] = stood.normals
        taken["surfaces"][one], taken["found"][one] = stood.surfaces, stood.found
    return Soles(**taken)


def follow_goals(
    soles: Soles, goals: Soles, moving: np.ndarray, left: FloatArray, speed: float, seconds: float
) -> Soles:
    """Prints that go to their goals in the time that is left, place and frame alike.

    Parameters
    ----------
    soles, goals
        Where they are, and shall be.
    moving
        Whose feet are on their way, shape (L,) of bool.
    left
        Seconds until each strikes, shape (L,).
    speed
        Metres a second that a print may move.
    seconds
        Time that passes.
    """
    away = goals.positions - soles.positions
    distances = rot.lengths(away)
    part = np.clip(seconds / np.maximum(left, 1e-9), 0.0, 1.0)
    share = 1.0 - (1.0 - part) ** (1.0 + STEPS.hurry)
    quick = np.minimum(speed * seconds / np.maximum(distances, 1e-9), 1.0)
    share = np.where(moving, np.maximum(share, quick), 0.0)
    frames = rot.slerp(soles.frames, goals.frames, share)
    turn = rot.wrap_angles(goals.headings - soles.headings)
    moved = replace(
        goals,
        positions=soles.positions + share[:, None] * away,
        headings=soles.headings + share * turn,
        frames=frames,
        normals=rot.rotate(frames, rot.UP),
    )
    return soles.choose(moving, moved)


def is_elsewhere(
    soles: Soles, heels: FloatArray, headings: FloatArray, distance: float, angle: float
) -> np.ndarray:
    """Whose foot is farther from heels (L, 2), or turned more, than a step has to be, (L,) of bool."""
    away = heels - soles.positions[:, :2]
    turned = np.abs(rot.wrap_angles(headings - soles.headings))
    return np.asarray((np.hypot(away[:, 0], away[:, 1]) > distance) | (turned > angle))


def make_row(leg: int, number: int, behind: Soles, ahead: Soles) -> PrintRow:
    """The two prints of a leg's step as the planner has them."""
    pair = {
        entry.name: np.stack([getattr(behind, entry.name)[leg], getattr(ahead, entry.name)[leg]])
        for entry in fields(Soles)
    }
    kept = np.allclose(pair["positions"][0], pair["positions"][1], atol=1e-9)
    return PrintRow(
        first=number,
        supports=np.ones(2),
        parked=np.array([False, kept]),
        parted=np.zeros(2),
        crowded=np.zeros(2),
        **pair,
    )
