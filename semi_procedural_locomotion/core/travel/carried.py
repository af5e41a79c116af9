# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels in the space of something that moves, and that space over time (numpy only).

The space of a carrier is the world as it is at one time; from then on it goes with the carrier. So up
is up in it, and a metre a metre, however the carrier itself is turned and scaled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .way import Travel


@dataclass(frozen=True)
class Carrier:
    """Something that moves and carries what is on it.

    Attributes
    ----------
    find_matrices
        World matrices of the carrier, shape (N, 4, 4), at times (N,) in seconds.
    since
        Seconds at which its space is the world.
    times, angles
        How far it has turned about up since then, radians without jumps, shape (K,), at increasing
        times in seconds, shape (K,).
    name
        What it is called; empty where nobody needs to be told.
    """

    find_matrices: Callable[[FloatArray], FloatArray]
    since: float
    times: FloatArray
    angles: FloatArray
    name: str = ""

    def find_motions(self, times: FloatArray) -> FloatArray:
        """Matrices from the carrier's space to the world at times (N,), shape (N, 4, 4)."""
        start = self.find_matrices(np.array([self.since]))[0]
        # The pseudo-inverse bears carriers that are hidden by a size of 0 for a while.
        return np.asarray(self.find_matrices(times) @ np.linalg.pinv(start))

    def carry(
        self, positions: FloatArray, yaws: FloatArray, times: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """From places (N, 3) and yaws (N,) in the carrier's space to the world, at times (N,)."""
        motions = self.find_motions(times)
        places = move_points(motions, positions)
        ahead = rot.pack(np.cos(yaws), np.sin(yaws), np.zeros_like(yaws))
        turned = np.einsum("nij,nj->ni", motions[:, :3, :3], ahead)
        near = yaws + np.interp(times, self.times, self.angles)
        headings = np.arctan2(turned[:, 1], turned[:, 0])
        return places, near + rot.wrap_angles(headings - near)

    def find_places(
        self, positions: FloatArray, turns: FloatArray, times: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """From world places (N, 3) and rotations (N, 4) at times (N,) to the carrier's space.

        Returns
        -------
        positions, yaws
            Shapes (N, 3) and (N,); the yaws have no jumps if the times increase.
        """
        motions = self.find_motions(times)
        places = move_points(np.linalg.pinv(motions), positions)
        own = rot.multiply(rot.conjugate(find_turns(motions)), turns)
        return places, np.unwrap(2.0 * np.arctan2(own[:, 3], own[:, 0]))


def make_carrier(
    find_matrices: Callable[[FloatArray], FloatArray], since: float, times: FloatArray
) -> Carrier:
    """A carrier whose space is the world at a time.

    Parameters
    ----------
    find_matrices
        World matrices (N, 4, 4) at times (N,) in seconds.
    since
        Seconds.
    times
        Increasing, close enough that it turns by less than half a turn between them, shape (K,).
    """
    times = np.asarray(times, dtype=np.float64)
    bare = Carrier(find_matrices, since, times, np.zeros(len(times)))
    turns = find_turns(bare.find_motions(times))
    angles = np.unwrap(2.0 * np.arctan2(turns[:, 3], turns[:, 0]))
    begin = float(np.interp(since, times, angles))
    return Carrier(find_matrices, since, times, angles - 2 * np.pi * np.round(begin / (2 * np.pi)))


def carrier_from_samples(times: FloatArray, matrices: FloatArray, since: float) -> Carrier:
    """A carrier of which samples are known; it goes straight from one to the next.

    Parameters
    ----------
    times
        Seconds, increasing, shape (K,).
    matrices
        World matrices at these times, shape (K, 4, 4). Before the first and after the last it rests.
    since
        Seconds at which its space is the world.
    """
    times = np.asarray(times, dtype=np.float64)

    def find_matrices(asked: FloatArray) -> FloatArray:
        place = np.interp(asked, times, np.arange(len(times)))
        # Samples that are asked for at their own times are met to the last bit.
        near = np.round(place)
        place = np.where(np.abs(place - near) < _SAME, near, place)
        before = place.astype(np.intp)
        share = (place - before)[:, None, None]
        after = np.minimum(before + 1, len(times) - 1)
        return np.asarray(matrices[before] * (1.0 - share) + matrices[after] * share)

    return make_carrier(find_matrices, since, times)


# Share of a sample's span within which a time is that of the sample.
_SAME = 1e-6


@dataclass(frozen=True, kw_only=True)
class CarriedTravel(Travel):
    """A travel in the space of a carrier; its own samples are in the world.

    Attributes
    ----------
    local
        The travel in that space.
    carrier
        What carries it.
    """

    local: Travel
    carrier: Carrier

    @property
    def is_rigid(self) -> bool:
        """See `Travel.is_rigid`: it rides with the carrier."""
        return True

    def evaluate(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """See `Travel.evaluate`; before and after it goes on in the carrier's space."""
        times = np.asarray(times, dtype=np.float64)
        positions, yaws = self.local.evaluate(times)
        return self.carrier.carry(positions, yaws, times)

    def find_turns(self, times: FloatArray) -> FloatArray:
        """See `Travel.find_turns`."""
        carried = find_turns(self.carrier.find_motions(times))
        return rot.multiply(carried, self.local.find_turns(times))


def carry_travel(local: Travel, carrier: Carrier) -> CarriedTravel:
    """A travel that goes with a carrier: ``world(t) = carrier(t) local(t)``.

    Parameters
    ----------
    local
        The travel in the carrier's space, which is the world at the time ``carrier.since``.
    carrier
        What carries it. It should be known for a while before and after the travel, too.
    """
    positions, yaws = carrier.carry(local.positions, local.yaws, local.times)
    return CarriedTravel(
        times=local.times,
        positions=positions,
        yaws=yaws,
        phases=local.phases,
        standing_until=local.standing_until,
        stays=local.stays,
        notes=local.notes,
        own_height=local.own_height,
        jumps=local.jumps,
        local=local,
        carrier=carrier,
    )


def move_points(matrices: FloatArray, points: FloatArray) -> FloatArray:
    """Points (N, 3) moved by matrices (N, 4, 4)."""
    return np.einsum("nij,nj->ni", matrices[:, :3, :3], points) + matrices[:, :3, 3]


def find_turns(matrices: FloatArray) -> FloatArray:
    """Rotations (N, 4) in matrices (N, 4, 4), without their scale."""
    return rot.quaternions_from_matrices(rot.orthonormalize(matrices[:, :3, :3]))
