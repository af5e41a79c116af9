# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What hands have changed on a walk's keys, as offsets on every further walk (numpy only).

An offset of a rotation is a turn in the axes of what is turned, so that one of a foot stays the same
against its print wherever that lies. An offset of a place lies along what carries it, or along the axes
of what is moved where the walk does not turn what carries it (docs/method/keys.md, Edits).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray, step_cubic
from .limits import KEY_EDIT


@dataclass(frozen=True)
class KeyEdit:
    """Record of what was changed on one property over some frames that follow one another.

    Attributes
    ----------
    path
        Data path of the property from the character's object.
    first
        The first frame; a part of one for a key that was set between two frames.
    offsets
        Quaternions for rotations, shape (F, 4); else what is added to each component, shape (F, C).
    is_turn
        Whether they are rotations.
    is_own
        Whether added places are along the axes of what is moved.
    """

    path: str
    first: float
    offsets: FloatArray
    is_turn: bool
    is_own: bool = False

    def __post_init__(self) -> None:
        if self.offsets.ndim != 2 or not len(self.offsets):
            raise ValueError(f"offsets must have shape (F, C), got {self.offsets.shape}")
        if self.is_turn and self.offsets.shape[1] != 4:
            raise ValueError(f"turns must have shape (F, 4), got {self.offsets.shape}")

    @property
    def last(self) -> float:
        """The last frame."""
        return self.first + len(self.offsets) - 1

    @property
    def is_between(self) -> bool:
        """Whether it is a key between two frames, which changes nothing at these."""
        return self.first % 1.0 != 0.0

    @property
    def reach(self) -> tuple[float, float]:
        """The first and the last frame that it changes, with what it is eased over."""
        ease = 0.0 if self.is_between else KEY_EDIT.ease
        return self.first - ease, self.last + ease

    @property
    def key(self) -> tuple[str, int]:
        """What names it: its path and first whole frame."""
        return self.path, int(self.first)

    def overlaps(self, first: float, last: float) -> bool:
        """Whether it changes anything in a range of frames, with what it is eased over."""
        return self.reach[0] <= last and first <= self.reach[1]

    def spread(self, frames: FloatArray) -> FloatArray:
        """Its offsets at any frames (N,), shape (N, C): eased out over the frames beside its own."""
        frames = np.asarray(frames, dtype=np.float64)
        place = np.clip(frames - self.first, 0.0, len(self.offsets) - 1.0)
        low = np.minimum(place.astype(np.intp), max(len(self.offsets) - 2, 0))
        high = np.minimum(low + 1, len(self.offsets) - 1)
        share = place - low
        beyond = np.maximum(self.first - frames, frames - self.last)
        weights = step_cubic(1.0 - np.maximum(beyond, 0.0) / (KEY_EDIT.ease + 1.0))
        if self.is_between:
            weights = (beyond == 0.0).astype(np.float64)
        if self.is_turn:
            between = rot.slerp(self.offsets[low], self.offsets[high], share)
            return rot.slerp(np.broadcast_to(rot.IDENTITY, between.shape), between, weights)
        mixed = self.offsets[low] + (self.offsets[high] - self.offsets[low]) * share[:, None]
        return mixed * weights[:, None]


def find_changed(written: FloatArray, keys: FloatArray, frames: FloatArray) -> np.ndarray:
    """Frames at which keys of a curve were changed, and those between them.

    Where keys are far apart, one more of them changes all that is shown up to the next; what is meant are
    its own frame and those up to the next one that was changed too.

    Parameters
    ----------
    written, keys
        Frame and value of each key, as they were written and as they are now, shapes (J, 2), (K, 2).
    frames
        Whole frames to tell of, increasing, shape (N,).

    Returns
    -------
    array, shape (N,) of bool
        All of them where no key is as it was written.
    """
    was, now = (
        {(float(frame), float(value) + 0.0) for frame, value in np.asarray(rows, dtype=np.float32)}
        for rows in (written, keys)
    )
    inside = (float(frames[0]), float(frames[-1])) if len(frames) else (0.0, 0.0)
    same = np.array(sorted(f for f, _ in was & now if inside[0] <= f <= inside[1]))
    if not len(same):
        return np.ones(len(frames), dtype=bool)
    changed = np.unique(np.round([frame for frame, _ in was ^ now]))
    marked = np.isin(frames, changed)
    for first, last in itertools.pairwise(changed):
        if not np.any((same > first) & (same < last)):
            marked |= (frames >= first) & (frames <= last)
    return marked


