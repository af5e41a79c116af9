# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Transfer Clips: actions of another armature as actions of the active one."""

from __future__ import annotations

import bpy
from bpy.props import CollectionProperty, StringProperty

from ...api.progress import Steps
from ...api.transfers import FoundTransfers, find_transfers, write_transfers
from ...errors import RigError
from .. import choices
from ..choices import FORGET, LOCOMOTION_PG_name
from ..menus import make_menu_registration
from ..progress import SteppedOperator
from ..targets import find_armature, get_active_armature, poll_active
from ..telling import report_line
from ..wording import describe_transfers


class ANIM_OT_locomotion_transfer(SteppedOperator, bpy.types.Operator):
    """Transfer actions of another armature to the active one."""

    bl_idname = "anim.locomotion_transfer"
    bl_label = "Transfer Clips"
    bl_description = (
        "Make actions for the active armature that move it as actions of another armature move that "
        "one, whatever its bones are called, and tick them in the motions"
    )
    bl_options = {"REGISTER", "UNDO"}

    source: StringProperty(
        name="Source",
        description="Name of the armature whose actions are transferred; empty for the one chosen in "
        "the panel, or selected beside the active one",
        options=FORGET,
    )
    actions: CollectionProperty(
        type=LOCOMOTION_PG_name,
        name="Actions",
        description="Names of the actions to transfer, instead of the ticked ones",
        options=FORGET,
    )

    poll = classmethod(poll_active)

    def make_steps(self, context: bpy.types.Context) -> Steps[FoundTransfers]:
        """Compute the poses of the active armature."""
        armature = get_active_armature(context)
        source = self._find_source(context, armature)
        named = choices.find_actions_by_name(entry.name for entry in self.actions)
        offer = armature.locomotion.transfer
        if not named and offer.source == source and len(offer.offered):
            named = [e.action for e in offer.offered if e.enabled and e.action is not None]
            return (yield from find_transfers(armature, source, named))
        return (yield from find_transfers(armature, source, named or None))

    def _find_source(
        self, context: bpy.types.Context, armature: bpy.types.Object
    ) -> bpy.types.Object:
        """The armature whose actions are transferred."""
        if self.source:
            found = bpy.data.objects.get(self.source)
            if found is None or found.type != "ARMATURE":
                raise RigError(f"there is no armature {self.source!r}: choose another source")
            return found
        chosen = armature.locomotion.transfer.source
        if chosen is not None:
            return chosen
        beside = [find_armature(item) for item in context.view_layer.objects.selected]
        others = {item for item in beside if item is not None and item != armature}
        if len(others) != 1:
            raise RigError(
                f"{armature.name!r} has no source: choose one in the Transfer panel, or select one "
                "armature beside it"
            )
        return others.pop()

    def draw(self, context: bpy.types.Context) -> None:  # noqa: ARG002
        """Show the source."""
        self.layout.use_property_split = True
        self.layout.prop_search(self, "source", bpy.data, "objects")

    def finish(self, context: bpy.types.Context, result: FoundTransfers) -> None:  # noqa: ARG002
        """Write the actions."""
        made = write_transfers(result)
        armature = result.character.armature
        data = armature.locomotion
        data.active_motion = [entry.action for entry in data.motions].index(made.actions[0])
        armature.update_tag()
        report_line(self, {"INFO"}, describe_transfers(made, armature))
        for action, finding in zip(made.actions, made.findings, strict=True):
            if finding.reason:
                report_line(self, {"WARNING"}, f"{action.name}: {finding.reason}")


register, unregister = make_menu_registration(ANIM_OT_locomotion_transfer)
