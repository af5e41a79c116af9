# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A baked walk is taken away again, and what was there before comes back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import bpy

from ...errors import BakeError
from .. import versions
from ..values.bake_record import (
    BakeRecord,
    ChannelKey,
    Marker,
    find_left_bake,
    find_playing_action,
    is_bake_of,
    list_sharing,
    read_left_values,
    read_record,
)
from ..values.bake_strips import KeptPlace, lift_bake
from ..values.components import write_component
from ..values.curve_records import CurveRecord
from ..values.curves import split_bone_path
from ..values.keeping import KeptActions, KeptComponents, KeptCurves, KeptMarkers
from .composing import Composition, is_own_curve
from .rollback import Write, commit_writes

# Where an object tells which bake is its own.
_POINTER = ("locomotion", "bake")


def remove_bake(armature: bpy.types.Object, more: Sequence[Write] = ()) -> bpy.types.Action | None:
    """Take a bake away and give back what was there before.

    What the animator has keyed in its action since is handed back to the action before, or to a copy
    of it where that is one of the walk's motions or linked: curves that the bake did not write, keys
    beside the walk on those that it did, and markers. Where the object plays another action by now,
    that one stays.

    Parameters
    ----------
    armature
        The character's object.
    more
        What else is to be written.

    Returns
    -------
    Action or None
        The action that the object plays then.

    Raises
    ------
    BakeError
        Where the object has no bake. After this and any other exception the file is as it was.
    """
    action, slot = find_playing_action(armature)
    is_left = not is_bake_of(armature, action)
    if is_left:
        action = find_left_bake(armature)
        slot = "" if action is None else versions.find_slot(action, armature) or ""
    if action is None:
        raise BakeError(f"{armature.name!r} has no baked walk to remove: select a baked character")
    remover = _Remover(armature, action, slot, is_left=is_left)
    active, _ = versions.get_assigned_action(armature)
    commit_writes([*remover.list_writes(), *more], remover.drop_rest)
    return active if is_left else remover.previous


def list_lost_bones(armature: bpy.types.Object) -> list[str]:
    """Names of bones that the bake of an object has posed and that are not to be found any more.

    Bones that were renamed are followed where their curves still have the keys of the bake.
    """
    action, _ = find_playing_action(armature)
    if not is_bake_of(armature, action):
        action = find_left_bake(armature)
    if action is None:
        return []
    bones = {split_bone_path(path)[0] for path, _ in read_record(action).values} - {""}
    return sorted(bone for bone in bones if bone not in armature.pose.bones)


