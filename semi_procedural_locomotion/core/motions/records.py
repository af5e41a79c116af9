# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Analysed motions: one clean in-place cycle and what its feet do (numpy only)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...notes import Note
from ..contacts.edits import ContactTimes
from ..maths.rotations import FloatArray
from .layers import Layer
from .limits import CHOICE
from .properties import Properties

# Names in a motion's quality: whether the feet of a cycle take turns ("yes" or "no"), its longest
# flight as a share of the cycle, the height of its hips as a share of that at rest; by how much a
# rest motion moves, as a share of the body's size, and how far its bones are from the rig's own
# rest pose, radians.
TURNS = "feet_take_turns"
FLIGHT = "flight"
POSTURE = "posture"
STIR = "stir"
POSED = "posed"


@dataclass(frozen=True)
class LegCycle:
    """What one leg does in one motion.

    Key times are shares of the cycle relative to the stance instant (0 <= lift <= off <= strike <=
    land <= 1); a rest motion has stance 0 and stands throughout.

    Attributes
    ----------
    stance
        Phase of the motion at which the foot stands in the middle of its contact, [0, 1).
    lift, off, post_lift, pre_land, strike, land
        Key times: first point leaves, last point leaves, roll done, roll begins, first point
        arrives, last point arrives.
    stride
        Metres that the character travels in a cycle as this leg's planted foot tells.
    stance_position
        Footbase at stance in character space, height at the leg's own ground, metres, shape (3,).
    foot_direction
        Horizontal unit vector from heel to toe at stance, character space, shape (3,).
    footbases
        Footbase at each row of the motion's tables, character space, metres, shape (S, 3).
    ground_height
        Height of the leg's lowest sole point in contact, character space, metres.
    contact_points
        Which points make contact: a subset of ``"HBT"`` in that order.
    skate
        Residual slip of the planted foot as a share of the speed.
    steps
        False where the foot never leaves the ground or never stands.
    found_times
        What the analysis found where the key times are edited; None where they are not.
    """

    stance: float
    lift: float
    off: float
    post_lift: float
    pre_land: float
    strike: float
    land: float
    stride: float
    stance_position: FloatArray
    foot_direction: FloatArray
    footbases: FloatArray
    ground_height: float
    contact_points: str = "HBT"
    skate: float = 0.0
    steps: bool = True
    found_times: ContactTimes | None = None

    def __post_init__(self) -> None:
        times = (0.0, self.lift, self.off, self.strike, self.land, 1.0)
        if any(later < earlier - 1e-9 for earlier, later in itertools.pairwise(times)):
            raise ValueError(f"key times must be 0 <= lift <= off <= strike <= land <= 1: {times}")

    @property
    def contact_times(self) -> ContactTimes:
        """When the foot stands, from the motion's first row on; all at the stance if it never steps."""
        if not self.steps:
            return ContactTimes(self.stance, self.stance, self.stance)
        strike, off = (self.stance + self.strike) % 1.0, (self.stance + self.off) % 1.0
        return ContactTimes(self.stance, strike, off)


