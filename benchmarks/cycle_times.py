# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules for the time of a cycle, held against people: ``python -m benchmarks.cycle_times``.

Prints a table; needs no Blender.
"""

from __future__ import annotations

import numpy as np

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.walk import WalkPlan
from tests.core.walkers import facing_of, make_walker, native_walk

from .courses_core import Piece, Section, make_course, measure_sections

RULES = {
    "strides": PlanSettings(),
    "accelerations, 5 m/s": PlanSettings(cycle_time="accelerations", max_speed_change=5.0),
    "accelerations, 1 m/s": PlanSettings(cycle_time="accelerations", max_speed_change=1.0),
}
SHOWN = ("start", "walk", "stop", "arc", "hairpin", "slow")
# Of people: length of a step over the leg's is this times a power of v / sqrt(g L); slower is no walk.
_FACTOR, _POWER, _SLOWEST = 1.12, 0.51, 0.12
_GRAVITY, _LEG = 9.81, 0.9


def list_pieces(walk: float) -> list[Piece]:
    """Starts, stops, an arc, a hairpin and a slow walk, at a speed in metres a second."""
    return [
        Piece("stand", 1.0),
        Piece("start", 2.0, walk),
        Piece("walk", 3.0, walk),
        Piece("stop", 2.0),
        Piece("rest", 2.0),
        Piece("start again", 2.0, walk),
        Piece("arc", 3.0, walk, 0.0, 60.0),
        Piece("straight", 2.0, walk),
        Piece("hairpin", 2.0, 0.5 * walk, 0.0, 90.0),
        Piece("slow", 3.0, 0.4 * walk),
        Piece("last stop", 2.0),
    ]


def compare_steps(plan: WalkPlan, section: Section) -> np.ndarray:
    """Length of each step that begins in a section over that of people, shape (n,)."""
    length = plan.tables.rig.leg_length
    times = np.sort(np.concatenate([row.times[~row.parked] for row in plan.prints.rows]))
    lasting = np.diff(times)
    places, _ = plan.travel.evaluate(times)
    ways = np.hypot(*np.diff(places[:, :2], axis=0).T)
    # Over sqrt(g L), with a gravity of the character's own size.
    speeds = ways / np.maximum(lasting, 1e-9) / (length * np.sqrt(_GRAVITY / _LEG))
    inside = (times[:-1] >= section.start) & (times[:-1] < section.end) & (speeds > _SLOWEST)
    return ways[inside] / (_FACTOR * length * speeds[inside] ** _POWER)


def list_rows() -> list[str]:
    """The table."""
    rig, motions = make_walker(("walk",))
    walk = native_walk(motions)
    travel, sections = make_course(list_pieces(walk.speed), walk.period, facing_of(walk))
    rows = [
        f"| cycle time | {' | '.join(SHOWN)} | off people | knee | slide | missed |",
        "|---" * (len(SHOWN) + 5) + "|",
    ]
    for name, settings in RULES.items():
        plan = make_plan(rig, motions, travel, FlatGround(), settings)
        measured = measure_sections(plan, [s for s in sections if s.name in SHOWN])
        reports = [entry.report for entry in measured]
        shares = {entry.name: compare_steps(plan, entry) for entry in sections}
        told = [f"{shares[part].mean():.2f}" if len(shares[part]) else "" for part in SHOWN]
        every = np.concatenate([shares[part] for part in SHOWN])
        knee = max(report.knee_speed_ratio or 0.0 for report in reports)
        slide = max(report.slide_worst for report in reports)
        missed = sum(report.targets_missed for report in reports)
        off = f"{np.abs(np.log(every)).mean():.1%}"
        rows.append(
            f"| {name} | {' | '.join(told)} | {off} | {knee:.2f} | {slide:.2%} | {missed} |"
        )
    return rows


if __name__ == "__main__":
    print("\n".join(list_rows()))
