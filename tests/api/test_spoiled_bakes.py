# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finished bakes that something spoils: the cause is told first, by name; harmless changes are not."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api.notes import CAUSES, SYMPTOMS, is_remark, tell_note
from semi_procedural_locomotion.api.reports import measure_baked
from tests.scenes import add_mesh, add_person, recall, select_only

pytestmark = pytest.mark.newest

LAST, LOW = 30, 0.033


def make_baked():
    """The person, baked on a floor."""
    armature = add_person(is_set_up=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    points = [(-20, -20, 0), (20, -20, 0), (20, 20, 0), (-20, 20, 0)]
    add_mesh("Floor", points, [(0, 1, 2, 3)])
    select_only(armature)
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert armature.locomotion.report.warnings == ""
    return armature


@pytest.fixture
def walker(empty_scene):
    """A finished bake without any warning."""
    return recall("spoiled", make_baked)


def find_body(armature):
    """The mesh of the body."""
    return next(item for item in armature.children if item.type == "MESH")


def list_soles(body):
    """Vertices of the undersides of feet."""
    return [v.index for v in body.data.vertices if v.co.z < 0.05]


def find_foot(armature):
    """Name of the bone of the left foot."""
    return armature.locomotion.legs[0].bones[-1].name


def add_shoe(armature, place=(0.0, 0.0, 0.0)):
    """A block that reaches below the left foot, not parented yet."""
    foot = armature.data.bones[find_foot(armature)]
    x, y, _ = (foot.head_local + foot.tail_local) / 2
    corners = [
        (x + a - place[0], y + b - place[1], c - place[2])
        for a in (-0.05, 0.05)
        for b in (-0.05, 0.05)
        for c in (-LOW, 0.05)
    ]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return add_mesh("Shoe", corners, faces)


def lower_soles(armature):
    body = find_body(armature)
    for index in list_soles(body):
        body.data.vertices[index].co.z -= LOW


def move_weights(armature):
    body, foot = find_body(armature), find_foot(armature)
    body.vertex_groups.remove(body.vertex_groups[foot])


def let_down(armature):
    modifier = find_body(armature).modifiers.new("Sag", "DISPLACE")
    modifier.direction, modifier.mid_level, modifier.strength = "Z", 0.0, -LOW


def unbind(armature):
    body = find_body(armature)
    body.modifiers.remove(next(m for m in body.modifiers if m.type == "ARMATURE"))


def pull_by_lattice(armature):
    data = bpy.data.lattices.new("Cage")
    cage = bpy.data.objects.new("Cage", data)
    bpy.context.collection.objects.link(cage)
    cage.scale, cage.location = (90.0, 90.0, 2.4), (0.0, 0.0, 0.9)
    for point in data.points:
        if point.co_deform.z < 0.0:
            point.co_deform.z -= LOW / 2.0
    find_body(armature).modifiers.new("Bend", "LATTICE").object = cage


def key_shape(armature):
    body = find_body(armature)
    body.shape_key_add(name="Basis")
    boots = body.shape_key_add(name="Boots")
    for index in list_soles(body):
        boots.data[index].co.z -= LOW
    for frame, value in ((5, 0.0), (15, 1.0)):
        boots.value = value
        boots.keyframe_insert("value", frame=frame)


def key_child(armature):
    body = find_body(armature)
    for frame, height in ((5, 0.0), (15, -LOW)):
        body.location.z = height
        body.keyframe_insert("location", frame=frame)


def deform_off(armature):
    armature.data.bones[find_foot(armature)].use_deform = False


def tie_shoe(armature):
    foot = armature.data.bones[find_foot(armature)]
    shoe = add_shoe(armature)
    shoe.data.transform(foot.matrix_local.inverted())
    constraint = shoe.constraints.new("COPY_TRANSFORMS")
    constraint.target, constraint.subtarget = armature, foot.name


def hide_floor(_):
    floor = bpy.data.objects["Floor"]
    for frame, hidden in ((1, False), (12, True)):
        floor.hide_viewport = hidden
        floor.keyframe_insert("hide_viewport", frame=frame)


def raise_floor(_):
    bpy.data.objects["Floor"].location.z += LOW


def render_otherwise(armature):
    let_down(armature)
    find_body(armature).modifiers["Sag"].show_viewport = False


def constrain_shin(armature):
    shin = armature.pose.bones["shin.L"]
    constraint = shin.constraints.new("LIMIT_ROTATION")
    constraint.name, constraint.owner_space = "Stiff Knee", "LOCAL"
    constraint.use_limit_x, constraint.min_x, constraint.max_x = True, -0.1, 0.1


def scale_object(armature):
    armature.scale = (1.15, 1.15, 1.15)


def change_rate(_):
    bpy.context.scene.render.fps *= 2


SPOILS = [
    (lower_soles, "Body"),
    (move_weights, "its vertex groups"),
    (let_down, "modifier 'Sag'"),
    (unbind, "modifier 'Armature'"),
    (pull_by_lattice, "modifier 'Bend'"),
    (key_shape, "'Boots'"),
    (key_child, "keys or drivers of the object"),
    (deform_off, "with Deform off"),
    (tie_shoe, "'Shoe' goes after a foot"),
    (hide_floor, "'Floor'"),
    (raise_floor, "'Floor'"),
    (render_otherwise, "modifier 'Sag'"),
    (constrain_shin, "the constraint 'Stiff Knee'"),
    (scale_object, "is scaled"),
    (change_rate, "frames a second"),
]


@pytest.mark.parametrize(
    ("spoil", "told"), SPOILS, ids=lambda value: getattr(value, "__name__", "")
)
def test_the_cause_is_told_first_and_what_is_seen_below(walker, spoil, told):
    spoil(walker)
    bpy.context.view_layer.update()
    notes = measure_baked(walker, bpy.context.scene).notes
    assert told in tell_note(notes[0])
    assert notes[0].kind in CAUSES | {n.kind for n in notes if n.kind.value.startswith("render_")}
    if notes[0].kind in CAUSES:
        assert not {note.kind for note in notes} & SYMPTOMS


def add_material(armature):
    find_body(armature).data.materials.append(bpy.data.materials.new("New"))


def rename_forearm(armature):
    armature.data.bones["forearm.L"].name = "Lower Arm"


def edit_head(armature):
    for vertex in find_body(armature).data.vertices:
        if vertex.co.z > 1.5:
            vertex.co.z += 0.02


def add_idle_key(armature):
    find_body(armature).shape_key_add(name="Basis")
    find_body(armature).shape_key_add(name="Smile")


def mute_constraint(armature):
    constrain_shin(armature)
    armature.pose.bones["shin.L"].constraints["Stiff Knee"].mute = True


def widen_floor(_):
    bpy.data.objects["Floor"].scale = (2.0, 2.0, 1.0)


@pytest.mark.parametrize(
    "change",
    [add_material, rename_forearm, edit_head, add_idle_key, mute_constraint, widen_floor],
)
def test_harmless_changes_are_not_told(walker, change):
    change(walker)
    bpy.context.view_layer.update()
    notes = measure_baked(walker, bpy.context.scene).notes
    assert [tell_note(note) for note in notes if not is_remark(note)] == []


def test_verify_keeps_what_it_sees(walker):
    before = walker.locomotion.report.values
    assert bpy.ops.anim.locomotion_verify() == {"FINISHED"}
    assert walker.locomotion.report.warnings == ""
    lower_soles(walker)
    assert bpy.ops.anim.locomotion_verify() == {"FINISHED"}
    assert "has changed at the feet" in walker.locomotion.report.warnings
    assert walker.locomotion.report.values != before
