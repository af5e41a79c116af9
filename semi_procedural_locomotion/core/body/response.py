# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the upper body of a two-legged character answers to its steps (numpy only).

Where the steps are those of the motion, the body moves as the motion has it. Where they are longer,
the spine leans back and the arms spread; where one foot is farther ahead than in the motion, the
shoulders turn against it. The head keeps looking ahead. All of it follows from the plan, so any
frame can be asked for in any order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..maths.smoothing import smooth_gaussian
from ..motions.tables import MotionTables
from ..pose import PoseArray
from ..prints.states import StepStates
from ..rig.structure import Rig
from ..rig.upper_body import BodyParts, find_body_parts
from ..settings import PlanSettings
from ..times.source import SourcePoses
from .carriage import Carriage
from .legs import SolvedLegs
from .limits import RESPONSE

# Strengths for characters whose motions are all made: these know nothing of longer steps.
MADE_RESPONSE: Mapping[str, float] = MappingProxyType(
    {"lean": 0.5, "lean_back": 0.5, "shoulder_turn": 0.5, "arm_spread": 0.5}
)


@dataclass(frozen=True)
class ResponseTrack:
    """What the upper body answers to, on a grid of G times.

    Attributes
    ----------
    parts
        Spine, neck, head and arms.
    grid
        The times.
    stretches
        How much longer the steps are than the motion's own, 0 to 1, shape (G,).
    """

    parts: BodyParts
    grid: TimeGrid
    stretches: FloatArray


def track_response(
    tables: MotionTables,
    source: SourcePoses,
    states: StepStates,
    grid: TimeGrid,
    settings: PlanSettings,
) -> ResponseTrack | None:
    """What the upper body has to answer to; None where it shall not or cannot.

    Parameters
    ----------
    tables
        The motions.
    source, states
        Blended poses and steps at the grid's times.
    grid
        The times.
    settings
        The strengths.
    """
    strengths = (settings.lean_back, settings.shoulder_turn, settings.arm_spread)
    if not any(strengths) or not settings.lock_feet or len(tables.rig.legs) != 2:
        return None
    parts = find_body_parts(tables.rig)
    if not parts.spine:
        return None
    ways = states.ahead[..., :2] - states.behind[..., :2]
    lengths = np.hypot(ways[..., 0], ways[..., 1]).max(axis=1)
    own = np.maximum(source.cycle_weights @ tables.cycles.strides, 1e-9)
    longer = np.clip(lengths / own - 1.0 - RESPONSE.free, 0.0, 1.0)
    width = RESPONSE.width * tables.cycles.slowest_period
    return ResponseTrack(parts, grid, smooth_gaussian(longer, grid.interval, width))


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
        As they are without.
    """
    if track is None:
        return poses
    forward = np.array([*tables.rig.forward, 0.0])
    left = np.array([-forward[1], forward[0], 0.0])
    parts = track.parts
    stretch = track.grid.sample_smooth(track.stretches, poses.times)
    leads = _measure_leads(tables, source, legs, poses.positions, carriage.orientations)
    yaw = RESPONSE.most_turn * np.tanh(
        settings.shoulder_turn * RESPONSE.shoulder_turn * leads / RESPONSE.most_turn
    )
    lean = -settings.lean_back * RESPONSE.lean_back * stretch
    spread = settings.arm_spread * RESPONSE.arm_spread * stretch
    # The chest turns with the shoulders; lower and middle spine lean.
    leaning = parts.spine[:-1] or parts.spine
    turns: dict[int, FloatArray] = {}
    for bone in parts.spine:
        share = lean / len(leaning) if bone in leaning else np.zeros_like(lean)
        turns[bone] = _compose(yaw / len(parts.spine), share, left)
    neck = (*parts.neck, *(() if parts.head is None else (parts.head,)))
    for bone in neck:
        back = -RESPONSE.look_ahead / len(neck)
        turns[bone] = _compose(back * yaw, back * lean, left)
    for arm in parts.arms:
        turns[arm.upper] = rot.quaternions_from_axis_angles(forward, arm.side * spread)
    return turn_bones(tables.rig, turns, poses)


def _measure_leads(
    tables: MotionTables,
    source: SourcePoses,
    legs: SolvedLegs,
    origins: FloatArray,
    orientations: FloatArray,
) -> FloatArray:
    """How much farther the left foot is ahead of the right than in the motion, share of L, (N,)."""
    forward = np.array([*tables.rig.forward, 0.0])
    left = np.array([-forward[1], forward[0], 0.0])
    lead, places = np.zeros(len(origins)), tables.leg_cycles.stance_positions[tables.cycles.slowest]
    sides = np.sign(places @ left - np.mean(places @ left) + 1e-12)
    for side, leg in zip(sides, tables.small_rig.legs, strict=True):
        away = legs.positions[:, leg.ankle] - origins
        solved = rot.rotate(rot.conjugate(orientations), away)
        lead += side * ((solved - source.legs.positions[:, leg.ankle]) @ forward)
    return lead / tables.rig.leg_length


def turn_bones(rig: Rig, turns: Mapping[int, FloatArray], poses: PoseArray) -> PoseArray:
    """Poses (N) with bones turned by rotations (N, 4), by their indices, about axes of the character."""
    rotations, rotated = poses.rotations.copy(), poses.rotated.copy()
    above = _find_global_rotations(rig, rotations, turns)
    for bone, turn in turns.items():
        around = rot.multiply(rot.conjugate(above[bone]), rot.multiply(turn, above[bone]))
        rotations[:, bone] = rot.multiply(around, rotations[:, bone])
    rotated[list(turns)] = True
    return replace(poses, rotations=rotations, rotated=rotated)


def _compose(yaw: FloatArray, pitch: FloatArray, left: FloatArray) -> FloatArray:
    """Yaw after forward pitch, radians (N,), as (N, 4)."""
    return rot.multiply(
        rot.quaternions_from_yaws(yaw), rot.quaternions_from_axis_angles(left, pitch)
    )


def _find_global_rotations(
    rig: Rig, rotations: FloatArray, bones: Mapping[int, FloatArray]
) -> dict[int, FloatArray]:
    """Rotation in character space of the parent of each bone before any is turned, (N, 4)."""
    parents = rig.skeleton.parents
    known: dict[int, FloatArray] = {-1: np.tile(rot.IDENTITY, (len(rotations), 1))}

    def find(bone: int) -> FloatArray:
        if bone not in known:
            known[bone] = rot.multiply(find(int(parents[bone])), rotations[:, bone])
        return known[bone]

    return {bone: find(int(parents[bone])) for bone in bones}
