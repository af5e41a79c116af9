# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A person steered up some stairs by simulated keys; run by test_window_drive.py.

Writes what happened as JSON to the file that the command line names, and closes Blender.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
from mathutils import Euler

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.system.drives import keep_made
from tests.system.sessions import pause, press, run_session, wait

NAME = "Walker"


def play(seen):
    """Each yield lets Blender handle events and draw."""
    armature = make_scene()
    window = bpy.context.window_manager.windows[0]
    area = next(a for a in window.screen.areas if a.type == "VIEW_3D")
    region = next(r for r in area.regions if r.type == "WINDOW")
    view = area.spaces[0].region_3d
    view.view_rotation = Euler((1.05, 0.0, 0.9)).to_quaternion()
    view.view_location, view.view_distance = (0.2, -2.6, 0.5), 9.5
    here = (region.x + region.width // 2, region.y + region.height // 2)
    yield from pause(20)
    bpy.ops.ed.undo_push(message="start")
    before = read_state()

    drives = keep_made("begin_drive")

    def start():
        with bpy.context.temp_override(window=window, area=area, region=region):
            bpy.ops.anim.locomotion_drive("INVOKE_DEFAULT")

    def hold(key, value="PRESS"):
        window.event_simulate(type=key, value=value, x=here[0], y=here[1])

    def is_driving():
        return any(o.bl_idname == "ANIM_OT_locomotion_drive" for o in window.modal_operators)

    def drive(seconds, *keys):
        for key in keys:
            hold(key)
        end = drives[-1].seconds + seconds
        yield from wait(lambda: drives[-1].seconds > end)
        for key in keys:
            hold(key, "RELEASE")
        yield

    # Esc, in Pose Mode: all is as it was.
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.object.mode_set(mode="POSE")
    posed = read_state()
    start()
    yield from drive(1.0, "W")
    seen["driving"] = is_driving()
    seen["hidden"] = armature.hide_get()
    seen["moved"] = abs(find_stand_in().location.y)
    yield from press(window, here, "ESC")
    yield from pause()
    seen["esc"] = read_state() == posed and not is_driving()
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.object.mode_set(mode="OBJECT")

    # Something fails on the way: all is as it was.
    from semi_procedural_locomotion.api import driving

    advance, driving.Drive.advance = driving.Drive.advance, fail
    start()
    yield from pause(6)
    driving.Drive.advance = advance
    seen["failed"] = read_state() == before and not is_driving()

    # A drive over the stairs, ended by a click: one step of undo.
    start()
    yield from drive(1.2, "W")
    yield from drive(0.5, "W", "D")
    yield from drive(0.5, "W", "A")
    yield from drive(0.6, "W", "LEFT_SHIFT")
    yield from drive(0.8, "E")
    yield from pause(10)
    hold("LEFTMOUSE")
    hold("LEFTMOUSE", "RELEASE")
    yield from wait(lambda: not is_driving())
    yield from pause()
    armature = bpy.data.objects[NAME]
    seen["source"] = armature.locomotion.travel.source
    seen["baked"] = armature.locomotion.bake is not None
    places = list(list_places(armature))
    seen["way"] = max((place - places[0]).length for place in places)
    # Foreseen and exact steps are drawn.
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.view3d.locomotion_overlay(action="ON")
    yield from pause()
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.view3d.locomotion_overlay(action="OFF")
    yield from press(window, here, "Z", ctrl=True)
    yield from pause()
    seen["undone"] = read_state() == before


def fail(*_):
    """Stands in for a character that is taken away."""
    raise ReferenceError("gone")


def find_stand_in():
    """The copy that is shown."""
    return next(o for o in bpy.data.objects if o.type == "ARMATURE" and o.name != NAME)


def read_state():
    """What a drive that comes to nothing leaves as it was."""
    layer, armature = bpy.context.view_layer, bpy.data.objects[NAME]
    action = None if armature.animation_data is None else armature.animation_data.action
    return (
        sorted(item.name for item in bpy.data.objects),
        sorted(item.name for item in layer.objects if not item.hide_get()),
        sorted(item.name for item in layer.objects if item.select_get()),
        layer.objects.active.name,
        layer.objects.active.mode,
        None if action is None else action.name,
        armature.locomotion.travel.source,
        armature.locomotion.bake is None,
        bpy.context.scene.frame_end,
    )


def list_places(armature):
    """Where the object is at some frames."""
    scene = bpy.context.scene
    for frame in range(scene.frame_start, scene.frame_end, 10):
        scene.frame_set(frame)
        yield armature.matrix_world.translation.copy()
    scene.frame_set(scene.frame_start)


def make_scene():
    """The project's person before stairs, set up and active."""
    from semi_procedural_locomotion.demo.biped import make_biped_shape
    from semi_procedural_locomotion.demo.characters import create_biped, write_gaits
    from tests.blender.footsteps.test_objects import add_box

    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    armature = create_biped(bpy.context.scene.collection)
    armature.name = NAME
    write_gaits(armature, make_biped_shape(), ["walk", "rest", "run"])
    add_box("Floor", (20.0, 20.0, 1.0), (0.0, 0.0, -0.5))
    for number in range(3):
        height = 0.12 * (number + 1)
        add_box(f"Stair {number}", (3.0, 0.5, height), (0.0, -1.4 - 0.5 * number, 0.5 * height))
    add_box("Landing", (6.0, 6.0, 0.36), (0.0, -5.65, 0.18))
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 40
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.context.view_layer.update()
    bpy.ops.anim.locomotion_setup("EXEC_DEFAULT")
    return armature


run_session(play)
