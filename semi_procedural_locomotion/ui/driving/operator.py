# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator by which a character is steered in the 3D Viewport, and its panel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import ceil
from time import perf_counter
from typing import Any

import blf
import bpy
import gpu
from bpy.app.handlers import persistent
from bpy.props import CollectionProperty, FloatProperty, StringProperty

from ...api.baking import BakeResult
from ...api.driving import Drive, begin_drive, drive_by_keys, finish_drive
from ...blender.driving.stand_in import StandIn, remove_left_stand_ins
from ...blender.setup.drive_properties import read_drive_choices
from ...blender.values.scene_state import leave_mode
from ...core.drawing.shapes import STEERED_COLOUR, make_steered_soles
from ...core.steering import motor
from ...core.steering.motor import COMMANDS, Controls, KeyPress, read_controls
from ...core.steering.recording import PredictedPrint
from ...errors import LocomotionError, TravelError
from ...requests.settings.travels import DRIVE
from ..choices import FORGET
from ..limits import DRIVING
from ..live import handlers as live_handlers
from ..overlay.cycles import FONT, MARGIN, ROW, SWATCH, TEXT_COLOUR, THICK, bind_thick, make_batch
from ..targets import ENDS, NAVIGATION, find_active_character, poll_active_character, redraw_views
from ..telling import report_line
from ..wording import describe_bake


class DriveClock:
    """Keeps a walk at the time of the clock, however seldom the view is drawn.

    Parameters
    ----------
    read
        Gives the time in seconds.

    Attributes
    ----------
    lost
        Seconds that were left out, since the walk could not be brought up to them.
    """

    def __init__(self, read: Callable[[], float] = perf_counter) -> None:
        self._read = read
        self._reached = read()
        self.lost = 0.0

    def list_steps(self) -> Iterator[float]:
        """Seconds of each step from where the walk is to the present time; each is to be gone at once.

        What passes meanwhile counts next time. None where hardly any time has passed.
        """
        begun = self._read()
        waited = begun - self._reached
        if waited < 0.5 * DRIVING.interval:
            # A timer of someone else's: what has passed counts next time.
            return
        self._reached = begun
        left = min(waited, DRIVING.longest_lag)
        self.lost += waited - left
        step = left / ceil(left / DRIVING.interval - 1e-9)
        while left > 0.5 * step:
            if self._read() - begun > DRIVING.longest_work:
                # Where the steps take longer than they last, more of them would never end.
                self.lost += left
                return
            yield step
            left -= step


_TEXT_SIZE = 13
# Steps that are drawn: those to come, and the last ones.
_LAST = 24


@dataclass
class _DrivePicture:
    """Record of what is drawn of a drive; None before it began and after it ended.

    Attributes
    ----------
    keys
        What the keys do, a line each.
    clock
        Tells what was left out.
    """

    drive: Drive | None = None
    name: str = ""
    keys: tuple[str, ...] = ()
    clock: DriveClock | None = None


def _draw_steps(picture: _DrivePicture) -> None:
    """Draw the last steps and those to come; for ``POST_VIEW``."""
    drive = picture.drive
    if drive is None:
        return
    state = drive.state
    coming = [
        PredictedPrint(leg, 0.0, state.ahead.positions[leg], state.ahead.frames[leg])
        for leg in range(len(state.legs.own))
        if not state.legs.parked[leg]
    ]
    shapes = make_steered_soles(drive.character.rig, [*drive.recording.prints[-_LAST:], *coming])
    if not len(shapes.points):
        return
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("NONE")
    make_batch(THICK, "LINES", shapes).draw(bind_thick())
    gpu.state.blend_set("NONE")


