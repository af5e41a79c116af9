# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One section of a bake is taken away, and the others stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import bpy
import numpy as np

from ...errors import BakeError
from .. import versions
from ..values.bake_record import (
    BakeRecord,
    ChannelKey,
    belongs_to,
    find_key_spans,
    find_playing_action,
    is_bake_of,
    read_record,
    write_record,
)
from ..values.bake_strips import KeptPlace, fit_bake_strip
from ..values.components import write_component
from ..values.curve_records import encode_keys
from ..values.custom_keys import BAKE_MARKS
from ..values.keeping import (
    KeptComponents,
    KeptCurves,
    KeptCustomProperties,
    KeptMarkers,
    KeptSelection,
)
from ..values.key_tables import (
    KeyTable,
    is_in_spans,
    keep_outside,
    write_key_table,
)
from ..values.written_keys import keep_written, read_written
from .actions import replace_markers
from .around import find_base, find_shown_span, plays_beside
from .bases import list_walks
from .laying import lay_runs
from .own_keys import find_free_curve, find_own_keys, leave_own_out
from .recording import hash_written
from .removal import remove_bake
from .rollback import Write, commit_writes


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
    bag = versions.get_channelbag(action, slot)
    if bag is None:
        raise BakeError(f"the bake {action.name!r} has no keys: bake again")
    remover = _SectionRemover(armature, action, bag, record, section)
    commit_writes([*remover.list_writes(), *more], remover.drop_rest)


class _SectionRemover:
    """The writes by which a section is taken away, and what they find.

    Parameters
    ----------
    armature
        The character's object.
    action, bag
        Its bake and the curves of that.
    record
        What the bake remembers.
    section
        First and last frame.
    """

    def __init__(
        self,
        armature: bpy.types.Object,
        action: bpy.types.Action,
        bag: bpy.types.ActionChannelbag,
        record: BakeRecord,
        section: tuple[float, float],
    ) -> None:
        self._armature, self._action, self._bag = armature, action, bag
        self._record, self._section = record, section
        self._curves = {(c.data_path, c.array_index): c for c in bag.fcurves}
        written = read_written(action)
        below = {}
        if record.previous is not None and not record.previous_is_source:
            found = versions.get_curves(record.previous, record.previous_slot)
            below = {(c.data_path, c.array_index): c for c in found}
        staying = [other for other in record.sections if other != section]
        curves = [*below.values(), *self._curves.values()]
        shown = find_shown_span(curves, section, bpy.context.scene)
        moved = plays_beside(armature, list(below.values()))
        self._tables: dict[ChannelKey, KeyTable] = {}
        self._written: dict[ChannelKey, np.ndarray] = {}
        self._beside: dict[ChannelKey, str] = {}
        self._taken = dict(record.taken)
        for key in record.written:
            curve, spans = self._curves.get(key), find_key_spans(key, staying)
            own = find_own_keys(key, curve, record, written)
            value = record.values.get(key) if moved else None
            base = find_base(
                armature, key, curve, below.get(key), (record, written), shown, staying, value
            )
            walks = list_walks(key, curve, record, staying)
            table = lay_runs(base.keys, walks, value, is_bare=base.is_bare)
            self._tables[key] = table
            if base.is_changed:
                self._beside[key] = encode_keys(base.keys)
                free = find_free_curve(armature, key, curve, below.get(key), record, written)
                if free is not None:
                    self._taken[key] = free.encode()
            rows = leave_own_out(keep_outside(table, *spans), own)
            kept = written.get(key, table.co)
            rows = np.concatenate([rows, kept[is_in_spans(kept[:, 0], spans)]])
            self._written[key] = rows[np.argsort(rows[:, 0], kind="stable")]

    def list_writes(self) -> list[Write]:
        """All writes in their order; what is there before them is noted now."""
        armature, kept = self._armature, KeptCurves(self._bag)
        for key, table in self._tables.items():
            if key in self._curves:
                kept.keep(key, self._curves[key], len(table))
        marks = KeptCustomProperties(self._action, BAKE_MARKS)
        values = KeptComponents(armature, self._list_emptied())
        return [
            Write("keys", self._write_keys, kept.put_back),
            Write("strip", lambda: fit_bake_strip(armature), KeptPlace(armature).put_back),
            Write("markers", self._write_markers, KeptMarkers(self._action).put_back),
            Write("record", self._write_record, marks.put_back),
            Write("values", self._write_values, values.put_back),
            Write("selection", self._deselect, KeptSelection(self._action).put_back),
        ]

    def drop_rest(self) -> None:
        """Remove curves that have no keys any more, which cannot be put back in their place."""
        curves = [self._curves[key] for key in self._list_emptied()]
        for curve in curves:
            self._bag.fcurves.remove(curve)

    def _list_emptied(self) -> list[ChannelKey]:
        """Curves that have no keys any more."""
        return [key for key, t in self._tables.items() if not len(t) and key in self._curves]

    def _write_values(self) -> None:
        """What properties without curves were before the first bake."""
        for key in self._list_emptied():
            if key in self._record.values:
                write_component(self._armature, key, self._record.values[key])
        self._armature.update_tag()

    def _deselect(self) -> None:
        """No key is selected where some are new."""
        versions.deselect_keys(self._action)

    def _write_keys(self) -> None:
        """Keys without the section."""
        for key, table in self._tables.items():
            curve = self._curves.get(key)
            if curve is not None and not table.is_on(curve):
                write_key_table(curve, table)

    def _write_markers(self) -> None:
        """No markers of the section."""
        gone = [marker for marker in self._record.markers if self._covers(marker[1])]
        replace_markers(self._action, gone, ())

    def _write_record(self) -> None:
        """What is left."""
        record = self._record
        sections = tuple(s for s in record.sections if s != self._section)
        written = {key: rows for key, rows in self._written.items() if len(self._tables[key])}
        is_whole = record.start is not None and self._covers(record.start)
        write_record(
            self._action,
            replace(
                record,
                span=(sections[0][0], max(last for _, last in sections)),
                sections=sections,
                start=None if is_whole else record.start,
                written=hash_written(written, sections),
                markers=tuple(m for m in record.markers if not self._covers(m[1])),
                taken=self._taken,
                beside={key: text for key, text in self._beside.items() if key in written},
                edits=tuple(
                    edit
                    for edit in record.edits
                    if not (self._covers(edit.first) and self._covers(edit.last))
                ),
            ),
        )
        keep_written(self._action, written, self._bag.fcurves, sections)

    def _covers(self, frame: float) -> bool:
        """Whether a frame is in the section."""
        return self._section[0] <= frame <= self._section[1]
