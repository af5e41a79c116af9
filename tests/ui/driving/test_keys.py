# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which keys and places of the pointer steer, and the operator without a window."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import driving, watching
from semi_procedural_locomotion.core.steering.motor import AHEAD, COMMANDS, Controls, KeyPress
from semi_procedural_locomotion.ui.driving.operator import KEYS, Stick
from semi_procedural_locomotion.ui.live import handlers as live_handlers
from semi_procedural_locomotion.ui.overlay import shown as overlay_drawing
from tests.scenes import add_person

EVENTS = set(bpy.types.Event.bl_rna.properties["type"].enum_items.keys())


def test_all_keys_are_events_of_blender_and_all_commands_have_one():
    assert set(KEYS) <= EVENTS
    assert set(KEYS.values()) == set(COMMANDS)


def test_keys_are_held_until_they_are_released():
    stick = Stick()
    for key, value in (("W", "PRESS"), ("LEFT_SHIFT", "PRESS"), ("W", "PRESS"), ("A", "PRESS")):
        assert stick.press(key, value)
    assert not stick.press("X", "PRESS")
    assert stick.read() == Controls(ahead=1.0, turn=1.0, run=True)
    assert stick.read() == Controls(ahead=1.0, turn=1.0, run=True)
    stick.press("W", "RELEASE")
    stick.press("UP_ARROW", "RELEASE")
    assert stick.read() == Controls(turn=1.0, run=True)
    stick.let_go()
    assert stick.read() == Controls()


def test_tap_between_two_steps_counts_for_one():
    stick = Stick()
    stick.press("W", "PRESS")
    stick.press("W", "RELEASE")
    assert stick.read() == Controls(ahead=1.0)
    assert stick.read() == Controls()
    stick.press("W", "PRESS")
    stick.press("W", "RELEASE")
    stick.let_go()
    assert stick.read() == Controls()


def test_pointer_steers_like_a_stick_with_a_rest_in_its_middle():
    stick = Stick()
    stick.point(510.0, 310.0, 1000.0, 600.0)
    assert stick.read() == Controls()
    stick.point(0.0, 600.0, 1000.0, 600.0)
    assert stick.read() == Controls(ahead=1.0, turn=1.0)
    stick.point(1000.0, 0.0, 1000.0, 600.0)
    assert stick.read() == Controls(ahead=-1.0, turn=-1.0)
    stick.point(500.0, 430.0, 1000.0, 600.0)
    assert 0.2 < stick.read().ahead < 0.8


def test_operator_without_a_window_takes_a_list_of_keys(capfd):
    armature = add_person(is_set_up=True)
    bpy.context.scene.frame_end = 20
    keys = [{"name": "", "time": 0.1, "command": "ahead", "is_released": False}]
    assert bpy.ops.anim.locomotion_drive(keys=keys, seconds=1.5) == {"FINISHED"}
    assert "Baked frames 1 to 37" in capfd.readouterr().out
    assert armature.locomotion.travel.source == "OBJECT"
    assert bpy.ops.anim.locomotion_drive(keys=[], seconds=0.2) == {"CANCELLED"}
    assert "not steered anywhere" in capfd.readouterr().out
    with pytest.raises(RuntimeError, match="must be one of"):
        bpy.ops.anim.locomotion_drive(keys=[{**keys[0], "command": "jump"}])


def test_overlay_draws_the_foreseen_steps_of_a_drive_alone(monkeypatch):
    armature, scene = add_person(is_set_up=True), bpy.context.scene
    scene.frame_end = 30
    batches = []
    monkeypatch.setattr(
        overlay_drawing, "make_batch", lambda shader, kind, *shapes: batches.append(shapes)
    )
    try:
        bpy.ops.view3d.locomotion_overlay(action="ON")
        overlay_drawing._make_steered(watching.find_watch(armature).prepared)
        assert batches == []
        bpy.ops.view3d.locomotion_overlay(action="OFF")
        driving.drive_by_keys(armature, scene, [KeyPress(0.2, AHEAD)], 1.5)
        bpy.ops.view3d.locomotion_overlay(action="ON")
        prepared = watching.find_watch(armature).prepared
        overlay_drawing._make_steered(prepared)
    finally:
        watching.put_back_all(forget=True)
        live_handlers.install()
    ((lines,),) = batches
    # The first step of each foot goes ahead of where it stood; soles have their length.
    length = float(prepared.plan.tables.rig.foot_lengths[0])
    assert lines.points[:, 1].min() < -2.0 * length
    assert len(lines.points) % 36 == 0
