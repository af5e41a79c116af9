# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travel handed from one carrier of a body to another (docs/method/root_motion.md, Carriers).

All motions are rigid, relative to rest, in axes of the world: one of the object from its first place,
those of root bone and body from their rest in the object as it stood there. Numpy only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ...requests.plans import Carrier, RootMotionRequest
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .limits import ROOT_MOTION

Turn = Literal["heading", "all", "none"]


@dataclass(frozen=True)
class RigidMotion:
    """How something is moved from its rest.

    Attributes
    ----------
    rest
        A point of it at rest, metres, shape (3,).
    places
        Where that point is, metres, shape (N, 3).
    rotations
        Turns from rest, unit quaternions, shape (N, 4).
    """

    rest: FloatArray
    places: FloatArray
    rotations: FloatArray

    def move(self, points: FloatArray) -> FloatArray:
        """Where points at rest (3,) or (N, 3) are taken, shape (N, 3)."""
        return np.asarray(self.places + rot.rotate(self.rotations, points - self.rest))

    def after(self, first: RigidMotion) -> RigidMotion:
        """First the other motion, then this one; tells where the other's point goes."""
        turned = rot.multiply(self.rotations, first.rotations)
        return RigidMotion(first.rest, self.move(first.places), turned)

    def invert(self) -> RigidMotion:
        """The way back."""
        back = rot.conjugate(self.rotations)
        return RigidMotion(self.rest, self.rest + rot.rotate(back, self.rest - self.places), back)

    @property
    def matrices(self) -> FloatArray:
        """Matrices (N, 4, 4)."""
        found = np.zeros((len(self.places), 4, 4))
        found[:, :3, :3] = rot.matrices_from_quaternions(self.rotations)
        found[:, :3, 3] = self.move(np.zeros(3))
        found[:, 3, 3] = 1.0
        return found


@dataclass(frozen=True)
class CarriedBody:
    """The motions of what can carry a body.

    Attributes
    ----------
    object
        Of the object from its first place.
    root, body
        Of the bones from rest, seen from the object; None where there is no root bone.
    times
        When they are there, in any unit, rising, shape (N,).
    """

    object: RigidMotion
    root: RigidMotion | None
    body: RigidMotion
    times: FloatArray

    def get(self, carrier: Carrier) -> RigidMotion | None:
        """The motion of one of them."""
        return {"object": self.object, "root": self.root, "body": self.body}[carrier]


@dataclass(frozen=True)
class HandedTravel:
    """The motions after a conversion.

    Attributes
    ----------
    object, root
        As in `CarriedBody`.
    others
        What the conversion moves all other bones by, seen from the object as it was; None where they
        stay in the world.
    """

    object: RigidMotion
    root: RigidMotion | None
    others: RigidMotion | None


def find_traveller(carried: CarriedBody, request: RootMotionRequest, size: float) -> Carrier | None:
    """The first of object, root bone and body that travels and is not the target.

    Parameters
    ----------
    carried
        The motions.
    request
        What of the motion counts, and the target.
    size
        Of the body, metres.
    """
    carriers: tuple[Carrier, ...] = ("object", "root", "body")
    for carrier in carriers:
        motion = carried.get(carrier)
        if motion is None or carrier == request.target:
            continue
        if travels(motion, carried.times, request, size):
            return carrier
    return None


def travels(
    motion: RigidMotion, times: FloatArray, request: RootMotionRequest, size: float
) -> bool:
    """Whether what goes of a motion changes with the times (N,); ``size`` of the body in metres."""
    given = _find_path(motion, times, request).given
    spans = np.ptp(given.places, axis=0)[_choose_axes(request)]
    turns = rot.angles_between(given.rotations[:1], given.rotations)
    moved = np.max(spans, initial=0.0) > ROOT_MOTION.moved * size
    return bool(moved or turns.max() > ROOT_MOTION.turned)


def hand_travel(carried: CarriedBody, request: RootMotionRequest, source: Carrier) -> HandedTravel:
    """Take the travel from one carrier and give it to another.

    Parameters
    ----------
    carried
        The motions as they are; with a root bone where one is source or target.
    request
        What goes where.
    source
        What has the travel.

    Returns
    -------
    HandedTravel
    """
    motion = carried.get(source)
    if motion is None:
        raise ValueError(f"there is no {source} to take the travel from")
    path = _find_path(motion, carried.times, request)
    if request.target == "none":
        return _take_out(carried, request, source, path)
    if request.target == "object":
        return _give_object(carried, request, source, path)
    if request.target == "root":
        return _give_root(carried, request, source, path)
    if source == "object":
        return HandedTravel(_rest(motion, motion, request), carried.root, None)
    return HandedTravel(carried.object, _rest(motion, motion, request), None)


