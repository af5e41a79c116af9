# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the scene shows of a walk, ready to be measured (numpy only).

Nothing here comes from the plan's steps: when a foot stands is found again from what is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..maths.rotations import FloatArray
from ..rig.hulls import axes_from_poses, carry_hull, hull_points_from_axes
from ..rig.structure import Rig
from ..travel.carried import move_points


@dataclass(frozen=True)
class PosedBones:
    """World poses of K bones at N frames.

    Attributes
    ----------
    names
        Names of the bones, length K.
    axes
        Axes as columns, of length 1 for a bone of the size that it has at rest, shape (N, K, 3, 3).
    positions
        Heads, metres, shape (N, K, 3).
    """

    names: tuple[str, ...]
    axes: FloatArray
    positions: FloatArray

    def __post_init__(self) -> None:
        count = len(self.positions)
        _check("axes", self.axes, (count, len(self.names), 3, 3))
        _check("positions", self.positions, (count, len(self.names), 3))

    @classmethod
    def from_poses(
        cls,
        names: Sequence[str],
        rotations: FloatArray,
        positions: FloatArray,
        scales: FloatArray | None = None,
    ) -> PosedBones:
        """From rotations (N, K, 4), heads (N, K, 3) and sizes against rest (N, K, 3), None for 1."""
        return cls(tuple(names), axes_from_poses(rotations, scales), positions)

    def move(self, matrices: FloatArray) -> PosedBones:
        """The same moved by a matrix at each frame, shape (N, 4, 4)."""
        turns = matrices[:, None, :3, :3]
        places = (turns @ self.positions[..., None])[..., 0] + matrices[:, None, :3, 3]
        return PosedBones(self.names, turns @ self.axes, places)

    def find_columns(self, names: Sequence[str]) -> list[int]:
        """Columns of bones by their names; ``ValueError`` names one that is missing."""
        place = {name: column for column, name in enumerate(self.names)}
        for name in names:
            if name not in place:
                raise ValueError(f"bone {name!r} is not among the shown bones")
        return [place[name] for name in names]

    def place_joints(self, rig: Rig, bones: Sequence[int]) -> FloatArray:
        """Heads of bones of a rig, metres, shape (N, len(bones), 3)."""
        return self.positions[:, self.find_columns([rig.skeleton.names[bone] for bone in bones])]

    def place_hull(self, rig: Rig, leg: int) -> FloatArray:
        """Contact hull of a foot by the number of its leg, metres, shape (N, P, 3).

        What rides on bones that are not here rides on the nearest bone above that is.
        """
        place = {name: column for column, name in enumerate(self.names)}
        skeleton = rig.skeleton
        kept = {b: place[name] for b, name in enumerate(skeleton.names) if name in place}
        hull = carry_hull(rig.hulls[leg], skeleton, kept)
        return hull_points_from_axes(hull, self.axes, self.positions)


@dataclass(frozen=True)
class FootPoints:
    """Places of a foot that touch first, as its meshes are shown at N frames.

    Attributes
    ----------
    points
        World, metres, shape (N, P, 3); of meshes that are hidden anywhere.
    shown
        Whether they are to be seen, shape (N, P) of bool.
    along
        Where they lie on the foot, growing from heel to toe, shape (P,).
    names
        Name of the object that each is of; empty where none is known.
    """

    points: FloatArray
    shown: np.ndarray
    along: FloatArray
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        count, places = np.shape(self.shown)
        _check("points", self.points, (count, places, 3))
        _check("along", self.along, (places,))


@dataclass(frozen=True)
class ShownWalk:
    """A walk as the scene shows it at N frames; all or some, in order.

    Attributes
    ----------
    frames
        Scene frames, growing, shape (N,).
    times
        Seconds of the scene's clock, shape (N,). Speeds are measured between frames that follow one
        another.
    bones
        What is shown; `list_shown_bones` names what is needed.
    travel
        Where the character should be: the travel at those times, carried by what carries it, metres,
        shape (N, 3).
    source
        The blended clips, not adapted, placed along the travel, for the same frames; None where they are
        not known.
    has_flight
        Frames in which a clip with a share in the walk has no foot on the ground at some time, as runs
        and jumps have, shape (N,) of bool; None stands for none.
    spaces
        From the space of what carries the body to the world, shape (N, 4, 4); None where nothing that
        moves does.
    carriers
        Which carrier that is, shape (N,): between different ones nothing is measured. None for the
        same all the time.
    jumped
        Frames in which the body pushes off to a jump, flies or lands, as no clip does, shape (N,) of
        bool; None for none.
    feet
        Places of each foot as its meshes are shown; None for a foot, or for all, that are where the
        character's contact hulls have them on the shown bones.
    """

    frames: np.ndarray
    times: FloatArray
    bones: PosedBones
    travel: FloatArray
    source: PosedBones | None = None
    has_flight: np.ndarray | None = None
    spaces: FloatArray | None = None
    carriers: np.ndarray | None = None
    jumped: np.ndarray | None = None
    feet: tuple[FootPoints | None, ...] | None = None

    def __post_init__(self) -> None:
        count = len(self.times)
        _check("frames", self.frames, (count,))
        _check("travel", self.travel, (count, 3))
        if len(self.bones.positions) != count:
            raise ValueError(f"the shown bones must have {count} frames")
        if self.source is not None and len(self.source.positions) != count:
            raise ValueError(f"the source's bones must have {count} frames")
        if self.has_flight is not None:
            _check("has_flight", self.has_flight, (count,))
        if self.spaces is not None:
            _check("spaces", self.spaces, (count, 4, 4))
        if count < 1 or np.any(np.diff(self.times) <= 0):
            raise ValueError("times must grow")

    def place_foot(self, rig: Rig, leg: int) -> FootPoints:
        """Places of a foot by the number of its leg that may touch first, at all frames."""
        foot = None if self.feet is None else self.feet[leg]
        if foot is not None:
            return foot
        points = self.bones.place_hull(rig, leg)
        return FootPoints(points, np.ones(points.shape[:2], bool), rig.hulls[leg].places[:, 0])

    def find_joined(self) -> np.ndarray:
        """Which of the frames the very next one follows, on the same carrier, (N - 1,) of bool."""
        joined = np.diff(self.frames) <= 1
        if self.carriers is not None and self.spaces is None:
            joined &= self.carriers[1:] == self.carriers[:-1]
        return np.asarray(joined)

    def enter_carriers(self) -> ShownWalk:
        """The same as it is seen from what carries the body; itself where nothing that moves does."""
        if self.spaces is None:
            return self
        back = np.linalg.pinv(self.spaces)
        return replace(
            self,
            bones=self.bones.move(back),
            travel=move_points(back, self.travel),
            source=None if self.source is None else self.source.move(back),
            spaces=None,
        )


def list_shown_bones(rig: Rig) -> tuple[str, ...]:
    """Names of the bones that the measures of a shown walk need, in the skeleton's order."""
    bones = {rig.body, *(bone for leg in rig.legs for bone in leg.bones)}
    bones.update(bone for hull in rig.hulls for bone in hull.ridden)
    return tuple(rig.skeleton.names[bone] for bone in sorted(bones))


def _check(name: str, array: np.ndarray, shape: tuple[int, ...]) -> None:
    """Refuse arrays of a wrong shape or with values that are not numbers."""
    if np.shape(array) != shape:
        raise ValueError(f"{name} must have shape {shape}, got {np.shape(array)}")
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} must be finite")
