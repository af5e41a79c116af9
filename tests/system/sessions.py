# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a session is played in a window of Blender, tick by tick."""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path

import bpy

_TICK = 0.05
# Ticks to wait for something to happen before giving up.
_PATIENCE = 600


def run_session(play):
    """Play a session and close Blender.

    ``play(seen)`` is a generator: each yield lets Blender handle events and draw. What it puts into
    ``seen`` is written as JSON to the file that the command line names after ``--``.
    """
    target = Path(sys.argv[sys.argv.index("--") + 1])
    bpy.context.preferences.view.show_splash = False
    # Screens are drawn by the processor here; each draw would be made many times over.
    bpy.context.preferences.system.viewport_aa = "OFF"
    import semi_procedural_locomotion

    semi_procedural_locomotion.register()
    seen = {}
    session = play(seen)

    def advance():
        try:
            next(session)
        except StopIteration:
            target.write_text(json.dumps(seen), encoding="utf-8")
            os._exit(0)
        except Exception:  # noqa: BLE001 - else the window stays open
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)
        return _TICK

    bpy.app.timers.register(advance, first_interval=1.0)


def pause(ticks=8):
    """Give Blender time to draw."""
    for _ in range(ticks):
        yield


def wait(is_true):
    """Wait until something has happened."""
    for _ in range(_PATIENCE):
        if is_true():
            return
        yield
    raise RuntimeError("it did not happen in time")


def click(window, x, y):
    """Click the left button at a place of the window."""
    yield from drag(window, (x, y), (x, y))


def drag(window, start, end):
    """Move from one place of the window to another with the left button held."""
    x, y = start
    for offset in (2, 0):
        window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x + offset, y=y)
        yield from pause(3)
    window.event_simulate(type="LEFTMOUSE", value="PRESS", x=x, y=y)
    yield from pause(3)
    x, y = end
    if start != end:
        for offset in (2, 0):
            window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x + offset, y=y)
            yield from pause(3)
    window.event_simulate(type="LEFTMOUSE", value="RELEASE", x=x, y=y)
    yield


def press(window, place, key, **held):
    """Press and release a key while the mouse is at a place of the window."""
    x, y = place
    window.event_simulate(type=key, value="PRESS", x=x, y=y, **held)
    window.event_simulate(type=key, value="RELEASE", x=x, y=y, **held)
    yield
