# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is set of a layer over a walk besides its action and its bones."""

from __future__ import annotations

from .bakes import LAST_FRAME
from .kinds import FACTOR, FRAMES, SHARE, Choice, Count, Flag, Number, Option, list_settings

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