@dataclass(frozen=True)
class _Path:
    """What goes of a motion: as it is, and as it is given on.

    Attributes
    ----------
    own, given
        The same where the target does not move evenly. Their turns are those that go; their places
        are whole, those that do not go the motion's own.
    """

    own: RigidMotion
    given: RigidMotion

    @property
    def evening(self) -> RigidMotion:
        """Motion (of places in the world) from the one to the other."""
        turns = rot.multiply(self.given.rotations, rot.conjugate(self.own.rotations))
        places = self.given.places - rot.rotate(turns, self.own.places)
        return RigidMotion(np.zeros(3), places, turns)


def _find_path(motion: RigidMotion, times: FloatArray, request: RootMotionRequest) -> _Path:
    """What goes of a motion."""
    own = replace(motion, rotations=_choose_turns(motion, request.turn))
    if not request.use_even:
        return _Path(own, own)
    shares = (times - times[0]) / (times[-1] - times[0])
    places, turns = even_out(motion.places, motion.rotations, shares, request.turn != "none")
    chosen = np.where(_choose_axes(request), places, motion.places)
    # Of the whole rotation the heading alone can go on evenly.
    if request.turn == "all":
        own = replace(own, rotations=_choose_turns(motion, "heading"))
    return _Path(own, RigidMotion(motion.rest, chosen, turns))


def even_out(
    places: FloatArray, rotations: FloatArray, shares: FloatArray, with_turn: bool
) -> tuple[FloatArray, FloatArray]:
    """The even motion that goes as far and turns as much, seen from above, and rises as much.

    Parameters
    ----------
    places
        Metres, shape (N, 3).
    rotations
        Turns from rest, shape (N, 4).
    shares
        Times from 0 to 1, shape (N,).
    with_turn
        Whether it turns; else it goes straight.

    Returns
    -------
    places, turns
        About the mean of the motion, shapes (N, 3) and (N, 4).
    """
    count = len(places)
    headings = np.unwrap(find_headings(rotations)) if with_turn else np.zeros(count)
    angle = float(headings[-1] - headings[0])
    shift = _find_arc(places[:, :2] - places[0, :2], angle, shares)
    # What the body sways is what is left when the even motion is taken off, and its mean goes along.
    back = rot.quaternions_from_yaws(-angle * shares)
    left = places - places[0]
    left[:, :2] -= shift
    left[:, 2] -= shares * (places[-1, 2] - places[0, 2])
    centre = rot.rotate(back, left).mean(axis=0)
    even = places[0] + rot.rotate(rot.conjugate(back), centre)
    even[:, :2] += shift
    even[:, 2] += shares * (places[-1, 2] - places[0, 2])
    mean = float(np.mean(headings - angle * shares))
    return even, rot.quaternions_from_yaws(angle * shares + mean)


def find_headings(rotations: FloatArray) -> FloatArray:
    """Turns about the vertical in rotations (N, 4), radians, shape (N,)."""
    return np.asarray(2.0 * np.arctan2(rotations[..., 3], rotations[..., 0]))


def _find_arc(moves: FloatArray, angle: float, shares: FloatArray) -> FloatArray:
    """Where a point that starts at 0 is taken by an even turn to the last of ``moves`` (N, 2).

    Past most of a turn the ends do not tell the arc; the one nearest to all moves is taken.
    """
    steps = _integrate_turn(angle * shares) * shares[:, None, None]
    if abs(angle) < ROOT_MOTION.full_turn:
        velocity = np.linalg.solve(steps[-1], moves[-1])
    else:
        velocity = np.linalg.lstsq(steps.reshape(-1, 2), moves.reshape(-1), rcond=None)[0]
    return np.asarray(steps @ velocity)


def _integrate_turn(angles: FloatArray) -> FloatArray:
    """Means of the turns from 0 to angles (N,), shape (N, 2, 2)."""
    sine = np.sinc(angles / np.pi)
    half = 0.5 * angles
    versine = np.sin(half) * np.sinc(half / np.pi)
    return np.stack([np.stack([sine, -versine], -1), np.stack([versine, sine], -1)], -2)


