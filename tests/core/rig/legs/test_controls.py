# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones without weights that weighted feet go with are no joints of their legs."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.legs import find_rig
from tests.core.legged_bodies import bend_leg, list_legs, make_biped, step_path

PLAIN = [
    ("Left", "L", ("thigh.L", "shin.L", "foot.L"), "toe.L"),
    ("Right", "R", ("thigh.R", "shin.R", "foot.R"), "toe.R"),
]
PLACES = {"ankle": (0.0, 0.0, 0.0), "heel": (0.0, 0.06, -0.1), "toe": (0.0, -0.19, -0.1)}
ROLLS = {"heel_roll": PLACES["heel"], "ball_roll": (0.0, -0.12, -0.08), "ankle_roll": (0, 0, 0)}


def make_controlled(
    parent=None, place="ankle", rolls=(), foot_parent=False, copies=True, thick=0.0
):
    """A biped with soles ``thick`` below its bones that walks on controls.

    ``foot_parent``: False below the shin, True below the control, else the name or None. Feet that do not
    copy the rotation of their controls keep that of their shins.
    """
    maker, legs = make_biped(detached_parent=None if foot_parent is True else foot_parent)
    if parent == "master":
        maker.bone("master", "root", (0, 0, 0), deform=False)
    moves = {}
    for leg in legs:
        side, ankle = leg.ankle[-2:], maker.heads[leg.ankle]
        control = maker.bone(f"ik{side}", parent, ankle + PLACES[place], deform=False)
        last = control
        for roll in rolls:
            last = maker.bone(f"{roll}{side}", last, ankle + ROLLS[roll], deform=False)
        maker.ik_links.append((leg.knee, last, 2))
        if thick:
            for bone in (leg.ankle, f"toe{side}"):
                low = maker.heads[bone] + [-0.04, -0.07, 0.0]
                maker.box(bone, [low[0], low[1], -thick], maker.heads[bone] + [0.04, 0.0, 0.0])
        path = step_path(ankle, leg.phase, 0.4, 0.1)
        moves.update(bend_leg(maker, leg, path))
        ends = moves[leg.ankle]["position"]
        pitch = 0.5 * np.clip((ends[:, 2] - ankle[2]) / 0.1, 0.0, 1.0)
        turn = rot.quaternions_from_axis_angles([1.0, 0.0, 0.0], pitch)
        moves[control] = {
            "rotation": turn,
            "position": ends + rot.rotate(turn, np.array(PLACES[place])),
        }
        moves[leg.ankle]["rotation"] = turn if copies else moves[leg.knee]["rotation"]
        if foot_parent is True:
            # Parents come first: the foot and its toe go to the end.
            for bone, above in ((leg.ankle, last), (f"toe{side}", leg.ankle)):
                index = maker.names.index(bone)
                del maker.names[index], maker.parents[index]
                maker.names.append(bone)
                maker.parents.append(above)
    return maker, maker.evidence([maker.clip("Walk", moves)])


@pytest.mark.parametrize(
    "relative",
    [
        {},
        {"parent": "root"},
        {"parent": "master"},
        {"place": "toe"},
        {"place": "heel"},
        {"place": "heel", "rolls": tuple(ROLLS)},
        {"copies": False},
        {"foot_parent": None},
        {"foot_parent": "root"},
        {"foot_parent": "root", "place": "heel"},
        {"foot_parent": True},
        {"foot_parent": True, "place": "heel"},
        {"foot_parent": True, "place": "toe", "rolls": tuple(ROLLS)},
        {"foot_parent": True, "place": "heel", "rolls": tuple(ROLLS), "parent": "master"},
    ],
    ids=str,
)
@pytest.mark.parametrize("thick", [0.0, 0.06])
def test_controls_are_no_joints(relative, thick):
    _, evidence = make_controlled(thick=thick, **relative)
    findings = find_rig(evidence)
    assert list_legs(findings.rig) == PLAIN
    detached = relative.get("foot_parent", False) is not False
    assert all(leg.detached == detached and not leg.doubts for leg in findings.rig.legs)
    assert findings.confidence == 1.0
