# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How controls have to change so that the deforming bones get where a walk has them (numpy only).

The rig is seen as a black box: it was evaluated with some channels of the controls, and its bones were
measured. Each control is moved by what brings its deforming bone from where it was measured to where it
shall be (docs/method/controls.md, Correcting). All matrices are in armature space and armature units.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ...keys.channels import BasisPoses, ChannelLayout, ParentTransform, build_parent_transform
from ...maths import rotations as rot
from ...maths.rotations import FloatArray, invert_matrices
from .limits import SOLVING
from .rigid import find_move, invert_rigid, make_matrices, make_rigid


@dataclass(frozen=True)
class LegTask:
    """The controls of one leg and the deforming bones that they move; bones are indices.

    Attributes
    ----------
    joints
        Hip .. ankle.
    toe
        The toe bone, or None.
    length
        Of the leg, armature units.
    foot, ankle_control, toe_control, hock, pole
        The controls, or None.
    pole_turns
        Whether the pole is turned and not moved.
    pole_axes
        The axes of its own, 0 to 2, about which such a pole may turn.
    chain
        A control for each of the joints, and of the toe after them; empty where IK acts.
    """

    joints: tuple[int, ...]
    toe: int | None
    length: float
    foot: int | None = None
    ankle_control: int | None = None
    toe_control: int | None = None
    hock: int | None = None
    pole: int | None = None
    pole_turns: bool = False
    pole_axes: tuple[int, ...] = (0, 1, 2)
    chain: tuple[int, ...] = ()

    @property
    def bend(self) -> tuple[int, int, int]:
        """Hip, knee and the end of the two segments between which the pole turns the knee."""
        end = self.joints[-2] if self.hock is not None else self.joints[-1]
        return self.joints[0], self.joints[1], end


@dataclass(frozen=True)
class ControlTask:
    """What the controls of a rig have to reach at N frames; bones are indices of the layout's.

    Attributes
    ----------
    layout
        How the controls, the deforming bones and all bones above them are keyed.
    targets
        Rigid matrices that deforming bones shall have, by bone, shape (N, 4, 4).
    body
        The control of the body and the deforming bone by which it is seen.
    legs
        The legs whose controls are known.
    turned
        Controls of the upper body with the bones that they turn, parents first.
    followers
        Other controls, by bone, with the rigid matrices that they shall have themselves.
    """

    layout: ChannelLayout
    targets: Mapping[int, FloatArray]
    body: tuple[int, int]
    legs: tuple[LegTask, ...]
    turned: tuple[tuple[int, int], ...] = ()
    followers: Mapping[int, FloatArray] = field(default_factory=dict)


def correct_controls(task: ControlTask, shown: FloatArray, basis: BasisPoses) -> BasisPoses:
    """Channels with which the deforming bones come nearer to their targets.

    Parameters
    ----------
    task
        What is to be reached.
    shown
        Matrices of all bones of the layout as evaluated, shape (N, K, 4, 4).
    basis
        The channels of the K bones with which they were.

    Returns
    -------
    BasisPoses
        Scales stay as they are.
    """
    correction = _Correction(task, shown, basis)
    control, bone = task.body
    correction.move(control, find_move(task.targets[bone], shown[:, bone]))
    correction.take_along(bone, control)
    for control, wanted in task.followers.items():
        correction.move(control, find_move(wanted, shown[:, control]))
    for control, bone in task.turned:
        correction.move(control, find_move(task.targets[bone], shown[:, bone]), "turn")
        correction.take_along(bone, control)
    for leg in task.legs:
        if leg.chain:
            _correct_chain(correction, leg)
        else:
            _correct_foot(correction, leg)
    return BasisPoses(correction.rotations, correction.locations, basis.scales)


def find_left_behind(
    wanted: Mapping[int, FloatArray], before: FloatArray, after: FloatArray
) -> dict[int, FloatArray]:
    """Those controls that stay where they are when others move, with where they shall be.

    Parameters
    ----------
    wanted
        Rigid matrices that controls shall have, by bone, shape (N, 4, 4).
    before, after
        Matrices of all bones of the layout before body and feet were moved and with them moved, shape
        (N, K, 4, 4).
    """
    left = {}
    for control, matrices in wanted.items():
        start = before[:, control, :3, 3]
        way, gone = (
            float(rot.lengths(heads - start).max(initial=0.0))
            for heads in (matrices[:, :3, 3], after[:, control, :3, 3])
        )
        if gone < SOLVING.left_behind * way:
            left[control] = matrices
    return left


