# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact sheets of walks, every frame of 24 a second, to be looked at (pictures are not kept).

Run from the project's root with a bpy wheel: ``python -m benchmarks.sheets FOLDER [--only Fox,Wolf]
[--grounds flat,stairs,bumps,stand,turn]``. *stand* starts and stops on flat ground, *turn* goes around
two corners.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import bpy  # noqa: F401  first, for Blender's own modules to be found
import numpy as np

import semi_procedural_locomotion
from semi_procedural_locomotion.requests.travels import AlongPoints, TravelSource
from tools.compatibility.pictures import join_pictures, write_png
from tools.compatibility.strips import draw_frames

from .stages import Actor, Shown, bake, choose_parts, find_way, make_ground, open_actor
from .stages import count_frames as count_ground_frames

COURSES = ("flat", "stairs", "bumps", "stand", "turn")
_COLUMNS, _SIZE = 12, (120, 120)
_FLAT_CYCLES = 2.5
# Corners of the way in strides along it and to the left.
_WAYS = {"stand": ((0, 0), (4, 0)), "turn": ((0, 0), (2.5, 0), (2.5, 2.0), (5.0, 2.0))}


def make_travel(name: str, actor: Actor) -> TravelSource | None:
    """The way of a course that is not straight ahead."""
    if name not in _WAYS:
        return None
    axes = find_way(actor)
    corners = np.array(_WAYS[name]) * actor.stride
    places = corners @ axes[:2, :2].T + axes[:2, 3]
    return AlongPoints(points=tuple(map(tuple, places.tolist())))


def count_frames(name: str, actor: Actor) -> int:
    """Frames that a course takes."""
    if name == "flat":
        return int(_FLAT_CYCLES * actor.found["walk"]["period"] * actor.found["fps"])
    if name not in _WAYS:
        return count_ground_frames(actor, make_ground(name, actor))
    lengths = np.linalg.norm(np.diff(np.array(_WAYS[name]), axis=0), axis=1)
    cycles = float(lengths.sum()) + 2.5
    return int(cycles * actor.found["walk"]["period"] * actor.found["fps"])


def draw_sheet(path: Path, actor: Actor, shown: Shown, ground: str) -> None:
    """All frames, first to last, in rows of a dozen."""
    course = make_ground(ground, actor)
    count = len(shown.frames)
    tiles = draw_frames(shown.sight, actor.cast, actor.found, course, range(count), _SIZE, True)
    tiles += [np.full_like(tiles[0], 255.0)] * (-count % _COLUMNS)
    rows = [join_pictures(tiles[n : n + _COLUMNS], 2) for n in range(0, len(tiles), _COLUMNS)]
    write_png(path, np.concatenate(rows))


def main() -> int:
    """Draw the sheets."""
    parser = argparse.ArgumentParser(prog="benchmarks.sheets", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", type=lambda text: text.split(","))
    parser.add_argument("--grounds", type=lambda text: text.split(","), default=COURSES)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    data = Path(os.environ.get("SPL_TEST_DATA", "../shared/data"))
    semi_procedural_locomotion.register()
    for part in choose_parts(options.only):
        actor = open_actor(part, data)
        for name in options.grounds if actor is not None else ():
            ground = "flat" if name in _WAYS else name
            travel, count = make_travel(name, actor), count_frames(name, actor)
            shown, report = bake(actor, make_ground(ground, actor), None, travel, count)
            draw_sheet(options.folder / f"{part.name}_{name}.png", actor, shown, ground)
            print(part.name, name, len(shown.frames), *report["warnings"], sep="\n  ")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
