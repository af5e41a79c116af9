# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Choices as properties of operators, for scripts and for runs without a window.

What a call does not set is taken from the character's own set-up. The properties are those of the
set-up groups, so that names, units, ranges and defaults are the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any, get_type_hints

import bpy
from bpy.props import CollectionProperty, FloatProperty, StringProperty

from ..api import BakeRequest, MotionChoice, PlanRequest
from ..api.setups import make_request
from ..api.walk_grounds import find_left_out
from ..blender.setup.ground_properties import LOCOMOTION_PG_ground
from ..blender.setup.properties import LOCOMOTION_PG_motion
from ..blender.setup.settings_properties import LOCOMOTION_PG_settings, read_value
from ..blender.setup.travel_properties import (
    LOCOMOTION_PG_point,
    LOCOMOTION_PG_travel,
    read_travel_values,
    travel_from_values,
)
from ..core.contacts.edits import ContactEdit
from ..core.rig.legs import LegChoice
from ..errors import AnalysisError, GroundError
from ..requests.plans import GroundChoice, PlanSettings
from ..requests.settings.bakes import BAKE
from ..requests.settings.kinds import check_values
from ..requests.settings.motions import MOTION
from ..requests.settings.steps import PLAN
from ..requests.settings.travels import GROUND, TRAVEL
from ..requests.travels import TravelSource

# Blender remembers what an operator was last called with, unless told not to.
FORGET = {"SKIP_SAVE"}
_BAKE_OPTIONS = ("root_bone", *BAKE)
_TRAVEL_CHOICES = ("use_native_speed", *TRAVEL)


def copy_property(owner: type[bpy.types.PropertyGroup], name: str) -> Any:  # noqa: ANN401
    """A property of a group as an operator's own, not remembered between calls.

    Its slider keeps the range, but the property takes any number: what a script gives is refused in
    words where it is out of range, while Blender would clamp it to the range of a property.
    """
    declared = get_type_hints(owner)[name]
    keywords = {
        key: value for key, value in declared.keywords.items() if key not in ("override", "update")
    }
    for end in ("min", "max"):
        if end in keywords:
            keywords.setdefault(f"soft_{end}", keywords.pop(end))
    return declared.function(**keywords, options=FORGET)


def _declare_time(name: str) -> Any:  # noqa: ANN401
    """A key time that need not be given."""
    setting = MOTION[name]
    description = f"{setting.description}; -1 as found"
    return FloatProperty(
        name=setting.label, description=description, soft_min=-1.0, soft_max=1.0, default=-1.0
    )


class LOCOMOTION_PG_name(bpy.types.PropertyGroup):
    """Name of an action, an object or a bone."""


class LOCOMOTION_PG_motion_speed(bpy.types.PropertyGroup):
    """Name of an action, and its speed."""

    speed: copy_property(LOCOMOTION_PG_motion, "own_speed")


class LOCOMOTION_PG_motion_times(bpy.types.PropertyGroup):
    """Name of an action, and key times of one leg; below 0 they are as found."""

    leg: StringProperty(name="Leg", description="Name of the leg")
    strike: _declare_time("strike")
    stance: _declare_time("stance")
    off: _declare_time("off")


class LOCOMOTION_PG_leg_choice(bpy.types.PropertyGroup):
    """A leg by its bones; its name is the group's own."""

    bones: CollectionProperty(
        type=LOCOMOTION_PG_name, name="Bones", description="Names of the bones from hip to ankle"
    )
    toe: StringProperty(name="Toe", description="Name of the bone that bends the toes, or empty")


class BakeChoices:
    """Properties of an operator that bakes; what is not set is as set up."""


