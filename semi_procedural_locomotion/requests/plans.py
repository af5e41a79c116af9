# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plan, a drive or a conversion of root motion is asked for with, besides the character."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ..errors import SettingError
from .settings.bakes import RANGE
from .settings.kinds import check_values, show_value
from .settings.motions import ROOT_MOTION
from .settings.steps import PLAN
from .settings.travels import DRIVE, GROUND
from .travels import StraightAhead, TravelSource


@dataclass(frozen=True)
class GroundChoice:
    """Record of what is left out of the meshes that are walked on.

    `requests.settings.travels` has the defaults and ranges of all but the first.

    Raises SettingError: a value is of the wrong kind or out of its range.

    Attributes
    ----------
    left_out
        Blender's objects and collections that are no ground; an armature stands for its whole
        character.
    rendered_only
        Leave out what is hidden in renders.
    leave_out_instances
        Leave out all that is shown by instances.
    leave_out_small
        Leave out meshes and instances that are smaller than a sole, seen from above.
    only_nearby
        Leave out what stands still farther from the way than the feet reach and so many lengths of the
        leg; 0 looks at everything.
    """

    left_out: Sequence[Any] = ()
    rendered_only: bool = GROUND["rendered_only"].default
    leave_out_instances: bool = GROUND["leave_out_instances"].default
    leave_out_small: bool = GROUND["leave_out_small"].default
    only_nearby: float = GROUND["only_nearby"].default

    def __post_init__(self) -> None:
        check_values(GROUND, vars(self))


@dataclass(frozen=True)
class PlanSettings:
    """Choices for one walk. Lengths given as shares are shares of the leg length L.

    `requests.settings.steps` has their defaults, ranges and units.

    Raises SettingError: a value is of the wrong kind or out of its range, or walks begin above runs.

    Attributes
    ----------
    blend_by
        What chooses among the motions of a group: ``"velocity"``, or ``"speed"`` alone.
    walk_from, run_from
        Speeds from which on the slowest and the fastest motion play alone where speed chooses,
        metres a second; 0 for their own.
    grid_rate
        Samples a second of the planning grid.
    slowdown_exponent
        How stride and step rate share a walk below native speed: cycle time grows with speed to
        minus this power; 0.5 shares evenly, 0 keeps the rate, 1 keeps the stride.
    cycle_time
        What tells how long a cycle takes: ``"strides"`` of the blended motions, or ``"accelerations"``
        beside their blended rates, as in the thesis.
    max_speed_change
        Change of velocity in one cycle from which on accelerations make steps quicker, metres a second.
    max_stride
        Longest stride of a whole cycle, share of L; 0 leaves it to the motions.
    max_cycle
        Longest time of a cycle while travelling, in cycles of the slowest walk, 1.25 or more.
    max_turn_per_cycle
        Largest turn in one cycle, radians; the step rate rises to keep it.
    max_side_stride
        Longest sideways stride of a mostly sideways walk, share of L.
    max_climb
        Largest rise or fall of the ground in one step, share of L; steps on steeper ground are shorter
        and quicker.
    park_distance, park_angle
        A step shorter than this share of L and turning less than this (radians) is not taken.
    step_limit
        How far above or below the ground of the body a foothold may lie, share of L.
    max_slope
        Steepest slope that a sole lies on, radians.
    sole_tolerance
        How far below the sole ground still counts as support, share of L.
    search_footholds
        Whether footprints may be moved to where the sole has support.
    swing_margin
        Clearance that a swinging foot keeps over obstacles, share of L.
    toe_clearance
        Least height of the sole in the middle of the swing, share of L; 0 keeps the motion's own.
    lean
        Share of the ground's slope by which a two-legged body leans into it.
    lean_accelerated
        Share of the lean into the travel's accelerations, in starts, stops and curves, that a body
        takes; 0 keeps the motion's own.
    look_ahead
        How far the head of a body on two legs turns ahead of it, and stays upright as it leans; 0 as the
        motions have it.
    turn_to_way
        How much of the angle between a way and the motions hips and legs turn to it, and the spine
        back; 0 puts the feet sideways.
    lean_back
        How strongly the spine of a two-legged body leans back on steps longer than the motion's own, 1
        for a good deal; 0 keeps the motion's own body, as for the two below.
    shoulder_turn
        How strongly its shoulders turn against feet that are farther apart than in the motion.
    arm_spread
        How strongly its arms spread on steps longer than the motion's own.
    simple_arc
        True takes swinging feet straight from print to print on a parabola instead of on the motion's
        own way.
    arc_height
        Height of that parabola over the higher of both prints for a full step, share of L.
    hug
        Share of the slope under the feet by which a body of four and more legs pitches; None stands
        for 1 with four and more legs and 0 with two.
    support_smoothing
        Width of the smoothing of the support height, share of the slowest walk's cycle.
    ik_method
        How legs are bent: ``"automatic"`` keeps limits of joints where there are any, ``"hinge"`` none;
        others are names of methods.
    lock_feet
        False turns every correction off: the blended motion is only placed along the travel.
    """

    blend_by: str = PLAN["blend_by"].default
    walk_from: float = PLAN["walk_from"].default
    run_from: float = PLAN["run_from"].default
    grid_rate: float = PLAN["grid_rate"].default
    slowdown_exponent: float = PLAN["slowdown_exponent"].default
    cycle_time: str = PLAN["cycle_time"].default
    max_speed_change: float = PLAN["max_speed_change"].default
    max_stride: float = PLAN["max_stride"].default
    max_cycle: float = PLAN["max_cycle"].default
    max_turn_per_cycle: float = PLAN["max_turn_per_cycle"].default
    max_side_stride: float = PLAN["max_side_stride"].default
    max_climb: float = PLAN["max_climb"].default
    park_distance: float = PLAN["park_distance"].default
    park_angle: float = PLAN["park_angle"].default
    step_limit: float = PLAN["step_limit"].default
    max_slope: float = PLAN["max_slope"].default
    sole_tolerance: float = PLAN["sole_tolerance"].default
    search_footholds: bool = PLAN["search_footholds"].default
    swing_margin: float = PLAN["swing_margin"].default
    toe_clearance: float = PLAN["toe_clearance"].default
    lean: float = PLAN["lean"].default
    lean_accelerated: float = PLAN["lean_accelerated"].default
    look_ahead: float = PLAN["look_ahead"].default
    turn_to_way: float = PLAN["turn_to_way"].default
    lean_back: float = PLAN["lean_back"].default
    shoulder_turn: float = PLAN["shoulder_turn"].default
    arm_spread: float = PLAN["arm_spread"].default
    simple_arc: bool = PLAN["simple_arc"].default
    arc_height: float = PLAN["arc_height"].default
    hug: float | None = PLAN["hug"].default
    support_smoothing: float = PLAN["support_smoothing"].default
    ik_method: str = PLAN["ik_method"].default
    lock_feet: bool = PLAN["lock_feet"].default

    def __post_init__(self) -> None:
        check_values(PLAN, vars(self))
        if self.blend_by == "speed" and 0.0 < self.run_from < self.walk_from:
            raise SettingError(
                f"the walk is to play alone from {self.walk_from:g} m/s on and the run from "
                f"{self.run_from:g}, which is slower",
                "raise Run From or lower Walk From; 0 stands for the motions' own speeds",
                "raise `run_from` or lower `walk_from`; 0 stands for the motions' own speeds",
            )


