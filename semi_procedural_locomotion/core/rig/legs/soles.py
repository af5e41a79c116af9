# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Heel, ball and toe tip of every foot (docs/method/legs.md, Soles)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...maths.rotations import FloatArray
from ..structure import Leg
from .attachment import Attachment
from .body import Body, PosedClip
from .chains import LegChain
from .limits import JOINTS, RIG_GROUND, SOLES
from .skin import pose_points


@dataclass(frozen=True)
class SolePose:
    """One clip in which feet may be seen flat.

    Attributes
    ----------
    clip
        Few frames of it.
    ground
        Height of its ground, metres.
    forward
        Where the character faces in it, shape (2,).
    """

    clip: PosedClip
    ground: float
    forward: FloatArray


@dataclass(frozen=True)
class Sole:
    """A flat foot seen from its ankle, in the pose in which it was seen.

    Attributes
    ----------
    direction
        Horizontal unit vector from heel to toe tip, shape (2,).
    heel, ball, tip
        Distances from the ankle along it, metres.
    middle
        Distance of the middle line from the ankle to the left of it, metres.
    width
        Metres.
    level
        Height of the sole, metres.
    axes, heads
        Axes (B, 3, 3) and heads (B, 3) of that pose.
    guessed
        Whether there were no vertices to measure.
    on_toes
        Whether a foot stands on its toes alone: the end of its sole behind follows them, or, guessed, its
        ankle is high above them.
    """

    direction: FloatArray
    heel: float
    ball: float
    tip: float
    middle: float
    width: float
    level: float
    axes: FloatArray
    heads: FloatArray
    guessed: bool
    on_toes: bool = False

    def compute_point(self, ankle: int, along: float) -> FloatArray:
        """A point of the middle line at a distance from the ankle, metres, shape (3,)."""
        left = np.array([-self.direction[1], self.direction[0]])
        flat = self.heads[ankle, :2] + along * self.direction + self.middle * left
        return np.array([flat[0], flat[1], self.level])


def find_soles(
    body: Body, attachment: Attachment, chains: list[LegChain], poses: list[SolePose]
) -> list[Sole]:
    """Soles of all legs, partners whose feet are alike made equal.

    Parameters
    ----------
    body, attachment
        The prepared evidence and its re-attached tree.
    chains
        The legs.
    poses
        Clips in which to look, the chosen one first, the rest pose last.
    """
    few = [replace(pose, clip=pose.clip.pick_frames(SOLES.frames)) for pose in poses]
    soles = [_find_sole(body, attachment, chain, few) for chain in chains]
    by_tip = {chain.tip: index for index, chain in enumerate(chains)}
    averaged = list(soles)
    for index, chain in enumerate(chains):
        partner = by_tip.get(chain.other)
        if partner is not None and have_like_feet(body, attachment, chain, chains[partner]):
            averaged[index] = _average(soles[index], soles[partner])
    return [_finish(sole, chain) for sole, chain in zip(averaged, chains, strict=True)]


def _find_sole(body: Body, attachment: Attachment, chain: LegChain, poses: list[SolePose]) -> Sole:
    """The sole of one leg from its vertices, or a guess."""
    points = find_foot_points(body, attachment, chain)
    if len(points) < SOLES.fewest_points:
        return _guess(body, chain, poses)
    if body.is_end[chain.joints[-1]] and _stands(body, chain, poses[-1]):
        # No ankle turns the end of a shin flat: how it stands at rest is how it was made to stand.
        poses = poses[-1:]
    skin = body.skin.select(points)
    best: tuple[float, SolePose, int, FloatArray] | None = None
    for strict in (True, False):
        for pose in poses:
            posed = pose_points(skin, pose.clip.axes, pose.clip.heads)
            diagonals = _measure_diagonals(posed, chain.length)
            away = np.abs(posed[..., 2].min(axis=1) - pose.ground)
            if strict:
                diagonals[away > SOLES.near_ground * chain.length] = -1.0
            frame = int(np.argmax(diagonals))
            size = float(diagonals[frame])
            if pose.clip.is_rest and best is not None:
                size /= SOLES.rest_preference
            if size >= 0 and (best is None or size > best[0]):
                best = (size, pose, frame, posed[frame])
        if best is not None:
            break
    if best is None:
        return _guess(body, chain, poses)
    _, pose, frame, seen = best
    on_toe = np.zeros(len(points), dtype=bool)
    if chain.toe is not None:
        on_toe = attachment.tree.below[chain.toe][skin.owners]
    return _measure(chain, pose, frame, seen, on_toe)


def find_foot_points(body: Body, attachment: Attachment, chain: LegChain) -> np.ndarray:
    """Indices of the vertices that follow a foot or what hangs from it, none without a mesh."""
    # A helper ankle carries no vertices: those of the shin's end are the foot then.
    tops = [chain.joints[-1]] if chain.foot == "foot" else [chain.joints[-1], chain.bones[-1]]
    foot = np.any(attachment.tree.below[tops], axis=0)
    return np.flatnonzero(foot[body.skin.owners]) if body.has_mesh else np.zeros(0, np.intp)


