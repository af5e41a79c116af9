# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the travel of an action goes from what carries it to something else."""

from __future__ import annotations

from .kinds import Choice, Flag, Option, Text, list_settings

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
