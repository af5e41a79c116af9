# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a walk is meant to show at some of its frames, and how far shown poses are from it (numpy only).

The legs' bones and all that carry them are compared: their heads, and the turn and size of those that
carry soles. Where a bone is off, the bone nearest to the root whose own pose is other than meant is
the one to look at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..rig.structure import Rig
from ..walk import SolvedWalk, WalkPlan
from .sizes import find_sizes

# A bone is to blame where its own pose is off by this share of the worst distance.
_BLAME = 0.2
# Frames that are looked at besides those of the steps.
_SPREAD = 16
# More frames than these are thinned out evenly.
_MOST_FRAMES = 240
# Fields of an expectation that have an entry for each frame, besides the frames themselves.
_MOVING = ("rotations", "positions", "scales", "origins", "turns")


@dataclass(frozen=True)
class Expectation:
    """What a walk is meant to show.

    Attributes
    ----------
    frames
        Scene frames, increasing, shape (N,).
    names
        Bones of legs and soles and all above them, parents first, length K.
    parents
        Index of each bone's parent among them or -1, shape (K,).
    legs
        Name of each leg.
    leg_lengths
        Metres, shape (L,).
    leg_bones
        Whether a bone is one of a leg, from hip to toe, shape (L, K) of bool; of the foot alone where
        the walk is on controls.
    reaches
        Distance of the farthest sole point that rides on a bone from its head, metres, shape (K,).
    rotations, positions
        World, metres, shapes (N, K, 4) and (N, K, 3).
    scales
        Metres per unit along the bones' axes, all inherited, shape (N, K).
    origins, turns
        World place and rotation of the armature object, shapes (N, 3) and (N, 4).
    controls
        Names of the controls that each leg hangs from; empty where the walk is on deforming bones.
    """

    frames: FloatArray
    names: tuple[str, ...]
    parents: np.ndarray
    legs: tuple[str, ...]
    leg_lengths: FloatArray
    leg_bones: np.ndarray
    reaches: FloatArray
    rotations: FloatArray
    positions: FloatArray
    scales: FloatArray
    origins: FloatArray
    turns: FloatArray
    controls: tuple[tuple[str, ...], ...] = ()

    def find_chain(self, bone: int) -> list[int]:
        """Bones from the root to ``bone``, itself included."""
        chain = [bone]
        while self.parents[chain[-1]] >= 0:
            chain.append(int(self.parents[chain[-1]]))
        return chain[::-1]

    def keep_frames(self, sections: Sequence[tuple[float, float]]) -> Expectation:
        """The same at its frames in any of some sections, ends included."""
        inside = np.zeros(len(self.frames), dtype=bool)
        for first, last in sections:
            inside |= (self.frames >= first) & (self.frames <= last)
        kept = {name: getattr(self, name)[inside] for name in _MOVING}
        return replace(self, frames=self.frames[inside], **kept)


@dataclass(frozen=True)
class ShownBones:
    """World poses of the bones of an `Expectation` at its frames, as they are shown.

    Attributes
    ----------
    rotations, positions
        Shapes (N, K, 4) and (N, K, 3), metres.
    scales
        Lengths of the bones' axes, shape (N, K, 3).
    origins, turns
        World place and rotation of the armature object, shapes (N, 3) and (N, 4).
    """

    rotations: FloatArray
    positions: FloatArray
    scales: FloatArray
    origins: FloatArray
    turns: FloatArray


@dataclass(frozen=True)
class Deviation:
    """The largest distance of a leg from where it is meant to be.

    Attributes
    ----------
    share
        Distance as a share of the leg's length.
    frame
        Scene frame.
    leg
        Index of the leg.
    bone
        Index of the bone that is off the most.
    blamed
        Index of the bone whose own pose is other than meant, nearest to the root; -1 for the
        armature object.
    """

    share: float
    frame: float
    leg: int
    bone: int
    blamed: int


