# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of each format dropped into a window; run by test_window_drop.py.

    blender --enable-event-simulate --python tests/system/drop_session.py -- SEEN.json [FOLDER]

Writes what came of each as JSON to SEEN.json. With a FOLDER the screen is grabbed as each menu of a drop
is shown and after the import (by ImageMagick's `import`); the picture of docs/import.md is from that.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from math import pi
from pathlib import Path

import bpy
from mathutils import Euler, Matrix

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.system.sessions import pause, press, run_session, wait

# Who is written to a file of which format.
_FILES = (
    ("biped", ".glb"),
    ("quadruped", ".gltf"),
    ("hexapod", ".fbx"),
    ("biped", ".bvh"),
)
_FRAME = 8


def play(seen):
    """Each yield lets Blender handle events and draw."""
    arguments = sys.argv[sys.argv.index("--") + 2 :]
    folder = Path(arguments[0]) if arguments else None
    window = bpy.context.window_manager.windows[0]
    area = next(a for a in window.screen.areas if a.type == "VIEW_3D")
    region = next(r for r in area.regions if r.type == "WINDOW")
    here = (region.x + region.width // 2, region.y + region.height // 2)
    with tempfile.TemporaryDirectory() as kept:
        paths = [write_character(Path(kept), name, suffix) for name, suffix in _FILES]
        for path in paths:
            clear_scene()
            yield from pause()
            window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=here[0], y=here[1])
            yield from pause(3)
            # What Blender itself calls where files are dropped into a view.
            with bpy.context.temp_override(window=window, area=area, region=region):
                bpy.ops.wm.drop_import_file(
                    "INVOKE_DEFAULT", directory=kept, files=[{"name": path.name}]
                )
            yield from pause()
            if folder is not None:
                grab(folder / f"drop_menu{path.suffix}.png")
            # Where Blender itself reads such files too, the entry that it shows last is ours.
            yield from press(window, here, "RET")
            yield from wait(is_set_up)
            yield from pause()
            seen[path.suffix] = read_character()
            frame_view(area, region, window)
            yield from pause()
            if folder is not None:
                grab(folder / f"dropped{path.suffix}.png")


def is_set_up():
    """Whether a character is there that has legs."""
    active = bpy.context.view_layer.objects.active
    return active is not None and active.type == "ARMATURE" and len(active.locomotion.legs) > 0


def read_character():
    """What was found of the active character."""
    armature = bpy.context.view_layer.objects.active
    return {
        "legs": len(armature.locomotion.legs),
        "bones": len(armature.data.bones),
        "meshes": sum(o.type == "MESH" for o in bpy.context.scene.objects),
        "motions": [e.action.name for e in armature.locomotion.motions if e.enabled],
    }


def write_character(folder, name, suffix):
    """A character of the project with its walk, as a file of some format."""
    from semi_procedural_locomotion.blender import versions
    from semi_procedural_locomotion.demo.characters import (
        CHARACTER_SHAPES,
        create_character,
        write_gaits,
    )

    clear_scene()
    shape = CHARACTER_SHAPES[name]()
    armature = create_character(shape, bpy.context.scene.collection)
    (walk,) = write_gaits(armature, shape, ["walk"])
    versions.assign_action(armature, walk, versions.find_slot(walk, armature))
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = (int(value) for value in walk.frame_range)
    bpy.context.view_layer.objects.active = armature
    path = folder / f"{name}{suffix}"
    if suffix == ".fbx":
        bpy.ops.export_scene.fbx(filepath=str(path), add_leaf_bones=False)
    elif suffix == ".bvh":
        # Up is Y in such files.
        armature.data.transform(Matrix.Rotation(-0.5 * pi, 4, "X"))
        bpy.ops.export_anim.bvh(filepath=str(path))
    else:
        kind = "GLB" if suffix == ".glb" else "GLTF_SEPARATE"
        bpy.ops.export_scene.gltf(filepath=str(path), export_format=kind)
    return path


def clear_scene():
    """Take out all objects and actions."""
    for held in (bpy.data.objects, bpy.data.actions, bpy.data.armatures, bpy.data.meshes):
        for item in list(held):
            held.remove(item)


def frame_view(area, region, window):
    """Look at the character in the middle of a step."""
    bpy.context.view_layer.objects.active.data.display_type = "STICK"
    bpy.context.scene.frame_set(_FRAME)
    view = area.spaces[0].region_3d
    view.view_rotation = Euler((1.25, 0.0, 0.7)).to_quaternion()
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.view3d.view_all()


def grab(path):
    """Save the screen."""
    subprocess.run(["import", "-window", "root", str(path)], check=True)


run_session(play)
