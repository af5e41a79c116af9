# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of deforming bones brought on the controls of a rig."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ..blender.bake.options import BakeOptions
from ..blender.controls.solving import ControlledPoses, solve_controls
from ..blender.controls.tasks import WalkOnControls, WorldBones
from ..core.pose import PoseArray
from ..core.rig.controls.limits import SOLVING
from ..core.rig.controls.mapping import ControlMap
from .characters import Character
from .progress import Steps


def put_on_controls(
    character: Character,
    controls: ControlMap,
    poses: PoseArray,
    frames: np.ndarray,
    keyed: Iterable[str],
    options: BakeOptions,
    *,
    legs: WorldBones | None = None,
    quick: bool = False,
) -> Steps[ControlledPoses]:
    """Values of controls with which the deforming bones show poses; nothing in the file changes.

    What comes out is written by `blender.bake.writing.commit_bake` with the options that
    `choose_options` gives.

    Parameters
    ----------
    character
        The character.
    controls
        Its controls, as `controls.choose_controls` gives them.
    poses
        What its deforming bones shall do, at N frames. Its other bones are as motions have them.
    frames
        Scene frames, shape (N,).
    keyed
        Names of the bones that those motions key.
    options
        How it is to be written.
    legs
        World poses of the bones that carry the legs, where they do not follow exactly from ``poses``.
    quick
        Whether little is corrected, as while something is changed live.
    """
    options = choose_options(options, controls)
    carrier = None
    if options.output_to != "object":
        carrier = options.root_bone or "" if options.output_to == "bone" else ""
    walk = WalkOnControls(
        armature=character.armature,
        controls=controls,
        rig=character.rig,
        poses=poses,
        frames=np.asarray(frames, dtype=np.float64),
        keyed=frozenset(keyed),
        carrier=carrier,
        sources=None if options.is_alone else options.source_actions,
        legs=legs,
    )
    both = options.output == "both"
    passes = SOLVING.quick_passes if quick else SOLVING.passes
    return (yield from solve_controls(walk, passes, quick=quick, keys_deforming=both))


def choose_options(options: BakeOptions, controls: ControlMap) -> BakeOptions:
    """How a walk is written to controls: constraints stay alive, and the root control has the travel."""
    root = options.root_bone
    if options.output_to == "bone":
        root = controls.root or root
    return replace(options, leg_bones=(), body="", root_bone=root)
