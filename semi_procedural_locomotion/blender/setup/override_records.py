# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Set-ups on library overrides, kept in saved files beside what Blender keeps of them.

When a file is loaded, Blender makes each override anew from its library and from a list of changes.
That list loses the last of several entries without a name and all entries that were removed, and from
5.0 on the whole set-up where the library holds none. So what differs from the library is written to a
scene before the file is saved, and set again after it was loaded. What does not differ goes on
following the library. The scene is not asked between, so that its record cannot be older than the
set-up; an override itself keeps no custom properties of its own.

The same happens where a library is loaded anew or an override resynchronised while the file is open.
There is no handler for that, but the reference or the override is another data-block from then on; what
the override had of its own is remembered until then.
"""

from __future__ import annotations

import json
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..values.custom_keys import OVERRIDES_KEY
from ..values.schema import find_kept
from .values import Values, read_values, write_values

# Where data-blocks of the types that set-ups point to are listed.
_PLACES = {"Action": "actions", "Collection": "collections", "Object": "objects"}
# Number of each override and of its reference in this session, and what it has of its own as JSON, by
# the override's name.
_remembered: dict[str, tuple[int, int, str]] = {}


def keep_overrides() -> None:
    """Write what set-ups on overrides have of their own to the first scene."""
    records = {}
    for item in bpy.data.objects:
        changes = _read_changes(item) if _is_kept(item) else None
        if changes:
            records[item.name] = changes
    drop_records()
    scene = next((s for s in bpy.data.scenes if s.library is None), None)
    if records and scene is not None:
        scene[OVERRIDES_KEY] = json.dumps(records, default=_describe_block)


def restore_overrides() -> None:
    """Set what a loaded file holds of set-ups on overrides, and drop the record."""
    for scene in bpy.data.scenes:
        if scene.library is not None:
            continue
        for name, values in (find_kept(scene, OVERRIDES_KEY, _find_blocks) or {}).items():
            item = bpy.data.objects.get((name, None))
            if item is not None and _is_kept(item):
                write_values(item.locomotion, values)
    drop_records()


def drop_records() -> None:
    """Take the records out of all scenes."""
    for scene in bpy.data.scenes:
        if scene.library is None and OVERRIDES_KEY in scene:
            del scene[OVERRIDES_KEY]


def follow_library(item: bpy.types.Object) -> None:
    """Remember what an override has of its own, or set it again where Blender made it anew."""
    numbers = (item.session_uid, item.override_library.reference.session_uid)
    known = _remembered.get(item.name)
    if known is not None and known[:2] != numbers and not _is_renamed(item, known[0]):
        write_values(item.locomotion, _find_blocks(json.loads(known[2])))
    changes = json.dumps(_read_changes(item), default=_describe_block)
    _remembered[item.name] = (*numbers, changes)


def _is_renamed(item: bpy.types.Object, number: int) -> bool:
    """Whether the object of a number is another one, so that only their names have changed."""
    return any(o.session_uid == number and o != item for o in bpy.data.objects)


def _forget_others() -> None:
    """Forget overrides that were removed or renamed, so that new ones of their name begin afresh."""
    for name in [name for name in _remembered if bpy.data.objects.get((name, None)) is None]:
        del _remembered[name]


def _read_changes(item: bpy.types.Object) -> Values:
    """What the set-up of an override has of its own."""
    base = read_values(item.override_library.reference.locomotion)
    return _find_changes(read_values(item.locomotion), base)


def _is_kept(item: bpy.types.Object) -> bool:
    """Whether an object is an override of an armature in this file."""
    override = item.override_library
    return bool(
        item.library is None
        and item.type == "ARMATURE"
        and override is not None
        and override.reference is not None
    )


def _find_changes(values: Values, base: Values) -> Values:
    """Those values that differ from a library's, lists as a whole."""
    changes: Values = {}
    for name, value in values.items():
        if isinstance(value, dict):
            inner = _find_changes(value, base[name])
            if inner:
                changes[name] = inner
        elif not _is_same(value, base[name]):
            changes[name] = value
    return changes


def _is_same(own: object, base: object) -> bool:
    """Whether a value is a library's; for an override of a data-block that data-block itself is."""
    if isinstance(own, list) and isinstance(base, list):
        return len(own) == len(base) and all(map(_is_same, own, base))
    if isinstance(own, dict) and isinstance(base, dict):
        return all(_is_same(own[name], base[name]) for name in own)
    if isinstance(own, bpy.types.ID) and own.override_library is not None:
        return bool(own.override_library.reference == base)
    return own == base


def _describe_block(block: bpy.types.ID) -> dict[str, str]:
    """A data-block as its type, its name and the name of its library."""
    library = "" if block.library is None else block.library.name
    return {"block": block.name, "type": block.bl_rna.identifier, "library": library}


def _find_blocks(value: Any) -> Any:  # noqa: ANN401
    """Plain values with the data-blocks that tables in them name, None for those that are gone."""
    if isinstance(value, list):
        return [_find_blocks(item) for item in value]
    if not isinstance(value, dict):
        return value
    return (
        _find_block(value) if "block" in value else {k: _find_blocks(v) for k, v in value.items()}
    )


def _find_block(table: dict[str, str]) -> bpy.types.ID | None:
    """The data-block that a table names; None where it is gone."""
    for block in getattr(bpy.data, _PLACES[table["type"]]):
        library = "" if block.library is None else block.library.name
        if (block.name, library) == (table["block"], table["library"]):
            return block
    return None


def _before_save(*_: object) -> None:
    """Let the file hold the set-ups."""
    keep_overrides()


def _after_save(*_: object) -> None:
    """Leave nothing behind that grows old."""
    drop_records()


def _after_load(*_: object) -> None:
    """Set the set-ups that the file holds."""
    restore_overrides()
    _remembered.clear()
    for item in bpy.data.objects:
        if _is_kept(item):
            follow_library(item)


def _note_update(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:  # noqa: ARG001
    """Look at overrides that were changed. Blender does not call this for changes of the frame."""
    _forget_others()
    for update in depsgraph.updates:
        item = update.id.original
        if isinstance(item, bpy.types.Object) and _is_kept(item):
            follow_library(item)


_HANDLERS = {
    "save_pre": _before_save,
    "save_post": _after_save,
    "save_post_fail": _after_save,
    "load_post": _after_load,
    "depsgraph_update_post": _note_update,
}
# Loading a file takes all other handlers out.
for _function in _HANDLERS.values():
    persistent(_function)


def register() -> None:
    """Add the handlers, and look at the file that is open already."""
    if hasattr(bpy.data, "scenes"):
        restore_overrides()
    else:
        # While Blender enables an extension, no data may be touched.
        bpy.app.timers.register(restore_overrides, first_interval=0.0)
    for name, function in _HANDLERS.items():
        getattr(bpy.app.handlers, name).append(function)


def unregister() -> None:
    """Take them out."""
    _remembered.clear()
    if bpy.app.timers.is_registered(restore_overrides):
        bpy.app.timers.unregister(restore_overrides)
    for name, function in _HANDLERS.items():
        handlers = getattr(bpy.app.handlers, name)
        if function in handlers:
            handlers.remove(function)
