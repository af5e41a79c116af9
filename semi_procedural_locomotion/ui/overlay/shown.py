# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The overlay of planned walks: what is shown of whom. Off until asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import blf
import bpy
import gpu
import numpy as np
from bpy.props import BoolProperty, EnumProperty, PointerProperty

from ...api import is_set_up, watching
from ...api.baking import PreparedBake
from ...api.limits import WALK
from ...blender.driving.track import read_predicted
from ...blender.setup.rigs import find_front, find_leg_length
from ...core.drawing.figures import (
    EDITED_COLOUR,
    FOUND_COLOUR,
    ContactGraph,
    make_contact_graph,
    make_forward_arrow,
    make_ghost,
    make_sole_marks,
)
from ...core.drawing.shapes import (
    CLOCK_GAP,
    HEEL_COLOUR,
    SIDE_COLOURS,
    STEERED_COLOUR,
    TOE_COLOUR,
    ColouredPoints,
    PathShapes,
    SoleShapes,
    WalkShapes,
    choose_near,
    make_bars,
    make_clocks,
    make_steered_soles,
    make_walk_shapes,
    read_weights,
    shorten_name,
    tell_weights,
)
from ...core.maths.rotations import FloatArray
from ...core.motions.changes import REVERSED_SUFFIX
from ...core.motions.records import Motion
from ...requests.travels import AsObject
from ..limits import OVERLAY
from ..live import handlers as live_handlers
from ..live.operators import ACTION_PROPERTY, switch
from ..targets import find_active_armature, find_characters, poll_characters
from . import cycles as overlay_cycles
from .cycles import (
    FONT,
    FONT_SIZE,
    MARGIN,
    ROW,
    SWATCH,
    TEXT_COLOUR,
    THICK,
    THIN,
    bind_thick,
    draw_cycles,
    make_batch,
)

# Pixels at a scale of 1.
_WIDTH, _HEIGHT = 290.0, 90.0
_HAND_COLOUR = (1.0, 1.0, 1.0, 0.6)


