# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Light, cameras, signs and moving things, and copies of poses, for scenes that are shown."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..blender import versions
from ..blender.values.materials import find_matt_material, make_matt_material
from ..blender.values.scene_state import set_frame
from ..core.maths.rotations import FloatArray
from .course_shapes import TerrainMesh

_SKY = (0.80, 0.86, 0.92)
_SKY_STRENGTH, _SUN_STRENGTH = 0.7, 2.9
# Soft edge of shadows, and how the light falls: elevation and side, radians.
_SUN_ANGLE = np.radians(4.0)
_SUN_TURN = (np.radians(38.0), np.radians(-14.0), np.radians(-62.0))
_SIGN_COLOUR = (0.04, 0.05, 0.07)
_SIGN_GAP = 0.006


def light_scene(scene: bpy.types.Scene) -> None:
    """A bright sky and a sun from the side of a viewer who looks along +X."""
    world = bpy.data.worlds.new("Sky")
    world.color = _SKY
    nodes = versions.ensure_node_tree(world).nodes
    background = next(n for n in nodes if n.type == "BACKGROUND")
    background.inputs["Color"].default_value = (*_SKY, 1.0)
    background.inputs["Strength"].default_value = _SKY_STRENGTH
    scene.world = world
    scene.view_settings.view_transform = "Standard"
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy, sun.data.angle = _SUN_STRENGTH, _SUN_ANGLE
    sun.rotation_euler = _SUN_TURN
    scene.collection.objects.link(sun)


def look_through_camera() -> None:
    """Let every 3D view of the file show what the scene's camera sees."""
    for screen in bpy.data.screens:
        for area in screen.areas:
            if area.type == "VIEW_3D":
                area.spaces.active.region_3d.view_perspective = "CAMERA"


def create_camera(
    name: str,
    place: Sequence[float],
    target: Sequence[float],
    collection: bpy.types.Collection,
    lens: float = 50.0,
    view_width: float | None = None,
) -> bpy.types.Object:
    """A camera that looks at a target.

    Parameters
    ----------
    place, target
        World, metres.
    collection
        Where it is linked.
    lens
        Focal length in millimetres of a 36 mm film.
    view_width
        Metres that a camera without perspective sees from side to side; None for perspective.
    """
    data = bpy.data.cameras.new(name)
    data.lens = lens
    if view_width is not None:
        data.type, data.ortho_scale = "ORTHO", view_width
    camera = bpy.data.objects.new(name, data)
    camera.location = place
    camera.rotation_mode = "QUATERNION"
    towards = Vector(target) - Vector(place)
    camera.rotation_quaternion = towards.to_track_quat("-Z", "Y")
    collection.objects.link(camera)
    return camera


def create_sign(
    text: str, corner: Sequence[float], size: float, collection: bpy.types.Collection
) -> bpy.types.Object:
    """Words on a wall that faces -X.

    Parameters
    ----------
    corner
        Where the first letter's foot stands, world, metres; the words run along -Y.
    size
        Height of the letters' line, metres.
    collection
        Where it is linked.
    """
    curve = bpy.data.curves.new(text, "FONT")
    curve.body, curve.size = text, size
    curve.materials.append(find_matt_material("Sign", _SIGN_COLOUR))
    sign = bpy.data.objects.new(f"Sign {text}", curve)
    axes = Matrix(((0, 0, -1), (-1, 0, 0), (0, 1, 0))).to_4x4()
    sign.matrix_world = Matrix.Translation(Vector(corner) - Vector((_SIGN_GAP, 0, 0))) @ axes
    collection.objects.link(sign)
    return sign


def create_line(
    name: str, points: FloatArray | Sequence[Sequence[float]], collection: bpy.types.Collection
) -> bpy.types.Object:
    """A curve object of straight lines.

    Parameters
    ----------
    points
        World, metres, shape (P, 3).
    collection
        Where it is linked.
    """
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("POLY")
    spline.points.add(len(points) - 1)
    for point, place in zip(spline.points, points, strict=True):
        point.co = (*place, 1.0)
    line = bpy.data.objects.new(name, curve)
    collection.objects.link(line)
    return line


def animate_location(item: bpy.types.Object, frames: Sequence[float], places: FloatArray) -> None:
    """Key an object's location with smooth starts and stops.

    Parameters
    ----------
    frames
        Scene frames, K of them.
    places
        Locations, metres, shape (K, 3).
    """
    action = bpy.data.actions.new(f"{item.name} Motion")
    slot, bag = versions.ensure_channelbag(action, item)
    for axis in range(3):
        curve = versions.add_curve(bag, "location", axis, "Location")
        curve.keyframe_points.add(len(frames))
        table = np.stack([np.asarray(frames, dtype=np.float64), places[:, axis]], axis=-1)
        curve.keyframe_points.foreach_set("co", table.ravel())
        curve.update()
    versions.assign_action(item, action, slot)


def copy_poses(
    body: bpy.types.Object,
    frames: Sequence[int],
    scene: bpy.types.Scene,
    collection: bpy.types.Collection,
) -> list[bpy.types.Object]:
    """Still copies of a moving mesh object at several frames.

    Parameters
    ----------
    body
        A mesh object, deformed or not.
    frames
        Frames of the scene, which is left at the last of them.
    collection
        Where the copies are linked.
    """
    copies = []
    for frame in frames:
        set_frame(scene, frame)
        shown = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = bpy.data.meshes.new_from_object(shown)
        copy = bpy.data.objects.new(f"{body.name} {frame}", mesh)
        copy.matrix_world = shown.matrix_world
        collection.objects.link(copy)
        copies.append(copy)
    return copies


def create_terrain(
    mesh: TerrainMesh,
    name: str,
    collection: bpy.types.Collection,
    location: tuple[float, float, float] = (0.0, 0.0, 0.0),
    colour: tuple[float, float, float] = (0.45, 0.47, 0.44),
) -> bpy.types.Object:
    """A ground as a mesh object.

    Parameters
    ----------
    mesh
        Vertices and triangles in metres.
    collection
        Where it is linked.
    location
        World, metres.
    colour
        Linear red, green and blue, 0 to 1.
    """
    data = bpy.data.meshes.new(name)
    data.from_pydata(
        np.asarray(mesh.vertices, dtype=np.float64).tolist(),
        [],
        np.asarray(mesh.triangles).tolist(),
    )
    data.materials.append(make_matt_material(name, colour))
    item = bpy.data.objects.new(name, data)
    item.location = location
    collection.objects.link(item)
    return item
