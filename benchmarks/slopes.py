# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo's person on ramps, as the scene shows it, for docs/method/gaits.md, Slopes.

Run from the project's root with a bpy wheel: ``python -m benchmarks.slopes``. The meter is that of
``tests/stair_meters.py``, which knows nothing of the project.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import bpy
import numpy as np

import semi_procedural_locomotion
from semi_procedural_locomotion.api import bake_set_up
from semi_procedural_locomotion.api.cycles import CycleChoice, make_cycles
from semi_procedural_locomotion.core.gaits.fitting import GaitStyle
from semi_procedural_locomotion.demo.characters import CHARACTER_SHAPES, create_character
from tests.gait_meters import WALKER
from tests.meters import mesh_heights
from tests.scenes import add_mesh, select_only
from tests.stair_meters import see_climbs

GRADES = (-9.0, -6.0, -3.0, 3.0, 6.0, 9.0)
# Metres a second; metres of the level before, and of the ramp; seconds; frames a second.
SPEED, LEVEL, RAMP, SECONDS, RATE = 1.25, 4.0, 12.0, 13, 50


@dataclass(frozen=True)
class SeenSlope:
    """A walk on a ramp: stride in metres; degrees of the trunk, and of hip and knee at the strike.

    ``loading`` is the knee's highest between 8 and 25 percent of the stride; what is beyond the level
    before the ramp is.
    """

    stride: float
    duty: float
    lean: float
    hip: float
    knee: float
    loading: float


def see_slope(degrees: float) -> SeenSlope:
    """The made walk on a ramp, metres and degrees beyond those of the level before it."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.render.fps = RATE
    armature = create_character(CHARACTER_SHAPES["biped"](), scene.collection)
    select_only(armature)
    make_cycles(armature, [CycleChoice("walk", GaitStyle(speed=SPEED)), CycleChoice("rest")])
    grade = np.radians(degrees)
    ways = np.array([-3.0, LEVEL, LEVEL + RAMP, 40.0])
    heights = np.tan(grade) * np.clip(ways - LEVEL, 0.0, RAMP)
    corners = [
        (side, -way, z) for way, z in zip(ways, heights, strict=True) for side in (-2.0, 2.0)
    ]
    ground = add_mesh(
        "Ground", corners, [(2 * n, 2 * n + 1, 2 * n + 3, 2 * n + 2) for n in range(3)]
    )
    last = SECONDS * RATE
    bake_set_up(armature, scene, (1, last))
    stretches = {"level": (1.0, LEVEL - 0.5), "ramp": (LEVEL + 2.0, LEVEL + RAMP - 2.0)}
    seen = see_climbs(armature, WALKER, range(1, last + 1), mesh_heights(ground), stretches)
    ramp, level = seen["ramp"], seen["level"]

    def differ(joint: str, first: int, stop: int) -> float:
        highest = [part.curves[joint][:, first:stop].max(axis=1).mean() for part in (ramp, level)]
        return float(highest[0] - highest[1])

    return SeenSlope(
        stride=float(ramp.rises.mean() / abs(np.sin(grade))),
        duty=float(ramp.duties.mean()),
        lean=ramp.lean,
        hip=differ("hip", 0, 1),
        knee=differ("knee", 0, 1),
        loading=differ("knee", 8, 25),
    )


def main() -> int:
    """Write the table."""
    semi_procedural_locomotion.register()
    sys.stdout.write("| grade | stride | stance | trunk | hip | knee | knee, loading |\n")
    sys.stdout.write("|---|---|---|---|---|---|---|\n")
    for degrees in GRADES:
        seen = see_slope(degrees)
        sys.stdout.write(
            f"| {degrees:+.0f} | {seen.stride:.2f} m | {seen.duty:.2f} | {seen.lean:+.1f} | "
            f"{seen.hip:+.0f} | {seen.knee:+.0f} | {seen.loading:+.0f} |\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
