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

from ..blender.bake.checking import check_strips
from ..blender.bake.live import LivePose
from ..blender.ground.casting import SceneGround
from ..blender.showing.causes import (
    Cause,
    find_cause,
    find_control_cause,
    find_standing_cause,
)
from ..blender.showing.expectations import (
    mark_rests,
    read_expectation,
    read_surroundings,
    see_bones,
    write_expectation,
)
from ..blender.values.bake_record import (
    BakeRecord,
    find_left_bake,
    find_playing_action,
    is_bake_of,
    read_record,
)
from ..blender.values.matrices import sample_world_matrices
from ..blender.values.scene_state import get_frame_rate
from ..core.maths import rotations as rot
from ..core.plan import solve_poses
from ..core.report.off_plan import (
    Expectation,
    ShownBones,
    choose_frames,
    expect_walk,
    join_expectations,
    measure_deviation,
)
from ..core.rig.controls.mapping import ControlMap
from ..core.walk import SolvedWalk, WalkPlan
from ..errors import BakeError
from ..notes import Note, NoteKind, Value, make_note

# A walk that is shown farther off than this share of a leg is not the walk that was planned.
OFF_PLAN = 0.005
# Frames that are looked at, about, when Live is switched on.
_LIVE_FRAMES = 40
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
    length
        The distance in metres.
    """

    share: float | None
    frame: float
    leg: str
    bone: str
    cause: Cause | None
    frames: int
    length: float = 0.0

    @property
    def is_clean(self) -> bool:
        """Whether the walk is shown as it was planned, to half a hundredth of the leg."""
        return self.share is not None and self.share <= OFF_PLAN


def note_verification(verification: Verification) -> list[Note]:
    """What to mind of how a walk is shown: nothing, or by what it is off its plan."""
    cause = verification.cause
    if cause is None:
        return []
    values: dict[str, Value] = {
        "case": cause.kind,
        "bone": verification.bone if cause.kind == "scale" else cause.owner,
        "name": cause.name,
        "share": verification.share or 0.0,
        "length": verification.length,
    }
    leg, frame = verification.leg or None, round(verification.frame)
    return [Note(NoteKind.OFF_PLAN, leg, frame, values=values)]


def keep_expectation(
    armature: bpy.types.Object,
    plan: WalkPlan,
    walk: SolvedWalk,
    frames: np.ndarray,
    worst: int,
    scene: bpy.types.Scene,
    controls: ControlMap | None = None,
    blends: tuple[int, int] = (0, 0),
) -> None:
    """Keep on a bake that was just written what it means to show.

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
    controls
        The controls that it is on; None for the deforming bones.
    blends
        Frames at the ends over which it is mixed.

    Raises
    ------
    BakeError
        The character plays no bake.
    """
    action = _find_playing_bake(armature)
    record = read_record(action)
    inside = np.arange(blends[0], len(frames) - blends[1])
    if not len(inside):
        inside = np.array([len(frames) // 2])
    place = int(np.clip(np.searchsorted(frames[inside], worst), 0, len(inside) - 1))
    chosen = inside[choose_frames(walk.states.in_contact[inside], place)]
    expected = expect_walk(plan, walk, frames, chosen, _list_controls(controls))
    expected = _place_object(armature, expected, record, scene)
    before = read_expectation(action)
    section = (float(frames[0]), float(frames[-1]))
    grounds = plan.ground.mark_met() if isinstance(plan.ground, SceneGround) else {}
    if before is not None and record.span != section:
        earlier = before[0].keep_frames(record.sections)
        expected = join_expectations(earlier, expected, section)
        grounds = {**read_surroundings(action)[0], **grounds}
    rests = mark_rests(armature, expected.names)
    write_expectation(action, expected, rests, grounds, get_frame_rate(scene))


def verify_planned(
    armature: bpy.types.Object,
    plan: WalkPlan,
    walk: SolvedWalk,
    frames: np.ndarray,
    scene: bpy.types.Scene,
) -> Verification:
    """Look whether a bake that does not tell what it means to show is shown as a plan has it.

    Parameters
    ----------
    armature
        The character's object, which plays a bake.
    plan, walk
        The walk's plan, and its solution at N frames.
    frames
        Scene frames of the solution, shape (N,).
    scene
        Where it plays.
    """
    record = read_record(_find_playing_bake(armature))
    meant = expect_walk(plan, walk, frames, np.arange(len(frames)))
    meant = _place_object(armature, meant, record, scene)
    return _judge(armature, meant, see_bones(armature, meant.names, meant.frames, scene), scene)


def verify_live(
    armature: bpy.types.Object,
    plan: WalkPlan,
    walk: SolvedWalk,
    frames: np.ndarray,
    pose: LivePose,
    scene: bpy.types.Scene,
    controls: ControlMap | None = None,
) -> Verification:
    """Look whether a walk that is shown live is shown as it is planned.

    Parameters
    ----------
    armature
        The character's object; it is left in its pose of the scene's present frame.
    plan, walk
        The walk's plan, and its solution at N frames.
    frames
        Scene frames of the solution, shape (N,).
    pose
        What Live shows.
    scene
        Where it walks.
    controls
        The controls that it is on; None for the deforming bones.
    """
    record = read_record(_find_playing_bake(armature))
    chosen = choose_frames(walk.states.in_contact, 0)[:: len(frames) // _LIVE_FRAMES + 1]
    meant = expect_walk(plan, walk, frames, chosen, _list_controls(controls))
    meant = _place_object(armature, meant, record, scene)

    def show(frame: float) -> None:
        pose.show(armature, frame)

    try:
        shown = see_bones(armature, meant.names, meant.frames, scene, show)
    finally:
        pose.show(armature, scene.frame_current_final)
    return _judge(armature, meant, shown, scene)


def _list_controls(controls: ControlMap | None) -> tuple[tuple[str, ...], ...]:
    """Names of the controls that each leg hangs from; empty where a walk is on none."""
    return () if controls is None else controls.leg_bones


def _find_playing_bake(armature: bpy.types.Object) -> bpy.types.Action:
    """The bake that a character plays."""
    action, _ = find_playing_action(armature)
    if action is None or not is_bake_of(armature, action):
        raise BakeError(f"{armature.name!r} plays no baked walk: bake one first")
    return action


def _place_object(
    armature: bpy.types.Object, meant: Expectation, record: BakeRecord, scene: bpy.types.Scene
) -> Expectation:
    """What a bake means to show, with the object where it is if the walk does not write to it."""
    if record.output_to == "object":
        return meant
    (matrices,) = sample_world_matrices([armature], meant.frames, scene)
    turns = rot.quaternions_from_matrices(rot.orthonormalize_axes(matrices[:, :3, :3]))
    return replace(meant, origins=matrices[:, :3, 3], turns=turns)


def check_showing(armature: bpy.types.Object) -> None:
    """Check that a character shows its animation.

    Raises
    ------
    BakeError
        It is in Edit Mode, or in the tweak mode of its strips.
    """
    if armature.mode == "EDIT":
        raise BakeError(
            f"{armature.name!r} is in Edit Mode, which shows its rest pose: leave it (Tab)"
        )
    check_strips(armature)


def agrees(armature: bpy.types.Object, plan: WalkPlan, frame_rate: float) -> bool:
    """Whether a plan that was made again is the one that an armature's bake was made from."""
    kept = read_expectation(_find_playing_bake(armature))
    if kept is None:
        return False
    expected, _ = kept
    again = solve_poses(plan, expected.frames / frame_rate)
    if again.positions.shape != expected.positions.shape:
        return False
    apart = np.linalg.norm(again.positions - expected.positions, axis=-1).max()
    return bool(apart <= SAME * expected.leg_lengths.mean())


