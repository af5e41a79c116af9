# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of meshes and bones without a renderer (numpy and the standard library only).

Faces are covered with so many points that no pixel stays free; the nearest point of a pixel is seen.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

_BACK = np.array([236, 240, 245], dtype=np.float64)
_SKIN = np.array([176, 182, 192], dtype=np.float64)
_GROUND = np.array([201, 186, 160], dtype=np.float64)
LEG_COLOURS = (
    (214, 39, 40),
    (31, 119, 180),
    (255, 127, 14),
    (44, 160, 44),
    (148, 103, 189),
    (140, 86, 75),
    (227, 50, 190),
    (23, 170, 190),
)
"""Red, green and blue of legs in the order in which they are found, 0 to 255; then again."""
_OTHER = (60, 66, 76)
# More points than this are not drawn for one mesh.
_MOST_POINTS = 1_500_000


@dataclass(frozen=True)
class View:
    """From where, and how much, a picture shows.

    Attributes
    ----------
    right, up
        Directions in the picture, unit vectors (3,).
    middle
        Place in the middle of the picture, metres, (3,).
    width
        Metres from side to side.
    size
        Pixels across and up.
    """

    right: np.ndarray
    up: np.ndarray
    middle: np.ndarray
    width: float
    size: tuple[int, int]

    def project(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Pixels (..., 2) from the upper left corner, and depths (...), larger ones nearer."""
        scale = self.size[0] / self.width
        away = points - self.middle
        flat = np.stack([away @ self.right * scale, -(away @ self.up) * scale], axis=-1)
        return flat + 0.5 * np.array(self.size), away @ np.cross(self.right, self.up)


class Canvas:
    """A picture that is drawn on."""

    def __init__(self, view: View) -> None:
        width, height = view.size
        self.view = view
        self.pixels = np.broadcast_to(_BACK, (height, width, 3)).copy()
        self._depths = np.full(width * height, -np.inf)

    def draw_ground(self, heights: np.ndarray) -> None:
        """Fill below the ground; heights are rows from the top of the picture, one a column."""
        rows = np.arange(self.view.size[1])[:, None]
        self.pixels[rows > heights[None, :]] = _GROUND
        near = np.abs(rows - heights[None, :]) < 0.8
        self.pixels[near] = 0.6 * _GROUND

    def draw_mesh(self, points: np.ndarray, faces: np.ndarray) -> None:
        """Cover triangles (T, 3) of points (V, 3) with shaded pixels."""
        if not len(faces):
            return
        corners = points[faces]
        flat, depths = self.view.project(corners)
        shown = (flat.max(axis=1) > 0.0) & (flat.min(axis=1) < np.array(self.view.size))
        kept = shown.all(axis=1)
        corners, flat, depths = corners[kept], flat[kept], depths[kept]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        lengths = np.linalg.norm(normals, axis=1)
        toward = np.cross(self.view.right, self.view.up)
        light = 0.75 * toward + 0.55 * self.view.up - 0.35 * self.view.right
        light /= np.linalg.norm(light)
        shade = 0.42 + 0.58 * np.abs(normals @ light) / np.maximum(lengths, 1e-18)
        edges = flat[:, [1, 2, 0]] - flat
        longest = np.ceil(np.linalg.norm(edges, axis=-1).max(axis=1) * 1.5).astype(int)
        steps = np.clip(longest, 1, 400)
        counts = (steps + 1) * (steps + 2) // 2
        if counts.sum() > _MOST_POINTS:
            steps = np.minimum(steps, 2)
            counts = (steps + 1) * (steps + 2) // 2
        for step in np.unique(steps):
            chosen = np.flatnonzero(steps == step)
            first, second = np.nonzero(np.add.outer(range(step + 1), range(step + 1)) <= step)
            weights = np.stack([first, second, step - first - second], axis=-1) / step
            spots = np.einsum("pk,tkc->tpc", weights, flat[chosen]).reshape(-1, 2)
            nears = np.einsum("pk,tk->tp", weights, depths[chosen]).ravel()
            colours = np.repeat(shade[chosen], len(weights))[:, None] * _SKIN
            self._put(spots, nears, colours)

    def draw_line(self, start: np.ndarray, end: np.ndarray, colour: tuple, width: int = 1) -> None:
        """A line between places, seen through everything."""
        (first, last), _ = self.view.project(np.array([start, end]))
        count = int(min(np.ceil(np.abs(last - first).max()) * 2 + 2, 4000))
        spots = first + np.linspace(0.0, 1.0, count)[:, None] * (last - first)
        reach = range(-(width // 2), width - width // 2)
        for across in reach:
            for up in reach:
                self._paint(np.floor(spots + np.array([across, up])).astype(int), colour)

    def _paint(self, spots: np.ndarray, colour: tuple) -> None:
        width, height = self.view.size
        inside = ((spots >= 0) & (spots < [width, height])).all(axis=1)
        self.pixels[spots[inside, 1], spots[inside, 0]] = colour

    def _put(self, spots: np.ndarray, depths: np.ndarray, colours: np.ndarray) -> None:
        """Points at places in pixels, the nearest of each pixel wins."""
        width, height = self.view.size
        places = np.floor(spots).astype(int)
        inside = ((places >= 0) & (places < [width, height])).all(axis=1)
        index = places[inside, 1] * width + places[inside, 0]
        depths, colours = depths[inside], colours[inside]
        order = np.argsort(depths, kind="stable")
        index, depths, colours = index[order], depths[order], colours[order]
        # Of several writes to one place the last one stays.
        seen = depths > self._depths[index]
        index, depths, colours = index[seen], depths[seen], colours[seen]
        self._depths[index] = depths
        self.pixels.reshape(-1, 3)[index] = colours


@dataclass(frozen=True)
class Figure:
    """What of a character is seen in one frame.

    Attributes
    ----------
    points
        Places of all vertices, metres, shape (V, 3).
    faces
        Triangles, shape (T, 3).
    bones
        Places of heads and tails, metres, shape (B, 2, 3); they are drawn where there are no faces.
    legs
        Places of the joints of each leg from the hip down, metres, each of shape (J, 3).
    """

    points: np.ndarray
    faces: np.ndarray
    bones: np.ndarray
    legs: tuple[np.ndarray, ...]


def draw_figure(canvas: Canvas, figure: Figure) -> None:
    """The mesh of a character with the joints of its legs over it."""
    canvas.draw_mesh(figure.points, figure.faces)
    if not len(figure.faces):
        for head, tail in figure.bones:
            canvas.draw_line(head, tail, _OTHER)
    for number, joints in enumerate(figure.legs):
        for start, end in pairwise(joints):
            canvas.draw_line(start, end, LEG_COLOURS[number % len(LEG_COLOURS)], 2)


def join_pictures(pictures: list[np.ndarray], gap: int = 3) -> np.ndarray:
    """Pictures of one height side by side on white."""
    height = pictures[0].shape[0]
    white = np.full((height, gap, 3), 255.0)
    parts = [part for picture in pictures for part in (picture, white)]
    return np.concatenate(parts[:-1], axis=1)


def write_png(path: Path, pixels: np.ndarray) -> None:
    """Write pixels (height, width, 3), 0 to 255, rows from the top."""
    height, width, _ = pixels.shape
    data = np.clip(np.round(pixels), 0, 255).astype(np.uint8)
    rows = np.concatenate([np.zeros((height, 1), np.uint8), data.reshape(height, -1)], axis=1)
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    )
    chunks = [
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in parts
    ]
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))
