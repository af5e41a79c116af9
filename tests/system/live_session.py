# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Live, Auto Bake and the overlay in a window; run by test_live_window.py.

Writes what happened as JSON to the file that the command line names, and closes Blender.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.system.sessions import pause, run_session, wait


def play(seen):
    """Each yield lets Blender handle events and draw."""
    from semi_procedural_locomotion.api import watching

    plans = count_plans(watching)
    name = make_walker()
    with view():
        bpy.ops.anim.locomotion_setup("EXEC_DEFAULT", True)
    yield from pause()

    # Live: shown while playing, without planning again.
    with view():
        bpy.ops.anim.locomotion_live("EXEC_DEFAULT", True, action="ON")
        bpy.ops.view3d.locomotion_overlay(action="ON")
        options = bpy.context.window_manager.locomotion_overlay
        options.show_ghost = options.show_forward = options.show_own_sole = True
        bpy.ops.screen.animation_play()
    start = bpy.context.scene.frame_current
    yield from wait(lambda: bpy.context.scene.frame_current > start + 5)
    with view():
        bpy.ops.screen.animation_play()
    yield from pause()
    seen["moves"] = bpy.data.objects[name].location.length > 0.05
    seen["plans while playing"] = len(plans)

    # A changed setting is seen by itself; Blender tells of sliders in this way.
    armature = bpy.data.objects[name]
    armature.locomotion.settings.swing_margin = 0.15
    armature.update_tag()
    yield from wait(lambda: plans)
    yield from pause()
    seen["plans after a setting"] = len(plans)

    # Ground moved with G by the mouse and the keyboard.
    window, place = find_view()
    with view():
        bpy.ops.object.select_all(action="DESELECT")
    plate = bpy.data.objects["Plate"]
    plate.select_set(True)
    bpy.context.view_layer.objects.active = plate
    yield from pause()
    plans.clear()
    for key, letter in (("G", "g"), ("Z", "z"), ("MINUS", "-"), ("ONE", "1")):
        yield from press(window, place, key, letter)
    yield from press(window, place, "RET")
    yield from wait(lambda: plans)
    yield from pause()
    seen["ground followed"] = round(bpy.data.objects[name].location.z, 2)

    # Undo of the move is followed too, then everything is given back.
    plans.clear()
    yield from press(window, place, "Z", ctrl=True)
    yield from wait(lambda: plans)
    yield from pause()
    seen["undo followed"] = abs(round(bpy.data.objects[name].location.z, 2))
    bpy.context.view_layer.objects.active = bpy.data.objects[name]
    with view():
        bpy.ops.anim.locomotion_live("EXEC_DEFAULT", True, action="OFF")
        bpy.ops.view3d.locomotion_overlay(action="OFF")
    yield from pause()
    seen["given back"] = bpy.data.objects[name].location.length < 1e-6
    seen["watched"] = len(watching.list_watches())


def count_plans(watching):
    """A list that grows by one with each time something is planned again."""
    plans = []
    refresh = watching.refresh

    def counted(uids=None):
        changed = refresh(uids)
        if changed:
            plans.append(uids)
        return changed

    watching.refresh = counted
    return plans


def make_walker():
    """The project's person on a plate; its name."""
    from semi_procedural_locomotion.demo.biped import make_biped_shape
    from semi_procedural_locomotion.demo.characters import create_biped, write_gaits

    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 120
    armature = create_biped(scene.collection)
    write_gaits(armature, make_biped_shape(), ["walk"])
    mesh = bpy.data.meshes.new("Plate")
    corners = [(-9, -9, 0), (9, -9, 0), (9, 9, 0), (-9, 9, 0)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    scene.collection.objects.link(bpy.data.objects.new("Plate", mesh))
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    return armature.name


def find_view():
    """The window, and a place in its 3D View."""
    window = bpy.context.window_manager.windows[0]
    region = find_region(window)[1]
    return window, (region.x + region.width // 3, region.y + region.height // 2)


def find_region(window):
    """Area and main region of the 3D View."""
    area = next(a for a in window.screen.areas if a.type == "VIEW_3D")
    return area, next(r for r in area.regions if r.type == "WINDOW")


def view():
    """The context of the 3D View."""
    window = bpy.context.window_manager.windows[0]
    area, region = find_region(window)
    return bpy.context.temp_override(window=window, area=area, region=region)


def press(window, place, key, letter="", ctrl=False):
    """Press and release a key while the mouse is at a place of the window."""
    x, y = place
    window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
    yield
    known = {"unicode": letter} if letter else {}
    window.event_simulate(type=key, value="PRESS", x=x, y=y, ctrl=ctrl, **known)
    window.event_simulate(type=key, value="RELEASE", x=x, y=y, ctrl=ctrl)
    yield from pause(4)


run_session(play)