def note_outdated(
    armature: bpy.types.Object,
    plan: WalkPlan,
    scene: bpy.types.Scene,
    *,
    is_same: bool,
    stands: bool,
) -> list[Note]:
    """What a bake was made from and is another now.

    Parameters
    ----------
    armature, scene
        The character's object, which plays a bake, and where.
    plan
        Made again.
    is_same, stands
        Whether it is the bake's all the same, and whether feet stand on its ground; where both is true
        only ground is told of that is gone.
    """
    grounds, rate = read_surroundings(_find_playing_bake(armature))
    now = get_frame_rate(scene)
    if rate and abs(rate - now) > SAME * rate:
        return [make_note(NoteKind.RATE_CHANGED, was=rate, now=now)]
    present, there = {}, frozenset[str]()
    if isinstance(plan.ground, SceneGround):
        present = plan.ground.mark_met()
        there = frozenset(surface.name for surface in plan.ground.surfaces)
    changed = [name for name in grounds if name not in there]
    if not (is_same and stands):
        changed += [name for name, mark in present.items() if grounds.get(name) != mark]
        changed += [name for name in grounds if name in there and name not in present]
    if changed:
        return [make_note(NoteKind.GROUND_CHANGED, ground=changed[0], more=len(changed) - 1)]
    return [] if is_same else [make_note(NoteKind.BAKE_OUTDATED)]


def keeps_expectation(armature: bpy.types.Object) -> bool:
    """Whether the bake that an armature plays tells what it means to show."""
    action, _ = find_playing_action(armature)
    return (
        action is not None and is_bake_of(armature, action) and read_expectation(action) is not None
    )


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
        It has no bake, or one of an earlier version that does not tell what it means to show; or it
        does not show its animation now.
    """
    check_showing(armature)
    action, _ = find_playing_action(armature)
    playing = action is not None and is_bake_of(armature, action)
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
        if standing is not None:
            cause = standing
        elif bone and expected.controls:
            cause = find_control_cause(
                armature, expected.controls[off.leg], expected.legs[off.leg], off.frame, scene
            )
        else:
            cause = find_cause(armature, bone, off.frame, scene)
    return Verification(
        share=off.share,
        frame=off.frame,
        leg=expected.legs[off.leg],
        bone=expected.names[off.bone],
        cause=cause,
        frames=len(expected.frames),
        length=off.share * float(expected.leg_lengths[off.leg]),
    )
