# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All keys of curves as arrays: read, thinned out, for objects (docs/method/keys.md, Keys in bulk)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence, Set
from dataclasses import dataclass, fields, replace
from itertools import pairwise

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..pose import BodyOffset, PoseArray
from ..rig.skeleton import Skeleton, compute_global_poses
from .limits import KEY_TABLES

# Blender's numbers of these choices, the same in all versions.
CONSTANT, LINEAR, BEZIER = 0, 1, 2
GENERATED = 5
_AUTO_CLAMPED = 4
# What new keys have already and need not be given.
NEW_KEY = {"handle_left_type": _AUTO_CLAMPED, "handle_right_type": _AUTO_CLAMPED, "easing": 0}
NEW_KEY |= dict.fromkeys(("back", "amplitude", "period"), 0)
# Handles of straight keys: a third of the way to the next key, as Blender draws them.
_HANDLE_SHARE = 1.0 / 3.0


@dataclass(frozen=True)
class KeyTable:
    """Keys of one curve in the order of their frames, K of them.

    Attributes
    ----------
    co, handle_left, handle_right
        Frame and value, float32, shape (K, 2).
    interpolation, handle_left_type, handle_right_type, type, easing
        Blender's numbers, uint8, shape (K,).
    back, amplitude, period
        How far eased keys swing, float32, shape (K,).
    """

    co: np.ndarray
    handle_left: np.ndarray
    handle_right: np.ndarray
    interpolation: np.ndarray
    handle_left_type: np.ndarray
    handle_right_type: np.ndarray
    type: np.ndarray
    easing: np.ndarray
    back: np.ndarray
    amplitude: np.ndarray
    period: np.ndarray

    def __len__(self) -> int:
        return len(self.co)

    @property
    def frames(self) -> np.ndarray:
        """Frames of the keys, shape (K,)."""
        return self.co[:, 0]

    def select(self, chosen: np.ndarray | slice) -> KeyTable:
        """The keys that a mask (K,), indices or a slice choose."""
        return KeyTable(*[getattr(self, name)[chosen] for name in FIELDS])

    def count_inside(self, span: tuple[float, float]) -> int:
        """Count how many keys lie in a range of frames, ends included."""
        return int(is_in_spans(self.frames, (span,)).sum())


FIELDS = tuple(field.name for field in fields(KeyTable))
POINTS = frozenset({"co", "handle_left", "handle_right"})
_SWINGS = ("back", "amplitude", "period")
# Name of each property, what its numbers are and how many each key has.
COLUMNS = tuple(
    (name, np.float32 if name in (*POINTS, *_SWINGS) else np.uint8, 2 if name in POINTS else 1)
    for name in FIELDS
)


def make_column(name: str, values: np.ndarray) -> np.ndarray:
    """Values of a property of keys as a column of a `KeyTable`, from a flat array."""
    if name in POINTS:
        return np.asarray(values, np.float32).reshape(-1, 2)
    return np.asarray(values, np.float32 if name in _SWINGS else np.uint8)


NO_KEYS = KeyTable(*(make_column(name, np.empty(0)) for name in FIELDS))
"""The table of a curve without keys, read only."""


def make_key_table(frames: np.ndarray, values: np.ndarray) -> KeyTable:
    """Straight generated keys at frames (N,) with values (N,)."""
    return make_key_tables(frames, np.asarray(values)[None])[0]


def make_key_tables(frames: np.ndarray, values: np.ndarray) -> list[KeyTable]:
    """Straight generated keys of several curves at frames (N,) with values (T, N)."""
    count = len(frames)
    co = np.empty((*values.shape, 2), dtype=np.float32)
    co[..., 0] = frames
    # A zero has no sign in keys: it would change from bake to bake where nothing else does.
    co[..., 1] = values.astype(np.float32) + np.float32(0.0)
    left, right = co.copy(), co.copy()
    if count > 1:
        thirds = (_HANDLE_SHARE * np.diff(co, axis=1)).astype(np.float32)
        left[:, 1:] -= thirds
        right[:, :-1] += thirds
        left[:, 0] -= thirds[:, 0]
        right[:, -1] += thirds[:, -1]
    kinds = [np.full(count, n, np.uint8) for n in (LINEAR, _AUTO_CLAMPED, GENERATED, 0)]
    swing = np.zeros(count, np.float32)
    shared = (kinds[0], kinds[1], kinds[1], kinds[2], kinds[3], swing, swing, swing)
    return [KeyTable(*points, *shared) for points in zip(co, left, right, strict=True)]


