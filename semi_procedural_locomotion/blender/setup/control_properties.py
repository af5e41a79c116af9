# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The controls of a rig as Blender properties.

Beside what is in use stands what was found by probing, so that an edit by hand is known as such and
outlives the next probing.
"""

from __future__ import annotations

import json

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

_OVERRIDE = {"LIBRARY_OVERRIDABLE"}
_OVERRIDE_ITEMS = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}
SINGLE = ("foot", "ankle", "toe", "hock", "pole")
"""Controls of a leg that are one bone each."""
LISTED = ("rolls", "chain")
"""Controls of a leg that are several bones."""


class LOCOMOTION_PG_control(bpy.types.PropertyGroup):
    """A bone that is moved, and the one that was found."""

    bone: StringProperty(
        name="Control",
        description="Bone that an animator moves; empty for none",
        override=_OVERRIDE,
    )
    found: StringProperty(
        name="Found Control", description="Bone that was found by probing", override=_OVERRIDE
    )

    @property
    def is_edited(self) -> bool:
        """Whether the user has chosen another bone than was found."""
        return bool(self.bone != self.found)


class LOCOMOTION_PG_switch(bpy.types.PropertyGroup):
    """A property of the rig with its values for IK and FK."""

    path: StringProperty(
        name="Switch",
        description=(
            "Data path of the property from the armature object, as Copy Data Path of its menu gives it, "
            'such as pose.bones["thigh_parent.L"]["IK_FK"]'
        ),
        override=_OVERRIDE,
    )
    index: IntProperty(
        name="Component",
        description="Component of a property that is an array",
        min=0,
        override=_OVERRIDE,
    )
    ik: FloatProperty(
        name="IK",
        description="Value with which the limb follows its foot control",
        override=_OVERRIDE,
    )
    fk: FloatProperty(
        name="FK",
        description="Value with which the limb follows its chain of controls",
        override=_OVERRIDE,
    )


class LOCOMOTION_PG_turned(bpy.types.PropertyGroup):
    """A deforming bone of the upper body and the control that turns it."""

    bone: StringProperty(
        name="Bone", description="Deforming bone of the upper body", override=_OVERRIDE
    )
    control: PointerProperty(type=LOCOMOTION_PG_control, override=_OVERRIDE)


class LOCOMOTION_PG_leg_controls(bpy.types.PropertyGroup):
    """The controls of one leg."""

    name: StringProperty(name="Leg", description="Name of the leg", override=_OVERRIDE)
    bones: StringProperty(
        name="Bones of the Leg",
        description="Names of the leg's bones for which controls were looked for",
        override=_OVERRIDE,
    )
    foot: PointerProperty(
        type=LOCOMOTION_PG_control,
        name="Foot",
        description="Control that takes the foot along, place and rotation, by IK",
        override=_OVERRIDE,
    )
    ankle: PointerProperty(
        type=LOCOMOTION_PG_control,
        name="Ankle",
        description="Control that turns the foot by IK, where the foot control only shifts it",
        override=_OVERRIDE,
    )
    toe: PointerProperty(
        type=LOCOMOTION_PG_control,
        name="Toe",
        description="Control that bends the toes",
        override=_OVERRIDE,
    )
    hock: PointerProperty(
        type=LOCOMOTION_PG_control,
        name="Hock",
        description="Control that turns the segment above the ankle, in legs of three segments",
        override=_OVERRIDE,
    )
    pole: PointerProperty(
        type=LOCOMOTION_PG_control,
        name="Pole",
        description="Control that turns the knee about the line from hip to ankle",
        override=_OVERRIDE,
    )
    pole_turns: BoolProperty(
        name="Turn Pole",
        description="The pole control is turned, as a hip control is, and not moved",
        override=_OVERRIDE,
    )
    rolls: CollectionProperty(
        type=LOCOMOTION_PG_control,
        name="Rolls",
        description="Controls that roll the foot about its heel, ball or toes",
        override=_OVERRIDE_ITEMS,
    )
    found_rolls: StringProperty(
        name="Found Rolls", description="Rolls that were found by probing", override=_OVERRIDE
    )
    chain: CollectionProperty(
        type=LOCOMOTION_PG_control,
        name="FK Chain",
        description="Controls that turn the joints one by one by FK, from the hip down",
        override=_OVERRIDE_ITEMS,
    )
    found_chain: StringProperty(
        name="Found Chain", description="Chain that was found by probing", override=_OVERRIDE
    )
    switches: CollectionProperty(
        type=LOCOMOTION_PG_switch,
        name="Switches",
        description="Properties that choose between foot control and chain",
        override=_OVERRIDE_ITEMS,
    )
    found_switches: StringProperty(
        name="Found Switches", description="Switches that were found by probing", override=_OVERRIDE
    )
    confidence: FloatProperty(
        name="Confidence",
        description="How nearly the leg followed when the controls were moved",
        min=0.0,
        max=1.0,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    reasons: StringProperty(
        name="Doubts", description="Why it is not fully sure, one reason a line", override=_OVERRIDE
    )
    notes: StringProperty(
        name="Notes", description="The same as JSON without words", override=_OVERRIDE
    )

    @property
    def is_edited(self) -> bool:
        """Whether the user has changed a control or a switch of the leg."""
        return any(
            [
                *(getattr(self, name).is_edited for name in SINGLE),
                *(text_from_bones(self, name) != getattr(self, f"found_{name}") for name in LISTED),
                has_edited_switches(self),
            ]
        )


class LOCOMOTION_PG_controls(bpy.types.PropertyGroup):
    """All controls of a character."""

    is_probed: BoolProperty(
        name="Probed", description="Controls were looked for", override=_OVERRIDE
    )
    body: PointerProperty(
        type=LOCOMOTION_PG_control,
        name="Body",
        description="Control that takes hips and upper body along, and no planted foot",
        override=_OVERRIDE,
    )
    pelvis: StringProperty(
        name="Pelvis",
        description=(
            "Deforming bone that the hips are fixed to, by which the body is seen; empty for that of the "
            "set-up"
        ),
        override=_OVERRIDE,
    )
    root: PointerProperty(
        type=LOCOMOTION_PG_control,
        name="Root",
        description="Control that takes the whole character along",
        override=_OVERRIDE,
    )
    legs: CollectionProperty(
        type=LOCOMOTION_PG_leg_controls,
        name="Legs",
        description="Controls of the legs",
        override=_OVERRIDE_ITEMS,
    )
    turned: CollectionProperty(
        type=LOCOMOTION_PG_turned,
        name="Upper Body",
        description="Controls of spine, shoulders, arms, head and tail",
        override=_OVERRIDE_ITEMS,
    )
    active_turned: IntProperty(
        name="Active Bone", description="Bone shown in the panel", min=0, override=_OVERRIDE
    )
    switches: CollectionProperty(
        type=LOCOMOTION_PG_switch,
        name="Switches",
        description="Properties that let the controls of the upper body act",
        override=_OVERRIDE_ITEMS,
    )
    found_switches: StringProperty(
        name="Found Switches", description="Switches that were found by probing", override=_OVERRIDE
    )
    confidence: FloatProperty(
        name="Confidence",
        description="How sure it is that the controls are right",
        min=0.0,
        max=1.0,
        subtype="FACTOR",
        override=_OVERRIDE,
    )
    reasons: StringProperty(
        name="Doubts", description="Why it is not fully sure, one reason a line", override=_OVERRIDE
    )
    notes: StringProperty(
        name="Notes", description="The same as JSON without words", override=_OVERRIDE
    )


CONTROL_CLASSES = (
    LOCOMOTION_PG_control,
    LOCOMOTION_PG_switch,
    LOCOMOTION_PG_turned,
    LOCOMOTION_PG_leg_controls,
    LOCOMOTION_PG_controls,
)


def text_from_bones(group: bpy.types.PropertyGroup, name: str) -> str:
    """The bones of a list of controls in one text, to tell whether they have changed."""
    return "\n".join(entry.bone for entry in getattr(group, name))


def text_from_switches(group: bpy.types.PropertyGroup) -> str:
    """The switches of a group in one text, to tell whether they have changed."""
    rows = [(e.path, e.index, round(e.ik, 6), round(e.fk, 6)) for e in group.switches]
    return json.dumps(rows) if rows else ""


def has_edited_switches(group: bpy.types.PropertyGroup) -> bool:
    """Whether the user has changed switches of a group, or their values."""
    return bool(text_from_switches(group) != group.found_switches)
