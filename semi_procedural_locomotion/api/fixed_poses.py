# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cleaned motions as poses and markers to write."""

from __future__ import annotations

import numpy as np

from ..blender.bake.influences import list_leg_bones, list_switched_bones
from ..blender.setup.fix_records import OFF, STRIKE
from ..blender.values.armature import split_object_axes
from ..blender.values.bake_record import Marker
from ..blender.values.evaluation import needs_evaluation
from ..core.body.cleaning.motions import CleanedMotion
from ..core.keys.channels import poses_from_matrices
from ..core.maths import rotations as rot
from ..core.maths.rotations import FloatArray
from ..core.pose import BodyOffset, PoseArray
from ..core.rig.structure import Rig
from .characters import Character
from .limits import FIXING
from .seen_motions import SeenMotion


def make_fixed_poses(character: Character, source: SeenMotion, cleaned: CleanedMotion) -> PoseArray:
    """Poses to write: the source's with the bones that the cleaning has turned or moved."""
    armature, rig = character.armature, character.rig
    skeleton = rig.skeleton
    local, translations, scales = poses_from_matrices(skeleton, source.bones)
    turns, _ = split_object_axes(armature, source.objects)
    orientations = rot.multiply(turns, rot.conjugate(skeleton.object_rotation))
    positions = skeleton.place_character(turns, source.objects[:, :3, 3])
    rotated = np.zeros(len(skeleton), dtype=bool)
    moved = np.zeros(len(skeleton), dtype=bool)
    scaled = np.zeros(len(skeleton), dtype=bool)
    if needs_evaluation(armature):
        leg_bones, body = list_leg_bones(rig), skeleton.names[rig.body]
        for name in list_switched_bones(armature, leg_bones, body):
            bone = skeleton.find_index(name)
            rotated[bone] = moved[bone] = True
            scaled[bone] = np.abs(scales[:, bone] - 1.0).max() > FIXING.scaled
    for leg in rig.legs:
        for bone in leg.joints:
            parent = int(skeleton.parents[bone])
            above = cleaned.rotations[:, parent] if parent >= 0 else orientations
            local[:, bone] = rot.multiply(rot.conjugate(above), cleaned.rotations[:, bone])
            rotated[bone] = True
        if leg.detached:
            _move_bone(rig, leg.ankle, source, cleaned, orientations, translations)
            moved[leg.ankle] = True
    before = translations[:, rig.body].copy()
    _move_bone(rig, rig.body, source, cleaned, orientations, translations)
    moved[rig.body] = True
    still = np.tile(rot.IDENTITY, (len(local), 1))
    return PoseArray(
        times=source.world.times,
        positions=positions,
        orientations=orientations,
        rotations=local,
        translations=translations,
        scales=scales,
        rotated=rotated,
        moved=moved,
        scaled=scaled,
        owned=np.zeros(len(skeleton), dtype=bool),
        offset=BodyOffset(still, translations[:, rig.body] - before),
    )


def _move_bone(
    rig: Rig,
    bone: int,
    source: SeenMotion,
    cleaned: CleanedMotion,
    orientations: FloatArray,
    translations: FloatArray,
) -> None:
    """Put the move of a bone against its parent into its local translation (N, B, 3)."""
    parent = int(rig.skeleton.parents[bone])
    places, old = cleaned.positions[:, bone], source.world.positions[:, bone]
    above = orientations
    if parent >= 0:
        above = cleaned.rotations[:, parent]
        # The parent may have been turned and moved itself.
        turn = rot.multiply(above, rot.conjugate(source.world.rotations[:, parent]))
        around = old - source.world.positions[:, parent]
        old = cleaned.positions[:, parent] + rot.rotate(turn, around)
    shift = rot.rotate(rot.conjugate(above), places - old)
    if parent >= 0:
        shift = shift / source.world.sizes[:, parent]
    translations[:, bone] += shift


def list_stance_markers(rig: Rig, source: SeenMotion, cleaned: CleanedMotion) -> tuple[Marker, ...]:
    """A marker where each stance begins and where it ends."""
    return tuple(
        (f"{leg.name} {what}", int(source.frames[row]))
        for leg, own in zip(rig.legs, cleaned.stances, strict=True)
        for what, rows in ((STRIKE, own.firsts), (OFF, own.lasts))
        for row in rows.tolist()
    )
