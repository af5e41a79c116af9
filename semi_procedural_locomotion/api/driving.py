# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters that are steered: shown meanwhile, then baked from the way that they went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ..blender.bake.checking import check_target
from ..blender.driving.track import DriveTrack, check_driven
from ..blender.setup.drive_properties import read_drive_choices
from ..blender.setup.motion_groups import read_group_weights
from ..blender.setup.values import KeptValues
from ..blender.travel.reading import read_standing
from ..blender.values.scene_state import KeptRange, extend_scene, get_frame_rate
from ..core.maths import rotations as rot
from ..core.motions.packing import pack_motions
from ..core.pose import PoseArray
from ..core.prints.soles import make_foothold_rules
from ..core.steering.motor import Controls, KeyPress, find_pace, hold_keys, read_controls
from ..core.steering.posing import FollowedBody, pose_steered
from ..core.steering.recording import Recording, sample_frames
from ..core.steering.state import Steering, SteeringState, find_corners, find_crouch
from ..core.travel.way import Travel
from ..errors import TravelError
from ..requests.plans import DriveChoices
from ..requests.travels import AsObject
from .baking import BakeResult
from .characters import Character, Progress, make_motion_set
from .limits import DRIVING
from .present_feet import read_present_character
from .progress import run_steps
from .set_up_work import find_ticked_motions
from .setups import make_request, prepare_set_up_bake, write_set_up_bake, write_travel
from .verifying import check_showing
from .walk_grounds import find_ground
from .watching import find_watch, start_live, stop_live


@dataclass
class Drive:
    """A drive of one character; nothing in the file changes until `finish`.

    Attributes
    ----------
    character
        Whose.
    steering
        Its motions, ground and pace.
    state
        Where it is now.
    recording
        What it did so far.
    first_frame, rate
        Scene frame of its start, and frames a second.
    carried
        How it was carried at its last pose; None before.
    """

    character: Character
    steering: Steering
    state: SteeringState
    recording: Recording
    first_frame: int
    rate: float
    carried: FollowedBody | None = None

    @property
    def seconds(self) -> float:
        """How long it has gone on."""
        return self.recording.seconds

    def advance(self, controls: Controls, seconds: float) -> None:
        """Go on for some seconds, in steps that are short enough for feet."""
        count = max(int(np.ceil(seconds / DRIVING.longest_step - 1e-9)), 1)
        for _ in range(count):
            self.state = self.steering.advance(self.state, controls, seconds / count)
            self.recording.note(self.state)

    def pose(self) -> PoseArray:
        """The pose now."""
        poses, self.carried = pose_steered(self.steering, self.state, self.carried)
        return poses


def begin_drive(
    armature: bpy.types.Object, scene: bpy.types.Scene, choices: DriveChoices | None = None
) -> Drive:
    """Make a set-up character ready to be steered, from where it stands at the present frame.

    Where its object is animated there, it goes on as fast as that.

    Parameters
    ----------
    armature
        The character.
    scene
        Where it goes.
    choices
        How; None for what is set on it.

    Raises
    ------
    LocomotionError
        It is not set up, has no walk, cannot be keyed, or is moved by something else.
    """
    check_showing(armature)
    character = read_present_character(armature, scene).character
    request = make_request(armature)
    check_target(armature, request.options)
    check_driven(armature)
    motions = make_motion_set(character, run_steps(find_ticked_motions(character)))
    if not any(motion.is_cycle for motion in motions.motions):
        raise TravelError(
            "no walk among the motions", "tick or add a walk cycle", "name one in `motions`"
        )
    choices = choices or read_drive_choices(armature.locomotion.drive)
    frame, rate = int(scene.frame_current), get_frame_rate(scene)
    place, yaw = _read_place(character, frame, scene)
    stand = Travel(np.array([frame / rate]), place[None], np.array([yaw]))
    tables = pack_motions(character.rig, motions.weigh_groups(read_group_weights(armature, scene)))
    settings, crouch = request.plan.settings, find_crouch(tables.motion_set)
    steering = Steering(
        tables=tables,
        ground=find_ground(character, replace(request.plan, travel=AsObject()), stand),
        settings=settings,
        rules=make_foothold_rules(character.rig, settings),
        pace=find_pace(
            tables,
            choices.walk_speed,
            choices.run_speed,
            choices.acceleration,
            choices.turn_rate,
            crouch,
        ),
        crouch=crouch,
    )
    # Begun in the middle of a way it goes on as that does, unless it is put somewhere else there.
    before, turned = _read_place(character, frame - 1, scene)
    velocity = rate * (place - before)[:2]
    turn_rate = rate * float(rot.wrap_angles(yaw - turned))
    if np.hypot(*velocity) > DRIVING.put_elsewhere * steering.pace.run:
        velocity, turn_rate = np.zeros(2), 0.0
    state = steering.begin(place, yaw, frame / rate, velocity, turn_rate)
    drive = Drive(character, steering, state, Recording(), frame, rate)
    drive.recording.note(drive.state)
    return drive


