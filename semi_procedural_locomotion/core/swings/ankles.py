# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet turned flat about where they bear, as an ankle is flexed (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..prints.states import StepStates
from ..rig.footpoints import compute_sole_points
from ..rig.hulls import hull_points_from_poses
from ..rig.limits import FOOTBASE
from ..rig.structure import Rig
from ..times.source import SourcePoses
from .feet import FootTargets
from .flight import shape_bump
from .limits import FOLDS

# Axis about which a foot is turned flat, in its print's frame.
_ACROSS = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True)
class HeldFoot:
    """A foot in n frames: its print's axes, its ankle, and points of its sole seen from the ankle.

    ``points`` (n, P, 3) and ``balls`` (n, 3) are in the axes ``frames``. The foot turns about what bears
    it, which rolls over ``bearings`` (P,) as it does on flat ground, or by shares ``free`` (n,) about its
    ball. ``pitch`` is the rise from heel to ball, radians; ``width`` is that of the footbase, metres.
    """

    frames: FloatArray
    ankles: FloatArray
    rotations: FloatArray
    points: FloatArray
    bearings: FloatArray
    balls: FloatArray
    free: FloatArray
    pitch: FloatArray
    width: float

    @classmethod
    def read(
        cls,
        rig: Rig,
        source: SourcePoses,
        states: StepStates,
        targets: FootTargets,
        index: int,
        rows: np.ndarray,
    ) -> HeldFoot:
        """The foot of one leg in some frames."""
        leg, hull, poses = rig.legs[index], rig.hulls[index], source.legs
        frames, held = targets.frames[rows, index], targets.rotations[rows, index]
        turns, places = poses.rotations[rows], poses.positions[rows]
        into_foot = rot.multiply(held, rot.conjugate(turns[:, leg.ankle]))
        into_frame = rot.multiply(rot.conjugate(frames), into_foot)[:, None]
        sole = compute_sole_points(leg, turns, places)
        sole = rot.rotate(into_frame, sole - places[:, leg.ankle, None])
        along = sole[:, 1] - sole[:, 0]
        pitch = np.arctan2(along[:, 2], np.hypot(along[:, 0], along[:, 1]))
        length = float(rig.foot_lengths[index])
        points, bearings = sole, length * np.array([0.0, rig.ball_shares[index], 1.0])
        if hull is not None:
            seen = hull_points_from_poses(hull, turns, places) - places[:, leg.ankle, None]
            points, bearings = rot.rotate(into_frame, seen), hull.bearings[:, 0]
        # In the air a foot turns about its ball, which brings the ankle away from the hip.
        released = np.array(FOLDS.released)
        free = shape_bump(states.flight[rows, index], released, released)
        # A foot whose heel hangs is left alone: turned flat, its ankle would rise.
        pitch, width = np.minimum(pitch, 0.0), FOOTBASE.soft_width * length
        ankles = targets.ankles[rows, index]
        return cls(frames, ankles, held, points, bearings, sole[:, 1], free, pitch, width)

    def flatten(self, shares: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Ankles (n, 3) and their rotations (n, 4) with shares (n,) of the pitch taken out."""
        turn = rot.quaternions_from_axis_angles(_ACROSS, shares * self.pitch)
        turned = rot.rotate(turn[:, None], self.points)
        # A foot that is still on its toe turns about it, and does not slide.
        borne = self._find_bases(self.points) - self._find_bases(turned)
        swung = (self.balls - rot.rotate(turn, self.balls))[:, 0]
        # Nor does its toe come over the next tread sooner.
        swung = np.minimum(swung, self.points[..., 0].max(axis=1) - turned[..., 0].max(axis=1))
        ahead = borne + self.free * (swung - borne)
        height = self.points[..., 2].min(axis=1) - turned[..., 2].min(axis=1)
        shift = rot.rotate(self.frames, rot.pack(ahead, np.zeros(len(ahead)), height))
        about = rot.multiply(rot.multiply(self.frames, turn), rot.conjugate(self.frames))
        return self.ankles + shift, rot.multiply(about, self.rotations)

    def place(self, ankles: FloatArray, rotations: FloatArray) -> FloatArray:
        """World places (n, P, 3) of the points with the ankle there and turned so, metres."""
        turn = rot.multiply(rot.multiply(rotations, rot.conjugate(self.rotations)), self.frames)
        return ankles[:, None] + rot.rotate(turn[:, None], self.points)

    def _find_bases(self, points: FloatArray) -> FloatArray:
        """How far ahead the footbases of points (n, P, 3) are, metres, (n,)."""
        loads = np.exp((points[..., 2].min(axis=1)[:, None] - points[..., 2]) / self.width)
        return np.sum(loads * (points[..., 0] - self.bearings), axis=1) / loads.sum(axis=1)
