# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo: the project's own characters walk over all kinds of ground."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..api import setups
from ..api.baking import BakeResult
from ..api.characters import MotionChoice, Progress
from ..api.opening import open_empty, save_file
from ..blender.footsteps.marks import create_print_marks
from ..blender.values.scene_state import get_frame_rate, set_frame_rate
from ..core.body.response import MADE_RESPONSE
from ..core.maths.rotations import FloatArray
from ..errors import FileError
from ..requests.travels import AlongPoints
from .characters import CHARACTER_SHAPES, REST_GAIT, create_character, write_gaits
from .course_shapes import make_profile_block
from .courses import BASE, Course, make_courses
from .stage import (
    animate_location,
    copy_poses,
    create_camera,
    create_sign,
    create_terrain,
    light_scene,
    look_through_camera,
)

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
            pictures.append(_render_tile(scene, tile, file))
            progress((number + 1) / len(tiles))
        for collection in collections:
            collection.hide_render = False
    found = iter(pictures)
    _save(_join([[next(found) for _ in row] for row in rows], gap), path)


def _render_tile(scene: bpy.types.Scene, tile: Tile, file: Path) -> FloatArray:
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


_FRAME_RATE = 24.0
_FIRST_FRAME = 1
# Metres between lanes, pixels of the words on signs, and their distance from the block's end, metres.
_LANE_GAP, _SIGN_PIXELS, _SIGN_INSET = 0.7, 19.0, 0.12
_GROUND_COLOUR = (0.36, 0.37, 0.36)
_MOVING_COLOUR = (0.62, 0.36, 0.10)
# Share of the distance between poses that is drawn of a platform under each.
_SLICE = 0.62
# The scene's camera sees all lanes; metres, and millimetres of focal length.
_CAMERA_PLACE, _CAMERA_TARGET, _CAMERA_LENS = (-8.2, -12.5, 7.2), (8.2, -6.0, -0.4), 32.0
# Metres from which pictures without perspective are taken; anything clear of the ground will do.
_FAR = 30.0
# Pixels between the pictures of the contact sheet.
_SHEET_GAP = 10
# Shares of the time that baking and rendering take.
_BAKING, _SAVING = 0.45, 0.5


@dataclass(frozen=True)
class _Lane:
    """A course in the scene."""

    course: Course
    x: float
    collection: bpy.types.Collection
    armature: bpy.types.Object
    ground: tuple[bpy.types.Object, ...]
    result: BakeResult


def make_demo(folder: Path, progress: Progress | None = None) -> dict[str, Any]:
    """Make characters and grounds, bake their walks, save and render them.

    Raises LocomotionError: something failed.

    Parameters
    ----------
    folder
        Where ``demo.blend`` and ``contact_sheet.png`` are written; it exists.
    progress
        Called with the share done and a text.

    Returns
    -------
    dict
        The content of report.json.
    """
    tell = progress or _ignore
    open_empty()
    scene = bpy.context.scene
    set_frame_rate(scene, _FRAME_RATE)
    rows = make_courses()
    courses = [course for row in rows for course in row]
    # In the scene the small ones walk nearest to the viewer, and in the sheet they come last.
    courses.sort(key=lambda course: -course.view.scale)
    places = _place_lanes(courses)
    actions: dict[str, bpy.types.Action] = {}
    lanes = []
    for number, (course, x) in enumerate(zip(courses, places, strict=True)):
        tell(_BAKING * number / len(courses), f"baking {course.name}")
        lanes.append(make_lane(course, x, scene, actions))
    _set_stage(scene, lanes)
    tell(_BAKING, "saving")
    save_file(folder / "demo.blend")
    _render(scene, rows, lanes, folder / "contact_sheet.png", tell)
    by_name = {lane.course.name: lane.result.as_dict(lane.course.name) for lane in lanes}
    return {
        "characters": [by_name[course.name] for row in rows for course in row],
        "contact_sheet": "contact_sheet.png",
    }


def _place_lanes(courses: Sequence[Course]) -> list[float]:
    """Middles of the lanes along x, metres; the first is nearest to the viewer."""
    places, edge = [], 0.0
    for course in courses:
        places.append(edge + 0.5 * course.width)
        edge += course.width + _LANE_GAP
    return places


def make_lane(
    course: Course, x: float, scene: bpy.types.Scene, actions: dict[str, bpy.types.Action]
) -> _Lane:
    """Make a course and bake its walk; ``actions`` keeps what characters of one kind share."""
    collection = bpy.data.collections.new(course.name)
    scene.collection.children.link(collection)
    ground = tuple(_make_ground(course, x, collection))
    shape = CHARACTER_SHAPES[course.character]()
    armature = create_character(shape, collection)
    for gait in course.gaits:
        key = f"{course.character} {gait}"
        if key not in actions:
            (actions[key],) = write_gaits(armature, shape, [gait])
    armature.name = course.name
    armature.location.x = x
    bpy.context.view_layer.update()
    choices = [
        MotionChoice(actions[f"{course.character} {gait}"], rest=gait == REST_GAIT)
        for gait in course.gaits
    ]
    setups.set_up(armature, choices)
    if course.character == "biped":
        for name, strength in MADE_RESPONSE.items():
            setattr(armature.locomotion.settings, name, strength)
    points = tuple((x + across, -way) for across, way in course.path)
    travel = AlongPoints(points, speed=course.speed)
    setups.write_travel(armature, travel, "object")
    setups.write_ground(armature, ground)
    result = setups.bake_set_up(armature, scene)
    span = (result.frames[0] / _FRAME_RATE, result.frames[1] / _FRAME_RATE)
    create_print_marks(result.plan, span, course.name, collection)
    way, across = course.front
    size = _SIGN_PIXELS / course.view.scale
    # Letters stand in the middle of the wall; capitals take about two thirds of their line.
    corner = (x + across, -way - _SIGN_INSET, 0.5 * (BASE - 0.67 * size))
    create_sign(course.name, corner, size, collection)
    return _Lane(course, x, collection, armature, ground, result)