@dataclass(frozen=True)
class Motion:
    """One in-place cycle of a character, sampled at S equally spaced phases.

    Attributes
    ----------
    name
        The action's name, with a suffix for a reversed use.
    kind
        ``"cycle"`` or ``"rest"``; a rest motion has one row, zero velocity and period.
    period
        Seconds.
    velocity
        Native velocity of the character in character space, metres a second, shape (2,).
    turn_rate
        Native turn rate about up, radians a second.
    rotations, translations, scales
        Tables relative to the parent as in `Clip`, shapes (S, B, 4), (S, B, 3), (S, B, 3); row s is
        phase s / S, the row after the last is the first. Rotations lie in one hemisphere.
    ripple
        Horizontal shift of the body that a walk with planted feet has besides, character space,
        metres, shape (S, 2).
    legs
        One entry for each leg of the rig.
    ground_height
        Height of the ground under this motion in character space, metres.
    reversed
        True where the tables run backwards in time against the action.
    speed_range
        Lowest and highest speed that the planted feet allow, metres a second; equal where certain.
    quality
        Named numbers of the analysis, for reports.
    notes
        What to mind.
    keyed
        Names of the bones that the action keys.
    properties
        What else the action keys, at the rows.
    bends_skin
        Whether the skin of feet that hangs on shins, too, is where the motion's own legs have it. Not
        where planted feet slide so far that legs are bent anew.
    """

    name: str
    kind: str
    period: float
    velocity: FloatArray
    turn_rate: float
    rotations: FloatArray
    translations: FloatArray
    scales: FloatArray
    ripple: FloatArray
    legs: tuple[LegCycle, ...]
    ground_height: float
    reversed: bool = False
    speed_range: tuple[float, float] = (0.0, 0.0)
    quality: Mapping[str, float | str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    keyed: frozenset[str] = frozenset()
    properties: Properties = field(default_factory=dict)
    bends_skin: bool = True

    def __post_init__(self) -> None:
        if self.kind not in ("cycle", "rest"):
            raise ValueError(f"kind must be 'cycle' or 'rest', got {self.kind!r}")
        rows, bones = self.rotations.shape[:2]
        for name, width in (("rotations", 4), ("translations", 3), ("scales", 3)):
            if getattr(self, name).shape != (rows, bones, width):
                raise ValueError(
                    f"{name} must have shape ({rows}, {bones}, {width}), got {getattr(self, name).shape}"
                )
        if self.kind == "cycle" and not self.period > 0:
            raise ValueError("a cycle needs a positive period")

    @property
    def is_cycle(self) -> bool:
        """Whether the motion walks."""
        return self.kind == "cycle"

    @property
    def speed(self) -> float:
        """Native speed, metres a second."""
        return float(np.hypot(self.velocity[0], self.velocity[1]))

    @property
    def turns(self) -> bool:
        """Whether it turns too much in a cycle to be used for straight travel."""
        return self.is_cycle and abs(self.turn_rate) * self.period > CHOICE.straight_turn

    @property
    def stride(self) -> float:
        """Metres travelled in a cycle at native speed."""
        return self.speed * self.period if self.is_cycle else 0.0


@dataclass(frozen=True)
class GroupWeight:
    """Share of a group over time, 0 or more; the shares of all groups are brought to sum 1.

    Attributes
    ----------
    times
        Seconds, increasing, shape (K,); one entry for a constant.
    values
        Shape (K,).
    overrides
        Whether it is taken from all groups that do not override.
    """

    times: FloatArray
    values: FloatArray
    overrides: bool = False

    def __post_init__(self) -> None:
        if len(self.times) == 0 or np.shape(self.times) != np.shape(self.values):
            raise ValueError(
                f"times and values need one shape (K,), got {np.shape(self.times)}, "
                f"{np.shape(self.values)}"
            )


@dataclass(frozen=True)
class MotionGroup:
    """Motions that are blended among each other.

    Attributes
    ----------
    name
        Shown to the user.
    members
        Indices into the set's motions.
    weight_times, weights
        Weight of the group over time, seconds and shares, shape (K,); one entry for a constant.
    overrides
        Whether it takes its weight, 0 to 1, from all groups that do not override.
    """

    name: str
    members: tuple[int, ...]
    weight_times: FloatArray = field(default_factory=lambda: np.zeros(1))
    weights: FloatArray = field(default_factory=lambda: np.ones(1))
    overrides: bool = False


@dataclass(frozen=True)
class MotionSet:
    """Motions ready to be blended.

    Attributes
    ----------
    motions
        M motions of one rig.
    offsets
        Phase by which each motion's clock is behind the common phase: motion phase = common phase -
        offset, shape (M,).
    groups
        At least one group; every motion is in exactly one.
    layers
        What is laid over the blended motions, the last one on top.
    """

    motions: tuple[Motion, ...]
    offsets: FloatArray
    groups: tuple[MotionGroup, ...]
    layers: tuple[Layer, ...] = ()

    def __post_init__(self) -> None:
        if np.shape(self.offsets) != (len(self.motions),):
            raise ValueError(f"offsets must have shape ({len(self.motions)},)")

    def weigh_groups(self, weights: Mapping[str, GroupWeight]) -> MotionSet:
        """The same motions with weights of groups by name; those not named keep theirs."""
        groups = [
            replace(
                group,
                weight_times=weights[group.name].times,
                weights=weights[group.name].values,
                overrides=weights[group.name].overrides,
            )
            if group.name in weights
            else group
            for group in self.groups
        ]
        return replace(self, groups=tuple(groups))

    @property
    def keyed(self) -> frozenset[str]:
        """Names of the bones that any of the motions or layers keys."""
        own = [motion.keyed for motion in self.motions]
        return frozenset[str]().union(*own, *(layer.keyed for layer in self.layers))

    @property
    def cycles(self) -> np.ndarray:
        """Which motions walk, shape (M,) of bool."""
        return np.array([motion.is_cycle for motion in self.motions])

    @property
    def slowest(self) -> int:
        """Index of the slowest cycle that goes straight; of all cycles where none does."""
        straight = any(m.is_cycle and not m.turns for m in self.motions)
        speeds = [
            m.speed if m.is_cycle and not (straight and m.turns) else np.inf for m in self.motions
        ]
        return int(np.argmin(speeds))


def find_slowest_walk(motions: Sequence[Motion], forward: FloatArray) -> int:
    """Index of the slowest walk that goes straight ahead.

    Parameters
    ----------
    motions
        At least one of them walks.
    forward
        To where the character faces, horizontal unit vector, shape (2,).

    Returns
    -------
    int
        Where none goes ahead, the slowest that goes straight; where all turn, the slowest of all.
    """
    cycles = [i for i, motion in enumerate(motions) if motion.is_cycle]
    straight = [i for i in cycles if not motions[i].turns]
    ahead = [i for i in straight if motions[i].velocity @ forward > CHOICE.ahead * motions[i].speed]
    return min(ahead or straight or cycles, key=lambda i: motions[i].speed)
