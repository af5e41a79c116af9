# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From what a user asks for to a plan: travel, ground, settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import bpy
import numpy as np

from ..blender.bake.live_action import has_live_action
from ..blender.footsteps.objects import read_kept_steps
from ..blender.setup.motion_groups import read_group_weights
from ..blender.travel.reading import (
    read_curve_points,
    sample_bone_travel,
    sample_object_travel,
    sample_own_matrices,
)
from ..blender.travel.speed import read_speed_curve
from ..blender.values.bake_record import find_section_start, find_walk_start
from ..blender.values.scene_state import get_frame_rate
from ..core.maths import rotations as rot
from ..core.motions.limits import CHOICE
from ..core.motions.records import GroupWeight, MotionSet
from ..core.plan import WalkPlan, make_plan
from ..core.prints.claims import KeptStep
from ..core.rig.structure import Rig
from ..core.settings import PlanSettings
from ..core.travel.limits import WAY
from ..core.travel.speeds import SpeedCurve
from ..core.travel.way import (
    Travel,
    WayChoices,
    make_straight_travel,
    straight_travel_at_speeds,
    travel_from_points,
)
from ..errors import TravelError
from ..requests.settings.bakes import RANGE
from ..requests.settings.kinds import check_values
from ..requests.settings.travels import TRAVEL
from .characters import Character
from .footstep_contacts import find_timing_errors
from .footstep_travels import make_footstep_travel, read_step_timings
from .limits import FOOTSTEP_WALK, WALK
from .walk_grounds import find_ground


@dataclass(frozen=True)
class TravelRequest:
    """Where a character shall go.

    Attributes
    ----------
    source
        ``"straight"``: ahead from where it stands; ``"path"``: along points; ``"curve"``: along a
        curve object; ``"animation"``: as its object is animated; ``"bone"``: as a bone is animated;
        ``"footsteps"``: along the character's footstep objects.
    points
        World x, y of the path's corners, metres.
    name
        Name of the curve object or the bone.
    speed
        Metres a second, or how it changes over time; None for the slowest forward walk's own.
    use_speed_keys
        Whether keys of the speed on the character take the place of a speed.
    start_standing, stop_standing
        Whether the ends of a path are at rest.
    ease
        Seconds from standing to full speed; None for 1.25 cycles of the walk.
    rounds
        How many times a closed path is walked; 0 goes on until the scene's end.
    keep_heading
        Whether the character keeps facing as it stands instead of turning along a path.
    """

    source: str = "straight"
    points: tuple[tuple[float, float], ...] = ()
    name: str | None = None
    speed: float | SpeedCurve | None = None
    use_speed_keys: bool = False
    start_standing: bool = True
    stop_standing: bool = True
    ease: float | None = None
    rounds: float = 1.0
    keep_heading: bool = False

    def __post_init__(self) -> None:
        given = {"rounds": self.rounds, "ease": self.ease}
        if not isinstance(self.speed, SpeedCurve):
            given["speed"] = self.speed
        check_values(TRAVEL, given)


@dataclass(frozen=True)
class PlanRequest:
    """Everything that a plan is made from besides the character.

    Attributes
    ----------
    travel
        Where it goes.
    frames
        First and last scene frame; None for as long as the travel takes, or the scene's range. The
        walk begins with them, or where the whole walk began of which they are a section.
    start
        First frame of a walk straight on where no range is asked for; None for now, or for where it
        began before.
    ground
        Objects and collections to walk on; None for all visible meshes but characters and what is
        displayed as bounds or wire. Where there is no such mesh at all, the plane at the
        character's height is the ground.
    use_plane
        Walk on the plane at the character's height in any case.
    rendered_only
        Leave out what is hidden in renders.
    settings
        Choices.
    keep_footsteps
        Whether footsteps that the user placed or moved take the place of planned ones.
    """

    travel: TravelRequest = field(default_factory=TravelRequest)
    frames: tuple[int, int] | None = None
    start: int | None = None
    ground: Sequence[bpy.types.Object | bpy.types.Collection] | None = None
    use_plane: bool = False
    rendered_only: bool = False
    settings: PlanSettings = field(default_factory=PlanSettings)
    keep_footsteps: bool = True

    def __post_init__(self) -> None:
        first, last = (None, None) if self.frames is None else self.frames
        given = {"frame_start": first, "frame_end": last, "start": self.start}
        check_values(
            {**RANGE, "start": RANGE["frame_start"]},
            {name: frame for name, frame in given.items() if frame is not None},
        )


