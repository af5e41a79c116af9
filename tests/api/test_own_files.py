# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of the project's own characters, from file to walk: what they are made of is known exactly."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")
from mathutils import Matrix

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.reading.evidence import collect_evidence
from semi_procedural_locomotion.blender.reading.importing import import_file
from semi_procedural_locomotion.blender.reading.sampling import find_actions, sample_action
from semi_procedural_locomotion.blender.values.armature import read_skeleton
from semi_procedural_locomotion.core.gaits.making import compute_truth
from semi_procedural_locomotion.core.gaits.presets import find_preset
from semi_procedural_locomotion.core.gaits.settings import fit_to_frames
from semi_procedural_locomotion.core.motions.analysis import analyze_clip
from semi_procedural_locomotion.core.rig.legs import find_rig
from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import (
    create_character,
    make_character_rig,
    write_gaits,
)
from semi_procedural_locomotion.demo.hexapod import make_hexapod_shape
from semi_procedural_locomotion.demo.quadruped import make_quadruped_shape
from tests.blender.rigs import make_walker_under_ik

SHAPES = {"person": make_biped_shape, "dog": make_quadruped_shape, "beetle": make_hexapod_shape}


def export_glb(path):
    bpy.ops.export_scene.gltf(
        filepath=str(path), export_format="GLB", export_animation_mode="ACTIONS"
    )


def export_fbx(path):
    bpy.ops.export_scene.fbx(
        filepath=str(path), add_leaf_bones=False, bake_anim_use_nla_strips=False
    )


def export_bvh(path):
    scene = bpy.context.scene
    armature = next(item for item in scene.objects if item.type == "ARMATURE")
    bpy.context.view_layer.objects.active = armature
    # Blender writes its own axes; captured files have Y up.
    armature.data.transform(Matrix.Rotation(-np.pi / 2, 4, "X"))
    first, last = (int(frame) for frame in armature.animation_data.action.frame_range)
    bpy.ops.export_anim.bvh(filepath=str(path), frame_start=first, frame_end=last)


EXPORTS = {"glb": export_glb, "fbx": export_fbx, "bvh": export_bvh}


def write_file(path, name, rate):
    """A file of a character with its walk; the truth of the walk and its legs by name."""
    scene = bpy.context.scene
    scene.render.fps = rate
    shape = SHAPES[name]()
    armature = create_character(shape, scene.collection)
    bpy.context.view_layer.update()
    rig = make_character_rig(shape, read_skeleton(armature))
    preset = find_preset("walk", len(rig.legs), rig.leg_length)
    truth = compute_truth(rig, fit_to_frames(preset, rate))
    (walk,) = write_gaits(armature, shape, ["walk"])
    versions.assign_action(armature, walk, versions.find_slot(walk, armature))
    EXPORTS[path.suffix[1:]](path)
    legs = [tuple(rig.skeleton.names[bone] for bone in leg.joints) for leg in rig.legs]
    return truth, legs


def read_file(path):
    """The rig that is found in a file, and its only clip."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    (armature,) = import_file(path).armatures
    findings = find_rig(collect_evidence(armature))
    (action,) = find_actions(armature)
    return findings, sample_action(armature, action, read_skeleton(armature))


@pytest.mark.parametrize(
    ("name", "kind", "rate"),
    [("person", "glb", 24), ("dog", "glb", 30), ("beetle", "glb", 24), ("dog", "fbx", 24)],
)
def test_a_file_gives_back_the_legs_and_the_walk_that_were_written(name, kind, rate, tmp_path):
    path = tmp_path / f"{name}.{kind}"
    truth, legs = write_file(path, name, rate)
    findings, clip = read_file(path)
    rig = findings.rig
    assert rig is not None
    names = rig.skeleton.names
    found = {tuple(names[bone] for bone in leg.joints) for leg in rig.legs}
    assert found == set(legs)
    assert [leg.partner for leg in rig.legs] == [index ^ 1 for index in range(len(legs))]
    assert findings.confidence >= 0.75
    motion = analyze_clip(clip, rig)
    assert motion.kind == "cycle"
    assert motion.period == pytest.approx(truth.period, rel=0.01)
    apart = np.linalg.norm(motion.velocity - truth.velocity)
    assert apart < 0.03 * np.linalg.norm(truth.velocity)
    # Feet stand in the same order and for as long as they were made to.
    for index, leg in enumerate(legs):
        own = next(c for j, c in zip(rig.legs, motion.legs, strict=True) if _named(names, j) == leg)
        duty = own.off + 1.0 - own.strike
        made = (truth.off[index] - truth.strike[index]) % 1.0
        assert duty == pytest.approx(made, abs=0.05)


def _named(names, leg):
    return tuple(names[bone] for bone in leg.joints)


def test_a_capture_at_120_frames_a_second_is_read_frame_by_frame(tmp_path):
    path = tmp_path / "person.bvh"
    truth, legs = write_file(path, "person", 120)
    findings, clip = read_file(path)
    assert clip.frame_rate == pytest.approx(120.0, rel=1e-3)
    assert clip.key_interval == pytest.approx(1.0 / 120.0, rel=1e-3)
    rig = findings.rig
    assert rig is not None
    assert {_named(rig.skeleton.names, leg) for leg in rig.legs} == set(legs)
    motion = analyze_clip(clip, rig)
    assert motion.period == pytest.approx(truth.period, rel=0.01)
    apart = np.linalg.norm(motion.velocity - truth.velocity)
    assert apart < 0.05 * np.linalg.norm(truth.velocity)


def test_a_file_of_detached_feet_under_live_constraints_is_read_as_it_plays(tmp_path):
    path = tmp_path / "walker.blend"
    make_walker_under_ik(bpy.context.scene)
    for action in bpy.data.actions:
        action.use_fake_user = True
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=str(path))
    armature = next(item for item in bpy.data.objects if item.type == "ARMATURE")
    walk = next(action for action in bpy.data.actions if "Walk" in action.name)
    findings = find_rig(collect_evidence(armature, [walk]))
    rig = findings.rig
    assert rig is not None
    names = rig.skeleton.names
    assert [_named(names, leg) for leg in rig.legs] == [
        (f"thigh.{side}", f"shin.{side}", f"foot.{side}") for side in "LR"
    ]
    assert all(leg.detached for leg in rig.legs)
    shape = make_biped_shape()
    truth_rig = make_character_rig(shape, read_skeleton(armature))
    rate = bpy.context.scene.render.fps
    preset = find_preset("walk", 2, truth_rig.leg_length)
    truth = compute_truth(truth_rig, fit_to_frames(preset, rate))
    motion = analyze_clip(sample_action(armature, walk, read_skeleton(armature)), rig)
    assert motion.period == pytest.approx(truth.period, rel=0.01)
    apart = np.linalg.norm(motion.velocity - truth.velocity)
    assert apart < 0.03 * np.linalg.norm(truth.velocity)
