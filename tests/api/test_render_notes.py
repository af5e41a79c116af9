# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What renders show otherwise than the view is told with its name and by how much."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.notes import NoteKind, notes_from_text
from tests.scenes import add_mesh, add_person, select_only

HEIGHT = 0.08


@pytest.fixture
def person():
    """The person, set up."""
    scene = bpy.context.scene
    armature = add_person(is_set_up=True)
    scene.frame_start, scene.frame_end = 1, 49
    select_only(armature)
    return armature


def add_floor(name="Floor", height=0.0):
    """A level floor of one face."""
    points = [(x, y, height) for y in (-20, 20) for x in (-20, 20)]
    return add_mesh(name, points, [(0, 1, 3, 2)])


def add_bumps():
    """A floor of large faces at uneven heights."""
    x, count = np.linspace(-9, 9, 13), 13
    grid = np.stack(np.meshgrid(x, x), axis=-1).reshape(-1, 2)
    heights = 0.25 * np.random.default_rng(3).random(len(grid))
    at = np.arange(count**2).reshape(count, count)
    faces = np.stack([at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]], -1).reshape(-1, 4)
    return add_mesh("Floor", np.column_stack([grid, heights]), faces.tolist())


def raise_by_modifier(item, **choices):
    """A modifier that lifts a mesh."""
    modifier = item.modifiers.new("Snow", "DISPLACE")
    modifier.direction, modifier.mid_level, modifier.strength = "Z", 0.0, HEIGHT
    for name, value in choices.items():
        setattr(modifier, name, value)


def bake(armature):
    """Bake, and give what is told by its kinds."""
    select_only(armature)
    bpy.context.view_layer.update()
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    report = armature.locomotion.report
    return {note.kind: note for note in notes_from_text(report.notes, report.warnings)}


def measure_low(armature):
    """Lowest shown vertex of the character over all frames, metres."""
    scene, low = bpy.context.scene, np.inf
    (body,) = [item for item in armature.children if item.type == "MESH"]
    for frame in range(1, 50):
        scene.frame_set(frame)
        shown = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = shown.to_mesh()
        low = min(low, *((shown.matrix_world @ v.co).z for v in mesh.vertices))
        shown.to_mesh_clear()
    scene.frame_set(1)
    return low


@pytest.mark.parametrize("viewed", [True, False])
def test_a_modifier_that_is_off_in_one_is_told(person, viewed):
    raise_by_modifier(add_floor(), show_viewport=viewed, show_render=not viewed)
    note = bake(person)[NoteKind.RENDER_OTHER_GROUND]
    assert note.values["case"] == "shapes"
    assert (note.values["ground"], note.values["modifier"]) == ("Floor", "Snow")
    assert note.values["height"] == pytest.approx(-HEIGHT if viewed else HEIGHT, abs=1e-4)
    assert measure_low(person) == pytest.approx(HEIGHT if viewed else 0.0, abs=5e-3)


@pytest.mark.parametrize("by", ["levels", "simplify"])
def test_other_levels_are_told(person, by):
    modifier = add_bumps().modifiers.new("Smooth", "SUBSURF")
    modifier.levels, modifier.render_levels = 3, 3
    assert NoteKind.RENDER_OTHER_GROUND not in bake(person)
    if by == "levels":
        modifier.levels = 0
    else:
        render = bpy.context.scene.render
        render.use_simplify, render.simplify_subdivision = True, 0
    note = bake(person)[NoteKind.RENDER_OTHER_GROUND]
    assert note.values["case"] == "shapes"
    assert note.values["ground"] == "Floor"
    assert 0.01 < abs(note.values["height"]) < 0.1


def test_ground_that_changes_its_shape_is_told_as_well(person):
    floor = add_floor()
    raise_by_modifier(floor, show_viewport=False)
    floor.shape_key_add(name="Basis")
    tide = floor.shape_key_add(name="Tide")
    for point in tide.data:
        point.co.z += 0.05
    for frame, value in ((1, 0.0), (24, 1.0), (48, 0.0)):
        tide.value = value
        tide.keyframe_insert("value", frame=frame)
    bpy.context.scene.frame_set(1)
    objects = set(bpy.data.objects)
    note = bake(person)[NoteKind.RENDER_OTHER_GROUND]
    assert (note.values["ground"], note.values["modifier"]) == ("Floor", "Snow")
    assert note.values["height"] == pytest.approx(HEIGHT, abs=1e-4)
    assert set(bpy.data.objects) == objects


def make_nodes(name):
    """Nodes that take geometry and give some."""
    tree = bpy.data.node_groups.new(name, "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    return tree, tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")


