# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What Live costs in each frame, and how soon a changed setting is seen.

Run with a Python that has bpy: ``python benchmarks/live_costs.py [FRAMES]``. Prints medians; the two
ratios and the time of a change are held to these: Live at most half of ``frame_set``, a change seen in
under 0.3 s for 250 frames, the wait before planning included.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import semi_procedural_locomotion
from semi_procedural_locomotion.api import watching
from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import create_biped, write_gaits
from semi_procedural_locomotion.ui.live import handlers as live_handlers

ROUNDS = 15


def main(frames: int) -> None:
    """Measure and print."""
    semi_procedural_locomotion.register()
    armature = make_walker(frames)
    scene = bpy.context.scene
    bpy.ops.anim.locomotion_bake()
    keyed = time_each(scene.frame_set, frames)
    bpy.ops.anim.locomotion_bake_remove()
    scene.frame_set(1)
    bpy.ops.anim.locomotion_live(action="ON")
    live = time_each(scene.frame_set, frames)
    shown = time_each(lambda frame: watching.show_frame(scene, frame), frames)
    print(f"frames {frames}, bones {len(armature.pose.bones)}")
    print(f"frame_set, keyed       {1e3 * keyed:8.3f} ms")
    print(f"frame_set, live        {1e3 * live:8.3f} ms   ratio {live / keyed:.2f}")
    print(f"showing a pose alone   {1e3 * shown:8.3f} ms   share {shown / keyed:.2f}")
    print(f"change seen, live      {time_changes(armature):8.3f} s")
    bpy.ops.anim.locomotion_live(action="OFF")
    bpy.ops.anim.locomotion_auto_bake(action="ON")
    print(f"change seen, auto bake {time_changes(armature):8.3f} s")


def make_walker(frames: int) -> bpy.types.Object:
    """The project's person, set up to walk straight on."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    armature = create_biped(scene.collection)
    write_gaits(armature, make_biped_shape(), ["walk", "rest"])
    scene.frame_start, scene.frame_end = 1, frames
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.anim.locomotion_setup()
    return armature


def time_each(function: Callable[[int], object], frames: int) -> float:
    """Median seconds of a call with each frame."""
    taken = []
    for frame in range(1, frames + 1):
        start = time.perf_counter()
        function(frame)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def time_changes(armature: bpy.types.Object) -> float:
    """Median seconds from the change of a slider to the new pose, the timer's wait included."""
    taken = []
    for number in range(ROUNDS):
        armature.locomotion.settings.swing_margin = 0.05 + 0.005 * number
        start = time.perf_counter()
        if not live_handlers.refresh_now():
            raise RuntimeError("the change was not followed")
        bpy.context.view_layer.update()
        taken.append(time.perf_counter() - start + live_handlers.choose_delay())
    return statistics.median(taken)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 250)