def find_edits(
    path: str,
    frames: FloatArray,
    offsets: FloatArray,
    *,
    is_turn: bool,
    is_own: bool = False,
) -> list[KeyEdit]:
    """Edits of one property by what it differs from what was written.

    Parameters
    ----------
    frames
        Whole frames that were looked at, increasing, shape (N,).
    offsets
        Differences there as in `KeyEdit`, shape (N, C).
    is_turn, is_own
        As in `KeyEdit`.

    Returns
    -------
    list of KeyEdit
        Frames that are no farther from each other than edits are eased over are one edit.
    """
    size = rot.angles_between(rot.IDENTITY, offsets) if is_turn else np.abs(offsets).max(axis=-1)
    changed = np.flatnonzero(size > KEY_EDIT.least)
    if not len(changed):
        return []
    far = np.flatnonzero(np.diff(frames[changed]) > KEY_EDIT.ease + 1)
    firsts, lasts = changed[[0, *(far + 1)]], changed[[*far, len(changed) - 1]]
    found = []
    for first, last in zip(firsts, lasts, strict=True):
        whole = np.arange(frames[first], frames[last] + 1.0)
        if len(whole) == last - first + 1:
            inside = offsets[first : last + 1]
        else:
            # Between ranges that were looked at nothing is known to be changed.
            inside = np.zeros((len(whole), offsets.shape[1]))
            inside[:, 0] = float(is_turn)
            inside[np.searchsorted(whole, frames[first : last + 1])] = offsets[first : last + 1]
        place = float(frames[first])
        start = round(place) if place.is_integer() else place
        found.append(KeyEdit(path, start, inside, is_turn, is_own))
    return found


def add_edits(edits: Sequence[KeyEdit], added: Iterable[KeyEdit]) -> list[KeyEdit]:
    """Edits with later ones on top: those of one property that meet become one."""
    result = list(edits)
    for edit in added:
        meeting = [
            other
            for other in result
            if other.path == edit.path
            and other.overlaps(edit.first, edit.last)
            and not (other.is_between or edit.is_between)
        ]
        result = [other for other in result if other not in meeting]
        for other in meeting:
            edit = _join(other, edit)
        result.append(edit)
    return sorted(result, key=lambda edit: (edit.first, edit.path))


def _join(below: KeyEdit, above: KeyEdit) -> KeyEdit:
    """One edit that does what two do over the frames of both."""
    first, last = min(below.first, above.first), max(below.last, above.last)
    frames = np.arange(first, last + 1.0)
    parts = below.spread(frames), above.spread(frames)
    offsets = rot.multiply(*parts) if above.is_turn else parts[0] + parts[1]
    return replace(above, first=first, offsets=offsets)


def turn_values(rotations: FloatArray, frames: FloatArray, edits: Iterable[KeyEdit]) -> FloatArray:
    """Rotations (N, 4) at frames (N,) with edits of them on top."""
    for edit in edits:
        rotations = rot.multiply(rotations, edit.spread(frames))
    return rotations


def shift_values(
    values: FloatArray, frames: FloatArray, turns: FloatArray | None, edits: Iterable[KeyEdit]
) -> FloatArray:
    """Values (N, C) at frames (N,) with edits added; ``turns`` (N, 4) are those of what is moved."""
    for edit in edits:
        offsets = edit.spread(frames)
        if edit.is_own and turns is not None:
            offsets = rot.rotate(turns, offsets)
        values = values + offsets
    return values