def join_key_tables(*tables: KeyTable) -> KeyTable:
    """Keys of several tables, sorted by frame."""
    tables = tuple(table for table in tables if len(table)) or tables[:1]
    if len(tables) == 1:
        return tables[0]
    if len(tables) == 2 and (place := _find_gap(*tables)) is not None:
        first, second = tables
        columns = [(getattr(first, name), getattr(second, name)) for name in FIELDS]
        return KeyTable(*(np.concatenate([a[:place], b, a[place:]]) for a, b in columns))
    joined = KeyTable(*(np.concatenate([getattr(t, name) for t in tables]) for name in FIELDS))
    if all(a.frames[-1] <= b.frames[0] for a, b in pairwise(tables)):
        return joined
    return joined.select(np.argsort(joined.frames, kind="stable"))


def _find_gap(table: KeyTable, other: KeyTable) -> int | None:
    """After how many keys of a table all of another come; None where the two alternate."""
    place = int(np.searchsorted(table.frames, other.frames[0], side="right"))
    fits = place == len(table) or table.frames[place] > other.frames[-1]
    return place if fits else None


def find_plain(table: KeyTable) -> np.ndarray:
    """Find which keys (K,) are generated straight ones, as those of walks, (K,) of bool."""
    kinds = [getattr(table, name) != value for name, value in NEW_KEY.items()]
    return ~np.any([table.interpolation != LINEAR, table.type != GENERATED, *kinds], axis=0)


def cut_off(table: KeyTable, first: float, last: float) -> tuple[KeyTable, KeyTable]:
    """Keys before a frame and those after another one, not copied."""
    before = int(np.searchsorted(table.frames, np.float32(first), side="left"))
    after = int(np.searchsorted(table.frames, np.float32(last), side="right"))
    return table.select(slice(0, before)), table.select(slice(after, None))


def keep_inside(table: KeyTable, *spans: tuple[float, float]) -> KeyTable:
    """Keys in any of some ranges of frames, ends included."""
    inside = is_in_spans(table.frames, spans)
    return table if inside.all() else _select_runs(table, inside)


def keep_outside(table: KeyTable, *spans: tuple[float, float]) -> KeyTable:
    """Keys out of all of some ranges of frames."""
    inside = is_in_spans(table.frames, spans)
    if inside.all():
        return NO_KEYS
    return _select_runs(table, ~inside) if inside.any() else table


def _select_runs(table: KeyTable, chosen: np.ndarray) -> KeyTable:
    """The keys that a mask (K,) chooses; those that follow one another are not copied."""
    rows = np.flatnonzero(chosen)
    if not len(rows):
        return NO_KEYS
    first, last = int(rows[0]), int(rows[-1])
    return table.select(slice(first, last + 1) if last - first < len(rows) else rows)


def is_in_spans(frames: np.ndarray, spans: Sequence[tuple[float, float]]) -> np.ndarray:
    """Find which frames (K,) lie in any of some ranges, ends included, shape (K,) of bool."""
    inside = np.zeros(len(frames), dtype=bool)
    for first, last in spans:
        if len(frames) and frames[0] >= first and frames[-1] <= last:
            return np.ones(len(frames), dtype=bool)
        inside |= (frames >= first - KEY_TABLES.range_end) & (frames <= last + KEY_TABLES.range_end)
    return inside


def hash_keys(table: KeyTable) -> str:
    """A short text that changes when a frame or value of a key does."""
    return hash_co(table.co)


def hash_co(keys: np.ndarray) -> str:
    """The same of frames and values, float32, shape (K, 2)."""
    return hashlib.blake2b(np.ascontiguousarray(keys).tobytes(), digest_size=8).hexdigest()


