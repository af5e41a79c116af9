# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet whose meshes change after Set Up: what is seen stands on the ground, or it is told."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api.reports import measure_baked
from semi_procedural_locomotion.blender.setup.values import read_values
from semi_procedural_locomotion.errors import BakeError
from semi_procedural_locomotion.notes import NoteKind, notes_from_text
from tests.scenes import add_mesh, add_person, select_only

THICK = 0.03
# Share of the leg by which shown soles may be in the ground, and above it.
SUNK, RAISED = 0.006, 0.015


@pytest.fixture
def person():
    """The person, set up, on a floor."""
    scene = bpy.context.scene
    armature = add_person(is_set_up=True)
    scene.frame_start, scene.frame_end = 1, 49
    points = [(-20, -20, 0), (20, -20, 0), (20, 20, 0), (-20, 20, 0)]
    add_mesh("Floor", points, [(0, 1, 2, 3)])
    select_only(armature)
    return armature


def find_body(armature):
    """The mesh of the feet."""
    return next(item for item in armature.children if item.type == "MESH")


def bake(armature):
    """Bake, and give the kinds of what is told."""
    select_only(armature)
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    report = armature.locomotion.report
    return {note.kind for note in notes_from_text(report.notes, report.warnings)}


def measure_lows(armature, frames=range(1, 50)):
    """Lowest shown vertex of all meshes of a character at frames (N,), metres over the floor."""
    scene, lows = bpy.context.scene, []
    for frame in frames:
        scene.frame_set(frame)
        graph, low = bpy.context.evaluated_depsgraph_get(), np.inf
        for item in bpy.data.objects:
            if item.type != "MESH" or item.name == "Floor" or not item.visible_get():
                continue
            shown = item.evaluated_get(graph)
            mesh = shown.to_mesh()
            points = np.empty((len(mesh.vertices), 3))
            mesh.vertices.foreach_get("co", points.ravel())
            shown.to_mesh_clear()
            world = np.array(shown.matrix_world)
            low = min(low, float((points @ world[2, :3]).min() + world[2, 3]))
        lows.append(low)
    scene.frame_set(1)
    return np.array(lows)


def check_standing(armature, frames=range(1, 50)):
    """Check that shown feet are on the floor."""
    lows = measure_lows(armature, frames) / armature.locomotion.legs[0].length
    assert lows.min() > -SUNK
    assert lows.max() < RAISED


def list_low(mesh):
    """Vertices of the undersides of feet."""
    return [v.index for v in mesh.vertices if v.co.z < 0.05]


def thicken_mesh(armature):
    """Soles that are modelled thicker."""
    mesh = find_body(armature).data
    for index in list_low(mesh):
        mesh.vertices[index].co.z -= THICK


def thicken_by_key(armature):
    """Soles that a shape key makes thicker."""
    body = find_body(armature)
    body.shape_key_add(name="Basis")
    key = body.shape_key_add(name="Boots")
    key.value = 1.0
    for index in list_low(body.data):
        key.data[index].co.z -= THICK


def thicken_by_modifier(armature):
    """A whole body that a modifier lets down."""
    modifier = find_body(armature).modifiers.new("Boots", "DISPLACE")
    modifier.direction, modifier.mid_level, modifier.strength = "Z", 0.0, -THICK


def thicken_by_lattice(armature):
    """Soles that a lattice around the body draws down."""
    data = bpy.data.lattices.new("Lattice")
    lattice = bpy.data.objects.new("Lattice", data)
    bpy.context.collection.objects.link(lattice)
    lattice.parent, lattice.scale, lattice.location = armature, (2, 2, 2.4), (0, 0, 0.9)
    for point in data.points:
        if point.co_deform.z < 0.0:
            point.co_deform.z -= THICK / 2.0
    find_body(armature).modifiers.new("Bend", "LATTICE").object = lattice


