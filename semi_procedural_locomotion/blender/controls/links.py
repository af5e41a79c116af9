# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones and properties of an armature each of its bones may go after.

Told from parents, constraints and drivers, without posing anything: it narrows down what is worth
moving, and which controls can be moved at once because they cannot meddle with one another.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import bpy

from ...core.motions.properties import PropertyKey
from ...core.rig.skeleton import BoneEnd
from ..values.constraints import list_holders
from ..values.curves import TRANSFORM_PROPERTIES, split_bone_path

_ON_CHAINS = frozenset({"IK", "SPLINE_IK"})
_SWITCHED = re.compile(r'^constraints\["(?:[^"\\]|\\.)*"\]\.(influence|mute|enabled)$')
_NUMBERED = re.compile(r"\[(\d+)\]$")


@dataclass
class Links:
    """What goes after what in an armature.

    Attributes
    ----------
    leaders
        To each bone, the bones after which it may go directly.
    followers
        The other way round.
    switched
        To each property that constraints' influences are driven by, the bones of these constraints.
    driven
        Properties that are driven themselves, so that keys on them do nothing.
    by_bones
        To each bone whose place or turn drives influences of constraints, their bones.
    by_others
        Bones with constraints whose influence is driven by what is not of the armature object.
    """

    leaders: dict[str, set[str]] = field(default_factory=dict)
    followers: dict[str, set[str]] = field(default_factory=dict)
    switched: dict[PropertyKey, set[str]] = field(default_factory=dict)
    driven: set[PropertyKey] = field(default_factory=set)
    by_bones: dict[str, set[str]] = field(default_factory=dict)
    by_others: set[str] = field(default_factory=set)

    def connect(self, follower: str, leader: str) -> None:
        """Note that one bone may go after another."""
        if follower != leader:
            self.leaders.setdefault(follower, set()).add(leader)
            self.followers.setdefault(leader, set()).add(follower)

    def list_leaders(self, bones: Iterable[str]) -> list[str]:
        """The bones themselves and all after which they may go, the nearer first."""
        return _spread(bones, self.leaders)

    def list_followers(self, bones: Iterable[str]) -> set[str]:
        """The bones themselves and all that may go after them."""
        return set(_spread(bones, self.followers))


def read_links(armature: bpy.types.Object, ends: Iterable[BoneEnd] = ()) -> Links:
    """What goes after what in an armature; constraints count whatever their influence, unless muted.

    The ``ends`` of bones go after these.
    """
    links = Links()
    for end in ends:
        links.connect(end.name, end.bone)
    drivers = () if armature.animation_data is None else armature.animation_data.drivers
    driven = {curve.data_path for curve in drivers}
    for bone in armature.pose.bones:
        if bone.parent is not None:
            links.connect(bone.name, bone.parent.name)
        for constraint in bone.constraints:
            path = constraint.path_from_id() if constraint.mute else ""
            # One that a driver mutes may act in another state.
            if not constraint.mute or {f"{path}.mute", f"{path}.enabled"} & driven:
                _link_constraint(links, armature, bone, constraint)
    for curve in drivers:
        _link_driver(links, armature, curve)
    return links


def _spread(bones: Iterable[str], ways: Mapping[str, set[str]]) -> list[str]:
    """All that is reached from some bones, by as few ways as it takes."""
    found = dict.fromkeys(bones)
    waiting = deque(found)
    while waiting:
        for name in sorted(ways.get(waiting.popleft(), ())):
            if name not in found:
                found[name] = None
                waiting.append(name)
    return list(found)


def _link_constraint(
    links: Links,
    armature: bpy.types.Object,
    bone: bpy.types.PoseBone,
    constraint: bpy.types.Constraint,
) -> None:
    """What a constraint makes its bone, and of IK the chain above it, go after."""
    moved = [bone]
    if constraint.type in _ON_CHAINS:
        # Without its tail, a chain begins above its bone and is as long.
        line = [*([bone] if getattr(constraint, "use_tail", True) else []), *bone.parent_recursive]
        moved = line[: constraint.chain_count] if constraint.chain_count else line
    aims = set()
    for holder in list_holders(constraint):
        for target, name in (("target", "subtarget"), ("pole_target", "pole_subtarget")):
            if getattr(holder, target, None) == armature and getattr(holder, name, ""):
                aims.add(getattr(holder, name))
    for one in moved:
        for aim in aims:
            links.connect(one.name, aim)
        for other in moved:
            links.connect(one.name, other.name)


def _link_driver(links: Links, armature: bpy.types.Object, curve: bpy.types.FCurve) -> None:
    """What a driver makes its bone go after."""
    bone, name = split_bone_path(curve.data_path)
    if not bone:
        links.driven.add((curve.data_path, curve.array_index))
        return
    if name.startswith("["):
        links.driven.add((curve.data_path, curve.array_index))
    is_switch = _SWITCHED.match(name) is not None
    for kind, source in _list_sources(armature, curve):
        if kind == "BONE":
            links.connect(bone, source)
            if is_switch:
                links.by_bones.setdefault(source, set()).add(bone)
        elif kind == "PROPERTY":
            key = read_property_key(source)
            holder, _ = split_bone_path(key[0])
            if name.startswith("[") and holder:
                links.connect(bone, holder)
            if is_switch:
                links.switched.setdefault(key, set()).add(bone)
        elif is_switch:
            links.by_others.add(bone)


def read_property_key(path: str) -> PropertyKey:
    """Property and component of a data path that may name a component."""
    found = _NUMBERED.search(path)
    return (path, 0) if found is None else (path[: found.start()], int(found[1]))


def _list_sources(armature: bpy.types.Object, curve: bpy.types.FCurve) -> Iterator[tuple[str, str]]:
    """What a driver reads: bones, properties of the armature object, or others."""
    for variable in curve.driver.variables:
        for target in variable.targets:
            if target.id is None:
                continue
            if target.id != armature:
                yield "OTHER", target.id.name
            elif variable.type != "SINGLE_PROP":
                if target.bone_target:
                    yield "BONE", target.bone_target
            else:
                path, _ = read_property_key(target.data_path)
                bone, name = split_bone_path(path)
                if bone and name in TRANSFORM_PROPERTIES:
                    yield "BONE", bone
                else:
                    yield "PROPERTY", target.data_path