def choose_frames(contacts: np.ndarray, worst: int) -> np.ndarray:
    """Which frames of a walk tell whether it is shown as planned.

    Parameters
    ----------
    contacts
        Whether each foot is planted, shape (N, L) of bool.
    worst
        Index of the frame of the walk's worst number.

    Returns
    -------
    array, shape (M,)
        Indices, increasing: both frames of every strike and foot-off, the middle of every stance and
        swing, the ends, the worst one and a spread, at most 240.
    """
    count = len(contacts)
    found = [np.array([0, worst, count - 1]), np.linspace(0, count - 1, min(_SPREAD, count))]
    for leg in range(contacts.shape[1]):
        changes = np.flatnonzero(contacts[1:, leg] != contacts[:-1, leg])
        ends = np.concatenate([[0], changes, [count - 1]])
        found += [changes, changes + 1, 0.5 * (ends[1:] + ends[:-1])]
    chosen = np.unique(np.round(np.concatenate(found)).astype(np.intp))
    if len(chosen) > _MOST_FRAMES:
        spread = np.linspace(0, len(chosen) - 1, _MOST_FRAMES - 1).astype(np.intp)
        chosen = np.unique(np.append(chosen[spread], worst))
    return chosen


def expect_walk(
    plan: WalkPlan,
    walk: SolvedWalk,
    frames: np.ndarray,
    chosen: np.ndarray,
    controls: tuple[tuple[str, ...], ...] = (),
) -> Expectation:
    """What some frames of a solved walk are meant to show, where the object carries the travel.

    Parameters
    ----------
    plan
        The walk's plan.
    walk
        Its solution.
    frames
        Scene frames of the solution, shape (N,).
    chosen
        Indices of the frames to keep, shape (M,).
    controls
        Names of the controls that each leg hangs from, where the walk is on them. A rig's own IK decides
        about its knees then.
    """
    rig, poses = plan.tables.small_rig, walk.poses
    # Ends of bones, the last of all, go with their bones.
    own = rig.skeleton.is_own
    legs = np.zeros((len(rig.legs), len(rig.skeleton)), dtype=bool)
    for index, leg in enumerate(rig.legs):
        feet = leg.bones[len(rig.name_joints(leg)) - 1 :]
        legs[index, list(feet if controls else leg.bones)] = True
    scales = find_sizes(plan, poses)[chosen] * rig.skeleton.rest_sizes
    return Expectation(
        frames=np.asarray(frames, dtype=np.float64)[chosen],
        names=rig.skeleton.own_names,
        parents=rig.skeleton.parents[own],
        legs=tuple(leg.name for leg in rig.legs),
        leg_lengths=np.array([leg.length for leg in rig.legs]),
        leg_bones=legs[:, own],
        reaches=_measure_reaches(rig)[own],
        rotations=walk.rotations[chosen][:, own],
        positions=walk.positions[chosen][:, own],
        scales=scales[:, own],
        origins=rig.skeleton.place_object(poses.orientations[chosen], poses.positions[chosen]),
        turns=rot.multiply(poses.orientations[chosen], rig.skeleton.object_rotation),
        controls=controls,
    )


def join_expectations(
    before: Expectation, now: Expectation, section: tuple[float, float]
) -> Expectation:
    """What a walk is meant to show after a section of it was baked again.

    Of the earlier frames those outside of the section stay, where the bones are the same ones.
    """
    if before.names != now.names or before.legs != now.legs:
        return now
    outside = (before.frames < section[0]) | (before.frames > section[1])
    frames = np.concatenate([before.frames[outside], now.frames])
    order = np.argsort(frames, kind="stable")
    joined = {
        name: np.concatenate([getattr(before, name)[outside], getattr(now, name)])[order]
        for name in _MOVING
    }
    return replace(now, frames=frames[order], **joined)


