# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When a plan uses the footsteps of a character, kept on them."""

from __future__ import annotations

from collections.abc import Mapping

import bpy
import numpy as np

from ..blender.footsteps.objects import list_footsteps, set_step_contact
from ..core.footsteps.timing import StepTiming
from ..core.walk import WalkPlan
from .limits import FOOTSTEP_WALK


def write_contacts(armature: bpy.types.Object, plan: WalkPlan) -> None:
    """Keep on the footsteps of a character when a plan brings its feet down and lifts them.

    Feet that are not lifted any more stay until the plan ends.
    """
    places = _list_places(plan)
    contacts = [plan.steps.measure_contacts(leg) for leg in range(len(plan.prints.rows))]
    end = float(plan.times.grid.times[-1])
    for item in list_footsteps(armature):
        place = places.get(item.name) or _find_print(plan, item.locomotion_footstep.identifier)
        if place is None:
            set_step_contact(item, np.nan, np.nan)
        else:
            leg, index = place
            start, lifted = contacts[leg][index]
            set_step_contact(item, start, lifted if np.isfinite(lifted) else max(start, end))


def _find_print(plan: WalkPlan, identifier: str) -> tuple[int, int] | None:
    """Leg and index of a planned print by its name; None where the plan has no such."""
    leg, _, number = identifier.partition(":")
    if not identifier or int(leg) >= len(plan.prints.rows):
        return None
    row = plan.prints.rows[int(leg)]
    index = int(number) - row.first
    return (int(leg), index) if 0 <= index < len(row.times) else None


def find_timing_errors(
    plan: WalkPlan, timings: Mapping[str, StepTiming]
) -> dict[str, tuple[float, float]]:
    """By how much footsteps start later and last longer than was set by hand, seconds.

    Parameters
    ----------
    plan
        A walk along footsteps.
    timings
        What was set, by the names of the footsteps.

    Returns
    -------
    dict
        By name, for those that are off by more than a little and not by so much that the walk cannot
        meet it; 0 where nothing was set.
    """
    places = _list_places(plan)
    contacts = [plan.steps.measure_contacts(leg) for leg in range(len(plan.prints.rows))]
    errors = {}
    for name, timing in timings.items():
        if not timing.is_set or name not in places:
            continue
        leg, index = places[name]
        start, end = contacts[leg][index]
        found = np.array(
            [
                0.0 if timing.start is None else start - timing.start,
                0.0 if timing.duration is None else end - start - timing.duration,
            ]
        )
        found[~np.isfinite(found) | (np.abs(found) > FOOTSTEP_WALK.unmet)] = 0.0
        if np.abs(found).max() > FOOTSTEP_WALK.met:
            errors[name] = (float(found[0]), float(found[1]))
    return errors


def _list_places(plan: WalkPlan) -> dict[str, tuple[int, int]]:
    """Leg and index of the print that each kept footstep claims, by its name."""
    return {
        step.name: place
        for step, place in zip(plan.claims.steps, plan.claims.prints, strict=True)
        if place is not None
    }
