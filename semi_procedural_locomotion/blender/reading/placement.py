# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters put where they stand without their walk, while the walk is planned again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
import numpy as np
from mathutils import Matrix

from ..travel.reading import sample_own_matrices
from ..values.matrices import get_rotation_property


@contextmanager
def stand_at_start(
    armature: bpy.types.Object, frame: float, scene: bpy.types.Scene
) -> Iterator[None]:
    """The object stands as it did at a frame before its walk was baked or shown.

    A walk straight on begins where the character stands. Planned again in the middle of itself, it
    has to begin there too.
    """
    start = sample_own_matrices(armature, np.array([float(frame)]), scene)[0]
    names = ("location", get_rotation_property(armature.rotation_mode), "scale")
    values = {name: list(getattr(armature, name)) for name in names}
    world = armature.matrix_world.copy()
    armature.matrix_world = Matrix(start.tolist())
    try:
        yield
    finally:
        armature.matrix_world = world
        for name, numbers in values.items():
            setattr(armature, name, numbers)
