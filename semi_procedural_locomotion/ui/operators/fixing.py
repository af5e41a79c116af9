# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator that plants the feet of actions that travel already."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import bpy

from ...api.fixing import FixRequest, PreparedFix, prepare_fix, write_fixed
from ...api.progress import Steps, chain_steps
from ...blender.setup.declaring import declare
from ...blender.setup.fix_properties import read_frames
from ...requests.settings.bakes import RANGE
from ...requests.settings.motions import FIX
from ..choices import FORGET
from ..menus import make_menu_registration
from ..progress import SteppedOperator
from ..targets import find_characters, poll_characters
from ..telling import report_line
from ..wording import describe_fix


class ANIM_OT_locomotion_fix_feet(SteppedOperator, bpy.types.Operator):
    """Plant the feet of the actions that the selected characters play."""

    bl_idname = "anim.locomotion_fix_feet"
    bl_label = "Fix Feet"
    bl_description = (
        "Hold the feet of the action that travels already where they stand, on the ground of the "
        "scene, in a new action; Remove Bake gives the former action back"
    )
    bl_options = {"REGISTER", "UNDO"}

    poll = classmethod(poll_characters)

    def make_steps(self, context: bpy.types.Context) -> Steps[list[PreparedFix]]:
        """Compute the cleaned actions of all selected characters."""
        scene = context.scene
        return (
            yield from chain_steps(
                [
                    prepare_fix(item, scene, self._make_request(item))
                    for item in find_characters(context)
                ]
            )
        )

    def finish(self, context: bpy.types.Context, result: Sequence[PreparedFix]) -> None:
        """Write the keys."""
        for prepared in result:
            armature = prepared.character.armature
            fixed = write_fixed(prepared, context.scene, partial(self.tell, context))
            report_line(self, {"INFO"}, describe_fix(armature, fixed, len(result) > 1))
            for warning in fixed.warnings:
                report_line(self, {"WARNING"}, f"{armature.name}: {warning}")

    def draw(self, context: bpy.types.Context) -> None:  # noqa: ARG002
        """Show all choices."""
        layout = self.layout
        layout.use_property_split = True
        for name in (*FIX, *RANGE):
            layout.prop(self, name)

    def _make_request(self, armature: bpy.types.Object) -> FixRequest:
        """Find what the character's properties ask for, and what the call has set in their place."""
        fix = armature.locomotion.fix
        values: dict[str, Any] = {
            name: getattr(self if self.properties.is_property_set(name) else fix, name)
            for name in FIX
        }
        frames = read_frames(fix)
        if self.properties.is_property_set("use_range"):
            frames = (self.frame_start, self.frame_end) if self.use_range else None
        legs = armature.locomotion.legs
        if not all(leg.plants for leg in legs):
            values["legs"] = tuple(leg.name for leg in legs if leg.plants)
        return FixRequest(frames=frames, **values)


ANIM_OT_locomotion_fix_feet.__annotations__ = {
    name: declare(setting, options=FORGET) for name, setting in (*FIX.items(), *RANGE.items())
}


register, unregister = make_menu_registration(ANIM_OT_locomotion_fix_feet)
