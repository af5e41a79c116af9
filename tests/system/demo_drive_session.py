# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo's person steered over one of its courses for ten seconds; run by test_window_drive.py.

    blender demo.blend --enable-event-simulate --python tests/system/demo_drive_session.py \
        -- SEEN.json [COURSE [FOLDER]]

Writes what happened as JSON to SEEN.json. Where a COURSE is named it is driven by the machine's clock.
Else it is "Stairs", made where the file does not have it, and the drive sees a fifth of a second pass at
each tick, so that a slow machine steers the same way. With a FOLDER the screen is grabbed on the way (by
ImageMagick's `import`), and the driven file is kept there. The table of docs/steering.md is from such
runs.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import perf_counter

import bpy
import numpy as np
from mathutils import Euler

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.system.drives import keep_made
from tests.system.sessions import pause, run_session, wait

# Seconds of the drive at which keys are pressed and released.
KEYS = (
    (0.2, "W", "PRESS"),
    (0.6, "A", "PRESS"),
    (0.9, "A", "RELEASE"),
    (4.8, "W", "RELEASE"),
    (5.2, "E", "PRESS"),
    (5.7, "E", "RELEASE"),
    (5.7, "Q", "PRESS"),
    (6.2, "Q", "RELEASE"),
    (6.2, "W", "PRESS"),
    (8.6, "C", "PRESS"),
    (9.6, "C", "RELEASE"),
    (9.6, "LEFT_SHIFT", "PRESS"),
    (10.1, "LEFT_SHIFT", "RELEASE"),
    (10.1, "W", "RELEASE"),
    (10.1, "SPACE", "PRESS"),
)
SECONDS = 11.0
# The person looks where it goes from here on: radians of heading for each metre beside the lane's middle,
# and how far off it turns back.
_LOOKS, _AIM, _OFF = 1.2, 0.6, 0.12
# Radians a second: slowly, as one has to steer by few pictures a second.
_TURN_RATE = 0.7
_PICTURES = {"climbs": 3.4, "aside": 5.6, "crouches": 9.4}
_BAKED_FRAME = 178
# Seconds that a drive without the machine's clock sees pass at a tick.
_TICK = 0.2


def play(seen):
    """Each yield lets Blender handle events and draw."""
    arguments = sys.argv[sys.argv.index("--") + 2 :]
    name = arguments[0] if arguments else "Stairs"
    folder = Path(arguments[1]) if len(arguments) > 1 else None
    if name not in bpy.data.objects:
        make_course(name)
    armature = bpy.data.objects[name]
    prepare(armature)
    window = bpy.context.window_manager.windows[0]
    area = next(a for a in window.screen.areas if a.type == "VIEW_3D")
    region = next(r for r in area.regions if r.type == "WINDOW")
    show_lane(area, armature)
    here = (region.x + region.width // 2, region.y + region.height // 2)
    yield from pause(20)

    drives, results = keep_made("begin_drive"), keep_made("finish_drive")
    watch = [0.0]
    if not arguments:
        follow_ticks(watch)
    clocks = keep_made("DriveClock")
    pictures = {} if folder is None else dict(_PICTURES)
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.anim.locomotion_drive("INVOKE_DEFAULT")
    drive, begun = drives[-1], perf_counter()
    middle, events, held = float(armature.matrix_world.translation.x), list(KEYS), ""
    while drive.seconds < SECONDS:
        while events and drive.seconds >= events[0][0]:
            _, key, value = events.pop(0)
            window.event_simulate(type=key, value=value, x=here[0], y=here[1])
        body = drive.state.body
        beside = body.yaw + _AIM * (float(body.position[0]) - middle)
        goes = drive.seconds > _LOOKS and np.hypot(*body.velocity) > 0.3
        wanted = ("D" if beside > 0.0 else "A") if goes and abs(beside) > _OFF else ""
        if wanted != held:
            if held:
                window.event_simulate(type=held, value="RELEASE", x=here[0], y=here[1])
            if wanted:
                window.event_simulate(type=wanted, value="PRESS", x=here[0], y=here[1])
            held = wanted
        for picture in [p for p, time in pictures.items() if drive.seconds >= time]:
            del pictures[picture]
            grab(folder / f"{name}_{picture}.png")
        watch[0] += _TICK
        yield
    seen["real"], seen["driven"] = perf_counter() - begun, drive.seconds
    seen["lost"] = clocks[-1].lost
    seen["travelled"] = np.ptp(drive.recording.make_travel().positions, axis=0).tolist()
    for value in ("PRESS", "RELEASE"):
        window.event_simulate(type="LEFTMOUSE", value=value, x=here[0], y=here[1])
    yield from wait(lambda: results)
    yield from pause()
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.view3d.locomotion_overlay(action="ON")
    yield from pause()
    seen.update(read_walk(armature, results[-1]))
    if folder is not None:
        options = bpy.context.window_manager.locomotion_overlay
        options.show_clocks = options.show_weights = options.show_graph = False
        bpy.context.scene.frame_set(_BAKED_FRAME)
        yield from pause()
        grab(folder / f"{name}_baked.png")
        bpy.ops.wm.save_as_mainfile(filepath=str(folder / f"{name}_driven.blend"), copy=True)


def follow_ticks(watch):
    """Let drives go by the only number of a list instead of the machine's clock."""
    from semi_procedural_locomotion.ui.driving import operator

    make = operator.DriveClock
    operator.DriveClock = lambda: make(lambda: watch[0])


def read_walk(armature, result):
    """How far foreseen prints are from the nearest exact ones of their feet, shares of the leg; slips."""
    from semi_procedural_locomotion.blender.driving.track import read_predicted
    from semi_procedural_locomotion.blender.setup.weights import find_weight_curves

    length = float(result.plan.tables.rig.leg_length)
    exact = [row.positions[~row.parked] for row in result.plan.prints.rows]
    off = []
    for mark in read_predicted(armature):
        away = np.linalg.norm(exact[mark.leg] - mark.position, axis=1)
        off.append(float(away.min()) / length)
    curves = find_weight_curves(armature, "groups").values()
    report = result.report.as_dict("")
    return {
        "off": off,
        "steps": sum(map(len, exact)),
        "crouched": max(
            (key.co.y for curve in curves for key in curve.keyframe_points), default=0.0
        ),
        "told": {key: report[key] for key in report if key.startswith("shown_")},
        "frames": list(result.frames),
        "notes": list(result.warnings),
    }


def make_course(name):
    """The demo's course of a name, alone in the file."""
    from semi_procedural_locomotion.demo.courses import make_courses
    from semi_procedural_locomotion.demo.making import make_lane

    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    bpy.context.scene.render.fps = 24
    (course,) = [c for row in make_courses() for c in row if c.name == name]
    make_lane(course, 0.0, bpy.context.scene, {})


def prepare(armature):
    """Make the person active, and give it a run and something to crouch with."""
    from semi_procedural_locomotion.demo.biped import make_biped_shape
    from semi_procedural_locomotion.demo.characters import write_gaits

    scene, data = bpy.context.scene, armature.locomotion
    for item in bpy.context.view_layer.objects:
        item.select_set(item == armature)
    bpy.context.view_layer.objects.active = armature
    scene.frame_set(scene.frame_start)
    run = bpy.data.actions.get("Walker Run")
    if run is None:
        (run,) = write_gaits(armature, make_biped_shape(), ["run"])
    bpy.ops.anim.locomotion_analyze(actions=[{"name": run.name}])
    bpy.ops.anim.locomotion_make_cycle(gait="SNEAK", use_play=False)
    low = data.motions[data.active_motion]
    low.group = "crouch"
    while "crouch" not in data.groups:
        bpy.ops.anim.locomotion_list(target="GROUPS", change="ADD")
    group = data.groups["crouch"]
    group.overrides, group.weight = True, 0.0
    data.drive.turn_rate = _TURN_RATE


def show_lane(area, armature):
    """Look along the course from the side."""
    place = armature.matrix_world.translation
    view = area.spaces[0].region_3d
    view.view_perspective = "PERSP"
    view.view_rotation = Euler((1.2, 0.0, -0.85)).to_quaternion()
    view.view_location, view.view_distance = (place.x, place.y - 4.6, 0.6), 9.0


def grab(path):
    """Save the screen."""
    subprocess.run(["import", "-window", "root", str(path)], check=True)


run_session(play)
