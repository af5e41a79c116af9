# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a body leans into what its travel asks of it: starts, stops, curves (numpy only).

What stands on its feet and is accelerated would fall if it stayed upright. The body leans by the angle
at which it does not; its feet, its hips and its travel stay where they are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..maths.smoothing import blur_hann, find_sliding_maximum, smooth_gaussian
from ..motions.tables import MotionTables
from ..settings import PlanSettings
from ..times.planning import TimePlan
from ..times.weights import find_turning
from .airborne.gravity import find_gravity
from .airborne.limits import GIVE
from .airborne.records import Jump, find_jumped
from .limits import LEAN


def track_leans(
    tables: MotionTables, times: TimePlan, settings: PlanSettings, jumps: Sequence[Jump] = ()
) -> FloatArray | None:
    """Leans of the body over time (docs/method/body.md, Lean into acceleration).

    Parameters
    ----------
    tables
        The motions.
    times
        The time plan.
    settings
        How much of the lean is wanted.
    jumps
        Of which the body's own crouch leans it instead.

    Returns
    -------
    array, shape (G, 2)
        Angles towards world x and y, radians; None where nothing leans.
    """
    stands_wide = len(tables.rig.legs) > LEAN.banking_legs
    if settings.lean_accelerated <= 0.0 or stands_wide or not settings.lock_feet:
        return None
    interval = times.grid.interval
    velocities = np.gradient(times.positions[:, :2], interval, axis=0)
    width = LEAN.width * tables.cycles.slowest_period
    velocities = smooth_gaussian(velocities, interval, width)
    wanted = np.gradient(velocities, interval, axis=0) / find_gravity(tables)
    ahead, aside = _find_axes(tables, times.yaws)
    along = np.sum(wanted * ahead, axis=1)
    banked = 1.0
    if not tables.rig.is_upright:
        along, banked = np.zeros_like(along), LEAN.banked
    across = banked * _leave_own(np.sum(wanted * aside, axis=1), _measure_own_banks(tables, times))
    jumped = find_jumped(times.grid.times, jumps, GIVE.pushing, GIVE.settling)
    along, across = (np.where(jumped, 0.0, part) for part in (along, across))
    asked = np.hypot(along, across)
    if not np.any(asked > LEAN.free):
        return None
    angle = bound_leans(settings.lean_accelerated * np.arctan(asked))
    share: FloatArray = np.where(asked > LEAN.free, 1.0, 0.0)
    scale = (share * angle / np.maximum(asked, 1e-12))[:, None]
    leans = scale * (along[:, None] * ahead + across[:, None] * aside)
    # After the bound on the angle, so that this bounds how fast any jerk turns the body.
    smooth = smooth_leans(leans, interval, tables.cycles.slowest_period)
    # The filter leaves its rounding where nothing leans.
    return np.where(np.abs(smooth) < LEAN.rounding, 0.0, smooth)


def smooth_leans(leans: FloatArray, interval: float, period: float) -> FloatArray:
    """Leans as promptly as a body turns into them.

    Two filters are mixed: the prompt one alone where it turns the body no faster than `LEAN.quickest`,
    and as much of the slow one elsewhere as brings it down to that.

    Parameters
    ----------
    leans
        Radians, uniformly sampled, shape (G, 2).
    interval
        Seconds between samples.
    period
        Seconds of the slowest cycle.

    Returns
    -------
    array, shape (G, 2)
    """
    prompt, slow = (
        smooth_gaussian(leans, interval, width * period) for width in (LEAN.prompt, LEAN.reaction)
    )
    reach = max(round(LEAN.reaction * period / interval), 1)
    fast, least = (
        find_sliding_maximum(np.hypot(*np.gradient(part, interval, axis=0).T), 2 * reach)
        for part in (prompt, slow)
    )
    room = LEAN.quickest / period - least
    share = np.clip(room / np.maximum(fast - least, LEAN.rounding), 0.0, 1.0)
    share = blur_hann(np.where(fast > LEAN.quickest / period, share, 1.0), reach)
    return slow + share[:, None] * (prompt - slow)


def bound_leans(asked: FloatArray) -> FloatArray:
    """Leans for those that are asked for, radians, (N,): the same up to 14 degrees, 24 at most."""
    room = LEAN.most - LEAN.whole
    beyond = np.maximum(asked - LEAN.whole, 0.0)
    return np.minimum(asked, LEAN.whole) + room * np.tanh(beyond / room)


def add_leans(one: FloatArray | None, other: FloatArray | None) -> FloatArray | None:
    """The sum of leans (G, 2), of which either may be None for none."""
    if one is None or other is None:
        return other if one is None else one
    return one + other


def _find_axes(tables: MotionTables, yaws: FloatArray) -> tuple[FloatArray, FloatArray]:
    """World directions ahead and to the left of bodies with headings (N,), (N, 2) each."""
    turned = rot.rotate(rot.quaternions_from_yaws(yaws), np.array([*tables.rig.forward, 0.0]))
    ahead = turned[:, :2]
    return ahead, np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)


def _measure_own_banks(tables: MotionTables, times: TimePlan) -> FloatArray:
    """Acceleration to the left, in gravities, for which motions that turn lean by themselves, (G,)."""
    turning, _ = find_turning(tables)
    rates = np.array([motion.turn_rate for motion in tables.motion_set.motions])
    speeds = np.hypot(*tables.cycles.velocities.T)
    return np.asarray(times.weights @ (turning * rates * speeds) / find_gravity(tables))


def _leave_own(asked: FloatArray, own: FloatArray) -> FloatArray:
    """What is asked for (G,) beyond what the motions have (G,); never the other way."""
    same = np.clip(own * np.sign(asked), 0.0, None)
    return np.sign(asked) * np.maximum(np.abs(asked) - same, 0.0)


def lean_about(
    leans: FloatArray, pivots: FloatArray, rotations: FloatArray, positions: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Bones leaned about a point.

    Parameters
    ----------
    leans
        As `track_leans` gives them, at N times, shape (N, 2).
    pivots
        What stays where it is, world, metres, shape (N, 3).
    rotations, positions
        World poses of K bones, metres, shapes (N, K, 4) and (N, K, 3).

    Returns
    -------
    rotations, positions
        Shapes as given.
    """
    angles = np.hypot(*leans.T)
    axes = rot.pack(-leans[:, 1], leans[:, 0], np.zeros(len(leans)))
    axes = np.where(angles[:, None] > 0.0, axes / np.maximum(angles, 1e-12)[:, None], rot.UP)
    turns = rot.quaternions_from_axis_angles(axes, angles)[:, None]
    away = positions - pivots[:, None]
    return rot.multiply(turns, rotations), pivots[:, None] + rot.rotate(turns, away)
