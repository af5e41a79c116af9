# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs that step as measured people do (numpy only).

A foot that stands is planted and pitches as people's do; the hips are as high as brings the knees of
standing legs nearest to people's; a foot in the air hangs from people's thigh and knee, led on from
and to where it stands (docs/method/gaits.md, Measured people).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...errors import RigError
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..maths.smoothing import blur_hann, find_sliding_maximum
from ..rig.skeleton import compute_rest_poses
from ..rig.structure import Leg, Rig
from .feet import FootPath, compute_foot_path, compute_rise, measure_soles
from .limits import PEOPLE, STRIDING
from .measured import GaitCurves
from .settings import GaitSettings

# Hips of all legs at phases (S,) before the body's height is known, metres, shape (S, L, 3).
HipsAt = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class Strides:
    """Feet and body over S phases.

    Attributes
    ----------
    feet
        One path a leg.
    heights
        How far the body is moved up, metres, shape (S,).
    """

    feet: list[FootPath]
    heights: FloatArray


@dataclass(frozen=True)
class _Walker:
    """What all steps of a gait share."""

    rig: Rig
    settings: GaitSettings
    curves: GaitCurves
    velocity: FloatArray
    strikes: FloatArray
    find_hips: HipsAt

    def follow_leg(self, index: int, phases: FloatArray) -> FloatArray:
        """Phases (S,) since a leg's strike."""
        return (phases - self.strikes[index]) % 1.0

    def plant(self, index: int, phases: FloatArray) -> FootPath:
        """Where a leg's foot is as long as it stands; in the air, where even steps have it."""
        leg = self.rig.legs[index]
        since = self.follow_leg(index, phases)
        return compute_foot_path(self.rig, leg, since, self.settings, self.velocity)


@dataclass(frozen=True)
class _Heights:
    """Height of the body as waves of the cycle, metres: constant, cosines, sines."""

    waves: FloatArray

    def compute(self, phases: FloatArray) -> FloatArray:
        """Metres up, shape (S,)."""
        return np.asarray(_list_waves(phases)[0] @ self.waves)


@dataclass(frozen=True)
class _Ends:
    """What a planted foot is off the hanging one at foot-off and strike, metres, and its rate a swing."""

    first: FloatArray
    first_rate: FloatArray
    last: FloatArray
    last_rate: FloatArray

    def lead_over(self, swing: FloatArray) -> FloatArray:
        """From one end of the swing (S,) to the other by values and rates, shape (S, 3)."""
        power = STRIDING.lead_power
        s = swing[:, None]
        t = 1.0 - s
        return np.asarray(
            t**power * (1.0 + power * s) * self.first
            + s * t**power * self.first_rate
            + s**power * (1.0 + power * t) * self.last
            - t * s**power * self.last_rate
        )


def plan_strides(
    rig: Rig,
    settings: GaitSettings,
    velocity: FloatArray,
    strikes: FloatArray,
    find_hips: HipsAt,
    phases: FloatArray,
) -> Strides:
    """Feet and body height of a gait with curves of people.

    Parameters
    ----------
    rig
        The rig; its resting feet are the feet that stand.
    settings
        The gait; it has ``curves``.
    velocity
        Of the character in character space, metres a second, shape (2,).
    strikes
        Phase at which each leg strikes, shape (L,).
    find_hips
        Places of the hips while the body has its height at rest.
    phases
        Of the cycle, shape (S,).

    Raises
    ------
    RigError
        A leg cannot reach as far as it steps.
    """
    if settings.curves is None:
        raise ValueError("the gait has no curves")
    walker = _Walker(rig, settings, settings.curves, velocity, strikes, find_hips)
    grid = np.arange(STRIDING.grid) / STRIDING.grid
    walker, heights = _fit_body(walker, grid)
    feet = [_move_foot(walker, index, heights, phases) for index in range(len(rig.legs))]
    lowered = heights.compute(phases) - settings.crouch * rig.leg_length
    return Strides(feet, lowered)


def measure_rest(rig: Rig, leg: Leg) -> float:
    """Distance from hip to ankle of a leg at rest, metres."""
    positions = compute_rest_poses(rig.skeleton)[1]
    return float(rot.lengths(positions[leg.ankle] - positions[leg.joints[0]]))


