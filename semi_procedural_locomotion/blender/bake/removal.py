# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A baked walk is taken away again, and what was there before comes back."""

from __future__ import annotations

import bpy

from ...errors import BakeError
from .. import versions
from ..values.bake_record import find_playing_action, is_bake, read_record
from ..values.bake_strips import lift_bake
from ..values.components import write_component
from ..values.key_tables import copy_curve, hash_keys, read_key_table


def remove_bake(armature: bpy.types.Object) -> bpy.types.Action | None:
    """Take a bake away and give back what was there before.

    Curves that the bake did not write but that were edited in its action since are handed back to
    the action before, or to a copy of it where that is one of the walk's motions or linked.

    Returns
    -------
    Action or None
        The action from before the bake.

    Raises
    ------
    BakeError
        Where the object plays no bake.
    """
    action, slot = find_playing_action(armature)
    if action is None or not is_bake(action):
        raise BakeError(f"{armature.name!r} has no baked walk to remove: select a baked character")
    record = read_record(action)
    previous, previous_slot = record.previous, record.previous_slot
    changed = [
        curve
        for curve in versions.get_curves(action, slot)
        if (key := (curve.data_path, curve.array_index)) not in record.written
        and record.copied.get(key) != hash_keys(read_key_table(curve))
    ]
    if changed:
        if previous is None:
            previous = bpy.data.actions.new(f"{armature.name} Action")
        elif record.previous_is_source or previous.library is not None:
            previous = previous.copy()
            previous_slot = versions.keep_only_slot(previous, previous_slot, armature.name)
        if not previous_slot:
            previous_slot, bag = versions.ensure_channelbag(previous, armature)
        else:
            bag = versions.get_channelbag(previous, previous_slot)
        existing = {(c.data_path, c.array_index): c for c in bag.fcurves}
        for curve in changed:
            copy_curve(curve, bag, existing.get((curve.data_path, curve.array_index)))
    lift_bake(armature, previous, previous_slot)
    bpy.data.actions.remove(action)
    for key, value in record.values.items():
        write_component(armature, key, value)
    armature.update_tag()
    return previous
