# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Baked walks held against what Blender shows of them.

A bake keeps on its action what it means to show at the frames that matter. Here the rig is evaluated
there, with its constraints, drivers, strips and parents, and what is off is named with its cause.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import bpy
import numpy as np

from ..blender.showing.causes import Cause, find_cause, find_left_bake, find_standing_cause
from ..blender.showing.expectations import (
    mark_rests,
    read_expectation,
    see_bones,
    write_expectation,
)
from ..blender.values.bake_record import find_playing_action, is_bake, read_record
from ..core.plan import SolvedWalk, WalkPlan
from ..core.report.off_plan import (
    Expectation,
    ShownBones,
    choose_frames,
    expect_walk,
    join_expectations,
    measure_deviation,
)
from ..errors import BakeError

# A walk that is shown farther off than this share of a leg is not the walk that was planned.
OFF_PLAN = 0.005
# Nearer than this it is, and its numbers are those of the plan.
SAME = 0.001


@dataclass(frozen=True)
class Verification:
    """How a baked walk is shown.

    Attributes
    ----------
    share
        Worst distance of a leg joint from plan, share of the leg's length; None where the walk cannot
        be looked at, see ``cause``.
    frame, leg, bone
        Where that is: scene frame, name of the leg, name of the bone.
    cause
        What moves it; None where the walk is shown as planned.
    frames
        How many frames were looked at.
    """

    share: float | None
    frame: float
    leg: str
    bone: str
    cause: Cause | None
    frames: int

    @property
    def is_clean(self) -> bool:
        """Whether the walk is shown as it was planned, to half a hundredth of the leg."""
        return self.share is not None and self.share <= OFF_PLAN


def verify_written(
    armature: bpy.types.Object,
    plan: WalkPlan,
    walk: SolvedWalk,
    frames: np.ndarray,
    worst: int,
    scene: bpy.types.Scene,
) -> Verification:
    """Keep on a bake that was just written what it means to show, and look whether it is shown.

    Parameters
    ----------
    armature
        The character's object, which plays the bake.
    plan, walk
        The walk's plan, and its solution at N frames.
    frames
        Scene frames of the solution, shape (N,). Where the walk is mixed with other animation it is
        not looked at.
    worst
        Scene frame of the worst number.
    scene
        Where it plays.
    """
    action, _ = find_playing_action(armature)
    if action is None or not is_bake(action):
        raise BakeError(f"{armature.name!r} plays no baked walk: bake one first")
    record = read_record(action)
    settings = armature.locomotion.settings
    inside = np.arange(settings.blend_in, len(frames) - settings.blend_out)
    if not len(inside):
        inside = np.array([len(frames) // 2])
    place = int(np.clip(np.searchsorted(frames[inside], worst), 0, len(inside) - 1))
    chosen = inside[choose_frames(walk.states.in_contact[inside], place)]
    expected = expect_walk(plan, walk, frames, chosen)
    shown = see_bones(armature, expected.names, expected.frames, scene)
    if record.output_to != "object":
        # The walk does not write to the object: it is meant to be where it is.
        expected = replace(expected, origins=shown.origins, turns=shown.turns)
    before = read_expectation(action)
    whole = expected
    if before is not None and record.span != (float(frames[0]), float(frames[-1])):
        whole = join_expectations(before[0], expected)
    write_expectation(action, whole, mark_rests(armature, expected.names))
    return _judge(armature, expected, shown, scene)


def verify_baked(armature: bpy.types.Object, scene: bpy.types.Scene) -> Verification:
    """Look whether a baked walk is shown as it was planned, and name what spoils it.

    Parameters
    ----------
    armature
        A character's object that plays a bake, or has one that it should play.
    scene
        Where it plays; neither stepped nor changed.

    Raises
    ------
    BakeError
        It has no bake, or one of an earlier version that does not tell what it means to show.
    """
    action, _ = find_playing_action(armature)
    playing = action is not None and is_bake(action)
    bake = action if playing else find_left_bake(armature)
    if bake is None:
        raise BakeError(f"{armature.name!r} has no baked walk: bake one first")
    kept = read_expectation(bake)
    if kept is None:
        raise BakeError(
            f"the bake of {armature.name!r} does not tell what it means to show: bake again"
        )
    expected, rests = kept
    if not playing:
        name = "" if action is None else action.name
        cause = Cause("action", armature.name, name)
        return Verification(None, float(expected.frames[0]), "", "", cause, 0)
    present = mark_rests(armature, expected.names)
    standing = find_standing_cause(armature, expected.names, rests, present, scene)
    if standing is not None and standing.kind == "bone":
        return Verification(None, float(expected.frames[0]), "", standing.owner, standing, 0)
    shown = see_bones(armature, expected.names, expected.frames, scene)
    return _judge(armature, expected, shown, scene, standing)


def _judge(
    armature: bpy.types.Object,
    expected: Expectation,
    shown: ShownBones,
    scene: bpy.types.Scene,
    standing: Cause | None = None,
) -> Verification:
    """How far shown bones are off, and by what."""
    off = measure_deviation(expected, shown)
    cause = None
    if off.share > OFF_PLAN:
        if standing is None:
            present = mark_rests(armature, expected.names)
            standing = find_standing_cause(armature, expected.names, present, present, scene)
        bone = expected.names[off.blamed] if off.blamed >= 0 else ""
        cause = standing or find_cause(armature, bone, off.frame, scene)
    return Verification(
        share=off.share,
        frame=off.frame,
        leg=expected.legs[off.leg],
        bone=expected.names[off.bone],
        cause=cause,
        frames=len(expected.frames),
    )
