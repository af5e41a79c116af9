# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions, made cycles and layers that a job asks for (no bpy)."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..core.contacts.edits import ContactEdit
from ..core.gaits.fitting import GaitStyle
from ..core.gaits.presets import list_presets
from ..requests.settings.kinds import Setting
from ..requests.settings.motions import GROUP, LAYER, MOTION, STYLE
from .tables import Table

# The gait that stands still, beside the presets.
REST = "rest"
_LEG_COUNTS = (2, 4, 6, 8)
_DEFAULT_GROUP = "walk"


@dataclass(frozen=True)
class CycleJob:
    """One cycle to make.

    Attributes
    ----------
    gait
        Name of a ready-made gait, or ``rest``.
    style
        What is different from it.
    group
        Name of its motion group.
    """

    gait: str
    style: GaitStyle
    group: str

    @property
    def is_rest(self) -> bool:
        """Whether it stands still."""
        return self.gait == REST


def _parse_cycle(table: Table) -> CycleJob:
    """Read an entry of ``motions`` with a ``make`` key."""
    known = dict.fromkeys(name for count in _LEG_COUNTS for name in list_presets(count))
    gait = table.text("make", choices=(*known, REST)) or REST
    style = GaitStyle(**table.settings(STYLE))
    group = table.text("group") or _DEFAULT_GROUP
    table.finish()
    return CycleJob(gait, style, group)


WeightKeys = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class LayerJob:
    """An action that some bones follow over the walk.

    Attributes
    ----------
    name
        Name of the layer; empty for that of the action.
    keys
        Frame and weight of each key; one stands for a constant.
    bone, collection
        Bone that follows with those below it, or bone collection; empty for none.
    values
        Settings of the part "layer" of the table, by their names.
    """

    action: str
    name: str
    keys: WeightKeys
    bone: str
    collection: str
    values: Mapping[str, Any]


def parse_layers(table: Table) -> tuple[LayerJob, ...] | None:
    """Read ``layers``, tables with an action, bones and a clock each, from the lowest to the topmost.

    None where a job says nothing of them.

    Raises JobError: a key is unknown, missing or wrong.
    """
    entries = table.tables("layers", instead="a list of tables with `action`")
    if entries is None:
        return None
    layers = []
    for entry in entries:
        entry.one_of("bone", "collection")
        bone, collection = entry.text("bone") or "", entry.text("collection") or ""
        values = entry.settings({k: s for k, s in LAYER.items() if k != "weight"})
        mask = values.get("mask")
        given = "bone" if bone else "collection" if collection else ""
        if given and mask not in (None, given):
            raise entry.error("mask", f'is "{mask}" beside `{given}`; keep one of them')
        if mask in ("bone", "collection") and not given:
            raise entry.error(mask, "is missing; name it")
        keys = _parse_weight(entry, LAYER["weight"], default=1.0)
        action, name = entry.required_text("action"), entry.text("name") or ""
        entry.finish()
        layers.append(LayerJob(action, name, keys, bone, collection, values))
    return tuple(layers)


def _parse_weight(table: Table, setting: Setting, default: float | None = None) -> WeightKeys:
    """Read ``weight``, a number or a list of [frame, weight] by rising frames."""
    if isinstance(table.peek("weight"), list):
        keys = tuple((row[0], row[1]) for row in table.number_lists("weight", count=2))
    elif default is None:
        keys = ((0.0, table.required_number("weight")),)
    else:
        weight = table.number("weight")
        keys = ((0.0, default if weight is None else weight),)
    for fault in (setting.find_fault(weight) for _, weight in keys):
        if fault:
            raise table.error("weight", fault)
    frames = [frame for frame, _ in keys]
    if not keys or any(b <= a for a, b in itertools.pairwise(frames)):
        raise table.error("weight", "must be a number, or [frame, weight] by rising frames")
    return keys


