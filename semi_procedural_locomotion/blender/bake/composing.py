# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a character plays: the animator's curves, walks over them, and what hands changed of both.

Bake, Remove, sections, Live and what a walk goes over from ask the same `Composition`
(docs/method/keys.md, Records).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

import bpy
import numpy as np

from ...core.keys.laying import (
    Run,
    find_cuts,
    is_same,
    lay_beside,
    lay_runs,
    list_runs,
    take_changes,
)
from ...core.keys.limits import KEY_TABLES
from ...core.keys.tables import (
    BEZIER,
    LINEAR,
    NO_KEYS,
    KeyTable,
    find_plain,
    is_in_spans,
    join_key_tables,
    keep_inside,
    keep_outside,
    make_key_table,
)
from ...core.maths.rotations import FloatArray
from .. import versions
from ..reading.leg_motions import goes_its_way
from ..values.bake_record import (
    BakeRecord,
    ChannelKey,
    find_renamed,
    is_property,
)
from ..values.components import read_component
from ..values.curve_modifiers import KeptModifier
from ..values.curve_records import AnimatorCurve, CurveRecord, is_curve_as_hashed
from ..values.curves import evaluate_curve, group_transform_curves, read_key_frames
from ..values.key_tables import read_key_table, read_shown_table, shows_more
from ..values.renames import rename_keys
from ..values.schema import LAST_FRAME
from ..values.written_keys import read_laid, read_written


def find_shown_span(
    under: Sequence[bpy.types.FCurve], section: tuple[float, float], scene: bpy.types.Scene
) -> tuple[float, float]:
    """Frames on which the animation beside a walk is kept as it is shown, modifiers and all.

    Those of the scene, of the action under the bake and of the walk, whichever are first and last.

    Parameters
    ----------
    under
        Curves of the animation under the bake.
    section
        First and last frame of the walk.
    scene
        Gives its frames.
    """
    spans = [section, (float(scene.frame_start), float(scene.frame_end))]
    keys = read_key_frames(under)
    if len(keys):
        spans.append((float(keys[0]), float(keys[-1])))
    if under and under[0].id_data.use_frame_range:
        spans.append(tuple(under[0].id_data.frame_range))
    # Keys may lie beyond the frames of any scene, and nobody sees what is there.
    return (
        max(min(first for first, _ in spans), -float(LAST_FRAME)),
        min(max(last for _, last in spans), float(LAST_FRAME)),
    )


def plays_beside(armature: bpy.types.Object, under: Sequence[bpy.types.FCurve]) -> bool:
    """Whether more than its walks moves a character about: what they leave goes on as it was then.

    Keys that move neither its legs, its hips nor the object do not: it stays where its walk has left it.

    Parameters
    ----------
    armature
        The character's object.
    under
        Curves of the animation under its bake.
    """
    return bool(group_transform_curves(under)) and goes_its_way(armature, under)


def index_curves(
    curves: Sequence[bpy.types.FCurve],
) -> dict[ChannelKey, bpy.types.FCurve]:
    """Curves by data path and index."""
    return {(curve.data_path, curve.array_index): curve for curve in curves}


def is_own_curve(curve: bpy.types.FCurve, record: BakeRecord) -> bool:
    """Whether a curve that a bake has not written was keyed or changed since its first bake."""
    key = (curve.data_path, curve.array_index)
    if key in record.written:
        return False
    kept = record.copied.get(key)
    return kept is None or not is_curve_as_hashed(curve, kept)


