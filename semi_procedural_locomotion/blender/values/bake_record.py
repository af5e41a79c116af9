# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake remembers on its action: what it wrote and what was there before."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import bpy
import numpy as np

from ...core.keys.edits import KeyEdit
from ...core.keys.tables import hash_co, is_in_spans
from .. import versions
from .curves import TRANSFORM_PROPERTIES
from .custom_keys import BAKE_KEY, BAKE_SOURCE_KEY
from .renames import match_renamed, rename_keys, rename_path, sign_order
from .schema import find_kept
from .written_keys import read_written

ChannelKey = tuple[str, int]
Marker = tuple[str, int]
# How the data paths of influences of constraints end.
INFLUENCE = ".influence"
# What Blender calls the slot of actions from before slots, after two letters for what it animates.
_LEGACY_NAME, _PREFIX = "Legacy Slot", 2
# What was found for actions as they are, by their curves and what is kept of them.
_renamed: dict[tuple[int, str, str], dict[str, str]] = {}
_MOST_KNOWN = 64


@dataclass(frozen=True)
class BakeRecord:
    """The memory of one bake.

    Attributes
    ----------
    span
        First and last frame written.
    sections
        First and last frame of each stretch of walk in it, in order; between them other animation
        plays.
    output_to
        What carries the travel: ``"object"``, ``"bone"`` or ``"none"``.
    previous, previous_slot
        The action that was active before the first bake, and its slot.
    previous_is_source
        True where that action is one of the walk's motions, whose curves are never changed.
    written
        Hash of the keys written in ``span`` by data path and index.
    copied
        Hash of the curves that were copied by the first bake and not written since. All others that are
        not written are the animator's.
    values
        What the written properties were before the first bake.
    markers
        Name and frame of each marker that was put on the action.
    start
        Frame at which the last walk began for which no range was asked; None where there was none.
    root_bone
        The bone that carries the travel; empty where none does.
    cleans
        Whether it is the motion before it, cleaned, and no walk.
    owner
        Name of the object whose walk it is, as it was called then; None for bakes of earlier versions.
    modes
        Rotation modes of the bones that it turns by Euler angles, and of the object as an empty name.
    edits
        What was changed by hand on its keys.
    tolerance
        By how much keys that were left out may miss, metres and radians.
    dropped
        Sections that the next bake replaces wherever it is; not kept.
    bases
        What the animator has, as `AnimatorCurve` in text, on curves that the walk writes and that are
        no more as in the action before, by data path and index.
    styles
        How hands have keys of the walk joined: tables of keys as text, with handles from their keys.
    """

    span: tuple[float, float]
    output_to: str
    previous: bpy.types.Action | None
    previous_slot: str
    previous_is_source: bool
    written: dict[ChannelKey, str] = field(default_factory=dict)
    copied: dict[ChannelKey, str] = field(default_factory=dict)
    values: dict[ChannelKey, float] = field(default_factory=dict)
    markers: tuple[Marker, ...] = ()
    start: float | None = None
    root_bone: str = ""
    sections: tuple[tuple[float, float], ...] = ()
    cleans: bool = False
    owner: str | None = None
    bases: dict[ChannelKey, str] = field(default_factory=dict)
    styles: dict[ChannelKey, str] = field(default_factory=dict)
    modes: dict[str, str] = field(default_factory=dict)
    edits: tuple[KeyEdit, ...] = ()
    tolerance: float = 0.0
    dropped: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        if not self.sections:
            object.__setattr__(self, "sections", (self.span,))

    def open_whole(self) -> BakeRecord:
        """The same where another whole walk comes, which replaces this one and what it overlaps."""
        if self.start is None:
            return self
        whole = [s for s in self.sections if s[0] <= self.start <= s[1]] or self.sections[:1]
        return replace(self, start=None, dropped=tuple(whole))

    def find_staying(self, section: tuple[float, float]) -> tuple[tuple[float, float], ...]:
        """Its sections that go on beside another one: all of a whole walk, else those apart from it."""
        if self.start is not None:
            return self.sections
        apart = (s for s in self.sections if s[1] < section[0] or s[0] > section[1])
        return tuple(s for s in apart if s not in self.dropped)

    def find_replaced(self, section: tuple[float, float]) -> tuple[tuple[float, float], ...]:
        """Its sections in whose place another one comes."""
        staying = self.find_staying(section)
        return tuple(s for s in self.sections if s not in staying)


