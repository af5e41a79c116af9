# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which controls carry the hips, and the bone that these are fixed to (numpy only)."""

from __future__ import annotations

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from .limits import PROBE
from .responses import Responses


def find_hip_movers(responses: Responses, hips: list[int]) -> list[int]:
    """Numbers of the controls that shift all of some hips."""
    ways = rot.lengths(responses.shifts[:, :, hips]).max(axis=1) / responses.step
    return [int(control) for control in np.flatnonzero((ways > PROBE.still).all(axis=1))]


def find_hip_bone(responses: Responses, hips: list[int], heads: FloatArray, body: int) -> int:
    """The joint to which hips are fixed, -1 for none.

    Parameters
    ----------
    responses
        What the controls did that shift the hips.
    hips
        Joints of the hips, at least one.
    heads
        Places of the joints before, shape (T, 3).
    body
        Number of the control of the body.

    Returns
    -------
    int
        Of the joints besides the hips that go with them wholly when the body's control is moved: the
        first of those that do so nearly best with all controls.
    """
    axes, angles = rot.normalize(responses.turns), rot.lengths(responses.turns)
    turns = rot.quaternions_from_axis_angles(axes, angles)
    arms = heads[hips] - heads[:, None]
    carried = rot.rotate(turns[:, :, :, None], arms) - arms + responses.shifts[:, :, :, None]
    missed = rot.lengths(carried - responses.shifts[:, :, hips][:, :, None]) / responses.step
    worst = missed.max(axis=(1, 3))
    missed_shares = np.where(worst[body] < PROBE.still, worst.mean(axis=0), np.inf)
    missed_shares[hips] = np.inf
    least = float(missed_shares.min())
    if least >= PROBE.partly:
        return -1
    return int(np.argmax(missed_shares < least + PROBE.still))