def _declare_bake_choices() -> dict[str, Any]:
    """The annotations of `BakeChoices`."""
    names = list(LOCOMOTION_PG_settings.__annotations__)
    found = {name: copy_property(LOCOMOTION_PG_settings, name) for name in names}
    found["travel"] = copy_property(LOCOMOTION_PG_travel, "source")
    for name in (*_TRAVEL_CHOICES, "output_to", "bone"):
        found[name] = copy_property(LOCOMOTION_PG_travel, name)
    found["curve"] = StringProperty(
        name="Curve", description="Name of the curve object to walk along", options=FORGET
    )
    found["space"] = StringProperty(
        name="Space",
        description="Name of the object in whose space the points lie",
        options=FORGET,
    )
    found["points"] = CollectionProperty(
        type=LOCOMOTION_PG_point,
        name="Points",
        description="Points of the path",
        options=FORGET,
    )
    found["root_bone"] = StringProperty(
        name="Root Bone", description="Name of the bone that carries the travel", options=FORGET
    )
    found["ground"] = copy_property(LOCOMOTION_PG_ground, "source")
    found["ground_names"] = CollectionProperty(
        type=LOCOMOTION_PG_name,
        name="Ground Names",
        description="Names of the objects to walk on, or of the one collection",
        options=FORGET,
    )
    for name in GROUND:
        found[name] = copy_property(LOCOMOTION_PG_ground, name)
    found["leave_out"] = CollectionProperty(
        type=LOCOMOTION_PG_name,
        name="Leave Out",
        description="Names of the objects and collections that are no ground",
        options=FORGET,
    )
    return found


BakeChoices.__annotations__ = _declare_bake_choices()


def find_actions_by_name(names: Iterable[str]) -> list[bpy.types.Action]:
    """Actions of the file.

    Raises AnalysisError: one does not exist.
    """
    found = []
    for name in names:
        action = bpy.data.actions.get(name)
        if action is None:
            raise AnalysisError(f"there is no action {name!r}: name an action of this file")
        found.append(action)
    return found


def read_motion_choices(given: bpy.types.OperatorProperties) -> list[MotionChoice] | None:
    """Chosen actions with their use; None where none is named.

    Raises AnalysisError: an action does not exist, or one with a speed or key times is not chosen.
    """
    walks = [entry.name for entry in given.actions]
    backwards = {entry.name for entry in given.reversed_actions}
    walks += sorted(backwards - set(walks))
    speeds = {entry.name: entry.speed for entry in given.speeds}
    times = _read_time_choices(given.key_times)
    for what, named in (("a speed", speeds), ("key times", times)):
        for name in named:
            if name not in walks:
                raise AnalysisError(
                    f"{name!r} has {what} but is not among the actions: name it there"
                )
    choices = [
        MotionChoice(
            action,
            reversed=action.name in backwards,
            speed=speeds.get(action.name) or None,
            key_times=times.get(action.name, {}),
        )
        for action in find_actions_by_name(walks)
    ]
    if given.rest_action:
        (rest,) = find_actions_by_name([given.rest_action])
        choices.append(MotionChoice(rest, rest=True))
    return choices or None


def _read_time_choices(
    entries: bpy.types.bpy_prop_collection,
) -> dict[str, dict[str, ContactEdit]]:
    """Key times by the names of actions and legs."""
    found: dict[str, dict[str, ContactEdit]] = {}
    for entry in entries:
        times = {name: float(getattr(entry, name)) for name in ("stance", "strike", "off")}
        edit = ContactEdit(**{name: time for name, time in times.items() if not time < 0})
        found.setdefault(entry.name, {})[entry.leg] = edit
    return found


def read_leg_choices(entries: bpy.types.bpy_prop_collection) -> list[LegChoice] | None:
    """Legs named by their bones; None where none is named."""
    return [
        LegChoice(tuple(bone.name for bone in entry.bones), entry.toe or None, entry.name or None)
        for entry in entries
    ] or None


def override_request(
    armature: bpy.types.Object, given: bpy.types.OperatorProperties
) -> BakeRequest:
    """Find what a set-up character asks for, with what the call of an operator has set in its place.

    Raises
    ------
    SettingError
        A number is out of its range.
    GroundError
        A named object or collection does not exist.
    BakeError
        The travel goes to a root bone, and none is known.
    """
    request = make_request(armature)
    travel = read_travel_values(armature.locomotion.travel)
    plan = replace(request.plan, travel=_override_travel(travel, given))
    options = {name: getattr(given, name) for name in _BAKE_OPTIONS if given.is_property_set(name)}
    # An empty name is none.
    options = {name: None if value == "" else value for name, value in options.items()}
    for name in ("output", "output_to"):
        if given.is_property_set(name):
            options[name] = getattr(given, name).lower()
    verify = options.pop("verify", request.verify)
    return BakeRequest(
        plan=_override_plan(plan, given),
        options=replace(request.options, **options),
        verify=verify,
    )


