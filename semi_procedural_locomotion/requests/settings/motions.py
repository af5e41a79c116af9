# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of motions: groups, made cycles, layers, Fix Feet and root motion."""

from __future__ import annotations

from math import radians

from .bakes import LAST_FRAME
from .kinds import (
    FACTOR,
    FRAMES,
    LEG,
    RADIANS,
    SECONDS,
    SHARE,
    SPEED,
    TURN_RATE,
    Choice,
    Count,
    Flag,
    Number,
    Option,
    Text,
    list_settings,
)

# Metres a second; characters in other units than metres walk by hundreds.
_FASTEST = 100000.0


def _time(name: str, label: str, description: str) -> Number:
    """A time of a foot in the cycle."""
    return Number(
        name=name,
        label=label,
        description=description,
        default=None,
        automatic="as found",
        low=0.0,
        high=1.0,
        unit=SHARE,
    )


MOTION = list_settings(
    Number(
        name="speed",
        label="Own Speed",
        description="Native speed of the motion instead of the measured one; 0 uses that",
        default=None,
        automatic="measured",
        low=0.0,
        high=_FASTEST,
        soft_high=10.0,
        unit=SPEED,
    ),
    _time(
        "strike",
        "Strike",
        "Share of the cycle at which the foot comes to the ground, and stays from there on",
    ),
    _time(
        "stance",
        "Stance",
        "Share of the cycle at which the foot stands where its footprint is planned",
    ),
    _time("off", "Foot-Off", "Share of the cycle at which the foot leaves the ground"),
)

GROUP = list_settings(
    Number(
        name="weight",
        label="Weight",
        description="Share of this group in the walk, may be animated",
        default=1.0,
        low=0.0,
        high=1000.0,
        soft_high=1.0,
        unit=SHARE,
    ),
    Flag(
        name="overrides",
        label="Override",
        description="Take the weight of this group, up to 1, from all groups that do not override, as "
        "for a crouch; else the weights of all groups share the walk out",
    ),
)


def _factor(
    name: str, label: str, description: str, soft_high: float = 2.0, low: float = 0.0
) -> Number:
    """A factor on a number of the gait."""
    return Number(
        name=name,
        label=label,
        description=description,
        default=1.0,
        low=low,
        high=10.0,
        soft_high=soft_high,
        unit=FACTOR,
    )


STYLE = list_settings(
    Number(
        name="speed",
        label="Speed",
        description=(
            "Speed that the gait is made for, 0 for its own: walks and runs of two legs step, bend and "
            "swing as people do at that speed"
        ),
        default=0.0,
        low=0.0,
        high=100.0,
        soft_high=6.0,
        unit=SPEED,
    ),
    _factor("pace", "Pace", "Factor on the steps a second; 1 is as measured", low=0.1),
    _factor("stride", "Stride", "Factor on the length of the stride; 1 is as measured"),
    _factor("lift", "Lift", "Factor on the height of the swinging feet; 1 is as measured", 3.0),
    _factor(
        "width", "Width", "Factor on the distance between left and right steps; 1 is as measured"
    ),
    _factor("bounce", "Bounce", "Factor on the rise and fall of the body; 1 is as measured", 3.0),
    _factor(
        "sway",
        "Sway",
        "Factor on the sway and the turning of pelvis and chest; 1 is as measured",
        3.0,
    ),
    _factor("arms", "Arms", "Factor on the swing of arms and shoulders; 1 is as measured", 2.5),
    _factor(
        "roll",
        "Foot Roll",
        "Factor on the roll of the feet over heel and toe; 1 is as measured",
        1.5,
    ),
    Number(
        name="crouch",
        label="Crouch",
        description="Lowering of the body as a share of the leg's length; people walk and stand at 0",
        default=0.0,
        low=0.0,
        high=0.6,
        unit=LEG,
    ),
    Number(
        name="lean",
        label="Lean",
        description="Further forward lean of the body; people lean by 0 on level ground",
        default=0.0,
        low=radians(-45.0),
        high=radians(60.0),
        unit=RADIANS,
    ),
    Number(
        name="turn",
        label="Turn",
        description="Turn in one second, left is positive",
        default=0.0,
        low=radians(-720.0),
        high=radians(720.0),
        soft_low=radians(-120.0),
        soft_high=radians(120.0),
        unit=TURN_RATE,
    ),
    Flag(
        name="mirrored",
        label="Mirror",
        description="Exchange left and right: a sidestep to the left leads to the right",
    ),
)


