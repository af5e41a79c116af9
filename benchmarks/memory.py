# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How memory grows over many bakes, switches of Live, and registrations.

``python -m benchmarks.memory [--rounds 200 200 100]`` prints MB before, in the middle and after each, and
fails where the second half takes more than `MOST_GROWTH`.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import bpy

import semi_procedural_locomotion
from tests import scenes
from tests.fuzz.running import read_size

# MB that the second half of the rounds may take more than the first half has left: what stores keep is
# there by then, and memory comes in pages.
MOST_GROWTH = 8.0
FRAMES = 40


def main(arguments: list[str]) -> int:
    """Measure all three; 1 where one grows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, nargs=3, default=(200, 200, 100))
    options = parser.parse_args(arguments)
    scenes.keep_characters_in(Path(tempfile.mkdtemp(prefix="memory-")))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    semi_procedural_locomotion.register()
    scenes.add_person(is_set_up=True)
    bpy.context.scene.frame_end = FRAMES
    grown = [
        measure(name, work, count)
        for (name, work), count in zip(WORKS.items(), options.rounds, strict=True)
    ]
    return int(max(grown) > MOST_GROWTH)


def measure(name: str, work: Callable[[int], None], count: int) -> float:
    """MB that the second half of some rounds of a work takes."""
    sizes = [_settle()]
    for half in (range(count // 2), range(count // 2, count)):
        for number in half:
            work(number)
        sizes.append(_settle())
    shown = ", ".join(f"{size:.1f}" for size in sizes)
    print(
        f"{count} x {name}: {shown} MB; the second half takes {sizes[2] - sizes[1]:+.1f} MB",
        flush=True,
    )
    return sizes[2] - sizes[1]


def bake(number: int) -> None:
    """Bake a walk with another speed each time, and take it away at times."""
    armature = bpy.context.object
    armature.locomotion.travel.use_native_speed = False
    armature.locomotion.travel.speed = 1.0 + 0.05 * (number % 7)
    bpy.ops.anim.locomotion_bake()
    if number % 5 == 4:
        bpy.ops.anim.locomotion_bake_remove()


def toggle_live(_: int) -> None:
    """Switch Live on, look at a frame, and off."""
    bpy.ops.anim.locomotion_live(action="ON")
    bpy.context.scene.frame_set(1 + bpy.context.scene.frame_current % FRAMES)
    bpy.ops.anim.locomotion_live(action="OFF")


def register_again(_: int) -> None:
    """Take the extension out and add it."""
    semi_procedural_locomotion.unregister()
    semi_procedural_locomotion.register()


def _settle() -> float:
    """Memory without what Python has to free, and without data-blocks that nobody uses."""
    bpy.data.orphans_purge(do_recursive=True)
    gc.collect()
    return read_size()


WORKS = {"bake": bake, "Live on and off": toggle_live, "register": register_again}

if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    # The wheel of Blender may crash when Python takes it apart.
    os._exit(code)