def find_missed(body: Body, legs: Sequence[Leg], clip: PosedClip) -> tuple[float, str] | None:
    """How far skin near the soles usually is below all of them, share of L, and the bone that it follows.

    Parameters
    ----------
    body
        The prepared evidence.
    legs
        The legs with their soles.
    clip
        The clip in which they walk.

    Returns
    -------
    tuple or None
        None where no skin is lower than the soles by more than a thin one is thick.
    """
    if not body.has_mesh:
        return None
    length = float(np.mean([leg.length for leg in legs]))
    points = [point for leg in legs for point in leg.soles]
    rest = np.array([body.heads[p.bone] + body.rest.axes[0, p.bone] @ p.offset for p in points])
    placed = pose_points(body.skin, body.rest.axes, body.rest.heads)[0]
    near = np.linalg.norm(placed[:, None] - rest, axis=-1).min(axis=1) < SOLES.near * length
    if not near.any():
        return None
    few = clip.pick_frames(SOLES.frames)
    skin = body.skin.select(np.flatnonzero(near))
    heights = pose_points(skin, few.axes, few.heads)[..., 2]
    soles = [few.heads[:, p.bone, 2] + few.axes[:, p.bone, 2] @ p.offset for p in points]
    below = np.min(soles, axis=0) - heights.min(axis=1)
    frame = int(np.argsort(below)[len(below) // 2])
    share = float(below[frame]) / length
    if share < SOLES.missed:
        return None
    return share, body.names[int(skin.owners[int(heights[frame].argmin())])]


def have_like_feet(body: Body, attachment: Attachment, chain: LegChain, partner: LegChain) -> bool:
    """Whether the meshes of two feet have one shape, mirrored or not, however both are turned.

    Feet of too few vertices take their measures from the other.
    """
    reaches = []
    for leg in (chain, partner):
        points = find_foot_points(body, attachment, leg)
        if len(points) < SOLES.fewest_points:
            return True
        skin = body.skin.select(points)
        posed = pose_points(skin, body.rest.axes, body.rest.heads)[0]
        away = np.linalg.norm(posed - body.heads[leg.joints[-1]], axis=1)
        reaches.append(np.quantile(away, SOLES.like_shares))
    apart = np.abs(reaches[0] - reaches[1]).max()
    return bool(apart <= SOLES.like * max(reaches[0][-1], reaches[1][-1]))


def _measure_diagonals(posed: FloatArray, length: float) -> FloatArray:
    """Horizontal size of the flat part of a foot in every frame, shape (F,)."""
    flat = _find_flat(posed, length)[..., None]
    high = np.where(flat, posed[..., :2], -np.inf).max(axis=1)
    low = np.where(flat, posed[..., :2], np.inf).min(axis=1)
    return np.linalg.norm(high - low, axis=1)


def _find_flat(posed: FloatArray, length: float) -> np.ndarray:
    """Points of the sole: those near the lowest, (..., P) bool."""
    heights = posed[..., 2]
    low = heights.min(axis=-1, keepdims=True)
    tall = np.ptp(heights, axis=-1, keepdims=True)
    band = np.maximum(SOLES.band * length, SOLES.foot_band * tall)
    return np.asarray(heights < low + band)


def _measure(
    chain: LegChain, pose: SolePose, frame: int, seen: FloatArray, on_toe: np.ndarray
) -> Sole:
    """Extremes of the flat part of a foot along its axis; which of its points follow the toe, (P,)."""
    heads, axes = pose.clip.heads[frame], pose.clip.axes[frame]
    ankle = heads[chain.joints[-1]]
    flat = _find_flat(seen, chain.length)
    sole = seen[flat]
    direction = _find_direction(chain, heads, sole, pose.forward)
    left = np.array([-direction[1], direction[0]])
    along = (sole[:, :2] - ankle[:2]) @ direction
    across = (sole[:, :2] - ankle[:2]) @ left
    heel, tip = float(along.min()), float(along.max())
    ball = heel + SOLES.ball * (tip - heel)
    if chain.toe is not None:
        ball = float((heads[chain.toe, :2] - ankle[:2]) @ direction)
    return Sole(
        direction=direction,
        heel=heel,
        ball=ball,
        tip=tip,
        middle=0.5 * float(across.min() + across.max()),
        width=float(np.ptp(across)),
        level=float(sole[:, 2].min()),
        axes=axes,
        heads=heads,
        guessed=False,
        on_toes=bool(on_toe[flat][np.argmin(along)]),
    )


def _find_direction(
    chain: LegChain, heads: FloatArray, sole: FloatArray, forward: FloatArray
) -> FloatArray:
    """Foot axis: ankle to toe, else the sole's long axis, else forward."""
    if chain.toe is not None and chain.foot != "tip":
        way = (heads[chain.toe] - heads[chain.joints[-1]])[:2]
        apart = float(np.linalg.norm(way))
        if apart > SOLES.toe_apart * chain.length:
            return way / apart
    centred = sole[:, :2] - sole[:, :2].mean(axis=0)
    spreads, vectors = np.linalg.eigh(centred.T @ centred)
    long_axis = vectors[:, 1]
    cosine = float(long_axis @ forward)
    if abs(cosine) > SOLES.long_axis_cosine and spreads[1] > SOLES.long_axis_ratio * spreads[0]:
        return long_axis * np.sign(cosine)
    return forward


def _guess(body: Body, chain: LegChain, poses: list[SolePose]) -> Sole:
    """Heel and tip from the joints alone; the rest pose when it stands, else the lowest frame."""
    ankle, toe = chain.joints[-1], chain.toe
    ends = [ankle] if toe is None else [ankle, toe]
    pose = poses[-1] if _stands(body, chain, poses[-1]) else poses[0]
    lows = [float(p.clip.heads[:, ends, 2].mean(axis=1).min()) - p.ground for p in (pose, poses[0])]
    if lows[0] > lows[1] + SOLES.near_ground * chain.length:
        pose = poses[0]  # a rest pose in the middle of a step holds one foot up
    frame = int(np.argmin(pose.clip.heads[:, ends, 2].sum(axis=1)))
    heads, axes = pose.clip.heads[frame], pose.clip.axes[frame]
    direction, on_toes = pose.forward, False
    if body.is_end[ankle]:
        half, width = 0.5 * SOLES.shortest * chain.length, SOLES.narrowest * chain.length
        place = float(heads[ankle, 2])
        return Sole(direction, -half, 0.0, half, 0.0, width, place, axes, heads, True)
    heel, tip = SOLES.guessed_heel_of_leg * chain.length, SOLES.guessed_tip_of_leg * chain.length
    ball = heel + SOLES.ball * (tip - heel)
    if toe is not None:
        way = (heads[toe] - heads[ankle])[:2]
        apart = float(np.linalg.norm(way))
        if apart > SOLES.toe_apart * chain.length:
            direction = way / apart
            heel, ball, tip = SOLES.guessed_heel * apart, apart, SOLES.guessed_tip * apart
        on_toes = bool(heads[ankle, 2] - heads[toe, 2] > SOLES.steep * apart)
        if on_toes:
            ball, reach = float(way @ direction), float(np.linalg.norm(heads[toe] - heads[ankle]))
            heel = ball + SOLES.guessed_heel_of_toes * reach
            tip = ball + SOLES.guessed_tip_of_toes * reach
    level = pose.ground
    if not body.has_mesh and 0.0 < level <= SOLES.above_floor * chain.length:
        level = 0.0
    width = SOLES.guessed_width * (tip - heel)
    return Sole(direction, heel, ball, tip, 0.0, width, level, axes, heads, True, on_toes)


def _stands(body: Body, chain: LegChain, pose: SolePose) -> bool:
    """Whether a leg stands in a pose: its ankle low, its hip above; less so on the end of a shin."""
    heads = pose.clip.heads[0]
    rise = heads[chain.joints[0], 2] - heads[chain.joints[-1], 2]
    least = JOINTS.lowest_hip if body.is_end[chain.joints[-1]] else RIG_GROUND.upright
    return bool(rise > least * chain.length)


def _average(sole: Sole, partner: Sole) -> Sole:
    """A sole with the mean measures of both feet, or with the measured one's."""
    if sole.guessed and not partner.guessed:
        share = 1.0
    elif partner.guessed and not sole.guessed:
        return sole
    else:
        share = 0.5
    own = 1.0 - share
    return replace(
        sole,
        heel=own * sole.heel + share * partner.heel,
        ball=own * sole.ball + share * partner.ball,
        tip=own * sole.tip + share * partner.tip,
        middle=own * sole.middle - share * partner.middle,
        width=own * sole.width + share * partner.width,
        guessed=sole.guessed and partner.guessed,
    )


def _finish(sole: Sole, chain: LegChain) -> Sole:
    """Clamp length, width and the place of the ball."""
    least = SOLES.shortest * chain.length
    heel, tip = sole.heel, sole.tip
    if tip - heel < least:
        centre = 0.5 * (heel + tip)
        heel, tip = centre - 0.5 * least, centre + 0.5 * least
    low, high = (heel + share * (tip - heel) for share in (SOLES.least_ball, SOLES.most_ball))
    return replace(
        sole,
        heel=heel,
        tip=tip,
        ball=float(np.clip(sole.ball, low, high)),
        width=max(sole.width, SOLES.narrowest * chain.length),
    )
