# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a made cycle was made from, kept on its action as ``Action.locomotion_cycle``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

import bpy
from bpy.props import FloatProperty, PointerProperty, StringProperty

from ...core.gaits.fitting import GaitStyle
from ...requests.settings.motions import STYLE
from .. import versions
from ..values.bake_record import is_bake
from ..values.curves import fingerprint_curves
from .declaring import declare

# What makes a cycle again when one of its numbers changes; empty while the program writes them.
_listeners: list[Callable[[bpy.types.Context, bpy.types.Action], None]] = []


def _tell_change(cycle: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Tell the listener that a user has changed a number."""
    for listener in tuple(_listeners):
        listener(context, cycle.id_data)


class LOCOMOTION_PG_cycle(bpy.types.PropertyGroup):
    """Gait and style of a made cycle."""

    gait: StringProperty(name="Gait", description="Gait that the cycle was made as; empty for none")
    keys: StringProperty(
        name="Keys", description="Fingerprint of the made keys, to tell edits by hand"
    )
    frames: FloatProperty(name="Frames", description="Length of the cycle", min=0.0)
    message: StringProperty(name="Message", description="What had to be changed or went wrong")


LOCOMOTION_PG_cycle.__annotations__ |= {
    name: declare(setting, update=_tell_change) for name, setting in STYLE.items()
}


def read_style(values: Any) -> GaitStyle:  # noqa: ANN401 - a property group or an operator
    """The style that properties of these names hold."""
    return GaitStyle(**{field.name: getattr(values, field.name) for field in fields(GaitStyle)})


def write_cycle(
    action: bpy.types.Action, gait: str, style: GaitStyle, frames: float, slot: str
) -> None:
    """Keep on an action what its keys, as they are now, were made from, and how many frames long."""
    cycle = action.locomotion_cycle
    with _without_listeners():
        for field in fields(GaitStyle):
            setattr(cycle, field.name, getattr(style, field.name))
    cycle.gait, cycle.frames = gait, frames
    cycle.keys = fingerprint_curves(versions.get_curves(action, slot))


def is_made(action: bpy.types.Action | None) -> bool:
    """Whether an action was made as a cycle; never where the extension is not registered.

    A bake may have begun as a copy of a made cycle, but is none.
    """
    if action is None or is_bake(action):
        return False
    cycle = getattr(action, "locomotion_cycle", None)
    return cycle is not None and bool(cycle.gait)


def is_edited(action: bpy.types.Action, slot: str) -> bool:
    """Whether the keys of a made cycle were changed since."""
    kept = action.locomotion_cycle.keys
    return bool(kept != fingerprint_curves(versions.get_curves(action, slot)))


def find_made_frames(action: bpy.types.Action, animated: bpy.types.Object) -> float | None:
    """Frames of a made cycle whose keys are as they were made; None for other actions."""
    slot = versions.find_slot(action, animated) if is_made(action) else None
    if slot is None or is_edited(action, slot):
        return None
    return float(action.locomotion_cycle.frames) or None


def add_listener(listener: Callable[[bpy.types.Context, bpy.types.Action], None]) -> None:
    """Have a function called when a user changes a number of a made cycle."""
    _listeners.append(listener)


def remove_listener(listener: Callable[[bpy.types.Context, bpy.types.Action], None]) -> None:
    """Call it no more."""
    _listeners.remove(listener)


@contextmanager
def _without_listeners() -> Iterator[None]:
    """Let nobody hear of changes."""
    kept, _listeners[:] = list(_listeners), []
    try:
        yield
    finally:
        _listeners[:] = kept


def register() -> None:
    """Add the properties to Blender's actions."""
    bpy.utils.register_class(LOCOMOTION_PG_cycle)
    bpy.types.Action.locomotion_cycle = PointerProperty(type=LOCOMOTION_PG_cycle)


def unregister() -> None:
    """Take them away; what files hold stays in the files."""
    del bpy.types.Action.locomotion_cycle
    bpy.utils.unregister_class(LOCOMOTION_PG_cycle)
