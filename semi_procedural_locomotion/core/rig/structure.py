# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known of a character besides its bones: legs, soles, forward, the bone to move."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...errors import RigError
from ...notes import Note
from ..maths.rotations import FloatArray
from .hulls import FootHull, hull_from_sole
from .skeleton import Skeleton, compute_rest_poses
from .solvers.chains import JointRanges


@dataclass(frozen=True)
class SolePoint:
    """A point of the sole that rides on a bone.

    Attributes
    ----------
    bone
        Index of the bone.
    offset
        The point in the bone's axes from the bone's head, metres, shape (3,).
    """

    bone: int
    offset: FloatArray


@dataclass(frozen=True)
class Leg:
    """One leg, from the hip to the toe.

    Attributes
    ----------
    name
        Shown to the user, such as ``"Left"`` or ``"Front Left"``.
    side
        ``"L"``, ``"R"`` or ``""``.
    joints
        Bones hip .. ankle, two or more; each is a descendant of the one before, except the ankle of
        a detached leg. A leg of K bones has K - 1 segments.
    toe
        The toe bone or None.
    heel, ball, toe_tip
        The three points of the sole, all on the ground when the foot stands flat.
    sole_width
        Width of the sole, metres.
    length
        Sum of the segments, metres: L in every number that is a share of the leg.
    hinge
        Unit axis about which the knee bends, in the axes of the hip bone, shape (3,): the direction
        of (thigh x shin). Decides for straight legs.
    partner
        Index of the leg's mirror twin among the rig's legs, or None.
    detached
        True where the foot is no descendant of the shin.
    aimed
        True where an IK constraint of the rig takes the shin to such a foot: the leg straightens in
        full before the foot comes off it.
    control
        Name of the control bone to key instead of the foot's own bones, or None.
    confidence
        0 to 1.
    doubts
        Why the confidence is not 1, and what else to mind.
    girths
        Radius of the mesh about each segment, metres; empty where it is not known.
    hull
        Contact hull of the foot from its mesh; None where there is no mesh, see `Rig.hulls`.
    limits
        What the bones hip .. shin may do; None for anything.
    """

    name: str
    side: str
    joints: tuple[int, ...]
    toe: int | None
    heel: SolePoint
    ball: SolePoint
    toe_tip: SolePoint
    sole_width: float
    length: float
    hinge: FloatArray
    partner: int | None = None
    detached: bool = False
    aimed: bool = False
    control: str | None = None
    confidence: float = 1.0
    doubts: tuple[Note, ...] = ()
    girths: tuple[float, ...] = ()
    hull: FootHull | None = None
    limits: JointRanges | None = None

    def __post_init__(self) -> None:
        if len(self.joints) < 2:
            raise RigError(f"leg {self.name!r} needs at least a hip and an ankle bone")
        if not self.length > 0:
            raise RigError(f"leg {self.name!r} has no length: its joints lie on one another")

    @property
    def ankle(self) -> int:
        """The bone that carries the foot."""
        return self.joints[-1]

    @property
    def bones(self) -> tuple[int, ...]:
        """All bones of the leg that are solved: the joints and the toe."""
        return self.joints if self.toe is None else (*self.joints, self.toe)

    @property
    def soles(self) -> tuple[SolePoint, SolePoint, SolePoint]:
        """Heel, ball and toe tip."""
        return (self.heel, self.ball, self.toe_tip)


