# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Time and memory of binding, and what follows the wrong leg, beside Blender's automatic weights.

Run with ``python -m benchmarks.binding_costs`` in an environment with bpy. Times are of the processor.
"""

from __future__ import annotations

import time
import tracemalloc

import bpy
import numpy as np

import semi_procedural_locomotion
from semi_procedural_locomotion.api.binding import BindRequest, bind_meshes
from semi_procedural_locomotion.blender.binding.reading import read_bind_bones, read_shape
from semi_procedural_locomotion.core.rig.binding.weights import BindOptions, bind_vertices
from semi_procedural_locomotion.demo.characters import create_biped

_LEVELS = (0, 1, 2)
_TURN = -0.8


def main() -> None:
    """Print a row for each fineness of the person's mesh and each way of binding it."""
    semi_procedural_locomotion.register()
    print("vertices  bones  way                    time s  peak MB  follow other leg  by mm")
    for levels in _LEVELS:
        for way, request in (
            (
                "nearest bones alone",
                BindRequest(BindOptions(limb_only=False, smoothing=0), "REPLACE"),
            ),
            ("Bind to Skeleton", BindRequest(existing="REPLACE")),
            ("Blender's automatic", None),
        ):
            print(_measure(levels, way, request))


def _measure(levels: int, way: str, request: BindRequest | None) -> str:
    """One row."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    armature = create_biped(bpy.context.scene.collection)
    (mesh,) = armature.children
    mesh.vertex_groups.clear()
    mesh.modifiers.clear()
    mesh.parent = None
    for item in (mesh, armature):
        item.select_set(True)
        bpy.context.view_layer.objects.active = item
        if levels and item is mesh:
            mesh.modifiers.new("Finer", "SUBSURF").levels = levels
            bpy.ops.object.modifier_apply(modifier="Finer")
    bpy.context.view_layer.update()
    memory = ""
    if request is not None:
        points, edges = read_shape(mesh)
        bones = read_bind_bones(armature)
        tracemalloc.start()
        bind_vertices(points, edges, bones, request.options)
        memory = f"{tracemalloc.get_traced_memory()[1] / 1e6:.0f}"
        tracemalloc.stop()
    start = time.process_time()
    if request is None:
        bpy.ops.object.parent_set(type="ARMATURE_AUTO")
    else:
        bind_meshes(armature, [mesh], request)
    took = time.process_time() - start
    count, most = _measure_following(armature, mesh)
    bones = len([bone for bone in armature.data.bones if bone.use_deform])
    return (
        f"{len(mesh.data.vertices):8d}  {bones:5d}  {way:21s}  {took:6.2f}  {memory:>7s}  "
        f"{count:16d}  {1000.0 * most:5.1f}"
    )


def _measure_following(armature: bpy.types.Object, mesh: bpy.types.Object) -> tuple[int, float]:
    """Vertices of the left leg that go with the right one, and how far, metres."""
    rest = _see(mesh)
    middle = (np.abs(rest[:, 0]) < 1e-4) & (rest[:, 2] > 0.3)
    left = (rest[:, 0] > 0) & (rest[:, 2] < rest[middle, 2].min())
    bone = armature.pose.bones["thigh.R"]
    bone.rotation_mode = "XYZ"
    bone.rotation_euler.x = _TURN
    moved = np.linalg.norm(_see(mesh) - rest, axis=1)[left]
    return int((moved > 1e-4).sum()), float(moved.max())


def _see(mesh: bpy.types.Object) -> np.ndarray:
    """Vertices as the scene shows them, metres, shape (V, 3)."""
    bpy.context.view_layer.update()
    shown = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    found = np.empty(3 * len(shown.vertices), dtype=np.float32)
    shown.vertices.foreach_get("co", found)
    return found.reshape(-1, 3).astype(np.float64)


if __name__ == "__main__":
    main()