@pytest.mark.parametrize("nested", [False, True])
def test_nodes_that_ask_whether_they_are_in_a_view_are_told(person, nested):
    floor = add_floor()
    tree, given, out = make_nodes("Melt")
    asks, choice = (tree.nodes.new(f"GeometryNode{n}") for n in ("IsViewport", "Switch"))
    choice.input_type = "GEOMETRY"
    lift = tree.nodes.new("GeometryNodeTransform")
    lift.inputs["Translation"].default_value = (0.0, 0.0, HEIGHT)
    false, true = (s for s in choice.inputs if s.name in ("False", "True") and s.enabled)
    tree.links.new(given.outputs[0], lift.inputs[0])
    tree.links.new(asks.outputs[0], next(s for s in choice.inputs if s.name == "Switch"))
    tree.links.new(lift.outputs[0], false)
    tree.links.new(given.outputs[0], true)
    tree.links.new(next(s for s in choice.outputs if s.enabled), out.inputs[0])
    if nested:
        inner = tree
        tree, given, out = make_nodes("Outer")
        group = tree.nodes.new("GeometryNodeGroup")
        group.node_tree = inner
        tree.links.new(given.outputs[0], group.inputs[0])
        tree.links.new(group.outputs[0], out.inputs[0])
    floor.modifiers.new("Snow", "NODES").node_group = tree
    trees = set(bpy.data.node_groups)
    note = bake(person)[NoteKind.RENDER_OTHER_GROUND]
    assert (note.values["ground"], note.values["modifier"]) == ("Floor", "Snow")
    assert note.values["height"] == pytest.approx(HEIGHT, abs=1e-4)
    assert set(bpy.data.node_groups) == trees


@pytest.mark.parametrize("later", [True, False])
def test_renders_that_hide_ground_for_some_frames_are_told_where_they_do(person, later):
    add_floor()
    top = add_floor("Snow", HEIGHT)
    for frame, hidden in ((1, not later), (25, later)):
        top.hide_render = hidden
        top.keyframe_insert("hide_render", frame=frame)
    bpy.context.scene.frame_set(1)
    note = bake(person)[NoteKind.RENDER_OTHER_GROUND]
    assert note.values["case"] == "hides"
    assert note.values["ground"] == "Snow"
    assert note.values["height"] == pytest.approx(-HEIGHT, abs=1e-4)
    assert (note.frame >= 25) == later


def hide(item, name):
    """Hide an object in one way."""
    if name == "collection":
        held = bpy.data.collections.new("Held")
        bpy.context.scene.collection.children.link(held)
        held.objects.link(item)
        bpy.context.collection.objects.unlink(item)
        held.hide_render = True
    elif name == "hide_set":
        item.hide_set(True)
    else:
        setattr(item, name, True)


@pytest.mark.parametrize("way", ["hide_render", "collection"])
def test_ground_that_renders_hide_is_told(person, way):
    add_floor("Terrain", -HEIGHT)
    hide(add_floor("Proxy"), way)
    note = bake(person)[NoteKind.RENDER_OTHER_GROUND]
    assert note.values["case"] == "hides"
    assert note.values["ground"] == "Proxy"
    assert note.values["height"] == pytest.approx(-HEIGHT, abs=1e-4)
    assert measure_low(person) == pytest.approx(0.0, abs=5e-3)


@pytest.mark.parametrize("way", ["hide_viewport", "hide_set"])
def test_ground_that_the_view_hides_is_told(person, way):
    add_floor("Floor")
    hide(add_floor("Terrain", HEIGHT), way)
    note = bake(person)[NoteKind.RENDER_OTHER_GROUND]
    assert note.values["case"] == "shows"
    assert note.values["ground"] == "Terrain"
    assert note.values["height"] == pytest.approx(HEIGHT, abs=1e-4)


def test_ground_that_renders_lose_is_told_unless_it_is_left_out(person):
    hide(add_floor("Proxy"), "hide_render")
    values = bake(person)[NoteKind.RENDER_OTHER_GROUND].values
    assert (values["case"], values["ground"]) == ("loses", "Proxy")
    person.locomotion.ground.rendered_only = True
    assert NoteKind.RENDER_OTHER_GROUND not in bake(person)


@pytest.mark.parametrize("viewed", [True, False])
def test_feet_that_renders_show_otherwise_are_told(person, viewed):
    add_floor()
    (body,) = [item for item in person.children if item.type == "MESH"]
    boots = body.copy()
    boots.data, boots.name = body.data.copy(), "Boots"
    bpy.context.collection.objects.link(boots)
    for vertex in boots.data.vertices:
        if vertex.co.z < 0.05:
            vertex.co.z -= 0.03
    hide(boots, "hide_render" if viewed else "hide_viewport")
    note = bake(person)[NoteKind.RENDER_OTHER_FEET]
    assert note.values["mesh"] == "Boots"
    assert note.values["height"] == pytest.approx(0.03 if viewed else -0.03, abs=2e-3)


def test_what_makes_no_difference_is_not_told(person):
    floor = add_floor()
    modifier = floor.modifiers.new("Fine", "SUBSURF")
    modifier.subdivision_type, modifier.levels, modifier.render_levels = "SIMPLE", 0, 3
    hide(add_floor("Cellar", -3.0), "hide_viewport")
    (body,) = [item for item in person.children if item.type == "MESH"]
    modifier = body.modifiers.new("Smooth", "SUBSURF")
    modifier.subdivision_type, modifier.levels, modifier.render_levels = "SIMPLE", 0, 2
    assert not bake(person)
