# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters with odd numbers of legs are set up and baked, seen in the evaluated scene."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.api.setups import bake_set_up, set_up
from semi_procedural_locomotion.core.maths import rotations as rot
from tests.api.test_shown_agreement import make_ground
from tests.core.legged_bodies import (
    FORWARD,
    add_middle_leg,
    bend_leg,
    make_biped,
    make_centipede,
    make_pogo,
    make_radial,
    walk,
)
from tests.meters import (
    find_stands,
    measure_float,
    measure_sink,
    measure_slip,
    mesh_heights,
    see_feet,
)

pytestmark = [pytest.mark.newest, pytest.mark.usefixtures("empty_scene")]


def build_body(maker, clip):
    """The body as an armature whose bones have the world's axes, its mesh, and the clip as keys."""
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, 97
    armature = bpy.data.objects.new("Odd", bpy.data.armatures.new("Odd"))
    scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for name, parent in zip(maker.names, maker.parents, strict=True):
        bone = armature.data.edit_bones.new(name)
        bone.head, bone.tail = maker.heads[name], maker.heads[name] + [0.0, 0.05, 0.0]
        bone.parent = armature.data.edit_bones[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    mesh = bpy.data.meshes.new("Body")
    mesh.from_pydata(np.concatenate([points for _, points in maker.boxes]).tolist(), [], [])
    item = bpy.data.objects.new("Body", mesh)
    scene.collection.objects.link(item)
    item.parent = armature
    first = 0
    for bone, points in maker.boxes:
        group = item.vertex_groups.get(bone) or item.vertex_groups.new(name=bone)
        group.add(list(range(first, first + len(points))), 1.0, "REPLACE")
        first += len(points)
    item.modifiers.new("Armature", "ARMATURE").object = armature
    _key(armature, maker, clip)
    return armature, item


def _key(armature, maker, clip):
    """Key every bone on every frame, from frame 1 on."""
    armature.animation_data_create().action = bpy.data.actions.new(clip.name)
    places = dict(zip(maker.names, np.swapaxes(clip.positions, 0, 1), strict=True))
    turns = dict(zip(maker.names, np.swapaxes(clip.rotations, 0, 1), strict=True))
    for name, parent in zip(maker.names, maker.parents, strict=True):
        turn, place = turns[name], places[name] - maker.heads[name]
        if parent:
            back = rot.conjugate(turns[parent])
            rest = maker.heads[name] - maker.heads[parent]
            turn = rot.multiply(back, turn)
            place = rot.rotate(back, places[name] - places[parent]) - rest
        bone = armature.pose.bones[name]
        for frame in range(len(turn)):
            bone.rotation_quaternion, bone.location = turn[frame], place[frame]
            bone.keyframe_insert("rotation_quaternion", frame=frame + 1)
            bone.keyframe_insert("location", frame=frame + 1)


def _hop(maker, leg, stride=0.4, height=0.15):
    """A hop in place: the foot stands for half of the cycle, then all of the body is in the air."""
    share = np.arange(25) / 24.0
    stance, swing = share < 0.5, np.clip(2.0 * share - 1.0, 0.0, 1.0)
    arch = np.sin(2.0 * np.pi * share)
    along = np.where(stance, 0.5 - 2.0 * share, rot.step_cubic(swing) - 0.5) * stride
    rise = np.where(stance, -0.08 * arch, -height * arch)[:, None] * rot.UP
    lift = np.where(stance, 0.0, -(height + 0.05) * arch)[:, None] * rot.UP
    path = maker.heads[leg.ankle] + along[:, None] * FORWARD + lift
    moves = {"hips": {"position": maker.heads["hips"] + rise}}
    return maker.clip("Hop", moves | bend_leg(maker, leg, path, maker.heads[leg.hip] + rise))


def _see_lows(item, bone):
    """Lowest height and mean place of the vertices of one bone in every frame."""
    group = item.vertex_groups[bone].index
    chosen = [v.index for v in item.data.vertices if v.groups[0].group == group]
    scene, seen = bpy.context.scene, []
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        shown = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
        points = [shown.matrix_world @ shown.data.vertices[index].co for index in chosen]
        seen.append(points)
    seen = np.array(seen)
    return seen[..., 2].min(axis=1), seen.mean(axis=1)


def test_a_hop_on_one_leg_travels():
    maker, (leg,) = make_pogo()
    armature, item = build_body(maker, _hop(maker, leg))
    character, _ = set_up(armature)
    assert [found.name for found in character.rig.legs] == ["Leg"]
    bake_set_up(armature, bpy.context.scene)
    lows, places = _see_lows(item, "foot")
    assert lows.min() > -0.005
    assert lows.max() > 0.1
    assert places[0, 1] - places[-1, 1] > 1.5
    stands = lows[1:-1] < 0.002
    steps = np.linalg.norm(np.diff(places[:, :2], axis=0), axis=1)
    assert stands.mean() > 0.2
    assert np.median(np.minimum(steps[:-1], steps[1:])[stands]) < 0.002


def test_three_legs_walk():
    maker, legs = make_biped(arms=False)
    legs.append(add_middle_leg(maker, -0.3, phase=0.25))
    armature, item = build_body(maker, walk(maker, legs))
    character, _ = set_up(armature)
    assert [found.name for found in character.rig.legs] == ["Left", "Right", "Middle"]
    bake_set_up(armature, bpy.context.scene)
    for foot in ("foot.L", "foot.R", "foot"):
        lows, places = _see_lows(item, foot)
        assert lows.min() > -0.005
        assert lows.max() > 0.05
        assert places[0, 1] - places[-1, 1] > 1.5


def _make(count):
    """Body, legs and clip of a character with so many legs."""
    if count == 1:
        maker, legs = make_pogo()
        return maker, legs, _hop(maker, legs[0])
    if count == 3:
        maker, legs = make_biped(arms=False)
        legs.append(add_middle_leg(maker, -0.3, phase=0.25))
        return maker, legs, walk(maker, legs)
    if count == 5:
        maker, legs = make_radial(5)
        return maker, legs, walk(maker, legs, stride=0.25)
    maker, legs = make_centipede(count // 2)
    return maker, legs, walk(maker, legs, stride=0.2, lift=0.08)


@pytest.mark.parametrize(
    ("count", "ground"), [(1, "stairs"), (3, "bumps"), (5, "stairs"), (6, "bumps")]
)
def test_any_number_of_legs_stands_on_stairs_and_bumps(count, ground):
    """Shares of the leg: the bars of sunk, floating and sliding soles, for boxes of the meshes."""
    maker, legs, clip = _make(count)
    armature, _ = build_body(maker, clip)
    scene = bpy.context.scene
    scene.frame_end = 61
    character, _ = set_up(armature)
    length = character.rig.leg_length
    assert len(character.rig.legs) == count
    make_ground(ground, armature, length, (0.0, -1.0))
    result = bake_set_up(armature, scene)
    assert not any("too short" in text for text in result.warnings)
    heights = mesh_heights(scene.objects["Ground"])
    bones = [[leg.ankle, leg.ankle.replace("foot", "toe")] for leg in legs]
    feet = see_feet(armature, bones, range(1, scene.frame_end + 1), heights)
    stands = find_stands(feet, length, scene.render.fps)
    assert min(own.mean() for own in stands) > 0.2
    assert measure_sink(feet) < 0.004 * length
    assert measure_float(feet, stands) < 0.003 * length
    assert measure_slip(feet, stands, 0.004 * length) < 0.003 * length
    assert min(np.ptp(foot.points[:, :, 2].mean(axis=1)) for foot in feet) > 0.05 * length
