# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the deforming bones of a walk shall be, and how far shown ones are from there (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....notes import Note, NoteKind, make_note
from ...maths import rotations as rot
from ...maths.rotations import FloatArray, invert_matrices
from ...pose import PoseArray
from ..skeleton import Skeleton, compute_global_poses
from ..structure import Leg
from .limits import SOLVING
from .rigid import make_matrices, make_rigid


@dataclass(frozen=True)
class Residuals:
    """Distances of shown legs from where they shall be, as shares of the leg.

    Attributes
    ----------
    feet
        The farthest of ankle, heel, ball and toe tip, shape (N, L).
    knees
        The farthest of the joints above the ankle, shape (N, L).
    """

    feet: FloatArray
    knees: FloatArray

    @property
    def worst(self) -> float:
        """The worst of all feet at all frames."""
        return float(self.feet.max(initial=0.0))

    @property
    def score(self) -> float:
        """What is to become less: knees count a tenth, as they may be out of reach of the rig."""
        return self.worst + 0.1 * float(self.knees.max(initial=0.0))

    def note_knees(self, legs: Sequence[Leg], frames: np.ndarray) -> list[Note]:
        """Notes of knees that a rig places otherwise, each at the worst of the scene frames (N,)."""
        found = []
        for column, leg in enumerate(legs):
            row = int(np.argmax(self.knees[:, column]))
            share = float(self.knees[row, column])
            if share > SOLVING.seen:
                frame = round(float(frames[row]))
                found.append(make_note(NoteKind.KNEE_OFF, leg.name, frame, share=share))
        return found

    def note_flips(self, legs: Sequence[Leg], frames: np.ndarray, kind: NoteKind) -> list[Note]:
        """Notes of a kind of knees that a rig lets flip, each at the worst of the scene frames (N,)."""
        found = []
        for column, leg in enumerate(legs if len(frames) > 1 else ()):
            jumps = np.abs(np.diff(self.knees[:, column]))
            row = int(np.argmax(jumps))
            if jumps[row] > SOLVING.flipped:
                frame, share = round(float(frames[row + 1])), float(jumps[row])
                found.append(make_note(kind, leg.name, frame, share=share))
        return found

    @property
    def is_near(self) -> bool:
        """Whether feet and knees are as near as is asked for."""
        return max(self.worst, float(self.knees.max(initial=0.0))) <= SOLVING.near


def find_targets(
    skeleton: Skeleton,
    poses: PoseArray,
    bones: Sequence[int],
    world: FloatArray | None = None,
) -> FloatArray:
    """Where poses have bones, in the space of the armature.

    Parameters
    ----------
    skeleton
        Bones of ``poses``.
    poses
        At N frames.
    bones
        Indices of the T bones that are asked for.
    world
        World matrices of the armature object, rigid but for one scale, where it does not carry the
        travel, shape (N, 4, 4); None where it does.

    Returns
    -------
    array, shape (N, T, 4, 4)
        Rigid matrices, heads in armature units.
    """
    small, indices = skeleton.select(bones)
    turns, heads = compute_global_poses(
        small, poses.rotations[:, indices], poses.translations[:, indices], poses.scales[:, indices]
    )
    places = np.searchsorted(indices, np.asarray(bones, dtype=np.intp))
    turns, heads = turns[:, places], heads[:, places]
    if world is None:
        back = rot.conjugate(skeleton.object_rotation)
        heads = rot.rotate(back, heads - skeleton.object_origin) / skeleton.object_scale
        return make_matrices(rot.multiply(back, turns), heads)
    along = poses.orientations[:, None]
    turns, heads = rot.multiply(along, turns), rot.rotate(along, heads) + poses.positions[:, None]
    return make_rigid(invert_matrices(world)[:, None] @ make_matrices(turns, heads))


def bring_to_armature(
    skeleton: Skeleton,
    poses: PoseArray,
    rotations: FloatArray,
    positions: FloatArray,
    world: FloatArray | None = None,
) -> FloatArray:
    """World poses of bones in the space of the armature.

    Parameters
    ----------
    skeleton, poses, world
        As in `find_targets`.
    rotations, positions
        World, metres, shapes (N, T, 4) and (N, T, 3).

    Returns
    -------
    array, shape (N, T, 4, 4)
        Rigid matrices, heads in armature units.
    """
    if world is None:
        turns = rot.multiply(poses.orientations, skeleton.object_rotation)
        places = skeleton.place_object(poses.orientations, poses.positions)
        world = make_matrices(turns, places)
        world[:, :3, :3] *= skeleton.object_scale
    placed = make_matrices(rotations, positions)
    return make_rigid(invert_matrices(world)[:, None] @ placed)


def measure_residuals(
    legs: Sequence[Leg], skeleton: Skeleton, targets: FloatArray, shown: FloatArray
) -> Residuals:
    """How far shown legs are from where they shall be.

    Parameters
    ----------
    legs
        The legs, their bones indices of ``skeleton``.
    skeleton
        Gives the unit of the armature.
    targets, shown
        Matrices of all bones of the legs, in their order in `Leg.bones`, leg by leg; armature space,
        shape (N, J, 4, 4).
    """
    scale = skeleton.object_scale
    targets, shown = make_rigid(targets), make_rigid(shown)
    apart = rot.lengths(shown[..., :3, 3] - targets[..., :3, 3]) * scale
    feet, knees, start = [], [], 0
    for leg in legs:
        places = {bone: start + index for index, bone in enumerate(leg.bones)}
        ankle = places[leg.ankle]
        far = [apart[:, places[bone]] for bone in leg.bones[len(leg.joints) - 1 :]]
        for point in leg.soles:
            bone = places.get(point.bone, ankle)
            there, here = (m[:, bone, :3, :3] @ point.offset for m in (targets, shown))
            moved = shown[:, bone, :3, 3] - targets[:, bone, :3, 3]
            far.append(rot.lengths(here - there + scale * moved))
        feet.append(np.max(far, axis=0) / leg.length)
        above = [apart[:, places[bone]] for bone in leg.joints[:-1]]
        knees.append(np.max(above, axis=0) / leg.length)
        start += len(leg.bones)
    return Residuals(np.stack(feet, axis=1), np.stack(knees, axis=1))
