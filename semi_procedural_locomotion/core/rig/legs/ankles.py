# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a leg ends and its foot begins (docs/method/legs.md, Ankles and detached feet)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...maths.rotations import FloatArray
from .attachment import Attachment
from .body import PosedClip
from .limits import ANKLES, TINY


@dataclass(frozen=True)
class StancePose:
    """Heads of the frames of one clip, above its ground.

    Attributes
    ----------
    heads
        Metres, shape (F, B, 3).
    ground
        Height of the clip's ground, metres.
    """

    heads: FloatArray
    ground: float


@dataclass(frozen=True)
class AnkleChoice:
    """Joints from hip to ankle, the toe, and what kind of foot it is (see `LegChain`)."""

    joints: tuple[int, ...]
    toe: int | None
    foot: str
    detached: bool


def choose_ankle(
    attachment: Attachment,
    clip: PosedClip,
    bones: list[int],
    mirrored: list[int],
    ground: float,
    stances: list[StancePose],
) -> AnkleChoice:
    """Split the bones of a limb into leg and foot.

    Parameters
    ----------
    attachment
        The re-attached tree.
    clip, ground
        The clip and its ground, metres.
    bones
        From hip downwards, two or more.
    mirrored
        The same of the partner; of the same number they are measured together.
    stances
        Poses of all good clips, the rest pose last.
    """
    steps = np.linalg.norm(np.diff(clip.heads[:, bones], axis=1), axis=-1).mean(axis=0)
    length = max(float(steps.sum()), TINY)
    linked = [index for index, bone in enumerate(bones) if attachment.is_link(bone)]
    ankle = linked[-1] if linked else _step_up(bones, mirrored, length, stances)
    joints = tuple(bones[: ankle + 1])
    toe = bones[ankle + 1] if ankle + 1 < len(bones) else None
    foot = "foot"
    height = _measure_stance_height(clip, bones, ankle, ground) / length
    ends_high = height > ANKLES.hanging_end and not linked and toe is None
    if len(joints) < 3 or ends_high:
        helper = attachment.helpers.get(joints[-1])
        if helper is not None and helper not in joints and height > ANKLES.helper_height:
            joints, foot = (*joints, helper), "helper"
        elif height > ANKLES.hanging_end:
            foot = "tip"
    if joints[-1] in attachment.promoted:
        foot = "helper"
    return AnkleChoice(joints, toe, foot, bool(linked) or foot == "helper")


def _step_up(
    bones: list[int], mirrored: list[int], length: float, stances: list[StancePose]
) -> int:
    """Index of the ankle: from the last joint upwards while the joint above is near the ground."""
    limbs = [bones, mirrored] if len(mirrored) == len(bones) else [bones]
    ankle = len(bones) - 1
    while ankle - 1 >= 2:
        ends = [(limb[ankle - 1], limb[ankle]) for limb in limbs]
        height, slope = _measure_foot(ends, length, stances)
        first = ankle == len(bones) - 1
        if height < ANKLES.low or (first and height < ANKLES.highest and slope < ANKLES.flat):
            ankle -= 1
        elif first and _stands_flat(ends, length, stances[-1]):
            # One who only runs or jumps on its toes in its clips, but stands on its soles.
            ankle -= 1
        else:
            break
    return ankle


def _stands_flat(ends: list[tuple[int, int]], length: float, rest: StancePose) -> bool:
    """Whether a rest pose has the foot that begins at these joints flat on the ground."""
    height, slope = _measure_foot(ends, length, [rest])
    return height < ANKLES.highest and slope < ANKLES.flat


def _measure_foot(
    ends: list[tuple[int, int]], length: float, stances: list[StancePose]
) -> tuple[float, float]:
    """Height of the upper joints (share of L) and slope below horizontal to the lower, in stance."""
    heights: list[FloatArray] = []
    slopes: list[FloatArray] = []
    for stance in stances:
        for upper, lower in ends:
            way = stance.heads[:, lower] - stance.heads[:, upper]
            low = stance.heads[:, lower, 2]
            down = low < low.min() + ANKLES.toe_down * length
            heights.append(stance.heads[down, upper, 2] - stance.ground)
            across = np.linalg.norm(way[down, :2], axis=1)
            slopes.append(np.arctan2(-way[down, 2], across + TINY))
    height, slope = np.concatenate(heights), np.concatenate(slopes)
    lowest = np.argsort(height, kind="stable")[: max(1, len(height) // ANKLES.lowest_part)]
    return float(np.median(height[lowest])) / length, float(np.median(slope[lowest]))


def _measure_stance_height(clip: PosedClip, bones: list[int], ankle: int, ground: float) -> float:
    """Mean height of a joint above the ground in the frames in which the foot is lowest, metres."""
    ends = clip.heads[:, bones[-2:], 2].mean(axis=1)
    count = max(1, clip.frame_count // ANKLES.stance_part)
    frames = np.argsort(ends, kind="stable")[:count]
    return float(clip.heads[frames, bones[ankle], 2].mean()) - ground
