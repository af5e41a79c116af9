# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the bones of a rig are moved by besides keys, as text that changes when any of it does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import bpy

from .bake_record import ChannelKey, read_influence, read_values_before
from .constraints import list_holders
from .curve_modifiers import read_modifiers
from .curves import build_bone_path
from .evaluation import is_fixed
from .key_tables import read_key_table

# What of a constraint tells nothing of what it does, and what names where it aims.
_ASIDE = frozenset({"rna_type", "is_override_data", "is_valid", "active", "show_expanded"})
_ERRORS = frozenset({"error_location", "error_rotation"})
_AIMS = frozenset({"target", "pole_target"})
# Constraints that act the same wherever the whole armature stands, if they aim at it alone.
_ANYWHERE = frozenset(
    {
        *("IK", "COPY_LOCATION", "COPY_ROTATION", "COPY_SCALE", "COPY_TRANSFORMS", "DAMPED_TRACK"),
        *("LOCKED_TRACK", "STRETCH_TO", "TRACK_TO", "ARMATURE", "LIMIT_DISTANCE"),
    }
)
_INSIDE = frozenset({"LOCAL", "LOCAL_WITH_PARENT", "POSE", "LOCAL_OWNER_ORIENT", "CUSTOM"})


class HangsOutsideError(Exception):
    """A rig follows something that is not of itself."""


def describe_workings(armature: bpy.types.Object) -> list[str] | None:
    """Constraints, drivers, settings and fixed poses of a rig's bones, as they are without any bake.

    Parameters
    ----------
    armature
        The armature object.

    Returns
    -------
    list of str or None
        None where the rig follows other objects, or what cannot be told: then its bones may move though
        nothing of the rig has changed.
    """
    try:
        return list(_list_workings(armature))
    except HangsOutsideError:
        return None


def _list_workings(armature: bpy.types.Object) -> Iterator[str]:
    before = read_values_before(armature)
    yield repr((sorted(before.items()), armature.data.pose_position, armature.pose.ik_solver))
    stands_anywhere = True
    for owner in (armature, *armature.pose.bones):
        name = owner.name if owner != armature else ""
        yield from _list_properties(owner, name, before)
        for constraint in owner.constraints:
            yield from _list_constraint(armature, constraint, name, before)
            stands_anywhere &= _acts_anywhere(constraint)
    yield from _list_properties(armature.data, "", {})
    for bone in armature.pose.bones:
        yield from _list_bone(bone)
    for owner in (armature, armature.data):
        if owner.animation_data is not None:
            for driver in owner.animation_data.drivers:
                yield from _list_driver(armature, driver)
                stands_anywhere &= not _asks_for_place(driver)
    if not stands_anywhere:
        yield repr([tuple(row) for row in armature.matrix_world])


def _list_properties(
    owner: bpy.types.bpy_struct, bone: str, before: Mapping[ChannelKey, float]
) -> Iterator[str]:
    """Custom properties of an object, its data or a bone; those of add-ons that are groups are none."""
    for key, value in owner.items():
        kept = value
        if hasattr(value, "to_list"):
            kept = value.to_list()
        elif not isinstance(value, bool | int | float | str):
            continue
        path = build_bone_path(bone, f'["{bpy.utils.escape_identifier(key)}"]')
        yield repr((bone, key, before.get((path, 0), kept)))


def _list_constraint(
    armature: bpy.types.Object,
    constraint: bpy.types.Constraint,
    bone: str,
    before: Mapping[ChannelKey, float],
) -> Iterator[str]:
    """All settings of a constraint; its influence is the one from before any bake."""
    yield repr((bone, constraint.type, read_influence(constraint, before)))
    for holder in list_holders(constraint):
        for prop in holder.bl_rna.properties:
            name = prop.identifier
            if name in _ASIDE or name in _ERRORS or (name == "influence" and holder == constraint):
                continue
            value = getattr(holder, name)
            if prop.type == "POINTER":
                if value is not None and (name not in _AIMS or value != armature):
                    raise HangsOutsideError
            elif prop.type == "COLLECTION":
                continue
            elif getattr(prop, "is_array", False):
                yield repr((name, [tuple(v) if hasattr(v, "__len__") else v for v in value]))
            else:
                yield repr((name, value))


def _acts_anywhere(constraint: bpy.types.Constraint) -> bool:
    """Whether a constraint does the same to the bones wherever the whole armature stands."""
    if constraint.type in _ANYWHERE:
        return True
    spaces = [getattr(constraint, name, "LOCAL") for name in ("owner_space", "target_space")]
    return all(space in _INSIDE for space in spaces)


def _list_bone(bone: bpy.types.PoseBone) -> Iterator[str]:
    """What constraints know of a bone, and its pose where nobody can pose it."""
    rest = bone.bone
    yield repr(
        (
            bone.name,
            bone.rotation_mode,
            (rest.length, rest.use_connect, rest.inherit_scale, rest.use_inherit_rotation),
            rest.use_local_location,
            [tuple(row) for row in rest.matrix_local],
            (bone.lock_ik_x, bone.lock_ik_y, bone.lock_ik_z),
            (bone.use_ik_limit_x, bone.use_ik_limit_y, bone.use_ik_limit_z),
            (bone.ik_min_x, bone.ik_max_x, bone.ik_min_y, bone.ik_max_y),
            (bone.ik_min_z, bone.ik_max_z, bone.ik_stretch),
            (bone.ik_stiffness_x, bone.ik_stiffness_y, bone.ik_stiffness_z),
            (tuple(bone.lock_location), tuple(bone.lock_rotation), tuple(bone.lock_scale)),
        )
    )
    if is_fixed(bone):
        turns = (bone.rotation_quaternion, bone.rotation_euler, bone.rotation_axis_angle)
        yield repr([tuple(values) for values in (bone.location, bone.scale, *turns)])


def _list_driver(armature: bpy.types.Object, curve: bpy.types.FCurve) -> Iterator[str]:
    """All that a driver reads and does."""
    driver = curve.driver
    if driver.type == "SCRIPTED" and not driver.is_simple_expression:
        raise HangsOutsideError
    yield repr((curve.data_path, curve.array_index, curve.mute, driver.type, driver.expression))
    yield repr((curve.extrapolation, read_modifiers(curve)))
    table = read_key_table(curve)
    yield repr([table.co.tolist(), table.handle_left.tolist(), table.handle_right.tolist()])
    yield repr(table.interpolation.tolist())
    for variable in driver.variables:
        yield repr((variable.name, variable.type))
        for target in variable.targets:
            if target.id not in (armature, armature.data):
                raise HangsOutsideError
            yield repr((target.data_path, target.bone_target, target.transform_type))
            yield repr((target.transform_space, target.rotation_mode))


def _asks_for_place(curve: bpy.types.FCurve) -> bool:
    """Whether a driver reads where bones or the object stand in the world."""
    variables = curve.driver.variables
    worldly = [v for v in variables if v.type == "TRANSFORMS"]
    return any(t.transform_space == "WORLD_SPACE" for v in worldly for t in v.targets) or any(
        not t.data_path.startswith("pose.bones[") and not t.data_path.startswith('["')
        for v in variables
        if v.type == "SINGLE_PROP"
        for t in v.targets
    )
