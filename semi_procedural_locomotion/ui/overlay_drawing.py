# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawing of planned walks in the 3D Viewport.

Shapes are made once for each plan and kept as batches on the graphics card; a redraw only draws
them, and the few numbers and clocks that depend on view or frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import blf
import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ..api import watching
from ..api.baking import PreparedBake
from ..core.overlay_shapes import (
    CLOCK_GAP,
    SIDE_COLOURS,
    ColouredPoints,
    SoleShapes,
    make_clocks,
    make_walk_shapes,
)
from ..core.rotations import FloatArray

_LINE_WIDTH, _OUTLINE_WIDTH = 2.0, 1.5
_FONT, _FONT_SIZE = 0, 11
# Only this many numbers are written at once, those nearest to the viewer.
_MOST_NUMBERS = 100
# Clocks and weights lie this many pixels from the corner, at a scale of 1.
_MARGIN, _CLOCK_RADIUS, _BAR_WIDTH, _ROW = 24.0, 16.0, 90.0, 16.0
_BAR_COLOURS = ((1.0, 1.0, 1.0, 0.12), (0.35, 0.9, 0.45, 0.9))


@dataclass(frozen=True)
class _Batches:
    """What is drawn of one plan."""

    prepared: object
    fills: Any
    outlines: Any
    foot_paths: Any
    hip_paths: Any
    soles: SoleShapes


_batches: dict[int, _Batches] = {}


def forget_batches() -> None:
    """Drop everything kept for drawing."""
    _batches.clear()


def draw_in_space() -> None:
    """Draw soles and paths; for ``POST_VIEW``."""
    context = bpy.context
    watches = _list_drawn(context)
    if not watches:
        return
    options = context.window_manager.locomotion_overlay
    fill = gpu.shader.from_builtin("SMOOTH_COLOR")
    line = gpu.shader.from_builtin("POLYLINE_SMOOTH_COLOR")
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("NONE" if options.in_front else "LESS_EQUAL")
    line.bind()
    line.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    for watch, prepared in watches:
        batches = _find_batches(watch, prepared)
        if options.show_soles:
            batches.fills.draw(fill)
            line.uniform_float("lineWidth", _OUTLINE_WIDTH)
            batches.outlines.draw(line)
        line.uniform_float("lineWidth", _LINE_WIDTH)
        if options.show_foot_paths:
            batches.foot_paths.draw(line)
        if options.show_hip_paths:
            batches.hip_paths.draw(line)
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


def draw_on_screen() -> None:
    """Draw numbers, clocks and weights; for ``POST_PIXEL``."""
    context = bpy.context
    watches = _list_drawn(context)
    if not watches:
        return
    options = context.window_manager.locomotion_overlay
    scale = context.preferences.system.ui_scale
    blf.size(_FONT, _FONT_SIZE * scale)
    blf.color(_FONT, 1.0, 1.0, 1.0, 0.9)
    if options.show_soles and options.show_numbers:
        for watch, prepared in watches:
            soles = _find_batches(watch, prepared).soles
            _write_numbers(soles, context.region, context.region_data)
    height = _MARGIN * scale
    for _, prepared in watches:
        if options.show_clocks:
            height = _draw_clocks(prepared, context.scene, height, scale)
        if options.show_weights:
            height = _draw_weights(prepared, context.scene, height, scale)
    gpu.state.blend_set("NONE")


def choose_numbers(
    centres: FloatArray, matrix: FloatArray, width: float, height: float
) -> tuple[np.ndarray, FloatArray]:
    """Which points are in view, the nearest ones if there are many.

    Parameters
    ----------
    centres
        World, metres, shape (n, 3).
    matrix
        From the world to the view's clip space, shape (4, 4).
    width, height
        Of the region, pixels.

    Returns
    -------
    indices, places
        Shape (k,), and their pixels, shape (k, 2).
    """
    clip = centres @ matrix[:, :3].T + matrix[:, 3]
    depths = clip[:, 3]
    flat = clip[:, :2] / np.where(depths > 0, depths, 1.0)[:, None]
    seen = np.flatnonzero((depths > 0) & np.all(np.abs(flat) <= 1.0, axis=1))
    if len(seen) > _MOST_NUMBERS:
        nearest = np.argpartition(clip[seen, 2] / depths[seen], _MOST_NUMBERS)
        seen = seen[nearest[:_MOST_NUMBERS]]
    return seen, (0.5 + 0.5 * flat[seen]) * np.array([width, height])


def _list_drawn(context: bpy.types.Context) -> list[tuple[watching.Watch, PreparedBake]]:
    """Watches whose walks are drawn in this view, with their plans."""
    space = context.space_data
    if space is None or not space.overlay.show_overlays:
        return []
    scene = context.scene.session_uid
    return [
        (watch, watch.prepared)
        for watch in watching.list_watches()
        if watch.drawn and watch.prepared is not None and watch.scene_uid == scene
    ]


