# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The contact graph of the active motion and leg, drawn in a corner of the 3D Viewport."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import blf
import bpy
import gpu
import numpy as np

from ...api.baking import PreparedBake
from ...api.limits import WALK
from ...core.drawing.contact_graph import (
    EDITED_COLOUR,
    FOUND_COLOUR,
    ContactGraph,
    make_contact_graph,
)
from ...core.drawing.shapes import HEEL_COLOUR, TOE_COLOUR, ColouredPoints
from ...core.motions.changes import REVERSED_SUFFIX
from ...core.motions.records import Motion
from .batches import FONT, MARGIN, ROW, THICK, THIN, bind_thick, make_batch

# Pixels at a scale of 1.
_WIDTH, _HEIGHT = 290.0, 90.0
_HAND_COLOUR = (1.0, 1.0, 1.0, 0.6)


@dataclass(frozen=True)
class GraphBatches:
    """What is drawn of one foot in one motion.

    Attributes
    ----------
    key
        The motion, and the number of the leg.
    title
        Their names, or why nothing is drawn.
    graph
        The shapes; None where nothing is drawn.
    fills, curves, lines, hand
        Batches.
    number
        Of the motion in the plan.
    """

    key: tuple[Motion | None, int, str]
    title: str
    graph: ContactGraph | None = None
    fills: Any = None
    curves: Any = None
    lines: Any = None
    hand: Any = None
    number: int = -1


def follow_graph(
    kept: GraphBatches | None, prepared: PreparedBake, armature: bpy.types.Object
) -> GraphBatches:
    """The graph of the active motion and leg; what is kept where that has not changed."""
    data = armature.locomotion
    legs = prepared.character.rig.legs
    leg = min(data.active_leg, len(legs) - 1)
    entry = data.motions[data.active_motion] if data.active_motion < len(data.motions) else None
    name = "" if entry is None or entry.action is None else entry.action.name
    number = _find_motion(prepared, name, entry is not None and entry.is_reversed)
    motion = None if number < 0 else prepared.plan.tables.motion_set.motions[number]
    key = (motion, leg, name)
    if kept is not None and kept.key[0] is motion and kept.key[1:] == key[1:]:
        return kept
    if motion is None:
        why = f"{name} is not planned: tick it" if name else "No motion is active"
        return GraphBatches(key, why)
    if not motion.is_cycle:
        return GraphBatches(key, f"{name} has no cycle")
    graph = make_contact_graph(motion, prepared.character.rig, leg)
    hand = ColouredPoints(
        np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), np.array([_HAND_COLOUR, _HAND_COLOUR])
    )
    return GraphBatches(
        key,
        f"{name}, {legs[leg].name}",
        graph,
        make_batch(THIN, "TRIS", graph.fills),
        make_batch(THICK, "LINES", graph.curves),
        make_batch(THIN, "LINES", graph.lines),
        make_batch(THIN, "LINES", hand),
        number,
    )


def _find_motion(prepared: PreparedBake, name: str, is_reversed: bool) -> int:
    """Number of the motion of an action in the plan; -1 where it has none."""
    motions = prepared.plan.tables.motion_set.motions
    wanted = name + REVERSED_SUFFIX if is_reversed else name
    return next((i for i, motion in enumerate(motions) if name and motion.name == wanted), -1)


def draw_graph(
    batches: GraphBatches,
    prepared: PreparedBake,
    scene: bpy.types.Scene,
    row: int,
    height: float,
    scale: float,
) -> float:
    """Draw the graph at a height over the corner; returns the height above it.

    Parameters
    ----------
    batches
        The graph.
    prepared
        The walk.
    scene
        Gives the unit of lengths.
    row
        Number of the present frame in the walk.
    height
        Pixels over the lower edge.
    scale
        Of the user interface.
    """
    left, step = MARGIN * scale, ROW * scale
    graph = batches.graph
    if graph is None:
        _write(left, height + 0.5 * step, batches.title)
        return height + 1.5 * step
    width, tall, bottom = _WIDTH * scale, _HEIGHT * scale, height + 0.5 * step
    shader = gpu.shader.from_builtin(THIN)
    gpu.state.blend_set("ALPHA")
    gpu.matrix.push()
    gpu.matrix.translate((left, bottom))
    gpu.matrix.scale((width, tall))
    batches.fills.draw(shader)
    batches.lines.draw(shader)
    batches.curves.draw(bind_thick())
    phase = _find_phase(batches, prepared, row)
    if phase is not None:
        gpu.matrix.translate((phase, 0.0))
        batches.hand.draw(shader)
    gpu.matrix.pop()
    above = bottom + tall
    for number, (time, text, is_edited) in enumerate(graph.labels):
        size, _ = blf.dimensions(FONT, text)
        place = left + min(time * width, width - size)
        colour = EDITED_COLOUR if is_edited else FOUND_COLOUR
        _write(place, above + (0.3 + number) * step, text, colour)
    top = bpy.utils.units.to_string(scene.unit_settings.system, "LENGTH", graph.top, precision=2)
    above += (0.3 + len(graph.labels)) * step
    place = left
    for text, colour in (
        (f"{batches.title}, up to {top}:", FOUND_COLOUR),
        ("Heel", HEEL_COLOUR),
        ("Toe", TOE_COLOUR),
        *((("Edited", EDITED_COLOUR),) if any(e for _, _, e in graph.labels) else ()),
    ):
        _write(place, above, text, colour)
        place += blf.dimensions(FONT, text)[0] + 0.5 * step
    return above + step


def _find_phase(batches: GraphBatches, prepared: PreparedBake, row: int) -> float | None:
    """Where in the motion the walk is at a frame; None where it does not play."""
    source, motions = prepared.walk.source, prepared.plan.tables.motion_set
    if source.weights[row, batches.number] < WALK.played:
        return None
    phase = float(source.phases[row] - motions.offsets[batches.number])
    return (-phase if motions.motions[batches.number].reversed else phase) % 1.0


def _write(
    x: float, y: float, text: str, colour: tuple[float, float, float] = FOUND_COLOUR
) -> None:
    """Write a text in a colour."""
    blf.color(FONT, *colour, 0.9)
    blf.position(FONT, x, y, 0.0)
    blf.draw(FONT, text)
