# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known of a finished walk, ready to be measured (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from semi_procedural_locomotion.core.maths.rotations import FloatArray

from .limits import NUMBERS


@dataclass(frozen=True)
class WalkSteps:
    """What the plan says about the steps; N frames, L legs.

    Attributes
    ----------
    leg_times
        Leg time, whole numbers at stance instants, shape (N, L).
    lifts, offs, strikes, lands
        Key times of the step each leg is in, shares of the step, shape (N, L).
    print_positions
        Heel end of the print that supports or last supported the foot (the one ahead from the middle
        of the flight on), carried along by its surface, world, metres, shape (N, L, 3).
    print_frames
        World rotation of that print, z axis normal to the ground, likewise carried, shape (N, L, 4).
    parked
        Whether the step leads to the place where the foot stands already, shape (N, L) of bool.
    targets
        Where the ankles were asked to be, world, metres, shape (N, L, 3); None where not known.
    floating
        Whether that print is in the air, as on footsteps without ground: it is ground itself, shape
        (N, L) of bool; None where none is.
    """

    leg_times: FloatArray
    lifts: FloatArray
    offs: FloatArray
    strikes: FloatArray
    lands: FloatArray
    print_positions: FloatArray
    print_frames: FloatArray
    parked: np.ndarray
    targets: FloatArray | None = None
    floating: np.ndarray | None = None

    @property
    def contacts(self) -> np.ndarray:
        """Whether each foot is on the ground by the plan, ends included, shape (N, L) of bool."""
        share = self.leg_times - np.floor(self.leg_times)
        return (share <= self.offs) | (share >= self.strikes) | self.parked


@dataclass(frozen=True)
class WalkRecord:
    """A walk in world space; N frames, B bones.

    Attributes
    ----------
    times
        Uniformly spaced seconds, shape (N,), N >= 2.
    rotations, positions
        All bones as solved, shapes (N, B, 4) and (N, B, 3), metres.
    roots
        Position of the character, metres, shape (N, 3).
    steps
        The plan's steps; None for a walk of unknown origin.
    source_rotations, source_positions
        The blended clips, not adapted, placed along the travel on the height of their support;
        shapes as above; None where not known.
    frames
        Scene frame numbers, shape (N,); None counts from 0.
    undisturbed
        Frames in which nothing asks for a correction: level ground, straight on, at native speed,
        shape (N,) of bool; only these tell how faithful the walk is. None stands for all.
    missed
        Share of the leg from which on an ankle misses its target.
    jumped
        Frames in which the body pushes off to a jump, flies or lands, as no source motion does, shape
        (N,) of bool; None for none.
    """

    times: FloatArray
    rotations: FloatArray
    positions: FloatArray
    roots: FloatArray
    steps: WalkSteps | None = None
    source_rotations: FloatArray | None = None
    source_positions: FloatArray | None = None
    frames: np.ndarray | None = None
    undisturbed: np.ndarray | None = None
    missed: float = NUMBERS.missed
    jumped: np.ndarray | None = None

    def __post_init__(self) -> None:
        count = len(self.times)
        bones = self.positions.shape[1] if np.ndim(self.positions) == 3 else 0
        self._check("rotations", self.rotations, (count, bones, 4))
        self._check("positions", self.positions, (count, bones, 3))
        self._check("roots", self.roots, (count, 3))
        if (self.source_rotations is None) != (self.source_positions is None):
            raise ValueError("source_rotations and source_positions come together")
        if self.source_rotations is not None and self.source_positions is not None:
            self._check("source_rotations", self.source_rotations, (count, bones, 4))
            self._check("source_positions", self.source_positions, (count, bones, 3))
        if self.frames is not None:
            self._check("frames", self.frames, (count,))
        if self.undisturbed is not None:
            self._check("undisturbed", self.undisturbed, (count,))
        if self.jumped is not None:
            self._check("jumped", self.jumped, (count,))
        if self.steps is not None:
            self._check_steps(self.steps, count)
        steps = np.diff(self.times)
        if count < 2 or not steps[0] > 0 or np.abs(steps - steps[0]).max() > 1e-4 * steps[0]:
            raise ValueError("times must be two or more, growing by equal steps")

    @property
    def interval(self) -> float:
        """Seconds between frames."""
        return float(self.times[-1] - self.times[0]) / (len(self.times) - 1)

    @staticmethod
    def _check(name: str, array: np.ndarray, shape: tuple[int, ...]) -> None:
        """Refuse arrays of a wrong shape or with values that are not numbers."""
        if np.shape(array) != shape:
            raise ValueError(f"{name} must have shape {shape}, got {np.shape(array)}")
        if not np.all(np.isfinite(array)):
            raise ValueError(f"{name} must be finite")

    def _check_steps(self, steps: WalkSteps, count: int) -> None:
        """Refuse steps that do not fit the frames or one another."""
        legs = steps.leg_times.shape[1] if np.ndim(steps.leg_times) == 2 else 0
        for name in ("leg_times", "lifts", "offs", "strikes", "lands", "parked"):
            self._check(name, getattr(steps, name), (count, legs))
        self._check("print_positions", steps.print_positions, (count, legs, 3))
        self._check("print_frames", steps.print_frames, (count, legs, 4))
        if steps.targets is not None:
            self._check("targets", steps.targets, (count, legs, 3))
