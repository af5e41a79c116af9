# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a character faces: an axis from its hips, a sign from votes.

The method: docs/method/legs.md, Which way is forward.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from .body import Body, PosedClip
from .chains import LegChain
from .limits import FACING, PAIRS, TINY
from .names import is_directional_action, split_side
from .readings import ClipReading
from .skin import pose_points

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
        Size of the sum of votes; 0 means a guess.
    mirrored_names
        Whether names of the sides contradict feet and travel.
    turns_away
        Whether the clip faces as the rest pose where it begins or ends, and turns on its way.
    """

    forward: FloatArray
    yaw_offset: float
    certainty: float
    mirrored_names: bool
    turns_away: bool = False

    @property
    def rest_forward(self) -> FloatArray:
        """Where the character faces at rest, shape (2,)."""
        return _turn(self.forward, -self.yaw_offset)

    @property
    def own_forward(self) -> FloatArray:
        """Where the character faces that walks: a walk on a curve is one that faces as at rest, (2,)."""
        return self.rest_forward if self.turns_away else self.forward

    def with_own_forward(self, forward: FloatArray) -> Facing:
        """The same with an `own_forward` that the user gave, a unit vector (2,)."""
        turned = _turn(forward, self.yaw_offset) if self.turns_away else forward
        return replace(self, forward=turned)


def _turn(vector: FloatArray, angle: float) -> FloatArray:
    """A horizontal vector (2,) turned by an angle in radians."""
    x, y = vector
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([cosine * x - sine * y, sine * x + cosine * y])


def find_facing(body: Body, reading: ClipReading) -> Facing:
    """Forward from the hips' mean line over the cycle, its sign from feet, travel and names.

    Parameters
    ----------
    body
        The prepared evidence.
    reading
        The chosen clip with one leg or more.
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
    yaw, turns_away = 0.0, False
    rest_axis = _measure_axis(body.rest, chains, reading.height)
    if rest_axis is not None:
        turn = np.arctan2(axis[1], axis[0]) - np.arctan2(rest_axis[1], rest_axis[0])
        yaw = float(rot.wrap_angles(turn))
        turns_away = _turns_away(reading, rest_axis)
        sideways = is_directional_action(reading.clip.name)
        same = FACING.sideways_facing if sideways else FACING.same_facing
        is_same = abs(yaw) < FACING.told_apart
        if is_same or (abs(yaw) < same and not _travels_along(reading, axis, rest_axis)):
            axis, yaw, turns_away = rest_axis, 0.0, False
    forward = np.array([axis[1], -axis[0]])  # the axis points to the left
    names = _vote_names(body, reading.clip, chains, axis)
    score = FACING.foot * float(np.clip(FACING.foot_gain * (feet @ forward), -1.0, 1.0))
    travel = _find_trusted_travel(reading)
    along = 0.0 if travel is None else float(travel @ forward)
    total = score + FACING.travel * along + FACING.names * names
    if abs(total) < FACING.tied and abs(along) > np.cos(FACING.travel_trust):
        # More feet are misread, as those with spurs or many joints, than clips that go backwards.
        total = TINY * float(np.sign(along))
    if total == 0.0:
        total = TINY * (1.0 if forward @ _BLENDER_FORWARD >= 0 else -1.0)
    sign = 1.0 if total > 0 else -1.0
    return Facing(sign * forward, yaw, abs(total), names * sign < 0, turns_away)


def _find_trusted_travel(reading: ClipReading) -> FloatArray | None:
    """Unit travel of a walking clip that is not named backward or sideways."""
    travel = reading.stepping.travel
    if travel is None or not reading.stepping.walks or is_directional_action(reading.clip.name):
        return None
    return travel / max(float(np.linalg.norm(travel)), TINY)


def _travels_along(reading: ClipReading, axis: FloatArray, rest_axis: FloatArray) -> bool:
    """Whether the travel lies nearer to the clip's own facing than to the rest pose's."""
    travel = _find_trusted_travel(reading)
    if travel is None:
        return False
    own, rest = abs(float(travel @ axis)), abs(float(travel @ rest_axis))
    return own < rest and own < np.sin(FACING.travel_trust)


def _turns_away(reading: ClipReading, rest_axis: FloatArray) -> bool:
    """Whether a clip faces as the rest pose (2,) at its beginning or end, and both turns and goes round.

    A body that twists or weaves turns without a change of its way.
    """
    lines = _measure_lines(reading.clip, list(reading.chains), reading.height)
    count = len(lines)
    if count < FACING.cloud_frames or reading.stepping.travel is None:
        return False
    yaws = np.unwrap(np.arctan2(lines[:, 1], lines[:, 0])) - np.arctan2(rest_axis[1], rest_axis[0])
    shares = np.linspace(-0.5, 0.5, count)
    slope = float(shares @ yaws / (shares @ shares))
    ends = rot.wrap_angles(np.mean(yaws) + np.array([-0.5, 0.5]) * slope)
    places = reading.clip.heads[[0, count // 2, -1], :, :2].mean(axis=1)
    ways = np.diff(places, axis=0)
    turn = rot.wrap_angles(np.diff(np.arctan2(ways[:, 1], ways[:, 0])))[0]
    goes = np.linalg.norm(ways, axis=1).min() > FACING.least_way * reading.chains[0].length
    # From the middle of its first half to that of its second a way on a circle turns by half of it all.
    round_it = goes and abs(rot.wrap_angles(turn - 0.5 * slope)) < FACING.same_turn * abs(slope)
    return bool(round_it and abs(slope) > FACING.told_apart and np.abs(ends).min() < FACING.begins)


def _measure_axis(clip: PosedClip, chains: list[LegChain], height: float) -> FloatArray | None:
    """Mean horizontal unit line from every second limb of a pair to the first, or None."""
    total = _measure_lines(clip, chains, height).mean(axis=0)
    length = float(np.linalg.norm(total))
    return total / length if length > TINY else None


def _measure_lines(clip: PosedClip, chains: list[LegChain], height: float) -> FloatArray:
    """Horizontal lines from every second limb of a pair to the first, added up, shape (F, 2)."""
    by_tip = {chain.tip: chain for chain in chains}
    lines: list[FloatArray] = []
    for chain in chains:
        partner = by_tip.get(chain.other)
        if partner is None or partner.tip < chain.tip:
            continue
        line = np.zeros((clip.frame_count, 2))
        for first, second in zip(chain.joints, partner.joints, strict=False):
            line = (clip.heads[:, first] - clip.heads[:, second])[:, :2]
            if np.linalg.norm(line.mean(axis=0)) > PAIRS.separate * height:
                break
        # All pairs must run the same way, whichever limb happens to come first.
        if lines and line.mean(axis=0) @ lines[0].mean(axis=0) < 0:
            line = -line
        lines.append(line / max(float(np.linalg.norm(line.mean(axis=0))), TINY))
    return np.sum(lines, axis=0) if lines else np.zeros((clip.frame_count, 2))


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
