# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What to mind about the ground of a walk, in words (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..maths import rotations as rot
from ..plan import WalkPlan

# Ground farther than this from the start, in lengths of the leg, was hardly meant.
_FAR = 3.0
# Ground that carries a foot so far from where the body goes, in lengths of the leg, is told of.
_CARRIED_OFF = 0.35
# A footstep so far from the ground under it, in lengths of the leg, was hardly meant.
_OFF_GROUND = 0.1
# From this far above its sole the ground under a footstep is looked for, lengths of the leg.
_ABOVE = 1.0
# Seconds between the instants that are looked at.
_INTERVAL = 1.0 / 24.0


def describe_far_ground(plan: WalkPlan, first: float) -> tuple[str, ...]:
    """A line where the walk begins far above or below the place that was given as its start.

    Parameters
    ----------
    plan
        The walk.
    first
        When it begins, seconds.
    """
    heights = []
    for row in plan.prints.rows:
        begun = np.flatnonzero(row.found & (row.times >= first))
        if len(begun):
            heights.append(row.positions[begun[0], 2])
    if not heights:
        return ()
    positions, _ = plan.travel.evaluate(np.array([first]))
    away = float(np.median(heights) - positions[0, 2])
    length = plan.tables.rig.leg_length
    if abs(away) <= _FAR * length:
        return ()
    side = "above" if away > 0 else "below"
    return (
        f"the ground at the start lies {abs(away):.3g} m {side} the character, "
        f"{abs(away) / length:.0f} lengths of its leg: move the character to the ground, "
        "or choose the ground that is meant",
    )


def describe_leaving_ground(
    plan: WalkPlan, names: Sequence[str], first: float, last: float
) -> tuple[str, ...]:
    """A line where moving ground carries standing feet away from the body, which stays behind.

    Parameters
    ----------
    plan
        The walk.
    names
        Of its legs.
    first, last
        Range of time that counts, seconds.
    """
    if not plan.ground.moving_surfaces():
        return ()
    times = np.arange(first, last, _INTERVAL)
    states = plan.read_states(times)
    places, _ = plan.travel.evaluate(times)
    worst, told = _CARRIED_OFF * plan.tables.rig.leg_length, ""
    for leg, name in enumerate(names):
        struck = states.flight[:, leg] >= 1.0
        prints = np.where(struck[:, None], states.ahead[:, leg], states.behind[:, leg])
        contact = np.flatnonzero(states.in_contact[:, leg])
        bearing = (states.steps[:, leg] + struck)[contact]
        begins = contact[np.flatnonzero(np.diff(bearing, prepend=-1))]
        ends = contact[np.flatnonzero(np.diff(bearing, append=-1))]
        moved = (prints[ends] - prints[begins])[:, :2]
        gone = (places[ends] - places[begins])[:, :2]
        apart = np.hypot(*(moved - gone).T) - np.hypot(*gone.T)
        if len(apart) and apart.max() > worst:
            index = int(np.argmax(apart))
            worst = float(apart[index])
            told = (
                f"the ground under leg {name!r} moves {np.hypot(*moved[index]):.3g} m off while the "
                f"foot stands on it from {times[begins[index]]:.2f} to {times[ends[index]]:.2f} s, and "
                "the travel does not follow: parent the character, or its path, to what moves"
            )
    return (told,) if told else ()


def describe_steps_off_ground(plan: WalkPlan) -> list[str]:
    """A line where kept steps that the walk uses lie far below or above the ground.

    It names the one that is farthest off, and how many others there are: whole runs may be meant so.
    """
    rig = plan.tables.rig
    near = _OFF_GROUND * rig.leg_length
    off: list[tuple[float, str]] = []
    for step, place in zip(plan.claims.steps, plan.claims.prints, strict=True):
        if place is None or step.left_out:
            continue
        time = float(plan.prints.rows[place[0]].times[place[1]])
        half = np.array([0.5 * float(rig.foot_lengths[step.leg]), 0.0, 0.0])
        middle = step.position + rot.rotate(step.frame, half)
        # Under a roof the ground next to the step counts, not the roof.
        above = np.array([near, _ABOVE * rig.leg_length])
        hits = plan.ground.cast_down(middle + rot.UP * above[:, None], np.full(2, time))
        away = (middle[2] - hits.points[:, 2])[hits.hit]
        if len(away) and np.abs(away).min() > near:
            off.append((float(away[np.argmin(np.abs(away))]), step.name))
    if not off:
        return []
    worst, name = max(off, key=lambda entry: abs(entry[0]))
    others = f" (and {len(off) - 1} more)" if len(off) > 1 else ""
    return [
        f"footstep {name!r} lies {abs(worst):.3g} m {'above' if worst > 0 else 'below'} the ground "
        f"there, and its foot stands so{others}: use Re-place on Ground if that is not meant"
    ]
