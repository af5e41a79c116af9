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
    find_playing_action,
    is_bake_of,
    read_record,
    write_record,
)
from ..values.bake_strips import KeptPlace, fit_bake_strip
from ..values.components import write_component
from ..values.custom_keys import BAKE_MARKS
from ..values.keeping import (
    KeptComponents,
    KeptCurves,
    KeptCustomProperties,
    KeptMarkers,
    KeptSelection,
)
from ..values.key_tables import KeyTable, hash_co, write_key_table
from ..values.written_keys import keep_written
from .actions import replace_markers
from .beside import open_under
from .composing import Composition
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
    remover = _SectionRemover(armature, action, bag, slot, record, section)
    commit_writes([*remover.list_writes(), *more], remover.drop_rest)


class _SectionRemover:
    """The writes by which a section is taken away, and what they find.

    Parameters
    ----------
    armature
        The character's object.
    action, bag, slot
        Its bake, with the curves of its slot.
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
        slot: str,
        record: BakeRecord,
        section: tuple[float, float],
    ) -> None:
        self._armature, self._action, self._bag = armature, action, bag
        self._record, self._section = record, section
        self._staying = tuple(other for other in record.sections if other != section)
        self._tables: dict[ChannelKey, KeyTable] = {}
        self._rows: dict[ChannelKey, np.ndarray] = {}
        self._laid: dict[ChannelKey, KeyTable] = {}
        with open_under(armature, record, section) as under:
            composition = Composition(
                armature, (action, slot), record, under, section, record.values
            )
            for key in record.written:
                table = composition.compose(key, self._staying)
                self._tables[key] = table
                self._rows[key], self._laid[key] = composition.remember(key, table, self._staying)
        self._curves = composition.curves
        changed = composition.list_changed()
        self._bases = record.bases | {key: one.encode() for key, one in changed.items()}

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
        record, sections = self._record, self._staying
        written = {key for key, table in self._tables.items() if len(table)}
        is_whole = record.start is not None and self._covers(record.start)
        write_record(
            self._action,
            replace(
                record,
                span=(sections[0][0], max(last for _, last in sections)),
                sections=sections,
                start=None if is_whole else record.start,
                written={k: hash_co(rows) for k, rows in self._rows.items() if k in written},
                markers=tuple(m for m in record.markers if not self._covers(m[1])),
                bases={key: text for key, text in self._bases.items() if key in written},
                edits=tuple(
                    edit
                    for edit in record.edits
                    if not (self._covers(edit.first) and self._covers(edit.last))
                ),
            ),
        )
        rows = {key: table for key, table in self._rows.items() if key in written}
        keep_written(self._action, rows, {key: self._laid[key] for key in rows})

    def _covers(self, frame: float) -> bool:
        """Whether a frame is in the section."""
        return self._section[0] <= frame <= self._section[1]