def find_forward_walk(motions: MotionSet, rig: Rig) -> int:
    """Index of the slowest walk that goes forward; of the slowest walk where none does."""
    facing = np.arctan2(rig.forward[1], rig.forward[0])
    best, slowest = None, np.inf
    for index, motion in enumerate(motions.motions):
        if not motion.is_cycle or motion.turns or motion.speed >= slowest:
            continue
        heading = np.arctan2(motion.velocity[1], motion.velocity[0])
        if abs(rot.wrap_angles(heading - facing)) < CHOICE.forward:
            best, slowest = index, motion.speed
    return motions.slowest if best is None else best


def plan_walk(
    character: Character,
    motions: MotionSet,
    request: PlanRequest,
    scene: bpy.types.Scene,
    weights: Mapping[str, GroupWeight] | None = None,
) -> tuple[WalkPlan, tuple[int, int]]:
    """Plan the walk of a character in a scene.

    Parameters
    ----------
    character
        The character, as it stands in the scene.
    motions
        Its motions.
    request
        What is asked for.
    scene
        Gives the frame rate, the frame range and the ground.
    weights
        Of the motion groups by name; None for those that are set and keyed on the character.

    Returns
    -------
    plan
        The walk; its clock runs in seconds from frame 0.
    frames
        First and last frame to bake.

    Raises
    ------
    TravelError, GroundError
        Where travel or ground cannot be used.
    """
    first = _default_first(character, scene, request)
    if request.frames is not None:
        first = find_section_start(character.armature, request.frames[0])
    if request.travel.source == "footsteps":
        travel, kept = _travel_along_footsteps(character, motions, request, scene, first)
    else:
        travel = make_travel(character, motions, request.travel, scene, first)
        kept = []
        if request.keep_footsteps:
            kept = read_kept_steps(character.armature, character.rig, scene)
    frames = _choose_frames(request, travel, scene, first)
    ground = find_ground(character, request, travel)
    if weights is None:
        weights = read_group_weights(character.armature, scene)
    weighed = motions.weigh_groups(weights)
    plan = make_plan(character.rig, weighed, travel, ground, request.settings, kept)
    if request.travel.source == "footsteps":
        timings, shifts = read_step_timings(character.armature), dict[str, tuple[float, float]]()
        # Blended motions stand a little longer or shorter than the one that the steps are timed by.
        for _ in range(FOOTSTEP_WALK.timing_rounds):
            errors = find_timing_errors(plan, timings)
            if not errors:
                break
            for name, (start, duration) in errors.items():
                before = shifts.get(name, (0.0, 0.0))
                shifts[name] = (before[0] - start, before[1] - duration)
            travel, kept = _travel_along_footsteps(
                character, motions, request, scene, first, shifts
            )
            plan = make_plan(character.rig, weighed, travel, ground, request.settings, kept)
        frames = _choose_frames(request, travel, scene, first)
    return plan, frames


def _choose_frames(
    request: PlanRequest, travel: Travel, scene: bpy.types.Scene, first: int
) -> tuple[int, int]:
    """First and last frame of a walk.

    Raises
    ------
    TravelError
        It is too short or too long.
    """
    rate = get_frame_rate(scene)
    if request.frames is not None:
        frames = request.frames
        if frames[1] <= frames[0]:
            raise TravelError(
                f"the range from frame {frames[0]} to {frames[1]} has no length: end it after its start"
            )
    elif request.travel.source in ("path", "curve", "footsteps"):
        frames = (first, int(np.ceil(travel.end * rate - 1e-6)))
    else:
        frames = (first, max(scene.frame_end, first + 1))
    if frames[1] - frames[0] > WALK.most_frames:
        raise TravelError(
            f"the walk would be {frames[1] - frames[0]} frames long: choose a range of at most "
            f"{WALK.most_frames} frames, a shorter way or a higher speed"
        )
    return frames


def _travel_along_footsteps(
    character: Character,
    motions: MotionSet,
    request: PlanRequest,
    scene: bpy.types.Scene,
    first_frame: int,
    shifts: Mapping[str, tuple[float, float]] | None = None,
) -> tuple[Travel, list[KeptStep]]:
    """The travel along the character's footsteps, and these with the times at which they bear."""
    start = first_frame / get_frame_rate(scene)
    speed = _find_speed(character, request.travel, scene)
    return make_footstep_travel(
        character,
        motions,
        find_forward_walk(motions, character.rig),
        float(speed.find_speeds(np.array([start]))[0]) if isinstance(speed, SpeedCurve) else speed,
        request.settings,
        scene,
        first_frame,
        shifts,
    )


