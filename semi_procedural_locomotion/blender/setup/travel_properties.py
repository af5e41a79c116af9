# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travel of a character as Blender properties."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...core.motions.limits import CHOICE
from ...requests.settings.bakes import OUTPUT
from ...requests.settings.travels import STRAIGHT, TRAVEL
from ...requests.travels import (
    KINDS,
    AlongCurve,
    AlongPoints,
    AsBone,
    LineTravel,
    Paced,
    SpeedKeys,
    StraightAhead,
    TravelSource,
    Way,
    find_kind,
)
from ..values.matrices import follows
from .declaring import declare
from .values import clear_entries

_OVERRIDE = {"LIBRARY_OVERRIDABLE"}
_OVERRIDE_ITEMS = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}


class LOCOMOTION_PG_point(bpy.types.PropertyGroup):
    """One point of a path."""

    location: FloatVectorProperty(
        name="Location",
        description="Place of the point in the world, or in the space of the chosen object",
        size=2,
        subtype="XYZ",
        unit="LENGTH",
        override=_OVERRIDE,
    )


def _begin_at_native_speed(travel: LOCOMOTION_PG_travel, _: bpy.types.Context) -> None:
    """Let a speed that nobody has set yet begin at that of the plain walk."""
    if travel.use_native_speed or travel.is_property_set("speed"):
        return
    ahead = [
        motion.speed
        for motion in travel.id_data.locomotion.motions
        if motion.enabled and motion.speed > 0.0 and abs(motion.direction) < CHOICE.forward
    ]
    if ahead:
        travel.speed = min(ahead)


class LOCOMOTION_PG_travel(bpy.types.PropertyGroup):
    """Where a character goes."""

    source: EnumProperty(
        name="Travel",
        description="What tells where the character goes",
        items=tuple((kind.identifier, kind.label, kind.description) for kind in KINDS),
        default="STRAIGHT",
        override=_OVERRIDE,
    )
    output_to: declare(OUTPUT, override=_OVERRIDE)
    curve: PointerProperty(
        type=bpy.types.Object,
        name="Curve",
        description="Curve to walk along",
        poll=lambda _, item: item.type == "CURVE",
        override=_OVERRIDE,
    )
    bone: StringProperty(
        name="Bone", description="Bone whose animation tells the travel", override=_OVERRIDE
    )
    points: CollectionProperty(
        type=LOCOMOTION_PG_point,
        name="Points",
        description="Points of the path",
        override=_OVERRIDE_ITEMS,
    )
    space: PointerProperty(
        type=bpy.types.Object,
        name="Space",
        description="Object in whose space the points lie, so that the walk moves with it; the world "
        "without any",
        poll=lambda travel, item: not follows(item, travel.id_data),
        override=_OVERRIDE,
    )
    active_point: IntProperty(
        name="Active Point", description="Entry chosen in the list", min=0, override=_OVERRIDE
    )
    use_native_speed: BoolProperty(
        name="Native Speed",
        description="Walk at the speed of the plain walk",
        default=True,
        override=_OVERRIDE,
        update=_begin_at_native_speed,
    )
    speed: declare(TRAVEL["speed"], default=1.4, override=_OVERRIDE)
    rounds: declare(TRAVEL["rounds"], step=50, override=_OVERRIDE)
    heading: declare(TRAVEL["heading"], override=_OVERRIDE)
    slow_turns: declare(TRAVEL["slow_turns"], override=_OVERRIDE)
    slow_climbs: declare(TRAVEL["slow_climbs"], override=_OVERRIDE)
    jump_gaps: declare(TRAVEL["jump_gaps"], override=_OVERRIDE)
    longest_jump: declare(TRAVEL["longest_jump"], override=_OVERRIDE)
    start: declare(TRAVEL["start"], override=_OVERRIDE)
    stop: declare(TRAVEL["stop"], override=_OVERRIDE)
    straight_start: declare(STRAIGHT["start"], override=_OVERRIDE)
    straight_stop: declare(STRAIGHT["stop"], override=_OVERRIDE)
    ease: declare(TRAVEL["ease"], override=_OVERRIDE)
    keep_clear: declare(TRAVEL["keep_clear"], override=_OVERRIDE)


def read_travel_values(data: LOCOMOTION_PG_travel) -> dict[str, Any]:
    """What is set for a travel of any source, by the fields of their records, and its ``source``."""
    return {
        "source": data.source,
        "points": tuple((p.location[0], p.location[1]) for p in data.points),
        "space": None if data.space is None else data.space.name,
        "curve": None if data.curve is None else data.curve.name,
        "bone": data.bone or None,
        "speed": None if data.use_native_speed else data.speed,
        "use_speed_keys": not data.use_native_speed,
        "rounds": data.rounds,
        "heading": data.heading.lower(),
        "slow_turns": data.slow_turns,
        "slow_climbs": data.slow_climbs,
        "jump_gaps": data.jump_gaps,
        "longest_jump": data.longest_jump,
        "start": data.start.lower(),
        "stop": data.stop.lower(),
        "straight_start": data.straight_start.lower(),
        "straight_stop": data.straight_stop.lower(),
        "ease": data.ease or None,
        "keep_clear": data.keep_clear,
    }


def travel_from_values(values: Mapping[str, Any]) -> TravelSource:
    """The travel of a source, with the fields that it has.

    Raises
    ------
    SettingError
        A value is out of its range.
    """
    kind = next(kind for kind in KINDS if kind.identifier == values["source"])
    names = [field.name for field in fields(kind.record)]
    return kind.record(**{n: values.get(f"{kind.key}_{n}", values.get(n)) for n in names})


def write_travel_values(data: LOCOMOTION_PG_travel, travel: TravelSource) -> None:
    """Set a travel; what its source has no field for stays as it is, and so do keys of the speed."""
    data.source = find_kind(travel).identifier
    if isinstance(travel, AlongPoints):
        clear_entries(data, "points")
        for point in travel.points:
            data.points.add().location = point
        data.space = bpy.data.objects.get(travel.space or "")
    elif isinstance(travel, AlongCurve):
        data.curve = bpy.data.objects.get(travel.curve or "")
    elif isinstance(travel, AsBone):
        data.bone = travel.bone or ""
    if isinstance(travel, Paced):
        data.use_native_speed = travel.speed is None
        if travel.speed is not None and not isinstance(travel.speed, SpeedKeys):
            data.speed = travel.speed
    if isinstance(travel, StraightAhead):
        data.straight_start, data.straight_stop = travel.start.upper(), travel.stop.upper()
        data.ease = travel.ease or 0.0
    if isinstance(travel, LineTravel):
        data.keep_clear = travel.keep_clear
        data.slow_climbs = travel.slow_climbs
        data.jump_gaps, data.longest_jump = travel.jump_gaps, travel.longest_jump
    if isinstance(travel, Way):
        for name in ("heading", "start", "stop"):
            setattr(data, name, getattr(travel, name).upper())
        data.rounds, data.ease = travel.rounds, travel.ease or 0.0
        data.slow_turns = travel.slow_turns
