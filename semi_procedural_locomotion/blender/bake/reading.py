# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Baked walks read back: what the keys really show, and what the character was before them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import bpy

from ...errors import BakeError
from .. import versions
from ..values.bake_record import BakeRecord, find_played_record
from ..values.bake_strips import strip_lifted
from ..values.components import read_component, write_component


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
