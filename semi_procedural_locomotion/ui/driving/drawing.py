# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn over the view while a character is steered: foreseen steps, and what can be done."""

from __future__ import annotations

from dataclasses import dataclass

import blf
import bpy
import gpu

from ...api.driving import Drive
from ...core.drawing.shapes import STEERED_COLOUR, make_steered_soles
from ...core.steering.recording import PredictedPrint
from ..limits import DRIVING
from ..overlay.batches import FONT, MARGIN, ROW, SWATCH, TEXT_COLOUR, THICK, bind_thick, make_batch
from .clock import DriveClock

_TEXT_SIZE = 13
# Steps that are drawn: those to come, and the last ones.
_LAST = 24


@dataclass
class DrivePicture:
    """What is drawn of a drive; None before it began and after it ended.

    Attributes
    ----------
    drive
        The drive.
    name
        Of who is steered.
    keys
        What the keys do, a line each.
    clock
        Tells what was left out.
    """

    drive: Drive | None = None
    name: str = ""
    keys: tuple[str, ...] = ()
    clock: DriveClock | None = None


def draw_steps(picture: DrivePicture) -> None:
    """Draw the last steps and those to come; for ``POST_VIEW``."""
    drive = picture.drive
    if drive is None:
        return
    state = drive.state
    coming = [
        PredictedPrint(leg, 0.0, state.ahead.positions[leg], state.ahead.frames[leg])
        for leg in range(len(state.legs.own))
        if not state.legs.parked[leg]
    ]
    shapes = make_steered_soles(drive.character.rig, [*drive.recording.prints[-_LAST:], *coming])
    if not len(shapes.points):
        return
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("NONE")
    make_batch(THICK, "LINES", shapes).draw(bind_thick())
    gpu.state.blend_set("NONE")


def draw_words(picture: DrivePicture) -> None:
    """Write speed, time and keys; for ``POST_PIXEL``."""
    drive = picture.drive
    if drive is None:
        return
    context = bpy.context
    scale = context.preferences.system.ui_scale
    blf.size(FONT, _TEXT_SIZE * scale)
    system = context.scene.unit_settings.system
    velocity = drive.state.body.velocity
    speed = float((velocity @ velocity) ** 0.5)
    told = bpy.utils.units.to_string(system, "VELOCITY", speed, precision=2)
    ground = "" if drive.state.has_ground else "    no ground under the body"
    lost = 0.0 if picture.clock is None else picture.clock.lost
    late = f"    {lost:.1f} s left out: too slow here" if lost > DRIVING.told_loss else ""
    lines = [
        (f"Driving {picture.name}: {told}, {drive.seconds:.1f} s{ground}{late}", None),
        ("Steps as they are foreseen", STEERED_COLOUR),
        *((text, None) for text in picture.keys),
    ]
    height = MARGIN * scale + 1.3 * ROW * scale * (len(lines) - 1)
    blf.enable(FONT, blf.SHADOW)
    blf.shadow(FONT, 3, 0.0, 0.0, 0.0, 0.9)
    for text, colour in lines:
        left = MARGIN * scale
        if colour is not None:
            blf.color(FONT, *colour, 1.0)
            blf.position(FONT, left, height, 0.0)
            blf.draw(FONT, f"{SWATCH} ")
            left += blf.dimensions(FONT, f"{SWATCH} ")[0]
        blf.color(FONT, *TEXT_COLOUR)
        blf.position(FONT, left, height, 0.0)
        blf.draw(FONT, text)
        height -= 1.3 * ROW * scale
    blf.disable(FONT, blf.SHADOW)
