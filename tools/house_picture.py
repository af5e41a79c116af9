# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes the walk through the house of three storeys and takes its picture for the documentation.

    python tools/house_picture.py [FILE]

It needs bpy, and writes ``docs/images/house.png`` where no file is named.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
import numpy as np

REPOSITORY = Path(__file__).resolve().parent.parent
# Metres of way from pose to pose, and to what the picture shows from side to side.
_GAP, _VIEW = 1.5, 17.0
_SIZE = (800, 614)
_MIDDLE, _FAR = np.array([6.0, 5.5, 3.2]), 40.0
# Degrees from which it is seen: around up, and above the horizon.
_AROUND, _ABOVE = -62.0, 24.0


def main() -> None:
    """Build, bake, render."""
    sys.path.insert(0, str(REPOSITORY))
    import semi_procedural_locomotion as package
    from benchmarks.house import WAY_NAME, create_house
    from semi_procedural_locomotion.api import setups
    from semi_procedural_locomotion.demo.making import Tile, choose_frames, render_sheet
    from semi_procedural_locomotion.demo.stage import copy_poses, create_camera, light_scene
    from semi_procedural_locomotion.requests.travels import AlongCurve

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    package.register()
    scene = bpy.context.scene
    armature = create_house(scene.collection)
    bpy.context.view_layer.update()
    setups.set_up(armature)
    setups.write_travel(armature, AlongCurve(curve=WAY_NAME), "object")
    result = setups.bake_set_up(armature, scene)
    copies = bpy.data.collections.new("Poses")
    scene.collection.children.link(copies)
    body = next(item for item in armature.children if item.type == "MESH")
    copy_poses(body, choose_frames(result, _GAP), scene, copies)
    for item in (body, scene.objects["Roof"]):
        item.hide_render = True
    light_scene(scene)
    around, above = np.radians([_AROUND, _ABOVE])
    towards = np.array(
        [np.cos(above) * np.cos(around), np.cos(above) * np.sin(around), np.sin(above)]
    )
    camera = create_camera(
        "House Camera",
        tuple(_MIDDLE + _FAR * towards),
        tuple(_MIDDLE),
        scene.collection,
        view_width=_VIEW,
    )
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else REPOSITORY / "docs/images/house.png"
    render_sheet(scene, [[Tile(camera, _SIZE, (copies,))]], path, 0, lambda _: None)


if __name__ == "__main__":
    main()
