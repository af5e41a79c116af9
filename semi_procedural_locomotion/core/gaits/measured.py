# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How measured people walk and run, by speed (numpy only).

Angles are waves over a cycle that begins where the leg in question strikes; speeds are shares of
``sqrt(g h)`` with h the height of the hips, so that people of any size are alike
(docs/method/gaits.md, Measured people). The sources are named in docs/method/sources.md,
Measured walks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..maths.constants import STANDARD_GRAVITY
from ..maths.rotations import FloatArray

# Metres: the height of the hips of the adults who were measured.
_ADULT_HIPS = 0.9


@dataclass(frozen=True)
class Waves:
    """A periodic angle: ``mean + sum of amplitude_k cos(2 pi k u + phase_k)``, degrees.

    Attributes
    ----------
    mean
        Degrees.
    parts
        Amplitude and phase of each harmonic from the first on, degrees.
    """

    mean: float
    parts: tuple[tuple[float, float], ...] = ()

    def compute(self, phases: FloatArray) -> FloatArray:
        """The angle at phases (S,) since the strike, radians, shape (S,)."""
        total = np.full_like(phases, self.mean)
        for wave, (amplitude, phase) in enumerate(self.parts, start=1):
            total = total + amplitude * np.cos(2.0 * np.pi * wave * phases + np.radians(phase))
        return np.radians(total)

    def swing_by(self, factor: float) -> Waves:
        """The same with so many times the swing about its mean."""
        return Waves(self.mean, tuple((factor * size, phase) for size, phase in self.parts))

    def scale(self, factor: float) -> Waves:
        """So many times the angle."""
        return replace(self.swing_by(factor), mean=factor * self.mean)


@dataclass(frozen=True)
class GaitCurves:
    """Angles of people over a cycle.

    Attributes
    ----------
    thigh
        Of the line from hip to knee against the vertical, knee ahead positive.
    pitch
        Of the foot, toes up positive.
    pelvis_roll, pelvis_yaw, chest_yaw
        Own side up, and own side ahead positive.
    """

    thigh: Waves
    knee: Waves
    pitch: Waves
    pelvis_roll: Waves
    pelvis_yaw: Waves
    chest_yaw: Waves


@dataclass(frozen=True)
class _Measured:
    """Curves at one speed, share of ``sqrt(g h)``."""

    speed: float
    curves: GaitCurves


# Adults at their own speed (Bovi 2011), and what children change with speed (Schwartz 2008).
_WALKS = (
    _Measured(
        0.19,
        GaitCurves(
            thigh=Waves(4.6, ((14.3, 10), (3.5, 93), (0.9, -145), (0.2, -42))),
            knee=Waves(17.8, ((17.4, 94), (9.8, -180), (4.6, -112), (1.3, -65), (0.8, -83))),
            pitch=Waves(-10.5, ((18.7, -60), (13.1, 34), (4.9, 108), (0.7, 155), (0.7, 45))),
            pelvis_roll=Waves(0.0, ((2.0, -17), (0.0, 0), (0.5, 177))),
            pelvis_yaw=Waves(0.0, ((5.2, -64),)),
            chest_yaw=Waves(0.0, ((1.3, 149),)),
        ),
    ),
    _Measured(
        0.295,
        GaitCurves(
            thigh=Waves(6.4, ((17.9, 15), (3.6, 140), (1.6, -101), (0.2, -28))),
            knee=Waves(21.7, ((20.5, 101), (13.5, -159), (5.2, -91), (0.8, -77), (1.1, -98))),
            pitch=Waves(-13.7, ((25.6, -51), (17.5, 51), (5.2, 144), (1.5, -14), (1.9, 75))),
            pelvis_roll=Waves(0.0, ((2.1, -40), (0.0, 0), (1.0, -170))),
            pelvis_yaw=Waves(0.0, ((4.6, -46),)),
            chest_yaw=Waves(0.0, ((2.4, -177),)),
        ),
    ),
    _Measured(
        0.43,
        GaitCurves(
            thigh=Waves(6.6, ((21.2, 12), (3.8, 167), (1.7, -102), (0.2, -134))),
            knee=Waves(24.6, ((20.9, 98), (15.9, -152), (5.0, -99), (1.2, -116), (1.2, -100))),
            pitch=Waves(-17.6, ((31.7, -47), (19.1, 57), (4.3, 158), (2.6, 20), (1.8, 101))),
            pelvis_roll=Waves(0.0, ((2.8, -49), (0.0, 0), (1.2, -169))),
            pelvis_yaw=Waves(0.0, ((5.4, -29),)),
            chest_yaw=Waves(0.0, ((4.0, -173),)),
        ),
    ),
    _Measured(
        0.57,
        GaitCurves(
            thigh=Waves(6.5, ((24.4, 11), (4.2, -178), (1.8, -100), (0.3, -154))),
            knee=Waves(25.7, ((21.0, 94), (17.3, -147), (4.9, -99), (1.2, -129), (1.2, -99))),
            pitch=Waves(-20.2, ((34.7, -43), (19.3, 64), (3.5, 171), (3.1, 36), (1.5, 121))),
            pelvis_roll=Waves(0.0, ((4.1, -52), (0.0, 0), (1.3, -178))),
            pelvis_yaw=Waves(0.0, ((6.6, -21),)),
            chest_yaw=Waves(0.0, ((5.7, -171),)),
        ),
    ),
    _Measured(
        0.72,
        GaitCurves(
            thigh=Waves(5.6, ((26.4, 14), (4.4, -176), (1.6, -109), (0.4, -160))),
            knee=Waves(25.1, ((23.4, 89), (17.2, -146), (4.4, -101), (1.2, -139), (1.0, -89))),
            pitch=Waves(-21.2, ((36.8, -41), (18.3, 71), (2.4, -179), (2.9, 49), (0.9, 135))),
            pelvis_roll=Waves(0.0, ((5.1, -58), (0.0, 0), (1.2, 160))),
            pelvis_yaw=Waves(0.0, ((7.2, -8),)),
            chest_yaw=Waves(0.0, ((7.8, -166),)),
        ),
    ),
)

