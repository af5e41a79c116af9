# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which actions of another armature a character takes over, and what its own were taken from."""

from __future__ import annotations

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...core.rig.legs.names import select_walk_names
from .. import versions
from ..reading.sampling import find_actions
from ..values.curves import fingerprint_curves
from .values import clear_entries

_OVERRIDE = {"LIBRARY_OVERRIDABLE"}
_OVERRIDE_ITEMS = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}


class LOCOMOTION_PG_offered(bpy.types.PropertyGroup):
    """An action of the source."""

    action: PointerProperty(
        type=bpy.types.Action,
        name="Action",
        description="Action of the source",
        override=_OVERRIDE,
    )
    enabled: BoolProperty(
        name="Transfer", description="Transfer this action", default=False, override=_OVERRIDE
    )


def _is_other_armature(group: bpy.types.PropertyGroup, item: bpy.types.Object) -> bool:
    """Whether an object may be the source of a character."""
    return item.type == "ARMATURE" and item != group.id_data


def _list_offered(group: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:  # noqa: ARG001
    """Offer the actions of a source that was just chosen."""
    offer_actions(group)


class LOCOMOTION_PG_transfer(bpy.types.PropertyGroup):
    """Where a character takes actions from."""

    source: PointerProperty(
        type=bpy.types.Object,
        name="Source",
        description="Armature whose actions are transferred; its bones may have any names",
        poll=_is_other_armature,
        update=_list_offered,
        override=_OVERRIDE,
    )
    offered: CollectionProperty(
        type=LOCOMOTION_PG_offered,
        name="Actions",
        description="Actions of the source",
        override=_OVERRIDE_ITEMS,
    )
    active: IntProperty(
        name="Active Action", description="Action marked in the list", min=0, override=_OVERRIDE
    )


class LOCOMOTION_PG_transferred(bpy.types.PropertyGroup):
    """What an action was transferred from."""

    source: StringProperty(name="Source", description="Armature that it was transferred from")
    action: StringProperty(name="Action", description="Action that it was transferred from")
    keys: StringProperty(
        name="Keys", description="Fingerprint of the transferred keys, to tell edits by hand"
    )


def offer_actions(group: bpy.types.PropertyGroup) -> None:
    """List the actions of the source, those ticked that are ticked there or named as walks."""
    clear_entries(group, "offered")
    group.active = 0
    source = group.source
    if source is None:
        return
    motions = {entry.action: entry.enabled for entry in source.locomotion.motions}
    actions = find_actions(source)
    walks = select_walk_names(action.name for action in actions)
    for action in sorted(actions, key=lambda one: (not motions.get(one, False), one.name)):
        entry = group.offered.add()
        entry.action = action
        entry.enabled = motions.get(action, False) if motions else action.name in walks


def keep_transfer(
    written: bpy.types.Action,
    armature: bpy.types.Object,
    source: bpy.types.Object,
    action: bpy.types.Action,
) -> None:
    """Keep on an action what its keys, as they are now, were transferred from."""
    kept = written.locomotion_transferred
    kept.source, kept.action = source.name, action.name
    slot = versions.ensure_channelbag(written, armature)[0]
    kept.keys = fingerprint_curves(versions.get_curves(written, slot))


def find_transferred(
    armature: bpy.types.Object, source: bpy.types.Object, action: bpy.types.Action
) -> bpy.types.Action | None:
    """The unedited action in a character's motions that was transferred from another one before."""
    for entry in armature.locomotion.motions:
        known = entry.action
        if known is None or known.library is not None:
            continue
        kept = known.locomotion_transferred
        slot = versions.find_slot(known, armature)
        if (kept.source, kept.action) != (source.name, action.name) or slot is None:
            continue
        if kept.keys == fingerprint_curves(versions.get_curves(known, slot)):
            return known
    return None


def untick_transferred(armature: bpy.types.Object, written: bpy.types.Action) -> None:
    """Tick no motions of a character any more that were transferred from the same action as another."""
    kept = written.locomotion_transferred
    for entry in armature.locomotion.motions:
        action = entry.action
        if action is None or action == written:
            continue
        other = action.locomotion_transferred
        if (other.source, other.action) == (kept.source, kept.action):
            entry.enabled = False


TRANSFER_CLASSES = (LOCOMOTION_PG_offered, LOCOMOTION_PG_transfer)


def register() -> None:
    """Add the properties to Blender's actions."""
    bpy.utils.register_class(LOCOMOTION_PG_transferred)
    bpy.types.Action.locomotion_transferred = PointerProperty(type=LOCOMOTION_PG_transferred)


def unregister() -> None:
    """Take them away; what files hold stays in the files."""
    del bpy.types.Action.locomotion_transferred
    bpy.utils.unregister_class(LOCOMOTION_PG_transferred)
