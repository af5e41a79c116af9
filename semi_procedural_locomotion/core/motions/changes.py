# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions that go another way or at another speed than their clips (numpy only)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..maths.rotations import FloatArray
from .judging import SPEED_DOUBTS
from .records import Motion

REVERSED_SUFFIX = " (reversed)"
MEASURED_SPEED = "measured speed"
"""Name in a motion's quality of the speed that one given by hand replaced, metres a second."""


def reverse_motion(motion: Motion) -> Motion:
    """The motion played backwards: it travels the other way.

    Parameters
    ----------
    motion
        A cycle.

    Returns
    -------
    Motion
        Tables run backwards so that its phase still runs forwards; key times are mirrored
        (docs/method/contacts.md, Key times). Reversing twice gives the motion back.
    """
    if not motion.is_cycle:
        raise ValueError(f"only a cycle can be reversed, {motion.name!r} is a {motion.kind} motion")
    backwards = -np.arange(len(motion.rotations)) % len(motion.rotations)
    legs = tuple(
        replace(
            leg,
            stance=-leg.stance % 1.0,
            lift=1.0 - leg.land,
            off=1.0 - leg.strike,
            post_lift=1.0 - leg.pre_land,
            pre_land=1.0 - leg.post_lift,
            strike=1.0 - leg.off,
            land=1.0 - leg.lift,
            footbases=leg.footbases[backwards],
            found_times=None if leg.found_times is None else leg.found_times.reverse(),
        )
        for leg in motion.legs
    )
    name = motion.name
    name = name.removesuffix(REVERSED_SUFFIX) if motion.reversed else name + REVERSED_SUFFIX
    return replace(
        motion,
        name=name,
        velocity=-motion.velocity,
        turn_rate=-motion.turn_rate,
        rotations=motion.rotations[backwards],
        translations=motion.translations[backwards],
        scales=motion.scales[backwards],
        ripple=motion.ripple[backwards],
        legs=legs,
        reversed=not motion.reversed,
        properties={key: entry.reverse() for key, entry in motion.properties.items()},
    )


def set_speed(motion: Motion, speed: float, forward: FloatArray) -> Motion:
    """The motion with a native speed given by hand; its direction stays.

    Parameters
    ----------
    motion
        A cycle.
    speed
        Metres a second, above 0.
    forward
        Horizontal unit vector that a cycle takes which has no direction of its own, shape (2,).

    Returns
    -------
    Motion
        Without the notes that doubt the measured speed, which its quality names.
    """
    if not motion.is_cycle or not speed > 0:
        raise ValueError(f"only a cycle takes a speed, above 0; got {motion.name!r}, {speed}")
    measured = motion.speed
    direction = motion.velocity / measured if measured > 0 else np.asarray(forward)
    return replace(
        motion,
        velocity=speed * direction,
        ripple=motion.ripple * min(1.0, speed / measured if measured > 0 else 0.0),
        speed_range=(speed, speed),
        quality={**motion.quality, MEASURED_SPEED: measured},
        notes=tuple(note for note in motion.notes if note.kind not in SPEED_DOUBTS),
    )