def _choose_axes(request: RootMotionRequest) -> np.ndarray:
    """Which coordinates go, shape (3,) of bool."""
    return np.array([request.use_ground, request.use_ground, request.use_height])


def _choose_turns(motion: RigidMotion, turn: Turn) -> FloatArray:
    """What goes of the rotations of a motion, shape (N, 4)."""
    if turn == "none":
        return np.broadcast_to(rot.IDENTITY, motion.rotations.shape)
    if turn == "all":
        return motion.rotations
    return rot.quaternions_from_yaws(np.unwrap(find_headings(motion.rotations)))


def _rest(motion: RigidMotion, given: RigidMotion, request: RootMotionRequest) -> RigidMotion:
    """A motion without what goes of another.

    Where the coordinates go that point is at rest; the others, and what is left of the rotation, stay.
    """
    turns = _choose_turns(given, request.turn)
    return RigidMotion(
        motion.rest,
        np.where(_choose_axes(request), motion.rest, motion.places),
        rot.multiply(rot.conjugate(turns), motion.rotations),
    )


def _take_away(motion: RigidMotion, path: _Path, request: RootMotionRequest) -> RigidMotion:
    """A motion without the path that is given on; where that is even the sway is left."""
    back = rot.conjugate(path.given.rotations)
    left = motion.rest + rot.rotate(back, motion.places - path.given.places)
    return RigidMotion(
        motion.rest,
        np.where(_choose_axes(request), left, motion.places),
        rot.multiply(back, motion.rotations),
    )


def _take_out(
    carried: CarriedBody, request: RootMotionRequest, source: Carrier, path: _Path
) -> HandedTravel:
    """In place: what is below the source stays with it."""
    motion = carried.get(source)
    if motion is None:
        raise ValueError(f"there is no {source} to take the travel from")
    left = _take_away(motion, path, request)
    others = left.after(motion.invert())
    if source == "object":
        return HandedTravel(left, carried.root, _stay(motion))
    if source == "root":
        return HandedTravel(carried.object, left, others)
    return HandedTravel(carried.object, _clear(carried.root, request), others)


def _give_object(
    carried: CarriedBody, request: RootMotionRequest, source: Carrier, path: _Path
) -> HandedTravel:
    """To the object: it is taken where the path takes its rest."""
    place = carried.object.rest
    moved = path.given.move(place)
    carrying = RigidMotion(
        place, np.where(_choose_axes(request), moved, place), path.given.rotations
    )
    taken = carried.object.after(carrying)
    root = carried.root
    if source == "body":
        return HandedTravel(taken, _clear(root, request), None)
    if root is None:
        raise ValueError("there is no root bone to take the travel from")
    shown = carried.object.after(path.evening.after(root))
    return HandedTravel(taken, taken.invert().after(shown), None)


def _give_root(
    carried: CarriedBody, request: RootMotionRequest, source: Carrier, path: _Path
) -> HandedTravel:
    """To the root bone: it is taken where the path takes its rest, or stays where the object had it."""
    root = carried.root
    if root is None:
        raise ValueError("there is no root bone to give the travel to")
    if source == "object":
        still = _rest(carried.object, carried.object, request)
        shown = path.evening.after(carried.object.after(root))
        return HandedTravel(still, still.invert().after(shown), None)
    moved = path.given.move(root.rest)
    turns = root.rotations if request.turn == "none" else path.given.rotations
    taken = RigidMotion(root.rest, np.where(_choose_axes(request), moved, root.places), turns)
    return HandedTravel(carried.object, taken, None)


def _clear(root: RigidMotion | None, request: RootMotionRequest) -> RigidMotion | None:
    """A root bone whose travel goes with that of the body: at rest where it goes."""
    if root is None:
        return None
    turns = root.rotations if request.turn == "none" else _stay(root).rotations
    return RigidMotion(root.rest, np.where(_choose_axes(request), root.rest, root.places), turns)


def _stay(motion: RigidMotion) -> RigidMotion:
    """No motion, for as long as another."""
    return RigidMotion(
        motion.rest,
        np.broadcast_to(motion.rest, motion.places.shape),
        np.broadcast_to(rot.IDENTITY, motion.rotations.shape),
    )
