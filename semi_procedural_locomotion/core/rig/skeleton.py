# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bones of a character and their poses in character space (numpy only).

*Character space* has its origin at the armature object's origin, axes parallel to the world's with Z
up, the heading of the object at rest, and metres as its unit. The object's rotation and scale are
folded into the bones without a parent, so that core code never meets the object's own axes. Where the
bones were built far from the object's origin, that of character space is between the feet at rest
(`core.rig.centring`), and the skeleton tells where the object's lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray

# Share by which the scales of a bone may differ along its axes and still be one.
EVEN = 1e-4


@dataclass(frozen=True)
class HeldBone:
    """How a bone stands that no clip moves.

    Attributes
    ----------
    name
        Name of the bone.
    location, rotation, scale
        Its channels against the bind pose: armature units (3,), a unit quaternion (4,), factors (3,).
    """

    name: str
    location: tuple[float, ...] = (0.0, 0.0, 0.0)
    rotation: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)
    scale: tuple[float, ...] = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class BoneEnd:
    """The end of a bone as one bone more, which the armature does not have.

    A leg without a foot bone stands on it (docs/method/legs.md, Legs that end at their shins). It
    goes with its bone as a child without keys does.

    Attributes
    ----------
    name
        Its name among the bones of a skeleton.
    bone
        Name of the bone that it ends.
    offset
        Its place from the bone's head in the bone's axes, armature units, (3,).
    """

    name: str
    bone: str
    offset: tuple[float, ...]


