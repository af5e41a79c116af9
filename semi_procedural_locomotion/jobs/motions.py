# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions that a job asks for (no bpy)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from ..core.contacts.edits import ContactEdit
from ..requests.settings.motions import GROUP, MOTION
from .cycles import CycleJob, parse_cycle
from .layers import WeightKeys, parse_weight
from .tables import Table


@dataclass(frozen=True)
class MotionJob:
    """One action to analyse.

    Attributes
    ----------
    action
        Name of the action.
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

    Parameters
    ----------
    table
        The character's table.
    names
        Groups that the motions are in.

    Raises
    ------
    JobError
        A key is unknown, missing or wrong, or no motion is in the group.
    """
    groups = []
    for entry in table.tables("groups", instead="a list of tables with `name` and `weight`") or ():
        name = entry.required_text("name")
        if name not in names:
            raise entry.error("name", f'"{name}" is the group of no motion; name that of one')
        keys = parse_weight(entry, GROUP["weight"])
        overrides = entry.flag("overrides")
        entry.finish()
        groups.append(GroupJob(name, keys, overrides))
    return tuple(groups)


def parse_motions(
    table: Table,
) -> tuple[tuple[MotionJob, ...] | None, tuple[CycleJob, ...]]:
    """Read ``motions``: "auto", or tables with an action or a cycle to make each.

    Raises
    ------
    JobError
        A key is unknown, missing or wrong, or nothing walks.
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
            cycles.append(parse_cycle(entry))
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
