# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions before footsteps go away that were set by hand."""

from __future__ import annotations

import bpy

from ...api.footstep_runs import list_own_steps
from ..targets import find_characters
from ..wording import count

_SHOWN_NAMES = 3


def describe_own_steps(context: bpy.types.Context) -> str:
    """Which footsteps of the chosen characters were set by hand; empty for none, or nobody to ask."""
    if bpy.app.background or context.window is None:
        return ""
    own = [item.name for armature in find_characters(context) for item in list_own_steps(armature)]
    if not own:
        return ""
    more = len(own) - _SHOWN_NAMES
    names = ", ".join(own[:_SHOWN_NAMES]) + (f" and {more} more" if more > 0 else "")
    return f"{count(len(own), 'footstep')} set by you will be removed: {names}"


def ask_removal(
    operator: bpy.types.Operator,
    context: bpy.types.Context,
    event: bpy.types.Event,
    text: str,
    confirm: str,
) -> set[str]:
    """Ask whether an operator shall run, with what it removes and the word on the button."""
    return context.window_manager.invoke_confirm(
        operator,
        event,
        title=operator.bl_label,
        message=text,
        confirm_text=confirm,
        icon="WARNING",
    )