def put_boots_on(armature):
    """Boots in the place of the body's feet."""
    body = find_body(armature)
    boots = body.copy()
    boots.data = body.data.copy()
    bpy.context.collection.objects.link(boots)
    for index in list_low(boots.data):
        boots.data.vertices[index].co.z -= THICK
    body.hide_set(True)


@pytest.mark.parametrize(
    "change",
    [thicken_mesh, thicken_by_key, thicken_by_modifier, thicken_by_lattice, put_boots_on],
)
def test_soles_that_change_are_measured_anew(person, change):
    assert not bake(person)
    change(person)
    bpy.context.view_layer.update()
    assert measure_lows(person).min() < -SUNK
    told = measure_baked(person, bpy.context.scene)
    assert told.report.shown_sink_worst > SUNK
    assert told.notes[0].kind is NoteKind.SOLES_SINCE_BAKE
    assert bake(person) == {NoteKind.SOLES_RENEWED}
    check_standing(person)
    # They are kept, and told once.
    assert not bake(person)


def test_what_is_not_at_the_feet_changes_nothing(person):
    bake(person)
    before = person.locomotion.skins
    body = find_body(person)
    for vertex in body.data.vertices:
        if vertex.co.z > 1.0:
            vertex.co.z += 0.02
    body.name = "Somebody"
    assert not bake(person)
    assert person.locomotion.skins == before


def test_feet_that_stay_as_they_are_are_not_told(person):
    bake(person)
    before = person.locomotion.skins
    body = find_body(person)
    body.vertex_groups.new(name="Mask").add(list_low(body.data), 0.5, "REPLACE")
    modifier = body.modifiers.new("Fine", "SUBSURF")
    modifier.subdivision_type, modifier.levels = "SIMPLE", 0
    assert not bake(person)
    assert person.locomotion.skins != before
    assert not measure_baked(person, bpy.context.scene).notes


def test_a_sole_that_was_set_by_hand_is_kept_and_told(person):
    person.locomotion.legs[0].heel.offset[1] += 0.001
    kept = tuple(person.locomotion.legs[0].heel.offset)
    thicken_mesh(person)
    assert NoteKind.SOLE_KEPT in bake(person)
    assert tuple(person.locomotion.legs[0].heel.offset) == pytest.approx(kept)
    assert person.locomotion.legs[1].heel.is_edited is False


def test_feet_that_lose_their_mesh_are_told(person):
    body = find_body(person)
    for leg in person.locomotion.legs:
        shin, ankle = leg.bones[-2].name, leg.bones[-1].name
        for name in filter(None, (ankle, leg.toe)):
            group = body.vertex_groups[name]
            ids = [
                v.index for v in body.data.vertices if group.index in {g.group for g in v.groups}
            ]
            group.remove(ids)
            body.vertex_groups[shin].add(ids, 1.0, "REPLACE")
    assert NoteKind.SOLES_OUTDATED in bake(person)


def test_a_mesh_that_does_not_walk_along_is_named(person):
    find_body(person).modifiers["Armature"].show_viewport = False
    assert NoteKind.MESH_NOT_MOVED in bake(person)


def test_a_shape_key_that_changes_at_the_feet_is_told(person):
    thicken_by_key(person)
    key = find_body(person).data.shape_keys.key_blocks["Boots"]
    assert NoteKind.FEET_SHAPED not in bake(person)
    for frame, value in ((20, 0.0), (30, 1.0)):
        key.value = value
        key.keyframe_insert("value", frame=frame)
    bpy.context.scene.frame_set(1)
    assert NoteKind.FEET_SHAPED in bake(person)


def test_a_bake_that_fails_leaves_the_soles(person, monkeypatch):
    thicken_mesh(person)
    before = read_values(person.locomotion)

    def fail(*_args):
        raise BakeError("no")

    monkeypatch.setattr("semi_procedural_locomotion.api.setups._keep_report", fail)
    with pytest.raises(RuntimeError):
        bpy.ops.anim.locomotion_bake()
    assert read_values(person.locomotion) == before
