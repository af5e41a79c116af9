# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The choices of `core.settings.PlanSettings` and of the bake as Blender properties."""

from __future__ import annotations

from dataclasses import fields
from math import radians

import bpy
from bpy.props import BoolProperty, FloatProperty, IntProperty, StringProperty

from ...core.settings import PlanSettings

_OVERRIDE = {"LIBRARY_OVERRIDABLE"}
_DEFAULTS = PlanSettings()


class LOCOMOTION_PG_settings(bpy.types.PropertyGroup):
    """How a character walks and how the walk is written."""

    slowdown_exponent: FloatProperty(
        name="Shorter Strides",
        description="Below native speed, 0 keeps the step rate and 1 keeps the stride",
        min=0.0,
        max=1.0,
        default=_DEFAULTS.slowdown_exponent,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    max_stride: FloatProperty(
        name="Longest Stride",
        description="Longest stride of a whole cycle as a share of the leg's length; 0 leaves it to "
        "the motions",
        min=0.0,
        soft_max=4.0,
        default=_DEFAULTS.max_stride,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    max_cycle: FloatProperty(
        name="Longest Cycle",
        description="Longest time of a cycle while travelling, in cycles of the slowest walk",
        min=1.25,
        soft_max=4.0,
        default=_DEFAULTS.max_cycle,
        override=_OVERRIDE,
    )
    max_climb: FloatProperty(
        name="Climb per Step",
        description="Largest rise or fall of the ground in one step, share of the leg's length; "
        "steps on steeper ground are shorter and quicker",
        min=0.05,
        soft_max=1.0,
        default=_DEFAULTS.max_climb,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    grid_rate: FloatProperty(
        name="Planning Rate",
        description="Samples a second with which walks are planned",
        min=48.0,
        soft_max=480.0,
        default=_DEFAULTS.grid_rate,
        override=_OVERRIDE,
    )
    max_turn_per_cycle: FloatProperty(
        name="Turn per Cycle",
        description="Largest turn in one cycle; sharper turns take quicker steps",
        min=radians(10.0),
        max=radians(360.0),
        default=_DEFAULTS.max_turn_per_cycle,
        subtype="ANGLE",
        unit="ROTATION",
        override=_OVERRIDE,
    )
    max_side_stride: FloatProperty(
        name="Side Stride",
        description="Longest sideways stride as a share of the leg's length",
        min=0.05,
        soft_max=1.5,
        default=_DEFAULTS.max_side_stride,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    park_distance: FloatProperty(
        name="Shortest Step",
        description="Steps shorter than this share of the leg's length are not taken",
        min=0.0,
        soft_max=0.5,
        default=_DEFAULTS.park_distance,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    park_angle: FloatProperty(
        name="Smallest Turn",
        description="Steps on the spot that turn the foot by less than this are not taken",
        min=0.0,
        soft_max=radians(90.0),
        default=_DEFAULTS.park_angle,
        subtype="ANGLE",
        unit="ROTATION",
        override=_OVERRIDE,
    )
    step_limit: FloatProperty(
        name="Step Height",
        description="Highest step up or down as a share of the leg's length",
        min=0.0,
        soft_max=1.0,
        default=_DEFAULTS.step_limit,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    max_slope: FloatProperty(
        name="Steepest Slope",
        description="Steepest ground that a sole lies on",
        min=0.0,
        max=radians(89.0),
        default=_DEFAULTS.max_slope,
        subtype="ANGLE",
        unit="ROTATION",
        override=_OVERRIDE,
    )
    sole_tolerance: FloatProperty(
        name="Sole Tolerance",
        description="Ground this far below the sole still supports it, share of the leg's length",
        min=0.0,
        soft_max=0.2,
        default=_DEFAULTS.sole_tolerance,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    search_footholds: BoolProperty(
        name="Search Footholds",
        description="Move steps to where the sole has support",
        default=_DEFAULTS.search_footholds,
        override=_OVERRIDE,
    )
    swing_margin: FloatProperty(
        name="Swing Margin",
        description="Clearance of a swinging foot over obstacles, share of the leg's length",
        min=0.0,
        soft_max=0.2,
        default=_DEFAULTS.swing_margin,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    toe_clearance: FloatProperty(
        name="Toe Clearance",
        description="Least height of the sole in the middle of the swing, share of the leg's "
        "length; 0 keeps the motion's own",
        min=0.0,
        soft_max=0.3,
        default=_DEFAULTS.toe_clearance,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    lean: FloatProperty(
        name="Lean",
        description="Share of the slope by which a two-legged body leans into it",
        min=0.0,
        max=1.0,
        default=_DEFAULTS.lean,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    lean_back: FloatProperty(
        name="Lean Back",
        description="How strongly the spine leans back on steps longer than the motion's own",
        min=0.0,
        soft_max=1.0,
        max=3.0,
        default=_DEFAULTS.lean_back,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    shoulder_turn: FloatProperty(
        name="Turn Shoulders",
        description="How strongly the shoulders turn against feet farther apart than in the motion",
        min=0.0,
        soft_max=1.0,
        max=3.0,
        default=_DEFAULTS.shoulder_turn,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    arm_spread: FloatProperty(
        name="Spread Arms",
        description="How strongly the arms spread on steps longer than the motion's own",
        min=0.0,
        soft_max=1.0,
        max=3.0,
        default=_DEFAULTS.arm_spread,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    simple_arc: BoolProperty(
        name="Simple Arc",
        description="Swing the feet straight from step to step, instead of the motion's own way",
        default=_DEFAULTS.simple_arc,
        override=_OVERRIDE,
    )
    arc_height: FloatProperty(
        name="Arc Height",
        description="Height of the arc over the higher step, share of the leg's length",
        min=0.0,
        soft_max=0.5,
        default=_DEFAULTS.arc_height,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    use_automatic_hug: BoolProperty(
        name="Automatic Pitch",
        description="Bodies of four and more legs follow the slope, two-legged ones stay upright",
        default=_DEFAULTS.hug is None,
        override=_OVERRIDE,
    )
    hug: FloatProperty(
        name="Pitch",
        description="Share of the slope under the feet by which the body pitches",
        min=0.0,
        max=1.0,
        default=1.0,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    support_smoothing: FloatProperty(
        name="Smoothing",
        description="How far the body's height is smoothed, share of the slowest walk's cycle",
        min=0.0,
        soft_max=1.0,
        default=_DEFAULTS.support_smoothing,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    lock_feet: BoolProperty(
        name="Correct Feet",
        description="Plant feet and fit them to the ground; off only places the blended motion",
        default=_DEFAULTS.lock_feet,
        override=_OVERRIDE,
    )
    use_range: BoolProperty(
        name="Own Range",
        description="Bake the frames given here instead of the whole travel; "
        "a whole walk that was baked before goes on around them",
        override=_OVERRIDE,
    )
    frame_start: IntProperty(
        name="Start", description="First frame of the bake", default=1, override=_OVERRIDE
    )
    frame_end: IntProperty(
        name="End", description="Last frame of the bake", default=250, override=_OVERRIDE
    )
    blend_in: IntProperty(
        name="Blend In",
        description="Frames over which the walk takes over from the existing animation",
        min=0,
        soft_max=50,
        subtype="TIME",
        override=_OVERRIDE,
    )
    blend_out: IntProperty(
        name="Blend Out",
        description="Frames over which the existing animation takes over from the walk",
        min=0,
        soft_max=50,
        subtype="TIME",
        override=_OVERRIDE,
    )
    keep_edits: BoolProperty(
        name="Keep Edited Keys",
        description="Leave curves alone whose keys were changed by hand since the last bake",
        default=True,
        override=_OVERRIDE,
    )
    key_tolerance: FloatProperty(
        name="Key Tolerance",
        description="Leave out keys that change no place or angle by more than this, in meters and "
        "radians; 0 keeps a key on every frame",
        min=0.0,
        soft_max=0.02,
        default=0.0,
        precision=4,
        step=0.01,
        override=_OVERRIDE,
    )
    use_markers: BoolProperty(
        name="Step Markers",
        description="Put markers on the action where each foot strikes and leaves the ground",
        override=_OVERRIDE,
    )
    use_strip: BoolProperty(
        name="NLA Strip",
        description="Play the walk in a strip of the NLA, instead of as the active action",
        override=_OVERRIDE,
    )
    action_name: StringProperty(
        name="Action Name",
        description="Name of the action to bake to; empty makes one from the object's name",
        override=_OVERRIDE,
    )


def read_plan_settings(settings: LOCOMOTION_PG_settings) -> PlanSettings:
    """The plan's settings as set on a character."""
    values = {field.name: getattr(settings, field.name) for field in fields(PlanSettings)}
    values["hug"] = None if settings.use_automatic_hug else settings.hug
    return PlanSettings(**values)


def write_plan_settings(settings: LOCOMOTION_PG_settings, plan: PlanSettings) -> None:
    """Set the plan's settings on a character."""
    for field in fields(PlanSettings):
        if field.name != "hug":
            setattr(settings, field.name, getattr(plan, field.name))
    settings.use_automatic_hug = plan.hug is None
    if plan.hug is not None:
        settings.hug = plan.hug
