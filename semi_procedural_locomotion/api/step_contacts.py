# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When a plan uses the footsteps of a character, kept on them."""

from __future__ import annotations

import bpy
import numpy as np

from ..blender.footsteps import list_footsteps
from ..blender.step_times import set_step_contact
from ..core.plan import WalkPlan
from ..core.print_contacts import measure_contacts


def write_contacts(armature: bpy.types.Object, plan: WalkPlan) -> None:
    """Keep on the footsteps of a character when a plan brings its feet down and lifts them."""
    places = {
        step.name: place
        for step, place in zip(plan.claims.steps, plan.claims.prints, strict=True)
        if place is not None
    }
    contacts = [
        measure_contacts(plan.times, row, keys, leg)
        for leg, (row, keys) in enumerate(zip(plan.prints.rows, plan.step_keys, strict=True))
    ]
    for item in list_footsteps(armature):
        place = places.get(item.name) or _find_print(plan, item.locomotion_footstep.identifier)
        if place is None:
            set_step_contact(item, np.nan, np.nan)
        else:
            leg, index = place
            set_step_contact(item, contacts[leg][0][index], contacts[leg][1][index])


def _find_print(plan: WalkPlan, identifier: str) -> tuple[int, int] | None:
    """Leg and index of a planned print by its name; None where the plan has no such."""
    leg, _, number = identifier.partition(":")
    if not identifier or int(leg) >= len(plan.prints.rows):
        return None
    row = plan.prints.rows[int(leg)]
    index = int(number) - row.first
    return (int(leg), index) if 0 <= index < len(row.times) else None
