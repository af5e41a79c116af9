# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels through every kind of move in one go, and the numbers of a walk section by section."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.planned.metrics import WalkReport, measure_walk
from benchmarks.planned.recording import record_walk
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.maths.rotations import FloatArray
from semi_procedural_locomotion.core.plan import solve_poses
from semi_procedural_locomotion.core.rig.crossing import LegGaps, list_partners, measure_leg_gaps
from semi_procedural_locomotion.core.travel.way import Travel
from semi_procedural_locomotion.core.walk import WalkPlan

# Samples a second of the travel, and the share of a cycle in which a piece reaches its speed.
FRAME_RATE = 30.0
_RATE = 240.0
_RAMP = 0.75


@dataclass(frozen=True)
class Piece:
    """One stretch of a course at constant speed and turn, which it reaches by a smooth ramp.

    Attributes
    ----------
    name
        Of the section.
    cycles
        Duration in cycles of the walk.
    ahead, left
        Speed in the character's axes, metres a second.
    turn
        Degrees in one cycle of the walk, positive to the left.
    """

    name: str
    cycles: float
    ahead: float = 0.0
    left: float = 0.0
    turn: float = 0.0


@dataclass(frozen=True)
class Section:
    """Name, start and end of a piece, seconds."""

    name: str
    start: float
    end: float


@dataclass(frozen=True)
class SectionReport:
    """The numbers of one section.

    Attributes
    ----------
    section
        Which.
    report
        Of the solved walk in it.
    gaps, source_gaps
        Distances between partner legs, solved and in the blended motions alone.
    """

    section: Section
    report: WalkReport
    gaps: LegGaps
    source_gaps: LegGaps


def list_pieces(walk: float, run: float) -> list[Piece]:
    """Start, walk, arc, S-curve, side steps, diagonal, backward, slow, run, stop, turns, rest, start.

    Parameters
    ----------
    walk, run
        Speeds, metres a second.
    """
    return [
        Piece("stand", 1.0),
        Piece("start", 2.0, walk),
        Piece("walk", 3.0, walk),
        Piece("arc", 4.0, walk, 0.0, 45.0),
        Piece("S-curve right", 2.0, walk, 0.0, -60.0),
        Piece("S-curve left", 2.0, walk, 0.0, 60.0),
        Piece("straight", 1.5, walk),
        Piece("side left", 3.0, 0.0, 0.6 * walk),
        Piece("side right", 3.0, 0.0, -0.6 * walk),
        Piece("diagonal", 2.5, 0.7 * walk, 0.5 * walk),
        Piece("backward", 3.0, -0.65 * walk),
        Piece("slow", 3.0, 0.3 * walk),
        Piece("tenth", 3.0, 0.1 * walk),
        Piece("to run", 3.0, run),
        Piece("run", 2.0, run),
        Piece("run arc", 2.0, run, 0.0, 40.0),
        Piece("brake", 2.0, walk),
        Piece("stop", 2.0),
        Piece("turn left", 3.0, 0.0, 0.0, 60.0),
        Piece("turn right", 3.0, 0.0, 0.0, -90.0),
        Piece("halt", 1.5),
        Piece("stand long", 5.0),
        Piece("second start", 3.0, 1.2 * walk),
        Piece("second stop", 2.5),
    ]


def make_course(
    pieces: Sequence[Piece], period: float, facing: float, start: float = 0.0
) -> tuple[Travel, list[Section]]:
    """Travel through some pieces.

    Parameters
    ----------
    pieces
        One after the other.
    period
        Cycle time of the walk, seconds.
    facing
        Angle of the character's forward at rest from +X, radians.
    start
        Seconds at which the first piece begins.
    """
    times, rates, sections = [], [], []
    now, present = start, np.zeros(3)
    for piece in pieces:
        duration = piece.cycles * period
        elapsed = np.arange(round(duration * _RATE)) / _RATE
        wanted = np.array([piece.ahead, piece.left, np.radians(piece.turn) / period])
        share = rot.step_quintic(elapsed / min(_RAMP * period, duration))[:, None]
        times.append(now + elapsed)
        rates.append(present + (wanted - present) * share)
        sections.append(Section(piece.name, now, now + len(elapsed) / _RATE))
        now, present = now + len(elapsed) / _RATE, wanted
    clock = np.append(np.concatenate(times), now)
    rate = np.concatenate([*rates, present[None]])
    yaws = _integrate(rate[:, 2])
    cosine, sine = np.cos(yaws + facing), np.sin(yaws + facing)
    x = _integrate(rate[:, 0] * cosine - rate[:, 1] * sine)
    y = _integrate(rate[:, 0] * sine + rate[:, 1] * cosine)
    return Travel(clock, np.stack([x, y, np.zeros_like(x)], axis=1), yaws), sections


def _integrate(rates: FloatArray) -> FloatArray:
    """Integral by the trapezoid rule, starting at 0."""
    return np.concatenate([[0.0], np.cumsum(0.5 * (rates[1:] + rates[:-1]) / _RATE)])


def measure_sections(
    plan: WalkPlan, sections: Sequence[Section], frame_rate: float = FRAME_RATE
) -> list[SectionReport]:
    """Solve and measure a walk section by section."""
    rig = plan.tables.small_rig
    reports = []
    for section in sections:
        first = int(np.ceil(section.start * frame_rate))
        frames = np.arange(first, int(np.floor(section.end * frame_rate)) + 1)
        walk = solve_poses(plan, frames / frame_rate)
        reports.append(
            SectionReport(
                section=section,
                report=measure_walk(rig, record_walk(plan, walk, frames), plan.ground),
                gaps=measure_leg_gaps(rig, walk.rotations, walk.positions, list_partners(rig)),
                source_gaps=measure_leg_gaps(
                    rig, walk.source_rotations, walk.source_positions, list_partners(rig)
                ),
            )
        )
    return reports