@dataclass(frozen=True)
class Rig:
    """A skeleton with its legs.

    Attributes
    ----------
    skeleton
        All bones.
    legs
        The legs, L of them; partners next to each other, front pairs first.
    forward
        Horizontal unit vector in character space to which the character faces, shape (2,).
    body
        Bone that carries the hips; the hip offset moves it.
    ground_height
        Height of the ground under the rest pose in character space, metres.
    foot_lengths
        Heel to toe tip, metres, shape (L,).
    ball_shares
        Place of the ball from heel (0) to toe tip (1), shape (L,).
    belly
        How far the trunk hangs below the level of its hips at rest, metres; 0 where it is not known.
    underside
        Lowest points of the trunk as it walks, from the middle of all hips: ahead, to the left and up,
        metres, shape (P, 3), in strips along the body from behind to ahead. None where no mesh is known.
    confidence, doubts
        As for a leg, for the whole.
    """

    skeleton: Skeleton
    legs: tuple[Leg, ...]
    forward: FloatArray
    body: int
    ground_height: float
    foot_lengths: FloatArray
    ball_shares: FloatArray
    belly: float = 0.0
    underside: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))
    confidence: float = 1.0
    doubts: tuple[Note, ...] = ()

    @property
    def is_upright(self) -> bool:
        """Whether it stands as people do, with no leg before or behind the others."""
        return len(self.legs) <= 2

    def __post_init__(self) -> None:
        if not self.legs:
            raise RigError("the rig has no legs")
        for index, leg in enumerate(self.legs):
            if leg.partner is not None and (leg.partner == index or leg.partner >= len(self.legs)):
                raise RigError(f"the partner of leg {leg.name!r} is no leg of the character")
        if abs(float(np.hypot(*self.forward)) - 1.0) > 1e-6:
            raise ValueError("forward must be a unit vector")

    @property
    def leg_length(self) -> float:
        """Mean length of the legs, metres."""
        return float(np.mean([leg.length for leg in self.legs]))

    @cached_property
    def hip_leads(self) -> FloatArray:
        """How far each hip is ahead of the middle of all at rest, metres, shape (L,)."""
        along = self.rest_hips @ np.array([*self.forward, 0.0])
        return np.asarray(along - along.mean())

    @cached_property
    def is_long(self) -> bool:
        """Whether the hips stand apart along the body, by more than a tenth of how far across it."""
        across = self.rest_hips @ np.array([-self.forward[1], self.forward[0], 0.0])
        return bool(np.ptp(self.hip_leads) > 0.1 * np.ptp(across))

    @cached_property
    def rest_hips(self) -> FloatArray:
        """Hip joints at rest, character space, metres, shape (L, 3)."""
        rest = compute_rest_poses(self.skeleton)[1]
        return rest[[leg.joints[0] for leg in self.legs]]

    def name_joints(self, leg: Leg) -> tuple[str, ...]:
        """Names of a leg's bones from the hip down that the armature has: all but the end of a shin."""
        own = self.skeleton.is_own
        return tuple(self.skeleton.names[joint] for joint in leg.joints if own[joint])

    @cached_property
    def stiff_hulls(self) -> tuple[FootHull | None, ...]:
        """Contact hulls of the meshes on the bones of the feet alone; None without a mesh.

        What hangs on a shin, too, goes with it: that is not known where the leg is bent anew.
        """
        return tuple(
            leg.hull
            and leg.hull.ride_on_foot(
                leg.ankle, self.skeleton.find_descendants(leg.ankle), leg.heel.offset
            )
            for leg in self.legs
        )

    @cached_property
    def hung_legs(self) -> tuple[int, ...]:
        """Legs whose feet have skin that hangs on other bones than their own, or go with their shins."""
        pairs = enumerate(zip(self.legs, self.stiff_hulls, strict=True))
        return tuple(
            index
            for index, (leg, stiff) in pairs
            if leg.hull is not stiff or not self.skeleton.is_own[leg.ankle]
        )

    @cached_property
    def hulls(self) -> tuple[FootHull, ...]:
        """Contact hull of each foot, made of the points of its sole where no mesh gave one."""
        return tuple(
            leg.hull
            or hull_from_sole(
                self.skeleton,
                leg.ankle,
                [(point.bone, point.offset) for point in leg.soles],
                leg.sole_width,
                self.forward,
            )
            for leg in self.legs
        )