def _default_first(character: Character, scene: bpy.types.Scene, request: PlanRequest) -> int:
    """First frame where none is asked for.

    A walk straight on begins now, or where it began before if it is under way by now; one that is
    shown live begins where it is seen to. Others begin at the scene's first frame. A range that was
    asked for once is no beginning.
    """
    if request.travel.source != "straight":
        return int(scene.frame_start)
    if request.start is not None:
        return request.start
    began = find_walk_start(character.armature)
    now = int(scene.frame_current)
    if began is None:
        return now
    return began if has_live_action(character.armature) else min(now, began)


def make_travel(
    character: Character,
    motions: MotionSet,
    request: TravelRequest,
    scene: bpy.types.Scene,
    first_frame: int,
) -> Travel:
    """The travel that a request stands for, on the scene's clock in seconds from frame 0."""
    rate = get_frame_rate(scene)
    start = first_frame / rate
    walk = motions.motions[find_forward_walk(motions, character.rig)]
    speed = _find_speed(character, request, scene)
    if speed is None:
        speed = walk.speed
    facing = _find_facing(character.rig, walk.velocity)
    own = sample_own_matrices(character.armature, np.array([float(first_frame)]), scene)
    place = own[0, :3, 3]
    if request.source == "animation":
        return sample_object_travel(character.armature, scene)
    if request.source == "bone":
        if not request.name:
            raise TravelError(
                f"{character.armature.name!r} travels by a root bone and none is chosen: "
                "choose the bone, or another travel"
            )
        return sample_bone_travel(character.armature, request.name or "", scene)
    if request.source in ("path", "curve"):
        points = np.array(request.points, dtype=np.float64).reshape(-1, 2)
        bend = 0.0
        if request.source == "curve":
            curve = scene.objects.get(request.name or "")
            if curve is None:
                named = f"curve object {request.name!r}" if request.name else "curve chosen"
                raise TravelError(f"no {named} in the scene: choose a curve to walk along")
            line = read_curve_points(curve, scene)
            points, place, bend = line[:, :2], line[0], WAY.bend
        return travel_from_points(
            points,
            speed,
            WayChoices(
                facing=facing,
                corner_radius=WALK.corner_strides * walk.stride,
                ramp_time=WAY.ramp_cycles * walk.period if request.ease is None else request.ease,
                start_time=start,
                height=float(place[2]),
                start_standing=request.start_standing,
                stop_standing=request.stop_standing,
                bend=bend,
                rounds=request.rounds,
                end_time=scene.frame_end / rate,
                keep_heading=request.keep_heading,
            ),
        )
    if request.source == "straight":
        end = max(scene.frame_end / rate, start + 1.0)
        if isinstance(speed, SpeedCurve):
            return straight_travel_at_speeds(place, 0.0, facing, speed, start, end)
        ahead = np.array([np.cos(facing), np.sin(facing)]) * speed
        return make_straight_travel(place, 0.0, ahead, start, end)
    raise TravelError(
        f"travel by {request.source!r} is not known: use straight, path, curve, bone, "
        "animation or footsteps"
    )


def _find_speed(
    character: Character, request: TravelRequest, scene: bpy.types.Scene
) -> float | SpeedCurve | None:
    """The speed that is asked for or keyed; None for the walk's own."""
    speed = request.speed
    if request.use_speed_keys:
        speed = read_speed_curve(character.armature, scene) or speed
    if speed is not None and not isinstance(speed, SpeedCurve) and not speed > 0.0:
        raise TravelError(f"the travel's speed must be above 0 m/s, got {speed:g}")
    return speed


def _find_facing(rig: Rig, velocity: np.ndarray) -> float:
    """Angle of the direction in which the character goes when it goes straight on.

    A walk that is a little askew against the rig's forward goes its own way straight on; else its
    feet would be dragged sideways at every step.
    """
    heading = float(np.arctan2(velocity[1], velocity[0]))
    facing = float(np.arctan2(rig.forward[1], rig.forward[0]))
    askew = abs(float(rot.wrap_angles(heading - facing)))
    return heading if askew < CHOICE.forward else facing
