# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The project's own characters and their gaits, built as Blender data.

The same on every machine: everything follows from the data in the ``character_*`` modules, nothing is
random, and the only operator is the one that opens an armature for editing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ..blender.values.armature import read_skeleton
from ..blender.values.clips import write_clip
from ..blender.values.materials import find_matt_material
from ..core.gaits.making import make_gait, make_rest
from ..core.gaits.presets import find_preset
from ..core.gaits.settings import fit_to_frames
from ..core.maths import rotations as rot
from ..core.maths.rotations import FloatArray
from ..core.rig.skeleton import Skeleton, compute_rest_poses
from ..core.rig.structure import Leg, Rig, SolePoint
from ..core.rig.upper_body import Arm, BodyParts
from .biped import make_biped_shape
from .hexapod import make_hexapod_shape
from .lofts import CharacterShape, LegShape, SkinSurface
from .quadruped import make_quadruped_shape

# Every character faces -Y.
_FORWARD = (0.0, -1.0)
_SIDES = {"L": 1, "R": -1}
_ROUGHNESS = 0.65

# The project's characters by the name that the command line uses.
CHARACTER_SHAPES: Mapping[str, Callable[[], CharacterShape]] = {
    "biped": make_biped_shape,
    "quadruped": make_quadruped_shape,
    "hexapod": make_hexapod_shape,
}

# Name of the still stance that goes with a character's walk.
REST_GAIT = "rest"


def create_biped(collection: bpy.types.Collection) -> bpy.types.Object:
    """The project's person in a collection; see `create_character`."""
    return create_character(make_biped_shape(), collection)


def create_character(shape: CharacterShape, collection: bpy.types.Collection) -> bpy.types.Object:
    """Armature and skinned mesh of a character.

    Parameters
    ----------
    collection
        Where its two objects are linked.

    Returns
    -------
    bpy.types.Object
        The armature object at the world's origin, facing -Y with its soles at Z = 0; the mesh is its
        child.
    """
    armature = bpy.data.objects.new(shape.name, bpy.data.armatures.new(shape.name))
    _build_bones(armature, shape)
    collection.objects.link(armature)
    mesh_object = bpy.data.objects.new(f"{shape.name} Body", _build_mesh(shape))
    collection.objects.link(mesh_object)
    mesh_object.parent = armature
    _assign_weights(mesh_object, shape)
    modifier: Any = mesh_object.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature
    return armature


def make_character_rig(shape: CharacterShape, skeleton: Skeleton) -> Rig:
    """The rig of a character whose legs are known, for making its gaits.

    Parameters
    ----------
    skeleton
        Its bones as read from the armature object.
    """
    legs = [_make_leg(leg, skeleton) for leg in shape.legs]
    paired = tuple(replace(leg, partner=index ^ 1) for index, leg in enumerate(legs))
    lengths = [np.array(s.toe_tip) - np.array(s.heel) for s in shape.legs]
    balls = [np.array(s.ball) - np.array(s.heel) for s in shape.legs]
    foot_lengths = skeleton.object_scale * np.linalg.norm(lengths, axis=-1)
    return Rig(
        skeleton=skeleton,
        legs=paired,
        forward=_turn_forward(skeleton),
        body=skeleton.find_index(shape.body),
        ground_height=0.0,
        foot_lengths=foot_lengths,
        ball_shares=np.linalg.norm(balls, axis=-1) / np.linalg.norm(lengths, axis=-1),
    )


def make_character_parts(shape: CharacterShape, skeleton: Skeleton) -> BodyParts:
    """Spine, head, arms and tail of a character by its own names."""
    find = skeleton.find_index
    return BodyParts(
        spine=tuple(find(name) for name in shape.spine),
        neck=tuple(find(name) for name in shape.neck),
        head=None if shape.head is None else find(shape.head),
        arms=tuple(
            Arm(
                side=_SIDES[arm.side],
                shoulder=None if arm.shoulder is None else find(arm.shoulder),
                upper=find(arm.upper),
                fore=find(arm.fore),
                hand=None if arm.hand is None else find(arm.hand),
            )
            for arm in shape.arms
        ),
        tail=tuple(find(name) for name in shape.tail),
    )


def write_gaits(
    armature: bpy.types.Object, shape: CharacterShape, gaits: Sequence[str]
) -> list[bpy.types.Action]:
    """Made gaits of a character as ordinary actions; none of them is assigned.

    Raises RigError where a gait is not known for that many legs.

    Parameters
    ----------
    gaits
        Names of presets that suit its number of legs, or `REST_GAIT` for a still stance.

    Returns
    -------
    list of bpy.types.Action
        Named after character and gait, with a key on every frame of the scene.
    """
    skeleton = read_skeleton(armature)
    rig = make_character_rig(shape, skeleton)
    parts = make_character_parts(shape, skeleton)
    render = bpy.context.scene.render
    actions = []
    for gait in gaits:
        preset = find_preset("walk" if gait == REST_GAIT else gait, len(rig.legs), rig.leg_length)
        settings = fit_to_frames(preset, render.fps / render.fps_base)
        make = make_rest if gait == REST_GAIT else make_gait
        clip = make(rig, settings, parts)
        actions.append(write_clip(armature, clip, skeleton, f"{shape.name} {gait.title()}"))
    return actions


