# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the action of a bake plays: as the object's active action, or in a strip of the NLA.

In a strip it leaves room above: a correction layer is an empty active action that is combined with
the walk, so that edits in it outlive every further bake.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import bpy

from ...errors import BakeError
from .. import versions
from .bake_record import find_bake_strip, is_bake
from .custom_keys import CORRECTION_KEY

_TRACK_NAME = "Walk"


def is_correction(action: bpy.types.Action | None) -> bool:
    """Whether an action was made as a correction layer."""
    return action is not None and CORRECTION_KEY in action


def place_bake(
    armature: bpy.types.Object, action: bpy.types.Action, slot: str, *, in_strip: bool
) -> None:
    """Let an object play a bake's action.

    Parameters
    ----------
    armature
        The object.
    action, slot
        The bake's action and the identifier of its slot.
    in_strip
        Play it in a strip of its own, at the top of the NLA; else as the active action. Under a
        correction layer it stays in its strip in any case.
    """
    active, _ = versions.get_assigned_action(armature)
    found = find_bake_strip(armature)
    if not in_strip and not (found is not None and is_correction(active)):
        _remove_strip(armature)
        versions.assign_action(armature, action, slot)
        return
    if found is None:
        data = armature.animation_data_create()
        data.action = None
        tracks = data.nla_tracks
        track = tracks.new(prev=tracks[-1] if len(tracks) else None)
        track.name = _TRACK_NAME
        strip = track.strips.new(action.name, int(action.frame_range[0]), action)
        strip.use_sync_length = False
        versions.assign_strip_slot(strip, slot)
    else:
        _, strip = found
    _fit_strip(strip, action)
    armature.update_tag()


def lift_bake(
    armature: bpy.types.Object, previous: bpy.types.Action | None, previous_slot: str
) -> None:
    """Let an object play the action from before its bake; a correction layer is kept for later."""
    active, _ = versions.get_assigned_action(armature)
    in_strip = find_bake_strip(armature) is not None
    _remove_strip(armature)
    if active is not None and is_correction(active):
        active.use_fake_user = True
        armature.animation_data.action_blend_type = str(active[CORRECTION_KEY])
    elif in_strip and active is not None:
        # The user's own since; the one before the bake is kept for the choice.
        if previous is not None:
            previous.use_fake_user = True
        return
    versions.assign_action(armature, previous, previous_slot)


def can_take_correction(armature: bpy.types.Object) -> bool:
    """Whether an object plays a baked walk and no action over it."""
    active, _ = versions.get_assigned_action(armature)
    return is_bake(active) or (active is None and find_bake_strip(armature) is not None)


def add_correction_layer(armature: bpy.types.Object) -> bpy.types.Action:
    """Put the walk into a strip and an empty action, combined with it, on top.

    Returns
    -------
    Action
        The new active action.

    Raises
    ------
    BakeError
        No walk is baked, or an action is on top of it already.
    """
    active, slot = versions.get_assigned_action(armature)
    if active is not None and is_bake(active):
        place_bake(armature, active, slot, in_strip=True)
    elif find_bake_strip(armature) is None:
        raise BakeError(f"{armature.name!r} has no baked walk to correct: bake it first")
    elif active is not None:
        raise BakeError(
            f"{armature.name!r} plays {active.name!r} over its walk: key the corrections there"
        )
    layer = bpy.data.actions.new(f"{armature.name} Corrections")
    data = armature.animation_data
    layer[CORRECTION_KEY] = data.action_blend_type
    slot, _ = versions.ensure_channelbag(layer, armature)
    versions.assign_action(armature, layer, slot)
    data.action_blend_type = "COMBINE"
    return layer


@contextmanager
def strip_lifted(armature: bpy.types.Object) -> Iterator[None]:
    """The object without the strip of its bake, and without any correction layer; back after."""
    found = find_bake_strip(armature)
    data = armature.animation_data
    if found is None or data is None:
        yield
        return
    _, strip = found
    kept = strip.mute, data.action_blend_type
    strip.mute = True
    if is_correction(data.action):
        data.action_blend_type = str(data.action[CORRECTION_KEY])
    try:
        yield
    finally:
        strip.mute, data.action_blend_type = kept


def _fit_strip(strip: bpy.types.NlaStrip, action: bpy.types.Action) -> None:
    """Let a strip play all keys of its action at their own frames."""
    first, last = action.frame_range
    strip.scale, strip.repeat = 1.0, 1.0
    strip.action_frame_start, strip.action_frame_end = first, last
    strip.frame_start, strip.frame_end = first, last


def _remove_strip(armature: bpy.types.Object) -> None:
    """Take the strip of a bake away, with its track where that is empty then."""
    found = find_bake_strip(armature)
    if found is None:
        return
    track, strip = found
    track.strips.remove(strip)
    if not len(track.strips):
        armature.animation_data.nla_tracks.remove(track)
