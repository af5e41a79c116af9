# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks measured by where feet and body are, without asking the plan when feet stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ..blender.showing.poses import sample_shown_poses
from ..blender.showing.skins import sample_shown_feet
from ..core.plan import solve_poses
from ..core.report.hand_overs import join_blend_feet, measure_blend_feet
from ..core.report.shown import PosedBones, ShownWalk, list_shown_bones
from ..core.report.shown_measures import OF_FEET, ShownReport, measure_feet, measure_shown
from ..core.report.shown_recording import record_shown
from ..core.report.sizes import find_sizes
from ..core.report.verdicts import BAD, judge_number
from ..core.walk import SolvedWalk, WalkPlan
from ..notes import Note, NoteKind, make_note
from .limits import REPORT
from .present_feet import PresentCharacter
from .verifying import OFF_PLAN


def measure_solved(plan: WalkPlan, walk: SolvedWalk, frames: np.ndarray) -> ShownReport:
    """The numbers of a walk that is shown just as it was solved, at scene frames (N,)."""
    names = plan.tables.small_rig.skeleton.names
    sizes = np.repeat(find_sizes(plan, walk.poses, even=True)[..., None], 3, axis=2)
    bones = PosedBones.from_poses(names, walk.rotations, walk.positions, sizes)
    return measure_shown(plan.tables.rig, record_shown(plan, walk, frames, bones), plan.ground)


def measure_section(
    plan: WalkPlan, walk: SolvedWalk, frames: np.ndarray, blends: tuple[int, int]
) -> ShownReport:
    """The numbers of a solved walk where it is mixed with nothing else, and of its feet where it is.

    Parameters
    ----------
    plan, walk
        The walk, solved at N frames.
    frames
        Those scene frames, shape (N,).
    blends
        Frames at the ends over which it goes over from other animation.
    """
    if plan.beside is None:
        return measure_solved(plan, walk, frames)
    inside = slice(blends[0], len(frames) - blends[1])
    if len(frames[inside]) < REPORT.fewest_frames:
        inside = slice(None)
    between = solve_poses(plan, walk.times[inside])
    report = measure_solved(plan, between, frames[inside])
    return join_blend_feet(report, measure_blend_feet(plan, walk, frames), frames)


@dataclass(frozen=True)
class EvaluatedWalk:
    """A walk as Blender shows it, and its numbers.

    Attributes
    ----------
    shown, report
        What is shown, and its numbers.
    """

    shown: ShownWalk
    report: ShownReport


def measure_evaluated(
    armature: bpy.types.Object,
    plan: WalkPlan,
    planned: SolvedWalk,
    frames: np.ndarray,
    scene: bpy.types.Scene,
) -> EvaluatedWalk:
    """Measure a walk as Blender shows it: its meshes at the feet, its bones, the ground as it is.

    Of the plan come the travel, the clips beside which it is held, and what is ground.

    Parameters
    ----------
    armature
        The character's object.
    plan, planned
        The walk's plan, solved at N frames.
    frames
        Those scene frames, shape (N,).
    scene
        Where it plays; neither stepped nor changed.
    """
    rig, at = plan.tables.rig, np.asarray(frames, dtype=np.float64)
    names = tuple(dict.fromkeys((*plan.tables.small_rig.skeleton.names, *list_shown_bones(rig))))
    poses = sample_shown_poses(armature, names, at, scene)
    at_rest = dict(zip(rig.skeleton.names, rig.skeleton.rest_sizes, strict=True))
    sizes = poses.scales / np.array([at_rest[name] for name in names])[:, None]
    bones = PosedBones.from_poses(names, poses.rotations, poses.positions, sizes)
    feet = sample_shown_feet(armature, rig, bones, at, scene)
    shown = record_shown(plan, planned, frames, bones, feet=feet)
    return EvaluatedWalk(shown, measure_shown(rig, shown, plan.ground))


def find_skin_off(plan: WalkPlan, seen: EvaluatedWalk) -> dict[str, float]:
    """How far numbers of feet are from those of meshes as Set Up measured them, on the same bones.

    Parameters
    ----------
    plan
        The walk's plan.
    seen
        The walk as it is shown.

    Returns
    -------
    dict
        Shares of the leg, by the name of the number.
    """
    bare = measure_feet(plan.tables.rig, replace(seen.shown, feet=None), plan.ground)
    return {key: abs((getattr(seen.report, key) or 0.0) - bare.get(key, 0.0)) for key in OF_FEET}


def note_skin(
    present: PresentCharacter,
    seen: EvaluatedWalk,
    skin_off: Mapping[str, float],
    *,
    is_new: bool = False,
) -> list[Note]:
    """That meshes at the feet are others than a bake has them, where that is to be seen.

    Parameters
    ----------
    present
        The character as it is now.
    seen, skin_off
        Its walk, and what `find_skin_off` tells of it.
    is_new
        Whether the walk was baked just now, for soles as they are: then only what is bad is told.
    """
    key = max(skin_off, key=lambda name: skin_off[name])
    changed = dict(present.things)
    is_off = skin_off[key] > OFF_PLAN
    if is_new:
        is_off &= judge_number(key, getattr(seen.report, key)) == BAD
    if not is_off and (is_new or not present.changed):
        return []
    # Footwear that is hidden for some frames is told by itself: feet stand on its soles without it.
    if any(note.kind is NoteKind.FOOTWEAR_HIDDEN for note in present.notes):
        return []
    mesh = _find_lowest_mesh(seen, key)
    if mesh and mesh not in present.read:
        return [make_note(NoteKind.FOOTWEAR_UNREAD, mesh=mesh)]
    if mesh not in changed and changed:
        mesh = next(iter(changed))
    if not mesh:
        return []
    thing = changed.get(mesh, "")
    return [make_note(NoteKind.SOLES_SINCE_BAKE, mesh=mesh, thing=thing)]


def _find_lowest_mesh(seen: EvaluatedWalk, key: str) -> str:
    """Name of the object whose vertex is the lowest of the foot where a number is the worst."""
    worst, feet = seen.report.worst.get(key), seen.shown.feet or ()
    row = 0 if worst is None else int(np.flatnonzero(seen.shown.frames == worst.frame)[0])
    heights = seen.report.feet.heights
    lows = [
        (float(np.nanmin(heights[leg][row])), foot.names[int(np.nanargmin(heights[leg][row]))])
        for leg, foot in enumerate(feet)
        if foot is not None and np.isfinite(heights[leg][row]).any()
    ]
    return min(lows)[1] if lows else ""
