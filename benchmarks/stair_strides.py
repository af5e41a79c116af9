# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Strides of the demo's person on stairs as the scene shows them, for docs/method/images/made_stairs.svg.

Run from the project's root with a bpy wheel: ``python -m benchmarks.stair_strides``; then
``tools/figures.py`` draws them. Stairs and meter are those of ``tests/api/test_measured_stairs.py``.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import bpy
import numpy as np

import semi_procedural_locomotion
from tests.api.test_measured_stairs import see_stairs

TABLE = Path(__file__).with_suffix(".csv")
DIRECTIONS, JOINTS = ("up", "down"), ("hip", "knee", "ankle")
# Percents of a stride between two values that are kept.
STEP = 2


def main() -> int:
    """Write the strides and tell their peaks."""
    semi_procedural_locomotion.register()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    seen = see_stairs()
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["direction", "joint", "stride", *range(0, 101, STEP)])
        for direction in DIRECTIONS:
            for joint in JOINTS:
                curves = seen[direction].curves[joint]
                for stride, curve in enumerate(curves):
                    rows.writerow([direction, joint, stride, *np.round(curve[::STEP], 1)])
                highest = ", ".join(f"{value:.0f}" for value in curves.max(axis=1))
                lowest = ", ".join(f"{value:.0f}" for value in curves.min(axis=1))
                sys.stdout.write(f"{direction} {joint}: highest {highest}; lowest {lowest}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
