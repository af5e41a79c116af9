# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a character faces: an axis from its hips, a sign from feet, walks, heads and names.

The method: docs/method/legs.md, Which way is forward.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from .body import Body, PosedClip
from .chains import LegChain
from .limits import FACING, LOADS, PAIRS, TINY
from .names import find_end_name, is_directional_action, split_side
from .readings import ClipReading, rate_walking
from .skin import pose_points
from .stepping import measure_backing


class Told(StrEnum):
    """What tells which way is forward."""

    FEET = "feet"
    NAMES = "names of sides"
    HEAD = "heads and tails"
    WALKS = "walks"


_BLENDER_FORWARD = np.array([0.0, -1.0])


@dataclass(frozen=True)
class Facing:
    """Where the character faces in the clip that was read.

    Attributes
    ----------
    forward
        Horizontal unit vector, shape (2,).
    yaw_offset
        Forward against the rest pose's, radians.
    certainty
        Size of the sum of the evidence, log-odds; 0 means a guess.
    mirrored_names
        Whether names of the sides contradict feet and travel.
    travels
        Whether the clip goes along: it is brought to where the rest pose faces, whatever its own way.
    contrary
        Names of walks that go the other way without saying so.
    evidence
        Log-odds of each kind of evidence for this direction against the other way.
    """

    forward: FloatArray
    yaw_offset: float
    certainty: float
    mirrored_names: bool
    travels: bool = False
    contrary: tuple[str, ...] = ()
    evidence: Mapping[str, float] = field(default_factory=dict)

    @property
    def rest_forward(self) -> FloatArray:
        """Where the character faces at rest, shape (2,)."""
        return _turn(self.forward, -self.yaw_offset)

    @property
    def own_forward(self) -> FloatArray:
        """Where the character faces that walks: who goes along walks as the rest pose faces, (2,)."""
        return self.rest_forward if self.travels else self.forward

    def with_own_forward(self, forward: FloatArray) -> Facing:
        """The same with an `own_forward` that the user gave, a unit vector (2,)."""
        turned = _turn(forward, self.yaw_offset) if self.travels else forward
        return replace(self, forward=turned)


def _turn(vector: FloatArray, angle: float) -> FloatArray:
    """A horizontal vector (2,) turned by an angle in radians."""
    x, y = vector
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([cosine * x - sine * y, sine * x + cosine * y])


def find_facing(body: Body, readings: Sequence[ClipReading], reading: ClipReading) -> Facing:
    """Forward from the hips' mean line over the cycle, its sign from all that tells of it.

    Parameters
    ----------
    body
        The prepared evidence.
    readings
        All clips and the rest pose.
    reading
        The chosen one, with one leg or more.
    """
    chains = list(reading.chains)
    feet = _measure_feet(body, reading.clip, chains)
    axis = _measure_axis(reading.clip, chains, reading.height)
    if axis is None:
        # One leg has no axis: what its foot and its way tell is added.
        travel = _find_trusted_travel(reading)
        told = FACING.foot * feet + (0.0 if travel is None else FACING.travel * travel)
        length = float(np.linalg.norm(told))
        forward = told / length if length > FACING.least_told else _BLENDER_FORWARD
        return Facing(forward, 0.0, length, mirrored_names=False)
    yaw, travels = 0.0, False
    rest_axis = _measure_axis(body.rest, chains, reading.height)
    if rest_axis is not None:
        turn = np.arctan2(axis[1], axis[0]) - np.arctan2(rest_axis[1], rest_axis[0])
        yaw = float(rot.wrap_angles(turn))
        travels = reading.stepping.drifts
        sideways = is_directional_action(reading.clip.name)
        same = FACING.sideways_facing if sideways else FACING.same_facing
        is_same = abs(yaw) < FACING.told_apart
        if is_same or (abs(yaw) < same and not _travels_along(reading, axis, rest_axis)):
            axis, yaw, travels = rest_axis, 0.0, False
    forward = np.array([axis[1], -axis[0]])  # the axis points to the left
    names = _vote_names(body, reading.clip, chains, axis)
    alongs = _list_alongs(readings, reading, forward)
    walks = float(FACING.travel * sum(alongs.values()))
    evidence = {
        Told.FEET: FACING.foot * float(np.clip(FACING.foot_gain * (feet @ forward), -1.0, 1.0)),
        Told.NAMES: FACING.names * names,
        Told.HEAD: FACING.head * _measure_head(body, reading.clip, chains, forward),
        Told.WALKS: float(np.clip(walks, -FACING.most_travel, FACING.most_travel)),
    }
    total = sum(evidence.values())
    if total == 0.0:
        total = TINY * (1.0 if forward @ _BLENDER_FORWARD >= 0 else -1.0)
    sign = 1.0 if total > 0 else -1.0
    contrary = [
        name
        for name, along in alongs.items()
        if sign * along < 0.0 and not is_directional_action(name)
    ]
    return Facing(
        sign * forward,
        yaw,
        abs(total),
        names * sign < 0,
        travels,
        tuple(sorted(contrary)),
        {told: sign * value for told, value in evidence.items()},
    )


