# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Controls of a copy of an armature moved a little, and what its joints did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ...core.motions.properties import PropertyKey
from ...core.rig.controls.limits import PROBE
from ...core.rig.controls.responses import (
    BACK,
    DROP,
    LIFT,
    MOVES,
    TURN,
    Responses,
    compute_responses,
)
from ...core.rig.skeleton import BoneEnd
from ...core.rig.structure import Rig
from ..values.components import write_component
from ..values.evaluation import copy_unbaked
from ..values.scene_state import temporary_scene
from .candidates import Candidate
from .links import Links

# No joint of a leg turns about this axis, nor is it across one: every kind of hinge gives to it.
_TURN_AXIS = (0.58, 0.52, 0.63)
# Up, so that knees bend; ahead and aside, so that poles swing them.
_LIFT_SHARES = (0.8, 0.4, 0.45)


@dataclass
class ProbedArmature:
    """A copy of an armature alone in a scene, whose bones and properties may be changed at will.

    Attributes
    ----------
    double, stage
        The copy and its scene.
    joints
        Names of the joints that are watched, T of them.
    step
        Length by which a control is shifted, armature units.
    lift
        Direction of that in the armature's axes, shape (3,).
    ends
        Ends of bones among the joints.
    basis
        Pose that the moves begin with, by bone.
    """

    double: bpy.types.Object
    stage: bpy.types.Scene
    joints: tuple[str, ...]
    step: float
    lift: FloatArray
    ends: tuple[BoneEnd, ...] = ()
    basis: dict[str, Matrix] = field(default_factory=dict)

    def set_properties(self, values: Mapping[PropertyKey, float]) -> None:
        """Give properties other values."""
        for key, value in values.items():
            write_component(self.double, key, value)
        self.double.update_tag()

    def shift(self, name: str, steps: float, free: Iterable[float] = (1.0, 1.0, 1.0)) -> Matrix:
        """Channels of a bone shifted along `lift` from where it is, along the axes that are free."""
        basis = self.basis[name]
        shown = self._get_shown()
        bone = shown.pose.bones[name]
        posed = shown.convert_space(
            pose_bone=bone, matrix=basis, from_space="LOCAL", to_space="POSE"
        )
        posed.translation += Vector(self.lift) * (self.step * steps)
        back = shown.convert_space(
            pose_bone=bone, matrix=posed, from_space="POSE", to_space="LOCAL"
        )
        moved = basis.copy()
        way = back.translation - basis.translation
        moved.translation += Vector([a * b for a, b in zip(way, free, strict=True)])
        return moved

    def turn(self, name: str, angle: float, free: Iterable[float]) -> Matrix:
        """Channels of a bone turned about a generic axis of its own that is free."""
        axis = Vector([a * b for a, b in zip(_TURN_AXIS, free, strict=True)])
        return self.basis[name] @ Quaternion(axis, angle).to_matrix().to_4x4()

    def pose(self, channels: Mapping[str, Matrix]) -> None:
        """Give bones channels."""
        for name, basis in channels.items():
            self.double.pose.bones[name].matrix_basis = basis

    def read(self, names: Sequence[str]) -> FloatArray:
        """Matrices of bones as they are shown now, armature space, shape (K, 4, 4)."""
        self.stage.view_layers[0].update()
        shown, ended = self._get_shown().pose.bones, {end.name: end for end in self.ends}
        owners = [ended[name].bone if name in ended else name for name in names]
        matrices = np.array([shown[name].matrix for name in owners], dtype=np.float64)
        for place, name in enumerate(names):
            if name in ended:
                matrices[place, :3, 3] += matrices[place, :3, :3] @ np.array(ended[name].offset)
        return matrices

    def keep_basis(self) -> None:
        """Begin all moves with the present pose."""
        self.basis = {bone.name: bone.matrix_basis.copy() for bone in self.double.pose.bones}

    def _get_shown(self) -> bpy.types.Object:
        """The copy as evaluated."""
        return self.double.evaluated_get(self.stage.view_layers[0].depsgraph)