class _Remover:
    """The writes by which one bake is taken away, and what they find.

    Parameters
    ----------
    armature
        The character's object.
    action, slot
        Its bake.
    is_left
        Whether it plays another action.
    """

    def __init__(
        self, armature: bpy.types.Object, action: bpy.types.Action, slot: str, *, is_left: bool
    ) -> None:
        self._armature, self._action, self._slot = armature, action, slot
        self._is_left = is_left
        self._emptied: bpy.types.NlaTrack | None = None
        self._copied: bpy.types.ID | None = None
        self._added_slot = versions.NO_SLOT
        self._record = record = read_record(action)
        self._values = read_left_values(armature, action) if is_left else record.values
        self.previous, self._previous_slot = record.previous, record.previous_slot
        self._given = _list_own(armature, action, slot, record)
        known = () if record.previous is None else record.previous.pose_markers
        here = {*record.markers, *((marker.name, marker.frame) for marker in known)}
        self._markers: list[Marker] = [
            (marker.name, marker.frame)
            for marker in action.pose_markers
            if (marker.name, marker.frame) not in here
        ]

    def list_writes(self) -> list[Write]:
        """All writes in their order; what is there before them is noted now."""
        armature = self._armature
        values = KeptComponents(armature, self._values)
        return [
            *(self._list_given() if self._given or self._markers else []),
            Write("place", self._lift, KeptPlace(armature, self.previous).put_back),
            Write("values", self._write_values, values.put_back),
            Write("copied pointer", self._forget_pointer, self._remember_pointer),
        ]

    def _list_given(self) -> list[Write]:
        """What is handed back; a new action before, or a copy of it, goes away as a whole."""
        curves: KeptCurves | None = None
        markers: KeptMarkers | None = None
        if self.previous is not None and not self._is_copied:
            markers = KeptMarkers(self.previous)
            bag = versions.get_channelbag(self.previous, self._previous_slot)
            if bag is not None:
                curves = KeptCurves(bag)
                existing = {(c.data_path, c.array_index): c for c in bag.fcurves}
                for key, own in self._given.items():
                    curves.keep(key, existing.get(key), len(own.keys))
        return [
            Write(
                "action before", self._open_previous, partial(self._close_previous, KeptActions())
            ),
            Write("handed back", self._hand_back, curves.put_back if curves else None),
            Write("markers", self._mark, markers.put_back if markers else None),
        ]

    def drop_rest(self) -> None:
        """Remove the track of the bake, and its action, or its part of that where others need it.

        Neither can be put back in its place: all that could fail is asked for before.
        """
        data, action = self._armature.animation_data, self._action
        is_shared = bool(list_sharing(self._armature, action))
        is_of_others = not is_shared and versions.has_other_curves(action, self._slot)
        is_unused = action.users == int(action.use_fake_user)
        if self._emptied is not None:
            data.nla_tracks.remove(self._emptied)
        if is_of_others:
            versions.remove_slot(action, self._slot)
        elif is_unused and not is_shared:
            bpy.data.actions.remove(action)

    @property
    def _is_idle(self) -> bool:
        """Whether the action before was played in none of its slots, so that it moved nothing."""
        before = self._record.previous
        return before is not None and self._record.previous_slot not in versions.list_slots(before)

    @property
    def _is_copied(self) -> bool:
        """Whether the action before must not be changed."""
        is_linked = self._record.previous is not None and self._record.previous.library is not None
        return self._record.previous_is_source or is_linked

    def _open_previous(self) -> None:
        """The action that takes what is handed back."""
        if self.previous is None or (self._is_copied and self._is_idle):
            # Of an action that was played in none of its slots nothing was to be seen.
            self.previous = bpy.data.actions.new(f"{self._armature.name} Action")
            self._previous_slot = versions.NO_SLOT
        elif self._is_idle:
            self._previous_slot = versions.add_slot(self.previous, self._armature)
            self._added_slot = self._previous_slot
        elif self._is_copied:
            self.previous = self.previous.copy()
            self._previous_slot = versions.keep_only_slot(
                self.previous, self._previous_slot, self._armature.name
            )
        if not self._previous_slot:
            self._previous_slot, _ = versions.ensure_channelbag(self.previous, self._armature)

    def _close_previous(self, kept: KeptActions) -> None:
        """Without what `_open_previous` made."""
        if self._added_slot and self._record.previous is not None:
            versions.remove_slot(self._record.previous, self._added_slot)
        kept.put_back()

    def _hand_back(self) -> None:
        """Curves of the animator."""
        self._previous_slot, bag = versions.ensure_channelbag(
            self.previous, self._armature, self._previous_slot
        )
        existing = {(c.data_path, c.array_index): c for c in bag.fcurves}
        for key, own in self._given.items():
            own.write(bag, *key, existing.get(key))

    def _mark(self) -> None:
        """Markers of the animator."""
        if self.previous is None:
            return
        for name, frame in self._markers:
            self.previous.pose_markers.new(name).frame = frame

    def _lift(self) -> None:
        """Let the object play the action before, or what it plays by now."""
        if not self._is_left:
            self._emptied = lift_bake(self._armature, self.previous, self._previous_slot)
        elif self.previous is not None:
            self.previous.use_fake_user = True
        self._armature.locomotion.bake = None

    def _write_values(self) -> None:
        """What the properties were before the first bake."""
        for key, value in self._values.items():
            write_component(self._armature, key, value)
        self._armature.update_tag()

    def _forget_pointer(self) -> None:
        """No user of the action that nobody sees."""
        self._copied = versions.forget_copied_pointer(self._armature, *_POINTER)

    def _remember_pointer(self) -> None:
        """The pointer that was forgotten, where there was one."""
        group, name = _POINTER
        if self._copied is not None:
            self._armature[group][name] = self._copied


def _list_own(
    armature: bpy.types.Object, action: bpy.types.Action, slot: str, record: BakeRecord
) -> dict[ChannelKey, CurveRecord]:
    """Curves of the animator in a bake's action, as they are without the walk."""
    composition = Composition(armature, (action, slot), record, (), record.span, record.values)
    found = {}
    for key in sorted(composition.curves.keys() | record.bases.keys()):
        curve = composition.curves.get(key)
        if key not in record.written:
            if curve is not None and is_own_curve(curve, record):
                found[key] = CurveRecord.read(curve)
            continue
        _, is_changed = composition.read_animator(key)
        free = composition.read_free(key) if is_changed or key in record.bases else None
        if free is not None:
            found[key] = free
    return found