def _list_alongs(
    readings: Sequence[ClipReading], chosen: ClipReading, forward: FloatArray
) -> dict[str, float]:
    """How far each walk goes forward, -1 to 1, by how surely it is one; clips by their names.

    Forward of the chosen one, (2,), is carried to the others by the hips.
    """
    own = _measure_axis(chosen.clip, list(chosen.chains), chosen.height)
    alongs: dict[str, float] = {}
    for reading in readings:
        travel = _find_travel(reading)
        axis = _measure_axis(reading.clip, list(chosen.chains), reading.height)
        if travel is None or axis is None or own is None:
            continue
        turn = np.arctan2(axis[1], axis[0]) - np.arctan2(own[1], own[0])
        ahead = _turn(forward, float(rot.wrap_angles(turn)))
        trust = FACING.directional if is_directional_action(reading.clip.name) else 1.0
        trust *= rate_walking(reading) * _rate_way(reading, chosen.chains)
        alongs[reading.clip.name] = trust * float(travel @ ahead)
    return alongs


def _rate_way(reading: ClipReading, chains: Sequence[LegChain]) -> float:
    """How surely feet go back with the ground rather than back and forth as pendulums do, 0 to 1."""
    travel = reading.stepping.travel
    if travel is None:
        return 0.0
    backs = [measure_backing(reading.clip, chain, travel) for chain in chains]
    return float(np.clip(np.mean(backs) / LOADS.carrying, 0.0, 1.0))


def _find_travel(reading: ClipReading) -> FloatArray | None:
    """Unit travel of a clip that steps."""
    travel = reading.stepping.travel
    if travel is None or not reading.stepping.walks:
        return None
    return travel / max(float(np.linalg.norm(travel)), TINY)


def _find_trusted_travel(reading: ClipReading) -> FloatArray | None:
    """Unit travel of a walking clip that is not named backward or sideways."""
    return None if is_directional_action(reading.clip.name) else _find_travel(reading)


def _travels_along(reading: ClipReading, axis: FloatArray, rest_axis: FloatArray) -> bool:
    """Whether the travel lies nearer to the clip's own facing than to the rest pose's."""
    travel = _find_trusted_travel(reading)
    if travel is None:
        return False
    own, rest = abs(float(travel @ axis)), abs(float(travel @ rest_axis))
    return own < rest and own < np.sin(FACING.travel_trust)


