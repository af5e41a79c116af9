# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes bound from nothing, seen in the evaluated scene."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api.binding import (
    BindRequest,
    bind_meshes,
    find_meshes,
    hide_zones,
    show_zones,
)
from semi_procedural_locomotion.blender.binding.zones import ZONES_NAME
from semi_procedural_locomotion.core.rig.binding.weights import BindOptions
from semi_procedural_locomotion.demo.characters import create_biped
from semi_procedural_locomotion.errors import RigError


def add_bare():
    """The person whose mesh was never bound."""
    armature = create_biped(bpy.context.scene.collection)
    (mesh,) = armature.children
    mesh.vertex_groups.clear()
    mesh.modifiers.clear()
    mesh.parent = None
    bpy.context.view_layer.update()
    return armature, mesh


def see(mesh):
    """World places of the vertices as the scene shows them, shape (V, 3)."""
    bpy.context.view_layer.update()
    shown = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([shown.matrix_world @ vertex.co for vertex in shown.data.vertices])


def turn(armature, name, angle):
    bone = armature.pose.bones[name]
    bone.rotation_mode = "XYZ"
    bone.rotation_euler.x = angle


def find_crotch(rest):
    """Height at which the mesh is joined between the legs."""
    middle = (np.abs(rest[:, 0]) < 1e-4) & (rest[:, 2] > 0.3)
    return rest[middle, 2].min()


def test_no_vertex_of_one_leg_follows_the_other():
    armature, mesh = add_bare()
    armature.location = (2.0, 1.0, 0.0)
    armature.rotation_euler.z = 0.3
    mesh.matrix_world = armature.matrix_basis
    bpy.context.view_layer.update()
    matrix = np.array(armature.matrix_world.inverted())
    bind_meshes(armature, [mesh])
    rest = see(mesh)
    own = rest @ matrix[:3, :3].T + matrix[:3, 3]
    left = (own[:, 0] > 0) & (own[:, 2] < find_crotch(own))
    assert left.sum() > 400
    for name, angle in (("thigh.R", -0.8), ("shin.R", 1.0), ("foot.R", 0.5)):
        turn(armature, name, angle)
    moved = np.linalg.norm(see(mesh) - rest, axis=1)
    assert moved[left].max() < 1e-6
    right = (own[:, 0] < 0) & (own[:, 2] < find_crotch(own))
    assert moved[right].min() > 0.01
    # Without that care most of the leg goes along.
    for name in ("thigh.R", "shin.R", "foot.R"):
        turn(armature, name, 0.0)
    plain = BindRequest(BindOptions(limb_only=False), existing="REPLACE")
    bind_meshes(armature, [mesh], plain)
    turn(armature, "thigh.R", -0.8)
    moved = np.linalg.norm(see(mesh) - rest, axis=1)
    assert (moved[left] > 0.001).mean() > 0.5


def test_weights_that_there_are_are_asked_about():
    armature, mesh = add_bare()
    mesh.vertex_groups.new(name="thigh.R").add([0, 1], 1.0, "REPLACE")
    mesh.vertex_groups.new(name="mask").add([3], 0.5, "REPLACE")
    with pytest.raises(RigError, match="has weights of 1 bones already: set Existing Weights"):
        bind_meshes(armature, [mesh])
    assert [g.name for g in mesh.vertex_groups] == ["thigh.R", "mask"]
    found = bind_meshes(armature, [mesh], BindRequest(existing="ADD"))
    assert found.vertex_count == len(mesh.data.vertices) - 2
    names = [g.name for g in mesh.vertex_groups]
    for vertex in (0, 1):
        kept = {names[g.group]: g.weight for g in mesh.data.vertices[vertex].groups}
        assert kept == {"thigh.R": 1.0}
    bind_meshes(armature, [mesh], BindRequest(existing="REPLACE", keeps_volume=True))
    sums = [
        sum(g.weight for g in vertex.groups if mesh.vertex_groups[g.group].name != "mask")
        for vertex in mesh.data.vertices
    ]
    assert sums == pytest.approx([1.0] * len(sums), abs=1e-6)
    assert mesh.data.vertices[3].groups[0].weight == 0.5
    (modifier,) = mesh.modifiers
    assert modifier.use_deform_preserve_volume
    assert mesh.parent == armature


def test_what_cannot_be_bound_is_named():
    armature, mesh = add_bare()
    with pytest.raises(RigError, match="no mesh is selected"):
        bind_meshes(armature, find_meshes(armature, []))
    empty = bpy.data.objects.new("Empty Mesh", bpy.data.meshes.new("Empty Mesh"))
    with pytest.raises(RigError, match="has no vertices"):
        bind_meshes(armature, [empty])
    for bone in armature.data.bones:
        bone.use_deform = False
    with pytest.raises(RigError, match=r"no bone of .* deforms"):
        bind_meshes(armature, [mesh])


def test_zones_show_whom_vertices_follow():
    armature, mesh = add_bare()
    with pytest.raises(RigError, match="no mesh has weights"):
        show_zones(armature, [mesh])
    bind_meshes(armature, [mesh])
    show_zones(armature, [mesh], "head")
    colours = mesh.data.color_attributes[ZONES_NAME].data
    heights = np.array([vertex.co.z for vertex in mesh.data.vertices])
    top, sole = colours[int(heights.argmax())].color, colours[int(heights.argmin())].color
    assert top[0] > 2.0 * top[2]
    assert sole[2] > 2.0 * sole[0]
    show_zones(armature, [mesh])
    assert len({tuple(np.round(entry.color, 2)) for entry in colours}) > 30
    assert hide_zones([mesh]) == 1
    assert ZONES_NAME not in mesh.data.color_attributes


def test_the_operators_run_without_a_window():
    armature, mesh = add_bare()
    for item in (armature, mesh):
        item.select_set(True)
    bpy.context.view_layer.objects.active = armature
    assert bpy.ops.object.locomotion_bind("INVOKE_DEFAULT") == {"FINISHED"}
    with pytest.raises(RuntimeError, match="Existing Weights to Replace"):
        bpy.ops.object.locomotion_bind()
    assert bpy.ops.object.locomotion_bind(existing="REPLACE", bones=2) == {"FINISHED"}
    assert max(len(vertex.groups) for vertex in mesh.data.vertices) == 2
    assert bpy.ops.object.locomotion_bone_zones() == {"FINISHED"}
    assert bpy.ops.object.locomotion_bone_zones(shown="BONE", bone="head") == {"FINISHED"}
    assert bpy.ops.object.locomotion_bone_zones(shown="NONE") == {"FINISHED"}
