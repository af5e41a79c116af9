# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user does in a window, played by simulated events; run by test_window.py.

Writes what happened as JSON to the file that the command line names, and closes Blender.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.system.sessions import pause, run_session, wait

# From the top of the sidebar to the middle of its first button, in pixels at a scale of 1.
FIRST_BUTTON = 52
# Frames of a walk that takes long enough to be cancelled.
LONG_WALK = 20000


def play(seen):
    """Each yield lets Blender handle events and draw."""
    from semi_procedural_locomotion.ui.progress import get_activity

    armature = make_walker()
    window = bpy.context.window_manager.windows[0]
    area = next(a for a in window.screen.areas if a.type == "VIEW_3D")
    area.spaces[0].show_region_ui = True
    yield from pause()
    sidebar = next(r for r in area.regions if r.type == "UI")
    sidebar.active_panel_category = "Locomotion"
    sidebar.tag_redraw()
    yield from pause()
    bpy.ops.ed.undo_push(message="start")
    name = armature.name

    main_region = next(r for r in area.regions if r.type == "WINDOW")
    view = (main_region.x + main_region.width // 3, main_region.y + main_region.height // 2)
    scale = bpy.context.preferences.system.ui_scale
    x = sidebar.x + sidebar.width // 2
    y = sidebar.y + sidebar.height - round(FIRST_BUTTON * scale)
    yield from click(window, x, y)
    yield from wait(lambda: len(bpy.data.objects[name].locomotion.legs))
    seen["legs"] = len(bpy.data.objects[name].locomotion.legs)
    before = read_state(name)

    # Esc while a long walk is computed.
    bpy.context.scene.frame_end = LONG_WALK
    yield from search(window, view, "Bake Walk")
    yield from wait(lambda: get_activity() is not None)
    seen["text"] = get_activity().text
    yield from press(window, view, "ESC")
    yield from wait(lambda: get_activity() is None)
    yield from pause()
    bpy.context.scene.frame_end = 40
    seen["cancelled"] = read_state(name) == before

    yield from search(window, view, "Bake Walk")
    yield from wait(lambda: is_baked(name))
    yield from pause()
    seen["baked"] = is_baked(name)
    seen["idle"] = get_activity() is None

    yield from press(window, view, "Z", ctrl=True)
    yield from wait(lambda: not is_baked(name))
    yield from pause()
    seen["undone"] = read_state(name) == before

    yield from press(window, view, "Z", ctrl=True, shift=True)
    yield from wait(lambda: is_baked(name))
    seen["redone"] = is_baked(name)


def make_walker():
    """The project's person with its walk, alone in the scene."""
    from semi_procedural_locomotion.demo.biped import make_biped_shape
    from semi_procedural_locomotion.demo.characters import create_biped, write_gaits

    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    armature = create_biped(bpy.context.scene.collection)
    write_gaits(armature, make_biped_shape(), ["walk"])
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    return armature


def is_baked(name):
    """Whether a character plays a bake."""
    from semi_procedural_locomotion.api import is_baked

    return is_baked(bpy.data.objects[name])


def read_state(name):
    """What a cancelled or undone bake has to leave as it was."""
    armature = bpy.data.objects[name]
    data = armature.animation_data
    return {
        "mode": bpy.context.mode,
        "frame": bpy.context.scene.frame_current,
        "actions": sorted(action.name for action in bpy.data.actions),
        "playing": data is not None and data.action is not None,
        "strips": sum(len(t.strips) for t in data.nla_tracks) if data is not None else 0,
        "place": tuple(round(v, 5) for v in armature.location),
        "report": armature.locomotion.report.values,
    }


def click(window, x, y):
    """Click the left button at a place of the window."""
    for offset in (2, 0):
        window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x + offset, y=y)
        yield from pause(4)
    window.event_simulate(type="LEFTMOUSE", value="PRESS", x=x, y=y)
    yield
    window.event_simulate(type="LEFTMOUSE", value="RELEASE", x=x, y=y)
    yield


def press(window, place, key, **held):
    """Press and release a key while the mouse is at a place of the window."""
    x, y = place
    window.event_simulate(type=key, value="PRESS", x=x, y=y, **held)
    held.pop("unicode", None)
    window.event_simulate(type=key, value="RELEASE", x=x, y=y, **held)
    yield


def search(window, place, words):
    """Call an operator by its name in the search of menus."""
    yield from press(window, place, "F3")
    yield from pause()
    for letter in words:
        key = "SPACE" if letter == " " else letter.upper()
        yield from press(window, place, key, unicode=letter)
    yield from pause()
    yield from press(window, place, "RET")


run_session(play)
