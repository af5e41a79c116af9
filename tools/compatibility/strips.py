# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Strips of pictures: which legs were found, and how a walk goes over a ground (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from .courses import Course
from .pictures import (
    LEG_COLOURS,
    Canvas,
    Figure,
    View,
    draw_figure,
    join_pictures,
    write_png,
)

_COUNT = 6
_WALK_SIZE, _LEGS_SIZE = (215, 200), (330, 300)
_UP = np.array([0.0, 0.0, 1.0])
# What of the place around legs is shown with them.
_AROUND = 1.25
# Share of a picture's height that the character may take, and of bodies that is not looked at.
_FILL, _OUTLIERS = 0.84, 0.002


class Seen(Protocol):
    """Places of vertices (F, V, 3) and of the ends of bones (F, B, 2, 3)."""

    points: np.ndarray
    bones: np.ndarray


class Shape(Protocol):
    """Names of the bones and triangles of the meshes of what is seen."""

    names: tuple[str, ...]

    @property
    def faces(self) -> np.ndarray:
        """Triangles (T, 3)."""


def draw_walk(path: Path, sight: Seen, shape: Shape, found: dict[str, Any], course: Course) -> None:
    """Frames of a walk from its right; the way goes to the right of the picture."""
    frames = _choose_frames(len(sight.points), found)
    write_png(path, join_pictures(draw_frames(sight, shape, found, course, frames, _WALK_SIZE)))


def draw_frames(
    sight: Seen,
    shape: Shape,
    found: dict[str, Any],
    course: Course,
    frames: Sequence[int] | np.ndarray,
    size: tuple[int, int],
    is_near: bool = False,
) -> list[np.ndarray]:
    """Pictures of a walk from its right, pixels across and up as ``size`` has it, each (H, W, 3).

    From near the legs alone fill a picture.
    """
    body = sight.bones[:, shape.names.index(found["root"]), 0]
    points = sight.points
    if is_near:
        legs = [shape.names.index(name) for leg in found["legs"] for name in leg["bones"]]
        points = sight.bones[:, legs, 0]
    reach, middle = _measure_reach(points, frames, body, size)
    reach *= _AROUND if is_near else 1.0
    right = np.array([1.0, 0.0, 0.0])
    tiles = []
    for frame in frames:
        centre = np.array([body[frame, 0] + middle[0], body[frame, 1], body[frame, 2] + middle[2]])
        view = View(right, _UP, centre, reach * size[0] / size[1], size)
        canvas = Canvas(view)
        canvas.draw_ground(_find_rows(view, course, float(body[frame, 1])))
        figure = _cut_figure(sight, shape, int(frame), found)
        draw_figure(canvas, figure)
        _draw_levels(canvas, course, figure)
        tiles.append(canvas.pixels)
    return tiles


def draw_legs(path: Path, sight: Seen, shape: Shape, found: dict[str, Any]) -> None:
    """The first frame of the walk by itself: from the front, from the right and from behind above."""
    forward = np.array([*found["forward"], 0.0])
    left = np.cross(_UP, forward)
    figure = _cut_figure(sight, shape, 0, found)
    low, high = _find_box(figure.points)
    centre, reach = 0.5 * (low + high), float(np.linalg.norm(high - low)) / 1.05
    slanted = (forward + 0.9 * left) / np.hypot(1.0, 0.9)
    raised = _UP - 0.5 * np.cross(slanted, _UP)
    raised /= np.linalg.norm(raised)
    tiles = []
    for right, above in ((left, _UP), (forward, _UP), (slanted, raised)):
        canvas = Canvas(View(right, above, centre, reach, _LEGS_SIZE))
        draw_figure(canvas, figure)
        tiles.append(canvas.pixels)
    write_png(path, join_pictures(tiles))


def name_colour(number: int) -> str:
    """Colour of a leg as pages write it."""
    return "#{:02x}{:02x}{:02x}".format(*LEG_COLOURS[number % len(LEG_COLOURS)])


def _choose_frames(count: int, found: dict[str, Any]) -> np.ndarray:
    """Frames all over a walk of ``count``, each in another part of the cycle."""
    period = (found.get("walk") or {}).get("period", 0.0) * found["fps"]
    spread = np.linspace(0.0, max(count - 1.0 - period, 0.0), _COUNT)
    if 0.0 < period < count:
        spread = np.round(spread / period) * period + np.arange(_COUNT) * period / _COUNT
    return np.clip(np.round(spread), 0, count - 1).astype(int)


def _cut_figure(sight: Seen, shape: Shape, frame: int, found: dict[str, Any]) -> Figure:
    """A frame with the joints of its legs, and the far end of the last bone of each."""
    bones, legs = sight.bones[frame], []
    for leg in found["legs"]:
        names = [*leg["bones"], *([leg["toe"]] if leg["toe"] else [])]
        numbers = [shape.names.index(name) for name in names]
        legs.append(np.concatenate([bones[numbers, 0], bones[numbers[-1:], 1]]))
    return Figure(sight.points[frame].astype(np.float64), shape.faces, bones, tuple(legs))


def _find_box(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper corner of nearly all points, each (3,)."""
    flat = points.reshape(-1, 3)
    return np.quantile(flat, _OUTLIERS, axis=0), np.quantile(flat, 1.0 - _OUTLIERS, axis=0)


def _measure_reach(
    points: np.ndarray, frames: Sequence[int] | np.ndarray, body: np.ndarray, size: tuple[int, int]
) -> tuple[float, np.ndarray]:
    """Metres that a picture shows upwards, and where its middle is from the body, (3,)."""
    chosen = np.asarray(frames)
    low, high = _find_box(points[chosen] - body[chosen][:, None])
    span = high - low
    reach = max(float(span[2]), float(span[0]) * size[1] / size[0]) / _FILL
    return max(reach, 1e-6), 0.5 * (low + high)


def _find_rows(view: View, course: Course, side: float) -> np.ndarray:
    """Row of the picture at which the ground begins in each column."""
    width, height = view.size
    scale = width / view.width
    ways = view.middle[0] + (np.arange(width) + 0.5 - 0.5 * width) / scale
    heights = course.find_heights(ways, np.full(width, side))
    return 0.5 * height - (heights - view.middle[2]) * scale


def _draw_levels(canvas: Canvas, course: Course, figure: Figure) -> None:
    """A short line of a leg's colour on the ground below its foot."""
    reach = 0.05 * canvas.view.width
    for number, joints in enumerate(figure.legs):
        x, y, _ = joints[-1]
        ways = np.linspace(x - reach, x + reach, 9)
        line = np.stack([ways, np.full(9, y), course.find_heights(ways, np.full(9, y))], axis=-1)
        for start, end in pairwise(line):
            canvas.draw_line(start, end, LEG_COLOURS[number % len(LEG_COLOURS)])