def _read_place(
    character: Character, frame: int, scene: bpy.types.Scene
) -> tuple[np.ndarray, float]:
    """Where a character stands at a frame, world metres, shape (3,), and its turn about up, radians."""
    skeleton = character.rig.skeleton
    place, turn = read_standing(character.armature, frame, scene, skeleton)
    turned = rot.multiply(turn, rot.conjugate(skeleton.object_rotation))
    return place, float(rot.wrap_angles(2.0 * np.arctan2(turned[3], turned[0])))


def finish_drive(
    drive: Drive, scene: bpy.types.Scene, progress: Progress | None = None
) -> BakeResult:
    """Keep the way of a drive as the animation of its object, and bake the walk along it.

    Parameters
    ----------
    drive
        What was steered.
    scene
        Where; it ends with the drive at the earliest.
    progress
        Called with the share done and a text.

    Raises
    ------
    LocomotionError
        It went nowhere, or the walk cannot be baked; nothing has changed then.
    """
    armature, recorded = drive.character.armature, drive.recording.make_travel()
    if recorded.rests:
        raise TravelError(f"{armature.name!r} was not steered anywhere: hold a key to go")
    count = max(int(np.ceil(drive.seconds * drive.rate - 1e-6)), 1)
    frames = drive.first_frame + np.arange(count + 1)
    places, yaws = sample_frames(recorded, frames, drive.rate)
    tables = drive.steering.tables
    # What was recorded are the heights of the ground.
    places[:, 2] -= tables.cycles.ground_heights[tables.cycles.slowest]
    watch = find_watch(armature)
    was_live = watch is not None and watch.live
    if was_live:
        stop_live(armature)
    track, span = DriveTrack(armature), KeptRange(scene)
    kept = KeptValues(armature.locomotion, ("travel",))
    try:
        track.write(
            frames,
            places,
            yaws,
            drive.character.rig.skeleton,
            drive.recording.prints,
            scene,
        )
        if drive.steering.crouch is not None:
            group = tables.motion_set.groups[drive.steering.crouch]
            shares = drive.recording.read_crouching(frames / drive.rate)
            if np.any(shares > 0.0):
                track.key_crouch(group.name, find_corners(frames, shares))
        write_travel(armature, AsObject(), armature.locomotion.travel.output_to.lower())
        extend_scene(scene, int(frames[-1]))
        request = make_request(armature)
        request = replace(request, plan=replace(request.plan, frames=None))
        prepared = run_steps(prepare_set_up_bake(armature, scene, request), progress)
        result = write_set_up_bake(prepared, progress)
    except BaseException:
        kept.put_back()
        track.put_back()
        span.put_back()
        raise
    finally:
        if was_live:
            start_live(armature, scene)
    return result


def drive_by_keys(
    armature: bpy.types.Object,
    scene: bpy.types.Scene,
    presses: Sequence[KeyPress],
    seconds: float,
    choices: DriveChoices | None = None,
    progress: Progress | None = None,
) -> BakeResult:
    """Steer a character by a list of keys and bake the walk, without a window.

    Parameters
    ----------
    armature, scene, choices, progress
        As for `begin_drive` and `finish_drive`.
    presses
        Which commands begin and end when, in seconds from the start.
    seconds
        How long it is steered.

    Raises
    ------
    LocomotionError
        As there; nothing has changed then.
    """
    drive = begin_drive(armature, scene, choices)
    for number in range(round(seconds / DRIVING.longest_step)):
        held = hold_keys(presses, number * DRIVING.longest_step)
        drive.advance(read_controls(held), DRIVING.longest_step)
    return finish_drive(drive, scene, progress)