def can_straighten(rig: Rig, leg: Leg) -> bool:
    """Whether a leg has one knee that is nearly straight at rest, unlike a bird's or a dog's."""
    has_knee = len(leg.joints) == STRIDING.knee_joints
    return has_knee and measure_rest(rig, leg) >= STRIDING.straight_at_rest * leg.length


def measure_straight(rig: Rig, leg: Leg) -> float:
    """Distance from hip to ankle of a leg as straight as it stands, metres."""
    rest = measure_rest(rig, leg)
    return max(rest, STRIDING.straight * leg.length) if can_straighten(rig, leg) else rest


def _fit_body(walker: _Walker, grid: FloatArray) -> tuple[_Walker, _Heights]:
    """The walker with its feet as far behind the body as people's in the mean, and the heights."""
    settings, rig = walker.settings, walker.rig
    forward = _find_axes(rig)[0]
    hips = walker.find_hips(grid)
    under = replace(walker, settings=replace(settings, set_back=0.0))
    ahead = []
    for index in range(len(rig.legs)):
        since = walker.follow_leg(index, grid)
        stands = since <= settings.duty
        way = under.plant(index, grid).ankles - hips[:, index]
        hung = _hang_leg(walker, index, since)
        ahead.append(np.mean((hung[:, 0] - rot.dot(way, forward))[stands]))
    back = settings.set_back - float(np.mean(ahead)) / rig.leg_length
    placed = replace(walker, settings=replace(settings, set_back=back))
    return placed, _fit_heights(placed, grid, hips)


def _find_axes(rig: Rig) -> tuple[FloatArray, FloatArray]:
    """Forward and left, shape (3,)."""
    forward = np.array([rig.forward[0], rig.forward[1], 0.0])
    return forward, rot.cross(rot.UP, forward)


def _split_leg(rig: Rig, leg: Leg) -> tuple[float, float]:
    """Lengths of thigh and shin, metres, of the leg as straight as it stands."""
    positions = compute_rest_poses(rig.skeleton)[1]
    chain = list(leg.joints)
    thigh = float(rot.lengths(positions[chain[1]] - positions[chain[0]]))
    share = thigh / leg.length if len(chain) == STRIDING.knee_joints else 0.5
    straight = measure_straight(rig, leg) / STRIDING.straight
    return share * straight, (1.0 - share) * straight


def _hang_leg(walker: _Walker, index: int, since: FloatArray) -> FloatArray:
    """Way from hip to ankle ahead and up as people's thigh and knee have it, metres, shape (S, 2)."""
    thigh, shin = _split_leg(walker.rig, walker.rig.legs[index])
    lean = walker.curves.thigh.compute(since)
    fall = lean - walker.curves.knee.compute(since)
    return np.stack(
        [
            thigh * np.sin(lean) + shin * np.sin(fall),
            -thigh * np.cos(lean) - shin * np.cos(fall),
        ],
        axis=-1,
    )


def _measure_bent(thigh: float, shin: float, knee: FloatArray) -> FloatArray:
    """Distance from hip to ankle of bent legs, metres."""
    return np.sqrt(thigh**2 + shin**2 + 2.0 * thigh * shin * np.cos(knee))


