# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers laid over the body, before the feet are reached for, and over all other bones (numpy only)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...maths.rotations import FloatArray
from ...motions.layers import Layer
from ...motions.posing import LegPoses, read_local_positions
from ...motions.tables import MotionTables
from ...pose import PoseArray
from ...rig.skeleton import compute_global_poses
from ...times.source import SourcePoses
from ..limits import LAYER
from .masks import find_leg_bones
from .reading import lay_over

# Metres; a bone that is moved less is not moved.
_STILL = 1e-6


def lay_over_body(tables: MotionTables, source: SourcePoses, times: FloatArray) -> LegPoses:
    """The bones that carry the legs with all layers over those above the hip joints.

    Legs hang from the moved hips as they did, for the walk to bend them to where its feet stand. The
    body rises, sinks and turns with a layer, and stays over its travel. It rises no farther than legs
    can draw it back.

    Parameters
    ----------
    tables
        The motions with their layers.
    source
        The blended poses at N times.
    times
        Those times, seconds, shape (N,).

    Returns
    -------
    LegPoses
        ``source.legs`` where no layer moves the body.
    """
    if not tables.motion_set.layers:
        return source.legs
    rig, indices = tables.small_rig, tables.bones.indices
    above = np.ones(len(indices), dtype=bool)
    for columns, feet in zip(tables.bones.columns, tables.bones.detached, strict=True):
        above[columns] = False
        above[list(feet)] = False
    above &= ~find_leg_bones(tables.rig)[indices]
    layers = [la for la in tables.motion_set.layers if np.any(la.shares[indices[above]])]
    if not layers:
        return source.legs
    columns = np.flatnonzero(above)
    rotations = source.legs.locals.copy()
    translations = read_local_positions(rig.skeleton, source.legs)
    for layer in layers:
        laid = lay_over(
            layer,
            times,
            source.phases,
            indices[columns],
            rotations[:, columns],
            translations[:, columns],
        )
        rotations[:, columns], translations[:, columns] = laid
    turns, places = compute_global_poses(rig.skeleton, rotations, translations)
    back = (source.legs.positions - places)[:, rig.body]
    back[:, 2] = np.minimum(back[:, 2] + LAYER.most_rise * rig.leg_length, 0.0)
    places += back[:, None] * tables.bones.carried[:, None]
    for feet in tables.bones.detached:
        turns[:, list(feet)] = source.legs.rotations[:, list(feet)]
        places[:, list(feet)] = source.legs.positions[:, list(feet)]
    return replace(source.legs, rotations=turns, positions=places, locals=rotations)


def moves_body(tables: MotionTables) -> bool:
    """Whether any layer does what `is_body_laid` tells."""
    return any(is_body_laid(tables, layer) for layer in tables.motion_set.layers)


def is_body_laid(tables: MotionTables, layer: Layer) -> bool:
    """Whether a layer moves the body or what carries it."""
    bones = tables.rig.skeleton.find_ancestors(tables.rig.body)
    return bool(np.any(layer.shares[bones]))


def keep_ankles(tables: MotionTables, source: SourcePoses, laid: LegPoses) -> SourcePoses:
    """Blended poses with the hips that layers moved, and the feet that they did not.

    Legs are as long from hip to ankle as a walk with such a body has them: what the body may rise or
    sink by, and how far legs fold of themselves. Toes stay with their ankles, or a foot that is turned
    flat to make room would turn about a place beside its toes.

    Parameters
    ----------
    tables
        The motions.
    source
        The blended poses at N times.
    laid
        What `lay_over_body` made of them.
    """
    if laid is source.legs:
        return source
    rig = tables.small_rig
    feet = [bone for leg in rig.legs for bone in rig.skeleton.find_descendants(leg.ankle)]
    positions, rotations = laid.positions.copy(), laid.rotations.copy()
    positions[:, feet] = source.legs.positions[:, feet]
    rotations[:, feet] = source.legs.rotations[:, feet]
    return replace(source, legs=replace(laid, positions=positions, rotations=rotations))


def lay_over_poses(tables: MotionTables, source: SourcePoses, poses: PoseArray) -> PoseArray:
    """Poses of all bones with the layers over those that carry no leg.

    Parameters
    ----------
    tables
        The motions with their layers.
    source
        The blended poses at the times of ``poses``.
    poses
        As they are without layers.
    """
    layers = tables.motion_set.layers
    if not layers:
        return poses
    rig = tables.rig
    laid = np.ones(len(rig.skeleton), dtype=bool)
    # What carries the body went with it: `lay_over_body`.
    laid[rig.skeleton.find_ancestors(rig.body)] = False
    laid &= ~find_leg_bones(rig)
    rotations, translations = poses.rotations.copy(), poses.translations.copy()
    masked = np.zeros_like(laid)
    moved = poses.moved.copy()
    for layer in layers:
        bones = np.flatnonzero(laid & (layer.shares > 0.0))
        rotations[:, bones], translations[:, bones] = lay_over(
            layer, poses.times, source.phases, bones, rotations[:, bones], translations[:, bones]
        )
        masked[bones] = True
        moved[bones] |= _find_moving(layer, bones, poses.translations[:, bones])
    return replace(
        poses,
        rotations=rotations,
        translations=translations,
        rotated=poses.rotated | masked,
        moved=moved,
        owned=poses.owned | masked,
    )


def _find_moving(layer: Layer, bones: np.ndarray, before: FloatArray) -> np.ndarray:
    """Which of some bones (K,) a layer moves away from where they are (N, K, 3), (K,) of bool."""
    places = layer.clip.translations[:, bones]
    if layer.additive:
        return np.asarray(np.any(np.ptp(places, axis=0) > _STILL, axis=-1))
    return np.asarray(np.any(np.abs(places - before[:1]).max(axis=0) > _STILL, axis=-1))
