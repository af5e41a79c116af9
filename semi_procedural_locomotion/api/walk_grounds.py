# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a character walks on."""

from __future__ import annotations

import bpy
import numpy as np

from ..blender.ground.casting import build_ground
from ..blender.setup.characters import find_figures
from ..blender.travel.reading import sample_own_matrices
from ..core.ground.interface import Ground
from ..core.ground.terrain import FlatGround
from ..core.travel.way import Travel
from ..errors import GroundError
from ..requests.plans import PlanRequest
from ..requests.travels import AlongCurve, AlongFootsteps
from .characters import Character
from .limits import WALK


def find_ground(character: Character, request: PlanRequest, travel: Travel) -> Ground:
    """Meshes of the scene to walk on, or the plane at the character's height.

    Where no meshes are chosen, other figures are none, and those that lie nowhere under the way count
    for nothing: a lamp in a corner is no floor.

    Raises
    ------
    GroundError
        None of the chosen objects is a visible mesh.
    """
    if not request.use_plane:
        others = find_figures(bpy.context.scene) if request.ground is None else []
        ground = build_ground(
            bpy.context,
            request.ground,
            (character.armature, *others),
            rendered_only=request.rendered_only,
        )
        if len(ground) and (request.ground is not None or _lies_on_way(ground, character, travel)):
            return ground
        if request.ground is not None:
            names = ", ".join(repr(item.name) for item in request.ground)
            if not names:
                raise GroundError("no ground is chosen: choose meshes, or All Meshes")
            raise GroundError(
                f"the chosen ground ({names}) has no visible mesh: choose or show a mesh"
            )
    height = travel.positions[0, 2]
    if isinstance(request.travel, AlongCurve | AlongFootsteps):
        # These lie on a ground, or over it: where there is none, the character tells its height.
        start = np.array([float(bpy.context.scene.frame_start)])
        height = sample_own_matrices(character.armature, start, bpy.context.scene)[0, 2, 3]
    return FlatGround(float(height))


def _lies_on_way(ground: Ground, character: Character, travel: Travel) -> bool:
    """Whether anything lies under the way of a character, or beside it within its reach.

    A travel that goes nowhere, as for footsteps that are placed, tells of no way.
    """
    if len(travel.times) < 2:
        return True
    reach = WALK.ground_reach * character.rig.leg_length
    positions, _ = travel.evaluate(np.linspace(travel.start, travel.end, WALK.ground_samples))
    around = reach * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
    points = np.empty((WALK.ground_samples, len(around), 3))
    points[..., :2] = positions[:, None, :2] + around
    points[..., 2] = ground.height_limits()[1] + reach
    flat = points.reshape(-1, 3)
    return bool(ground.cast_down(flat, np.full(len(flat), travel.start)).hit.any())