@contextmanager
def probe_armature(
    armature: bpy.types.Object, rig: Rig, joints: Sequence[str]
) -> Iterator[ProbedArmature]:
    """A copy of an armature to move the controls of, gone afterwards.

    Parameters
    ----------
    armature
        The user's object.
    rig
        Its legs.
    joints
        Names of the joints to watch.
    """
    skeleton = rig.skeleton
    x, y = rig.forward
    up, ahead, aside = _LIFT_SHARES
    lift = np.array([ahead * x - aside * y, ahead * y + aside * x, up])
    lift = rot.rotate(rot.conjugate(skeleton.object_rotation), rot.normalize(lift))
    step = PROBE.step * rig.leg_length / skeleton.object_scale
    with temporary_scene(bpy.context.scene) as stage, copy_unbaked(armature) as double:
        if double.animation_data is not None:
            double.animation_data.use_nla = False
        # Nobody sees the copy, and shapes cost a third of its time.
        for bone in double.pose.bones:
            bone.custom_shape = None
        # What is hidden is not evaluated.
        double.hide_viewport = False
        stage.collection.objects.link(double)
        with _pose_freely(double):
            yield ProbedArmature(double, stage, tuple(joints), step, lift, skeleton.ends)


@contextmanager
def _pose_freely(double: bpy.types.Object) -> Iterator[None]:
    """Let a copy be posed where its armature is held in its rest position."""
    data = double.data
    if data.pose_position == "POSE":
        yield
        return
    double.data = data.copy()
    double.data.pose_position = "POSE"
    try:
        yield
    finally:
        own, double.data = double.data, data
        bpy.data.armatures.remove(own)


def move_candidates(
    probed: ProbedArmature,
    candidates: Sequence[Candidate],
    links: Links,
    moves: Sequence[int] = tuple(range(MOVES)),
) -> Responses:
    """Move some candidates, one at a time, or at once where they cannot meddle with one another.

    The copy is as before afterwards.

    Parameters
    ----------
    probed
        The copy.
    candidates
        What is moved, C of them.
    links
        What may go after what.
    moves
        Which moves are made; in the others nothing goes anywhere.
    """
    names = [one.name for one in candidates]
    watched = [*probed.joints, *names]
    before = probed.read(watched)
    count = len(probed.joints)
    after = np.broadcast_to(before[:count], (len(names), MOVES, count, 4, 4)).copy()
    own = np.repeat(before[count:, None], MOVES, axis=1)
    heard = [links.list_followers([name]) for name in names]
    for group in _group_apart([one & set(watched) for one in heard]):
        for move in moves:
            changed = {
                names[i]: basis
                for i in group
                if (basis := _make_move(probed, candidates[i], move)) is not None
            }
            if not changed:
                continue
            probed.pose(changed)
            shown = probed.read(watched)
            for i in group:
                reached = [t for t, name in enumerate(probed.joints) if name in heard[i]]
                after[i, move, reached] = shown[reached]
                own[i, move] = shown[count + i]
            probed.pose({name: probed.basis[name] for name in changed})
    return compute_responses(tuple(names), probed.step, before[count:], own, before[:count], after)


def _make_move(probed: ProbedArmature, candidate: Candidate, move: int) -> Matrix | None:
    """Channels of a candidate in a move; None where it is not free to."""
    if move in (LIFT, DROP):
        if not candidate.moves.any():
            return None
        return probed.shift(candidate.name, 1.0 if move == LIFT else -1.0, candidate.moves)
    if not candidate.turns.any():
        return None
    signs = {TURN: 1.0, BACK: -1.0}
    return probed.turn(candidate.name, signs[move] * PROBE.turn, candidate.turns)


def _group_apart(reaches: Sequence[set[str]]) -> list[list[int]]:
    """Numbers of sets in groups within which no two share a member."""
    groups: list[tuple[set[str], list[int]]] = []
    for number, reach in enumerate(reaches):
        for taken, members in groups:
            if taken.isdisjoint(reach):
                taken |= reach
                members.append(number)
                break
        else:
            groups.append((set(reach), [number]))
    return [members for _, members in groups]
