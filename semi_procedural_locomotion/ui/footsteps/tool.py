# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tool that places footsteps by clicking on the scene."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import blf
import bpy
import numpy as np
from bpy.props import BoolProperty, FloatProperty, FloatVectorProperty, StringProperty

from ...api.footstep_runs import (
    StepMaker,
    add_steps,
    find_step_maker,
    read_laid_steps,
    remove_last_step,
)
from ...api.footsteps import clear_footsteps, find_step_ground
from ...api.progress import run_steps
from ...blender.ground.surfaces import list_ignored, pick_point
from ...core.footsteps.layout import LaidStep
from ...core.ground.interface import Ground
from ...errors import LocomotionError, RigError, TravelError
from ..choices import FORGET
from ..targets import ENDS, NAVIGATION, find_active_armature, poll_active_character
from ..telling import report_line
from ..wording import count
from .placer import PlacerState, StepGhost, StepPlacer

_SIDE_KEYS = {"S", "TAB"}


# Size of the text of the question, and its height above the view's lower edge, at a scale of 1.
_FONT, _TEXT_SIZE, _TEXT_HEIGHT = 0, 16, 60.0


@dataclass
class _Question:
    """Record of what is asked over the view, None for nothing."""

    text: str | None = None


def _draw_question(question: _Question) -> None:
    """Ask over the view before all footsteps are removed."""
    if question.text is None:
        return
    scale = bpy.context.preferences.system.ui_scale
    blf.size(_FONT, _TEXT_SIZE * scale)
    blf.color(_FONT, 1.0, 1.0, 1.0, 1.0)
    width, _ = blf.dimensions(_FONT, question.text)
    blf.position(_FONT, 0.5 * (bpy.context.region.width - width), _TEXT_HEIGHT * scale, 0.0)
    blf.enable(_FONT, blf.SHADOW)
    blf.shadow(_FONT, 3, 0.0, 0.0, 0.0, 1.0)
    blf.draw(_FONT, question.text)
    blf.disable(_FONT, blf.SHADOW)


