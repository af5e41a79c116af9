# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake remembers on its action: what it wrote and what was there before."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import bpy

from .. import versions
from .curves import TRANSFORM_PROPERTIES
from .custom_keys import BAKE_KEY, BAKE_SOURCE_KEY

ChannelKey = tuple[str, int]
Marker = tuple[str, int]
# How the data paths of influences of constraints end.
INFLUENCE = ".influence"


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
        Hash of all keys of the curves that were copied and not written.
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

    def __post_init__(self) -> None:
        if not self.sections:
            object.__setattr__(self, "sections", (self.span,))

    def find_staying(self, section: tuple[float, float]) -> tuple[tuple[float, float], ...]:
        """Its sections that go on beside another one: all of a whole walk, else those apart from it."""
        if self.start is not None:
            return self.sections
        return tuple(s for s in self.sections if s[1] < section[0] or s[0] > section[1])

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
    """Whether a bake made the action."""
    return action is not None and BAKE_KEY in action


def has_written_keys(action: bpy.types.Action) -> bool:
    """Whether a bake wrote keys to its action, which is only prepared while a walk is shown live."""
    return str(action[BAKE_KEY]["written"]) != encode_channels({})


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
    }
    if record.previous is not None:
        action[BAKE_SOURCE_KEY] = record.previous
    elif BAKE_SOURCE_KEY in action:
        del action[BAKE_SOURCE_KEY]


def read_record(action: bpy.types.Action) -> BakeRecord:
    """The record of a bake action; KeyError for other actions."""
    kept = action[BAKE_KEY]
    first, last = kept["span"]
    previous = action.get(BAKE_SOURCE_KEY)
    return BakeRecord(
        span=(float(first), float(last)),
        output_to=str(kept["output_to"]),
        previous=previous if isinstance(previous, bpy.types.Action) else None,
        previous_slot=str(kept["previous_slot"]),
        previous_is_source=bool(kept["previous_is_source"]),
        written=decode_channels(kept["written"]),
        copied=decode_channels(kept["copied"]),
        values=decode_channels(kept["values"]),
        markers=tuple((name, frame) for name, frame in json.loads(kept.get("markers", "[]"))),
        # Bakes of version 0.1.0 do not tell, and began with their span.
        start=json.loads(kept.get("start", str(float(first)))),
        root_bone=str(kept.get("root_bone", "")),
        sections=tuple((float(a), float(b)) for a, b in json.loads(kept.get("sections", "[]"))),
        cleans=bool(kept.get("cleans", False)),
    )


def find_base_action(armature: bpy.types.Object) -> tuple[bpy.types.Action | None, str]:
    """The animation under any bake: the action before it, or the active one, and its slot."""
    action, slot = find_playing_action(armature)
    if action is not None and is_bake(action):
        record = read_record(action)
        return record.previous, record.previous_slot
    return action, slot


def find_playing_action(armature: bpy.types.Object) -> tuple[bpy.types.Action | None, str]:
    """The action of an object's bake, active or in a strip, else the active one, and its slot."""
    action, slot = versions.get_assigned_action(armature)
    if is_bake(action):
        return action, slot
    found = find_bake_strip(armature)
    if found is None:
        return action, slot
    return found[1].action, versions.get_strip_slot(found[1])


def find_bake_strip(
    armature: bpy.types.Object,
) -> tuple[bpy.types.NlaTrack, bpy.types.NlaStrip] | None:
    """The strip of the NLA that plays an object's bake, and its track; None where none does."""
    data = armature.animation_data
    for track in () if data is None else data.nla_tracks:
        for strip in track.strips:
            if is_bake(strip.action):
                return track, strip
    return None


def read_values_before(armature: bpy.types.Object) -> dict[ChannelKey, float]:
    """What the properties were that the bake or Live of an object keys; empty where it plays none."""
    action, _ = find_playing_action(armature)
    return read_record(action).values if action is not None and is_bake(action) else {}


def find_key_span(key: ChannelKey, span: tuple[float, float]) -> tuple[float, float]:
    """Frames in which a bake over a span may write keys of a curve.

    What is no transform, as influences of constraints and switches, has one more at either end, which
    gives it back beside the walk.
    """
    margin = 0.0 if key[0].rpartition(".")[2] in TRANSFORM_PROPERTIES else 1.0
    return span[0] - margin, span[1] + margin


def find_key_spans(
    key: ChannelKey, sections: Iterable[tuple[float, float]]
) -> list[tuple[float, float]]:
    """The same for each of some sections."""
    return [find_key_span(key, section) for section in sections]


def find_walk_start(armature: bpy.types.Object) -> int | None:
    """Frame at which the walk began that an object plays, as far as no range was asked for.

    None where none is baked or shown live, or where frames of a range alone are.
    """
    action, _ = find_playing_action(armature)
    if action is None or not is_bake(action):
        return None
    start = read_record(action).start
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


def decode_channels(text: str) -> dict[ChannelKey, Any]:
    """Inverse of `encode_channels`."""
    return dict(_decode_items(str(text)))


@lru_cache(maxsize=128)
def _decode_items(text: str) -> tuple[tuple[ChannelKey, Any], ...]:
    """Kept, since what a bake remembers is asked for at every turn."""
    return tuple(((path, index), value) for path, index, value in json.loads(text))
