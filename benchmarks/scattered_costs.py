# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What things that lie around cost: a bake over many blades, as instances and in one mesh.

Run with a Python that has bpy: ``python benchmarks/scattered_costs.py [BLADES ...]``. Each way of
scattering is held to twice the time of the same blades in one mesh.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import semi_procedural_locomotion
from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import create_biped, write_gaits

BLADE = np.array([[-0.01, 0.0, 0.0], [0.01, 0.0, 0.0], [0.0, 0.03, 0.08]])
FRAMES = 120


def main(counts: list[int]) -> None:
    """Measure and print."""
    semi_procedural_locomotion.register()
    for count in counts:
        whole = time_bake(scatter_in_one_mesh, count)
        print(f"{count} blades in one mesh     {whole:7.2f} s")
        for name, scatter in SCATTERED.items():
            taken = time_bake(scatter, count)
            print(f"{count} blades as {name:12} {taken:7.2f} s   ratio {taken / whole:.2f}")


def time_bake(scatter: Callable[[np.ndarray], None], count: int) -> float:
    """Seconds of a second bake, with all trees known."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    armature = create_biped(scene.collection)
    write_gaits(armature, make_biped_shape(), ["walk", "rest"])
    scene.frame_start, scene.frame_end = 1, FRAMES
    add_mesh("Floor", np.array([[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]]), [(0, 1, 2, 3)])
    scatter(np.random.default_rng(1).uniform((-1, -7, 0), (1, 1, 0.001), size=(count, 3)))
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.anim.locomotion_setup()
    bpy.ops.anim.locomotion_bake()
    start = time.perf_counter()
    bpy.ops.anim.locomotion_bake()
    return time.perf_counter() - start


def add_mesh(name: str, points: np.ndarray, faces: list[tuple[int, ...]]) -> bpy.types.Object:
    """A mesh object in the scene."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points.tolist(), [], faces)
    return link(bpy.data.objects.new(name, mesh))


def link(item: bpy.types.Object) -> bpy.types.Object:
    """Show an object."""
    bpy.context.scene.collection.objects.link(item)
    return item


def scatter_in_one_mesh(places: np.ndarray) -> None:
    """All blades as one mesh."""
    points = (places[:, None] + BLADE).reshape(-1, 3)
    add_mesh("Grass", points, [(3 * i, 3 * i + 1, 3 * i + 2) for i in range(len(places))])


def scatter_linked(places: np.ndarray) -> None:
    """An object with the same mesh for each."""
    blade = add_mesh("Blade", BLADE, [(0, 1, 2)])
    for place in places:
        link(bpy.data.objects.new("Blade", blade.data)).location = place


def scatter_collections(places: np.ndarray) -> None:
    """An instance of the same collection for each."""
    blade = add_mesh("Blade", BLADE, [(0, 1, 2)])
    grass = bpy.data.collections.new("Grass")
    grass.objects.link(blade)
    for place in places:
        item = link(bpy.data.objects.new("Grass", None))
        item.instance_type, item.instance_collection, item.location = "COLLECTION", grass, place


def scatter_on_points(places: np.ndarray) -> None:
    """Instances on the points of a mesh."""
    points = add_mesh("Points", places, [])
    points.instance_type = "VERTS"
    add_mesh("Blade", BLADE, [(0, 1, 2)]).parent = points


SCATTERED = {
    "objects": scatter_linked,
    "collections": scatter_collections,
    "instances": scatter_on_points,
}

if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or [1000, 4000])
