# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that differs between the versions of Blender (4.2 and later).

Actions have slots from 4.4 on, and their old list of curves is gone in 5.0. A slot is named here
by its identifier, such as ``"OBArmature"``, because strings outlive undo; without slots the
identifier is the empty string. Which slot Blender itself picks on assignment depends on names
and history, so every assignment here sets the slot too (docs/architecture.md, Blender versions).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import addon_utils
import bpy
import numpy as np

_HAS_SLOTS = bpy.app.version >= (4, 4, 0)
_HAS_GROUP_NAME = _COPIES_GROUPS = _SELECTS_POSE_BONES = bpy.app.version >= (5, 0, 0)
# As a Python module there is no program that unregisters what was registered.
IS_MODULE = bool(getattr(bpy.app, "module", not bpy.app.binary_path))
_OBJECT_SLOT_TYPES = {"OBJECT", "UNSPECIFIED"}
NO_SLOT = ""
# The importer that reads FBX files of text came with 4.5.
READS_TEXT_FBX = bpy.app.version >= (4, 5, 0)
USUAL_UP = "Y"
"""The axis that is up in most files of motion capture."""
Importer = Callable[[], None]


AFTER_IMPORT = (
    "blend_import_post"
    if hasattr(bpy.app.handlers, "blend_import_post")
    else "depsgraph_update_post"
)
"""Name of the handlers that are called when data of another file was appended or linked; Blender 4.2 has
none of its own for that."""


def list_slots(action: bpy.types.Action) -> list[str]:
    """Identifiers of the slots that can animate an object."""
    if _HAS_SLOTS:
        return [s.identifier for s in action.slots if s.target_id_type in _OBJECT_SLOT_TYPES]
    return [NO_SLOT] if action.id_root in {"OBJECT", ""} else []


def find_slot(action: bpy.types.Action, animated: bpy.types.Object) -> str | None:
    """Slot of an action that is meant for an object.

    Parameters
    ----------
    action
        Any action.
    animated
        The object it shall move.

    Returns
    -------
    str or None
        The assigned slot; else the one named after the object; else the one the object used last;
        else the one that names most of its bones; None where none does.
    """
    slots = list_slots(action)
    if not _HAS_SLOTS:
        return slots[0] if slots else None
    data = animated.animation_data
    wanted = []
    if data is not None:
        if data.action == action and data.action_slot is not None:
            wanted.append(data.action_slot.identifier)
        wanted.append(f"OB{animated.name}")
        wanted.append(data.last_slot_identifier)
    else:
        wanted.append(f"OB{animated.name}")
    for identifier in wanted:
        if identifier in slots:
            return identifier
    counts = {slot: _count_bone_curves(action, slot, animated) for slot in slots}
    best = max(slots, key=lambda slot: counts[slot], default=None)
    if best is not None and (counts[best] or len(slots) == 1):
        return best
    return None


def get_channelbag(action: bpy.types.Action, slot: str) -> bpy.types.ActionChannelbag | None:
    """The holder of ``fcurves`` and ``groups`` of one slot, or None where it has none."""
    if not _HAS_SLOTS:
        return action
    found = _get_slot(action, slot)
    if found is None:
        return None
    for layer in action.layers:
        for strip in layer.strips:
            bag = strip.channelbag(found)
            if bag is not None:
                return bag
    return None


def get_curves(action: bpy.types.Action, slot: str) -> Sequence[bpy.types.FCurve]:
    """Curves of one slot of an action; empty where there are none."""
    bag = get_channelbag(action, slot)
    return () if bag is None else bag.fcurves


def ensure_channelbag(
    action: bpy.types.Action, animated: bpy.types.Object, slot: str | None = None
) -> tuple[str, bpy.types.ActionChannelbag]:
    """A slot for an object, and the holder of its curves, made where missing.

    Parameters
    ----------
    action
        An action of our own.
    animated
        The object.
    slot
        Identifier of the slot; None, or one that is not there, for that named after the object.

    Returns
    -------
    slot
        Identifier of the slot.
    channelbag
        Has ``fcurves`` and ``groups``.
    """
    if not _HAS_SLOTS:
        # Otherwise an action that was never assigned belongs to no kind of data.
        action.id_root = "OBJECT"
        return NO_SLOT, action
    found = None if slot is None else _get_slot(action, slot)
    found = found or _get_slot(action, f"OB{animated.name}")
    if found is None:
        found = action.slots.new(id_type="OBJECT", name=animated.name)
    layer = action.layers[0] if len(action.layers) else action.layers.new("Layer")
    strip = layer.strips[0] if len(layer.strips) else layer.strips.new(type="KEYFRAME")
    return found.identifier, strip.channelbag(found, ensure=True)


