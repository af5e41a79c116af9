# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake means to show, kept on its action, so that it can be looked at any time later."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import bpy
import numpy as np

from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ...core.report.off_plan import Expectation, ShownBones
from ..values.custom_keys import EXPECTATION_KEY
from ..values.schema import find_kept
from .poses import sample_shown_poses

# Fields that are texts; all others are numbers.
_TEXTS = ("names", "legs", "controls")


def write_expectation(
    action: bpy.types.Action,
    expected: Expectation,
    rests: dict[str, str],
    grounds: dict[str, str],
    rate: float,
) -> None:
    """Keep an expectation on a bake action, with the marks of rest poses and of what is walked on."""
    kept: dict[str, Any] = {
        "rests": json.dumps(rests),
        "grounds": json.dumps(grounds),
        "rate": rate,
    }
    for entry in fields(expected):
        value = getattr(expected, entry.name)
        if entry.name in _TEXTS:
            kept[entry.name] = json.dumps(value)
        else:
            kept[entry.name] = np.asarray(value, dtype=np.float64).ravel().tolist()
    action[EXPECTATION_KEY] = kept


def read_expectation(action: bpy.types.Action) -> tuple[Expectation, dict[str, str]] | None:
    """The expectation of a bake action and the marks of rest poses; None where it keeps none."""
    found: tuple[Expectation, dict[str, str]] | None = find_kept(action, EXPECTATION_KEY, _unpack)
    return found


def _unpack(kept: dict[str, Any]) -> tuple[Expectation, dict[str, str]]:
    """An expectation and the marks of rest poses as `write_expectation` has packed them."""
    rests = kept.pop("rests")
    count, bones, legs = len(kept["frames"]), len(kept["names"]), len(kept["legs"])
    shapes: dict[str, tuple[int, ...]] = {
        "parents": (bones,),
        "reaches": (bones,),
        "leg_lengths": (legs,),
        "leg_bones": (legs, bones),
        "rotations": (count, bones, 4),
        "positions": (count, bones, 3),
        "scales": (count, bones),
        "origins": (count, 3),
        "turns": (count, 4),
    }
    for name, shape in shapes.items():
        kept[name] = kept[name].reshape(shape)
    kept["leg_bones"] = kept["leg_bones"] > 0
    kept["parents"] = kept["parents"].astype(np.intp)
    if np.any(kept["parents"] >= np.arange(bones)):
        raise ValueError("bones come before their parents")
    return Expectation(**kept), rests


def read_surroundings(action: bpy.types.Action) -> tuple[dict[str, str], float]:
    """Marks of what a bake walks on by its name, and frames a second; 0 where they are not known."""
    kept = action.get(EXPECTATION_KEY, {})
    return json.loads(kept.get("grounds", "{}")), float(kept.get("rate", 0.0))


def mark_rests(armature: bpy.types.Object, names: tuple[str, ...]) -> dict[str, str]:
    """A mark of the rest pose of each bone that the armature has, and of what it inherits, by name."""
    bones = armature.data.bones
    found = {}
    for name in names:
        bone = bones.get(name)
        if bone is not None:
            rest = np.array(bone.matrix_local, dtype=np.float32)
            inherits = (bone.use_inherit_rotation, bone.inherit_scale, bone.use_local_location)
            parent = "" if bone.parent is None else bone.parent.name
            text = rest.tobytes() + repr((inherits, parent)).encode()
            found[name] = hashlib.blake2b(text, digest_size=6).hexdigest()
    return found


def see_bones(
    armature: bpy.types.Object,
    names: tuple[str, ...],
    frames: FloatArray,
    scene: bpy.types.Scene,
    pose: Callable[[float], object] | None = None,
) -> ShownBones:
    """Bones of a character at frames as a scene shows them; see `sample_shown_poses`.

    Raises
    ------
    KeyError
        The armature has no bone of such a name.
    """
    shown = sample_shown_poses(armature, names, frames, scene, pose)
    turns = rot.quaternions_from_matrices(rot.orthonormalize_axes(shown.objects[:, :3, :3]))
    return ShownBones(
        rotations=shown.rotations,
        positions=shown.positions,
        scales=shown.scales,
        origins=shown.objects[:, :3, 3],
        turns=turns,
    )
