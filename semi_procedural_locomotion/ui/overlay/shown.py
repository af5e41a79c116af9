# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The overlay of planned walks: what is shown of whom. Off until asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import bpy
import gpu
import numpy as np
from bpy.props import BoolProperty, EnumProperty, PointerProperty

from ...api import is_set_up, watching
from ...blender.setup.rigs import find_front, find_leg_length
from ...core.drawing.figures import make_forward_arrow, make_sole_marks
from ..live import handlers as live_handlers
from ..live.operators import ACTION_PROPERTY, switch
from ..targets import find_active_armature, find_characters, poll_characters
from . import cycles as overlay_cycles
from . import drawing as overlay_drawing
from .cycles import THICK, THIN, bind_thick, draw_cycles, make_batch

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
    (overlay_drawing.draw_in_space, "POST_VIEW"),
    (overlay_drawing.draw_on_screen, "POST_PIXEL"),
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
        overlay_drawing.forget_batches()
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
