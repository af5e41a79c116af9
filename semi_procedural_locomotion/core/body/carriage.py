# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How high the body is carried, and how it tilts (numpy only).

All of it is smoothed in time on the plan's own grid, so that it does not
depend on the scene's frame rate, and read from there at any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..maths.smoothing import smooth_gaussian
from ..motions.posing import blend_constants, read_ripples
from ..motions.tables import LegCycleTable, MotionTables
from ..prints.ideal import find_hug
from ..prints.states import StepStates
from ..rig.structure import Rig
from ..settings import PlanSettings
from ..times.planning import TimePlan
from ..times.rides import Rides
from ..times.source import SourcePoses
from .airborne.bodies import smooth_across, split_shares
from .airborne.records import Jump
from .limits import HIPS, SUPPORT, TILT


@dataclass(frozen=True)
class Carriage:
    """Where the character is at N times.

    Attributes
    ----------
    positions
        World position of its origin, metres, shape (N, 3).
    orientations
        World rotation of its frame, shape (N, 4).
    hip_offsets
        How far the hips are moved, world, metres, shape (N, 3).
    leans
        Lean of the body above its feet towards world x and y, radians, shape (N, 2); None for none.
    turns
        Turn of hips and legs beyond the character, radians, shape (N,); None for none.
    """

    positions: FloatArray
    orientations: FloatArray
    hip_offsets: FloatArray
    leans: FloatArray | None = None
    turns: FloatArray | None = None


@dataclass(frozen=True)
class BodyTrack:
    """The body over time, on a grid of G times.

    Attributes
    ----------
    grid
        The times.
    supports
        Height of the ground that supports the body, at the character's origin, metres, shape (G,).
    pitches
        Nose-up tilt of the body about the middle of its hips, radians, shape (G,).
    hip_offsets
        Change of the hips' height, metres, shape (G,).
    ripples
        Horizontal shift of the hips, world, metres, shape (G, 2).
    leans
        Lean of the body into accelerations, see `leaning.track_leans`, shape (G, 2); None for none.
    """

    grid: TimeGrid
    supports: FloatArray
    pitches: FloatArray
    hip_offsets: FloatArray
    ripples: FloatArray
    leans: FloatArray | None = None

    def place(self, tables: MotionTables, source: SourcePoses, times: FloatArray) -> Carriage:
        """Where the character is at times (N,), with ``source`` at the same ones."""
        supports = self.grid.sample_smooth(self.supports, times)
        pitches = self.grid.sample_smooth(self.pitches, times)
        positions, orientations = place_character(tables, source, supports, pitches)
        return Carriage(
            positions, orientations, self.read_hip_offsets(times), self.read_leans(times)
        )

    def read_leans(self, times: FloatArray) -> FloatArray | None:
        """Leans of the body at times (N,), see `leaning.track_leans`, (N, 2); None for none."""
        return None if self.leans is None else self.grid.sample_smooth(self.leans, times)

    def read_hip_offsets(self, times: FloatArray) -> FloatArray:
        """How far the hips are moved at times (N,), world, metres, shape (N, 3)."""
        moved = np.concatenate([self.ripples, self.hip_offsets[:, None]], axis=1)
        return self.grid.sample_smooth(moved, times)