def join_sections(
    sections: Iterable[tuple[float, float]],
) -> tuple[tuple[float, float], ...]:
    """Sections in order, those that overlap as one."""
    joined: list[tuple[float, float]] = []
    for first, last in sorted(sections):
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return tuple(joined)


def is_bake(action: bpy.types.Action | None) -> bool:
    """Whether a bake made the action, or what it is a copy of."""
    return find_kept(action, BAKE_KEY) is not None


def is_bake_of(armature: bpy.types.Object, action: bpy.types.Action | None) -> bool:
    """Whether an action is the bake of an object.

    A copy of a bake is not, nor is the bake of another object that was chosen by hand: the object tells
    which is its own. Duplicated objects share theirs, see `belongs_to`.
    """
    kept = find_kept(action, BAKE_KEY)
    if kept is None:
        return False
    own = armature.locomotion.bake
    return bool(own == action if own is not None else "owner" not in kept)


def belongs_to(armature: bpy.types.Object, action: bpy.types.Action) -> bool:
    """Whether an object may change its bake: it is of this file, and no other has it, or a duplicate."""
    if action.library is not None:
        return False
    sharing = list_sharing(armature, action)
    return not sharing or find_kept(action, BAKE_KEY).get("owner") == armature.name


def list_sharing(armature: bpy.types.Object, action: bpy.types.Action) -> list[bpy.types.Object]:
    """Other objects that have the bake of an object, as duplicates do."""
    found = [o for o in bpy.data.objects if o.type == "ARMATURE" and o.locomotion.bake == action]
    return [item for item in found if item != armature]


def has_written_keys(action: bpy.types.Action) -> bool:
    """Whether a bake wrote keys to its action, which is only prepared while a walk is shown live."""
    return bool(find_kept(action, BAKE_KEY)["written"])


def write_record(action: bpy.types.Action, record: BakeRecord) -> None:
    """Keep a record on a bake action, in place of any there."""
    action[BAKE_KEY] = {
        "span": [float(record.span[0]), float(record.span[1])],
        "sections": json.dumps(record.sections),
        "output_to": record.output_to,
        "root_bone": record.root_bone,
        "previous_slot": record.previous_slot,
        "previous_is_source": record.previous_is_source,
        "written": encode_channels(record.written),
        "copied": encode_channels(record.copied),
        "values": encode_channels(record.values),
        "markers": json.dumps(record.markers),
        "start": json.dumps(record.start),
        "cleans": record.cleans,
        "owner": record.owner or "",
        "bases": encode_channels(record.bases),
        "styles": encode_channels(record.styles),
        "tolerance": record.tolerance,
        "modes": json.dumps(record.modes),
        "order": sign_order(
            curve
            for slot in versions.list_slots(action)
            for curve in versions.get_curves(action, slot)
        ),
        "edits": json.dumps([_plain_edit(edit) for edit in record.edits]),
    }
    if record.previous is not None:
        action[BAKE_SOURCE_KEY] = record.previous
    elif BAKE_SOURCE_KEY in action:
        del action[BAKE_SOURCE_KEY]


def read_record(action: bpy.types.Action) -> BakeRecord:
    """The record of a bake action, with its bones as they are called now; KeyError for other actions."""
    kept = find_kept(action, BAKE_KEY)
    if kept is None:
        raise KeyError(action.name)
    previous = action.get(BAKE_SOURCE_KEY)
    is_other = isinstance(previous, bpy.types.Action) and previous != action
    kept["previous"] = previous if is_other else None
    kept["previous_slot"] = _find_kept_slot(kept["previous"], kept["previous_slot"])
    kept.pop("order", None)
    # Bakes of version 0.1.0 do not tell, and began with their span.
    kept.setdefault("start", kept["span"][0])
    free, shown = kept.pop("taken", {}), kept.pop("beside", {})
    if "bases" not in kept:
        kept["written"] |= _hash_properties(action, kept.get("sections") or (kept["span"],))
        kept["bases"] = _join_bases(free, shown, is_bare=kept["previous"] is None)
    record = BakeRecord(**kept)
    renamed = find_renamed(action)
    return _rename_bones(record, renamed) if renamed else record