def is_as_hashed(points: np.ndarray, kept: str) -> bool:
    """Whether frames and values of keys (K, 2) are those that a hash was made of.

    The sign of zeros does not count where all zeros have the same: bakes of version 0.1.0 noted one that
    a curve, which was zero already, did not get.
    """
    if kept == hash_co(points):
        return True
    zeros = (points == 0.0) & np.array([False, True])
    signed = (np.where(zeros, np.float32(z), points) for z in (0.0, -0.0))
    return bool(zeros.any()) and any(kept == hash_co(other) for other in signed)


def choose_keys(frames: FloatArray, values: FloatArray, tolerances: FloatArray) -> np.ndarray:
    """Find which keys to keep, so that straight lines between them miss no value by more than allowed.

    Each round puts one key more into every stretch that misses, at its worst place, in all curves
    at once; stretches are halved or better in most rounds, so that few are needed.

    Parameters
    ----------
    frames
        Increasing, shape (N,), N >= 1.
    values
        C curves, shape (C, N).
    tolerances
        Largest error of each curve, in its own unit, shape (C,); 0 or less keeps all its keys.

    Returns
    -------
    array, shape (C, N) of bool
        First and last are kept always.
    """
    values = np.asarray(values, dtype=np.float64)
    count, length = values.shape
    if np.shape(frames) != (length,) or np.shape(tolerances) != (count,):
        raise ValueError(
            f"frames must have shape ({length},) and tolerances ({count},), got "
            f"{np.shape(frames)}, {np.shape(tolerances)}"
        )
    kept = np.zeros((count, length), dtype=bool)
    kept[:, [0, -1]] = True
    kept[np.asarray(tolerances) <= 0] = True
    open_rows = np.flatnonzero(~kept.all(axis=1))
    while len(open_rows):
        added = _find_worst(frames, values[open_rows], kept[open_rows], tolerances[open_rows])
        kept[open_rows] |= added
        open_rows = open_rows[added.any(axis=1)]
    return kept


def _find_worst(
    frames: FloatArray, values: FloatArray, kept: np.ndarray, tolerances: FloatArray
) -> np.ndarray:
    """The worst place of each stretch between kept keys that misses, shape (C, N) of bool."""
    count, length = values.shape
    places = np.arange(length)
    before = np.maximum.accumulate(np.where(kept, places, 0), axis=1)
    after = np.minimum.accumulate(np.where(kept, places, length - 1)[:, ::-1], axis=1)[:, ::-1]
    gaps = np.maximum(frames[after] - frames[before], 1e-12)
    shares = (frames[None] - frames[before]) / gaps
    low, high = (np.take_along_axis(values, ends, axis=1) for ends in (before, after))
    errors = np.abs(values - (low + shares * (high - low)))
    errors[kept] = 0.0
    starts = np.flatnonzero(kept)
    worst = np.maximum.reduceat(errors.ravel(), starts)
    stretch = np.cumsum(kept.ravel()) - 1
    missing = (errors > tolerances[:, None]).ravel() & (errors.ravel() >= worst[stretch])
    found = np.flatnonzero(missing)
    _, first = np.unique(stretch[found], return_index=True)
    added = np.zeros(count * length, dtype=bool)
    added[found[first]] = True
    return added.reshape(count, length)


# Rounding of orientations that turn about up alone.
_UPRIGHT = 1e-9