def _turn_forward(skeleton: Skeleton) -> FloatArray:
    """Find where a character faces once its object is turned, unit vector (2,)."""
    turned = rot.rotate(skeleton.object_rotation, np.array([*_FORWARD, 0.0]))[:2]
    return turned / np.hypot(*turned)


def _make_leg(shape: LegShape, skeleton: Skeleton) -> Leg:
    """A leg without its partner."""
    rotations, positions = compute_rest_poses(skeleton)
    joints = tuple(skeleton.find_index(name) for name in shape.joints)
    toe = None if shape.toe is None else skeleton.find_index(shape.toe)

    def attach(point: Sequence[float], bone: int) -> SolePoint:
        """A point of the resting sole in the axes of a bone."""
        place = skeleton.object_scale * rot.rotate(skeleton.object_rotation, np.array(point))
        offset = rot.rotate(rot.conjugate(rotations[bone]), place - positions[bone])
        return SolePoint(bone, offset)

    front = joints[-1] if toe is None else toe
    segments = np.diff(positions[list(joints)], axis=0)
    hinge = rot.normalize(rot.cross(segments[0], segments[1]))
    return Leg(
        name=shape.name,
        side=shape.side,
        joints=joints,
        toe=toe,
        heel=attach(shape.heel, joints[-1]),
        ball=attach(shape.ball, front),
        toe_tip=attach(shape.toe_tip, front),
        sole_width=skeleton.object_scale * shape.sole_width,
        length=float(rot.lengths(segments).sum()),
        hinge=rot.rotate(rot.conjugate(rotations[joints[0]]), hinge),
    )


def _build_bones(armature: bpy.types.Object, shape: CharacterShape) -> None:
    """Bones of an armature object that is not yet linked anywhere."""
    with _edit(armature):
        edit_bones = armature.data.edit_bones
        for spec in shape.bones:
            bone = edit_bones.new(spec.name)
            bone.head, bone.tail = spec.head, spec.tail
            along = np.subtract(spec.tail, spec.head)
            level = abs(along[1]) > np.hypot(along[0], along[2])
            bone.align_roll((0.0, 0.0, 1.0) if level else (0.0, -1.0, 0.0))
            bone.use_deform = spec.deforms
            if spec.parent is not None:
                bone.parent = edit_bones[spec.parent]


@contextmanager
def _edit(armature: bpy.types.Object) -> Iterator[None]:
    """Edit mode for an armature object, with the user's active object and mode put back."""
    layer, scene = bpy.context.view_layer, bpy.context.scene
    active = layer.objects.active
    mode = active.mode if active is not None else "OBJECT"
    if mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    scene.collection.objects.link(armature)
    layer.objects.active = armature
    try:
        bpy.ops.object.mode_set(mode="EDIT")
        yield
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")
        scene.collection.objects.unlink(armature)
        layer.objects.active = active
        if mode != "OBJECT":
            bpy.ops.object.mode_set(mode=mode)


def _build_mesh(shape: CharacterShape) -> bpy.types.Mesh:
    """All surfaces as one mesh with the character's materials."""
    mesh = bpy.data.meshes.new(f"{shape.name} Body")
    starts = np.cumsum([0, *(len(s.vertices) for s in shape.surfaces)])
    faces = [
        [vertex + int(start) for vertex in face]
        for surface, start in zip(shape.surfaces, starts[:-1], strict=True)
        for face in surface.faces
    ]
    vertices = np.concatenate([s.vertices for s in shape.surfaces])
    mesh.from_pydata(vertices.tolist(), [], faces)
    names = list(shape.colours)
    for name in names:
        mesh.materials.append(
            find_matt_material(f"{shape.name} {name}", shape.colours[name], _ROUGHNESS)
        )
    indices = [names.index(s.material) for s in shape.surfaces for _ in s.faces]
    mesh.polygons.foreach_set("material_index", np.array(indices, dtype=np.int32))
    smooth = np.concatenate([s.smooth for s in shape.surfaces])
    mesh.polygons.foreach_set("use_smooth", smooth)
    mesh.update()
    return mesh


def _assign_weights(mesh_object: bpy.types.Object, shape: CharacterShape) -> None:
    """Vertex groups of all bones that move vertices."""
    groups: dict[str, dict[float, list[int]]] = {}
    start = 0
    for surface in shape.surfaces:
        _collect_weights(surface, start, groups)
        start += len(surface.vertices)
    for spec in shape.bones:
        if spec.name not in groups:
            continue
        group = mesh_object.vertex_groups.new(name=spec.name)
        for weight, vertices in groups[spec.name].items():
            group.add(vertices, weight, "REPLACE")


def _collect_weights(
    surface: SkinSurface, start: int, groups: dict[str, dict[float, list[int]]]
) -> None:
    """Add a surface's vertices to the lists of equal weight of each bone."""
    for number, weights in enumerate(surface.weights, start=start):
        for bone, weight in weights.items():
            groups.setdefault(bone, {}).setdefault(weight, []).append(number)
