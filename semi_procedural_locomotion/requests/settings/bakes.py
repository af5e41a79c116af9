# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a walk is written to keys."""

from __future__ import annotations

from .kinds import FRAMES, SCATTER, Choice, Count, Flag, Number, Option, Text, list_settings

# First and last frame that Blender knows.
LAST_FRAME = 1048574

RANGE = list_settings(
    Flag(
        name="use_range",
        label="Own Range",
        description="Bake the frames given here instead of the whole travel; "
        "a whole walk that was baked before goes on around them",
    ),
    Count(
        name="frame_start",
        label="Start",
        description="First frame of the bake",
        default=1,
        low=-LAST_FRAME,
        high=LAST_FRAME,
        unit=FRAMES,
    ),
    Count(
        name="frame_end",
        label="End",
        description="Last frame of the bake",
        default=250,
        low=-LAST_FRAME,
        high=LAST_FRAME,
        unit=FRAMES,
    ),
)

BAKE = list_settings(
    Choice(
        name="output",
        label="Write On",
        description="Which bones of the character get the keys of the walk",
        default="automatic",
        options=(
            Option(
                "automatic",
                "Automatic",
                "The controls where those of the body and of every leg were seen to move it, "
                "otherwise the deforming bones",
            ),
            Option(
                "controls",
                "Controls",
                "The controls that an animator moves; constraints and drivers of the rig stay alive",
            ),
            Option(
                "deforming",
                "Deforming Bones",
                "The bones that carry the mesh; constraints that would overrule them are switched off",
            ),
            Option(
                "both",
                "Both",
                "The deforming bones with what is shown, for exports, and the controls; constraints stay "
                "alive",
            ),
        ),
    ),
    Count(
        name="blend_in",
        label="Blend In",
        description="Frames over which the walk takes over from the existing animation",
        default=0,
        low=0,
        high=LAST_FRAME,
        soft_high=50,
        unit=FRAMES,
    ),
    Count(
        name="blend_out",
        label="Blend Out",
        description="Frames over which the existing animation takes over from the walk",
        default=0,
        low=0,
        high=LAST_FRAME,
        soft_high=50,
        unit=FRAMES,
    ),
    Flag(
        name="keep_edits",
        label="Keep Edited Keys",
        description="Put what was changed by hand on the keys of a bake on every further one",
        default=True,
    ),
    Number(
        name="key_tolerance",
        label="Key Tolerance",
        description="Leave out keys that change no place or angle by more than this, in meters and "
        "radians; 0 keeps a key on every frame",
        default=0.0,
        low=0.0,
        high=1000.0,
        soft_high=0.02,
        unit=SCATTER,
    ),
    Flag(
        name="upright_root",
        label="Upright Root",
        description="Turn a root bone that carries the travel by the heading alone, as game engines want "
        "it: what the body pitches and rolls stays in the bones on it",
    ),
    Flag(
        name="use_markers",
        label="Step Markers",
        description="Put markers on the action where each foot strikes and leaves the ground",
    ),
    Flag(
        name="use_strip",
        label="NLA Strip",
        description="Play the walk in a strip of the NLA, instead of as the active action",
    ),
    Flag(
        name="verify",
        label="Verify",
        description="Look at the baked walk as Blender shows it, with constraints, drivers and all, "
        "and tell what is not as planned",
        default=True,
    ),
    Flag(
        name="extend_scene",
        label="Extend Scene Range",
        description="Let the scene end with the walk where that takes longer, along a curve, points or "
        "footsteps",
    ),
    Text(
        name="action_name",
        label="Action Name",
        description="Name of the action to bake to; empty makes one from the object's name",
        automatic="by the armature",
    ),
)

OUTPUT = Choice(
    name="output_to",
    label="Write To",
    description="What carries the character along in the bake",
    default="object",
    options=(
        Option("object", "Object", "The armature object"),
        Option("bone", "Root Bone", "The root bone; the object stays where it is"),
        Option("none", "Body", "The bones without a parent; the object moves as animated"),
    ),
)