def add_slot(action: bpy.types.Action, animated: bpy.types.Object) -> str:
    """A new slot for an object beside those that an action has; gives its identifier."""
    if not _HAS_SLOTS:
        return NO_SLOT
    return str(action.slots.new(id_type="OBJECT", name=animated.name).identifier)


def keep_only_slot(action: bpy.types.Action, slot: str, name: str) -> str:
    """Remove all slots but one and name that one.

    Parameters
    ----------
    action
        An action of our own.
    slot
        Identifier of the slot to keep.
    name
        Its new name without the prefix of its type.

    Returns
    -------
    str
        The identifier it has now.
    """
    if not _HAS_SLOTS:
        return NO_SLOT
    for other in [s for s in action.slots if s.identifier != slot]:
        action.slots.remove(other)
    kept = _get_slot(action, slot)
    if kept is None:
        raise ValueError(f"action {action.name!r} has no slot {slot!r}")
    if kept.target_id_type == "UNSPECIFIED":
        kept.target_id_type = "OBJECT"
    kept.name_display = name
    return str(kept.identifier)


def name_slot(action: bpy.types.Action, slot: str, name: str) -> str:
    """Name a slot of an action that may have others; gives its identifier."""
    if not _HAS_SLOTS:
        return NO_SLOT
    kept = _get_slot(action, slot)
    if kept is None:
        raise ValueError(f"action {action.name!r} has no slot {slot!r}")
    if kept.name_display != name:
        kept.name_display = name
    return str(kept.identifier)


def get_slot_name(action: bpy.types.Action, slot: str) -> str | None:
    """Name of a slot as it is shown; None where it has none."""
    found = _get_slot(action, slot) if _HAS_SLOTS else None
    return None if found is None else str(found.name_display)


def has_other_curves(action: bpy.types.Action, slot: str) -> bool:
    """Whether other slots of an action have curves than one."""
    slots = action.slots if _HAS_SLOTS else ()
    return any(get_curves(action, s.identifier) for s in slots if s.identifier != slot)


def remove_slot(action: bpy.types.Action, slot: str) -> None:
    """Take a slot with its curves out of an action that has others."""
    found = _get_slot(action, slot)
    if found is not None:
        action.slots.remove(found)


def forget_copied_pointer(owner: bpy.types.ID, group: str, name: str) -> bpy.types.ID | None:
    """Drop and give a pointer in the copy of a property group that Blender 5.0 leaves in older files.

    It keeps the values of a group that add-ons define apart from custom properties, and copies those of
    older files, where a pointer that nothing reads counts as a user.
    """
    copied = owner.get(group) if _COPIES_GROUPS else None
    if copied is None or name not in copied:
        return None
    found: bpy.types.ID | None = copied[name]
    del copied[name]
    return found


def add_curve(
    channelbag: bpy.types.ActionChannelbag, path: str, index: int, group: str
) -> bpy.types.FCurve:
    """A new curve, in the channel group called ``group``; in none where that is empty."""
    if not _HAS_SLOTS:
        return channelbag.fcurves.new(path, index=index, action_group=group)
    if _HAS_GROUP_NAME:
        return channelbag.fcurves.new(path, index=index, group_name=group)
    curve = channelbag.fcurves.new(path, index=index)
    if group:
        curve.group = channelbag.groups.get(group) or channelbag.groups.new(group)
    return curve


def deselect_keys(action: bpy.types.Action) -> None:
    """Take all keys of an action, with their handles, out of the selection."""
    if hasattr(action, "deselect_keys"):
        action.deselect_keys()
        return
    for curve in action.fcurves:
        points = curve.keyframe_points
        unselected = np.zeros(len(points), dtype=bool)
        for name in ("select_control_point", "select_left_handle", "select_right_handle"):
            points.foreach_set(name, unselected)


def assign_action(animated: bpy.types.Object, action: bpy.types.Action | None, slot: str) -> None:
    """Give an object an action (or none) and the slot that shall move it."""
    data = animated.animation_data_create() if action is not None else animated.animation_data
    if data is None:
        return
    data.action = action
    if action is not None and _HAS_SLOTS:
        data.action_slot = _get_slot(action, slot)


def get_assigned_action(animated: bpy.types.Object) -> tuple[bpy.types.Action | None, str]:
    """The active action of an object and the identifier of its slot."""
    data = animated.animation_data
    if data is None or data.action is None:
        return None, NO_SLOT
    if not _HAS_SLOTS:
        return data.action, NO_SLOT
    return data.action, NO_SLOT if data.action_slot is None else data.action_slot.identifier


def get_last_slot(animated: bpy.types.Object) -> str:
    """Identifier of the slot that an object used last, which it may use no more."""
    data = animated.animation_data
    return NO_SLOT if data is None or not _HAS_SLOTS else str(data.last_slot_identifier)