def _hash_properties(
    action: bpy.types.Action, sections: Sequence[tuple[float, float]]
) -> dict[ChannelKey, str]:
    """Hashes of the keys of what is no transform in the sections of a bake of an earlier version.

    Those gave it back by one more key beside each section, and hashed that too.
    """
    rows = {key: rows for key, rows in read_written(action).items() if is_property(key)}
    return {k: hash_co(r[is_in_spans(r[:, 0], sections)]) for k, r in rows.items()}


def _join_bases(
    free: Mapping[ChannelKey, str], shown: Mapping[ChannelKey, str], *, is_bare: bool
) -> dict[ChannelKey, str]:
    """What the animator has on curves of a walk, from what earlier versions kept apart.

    They kept what is given back and what is shown beside walks.
    """
    return {
        key: json.dumps([free.get(key), shown.get(key), key in shown and is_bare])
        for key in {**free, **shown}
    }


def find_renamed(action: bpy.types.Action) -> dict[str, str]:
    """Old and new names of the bones of a bake action that were renamed since it was written."""
    kept = find_kept(action, BAKE_KEY)
    if kept is None:
        return {}
    curves = [
        curve for slot in versions.list_slots(action) for curve in versions.get_curves(action, slot)
    ]
    order, written = sign_order(curves), kept["written"]
    if "order" in kept:
        is_known = kept["order"] == order
    else:
        # Bakes of earlier versions do not tell where a bone is called as another one was.
        names = {(curve.data_path, curve.array_index) for curve in curves}
        is_known = not written.keys() - names or not names - written.keys()
    if is_known:
        return {}
    asked = (action.session_uid, order, encode_channels(written))
    if asked not in _renamed:
        if len(_renamed) >= _MOST_KNOWN:
            _renamed.clear()
        users = [
            o for o in bpy.data.objects if o.type == "ARMATURE" and o.locomotion.bake == action
        ]
        present = {bone.name for user in users for bone in user.pose.bones}
        _renamed[asked] = match_renamed(curves, read_written(action), kept["copied"], present)
    return _renamed[asked]


def _rename_bones(record: BakeRecord, renamed: Mapping[str, str]) -> BakeRecord:
    """A record under the names that bones have now."""
    tables: dict[str, Any] = {
        name: rename_keys(getattr(record, name), renamed)
        for name in ("written", "copied", "values", "bases", "styles")
    }
    edits = tuple(replace(edit, path=rename_path(edit.path, renamed)) for edit in record.edits)
    root = renamed.get(record.root_bone, record.root_bone)
    modes = {renamed.get(bone, bone): mode for bone, mode in record.modes.items()}
    return replace(record, **tables, edits=edits, root_bone=root, modes=modes)


def _find_kept_slot(action: bpy.types.Action | None, slot: str) -> str:
    """The slot of an action that was noted, by what it is called now.

    Blender 4.2 and 4.3 have no slots. Later ones give the actions of their files one of a certain name,
    also where it had another before they were saved there.
    """
    slots = [] if action is None else versions.list_slots(action)
    if slot in slots:
        return slot
    legacy = [s for s in slots if s[_PREFIX:] == _LEGACY_NAME]
    # One that was noted is called otherwise by now. Where none was, the action played in none.
    renamed = slots if slot else []
    return next((found[0] for found in (legacy, renamed) if len(found) == 1), slot)


def _plain_edit(edit: KeyEdit) -> dict[str, Any]:
    """An edit as plain values."""
    return {**vars(edit), "offsets": edit.offsets.tolist()}


def find_base_action(armature: bpy.types.Object) -> tuple[bpy.types.Action | None, str]:
    """The animation under any bake: the action before it, or the active one, and its slot."""
    record = find_played_record(armature)
    if record is not None:
        return record.previous, record.previous_slot
    return find_playing_action(armature)


def find_played_record(armature: bpy.types.Object) -> BakeRecord | None:
    """What the bake that an object plays remembers; None where it plays none."""
    action, _ = find_playing_action(armature)
    return read_record(action) if action is not None and is_bake_of(armature, action) else None


def find_playing_action(armature: bpy.types.Object) -> tuple[bpy.types.Action | None, str]:
    """The action of an object's bake, active or in a strip, else the active one, and its slot."""
    action, slot = versions.get_assigned_action(armature)
    if is_bake_of(armature, action):
        return action, slot
    found = find_bake_strip(armature)
    if found is None:
        return action, slot
    return found[1].action, versions.get_strip_slot(found[1])


