# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Script for any Blender: opens a file of a baked walk, making it where it is missing, and tells
what it finds as JSON: the set-up, the walk's numbers, its keys, and those of two more bakes.

Arguments: the .blend file and the .json file. Where the package lies is known from this file.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import semi_procedural_locomotion
from benchmarks.terrain_shapes import make_bumps
from semi_procedural_locomotion import api
from semi_procedural_locomotion.api import footsteps, setups
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.footsteps.objects import is_edited, list_footsteps
from semi_procedural_locomotion.blender.values.custom_keys import ANALYSIS_KEY
from semi_procedural_locomotion.demo.characters import (
    CHARACTER_SHAPES,
    create_character,
    write_gaits,
)
from semi_procedural_locomotion.demo.stage import animate_location, create_terrain


def make_file(path: Path) -> None:
    """A person over bumps that rise meanwhile, with one footstep moved by hand, baked and saved."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.render.fps = 24
    shape = CHARACTER_SHAPES["biped"]()
    armature = create_character(shape, scene.collection)
    walk, rest = write_gaits(armature, shape, ["walk", "rest"])
    bumps = make_bumps(0.82, 1.2, np.pi, height=0.04, seed=3)
    ground = create_terrain(bumps, "Bumps", scene.collection)
    animate_location(ground, [1.0, 60.0], np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.2]]))
    setups.set_up(armature, [api.MotionChoice(walk), api.MotionChoice(rest, rest=True)])
    path_points = ((0.0, 0.0), (0.0, -1.2), (0.5, -1.7))
    travel = api.AlongPoints(path_points, speed=1.25)
    setups.write_travel(armature, travel, "object")
    setups.write_ground(armature, [ground])
    settings = armature.locomotion.settings
    settings.blend_in, settings.action_name = 3, "Hero Walk"
    footsteps.show_footsteps(armature, scene)
    list_footsteps(armature)[3].location.x += 0.04
    setups.bake_set_up(armature, scene)
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)


def describe(value: Any) -> Any:
    """A property's value, or all properties of a group, as plain data."""
    if isinstance(value, bpy.types.ID):
        return f"{type(value).__name__} {value.name}"
    if isinstance(value, bpy.types.PropertyGroup):
        names = [p.identifier for p in value.bl_rna.properties if p.identifier != "rna_type"]
        return {name: describe(getattr(value, name)) for name in names}
    if isinstance(value, str | int | float | bool | None):
        return value
    return [describe(item) for item in value]


def read_keys(armature: bpy.types.Object) -> dict[str, Any]:
    """Keys of the action that plays, a list of frame and value for each curve."""
    action, slot = versions.get_assigned_action(armature)
    keys = {}
    for curve in versions.get_curves(action, slot):
        values = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
        curve.keyframe_points.foreach_get("co", values)
        keys[f"{curve.data_path}[{curve.array_index}]"] = values.reshape(-1, 2).tolist()
    return {"action": action.name, "curves": keys}


def tell(path: Path) -> dict[str, Any]:
    """What a file holds, and what a bake over the bake and one from the start give in it."""
    bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False)
    scene = bpy.context.scene
    armature = next(o for o in scene.objects if o.type == "ARMATURE")
    steps = list_footsteps(armature)
    seen = {
        "saved by": list(bpy.data.version[:2]),
        "opened by": list(bpy.app.version[:2]),
        "set-up": describe(armature.locomotion),
        "footsteps": [
            {**describe(step.locomotion_footstep), "edited": is_edited(step)} for step in steps
        ],
        "analyzed": sorted(a.name for a in bpy.data.actions if ANALYSIS_KEY in a),
        "slots": {a.name: len(versions.list_slots(a)) for a in bpy.data.actions},
        "keys": read_keys(armature),
    }
    walk = api.measure_baked(armature, scene)
    seen["numbers"] = walk.as_dict()
    seen["leg length"] = float(walk.plan.tables.rig.leg_length)
    setups.bake_set_up(armature, scene)
    seen["keys over"] = read_keys(armature)
    api.remove_bake(armature)
    seen["playing without bake"] = versions.get_assigned_action(armature)[0] is not None
    setups.bake_set_up(armature, scene)
    seen["keys anew"] = read_keys(armature)
    seen["numbers anew"] = api.measure_baked(armature, scene).as_dict()
    return seen


def main(arguments: list[str]) -> int:
    """Make the file where it is missing, and tell; the exit code."""
    blend, target = map(Path, arguments)
    semi_procedural_locomotion.register()
    if not blend.exists():
        make_file(blend)
    target.write_text(json.dumps(tell(blend)), encoding="utf-8")
    semi_procedural_locomotion.unregister()
    return 0


# Without an exit a Blender goes on; after an exception it ends by --python-exit-code.
sys.exit(main(sys.argv[-2:]))