class VIEW3D_OT_footsteps_place(bpy.types.Operator):
    """Place footsteps by clicking."""

    bl_idname = "view3d.footsteps_place"
    bl_label = "Place Footsteps"
    bl_description = (
        "Click on the scene to place footsteps of the active character one after the other; "
        "drag to turn, Ctrl for a step of the walk's length, Enter to end"
    )
    # Each click is an undo step of its own, so the operator as a whole is none.
    bl_options = {"REGISTER"}

    location: FloatVectorProperty(
        name="Location",
        description="Where one step is placed without a window, in the world",
        subtype="XYZ",
        unit="LENGTH",
        options=FORGET,
    )
    heading: FloatProperty(
        name="Heading",
        description="Direction of the toe from the X axis, instead of along the way",
        subtype="ANGLE",
        unit="ROTATION",
        options=FORGET,
    )
    leg: StringProperty(
        name="Leg", description="Name of the leg, instead of the next in turn", options=FORGET
    )
    jump: BoolProperty(
        name="Jump", description="Jump to the step that is placed without a window", options=FORGET
    )

    poll = classmethod(poll_active_character)

    _maker: StepMaker
    _placer: StepPlacer
    _ground: Ground | None
    _ghost: StepGhost
    _name: str
    _area: bpy.types.Area
    _handles: tuple[Any, ...] = ()
    _question: _Question
    _running = 0

    @classmethod
    def is_running(cls) -> bool:
        """Whether the tool listens to the pointer somewhere."""
        return cls._running > 0

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Place one step."""
        try:
            if not np.all(np.isfinite(self.location)):
                raise TravelError("a footstep needs a place: its location is not finite")
            self._start(context)
            self._refresh(context)
            legs = [leg.name for leg in self._maker.character.rig.legs]
            if self.leg:
                if self.leg not in legs:
                    raise RigError(f"no leg {self.leg!r}: use one of {', '.join(legs)}")
                while self._placer.next_leg != legs.index(self.leg):
                    self._placer.change_side()
            self._placer.jumps = self.jump
            self._placer.hover(np.array(self.location, dtype=np.float64), snap=False)
            self._placer.press()
            step = self._placer.release()
            if step is not None:
                if self.properties.is_property_set("heading"):
                    step = replace(step, heading=float(self.heading))
                self._make(context, step)
        except LocomotionError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start listening to the pointer."""
        if context.area is None or context.area.type != "VIEW_3D":
            report_line(self, {"ERROR"}, "Footsteps are placed in a 3D View: start the tool there")
            return {"CANCELLED"}
        try:
            self._start(context)
        except LocomotionError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        self._area = context.area
        self._ghost, self._question = StepGhost(), _Question()
        self._handles = tuple(
            bpy.types.SpaceView3D.draw_handler_add(function, arguments, "WINDOW", kind)
            for function, arguments, kind in (
                (StepGhost.draw, (self._ghost,), "POST_VIEW"),
                (_draw_question, (self._question,), "POST_PIXEL"),
            )
        )
        VIEW3D_OT_footsteps_place._running += 1
        context.window_manager.modal_handler_add(self)
        self._refresh(context)
        if event.type == "LEFTMOUSE" and self._is_over_scene(event):
            self.modal(context, event)
        self._show(context)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Follow the pointer; keys and buttons."""
        if self._find_armature() is None or self._area not in context.screen.areas[:]:
            return self._end(context)
        if event.type.startswith(NAVIGATION) or event.type in {"TIMER", "WINDOW_DEACTIVATE"}:
            return {"PASS_THROUGH"}
        if event.type == "Z" and (event.ctrl or event.oskey):
            # Undo replaces the objects; everything is read anew with the next event.
            self._ground = None
            return {"PASS_THROUGH"}
        turning = self._placer.state is PlacerState.TURN
        if not turning and not self._is_over_scene(event):
            self._hide(context)
            return {"PASS_THROUGH"}
        if event.type in {"MOUSEMOVE", "INBETWEEN_MOUSEMOVE", "LEFT_CTRL", "RIGHT_CTRL"}:
            self._point(context, event)
        elif event.type == "LEFTMOUSE" and event.value in {"PRESS", "DOUBLE_CLICK"}:
            self._point(context, event)
            self._placer.press()
        elif event.type == "LEFTMOUSE" and event.value == "RELEASE":
            step = self._placer.release()
            if step is not None:
                self._make(context, step)
                bpy.ops.ed.undo_push(message="Place Footstep")
            self._point(context, event)
        elif event.value == "PRESS" and self._press_key(context, event):
            return self._end(context)
        self._show(context)
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender calls this when the window closes or a file is loaded."""
        self._end(context)

    def _press_key(self, context: bpy.types.Context, event: bpy.types.Event) -> bool:
        """Do what a key asks for; True where the tool is to end."""
        armature = self._find_armature()
        asks = self._placer.state is PlacerState.ASK
        if event.type in ENDS or (asks and event.type == "Y"):
            if not asks:
                return True
            if self._placer.answer(clear=True):
                clear_footsteps(armature)
                bpy.ops.ed.undo_push(message="Clear Footsteps")
        elif event.type in {"ESC", "RIGHTMOUSE"} or (asks and event.type == "N"):
            if self._placer.stop():
                return True
        elif event.type in _SIDE_KEYS:
            self._placer.change_side()
        elif event.type == "J":
            self._placer.jumps = not self._placer.jumps
        elif event.type == "X":
            self._placer.ask_clear(len(read_laid_steps(*self._scene_of(context))))
        elif event.type == "BACK_SPACE" and not asks and remove_last_step(armature):
            bpy.ops.ed.undo_push(message="Remove Last Footstep")
        self._point(context, event)
        return False

    def _start(self, context: bpy.types.Context) -> None:
        """Read how the active character walks."""
        armature = find_active_armature(context)
        if armature is None:
            raise RigError("no character is active: make an armature active")
        self._maker = run_steps(find_step_maker(armature, context.scene))
        self._placer = StepPlacer(self._maker.gait, self._maker.start[:2], self._maker.direction)
        self._ground, self._name = None, armature.name

    def _find_armature(self) -> bpy.types.Object | None:
        """The character, found by its name since undo replaces objects."""
        return bpy.data.objects.get(self._name)

    def _scene_of(self, context: bpy.types.Context) -> tuple[Any, Any, bpy.types.Scene]:
        """Character, legs and scene."""
        return self._find_armature(), self._maker.character.rig, context.scene

    def _refresh(self, context: bpy.types.Context) -> Ground:
        """Read the footsteps that there are, and the ground where it is not known."""
        if self._ground is None:
            character = replace(self._maker.character, armature=self._find_armature())
            self._maker = replace(self._maker, character=character)
            self._ground = find_step_ground(character, context.scene)
        self._placer.set_steps(read_laid_steps(*self._scene_of(context)))
        return self._ground

    def _make(self, context: bpy.types.Context, step: LaidStep) -> None:
        """Make a footstep."""
        add_steps(self._maker, self._refresh(context), [step], context.scene)

    def _point(self, context: bpy.types.Context, event: bpy.types.Event) -> None:
        """Aim at what is under the pointer."""
        ground = self._refresh(context)
        region = self._find_region()
        armature = self._find_armature()
        pointer = (event.mouse_x - region.x, event.mouse_y - region.y)
        point = pick_point(
            context, region, pointer, list_ignored(armature), float(self._maker.start[2])
        )
        self._placer.hover(point, event.ctrl)
        self._ghost.show(self._maker, ground, self._placer.ghost, context.scene)
        self._area.tag_redraw()

    def _hide(self, context: bpy.types.Context) -> None:  # noqa: ARG002
        """Show no sole."""
        if self._ghost.outline is not None:
            self._ghost.outline = None
            self._area.tag_redraw()

    def _find_region(self) -> bpy.types.Region:
        """The part of the view that shows the scene."""
        return next(r for r in self._area.regions if r.type == "WINDOW")

    def _is_over_scene(self, event: bpy.types.Event) -> bool:
        """Whether the pointer is over the scene and not over a bar that lies on it."""
        under = [
            region.type
            for region in self._area.regions
            if 0 <= event.mouse_x - region.x < region.width
            and 0 <= event.mouse_y - region.y < region.height
        ]
        return under == ["WINDOW"]

    def _show(self, context: bpy.types.Context) -> None:
        """Tell in the status bar what can be done."""
        leg = self._maker.character.rig.legs[self._placer.next_leg].name
        number = len(read_laid_steps(*self._scene_of(context)))
        self._question.text = None
        if self._placer.state is PlacerState.ASK:
            hints = [
                (f"Clear all {count(number, 'footstep')}", "EVENT_RETURN"),
                ("Keep", "EVENT_ESC"),
            ]
            self._question.text = f"Clear all {count(number, 'footstep')}? Enter: Clear, Esc: Keep"
        else:
            does = "Jump with" if self._placer.jumps else "Place"
            hints = [
                (f"{does} {leg}, Drag to Turn", "MOUSE_LMB"),
                ("Snap to Stride", "EVENT_CTRL"),
                ("Other Side", "EVENT_S"),
                ("Step" if self._placer.jumps else "Jump", "EVENT_J"),
                ("Backspace: Remove Last", "BLANK1"),
                ("Clear", "EVENT_X"),
                ("End", "EVENT_RETURN"),
            ]

        def draw(header: bpy.types.Header, _: bpy.types.Context) -> None:
            for text, icon in hints:
                header.layout.label(text=text, icon=icon, translate=False)

        context.workspace.status_text_set(draw)

    def _end(self, context: bpy.types.Context) -> set[str]:
        """Stop listening."""
        if self._handles:
            for handle in self._handles:
                bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
            self._handles = ()
            VIEW3D_OT_footsteps_place._running -= 1
        if context.workspace is not None:
            context.workspace.status_text_set(None)
        if context.screen is not None and self._area in context.screen.areas[:]:
            self._area.tag_redraw()
        return {"FINISHED"}


