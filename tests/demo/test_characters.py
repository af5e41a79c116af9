# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The project's own characters: sound meshes, flat soles, exact weights, playable gaits."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("bpy")

import bpy

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.reading.evidence import collect_evidence
from semi_procedural_locomotion.blender.values.armature import read_skeleton
from semi_procedural_locomotion.blender.values.clips import write_clip
from semi_procedural_locomotion.core.gaits.making import make_gait
from semi_procedural_locomotion.core.gaits.presets import find_preset, list_presets
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.legs.find import find_rig
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses, compute_rest_poses
from semi_procedural_locomotion.demo.characters import (
    CHARACTER_SHAPES,
    create_biped,
    create_character,
    make_character_parts,
    make_character_rig,
    write_gaits,
)
from semi_procedural_locomotion.errors import RigError

NAMES = list(CHARACTER_SHAPES)


def build(name):
    shape = CHARACTER_SHAPES[name]()
    armature = create_character(shape, bpy.context.scene.collection)
    bpy.context.view_layer.update()
    body = next(child for child in armature.children if child.type == "MESH")
    return shape, armature, body


def read_vertices(mesh):
    vertices = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", vertices)
    return vertices.reshape(-1, 3).astype(float)


@pytest.mark.parametrize("name", NAMES)
def test_mesh_is_sound(name):
    shape, _, body = build(name)
    mesh = body.data
    assert not mesh.validate()
    assert len(mesh.vertices) < 8000
    edges = {}
    for polygon in mesh.polygons:
        for key in polygon.edge_keys:
            edges[key] = edges.get(key, 0) + 1
    # Every surface is closed.
    assert set(edges.values()) == {2}
    assert len(mesh.materials) == len(shape.colours)
    assert {p.material_index for p in mesh.polygons} == set(range(len(shape.colours)))


@pytest.mark.parametrize("name", NAMES)
def test_faces_look_outwards(name):
    shape, _, _ = build(name)
    for surface in shape.surfaces:
        volume = 0.0
        for face in surface.faces:
            corners = surface.vertices[list(face)]
            for second, third in pairwise(corners[1:]):
                volume += corners[0] @ np.cross(second, third) / 6.0
        assert volume > 0.0


@pytest.mark.parametrize("name", NAMES)
def test_weights_sum_to_one_and_name_deforming_bones(name):
    shape, armature, body = build(name)
    for vertex in body.data.vertices:
        assert sum(group.weight for group in vertex.groups) == pytest.approx(1.0, abs=1e-6)
    for group in body.vertex_groups:
        assert armature.data.bones[group.name].use_deform
    for surface in shape.surfaces:
        for weights in surface.weights:
            assert sum(weights.values()) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_soles_stand_on_the_ground_and_the_mesh_is_symmetric(name):
    shape, _, body = build(name)
    vertices = read_vertices(body.data)
    assert vertices[:, 2].min() == pytest.approx(0.0, abs=1e-7)
    assert abs(vertices[:, 0].min() + vertices[:, 0].max()) < 1e-6
    groups = {group.index: group.name for group in body.vertex_groups}
    for leg in shape.legs:
        front = leg.toe or leg.joints[-1]
        for bone in (leg.joints[-1], front):
            own = [
                v.co.z
                for v in body.data.vertices
                if any(groups[g.group] == bone and g.weight > 0.9 for g in v.groups)
            ]
            assert min(own) == pytest.approx(0.0, abs=1e-6)
        assert leg.heel[2] == leg.ball[2] == leg.toe_tip[2] == 0.0


@pytest.mark.parametrize("name", NAMES)
def test_built_twice_the_same(name):
    _, first_armature, first = build(name)
    _, second_armature, second = build(name)
    np.testing.assert_array_equal(read_vertices(first.data), read_vertices(second.data))
    assert [b.name for b in first_armature.data.bones] == [
        b.name for b in second_armature.data.bones
    ]
    for a, b in zip(first_armature.data.bones, second_armature.data.bones, strict=True):
        np.testing.assert_array_equal(np.array(a.matrix_local), np.array(b.matrix_local))


@pytest.mark.parametrize("name", NAMES)
def test_rig_has_mirrored_legs_with_soles_on_the_ground(name):
    shape, armature, _ = build(name)
    skeleton = read_skeleton(armature)
    rig = make_character_rig(shape, skeleton)
    rotations, positions = compute_rest_poses(skeleton)
    np.testing.assert_allclose(rig.forward, [0.0, -1.0], atol=1e-6)
    for index, leg in enumerate(rig.legs):
        assert rig.legs[leg.partner].partner == index
        assert rig.legs[leg.partner].length == pytest.approx(leg.length, abs=1e-6)
        assert (leg.side == "L") == (positions[leg.ankle, 0] > 0)
        for sole in leg.soles:
            point = positions[sole.bone] + rot.rotate(rotations[sole.bone], sole.offset)
            assert point[2] == pytest.approx(0.0, abs=1e-6)
    assert 0.4 < rig.ball_shares.min() <= rig.ball_shares.max() < 0.9


