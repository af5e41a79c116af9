# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints on a turning disc go around its middle."""

import numpy as np

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.prints.states import carry_prints

CENTRE = np.array([2.0, -1.0, 0.0])
RATE = 0.3


class TurningDisc(FlatGround):
    """Surface 0 turns about a place of its own while it goes along +X."""

    def surface_frames(self, surface, times):
        frames = np.tile(np.eye(4), (len(times), 1, 1))
        cosine, sine = np.cos(RATE * times), np.sin(RATE * times)
        frames[:, 0, 0], frames[:, 0, 1] = cosine, -sine
        frames[:, 1, 0], frames[:, 1, 1] = sine, cosine
        middle = CENTRE + times[:, None] * np.array([0.5, 0.0, 0.0])
        frames[:, :3, 3] = middle - np.einsum("nij,j->ni", frames[:, :3, :3], CENTRE)
        return frames

    def name_surface(self, surface):
        return f"Surface {surface}"

    def moving_surfaces(self):
        return frozenset({0})


def test_a_print_on_a_disc_turns_and_travels_with_it():
    then, now = np.array([1.0, 2.0, 1.0]), np.array([4.0, 2.0, 4.0])
    surfaces = np.array([0, 0, -1])
    places = np.array([[3.0, 0.0, 0.1], [1.0, 1.0, 0.0], [3.0, 0.0, 0.1]])
    headings = np.array([0.4, 3.0, 0.4])
    frames = rot.quaternions_from_yaws(headings)
    carried = carry_prints(TurningDisc(), surfaces, then, now, (places, frames, headings))

    turn = np.where(surfaces == 0, RATE * (now - then), 0.0)
    middle_then = CENTRE + then[:, None] * np.array([0.5, 0.0, 0.0])
    middle_now = CENTRE + now[:, None] * np.array([0.5, 0.0, 0.0])
    around = rot.rotate(rot.quaternions_from_yaws(turn), places - middle_then)
    expected = np.where((surfaces == 0)[:, None], middle_now + around, places)
    np.testing.assert_allclose(carried[0], expected, atol=1e-12)
    np.testing.assert_allclose(
        rot.angles_between(carried[1], rot.quaternions_from_yaws(headings + turn)), 0.0, atol=1e-7
    )
    np.testing.assert_allclose(carried[2], headings + turn, atol=1e-12)
