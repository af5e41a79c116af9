# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fingerprint of what the walk of a character is made from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import bpy
import numpy as np

from ...requests.travels import KINDS, LineTravel
from .. import versions
from ..footsteps.objects import read_step_timing
from ..ground.surfaces import expand
from ..setup.ground_properties import list_left_out
from ..setup.weights import fingerprint_weights
from ..travel.reading import fingerprint_speed
from ..values.bake_record import find_base_action
from ..values.curves import fingerprint_curves
from .influences import list_acting_constraints

# Results, choices of what panels show, and how the walk is shown: none changes the walk.
_IGNORED = frozenset(
    {
        "rna_type",
        "report",
        "bake",
        "sections",
        "is_live",
        "auto_bake",
        "move_footsteps",
        "footsteps_place",
        "footsteps_action",
        "footsteps_way",
    }
)
# Types of objects that are never ground.
_NEVER_GROUND = frozenset({"CAMERA", "LIGHT", "LIGHT_PROBE", "SPEAKER"})
# Travels whose way may give way to walls.
_LINES = frozenset(kind.identifier for kind in KINDS if issubclass(kind.record, LineTravel))
# Lists whose entries have weights that may be keyed: these count by their keys.
_WEIGHED = ("groups", "layers")
_WEIGHED_PATHS = tuple(f".{name}[" for name in _WEIGHED)
# What the motions do not depend on.
_WITHOUT_MOTIONS = frozenset(
    {"settings", "travel", "ground", "footsteps", "groups", "layers", "controls"}
)
_SHOWN = (
    *("found_kind", "warnings", "notes", "quality", "speed", "direction", "turn_rate"),
    *("period", "found_strike", "found_stance", "found_off"),
)


def may_depend(armature: bpy.types.Object, item: bpy.types.Object) -> bool:
    """Whether a walk may change where an object moves or changes its shape.

    Parameters
    ----------
    armature
        A set-up character.
    item
        An object that is of no character. What moves with it is an object of its own.
    """
    data = armature.locomotion
    steps = [] if data.footsteps is None else data.footsteps.all_objects
    if any(_hangs_on_others(own) for own in (armature, *steps)):
        return True
    if data.travel.source == "CURVE" and item == data.travel.curve:
        return True
    if data.travel.source == "POINTS" and item == data.travel.space:
        return True
    if data.travel.source == "BONE" and any(len(b.constraints) for b in armature.pose.bones):
        return True
    ground = data.ground
    if item.type in _NEVER_GROUND or item in expand(list_left_out(ground)):
        return False
    # What the way keeps clear of need be no ground.
    clears = data.travel.keep_clear and data.travel.source in _LINES
    if ground.source == "ALL" or clears:
        return True
    if ground.source == "PLANE":
        return False
    chosen = [entry.object for entry in ground.objects if entry.object is not None]
    if ground.source == "COLLECTION":
        chosen = [] if ground.collection is None else list(ground.collection.all_objects)
    return item in chosen or any(own.instance_type != "NONE" for own in chosen)


def _hangs_on_others(item: bpy.types.Object) -> bool:
    """Whether other objects may move an object."""
    animated = item.animation_data
    return (
        item.parent is not None
        or len(item.constraints) > 0
        or (animated is not None and len(animated.drivers) > 0)
    )


