# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones are root and body of an armature, set up or not (docs/method/root_motion.md, Bones)."""

from __future__ import annotations

import re

import bpy

from ...errors import RigError
from ..limits import ROOT_BONES
from ..setup.rigs import find_root_bone
from ..values.evaluation import list_carriers, needs_evaluation
from .fitting import find_holds

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

    Parameters
    ----------
    armature
        The armature object.
    name
        The bone, where it is known; None for a control that is called as those of bodies are, else a
        bone that carries two limbs and is called as such bones, else one that is called so, else the
        first that carries two limbs.

    Raises
    ------
    RigError
        There is no such bone, or none is found.
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

    Parameters
    ----------
    armature
        The armature object.
    body
        The bone of the hips.
    name
        The bone, where it is known; None for that of the set-up, else the topmost above the body. Where
        constraints hold that, for the bone without a parent that is called as such controls are and
        carries most others, if there is one.

    Raises
    ------
    RigError
        There is no such bone, or it does not carry the body.
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
