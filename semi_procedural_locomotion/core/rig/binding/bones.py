# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones as a mesh sees them: segments, limbs, and which of them may move the same flesh (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...maths.rotations import FloatArray, lengths
from .limits import BINDING


@dataclass(frozen=True)
class BindBones:
    """Deforming bones at rest.

    Attributes
    ----------
    names
        Length B.
    parents
        The nearest deforming bone above or -1, shape (B,), parents first.
    heads, tails
        Ends of the segments, metres, shape (B, 3).
    """

    names: tuple[str, ...]
    parents: NDArray[np.intp]
    heads: FloatArray
    tails: FloatArray

    def __len__(self) -> int:
        return len(self.names)

    @property
    def extent(self) -> float:
        """Largest extent of the bones along an axis, metres."""
        ends = np.concatenate([self.heads, self.tails])
        return float(np.ptp(ends, axis=0).max(initial=0.0)) if len(ends) else 0.0

    @cached_property
    def steps(self) -> NDArray[np.int64]:
        """Bones from each to each above or below it along the tree, -1 where neither is; (B, B)."""
        count = len(self)
        found = np.full((count, count), -1)
        for bone in range(count):
            above, away = bone, 0
            while above >= 0:
                found[bone, above] = found[above, bone] = away
                above, away = int(self.parents[above]), away + 1
        return found

    @cached_property
    def kin(self) -> NDArray[np.bool_]:
        """Whether a vertex of one bone may follow another (docs/method/binding.md, Limbs); (B, B)."""
        return (self.steps >= 0) & (self.steps <= BINDING.near_kin)

    @cached_property
    def limbs(self) -> NDArray[np.intp]:
        """Number of the limb that each bone is of: chains between branchings, shape (B,)."""
        children = np.bincount(self.parents[self.parents >= 0], minlength=len(self))
        found: NDArray[np.intp] = np.zeros(len(self), dtype=np.intp)
        count = 0
        for bone, parent in enumerate(self.parents):
            if parent >= 0 and children[parent] == 1:
                found[bone] = found[parent]
            else:
                found[bone], count = count, count + 1
        return found

    @cached_property
    def joined_limbs(self) -> NDArray[np.bool_]:
        """Whether a bone of one limb is the parent of one of another, or both are one; (M, M)."""
        limbs = self.limbs
        count = int(limbs.max(initial=-1)) + 1
        found = np.eye(count, dtype=bool)
        below = np.flatnonzero(self.parents >= 0)
        above = self.parents[below]
        found[limbs[below], limbs[above]] = found[limbs[above], limbs[below]] = True
        return found


def make_bind_bones(
    names: tuple[str, ...], parents: NDArray[np.intp], heads: FloatArray, tails: FloatArray
) -> BindBones:
    """Bones with segments that end at the next joint, and with joints that bones leave to constraints.

    Parameters are those of `BindBones`. A bone with one child ends where that begins, since importers
    guess tails; one that hangs from a bone it does not touch follows the one at whose end it begins.
    """
    bones = BindBones(names, parents, heads, tails)
    near = BINDING.joined * bones.extent
    ends = tails.copy()
    for bone in range(len(bones)):
        children = np.flatnonzero(parents == bone)
        if len(children) == 1 and lengths(heads[children[0]] - heads[bone]) > near:
            ends[bone] = heads[children[0]]
    joined = parents.copy()
    for bone in range(len(bones)):
        parent = parents[bone]
        if parent >= 0:
            touches = _measure_apart(heads[bone], heads[parent], ends[parent]) <= near
            siblings = np.sum(parents == parent) > 1
            if touches or not siblings:
                continue
        away = lengths(tails - heads[bone])
        below = _find_below(parents, bone)
        away[below] = np.inf
        other = int(np.argmin(away))
        if away[other] <= near:
            joined[bone] = other
    return _sort(BindBones(names, joined, heads, ends))


def _measure_apart(point: FloatArray, head: FloatArray, tail: FloatArray) -> float:
    """Distance of a point from a segment, each (3,), metres."""
    along = tail - head
    share = np.clip((point - head) @ along / max(float(along @ along), 1e-300), 0.0, 1.0)
    return float(lengths(point - head - share * along))


def _find_below(parents: NDArray[np.intp], bone: int) -> list[int]:
    """A bone and all below it."""
    found = [bone]
    for other in range(bone + 1, len(parents)):
        if parents[other] in found:
            found.append(other)
    return found


def _sort(bones: BindBones) -> BindBones:
    """The same bones, parents first."""
    depths = [int(np.sum(row >= 0)) if len(row) else 0 for row in _list_above(bones.parents)]
    order = np.argsort(depths, kind="stable")
    places = np.empty(len(order) + 1, dtype=np.intp)
    places[order], places[-1] = np.arange(len(order)), -1
    return BindBones(
        tuple(bones.names[i] for i in order),
        places[bones.parents[order]],
        bones.heads[order],
        bones.tails[order],
    )


def _list_above(parents: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """For each bone those above it."""
    found = []
    for bone in range(len(parents)):
        above = int(parents[bone])
        row: list[int] = []
        while above >= 0 and len(row) <= len(parents):
            row.append(above)
            above = int(parents[above])
        found.append(np.array(row, dtype=np.intp))
    return found
