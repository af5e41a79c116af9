# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The action of a character whose walk is shown live, and how everything is put back.

A live character plays an action of the extension's own, in which the curves of the shown channels
are muted; Blender would overwrite what is shown else. Where a bake is active, that is its action.
Otherwise it is a copy of the active one and goes away again. What has to be put back is kept on
the action itself, so that undo and files know it too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import bpy

from .. import versions
from ..values.bake_record import (
    BakeRecord,
    ChannelKey,
    belongs_to,
    encode_channels,
    find_bake_strip,
    find_playing_action,
    find_renamed,
    is_bake,
    read_record,
    write_record,
)
from ..values.components import write_component
from ..values.curve_records import hash_curve
from ..values.curves import split_bone_path
from ..values.custom_keys import LIVE_KEY
from ..values.key_tables import write_key_table
from ..values.nla import (
    drop_live_actions,
    list_strip_channels,
    make_live_action,
    remove_live_strips,
)
from ..values.renames import rename_keys
from ..values.schema import find_kept
from .actions import find_bake, make_action, make_own
from .composing import is_own_curve
from .computing import BakeKeys
from .live import LivePose, make_live_pose
from .options import BakeOptions
from .removal import remove_bake


def begin_live(armature: bpy.types.Object, keys: BakeKeys, options: BakeOptions) -> LivePose:
    """Make a character ready to be shown live, or take over another plan for one that is.

    Parameters
    ----------
    armature
        The character's object.
    keys
        What a bake would write now.
    options
        How it would be written.
    """
    action: bpy.types.Action = keys.active
    if keys.old is None:
        action = make_action(armature, keys, options)
    elif not belongs_to(armature, action):
        action = _take_own(armature, action, keys.active_slot)
    else:
        versions.name_slot(action, keys.active_slot, armature.name)
    slot, bag = versions.ensure_channelbag(action, armature)
    curves = {(c.data_path, c.array_index): c for c in bag.fcurves}
    # As they are before any of them is muted.
    hashes = {key: hash_curve(curve) for key, curve in curves.items()} if keys.old is None else {}
    muted, values = _read_live(action)
    unmuted = muted - set(keys.wanted)
    known = set() if keys.old is None else keys.old.written.keys()
    # What hands have muted stays so.
    left = {key for key in known & curves.keys() if curves[key].mute and key not in muted}
    muted = {key for key in keys.wanted if key in muted or (key in curves and not curves[key].mute)}
    # What ends it is there before anything is changed, for a failure on the way.
    if keys.old is not None:
        action[LIVE_KEY] = {
            "owner": armature.session_uid,
            "muted": encode_channels(dict.fromkeys(muted | unmuted, 1.0)),
            "values": encode_channels(keys.values | values),
        }
    for key in curves.keys() & (muted | unmuted):
        curves[key].mute = key in muted
    # Not ``keys.old``, of which a whole walk leaves out what it comes in place of: nothing is written.
    record = keys.record if keys.old is None else read_record(action)
    if keys.old is None:
        record = replace(record, copied=hashes, written={}, owner=armature.name)
    elif not keys.old.written:
        record = replace(
            record,
            span=keys.record.span,
            sections=keys.record.sections,
            start=keys.record.start,
        )
    for key, value in values.items():
        if key not in keys.wanted:
            write_component(armature, key, value)
    write_record(action, replace(record, values=keys.values | record.values))
    action[LIVE_KEY] = {
        "owner": armature.session_uid,
        "muted": encode_channels(dict.fromkeys(muted, 1.0)),
        "values": encode_channels(
            {key: values.get(key, value) for key, value in keys.values.items()}
        ),
    }
    is_in_strip = find_bake_strip(armature) is not None
    armature.locomotion.bake = action
    if not is_in_strip:
        versions.assign_action(armature, action, slot)
    _show_over_strips(armature, keys)
    return make_live_pose(armature, keys, curves, left)


def _show_over_strips(armature: bpy.types.Object, keys: BakeKeys) -> None:
    """Let a strip on top play what others would show of a walk: they overrule what is not keyed."""
    _drop_strips(armature)
    data = armature.animation_data
    played = list_strip_channels(data)
    over = {key: t for key, t in keys.tables.items() if split_bone_path(key[0]) in played}
    if not over:
        return
    action = make_live_action(f"{armature.name} Live")
    slot, bag = versions.ensure_channelbag(action, armature)
    for key, table in over.items():
        write_key_table(versions.add_curve(bag, *key, keys.wanted[key][0].group), table)
    track = data.nla_tracks.new(prev=data.nla_tracks[-1])
    track.name = action.name
    strip = track.strips.new(action.name, int(action.frame_range[0]), action)
    versions.assign_strip_slot(strip, slot)