def set_root_upright(poses: PoseArray, skeleton: Skeleton, root: int) -> PoseArray:
    """Poses whose root bone turns by the heading alone, and whose other bones are where they were.

    Parameters
    ----------
    poses
        Local poses of all bones.
    root
        Index of the root bone; its head stays where it is.
    """
    turns, _ = compute_global_poses(skeleton, poses.rotations, poses.translations, poses.scales)
    shown = rot.multiply(poses.orientations, turns[:, root])
    rest = skeleton.rest_poses[0][root]
    turned = rot.multiply(shown, rot.conjugate(rest))
    wanted = rot.multiply(_find_headings(turned), rest)
    # What the root bone no longer turns, the bones on it do.
    left = rot.multiply(rot.conjugate(wanted), shown)
    rotations, translations = poses.rotations.copy(), poses.translations.copy()
    rotations[:, root] = rot.multiply(poses.rotations[:, root], rot.conjugate(left))
    rotated, moved = poses.rotated.copy(), poses.moved.copy()
    for bone in np.flatnonzero(skeleton.parents == root):
        rotations[:, bone] = rot.multiply(left, poses.rotations[:, bone])
        translations[:, bone] = rot.rotate(left, poses.translations[:, bone])
        rotated[bone] = moved[bone] = True
    return replace(
        poses, rotations=rotations, translations=translations, rotated=rotated, moved=moved
    )


def set_character_upright(
    poses: PoseArray, skeleton: Skeleton, body: int, unmoved: Set[int]
) -> PoseArray:
    """Poses whose character turns by the heading alone, with all that its walk poses where it was.

    The character stands under the bone that carries the hips, which keeps its place in character space.
    The bones above that stay as they are, and stand upright with the character.

    Parameters
    ----------
    poses
        Local poses of all B bones.
    body
        Index of the bone that carries the hips.
    unmoved
        Indices of bones that cannot be moved against their parents. Where one of them would have to be,
        the character tilts as before.
    """
    if not np.any(np.abs(poses.orientations[:, 1:3]) > _UPRIGHT):
        return poses
    above = set(skeleton.find_ancestors(body)[1:])
    played = poses.rotated | poses.moved | poses.scaled | poses.owned
    tops = [
        bone
        for bone, parent in enumerate(skeleton.parents.tolist())
        if bone not in above and (parent < 0 or parent in above)
    ]
    # What the walk does not pose follows others by constraints, or stands upright with the character.
    keyed = {body, *(b for b in tops if np.any(played[skeleton.find_descendants(b)]))}
    if unmoved & (keyed - {body}):
        return poses
    turns, heads = compute_global_poses(skeleton, poses.rotations, poses.translations, poses.scales)
    headings = _find_headings(poses.orientations)
    tilts = rot.multiply(rot.conjugate(headings), poses.orientations)
    carrier = heads[:, body]
    positions = poses.positions + rot.rotate(poses.orientations, carrier)
    positions = positions - rot.rotate(headings, carrier)
    rotations, translations = poses.rotations.copy(), poses.translations.copy()
    rotated, moved, offset = poses.rotated.copy(), poses.moved.copy(), poses.offset
    for bone in tops:
        parent = int(skeleton.parents[bone])
        tilted = rot.rotate(tilts, heads[:, bone] - carrier) + carrier - heads[:, bone]
        turn = tilts
        if parent >= 0:
            turn = rot.multiply(
                rot.conjugate(turns[:, parent]), rot.multiply(tilts, turns[:, parent])
            )
            tilted = rot.rotate(rot.conjugate(turns[:, parent]), tilted)
        rotations[:, bone] = rot.multiply(turn, rotations[:, bone])
        rotated[bone] |= bone in keyed
        if bone != body:
            # A body that is scaled carries its bones by as much.
            carriers = skeleton.find_ancestors(bone)[1:]
            sizes = np.prod(poses.scales[:, carriers].mean(axis=-1), axis=1)
            translations[:, bone] += tilted / sizes[:, None]
            moved[bone] |= bone in keyed
        elif offset is not None:
            # The motions are turned with the body, and it is offset as much against them.
            moves = rot.multiply(rot.multiply(turn, offset.rotations), rot.conjugate(turn))
            offset = BodyOffset(moves, rot.rotate(turn, offset.translations))
    return replace(
        poses,
        positions=positions,
        orientations=headings,
        rotations=rotations,
        translations=translations,
        rotated=rotated,
        moved=moved,
        offset=offset,
    )


def _find_headings(rotations: FloatArray) -> FloatArray:
    """The parts of rotations (N, 4) that turn about up, continuous over time, shape (N, 4)."""
    return rot.quaternions_from_yaws(np.unwrap(2.0 * np.arctan2(rotations[:, 3], rotations[:, 0])))