# Runners at 2.5 and 3.5 m/s (Fukuchi 2017); thigh and foot of the slower from the joints.
_RUNS = (
    _Measured(
        0.841,
        GaitCurves(
            thigh=Waves(6.5, ((21.5, 29), (5.5, -166), (2.4, -158), (0.2, 28))),
            knee=Waves(43.9, ((27.3, 112), (24.4, -137), (3.8, -162), (1.4, -137), (0.6, -170))),
            pitch=Waves(-27.9, ((46.0, -28), (13.3, 77), (3.6, 83), (2.6, 39), (0.6, 88))),
            pelvis_roll=Waves(0.0, ((4.0, -52), (0.0, 0), (1.0, -178))),
            pelvis_yaw=Waves(0.0, ((4.5, 10),)),
            chest_yaw=Waves(0.0, ((10.0, 180),)),
        ),
    ),
    _Measured(
        1.178,
        GaitCurves(
            thigh=Waves(7.6, ((27.6, 39), (8.3, -132), (3.0, -134), (0.1, -138))),
            knee=Waves(47.2, ((35.1, 120), (26.6, -120), (5.3, -155), (1.0, -151), (1.1, -131))),
            pitch=Waves(-41.2, ((56.9, -19), (9.4, 94), (3.6, 119), (3.8, 59), (0.2, 73))),
            pelvis_roll=Waves(0.0, ((4.0, -52), (0.0, 0), (1.0, -178))),
            pelvis_yaw=Waves(0.0, ((5.0, 10),)),
            chest_yaw=Waves(0.0, ((12.0, 180),)),
        ),
    ),
)

# Runs: speeds, metres a second, and what belongs to them (Fukuchi 2017).
_RUN_SPEEDS = (2.5, 3.5, 4.5)
_RUN_STRIDES = (0.745, 0.703, 0.657)
_RUN_DUTIES = (0.352, 0.33, 0.322)


@dataclass(frozen=True)
class StepPace:
    """Record of how people step at a speed.

    Attributes
    ----------
    period
        Share of ``sqrt(h / g)``.
    stride
        Share of h.
    duty
        Share of the cycle that a foot stands.
    """

    period: float
    stride: float
    duty: float


def measure_speed(speed: float, hip_height: float) -> float:
    """A speed, metres a second, as a share of ``sqrt(g h)``, h in metres."""
    return float(speed / np.sqrt(STANDARD_GRAVITY * hip_height))


def find_walk_curves(speed: float) -> GaitCurves:
    """Curves of walkers at a speed, share of ``sqrt(g h)``; at the ends those of the last class."""
    return _find_curves(_WALKS, speed)


def find_run_curves(speed: float) -> GaitCurves:
    """Curves of runners at a speed, share of ``sqrt(g h)``; at the ends those of the last class."""
    return _find_curves(_RUNS, speed)


def find_walk_pace(speed: float) -> StepPace:
    """Steps of walkers at a speed, share of ``sqrt(g h)`` (docs/method/gaits.md, Measured people)."""
    stride = 2.0 * 1.12 * speed**0.51
    adult = speed * np.sqrt(STANDARD_GRAVITY * _ADULT_HIPS)
    duty = 0.603 - 0.05 * (adult - 1.24)
    return StepPace(stride / speed, stride, float(np.clip(duty, 0.55, 0.68)))


def find_run_pace(speed: float) -> StepPace:
    """Steps of runners at a speed, share of ``sqrt(g h)``."""
    adult = speed * np.sqrt(STANDARD_GRAVITY * _ADULT_HIPS)
    seconds = float(np.interp(adult, _RUN_SPEEDS, _RUN_STRIDES))
    period = seconds / np.sqrt(_ADULT_HIPS / STANDARD_GRAVITY)
    return StepPace(
        float(period), float(period * speed), float(np.interp(adult, _RUN_SPEEDS, _RUN_DUTIES))
    )


def _find_curves(classes: tuple[_Measured, ...], speed: float) -> GaitCurves:
    """Curves between two classes of speed."""
    speeds = [entry.speed for entry in classes]
    place = float(np.interp(speed, speeds, np.arange(len(speeds))))
    low = min(int(place), len(classes) - 2)
    share = place - low
    slow, quick = classes[low].curves, classes[low + 1].curves
    return replace(
        slow,
        **{name: _mix(getattr(slow, name), getattr(quick, name), share) for name in vars(slow)},
    )


def _mix(a: Waves, b: Waves, share: float) -> Waves:
    """Waves between two, harmonic by harmonic."""
    parts = []
    for wave in range(max(len(a.parts), len(b.parts))):
        ends = [
            w.parts[wave][0] * np.exp(1j * np.radians(w.parts[wave][1]))
            if wave < len(w.parts)
            else 0.0
            for w in (a, b)
        ]
        mean = (1.0 - share) * ends[0] + share * ends[1]
        parts.append((float(np.abs(mean)), float(np.degrees(np.angle(mean)))))
    return Waves((1.0 - share) * a.mean + share * b.mean, tuple(parts))
