# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs and soles of a character as Blender properties."""

from __future__ import annotations

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

_OVERRIDE = {"LIBRARY_OVERRIDABLE"}
_OVERRIDE_ITEMS = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}


class LOCOMOTION_PG_bone(bpy.types.PropertyGroup):
    """One bone of a chain; its name is the group's own."""

    name: StringProperty(name="Bone", description="Name of the bone", override=_OVERRIDE)


class LOCOMOTION_PG_held_bone(bpy.types.PropertyGroup):
    """A bone that stands otherwise than it was built, since the clips are made for it so."""

    name: StringProperty(name="Bone", description="Name of the bone", override=_OVERRIDE)
    location: FloatVectorProperty(
        name="Location",
        description="Where it stands against its rest position, in the armature's units",
        override=_OVERRIDE,
    )
    rotation: FloatVectorProperty(
        name="Rotation",
        description="How it stands turned against its rest position, a quaternion",
        size=4,
        default=(1.0, 0.0, 0.0, 0.0),
        override=_OVERRIDE,
    )
    scale: FloatVectorProperty(
        name="Scale",
        description="How it is scaled against its rest position",
        default=(1.0, 1.0, 1.0),
        override=_OVERRIDE,
    )


class LOCOMOTION_PG_led_bone(bpy.types.PropertyGroup):
    """A bone that goes with another than its parent; its name is the group's own."""

    name: StringProperty(name="Bone", description="Name of the bone", override=_OVERRIDE)
    leader: StringProperty(
        name="Leader", description="Bone with which it goes in the clips", override=_OVERRIDE
    )


class LOCOMOTION_PG_key_pose(bpy.types.PropertyGroup):
    """A stored pose: how bones stand against their rest pose; its name is the group's own."""

    name: StringProperty(name="Name", description="Name of the pose", override=_OVERRIDE)
    bones: CollectionProperty(
        type=LOCOMOTION_PG_held_bone,
        name="Bones",
        description="Bones of the pose",
        override=_OVERRIDE_ITEMS,
    )


class LOCOMOTION_PG_sole_point(bpy.types.PropertyGroup):
    """A point of a sole that rides on a bone."""

    bone: StringProperty(
        name="Bone", description="Bone that carries this point of the sole", override=_OVERRIDE
    )
    offset: FloatVectorProperty(
        name="Offset",
        description="Place of the point from the bone's head along the bone's axes",
        subtype="TRANSLATION",
        unit="LENGTH",
        override=_OVERRIDE,
    )
    found_bone: StringProperty(
        name="Found Bone", description="Bone that was found to carry the point", override=_OVERRIDE
    )
    found_offset: FloatVectorProperty(
        name="Found Offset",
        description="Place of the point as it was measured",
        subtype="TRANSLATION",
        unit="LENGTH",
        override=_OVERRIDE,
    )

    @property
    def is_edited(self) -> bool:
        """Whether the user has moved the point."""
        if not self.found_bone:
            return False
        moved = any(a != b for a, b in zip(self.offset, self.found_offset, strict=True))
        return moved or bool(self.bone != self.found_bone)

    def reset(self) -> None:
        """Put the point back to where it was measured."""
        if self.is_edited:
            self.bone, self.offset = self.found_bone, self.found_offset


