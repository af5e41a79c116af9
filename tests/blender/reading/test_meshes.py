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
from semi_procedural_locomotion.blender.reading.outlines import read_outline
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


@pytest.mark.parametrize("spoil", ["hidden", "after"])
def test_a_mirror_that_does_not_reach_the_armature_is_left_out(spoil):
    armature = add_person()
    item = find_body(armature)
    mirror = halve(item)
    if spoil == "hidden":
        mirror.show_viewport = False
    else:
        item.modifiers.move(0, len(item.modifiers) - 1)
    mesh = next(
        m for m in find_body_meshes(armature, collect_evidence(armature).skeleton) if m.item == item
    )
    with mesh.open_built() as built:
        assert len(built.vertices) == len(item.data.vertices)


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
