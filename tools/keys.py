# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every key that bakes write, kept in a file and held against those of another state of the code.

``python tools/keys.py write FILE.npz`` bakes the demo and, where SPL_TEST_DATA names them, characters
of other people over several grounds with the package that Python finds, and keeps all keys.
``--only Fox`` takes the characters whose file has that in its name, ``--only demo`` the demo alone.
``python tools/keys.py compare BEFORE.npz AFTER.npz`` tells the largest difference. It goes through the
command line and the operators alone, so that it serves any layout of the code.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

FRAMES = (1, 90)
CHARACTERS = (
    "kaykit/Rogue.glb",
    "kaykit/Med_MovementBasic.glb",
    "fox/Fox.glb",
    "spider/Spider.glb",
    "horse/Horse.blend",
    "quaternius/Wolf.glb",
    "quaternius/Dog.fbx",
    "cmu/cmu_12_01_walk.bvh",
)
# Heights over a place, in shares of the leg.
GROUNDS: dict[str, Callable[[float, float], float]] = {
    "flat": lambda x, y: 0.0 * x * y,
    "hill": lambda x, y: 0.25 * math.hypot(x, y),
    "bumps": lambda x, y: 0.12 * math.sin(3.1 * x) * math.sin(2.3 * y),
    "stairs": lambda x, y: 0.18 * math.floor(math.hypot(x, y) / 0.7),
}


def write_keys(path: Path, only: str = "") -> None:
    """Bake everything whose name has some part in it, and keep the keys in a file."""
    found: dict[str, np.ndarray] = {}
    for name, keys in _list_keys(only):
        found[name] = keys
    np.savez_compressed(path, **found)
    sys.stderr.write(f"{len(found)} curves in {path}\n")


def compare_keys(before: Path, after: Path) -> int:
    """Tell the largest difference between the keys of two files; 1 where they are not the same."""
    old, new = np.load(before), np.load(after)
    shown = {name.split("|")[0] for name in new.files}
    wanted = {name for name in old.files if name.split("|")[0] in shown}
    missing = sorted(wanted ^ set(new.files))
    for name in missing[:20]:
        print(f"only in one of the two: {name}")
    worst, place = 0.0, "nowhere"
    different = 0
    for name in sorted(set(old.files) & set(new.files)):
        if old[name].shape != new[name].shape:
            print(f"other number of keys: {name}")
            different += 1
            continue
        apart = float(np.abs(old[name] - new[name]).max(initial=0.0))
        different += apart > 0
        if apart > worst:
            worst, place = apart, name
    print(f"{len(wanted)} curves, {different} not the same; worst {worst:.3g} in {place}")
    return 1 if different or missing else 0


def _list_keys(only: str) -> Iterator[tuple[str, np.ndarray]]:
    """Names and keys of the demo's curves and of those of other characters."""
    import bpy

    import semi_procedural_locomotion

    if only in "demo":
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "semi_procedural_locomotion", "demo", "-o", folder]
            subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            bpy.ops.wm.open_mainfile(filepath=str(Path(folder) / "demo.blend"))
            yield from _read_actions("demo")
    data = os.environ.get("SPL_TEST_DATA")
    if data is None:
        sys.stderr.write("SPL_TEST_DATA names no folder: only the demo is compared\n")
        return
    semi_procedural_locomotion.register()
    for file in CHARACTERS:
        if only not in file:
            continue
        for ground in GROUNDS:
            if _bake(Path(data) / file, ground):
                yield from _read_actions(f"{file} {ground}")


def _bake(file: Path, ground: str) -> bool:
    """Bake a character over a ground in an empty file; False where it cannot be baked."""
    import bpy

    if file.suffix == ".blend":
        bpy.ops.wm.open_mainfile(filepath=str(file))
    else:
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        if file.suffix == ".glb":
            bpy.ops.import_scene.gltf(filepath=str(file))
        elif file.suffix == ".fbx":
            bpy.ops.import_scene.fbx(filepath=str(file))
        else:
            bpy.ops.import_anim.bvh(filepath=str(file), update_scene_fps=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = FRAMES
    scene.frame_set(FRAMES[0])
    armature = next(o for o in scene.objects if o.type == "ARMATURE")
    for thing in bpy.context.view_layer.objects:
        thing.select_set(thing == armature)
    bpy.context.view_layer.objects.active = armature
    try:
        bpy.ops.anim.locomotion_setup()
        length = _measure_leg(armature)
        _make_ground(ground, length, armature)
        bpy.ops.anim.locomotion_bake()
    except RuntimeError as error:
        sys.stderr.write(f"{file.name} on {ground}: {error}\n")
        return False
    return True


def _measure_leg(armature: object) -> float:
    """Height of the armature's highest bone over its lowest, in world units, as a scale."""
    heights = [(armature.matrix_world @ b.head_local).z for b in armature.data.bones]  # type: ignore[attr-defined]
    return 0.5 * (max(heights) - min(heights))


def _make_ground(kind: str, length: float, armature: object) -> None:
    """A grid of 120 x 120 faces around the character."""
    import bpy

    count, size = 120, 16.0
    place = armature.matrix_world.translation  # type: ignore[attr-defined]
    steps = [size * (i / count - 0.5) for i in range(count + 1)]
    vertices = [
        (place.x + x * length, place.y + y * length, place.z + GROUNDS[kind](x, y) * length)
        for y in steps
        for x in steps
    ]
    row = count + 1
    faces = [
        (j * row + i, j * row + i + 1, (j + 1) * row + i + 1, (j + 1) * row + i)
        for j in range(count)
        for i in range(count)
    ]
    mesh = bpy.data.meshes.new("Ground")
    mesh.from_pydata(vertices, [], faces)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Ground", mesh))
    bpy.context.view_layer.update()


def _read_actions(place: str) -> Iterator[tuple[str, np.ndarray]]:
    """Names and keys (N, 2) of all curves that objects play."""
    import bpy

    for thing in sorted(bpy.data.objects, key=lambda o: o.name):
        animation = thing.animation_data
        if animation is None or animation.action is None:
            continue
        for number, curve in enumerate(_list_curves(animation)):
            keys = np.empty(2 * len(curve.keyframe_points))
            curve.keyframe_points.foreach_get("co", keys)
            name = f"{place}|{thing.name}|{curve.data_path}|{curve.array_index}|{number}"
            yield name, keys.reshape(-1, 2)


def _list_curves(animation: object) -> list[object]:
    """Curves of what an object plays, in Blender before and from 5.0 on."""
    action = animation.action  # type: ignore[attr-defined]
    if hasattr(action, "fcurves"):
        curves = list(action.fcurves)
    else:
        bags = [s.channelbag(animation.action_slot) for la in action.layers for s in la.strips]  # type: ignore[attr-defined]
        curves = [curve for bag in bags if bag for curve in bag.fcurves]
    return sorted(curves, key=lambda c: (c.data_path, c.array_index))


def main() -> int:
    """Write or compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    tasks = parser.add_subparsers(dest="task", required=True)
    write = tasks.add_parser("write")
    write.add_argument("file", type=Path)
    write.add_argument("--only", default="", metavar="PART")
    compare = tasks.add_parser("compare")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    options = parser.parse_args()
    if options.task == "compare":
        return compare_keys(options.before, options.after)
    write_keys(options.file, options.only)
    sys.stderr.flush()
    # The wheel of Blender 4.2 crashes when Python takes it apart.
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
