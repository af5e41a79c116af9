# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Set-up, analysis, planning and baking as plain functions on Blender objects.

Panels, operators, the command line and users' own scripts all call these. Every function raises a
child of `LocomotionError` whose message names the thing and the cure.
"""

from __future__ import annotations

from ..core.contacts.edits import ContactEdit
from ..requests.plans import PlanRequest, PlanSettings
from ..requests.travels import (
    AlongCurve,
    AlongFootsteps,
    AlongPoints,
    AsBone,
    AsObject,
    SpeedKeys,
    StraightAhead,
)
from .analyses import analyze_actions
from .bake_writing import bake_character
from .baking import BakeRequest, BakeResult, remove_bake
from .characters import (
    Character,
    MotionChoice,
    MotionFinding,
    find_character,
    make_motion_set,
)
from .files import bake_blend, bake_job, inspect_file, report_file, verify_file
from .fixed_files import fix_file
from .fixing import FixRequest, FixResult, fix_feet
from .inspection import inspect_armature
from .motion_choosing import tick_motions
from .planning import plan_walk
from .reports import MeasuredWalk, measure_baked
from .sections import Section, bake_section, bake_sections, list_sections, remove_section
from .set_up_work import is_set_up
from .setups import analyze_set_up, bake_set_up, is_baked, set_up

__all__ = [
    "AlongCurve",
    "AlongFootsteps",
    "AlongPoints",
    "AsBone",
    "AsObject",
    "BakeRequest",
    "BakeResult",
    "Character",
    "ContactEdit",
    "FixRequest",
    "FixResult",
    "MeasuredWalk",
    "MotionChoice",
    "MotionFinding",
    "PlanRequest",
    "PlanSettings",
    "Section",
    "SpeedKeys",
    "StraightAhead",
    "analyze_actions",
    "analyze_set_up",
    "bake_blend",
    "bake_character",
    "bake_job",
    "bake_section",
    "bake_sections",
    "bake_set_up",
    "find_character",
    "fix_feet",
    "fix_file",
    "inspect_armature",
    "inspect_file",
    "is_baked",
    "is_set_up",
    "list_sections",
    "make_motion_set",
    "measure_baked",
    "plan_walk",
    "remove_bake",
    "remove_section",
    "report_file",
    "set_up",
    "tick_motions",
    "verify_file",
]
