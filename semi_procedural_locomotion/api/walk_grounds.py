# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a character walks on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
import numpy as np

from ..blender.ground import build_ground
from ..blender.travel import sample_own_matrices
from ..core.ground import Ground
from ..core.terrain import FlatGround
from ..core.travel import Travel
from ..errors import GroundError
from .characters import Character

if TYPE_CHECKING:
    from .planning import PlanRequest


def find_ground(character: Character, request: PlanRequest, travel: Travel) -> Ground:
    """Meshes of the scene to walk on, or the plane at the character's height.

    Raises
    ------
    GroundError
        None of the chosen objects is a visible mesh.
    """
    if not request.use_plane:
        ground = build_ground(
            bpy.context,
            request.ground,
            (character.armature,),
            rendered_only=request.rendered_only,
        )
        if len(ground):
            return ground
        if request.ground is not None:
            names = ", ".join(repr(item.name) for item in request.ground)
            if not names:
                raise GroundError("no ground is chosen: choose meshes, or All Meshes")
            raise GroundError(
                f"the chosen ground ({names}) has no visible mesh: choose or show a mesh"
            )
    height = travel.positions[0, 2]
    if request.travel.source == "curve":
        # Curves are draped on the ground, so their own height is none.
        start = np.array([float(bpy.context.scene.frame_start)])
        height = sample_own_matrices(character.armature, start, bpy.context.scene)[0, 2, 3]
    return FlatGround(float(height))
