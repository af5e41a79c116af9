# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties that may decide which controls of a limb act."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import bpy

from ...core.motions.properties import PropertyKey
from .. import versions
from ..values.bake_record import INFLUENCE
from ..values.components import read_component
from ..values.constraints import list_targets
from ..values.curves import build_bone_path, split_bone_path
from .links import Links

_SWITCH_NAME = re.compile(r"ik.?_?fk|fk.?_?ik|switch", re.IGNORECASE)
_LIMB_NAME = re.compile(r"(?:^|[^a-z])(?:ik|fk)(?![a-z])", re.IGNORECASE)
# A wider range is that of a number, such as the choice among many parents.
_WIDEST_WHOLE, _WIDEST = 1, 100.0


@dataclass(frozen=True)
class Lever:
    """Properties that are set together, K of them, from one end of their range to the other.

    Attributes
    ----------
    keys
        The properties.
    now
        The ends of their ranges nearest to their present values, length K.
    flipped
        The other ends, length K.
    reach
        Joints that may go otherwise then.
    rank
        How little its name is that of a switch between IK and FK, 0 for the most.
    """

    keys: tuple[PropertyKey, ...]
    now: tuple[float, ...]
    flipped: tuple[float, ...]
    reach: frozenset[str]
    rank: int


def list_levers(
    armature: bpy.types.Object, links: Links, limbs: Iterable[frozenset[str]]
) -> list[Lever]:
    """What may switch limbs, the likelier first.

    Parameters
    ----------
    armature
        The armature, or the copy of it that is probed.
    links
        Its links.
    limbs
        Names of the joints of each limb.
    """
    limbs = list(limbs)
    joints = frozenset().union(*limbs)
    found = []
    for key, bones in links.switched.items():
        reach = joints & links.list_followers(bones)
        ends = _read_ends(armature, key)
        if reach and ends is not None and key not in links.driven:
            found.append(Lever((key,), ends[:1], ends[1:], frozenset(reach), _rank_path(key[0])))
    influences = list_keyed_influences(armature)
    for limb in limbs:
        keys = [
            (path, 0)
            for path, bone in influences.items()
            if limb & links.list_followers([bone]) and bone in links.list_leaders(limb)
        ]
        if keys:
            now = tuple(float(round(read_component(armature, key) or 0.0)) for key in keys)
            flipped = tuple(1.0 - value for value in now)
            found.append(Lever(tuple(keys), now, flipped, limb, 0))
    return sorted(found, key=lambda lever: (lever.rank, lever.keys))


def build_influence_path(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> str:
    """Data path of the influence of a constraint of a bone."""
    name = f'constraints["{bpy.utils.escape_identifier(constraint.name)}"]{INFLUENCE}'
    return build_bone_path(bone.name, name)


def _rank_path(path: str) -> int:
    """How little the name of a property is that of a switch."""
    _, name = split_bone_path(path)
    if _SWITCH_NAME.search(name):
        return 0
    return 1 if _LIMB_NAME.search(name) else 2


def _read_ends(armature: bpy.types.Object, key: PropertyKey) -> tuple[float, float] | None:
    """Ends of the range of a property, the one nearer to its value first; None for no switch."""
    value = read_component(armature, key)
    if value is None:
        return None
    low, high = _read_range(armature, key[0])
    if high - low > _WIDEST:
        low, high = 0.0, 1.0
    return (low, high) if value - low <= high - value else (high, low)


def _read_range(armature: bpy.types.Object, path: str) -> tuple[float, float]:
    """Range of a custom property, 0 to 1 where it tells none."""
    bone, name = split_bone_path(path)
    owner = armature.pose.bones[bone] if bone else armature
    if not name.startswith("["):
        return 0.0, 1.0
    plain = bpy.utils.unescape_identifier(name[2:-2])
    if isinstance(owner.get(plain), bool):
        return 0.0, 1.0
    try:
        told = owner.id_properties_ui(plain).as_dict()
    except TypeError:  # a kind of property that has no range
        return 0.0, 1.0
    return float(told.get("min", 0.0)), float(told.get("max", 1.0))


def list_keyed_influences(armature: bpy.types.Object) -> dict[str, str]:
    """Influences of constraints that an action of the file keys for this armature, with their bones."""
    keyed: set[str] = set()
    for action in bpy.data.actions:
        slot = versions.find_slot(action, armature)
        if slot is not None:
            keyed |= {
                curve.data_path
                for curve in versions.get_curves(action, slot)
                if curve.data_path.endswith(INFLUENCE)
            }
    driven = set()
    if armature.animation_data is not None:
        driven = {curve.data_path for curve in armature.animation_data.drivers}
    found = {}
    for bone in armature.pose.bones:
        for constraint in bone.constraints:
            path = build_influence_path(bone, constraint)
            # Only what aims at a control lets it act; limits of angles do not.
            if path in keyed and path not in driven and list_targets(constraint):
                found[path] = bone.name
    return found
