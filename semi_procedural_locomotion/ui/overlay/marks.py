# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Marks of the active character's set-up in the 3D Viewport, for which no walk is needed."""

from __future__ import annotations

from typing import Any

import bpy
import gpu
import numpy as np

from ...api import is_set_up
from ...blender.setup.rigs import find_front, find_leg_length
from ...core.drawing.figures import make_forward_arrow, make_sole_marks
from ..targets import find_active_armature
from .cycles import THICK, THIN, bind_thick, draw_cycles, make_batch

# Length of the forward arrow as a share of the leg's.
_ARROW = 0.8

# Batches by what they show, each with the values that it was made from.
_kept: dict[str, tuple[Any, list[Any]]] = {}


def forget_marks() -> None:
    """Drop everything kept for drawing."""
    _kept.clear()


def draw_marks() -> None:
    """Draw what is asked for of the active character; for ``POST_VIEW``."""
    context = bpy.context
    space, armature = context.space_data, find_active_armature(context)
    if space is None or not space.overlay.show_overlays:
        return
    if armature is None or not is_set_up(armature):
        return
    options = context.window_manager.locomotion_overlay
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("NONE" if options.in_front else "LESS_EQUAL")
    if options.show_forward:
        _draw_forward(armature)
    data = armature.locomotion
    if options.show_own_sole and data.active_leg < len(data.legs):
        _draw_sole(armature, data.legs[data.active_leg])
    if options.show_cycle:
        draw_cycles(armature, with_others=options.compare_cycles)
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


def _draw_forward(armature: bpy.types.Object) -> None:
    """An arrow on the ground to where the character faces."""
    matrix = armature.matrix_world
    place = np.array(matrix.translation)
    place[2] += armature.locomotion.ground_height * matrix.median_scale
    front = find_front(armature)
    size = _ARROW * find_leg_length(armature) * matrix.median_scale
    key = (*place.tolist(), *front.tolist(), size)
    kept = _kept.get("forward")
    if kept is None or kept[0] != key:
        fill, outline = make_forward_arrow(place, front, size)
        batches = [make_batch(THIN, "TRIS", fill), make_batch(THICK, "LINES", outline)]
        kept = _kept["forward"] = (key, batches)
    kept[1][0].draw(gpu.shader.from_builtin(THIN))
    kept[1][1].draw(bind_thick())


def _draw_sole(armature: bpy.types.Object, leg: bpy.types.PropertyGroup) -> None:
    """The sole of a leg as the armature is posed now."""
    matrix, bones = armature.matrix_world, armature.pose.bones
    points = [leg.heel, leg.ball, leg.toe_tip]
    if any(point.bone not in bones for point in points):
        return
    places = [matrix @ bones[point.bone].matrix @ point.offset for point in points]
    width = leg.sole_width * matrix.median_scale
    key = (*(tuple(place) for place in places), width, leg.side)
    kept = _kept.get("sole")
    if kept is None or kept[0] != key:
        side = "" if leg.side == "NONE" else leg.side
        marks = make_sole_marks(np.array(places, dtype=np.float64), width, side)
        kept = _kept["sole"] = (key, [make_batch(THICK, "LINES", marks)])
    kept[1][0].draw(bind_thick())