def _make_ground(
    course: Course, x: float, collection: bpy.types.Collection
) -> list[bpy.types.Object]:
    """The pieces of a course's ground."""
    pieces = []
    for slab in course.slabs:
        across, way, height = slab.place
        place = np.array([x + across, -way, height])
        colour = _MOVING_COLOUR if slab.ride else _GROUND_COLOUR
        name = f"{course.name} {'Platform' if slab.ride else 'Ground'}"
        piece = create_terrain(slab.mesh, name, collection, tuple(place), colour)
        if slab.ride:
            frames = [seconds * _FRAME_RATE for seconds, _, _ in slab.ride]
            moves = np.array([[0.0, -along, up] for _, along, up in slab.ride])
            animate_location(piece, frames, place + moves)
        pieces.append(piece)
    return pieces


def _set_stage(scene: bpy.types.Scene, lanes: Sequence[_Lane]) -> None:
    """Frame range, light and camera, so that the file opens ready to play."""
    scene.frame_start = _FIRST_FRAME
    scene.frame_end = max(lane.result.frames[1] for lane in lanes)
    scene.frame_set(_FIRST_FRAME)
    light_scene(scene)
    scene.camera = create_camera(
        "Camera", _CAMERA_PLACE, _CAMERA_TARGET, scene.collection, _CAMERA_LENS
    )
    look_through_camera()


def _render(
    scene: bpy.types.Scene,
    rows: Sequence[Sequence[Course]],
    lanes: Sequence[_Lane],
    path: Path,
    tell: Progress,
) -> None:
    """Render the contact sheet: several poses of each walk in one picture."""
    by_name: Mapping[str, _Lane] = {lane.course.name: lane for lane in lanes}
    tiles = [[_make_tile(by_name[course.name], scene) for course in row] for row in rows]
    render_sheet(
        scene,
        tiles,
        path,
        _SHEET_GAP,
        lambda share: tell(_SAVING + (1.0 - _SAVING) * share, "rendering"),
    )


def _make_tile(lane: _Lane, scene: bpy.types.Scene) -> Tile:
    """Camera and poses of one picture."""
    view, course = lane.course.view, lane.course
    frames = choose_frames(lane.result, view.pose_gap)
    body = lane.armature.children[0]
    for frame in frames:
        copy_poses(body, [frame], scene, lane.collection)
        _slice_platforms(lane, _SLICE * view.pose_gap)
    moving = [piece for slab, piece in zip(course.slabs, lane.ground, strict=True) if slab.ride]
    for item in (body, *moving, *(child for piece in moving for child in piece.children)):
        item.hide_render = True
    way, height = view.middle
    target = np.array([lane.x, -way, height])
    towards = np.array([-np.cos(view.elevation), 0.0, np.sin(view.elevation)])
    camera = create_camera(
        f"{course.name} Camera",
        tuple(target + _FAR * towards),
        tuple(target),
        lane.collection,
        view_width=max(view.size) / view.scale,
    )
    return Tile(camera, view.size, (lane.collection,))


def _slice_platforms(lane: _Lane, length: float) -> None:
    """Draw of what moves the part under the character, as it is in the present frame."""
    place = lane.armature.matrix_world.translation
    for slab, piece in zip(lane.course.slabs, lane.ground, strict=True):
        if not slab.ride:
            continue
        x, start, height = piece.matrix_world.translation
        ways = slab.mesh.vertices[:, 1] + start
        first = min(place.y + 0.5 * length, float(ways.max()))
        last = max(place.y - 0.5 * length, float(ways.min()))
        if first > last:
            base = float(slab.mesh.vertices[:, 2].min())
            mesh = make_profile_block([(0.0, 0.0), (first - last, 0.0)], lane.course.width, base)
            create_terrain(
                mesh, f"{piece.name} Part", lane.collection, (x, first, height), _MOVING_COLOUR
            )


def choose_frames(result: BakeResult, gap: float) -> list[int]:
    """Frames of a walk about ``gap`` metres apart along its way, both ends included."""
    plan, (first, last) = result.plan, result.frames
    frames = np.arange(first, last + 1)
    rate = get_frame_rate(bpy.context.scene)
    places: FloatArray = plan.times.grid.sample(plan.times.positions, frames / rate)
    steps = np.hypot(*np.diff(places[:, :2], axis=0).T)
    way = np.concatenate([[0.0], np.cumsum(steps)])
    count = max(round(float(way[-1]) / gap), 1) + 1
    wanted = np.linspace(0.0, float(way[-1]), count)
    return [int(frames[i]) for i in np.searchsorted(way, wanted).clip(0, len(frames) - 1)]


def _ignore(share: float, text: str) -> None:
    """Progress that nobody wants."""
