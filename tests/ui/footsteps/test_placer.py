# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The state machine of the footstep tool, without a window."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.footsteps.layout import StepGait
from semi_procedural_locomotion.ui.footsteps.placer import PlacerState, StepPlacer

GAIT = StepGait(
    order=(0, 1),
    phases=np.array([0.0, 0.5]),
    middles=np.array([[0.0, 0.1], [0.0, -0.1]]),
    turns=np.array([0.1, -0.1]),
    stride=1.4,
    facing=0.0,
    contacts=np.tile([0.25, 0.3, 0.7, 0.75], (2, 1)),
)


@pytest.fixture
def placer():
    return StepPlacer(GAIT, np.zeros(2), 0.0)


def click(placer, x, y, snap=False):
    """Point, press, release."""
    placer.hover(np.array([x, y, 0.0]), snap)
    assert placer.press()
    return placer.release()


def test_sides_alternate_and_soles_turn_along_the_way(placer):
    steps = [click(placer, x, y) for x, y in ((0.7, 0.1), (1.4, -0.1), (2.1, 0.1))]
    assert [s.leg for s in steps] == [0, 1, 0]
    assert [s.heading for s in steps] == pytest.approx([0.1, -0.1, 0.1], abs=1e-6)
    around = click(placer, 2.2, 0.8)
    assert around.heading + 0.1 > np.radians(45.0)


def test_a_foot_beside_the_last_one_takes_its_heading(placer):
    """Both feet of a pair point one way, whichever is ahead, and no step turns back at once."""
    click(placer, 0.7, 0.1)
    click(placer, 1.4, -0.1)
    first = click(placer, 1.3, 1.2)
    for x, y in ((1.45, 1.2), (1.45, 1.1), (1.2, 1.0)):
        placer.hover(np.array([x, y, 0.0]), False)
        assert placer.ghost.heading == pytest.approx(first.heading - 0.2)
    click(placer, 1.45, 1.2)
    back = click(placer, 1.5, 0.2)
    assert abs(back.heading - first.heading) == pytest.approx(np.pi / 2)


def test_hovering_shows_the_next_sole_and_nothing_off_the_ground(placer):
    placer.hover(np.array([0.7, 0.1, 0.3]), False)
    assert placer.ghost.leg == 0
    assert placer.ghost.middle == pytest.approx((0.7, 0.1, 0.3))
    placer.hover(None, False)
    assert placer.ghost is None
    assert not placer.press()


def test_a_drag_turns_the_sole_and_a_click_does_not(placer):
    placer.hover(np.array([0.7, 0.1, 0.0]), False)
    placer.press()
    placer.hover(np.array([0.72, 0.11, 0.0]), False)
    assert placer.ghost.heading == pytest.approx(0.1)
    placer.hover(np.array([0.7, 0.6, 0.0]), False)
    step = placer.release()
    assert step.heading == pytest.approx(np.pi / 2)
    assert step.middle[:2] == pytest.approx((0.7, 0.1))
    assert placer.release() is None


@pytest.mark.parametrize(("side", "leg"), [(0.3, 0), (-0.02, 1)])
def test_the_first_step_is_that_of_the_side_pointed_at(placer, side, leg):
    assert click(placer, 0.7, side).leg == leg


def test_snapping_makes_steps_of_the_walk_s_length(placer):
    first = click(placer, 0.4, 0.3, snap=True)
    second = click(placer, first.middle[0] + 2.0, first.middle[1], snap=True)
    bodies = [GAIT.place_body(s.leg, s.middle, s.heading)[0] for s in (first, second)]
    assert np.hypot(*bodies[0]) == pytest.approx(0.7)
    assert np.hypot(*(bodies[1] - bodies[0])) == pytest.approx(0.7)


def test_the_side_can_be_changed_for_one_step(placer):
    placer.change_side()
    assert click(placer, 0.7, -0.1).leg == 1
    assert placer.next_leg == 0


def test_after_removing_the_last_step_its_leg_is_next(placer):
    steps = [click(placer, 0.7, 0.1), click(placer, 1.4, -0.1)]
    placer.set_steps(steps[:1])
    assert placer.next_leg == 1
    placer.set_steps([])
    assert placer.next_leg == 0


def test_clearing_asks_first(placer):
    assert not placer.ask_clear(0)
    assert placer.ask_clear(3)
    assert not placer.press()
    assert not placer.answer(clear=False)
    assert placer.state is PlacerState.HOVER
    placer.ask_clear(3)
    assert placer.answer(clear=True)
    assert not placer.answer(clear=True)


def test_stop_takes_back_what_is_begun_before_it_ends(placer):
    placer.hover(np.array([0.7, 0.1, 0.0]), False)
    placer.press()
    assert not placer.stop()
    assert placer.release() is None
    placer.ask_clear(2)
    assert not placer.stop()
    assert placer.stop()


def test_jumps_stay_on_until_they_are_turned_off(placer):
    placer.jumps = True
    jumped = [click(placer, 0.7, 0.1), click(placer, 0.8, -0.1)]
    placer.jumps = False
    assert [step.jump for step in [*jumped, click(placer, 1.5, 0.1)]] == [True, True, False]
