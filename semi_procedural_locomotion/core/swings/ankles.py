# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet turned flat about where they bear, as an ankle is flexed (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..prints.states import StepStates
from ..rig.footpoints import compute_sole_points, compute_sole_weights
from ..rig.structure import Rig
from ..times.source import SourcePoses
from .feet import FootTargets
from .flight import shape_bump
from .limits import FOLDS

# Axis about which a foot is turned flat, in its print's frame, and all weight on the ball among the
# points heel, ball and toe tip.
_ACROSS, _BALL = np.array([0.0, 1.0, 0.0]), np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True)
class AnkleFlexes:
    """How far the foot is turned flat in each swing of one leg, K steps.

    Attributes
    ----------
    amounts
        Share of the foot's pitch that is taken out in the middle, 0 to 1, shape (K,).
    rises, falls
        Shares of the time over which it is turned flat and back, shape (K,).
    early
        Whether that time is the foot's roll, from lift to land, and not only its flight, shape (K,).
    """

    amounts: FloatArray
    rises: FloatArray
    falls: FloatArray
    early: np.ndarray

    @classmethod
    def none(cls, count: int) -> AnkleFlexes:
        """Feet of ``count`` steps left as they are."""
        half = np.full(count, 0.5)
        return cls(np.zeros(count), half, half.copy(), np.zeros(count, dtype=bool))

    def read(self, steps: np.ndarray, spans: FloatArray) -> FloatArray:
        """Shares of the pitch taken out in steps (N,) at shares of flight and roll (N, 2), (N,)."""
        steps = np.minimum(steps, len(self.amounts) - 1)
        passed = np.where(self.early[steps], spans[:, 1], spans[:, 0])
        return self.amounts[steps] * shape_bump(passed, self.rises[steps], self.falls[steps])

    def choose(
        self, steps: np.ndarray, spans: FloatArray, needed: FloatArray, most: FloatArray
    ) -> None:
        """Choose for each step the calmest curve that has what is needed, and not more than most.

        All arrays are over instants (n,) of all steps that are to be changed; ``spans`` (n, 2) as for
        `read`.
        """
        best = np.full(len(self.amounts), np.inf)
        for early, rise, fall in product((False, True), FOLDS.shares, FOLDS.shares):
            shape = shape_bump(spans[:, int(early)], np.array(rise), np.array(fall))
            amounts, ceilings = np.zeros(len(best)), np.ones(len(best))
            np.maximum.at(amounts, steps, needed / np.maximum(shape, FOLDS.floor))
            np.minimum.at(ceilings, steps, most / np.maximum(shape, 1e-9))
            amounts = np.minimum(amounts, ceilings)
            unmet = np.zeros(len(best))
            np.maximum.at(unmet, steps, needed - amounts[steps] * shape)
            cost = amounts * (1.0 / rise + 1.0 / fall) + FOLDS.unmet_cost * unmet
            better = (cost < best - 1e-9) & (amounts > 0)
            best[better] = cost[better]
            self.amounts[better] = amounts[better]
            self.rises[better], self.falls[better], self.early[better] = rise, fall, early


@dataclass(frozen=True)
class HeldFoot:
    """A foot in n frames: its print's axes, its ankle, and its sole points seen from the ankle.

    ``sole`` (n, 3, 3) is in the axes ``frames``; the foot turns about the place that the ``weights``
    (n, 3) of its points make. ``pitch`` is the rise from heel to ball, radians.
    """

    frames: FloatArray
    ankles: FloatArray
    rotations: FloatArray
    sole: FloatArray
    weights: FloatArray
    pitch: FloatArray

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
        leg, poses, flight = rig.legs[index], source.legs, states.flight[rows, index]
        frames, held = targets.frames[rows, index], targets.rotations[rows, index]
        points = compute_sole_points(leg, poses.rotations[rows], poses.positions[rows])
        into_foot = rot.multiply(held, rot.conjugate(poses.rotations[rows, leg.ankle]))
        sole = rot.rotate(into_foot[:, None], points - poses.positions[rows, leg.ankle][:, None])
        local = rot.rotate(rot.conjugate(frames)[:, None], sole)
        along = local[:, 1] - local[:, 0]
        pitch = np.arctan2(along[:, 2], np.hypot(along[:, 0], along[:, 1]))
        # A foot whose heel hangs is left alone: turned flat, its ankle would rise.
        weights = compute_sole_weights(local[..., 2], float(rig.foot_lengths[index]))
        # In the air a foot turns about its ball, which brings the ankle away from the hip.
        free = shape_bump(flight, np.array(FOLDS.released), np.array(FOLDS.released))[:, None]
        weights = weights * (1.0 - free) + _BALL * free
        ankles = targets.ankles[rows, index]
        return cls(frames, ankles, held, local, weights, np.minimum(pitch, 0.0))

    def flatten(self, shares: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Ankles (n, 3) and their rotations (n, 4) with shares (n,) of the pitch taken out."""
        turn = rot.quaternions_from_axis_angles(_ACROSS, shares * self.pitch)
        turned = rot.rotate(turn[:, None], self.sole)
        # A foot that is still on its toe turns about it, and does not slide.
        moved = np.einsum("np,npc->nc", self.weights, (self.sole - turned)[..., :2])
        height = self.sole[..., 2].min(axis=1) - turned[..., 2].min(axis=1)
        shift = rot.rotate(self.frames, rot.pack(moved[:, 0], moved[:, 1], height))
        about = rot.multiply(rot.multiply(self.frames, turn), rot.conjugate(self.frames))
        return self.ankles + shift, rot.multiply(about, self.rotations)

    def find_shares(self, hips: FloatArray, asked: FloatArray, least: FloatArray) -> FloatArray:
        """Shares (n,), from the least on, at which ankles are as far from hips (n, 3) as asked."""
        low, high = least, np.ones(len(asked))
        for _ in range(FOLDS.bisections):
            middle = 0.5 * (low + high)
            enough = rot.lengths(self.flatten(middle)[0] - hips) >= asked
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        return high
