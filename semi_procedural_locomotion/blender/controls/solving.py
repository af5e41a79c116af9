# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of deforming bones turned into values of the controls that give them.

What a rig makes of its controls only the rig knows. So it is evaluated with a first guess, measured,
and the controls are corrected by what the deforming bones are off, until the feet are where the walk
has them (docs/method/controls.md, Passes).
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from ...core.keys.channels import BasisPoses
from ...core.maths.rotations import FloatArray
from ...core.pose import PoseArray
from ...core.rig.controls.correcting import ControlTask, correct_controls
from ...core.rig.controls.fitting import move_freedoms, solve_moves
from ...core.rig.controls.limits import FITTING, SOLVING
from ...core.rig.controls.targets import Residuals
from .followers import Followers
from .guessing import guess_channels
from .tasks import WalkOnControls

# Steps of solving: the share done and a text.
SolvingSteps = Generator[tuple[float, str], None, "ControlledPoses"]

_MOVING, _FITTING = "moving the controls", "fitting the controls of legs"


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


@dataclass(frozen=True)
class _Solved:
    """Channels, how far the legs are off with them, and after how many corrections."""

    basis: BasisPoses
    off: Residuals
    passes: int


def solve_controls(
    walk: WalkOnControls,
    passes: int = SOLVING.passes,
    *,
    quick: bool = False,
    keys_deforming: bool = False,
) -> SolvingSteps:
    """Values of the controls of a rig with which its deforming bones show a walk.

    Copies of the rig are evaluated, and nothing in the file changes.

    Parameters
    ----------
    walk
        The walk and the controls.
    passes
        How often the controls are corrected at the most.
    quick
        Whether what these passes leave is left, as while something is changed live.
    keys_deforming
        Whether the deforming bones get channels, too, with what is shown.

    Yields
    ------
    tuple
        Share done, and a text.
    """
    basis = guess_channels(walk)
    yield 0.0, _MOVING
    shown = walk.evaluate(basis)
    followers = Followers(walk, shown)
    first = _Solved(basis, walk.measure(shown), 0)
    solved = yield from _correct(walk, followers, first, shown, passes)
    if not quick and solved.off.worst > SOLVING.near:
        solved = yield from _fit(walk, followers.task, solved)
    deforming = None
    if keys_deforming:
        yield 0.98, "looking at the deforming bones"
        deforming = walk.evaluate(solved.basis, walk.rig.skeleton.names)
    return ControlledPoses(walk.finish(solved.basis, deforming), solved.off, solved.passes)


def _correct(
    walk: WalkOnControls,
    followers: Followers,
    solved: _Solved,
    shown: FloatArray,
    passes: int,
) -> Generator[tuple[float, str], None, _Solved]:
    """Correct controls as long as it helps; ``shown`` is how the rig shows what there is."""
    basis, least, task = solved.basis, solved, followers.task
    left: dict[int, FloatArray] = {}
    for number in range(passes):
        basis = correct_controls(task, shown, basis)
        yield 0.5 * (number + 1) / (passes + 1), _MOVING
        shown = walk.evaluate(basis)
        off = walk.measure(shown)
        # Controls that have just been taken along are worth a little.
        bound = max(SOLVING.near, least.off.worst / SOLVING.gained) if left else 0.0
        left = followers.find_left_behind(shown) if number == 0 else {}
        task = replace(task, followers={**task.followers, **left})
        # The first correction brings controls to act that the motions do not use.
        goes_on = number == 0 or off.score < SOLVING.gained * least.off.score
        if off.score < least.off.score or off.worst < bound:
            least = _Solved(basis, off, solved.passes + number + 1)
        if (off.is_near and not left) or not goes_on:
            break
    return least


def _fit(
    walk: WalkOnControls, task: ControlTask, solved: _Solved
) -> Generator[tuple[float, str], None, _Solved]:
    """Fit all controls of legs together; the better of what was and what comes out."""
    freedoms = walk.list_freedoms(task)
    most = max(map(len, freedoms), default=0)
    basis = solved.basis
    yield 0.5, _FITTING
    marks = walk.read_marks(walk.evaluate(basis))
    effects = [
        np.zeros((len(walk.frames), len(own), shown.shape[1]))
        for own, (shown, _) in zip(freedoms, marks, strict=True)
    ]
    for index in range(most):
        yield 0.5 + 0.4 * index / most, _FITTING
        moves = [(own[index], 1.0) for own in freedoms if index < len(own)]
        moved = walk.read_marks(walk.evaluate(move_freedoms(basis, moves)))
        for leg, own in enumerate(freedoms):
            if index < len(own):
                effects[leg][:, index] = moved[leg][0] - marks[leg][0]
    for number in range(FITTING.passes):
        yield 0.9 + 0.1 * number / FITTING.passes, _FITTING
        steps = []
        for own, effect, (shown, wanted) in zip(freedoms, effects, marks, strict=True):
            if own:
                amounts = solve_moves(effect, wanted - shown)
                steps += list(zip(own, amounts.T, strict=True))
        basis = move_freedoms(basis, steps)
        found = walk.evaluate(basis)
        off, marks = walk.measure(found), walk.read_marks(found)
        if off.worst >= solved.off.worst:
            break
        solved = _Solved(basis, off, solved.passes)
        if off.worst <= SOLVING.near:
            break
    return solved
