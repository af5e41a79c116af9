# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo's person on ramps beside people, as the scene shows it, for docs/method/gaits.md, Slopes.

Run from the project's root with a bpy wheel: ``python -m benchmarks.slopes``. The meter is that of
``tests/stair_meters.py``, which knows nothing of the project.

Strides and stances are those of J. R. Franz and R. Kram, Gait Posture 35, 2012, at 1.25 m/s; angles for
a degree of slope are of A. S. McIntosh and others, J Biomech 39, 2006, and A. Leroux and others, Gait
Posture 15, 2002, as far as they are remembered.
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
    """A walk on a ramp, beyond the level before it.

    Attributes
    ----------
    stride
        Its length as seen from above, a share of that on the level.
    stance
        Seconds that a foot stands.
    lean
        Trunk ahead, degrees.
    hip, knee, ankle
        Degrees at the strike.
    loading
        Degrees of the knee's highest between 8 and 25 percent of the stride.
    """

    stride: float
    stance: float
    lean: float
    hip: float
    knee: float
    ankle: float
    loading: float


# People: stride of that on the level and seconds of the stance by grade; least and most degrees for each
# degree up and down, of the trunk ahead and of the joints.
PEOPLE = {
    -9.0: (0.94, 0.60),
    -6.0: (0.955, 0.62),
    -3.0: (0.985, 0.64),
    3.0: (1.02, 0.66),
    6.0: (1.02, 0.65),
    9.0: (1.015, 0.65),
}
UP = {"lean": (0.5, 1.0), "hip": (1.5, 2.0), "knee": (2.0, 2.0)}
DOWN = {"lean": (-0.4, -0.2), "knee": (0.0, 0.0), "ankle": (0.0, 0.0), "loading": (1.0, 1.5)}


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
        stride=float(ramp.ways.mean() / level.ways.mean()),
        stance=float((ramp.duties * ramp.ways).mean() / SPEED),
        lean=ramp.lean,
        hip=differ("hip", 0, 1),
        knee=differ("knee", 0, 1),
        ankle=differ("ankle", 0, 1),
        loading=differ("knee", 8, 25),
    )


def tell_people(degrees: float, name: str) -> str:
    """What people have beyond the level on a grade, as far as it is known."""
    band = (UP if degrees > 0.0 else DOWN).get(name)
    if band is None:
        return "-"
    low, high = (abs(degrees) * end for end in band)
    return f"{low:.0f}" if low == high else f"{low:.0f} to {high:.0f}"


def main() -> int:
    """Write the table, people's numbers in brackets."""
    semi_procedural_locomotion.register()
    joints = ("lean", "hip", "knee", "ankle", "loading")
    sys.stdout.write(
        "| grade | stride | stance, s | trunk | hip | knee | ankle | knee, loading |\n"
    )
    sys.stdout.write("|---|---|---|---|---|---|---|---|\n")
    for degrees in GRADES:
        seen, (stride, stance) = see_slope(degrees), PEOPLE[degrees]
        cells = [f"{degrees:+.0f}", f"{seen.stride:.2f} ({stride:.2f})"]
        cells.append(f"{seen.stance:.2f} ({stance:.2f})")
        cells += [f"{getattr(seen, name):+.0f} ({tell_people(degrees, name)})" for name in joints]
        sys.stdout.write(f"| {' | '.join(cells)} |\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
