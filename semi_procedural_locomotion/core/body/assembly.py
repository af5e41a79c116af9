# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Local poses of all bones, put together from the motions, the moved body and the legs (numpy only)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.posing import find_rotated_bones, pose_body
from ..motions.properties import blend_properties
from ..motions.tables import MotionTables
from ..pose import BodyOffset, PoseArray
from ..settings import PlanSettings
from ..times.source import SourcePoses
from .carriage import Carriage
from .layers.laying import moves_body
from .legs import SolvedLegs, write_legs
from .limits import LEGS
from .response import ResponseTrack, measure_leads, turn_upper_body


def assemble_poses(
    tables: MotionTables,
    source: SourcePoses,
    times: FloatArray,
    carriage: Carriage,
    legs: SolvedLegs,
) -> PoseArray:
    """Local poses of all bones with the solved legs and the moved body in place.

    Parameters
    ----------
    tables, source
        The motions, and the blended poses at N times.
    times
        Those times, seconds, shape (N,).
    carriage
        Where the character is.
    legs
        The bones that carry the legs.
    """
    skeleton, indices = tables.small_rig.skeleton, tables.bones.indices
    orientations = carriage.orientations
    posed = pose_body(tables, source.weights, source.phases)
    local, translations, scales = (np.array(part) for part in posed)
    if source.legs.scales is not None:
        scales[:, tables.bones.indices] = source.legs.scales
    moved = tables.body_rows.moving.copy()
    body_parent = int(skeleton.parents[tables.small_rig.body])
    parent_rotation = orientations
    if body_parent >= 0:
        parent_rotation = rot.multiply(orientations, source.legs.rotations[:, body_parent])
    shifted = carriage.hip_offsets
    turned = np.tile(rot.IDENTITY, (len(times), 1))
    rotated = find_rotated_bones(tables, LEGS.same_rotation)
    is_posed = carriage.leans is not None or carriage.turns is not None
    if is_posed or moves_body(tables):
        body = tables.small_rig.body
        own = rot.rotate(orientations, source.legs.positions[:, body]) + carriage.positions
        shifted = legs.positions[:, body] - own
        leaning = rot.multiply(rot.conjugate(parent_rotation), legs.rotations[:, body])
        turned = rot.multiply(leaning, rot.conjugate(local[:, tables.rig.body]))
        local[:, tables.rig.body] = leaning
        rotated[tables.rig.body] = True
    shifted = rot.rotate(rot.conjugate(parent_rotation), shifted)
    translations[:, tables.rig.body] += shifted
    moved[tables.rig.body] = True
    write_legs(tables, legs, (carriage.positions, orientations), local, translations)
    moved[indices[[leg.ankle for leg in tables.small_rig.legs if leg.detached]]] = True
    return PoseArray(
        times=times,
        positions=carriage.positions,
        orientations=orientations,
        rotations=local,
        translations=translations,
        scales=scales,
        rotated=rotated,
        moved=moved,
        scaled=tables.body_rows.scaling.copy(),
        owned=_find_owned(tables),
        properties=blend_properties(
            [motion.properties for motion in tables.motion_set.motions],
            tables.spans.offsets,
            source.weights,
            source.phases,
        ),
        offset=BodyOffset(turned, shifted),
    )


def _find_owned(tables: MotionTables) -> np.ndarray:
    """Bones that the motions key, and those that carry the legs, (B,) of bool."""
    names = tables.rig.skeleton.names
    keyed = tables.motion_set.keyed
    owned = np.array([name in keyed for name in names], dtype=bool)
    owned[tables.bones.indices] = True
    return owned


def answer_steps(
    tables: MotionTables,
    source: SourcePoses,
    track: ResponseTrack | None,
    settings: PlanSettings,
    legs: SolvedLegs,
    carriage: Carriage,
    poses: PoseArray,
) -> PoseArray:
    """Poses whose upper body answers to the steps; the same ones where there is nothing to answer to.

    Parameters
    ----------
    tables, source
        The motions, and the blended poses at N times.
    track, settings
        What is answered to, and how strongly.
    legs, carriage
        The solved legs, and where the character is as they see it.
    poses
        As `assemble_poses` gives them.
    """
    if track is None:
        return poses
    joints = tables.small_rig.legs
    ankles = np.stack([legs.positions[:, leg.ankle] for leg in joints], axis=1)
    away = ankles - poses.positions[:, None]
    leads = measure_leads(tables, source, away, carriage.orientations)
    rotations, rotated = poses.rotations.copy(), poses.rotated.copy()
    rotated[turn_upper_body(tables.rig, track, settings, poses.times, leads, rotations)] = True
    return replace(poses, rotations=rotations, rotated=rotated)
