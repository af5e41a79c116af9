# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Heads that stay upright in leans, and look where the way goes (numpy only).

(docs/method/body.md, Head)
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..pose import PoseArray
from ..rig.upper_body import find_body_parts
from ..settings import PlanSettings
from ..times.planning import TimePlan
from .limits import HEAD
from .response import turn_bones


@dataclass(frozen=True)
class HeadTrack:
    """What a head does over time, on a grid of G times.

    Attributes
    ----------
    bones
        Neck and head by index, from below.
    grid
        The times.
    leads
        How far the head turns ahead of its body, to the left, radians, shape (G,).
    leans
        How far the body leans towards world x and y, of which the head takes back its share, radians,
        shape (G, 2).
    """

    bones: tuple[int, ...]
    grid: TimeGrid
    leads: FloatArray
    leans: FloatArray


def track_head(
    tables: MotionTables,
    times: TimePlan,
    body_turns: FloatArray | None,
    leans: FloatArray | None,
    settings: PlanSettings,
) -> HeadTrack | None:
    """What the head of a two-legged body does besides its motions; None where it does nothing.

    Parameters
    ----------
    tables, times
        The motions and the time plan.
    body_turns
        How far the lower body is turned to its way, radians, shape (G,); None for nowhere.
    leans
        As of `leaning.track_leans`; None for none.
    settings
        How far it looks ahead.
    """
    if settings.look_ahead <= 0.0 or not tables.rig.is_upright:
        return None
    parts = find_body_parts(tables.rig)
    if parts.head is None or not settings.lock_feet:
        return None
    grid = times.grid
    yaws = times.yaws if body_turns is None else times.yaws - body_turns
    later = grid.sample(yaws, grid.times + HEAD.lead * tables.cycles.slowest_period)
    leads = settings.look_ahead * HEAD.most_turn * np.tanh((later - yaws) / HEAD.most_turn)
    share = settings.look_ahead * HEAD.level
    back = np.zeros((grid.count, 2)) if leans is None else share * leans
    if not np.any(np.abs(leads) > HEAD.least) and not np.any(back):
        return None
    return HeadTrack((*parts.neck, parts.head), grid, leads, back)


def turn_head(tables: MotionTables, track: HeadTrack | None, poses: PoseArray) -> PoseArray:
    """Poses whose heads stay upright and look ahead.

    Parameters
    ----------
    tables
        The motions.
    track
        As of `track_head`; None changes nothing.
    poses
        As they are without.
    """
    if track is None:
        return poses
    leans = track.grid.sample_smooth(track.leans, poses.times) / len(track.bones)
    leads = track.grid.sample_smooth(track.leads, poses.times) / len(track.bones)
    angles = np.hypot(*leans.T)
    axes = rot.pack(leans[:, 1], -leans[:, 0], np.zeros(len(leans)))
    axes = np.where(angles[:, None] > 0.0, axes / np.maximum(angles, 1e-12)[:, None], rot.UP)
    # World axes of leans in the character's own.
    axes = rot.rotate(rot.conjugate(poses.orientations), axes)
    turns = rot.multiply(
        rot.quaternions_from_axis_angles(axes, angles), rot.quaternions_from_yaws(leads)
    )
    rotations, rotated = poses.rotations.copy(), poses.rotated.copy()
    turn_bones(tables.rig, dict.fromkeys(track.bones, turns), rotations)
    rotated[list(track.bones)] = True
    return replace(poses, rotations=rotations, rotated=rotated)
