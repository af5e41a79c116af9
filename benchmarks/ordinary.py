# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a clip comes over ground without the program: moved as it is, and with feet on IK controls.

The clip repeats on an NLA track, and an empty above the character carries it along at the clip's own
speed. For feet on controls each leg has an IK constraint and each foot a Copy Rotation; an empty per foot
goes below the ankle's way, a Shrinkwrap constraint projects it onto the ground, and the foot's control
hangs on it at the height that the ankle has in the clip.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix

from semi_procedural_locomotion.blender import versions
from tools.compatibility.courses import Course

from .stages import Actor, Shown, find_way, look

# Lengths of the leg above the course from which feet are projected.
_ABOVE = 30.0
# Share of the leg by which the end of a shin is farther off its foot than in the clip.
_MISSED = 0.01


@dataclass(frozen=True)
class Ankles:
    """Ankles while a clip plays in place.

    Attributes
    ----------
    matrices
        World, without scale, shape (F, K, 4, 4).
    gaps
        How far the ends of the shins are from them, metres, shape (F, K).
    """

    matrices: np.ndarray
    gaps: np.ndarray

    def cut(self, count: int) -> Ankles:
        """The first frames."""
        return Ankles(self.matrices[:count], self.gaps[:count])


@contextmanager
def playing(actor: Actor, count: int) -> Iterator[None]:
    """The walk as a strip that repeats for ``count`` frames."""
    armature, action = actor.armature, actor.action
    before, slot = versions.get_assigned_action(armature)
    own = versions.find_slot(action, armature) or ""
    versions.assign_action(armature, action, own)
    versions.assign_action(armature, None, "")
    track = armature.animation_data.nla_tracks.new()
    strip = track.strips.new("Walk", 1, action)
    if hasattr(strip, "action_slot"):
        strip.action_slot = next(s for s in action.slots if s.identifier == own)
    rate = action.get("locomotion_frame_rate") or actor.found["fps"]
    # Some actions hold their last pose for as long as they have walked.
    strip.action_frame_start = action.frame_range[0]
    strip.action_frame_end = action.frame_range[0] + actor.found["walk"]["period"] * rate
    strip.scale = actor.found["fps"] / rate
    strip.repeat = 2.0 + count / ((strip.action_frame_end - strip.action_frame_start) * strip.scale)
    try:
        yield
    finally:
        armature.animation_data.nla_tracks.remove(track)
        versions.assign_action(armature, before, slot)


@contextmanager
def carried(actor: Actor, matrices: np.ndarray) -> Iterator[None]:
    """The character is moved by world matrices (F, 4, 4) from where it stands itself."""
    top = actor.armature
    while top.parent is not None:
        top = top.parent
    mover = add_empty("Mover", matrices)
    top.parent = mover
    try:
        yield
    finally:
        top.parent = None
        bpy.data.objects.remove(mover)


def move_clip(actor: Actor, course: Course, count: int) -> Shown:
    """The clip over the ground as it is: the object moves at its speed, as high as the ground there."""
    axes = find_way(actor)
    ways = find_ways(actor, count)
    places = np.stack([ways, 0.0 * ways, course.find_heights(ways, 0.0 * ways)], axis=1)
    with playing(actor, count), carried(actor, _place(places @ axes[:3, :3].T)):
        return look(actor, axes, range(1, count + 1))


def read_ankles(actor: Actor, count: int) -> Ankles:
    """Ankles of as many frames; the rig after `add_tips`."""
    found, tips = [], []
    with playing(actor, count):
        for frame in range(1, count + 1):
            bpy.context.scene.frame_set(frame)
            found.append(_read_matrices(actor))
            tips.append(_read_tips(actor))
    matrices = np.array(found)
    return Ankles(matrices, np.linalg.norm(np.array(tips) - matrices[..., :3, 3], axis=-1))


def step_with_controls(
    actor: Actor, course: Course, item: bpy.types.Object, ankles: Ankles
) -> Shown:
    """The clip with its feet on controls that follow the ground; the body goes over it smoothly.

    Parameters
    ----------
    actor
        Who, after `add_tips`.
    course, item
        The ground and its object.
    ankles
        As of `read_ankles`, of as many frames as are looked at.
    """
    axes = find_way(actor)
    count = len(ankles.matrices)
    ways = find_ways(actor, count)
    # The mean over half a cycle is what an animator would draw the body's way by.
    under = ways[:, None] + np.linspace(-0.25, 0.25, 33) * actor.stride
    heights = course.find_heights(under, np.zeros_like(under)).mean(axis=1)
    moved = np.stack([ways, 0.0 * ways, 0.0 * ways], axis=1) @ axes[:3, :3].T
    controls, followers = [], []
    for own in np.moveaxis(ankles.matrices, 1, 0):
        places = own[:, :3, 3] + moved
        tops = places * [1.0, 1.0, 0.0] + [0.0, 0.0, _ABOVE * actor.length + axes[2, 3]]
        follower = add_empty("Follower", _place(tops))
        wrap = follower.constraints.new("SHRINKWRAP")
        wrap.target, wrap.shrinkwrap_type = item, "PROJECT"
        wrap.project_axis, wrap.project_axis_space = "NEG_Z", "WORLD"
        lifted = own.copy()
        lifted[:, :3, 3] = places * [0.0, 0.0, 1.0] - [0.0, 0.0, axes[2, 3]]
        control = add_empty("Control", lifted)
        control.parent = follower
        followers.append(follower)
        controls.append(control)
    raised = _place(moved + heights[:, None] * [0.0, 0.0, 1.0])
    with playing(actor, count), carried(actor, raised):
        return look_at_held(actor, axes, controls, ankles.gaps, followers)


