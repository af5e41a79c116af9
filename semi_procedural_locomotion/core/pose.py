# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Solved poses, ready to be converted to keys (numpy only)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

import numpy as np

from .keys.channels import BasisPoses
from .maths import rotations as rot
from .maths.rotations import FloatArray
from .motions.properties import BlendedProperty, PropertyKey
from .rig.skeleton import Skeleton
from .travel.way import Placement


@dataclass(frozen=True)
class BodyOffset:
    """How the body is moved against its motions at N times, in the space of its parent.

    Attributes
    ----------
    rotations
        What its local rotation is turned by, shape (N, 4).
    translations
        What its local translation is shifted by, metres, shape (N, 3).
    """

    rotations: FloatArray
    translations: FloatArray

    def scale(self, shares: FloatArray) -> BodyOffset:
        """Shares (N,) of it."""
        still = np.broadcast_to(rot.IDENTITY, self.rotations.shape)
        return BodyOffset(
            rot.slerp(still, self.rotations, shares), self.translations * shares[:, None]
        )


@dataclass(frozen=True)
class PoseArray:
    """Poses of a whole character at N times.

    Attributes
    ----------
    times
        Seconds of the scene's clock, shape (N,).
    positions
        World position of the character's origin, metres, shape (N, 3).
    orientations
        World rotation of the character frame: heading, and tilt where the body hugs a slope, shape
        (N, 4). World = position + orientation * character space.
    rotations, translations, scales
        Local poses of all bones as in `Clip` (parentless bones in character space), shapes (N, B, 4),
        (N, B, 3), (N, B, 3).
    rotated, moved, scaled
        Which bones' rotation, location and scale are to be written, shape (B,) of bool.
    owned
        Which bones the walk poses, written or not: those that its motions key and those that carry
        the legs, shape (B,) of bool. What would show them otherwise is overruled.
    properties
        What else the motions key.
    offset
        How the body of the rig is moved against its motions; None where it is not known to be.
    placement
        How bones without a parent are placed against the motions; None where they are not.
    basis
        Channels of all bones where they do not follow from their local poses, as those of controls
        under constraints; the travel is in them then, unless the object carries it. None where they do.
    """

    times: FloatArray
    positions: FloatArray
    orientations: FloatArray
    rotations: FloatArray
    translations: FloatArray
    scales: FloatArray
    rotated: np.ndarray
    moved: np.ndarray
    scaled: np.ndarray
    owned: np.ndarray
    properties: Mapping[PropertyKey, BlendedProperty] = field(default_factory=dict)
    offset: BodyOffset | None = None
    placement: Placement | None = None
    basis: BasisPoses | None = None

    def __len__(self) -> int:
        return len(self.times)

    def select(self, rows: slice) -> PoseArray:
        """The poses of some of the times."""
        timed = ("times", "positions", "orientations", "rotations", "translations", "scales")
        basis, offset = self.basis, self.offset
        if offset is not None:
            offset = BodyOffset(offset.rotations[rows], offset.translations[rows])
        if basis is not None:
            basis = BasisPoses(*(getattr(basis, f.name)[rows] for f in fields(basis)))
        return replace(
            self,
            **{name: getattr(self, name)[rows] for name in timed},
            properties={key: entry.select(rows) for key, entry in self.properties.items()},
            offset=offset,
            basis=basis,
        )

    def take_back_offset(self, body: int) -> PoseArray:
        """The poses with the body of the rig, a bone's index, as its motions have it."""
        if self.offset is None:
            return self
        rotations, translations = self.rotations.copy(), self.translations.copy()
        back = rot.conjugate(self.offset.rotations)
        rotations[:, body] = rot.multiply(back, rotations[:, body])
        translations[:, body] -= self.offset.translations
        return replace(self, rotations=rotations, translations=translations, offset=None)

    def place_by_root(
        self, skeleton: Skeleton, body: int, placement: Placement | None
    ) -> PoseArray:
        """The same poses in the world with a root bone that stays where it was placed.

        Parameters
        ----------
        skeleton, body
            The bones, and the one that is moved as the body.
        placement
            How their root bone was placed; None changes nothing.

        Returns
        -------
        PoseArray
            Bones without a parent are placed, and the character goes as much before them.
        """
        if placement is None:
            return self
        turn = rot.quaternions_from_yaws(np.array(placement.yaw))
        orientations = rot.multiply(self.orientations, rot.conjugate(turn))
        rotations, translations = self.rotations.copy(), self.translations.copy()
        roots = np.flatnonzero(np.asarray(skeleton.parents) < 0)
        rotations[:, roots], translations[:, roots] = placement.place_roots(
            rotations[:, roots], translations[:, roots]
        )
        offset = self.offset
        if offset is not None and body in roots:
            about = rot.multiply(rot.multiply(turn, offset.rotations), rot.conjugate(turn))
            offset = BodyOffset(about, rot.rotate(turn, offset.translations))
        return replace(
            self,
            positions=self.positions - rot.rotate(orientations, placement.shift),
            orientations=orientations,
            rotations=rotations,
            translations=translations,
            offset=offset,
            placement=placement,
        )