@dataclass(frozen=True)
class PlanRequest:
    """Everything that a plan is made from besides the character.

    Raises SettingError: a frame is no whole number or out of what Blender knows.

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
        Blender's objects and collections to walk on; None for all visible meshes but characters and
        what is displayed as bounds or wire. Where there is no such mesh at all, the plane at the
        character's height is the ground.
    use_plane
        Walk on the plane at the character's height in any case.
    ground_choice
        What is left out of that.
    keep_footsteps
        Whether footsteps that the user placed or moved take the place of planned ones.
    blends
        Frames over which the walk goes over from other animation at its start, and to it at its end.
    """

    travel: TravelSource = field(default_factory=StraightAhead)
    frames: tuple[int, int] | None = None
    start: int | None = None
    ground: Sequence[Any] | None = None
    use_plane: bool = False
    ground_choice: GroundChoice = field(default_factory=GroundChoice)
    settings: PlanSettings = field(default_factory=PlanSettings)
    keep_footsteps: bool = True
    blends: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        frames = {} if self.start is None else {"start": self.start}
        if self.frames is not None:
            if not isinstance(self.frames, Sequence) or len(self.frames) != 2:
                raise SettingError(
                    f"frames must be a first and a last frame, got {show_value(self.frames)}"
                )
            frames["frame_start"], frames["frame_end"] = self.frames
        check_values({**RANGE, "start": RANGE["frame_start"]}, frames)


@dataclass(frozen=True)
class DriveChoices:
    """Record of how a character is steered.

    Raises SettingError: a value is of the wrong kind or out of its range.

    Attributes
    ----------
    walk_speed, run_speed
        Metres a second; 0 for those of the motions.
    acceleration
        Metres a second squared.
    turn_rate
        Radians a second.
    use_mouse
        Whether the pointer steers like the stick of a gamepad.
    """

    walk_speed: float = DRIVE["walk_speed"].default
    run_speed: float = DRIVE["run_speed"].default
    acceleration: float = DRIVE["acceleration"].default
    turn_rate: float = DRIVE["turn_rate"].default
    use_mouse: bool = DRIVE["use_mouse"].default

    def __post_init__(self) -> None:
        check_values(DRIVE, vars(self))


Carrier = Literal["object", "root", "body"]


@dataclass(frozen=True, kw_only=True)
class RootMotionRequest:
    """From where the travel of an action goes to where, and how much of it.

    Raises SettingError: a value is of the wrong kind, nothing is to go, or source and target are
    the same.

    Attributes
    ----------
    source
        What has the travel; ``"auto"`` for the first of object, root and body that travels.
    target
        What gets it; ``"none"`` takes it out.
    use_ground, use_height
        Whether the place on the ground and the height go.
    use_even
        Whether the target moves evenly; what is left of the motion stays in the body.
    root_bone, body_bone
        Names of the bones; None for those that are found.
    use_play
        Whether the armature plays the new action where it plays the old one.
    """

    source: Literal["auto", "object", "root", "body"] = ROOT_MOTION["source"].default
    target: Literal["none", "object", "root", "body"] = ROOT_MOTION["target"].default
    use_ground: bool = ROOT_MOTION["use_ground"].default
    use_height: bool = ROOT_MOTION["use_height"].default
    turn: Literal["heading", "all", "none"] = ROOT_MOTION["turn"].default
    use_even: bool = ROOT_MOTION["use_even"].default
    root_bone: str | None = ROOT_MOTION["root_bone"].default
    body_bone: str | None = ROOT_MOTION["body_bone"].default
    use_play: bool = ROOT_MOTION["use_play"].default

    def __post_init__(self) -> None:
        check_values(ROOT_MOTION, vars(self))
        if not (self.use_ground or self.use_height or self.turn != "none"):
            raise SettingError("nothing is to go: choose Ground Position, Height or a Rotation")
        if self.source == self.target:
            raise SettingError(f"the travel goes from {self.source} to itself: choose another To")