class Composition:
    """What an object plays, curve by curve, as it is found and as it will be.

    ``looked`` are the frames of the bake whose keys the walk replaces, ``written`` what its curves were
    given, ``turned`` the data paths of all rotations among them.

    Parameters
    ----------
    armature
        The character's object.
    playing
        The bake's action, else the one that the object plays, and its slot.
    record
        What the bake remembers; None where there is none yet.
    under
        Curves of the animation under it.
    section
        First and last frame of the walk that is added or taken away.
    values
        What properties were before all bakes; others are as they were.
    """

    def __init__(
        self,
        armature: bpy.types.Object,
        playing: tuple[bpy.types.Action | None, str],
        record: BakeRecord | None,
        under: Sequence[bpy.types.FCurve],
        section: tuple[float, float],
        values: Mapping[ChannelKey, float],
    ) -> None:
        self.armature, self.record, self.section, self._values = armature, record, section, values
        self.span = find_shown_span(under, section, bpy.context.scene)
        self._below, self._moved = index_curves(under), plays_beside(armature, under)
        self.curves: dict[ChannelKey, bpy.types.FCurve] = {}
        self.written: Mapping[ChannelKey, np.ndarray] = {}
        self.renamed: Mapping[str, str] = {}
        self._laid: Mapping[ChannelKey, KeyTable] = {}
        self._before: dict[ChannelKey, bpy.types.FCurve] = {}
        self._spans = () if record is None else record.sections
        self.looked = np.empty(0) if record is None else _list_looked(record, section)
        written = () if record is None else record.written
        self.turned = {path for path, _ in written if "rotation" in path.rpartition(".")[2]}
        self._tables: dict[ChannelKey, KeyTable] = {}
        self._read: dict[ChannelKey, tuple[AnimatorCurve, bool]] = {}
        if record is not None:
            self.curves = index_curves(versions.get_curves(*playing))
            self.renamed = renamed = find_renamed(playing[0])
            self.written = rename_keys(read_written(playing[0]), renamed)
            self._laid = rename_keys(read_laid(playing[0]), renamed)
            self._below = rename_keys(self._below, renamed)
            if record.previous is not None:
                own = versions.get_curves(record.previous, record.previous_slot)
                self._before = rename_keys(index_curves(own), renamed)

    def get_own(self, key: ChannelKey) -> float | None:
        """What a property is where nothing but walks moves it; None where these hold their ends."""
        if not self._moved:
            return None
        return self._values.get(key, read_component(self.armature, key))

    def read_table(self, key: ChannelKey) -> KeyTable:
        """All keys that a curve of the bake has now."""
        if key not in self._tables:
            self._tables[key] = read_key_table(self.curves.get(key))
        return self._tables[key]

    def compose(
        self, key: ChannelKey, sections: Sequence[tuple[float, float]], run: Run | None = None
    ) -> KeyTable:
        """Keys of a curve: those of the animator, and of walks over them.

        Parameters
        ----------
        key
            Data path and index of the curve.
        sections
            First and last frame of each walk that stays as it is.
        run
            One more walk.
        """
        walks = self._list_walks(key, sections)
        own, runs = self.get_own(key), walks if run is None else [*walks, run]
        spans = [*sections, *([] if run is None else [run.span])]
        animator, _ = self.read_animator(key)
        base, is_bare = self._read_base(key, animator, spans)
        return lay_runs(base, runs, own, is_bare=is_bare)

    def remember(
        self,
        key: ChannelKey,
        table: KeyTable,
        sections: Sequence[tuple[float, float]],
        section: tuple[float, float] | None = None,
    ) -> tuple[np.ndarray, KeyTable]:
        """What tells later which keys of a curve hands have changed.

        Parameters
        ----------
        key
            Data path and index of the curve.
        table
            All keys that it is given.
        sections
            First and last frame of each walk that stays as it is.
        section
            The same of the walk that is new.

        Returns
        -------
        rows
            Frames and values that walks write, float32, shape (K, 2).
        laid
            Keys beside walks, and those in them that are no plain straight ones.
        """
        staying, new = sections, () if section is None else (section,)
        outside, own = keep_outside(table, *staying, *new), keep_inside(table, *new)
        others = keep_outside(keep_inside(table, *staying), *new) if staying else NO_KEYS
        fresh = own
        if len(others):
            is_new = ~np.isin(others.frames, self.read_table(key).frames)
            fresh = join_key_tables(own, others.select(is_new))
        # Where other walks stay, hands may have changed keys: these are held against what was written.
        before = self.written.get(key, others.co)
        is_kept = is_in_spans(before[:, 0], staying) & ~is_in_spans(before[:, 0], new)
        rows = np.concatenate([fresh.co, before[is_kept]])
        kept = keep_outside(keep_inside(self.find_laid_inside(key), *staying), *new)
        laid = join_key_tables(outside, fresh.select(~find_plain(fresh)), kept)
        return rows[np.argsort(rows[:, 0], kind="stable")], laid

    def remember_as_found(self, key: ChannelKey) -> tuple[np.ndarray, KeyTable]:
        """The same, see `remember`, of a curve that stays as it is."""
        table = self.read_table(key)
        laid = self._find_laid(key, table, keep_outside(table, *self._spans))
        rows = self.written.get(key, table.co)
        rows = rows[is_in_spans(rows[:, 0], self._spans)]
        return rows, join_key_tables(laid, self.find_laid_inside(key))

    def find_laid_inside(self, key: ChannelKey) -> KeyTable:
        """Keys in walks that are written to be no plain straight ones."""
        if self.record is None or key not in self.record.written:
            return NO_KEYS
        if key in self._laid:
            return keep_inside(self._laid[key], *self._spans)
        # Bakes of earlier versions do not tell; the ends of walks may go on as curves beside them.
        table = keep_inside(self.read_table(key), *self._spans)
        is_end = np.abs(table.frames[:, None] - np.ravel(self._spans)) <= KEY_TABLES.range_end
        return table.select(is_end.any(axis=1) & ~find_plain(table))

    def read_free(self, key: ChannelKey) -> CurveRecord | None:
        """A curve as it is where the walk is gone; None where it is none."""
        animator, _ = self.read_animator(key)
        before = self._find_before(key)
        if animator.curve is not None or before is None:
            return animator.curve
        return CurveRecord.read(before)

    def list_changed(self) -> dict[ChannelKey, AnimatorCurve]:
        """Curves, of those that were asked for, on which hands changed something beside walks."""
        return {key: animator for key, (animator, is_changed) in self._read.items() if is_changed}

    def read_animator(self, key: ChannelKey) -> tuple[AnimatorCurve, bool]:
        """What the animator has on a channel, and whether that is more than was known."""
        if key not in self._read:
            self._read[key] = self._find_animator(key)
        return self._read[key]

    def _find_animator(self, key: ChannelKey) -> tuple[AnimatorCurve, bool]:
        """The same, read off the curve of the bake."""
        record, curve = self.record, self.curves.get(key)
        if record is None or key not in record.written:
            if record is None or curve is None:
                return AnimatorCurve(), False
            return AnimatorCurve(CurveRecord.read(curve)), is_own_curve(curve, record)
        kept = AnimatorCurve.decode(record.bases[key]) if key in record.bases else AnimatorCurve()
        if curve is None:
            return kept, False
        table, spans = self.read_table(key), self._spans
        found = keep_outside(table, *spans)
        laid = self._find_laid(key, table, found)
        animator = kept
        is_changed = not is_same(laid, found)
        if is_changed:
            base, is_bare = self._read_base(key, kept, spans)
            shown = _fill_eased(self.armature, _make_plain(table), spans)
            shown = lay_beside(base, shown, spans, self.get_own(key), is_bare=is_bare)
            free = self._take_keys(key, kept, laid, found, curve)
            animator = AnimatorCurve(free, shown, is_bare)
        inside = self._find_keys_inside(key, table)
        before = self._find_before(key)
        if not len(inside) or before is None:
            return animator, is_changed
        if animator.shown is None:
            # What is keyed in a walk shows nothing beside it.
            base, is_bare = self._read_base(key, animator, spans)
            animator = replace(animator, shown=base, is_bare=is_bare)
        free = animator.curve or CurveRecord.read(before)
        return replace(animator, curve=free.add_keys(inside)), True

    def _find_laid(self, key: ChannelKey, table: KeyTable, found: KeyTable) -> KeyTable:
        """Keys beside walks as they were written."""
        if key in self._laid:
            return keep_outside(self._laid[key], *self._spans)
        if key not in self.written:
            return found
        # Bakes of earlier versions tell frames and values alone.
        rows = self.written[key]
        rows = rows[~is_in_spans(rows[:, 0], self._spans)]
        gone = rows[~is_among(rows, table.co)]
        return join_key_tables(found.select(is_among(found.co, rows)), make_key_table(*gone.T))

    def _find_before(self, key: ChannelKey) -> bpy.types.FCurve | None:
        """The animator's curve in the action before; poses of the walk's own motions are none."""
        is_source = self.record is not None and self.record.previous_is_source
        return None if is_source and not is_property(key) else self._before.get(key)

    def _take_keys(
        self,
        key: ChannelKey,
        kept: AnimatorCurve,
        laid: KeyTable,
        found: KeyTable,
        curve: bpy.types.FCurve,
    ) -> CurveRecord | None:
        """The animator's curve with what hands changed of its keys beside walks."""
        before = self._find_before(key)
        free = kept.curve
        if free is None and before is not None:
            free = CurveRecord.read(before)
        added = found.select(~is_among(found.co, laid.co))
        if free is None:
            choices = replace(CurveRecord.read(curve), keys=added, modifiers=())
            return choices if len(added) else None
        if not free.choices["mute"] and free.is_simple:
            free = replace(free, keys=take_changes(free.keys, laid, found))
        # Those that were found before have their handles still, of which walks have cut some.
        return free.add_keys(added.select(~is_among(added.co, free.keys.co)))

    def _find_keys_inside(self, key: ChannelKey, table: KeyTable) -> KeyTable:
        """Keys that were set in the walk by hand on what the animation before keys, and is no transform.

        Poses are the walk's own, and changes of theirs lie on it. A property that an animator has keyed
        before, as a mood, is the animator's still, also where the walk's motions key it.
        """
        if not is_property(key) or key not in self.written or key not in self._before:
            return NO_KEYS
        inside = is_in_spans(table.frames, self._spans)
        return table.select(inside & ~is_among(table.co, self.written[key]))

    def _list_walks(self, key: ChannelKey, sections: Sequence[tuple[float, float]]) -> list[Run]:
        """The walks of some sections on a curve of their bake."""
        if self.record is None or key not in self.record.written:
            return []
        holding = find_holding(self.record, sections)
        table = self.read_table(key)
        return list_runs(table, sections, holding)

    def _read_base(
        self, key: ChannelKey, animator: AnimatorCurve, spans: Sequence[tuple[float, float]]
    ) -> tuple[KeyTable, bool]:
        """Keys that show alone what the animator's curve shows, and whether there is nothing else."""
        if animator.shown is not None:
            shown = _make_plain(animator.shown)
            return _fill_eased(self.armature, shown, spans), animator.is_bare
        record, base = animator.curve, NO_KEYS
        if record is None and key in self._below:
            record = CurveRecord.read(self._below[key])
        # What is muted shows what the property is, and its keys are the animator's still.
        if record is not None and not record.choices["mute"]:
            base = self._read_shown(record, spans)
        return base, self.get_own(key) is None and not len(base)

    def _read_shown(self, record: CurveRecord, spans: Sequence[tuple[float, float]]) -> KeyTable:
        """Keys of a curve, those that it shows by modifiers and beyond its ends among them."""
        if not record.is_simple:
            with _open_curve(self.armature, record) as curve:
                if shows_more(curve, self.span):
                    return read_shown_table(curve, self.span)
        return _fill_eased(self.armature, record, spans)


