# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Soles that stand on the ground: what they may stand on, and where they come to lie (numpy only).

Planned prints and generated footsteps are put on the ground by the same code.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..rig.structure import Rig
from ..settings import PlanSettings
from .fits import FootholdRules, SoleRequest
from .footholds import SolePlacements, place_soles
from .limits import FOOTHOLDS


@dataclass(frozen=True)
class StoodSoles:
    """Soles on the ground, n of them.

    Attributes
    ----------
    positions
        Heel ends, world, metres, shape (n, 3); on the level that was asked for where there is no ground.
    frames
        See `Footprint.frame`, shape (n, 4).
    normals
        Unit normals, shape (n, 3).
    placed
        What was found under them.
    """

    positions: FloatArray
    frames: FloatArray
    normals: FloatArray
    placed: SolePlacements


def make_foothold_rules(rig: Rig, settings: PlanSettings) -> FootholdRules:
    """What the soles of a character may stand on.

    Parameters
    ----------
    rig
        The character.
    settings
        Limits of steps and slopes, and whether footholds are looked for.
    """
    length, longest = rig.leg_length, float(rig.foot_lengths.max())
    unit, shortest = FOOTHOLDS.shift_unit * length, float(rig.foot_lengths.min())
    return FootholdRules(
        reach=settings.step_limit * length,
        tolerance=settings.sole_tolerance * max(length, longest / FOOTHOLDS.shift_unit),
        max_rise=float(np.tan(settings.max_slope)),
        search=settings.search_footholds,
        shift_unit=min(unit, shortest),
        leg_unit=min(unit, FOOTHOLDS.leg_shift * shortest),
    )


def limit_shifts(swept: FloatArray, length: float) -> FloatArray:
    """How far prints may be moved so that the leg still reaches them throughout, metres, (n,).

    Parameters
    ----------
    swept
        How far the foot is before or behind the body at most while it bears, metres, shape (n,).
    length
        Of the leg, metres.
    """
    across = np.sqrt(FOOTHOLDS.stretched**2 - FOOTHOLDS.lowered_hip**2) * length
    return np.maximum(across - swept, FOOTHOLDS.least_shift * length)


def stand_soles(ground: Ground, request: SoleRequest, rules: FootholdRules) -> StoodSoles:
    """Put soles on the ground.

    Parameters
    ----------
    ground
        What to stand on.
    request
        Where they shall stand.
    rules
        What counts as ground.
    """
    placed = place_soles(ground, request, rules)
    frames, normals = frames_from_slopes(request.headings, placed.slopes)
    forward = np.stack([np.cos(request.headings), np.sin(request.headings)], axis=1)
    left = np.stack([-forward[:, 1], forward[:, 0]], axis=1)
    middle = (
        request.heels
        + forward * (placed.shifts[:, :1] + 0.5 * request.length)
        + left * placed.shifts[:, 1:]
    )
    centres = np.concatenate([middle, placed.heights[:, None]], axis=1)
    positions = centres - rot.rotate(frames, np.array([0.5 * request.length, 0.0, 0.0]))
    lost = ~placed.found
    if np.any(lost):
        positions[lost, :2] = request.heels[lost]
        positions[lost, 2] = request.levels[lost]
        frames[lost] = rot.quaternions_from_yaws(request.headings[lost])
        normals[lost] = rot.UP
    return StoodSoles(positions, frames, normals, placed)


def frames_from_slopes(headings: FloatArray, slopes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Frames (n, 4) and normals (n, 3) of soles with a heading and a rise along and across."""
    cosine, sine = np.cos(headings), np.sin(headings)
    normals = rot.normalize(
        rot.pack(
            -(slopes[:, 0] * cosine - slopes[:, 1] * sine),
            -(slopes[:, 0] * sine + slopes[:, 1] * cosine),
            np.ones_like(cosine),
        )
    )
    yaws = rot.quaternions_from_yaws(headings)
    return rot.multiply(rot.quaternions_from_arcs(rot.UP, normals), yaws), normals