LAYER = list_settings(
    Number(
        name="weight",
        label="Weight",
        description="How far the bones follow the layer, may be animated",
        default=1.0,
        low=0.0,
        high=1.0,
        unit=SHARE,
    ),
    Choice(
        name="mode",
        label="Mode",
        description="What the layer does with the walk",
        default="replace",
        options=(
            Option("replace", "Replace", "Bones have the action's pose in place of the walk's"),
            Option("add", "Add", "What the action changes from its first frame on is added"),
        ),
    ),
    Choice(
        name="mask",
        label="Bones",
        description="Which bones follow; those of legs are left to the walk, so that feet stand",
        default="upper_body",
        options=(
            Option("upper_body", "Upper Body", "All bones above the hips that carry no leg"),
            Option(
                "whole_body",
                "Whole Body",
                "All that carries legs as well: hips sink, rise and turn",
            ),
            Option("bone", "Bone and Below", "One bone with all bones below it"),
            Option("collection", "Bone Collection", "The bones of a collection of the armature"),
        ),
    ),
    Count(
        name="soft",
        label="Soft Edge",
        description="Over how many bones of each chain the layer comes in",
        default=1,
        low=0,
        high=100,
        soft_high=8,
    ),
    Choice(
        name="clock",
        label="Clock",
        description="What the action is played by",
        default="free",
        options=(
            Option("free", "Free", "Frame by frame from its start on"),
            Option("walk", "With the Walk", "Once in each cycle of the walk"),
        ),
    ),
    Count(
        name="start",
        label="Start",
        description="Frame at which the first frame of the action is shown",
        default=1,
        low=-LAST_FRAME,
        high=LAST_FRAME,
        unit=FRAMES,
    ),
    Number(
        name="rate",
        label="Speed",
        description="How many times as fast as it was made the action is played",
        default=1.0,
        low=0.01,
        high=100.0,
        soft_low=0.1,
        soft_high=4.0,
        unit=FACTOR,
    ),
    Flag(
        name="repeats",
        label="Repeat",
        description="Begin again where the action ends, before its start too; off plays it once",
        default=True,
    ),
    Number(
        name="fade",
        label="Fade",
        description="Frames over which an action that is played once comes in and goes out",
        default=6.0,
        low=0.0,
        high=10000.0,
        soft_high=50.0,
        unit=FRAMES,
    ),
)


FIX = list_settings(
    Number(
        name="plant",
        label="Plant",
        description="How much of the corrections of the feet is made; 0 leaves them as they are",
        default=1.0,
        low=0.0,
        high=1.0,
        unit=SHARE,
    ),
    Number(
        name="hold",
        label="Hold Below",
        description="A foot near the ground stands while it is slower than this share of the speed of "
        "swinging feet; more holds feet that slide fast, less leaves them alone",
        default=0.25,
        low=0.02,
        high=0.8,
        soft_low=0.05,
        soft_high=0.5,
        unit=SHARE,
    ),
    Number(
        name="smooth_hips",
        label="Smooth Hips",
        description="How far the way of the hips is smoothed over time, against the shaking of "
        "captures; 0 leaves it as it is",
        default=0.0,
        low=0.0,
        high=2.0,
        soft_high=0.2,
        unit=SECONDS,
    ),
    Flag(
        name="use_markers",
        label="Contacts from Markers",
        description="Hold the feet between the Strike and Off markers of the cleaned action, as they "
        "were moved by hand, instead of finding the contacts again",
    ),
)


_CARRIERS = (
    Option("object", "Object", "The armature object"),
    Option("root", "Root Bone", "The bone at the top, which takes everything along"),
    Option("body", "Body", "The bone of the hips, which takes the upper body along"),
)

ROOT_MOTION = list_settings(
    Choice(
        name="source",
        label="From",
        description="What has the travel now",
        default="auto",
        options=(
            Option("auto", "Automatic", "The first of object, root bone and body that travels"),
            *_CARRIERS,
        ),
    ),
    Choice(
        name="target",
        label="To",
        description="What gets the travel; all other bones stay where they are, except in place",
        default="none",
        options=(Option("none", "In Place", "Nothing: the travel is taken out"), *_CARRIERS),
    ),
    Flag(
        name="use_ground",
        label="Ground Position",
        description="Take the place on the ground, seen from above",
        default=True,
    ),
    Flag(
        name="use_height",
        label="Height",
        description="Take the height too; else it stays where it is, and a root bone on the ground "
        "stays there",
    ),
    Choice(
        name="turn",
        label="Rotation",
        description="How much of the rotation is taken",
        default="heading",
        options=(
            Option("heading", "Heading", "The turn about the vertical alone; pitch and roll stay"),
            Option("all", "All", "The whole rotation, pitch and roll too"),
            Option("none", "None", "No rotation"),
        ),
    ),
    Flag(
        name="use_even",
        label="Constant Speed",
        description="Move evenly from start to end, by the mean speed and turn; what the body sways "
        "about that stays in the body. Else the travel is as the body moves, sway and all",
        default=True,
    ),
    Text(
        name="root_bone",
        label="Root Bone",
        description="Bone that takes everything along; empty for that of the set-up, or the topmost "
        "above the body",
        default=None,
        automatic="found",
    ),
    Text(
        name="body_bone",
        label="Body",
        description="Bone of the hips; empty for that of the set-up, or the first that carries two "
        "legs and the trunk",
        default=None,
        automatic="found",
    ),
    Flag(
        name="use_play",
        label="Play",
        description="Let the character play the new action wherever it plays the old one, as its "
        "active action and in strips of the NLA",
        default=True,
    ),
)
