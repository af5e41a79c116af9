# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A person without any action is given a walk and ten clicked footsteps; run by
test_window_footsteps.py.

Writes what happened as JSON to the file that the command line names, and closes Blender.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import bpy
from bpy_extras import view3d_utils
from mathutils import Euler, Vector

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.system.sessions import click, pause, press, run_session, wait

NAME = "Walker"
# Where the steps are clicked: left and right in turn, on a way that bends to the left.
PLACES = [
    (0.09 * (-1) ** n + 0.02 * n * n, -0.45 - 0.55 * n + 0.008 * n * n, 0.0) for n in range(10)
]


def play(seen):
    """Each yield lets Blender handle events and draw."""
    make_scene()
    window = bpy.context.window_manager.windows[0]
    area = next(a for a in window.screen.areas if a.type == "VIEW_3D")
    region = next(r for r in area.regions if r.type == "WINDOW")
    view = area.spaces[0].region_3d
    view.view_rotation = Euler((0.6, 0.0, 0.3)).to_quaternion()
    view.view_location, view.view_distance = (0.7, -2.8, 0.3), 9.0
    with bpy.context.temp_override(window=window, area=area, region=region):
        seen["made"] = list(bpy.ops.anim.locomotion_make_cycle("EXEC_DEFAULT", gait="WALK"))
        bpy.ops.wm.tool_set_by_id(name="locomotion.footsteps")
    yield from pause(20)

    def locate(place):
        x, y = view3d_utils.location_3d_to_region_2d(region, view, Vector(place))
        return round(region.x + x), round(region.y + y)

    # Strips that are muted, as importers leave them, and a place that only Blender can evaluate.
    armature = bpy.data.objects[NAME]
    track = armature.animation_data.nla_tracks.new()
    track.strips.new("Walk", 1, armature.locomotion.motions[0].action)
    track.mute = True
    constraint_name = armature.constraints.new("LIMIT_LOCATION").name
    yield from hover(window, locate, seen)
    seen["scenes"] = len(bpy.data.scenes)
    armature = bpy.data.objects[NAME]
    armature.constraints.remove(armature.constraints[constraint_name])
    for number, place in enumerate(PLACES, 1):
        yield from click(window, *locate(place))
        yield from wait(lambda number=number: len(list_steps()) == number)
    here = locate(PLACES[-1])
    yield from press(window, here, "X")
    yield from press(window, here, "X")
    yield from pause()
    seen["after_two_x"] = len(list_steps())
    yield from press(window, here, "ESC")
    yield from press(window, here, "RET")
    yield from pause()
    seen["ended"] = not any(o.bl_idname.endswith("place") for o in window.modal_operators)
    seen["placed"] = len(list_steps())

    armature = bpy.data.objects[NAME]
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    armature.locomotion.travel.source = "FOOTSTEPS"
    yield from grab(window, area, region, locate((-0.8, -1.0, 0.0)), seen)
    armature = bpy.data.objects[NAME]
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.anim.locomotion_bake("EXEC_DEFAULT")
    yield
    seen["lost"] = sum(step.locomotion_footstep.is_lost for step in list_steps())
    seen["report"] = json.loads(armature.locomotion.report.values)
    seen["warnings"] = armature.locomotion.report.warnings


def grab(window, area, region, here, seen):
    """Move the character with G, taking its footsteps along; undo that; begin it and stop."""
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.wm.tool_set_by_id(name="builtin.select_box")
    armature = bpy.data.objects[NAME]
    for step in list_steps():
        step.select_set(False)
    armature.locomotion.move_footsteps = True
    bpy.ops.ed.undo_push(message="grab")

    def read():
        return [tuple(round(x, 4) for x in step.location) for step in list_steps()]

    before = read()
    x, y = here
    for end in ("LEFTMOUSE", "ESC"):
        yield from press(window, here, "G")
        for offset in range(20, 161, 20):
            window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x + offset, y=y)
            yield from pause(2)
        seen[f"moving until {end}"] = read() != before
        yield from press(window, (x + 160, y), end)
        yield from pause()
        moved = bpy.data.objects[NAME].location.copy()
        shifts = [Vector(a) - Vector(b) for a, b in zip(read(), before, strict=True)]
        seen[f"off after {end}"] = max((shift - moved).length for shift in shifts)
        if end == "LEFTMOUSE":
            seen["moved"] = moved.length
            yield from press(window, here, "Z", ctrl=True)
            yield from pause()
            seen["undone together"] = read() == before
    seen["back after ESC"] = read() == before
    bpy.data.objects[NAME].locomotion.move_footsteps = False


def hover(window, locate, seen):
    """Move over the ground before any click; note what the tool shows."""
    from semi_procedural_locomotion.ui.footsteps.placer import StepGhost

    shown = []
    show = StepGhost.show

    def note(ghost, *arguments):
        show(ghost, *arguments)
        shown.append(None if ghost.outline is None else ghost.outline.mean(axis=0).tolist())

    StepGhost.show = note
    for place in (PLACES[1], PLACES[0]):
        x, y = locate(place)
        for offset in (2, 0):
            window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x + offset, y=y)
            yield from pause(6)
    StepGhost.show = show
    seen["hovered"] = shown[-1] if shown else None
    seen["hovered_at"] = PLACES[0]
    seen["placed_by_hovering"] = len(list_steps())


def make_scene():
    """The project's person on a floor, without any action, active."""
    from semi_procedural_locomotion.demo.characters import create_biped

    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    armature = create_biped(bpy.context.scene.collection)
    armature.name = NAME
    mesh = bpy.data.meshes.new("Floor")
    corners = [(-10.0, -10.0, 0.0), (10.0, -10.0, 0.0), (10.0, 10.0, 0.0), (-10.0, 10.0, 0.0)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Floor", mesh))
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.context.view_layer.update()


def list_steps():
    """The footsteps of the character in their order."""
    from semi_procedural_locomotion.blender.footsteps.objects import list_footsteps

    return list_footsteps(bpy.data.objects[NAME])


run_session(play)