def _list_looked(record: BakeRecord, section: tuple[float, float]) -> FloatArray:
    """Whole frames of a bake whose keys another one replaces, increasing."""
    spans = list(record.find_replaced(section))
    spans += [
        (max(first, section[0]), min(last, section[1]))
        for first, last in record.find_staying(section)
    ]
    whole = [np.arange(np.ceil(first), np.floor(last) + 1.0) for first, last in spans]
    return np.unique(np.concatenate([*whole, np.empty(0)]))


def find_holding(record: BakeRecord, sections: Sequence[tuple[float, float]]) -> list[bool]:
    """Which sections are whole walks, whose ends hold."""
    start = record.start
    return [start is not None and first <= start <= last for first, last in sections]


def is_among(keys: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Which keys (K, 2) are among others (J, 2), to the last digit but the sign of zeros, (K,)."""
    # Two single numbers are looked up as one double one.
    pairs = [np.ascontiguousarray(k + np.float32(0.0), dtype=np.float32) for k in (keys, others)]
    first, second = (p.view(np.uint64).ravel() for p in pairs)
    return np.isin(first, second)


def evaluate_table(
    armature: bpy.types.Object,
    table: KeyTable,
    frames: FloatArray,
    modifiers: tuple[KeptModifier, ...],
) -> FloatArray:
    """What keys show under modifiers at frames, shape (N,)."""
    with _open_curve(armature, replace(_make_plain(table), modifiers=modifiers)) as curve:
        return evaluate_curve(curve, frames)


def _make_plain(table: KeyTable) -> CurveRecord:
    """A curve that shows some keys and nothing else."""
    return CurveRecord("", table, {"extrapolation": "CONSTANT", "mute": False}, ())


def _fill_eased(
    armature: bpy.types.Object, record: CurveRecord, spans: Sequence[tuple[float, float]]
) -> KeyTable:
    """Keys of a curve with one on every frame where it has to be cut and no formula tells its parts."""
    table, cuts = record.keys, find_cuts(spans)
    if not len(cuts) or len(table) < 2:
        return table
    is_eased = table.interpolation[:-1] > BEZIER
    is_cut = (table.frames[:-1, None] < cuts) & (cuts < table.frames[1:, None])
    rows = np.flatnonzero(is_eased & is_cut.any(axis=1))
    if not len(rows):
        return table
    ends = np.clip(table.frames, -LAST_FRAME, LAST_FRAME)
    frames = np.concatenate([np.arange(np.floor(ends[r]) + 1.0, ends[r + 1]) for r in rows])
    with _open_curve(armature, record) as curve:
        values = evaluate_curve(curve, frames)
    interpolation = table.interpolation.copy()
    interpolation[rows] = LINEAR
    table = replace(table, interpolation=interpolation)
    return join_key_tables(table, make_key_table(frames, values))


@contextmanager
def _open_curve(armature: bpy.types.Object, record: CurveRecord) -> Iterator[bpy.types.FCurve]:
    """A curve as it was noted, in an action of its own, while it is evaluated."""
    action = bpy.data.actions.new("Curve")
    try:
        _, bag = versions.ensure_channelbag(action, armature)
        yield record.write(bag, "location", 0)
    finally:
        bpy.data.actions.remove(action)