@dataclass(frozen=True)
class Skeleton:
    """A tree of bones, parents before children.

    Attributes
    ----------
    names
        Bone names, length B.
    parents
        Index of each bone's parent or -1, shape (B,); ``parents[i] < i``.
    rest_rotations
        Rest rotation relative to the parent (of parentless bones: to character space), shape (B, 4).
    rest_translations
        Rest position relative to the parent in the parent's axes (of parentless bones: in character
        space), metres, shape (B, 3).
    object_rotation
        Rotation of the armature object in character space, shape (4,).
    object_scale
        Metres per armature unit, positive.
    object_origin
        Place of the armature object's origin in character space, metres, shape (3,).
    held
        Bones that stand otherwise at rest than their armature was built, since the clips are made
        for them as they stand (docs/method/rig.md, Held bones). Their even scales are folded into
        the positions of what they carry: at rest all scales are 1.
    ends
        Bones of ``names`` that the armature does not have.
    own_parents
        Index of the parent that each bone has in its armature, where some hang from those that they go
        with instead (docs/method/legs.md, Bones that go with others), shape (B,); None where none does.
    """

    names: tuple[str, ...]
    parents: np.ndarray
    rest_rotations: FloatArray
    rest_translations: FloatArray
    object_rotation: FloatArray = field(default_factory=lambda: rot.IDENTITY.copy())
    object_scale: float = 1.0
    object_origin: FloatArray = field(default_factory=lambda: np.zeros(3))
    held: tuple[HeldBone, ...] = ()
    ends: tuple[BoneEnd, ...] = ()
    own_parents: np.ndarray | None = None

    def __post_init__(self) -> None:
        count = len(self.names)
        parents = np.asarray(self.parents, dtype=np.intp)
        if parents.shape != (count,):
            raise ValueError(f"parents must have shape ({count},), got {parents.shape}")
        if np.any(parents >= np.arange(count)):
            raise ValueError("parents must come before their children")
        for name, shape in (("rest_rotations", (count, 4)), ("rest_translations", (count, 3))):
            if np.shape(getattr(self, name)) != shape:
                raise ValueError(
                    f"{name} must have shape {shape}, got {np.shape(getattr(self, name))}"
                )
        object.__setattr__(self, "parents", parents)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def is_own(self) -> np.ndarray:
        """Which bones the armature has, shape (B,) of bool; read only."""
        return ~np.isin(self.names, [end.name for end in self.ends])

    @cached_property
    def is_led(self) -> np.ndarray:
        """Which bones hang from another than in their armature, shape (B,) of bool; read only."""
        own = self.parents if self.own_parents is None else self.own_parents
        return np.asarray(own != self.parents)

    @property
    def leaders(self) -> tuple[tuple[str, str], ...]:
        """Names of the bones that hang from another than in their armature, and of that one."""
        led = np.flatnonzero(self.is_led)
        return tuple((self.names[bone], self.names[self.parents[bone]]) for bone in led)

    @property
    def own_names(self) -> tuple[str, ...]:
        """Names of the bones that the armature has."""
        return tuple(np.array(self.names, dtype=object)[self.is_own])

    @cached_property
    def rest_poses(self) -> tuple[FloatArray, FloatArray]:
        """Rotations (B, 4) and positions (B, 3) of the rest pose in character space; read only."""
        q, p = compute_global_poses(self, self.rest_rotations[None], self.rest_translations[None])
        q.flags.writeable = p.flags.writeable = False
        return q[0], p[0]

    @cached_property
    def generations(self) -> list[np.ndarray]:
        """Indices of the bones without parents, of their children, and so on; read only."""
        depths = np.zeros(len(self), dtype=np.intp)
        for bone, parent in enumerate(self.parents):
            depths[bone] = depths[parent] + 1 if parent >= 0 else 0
        return [np.flatnonzero(depths == depth) for depth in range(int(depths.max(initial=0)) + 1)]

    @cached_property
    def held_sizes(self) -> tuple[FloatArray, FloatArray]:
        """Even scale at which each bone is held, and that which its parent passes on, each (B, 1)."""
        own = np.ones((len(self), 1))
        for bone in self.held:
            if bone.name in self.names and np.ptp(bone.scale) <= EVEN * abs(bone.scale[0]):
                own[self.find_index(bone.name)] = bone.scale[0]
        above = np.ones((len(self), 1))
        for index, parent in enumerate(self.parents):
            if parent >= 0:
                above[index] = own[parent] * above[parent]
        return own, above

    @property
    def rest_sizes(self) -> FloatArray:
        """Even scale that each bone is shown with at rest, times that of the object, shape (B,)."""
        own, above = self.held_sizes
        return np.asarray(self.object_scale * (own * above)[:, 0])

    def find_index(self, name: str) -> int:
        """Index of the bone called ``name``; ``KeyError`` where there is none."""
        try:
            return self.names.index(name)
        except ValueError:
            raise KeyError(name) from None

    def find_ancestors(self, bone: int) -> list[int]:
        """``bone``, its parent and so on up to a parentless bone."""
        path = [bone]
        while self.parents[path[-1]] >= 0:
            path.append(int(self.parents[path[-1]]))
        return path

    def find_descendants(self, bone: int) -> list[int]:
        """``bone`` and all bones below it, parents first."""
        found = [bone]
        for above in found:
            found.extend(self.children[above])
        return sorted(found)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The bones that hang from each bone."""
        found: list[list[int]] = [[] for _ in self.names]
        for bone, parent in enumerate(self.parents.tolist()):
            if parent >= 0:
                found[parent].append(bone)
        return tuple(map(tuple, found))

    def add_ends(self, ends: Sequence[BoneEnd]) -> Skeleton:
        """The same bones and, after them, ends of some of them, at rest as their bones are."""
        parents = [self.find_index(end.bone) for end in ends]
        places = self.rest_sizes[parents, None] * np.array([end.offset for end in ends]).reshape(
            -1, 3
        )
        turns = np.tile(rot.IDENTITY, (len(ends), 1))
        own = self.own_parents
        return replace(
            self,
            own_parents=None if own is None else np.concatenate([own, parents]).astype(np.intp),
            names=(*self.names, *(end.name for end in ends)),
            parents=np.concatenate([self.parents, np.array(parents, dtype=np.intp)]),
            rest_rotations=np.concatenate([self.rest_rotations, turns]),
            rest_translations=np.concatenate([self.rest_translations, places]),
            ends=(*self.ends, *ends),
        )

    def lead(self, leaders: Sequence[tuple[str, str]]) -> tuple[Skeleton, np.ndarray]:
        """The same bones with some hanging from others than in their armature.

        Parameters
        ----------
        leaders
            Names of bones and of those that they shall hang from.

        Returns
        -------
        skeleton
            At rest as before, parents of both kinds before their children.
        order
            Old index of each of its bones, shape (B,).

        Raises
        ------
        ValueError
            Where a bone would go with one that goes with it.
        """
        parents = self.parents.copy()
        for bone, leader in leaders:
            parents[self.find_index(bone)] = self.find_index(leader)
        order: list[int] = []
        placed = np.zeros(len(self) + 1, dtype=bool)
        placed[-1] = True
        while len(order) < len(self):
            ready = placed[self.parents] & placed[parents] & ~placed[:-1]
            if not ready.any():
                raise ValueError("bones go with one another")
            # One at a time, so that bones stay in their order where that is possible.
            order.append(int(np.argmax(ready)))
            placed[order[-1]] = True
        place = np.argsort([*order, len(self)])
        place[-1] = -1
        turns, heads = (part[order] for part in self.rest_poses)
        above = place[parents[order]]
        is_child = (above >= 0)[:, None]
        back = np.where(is_child, rot.conjugate(turns[above]), rot.IDENTITY)
        led = replace(
            self,
            names=tuple(self.names[bone] for bone in order),
            parents=above,
            rest_rotations=rot.multiply(back, turns),
            rest_translations=rot.rotate(back, heads - np.where(is_child, heads[above], 0.0)),
            own_parents=place[self.parents[order]],
        )
        return led, np.array(order, dtype=np.intp)

    def move_origin(self, place: FloatArray) -> Skeleton:
        """The same bones in character space with its origin at a place of it, metres, shape (3,)."""
        roots = (self.parents < 0)[:, None]
        return replace(
            self,
            rest_translations=self.rest_translations - np.where(roots, place, 0.0),
            object_origin=self.object_origin - place,
        )

    def place_character(self, rotations: FloatArray, positions: FloatArray) -> FloatArray:
        """Where the origin of character space is while the armature object is somewhere.

        Parameters
        ----------
        rotations, positions
            World rotations and positions of the object, metres, shapes (N, 4) and (N, 3).

        Returns
        -------
        array, shape (N, 3)
            World, metres.
        """
        turns = rot.multiply(rotations, rot.conjugate(self.object_rotation))
        return np.asarray(positions - rot.rotate(turns, self.object_origin))

    def place_object(self, orientations: FloatArray, positions: FloatArray) -> FloatArray:
        """Where the armature object's origin is while character space is somewhere.

        Parameters
        ----------
        orientations, positions
            World rotations and positions of character space, metres, shapes (N, 4) and (N, 3).

        Returns
        -------
        array, shape (N, 3)
            World, metres.
        """
        return np.asarray(positions + rot.rotate(orientations, self.object_origin))

    def select_ends(self, bones: Sequence[int]) -> tuple[BoneEnd, ...]:
        """The ends among bones."""
        names = {self.names[bone] for bone in bones}
        return tuple(end for end in self.ends if end.name in names)

    def select(self, bones: Sequence[int]) -> tuple[Skeleton, np.ndarray]:
        """A skeleton of ``bones`` and all their ancestors.

        Parameters
        ----------
        bones
            Indices of the bones wanted.

        Returns
        -------
        skeleton
            The smaller skeleton, in the same order.
        indices
            Indices of its bones in this skeleton, shape (K,).
        """
        own = self.parents if self.own_parents is None else self.own_parents
        found, left = set(), {int(bone) for bone in bones}
        while left:
            found |= left
            left = {int(tree[bone]) for tree in (self.parents, own) for bone in left} - found - {-1}
        wanted = sorted(found)
        indices = np.array(wanted, dtype=np.intp)
        new_index = {old: new for new, old in enumerate(wanted)}
        parents, own = (
            np.array([new_index.get(int(tree[i]), -1) for i in wanted], dtype=np.intp)
            for tree in (self.parents, own)
        )
        return (
            Skeleton(
                names=tuple(self.names[i] for i in wanted),
                parents=parents,
                rest_rotations=self.rest_rotations[indices],
                rest_translations=self.rest_translations[indices],
                object_rotation=self.object_rotation,
                object_scale=self.object_scale,
                object_origin=self.object_origin,
                held=self.held,
                ends=self.select_ends(wanted),
                own_parents=None if self.own_parents is None else own,
            ),
            indices,
        )


def compute_global_poses(
    skeleton: Skeleton,
    rotations: FloatArray,
    translations: FloatArray,
    scales: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Forward kinematics of whole clips at once.

    Parameters
    ----------
    skeleton
        The bones, B of them.
    rotations
        Rotations relative to the parent, shape (S, B, 4).
    translations
        Positions relative to the parent in the parent's axes, metres, shape (S, B, 3).
    scales
        Scales of the bones, shape (S, B, 3), inherited in full by children; None stands for 1.

    Returns
    -------
    rotations, positions
        In character space, shapes (S, B, 4) and (S, B, 3).
    """
    if scales is not None and np.abs(scales - 1.0).max() > 1e-5:
        return _compute_scaled_poses(skeleton, rotations, translations, scales)
    # Stored with components first and samples last, and gone through by generations, not by bones.
    turns, places = (np.array(a.transpose(2, 1, 0), order="C") for a in (rotations, translations))
    for bones in skeleton.generations[1:]:
        parents = skeleton.parents[bones]
        above = turns[:, parents].transpose(1, 2, 0)
        moved = rot.rotate(above, places[:, bones].transpose(1, 2, 0)).transpose(2, 0, 1)
        places[:, bones] = places[:, parents] + moved
        turned = rot.multiply(above, turns[:, bones].transpose(1, 2, 0))
        turns[:, bones] = turned.transpose(2, 0, 1)
    return turns.transpose(2, 1, 0), places.transpose(2, 1, 0)


def _compute_scaled_poses(
    skeleton: Skeleton, rotations: FloatArray, translations: FloatArray, scales: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Forward kinematics with scaled bones; rotations are those of the orthonormalised axes."""
    local = rot.matrices_from_quaternions(rotations) * scales[:, :, None, :]
    axes: list[FloatArray] = []
    positions: list[FloatArray] = []
    for bone, parent in enumerate(skeleton.parents):
        a, p = local[:, bone], translations[:, bone]
        if parent >= 0:
            p = positions[parent] + np.einsum("sij,sj->si", axes[parent], p)
            a = axes[parent] @ a
        axes.append(a)
        positions.append(p)
    x = rot.normalize(np.stack(axes, 1)[..., 1])
    raw = np.stack(axes, 1)[..., 0]
    y = rot.normalize(raw - rot.dot(raw, x)[..., None] * x)
    z = rot.cross(y, x)
    matrices = np.stack([y, x, z], axis=-1)
    return rot.quaternions_from_matrices(matrices), np.stack(positions, 1)


def compute_rest_poses(skeleton: Skeleton) -> tuple[FloatArray, FloatArray]:
    """Rotations (B, 4) and positions (B, 3) of the rest pose in character space; read only."""
    return skeleton.rest_poses