def move_controls(
    task: ControlTask, wanted: Mapping[int, FloatArray], shown: FloatArray, basis: BasisPoses
) -> BasisPoses:
    """Channels with which some controls themselves get where they are wanted.

    Parameters
    ----------
    task, shown, basis
        As in `correct_controls`.
    wanted
        Rigid matrices of the controls, parents first, shape (N, 4, 4).
    """
    correction = _Correction(task, shown, basis)
    for control, matrices in wanted.items():
        correction.move(control, find_move(matrices, shown[:, control]))
    return BasisPoses(correction.rotations, correction.locations, basis.scales)


class _Correction:
    """Channels that are corrected control by control, parents first.

    Parameters
    ----------
    task, shown, basis
        As in `correct_controls`.
    """

    def __init__(self, task: ControlTask, shown: FloatArray, basis: BasisPoses) -> None:
        self.task, self.shown = task, shown
        self.rotations, self.locations = basis.rotations.copy(), basis.locations.copy()
        self._basis = basis
        self._moves: dict[int, FloatArray] = {}

    def find_carried(self, control: int) -> FloatArray:
        """What the corrected bones above a control move it by, (N, 4, 4)."""
        skeleton = self.task.layout.skeleton
        for bone in skeleton.find_ancestors(control)[1:]:
            if bone in self._moves:
                return self._moves[bone]
        return np.broadcast_to(np.eye(4), (len(self.shown), 4, 4))

    def take_along(self, bone: int, control: int) -> None:
        """A bone goes with a control by a constraint, and carries what hangs from it."""
        self._moves.setdefault(bone, self._moves[control])

    def move(
        self,
        control: int,
        move: FloatArray,
        kind: str = "rigid",
        carried: FloatArray | None = None,
    ) -> None:
        """Move a control as a whole.

        Parameters
        ----------
        control
            The control.
        move
            Rigid matrices by which its own shown matrix is to be moved in all, (N, 4, 4).
        kind
            ``"rigid"``; or ``"turn"`` or ``"shift"`` to change its rotation or its location alone.
        carried
            What other controls move it by; None for those above it.
        """
        carried = self.find_carried(control) if carried is None else carried
        own = make_rigid(self.shown[:, control])
        local = invert_rigid(own) @ invert_rigid(carried) @ move @ own
        before, after = self._build_spaces(control, carried)
        turns = rot.matrices_from_quaternions(self._basis.rotations[:, control])
        axes = carried[:, :3, :3] @ rot.orthonormalize_axes(before.turn) @ turns
        if kind != "shift":
            turned = (
                np.swapaxes(rot.orthonormalize_axes(after.turn), -1, -2) @ axes @ local[:, :3, :3]
            )
            self.rotations[:, control] = rot.quaternions_from_matrices(turned)
        if kind != "turn":
            place = before.origin + _turn(before.move, self._basis.locations[:, control])
            place = _apply(carried, place) + _turn(axes, local[:, :3, 3])
            inverse = invert_matrices(after.move)
            self.locations[:, control] = _turn(inverse, place - after.origin)
        if kind == "turn":
            # It turns about its own head, wherever that is carried.
            move = _turn_about(own[:, :3, 3], carried, move)
        self._moves[control] = move

    def keep_twist(self, control: int, axis: int) -> None:
        """Let of the rotation of a control only that about an axis of its own be left."""
        twist = self.rotations[:, control].copy()
        twist[:, 1:] *= np.eye(3)[axis]
        self.rotations[:, control] = rot.normalize_quaternions(twist)

    def _build_spaces(
        self, control: int, carried: FloatArray
    ) -> tuple[ParentTransform, ParentTransform]:
        """What a control's channels are placed in, as shown and as carried from there."""
        layout = self.task.layout
        parent = int(layout.skeleton.parents[control])
        if parent < 0:
            space = build_parent_transform(layout, control, {})
            return space, space
        above = self.shown[:, parent]
        before, after = (
            build_parent_transform(layout, control, {parent: (m[:, :3, :3], m[:, :3, 3])})
            for m in (above, carried @ above)
        )
        return before, after