def look_at_held(
    actor: Actor,
    axes: np.ndarray,
    controls: Sequence[bpy.types.Object],
    own: np.ndarray,
    others: Sequence[bpy.types.Object] = (),
) -> Shown:
    """Feet on controls, and how often shins do not reach them; controls and others are removed then.

    What the clip has of ``own`` gaps there, metres, shape (F, K), is no miss.
    """
    count = len(own)
    try:
        with _held(actor, controls):
            missed = 0
            for frame in range(1, count + 1):
                bpy.context.scene.frame_set(frame)
                graph = bpy.context.evaluated_depsgraph_get()
                wanted = [c.evaluated_get(graph).matrix_world.translation for c in controls]
                gaps = _read_tips(actor) - np.array(wanted)
                allowed = own[frame - 1] + _MISSED * actor.length
                missed += int((np.linalg.norm(gaps, axis=1) > allowed).sum())
            return look(actor, axes, range(1, count + 1), missed)
    finally:
        for item in (*controls, *others):
            bpy.data.objects.remove(item)


def add_tips(actor: Actor) -> None:
    """Give each leg a helper bone that ends at its ankle, for IK to pull at; importers guess tails."""
    armature = actor.armature
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for shin, ankle in _list_ends(actor):
        bones = armature.data.edit_bones
        tip = bones.new(_name_tip(ankle))
        tip.head, tip.tail = bones[shin].head, bones[ankle].head
        tip.parent, tip.use_deform = bones[shin], False
    bpy.ops.object.mode_set(mode="OBJECT")
    for _, ankle in _list_ends(actor):
        tip = armature.pose.bones[_name_tip(ankle)]
        tip.lock_ik_x = tip.lock_ik_y = tip.lock_ik_z = True


def find_ways(actor: Actor, count: int) -> np.ndarray:
    """Metres that a clip goes at its own speed, frame by frame, shape (count,)."""
    return np.arange(count) * actor.found["walk"]["speed"] / actor.found["fps"]


def add_empty(name: str, matrices: np.ndarray) -> bpy.types.Object:
    """An empty with keys at matrices (F, 4, 4), the first in frame 1."""
    item = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(item)
    item.rotation_mode = "QUATERNION"
    last = None
    for frame, matrix in enumerate(matrices, start=1):
        place, turn, _ = Matrix(matrix.tolist()).decompose()
        if last is not None:
            turn.make_compatible(last)
        last = turn
        item.location, item.rotation_quaternion = place, turn
        item.keyframe_insert("location", frame=frame)
        item.keyframe_insert("rotation_quaternion", frame=frame)
    return item


@contextmanager
def _held(actor: Actor, controls: Sequence[bpy.types.Object]) -> Iterator[None]:
    """IK and Copy Rotation between feet and controls; feet that IK follows already go to them."""
    bones, added = actor.armature.pose.bones, []
    for (shin, ankle), leg, control in zip(
        _list_ends(actor), actor.found["legs"], controls, strict=True
    ):
        foot = bones[ankle]
        has_ik = any(c.type == "IK" for name in leg["bones"] for c in bones[name].constraints)
        if not has_ik:
            pull = bones[_name_tip(ankle)].constraints.new("IK")
            pull.target, pull.chain_count = control, len(leg["bones"])
            added.append((bones[_name_tip(ankle)], pull))
        kinds = ["COPY_ROTATION"]
        kinds += ["COPY_LOCATION"] if foot.parent is None or foot.parent.name != shin else []
        for kind in kinds:
            constraint = foot.constraints.new(kind)
            constraint.target = control
            added.append((foot, constraint))
    try:
        yield
    finally:
        for bone, constraint in added:
            bone.constraints.remove(constraint)


def _list_ends(actor: Actor) -> list[tuple[str, str]]:
    """Names of shin and ankle of each leg."""
    return [(leg["bones"][-2], leg["bones"][-1]) for leg in actor.found["legs"]]


def _name_tip(ankle: str) -> str:
    return f"Tip {ankle}"


def _read_matrices(actor: Actor) -> np.ndarray:
    """World matrices of the ankles in the frame that is shown, without scale, shape (K, 4, 4)."""
    shown = actor.armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    found = []
    for _, ankle in _list_ends(actor):
        place, turn, _ = (shown.matrix_world @ shown.pose.bones[ankle].matrix).decompose()
        found.append(Matrix.LocRotScale(place, turn, None))
    return np.array(found)


def _read_tips(actor: Actor) -> np.ndarray:
    """World places of the ends of the helper bones, shape (K, 3)."""
    shown = actor.armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    tips = [shown.pose.bones[_name_tip(ankle)].tail for _, ankle in _list_ends(actor)]
    return np.array([shown.matrix_world @ tip for tip in tips])


def _place(places: np.ndarray) -> np.ndarray:
    """Matrices (F, 4, 4) without turn at places (F, 3)."""
    matrices = np.tile(np.eye(4), (len(places), 1, 1))
    matrices[:, :3, 3] = places
    return matrices