def _list_waves(phases: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Waves at phases and their second derivatives by the phase, shapes (S, 2 H + 1)."""
    rates = 2.0 * np.pi * np.arange(1, STRIDING.harmonics + 1)
    angles = phases[:, None] * rates
    values = np.concatenate([np.ones((len(phases), 1)), np.cos(angles), np.sin(angles)], axis=1)
    bends = values * -np.concatenate([[0.0], rates**2, rates**2])
    return values, bends


def _fit_heights(walker: _Walker, grid: FloatArray, hips: FloatArray) -> _Heights:
    """Height of the body by least squares of standing knees; in flight it falls.

    A leg that would be longer than straight pulls the body down.
    """
    settings, rig = walker.settings, walker.rig
    values, bends = _list_waves(grid)
    rows, wanted, tops = [], [], []
    flying = np.ones(len(grid), dtype=bool)
    for index, leg in enumerate(rig.legs):
        thigh, shin = _split_leg(rig, leg)
        since = walker.follow_leg(index, grid)
        stands = since <= settings.duty
        flying &= ~stands
        knee = walker.curves.knee.compute(since)
        way = walker.plant(index, grid).ankles - hips[:, index]
        asked = _measure_bent(thigh, shin, knee)
        beside = np.hypot(way[:, 0], way[:, 1])
        top = settings.stretch * measure_straight(rig, leg)
        if np.any(beside[stands] >= STRIDING.most_aside * top):
            raise RigError(
                f"gait {settings.name!r} steps {beside[stands].max():.2f} m aside of the hip of leg "
                f"{leg.name!r}, which reaches {STRIDING.most_aside * top:.2f} m",
                "lower its Stride",
                "lower its `stride`",
            )
        height = way[:, 2] + np.sqrt(np.maximum(asked**2 - beside**2, 0.0))
        ceiling = way[:, 2] + np.sqrt(np.maximum(top**2 - beside**2, 0.0))
        # A radian of the knee changes the leg by this length, and upright legs by as much height.
        lever = thigh * shin * np.sin(np.maximum(knee, STRIDING.least_knee)) / asked
        weight = np.where(stands, 1.0 / lever, 0.0)
        rows.append(weight[:, None] * values)
        wanted.append(weight * np.minimum(height, ceiling))
        tops.append(np.where(stands, ceiling, np.inf))
    # In the air the body falls with gravity.
    fall = flying * STRIDING.flight / PEOPLE.gravity
    rows.append(fall[:, None] * bends / settings.period**2)
    wanted.append(-fall * PEOPLE.gravity)
    ceiling = np.min(tops, axis=0)
    matrix, target = np.concatenate(rows), np.concatenate(wanted)
    waves = np.linalg.lstsq(matrix, target, rcond=None)[0]
    for _ in range(STRIDING.tries):
        over = values @ waves > ceiling - STRIDING.margin * rig.leg_length
        if not np.any(values @ waves > ceiling + 1e-9):
            break
        held = STRIDING.ceiling * over[:, None] * values
        low = (
            STRIDING.ceiling * over * np.where(over, ceiling - STRIDING.margin * rig.leg_length, 0)
        )
        waves = np.linalg.lstsq(
            np.concatenate([matrix, held]), np.concatenate([target, low]), rcond=None
        )[0]
    # What knees ask for is less than the rise and fall that was measured, for long feet above all.
    travel = float(np.ptp(values @ waves)) / rig.leg_length
    most = np.clip(settings.rise / max(travel, STRIDING.least_travel), 1.0, STRIDING.most_heave)
    waves[1:] *= most * settings.heave
    waves[0] -= max(0.0, float(np.max(values @ waves - ceiling)))
    return _Heights(waves)


def _move_foot(walker: _Walker, index: int, heights: _Heights, phases: FloatArray) -> FootPath:
    """Path of a foot: planted as long as it stands, hanging from the hip in the air."""
    settings, leg = walker.settings, walker.rig.legs[index]
    since = walker.follow_leg(index, phases)
    ends = _measure_ends(walker, index, heights)
    path = _swing_foot(walker, index, heights, ends, phases)
    swing = np.clip((since - settings.duty) / (1.0 - settings.duty), 0.0, 1.0)
    rise = _find_rise(walker, index, heights, ends)
    lifted = path.ankles + np.interp(swing, *rise)[:, None] * rot.UP
    hips = walker.find_hips(phases)[:, index] + heights.compute(phases)[:, None] * rot.UP
    held = replace(path, ankles=_hold_back(walker, leg, hips, lifted))
    # What is left of toes in the ground.
    depth = np.maximum(walker.rig.ground_height - measure_soles(walker.rig, leg, held), 0.0)
    clear = held.ankles + depth[:, None] * rot.UP
    standing = (since <= settings.duty)[:, None]
    return replace(path, ankles=np.where(standing, path.ankles, clear))


def _swing_foot(
    walker: _Walker, index: int, heights: _Heights, ends: _Ends, phases: FloatArray
) -> FootPath:
    """Path of a foot that clears nothing yet."""
    settings = walker.settings
    since = walker.follow_leg(index, phases)
    planted = walker.plant(index, phases)
    swing = np.clip((since - settings.duty) / (1.0 - settings.duty), 0.0, 1.0)
    ankles = _hang_foot(walker, index, heights, phases) + ends.lead_over(swing)
    standing = (since <= settings.duty)[:, None]
    return replace(planted, ankles=np.where(standing, planted.ankles, ankles))


def _hang_foot(walker: _Walker, index: int, heights: _Heights, phases: FloatArray) -> FloatArray:
    """Ankles below the hips as people's thigh and knee have them, on the foot's own track, (S, 3)."""
    forward, left = _find_axes(walker.rig)
    since = walker.follow_leg(index, phases)
    hip = walker.find_hips(phases)[:, index]
    ahead, up = _hang_leg(walker, index, since).T
    track = walker.plant(index, phases).ankles
    ways = rot.dot(hip, forward) + ahead
    tops = hip[:, 2] + heights.compute(phases) + up
    aside = rot.dot(track, left)
    return ways[:, None] * forward + aside[:, None] * left + tops[:, None] * rot.UP


def _measure_ends(walker: _Walker, index: int, heights: _Heights) -> _Ends:
    """What a planted foot is off the hanging one at foot-off and strike."""
    settings, step = walker.settings, STRIDING.step
    strike = walker.strikes[index]
    off = strike + settings.duty
    # A foot stands up to foot-off and from the strike on, so rates are taken on those sides.
    phases = np.array([off - step, off - 0.1 * step, strike + 0.1 * step, strike + step])
    away = walker.plant(index, phases).ankles - _hang_foot(walker, index, heights, phases)
    rate = (1.0 - settings.duty) / (0.9 * step)
    # Feet do not glide onto the ground: they come down on it.
    fall = STRIDING.fall * walker.rig.legs[index].length * rot.UP
    return _Ends(away[1], (away[1] - away[0]) * rate, away[2], (away[3] - away[2]) * rate - fall)


def _find_rise(
    walker: _Walker, index: int, heights: _Heights, ends: _Ends
) -> tuple[FloatArray, FloatArray]:
    """Shares of the swing, and how far a foot is lifted there for its sole to clear the ground."""
    settings, rig, leg = walker.settings, walker.rig, walker.rig.legs[index]
    swing = np.linspace(0.0, 1.0, STRIDING.grid + 1)
    phases = walker.strikes[index] + settings.duty + (1.0 - settings.duty) * swing
    # Both ends lie in the swing.
    phases = phases + np.linspace(1e-9, -1e-9, len(phases))
    path = _swing_foot(walker, index, heights, ends, phases)
    lows = measure_soles(rig, leg, path) - rig.ground_height
    shape = compute_rise(swing)
    asked = rot.step_cubic(swing / STRIDING.clear_from)
    asked = asked * rot.step_cubic((1.0 - swing) / STRIDING.clear_to)
    asked = settings.clearance * leg.length * asked
    samples = round(STRIDING.clear_width * STRIDING.grid)
    needed = find_sliding_maximum(np.maximum(asked - lows, 0.0), samples)
    edge = rot.step_cubic(swing / STRIDING.clear_edge)
    edge = edge * rot.step_cubic((1.0 - swing) / STRIDING.clear_edge)
    return swing, edge * blur_hann(needed, samples) + settings.lift * leg.length * shape


def _hold_back(walker: _Walker, leg: Leg, hips: FloatArray, ankles: FloatArray) -> FloatArray:
    """Ankles in the air no farther from the hips than the leg is long when straight, softly."""
    most = walker.settings.stretch * measure_straight(walker.rig, leg)
    way = ankles - hips
    distance = rot.lengths(way)
    soft = STRIDING.soft * most
    over = np.maximum(distance - most + soft, 0.0)
    held = np.where(over > 0.0, most - soft * np.exp(-over / soft), distance)
    return hips + way * (held / np.maximum(distance, np.finfo(float).tiny))[:, None]
