# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Set-up data kept on armature objects as ``Object.locomotion``.

Everything is library-overridable, or a linked character could not be set up; see `override_records`
for what Blender loses all the same when the file is loaded again. Lengths that belong to the rig are
kept in armature units, so that scaling the object does not make them wrong.
"""

from __future__ import annotations

from collections.abc import Callable

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...requests.settings.motions import GROUP, MOTION
from ..values.bake_record import is_bake
from .contact_properties import LOCOMOTION_PG_key_times
from .control_properties import CONTROL_CLASSES, LOCOMOTION_PG_controls
from .declaring import declare
from .drive_properties import LOCOMOTION_PG_drive
from .fix_properties import LOCOMOTION_PG_fix
from .ground_properties import (
    LOCOMOTION_PG_ground,
    LOCOMOTION_PG_ground_item,
    LOCOMOTION_PG_left_out,
)
from .layer_properties import LOCOMOTION_PG_layer
from .leg_properties import (
    LOCOMOTION_PG_bone,
    LOCOMOTION_PG_held_bone,
    LOCOMOTION_PG_key_pose,
    LOCOMOTION_PG_led_bone,
    LOCOMOTION_PG_leg,
    LOCOMOTION_PG_sole_point,
)
from .root_motion_properties import LOCOMOTION_PG_root_motion
from .section_properties import LOCOMOTION_PG_section
from .settings_properties import LOCOMOTION_PG_settings
from .transfer_properties import TRANSFER_CLASSES, LOCOMOTION_PG_transfer
from .travel_properties import (
    LOCOMOTION_PG_point,
    LOCOMOTION_PG_travel,
)

# Called with the set-up when footsteps shall move along with their character, or no longer;
# `blender.footsteps.carrying` joins when it is registered.
move_followers: list[Callable[[bpy.types.PropertyGroup, bpy.types.Context], None]] = []


def _tell_followers(data: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Pass on that the choice to move footsteps along was changed."""
    for follow in move_followers:
        follow(data, context)


_OVERRIDE = {"LIBRARY_OVERRIDABLE"}
_OVERRIDE_ITEMS = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}
_UNTIL_CLOSED = {"SKIP_SAVE"}


