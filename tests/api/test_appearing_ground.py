# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground and footwear that appear and go: feet stand on what is seen at each frame."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.notes import NoteKind, notes_from_text
from tests.scenes import add_mesh, add_person, select_only

HEIGHT, NEAR, FAR = 0.1, 1.0, 2.4
FRAMES = range(1, 74)
# Share of the leg by which shown soles may be in the ground, and above it.
SUNK, RAISED = 0.006, 0.015


@pytest.fixture
def person():
    """The person, set up, on a floor."""
    scene = bpy.context.scene
    armature = add_person(is_set_up=True)
    scene.frame_start, scene.frame_end = FRAMES[0], FRAMES[-1]
    add_quad("Floor", -20, 20, 0.0)
    select_only(armature)
    return armature


def add_quad(name, near, far, height):
    """A level quad across the way."""
    points = [(x, -y, height) for y in (near, far) for x in (-3, 3)]
    return add_mesh(name, points, [(0, 2, 3, 1)])


def key_eyes(item, hidden, *paths):
    """Key whether an object is hidden, by frame."""
    for frame, value in hidden.items():
        for path in paths or ("hide_viewport", "hide_render"):
            setattr(item, path, value)
            item.keyframe_insert(path, frame=frame)
    bpy.context.scene.frame_set(1)


def bake(armature, **choices):
    """Bake, and give what is told."""
    select_only(armature)
    bpy.context.view_layer.update()
    assert bpy.ops.anim.locomotion_bake(**choices) == {"FINISHED"}
    report = armature.locomotion.report
    return notes_from_text(report.notes, report.warnings)


def measure(armature, is_there, frames=FRAMES):
    """Lowest and highest of the lowest shown vertices over what is seen, shares of the leg.

    The slab counts at the frames at which ``is_there`` says so.
    """
    scene, lows = bpy.context.scene, []
    for frame in frames:
        scene.frame_set(frame)
        graph, low = bpy.context.evaluated_depsgraph_get(), np.inf
        for item in bpy.data.objects:
            if item.type != "MESH" or item.name in {"Floor", "Slab"} or not item.visible_get():
                continue
            shown = item.evaluated_get(graph)
            mesh = shown.to_mesh()
            points = np.empty((len(mesh.vertices), 3))
            mesh.vertices.foreach_get("co", points.ravel())
            shown.to_mesh_clear()
            world = np.array(shown.matrix_world)
            points = points @ world[:3, :3].T + world[:3, 3]
            over = is_there(frame) & (points[:, 1] < -NEAR) & (points[:, 1] > -FAR)
            low = min(low, float((points[:, 2] - np.where(over, HEIGHT, 0.0)).min()))
        lows.append(low)
    scene.frame_set(1)
    lows = np.array(lows) / armature.locomotion.legs[0].length
    return lows.min(), lows.max()


def check_standing(armature, is_there, frames=FRAMES):
    """Check that shown feet are on what is seen."""
    low, high = measure(armature, is_there, frames)
    assert low > -SUNK
    assert high < RAISED


@pytest.mark.parametrize(
    ("way", "appears"), [("keys", True), ("keys", False), ("driver", True), ("strip", False)]
)
def test_ground_counts_while_it_is_shown(person, appears, way):
    slab = add_quad("Slab", NEAR, FAR, HEIGHT)
    if way == "driver":
        slab.driver_add("hide_viewport").driver.expression = f"frame {'<' if appears else '>='} 10"
    else:
        key_eyes(slab, {1: appears, 10: not appears})
    if way == "strip":
        data = slab.animation_data
        action, data.action = data.action, None
        data.nla_tracks.new().strips.new("Eyes", 1, action).extrapolation = "HOLD"
        bpy.context.scene.frame_set(1)
    bake(person)
    check_standing(person, lambda frame: (frame >= 10) == appears)


def test_a_slab_may_be_crossed_before_it_goes(person):
    key_eyes(add_quad("Slab", NEAR, FAR, HEIGHT), {1: False, 70: True})
    bake(person)
    check_standing(person, lambda frame: frame < 70)


def test_a_lift_counts_from_when_it_appears(person):
    slab = add_quad("Slab", NEAR, FAR, 0.0)
    for frame, height in ((1, 1.0), (9, 1.0), (10, HEIGHT)):
        slab.location.z = height
        slab.keyframe_insert("location", frame=frame)
    key_eyes(slab, {1: True, 12: False})
    bake(person)
    check_standing(person, lambda frame: frame >= 12)


@pytest.mark.parametrize("whose", ["instancer", "instance"])
def test_instances_count_while_they_are_shown(person, whose):
    slab = add_quad("Slab", NEAR, FAR, HEIGHT)
    held = bpy.data.collections.new("Held")
    held.objects.link(slab)
    bpy.context.collection.objects.unlink(slab)
    empty = bpy.data.objects.new("Instancer", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", held
    bpy.context.collection.objects.link(empty)
    key_eyes(empty if whose == "instancer" else slab, {1: True, 10: False})
    bake(person)
    check_standing(person, lambda frame: frame >= 10)


def test_what_renders_hide_for_a_while_is_left_out_by_choice(person):
    key_eyes(add_quad("Slab", NEAR, FAR, HEIGHT), {1: False, 10: True}, "hide_render")
    person.locomotion.ground.rendered_only = True
    bake(person)
    check_standing(person, lambda frame: frame < 10)


def test_what_its_collection_hides_is_no_ground(person):
    slab = add_quad("Slab", NEAR, FAR, HEIGHT)
    outer, inner = (bpy.data.collections.new(name) for name in ("Outer", "Inner"))
    bpy.context.scene.collection.children.link(outer)
    outer.children.link(inner)
    inner.objects.link(slab)
    bpy.context.collection.objects.unlink(slab)
    around = bpy.context.view_layer.layer_collection.children["Outer"]
    layer = around.children["Inner"]
    bake(person)
    check_standing(person, lambda _frame: True)
    eyes = [(inner, "hide_viewport"), (layer, "exclude")]
    eyes += [(layer, "hide_viewport"), (around, "hide_viewport")]
    for owner, name in eyes:
        setattr(owner, name, True)
        bake(person)
        check_standing(person, lambda _frame: False)
        setattr(owner, name, False)
    slab.hide_set(True)
    bake(person)
    check_standing(person, lambda _frame: False)


def test_boots_that_appear_are_told_and_baked_by_sections(person):
    body = next(item for item in person.children if item.type == "MESH")
    boots = body.copy()
    boots.data, boots.name = body.data.copy(), "Boots"
    bpy.context.collection.objects.link(boots)
    for vertex in boots.data.vertices:
        if vertex.co.z < 0.05:
            vertex.co.z -= 0.03
    key_eyes(boots, {1: True, 40: False})
    notes = {note.kind: note for note in bake(person)}
    hidden = notes[NoteKind.FOOTWEAR_HIDDEN]
    assert (hidden.values["mesh"], hidden.frame, hidden.values["last"]) == ("Boots", 1, 39)
    assert hidden.values["height"] == pytest.approx(0.03, abs=0.002)
    low, high = measure(person, lambda _frame: False)
    assert low > -SUNK
    assert high * person.locomotion.legs[0].length == pytest.approx(0.03, abs=0.012)
    settings = person.locomotion.settings
    settings.use_range = True
    for span in ((1, 39), (40, 73)):
        settings.frame_start, settings.frame_end = span
        told = {note.kind for note in bake(person)}
        assert NoteKind.FOOTWEAR_HIDDEN not in told
    check_standing(person, lambda _frame: False, range(1, 38))
    check_standing(person, lambda _frame: False, range(50, 74))
