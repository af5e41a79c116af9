# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Error, steps, time and limits of each way of inverse kinematics on the same 10,000 targets.

Run with ``python -m benchmarks.ik_solvers``; it needs numpy alone. ``-o FILE`` writes the table as a
page. Times are of the processor, of one core.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.ik_chain import solve_leg
from semi_procedural_locomotion.core.rig.solvers.chains import (
    Chain,
    JointRanges,
    make_limits,
    pose_chain,
    read_coordinates,
)
from semi_procedural_locomotion.core.rig.solvers.solving import Ending, solve_limited
from semi_procedural_locomotion.core.rig.solvers.steps import METHODS

TARGETS = 10_000
_NAMES = {
    "own": "analytic, hinge chain",
    "transpose": "Jacobian transpose",
    "pseudo_inverse": "pseudo-inverse",
    "damped": "damped least squares",
    "ccd": "CCD",
    "fabrik": "FABRIK",
}
_KEPT = 1e-6
_HEADER = (
    "| leg | way | error, mean | error, 95 % | reached | stuck | steps | time of 1,000 | limits kept |",
    "|---|---|---|---|---|---|---|---|---|",
)


class Case(NamedTuple):
    """A leg with limits, a pose to begin with, and targets that it can reach."""

    name: str
    chain: Chain
    limits: JointRanges
    start: np.ndarray
    targets: np.ndarray


def make_cases(count: int = TARGETS) -> list[Case]:
    """Legs of a person, an animal and a spider, a chain of balls, and one with a sliding joint."""
    person = _limit(2, {(0, 0): (-100, 45), (0, 1): (-35, 35), (0, 2): (-30, 30), (1, 0): (2, 140)})
    hind = _limit(
        4,
        {
            (0, 0): (-60, 60),
            (0, 1): (-20, 20),
            (0, 2): (-15, 15),
            (1, 0): (5, 120),
            (2, 0): (-120, -5),
            (3, 0): (-30, 60),
        },
    )
    spider = _limit(6, {(0, 2): (-50, 50), **{(bone, 0): (-50, 60) for bone in range(6)}})
    free = make_limits(5)
    free.lower[:, :3], free.upper[:, :3] = np.radians(-60.0), np.radians(60.0)
    slider = _limit(3, {(0, 0): (-80, 80), (0, 2): (-30, 30), (2, 0): (2, 130)})
    slider.free[1, 4], slider.lower[1, 4], slider.upper[1, 4] = True, -0.05, 0.15
    return [
        _make_case("person, 2 bones", person, (0.45, 0.42), (-20, 40), count),
        _make_case("hind leg, 4 bones", hind, (0.2, 0.3, 0.25, 0.12), (-30, 60, -60, 20), count),
        _make_case("spider, 6 bones", spider, (0.1, 0.3, 0.15, 0.3, 0.2, 0.1), (20,) * 6, count),
        _make_case("tail, 5 balls", free, (0.25,) * 5, (20,) * 5, count),
        _make_case("with a slide, 3 bones", slider, (0.3, 0.2, 0.4), (-20, 0, 40), count),
    ]


def _limit(bones: int, degrees: dict[tuple[int, int], tuple[float, float]]) -> JointRanges:
    """Joints that turn about the named axes alone, from and to some degrees."""
    limits = make_limits(bones)
    limits.free[:] = False
    for (bone, axis), (low, high) in degrees.items():
        limits.free[bone, axis] = True
        limits.lower[bone, axis], limits.upper[bone, axis] = np.radians([low, high])
    return limits


def _make_case(
    name: str,
    limits: JointRanges,
    lengths: tuple[float, ...],
    degrees: tuple[float, ...],
    count: int,
) -> Case:
    """A leg that hangs down, bent about x, and targets that its joints reach within their limits."""
    random = np.random.default_rng(7)
    offsets = np.zeros((count, len(lengths), 3))
    offsets[..., 1] = lengths
    rests = np.tile(rot.IDENTITY, (len(lengths), 1))
    rests[0] = rot.quaternions_from_axis_angles([1.0, 0.0, 0.0], -np.pi / 2)
    chain = Chain(np.zeros((count, 3)), np.tile(rot.IDENTITY, (count, 1)), rests, offsets)
    start = np.zeros((count, len(lengths), 6))
    start[..., 0] = np.radians(degrees)
    low, high = (np.where(limits.free, bound, 0.0) for bound in (limits.lower, limits.upper))
    wanted = low + (high - low) * random.uniform(size=start.shape)
    targets = pose_chain(chain, wanted).positions[:, -1]
    return Case(name, chain, limits, start, targets)


def measure(case: Case, way: str) -> str:
    """One row of the table."""
    limits, chain = case.limits, case.chain
    begin = time.process_time()
    if way == "own":
        pose = pose_chain(chain, case.start)
        hinge = rot.rotate(pose.bases[:, 0], np.array([1.0, 0.0, 0.0]))
        found = solve_leg(pose.positions, pose.rotations, case.targets, hinge)
        took = time.process_time() - begin
        coordinates = read_coordinates(found.rotations, chain.parents, chain.rests)
        missed, steps, stuck = found.unreached, "", ""
    else:
        solved = solve_limited(chain, limits, case.start, case.targets, way)
        took = time.process_time() - begin
        coordinates, missed = solved.coordinates, solved.missed
        steps = f"{solved.iterations.mean():.1f}"
        stuck = f"{100.0 * np.mean(solved.endings == Ending.STUCK):.1f} %"
    away = 100.0 * missed / chain.lengths
    locked = np.where(limits.free, 0.0, np.abs(coordinates - case.start))[..., :3].max(axis=(1, 2))
    kept = np.mean((limits.measure_excess(coordinates) < _KEPT) & (locked < _KEPT))
    return (
        f"| {case.name} | {_NAMES[way]} | {away.mean():.3f} % | {np.percentile(away, 95):.3f} % | "
        f"{100.0 * np.mean(away < 0.1):.1f} % | {stuck} | {steps} | "
        f"{1e6 * took / len(missed):.0f} ms | {100.0 * kept:.0f} % |"
    )


def main() -> None:
    """Measure all, and print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--targets", type=int, default=TARGETS)
    arguments = parser.parse_args()
    lines = list(_HEADER)
    for case in make_cases(arguments.targets):
        for way in ("own", *METHODS):
            lines.append(measure(case, way))
            print(lines[-1], flush=True)
    if arguments.output is not None:
        arguments.output.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
