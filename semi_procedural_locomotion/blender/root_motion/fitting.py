# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Channels that put bones where they are asked to be (docs/method/root_motion.md, Keys)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import bpy
import numpy as np
from mathutils import Matrix

from ...core.keys.eulers import channels_from_quaternions
from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ...errors import RigError
from ..limits import ROOT_BONES, ROOT_MOTION_WRITING
from ..setup.rigs import find_root_bone
from ..values.curves import TRANSFORM_PROPERTIES, split_bone_path
from ..values.evaluation import list_carriers, needs_evaluation
from ..values.matrices import get_rotation_property
from .trials import Channel


@dataclass(frozen=True)
class BoneGoals:
    """Record of where the bones of an armature shall be.

    Attributes
    ----------
    source
        Where they are, in Blender's order, armature space, shape (N, B, 4, 4).
    carry
        What brings a bone from there to where it shall be, shape (N, 4, 4).
    own
        Bones that shall be elsewhere, by their index, each (N, 4, 4).
    size
        Of the body, armature units.
    """

    armature: bpy.types.Object
    source: FloatArray
    carry: FloatArray
    own: Mapping[int, FloatArray]
    size: float

    @cached_property
    def far(self) -> float:
        """The farthest coordinate of a bone where it is or shall be, armature units."""
        places = self.source[..., :3, 3].astype(np.float64)
        moved = places @ self.carry[:, :3, :3].swapaxes(-1, -2) + self.carry[:, None, :3, 3]
        own = [matrices[:, :3, 3] for matrices in self.own.values()]
        return max(float(np.abs(points).max()) for points in (places, moved, *own))

    def get_tolerance(self, share: float) -> float:
        """Share of the body's size, and what far coordinates are known less exactly; armature units."""
        return share * self.size + ROOT_MOTION_WRITING.exact * self.far

    def find(self, bone: int) -> FloatArray:
        """Find where a bone shall be, armature space, shape (N, 4, 4)."""
        found = self.own.get(bone)
        return self.carry @ self.source[:, bone] if found is None else found

    def is_missed(self, bone: int, shown: FloatArray, tolerance: float) -> bool:
        """Whether matrices (N, 4, 4) of a bone are not where it shall be."""
        off = np.abs(shown - self.find(bone))[:, :3].max(axis=0)
        return bool(off[:, :3].max() > tolerance or off[:, 3].max() > self.get_tolerance(tolerance))

    def measure_offset(self, bones: list[int], shown: FloatArray) -> float:
        """How far some bones, shown at (N, B, 4, 4), are from where they shall be, armature units."""
        off = [shown[:, i, :3, 3] - self.find(i)[:, :3, 3] for i in bones]
        return float(np.linalg.norm(off, axis=-1).max())