def _draw_words(picture: _DrivePicture) -> None:
    """Write speed, time and keys; for ``POST_PIXEL``."""
    drive = picture.drive
    if drive is None:
        return
    context = bpy.context
    scale = context.preferences.system.ui_scale
    blf.size(FONT, _TEXT_SIZE * scale)
    system = context.scene.unit_settings.system
    velocity = drive.state.body.velocity
    speed = float((velocity @ velocity) ** 0.5)
    told = bpy.utils.units.to_string(system, "VELOCITY", speed, precision=2)
    ground = "" if drive.state.has_ground else "    no ground under the body"
    lost = 0.0 if picture.clock is None else picture.clock.lost
    late = f"    {lost:.1f} s left out: too slow here" if lost > DRIVING.told_loss else ""
    lines = [
        (f"Driving {picture.name}: {told}, {drive.seconds:.1f} s{ground}{late}", None),
        ("Steps as they are foreseen", STEERED_COLOUR),
        *((text, None) for text in picture.keys),
    ]
    height = MARGIN * scale + 1.3 * ROW * scale * (len(lines) - 1)
    blf.enable(FONT, blf.SHADOW)
    blf.shadow(FONT, 3, 0.0, 0.0, 0.0, 0.9)
    for text, colour in lines:
        left = MARGIN * scale
        if colour is not None:
            blf.color(FONT, *colour, 1.0)
            blf.position(FONT, left, height, 0.0)
            blf.draw(FONT, f"{SWATCH} ")
            left += blf.dimensions(FONT, f"{SWATCH} ")[0]
        blf.color(FONT, *TEXT_COLOUR)
        blf.position(FONT, left, height, 0.0)
        blf.draw(FONT, text)
        height -= 1.3 * ROW * scale
    blf.disable(FONT, blf.SHADOW)


# Types of Blender's events, by what they ask for while they are held.
KEYS = {
    "W": motor.AHEAD,
    "UP_ARROW": motor.AHEAD,
    "S": motor.BACK,
    "DOWN_ARROW": motor.BACK,
    "A": motor.TURN_LEFT,
    "LEFT_ARROW": motor.TURN_LEFT,
    "D": motor.TURN_RIGHT,
    "RIGHT_ARROW": motor.TURN_RIGHT,
    "Q": motor.SIDE_LEFT,
    "E": motor.SIDE_RIGHT,
    "LEFT_SHIFT": motor.RUN,
    "RIGHT_SHIFT": motor.RUN,
    "C": motor.CROUCH,
    "SPACE": motor.STOP,
}


@dataclass
class Stick:
    """Keys that are held, and how far the pointer is from the middle of the view.

    Attributes
    ----------
    tapped
        Those pressed since the stick was read last: where the view is drawn slowly a key may be released
        again before that.
    turn, ahead
        Where the pointer is, -1 to 1 of the half height of the view; 0 where it does not steer.
    """

    held: set[str] = field(default_factory=set)
    tapped: set[str] = field(default_factory=set)
    turn: float = 0.0
    ahead: float = 0.0

    def press(self, key: str, value: str) -> bool:
        """Take in a key that is pressed or released; False where it is none that steers."""
        if key not in KEYS:
            return False
        if value == "RELEASE":
            self.held.discard(key)
        else:
            self.held.add(key)
            self.tapped.add(key)
        return True

    def point(self, x: float, y: float, width: float, height: float) -> None:
        """Take in the place of the pointer, in pixels from the lower left corner of the view."""
        half = 0.5 * max(height, 1.0)
        self.turn = _ease((0.5 * width - x) / half)
        self.ahead = _ease((y - 0.5 * height) / half)

    def let_go(self) -> None:
        """Hold nothing, as where the window no longer hears of keys."""
        self.held.clear()
        self.tapped.clear()
        self.turn = self.ahead = 0.0

    def read(self) -> Controls:
        """Read what is asked for in the next step; a key that was only tapped counts for that one."""
        keys = self.held | self.tapped
        self.tapped.clear()
        return read_controls(KEYS[key] for key in keys).lean(self.turn, self.ahead)


def _ease(share: float) -> float:
    """A stick's share with a rest in its middle, -1 to 1."""
    size = (abs(share) - DRIVING.rest) / (DRIVING.full - DRIVING.rest)
    return max(0.0, min(size, 1.0)) * (1.0 if share > 0 else -1.0)


_HINTS = (
    ("Go", "EVENT_W"),
    ("Turn", "EVENT_A"),
    ("", "EVENT_D"),
    ("Back", "EVENT_S"),
    ("Aside", "EVENT_Q"),
    ("", "EVENT_E"),
    ("Run", "EVENT_SHIFT"),
    ("Crouch", "EVENT_C"),
    ("Stop", "EVENT_SPACEKEY"),
    ("End and Bake", "MOUSE_LMB"),
    ("Cancel", "EVENT_ESC"),
)
_KEYS = (
    "W A S D or arrows: go, turn, back      Q E: aside      Shift: run      C: crouch      Space: stop",
    "Left click or Enter: end and bake      Esc: cancel",
)


