# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators by which a user corrects legs, lists and forward."""

from __future__ import annotations

from math import pi

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import watching
from semi_procedural_locomotion.api.set_up_work import read_character
from semi_procedural_locomotion.blender.setup.analyses import read_analysis
from semi_procedural_locomotion.blender.setup.rigs import find_front, fingerprint_rig
from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import create_biped, write_gaits
from semi_procedural_locomotion.ui.live import handlers as live_handlers
from semi_procedural_locomotion.ui.overlay import shown as overlay

LEFT = ["thigh.L", "shin.L", "foot.L"]
RIGHT = ["thigh.R", "shin.R", "foot.R"]


@pytest.fixture
def walker():
    """The project's person with a walk, active."""
    armature = create_biped(bpy.context.scene.collection)
    write_gaits(armature, make_biped_shape(), ["walk"])
    bpy.context.view_layer.objects.active = armature
    return armature


@pytest.fixture
def ready(walker):
    """The same after Set Up."""
    bpy.ops.anim.locomotion_setup()
    return walker


def select_bones(armature, names):
    """Go to pose mode and select only these bones."""
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        owner = bone if hasattr(bone, "select") else bone.bone
        owner.select = bone.name in names
    bpy.context.view_layer.update()


def read_legs(armature):
    """Bones and toe of each leg by its first bone."""
    return {
        leg.bones[0].name: ([bone.name for bone in leg.bones], leg.toe)
        for leg in armature.locomotion.legs
    }


def as_names(names):
    """Names in the form in which operators take them."""
    return [{"name": name} for name in names]


def test_legs_of_selected_bones_without_set_up(walker):
    select_bones(walker, [*LEFT, "toe.L"])
    bpy.ops.anim.locomotion_leg_add()
    select_bones(walker, RIGHT)
    bpy.ops.anim.locomotion_leg_add()
    assert read_legs(walker) == {"thigh.L": (LEFT, "toe.L"), "thigh.R": (RIGHT, "")}
    assert len(walker.locomotion.motions) == 1
    assert bpy.context.mode == "POSE"


def test_leg_of_named_bones_in_any_order(walker):
    bpy.ops.anim.locomotion_leg_add(bones=as_names(reversed([*LEFT, "toe.L"])), last_is_toe=True)
    assert read_legs(walker) == {"thigh.L": (LEFT, "toe.L")}
    bpy.ops.anim.locomotion_leg_add(bones=as_names(LEFT))
    assert read_legs(walker) == {"thigh.L": (LEFT, "")}


@pytest.mark.parametrize(
    ("bones", "words"),
    [
        ([], "two|2 bones or more"),
        (["thigh.L"], "2 bones or more"),
        (["thigh.L", "nose"], "no bone 'nose'"),
        (["thigh.L", "shin.R"], "not below"),
    ],
)
def test_bad_legs_are_refused_in_words(walker, bones, words):
    with pytest.raises(RuntimeError, match=words):
        bpy.ops.anim.locomotion_leg_add(bones=as_names(bones))
    assert not len(walker.locomotion.legs)


def test_remove_and_mirror(ready):
    before = read_legs(ready)
    ready.locomotion.active_leg = 1
    bpy.ops.anim.locomotion_leg_remove()
    assert len(ready.locomotion.legs) == 1
    bpy.ops.anim.locomotion_leg_mirror()
    assert read_legs(ready) == before
    assert sorted(leg.partner for leg in ready.locomotion.legs) == [0, 1]
    bpy.ops.anim.locomotion_leg_remove()
    with pytest.raises(RuntimeError, match="one leg at least"):
        bpy.ops.anim.locomotion_leg_remove()
    assert len(ready.locomotion.legs) == 1


def test_mirror_without_counterpart_is_refused(walker):
    walker.data.bones["foot.R"].name = "other"
    bpy.ops.anim.locomotion_leg_add(bones=as_names(LEFT))
    with pytest.raises(RuntimeError, match=r"'foot\.L' has no counterpart"):
        bpy.ops.anim.locomotion_leg_mirror()


def test_ankle_steps_down_and_up_again(ready):
    before = read_legs(ready)
    ready.locomotion.active_leg = 0
    bpy.ops.anim.locomotion_leg_step(end="ANKLE", direction="DOWN")
    assert read_legs(ready)["thigh.L"] == ([*LEFT, "toe.L"], "")
    with pytest.raises(RuntimeError, match="no bone is below"):
        bpy.ops.anim.locomotion_leg_step(end="ANKLE", direction="DOWN")
    bpy.ops.anim.locomotion_leg_step(end="ANKLE", direction="UP")
    assert read_legs(ready) == before


def test_hip_steps_down_and_up_again(ready):
    before = read_legs(ready)
    ready.locomotion.active_leg = 0
    bpy.ops.anim.locomotion_leg_step(end="HIP", direction="DOWN")
    assert read_legs(ready)["shin.L"] == (LEFT[1:], "toe.L")
    with pytest.raises(RuntimeError, match="too few bones"):
        bpy.ops.anim.locomotion_leg_step(end="HIP", direction="DOWN")
    bpy.ops.anim.locomotion_leg_step(end="HIP", direction="UP")
    assert read_legs(ready) == before


def test_changed_bones_have_to_be_measured(ready):
    leg = ready.locomotion.legs[0]
    leg.toe = ""
    with pytest.raises(RuntimeError, match="press Measure Legs"):
        bpy.ops.anim.locomotion_bake()
    bpy.ops.anim.locomotion_legs_measure()
    assert read_legs(ready)["thigh.L"] == (LEFT, "")
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}


