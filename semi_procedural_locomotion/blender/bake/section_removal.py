# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One section of a bake is taken away, and the others stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import bpy

from ...core.keys.tables import NO_KEYS, keep_outside
from ...errors import BakeError
from ..values.bake_record import (
    BakeRecord,
    belongs_to,
    find_bake_strip,
    find_playing_action,
    is_bake_of,
    read_record,
)
from ..values.curve_records import decode_keys, encode_keys
from .beside import open_under
from .composing import Composition
from .computing import BakeKeys
from .options import BakeOptions
from .removal import remove_bake
from .rollback import Write, commit_writes
from .writing import BakeWriter


def remove_section(
    armature: bpy.types.Object, section: tuple[float, float], more: Sequence[Write] = ()
) -> None:
    """Take one section of a bake away, and give back what was there before in its frames.

    Other sections and what is keyed between them stay. The last one takes the bake with it.

    Parameters
    ----------
    armature
        The character's object.
    section
        First and last frame.
    more
        What else is to be written; the bake's marks are put back with the rest where that fails.

    Raises
    ------
    BakeError
        The object plays no bake with such a section. After this and any other exception the file is as
        it was.
    """
    action, slot = find_playing_action(armature)
    if action is None or not is_bake_of(armature, action):
        raise BakeError(f"{armature.name!r} has no baked walk: select a baked character")
    record = read_record(action)
    if section not in record.sections:
        known = ", ".join(f"{first:.0f} to {last:.0f}" for first, last in record.sections)
        raise BakeError(
            f"{armature.name!r} has no section of frames {section[0]:.0f} to {section[1]:.0f}; it has: "
            f"{known}"
        )
    if len(record.sections) == 1:
        remove_bake(armature, more)
        return
    if action.library is not None:
        raise BakeError(
            f"{armature.name!r} plays a bake that is linked from another file: bake it first, for one of "
            "its own"
        )
    if not belongs_to(armature, action):
        raise BakeError(
            f"{armature.name!r} shares its bake with the character that it is a duplicate of: bake it "
            "first, for one of its own"
        )
    keys = _compute_rest(armature, action, slot, record, section)
    writer = BakeWriter(
        armature, keys, BakeOptions(use_strip=_is_in_strip(armature), keep_edits=True)
    )
    commit_writes([*writer.list_writes(), *more], writer.drop_rest)


def _is_in_strip(armature: bpy.types.Object) -> bool:
    """Whether the bake of an object plays in a strip."""
    return find_bake_strip(armature) is not None


def _compute_rest(
    armature: bpy.types.Object,
    action: bpy.types.Action,
    slot: str,
    record: BakeRecord,
    section: tuple[float, float],
) -> BakeKeys:
    """The keys of a bake without one of its sections; curves without any are not written any more."""
    first, last = section
    staying = tuple(other for other in record.sections if other != section)
    with open_under(armature, record, section) as under:
        playing = (action, slot)
        composition = Composition(armature, playing, record, under, section, record.values)
        present = record.written.keys() & composition.curves.keys()
        tables = {key: composition.compose(key, staying) for key in sorted(present)}
        tables = {key: table for key, table in tables.items() if len(table)}
        known = {key: composition.remember(key, table, staying) for key, table in tables.items()}
        # Curves that were deleted by hand stay so.
        known |= dict.fromkeys(record.written.keys() - present, (NO_KEYS.co, NO_KEYS))
        changed = {key: one.encode() for key, one in composition.list_changed().items()}
    styles = {k: keep_outside(decode_keys(text), section) for k, text in record.styles.items()}
    is_whole = record.start is not None and first <= record.start <= last
    rest = replace(
        record,
        span=(staying[0][0], max(end for _, end in staying)),
        sections=staying,
        start=None if is_whole else record.start,
        bases=record.bases | changed,
        styles={key: encode_keys(table) for key, table in styles.items() if len(table)},
        edits=tuple(e for e in record.edits if not (first <= e.first and e.last <= last)),
    )
    return BakeKeys(
        active=action,
        active_slot=slot,
        old=record,
        record=rest,
        edits=(),
        wanted={},
        tables=tables,
        values={},
        known={},
        section=section,
        is_around=True,
        shown_span=None,
        freed=dict.fromkeys(sorted(present - tables.keys())),
        rows={key: rows for key, (rows, _) in known.items()},
        laid={key: laid for key, (_, laid) in known.items()},
    )