def _drop_strips(armature: bpy.types.Object) -> None:
    """Take away what `_show_over_strips` made."""
    remove_live_strips(armature.animation_data)
    drop_live_actions()


def _take_own(armature: bpy.types.Object, action: bpy.types.Action, slot: str) -> bpy.types.Action:
    """A bake of its own, played where the object plays the one that it shares with another."""
    found = find_bake_strip(armature)
    own, own_slot = make_own(armature, action, slot, None)
    if found is not None:
        found[1].action = own
        versions.assign_strip_slot(found[1], own_slot)
    return own


def end_live(armature: bpy.types.Object) -> None:
    """Put back what `begin_live` changed; nothing where the character is not live."""
    _drop_strips(armature)
    action, slot = find_playing_action(armature)
    is_left = _find_owner(action) is None
    if is_left:
        # The user has chosen another action meanwhile, which stays.
        action = _find_left_action(armature)
        found = None if action is None else versions.find_slot(action, armature)
        slot = versions.NO_SLOT if found is None else found
    if action is None:
        return
    muted, values = _read_live(action)
    record = read_record(action)
    for curve in versions.get_curves(action, slot):
        if (curve.data_path, curve.array_index) in muted:
            curve.mute = False
    del action[LIVE_KEY]
    curves = versions.get_curves(action, slot)
    dropped = curves if is_left else [c for c in curves if not is_own_curve(c, record)]
    is_copy = not record.written and _are_copies(dropped, record)
    if is_copy and not is_left:
        remove_bake(armature)
        return
    if is_copy:
        bpy.data.actions.remove(action)
    for key, value in values.items():
        if is_left or key not in record.written:
            write_component(armature, key, value)
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})


def _are_copies(curves: Iterable[bpy.types.FCurve], record: BakeRecord) -> bool:
    """Whether curves of a bake are in the action before it too, so that nothing goes with them."""
    before = record.previous
    known = () if before is None else versions.get_curves(before, record.previous_slot)
    hashes = {(c.data_path, c.array_index): hash_curve(c) for c in known}
    return all(hashes.get((c.data_path, c.array_index)) == hash_curve(c) for c in curves)


def is_shown_live(armature: bpy.types.Object) -> bool:
    """Whether the active action of an object is prepared for showing this object's walk."""
    return _find_owner(find_bake(armature)) == armature.session_uid


def has_live_action(armature: bpy.types.Object) -> bool:
    """Whether the active action of an object was left prepared, by this object or another."""
    return _find_owner(find_bake(armature)) is not None


def is_copied_live(armature: bpy.types.Object) -> bool:
    """Whether an object plays a copy of an action that was prepared for another one to be shown live.

    Copies of live characters do: nothing moves them, and the curves of their walk are muted.
    """
    action, _ = versions.get_assigned_action(armature)
    owner = _find_owner(action)
    if owner is None or armature.library is not None:
        return False
    users = (item for item in bpy.data.objects if item.session_uid == owner)
    return owner != armature.session_uid and not any(_plays(item, action) for item in users)


def _plays(item: bpy.types.Object, action: bpy.types.Action) -> bool:
    """Whether an object plays an action."""
    return bool(versions.get_assigned_action(item)[0] == action)


def free_copy(armature: bpy.types.Object) -> None:
    """Let a copy of a live character play the walk that its action has, as a bake of its own."""
    armature.locomotion.bake = versions.get_assigned_action(armature)[0]
    armature.locomotion.is_live = armature.locomotion.auto_bake = False
    end_live(armature)


def _find_left_action(armature: bpy.types.Object) -> bpy.types.Action | None:
    """The action that was prepared for an object and that it does not play any more."""
    return next((a for a in bpy.data.actions if _find_owner(a) == armature.session_uid), None)


def _find_owner(action: bpy.types.Action | None) -> int | None:
    """Session number of the object for which an action was prepared; None where it was for none."""
    kept = find_kept(action, LIVE_KEY) if is_bake(action) else None
    return None if kept is None else kept["owner"]


def read_live_mutes(action: bpy.types.Action) -> set[ChannelKey]:
    """Curves of an action that are muted since its character is shown live."""
    return _read_live(action)[0]


def _read_live(action: bpy.types.Action) -> tuple[set[ChannelKey], dict[ChannelKey, float]]:
    """Curves that are muted, and values before Live, as kept on an action."""
    kept = find_kept(action, LIVE_KEY)
    if kept is None:
        return set(), {}
    renamed = find_renamed(action)
    return set(rename_keys(kept["muted"], renamed)), rename_keys(kept["values"], renamed)