def test_turning_forward_reads_the_motions_again(ready):
    entry = ready.locomotion.motions[0]
    rig = read_character(ready).rig
    assert read_analysis(ready, entry.action, rig) is not None
    direction = entry.direction
    entry.speed = 0.0
    bpy.ops.anim.locomotion_forward(angle=0.5 * pi)
    turned = read_character(ready).rig
    assert fingerprint_rig(turned) != fingerprint_rig(rig)
    assert read_analysis(ready, entry.action, turned) is not None
    assert entry.speed > 0.5
    assert entry.direction == pytest.approx(direction - 0.5 * pi, abs=1e-3)


def test_turning_forward_is_one_step_that_live_follows(ready):
    bpy.ops.ed.undo_push(message="set up")
    name, before = ready.name, tuple(ready.locomotion.forward)
    bpy.ops.anim.locomotion_live("EXEC_DEFAULT", True, action="ON")
    try:
        bpy.context.view_layer.update()
        if bpy.app.timers.is_registered(live_handlers._tick):
            bpy.app.timers.unregister(live_handlers._tick)
        bpy.ops.anim.locomotion_forward("EXEC_DEFAULT", True)
        bpy.context.view_layer.update()
        assert bpy.app.timers.is_registered(live_handlers._tick)
        assert live_handlers.refresh_now()
        bpy.ops.ed.undo()
        assert tuple(bpy.data.objects[name].locomotion.forward) == pytest.approx(before)
    finally:
        watching.put_back_all(forget=True)
        live_handlers.install()


def test_the_front_turns_with_the_object(ready):
    x, y = ready.locomotion.forward
    ready.rotation_euler = (0.3, 0.0, 0.5 * pi)
    ready.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    assert find_front(ready) == pytest.approx((-y, x), abs=1e-6)


def test_the_forward_arrow_is_drawn_while_asked_for(ready):
    options = bpy.context.window_manager.locomotion_overlay
    assert not overlay._mark_handles
    options.show_forward = True
    assert len(overlay._mark_handles) == len(overlay._MARKS)
    options.show_forward = False
    assert not overlay._mark_handles


def test_forward_turns_by_quarters_and_back(ready):
    before = tuple(ready.locomotion.forward)
    entry = ready.locomotion.motions[0]
    direction = entry.direction
    bpy.ops.anim.locomotion_forward(angle=0.5 * pi)
    x, y = before
    assert tuple(ready.locomotion.forward) == pytest.approx((-y, x), abs=1e-6)
    assert ready.locomotion.motions[0].direction == pytest.approx(direction - 0.5 * pi, abs=1e-5)
    bpy.ops.anim.locomotion_forward(angle=-0.5 * pi)
    assert tuple(ready.locomotion.forward) == pytest.approx(before, abs=1e-6)
    sides = {leg.bones[0].name: leg.side for leg in ready.locomotion.legs}
    bpy.ops.anim.locomotion_forward()
    assert tuple(ready.locomotion.forward) == pytest.approx((-x, -y), abs=1e-6)
    turned = {leg.bones[0].name: leg.side for leg in ready.locomotion.legs}
    assert turned == {name: {"L": "R", "R": "L"}[side] for name, side in sides.items()}


def test_list_of_motions(ready):
    data = ready.locomotion
    bpy.ops.anim.locomotion_list(target="MOTIONS", change="ADD")
    assert len(data.motions) == 2
    assert data.active_motion == 1
    bpy.ops.anim.locomotion_list(target="MOTIONS", change="UP")
    assert data.motions[0].action is None
    assert data.active_motion == 0
    assert bpy.ops.anim.locomotion_list(target="MOTIONS", change="UP") == {"CANCELLED"}
    bpy.ops.anim.locomotion_list(target="MOTIONS", change="DOWN")
    assert data.motions[1].action is None
    for _ in range(2):
        bpy.ops.anim.locomotion_list(target="MOTIONS", change="REMOVE")
    assert bpy.ops.anim.locomotion_list(target="MOTIONS", change="REMOVE") == {"CANCELLED"}


def test_list_of_ground_takes_selected_meshes_but_not_the_character(ready):
    ground = bpy.data.objects.new("Slab", bpy.data.meshes.new("Slab"))
    bpy.context.scene.collection.objects.link(ground)
    for item in (ground, ready, ready.children[0]):
        item.select_set(True)
    bpy.ops.anim.locomotion_list(target="GROUND", change="ADD")
    assert [entry.object for entry in ready.locomotion.ground.objects] == [ground]
    bpy.ops.anim.locomotion_list(target="GROUND", change="ADD")
    assert [entry.object for entry in ready.locomotion.ground.objects] == [ground, None]


def test_list_of_points_takes_the_cursor(ready):
    bpy.context.scene.cursor.location = (1.0, 2.0, 3.0)
    bpy.ops.anim.locomotion_list(target="POINTS", change="ADD")
    assert tuple(ready.locomotion.travel.points[0].location) == pytest.approx((1.0, 2.0))


def test_worst_frame(ready):
    with pytest.raises(RuntimeError, match="Bake the walk first"):
        bpy.ops.anim.locomotion_worst_frame()
    bpy.ops.anim.locomotion_bake(frame_start=1, frame_end=30)
    assert bpy.ops.anim.locomotion_worst_frame() == {"FINISHED"}
    assert bpy.context.scene.frame_current == ready.locomotion.report.worst_frame


def test_undo_of_leg_edits(ready):
    name = ready.name
    ready.locomotion.active_leg = 1
    bpy.ops.ed.undo_push(message="start")
    bpy.ops.anim.locomotion_leg_remove("EXEC_DEFAULT", True)
    assert len(bpy.data.objects[name].locomotion.legs) == 1
    bpy.ops.ed.undo()
    assert len(bpy.data.objects[name].locomotion.legs) == 2
    bpy.ops.ed.redo()
    assert len(bpy.data.objects[name].locomotion.legs) == 1
