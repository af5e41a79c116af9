# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters on grounds in a scene, ready to be baked, for `benchmarks.costs`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from semi_procedural_locomotion import api
from semi_procedural_locomotion.api import opening, setups
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.values.key_tables import read_key_table
from semi_procedural_locomotion.core.keys.tables import KeyTable
from semi_procedural_locomotion.requests.travels import StraightAhead

# A bump, in lengths of the leg, and its height.
_BUMP, _HEIGHT = 1.5, 0.06


@dataclass(frozen=True)
class Walker:
    """A character that can be opened: file below the data folder, or made here; and its clips."""

    name: str
    file: str
    walk: str = "Walk"
    rest: str | None = None


WALKERS = (
    Walker("Rogue", "kaykit/Rogue.glb", "Walking_A", "Idle"),
    Walker("Fox", "fox/Fox.glb", "Walk", "Survey"),
    Walker("Spider", "spider/Spider.glb", "Spider_Walk"),
    Walker("Horse", "horse/Horse.blend", "Walk", "Idle"),
    Walker("Rigify human", ""),
)


def find_data() -> Path:
    """The folder of other people's characters."""
    return Path(os.environ.get("SPL_TEST_DATA", "../shared/data"))


def open_walker(walker: Walker) -> bpy.types.Object | None:
    """Open a file with one character, set up with its walk; None where its file is absent."""
    if not walker.file:
        armature = _make_rigify()
    elif (find_data() / walker.file).is_file():
        opening.open_file(find_data() / walker.file)
        armature = next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")
    else:
        return None
    scene = bpy.context.scene
    scene.frame_start = 1
    scene.frame_set(1)
    choices = [api.MotionChoice(find_action(walker.walk))]
    if walker.rest is not None:
        choices.append(api.MotionChoice(find_action(walker.rest), rest=True))
    api.set_up(armature, choices)
    setups.write_travel(armature, StraightAhead(), "object")
    return armature


def _make_rigify() -> bpy.types.Object:
    """A human of Rigify with a walk on its controls."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from tests.control_rigs import generate_rigify, key_ik_walk

    opening.open_empty()
    rig = generate_rigify("human")
    key_ik_walk(rig)
    return rig.armature


def find_action(name: str) -> bpy.types.Action:
    """The action of that name; importers put others before it."""
    return next(a for a in bpy.data.actions if a.name.replace(" ", "|").split("|")[-1] == name)


def add_floor(armature: bpy.types.Object) -> bpy.types.Object:
    """One large quad at the height of a character's feet."""
    far = 300.0 * _find_length(armature)
    points = far * np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    return add_mesh("Floor", points, np.array([[0, 1, 2, 3]]))


def add_bumps(
    armature: bpy.types.Object, quads: int = 90_000, size: float = 120.0
) -> bpy.types.Object:
    """Bumps of so many quads, as wide as so many legs."""
    length = _find_length(armature)
    side = round(np.sqrt(quads)) + 1
    line = np.linspace(-0.5, 0.5, side) * size * length
    x, y = np.meshgrid(line, line, indexing="ij")
    turn = 2.0 * np.pi / (_BUMP * length)
    z = 0.5 * _HEIGHT * length * (np.sin(turn * x) * np.cos(turn * y))
    points = np.stack([x, y, z], axis=-1).reshape(-1, 3)
    row = np.arange(side - 1)
    first = (row[:, None] * side + row).reshape(-1, 1)
    return add_mesh("Bumps", points, first + np.array([0, side, side + 1, 1]))


def add_mesh(name: str, points: np.ndarray, quads: np.ndarray) -> bpy.types.Object:
    """A mesh of quads in the scene; as fast with millions as Blender takes them."""
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(len(points))
    mesh.vertices.foreach_set("co", points.astype(np.float32).ravel())
    mesh.loops.add(quads.size)
    mesh.loops.foreach_set("vertex_index", quads.astype(np.int32).ravel())
    mesh.polygons.add(len(quads))
    mesh.polygons.foreach_set("loop_start", np.arange(0, quads.size, 4, dtype=np.int32))
    mesh.update(calc_edges=True)
    item = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(item)
    bpy.context.view_layer.update()
    return item


def _find_length(armature: bpy.types.Object) -> float:
    """Length of the legs, metres."""
    return max(leg.length for leg in armature.locomotion.legs) * armature.matrix_world.median_scale


def copy_walkers(armature: bpy.types.Object, count: int) -> list[bpy.types.Object]:
    """A character and as many copies of it as make so many, side by side; without their meshes."""
    apart = 1.5 * _find_length(armature)
    found = [armature]
    for number in range(1, count):
        double = armature.copy()
        if double.animation_data is not None:
            double.animation_data.action = None
        bpy.context.scene.collection.objects.link(double)
        row, column = divmod(number, 10)
        double.location.x += apart * column
        double.location.y += 4.0 * apart * row
        found.append(double)
    bpy.context.view_layer.update()
    return found


def bake(armature: bpy.types.Object) -> None:
    """Bake a set-up character."""
    setups.bake_set_up(armature, bpy.context.scene)


def change_and_bake(armature: bpy.types.Object) -> Callable[[], None]:
    """A bake after a slider was moved, another value each time."""
    count = [0]

    def work() -> None:
        count[0] += 1
        armature.locomotion.settings.swing_margin = 0.05 + 0.001 * (count[0] % 7)
        bake(armature)

    return work


def play(frames: int) -> None:
    """Show all frames."""
    for frame in range(1, frames + 1):
        bpy.context.scene.frame_set(frame)


def only_keys(armature: bpy.types.Object) -> Callable[[], None]:
    """Writing the keys that a character's bake has, to a new action, and nothing else."""
    action, slot = versions.get_assigned_action(armature)
    curves = versions.get_curves(action, slot)
    tables = [(c.data_path, c.array_index, read_key_table(c)) for c in curves]

    def work() -> None:
        target = bpy.data.actions.new("Only Keys")
        _, bag = versions.ensure_channelbag(target, armature, None)
        for path, index, table in tables:
            _write(bag.fcurves.new(path, index=index), table)
        bpy.data.actions.remove(target)

    return work


def _write(curve: bpy.types.FCurve, table: KeyTable) -> None:
    points = curve.keyframe_points
    points.add(len(table))
    points.foreach_set("co", table.co.ravel())
    points.foreach_set("interpolation", table.interpolation.astype(np.int32))
    curve.update()


def bake_nla(armature: bpy.types.Object, frames: int) -> None:
    """Blender's own bake of all bones, with visual keying."""
    for item in bpy.context.view_layer.objects:
        item.select_set(item == armature)
    bpy.context.view_layer.objects.active = armature
    action, slot = versions.get_assigned_action(armature)
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.nla.bake(
        frame_start=1,
        frame_end=frames,
        only_selected=False,
        visual_keying=True,
        use_current_action=False,
        bake_types={"POSE"},
    )
    bpy.ops.object.mode_set(mode="OBJECT")
    made, _ = versions.get_assigned_action(armature)
    versions.assign_action(armature, action, slot)
    if made != action:
        bpy.data.actions.remove(made)