@dataclass(frozen=True)
class _GraphBatches:
    """Record of what is drawn of one foot in one motion.

    Attributes
    ----------
    key
        The motion, and the number of the leg.
    title
        Their names, or why nothing is drawn.
    graph
        The shapes; None where nothing is drawn.
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
    kept: _GraphBatches | None, prepared: PreparedBake, armature: bpy.types.Object
) -> _GraphBatches:
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
        return _GraphBatches(key, why)
    if not motion.is_cycle:
        return _GraphBatches(key, f"{name} has no cycle")
    graph = make_contact_graph(motion, prepared.character.rig, leg)
    hand = ColouredPoints(
        np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), np.array([_HAND_COLOUR, _HAND_COLOUR])
    )
    return _GraphBatches(
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


def _draw_graph(
    batches: _GraphBatches,
    prepared: PreparedBake,
    scene: bpy.types.Scene,
    row: int,
    height: float,
    scale: float,
) -> float:
    """Draw the graph at a height over the corner; returns the height above it."""
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


def _find_phase(batches: _GraphBatches, prepared: PreparedBake, row: int) -> float | None:
    """Find where in the motion the walk is at a frame; None where it does not play."""
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


# Pixels at a scale of 1.
_CLOCK_RADIUS, _BAR_WIDTH = 16.0, 90.0


@dataclass
class _Drawn:
    """Record of what is drawn of one plan.

    Attributes
    ----------
    shapes, centres
        Its shapes, and the middles of its prints.
    pieces
        Numbers of the pieces that the near batches hold.
    near, far
        Batches by what they show; ``far`` is empty for walks that are drawn whole.
    row
        Frame of the plan that the diagrams are for.
    ghost_row, ghost
        Frame of the plan that the ghost is of, and its batch.
    steered
        Batch of the steps of a drive; None where the way is of none.
    armature
        The armature object as it is at this redraw.
    """

    prepared: PreparedBake
    shapes: WalkShapes
    centres: FloatArray
    pieces: tuple[int, ...] = ()
    near: dict[str, Any] = field(default_factory=dict)
    far: dict[str, Any] = field(default_factory=dict)
    row: int = -1
    rings: Any = None
    hands: Any = None
    bars: Any = None
    graph: _GraphBatches | None = None
    ghost_row: int = -1
    ghost: Any = None
    steered: Any = None
    armature: bpy.types.Object | None = None


_drawn: dict[int, _Drawn] = {}


def _forget_batches() -> None:
    """Drop everything kept for drawing."""
    _drawn.clear()


def draw_in_space() -> None:
    """Draw soles and paths; for ``POST_VIEW``."""
    context = bpy.context
    walks = _list_drawn(context)
    if not walks:
        return
    options = context.window_manager.locomotion_overlay
    shown = [name for name in ("soles", "foot_paths", "hip_paths") if options.is_shown(name)]
    matrix = np.array(context.region_data.perspective_matrix, dtype=np.float64)
    thin, thick = gpu.shader.from_builtin(THIN), bind_thick()
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("NONE" if options.in_front else "LESS_EQUAL")
    for drawn in walks:
        _choose_pieces(drawn, matrix, context.region.height)
        for name in shown:
            if name in drawn.far:
                drawn.far[name].draw(thin)
        for name in shown:
            if name == "soles" and drawn.pieces:
                drawn.near["fills"].draw(thin)
            if name in drawn.near:
                drawn.near[name].draw(thin if drawn.far else thick)
        if options.show_steered and drawn.steered is not None:
            drawn.steered.draw(bind_thick())
        if options.show_ghost:
            _draw_ghost(drawn, context.scene, thin)
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


def _draw_ghost(drawn: _Drawn, scene: bpy.types.Scene, shader: Any) -> None:  # noqa: ANN401
    """Draw the legs before any correction at the present frame, where that is one of the walk."""
    prepared = drawn.prepared
    first, last = prepared.frames
    if not first <= scene.frame_current <= last:
        return
    row = scene.frame_current - first
    if row != drawn.ghost_row:
        drawn.ghost_row = row
        drawn.ghost = make_batch(THIN, "LINES", make_ghost(prepared.plan, prepared.walk, row))
    drawn.ghost.draw(shader)


def draw_on_screen() -> None:
    """Draw numbers, clocks and weights; for ``POST_PIXEL``."""
    context = bpy.context
    walks = _list_drawn(context)
    if not walks:
        return
    options = context.window_manager.locomotion_overlay
    scale = context.preferences.system.ui_scale
    blf.size(FONT, FONT_SIZE * scale)
    height = MARGIN * scale
    for drawn in walks:
        blf.color(FONT, *TEXT_COLOUR)
        if options.show_soles and options.show_numbers:
            _write_numbers(drawn, context.region, context.region_data, scale)
        if options.show_clocks:
            height = _draw_clocks(drawn, context.scene, height, scale)
        if options.show_weights:
            height = _draw_weights(drawn, context.scene, height, scale)
        if options.show_graph and drawn.armature is not None:
            row = _follow_frame(drawn, context.scene)
            drawn.graph = follow_graph(drawn.graph, drawn.prepared, drawn.armature)
            height = _draw_graph(drawn.graph, drawn.prepared, context.scene, row, height, scale)
        if options.show_steered and drawn.steered is not None:
            height = _write_legend(drawn, height, scale)
    gpu.state.blend_set("NONE")


def _list_drawn(context: bpy.types.Context) -> list[_Drawn]:
    """List what is drawn in this view; shapes are made where plans are new."""
    space = context.space_data
    if space is None or not space.overlay.show_overlays:
        return []
    scene = context.scene.session_uid
    found = []
    for watch in watching.list_watches():
        prepared = watch.prepared
        if not watch.drawn or prepared is None or watch.scene_uid != scene:
            continue
        kept = _drawn.get(watch.uid)
        if kept is None or kept.prepared is not prepared:
            shapes = make_walk_shapes(prepared.plan, prepared.walk)
            kept = _drawn[watch.uid] = _Drawn(prepared, shapes, shapes.soles.centres)
            kept.steered = _make_steered(prepared)
        kept.armature = watch.find_object()
        found.append(kept)
    return found


def _make_steered(prepared: PreparedBake) -> Any:  # noqa: ANN401
    """The steps of the drive that a walk goes by; None where it goes by none."""
    if not isinstance(prepared.request.plan.travel, AsObject):
        return None
    prints = read_predicted(prepared.character.armature)
    if not prints:
        return None
    return make_batch(THICK, "LINES", make_steered_soles(prepared.character.rig, prints))


def _write_legend(drawn: _Drawn, height: float, scale: float) -> float:
    """Tell the colours of foreseen and exact steps; returns the height above."""
    legs = drawn.prepared.plan.tables.small_rig.legs
    sides = {leg.side: leg.name for leg in legs if leg.side in SIDE_COLOURS}
    left, height = MARGIN * scale, height + 0.5 * ROW * scale
    for text, colour in (
        ("Steps as foreseen", STEERED_COLOUR),
        *((f"exact {name}", SIDE_COLOURS[side]) for side, name in sides.items()),
    ):
        for part, shade in ((f"{SWATCH} ", (*colour, 1.0)), (text, TEXT_COLOUR)):
            blf.color(FONT, *shade)
            blf.position(FONT, left, height, 0.0)
            blf.draw(FONT, part)
            left += blf.dimensions(FONT, part)[0]
        left += 0.8 * ROW * scale
    blf.color(FONT, *TEXT_COLOUR)
    return height + 1.2 * ROW * scale


def _choose_pieces(drawn: _Drawn, matrix: FloatArray, height: int) -> None:
    """Make the batches for what is near the viewer, where that has changed."""
    shapes = drawn.shapes
    count = -(-len(drawn.centres) // OVERLAY.piece)
    pieces = tuple(range(count))
    if count > OVERLAY.most_pieces:
        smallest = OVERLAY.far_pixels / (0.5 * height * shapes.soles.length)
        near, _ = choose_near(drawn.centres, matrix, smallest, OVERLAY.most_pieces * OVERLAY.piece)
        held = np.bincount(near // OVERLAY.piece, minlength=count)
        best = np.argsort(-held, kind="stable")[: OVERLAY.most_pieces]
        pieces = tuple(sorted(int(piece) for piece in best if held[piece]))
        if not drawn.far:
            drawn.far = {
                name: make_batch(
                    THIN, "LINES", path.draw_between(-np.inf, np.inf, OVERLAY.far_stride)
                )
                for name, path in _list_paths(shapes)
            }
    if pieces == drawn.pieces:
        return
    drawn.pieces = pieces
    drawn.near = {}
    if not pieces:
        return
    kind = THIN if drawn.far else THICK
    parts = [slice(piece * OVERLAY.piece, (piece + 1) * OVERLAY.piece) for piece in pieces]
    soles = shapes.soles
    drawn.near["fills"] = make_batch(THIN, "TRIS", *[soles.fill(part) for part in parts])
    drawn.near["soles"] = make_batch(kind, "LINES", *[soles.outline(part) for part in parts])
    spans = [_find_span(soles, part, count == len(pieces)) for part in parts]
    for name, path in _list_paths(shapes):
        lines = [path.draw_between(*span) for span in spans]
        drawn.near[name] = make_batch(kind, "LINES", *lines)


def _list_paths(shapes: WalkShapes) -> tuple[tuple[str, PathShapes], ...]:
    """The paths by the names of their choices."""
    return ("foot_paths", shapes.foot_paths), ("hip_paths", shapes.hip_paths)


def _find_span(soles: SoleShapes, part: slice, whole: bool) -> tuple[float, float]:
    """Seconds from the first print of a piece to the first of the next."""
    ends = soles.times[part.stop : part.stop + 1]
    end = float(ends[0]) if len(ends) else np.inf
    return -np.inf if whole and part.start == 0 else float(soles.times[part.start]), end


def _write_numbers(
    drawn: _Drawn, region: bpy.types.Region, view: bpy.types.RegionView3D, scale: float
) -> None:
    """Write the numbers of the prints that are near enough."""
    matrix = np.array(view.perspective_matrix, dtype=np.float64)
    size = np.array([region.width, region.height])
    smallest = OVERLAY.number_pixels * scale / (0.5 * region.height * drawn.shapes.soles.length)
    chosen, places = choose_near(drawn.centres, matrix, smallest, OVERLAY.most_numbers)
    pixels = (0.5 + 0.5 * places) * size
    for number, (x, y) in zip(chosen.tolist(), pixels.tolist(), strict=True):
        blf.position(FONT, x, y, 0.0)
        blf.draw(FONT, str(number + 1))


def _follow_frame(drawn: _Drawn, scene: bpy.types.Scene) -> int:
    """Index of the present frame among those of the plan; its clocks and bars are made."""
    prepared = drawn.prepared
    first, last = prepared.frames
    row = min(max(scene.frame_current, first), last) - first
    if row != drawn.row:
        states, legs = prepared.walk.states, prepared.plan.tables.small_rig.legs
        colours = np.array([SIDE_COLOURS.get(leg.side, SIDE_COLOURS[""]) for leg in legs])
        rings, hands = make_clocks(states.leg_times[row], states.key_times[row], colours)
        drawn.row = row
        drawn.rings = make_batch(THIN, "TRIS", rings)
        drawn.hands = make_batch(THICK, "LINES", hands)
        drawn.bars = make_batch(
            THIN, "TRIS", make_bars(read_weights(prepared.plan, prepared.walk, row))
        )
    return row


def _draw_clocks(drawn: _Drawn, scene: bpy.types.Scene, height: float, scale: float) -> float:
    """A clock for each leg; returns the height above them."""
    _follow_frame(drawn, scene)
    legs = drawn.prepared.plan.tables.small_rig.legs
    radius = _CLOCK_RADIUS * scale
    left = MARGIN * scale + radius
    gpu.state.blend_set("ALPHA")
    gpu.matrix.push()
    gpu.matrix.translate((left, height + radius))
    gpu.matrix.scale((radius, radius))
    drawn.rings.draw(gpu.shader.from_builtin(THIN))
    drawn.hands.draw(bind_thick())
    gpu.matrix.pop()
    room = CLOCK_GAP * radius
    names = [leg.name for leg in legs]
    if any(blf.dimensions(FONT, name)[0] > 0.95 * room for name in names):
        names = [shorten_name(name) for name in names]
    for index, name in enumerate(names):
        width, _ = blf.dimensions(FONT, name)
        blf.position(FONT, left + index * room - 0.5 * width, height + 2.6 * radius, 0.0)
        blf.draw(FONT, name)
    return height + 2.6 * radius + ROW * scale


def _draw_weights(drawn: _Drawn, scene: bpy.types.Scene, height: float, scale: float) -> float:
    """A bar for each motion and each layer; returns the height above them."""
    row = _follow_frame(drawn, scene)
    left, step, width = MARGIN * scale, ROW * scale, _BAR_WIDTH * scale
    bottom = height + 0.5 * step
    gpu.state.blend_set("ALPHA")
    gpu.matrix.push()
    gpu.matrix.translate((left, bottom))
    gpu.matrix.scale((width, step))
    drawn.bars.draw(gpu.shader.from_builtin(THIN))
    gpu.matrix.pop()
    told = tell_weights(drawn.prepared.plan, drawn.prepared.walk, row)
    for index, text in enumerate(told):
        blf.position(FONT, left + width + 0.5 * step, bottom + index * step, 0.0)
        blf.draw(FONT, text)
    return bottom + (len(told) + 0.5) * step


# Length of the forward arrow as a share of the leg's.
_ARROW = 0.8

# Batches by what they show, each with the values that it was made from.
_kept: dict[str, tuple[Any, list[Any]]] = {}


def _forget_marks() -> None:
    """Drop everything kept for drawing."""
    _kept.clear()


def _draw_marks() -> None:
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


# Handles of what is drawn, by whether it is about walks or marks of the set-up.
_walk_handles: list[Any] = []
_mark_handles: list[Any] = []
_WALKS = (
    (draw_in_space, "POST_VIEW"),
    (draw_on_screen, "POST_PIXEL"),
)
_MARKS = (
    (_draw_marks, "POST_VIEW"),
    (overlay_cycles.write_names, "POST_PIXEL"),
)


def _follow_choice(owner: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:  # noqa: ARG001
    """Draw as was chosen."""
    _follow()


class LOCOMOTION_PG_overlay(bpy.types.PropertyGroup):
    """What the overlay shows."""

    show_soles: BoolProperty(
        name="Soles", description="Show where the feet are planned to stand", default=True
    )
    show_numbers: BoolProperty(
        name="Numbers", description="Number the steps in the order of time", default=True
    )
    show_foot_paths: BoolProperty(
        name="Foot Paths", description="Show the paths of the feet", default=True
    )
    show_hip_paths: BoolProperty(
        name="Hip Paths",
        description="Show the path of the hips, grey before and green after correction",
        default=True,
    )
    show_clocks: BoolProperty(
        name="Clocks",
        description="Show for each leg how far its step is; bright while the foot is on the ground",
        default=True,
    )
    show_weights: BoolProperty(
        name="Weights", description="Show the share of each motion", default=True
    )
    show_graph: BoolProperty(
        name="Contact Graph",
        description="Show how high heel and toe of the active leg are in the active motion, "
        "with its key times",
        default=True,
    )
    show_forward: BoolProperty(
        name="Forward",
        description="Show to where the active character faces by an arrow on the ground",
        default=False,
        update=_follow_choice,
    )
    show_own_sole: BoolProperty(
        name="Show Sole",
        description="Show the sole of the active leg of the active character: heel in blue, ball in "
        "white, toe tip in yellow",
        default=False,
        update=_follow_choice,
    )
    show_steered: BoolProperty(
        name="Steered Steps",
        description="Show the steps of the last drive as they were foreseen, beside the exact ones",
        default=True,
    )
    show_cycle: BoolProperty(
        name="Foot Cycle",
        description="Show the path of each foot in the active motion in place, bright where it stands, "
        "with crosses at its key times",
        default=False,
        update=_follow_choice,
    )
    compare_cycles: BoolProperty(
        name="Beside Others",
        description="Show the foot cycles of all other ticked motions beside it",
        default=False,
        update=_follow_choice,
    )
    show_ghost: BoolProperty(
        name="Ghost",
        description="Show the legs at the present frame as the motions have them, without corrections",
        default=False,
    )
    in_front: BoolProperty(
        name="In Front", description="Show what lies behind other objects too", default=True
    )

    def is_shown(self, name: str) -> bool:
        """Whether something is shown."""
        return bool(getattr(self, f"show_{name}"))


class VIEW3D_OT_locomotion_overlay(bpy.types.Operator):
    """Show the planned walks of the selected characters."""

    bl_idname = "view3d.locomotion_overlay"
    bl_label = "Walk Overlay"
    bl_description = "Show the planned steps and paths of the selected characters in the 3D View"
    bl_options = {"REGISTER"}

    action: EnumProperty(**ACTION_PROPERTY)

    poll = classmethod(poll_characters)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Switch."""
        return switch(
            self,
            find_characters(context),
            _is_drawn,
            watching.start_drawing,
            watching.stop_drawing,
        )


