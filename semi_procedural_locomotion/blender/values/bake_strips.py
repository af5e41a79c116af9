# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the action of a bake plays: as the object's active action, or in a strip of the NLA.

In a strip it leaves room above: a correction layer is an empty active action that is combined with
the walk, so that edits in it outlive every further bake.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import bpy

from ...errors import BakeError
from .. import versions
from .bake_record import find_bake_strip, find_playing_action, is_bake_of
from .custom_keys import CORRECTION_KEY, EXTRAPOLATION_KEY
from .key_tables import KeyTable, read_key_table, write_key_table
from .nla import plays_strips
from .schema import find_kept

_TRACK_NAME = "Walk"
# All of a strip that can be set, in an order in which nothing set before is changed again.
_STRIP_CHOICES = (
    "name",
    "use_sync_length",
    "use_auto_blend",
    "scale",
    "repeat",
    "action_frame_start",
    "action_frame_end",
    "frame_start_raw",
    "frame_end_raw",
    "extrapolation",
    "blend_type",
    "blend_in",
    "blend_out",
    "use_animated_influence",
    "use_animated_time",
    "use_animated_time_cyclic",
    "influence",
    "strip_time",
    "use_reverse",
    "select",
    "mute",
)


def is_correction(action: bpy.types.Action | None) -> bool:
    """Whether an action was made as a correction layer."""
    return find_kept(action, CORRECTION_KEY) is not None


def place_bake(
    armature: bpy.types.Object,
    action: bpy.types.Action,
    slot: str,
    *,
    in_strip: bool,
    is_section: bool = False,
) -> bpy.types.NlaTrack | None:
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
    is_section
        Whether other animation goes on beside it. Where that is in strips, the bake plays in its own
        frames alone, instead of holding its ends over them.

    Returns
    -------
    NlaTrack or None
        The track that held only the bake's strip, where that was taken away: it is empty now.
    """
    active, _ = versions.get_assigned_action(armature)
    found = find_bake_strip(armature)
    if not in_strip and not (found is not None and is_correction(active)):
        emptied = _take_strip(armature)
        armature.locomotion.bake = action
        versions.assign_action(armature, action, slot)
        _limit_action(armature, action, is_section=is_section)
        return emptied
    data = armature.animation_data_create()
    armature.locomotion.bake = action
    over_strips = is_section and plays_others(armature)
    if found is None:
        data.action = None
        tracks = data.nla_tracks
        track = tracks.new(prev=tracks[-1] if len(tracks) else None)
        track.name = _TRACK_NAME
        strip = track.strips.new(action.name, int(action.frame_range[0]), action)
        strip.use_sync_length = False
        versions.assign_strip_slot(strip, slot)
    else:
        _, strip = found
        if strip.action != action:
            strip.action = action
            versions.assign_strip_slot(strip, slot)
    _fit_strip(strip, action)
    if over_strips:
        strip.extrapolation = "NOTHING"
    armature.update_tag()
    return None


def plays_others(armature: bpy.types.Object) -> bool:
    """Whether strips play besides that of an object's bake."""
    data = armature.animation_data
    if data is None or not plays_strips(data):
        return False
    strips = [strip for track in data.nla_tracks for strip in track.strips]
    return any(not is_bake_of(armature, strip.action) for strip in strips)


def _limit_action(
    armature: bpy.types.Object, action: bpy.types.Action, *, is_section: bool
) -> None:
    """Let a bake that is the active action play in its own frames alone, or as others were before."""
    data = armature.animation_data
    if is_section and plays_others(armature):
        if EXTRAPOLATION_KEY not in action:
            action[EXTRAPOLATION_KEY] = data.action_extrapolation
        data.action_extrapolation = "NOTHING"
    elif (before := find_kept(action, EXTRAPOLATION_KEY)) is not None:
        data.action_extrapolation = before
        del action[EXTRAPOLATION_KEY]


class KeptPlace:
    """Where the bake of an object plays before `place_bake` or `lift_bake`, to be put back.

    Parameters
    ----------
    armature
        The object.
    previous
        The action from before its bake, which the lifting may keep for later.
    """

    def __init__(
        self, armature: bpy.types.Object, previous: bpy.types.Action | None = None
    ) -> None:
        self._armature = armature
        self._bake = armature.locomotion.bake
        self._active = versions.get_assigned_action(armature)
        kept = [action for action in (self._active[0], previous) if action is not None]
        self._fakes = [(action, action.use_fake_user) for action in kept]
        self._last_slot = versions.get_last_slot(armature)
        data = armature.animation_data
        self._has_data = data is not None
        self._extrapolation = "HOLD" if data is None else data.action_extrapolation
        self._tracks = [] if data is None else [track.as_pointer() for track in data.nla_tracks]
        found = find_bake_strip(armature)
        self._found = None
        if found is not None:
            track, strip = found
            number = list(track.strips).index(strip)
            self._found = track, number, len(track.strips), _KeptStrip.read(strip)

    def put_back(self) -> None:
        """Let the object play what it played, in the same strip."""
        self._armature.locomotion.bake = self._bake
        for action, is_fake in self._fakes:
            action.use_fake_user = is_fake
        data = self._armature.animation_data
        if data is None:
            return
        if not self._has_data:
            self._armature.animation_data_clear()
            return
        versions.assign_action(self._armature, *self._active)
        data.action_extrapolation = self._extrapolation
        versions.restore_last_slot(self._armature, self._last_slot)
        for track in [t for t in data.nla_tracks if t.as_pointer() not in self._tracks]:
            data.nla_tracks.remove(track)
        if self._found is not None:
            track, number, count, strip = self._found
            strip.write(track, number, count)
        self._armature.update_tag()