class LOCOMOTION_WT_footsteps(bpy.types.WorkSpaceTool):
    """The tool in the toolbar of Object Mode."""

    bl_space_type = "VIEW_3D"
    bl_context_mode = "OBJECT"
    bl_idname = "locomotion.footsteps"
    bl_label = "Footsteps"
    bl_description = "Place footsteps of the active character by clicking on the scene"
    bl_icon = "ops.armature.extrude_cursor"
    bl_widget = "LOCOMOTION_GGT_next_step"
    bl_keymap = (("view3d.footsteps_place", {"type": "LEFTMOUSE", "value": "PRESS"}, None),)


class LOCOMOTION_WT_footsteps_pose(LOCOMOTION_WT_footsteps):
    """The tool in the toolbar of Pose Mode."""

    bl_context_mode = "POSE"
    bl_idname = "locomotion.footsteps_pose"


_TOOLS = (LOCOMOTION_WT_footsteps, LOCOMOTION_WT_footsteps_pose)


def register() -> None:
    """Add the operator and the tools."""
    bpy.utils.register_class(VIEW3D_OT_footsteps_place)
    for tool in _TOOLS:
        bpy.utils.register_tool(tool, separator=True)


def unregister() -> None:
    """Take them out."""
    for tool in reversed(_TOOLS):
        bpy.utils.unregister_tool(tool)
    bpy.utils.unregister_class(VIEW3D_OT_footsteps_place)
