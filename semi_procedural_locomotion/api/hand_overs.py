# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks that go on from a pose keyed by hand: where it stands, as it faces, off its rear foot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ..blender.bake.beside import is_moved_beside, sample_beside
from ..core.body.hand_over import BesideWalk, place_bones
from ..core.maths import rotations as rot
from ..core.maths.rotations import FloatArray
from ..core.motions.tables import OFF
from ..core.plan import solve_poses
from ..core.travel.way import Travel
from ..core.walk import SolvedWalk, WalkPlan
from ..notes import Note, NoteKind, make_note
from ..requests.plans import PlanRequest
from .characters import Character
from .limits import CONTINUING


def find_beside(
    character: Character,
    request: PlanRequest,
    frames: tuple[int, int],
    scene: bpy.types.Scene,
) -> BesideWalk | None:
    """The animation from which a walk over some frames goes over, and to which; None for none.

    Feet that are not locked are mixed with the rest of the body when keys are made.
    """
    if not request.settings.lock_feet:
        return None
    length = frames[1] - frames[0]
    blends = (min(request.blends[0], length), min(request.blends[1], length))
    return sample_beside(
        character.armature,
        character.rig.skeleton,
        frames,
        blends,
        scene,
        keeps_around=request.frames is not None,
    )


def note_jumps(
    character: Character,
    request: PlanRequest,
    sources: Sequence[bpy.types.Action],
    plan: WalkPlan,
    walk: SolvedWalk,
    frames: np.ndarray,
    scene: bpy.types.Scene,
) -> list[Note]:
    """Notes where a section and the animation beside it meet farther apart than a leg is long.

    Parameters
    ----------
    character
        Who walks.
    request
        What was asked for; ends that go over to that animation are left out.
    sources
        The walk's own motions.
    plan, walk
        The walk, solved at N frames.
    frames
        Those scene frames, shape (N,).
    scene
        Where it walks.
    """
    ends = [(row, int(frames[row])) for row in (0, -1) if not request.blends[row]]
    if request.frames is None or not ends or not is_moved_beside(character.armature, sources):
        return []
    span = int(frames[0]), int(frames[-1])
    skeleton, rig = character.rig.skeleton, plan.tables.small_rig
    beside = sample_beside(character.armature, skeleton, span, (1, 1), scene, keeps_around=True)
    if beside is None:
        return []
    notes, joints = [], [leg.joints[0] for leg in rig.legs]
    for row, frame in ends:
        _, places, _ = place_bones(plan.tables, beside, walk.times[[row]])
        apart = (walk.positions[row, joints] - places[0, joints]).mean(axis=0)[:2]
        share = float(np.linalg.norm(apart)) / plan.tables.rig.leg_length
        if share > 1.0:
            # The walk has its first and last frame to itself.
            shown = frame if row == 0 else frame + 1
            notes.append(make_note(NoteKind.SECTION_JUMPS, frame=shown, share=share))
    return notes


@dataclass(frozen=True)
class _Stance:
    """A body and its feet as they are carried, seen from its hips.

    Attributes
    ----------
    hips
        Middle of the hip joints, metres, shape (3,).
    body
        Rotation of the bone that carries them, shape (4,).
    ankles, feet
        Ankle joints, metres, and rotations of their bones, shapes (L, 3) and (L, 4).
    """

    hips: FloatArray
    body: FloatArray
    ankles: FloatArray
    feet: FloatArray


def continue_travel(
    travel: Travel, plan: WalkPlan, beside: BesideWalk, *, is_standing: bool
) -> Travel:
    """A travel straight on that goes on from the pose beside its start.

    Parameters
    ----------
    travel
        Straight on, from wherever.
    plan
        The walk along it, without that animation.
    beside
        The animation beside the walk.
    is_standing
        Whether the travel begins at rest.

    Returns
    -------
    Travel
        It begins under the hips of that pose and goes where its body and feet face; moving, at that
        part of the cycle in which the feet are most like those of the pose.
    """
    if beside.blends[0] <= 0.0 or plan.travel.is_rigid or not plan.rides.in_world:
        return travel
    tables, start = plan.tables, beside.span[0]
    rotations, positions, _ = place_bones(tables, beside, np.array([start]))
    pose = _read_stance(plan, rotations[0], positions[0])
    times = _choose_times(plan, travel.start)
    walk = solve_poses(plan, times)
    stances = _read_stances(plan, walk, travel, times)
    yaw = _find_yaw(pose, stances, walk.states.in_contact)
    phases = plan.grid.sample(plan.times.phases, times)
    chosen = _choose_stance(pose, stances, yaw, walk.states.in_contact, plan.tables.rig.leg_length)
    phase = float(phases[chosen])
    hips = stances[chosen].hips
    if is_standing:
        phase = _find_first_phase(plan, pose, yaw)
        at_start = solve_poses(plan, np.array([travel.start]))
        hips = _read_stances(plan, at_start, travel, at_start.times)[0].hips
    turn = yaw - float(travel.yaws[0])
    place = pose.hips - rot.rotate(rot.quaternions_from_yaws(np.array(yaw)), hips)
    # A pose may crouch: it is the feet that tell whether it is on another level than its object.
    lowest = min(float(stance.ankles[:, 2].min()) for stance in stances)
    level, own = float(pose.ankles[:, 2].min()) - lowest, float(travel.positions[0, 2])
    is_other = abs(level - own) > CONTINUING.other_level * tables.rig.leg_length
    place[2] = level if is_other else own
    ways = rot.rotate(
        rot.quaternions_from_yaws(np.array(turn)), travel.positions - travel.positions[0]
    )
    return replace(
        travel, positions=place + ways, yaws=travel.yaws + turn, turns=None, first_phase=phase
    )