@dataclass(frozen=True)
class _KeptStrip:
    """A strip as it was.

    Attributes
    ----------
    action, slot
        What it plays.
    choices
        Its properties by name.
    curves
        Keys of its own animated properties, by their names.
    """

    action: bpy.types.Action
    slot: str
    choices: dict[str, Any]
    curves: dict[str, KeyTable]

    @classmethod
    def read(cls, strip: bpy.types.NlaStrip) -> _KeptStrip:
        """Note a strip."""
        return cls(
            strip.action,
            versions.get_strip_slot(strip),
            {name: getattr(strip, name) for name in _STRIP_CHOICES},
            {curve.data_path: read_key_table(curve) for curve in strip.fcurves},
        )

    def write(self, track: bpy.types.NlaTrack, number: int, count: int) -> None:
        """Make the strip that had a number among so many what it was, or again, in its track."""
        if len(track.strips) == count:
            strip = track.strips[number]
            if strip.action != self.action:
                strip.action = self.action
        else:
            strip = track.strips.new(self.action.name, int(self.action.frame_range[0]), self.action)
        versions.assign_strip_slot(strip, self.slot)
        for name, value in self.choices.items():
            setattr(strip, name, value)
        for path, keys in self.curves.items():
            write_key_table(strip.fcurves.find(path), keys)


def lift_bake(
    armature: bpy.types.Object, previous: bpy.types.Action | None, previous_slot: str
) -> bpy.types.NlaTrack | None:
    """Let an object play the action from before its bake; a correction layer is kept for later.

    Returns
    -------
    NlaTrack or None
        The track that held only the bake's strip: it is empty now.
    """
    active, _ = versions.get_assigned_action(armature)
    in_strip = find_bake_strip(armature) is not None
    bake, _ = find_playing_action(armature)
    if (before := find_kept(bake, EXTRAPOLATION_KEY)) is not None:
        armature.animation_data.action_extrapolation = before
    emptied = _take_strip(armature)
    if active is not None and is_correction(active):
        active.use_fake_user = True
        armature.animation_data.action_blend_type = str(active[CORRECTION_KEY])
    elif in_strip and active is not None:
        # The user's own since; the one before the bake is kept for the choice.
        if previous is not None:
            previous.use_fake_user = True
        return emptied
    versions.assign_action(armature, previous, previous_slot)
    return emptied


def can_take_correction(armature: bpy.types.Object) -> bool:
    """Whether an object plays a baked walk and no action over it."""
    active, _ = versions.get_assigned_action(armature)
    return is_bake_of(armature, active) or (
        active is None and find_bake_strip(armature) is not None
    )


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
    if active is not None and is_bake_of(armature, active):
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


def restore_blending(double: bpy.types.Object, armature: bpy.types.Object) -> None:
    """Let the action of a copy play as that of its object does without any correction layer."""
    active, _ = versions.get_assigned_action(armature)
    if active is not None and is_correction(active):
        double.animation_data.action_blend_type = str(active[CORRECTION_KEY])
    if (before := find_kept(active, EXTRAPOLATION_KEY)) is not None:
        double.animation_data.action_extrapolation = before


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


def fit_bake_strip(armature: bpy.types.Object) -> None:
    """Let the strip of a bake, where it plays in one, play all of its keys and no more."""
    found = find_bake_strip(armature)
    if found is not None:
        _fit_strip(found[1], found[1].action)


def remove_strip(armature: bpy.types.Object) -> None:
    """Take the strip of a bake away, with its track where that is empty then."""
    emptied = _take_strip(armature)
    if emptied is not None:
        armature.animation_data.nla_tracks.remove(emptied)


def _take_strip(armature: bpy.types.Object) -> bpy.types.NlaTrack | None:
    """Take the strip of a bake away; its track where that is empty then."""
    found = find_bake_strip(armature)
    if found is None:
        return None
    track, strip = found
    track.strips.remove(strip)
    return None if len(track.strips) else track