def _find_batches(watch: watching.Watch, prepared: PreparedBake) -> _Batches:
    """The batches of a watch's present plan, made where its plan is new."""
    kept = _batches.get(watch.uid)
    if kept is not None and kept.prepared is prepared:
        return kept
    shapes = make_walk_shapes(prepared.plan, prepared.walk)
    made = _Batches(
        prepared,
        _make_batch("SMOOTH_COLOR", "TRIS", shapes.soles.fills),
        _make_batch("POLYLINE_SMOOTH_COLOR", "LINES", shapes.soles.outlines),
        _make_batch("POLYLINE_SMOOTH_COLOR", "LINES", shapes.foot_paths),
        _make_batch("POLYLINE_SMOOTH_COLOR", "LINES", shapes.hip_paths),
        shapes.soles,
    )
    _batches[watch.uid] = made
    return made


def _make_batch(shader: str, kind: str, shape: ColouredPoints) -> Any:  # noqa: ANN401
    """Points put on the graphics card."""
    return batch_for_shader(
        gpu.shader.from_builtin(shader),
        kind,
        {
            "pos": np.ascontiguousarray(shape.points, dtype=np.float32),
            "color": np.ascontiguousarray(shape.colours, dtype=np.float32),
        },
    )


def _write_numbers(
    soles: SoleShapes, region: bpy.types.Region, view: bpy.types.RegionView3D
) -> None:
    """Write the numbers of the prints in view."""
    matrix = np.array(view.perspective_matrix, dtype=np.float64)
    chosen, places = choose_numbers(soles.centres, matrix, region.width, region.height)
    numbers = soles.numbers[chosen].tolist()
    for number, (x, y) in zip(numbers, places.tolist(), strict=True):
        blf.position(_FONT, x, y, 0.0)
        blf.draw(_FONT, str(number))


def _find_row(prepared: PreparedBake, scene: bpy.types.Scene) -> int:
    """Index of the present frame among those of the plan."""
    first, last = prepared.frames
    return min(max(scene.frame_current, first), last) - first


def _draw_clocks(
    prepared: PreparedBake, scene: bpy.types.Scene, height: float, scale: float
) -> float:
    """A clock for each leg; returns the height above them."""
    row, states, legs = _find_row(prepared, scene), prepared.walk.states, prepared.plan.tables.legs
    colours = np.array([SIDE_COLOURS.get(leg.side, SIDE_COLOURS[""]) for leg in legs])
    rings, hands = make_clocks(states.leg_times[row], states.key_times[row], colours)
    radius = _CLOCK_RADIUS * scale
    left = _MARGIN * scale + radius
    gpu.state.blend_set("ALPHA")
    gpu.matrix.push()
    gpu.matrix.translate((left, height + radius))
    gpu.matrix.scale((radius, radius))
    _make_batch("SMOOTH_COLOR", "TRIS", rings).draw(gpu.shader.from_builtin("SMOOTH_COLOR"))
    line = gpu.shader.from_builtin("POLYLINE_SMOOTH_COLOR")
    line.bind()
    line.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    line.uniform_float("lineWidth", _LINE_WIDTH)
    _make_batch("POLYLINE_SMOOTH_COLOR", "LINES", hands).draw(line)
    gpu.matrix.pop()
    for index, leg in enumerate(legs):
        width, _ = blf.dimensions(_FONT, leg.name)
        blf.position(
            _FONT, left + index * CLOCK_GAP * radius - 0.5 * width, height + 2.6 * radius, 0.0
        )
        blf.draw(_FONT, leg.name)
    return height + 2.6 * radius + _ROW * scale


def _draw_weights(
    prepared: PreparedBake, scene: bpy.types.Scene, height: float, scale: float
) -> float:
    """A bar for each motion; returns the height above them."""
    weights = prepared.walk.source.weights[_find_row(prepared, scene)].tolist()
    left, row, width = _MARGIN * scale, _ROW * scale, _BAR_WIDTH * scale
    bottoms = [height + (0.5 + index) * row for index in range(len(weights))]
    bars = [
        _make_bar(left, bottom, width * share, 0.5 * row, colour)
        for bottom, weight in zip(bottoms, weights, strict=True)
        for share, colour in zip((1.0, weight), _BAR_COLOURS, strict=True)
    ]
    points = np.concatenate([bar.points for bar in bars])
    colours = np.concatenate([bar.colours for bar in bars])
    gpu.state.blend_set("ALPHA")
    shader = gpu.shader.from_builtin("SMOOTH_COLOR")
    _make_batch("SMOOTH_COLOR", "TRIS", ColouredPoints(points, colours)).draw(shader)
    motions = prepared.plan.tables.set.motions
    for motion, weight, bottom in zip(motions, weights, bottoms, strict=True):
        blf.position(_FONT, left + width + 0.5 * row, bottom, 0.0)
        blf.draw(_FONT, f"{motion.name}  {weight:.0%}")
    return bottoms[-1] + 1.5 * row


def _make_bar(
    left: float, bottom: float, width: float, height: float, colour: tuple[float, ...]
) -> ColouredPoints:
    """A rectangle of two triangles."""
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1]]) * (width, height)
    points = np.concatenate([corners + np.array([left, bottom]), np.zeros((6, 1))], axis=1)
    return ColouredPoints(points, np.tile(colour, (6, 1)))