class LOCOMOTION_PG_motion(bpy.types.PropertyGroup):
    """One action and how it is used."""

    action: PointerProperty(
        type=bpy.types.Action,
        name="Action",
        description="Action that holds the motion",
        poll=lambda _, action: not is_bake(action),
        override=_OVERRIDE,
    )
    enabled: BoolProperty(
        name="Use",
        description="Analyze this motion and blend it",
        default=True,
        override=_OVERRIDE,
    )
    is_reversed: BoolProperty(
        name="Reverse",
        description="Play the motion backwards, so that a forward walk leads backwards",
        override=_OVERRIDE,
    )
    group: StringProperty(
        name="Group",
        description="Motions of one group are blended by speed and direction",
        default="walk",
        override=_OVERRIDE,
    )
    kind: EnumProperty(
        name="Kind",
        description="What the motion is",
        items=(
            ("AUTO", "Automatic", "Decide by analysis"),
            ("CYCLE", "Cycle", "A cycle that walks or runs"),
            ("REST", "Rest", "A pose or motion to stand in"),
            ("OTHER", "Other", "No locomotion; left out"),
        ),
        default="AUTO",
        override=_OVERRIDE,
    )
    found_kind: StringProperty(
        name="Found Kind", description="What the analysis says the motion is", override=_OVERRIDE
    )
    own_speed: declare(MOTION["speed"], override=_OVERRIDE)
    speed: FloatProperty(
        name="Speed",
        description="Measured native speed of the motion",
        min=0.0,
        unit="VELOCITY",
        override=_OVERRIDE,
    )
    direction: FloatProperty(
        name="Direction",
        description="Direction of the motion against the character's forward, left is positive",
        subtype="ANGLE",
        unit="ROTATION",
        override=_OVERRIDE,
    )
    turn_rate: FloatProperty(
        name="Turn Rate",
        description="Turn in one second, left is positive",
        subtype="ANGLE",
        unit="ROTATION",
        override=_OVERRIDE,
    )
    period: FloatProperty(
        name="Period",
        description="Duration of one cycle",
        min=0.0,
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
        override=_OVERRIDE,
    )
    quality: FloatProperty(
        name="Quality",
        description="How well the motion repeats and its feet stand still",
        min=0.0,
        max=1.0,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    warnings: StringProperty(
        name="Warnings", description="What to mind, one warning a line", override=_OVERRIDE
    )
    notes: StringProperty(
        name="Notes", description="What to mind, as JSON without words", override=_OVERRIDE
    )
    key_times: CollectionProperty(
        type=LOCOMOTION_PG_key_times,
        name="Key Times",
        description="When the feet stand, in shares of the cycle of the action",
        override=_OVERRIDE_ITEMS,
    )


class LOCOMOTION_PG_motion_group(bpy.types.PropertyGroup):
    """A group of motions."""

    name: StringProperty(name="Name", description="Name of the group", override=_OVERRIDE)
    weight: declare(GROUP["weight"], override=_OVERRIDE)
    overrides: declare(GROUP["overrides"], override=_OVERRIDE)


class LOCOMOTION_PG_report(bpy.types.PropertyGroup):
    """What the last bake measured."""

    values: StringProperty(
        name="Numbers", description="All measured numbers as JSON", override=_OVERRIDE
    )
    worst_frame: IntProperty(
        name="Worst Frame", description="Frame of the largest error", override=_OVERRIDE
    )
    warnings: StringProperty(
        name="Warnings", description="What to mind, one warning a line", override=_OVERRIDE
    )
    notes: StringProperty(
        name="Notes", description="What to mind, as JSON without words", override=_OVERRIDE
    )


class LOCOMOTION_PG_character(bpy.types.PropertyGroup):
    """Everything that is set up on one armature object."""

    legs: CollectionProperty(
        type=LOCOMOTION_PG_leg,
        name="Legs",
        description="Legs of the character",
        override=_OVERRIDE_ITEMS,
    )
    active_leg: IntProperty(
        name="Active Leg", description="Leg shown in the panel", min=0, override=_OVERRIDE
    )
    skins: StringProperty(
        name="Skins",
        description="Names and fingerprints of the meshes that the soles were measured on",
        override=_OVERRIDE,
    )
    held: CollectionProperty(
        type=LOCOMOTION_PG_held_bone,
        name="Held Bones",
        description="Bones that no clip moves, in the pose in which the clips were made",
        override=_OVERRIDE_ITEMS,
    )
    led: CollectionProperty(
        type=LOCOMOTION_PG_led_bone,
        name="Led Bones",
        description="Bones that go with others than their parents",
        override=_OVERRIDE_ITEMS,
    )
    controls: PointerProperty(
        type=LOCOMOTION_PG_controls,
        name="Controls",
        description="Bones that an animator moves in place of the deforming ones",
        override=_OVERRIDE,
    )
    body: StringProperty(name="Body", description="Bone that carries the hips", override=_OVERRIDE)
    root: StringProperty(name="Root", description="Bone that carries all", override=_OVERRIDE)
    forward: FloatVectorProperty(
        name="Forward",
        description="Direction in which the character faces, seen from above",
        size=2,
        default=(0.0, -1.0),
        override=_OVERRIDE,
    )
    belly: FloatProperty(
        name="Belly",
        description="How far the trunk hangs below the level of its hips at rest",
        subtype="DISTANCE",
        unit="LENGTH",
        override=_OVERRIDE,
    )
    underside: StringProperty(
        name="Underside",
        description="Lowest points of the trunk as it walks, from the middle of the hips",
        override=_OVERRIDE,
    )
    ground_height: FloatProperty(
        name="Ground Height",
        description="Height of the ground under the rest pose, from the object's origin",
        subtype="DISTANCE",
        unit="LENGTH",
        override=_OVERRIDE,
    )
    confidence: FloatProperty(
        name="Confidence",
        description="How sure it is that the legs are right",
        min=0.0,
        max=1.0,
        default=1.0,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    reasons: StringProperty(
        name="Doubts", description="Why it is not fully sure, one reason a line", override=_OVERRIDE
    )
    notes: StringProperty(
        name="Notes", description="The same as JSON without words", override=_OVERRIDE
    )
    motions: CollectionProperty(
        type=LOCOMOTION_PG_motion,
        name="Motions",
        description="Actions that the walk is made of",
        override=_OVERRIDE_ITEMS,
    )
    active_motion: IntProperty(
        name="Active Motion", description="Motion shown in the panel", min=0, override=_OVERRIDE
    )
    groups: CollectionProperty(
        type=LOCOMOTION_PG_motion_group,
        name="Groups",
        description="Groups of motions",
        override=_OVERRIDE_ITEMS,
    )
    active_group: IntProperty(
        name="Active Group", description="Group marked in the list", min=0, override=_OVERRIDE
    )
    layers: CollectionProperty(
        type=LOCOMOTION_PG_layer,
        name="Layers",
        description="Actions that some bones follow over the walk",
        override=_OVERRIDE_ITEMS,
    )
    active_layer: IntProperty(
        name="Active Layer", description="Layer marked in the list", min=0, override=_OVERRIDE
    )
    ground: PointerProperty(type=LOCOMOTION_PG_ground, override=_OVERRIDE)
    travel: PointerProperty(type=LOCOMOTION_PG_travel, override=_OVERRIDE)
    settings: PointerProperty(type=LOCOMOTION_PG_settings, override=_OVERRIDE)
    root_motion: PointerProperty(type=LOCOMOTION_PG_root_motion, override=_OVERRIDE)
    fix: PointerProperty(type=LOCOMOTION_PG_fix, override=_OVERRIDE)
    drive: PointerProperty(type=LOCOMOTION_PG_drive, override=_OVERRIDE)
    report: PointerProperty(type=LOCOMOTION_PG_report, override=_OVERRIDE)
    footsteps: PointerProperty(
        type=bpy.types.Collection,
        name="Footsteps",
        description="Collection of the character's footstep objects",
        override=_OVERRIDE,
    )
    move_footsteps: BoolProperty(
        name="Move With Character",
        description=(
            "Move the footsteps along when the character's object is moved: all where the walk goes "
            "along them, else those that follow the plan; not those that are parented to something"
        ),
        update=_tell_followers,
        override=_OVERRIDE,
    )
    footsteps_place: FloatVectorProperty(
        name="Footsteps' Place",
        description="Where the character's object was when its footsteps were last moved along",
        size=16,
        override=_OVERRIDE,
    )
    footsteps_way: StringProperty(
        name="Footsteps' Way",
        description="Way and clock of the plan that the footsteps were made from",
        override=_OVERRIDE,
    )
    footsteps_action: StringProperty(
        name="Footsteps' Action",
        description="Which action the character played then",
        override=_OVERRIDE,
    )
    bake: PointerProperty(
        type=bpy.types.Action,
        name="Bake",
        description="Action that holds the baked walk, played or not",
        override=_OVERRIDE,
    )
    sections: CollectionProperty(
        type=LOCOMOTION_PG_section,
        name="Sections",
        description="Stretches of the baked walk, each with its own travel",
        override=_OVERRIDE_ITEMS,
    )
    transfer: PointerProperty(
        type=LOCOMOTION_PG_transfer,
        name="Transfer",
        description="Actions of another armature that the character takes over",
        override=_OVERRIDE,
    )
    key_poses: CollectionProperty(
        type=LOCOMOTION_PG_key_pose,
        name="Key Poses",
        description="Stored poses of the armature",
        override=_OVERRIDE_ITEMS,
    )
    active_key_pose: IntProperty(
        name="Active Key Pose", description="Pose marked in the list", min=0, override=_OVERRIDE
    )
    is_live: BoolProperty(
        name="Live",
        description="Show the walk without writing keys",
        options=_UNTIL_CLOSED,
    )
    auto_bake: BoolProperty(
        name="Auto Bake",
        description="Bake the walk again whenever something changes",
        options=_UNTIL_CLOSED,
    )


_CLASSES = (
    LOCOMOTION_PG_bone,
    LOCOMOTION_PG_sole_point,
    LOCOMOTION_PG_held_bone,
    LOCOMOTION_PG_led_bone,
    LOCOMOTION_PG_key_pose,
    LOCOMOTION_PG_leg,
    *CONTROL_CLASSES,
    LOCOMOTION_PG_key_times,
    LOCOMOTION_PG_motion,
    LOCOMOTION_PG_motion_group,
    LOCOMOTION_PG_layer,
    LOCOMOTION_PG_ground_item,
    LOCOMOTION_PG_left_out,
    LOCOMOTION_PG_point,
    LOCOMOTION_PG_ground,
    LOCOMOTION_PG_travel,
    LOCOMOTION_PG_section,
    LOCOMOTION_PG_settings,
    LOCOMOTION_PG_root_motion,
    LOCOMOTION_PG_fix,
    LOCOMOTION_PG_drive,
    LOCOMOTION_PG_report,
    *TRANSFER_CLASSES,
    LOCOMOTION_PG_character,
)


def register() -> None:
    """Add the properties to Blender's objects."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Object.locomotion = PointerProperty(type=LOCOMOTION_PG_character, override=_OVERRIDE)


def unregister() -> None:
    """Take them away; what files hold stays in the files."""
    del bpy.types.Object.locomotion
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
