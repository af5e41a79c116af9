# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of a character as they are when its armature takes them along."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")
bmesh = pytest.importorskip("bmesh")

from semi_procedural_locomotion.blender.reading.evidence import collect_evidence
from semi_procedural_locomotion.blender.reading.meshes import find_body_meshes
from semi_procedural_locomotion.blender.reading.skins import choose_outermost, read_outline
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.legs import find_rig
from tests.scenes import add_person


def halve(item):
    """Leave the left half of a mesh to be mirrored before the armature moves it."""
    own = bmesh.new()
    own.from_mesh(item.data)
    right = [vertex for vertex in own.verts if vertex.co.x < -1e-6]
    bmesh.ops.delete(own, geom=right, context="VERTS")
    own.to_mesh(item.data)
    own.free()
    mirror = item.modifiers.new("Halves", "MIRROR")
    mirror.use_mirror_merge = False
    item.modifiers.move(len(item.modifiers) - 1, 0)
    return mirror


def find_body(armature):
    return next(item for item in armature.children if item.type == "MESH")


def test_a_body_of_which_one_half_is_modelled_has_both_its_legs():
    armature = add_person()
    whole = collect_evidence(armature)
    expected = find_rig(whole).rig
    outline = read_outline(armature, whole.skeleton)
    before = {item.name for item in bpy.data.objects}

    halve(find_body(armature))
    evidence = collect_evidence(armature)

    assert len(evidence.vertices) >= len(whole.vertices)
    found = find_rig(evidence).rig
    assert [leg.joints for leg in found.legs] == [leg.joints for leg in expected.legs]
    for own, other in zip(found.legs, expected.legs, strict=True):
        for part in ("heel", "ball", "toe_tip"):
            assert getattr(own, part).bone == getattr(other, part).bone
            assert np.allclose(getattr(own, part).offset, getattr(other, part).offset, atol=1e-3)
    mirrored = read_outline(armature, evidence.skeleton)
    assert set(mirrored.bones.tolist()) == set(outline.bones.tolist())
    assert {item.name for item in bpy.data.objects} == before
    assert not [scene for scene in bpy.data.scenes if "sampling" in scene.name]


def read_feet(armature):
    """Ends of both soles of a character in its own space, shape (2, 3, 3)."""
    rig = find_rig(collect_evidence(armature)).rig
    heads, axes = rig.skeleton.rest_poses[1], rig.skeleton.rest_poses[0]
    return np.array(
        [
            [heads[p.bone] + rot.rotate(axes[p.bone], p.offset) for p in leg.soles]
            for leg in rig.legs
        ]
    )


@pytest.mark.parametrize(
    ("kind", "choices", "place"),
    [
        ("MIRROR", {}, 1),
        ("SOLIDIFY", {"thickness": 0.02, "offset": 1.0}, 0),
        ("REMESH", {"mode": "VOXEL", "voxel_size": 0.05}, 1),
    ],
)
def test_vertices_are_those_that_are_shown(kind, choices, place):
    armature = add_person()
    item = find_body(armature)
    if kind == "MIRROR":
        halve(item)
    else:
        made = item.modifiers.new("Made", kind)
        for name, value in choices.items():
            setattr(made, name, value)
        item.modifiers.move(1, 0)
    item.modifiers.move(0, place)
    armature.data.pose_position = "REST"
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    shown = np.array([item.matrix_world @ v.co for v in evaluated.to_mesh().vertices])
    evaluated.to_mesh_clear()
    armature.data.pose_position = "POSE"
    found = collect_evidence(armature)
    assert (found.vertex_weights.sum(axis=1) > 0).all()
    assert np.allclose(found.vertices.min(axis=0), shown.min(axis=0), atol=1e-5)
    assert np.allclose(found.vertices.max(axis=0), shown.max(axis=0), atol=1e-5)
    assert np.allclose(read_feet(armature)[..., 2], shown[:, 2].min(), atol=1e-3)