def measure_deviation(expected: Expectation, shown: ShownBones) -> Deviation:
    """The largest distance of shown legs from where they are meant to be, and the bone to blame.

    Parameters
    ----------
    expected
        What is meant.
    shown
        What is seen at the same frames.
    """
    apart = rot.lengths(shown.positions - expected.positions)
    turned = _measure_turns(shown.rotations, expected.rotations)
    grown = np.abs(shown.scales / expected.scales[..., None] - 1.0).max(axis=-1)
    apart = apart + expected.reaches * (2.0 * np.sin(0.5 * turned) + grown)
    shares = apart[:, None] / expected.leg_lengths[:, None]
    shares = np.where(expected.leg_bones, shares, 0.0)
    frame, leg, bone = (int(i) for i in np.unravel_index(np.argmax(shares), shares.shape))
    share = float(shares[frame, leg, bone])
    limit = _BLAME * share * float(expected.leg_lengths[leg])
    blamed = _find_blamed(expected, shown, frame, bone, limit, float(expected.leg_lengths[leg]))
    return Deviation(share, float(expected.frames[frame]), leg, bone, blamed)


def _find_blamed(
    expected: Expectation, shown: ShownBones, frame: int, bone: int, limit: float, length: float
) -> int:
    """The bone nearest to the root whose own pose moves ``bone`` by more than ``limit`` metres.

    The turn and the size of a bone count by what they do at the distance of the leg's length.
    """
    origins = (shown.origins[frame], expected.origins[frame])
    turns = (shown.turns[frame], expected.turns[frame])
    away = float(rot.lengths(origins[0] - origins[1]))
    away += length * float(_measure_turns(turns[0], turns[1]))
    if away > limit:
        return -1
    meant = (expected.rotations[frame], expected.positions[frame], turns[1], origins[1])
    seen = (shown.rotations[frame], shown.positions[frame], turns[0], origins[0])
    for item in expected.find_chain(bone):
        parent = int(expected.parents[item])
        places, angles = zip(
            *(_read_local(*side, item, parent) for side in (seen, meant)), strict=True
        )
        moved = float(rot.lengths(places[0] - places[1]))
        moved += length * float(_measure_turns(angles[0], angles[1]))
        own = float(np.abs(shown.scales[frame, item] / expected.scales[frame, item] - 1.0).max())
        inherited = 0.0
        if parent >= 0:
            sizes = shown.scales[frame, parent] / expected.scales[frame, parent]
            inherited = float(np.abs(sizes - 1.0).max())
        if moved + length * max(own - inherited, 0.0) > limit:
            return item
    return bone


def _read_local(
    rotations: FloatArray,
    positions: FloatArray,
    turn: FloatArray,
    origin: FloatArray,
    item: int,
    parent: int,
) -> tuple[FloatArray, FloatArray]:
    """Place (3,) and rotation (4,) of a bone against its parent, or against the object."""
    down = rot.conjugate(rotations[parent] if parent >= 0 else turn)
    place = positions[item] - (positions[parent] if parent >= 0 else origin)
    return rot.rotate(down, place), rot.multiply(down, rotations[item])


def _measure_turns(a: FloatArray, b: FloatArray) -> FloatArray:
    """Angles between rotations (..., 4), radians."""
    cosine = np.abs(np.sum(a * b, axis=-1))
    return np.asarray(2.0 * np.arccos(np.minimum(cosine, 1.0)))


def _measure_reaches(rig: Rig) -> FloatArray:
    """Distance of the farthest sole point on each bone from its head, metres, (K,)."""
    reaches = np.zeros(len(rig.skeleton))
    for point in (point for leg in rig.legs for point in leg.soles):
        reaches[point.bone] = max(reaches[point.bone], float(np.linalg.norm(point.offset)))
    for end in np.flatnonzero(~rig.skeleton.is_own):
        away = float(np.linalg.norm(rig.skeleton.rest_translations[end])) + reaches[end]
        reaches[rig.skeleton.parents[end]] = max(reaches[rig.skeleton.parents[end]], away)
    return reaches
