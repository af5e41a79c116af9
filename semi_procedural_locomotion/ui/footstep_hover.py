# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The next sole under the pointer as soon as the Footsteps tool is chosen, before any click.

A gizmo of the tool is asked at every move of the pointer what lies under it. It answers that nothing
does, so that clicks and keys go on to the tool and to Blender, and draws the sole.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic

import bpy
import numpy as np

from ..api.footsteps import find_step_ground
from ..api.step_runs import StepMaker, find_step_maker, read_laid_steps
from ..api.steps import run_steps
from ..blender.characters_in_scene import collect_character
from ..blender.picking import pick_point
from ..core.ground import Ground
from ..errors import LocomotionError
from .footsteps_tool import VIEW3D_OT_footsteps_place
from .step_ghost import StepGhost
from .step_placer import StepPlacer
from .targets import find_active_character

# What was read of character and ground is read anew after this many seconds, and when the pointer
# has been away for the other.
_OLD, _AWAY = 10.0, 1.0


@dataclass
class _Reading:
    """What the sole is shown with.

    Attributes
    ----------
    name, frame
        Character and frame for which it was read.
    maker, ground
        How it walks, and on what.
    read, used
        Seconds of the computer's clock.
    """

    name: str
    frame: int
    maker: StepMaker
    ground: Ground
    read: float
    used: float


class LOCOMOTION_GT_next_step(bpy.types.Gizmo):
    """The next sole under the pointer."""

    bl_idname = "LOCOMOTION_GT_next_step"

    __slots__ = ("ghost", "reading", "refused")

    def setup(self) -> None:
        """Show nothing yet."""
        self.ghost = StepGhost()
        self.reading: _Reading | None = None
        # Until when a character that cannot be read is not tried again; the click says why.
        self.refused = ("", 0.0)

    def draw(self, context: bpy.types.Context) -> None:  # noqa: ARG002
        """Draw the sole, unless the tool itself does so since a click."""
        if not VIEW3D_OT_footsteps_place.is_running():
            self.ghost.draw()

    def test_select(self, context: bpy.types.Context, location: tuple[int, int]) -> int:
        """Show the sole at a place of the region; the pointer is over no gizmo."""
        armature = find_active_character(context)
        shown = self.ghost.outline is not None
        self.ghost.outline = None
        if armature is not None and not VIEW3D_OT_footsteps_place.is_running():
            self._point(context, armature, location)
        if shown or self.ghost.outline is not None:
            context.region.tag_redraw()
        return -1

    def _point(
        self,
        context: bpy.types.Context,
        armature: bpy.types.Object,
        location: tuple[int, int],
    ) -> None:
        """Aim at what is under the pointer."""
        name, until = self.refused
        if name == armature.name and monotonic() < until:
            return
        try:
            reading = self._read(context, armature)
        except LocomotionError:
            self.refused = (armature.name, monotonic() + _OLD)
            return
        maker = reading.maker
        point = pick_point(
            context,
            context.region,
            (float(location[0]), float(location[1])),
            collect_character(armature),
            float(maker.start[2]),
        )
        placer = StepPlacer(maker.gait, maker.start[:2], maker.direction)
        placer.set_steps(read_laid_steps(armature, maker.character.rig, context.scene))
        placer.hover(None if point is None else np.asarray(point), snap=False)
        self.ghost.show(maker, reading.ground, placer.ghost, context.scene)

    def _read(self, context: bpy.types.Context, armature: bpy.types.Object) -> _Reading:
        """Character and ground, read anew where they may have changed."""
        now, scene = monotonic(), context.scene
        kept = self.reading
        if (
            kept is not None
            and (kept.name, kept.frame) == (armature.name, scene.frame_current)
            and now - kept.read < _OLD
            and now - kept.used < _AWAY
        ):
            kept.used = now
            # Undo replaces objects.
            kept.maker = replace(
                kept.maker, character=replace(kept.maker.character, armature=armature)
            )
            return kept
        maker = run_steps(find_step_maker(armature, scene))
        ground = find_step_ground(maker.character, scene)
        # Reading may take longer than the pointer may be away.
        done = monotonic()
        self.reading = _Reading(
            armature.name, scene.frame_current, maker, ground, read=done, used=done
        )
        return self.reading


class LOCOMOTION_GGT_next_step(bpy.types.GizmoGroup):
    """What the Footsteps tool shows before it is clicked with."""

    bl_idname = "LOCOMOTION_GGT_next_step"
    bl_label = "Next Footstep"
    bl_space_type = "VIEW_3D"
    bl_region_type = "WINDOW"
    bl_options = {"3D"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a character is active."""
        return find_active_character(context) is not None

    def setup(self, context: bpy.types.Context) -> None:  # noqa: ARG002
        """Make the one gizmo."""
        self.gizmos.new(LOCOMOTION_GT_next_step.bl_idname)


_CLASSES = (LOCOMOTION_GT_next_step, LOCOMOTION_GGT_next_step)


def register() -> None:
    """Add the gizmo."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)


def unregister() -> None:
    """Take it out."""
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
