# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with objects that were to be ground, gathered while they are read."""

from __future__ import annotations

import numpy as np

from ...core.maths.rotations import FloatArray
from ...notes import Note, NoteKind, make_note
from ..limits import VALUE
from .rays import is_flat


class GroundFaults:
    """What cannot be walked on, though it is shown, each thing told once.

    Parameters
    ----------
    chosen
        Whether the objects were chosen one by one: of others, what is scaled to nothing is hidden by
        that, and no fault.
    """

    def __init__(self, *, chosen: bool) -> None:
        self._chosen = chosen
        self._notes: dict[tuple[NoteKind, str], Note] = {}

    @property
    def notes(self) -> tuple[Note, ...]:
        """All that was found."""
        return tuple(self._notes.values())

    def misses_place(self, name: str, matrix: FloatArray) -> bool:
        """Whether an object stands nowhere, by its matrix (4, 4); it is told then."""
        with np.errstate(invalid="ignore"):
            placed = bool((np.abs(matrix) <= VALUE.farthest).all())
        if not placed:
            self._keep(make_note(NoteKind.GROUND_NOWHERE, case="nowhere", ground=name))
        return not placed

    def tell_flat(self, name: str) -> None:
        """Tell that an object is scaled to nothing."""
        if self._chosen:
            self._keep(make_note(NoteKind.GROUND_NOWHERE, case="flat", ground=name))

    def tell_lost(self, name: str, vertices: int) -> None:
        """Tell of vertices without a place, if there are any."""
        if vertices:
            self._keep(make_note(NoteKind.GROUND_BROKEN, ground=name, vertices=vertices))

    def _keep(self, note: Note) -> None:
        """Keep the first note of its kind about a thing."""
        self._notes.setdefault((note.kind, str(note.values["ground"])), note)


def presses_flat(matrix: FloatArray) -> bool:
    """Whether a matrix (4, 4) leaves no volume of a mesh; seen from above it may still be there."""
    return bool(is_flat(matrix[None])[0])


def is_seen_from_above(matrix: FloatArray) -> bool:
    """Whether a mesh that a matrix (4, 4) presses flat may still show an area from above."""
    return bool(np.linalg.matrix_rank(matrix[:2, :3]) == 2)
