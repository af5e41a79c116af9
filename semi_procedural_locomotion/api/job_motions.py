# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions that a job names: its motions and its layers."""

from __future__ import annotations

import difflib

import bpy

from ..blender.setup.values import clear_entries
from ..errors import JobError
from ..jobs.reading import CharacterJob
from .characters import MotionChoice
from .layers import add_layer

# Names of actions that a message lists.
_MOST_NAMES = 12


def choose_motions(entry: CharacterJob) -> list[MotionChoice]:
    """A job's motions as choices of actions of the file."""
    choices = []
    for motion in entry.motions or ():
        action = _require_action(entry, motion.action)
        choices.append(
            MotionChoice(
                action,
                motion.group,
                motion.reversed,
                motion.rest,
                motion.speed,
                motion.key_times,
                motion.kind == "cycle",
            )
        )
    return choices


def _require_action(entry: CharacterJob, name: str) -> bpy.types.Action:
    """The action of that name.

    Raises
    ------
    JobError
        There is none.
    """
    action = _find_action(name)
    if action is not None:
        return action
    known = sorted(a.name for a in bpy.data.actions)
    near = difflib.get_close_matches(name, known, n=1)
    told = ", ".join(known[:_MOST_NAMES]) or "none"
    more = f" and {len(known) - _MOST_NAMES} more" if len(known) > _MOST_NAMES else ""
    cure = f"did you mean {near[0]!r}?" if near else f"it has: {told}{more}"
    raise JobError(f"{entry.file.name} has no action {name!r}; {cure}")


def _find_action(name: str) -> bpy.types.Action | None:
    """The action of that name, or the only one of that name behind an exporter's "Rig|"."""
    exact: bpy.types.Action | None = bpy.data.actions.get(name)
    if exact is not None:
        return exact
    similar = [action for action in bpy.data.actions if action.name.endswith(f"|{name}")]
    return similar[0] if len(similar) == 1 else None


def add_job_layers(entry: CharacterJob, armature: bpy.types.Object) -> None:
    """Give a character the layers of a job in the place of its own; without any it keeps these.

    Raises
    ------
    JobError
        An action is missing.
    SettingError
        A bone or bone collection is.
    """
    if entry.layers is not None:
        clear_entries(armature.locomotion, "layers")
    for layer in entry.layers or ():
        action = _require_action(entry, layer.action)
        names = (layer.name, layer.keys, layer.bone, layer.collection)
        add_layer(armature, action, *names, **layer.values)