class LOCOMOTION_PG_leg(bpy.types.PropertyGroup):
    """One leg from the hip to the toe."""

    name: StringProperty(name="Name", description="Name of the leg", override=_OVERRIDE)
    side: EnumProperty(
        name="Side",
        description="Side of the body",
        items=(
            ("L", "Left", "The leg is on the left"),
            ("R", "Right", "The leg is on the right"),
            ("NONE", "Middle", "The leg is on neither side"),
        ),
        default="NONE",
        override=_OVERRIDE,
    )
    bones: CollectionProperty(
        type=LOCOMOTION_PG_bone,
        name="Bones",
        description="Bones from the hip to the ankle",
        override=_OVERRIDE_ITEMS,
    )
    end: StringProperty(
        name="End",
        description="What the end of the last bone is called where the leg stands on it; empty where "
        "the last bone carries a foot",
        override=_OVERRIDE,
    )
    end_offset: FloatVectorProperty(
        name="End Offset",
        description="Place of the end from the head of the last bone along the bone's axes",
        subtype="TRANSLATION",
        unit="LENGTH",
        override=_OVERRIDE,
    )
    measured_bones: StringProperty(
        name="Measured Bones",
        description="Names of the bones for which soles and lengths were measured",
        override=_OVERRIDE,
    )
    toe: StringProperty(
        name="Toe", description="Bone that bends the toes, may be empty", override=_OVERRIDE
    )
    control: StringProperty(
        name="Control",
        description="Control bone to key instead of the foot's own bones, may be empty",
        override=_OVERRIDE,
    )
    heel: PointerProperty(type=LOCOMOTION_PG_sole_point, override=_OVERRIDE)
    ball: PointerProperty(type=LOCOMOTION_PG_sole_point, override=_OVERRIDE)
    toe_tip: PointerProperty(type=LOCOMOTION_PG_sole_point, override=_OVERRIDE)
    length: FloatProperty(
        name="Length",
        description="Length of the leg from hip to ankle; 0 measures the rest pose",
        min=0.0,
        subtype="DISTANCE",
        unit="LENGTH",
        override=_OVERRIDE,
    )
    sole_width: FloatProperty(
        name="Sole Width",
        description="Width of the sole",
        min=0.0,
        subtype="DISTANCE",
        unit="LENGTH",
        override=_OVERRIDE,
    )
    found_width: FloatProperty(
        name="Found Width",
        description="Width of the sole as it was measured",
        subtype="DISTANCE",
        unit="LENGTH",
        override=_OVERRIDE,
    )
    foot_length: FloatProperty(
        name="Foot Length",
        description="Length of the sole from heel to toe tip",
        min=0.0,
        subtype="DISTANCE",
        unit="LENGTH",
        override=_OVERRIDE,
    )
    ball_share: FloatProperty(
        name="Ball",
        description="Place of the ball of the foot between heel and toe tip",
        min=0.0,
        max=1.0,
        default=0.7,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    hinge: FloatVectorProperty(
        name="Knee Axis",
        description="Axis about which the knee bends, in the axes of the hip bone",
        subtype="DIRECTION",
        default=(1.0, 0.0, 0.0),
        override=_OVERRIDE,
    )
    partner: IntProperty(
        name="Partner",
        description="Number of the leg on the other side, -1 for none",
        min=-1,
        default=-1,
        override=_OVERRIDE,
    )
    is_detached: BoolProperty(
        name="Detached Foot",
        description="The foot is not parented to the shin",
        override=_OVERRIDE,
    )
    confidence: FloatProperty(
        name="Confidence",
        description="How sure it is that this is a leg",
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

    plants: BoolProperty(
        name="Plant This Foot",
        description="Whether Fix Feet plants the foot of this leg",
        default=True,
        override=_OVERRIDE,
    )
    girths: StringProperty(
        name="Girths",
        description="Radius of the mesh about each segment of the leg, as measured",
        override=_OVERRIDE,
    )
    hull: StringProperty(
        name="Contact Hull",
        description="Points of the foot that can touch the ground first, as measured",
        override=_OVERRIDE,
    )

    @property
    def has_edited_width(self) -> bool:
        """Whether the user has set the width of the sole."""
        return bool(self.heel.found_bone and self.sole_width != self.found_width)

    @property
    def has_edited_sole(self) -> bool:
        """Whether the user has set anything of the sole."""
        points = (self.heel, self.ball, self.toe_tip)
        return self.has_edited_width or any(point.is_edited for point in points)

    def reset_sole(self) -> None:
        """Put the sole back to what was measured."""
        if self.has_edited_width:
            self.sole_width = self.found_width
        for point in (self.heel, self.ball, self.toe_tip):
            point.reset()