def restore_last_slot(animated: bpy.types.Object, slot: str) -> None:
    """Let an object remember the slot that it used last."""
    if _HAS_SLOTS:
        animated.animation_data.last_slot_identifier = slot


def get_strip_slot(strip: bpy.types.NlaStrip) -> str:
    """Identifier of the slot that an NLA strip plays."""
    if not _HAS_SLOTS or strip.action_slot is None:
        return NO_SLOT
    return str(strip.action_slot.identifier)


def assign_strip_slot(strip: bpy.types.NlaStrip, slot: str) -> None:
    """Choose the slot that an NLA strip plays."""
    if _HAS_SLOTS:
        strip.action_slot = _get_slot(strip.action, slot)


def select_bones(
    armature: bpy.types.Object, names: Iterable[str], *, keeps_others: bool = False
) -> None:
    """Select these bones, and no others unless those are kept."""
    wanted = set(names)
    bones = armature.pose.bones if _SELECTS_POSE_BONES else armature.data.bones
    for bone in bones:
        bone.select = bone.name in wanted or (keeps_others and bone.select)


def ensure_node_tree(material: bpy.types.Material) -> bpy.types.NodeTree:
    """The shader nodes of a material; from 5.0 on every material has them."""
    if bpy.app.version < (5, 0, 0):
        material.use_nodes = True
    return material.node_tree


def list_importers(path: Path, up: str = USUAL_UP) -> list[Importer]:
    """Blender's own importers for a .glb, .gltf, .vrm, .fbx or .bvh file, the better one first.

    Parameters
    ----------
    path
        The file.
    up
        The axis that is up in a BVH file.

    Returns
    -------
    list
        Each imports the file when it is called, and raises RuntimeError when it gives up.
    """
    kind = path.suffix.lower()
    name = str(path)
    if kind in {".glb", ".gltf", ".vrm"}:
        return [partial(_import_gltf, name)]
    if kind == ".bvh":
        return [partial(_import_bvh, name, up)]
    if kind != ".fbx":
        raise ValueError(f"expected .glb, .gltf, .vrm, .fbx or .bvh, got {path.suffix!r}")
    # The older one stops at lights in 5.0, the newer one was a trial in 4.5; each reads what the other
    # does not.
    if bpy.app.version >= (5, 0, 0):
        return [partial(_import_fbx, name), partial(_import_older_fbx, name)]
    importers: list[Importer] = [partial(_import_older_fbx, name)]
    return [*importers, partial(_import_fbx, name)] if READS_TEXT_FBX else importers


def _import_gltf(name: str) -> None:
    _enable_bundled("io_scene_gltf2")
    bpy.ops.import_scene.gltf(filepath=name, disable_bone_shape=True)


def _import_fbx(name: str) -> None:
    bpy.ops.wm.fbx_import(filepath=name)


def _import_older_fbx(name: str) -> None:
    _enable_bundled("io_scene_fbx")
    bpy.ops.import_scene.fbx(filepath=name)


def _import_bvh(name: str, up: str) -> None:
    _enable_bundled("io_anim_bvh")
    bpy.ops.import_anim.bvh(
        filepath=name,
        frame_start=1,
        use_fps_scale=False,
        update_scene_fps=False,
        update_scene_duration=False,
        axis_up=up,
        axis_forward="-Z" if up == USUAL_UP else "Y",
    )


def restore_action_names(
    actions: Sequence[bpy.types.Action], armatures: Sequence[bpy.types.Object]
) -> None:
    """Give imported actions the names they have in the file.

    Before actions had slots, the glTF importer put the armature's name after that of the action.
    """
    if _HAS_SLOTS:
        return
    for armature in armatures:
        for action in actions:
            name = action.name.removesuffix(f"_{armature.name}")
            if name and name not in bpy.data.actions:
                action.name = name


def _get_slot(action: bpy.types.Action, identifier: str) -> bpy.types.ActionSlot | None:
    """The slot with this identifier."""
    return next((s for s in action.slots if s.identifier == identifier), None)


def _count_bone_curves(action: bpy.types.Action, slot: str, animated: bpy.types.Object) -> int:
    """How many curves of a slot move bones that the object has."""
    if animated.pose is None:
        return 0
    prefixes = {f'pose.bones["{bpy.utils.escape_identifier(b.name)}"]' for b in animated.pose.bones}
    curves = get_curves(action, slot)
    return sum(curve.data_path.rpartition(".")[0] in prefixes for curve in curves)


def _enable_bundled(module: str) -> None:
    """Enable an add-on that comes with Blender, for this run only."""
    if not addon_utils.check(module)[1]:
        addon_utils.enable(module, default_set=False)
