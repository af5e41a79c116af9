# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The actions that bakes are written to: found, made, marked, and read back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import bpy

from ...errors import BakeError
from .. import versions
from ..values.bake_record import (
    BakeRecord,
    Marker,
    find_played_record,
    find_playing_action,
    is_bake_of,
)
from ..values.bake_strips import strip_lifted
from ..values.components import read_component, write_component
from ..values.curves import TRANSFORM_PROPERTIES, split_bone_path
from .computing import BakeKeys
from .options import BakeOptions


def find_bake(armature: bpy.types.Object) -> bpy.types.Action | None:
    """The bake action that an object plays, active or in a strip, or None."""
    action, _ = find_playing_action(armature)
    return action if is_bake_of(armature, action) else None


def make_action(
    armature: bpy.types.Object, keys: BakeKeys, options: BakeOptions
) -> bpy.types.Action:
    """A new action for a bake, with the curves of the one that the object plays."""
    active, active_slot = keys.active, keys.active_slot
    name = options.action_name or find_free_name(f"{armature.name} Baked Walk")
    if active is None or versions.get_channelbag(active, active_slot) is None:
        return bpy.data.actions.new(name)
    action = active.copy()
    action.name = name
    versions.keep_only_slot(action, active_slot, armature.name)
    if keys.record.previous_is_source:
        _, bag = versions.ensure_channelbag(action, armature)
        for curve in list(bag.fcurves):
            bone, name = split_bone_path(curve.data_path)
            if name in TRANSFORM_PROPERTIES and (bone, name) not in keys.plays_on:
                bag.fcurves.remove(curve)
    return action


def make_own(
    armature: bpy.types.Object, action: bpy.types.Action, slot: str, name: str | None
) -> tuple[bpy.types.Action, str]:
    """A copy of a bake that an object shares with another one, and its slot."""
    own = action.copy()
    own.name = name or find_free_name(f"{armature.name} Baked Walk")
    return own, versions.keep_only_slot(own, slot, armature.name)


def find_free_name(stem: str) -> str:
    """A name that no action has, in words: a ``.001`` would look like the copy of a clip."""
    name, number = stem, 1
    while name in bpy.data.actions:
        number += 1
        name = f"{stem} {number}"
    return name


def replace_markers(action: bpy.types.Action, old: Sequence[Marker], new: Sequence[Marker]) -> None:
    """Take the markers of an earlier bake off an action, where they still are, and put new ones."""
    written = set(old)
    for marker in [m for m in action.pose_markers if (m.name, m.frame) in written]:
        action.pose_markers.remove(marker)
    for name, frame in new:
        action.pose_markers.new(name).frame = frame


def read_bake(armature: bpy.types.Object) -> BakeRecord:
    """What the bake that an armature plays remembers.

    Raises
    ------
    BakeError
        It plays none.
    """
    record = find_played_record(armature)
    if record is None:
        raise BakeError(f"{armature.name!r} plays no baked walk: bake one first")
    return record


@contextmanager
def bake_lifted(armature: bpy.types.Object) -> Iterator[BakeRecord]:
    """The armature as it was before its bake; the bake is back after.

    Within, the action before the bake is the active one, and all properties that the bake keys have
    the values from before it. So a plan made here starts from where the bake's own plan started.

    Raises
    ------
    BakeError
        No bake is active on the armature.
    """
    record = read_bake(armature)
    action, slot = versions.get_assigned_action(armature)
    shown = {key: read_component(armature, key) for key in record.values}
    try:
        with strip_lifted(armature):
            versions.assign_action(armature, record.previous, record.previous_slot)
            bpy.context.view_layer.update()
            # Only now, since the update has applied the animation before the bake.
            for key, value in record.values.items():
                write_component(armature, key, value)
            bpy.context.view_layer.update()
            yield record
    finally:
        versions.assign_action(armature, action, slot)
        bpy.context.view_layer.update()
        for key, kept in shown.items():
            if kept is not None:
                write_component(armature, key, kept)
        bpy.context.view_layer.update()