def find_left_bake(armature: bpy.types.Object) -> bpy.types.Action | None:
    """The bake of an object that plays another action by now; None where there is none."""
    playing, _ = find_playing_action(armature)
    own = armature.locomotion.bake
    if own is None:
        # Objects do not tell which bake of an earlier version was theirs.
        slots = ((a, versions.find_slot(a, armature)) for a in bpy.data.actions if is_bake(a))
        lost = (a for a, slot in slots if slot is not None and a.users == int(a.use_fake_user))
        own = next((a for a in lost if is_bake_of(armature, a)), None)
    return own if is_bake(own) and own != playing else None


def find_bake_strip(
    armature: bpy.types.Object,
) -> tuple[bpy.types.NlaTrack, bpy.types.NlaStrip] | None:
    """The strip of the NLA that plays an object's bake, and its track; None where none does."""
    data = armature.animation_data
    for track in () if data is None else data.nla_tracks:
        for strip in track.strips:
            if is_bake_of(armature, strip.action):
                return track, strip
    return None


def read_values_before(armature: bpy.types.Object) -> dict[ChannelKey, float]:
    """What the properties were that the bake or Live of an object keys; empty where it has none.

    A bake that the object does not play any more has left them as they are. One that was moved since
    then stands where it was moved to.
    """
    record = find_played_record(armature)
    if record is not None:
        return record.values
    action = find_left_bake(armature)
    return {} if action is None else read_left_values(armature, action)


def read_influence(constraint: bpy.types.Constraint, before: Mapping[ChannelKey, float]) -> float:
    """The influence of a bone's constraint without any bake, which keys it to 0 where it would overrule.

    Parameters
    ----------
    constraint
        The constraint.
    before
        What `read_values_before` gives of its object.
    """
    return before.get((constraint.path_from_id("influence"), 0), constraint.influence)


def read_left_values(armature: bpy.types.Object, bake: bpy.types.Action) -> dict[ChannelKey, float]:
    """What the properties were before a bake that an object does not play any more.

    Without its place where it was moved since then.
    """
    values = read_record(bake).values
    places = [key for key in values if key[0] in TRANSFORM_PROPERTIES]
    if not _was_moved(armature, bake, places):
        return values
    return {key: value for key, value in values.items() if key not in places}


def _was_moved(
    armature: bpy.types.Object, bake: bpy.types.Action, places: Sequence[ChannelKey]
) -> bool:
    """Whether channels of an object's own transform are at no frame what a bake has there."""
    curves = {
        (curve.data_path, curve.array_index): curve
        for slot in versions.list_slots(bake)
        for curve in versions.get_curves(bake, slot)
    }
    known = [key for key in places if key in curves]
    if not known:
        return False
    sections = read_record(bake).sections
    frames = np.concatenate([np.arange(np.floor(a), np.ceil(b) + 1.0) for a, b in sections])
    shown = np.array([[curves[key].evaluate(frame) for key in known] for frame in frames])
    now = np.array([getattr(armature, path)[index] for path, index in known])
    return not bool(np.any(np.all(np.isclose(shown, now, rtol=1e-5, atol=1e-5), axis=1)))


def is_property(key: ChannelKey) -> bool:
    """Whether a curve keys what is no transform."""
    return key[0].rpartition(".")[2] not in TRANSFORM_PROPERTIES


def find_walk_start(armature: bpy.types.Object) -> int | None:
    """Frame at which the walk began that an object plays, as far as no range was asked for.

    None where none is baked or shown live, or where frames of a range alone are.
    """
    record = find_played_record(armature)
    if record is None:
        return None
    start = record.start
    return None if start is None else round(start)


def find_section_start(armature: bpy.types.Object, first: int) -> int:
    """Frame at which a walk begins of which a range from a frame on is baked.

    That of the whole walk that an object plays, of which the range is a section then; else ``first``.
    """
    action, _ = find_playing_action(armature)
    began = find_walk_start(armature)
    if action is None or began is None or not has_written_keys(action):
        return first
    return min(first, began)


def encode_channels(table: Mapping[ChannelKey, str | float]) -> str:
    """A table as text: custom properties cannot hold names this long as keys."""
    return json.dumps([[path, index, value] for (path, index), value in table.items()])