def _correct_foot(correction: _Correction, leg: LegTask) -> None:
    """Move the controls of a leg under IK."""
    targets, shown = correction.task.targets, correction.shown
    ankle = leg.joints[-1]
    move = find_move(targets[ankle], shown[:, ankle])
    if leg.toe is not None:
        # Feet that are longer or shorter than planned miss at both ends by as much.
        turned = move
        if leg.toe_control is not None:
            toe = find_move(targets[leg.toe], shown[:, leg.toe])
            turned = _turn_about(shown[:, leg.toe_control, :3, 3], move, toe)
        away = targets[leg.toe][:, :3, 3] - _apply(turned, shown[:, leg.toe, :3, 3])
        move[:, :3, 3] += 0.5 * away
    if leg.foot is not None:
        correction.move(leg.foot, move, "rigid" if leg.ankle_control is None else "shift")
    if leg.ankle_control is not None:
        correction.move(leg.ankle_control, move, "turn", correction.find_carried(leg.ankle_control))
    if leg.hock is not None:
        hock = leg.joints[-2]
        centre = targets[ankle][:, :3, 3]
        there = _apply(move, shown[:, hock, :3, 3]) - centre
        wanted = targets[hock][:, :3, 3] - centre
        arc = rot.quaternions_from_arcs(rot.normalize(there), rot.normalize(wanted))
        correction.move(leg.hock, _turn_at(centre, arc) @ move, "turn", move)
    if leg.toe_control is not None and leg.toe is not None:
        toe = find_move(targets[leg.toe], shown[:, leg.toe])
        above = correction.task.layout.skeleton.find_ancestors(leg.toe_control)
        carried = None if {leg.foot, leg.hock} & set(above) else move
        correction.move(leg.toe_control, toe, "turn", carried)
    if leg.pole is not None:
        swivels = find_swivels(leg, targets, shown)
        hip, _, end = leg.bend
        start = targets[hip][:, :3, 3]
        line = rot.normalize(targets[end][:, :3, 3] - start)
        turn = _turn_at(start, rot.quaternions_from_axis_angles(line, swivels))
        kind = "turn" if leg.pole_turns else "shift"
        carried = correction.find_carried(leg.pole)
        correction.move(leg.pole, turn @ carried, kind, carried)
        if leg.pole_turns and len(leg.pole_axes) == 1:
            correction.keep_twist(leg.pole, leg.pole_axes[0])


def _correct_chain(correction: _Correction, leg: LegTask) -> None:
    """Turn the controls of a leg joint by joint."""
    targets, shown = correction.task.targets, correction.shown
    joints = leg.joints if leg.toe is None else (*leg.joints, leg.toe)
    for control, joint in zip(leg.chain, joints, strict=False):
        correction.move(control, find_move(targets[joint], shown[:, joint]), "turn")


def find_swivels(leg: LegTask, targets: Mapping[int, FloatArray], shown: FloatArray) -> FloatArray:
    """Angles by which knees are off about the line from hip to the end of the bend.

    Parameters
    ----------
    leg
        The leg.
    targets, shown
        As in `ControlTask` and `correct_controls`.

    Returns
    -------
    array, shape (N,)
        Radians; they fade to 0 where the knee lies on the line, seen or wanted.
    """
    places = [
        [matrices[:, :3, 3] for matrices in side]
        for side in (
            [targets[bone] for bone in leg.bend],
            [shown[:, bone] for bone in leg.bend],
        )
    ]
    (line, wanted), (seen_line, seen) = (_find_offsets(*side) for side in places)
    seen = rot.rotate(rot.quaternions_from_arcs(seen_line, line), seen)
    cosine, sine = rot.dot(seen, wanted), rot.dot(rot.cross(seen, wanted), line)
    angles = np.arctan2(sine, cosine)
    least = np.minimum(rot.lengths(seen), rot.lengths(wanted)) / leg.length
    sure = rot.step_cubic((least - SOLVING.straight) / (SOLVING.bent - SOLVING.straight))
    # A knee that a motion bends backwards would have the leg turn about.
    behind = (np.pi - np.abs(angles)) / (np.pi - SOLVING.sideways)
    return np.asarray(angles * sure * rot.step_cubic(behind))


def _find_offsets(
    hip: FloatArray, knee: FloatArray, end: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Unit lines (N, 3) from hips to ends, and the knees' offsets (N, 3) from them."""
    line = rot.normalize(end - hip)
    away = knee - hip
    return line, away - rot.dot(away, line)[..., None] * line


def _turn_about(head: FloatArray, carried: FloatArray, move: FloatArray) -> FloatArray:
    """What a control that is turned alone moves by: as carried, then turned about its head."""
    turned = np.array(move)
    turned[:, :3, 3] = _apply(carried, head) - _turn(move[:, :3, :3], head)
    return turned


def _turn_at(centre: FloatArray, turns: FloatArray) -> FloatArray:
    """Matrices (N, 4, 4) that turn about centres (N, 3) by rotations (N, 4)."""
    return make_matrices(turns, centre - rot.rotate(turns, centre))


def _apply(matrices: FloatArray, points: FloatArray) -> FloatArray:
    """Points (N, 3) moved by matrices (N, 4, 4)."""
    return np.asarray(_turn(matrices[:, :3, :3], points) + matrices[:, :3, 3])


def _turn(axes: FloatArray, vectors: FloatArray) -> FloatArray:
    """Axes (N, 3, 3) or (1, 3, 3) times vectors (N, 3)."""
    return np.asarray(np.einsum("...ij,...j->...i", axes, vectors))
