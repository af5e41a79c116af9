# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All numbers by which legs are found, each with its unit, its reason and where it comes from.

The records follow the order of the search: `ground` (what is in use and touches the ground),
`feet` (detached feet, ankles), `limbs` (pairs, joints, levels), `motion` (steps, choice of the clip,
forward) and `results` (soles, ground of the rig, confidence). The numbers were tuned on 80 armatures
of many makers and tried on 60 others; where one rig alone asked for a number its kind is named.

Lengths are shares, so that a mouse and a giant are found alike: S is the size of the body (height of
the mesh, or the largest extent of the joints), H the height of its highest joint above the ground, L
the length of a leg from hip to ankle.
"""

from __future__ import annotations

from .feet import ANKLES, ENDS, GIRTHS, HULLS, MOTION_LINKS, REST_LINKS
from .ground import FORKS, GROUND, TWINS, USE
from .limbs import FOLLOWING, JOINTS, LEVELS, PAIRS, SINGLES
from .motion import CLIP_NAMES, CLIP_SCORES, FACING, LOADS, STEPPING
from .results import CANDIDATES, DOUBTS, LEG_RECORDS, RIG_GROUND, SOLES, STANDING_READING

__all__ = [
    "ANKLES",
    "CANDIDATES",
    "CLIP_NAMES",
    "CLIP_SCORES",
    "DOUBTS",
    "ENDS",
    "FACING",
    "FOLLOWING",
    "FORKS",
    "GIRTHS",
    "GROUND",
    "HULLS",
    "JOINTS",
    "LEG_RECORDS",
    "LEVELS",
    "LOADS",
    "MOTION_LINKS",
    "PAIRS",
    "REST_LINKS",
    "RIG_GROUND",
    "SINGLES",
    "SOLES",
    "STANDING_READING",
    "STEPPING",
    "TINY",
    "TWINS",
    "USE",
]

# Keeps quotients and directions of nothing finite; no rig comes near it.
TINY = 1e-9
