# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Solved poses written as keys.

A bake writes to an action of its own that starts as a copy of the active one. Everything is
computed into arrays first and written in one go, so a failure before that changes nothing, and one
in the writing is undone. Curves that have these keys already are left as they are. What the bake owns
is known by the keys it wrote: those changed by hand since then are found whatever their type.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Sequence
from dataclasses import dataclass, replace
from functools import partial

import bpy

from ...core.keys.edits import KeyEdit
from ...core.keys.eulers import EULER_ORDERS
from ...core.keys.tables import hash_co
from ...core.maths.rotations import FloatArray
from ...core.pose import PoseArray
from ...core.rig.skeleton import Skeleton
from .. import versions
from ..values.bake_record import (
    ChannelKey,
    Marker,
    belongs_to,
    find_left_bake,
    read_record,
    write_record,
)
from ..values.bake_strips import KeptPlace, place_bake
from ..values.components import write_component
from ..values.curve_modifiers import write_modifiers
from ..values.curve_records import hash_curve
from ..values.curves import split_bone_path
from ..values.custom_keys import BAKE_MARKS
from ..values.keeping import (
    KeptActions,
    KeptComponents,
    KeptCurves,
    KeptCustomProperties,
    KeptMarkers,
    KeptSelection,
)
from ..values.key_tables import has_keys, read_key_table, write_key_table
from ..values.written_keys import keep_written
from .actions import find_bake, find_free_name, make_action, make_own, replace_markers
from .checking import check_target
from .computing import BakeKeys, compute_keys
from .live_action import read_live_mutes
from .options import BakeOptions
from .rollback import Write, commit_writes

__all__ = [
    "BakeOptions",
    "BakedAction",
    "check_target",
    "commit_bake",
    "find_bake",
    "find_free_name",
    "make_action",
]


@dataclass(frozen=True)
class BakedAction:
    """What a bake wrote.

    Attributes
    ----------
    action
        The bake's action, which the object plays now.
    slot
        Identifier of its slot.
    curve_count, key_count
        Of the walk.
    changed_count
        How many of its curves did not have these keys before.
    edits
        What was changed by hand, and is on the keys of the walk.
    shown_span
        First and last frame on which modifiers and extrapolation of curves under the bake are kept as
        keys; None where there are none.
    left
        Curves of the walk that were deleted or muted by hand, or given modifiers, and stay so.
    """

    action: bpy.types.Action
    slot: str
    curve_count: int
    key_count: int
    changed_count: int
    edits: tuple[KeyEdit, ...]
    shown_span: tuple[float, float] | None
    left: tuple[ChannelKey, ...] = ()


def commit_bake(
    armature: bpy.types.Object,
    poses: PoseArray,
    skeleton: Skeleton,
    frames: FloatArray,
    options: BakeOptions | None = None,
    markers: Sequence[Marker] = (),
    after: Callable[[BakedAction], None] | None = None,
) -> BakedAction:
    """Write poses as keys of the object's bake action.

    Parameters
    ----------
    armature
        The character's object.
    poses
        Solved poses, N of them.
    skeleton
        Their bones, as read from the armature.
    frames
        Scene frames of the poses, increasing, shape (N,).
    options
        How to write them; None for the defaults.
    markers
        Name and frame of the markers to put on the action, in place of those of an earlier bake.

    after
        Called last with what was written, before anything is removed for good; where it fails, all is
        undone.

    Returns
    -------
    BakedAction

    Raises
    ------
    BakeError
        Where the object cannot take the keys. After this and any other exception the file is as it
        was.
    """
    options = BakeOptions() if options is None else options
    keys = compute_keys(armature, poses, skeleton, frames, options)
    # Everything is known; from here on the file changes.
    writer = BakeWriter(armature, keys, options, markers)
    done: list[BakedAction] = []

    def follow() -> None:
        """All that can fail comes before anything is removed for good."""
        done.append(writer.describe())
        if after is not None:
            after(done[0])

    commit_writes([*writer.list_writes(), Write("all else", follow)], writer.drop_rest)
    return done[0]


