# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps clicked up some stairs by simulated events; run by test_window_footsteps.py.

Writes what happened as JSON to the file that the command line names, and closes Blender.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
from bpy_extras import view3d_utils
from mathutils import Euler, Vector

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.system.sessions import click, drag, pause, press, run_session, wait

NAME = "Walker"
RISE, RUN = 0.15, 0.38
# Where the steps are clicked: left and right in turn, one on each tread.
PLACES = [(0.08 * (-1) ** n, -1.1 - RUN * n, RISE * (n + 1)) for n in range(8)]
BESIDE = (0.4, -3.9, RISE * 8)


def play(seen):
    """Each yield lets Blender handle events and draw."""
    make_scene()
    window = bpy.context.window_manager.windows[0]
    area = next(a for a in window.screen.areas if a.type == "VIEW_3D")
    region = next(r for r in area.regions if r.type == "WINDOW")
    view = area.spaces[0].region_3d
    view.view_rotation = Euler((0.9, 0.0, 0.8)).to_quaternion()
    view.view_location, view.view_distance = (0.0, -2.2, 0.6), 8.0
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.wm.tool_set_by_id(name="locomotion.footsteps")
    yield from pause(20)
    bpy.ops.ed.undo_push(message="start")

    def locate(place):
        x, y = view3d_utils.location_3d_to_region_2d(region, view, Vector(place))
        return round(region.x + x), round(region.y + y)

    for number, place in enumerate(PLACES, 1):
        yield from click(window, *locate(place))
        yield from wait(lambda number=number: len(list_steps()) == number)
    steps = list_steps()
    seen["placed"] = len(steps)
    seen["heights"] = [step.location.z for step in steps]
    seen["treads"] = [place[2] for place in PLACES]
    seen["off_target"] = max(
        (step.location - Vector(place)).length for step, place in zip(steps, PLACES, strict=True)
    )
    seen["sides"] = [step.locomotion_footstep.leg for step in steps]

    here = locate(BESIDE)
    yield from press(window, here, "BACK_SPACE")
    yield from pause()
    seen["after_backspace"] = len(list_steps())
    yield from press(window, here, "Z", ctrl=True)
    yield from pause()
    seen["after_undo"] = len(list_steps())

    # A drag turns the sole towards the pointer.
    aside = locate((BESIDE[0] + 0.5, *BESIDE[1:]))
    yield from drag(window, here, aside)
    yield from wait(lambda: len(list_steps()) == 9)
    seen["dragged"] = abs(list_steps()[-1].rotation_euler.z) < 0.1

    yield from press(window, here, "X")
    yield from press(window, here, "ESC")
    yield from pause()
    seen["after_keep"] = len(list_steps())
    yield from press(window, here, "RET")
    yield from pause()
    seen["ended"] = not any(o.bl_idname.endswith("place") for o in window.modal_operators)

    counts = []
    for keys in ({}, {}, {"shift": True}):
        yield from press(window, here, "Z", ctrl=True, **keys)
        yield from pause()
        counts.append(len(list_steps()))
    seen["undone_one_by_one"] = counts

    # Blender's own tools: duplicate one, delete two, undo both.
    before = read_steps()
    with bpy.context.temp_override(window=window, area=area, region=region):
        select(list_steps()[2])
        bpy.ops.object.duplicate("EXEC_DEFAULT", True)
        select(*list_steps()[4:6])
        bpy.ops.object.delete("EXEC_DEFAULT", True)
    yield from pause()
    seen["edited"] = len(list_steps())
    for _ in range(2):
        yield from press(window, here, "Z", ctrl=True)
        yield from pause()
    seen["undone"] = read_steps() == before

    armature = bpy.data.objects[NAME]
    select(armature)
    armature.locomotion.travel.source = "FOOTSTEPS"
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.anim.locomotion_bake("EXEC_DEFAULT")
        bpy.ops.object.footsteps_from_plan("EXEC_DEFAULT")
    yield
    seen["lost"] = sum(step.locomotion_footstep.is_lost for step in list_steps())
    seen["misses"] = max(measure_misses(armature))


def select(*items):
    """Select only these objects; the first is active."""
    for item in bpy.context.view_layer.objects:
        item.select_set(item in items)
    bpy.context.view_layer.objects.active = items[0]


def read_steps():
    """Names, legs and places of the footsteps."""
    return [(s.name, s.locomotion_footstep.leg, s.matrix_basis.copy()) for s in list_steps()]


def measure_misses(armature):
    """How far beside and along its footstep each foot stands, against the first, metres."""
    scene = bpy.context.scene
    rate = scene.render.fps / scene.render.fps_base
    places = {}
    for step in list_steps():
        data = step.locomotion_footstep
        frame = data.time * rate
        scene.frame_set(int(frame), subframe=frame % 1)
        leg = next(leg for leg in armature.locomotion.legs if leg.name == data.leg)
        ankle = armature.matrix_world @ armature.pose.bones[leg.bones[-1].name].head
        local = step.matrix_world.inverted() @ ankle
        places.setdefault(data.leg, []).append(local)
    return [(local - own[0]).length for own in places.values() for local in own]


def make_scene():
    """The project's person before stairs, set up and active."""
    from semi_procedural_locomotion.demo.biped import make_biped_shape
    from semi_procedural_locomotion.demo.characters import create_biped, write_gaits

    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    armature = create_biped(bpy.context.scene.collection)
    armature.name = NAME
    write_gaits(armature, make_biped_shape(), ["walk", "rest"])
    add_box((20.0, 20.0, 1.0), (0.0, 0.0, -0.5))
    for _, y, height in PLACES:
        add_box((2.0, RUN, height), (0.0, y, 0.5 * height))
    add_box((2.0, 2.0, PLACES[-1][2]), (0.0, PLACES[-1][1] - 1.0, 0.5 * PLACES[-1][2]))
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.context.view_layer.update()
    bpy.ops.anim.locomotion_setup("EXEC_DEFAULT")


def add_box(size, place):
    """A box with this size about this place."""
    corners = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = bpy.data.meshes.new("Box")
    mesh.from_pydata(
        [tuple(c * s for c, s in zip(corner, size, strict=True)) for corner in corners], [], faces
    )
    item = bpy.data.objects.new("Box", mesh)
    item.location = place
    bpy.context.scene.collection.objects.link(item)


def list_steps():
    """The footsteps of the character in their order."""
    from semi_procedural_locomotion.blender.footsteps.objects import list_footsteps

    return list_footsteps(bpy.data.objects[NAME])


run_session(play)
