# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A standing pose made from a walk, for characters without a rest motion (numpy only)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from . import rotations as rot
from .footpoints import compute_footbases, compute_sole_points
from .motion import LegCycle, Motion
from .rig import Rig
from .rotations import FloatArray
from .skeleton import compute_global_poses


def make_stance(rig: Rig, motion: Motion) -> Motion:
    """The pose of a walk in which every leg stands.

    The trunk and the arms take their mean over the cycle; every leg takes its pose at its own stance
    instant, when its foot is flat under the body.

    Parameters
    ----------
    rig
        The character.
    motion
        One of its walks.

    Returns
    -------
    Motion
        Of kind ``"rest"``, with one row.
    """
    rotations = rot.normalize_quaternions(motion.rotations.sum(axis=0))
    translations = motion.translations.mean(axis=0)
    rows = len(motion.rotations)
    for leg, cycle in zip(rig.legs, motion.legs, strict=True):
        bones = list(leg.bones)
        place = cycle.stance * rows
        index = int(place) % rows
        share = np.full(len(bones), place - int(place))
        rotations[bones] = rot.nlerp(
            motion.rotations[index, bones], motion.rotations[(index + 1) % rows, bones], share
        )
        if leg.detached:
            translations[leg.ankle] = motion.translations[index, leg.ankle]
    still = replace(
        motion,
        name=f"{motion.name} stance",
        kind="rest",
        period=0.0,
        velocity=np.zeros(2),
        turn_rate=0.0,
        rotations=rotations[None],
        translations=translations[None],
        scales=motion.scales.mean(axis=0)[None],
        reversed=False,
        speed_range=(0.0, 0.0),
        warnings=(),
    )
    legs, ground_height = _stand_legs(rig, still)
    return replace(still, legs=legs, ground_height=ground_height)


def _stand_legs(rig: Rig, motion: Motion) -> tuple[tuple[LegCycle, ...], float]:
    """Leg data of a motion of one row, and the height of its ground."""
    rotations, positions = compute_global_poses(
        rig.skeleton, motion.rotations, motion.translations, motion.scales
    )
    legs = []
    for index, leg in enumerate(rig.legs):
        points = compute_sole_points(leg, rotations, positions)
        direction = points[0, 2] - points[0, 0]
        direction = rot.normalize(direction * np.array([1.0, 1.0, 0.0]))
        footbases, _ = compute_footbases(
            points, direction, float(rig.foot_lengths[index]), float(rig.ball_shares[index])
        )
        low = float(points[0, :, 2].min())
        place: FloatArray = footbases[0].copy()
        place[2] = low
        legs.append(
            LegCycle(
                stance=0.0,
                lift=0.5,
                off=0.5,
                post_lift=0.5,
                pre_land=0.5,
                strike=0.5,
                land=0.5,
                stride=0.0,
                stance_position=place,
                foot_direction=direction,
                footbases=np.array(footbases),
                ground_height=low,
                steps=False,
            )
        )
    return tuple(legs), float(np.median([cycle.ground_height for cycle in legs]))
