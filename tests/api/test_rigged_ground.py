# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground that a rig bends: rows of planks are walked on, figures are not and are told at the feet."""

from __future__ import annotations

import math

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from mathutils import Vector
from mathutils.bvhtree import BVHTree

from semi_procedural_locomotion.notes import NoteKind, notes_from_text
from tests.scenes import add_mesh, add_person, select_only

LAST, COUNT, NEAR, FAR, SAG = 61, 20, 0.8, 2.6, 0.06


@pytest.fixture
def person():
    """The person, set up, with banks on both sides of a river."""
    scene = bpy.context.scene
    armature = add_person(is_set_up=True)
    scene.frame_start, scene.frame_end = 1, LAST
    add_strip("Bank", [-20, NEAR + 0.02])
    add_strip("Other Bank", [FAR - 0.02, 20])
    add_strip("River Bed", [-20, 20], -0.5)
    select_only(armature)
    return armature


def add_strip(name, ways, height=0.0):
    """A level strip across the way, cut at places along it."""
    points = [(x, -way, height) for way in ways for x in (-3, 3)]
    faces = [(2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1) for i in range(len(ways) - 1)]
    return add_mesh(name, points, faces)


def add_bridge(shape):
    """A deck that a rig of many bones holds and lets hang through."""
    data = bpy.data.armatures.new("Bridge")
    rig = bpy.data.objects.new("Bridge", data)
    bpy.context.collection.objects.link(rig)
    select_only(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    step, bones = (FAR - NEAR) / (COUNT - 1), []
    root = data.edit_bones.new("root") if shape in {"star", "limbs"} else None
    if root is not None:
        root.head, root.tail = (0, -NEAR, -1), (0, -NEAR, -0.8)
    for number in range(COUNT):
        bone = data.edit_bones.new(f"b{number}")
        bone.head = (0, -NEAR - number * step, 0)
        bone.tail = (0, -NEAR - number * step, 0.2)
        if shape == "star" or (shape == "limbs" and number in {0, COUNT // 2}):
            bone.parent = root
        elif shape in {"chain", "limbs"} and number:
            bone.parent = bones[-1]
        bones.append(bone)
    bpy.ops.object.mode_set(mode="OBJECT")
    deck = add_strip("Deck", np.linspace(NEAR - 0.05, FAR + 0.05, 61).tolist())
    for number in range(COUNT):
        deck.vertex_groups.new(name=f"b{number}")
    for vertex in deck.data.vertices:
        share = min(max((-vertex.co.y - NEAR) / step, 0.0), COUNT - 1.0)
        first = min(int(share), COUNT - 2)
        for number, weight in ((first, first + 1 - share), (first + 1, share - first)):
            deck.vertex_groups[number].add([vertex.index], weight, "REPLACE")
    deck.modifiers.new("Bend", "ARMATURE").object = rig
    if shape not in {"chain", "limbs"}:
        for number in range(COUNT):
            drop = -SAG * math.sin(math.pi * number / (COUNT - 1))
            rig.pose.bones[f"b{number}"].location = (0, drop, 0)
    bpy.context.view_layer.update()


def bake(armature):
    """Bake, and give what is told by its kinds."""
    select_only(armature)
    bpy.context.view_layer.update()
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    report = armature.locomotion.report
    return {note.kind: note for note in notes_from_text(report.notes, report.warnings)}


def find_heights(armature):
    """Height of the lowest shown vertex over banks and deck at each frame, shares of the leg, (N,)."""
    scene, found = bpy.context.scene, []
    graph, points, faces = bpy.context.evaluated_depsgraph_get(), [], []
    for name in ("Bank", "Other Bank", "Deck"):
        shown = bpy.data.objects[name].evaluated_get(graph)
        mesh = shown.to_mesh()
        faces += [[len(points) + i for i in face.vertices] for face in mesh.polygons]
        points += [shown.matrix_world @ v.co for v in mesh.vertices]
        shown.to_mesh_clear()
    tree = BVHTree.FromPolygons(points, faces)
    (body,) = [item for item in armature.children if item.type == "MESH"]
    for frame in range(1, LAST + 1):
        scene.frame_set(frame)
        shown = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = shown.to_mesh()
        places = [shown.matrix_world @ v.co for v in mesh.vertices]
        shown.to_mesh_clear()
        floor = min(place.z for place in places)
        low = [place for place in places if place.z < floor + 0.2]
        hits = [(p, tree.ray_cast(p + Vector((0, 0, 0.4)), Vector((0, 0, -1)))[0]) for p in low]
        found.append(min(p.z - hit.z for p, hit in hits if hit is not None))
    scene.frame_set(1)
    return np.array(found) / armature.locomotion.legs[0].length


@pytest.mark.parametrize("shape", ["loose", "chain", "star"])
def test_a_deck_that_many_bones_bend_is_ground(person, shape):
    add_bridge(shape)
    notes = bake(person)
    assert NoteKind.FIGURE_NO_GROUND not in notes
    heights = find_heights(person)
    assert heights.min() > -0.006
    assert heights.max() < 0.015


def test_a_deck_that_is_taken_for_a_figure_is_told(person):
    add_bridge("limbs")
    note = bake(person)[NoteKind.FIGURE_NO_GROUND]
    assert (note.values["mesh"], note.values["armature"]) == ("Deck", "Bridge")
    ground = person.locomotion.ground
    ground.source = "OBJECTS"
    for name in ("Bank", "Other Bank", "Deck"):
        ground.objects.add().object = bpy.data.objects[name]
    assert NoteKind.FIGURE_NO_GROUND not in bake(person)
    heights = find_heights(person)
    assert heights.min() > -0.006
    assert heights.max() < 0.015


@pytest.mark.parametrize("aside", [0.0, 3.0])
def test_a_figure_is_told_where_it_stands_in_the_way(person, aside):
    other = bpy.data.objects.new("Other", person.data.copy())
    bpy.context.collection.objects.link(other)
    (body,) = [item for item in person.children if item.type == "MESH"]
    double = body.copy()
    bpy.context.collection.objects.link(double)
    double.parent = other
    double.modifiers["Armature"].object = other
    other.location = (aside, -0.5, 0.0)
    for name in ("Other Bank", "River Bed"):
        bpy.data.objects.remove(bpy.data.objects[name])
    bpy.data.objects["Bank"].scale.y = 20.0
    told = NoteKind.FIGURE_NO_GROUND in bake(person)
    assert told == (aside == 0.0)