def test_biped_is_a_person_of_ordinary_height():
    armature = create_biped(bpy.context.scene.collection)
    body = armature.children[0]
    assert read_vertices(body.data)[:, 2].max() == pytest.approx(1.75, abs=0.02)
    assert 35 <= len(armature.data.bones) <= 45
    assert {"hips", "thigh.L", "shin.L", "foot.L", "toe.L", "head"} <= {
        bone.name for bone in armature.data.bones
    }


def test_building_keeps_the_users_mode_and_active_object():
    mesh = bpy.data.objects.new("Mine", bpy.data.meshes.new("Mine"))
    bpy.context.scene.collection.objects.link(mesh)
    bpy.context.view_layer.objects.active = mesh
    hidden = bpy.data.collections.new("Not in the scene")
    armature = create_biped(hidden)
    assert bpy.context.view_layer.objects.active == mesh
    assert list(armature.users_collection) == [hidden]
    assert mesh.mode == "OBJECT"


@pytest.mark.parametrize(
    ("name", "gait"),
    [(n, g) for n in NAMES for g in list_presets(len(CHARACTER_SHAPES[n]().legs))],
)
def test_written_gait_plays_as_made(name, gait):
    shape, armature, body = build(name)
    scene = bpy.context.scene
    scene.render.fps = 30
    skeleton = read_skeleton(armature)
    rig = make_character_rig(shape, skeleton)
    settings = find_preset(gait, len(rig.legs), rig.leg_length)
    clip = make_gait(rig, settings, make_character_parts(shape, skeleton))
    action = write_clip(armature, clip, skeleton, gait)
    versions.assign_action(armature, action, versions.list_slots(action)[0])
    _, positions = compute_global_poses(skeleton, clip.rotations, clip.translations)
    for sample in (0, settings.keys // 3):
        frame = 1.0 + 30.0 * clip.times[sample]
        scene.frame_set(int(frame), subframe=frame - int(frame))
        heads = [np.array(armature.pose.bones[n].head) for n in skeleton.names]
        np.testing.assert_allclose(heads, positions[sample], atol=2e-5)
    # The skinned soles stay on the ground but for what bends at the toe joint.
    posed = body.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    low = min(vertex.co.z for vertex in posed.vertices)
    assert -0.01 * rig.leg_length < low < 0.1 * rig.leg_length


@pytest.mark.parametrize("name", NAMES)
def test_the_leg_finder_finds_the_legs(name):
    shape, armature, _ = build(name)
    skeleton = read_skeleton(armature)
    rig = make_character_rig(shape, skeleton)
    parts = make_character_parts(shape, skeleton)
    settings = find_preset("walk", len(rig.legs), rig.leg_length)
    action = write_clip(armature, make_gait(rig, settings, parts), skeleton, "walk")
    findings = find_rig(collect_evidence(armature, [action]))
    assert findings.rig is not None
    assert findings.confidence >= 0.75
    found = [(leg.side, leg.joints, leg.toe) for leg in findings.rig.legs]
    assert found == [(leg.side, leg.joints, leg.toe) for leg in rig.legs]
    np.testing.assert_allclose(findings.rig.forward, rig.forward, atol=1e-3)
    assert findings.rig.body == rig.body


def test_gaits_are_written_as_whole_frames_with_a_rest():
    shape, armature, _ = build("biped")
    bpy.context.scene.render.fps = 24
    walk, rest = write_gaits(armature, shape, ["walk", "rest"])
    assert (walk.name, rest.name) == ("Walker Walk", "Walker Rest")
    curve = versions.get_curves(walk, versions.list_slots(walk)[0])[0]
    frames = [key.co[0] for key in curve.keyframe_points]
    np.testing.assert_allclose(frames, np.arange(1, len(frames) + 1), atol=1e-4)
    for curve in versions.get_curves(rest, versions.list_slots(rest)[0]):
        assert np.ptp([key.co[1] for key in curve.keyframe_points]) < 1e-6
    with pytest.raises(RigError, match="choose one of"):
        write_gaits(armature, shape, ["tripod"])


def test_cycles_close_in_the_written_curves():
    shape, armature, _ = build("hexapod")
    (action,) = write_gaits(armature, shape, ["ripple"])
    for curve in versions.get_curves(action, versions.list_slots(action)[0]):
        keys = curve.keyframe_points
        assert keys[0].co[1] == pytest.approx(keys[-1].co[1], abs=1e-6)
