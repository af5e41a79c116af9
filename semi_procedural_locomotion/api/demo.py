# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo: the project's own person walks over flat ground and over a ramp."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..blender.armature import read_skeleton
from ..blender.character_biped import make_biped_shape
from ..blender.characters import (
    create_character,
    make_character_parts,
    make_character_rig,
    write_clip,
)
from ..blender.scene_state import set_frame_rate
from ..blender.terrain_objects import create_terrain
from ..core.gait import make_gait, make_rest
from ..core.gait_presets import find_preset
from ..core.terrain_shapes import TerrainMesh, make_flat, make_ramp
from . import setups
from .characters import MotionChoice, Progress
from .files import open_empty, save_file
from .planning import TravelRequest

_FRAME_RATE = 24.0
_FIRST_FRAME = 1
# Strides from the start to the end of each walk, and metres between the lanes.
_STRIDES = 7.5
_LANE = 3.0
_BACKWARD = np.pi


@dataclass(frozen=True)
class _Lane:
    """One walk of the demo."""

    name: str
    ground: TerrainMesh
    place: float


def make_demo(folder: Path, progress: Progress | None = None) -> dict[str, Any]:
    """Make characters and grounds, bake their walks, and save ``demo.blend``.

    Parameters
    ----------
    folder
        Where the file is written; it exists.
    progress
        Called with the share done and a text.

    Returns
    -------
    dict
        The content of report.json.

    Raises
    ------
    LocomotionError
        Something failed.
    """
    tell = progress or _ignore
    open_empty()
    scene = bpy.context.scene
    set_frame_rate(scene, _FRAME_RATE)
    tell(0.0, "making characters and grounds")
    first = create_character(make_biped_shape(), scene.collection)
    actions = _make_actions(first)
    rig = make_character_rig(make_biped_shape(), read_skeleton(first))
    stride = find_preset("walk", 2, rig.leg_length).stride * rig.leg_length
    lanes = (
        _Lane("Flat", make_flat(rig.leg_length, stride, _BACKWARD), 0.0),
        _Lane(
            "Ramp 15",
            make_ramp(rig.leg_length, stride, _BACKWARD, slope=float(np.radians(15.0))),
            _LANE,
        ),
    )
    reports = []
    last = _FIRST_FRAME + 1
    for number, lane in enumerate(lanes):
        armature = first if number == 0 else create_character(make_biped_shape(), scene.collection)
        armature.name = lane.name
        armature.location.x = lane.place
        ground = create_terrain(
            _narrow(lane.ground), f"{lane.name} Ground", scene.collection, (lane.place, 0.0, 0.0)
        )
        bpy.context.view_layer.update()
        tell(0.1 + 0.4 * number, f"setting up {lane.name}")
        setups.set_up(armature, [_choose(actions["walk"]), _choose(actions["rest"], rest=True)])
        path = ((lane.place, 0.0), (lane.place, -_STRIDES * stride))
        setups.write_travel(armature, TravelRequest(source="path", points=path), "object")
        setups.write_ground(armature, [ground])
        result = setups.bake_set_up(armature, scene)
        reports.append(result.as_dict(lane.name))
        last = max(last, result.frames[1])
    _set_stage(scene, last, stride)
    tell(0.9, "saving")
    save_file(folder / "demo.blend")
    return {"characters": reports}


def _make_actions(armature: bpy.types.Object) -> dict[str, bpy.types.Action]:
    """The person's own walk and its rest pose."""
    shape, skeleton = make_biped_shape(), read_skeleton(armature)
    rig = make_character_rig(shape, skeleton)
    parts = make_character_parts(shape, skeleton)
    walk = find_preset("walk", len(rig.legs), rig.leg_length)
    return {
        "walk": write_clip(armature, make_gait(rig, walk, parts), skeleton, "Walk"),
        "rest": write_clip(armature, make_rest(rig, walk, parts), skeleton, "Stand"),
    }


def _choose(action: bpy.types.Action, rest: bool = False) -> MotionChoice:
    """An action as a chosen motion."""
    return MotionChoice(action, rest=rest)


def _narrow(mesh: TerrainMesh) -> TerrainMesh:
    """The ground as wide as a lane."""
    vertices = mesh.vertices.copy()
    vertices[:, 0] = np.clip(vertices[:, 0], -0.5 * _LANE, 0.5 * _LANE)
    return TerrainMesh(vertices, mesh.triangles)


def _set_stage(scene: bpy.types.Scene, last: int, stride: float) -> None:
    """Frame range, camera and light, so that the file opens ready to play."""
    scene.frame_start, scene.frame_end = _FIRST_FRAME, last
    scene.frame_set(_FIRST_FRAME)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    middle = -0.5 * _STRIDES * stride
    camera.location = (13.5, middle - 5.0, 4.5)
    camera.rotation_euler = (np.radians(73.0), 0.0, np.radians(68.0))
    camera.data.lens = 30.0
    light = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    light.data.energy = 3.0
    light.rotation_euler = (np.radians(40.0), np.radians(15.0), np.radians(30.0))
    for item in (camera, light):
        scene.collection.objects.link(item)
    scene.camera = camera


def _ignore(share: float, text: str) -> None:
    """Progress that nobody wants."""
