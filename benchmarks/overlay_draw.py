# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What drawing the overlay of a walk of 2,000 prints takes.

Run in a Blender with a window: ``blender --factory-startup --python benchmarks/overlay_draw.py``. Prints
the median of each callback, the walk seen from afar and from near, and closes Blender. With software
drawing, as under Xvfb, the time of the drawing itself is in it.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import bpy
from mathutils import Euler

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import semi_procedural_locomotion
from semi_procedural_locomotion.api import watching
from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import create_biped, write_gaits
from semi_procedural_locomotion.ui.overlay import shown as overlay
from semi_procedural_locomotion.ui.overlay import shown as overlay_drawing

LAST_FRAME = 24000
REDRAWS = 40
PAUSE = 0.05
# Metres from the viewer to the middle of the view.
DISTANCES = (120.0, 8.0)


def measure() -> Iterator[None]:
    """Each yield lets Blender draw."""
    window = bpy.context.window_manager.windows[0]
    area = next(a for a in window.screen.areas if a.type == "VIEW_3D")
    region = next(r for r in area.regions if r.type == "WINDOW")
    armature = make_walker()
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.anim.locomotion_setup("EXEC_DEFAULT")
        bpy.ops.view3d.locomotion_overlay(action="ON")
    bpy.context.window_manager.locomotion_overlay.show_ghost = True
    rows = watching.find_watch(armature).prepared.plan.prints.rows
    print(f"prints {sum(int((~row.parked).sum()) for row in rows)}")
    taken = replace_callbacks()
    view = area.spaces.active.region_3d
    view.view_rotation = Euler((1.08, 0.0, 0.7)).to_quaternion()
    view.view_location = (0.0, -60.0, 0.4)
    for distance in DISTANCES:
        view.view_distance = distance
        yield from redraw(area)
        for times in taken.values():
            times.clear()
        yield from redraw(area)
        for name, times in taken.items():
            print(f"{distance:6.0f} m, {name:15} {1e3 * statistics.median(times):7.3f} ms")


def make_walker() -> bpy.types.Object:
    """The project's person, alone in the scene."""
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    scene = bpy.context.scene
    armature = create_biped(scene.collection)
    write_gaits(armature, make_biped_shape(), ["walk", "rest"])
    scene.frame_start, scene.frame_end = 1, LAST_FRAME
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    return armature


def replace_callbacks() -> dict[str, list[float]]:
    """Draw by callbacks that note how long they take."""
    taken: dict[str, list[float]] = {}

    def note(function: Callable[[], None]) -> Callable[[], None]:
        times = taken.setdefault(function.__name__, [])

        def call() -> None:
            start = time.perf_counter()
            function()
            times.append(time.perf_counter() - start)

        return call

    space = bpy.types.SpaceView3D
    for handle in overlay._walk_handles:
        space.draw_handler_remove(handle, "WINDOW")
    overlay._walk_handles[:] = [
        space.draw_handler_add(note(overlay_drawing.draw_in_space), (), "WINDOW", "POST_VIEW"),
        space.draw_handler_add(note(overlay_drawing.draw_on_screen), (), "WINDOW", "POST_PIXEL"),
    ]
    return taken


def redraw(area: bpy.types.Area) -> Iterator[None]:
    """Draw many times."""
    for _ in range(REDRAWS):
        area.tag_redraw()
        yield


def main() -> None:
    """Measure step by step and close Blender."""
    bpy.context.preferences.view.show_splash = False
    semi_procedural_locomotion.register()
    steps = measure()

    def advance() -> float:
        try:
            next(steps)
        except StopIteration:
            sys.stdout.flush()
            os._exit(0)
        except Exception:  # noqa: BLE001 - else the window stays open
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)
        return PAUSE

    bpy.app.timers.register(advance, first_interval=1.0)


main()
