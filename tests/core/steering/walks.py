# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Steered walks of made characters on grounds written in numpy."""

import numpy as np

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.motions.packing import pack_motions
from semi_procedural_locomotion.core.prints.soles import make_foothold_rules
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.steering.motor import Controls, find_pace
from semi_procedural_locomotion.core.steering.posing import pose_steered
from semi_procedural_locomotion.core.steering.state import Steering
from tests.core.walkers import make_walker

RATE = 30.0


def make_steering(ground=None, names=("walk", "run", "sidestep"), legs=2):
    rig, motions = make_walker(names, legs)
    tables, settings = pack_motions(rig, motions), PlanSettings()
    return Steering(
        tables=tables,
        ground=ground or FlatGround(),
        settings=settings,
        rules=make_foothold_rules(rig, settings),
        pace=find_pace(tables, 0.0, 0.0, 2.0, 2.0),
    )


def steer(steering, controls, seconds, place=(0.0, 0.0, 0.0), yaw=0.0, poses_from=None):
    """States of a drive, and its poses from a time on; controls are a function of time."""
    state, carried = steering.begin(np.array(place), yaw, 0.0), None
    states, shown = [state], []
    for number in range(round(seconds * RATE)):
        state = steering.advance(state, controls(number / RATE), 1.0 / RATE)
        states.append(state)
        if poses_from is not None and state.body.time > poses_from:
            pose, carried = pose_steered(steering, state, carried)
            shown.append((pose, carried))
    return states if poses_from is None else (states, shown)


def go_ahead(start, end, **more):
    """Controls that go ahead between two times."""
    return lambda time: Controls(ahead=1.0, **more) if start <= time < end else Controls()