def fingerprint_inputs(
    armature: bpy.types.Object, scene: bpy.types.Scene, motions: str | None = None
) -> str:
    """A text that changes when something does that the walk depends on, besides the ground.

    Parameters
    ----------
    armature
        A set-up character.
    scene
        Where it walks. Which objects it shows counts, their shapes and places do not.
    motions
        What `fingerprint_motions` gives, where that is known.
    """
    data = armature.locomotion
    motions = motions or fingerprint_motions(armature, scene)
    digest = hashlib.blake2b(motions.encode(), digest_size=16)
    for name in _WEIGHED:
        digest.update(fingerprint_weights(armature, name).encode())
    for layer in data.layers:
        slot = None if layer.action is None else versions.find_slot(layer.action, armature)
        if slot is not None:
            digest.update(fingerprint_curves(versions.get_curves(layer.action, slot)).encode())
    digest.update(fingerprint_speed(armature).encode())
    for line in _list_values(data, "", _IGNORED):
        digest.update(line.encode())
    action, slot = find_base_action(armature)
    if action is not None:
        digest.update(fingerprint_curves(versions.get_curves(action, slot)).encode())
    if data.travel.source == "FOOTSTEPS":
        digest.update(data.footsteps_way.encode())
    steps = [] if data.footsteps is None else data.footsteps.all_objects
    for step in steps:
        taken = step.locomotion_footstep.is_left_out, step.locomotion_footstep.is_jump
        state = (step.session_uid, step.matrix_basis, step.parent, taken, read_step_timing(step))
        digest.update(repr(state).encode())
    chosen = [data.ground.collection, *(entry.collection for entry in data.ground.left_out)]
    for held in chosen:
        members = [] if held is None else sorted(item.session_uid for item in held.all_objects)
        digest.update(repr(members).encode())
    layer = scene.view_layers[0] if scene != bpy.context.scene else bpy.context.view_layer
    shown = (item for item in scene.objects if item.visible_get(view_layer=layer))
    visible = sorted((item.session_uid, item.display_type) for item in shown)
    digest.update(repr((visible, scene.frame_start, scene.frame_end)).encode())
    return digest.hexdigest()


def fingerprint_motions(
    armature: bpy.types.Object,
    scene: bpy.types.Scene,
    seen: dict[tuple[int, str], str] | None = None,
) -> str:
    """A text that changes when the rig or the ticked motions do.

    Parameters
    ----------
    armature
        A set-up character.
    scene
        Gives the frame rate.
    seen
        Texts of actions and slots that were looked at just before, and gets those of others: characters
        of a crowd share them. None looks at all.
    """
    data, seen = armature.locomotion, {} if seen is None else seen
    digest = hashlib.blake2b(digest_size=16)
    for line in _list_values(data, "", _IGNORED | _WITHOUT_MOTIONS):
        digest.update(line.encode())
    for entry in data.motions:
        if entry.action is not None and entry.enabled:
            slot = versions.find_slot(entry.action, armature)
            if slot is not None:
                key = entry.action.session_uid, slot
                if key not in seen:
                    seen[key] = fingerprint_curves(versions.get_curves(entry.action, slot))
                digest.update(seen[key].encode())
    bones = armature.data.bones
    rests = np.empty(16 * len(bones), dtype=np.float32)
    bones.foreach_get("matrix_local", rests)
    digest.update(rests.tobytes())
    names = [(bone.name, bone.rotation_mode) for bone in armature.pose.bones]
    digest.update(repr((names, scene.render.fps, scene.render.fps_base)).encode())
    acting = [(bone.name, c.name, c.type) for bone, c in list_acting_constraints(armature)]
    digest.update(repr(acting).encode())
    return digest.hexdigest()


def _list_values(
    owner: bpy.types.PropertyGroup, path: str, ignored: frozenset[str]
) -> Iterator[str]:
    """Path and value of every property that counts, those inside of groups and lists too."""
    for prop in owner.bl_rna.properties:
        name = prop.identifier
        if name in ignored or name.startswith("active_"):
            continue
        if path.startswith(".motions") and name in _SHOWN:
            continue
        # A keyed speed differs from frame to frame; its keys count instead.
        if path == ".travel" and name == "speed":
            continue
        if name == "weight" and path.startswith(_WEIGHED_PATHS):
            continue
        value = getattr(owner, name)
        where = f"{path}.{name}"
        if prop.type == "COLLECTION":
            for number, item in enumerate(value):
                if name == "motions" and not item.enabled:
                    yield f"{where}[{number}];"
                    continue
                yield from _list_values(item, f"{where}[{number}]", _IGNORED)
        elif prop.type == "POINTER":
            if isinstance(value, bpy.types.ID):
                yield f"{where}={value.session_uid};"
            elif value is not None:
                yield from _list_values(value, where, _IGNORED)
        elif getattr(prop, "is_array", False):
            yield f"{where}={tuple(value)};"
        else:
            yield f"{where}={value!r};"
