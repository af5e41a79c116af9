# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps of a steered walk as they were foreseen, beside those that are planned from the way it went."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from semi_procedural_locomotion.core.drawing.shapes import outline_soles
from semi_procedural_locomotion.core.maths.rotations import FloatArray
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.report.svg import GREY, PALETTE, Line, draw_map
from semi_procedural_locomotion.core.steering.motor import Controls
from semi_procedural_locomotion.core.steering.recording import PredictedPrint, Recording
from tests.core.steering.walks import make_steering, steer
from tests.core.walkers import make_walker

_BLUE, _PINK = PALETTE[0], PALETTE[3]
# Stands at first, as one does until a key is pressed.
_WAIT, _SECONDS = 0.8, 5.8


def _ask(time: float) -> Controls:
    """Ahead, with a turn to either side."""
    going = time - _WAIT
    turn = 0.5 * (float(1.2 < going < 2.4) - float(2.8 < going < 4.2))
    return Controls(ahead=float(0.0 < going < 4.4), turn=turn)


def steering() -> str:
    """A walk that is steered to the left and to the right, seen from above."""
    character = make_steering(names=("walk",))
    recording = Recording()
    for state in steer(character, _ask, _SECONDS):
        recording.note(state)
    travel = recording.make_travel()
    plan = make_plan(*make_walker(("walk",)), travel, character.ground)
    rig = character.tables.rig
    lines = [_see_from_above(travel.positions, GREY, "way", dashed=True)]
    exact = [
        PredictedPrint(leg, row.times[i], row.positions[i], row.frames[i])
        for leg, row in enumerate(plan.prints.rows)
        for i in np.flatnonzero(~row.parked)
        if travel.start <= row.times[i] <= travel.end
    ]
    exact.sort(key=lambda mark: mark.time)
    for prints, colour, name in ((exact, _BLUE, "exact"), (recording.prints, _PINK, "foreseen")):
        for number, mark in enumerate(prints):
            leg = rig.legs[mark.leg]
            (outline,) = outline_soles(
                mark.position[None],
                mark.frame[None],
                float(rig.foot_lengths[mark.leg]),
                leg.sole_width,
                leg.side,
            )
            closed = np.concatenate([outline, outline[:1]])
            lines.append(_see_from_above(closed, colour, name * (number == 0)))
    title = "Steered to the left and to the right: steps as foreseen, and as planned afterwards"
    return draw_map(title, "m", "m", lines, [])


def _see_from_above(places: FloatArray, colour: str, label: str, *, dashed: bool = False) -> Line:
    """A line through places (N, 3), with the way ahead to the right."""
    return Line(places[:, 1], -places[:, 0], colour, label, dashed=dashed, width=1.8)


FIGURES: tuple[Callable[[], str], ...] = (steering,)
