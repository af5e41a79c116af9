# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stored cycles of the active character: for the panel, and drawn where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import blf
import bpy
import gpu
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from gpu_extras.batch import batch_for_shader

from ...api.stored_motions import StoredMotion, read_stored_motions
from ...core.drawing.shapes import ColouredPoints, make_footbase_path
from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ...core.rig.structure import Rig
from ...errors import LocomotionError
from ..targets import find_active_armature

LINE_WIDTH = 2.0
FONT, FONT_SIZE, TEXT_COLOUR = 0, 11, (1.0, 1.0, 1.0, 0.9)
# Diagrams lie this many pixels from the corner, and their lines of text apart, at a scale of 1.
MARGIN, ROW = 24.0, 16.0
# Stands before words that tell what a colour means.
SWATCH = "\N{BLACK SQUARE}"
THIN, THICK = "SMOOTH_COLOR", "POLYLINE_SMOOTH_COLOR"


def make_batch(shader: str, kind: str, *shapes: ColouredPoints) -> Any:  # noqa: ANN401
    """Points put on the graphics card."""
    points = np.concatenate([shape.points for shape in shapes])
    colours = np.concatenate([shape.colours for shape in shapes])
    return batch_for_shader(
        gpu.shader.from_builtin(shader),
        kind,
        {
            "pos": np.ascontiguousarray(points, dtype=np.float32),
            "color": np.ascontiguousarray(colours, dtype=np.float32),
        },
    )


def bind_thick() -> Any:  # noqa: ANN401
    """The shader of thick lines, ready to draw with."""
    shader = gpu.shader.from_builtin(THICK)
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", LINE_WIDTH)
    return shader


# Lengths of the leg from one cycle to the next where they are drawn side by side.
_BESIDE = 1.4


@dataclass(frozen=True)
class _ShownCycles:
    """Record of what is stored of a character's ticked cycles.

    Attributes
    ----------
    rig
        The character; None where it cannot be read.
    motions
        By the names of their actions; None for one that was changed since it was analysed.
    """

    rig: Rig | None = None
    motions: Mapping[str, StoredMotion | None] = field(default_factory=dict)

    def find_active(self, armature: bpy.types.Object) -> StoredMotion | None:
        """The active motion of the list; None where nothing is stored of it."""
        data = armature.locomotion
        if data.active_motion >= len(data.motions):
            return None
        action = data.motions[data.active_motion].action
        return None if action is None else self.motions.get(action.name)


# What was read last and what it was read for, and the batches drawn of it.
_read: list[tuple[Any, _ShownCycles]] = []
_batches: list[tuple[Any, Any]] = []


def find_cycles(armature: bpy.types.Object) -> _ShownCycles:
    """Find what is stored of a character's ticked cycles; read again where its list or legs differ."""
    data = armature.locomotion
    entries = tuple(
        (
            *(e.action.session_uid, e.action.name, e.enabled, e.found_kind, e.is_reversed),
            *(e.speed, e.period, e.quality, e.own_speed),
            *(time for k in e.key_times for time in (k.strike, k.stance, k.off)),
        )
        for e in data.motions
        if e.action is not None
    )
    key = (armature.session_uid, entries, tuple(leg.name for leg in data.legs))
    if not _read or _read[0][0] != key:
        try:
            shown = _ShownCycles(*read_stored_motions(armature))
        except LocomotionError:
            shown = _ShownCycles()
        _read[:] = [(key, shown)]
    return _read[0][1]


def forget_cycles() -> None:
    """Read and draw anew from now on."""
    _read.clear()
    _batches.clear()


def draw_cycles(armature: bpy.types.Object, *, with_others: bool) -> None:
    """Draw the foot paths of the active motion at its character, and of all others beside it."""
    shown = find_cycles(armature)
    if shown.rig is None:
        return
    placed = list(_place_cycles(armature, shown, with_others=with_others))
    key = (
        id(shown),
        tuple(motion.action for motion, _ in placed),
        tuple(armature.matrix_world.row[i][:] for i in range(3)),
    )
    if not _batches or _batches[0][0] != key:
        turn = _find_turn(armature, shown.rig)
        parts = [
            make_footbase_path(
                place + rot.rotate(turn, leg.footbases),
                leg.stance,
                leg.key_times,
                leg.side,
                shown.rig.leg_length,
            )
            for motion, place in placed
            for leg in motion.legs
        ]
        if not parts:
            return
        joined = ColouredPoints(
            np.concatenate([part.points for part in parts]),
            np.concatenate([part.colours for part in parts]),
        )
        _batches[:] = [(key, make_batch(THICK, "LINES", joined))]
    _batches[0][1].draw(bind_thick())


def write_names() -> None:
    """Write the names of cycles that are drawn side by side; for ``POST_PIXEL``."""
    context = bpy.context
    options = context.window_manager.locomotion_overlay
    armature, space = find_active_armature(context), context.space_data
    if armature is None or space is None or not space.overlay.show_overlays:
        return
    if not (options.show_cycle and options.compare_cycles):
        return
    shown = find_cycles(armature)
    blf.size(FONT, 12.0 * context.preferences.system.ui_scale)
    blf.color(FONT, 1.0, 1.0, 1.0, 0.9)
    for motion, place in _place_cycles(armature, shown, with_others=True):
        spot = location_3d_to_region_2d(context.region, context.region_data, place)
        if spot is not None:
            blf.position(FONT, spot.x, spot.y, 0.0)
            blf.draw(FONT, motion.action)


def _place_cycles(
    armature: bpy.types.Object, shown: _ShownCycles, *, with_others: bool
) -> Iterator[tuple[StoredMotion, FloatArray]]:
    """The cycles to draw with the world place of their character's origin, the active one first."""
    rig = shown.rig
    if rig is None:
        return
    skeleton, turn = rig.skeleton, _find_turn(armature, rig)
    here = np.array(armature.matrix_world.translation) - rot.rotate(turn, skeleton.object_origin)
    forward = rot.rotate(turn, np.array([*rig.forward, 0.0]))
    aside = np.array([-forward[1], forward[0], 0.0]) * _BESIDE * rig.leg_length
    active = shown.find_active(armature)
    motions = [] if active is None else [active]
    if with_others:
        motions += [m for m in shown.motions.values() if m is not None and m is not active]
    for number, motion in enumerate(motions):
        yield motion, here + number * aside


def _find_turn(armature: bpy.types.Object, rig: Rig) -> FloatArray:
    """Find how the character is turned against the space of its motions, quaternion, shape (4,)."""
    now = np.array(armature.matrix_world.to_quaternion())
    return rot.multiply(now, rot.conjugate(rig.skeleton.object_rotation))
