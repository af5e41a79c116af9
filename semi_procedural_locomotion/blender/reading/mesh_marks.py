# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What gives a mesh its shape and place at the feet, thing by thing, to name what has changed of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import bpy
import numpy as np

from ..values.nla import list_paths
from ..values.visibility import EYES

# What of modifiers and constraints changes nothing that is shown, or may be another in each session.
_UNSEEN = frozenset(
    {
        "rna_type", "is_active", "is_override_data", "show_expanded", "show_in_editmode",
        "show_on_cage", "show_render", "use_pin_to_last", "use_apply_on_spline", "execution_time",
        "persistent_uid", "is_valid", "error_location", "error_rotation", "active",
    }
)  # fmt: skip


def mark_things(
    armature: bpy.types.Object, item: bpy.types.Object, bones: Iterable[str]
) -> dict[str, str]:
    """A mark of each thing that shapes, moves or places a mesh, by what Blender calls it.

    Parameters
    ----------
    armature, item
        The character's object, and the object of the mesh.
    bones
        Names of groups whose bones move the mesh at the feet.

    Returns
    -------
    dict
        In the order in which they are told.
    """
    marks = {f"modifier {m.name!r}": _mark(m) for m in item.modifiers if m.show_viewport}
    off = [name for name in bones if not getattr(armature.data.bones.get(name), "use_deform", True)]
    marks |= {f"bone {name!r} with Deform off": "off" for name in off}
    keys = None if item.type != "MESH" else item.data.shape_keys
    if keys is not None:
        paths = list_paths(keys)
        for block in keys.key_blocks[1:]:
            is_set = f"{block.path_from_id()}.value" in paths
            value = "set" if is_set else 0.0 if block.mute else round(block.value, 6)
            if value:
                marks[f"shape key {block.name!r}"] = f"{value}"
    marks |= {
        f"constraint {c.name!r}": _mark(c)
        for c in item.constraints
        if not c.mute and c.influence > 0.0
    }
    if list_paths(item) - {*EYES}:
        marks["keys or drivers of the object"] = "set"
    names = " ".join(sorted(group.name for group in item.vertex_groups if group.name in bones))
    marks["its vertex groups"] = hashlib.blake2b(names.encode(), digest_size=6).hexdigest()
    return marks


def _mark(thing: bpy.types.Modifier | bpy.types.Constraint) -> str:
    """A mark of all settings of a modifier or constraint."""
    values = []
    for prop in thing.bl_rna.properties:
        if prop.identifier not in _UNSEEN:
            values.append((prop.identifier, _plain(getattr(thing, prop.identifier, None))))
    values += sorted((name, _plain(value)) for name, value in _list_inputs(thing))
    return hashlib.blake2b(repr(values).encode(), digest_size=6).hexdigest()


def _list_inputs(thing: bpy.types.Modifier | bpy.types.Constraint) -> list[tuple[str, Any]]:
    """Values of the inputs of a node modifier."""
    if getattr(thing, "type", "") != "NODES":
        return []
    return [(name, thing[name]) for name in thing.keys()]  # noqa: SIM118 - Blender's own keys


def _plain(value: Any) -> object:  # noqa: ANN401 - any setting
    """A setting as plain numbers and texts; of blocks of data their names and, of lattices, points."""
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, bool | int | str | None):
        return value
    if isinstance(value, bpy.types.Object):
        if value.type != "LATTICE":
            return value.name
        points = np.empty(3 * len(value.data.points), dtype=np.float32)
        value.data.points.foreach_get("co_deform", points)
        return value.name, points.tobytes()
    if isinstance(value, bpy.types.ID):
        return value.name
    try:
        return tuple(round(entry, 6) for entry in value)
    except TypeError:
        return None