def _override_plan(plan: PlanRequest, given: bpy.types.OperatorProperties) -> PlanRequest:
    """Frames, ground and settings that the call has set."""
    values: dict[str, Any] = {}
    ends = [given.is_property_set(name) for name in ("frame_start", "frame_end")]
    if given.is_property_set("use_range") and not given.use_range:
        values["frames"] = None
    elif given.use_range or any(ends):
        kept = plan.frames or (given.frame_start, given.frame_end)
        asked = (given.frame_start, given.frame_end)
        values["frames"] = tuple(
            new if is_set else old for new, old, is_set in zip(asked, kept, ends, strict=True)
        )
    values["ground_choice"] = _override_ground_choice(plan.ground_choice, given)
    if given.is_property_set("ground") or len(given.ground_names):
        values["use_plane"] = given.ground == "PLANE"
        values["ground"] = _find_ground(given)
    settings = {
        field.name: read_value(given, field.name, PLAN)
        for field in fields(PlanSettings)
        if field.name in given.bl_rna.properties and given.is_property_set(field.name)
    }
    if given.is_property_set("use_automatic_hug") and given.use_automatic_hug:
        settings["hug"] = None
    values["settings"] = replace(plan.settings, **settings)
    return replace(plan, **values)


def _override_ground_choice(
    choice: GroundChoice, given: bpy.types.OperatorProperties
) -> GroundChoice:
    """Find what is left out of the ground, with what the call has set."""
    values: dict[str, Any] = {
        name: getattr(given, name) for name in GROUND if given.is_property_set(name)
    }
    if len(given.leave_out):
        values["left_out"] = find_left_out([entry.name for entry in given.leave_out])
    return replace(choice, **values)


def _override_travel(values: dict[str, Any], given: bpy.types.OperatorProperties) -> TravelSource:
    """The travel that the call has set, where it has not that of the set-up's values."""
    if given.is_property_set("travel"):
        values["source"] = given.travel
    if len(given.points):
        values["points"] = tuple((p.location[0], p.location[1]) for p in given.points)
    for name in ("curve", "bone", "space"):
        if given.is_property_set(name):
            values[name] = getattr(given, name) or None
    if given.is_property_set("speed"):
        values["speed"], values["use_speed_keys"] = given.speed, False
    if given.is_property_set("use_native_speed") and given.use_native_speed:
        values["speed"], values["use_speed_keys"] = None, False
    for name in (
        "rounds",
        "slow_turns",
        "slow_climbs",
        "jump_gaps",
        "longest_jump",
        "keep_clear",
    ):
        if given.is_property_set(name):
            values[name] = getattr(given, name)
    if given.is_property_set("ease"):
        values["ease"] = given.ease or None
    for name in ("heading", "start", "stop"):
        if given.is_property_set(name):
            values[name] = values[f"straight_{name}"] = getattr(given, name).lower()
    check_values(TRAVEL, values)
    return travel_from_values(values)


def _find_ground(given: bpy.types.OperatorProperties) -> list[Any] | None:
    """Objects or the collection that the call names as ground; None for all meshes."""
    if given.ground == "PLANE" or not len(given.ground_names):
        return None
    kinds = bpy.data.collections if given.ground == "COLLECTION" else bpy.data.objects
    found = []
    for entry in given.ground_names:
        item = kinds.get(entry.name)
        if item is None:
            what = "collection" if given.ground == "COLLECTION" else "object"
            raise GroundError(f"there is no {what} {entry.name!r} to walk on: name another")
        found.append(item)
    return found


CLASSES = (
    LOCOMOTION_PG_name,
    LOCOMOTION_PG_motion_speed,
    LOCOMOTION_PG_motion_times,
    LOCOMOTION_PG_leg_choice,
)
