# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of deforming bones turned into values of the controls that give them.

What a rig makes of its controls only the rig knows. So it is evaluated with a first guess, measured,
and the controls are corrected by what the deforming bones are off, until the feet are where the walk
has them (docs/method/controls.md, Passes).
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from ...core.pose import PoseArray
from ...core.rig.controls.correcting import correct_controls
from ...core.rig.controls.limits import SOLVING
from ...core.rig.controls.targets import Residuals
from .tasks import WalkOnControls

# Steps of solving: the share done and a text.
SolvingSteps = Generator[tuple[float, str], None, "ControlledPoses"]


@dataclass(frozen=True)
class ControlledPoses:
    """A walk on the controls of a rig.

    Attributes
    ----------
    poses
        The same poses of the deforming bones, with the channels of the controls beside them: these
        alone are to be written.
    residuals
        How far the legs are still off.
    passes
        How often the controls were corrected.
    """

    poses: PoseArray
    residuals: Residuals
    passes: int


def solve_controls(walk: WalkOnControls, passes: int = SOLVING.passes) -> SolvingSteps:
    """Values of the controls of a rig with which its deforming bones show a walk.

    Copies of the rig are evaluated, and nothing in the file changes.

    Parameters
    ----------
    walk
        The walk and the controls.
    passes
        How often the controls are corrected at the most.

    Yields
    ------
    tuple
        Share done, and a text.
    """
    basis, task = walk.guess(), walk.make_task()
    best, least, count = basis, None, 0
    number, gained = 0, True
    while gained:
        yield number / (passes + 1), "moving the controls"
        shown = walk.evaluate(basis)
        off = walk.measure(shown)
        # The first correction brings controls to act that the motions do not use.
        gained = number < 2 or least is None or off.score < SOLVING.gained * least.score
        if least is None or off.score < least.score:
            best, least, count = basis, off, number
        if number == passes or off.is_near:
            break
        task = walk.hold_followers(shown) if number == 0 else task
        basis = correct_controls(task, shown, basis)
        number += 1
    return ControlledPoses(walk.finish(best), least or off, count)
