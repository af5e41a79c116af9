# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures rendered on the processor and put side by side."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from ..core.maths.rotations import FloatArray
from ..errors import FileError

# Samples for each pixel; the denoiser takes care of the rest.
_SAMPLES = 6
_CHANNELS = 4
# What is seen behind things, and between pictures; red, green and blue as in the file.
_BACKGROUND = np.array([0.935, 0.95, 0.965])
_BETWEEN = 1.0


@dataclass(frozen=True)
class Tile:
    """One picture of a sheet.

    Attributes
    ----------
    camera
        What takes it.
    size
        Pixels across and up.
    shown
        Collections of the scene that are seen; all of the sheet's other collections are not.
    """

    camera: bpy.types.Object
    size: tuple[int, int]
    shown: tuple[bpy.types.Collection, ...]


def render_sheet(
    scene: bpy.types.Scene,
    rows: Sequence[Sequence[Tile]],
    path: Path,
    gap: int,
    progress: Callable[[float], None],
) -> None:
    """Render tiles and save them in rows as one PNG file.

    Raises FileError: this Blender cannot render on the processor, or the file cannot be written.

    Parameters
    ----------
    scene
        The scene; its render settings are put back.
    rows
        Tiles of each row from left to right, rows from the top.
    gap
        Pixels of white between tiles and around them.
    progress
        Called with the share done.
    """
    tiles = [tile for row in rows for tile in row]
    collections = {c for tile in tiles for c in tile.shown}
    with _render_settings(scene), tempfile.TemporaryDirectory() as folder:
        pictures = []
        for number, tile in enumerate(tiles):
            for collection in collections:
                collection.hide_render = collection not in tile.shown
            file = Path(folder) / f"{number}.png"
            pictures.append(_render(scene, tile, file))
            progress((number + 1) / len(tiles))
        for collection in collections:
            collection.hide_render = False
    found = iter(pictures)
    _save(_join([[next(found) for _ in row] for row in rows], gap), path)


def _render(scene: bpy.types.Scene, tile: Tile, file: Path) -> FloatArray:
    """One tile as pixels (height, width, 3), from the lowest row up."""
    scene.camera = tile.camera
    scene.render.resolution_x, scene.render.resolution_y = tile.size
    scene.render.filepath = str(file)
    try:
        bpy.ops.render.render(write_still=True, scene=scene.name)
    except RuntimeError as error:
        raise FileError(f"a picture could not be rendered: {str(error).strip()}") from error
    image = bpy.data.images.load(str(file))
    try:
        pixels = np.empty(len(image.pixels), dtype=np.float32)
        image.pixels.foreach_get(pixels)
    finally:
        bpy.data.images.remove(image)
    table = pixels.reshape(tile.size[1], tile.size[0], _CHANNELS).astype(np.float64)
    cover = table[..., 3:]
    return table[..., :3] * cover + _BACKGROUND * (1.0 - cover)


def _join(rows: Sequence[Sequence[FloatArray]], gap: int) -> FloatArray:
    """Pictures on white, from the lowest row up."""
    width = gap + max(sum(tile.shape[1] + gap for tile in row) for row in rows)
    height = gap + sum(max(tile.shape[0] for tile in row) + gap for row in rows)
    sheet = np.full((height, width, _CHANNELS), _BETWEEN)
    top = height - gap
    for row in rows:
        left = gap
        for tile in row:
            sheet[top - tile.shape[0] : top, left : left + tile.shape[1], :3] = tile
            left += tile.shape[1] + gap
        top -= max(tile.shape[0] for tile in row) + gap
    return sheet


def _save(sheet: FloatArray, path: Path) -> None:
    """Write pixels as a PNG file."""
    height, width, _ = sheet.shape
    image = bpy.data.images.new("Contact Sheet", width, height)
    try:
        image.pixels.foreach_set(np.ascontiguousarray(sheet, dtype=np.float32).ravel())
        image.filepath_raw, image.file_format = str(path), "PNG"
        image.save()
    except RuntimeError as error:
        raise FileError(f"{path.name} cannot be written: {str(error).strip()}") from error
    finally:
        bpy.data.images.remove(image)


@contextmanager
def _render_settings(scene: bpy.types.Scene) -> Iterator[None]:
    """Quick rendering on the processor; camera, size and file are put back after."""
    render = scene.render
    kept = (scene.camera, render.resolution_x, render.resolution_y, render.filepath)
    try:
        render.engine = "CYCLES"
    except TypeError as error:
        raise FileError("this Blender has no Cycles, which renders the contact sheet") from error
    render.resolution_percentage = 100
    render.image_settings.file_format = "PNG"
    render.image_settings.color_mode = "RGBA"
    render.film_transparent = True
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.use_denoising = "CPU", _SAMPLES, True
    cycles.max_bounces = 3
    scene.view_settings.view_transform = "Standard"
    try:
        yield
    finally:
        scene.camera, render.resolution_x, render.resolution_y, render.filepath = kept
