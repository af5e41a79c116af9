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
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..maths.smoothing import smooth_gaussian
from ..motions.tables import MotionTables
from ..prints.states import StepStates
from ..rig.structure import Rig
from ..rig.upper_body import BodyParts, find_body_parts
from ..settings import PlanSettings
from ..times.source import SourcePoses
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


def measure_leads(
    tables: MotionTables, source: SourcePoses, ankles: FloatArray, orientations: FloatArray
) -> FloatArray:
    """How much farther the left foot is ahead of the right than in the motion, share of L, (N,).

    Parameters
    ----------
    tables, source
        The motions and the blended poses.
    ankles
        Solved ankles of the two legs from the character's origin, world axes, metres, (N, 2, 3).
    orientations
        Of the character, shape (N, 4).
    """
    forward = np.array([*tables.rig.forward, 0.0])
    left = np.array([-tables.rig.forward[1], tables.rig.forward[0], 0.0])
    lead = np.zeros(len(ankles))
    places = [
        float(tables.leg_cycles.stance_positions[tables.cycles.slowest, i] @ left) for i in range(2)
    ]
    for index, leg in enumerate(tables.small_rig.legs):
        solved = rot.rotate(rot.conjugate(orientations), ankles[:, index])
        farther = (solved - source.legs.positions[:, leg.ankle]) @ forward
        lead += np.where(places[index] >= places[1 - index], 1.0, -1.0) * farther
    return lead / tables.rig.leg_length


def turn_upper_body(
    rig: Rig,
    track: ResponseTrack,
    settings: PlanSettings,
    times: FloatArray,
    leads: FloatArray,
    rotations: FloatArray,
) -> list[int]:
    """Turn spine, head and arms in place.

    Parameters
    ----------
    rig
        The character with all its bones.
    track, settings
        What is answered to, and how strongly.
    times
        Seconds, shape (N,).
    leads
        As `measure_leads` gives them, shape (N,).
    rotations
        Local rotations of all bones, changed, shape (N, B, 4).

    Returns
    -------
    list of int
        The bones that were turned.
    """
    forward = np.array([*rig.forward, 0.0])
    left = np.array([-forward[1], forward[0], 0.0])
    parts = track.parts
    stretch = track.grid.sample_smooth(track.stretches, times)
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
    turn_bones(rig, turns, rotations)
    return list(turns)


def turn_bones(rig: Rig, turns: Mapping[int, FloatArray], rotations: FloatArray) -> None:
    """Turn bones by rotations (N, 4) about axes of the character, in place.

    Parameters
    ----------
    rig
        The character with all its bones.
    turns
        Of each bone by its index.
    rotations
        Local rotations of all bones, changed, shape (N, B, 4).
    """
    above = _find_global_rotations(rig, rotations, turns)
    for bone, turn in turns.items():
        around = rot.multiply(rot.conjugate(above[bone]), rot.multiply(turn, above[bone]))
        rotations[:, bone] = rot.multiply(around, rotations[:, bone])


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