def place_character(
    tables: MotionTables, source: SourcePoses, supports: FloatArray, pitches: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """World positions (N, 3) and orientations (N, 4) of the character's origin.

    A pitched body turns about the middle of its hips, which stays over the same ground: the legs hang
    down as on the flat, and do not lean back with the body.
    """
    ground = blend_constants(source.weights, tables.cycles.ground_heights)
    positions = rot.pack(source.positions[:, 0], source.positions[:, 1], supports - ground)
    yaw = rot.quaternions_from_yaws(source.yaws)
    if not np.any(pitches):
        return positions, yaw
    forward = rot.rotate(yaw, np.array([*tables.rig.forward, 0.0]))
    lateral = rot.pack(forward[:, 1], -forward[:, 0], np.zeros(len(pitches)))
    tilt = rot.quaternions_from_axis_angles(lateral, pitches)
    centre = rot.rotate(yaw, blend_constants(source.weights, tables.cycles.hip_centres))
    climb = np.tan(pitches) * (centre[:, 0] * forward[:, 0] + centre[:, 1] * forward[:, 1])
    positions = positions + centre - rot.rotate(tilt, centre) + climb[:, None] * rot.UP
    return positions, rot.multiply(tilt, yaw)


def track_ripples(tables: MotionTables, source: SourcePoses, times: TimePlan) -> FloatArray:
    """Horizontal shift of the hips by which the motions' feet slide less, world, metres, (G, 2).

    Of steps shorter than the motions' own it is as much shorter: else it would be a larger share of
    the speed (docs/method/motions.md, Ripple).
    """
    shift = read_ripples(tables, source.weights, source.phases)
    own = np.gradient(times.phases, times.grid.interval) * (
        times.cycle_weights @ tables.cycles.strides
    )
    shares = np.minimum(np.hypot(*times.velocities.T) / np.maximum(own, 1e-9), 1.0)
    width = HIPS.width * tables.cycles.slowest_period
    shift = shift * smooth_gaussian(shares, times.grid.interval, width)[:, None]
    turns = rot.quaternions_from_yaws(source.yaws)
    return rot.rotate(turns, rot.pack(shift[:, 0], shift[:, 1], np.zeros(len(shift))))[:, :2]


def track_support(
    tables: MotionTables,
    source: SourcePoses,
    states: StepStates,
    rides: Rides,
    settings: PlanSettings,
    jumps: Sequence[Jump] = (),
) -> tuple[FloatArray, FloatArray]:
    """Smoothed support heights and pitches on a grid (docs/method/body.md, Support height).

    Parameters
    ----------
    tables
        The motions.
    source, states
        Blended poses and steps at the grid's times.
    rides
        What carries the body on the grid: its heights are smoothed over that, not in the world.
    settings
        Choices.
    jumps
        What is before them and after is smoothed by itself.

    Returns
    -------
    supports, pitches
        Shapes (G,).
    """
    places = _ideal_places(tables.leg_cycles, source)
    reach = SUPPORT.plane_reach * tables.rig.leg_length
    behind = _extend_planes(states.behind, states.frames_behind, places, reach)
    ahead = _extend_planes(states.ahead, states.frames_ahead, places, reach)
    shares = split_shares(states.roll_share, states.steps, rides.grid, jumps)
    share = 0.5 - 0.5 * np.cos(np.pi * shares)
    heights = behind * (1.0 - share) + ahead * share
    width = settings.support_smoothing * tables.cycles.slowest_period
    hug = find_hug(tables.small_rig, settings)
    grid, heave = rides.grid, rides.measure_heave()
    heights = heights - heave[:, None]
    if hug > 0:
        fitted = _fit_line(tables.small_rig, source, places, heights)
        return _pitch_body(*fitted, rides, (width, hug), jumps)
    weights = 0.5 + 0.5 * np.cos(2 * np.pi * states.leg_times) + SUPPORT.least
    supports = np.sum(weights * heights, axis=1) / np.sum(weights, axis=1)
    supports = smooth_across(supports, grid, width, jumps)
    if settings.lean > 0:
        angles = _measure_climb_angles(tables, source, supports, rides)
        shares = np.where(angles < 0.0, TILT.lean_down, 1.0)
        slopes = TILT.lean_steep * np.tanh(angles / TILT.lean_steep)
        return supports + heave, -settings.lean * shares * slopes
    return supports + heave, np.zeros(grid.count)


def _measure_climb_angles(
    tables: MotionTables, source: SourcePoses, supports: FloatArray, rides: Rides
) -> FloatArray:
    """Angle of the ground's rise along the heading, smoothed, radians, (G,); 0 where it stands."""
    yaw = rot.quaternions_from_yaws(source.yaws)
    forward = rot.rotate(yaw, np.array([*tables.rig.forward, 0.0]))
    grid, (_, velocity, _) = rides.grid, rides.measure_velocities()
    ahead = velocity[:, 0] * forward[:, 0] + velocity[:, 1] * forward[:, 1]
    square = velocity[:, 0] ** 2 + velocity[:, 1] ** 2
    slow = (TILT.lean_speed * tables.cycles.slowest_speed) ** 2
    rise = np.gradient(supports, grid.interval) * ahead / np.maximum(square, slow)
    width = TILT.lean_width * tables.cycles.slowest_period
    return smooth_gaussian(np.arctan(rise), grid.interval, width)


def _ideal_places(leg_cycles: LegCycleTable, source: SourcePoses) -> FloatArray:
    """World places where the feet would stand on the flat, (N, L, 3)."""
    local = blend_constants(source.weights, leg_cycles.stance_positions)
    turned = rot.rotate(rot.quaternions_from_yaws(source.foot_yaws)[:, None], local)
    return turned + source.positions[:, None]


def _extend_planes(
    positions: FloatArray, frames: FloatArray, places: FloatArray, reach: float
) -> FloatArray:
    """Height of the planes of prints (N, L, 3) under places (N, L, 3)."""
    normals = rot.rotate(frames, rot.UP)
    away = places - positions
    rise = (normals[..., 0] * away[..., 0] + normals[..., 1] * away[..., 1]) / normals[..., 2]
    return positions[..., 2] - np.clip(rise, -reach, reach)


def _fit_line(
    rig: Rig, source: SourcePoses, places: FloatArray, heights: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Least-squares line along the heading: slope, place ahead and height of its middle, (G,) each."""
    yaw = rot.quaternions_from_yaws(source.yaws)
    forward = rot.rotate(yaw, np.array([*rig.forward, 0.0]))
    away = places - source.positions[:, None]
    along = away[..., 0] * forward[:, None, 0] + away[..., 1] * forward[:, None, 1]
    centre = along.mean(axis=1)
    middle = heights.mean(axis=1)
    spread = along - centre[:, None]
    slope = np.sum(spread * (heights - middle[:, None]), axis=1) / np.maximum(
        np.sum(spread * spread, axis=1), 1e-9
    )
    return slope, centre, middle


def _pitch_body(
    slope: FloatArray,
    centre: FloatArray,
    middle: FloatArray,
    rides: Rides,
    choices: tuple[float, float],
    jumps: Sequence[Jump],
) -> tuple[FloatArray, FloatArray]:
    """Support heights and pitches (G,) on a line as `_fit_line` finds it.

    Heights are those over the heave of what carries the body; what is returned has it again.
    ``choices`` are the width of the smoothing, seconds, and how much of the slope is followed.
    """
    width, hug = choices
    grid, tilts = rides.grid, rides.measure_tilts()
    over = np.clip(slope, -TILT.steepest, TILT.steepest) - tilts
    slope = (smooth_across(over, grid, width, jumps) + tilts) * hug
    middle = smooth_across(middle, grid, width, jumps) + rides.measure_heave()
    return middle - slope * centre, np.arctan(slope)