class BakeWriter:
    """The writes of one bake, or of what is left of it, and what they find.

    Parameters
    ----------
    armature
        The character's object.
    keys
        What to write.
    options
        How to write it.
    markers
        Name and frame of each marker to put on the action.
    """

    def __init__(
        self,
        armature: bpy.types.Object,
        keys: BakeKeys,
        options: BakeOptions,
        markers: Sequence[Marker] = (),
    ) -> None:
        self._armature, self._keys, self._options, self._markers = armature, keys, options, markers
        self._action: bpy.types.Action = keys.active
        self._slot = keys.active_slot
        self._bag: bpy.types.ActionChannelbag
        self._curves: dict[ChannelKey, bpy.types.FCurve] = {}
        self._kept: KeptCurves | None = None
        self._selection: KeptSelection | None = None
        self._emptied: bpy.types.NlaTrack | None = None
        self._freed = keys.freed
        self._changed = 0
        self._live: Collection[ChannelKey] = ()
        self._chosen: list[ChannelKey] = []

    def list_writes(self) -> list[Write]:
        """All writes in their order; what is there before them is noted now."""
        old, action, armature = self._keys.old, self._action, self._armature
        values = KeptComponents(armature, self._freed)
        is_own = old is not None and belongs_to(armature, action)
        if is_own:
            self._open_action(self._slot)
            self._kept = KeptCurves(self._bag)
            name, slot_name = action.name, versions.get_slot_name(action, self._slot)
            begin = [
                Write("name", self._write_name, partial(setattr, action, "name", name)),
                Write("slot name", self._name_slot, partial(self._name_slot, slot_name)),
            ]
        elif old is None:
            begin = [Write("new action", self._make_action, KeptActions().put_back)]
        else:
            begin = [
                Write("own action", self._copy_action, KeptActions().put_back),
                Write("slot name", self._name_slot),
            ]
        if old is not None:
            begin += [
                Write(
                    "freed curves", self._free_curves, self._kept.put_back if self._kept else None
                ),
                Write("freed values", self._free_values, values.put_back),
            ]
        # All else is undone with a new action.
        markers = KeptMarkers(action) if is_own else None
        record = KeptCustomProperties(action, BAKE_MARKS) if is_own else None
        return [
            *begin,
            Write("keys", self._write_keys),
            Write("markers", self._write_markers, markers.put_back if markers else None),
            Write("record", self._write_record, record.put_back if record else None),
            *_list_left_writes(armature, self._keys.values),
            Write("place", self._place_action, KeptPlace(armature).put_back),
            Write("selection", self._deselect, self._select),
        ]

    def drop_rest(self) -> None:
        """Drop what is left over beside the written walk.

        What is removed cannot be put back in its place: all that could fail is asked for before.
        """
        unused = [key for key, free in self._freed.items() if free is None]
        curves = [self._curves[key] for key in unused if key in self._curves]
        bag, data = self._bag, self._armature.animation_data
        for curve in curves:
            bag.fcurves.remove(curve)
        if self._emptied is not None:
            data.nla_tracks.remove(self._emptied)

    def describe(self) -> BakedAction:
        """What was written."""
        tables, section = self._keys.tables, self._keys.section
        count = sum(table.count_inside(section) for table in tables.values())
        return BakedAction(
            self._action,
            self._slot,
            len(tables),
            count,
            self._changed,
            self._keys.edits,
            self._keys.shown_span,
            (*sorted(self._keys.deleted), *self._chosen),
        )

    def _make_action(self) -> None:
        """A new action with the curves of the one that the object plays."""
        self._action = make_action(self._armature, self._keys, self._options)
        self._open_action(None)

    def _copy_action(self) -> None:
        """An action of its own for an object that shares another one's."""
        name = self._options.action_name
        self._action, slot = make_own(self._armature, self._action, self._slot, name)
        self._open_action(slot)

    def _open_action(self, slot: str | None) -> None:
        """The action's curves in a slot; None for the one named after the object."""
        self._slot, self._bag = versions.ensure_channelbag(self._action, self._armature, slot)
        self._curves = {(c.data_path, c.array_index): c for c in self._bag.fcurves}

    def _name_slot(self, name: str | None = None) -> None:
        """The slot's name, that of the object where none is told."""
        self._slot = versions.name_slot(self._action, self._slot, name or self._armature.name)

    def _deselect(self) -> None:
        """No key is selected where some are new."""
        if self._changed:
            self._selection = KeptSelection(self._action)
            versions.deselect_keys(self._action)

    def _select(self) -> None:
        """The keys that were selected."""
        if self._selection is not None:
            self._selection.put_back()

    def _write_name(self) -> None:
        """The name that was asked for."""
        name = self._options.action_name
        if name and self._action.name != name:
            self._action.name = name

    def _free_curves(self) -> None:
        """Give curves that are not written any more the keys that they have without the bake.

        Those that have none there show nothing until they are removed.
        """
        for key, free in self._freed.items():
            curve = self._curves.get(key)
            if free is not None:
                self._keep(key, len(free.keys))
                self._curves[key] = free.write(self._bag, *key, curve)
            elif curve is not None:
                self._keep(key, 0)
                curve.keyframe_points.clear()
                write_modifiers(curve, ())

    def _free_values(self) -> None:
        """Give the properties of freed curves the values from before all bakes."""
        values = {} if self._keys.old is None else self._keys.old.values
        for key in self._freed:
            if key in values:
                write_component(self._armature, key, values[key])

    def _write_keys(self) -> None:
        """The keys of the walk; curves that have them already are left as they are."""
        # Those that Live has muted are no choice of the user.
        self._live, self._chosen = read_live_mutes(self._action), []
        for key, table in self._keys.tables.items():
            curve = self._curves.get(key)
            is_same, stays = curve is not None and has_keys(curve, table), self._stays(key)
            if stays and curve is not None and self._is_chosen(key, curve):
                self._chosen.append(key)
            if curve is not None and is_same and (stays or _is_plain(curve)):
                continue
            found = read_key_table(curve)
            self._keep(key, len(table))
            if curve is None:
                group = self._keys.wanted[key][0].group
                curve = self._curves[key] = versions.add_curve(self._bag, *key, group)
            if not stays:
                curve.mute = curve.lock = False
                curve.extrapolation = "CONSTANT"
                write_modifiers(curve, ())
            if not is_same:
                write_key_table(curve, table, found)
                if key in self._keys.record.styles:
                    # Blender has the other handles follow those keys.
                    curve.update()
                self._changed += 1
        # Blender 4.2 does not see keys that are written in bulk.
        self._action.update_tag()

    def _is_chosen(self, key: ChannelKey, curve: bpy.types.FCurve) -> bool:
        """Whether hands have muted a curve or given it modifiers: it shows other than its keys."""
        is_muted = curve.mute and key not in self._live
        return is_muted or any(not modifier.mute for modifier in curve.modifiers)

    def _stays(self, key: ChannelKey) -> bool:
        """Whether a curve is of an earlier bake, so that what else hands chose for it stays."""
        old = self._keys.old
        return old is not None and key in old.written and self._options.keep_edits

    def _keep(self, key: ChannelKey, new_count: int) -> None:
        """Note a curve before it is changed, in an action that was there before."""
        if self._kept is not None:
            self._kept.keep(key, self._curves.get(key), new_count)

    def _write_markers(self) -> None:
        """Markers of this bake in place of those of an earlier one."""
        before = () if self._keys.old is None else self._keys.old.markers
        staying = self._find_staying_markers()
        gone = [marker for marker in before if marker not in staying]
        if self._options.cleans:
            # They are the contacts, wherever they were moved by hand or came from the motion before.
            names = {name for name, _ in (*before, *self._markers)}
            gone += [(m.name, m.frame) for m in self._action.pose_markers if m.name in names]
        replace_markers(self._action, gone, self._markers)

    def _find_staying_markers(self) -> tuple[Marker, ...]:
        """Markers of a walk that goes on around this section."""
        if self._keys.old is None or not self._keys.is_around:
            return ()
        section = self._keys.section
        gone = (section, *self._keys.old.find_replaced(section))
        return tuple(
            marker
            for marker in self._keys.old.markers
            if not any(first <= marker[1] <= last for first, last in gone)
        )

    def _write_record(self) -> None:
        """What the next bake and its removal have to know."""
        keys, old, freed = self._keys, self._keys.old, self._freed
        others = {k: c for c in self._bag.fcurves if (k := _name_curve(c)) not in keys.rows}
        if old is None:
            copied, values = {key: hash_curve(curve) for key, curve in others.items()}, keys.values
        else:
            # What was keyed since the first bake is the animator's.
            given = [k for k, free in freed.items() if free is not None and k in others]
            copied = {k: hash_curve(others[k]) for k in given if k not in keys.record.bases}
            copied |= {k: h for k, h in old.copied.items() if k in others and k not in freed}
            values = keys.values | old.values
        values = values | {key: value for key, value in keys.known.items() if key in values}
        record = replace(
            keys.record,
            written={key: hash_co(rows) for key, rows in keys.rows.items()},
            copied=copied,
            values=values,
            markers=(*self._find_staying_markers(), *self._markers),
            owner=self._armature.name,
            modes=self._read_modes(),
            bases={k: text for k, text in keys.record.bases.items() if k in keys.rows},
        )
        write_record(self._action, record)
        keep_written(self._action, keys.rows, keys.laid)

    def _read_modes(self) -> dict[str, str]:
        """Rotation modes of what is turned by Euler angles; empty names are the object's."""
        turned = {split_bone_path(path) for path, _ in self._keys.rows}
        bones = self._armature.pose.bones
        owners = {
            bone: bones.get(bone) if bone else self._armature
            for bone, name in turned
            if name == "rotation_euler"
        }
        modes = {bone: owner.rotation_mode for bone, owner in owners.items() if owner is not None}
        return {bone: mode for bone, mode in modes.items() if mode in EULER_ORDERS}

    def _place_action(self) -> None:
        """Let the object play the action."""
        in_strip = self._options.use_strip
        self._emptied = place_bake(self._armature, self._action, self._slot, in_strip=in_strip)


def _name_curve(curve: bpy.types.FCurve) -> ChannelKey:
    """Data path and index of a curve."""
    return curve.data_path, curve.array_index


def _is_plain(curve: bpy.types.FCurve) -> bool:
    """Whether a curve shows its keys and nothing else."""
    is_free = not (curve.mute or curve.lock or len(curve.modifiers))
    return bool(is_free and curve.extrapolation == "CONSTANT")


def _list_left_writes(armature: bpy.types.Object, keyed: Container[ChannelKey]) -> list[Write]:
    """What becomes of a bake that an object does not play any more, by what the next walk keys."""
    left = find_left_bake(armature)
    if left is None:
        return []
    fake = left.use_fake_user
    frozen = {k: v for k, v in read_record(left).values.items() if k not in keyed}
    values = KeptComponents(armature, frozen)

    def keep(is_kept: bool) -> None:
        """In the file, with all of its keys, for the user to choose."""
        left.use_fake_user = is_kept

    def free() -> None:
        """What it has left frozen, and the walk does not key."""
        for key, value in frozen.items():
            write_component(armature, key, value)

    return [
        Write("left bake", partial(keep, True), partial(keep, fake)),
        Write("left values", free, values.put_back),
    ]
