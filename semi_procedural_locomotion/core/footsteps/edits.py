# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of footsteps bent, scaled, mirrored and moved as a whole (numpy only).

A run has a middle line: each step's place averaged with its neighbours', so that left and right steps
lie beside it. Edits change that line from its start on, and the steps keep their places beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import TravelError
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .limits import PATTERNS


@dataclass(frozen=True)
class StepRun:
    """Soles of a run of footsteps in the order of their steps.

    Attributes
    ----------
    middles
        Middles of the soles, world, metres, shape (N, 3).
    frames
        Rotations whose x axis runs from heel to toe and whose z axis is the normal, shape (N, 4).
    """

    middles: FloatArray
    frames: FloatArray

    @property
    def headings(self) -> FloatArray:
        """Directions from heel to toe, radians from +X, shape (N,)."""
        toes = rot.rotate(self.frames, np.array([1.0, 0.0, 0.0]))
        return np.arctan2(toes[:, 1], toes[:, 0])


def bend_run(run: StepRun, angle: float) -> StepRun:
    """Bend a run about its start.

    Parameters
    ----------
    run
        Two steps or more.
    angle
        How much more its end turns than its start, radians, left is positive.

    Raises
    ------
    TravelError
        The run has no length.
    """
    line = _find_line(run)
    moves = np.diff(line, axis=0)
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*moves.T))])
    turns = angle * way / way[-1]
    between = 0.5 * (turns[1:] + turns[:-1])
    bent = np.concatenate([line[:1], line[:1] + np.cumsum(_turn(moves, between), axis=0)])
    beside = _turn(run.middles[:, :2] - line, turns)
    frames = rot.multiply(rot.quaternions_from_yaws(turns), run.frames)
    return StepRun(np.column_stack([bent + beside, run.middles[:, 2]]), frames)


def scale_run(run: StepRun, length: float, width: float) -> StepRun:
    """Make a run longer or wider.

    Parameters
    ----------
    run
        Two steps or more.
    length
        Factor on the way from its start.
    width
        Factor on the distance of the steps from the way.

    Raises
    ------
    TravelError
        The run has no length.
    """
    line = _find_line(run)
    ahead = np.gradient(line, axis=0)
    ahead /= np.maximum(np.hypot(*ahead.T), PATTERNS.shortest)[:, None]
    across = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
    beside = run.middles[:, :2] - line
    along = (beside * ahead).sum(axis=1)[:, None] * ahead
    aside = (beside * across).sum(axis=1)[:, None] * across
    places = line[0] + length * (line - line[0]) + length * along + width * aside
    return StepRun(np.column_stack([places, run.middles[:, 2]]), run.frames)


def mirror_run(run: StepRun) -> StepRun:
    """Exchange left and right of a run about the line in which its first two feet point.

    Parameters
    ----------
    run
        Two steps or more.

    Raises
    ------
    TravelError
        The run has no length.
    """
    line = _find_line(run)
    # Toes point outwards to both sides, so that two feet together tell the way.
    ahead = np.exp(1j * run.headings[:2]).sum()
    return mirror_about(run, line[0], float(np.angle(ahead)))


def move_run(run: StepRun, pivot: FloatArray, turn: float, place: FloatArray) -> StepRun:
    """Turn a run about a pivot by radians, and bring the pivot to a place; both (3,), metres."""
    moved = run.middles - pivot
    moved[:, :2] = _turn(moved[:, :2], np.full(len(moved), turn))
    return StepRun(
        place + moved, rot.multiply(rot.quaternions_from_yaws(np.array(turn)), run.frames)
    )


def mirror_about(run: StepRun, place: FloatArray, direction: float) -> StepRun:
    """Exchange left and right of a line through a place (2,) that goes in a direction, radians."""
    across = np.array([-np.sin(direction), np.cos(direction), 0.0])
    pivot = np.append(place, 0.0)

    def flip(vectors: FloatArray) -> FloatArray:
        """Vectors (N, 3) on the other side."""
        return vectors - 2.0 * (vectors @ across)[:, None] * across

    toes = flip(rot.rotate(run.frames, np.array([1.0, 0.0, 0.0])))
    normals = flip(rot.rotate(run.frames, rot.UP))
    axes = np.stack([toes, np.cross(normals, toes), normals], axis=2)
    return StepRun(pivot + flip(run.middles - pivot), rot.quaternions_from_matrices(axes))


def _find_line(run: StepRun) -> FloatArray:
    """Middle line (N, 2) of a run."""
    places = run.middles[:, :2]
    if len(places) < 2:
        raise TravelError("a run has two footsteps or more: choose more footsteps")
    padded = np.concatenate([places[1:2], places, places[-2:-1]])
    line = 0.25 * padded[:-2] + 0.5 * places + 0.25 * padded[2:]
    if np.hypot(*np.diff(line, axis=0).T).sum() < PATTERNS.shortest:
        raise TravelError("the footsteps lie on one place: move them apart first")
    return line


def _turn(vectors: FloatArray, angles: FloatArray) -> FloatArray:
    """Vectors (N, 2) turned counter-clockwise by angles (N,)."""
    cosine, sine = np.cos(angles), np.sin(angles)
    x, y = vectors.T
    return np.stack([cosine * x - sine * y, sine * x + cosine * y], axis=1)
