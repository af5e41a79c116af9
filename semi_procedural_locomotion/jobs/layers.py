# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights over time, and the layers over a walk that a job asks for (no bpy)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..requests.settings.kinds import Setting
from ..requests.settings.layers import LAYER
from .tables import Table

WeightKeys = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class LayerJob:
    """An action that some bones follow over the walk.

    Attributes
    ----------
    action
        Name of the action.
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

    Raises
    ------
    JobError
        A key is unknown, missing or wrong.
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
        keys = parse_weight(entry, LAYER["weight"], default=1.0)
        action, name = entry.required_text("action"), entry.text("name") or ""
        entry.finish()
        layers.append(LayerJob(action, name, keys, bone, collection, values))
    return tuple(layers)


def parse_weight(table: Table, setting: Setting, default: float | None = None) -> WeightKeys:
    """Read ``weight``, a number or a list of [frame, weight] by rising frames.

    Parameters
    ----------
    table
        What has the key.
    setting
        What a weight may be.
    default
        Weight where there is no such key; None where it must be there.

    Raises
    ------
    JobError
        It is missing or wrong.
    """
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
