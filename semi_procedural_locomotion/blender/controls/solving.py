# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of deforming bones turned into values of the controls that give them.

What a rig makes of its controls only the rig knows. So it is evaluated with a first guess, measured,
and the controls are corrected by what the deforming bones are off, until the feet are where the walk
has them (docs/method/controls.md, Passes).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.maths.rotations import FloatArray
from ...core.pose import PoseArray
from ...core.rig.controls.correcting import correct_controls
from ...core.rig.controls.limits import SOLVING
from ...core.rig.controls.mapping import ControlMap
from ...core.rig.controls.targets import Residuals
from ...core.rig.structure import Rig
from ..travel.reading import sample_own_matrices
from .evaluating import evaluate_channels
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


def solve_controls(
    armature: bpy.types.Object,
    controls: ControlMap,
    rig: Rig,
    poses: PoseArray,
    frames: FloatArray,
    keyed: Iterable[str],
    *,
    carrier: str | None = None,
    sources: Sequence[bpy.types.Action] = (),
    passes: int = SOLVING.passes,
) -> SolvingSteps:
    """Values of the controls of a rig with which its deforming bones show poses.

    Parameters
    ----------
    armature
        The character's object; copies of it are evaluated, and nothing in the file changes.
    controls
        Its controls.
    rig
        Its legs.
    poses
        What the deforming bones shall do, at N frames. Controls are in them as the motions have them.
    frames
        Scene frames, shape (N,).
    keyed
        Names of the bones that the motions key.
    carrier
        Name of the bone that carries the travel; empty where the bones make up for the object's own
        motion, None where the object carries it.
    sources
        The motions' own actions.
    passes
        How often the controls are corrected at the most.

    Yields
    ------
    tuple
        Share done, and a text.
    """
    frames = np.asarray(frames, dtype=np.float64)
    world = None
    if carrier is not None:
        world = sample_own_matrices(armature, frames, bpy.context.scene)
    walk = WalkOnControls(armature, controls, rig, poses, frozenset(keyed), carrier, world)
    basis, task = walk.guess(), walk.make_task()
    best, least, count = basis, None, 0
    for number in range(passes + 1):
        yield number / (passes + 1), "moving the controls"
        shown = evaluate_channels(
            armature, walk.list_channels(basis), walk.layout.skeleton.names, frames, sources
        )
        off = walk.measure(shown)
        gained = True
        if least is None or off.score < least.score:
            gained = least is None or off.score < SOLVING.gained * least.score
            best, least, count = basis, off, number
        else:
            gained = False
        if number == passes or off.is_near or (number > 1 and not gained):
            break
        if number == 0:
            task = walk.hold_followers(shown)
        basis = correct_controls(task, shown, basis)
    return ControlledPoses(walk.finish(best), least, count)