def _is_drawn(armature: bpy.types.Object) -> bool:
    """Whether the plan of a character is drawn."""
    watch = watching.find_watch(armature)
    return watch is not None and watch.drawn


def draw_overlay(
    layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object
) -> None:
    """Draw the switch and the choices of the overlay."""
    options = context.window_manager.locomotion_overlay
    shown = _is_drawn(armature)
    layout.operator("view3d.locomotion_overlay", text="Show Walk", icon="OVERLAY", depress=shown)
    flow = layout.grid_flow(columns=2, align=True)
    flow.active = shown
    for name in (
        "show_soles",
        "show_numbers",
        "show_foot_paths",
        "show_hip_paths",
        "show_clocks",
        "show_weights",
        "show_graph",
        "show_steered",
        "show_ghost",
        "in_front",
    ):
        flow.prop(options, name)
    row = layout.grid_flow(columns=2, align=True)
    for name in ("show_forward", "show_own_sole"):
        row.prop(options, name)


def _follow() -> None:
    """Draw while there is something to draw."""
    _draw_while(any(w.drawn for w in watching.list_watches()), _walk_handles, _WALKS)
    options = bpy.context.window_manager.locomotion_overlay
    marked = options.show_forward or options.show_own_sole or options.show_cycle
    _draw_while(marked, _mark_handles, _MARKS)


def _draw_while(
    is_wanted: bool, handles: list[Any], functions: Sequence[tuple[Callable[[], None], str]]
) -> None:
    """Have functions called at every redraw, or no more."""
    if is_wanted and not handles:
        for function, kind in functions:
            handles.append(bpy.types.SpaceView3D.draw_handler_add(function, (), "WINDOW", kind))
    elif handles and not is_wanted:
        while handles:
            bpy.types.SpaceView3D.draw_handler_remove(handles.pop(), "WINDOW")
        _forget_batches()
        _forget_marks()
        overlay_cycles.forget_cycles()


_CLASSES = (LOCOMOTION_PG_overlay, VIEW3D_OT_locomotion_overlay)


def register() -> None:
    """Add the overlay's choices and operator."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.WindowManager.locomotion_overlay = PointerProperty(type=LOCOMOTION_PG_overlay)
    live_handlers.add_listener(_follow)


def unregister() -> None:
    """Take them out and draw no more."""
    live_handlers.remove_listener(_follow)
    _draw_while(False, _walk_handles, _WALKS)
    _draw_while(False, _mark_handles, _MARKS)
    del bpy.types.WindowManager.locomotion_overlay
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