class LOCOMOTION_PG_key_press(bpy.types.PropertyGroup):
    """A key of a drive without a window."""

    time: FloatProperty(name="Time", description="Seconds from the start", options=FORGET)
    command: StringProperty(
        name="Command", description=f"One of {', '.join(COMMANDS)}", options=FORGET
    )
    is_released: bpy.props.BoolProperty(
        name="Released", description="Whether it ends then", options=FORGET
    )


class ANIM_OT_locomotion_drive(bpy.types.Operator):
    """Steer a character and bake its walk."""

    bl_idname = "anim.locomotion_drive"
    bl_label = "Drive"
    bl_description = (
        "Steer the active character over the ground of the scene with W A S D or the arrows, from where "
        "it stands at the present frame; then its way is kept as animation of the object, and the walk "
        "is baked along it"
    )
    # Not registered: done again with other choices it would steer nowhere.
    bl_options = {"UNDO", "BLOCKING"}

    keys: CollectionProperty(
        type=LOCOMOTION_PG_key_press,
        name="Keys",
        description="What is pressed and released when, where no window is to be steered in",
        options=FORGET,
    )
    seconds: FloatProperty(
        name="Duration",
        description="How long it is steered by these keys",
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
        default=5.0,
        min=0.0,
        max=3600.0,
        options=FORGET,
    )

    poll = classmethod(poll_active_character)

    _drive: Drive
    _stand_in: StandIn
    _stick: Stick
    _picture: _DrivePicture
    _name: str
    _area: bpy.types.Area
    _use_mouse: bool
    _timer: bpy.types.Timer | None = None
    _handles: tuple[Any, ...] = ()
    _clock: DriveClock
    _put_back: Callable[[], None] | None = None

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Steer by a list of keys."""
        armature = find_active_character(context)
        if armature is None:
            return {"CANCELLED"}
        try:
            presses = [KeyPress(k.time, k.command, not k.is_released) for k in self.keys]
        except ValueError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        return self._bake(
            armature, lambda: drive_by_keys(armature, context.scene, presses, self.seconds)
        )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:  # noqa: ARG002
        """Show the stand-in and listen to keys."""
        if context.area is None or context.area.type != "VIEW_3D":
            report_line(self, {"ERROR"}, "Characters are steered in a 3D View: start Drive there")
            return {"CANCELLED"}
        armature = find_active_character(context)
        if armature is None:
            return {"CANCELLED"}
        try:
            self._drive = begin_drive(armature, context.scene)
        except LocomotionError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        try:
            self._begin(context, armature)
        except BaseException:
            self._stop(context)
            raise
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Follow keys, pointer and clock; whatever fails puts everything back."""
        try:
            return self._follow(context, event)
        except LocomotionError as error:
            self._stop(context)
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        except ReferenceError:
            self._stop(context)
            report_line(
                self, {"WARNING"}, "Stopped: the character was changed or removed meanwhile"
            )
            return {"CANCELLED"}
        except BaseException:
            self._stop(context)
            raise

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender calls this when the window closes or a file is loaded."""
        self._stop(context)

    def _begin(self, context: bpy.types.Context, armature: bpy.types.Object) -> None:
        """Hide the character behind its stand-in, draw, and start the clock."""
        self._name, self._area = armature.name, context.area
        self._use_mouse = read_drive_choices(armature.locomotion.drive).use_mouse
        self._stick, self._clock = Stick(), DriveClock()
        self._picture = _DrivePicture(self._drive, armature.name, _KEYS, self._clock)
        if context.screen is not None and context.screen.is_animation_playing:
            bpy.ops.screen.animation_cancel(restore_frame=False)
        self._put_back = leave_mode(context)
        skeleton = self._drive.character.rig.skeleton
        self._stand_in = StandIn(armature, skeleton, context.scene, context.view_layer)
        self._stand_in.show(self._drive.pose())
        self._handles = tuple(
            bpy.types.SpaceView3D.draw_handler_add(function, (self._picture,), "WINDOW", kind)
            for function, kind in ((_draw_steps, "POST_VIEW"), (_draw_words, "POST_PIXEL"))
        )
        manager = context.window_manager
        self._timer = manager.event_timer_add(DRIVING.interval, window=context.window)
        manager.modal_handler_add(self)

        def draw(header: bpy.types.Header, _: bpy.types.Context) -> None:
            for text, icon in _HINTS:
                header.layout.label(text=text, icon=icon, translate=False)

        context.workspace.status_text_set(draw)

    def _follow(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """One event."""
        if bpy.data.objects.get((self._name, None)) is None:
            raise ReferenceError
        if event.type == "TIMER":
            self._advance()
            return {"PASS_THROUGH"}
        if event.type == "WINDOW_DEACTIVATE":
            self._stick.let_go()
            return {"PASS_THROUGH"}
        if self._stick.press(event.type, event.value):
            return {"RUNNING_MODAL"}
        if event.type in {"MOUSEMOVE", "INBETWEEN_MOUSEMOVE"}:
            self._point(event)
            return {"PASS_THROUGH"}
        if event.type.startswith(NAVIGATION):
            return {"PASS_THROUGH"}
        if event.type in {"ESC", "RIGHTMOUSE"} and event.value == "PRESS":
            self._stop(context)
            return {"CANCELLED"}
        is_end = event.type in ENDS or event.type == "LEFTMOUSE"
        if is_end and event.value == "PRESS":
            drive, scene = self._drive, context.scene
            self._stop(context)
            armature = bpy.data.objects[self._name, None]
            return self._bake(armature, lambda: finish_drive(drive, scene))
        return {"RUNNING_MODAL"}

    def _advance(self) -> None:
        """Go on by the time that has passed, and show it."""
        has_moved = False
        for seconds in self._clock.list_steps():
            self._drive.advance(self._stick.read(), seconds)
            has_moved = True
        if not has_moved:
            return
        if not self._stand_in.show(self._drive.pose()):
            raise ReferenceError
        redraw_views()

    def _point(self, event: bpy.types.Event) -> None:
        """Steer by the pointer, where that is wanted."""
        if not self._use_mouse:
            return
        region = next(r for r in self._area.regions if r.type == "WINDOW")
        place = event.mouse_x - region.x, event.mouse_y - region.y
        self._stick.point(*place, region.width, region.height)

    def _bake(self, armature: bpy.types.Object, bake: Callable[[], BakeResult]) -> set[str]:
        """Keep the way and bake, and say so."""
        try:
            result = bake()
        except TravelError as error:
            report_line(self, {"WARNING"}, str(error))
            return {"CANCELLED"}
        except LocomotionError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        finally:
            live_handlers.install()
        report_line(self, {"INFO"}, describe_bake(armature, result, False))
        return {"FINISHED"}

    def _stop(self, context: bpy.types.Context) -> None:
        """Take everything away that is only there while it is steered."""
        for handle in self._handles:
            bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
        self._handles = ()
        if hasattr(self, "_picture"):
            self._picture.drive = None
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
            self._timer = None
        if hasattr(self, "_stand_in"):
            self._stand_in.remove()
        if self._put_back is not None:
            self._put_back()
            self._put_back = None
        if context.workspace is not None:
            context.workspace.status_text_set(None)
        redraw_views()


def draw_drive(layout: bpy.types.UILayout, armature: bpy.types.Object) -> None:
    """Draw the button and the choices of a drive."""
    layout.operator("anim.locomotion_drive", icon="PLAY")
    column = layout.column(align=True)
    for name in DRIVE:
        column.prop(armature.locomotion.drive, name)


_CLASSES = (LOCOMOTION_PG_key_press, ANIM_OT_locomotion_drive)


def _draw_menu(menu: bpy.types.Menu, context: bpy.types.Context) -> None:  # noqa: ARG001
    """Entry of Object > Animation."""
    menu.layout.operator("anim.locomotion_drive")


def _clean_file(*_: object) -> None:
    """End in a loaded file what was under way when it was saved."""
    remove_left_stand_ins()


# Loading a file takes all other handlers out.
persistent(_clean_file)


def register() -> None:
    """Add the operator and its menu entry."""
    bpy.app.handlers.load_post.append(_clean_file)
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.VIEW3D_MT_object_animation.append(_draw_menu)


def unregister() -> None:
    """Take them out."""
    if _clean_file in bpy.app.handlers.load_post:
        bpy.app.handlers.load_post.remove(_clean_file)
    bpy.types.VIEW3D_MT_object_animation.remove(_draw_menu)
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
