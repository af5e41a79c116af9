# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Convert Root Motion: a new action whose travel something else carries, or nothing."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import StringProperty

from ...api.progress import Steps, chain_steps
from ...api.root_motion import find_root_motion, write_root_motion
from ...api.root_motion_work import FoundRootMotion
from ...blender.setup.root_motion_properties import LOCOMOTION_PG_root_motion, read_root_motion
from ...errors import LocomotionError
from ...requests.settings.motions import ROOT_MOTION
from ..choices import FORGET, copy_property, find_actions_by_name
from ..menus import make_menu_registration
from ..progress import SteppedOperator
from ..targets import find_armatures, poll_armatures
from ..telling import report_line
from ..wording import count


class _RootMotionChoices:
    """Properties of the operator; what is not set is as kept on the armature."""


def _declare_choices() -> dict[str, Any]:
    """The annotations of `_RootMotionChoices`."""
    return {name: copy_property(LOCOMOTION_PG_root_motion, name) for name in ROOT_MOTION}


_RootMotionChoices.__annotations__ = _declare_choices()


class ANIM_OT_locomotion_root_motion(_RootMotionChoices, SteppedOperator, bpy.types.Operator):
    """Make actions whose travel something else carries."""

    bl_idname = "anim.locomotion_root_motion"
    bl_label = "Convert Root Motion"
    bl_description = (
        "Make a new action from the one that plays: its travel is taken out, or handed between object, "
        "root bone and body. The action that it is made from stays as it is"
    )
    bl_options = {"REGISTER", "UNDO"}

    action: StringProperty(
        name="Action",
        description="Action to convert; empty for the one that the armature plays",
        options=FORGET,
    )

    poll = classmethod(poll_armatures)

    def make_steps(self, context: bpy.types.Context) -> Steps[list[FoundRootMotion]]:
        """Compute for all selected armatures."""
        armatures = find_armatures(context)
        requests = [
            read_root_motion(item.locomotion.root_motion, self.properties) for item in armatures
        ]
        named = find_actions_by_name([self.action] if self.action else [])
        action = named[0] if named else None
        several = len(armatures) > 1
        return chain_steps(
            [
                _name_failure(item, find_root_motion(item, request, action), several=several)
                for item, request in zip(armatures, requests, strict=True)
            ]
        )

    def finish(self, context: bpy.types.Context, result: list[FoundRootMotion]) -> None:  # noqa: ARG002
        """Write the new actions and tell them."""
        for found in result:
            made = write_root_motion(found)
            keyed = len({bone for bone, _ in found.changes})
            lead = f"{found.played.armature.name}: " if len(result) > 1 else ""
            told = (
                count(keyed, "bone")
                if "" not in {b for b, _ in found.changes}
                else ("the object" if keyed == 1 else f"the object and {count(keyed - 1, 'bone')}")
            )
            report_line(self, {"INFO"}, f"{lead}Made {made.action.name}: keys on {told}")
            if found.missed:
                names = ", ".join(found.missed[:3])
                report_line(
                    self,
                    {"WARNING"},
                    f"{lead}{count(len(found.missed), 'bone')} such as {names} moved: constraints or "
                    "drivers hold them; key the controls that they follow, and convert again",
                )
            if found.imprecise:
                report_line(
                    self,
                    {"WARNING"},
                    f"{lead}Bones are up to {1000 * found.imprecise:.3g} mm off: Blender's numbers are "
                    "not more exact so far from the armature's origin; choose another To, or apply the "
                    "scale of a small armature",
                )
            if found.key_range.is_wide:
                report_line(
                    self,
                    {"INFO"},
                    f"{lead}The curves go on beyond their keys: the scene's frames are keyed",
                )


def _name_failure(
    armature: bpy.types.Object, steps: Steps[FoundRootMotion], *, several: bool
) -> Steps[FoundRootMotion]:
    """The same steps, whose failure tells the armature where several are converted."""
    try:
        return (yield from steps)
    except LocomotionError as error:
        if not several:
            raise
        text = f"{armature.name}: {error}; none was converted (or deselect {armature.name})"
        raise LocomotionError(text) from error


register, unregister = make_menu_registration(ANIM_OT_locomotion_root_motion)