@dataclass
class FittedChannels:
    """Channels that bring bones to their goals, corrected in rounds.

    Attributes
    ----------
    goals
        Where the bones shall be.
    keyed
        Indices of the bones that may be keyed.
    changes
        Values (N, C) by channel.
    """

    goals: BoneGoals
    keyed: set[int]
    changes: dict[Channel, FloatArray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        bones = self.goals.armature.pose.bones
        self._parents = [-1 if b.parent is None else bones.find(b.parent.name) for b in bones]
        self._order = sorted(range(len(bones)), key=lambda i: len(bones[i].parent_recursive))
        holds = find_holds(self.goals.armature)
        self._held = {i for i, bone in enumerate(bones) if bone.name in holds}
        self._leaders = _find_leaders(self.goals.armature)

    def correct(self, shown: FloatArray) -> bool:
        """Key what is not where it shall be.

        Raises RigError: a bone would have to move that cannot.

        Parameters
        ----------
        shown
            Matrices with the channels as they are now, shape (N, B, 4, 4).

        Returns
        -------
        bool
            Whether channels were changed.
        """
        return self._correct(shown, waits=True) or self._correct(shown, waits=False)

    def _correct(self, shown: FloatArray, *, waits: bool) -> bool:
        """Key what is not where it shall be; maybe not what hangs from bones that may yet come back."""
        off = {
            i: self.goals.is_missed(i, shown[:, i], ROOT_MOTION_WRITING.placed)
            for i in {leader for leaders in self._leaders.values() for leader in leaders}
        }
        placed: dict[int, FloatArray] = {}
        waiting: set[int] = set()
        corrected = False
        for bone in self._order:
            parent = self._parents[bone]
            if parent in waiting or any(off[i] for i in self._leaders.get(bone, ())):
                waiting.add(bone)
            now = shown[:, bone].astype(np.float64)
            if parent >= 0 and bone not in self._held:
                above = shown[:, parent].astype(np.float64)
                now = placed[parent] @ invert_matrices(above) @ now
            if (
                bone in self.keyed
                and not (waits and bone in waiting)
                and self.goals.is_missed(bone, now, ROOT_MOTION_WRITING.placed)
            ):
                now = self.goals.find(bone)
                self._key(bone, now, None if parent < 0 else placed[parent])
                corrected = True
            placed[bone] = now
        return corrected

    def list_missed(self, shown: FloatArray) -> list[int]:
        """Bones that deform the body and are not shown where they shall be; all where none deforms."""
        return [
            i
            for i in self.list_deforming()
            if self.goals.is_missed(i, shown[:, i], ROOT_MOTION_WRITING.shown)
        ]

    def list_deforming(self) -> list[int]:
        """Bones that deform the body; all where none does."""
        bones = self.goals.armature.pose.bones
        found = [i for i, bone in enumerate(bones) if bone.bone.use_deform]
        return found or list(range(len(bones)))

    def key_above(self, missed: list[int], shown: FloatArray) -> bool:
        """Let the topmost bones above some be keyed that could bring them back; whether there are any."""
        found = set()
        for bone in missed:
            path = [bone]
            while self._parents[path[-1]] >= 0:
                path.append(self._parents[path[-1]])
            for index in reversed(path):
                if index in self._held or index in self.keyed:
                    continue
                if self.goals.is_missed(index, shown[:, index], ROOT_MOTION_WRITING.shown):
                    found.add(index)
                    break
        self.keyed |= found
        return bool(found)

    def drop_unchanged(self) -> None:
        """Leave channels alone whose values are those of the action as it is."""
        bones = self.goals.armature.pose.bones
        for name in {bone for bone, _ in self.changes}:
            index = bones.find(name)
            parent = self._parents[index]
            source = self.goals.source
            above = None if parent < 0 else source[:, parent]
            for prop, values in _compute_channels(bones[index], source[:, index], above).items():
                new = self.changes[name, prop]
                limit = ROOT_MOTION_WRITING.placed
                if prop == "location":
                    limit = self.goals.get_tolerance(limit)
                if find_difference(prop, values, new) < limit:
                    del self.changes[name, prop]

    def _key(self, bone: int, wanted: FloatArray, above: FloatArray | None) -> None:
        """Note the channels of a bone at matrices (N, 4, 4), its parent at others."""
        owner = self.goals.armature.pose.bones[bone]
        found = _compute_channels(owner, wanted, above)
        moved = np.abs(found["location"] - found["location"][:1]).max()
        if owner.bone.use_connect and moved > self.goals.get_tolerance(ROOT_MOTION_WRITING.shown):
            raise RigError(
                f"bone {owner.name!r} of {self.goals.armature.name!r} is connected to its parent and "
                "cannot move against it: disconnect it in Edit Mode"
            )
        for name, values in found.items():
            self.changes[owner.name, name] = values


def _compute_channels(
    owner: bpy.types.PoseBone, matrices: FloatArray, above: FloatArray | None
) -> dict[str, FloatArray]:
    """Location and rotation by which a bone has matrices."""
    bone = owner.bone
    local = np.empty((len(matrices), 4, 4))
    for index, matrix in enumerate(matrices):
        if above is None:
            found = bone.convert_local_to_pose(Matrix(matrix), bone.matrix_local, invert=True)
        else:
            found = bone.convert_local_to_pose(
                Matrix(matrix),
                bone.matrix_local,
                parent_matrix=Matrix(above[index]),
                parent_matrix_local=bone.parent.matrix_local,
                invert=True,
            )
        local[index] = found
    mode = owner.rotation_mode
    turns = rot.quaternions_from_matrices(rot.orthonormalize_axes(local[:, :3, :3]))
    name = get_rotation_property(mode)
    reference = list(getattr(owner, name))
    return {
        "location": local[:, :3, 3],
        name: channels_from_quaternions(turns, mode, reference),
    }


def find_difference(name: str, before: FloatArray, after: FloatArray) -> float:
    """The largest difference of two runs of values of a property; of rotations in any turns."""
    if name == "location":
        return float(np.abs(before - after).max())
    if name == "rotation_euler":
        return float(np.abs(rot.wrap_angles(before - after)).max())
    near = np.sum(before * after, axis=-1, keepdims=True)
    return float(np.abs(before - np.where(near < 0, -1.0, 1.0) * after).max())


def list_keyable(
    armature: bpy.types.Object, keyed: set[str], carriers: set[str], *, follows: bool
) -> set[int]:
    """Indices of the bones that a conversion may key.

    Parameters
    ----------
    keyed
        Names of the bones that the action keys.
    follows
        Whether constraints or drivers move bones; then what follows others is not keyed.
    """
    bones = armature.pose.bones
    if not follows:
        return set(range(len(bones)))
    wanted = keyed | carriers | _list_targets(armature, carriers)
    holds = find_holds(armature)
    return {i for i, b in enumerate(bones) if b.name in wanted and b.name not in holds}


def _list_targets(armature: bpy.types.Object, carriers: set[str]) -> set[str]:
    """Bones at the top, or right below a carrier, at which constraints of the armature aim."""
    aimed = set()
    for constraint in (c for bone in armature.pose.bones for c in bone.constraints if not c.mute):
        for name in ("subtarget", "pole_subtarget"):
            aimed.add(str(getattr(constraint, name, "")))
    return {
        bone.name
        for bone in armature.pose.bones
        if bone.name in aimed and (bone.parent is None or bone.parent.name in carriers)
    }


def find_holds(armature: bpy.types.Object) -> dict[str, str]:
    """Find what else than keys moves bones, by their names; the object's own name is empty."""
    holds: dict[str, str] = {}
    for owner in (armature, *armature.pose.bones):
        acting = [c.name for c in owner.constraints if not c.mute and c.influence > 0.0]
        if acting:
            holds["" if owner is armature else owner.name] = f"the constraint {acting[0]!r}"
    data = armature.animation_data
    for curve in () if data is None else data.drivers:
        name, prop = split_bone_path(curve.data_path)
        if prop in TRANSFORM_PROPERTIES:
            holds.setdefault(name, f"a driver of its {prop.replace('_', ' ')}")
    return holds


def _find_leaders(armature: bpy.types.Object) -> dict[int, set[int]]:
    """Bones that others follow by constraints that act, by the index of the follower."""
    bones = armature.pose.bones
    found: dict[int, set[int]] = {}
    for bone in bones:
        for constraint in (c for c in bone.constraints if not c.mute):
            names = {getattr(constraint, n, "") for n in ("subtarget", "pole_subtarget")}
            names |= {target.subtarget for target in getattr(constraint, "targets", ())}
            leaders = {bones.find(name) for name in names if name} - {-1}
            followers = [bone]
            if constraint.type == "IK":
                count = constraint.chain_count or len(bones)
                followers += bone.parent_recursive[: count - 1]
            for follower in followers:
                found.setdefault(bones.find(follower.name), set()).update(leaders)
    return found


def invert_matrices(matrices: FloatArray) -> FloatArray:
    """Inverses of matrices (N, 4, 4); of those scaled to nothing the nearest."""
    if np.abs(np.linalg.det(matrices)).min() > 0.0:
        return np.linalg.inv(matrices)
    return np.linalg.pinv(matrices)


_BODY_NAMES = re.compile(
    r"(^|[^a-z])(hips?|pelvis|cog|center_?of_?mass|bip0*1)($|[^a-z])", re.IGNORECASE
)
# Controls of body and root in rigs whose bones follow them.
_BODY_CONTROLS = re.compile(
    r"(^|[^a-z])(torso|c_root_master|cog|center_?of_?mass)($|[^a-z])", re.IGNORECASE
)
_ROOT_CONTROLS = re.compile(
    r"(^|[^a-z])(root|master|c_traj|traj|world|global|main)($|[^a-z])", re.IGNORECASE
)


def find_body_bone(armature: bpy.types.Object, name: str | None = None) -> str:
    """Name of the bone that takes the upper body along.

    Raises RigError: there is no such bone, or none is found.

    Parameters
    ----------
    name
        The bone, where it is known; None for a control that is called as those of bodies are, else a
        bone that carries two limbs and is called as such bones, else one that is called so, else the
        first that carries two limbs.
    """
    if name:
        _require(armature, name, "Body")
        return name
    forks, named = _list_forks(armature), _list_named(armature, _BODY_NAMES)
    found = _list_controls(armature) or [fork for fork in forks if fork in named] or named or forks
    if not found:
        raise RigError(f"no bone of {armature.name!r} carries a body: choose a Body")
    return found[0]


def is_sure_body(armature: bpy.types.Object) -> bool:
    """Whether the name of a control tells that it is the body, or name and limbs of a bone do."""
    if needs_evaluation(armature):
        return bool(_list_controls(armature))
    named = _list_named(armature, _BODY_NAMES)
    return any(fork in named for fork in _list_forks(armature))


def _list_forks(armature: bpy.types.Object) -> list[str]:
    """Bones that carry most others and two limbs, from the top down, and are moved by keys."""
    holds = find_holds(armature)
    return [
        bone.name
        for bone in list_carriers(armature)
        if bone.name not in holds
        and _count_branches(armature.data.bones[bone.name]) >= ROOT_BONES.branches
    ]


def _list_controls(armature: bpy.types.Object) -> list[str]:
    """Controls that are called as those of bodies are, in rigs whose bones follow controls."""
    return _list_named(armature, _BODY_CONTROLS) if needs_evaluation(armature) else []


def _list_named(armature: bpy.types.Object, pattern: re.Pattern[str]) -> list[str]:
    """Bones whose name fits, which carry others and are moved by keys, from the top down."""
    holds = find_holds(armature)
    return [
        bone.name
        for bone in armature.pose.bones
        if pattern.search(bone.name) and len(bone.children) and bone.name not in holds
    ]


def find_root_above(armature: bpy.types.Object, body: str, name: str | None = None) -> str | None:
    """Name of the bone that takes everything along, or None where none does.

    Raises RigError: there is no such bone, or it does not carry the body.

    Parameters
    ----------
    name
        The bone, where it is known; None for that of the set-up, else the topmost above the body. Where
        constraints hold that, for the bone without a parent that is called as such controls are and
        carries most others, if there is one.
    """
    bones, holds = armature.data.bones, find_holds(armature)
    above = [bone.name for bone in bones[body].parent_recursive]
    follows = any(bone in holds for bone in (body, *above))
    if name:
        _require(armature, name, "Root Bone")
        if name == body or (name not in above and not follows):
            raise RigError(
                f"{name!r} of {armature.name!r} does not carry its body {body!r}: choose another "
                "Root Bone"
            )
        return name
    chosen = find_root_bone(armature)
    if chosen in above and chosen not in holds:
        return chosen
    if above and above[-1] not in holds:
        return above[-1]
    if not follows:
        return None
    found = [b for b in _list_named(armature, _ROOT_CONTROLS) if bones[b].parent is None]
    held = above[-1] if above else None
    return max(found, key=lambda b: len(bones[b].children_recursive), default=held)


def _require(armature: bpy.types.Object, name: str, what: str) -> None:
    """Raise RigError where an armature has no bone of a name."""
    if name not in armature.data.bones:
        raise RigError(f"{armature.name!r} has no bone {name!r}: choose another {what}")


def _count_branches(bone: bpy.types.Bone) -> int:
    """Children of a bone that are limbs and no single helpers."""
    least = ROOT_BONES.limb
    return sum(1 + len(child.children_recursive) >= least for child in bone.children)