def _measure_head(
    body: Body, clip: PosedClip, chains: list[LegChain], forward: FloatArray
) -> float:
    """How far what is highest lies ahead of the legs, and heads before tails by name, -1 to 1."""
    heads = clip.heads.mean(axis=0)
    middle = heads[[chain.joints[0] for chain in chains], :2].mean(axis=0)
    length = float(np.mean([chain.length for chain in chains]))
    along = (heads[:, :2] - middle) @ forward / max(length, TINY)
    legs = body.tree.below[[chain.joints[0] for chain in chains]].any(axis=0)
    used = np.flatnonzero(body.used & ~legs)
    if not len(used):
        return 0.0
    top = used[np.argmax(heads[used, 2])]
    told = float(np.clip(along[top], -1.0, 1.0))
    ends = np.array([find_end_name(name) for name in body.names])
    named = [
        float(np.median(along[ends == sign])) * sign for sign in (1, -1) if np.any(ends == sign)
    ]
    return 0.5 * told + 0.5 * float(np.clip(2.0 * sum(named), -1.0, 1.0))


def _measure_axis(clip: PosedClip, chains: list[LegChain], height: float) -> FloatArray | None:
    """Mean horizontal unit line from every second limb of a pair to the first, or None."""
    by_tip = {chain.tip: chain for chain in chains}
    lines: list[FloatArray] = []
    for chain in chains:
        partner = by_tip.get(chain.other)
        if partner is None or partner.tip < chain.tip:
            continue
        line = np.zeros(2)
        for first, second in zip(chain.joints, partner.joints, strict=False):
            line = (clip.heads[:, first] - clip.heads[:, second])[:, :2].mean(axis=0)
            if np.linalg.norm(line) > PAIRS.separate * height:
                break
        # All pairs must run the same way, whichever limb happens to come first.
        if lines and line @ lines[0] < 0:
            line = -line
        lines.append(line / max(float(np.linalg.norm(line)), TINY))
    total: FloatArray = np.sum(lines, axis=0) if lines else np.zeros(2)
    length = float(np.linalg.norm(total))
    return total / length if length > TINY else None


def _measure_feet(body: Body, clip: PosedClip, chains: list[LegChain]) -> FloatArray:
    """Mean horizontal direction from ankle to toe, length up to about 1, shape (2,)."""
    few = clip.pick_frames(FACING.cloud_frames)
    directions: list[FloatArray] = []
    for chain in chains:
        ankle = chain.joints[-1]
        if chain.toe is not None:
            away = (few.heads[:, chain.toe] - few.heads[:, ankle]).mean(axis=0)
            directions.append(away[:2] / max(float(np.linalg.norm(away)), TINY))
            continue
        owned = np.isin(body.skin.owners, chain.contacts or (ankle,))
        if body.has_mesh and owned.any():
            points = pose_points(body.skin.select(owned), few.axes, few.heads)
            away = (points.mean(axis=1) - few.heads[:, ankle]).mean(axis=0)
            directions.append(away[:2] / max(FACING.foot_reach * chain.length, TINY))
        elif not body.has_mesh:
            tail = body.rest.axes[0, ankle].T @ (body.tails[ankle] - body.heads[ankle])
            away = (few.axes[:, ankle] @ tail).mean(axis=0)
            directions.append(away[:2] / max(float(np.linalg.norm(away)), TINY))
    return np.mean(directions, axis=0) if directions else np.zeros(2)


def _vote_names(body: Body, clip: PosedClip, chains: list[LegChain], left: FloatArray) -> float:
    """1 where the names agree that the axis points to the left, -1 to the right, 0 unsure."""
    by_tip = {chain.tip: chain for chain in chains}
    votes = 0.0
    for chain in chains:
        partner = by_tip.get(chain.other)
        side = split_side(body.names[chain.joints[0]])[0] or split_side(body.names[chain.tip])[0]
        if partner is None or not side:
            continue
        pair = [chain.joints[-1], partner.joints[-1]]
        apart = np.diff(clip.heads[:, pair, :2], axis=1).mean(axis=(0, 1))
        votes += (1.0 if side == "L" else -1.0) * (1.0 if apart @ left < 0 else -1.0)
    return float(np.sign(votes))
