# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The new action of a conversion, and who plays it; the action that it was made from is not changed."""

from __future__ import annotations

from collections.abc import Mapping

import bpy

from ...core.maths.rotations import FloatArray
from .. import versions
from ..bake.actions import find_free_name
from ..values.custom_keys import (
    ANALYSIS_KEY,
    BAKE_KEY,
    BAKE_SOURCE_KEY,
    CORRECTION_KEY,
    EXPECTATION_KEY,
    LIVE_KEY,
    WRITTEN_KEY,
)
from .ranges import KeyRange, repeat_curves
from .trials import Channel, PlayedAction, write_channels

_OWN_KEYS = (
    ANALYSIS_KEY,
    BAKE_KEY,
    BAKE_SOURCE_KEY,
    CORRECTION_KEY,
    EXPECTATION_KEY,
    LIVE_KEY,
    WRITTEN_KEY,
)


def write_converted(
    played: PlayedAction,
    name: str,
    key_range: KeyRange,
    changes: Mapping[Channel, FloatArray],
) -> tuple[bpy.types.Action, str]:
    """A copy of an action with other keys on some channels.

    Parameters
    ----------
    played
        The action and whose it is.
    name
        Name of the copy; a number is added where it is taken.
    key_range
        Frames of the keys, N of them, and how they repeat.
    changes
        Values (N, C) by channel.

    Returns
    -------
    action, slot
        The new action and the identifier of its slot, which is named after the armature.
    """
    action = played.action.copy()
    action.name = find_free_name(name)
    slot = versions.keep_only_slot(action, played.slot, played.armature.name)
    for key in _OWN_KEYS:
        if key in action:
            del action[key]
    # It is no made cycle any more: that would be made again over the new keys.
    action.locomotion_cycle.gait = ""
    curves = write_channels(action, slot, played.armature, key_range.frames, changes)
    if key_range.repeat:
        repeat_curves(curves, key_range.repeat)
    versions.deselect_keys(action)
    return action, slot


def play_instead(
    armature: bpy.types.Object, old: PlayedAction, action: bpy.types.Action, slot: str
) -> bool:
    """Let an armature play an action wherever it plays another.

    Parameters
    ----------
    armature
        The armature object; other users of the old action keep that.
    old
        What it plays.
    action, slot
        What it shall play.

    Returns
    -------
    bool
        Whether it played the old one anywhere.
    """
    data = armature.animation_data
    if data is None:
        return False
    found = False
    if versions.get_assigned_action(armature) == (old.action, old.slot):
        versions.assign_action(armature, action, slot)
        found = True
    for strip in (strip for track in data.nla_tracks for strip in track.strips):
        if strip.action == old.action and versions.get_strip_slot(strip) == old.slot:
            ends = (strip.action_frame_start, strip.action_frame_end)
            strip.action = action
            versions.assign_strip_slot(strip, slot)
            strip.action_frame_start, strip.action_frame_end = ends
            found = True
    if found:
        armature.update_tag()
    return found