def test_a_mirror_that_is_shown_nowhere_is_left_out():
    armature = add_person()
    item = find_body(armature)
    mirror = halve(item)
    mirror.show_viewport = mirror.show_render = False
    mesh = next(
        m for m in find_body_meshes(armature, collect_evidence(armature).skeleton) if m.item == item
    )
    with mesh.open_built() as built:
        assert len(built.vertices) == len(item.data.vertices)


def test_shape_keys_count_as_they_are_set():
    armature = add_person()
    item = find_body(armature)
    item.shape_key_add(name="Basis")
    key = item.shape_key_add(name="Platforms")
    for place in key.data:
        place.co.z -= 0.05 if place.co.z < 0.1 else 0.0
    key.value = 1.0
    assert np.allclose(read_feet(armature)[..., 2], -0.05, atol=1e-4)


def test_shoes_that_follow_the_body_have_the_soles():
    armature = add_person()
    item = find_body(armature)
    shoes = item.copy()
    shoes.data = item.data.copy()
    bpy.context.scene.collection.objects.link(shoes)
    shoes.parent = None
    shoes.modifiers.clear()
    shoes.vertex_groups.clear()
    follow = shoes.modifiers.new("Follow", "SURFACE_DEFORM")
    follow.target = item
    for vertex in shoes.data.vertices:
        vertex.co.z -= 0.02
    assert np.allclose(read_feet(armature)[..., 2], -0.02, atol=1e-4)


def test_hidden_clothes_do_not_count_where_others_are_shown():
    armature = add_person()
    item = find_body(armature)
    boots = item.copy()
    boots.data = item.data.copy()
    bpy.context.scene.collection.objects.link(boots)
    for vertex in boots.data.vertices:
        vertex.co.z -= 0.1
    boots.hide_set(True)
    assert np.allclose(read_feet(armature)[..., 2], 0.0, atol=1e-4)
    item.hide_set(True)
    assert np.allclose(read_feet(armature)[..., 2], -0.1, atol=1e-4)


def test_groups_of_bones_that_do_not_deform_move_nothing():
    armature = add_person()
    whole = collect_evidence(armature)
    hand = next(name for name in whole.skeleton.names if name.startswith("hand"))
    armature.data.bones[hand].use_deform = False
    bare = collect_evidence(armature)
    bone = whole.skeleton.find_index(hand)
    assert (whole.vertex_weights[whole.vertex_bones == bone] > 0).any()
    assert not (bare.vertex_weights[bare.vertex_bones == bone] > 0).any()


def test_meshes_of_very_many_vertices_are_thinned_to_their_outside():
    rng = np.random.default_rng(5)
    points = rng.normal(size=(120_000, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    chosen = choose_outermost(points, 20_000)
    assert 1_000 < len(chosen) <= 20_000
    directions = rng.normal(size=(40, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    lacks = (points @ directions.T).max(axis=0) - (points[chosen] @ directions.T).max(axis=0)
    assert lacks.max() < 2e-3
    assert np.array_equal(points[chosen].min(axis=0), points.min(axis=0))
    assert np.array_equal(choose_outermost(points[:50], 50), np.arange(50))


def test_a_mirrored_mesh_far_from_the_origin_is_read_where_it_stands():
    armature = add_person()
    armature.location, armature.scale = (5.0, -3.0, 2.0), (0.1, 0.1, 0.1)
    bpy.context.view_layer.update()
    whole = collect_evidence(armature)
    halve(find_body(armature))
    bpy.context.view_layer.update()
    mirrored = collect_evidence(armature)
    for axis in range(3):
        assert np.isclose(
            mirrored.vertices[:, axis].min(), whole.vertices[:, axis].min(), atol=1e-5
        )
        assert np.isclose(
            mirrored.vertices[:, axis].max(), whole.vertices[:, axis].max(), atol=1e-5
        )
