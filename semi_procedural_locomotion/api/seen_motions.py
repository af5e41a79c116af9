# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions as Blender shows them, whatever makes them."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np

from ..blender.showing.poses import place_bones, sample_shown_matrices
from ..blender.values.armature import split_object_axes
from ..blender.values.bake_record import find_base_action
from ..blender.values.scene_state import get_frame_rate, read_key_rate
from ..core.body.cleaning.motions import WorldMotion
from ..core.ground.interface import Ground
from ..core.maths.rotations import FloatArray
from ..core.report.shown import PosedBones, ShownWalk
from ..core.report.shown_measures import ShownReport, measure_shown
from ..core.rig.structure import Rig
from ..core.travel.way import Travel
from .characters import Character


@dataclass(frozen=True)
class SeenMotion:
    """A motion as Blender shows it at N frames.

    Attributes
    ----------
    frames
        Scene frames, shape (N,).
    bones
        Of all B bones in armature space, armature units, shape (N, B, 4, 4).
    objects
        World matrices of the armature object, shape (N, 4, 4).
    world
        World poses of the bones.
    """

    frames: np.ndarray
    bones: FloatArray
    objects: FloatArray
    world: WorldMotion

    def pose_bones(self, rig: Rig) -> PosedBones:
        """The same for the measures of a report."""
        world = self.world
        return PosedBones.from_poses(
            rig.skeleton.names, world.rotations, world.positions, world.sizes
        )


def see_motion(character: Character, frames: np.ndarray, scene: bpy.types.Scene) -> SeenMotion:
    """What Blender shows of a character at frames (N,) that follow one another."""
    armature, skeleton = character.armature, character.rig.skeleton
    at = np.asarray(frames, dtype=np.float64)
    bones, objects = sample_shown_matrices(armature, skeleton.names, at, scene)
    shown = place_bones(bones, objects)
    action, _ = find_base_action(armature)
    world = WorldMotion(
        times=at / get_frame_rate(scene),
        rotations=shown.rotations,
        positions=shown.positions,
        sizes=shown.scales / skeleton.rest_sizes[:, None],
        interval=1.0 / read_key_rate(action, scene),
    )
    return SeenMotion(np.asarray(frames), bones, objects, world)


def measure_seen(rig: Rig, seen: SeenMotion, source: SeenMotion, ground: Ground) -> ShownReport:
    """Numbers of a motion, beside the one that it was made of."""
    shown = ShownWalk(
        frames=seen.frames,
        times=seen.world.times,
        bones=seen.pose_bones(rig),
        travel=find_way(rig, source),
        source=source.pose_bones(rig),
    )
    return measure_shown(rig, shown, ground)


def travel_from_hips(character: Character, source: SeenMotion) -> Travel:
    """The way of the hips, at the height of the character's origin."""
    rig = character.rig
    places = find_way(rig, source)
    turns, _ = split_object_axes(character.armature, source.objects)
    origins = rig.skeleton.place_character(turns, source.objects[:, :3, 3])
    places[:, 2] = origins[:, 2]
    return Travel(source.world.times, places, np.zeros(len(places)))


def find_way(rig: Rig, source: SeenMotion) -> FloatArray:
    """Mean of the hip joints, metres, shape (N, 3)."""
    return np.asarray(source.world.positions[:, [leg.joints[0] for leg in rig.legs]].mean(axis=1))