@dataclass(frozen=True)
class MotionJob:
    """One action to analyse.

    Attributes
    ----------
    group
        Name of its motion group; motions of one group are blended by speed and direction.
    reversed
        Whether it is used backwards in time.
    rest
        Whether it is the pose or loop of standing.
    kind
        ``"cycle"`` or ``"rest"`` to take it as in spite of all objections; None to find that.
    speed
        Its native speed, metres a second, instead of the measured one; None for that.
    key_times
        When feet stand, by the names of legs, in shares of the cycle; others as found.
    """

    action: str
    group: str = "walk"
    reversed: bool = False
    rest: bool = False
    kind: str | None = None
    speed: float | None = None
    key_times: Mapping[str, ContactEdit] = field(default_factory=dict)


@dataclass(frozen=True)
class GroupJob:
    """Weight of a group of motions.

    Attributes
    ----------
    name
        Name of the group.
    keys
        Frame and weight of each key; one stands for a constant.
    overrides
        Whether its weight is taken from all groups that do not override.
    """

    name: str
    keys: WeightKeys
    overrides: bool = False


def parse_groups(table: Table, names: Collection[str]) -> tuple[GroupJob, ...]:
    """Read ``groups``, tables with a name and a weight, a number or a list of [frame, weight].

    Raises JobError: a key is unknown, missing or wrong, or no motion is in the group.

    Parameters
    ----------
    names
        Groups that the motions are in.
    """
    groups = []
    for entry in table.tables("groups", instead="a list of tables with `name` and `weight`") or ():
        name = entry.required_text("name")
        if name not in names:
            raise entry.error("name", f'"{name}" is the group of no motion; name that of one')
        keys = _parse_weight(entry, GROUP["weight"])
        overrides = entry.flag("overrides")
        entry.finish()
        groups.append(GroupJob(name, keys, overrides))
    return tuple(groups)


def parse_motions(
    table: Table,
) -> tuple[tuple[MotionJob, ...] | None, tuple[CycleJob, ...]]:
    """Read ``motions``: "auto", or tables with an action or a cycle to make each.

    Raises JobError: a key is unknown, missing or wrong, or nothing walks.
    """
    if table.peek("motions") == "auto":
        table.text("motions")
        return None, ()
    entries = table.tables("motions", instead='"auto" or a list of tables with `action`')
    if entries is None:
        return None, ()
    motions, cycles = [], []
    for entry in entries:
        if entry.one_of("action", "make") == "make":
            cycles.append(_parse_cycle(entry))
            continue
        is_rest, kind = entry.flag("rest"), entry.text("kind", ("cycle", "rest"))
        if is_rest and kind:
            raise entry.error("kind", "cannot stand beside `rest`; keep one of them")
        motion = MotionJob(
            action=entry.required_text("action"),
            group=entry.text("group") or MotionJob.group,
            reversed=entry.flag("reversed"),
            rest=is_rest or kind == "rest",
            kind=kind,
            speed=_parse_speed(entry),
            key_times=_parse_key_times(entry),
        )
        for key in ("speed", "key_times"):
            if motion.rest and getattr(motion, key):
                raise entry.error(key, "cannot stand beside `rest`; keep one of them")
        entry.finish()
        motions.append(motion)
    if all(motion.rest for motion in motions) and all(cycle.is_rest for cycle in cycles):
        raise table.error("motions", 'has no walk; add an action without `rest`, or use "auto"')
    return tuple(motions), tuple(cycles)


def _parse_speed(table: Table) -> float | None:
    """Read ``speed``, the native speed of a motion."""
    speed: float | None = table.setting(MOTION["speed"])
    if speed == 0.0:
        raise table.error("speed", "must be above 0 metres a second; leave it out to measure it")
    return speed


def _parse_key_times(table: Table) -> dict[str, ContactEdit]:
    """Read ``key_times``, tables with a leg and its times."""
    found: dict[str, ContactEdit] = {}
    instead = "a list of tables with `leg`, and `strike`, `stance` or `off`"
    for entry in table.tables("key_times", instead) or ():
        leg = entry.required_text("leg")
        times = [entry.setting(MOTION[name]) for name in ("stance", "strike", "off")]
        if leg in found:
            raise entry.error("leg", f'names "{leg}" for the second time; keep one of them')
        if times == [None] * 3:
            raise entry.error("leg", "has no times; give `strike`, `stance` or `off`")
        entry.finish()
        found[leg] = ContactEdit(*times)
    return found