def _choose_times(plan: WalkPlan, start: float) -> FloatArray:
    """Times over one cycle of the walk while it is under way, shape (N,)."""
    grid = plan.grid
    inside = (grid.times >= start) & (grid.times <= plan.travel.end)
    fastest = plan.times.phases[inside]
    first = float(grid.times[inside][0])
    if len(fastest) > 1:
        rates = np.diff(fastest)
        steady = np.flatnonzero(rates >= CONTINUING.steady * rates.max())
        first = float(grid.times[inside][steady[0]])
    period = plan.tables.cycles.slowest_period
    return first + period * np.arange(CONTINUING.samples) / CONTINUING.samples


def _read_stance(plan: WalkPlan, rotations: FloatArray, positions: FloatArray) -> _Stance:
    """The stance of posed bones (K, 4), (K, 3)."""
    rig = plan.tables.small_rig
    ankles = [leg.ankle for leg in rig.legs]
    hips = positions[[leg.joints[0] for leg in rig.legs]].mean(axis=0)
    return _Stance(hips, rotations[rig.body], positions[ankles], rotations[ankles])


def _read_stances(
    plan: WalkPlan, walk: SolvedWalk, travel: Travel, times: FloatArray
) -> list[_Stance]:
    """Stances of a walk at times (N,), seen from its travel."""
    places, yaws = travel.evaluate(times)
    back = rot.quaternions_from_yaws(-yaws)[:, None]
    rotations = rot.multiply(back, walk.rotations)
    positions = rot.rotate(back, walk.positions - places[:, None])
    return [_read_stance(plan, q, p) for q, p in zip(rotations, positions, strict=True)]


def _find_yaw(pose: _Stance, stances: list[_Stance], standing: np.ndarray) -> float:
    """Heading of a pose against that of a travel: of its body, and of its feet as they stand."""
    turns = [rot.multiply(pose.body, rot.conjugate(stance.body)) for stance in stances]
    for leg in range(len(pose.feet)):
        turns += [
            rot.multiply(pose.feet[leg], rot.conjugate(stance.feet[leg]))
            for stance, bears in zip(stances, standing[:, leg], strict=True)
            if bears
        ]
    twists = np.array([2.0 * np.arctan2(turn[3], turn[0]) for turn in turns])
    return float(np.angle(np.exp(1j * twists).sum()))


def _choose_stance(
    pose: _Stance, stances: list[_Stance], yaw: float, bears: np.ndarray, length: float
) -> int:
    """Index of the stance whose feet are most like those of a pose."""
    back = rot.quaternions_from_yaws(np.array(-yaw))
    wanted = rot.rotate(back, pose.ankles - pose.hips)
    costs = []
    for stance, bearing in zip(stances, bears, strict=True):
        apart = (stance.ankles - stance.hips - wanted)[:, :2]
        # Feet that stand cannot be in the air.
        flying = CONTINUING.flying * length * ~bearing
        costs.append(float(np.sum(apart**2) + np.sum(flying**2)))
    return int(np.argmin(costs))


def _find_first_phase(plan: WalkPlan, pose: _Stance, yaw: float) -> float:
    """Common phase from which the rear foot of a pose is the first to leave the ground."""
    tables = plan.tables
    ahead = rot.rotate(
        rot.quaternions_from_yaws(np.array(yaw)), np.array([*tables.rig.forward, 0.0])
    )
    places = (pose.ankles - pose.hips) @ ahead
    if np.ptp(places) < CONTINUING.abreast * tables.rig.leg_length:
        return 0.0
    rear, slowest = int(np.argmin(places)), tables.cycles.slowest
    stances = tables.leg_cycles.stances[slowest]
    return float(stances[rear] + tables.leg_cycles.key_times[slowest, rear, OFF])
