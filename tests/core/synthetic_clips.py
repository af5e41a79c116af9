# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A simple rig with two-bone legs, and whole clips of it from the recipes of `synthetic`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.clips import Clip
from semi_procedural_locomotion.core.rig.skeleton import Skeleton
from semi_procedural_locomotion.core.rig.structure import Leg, Rig, SolePoint
from tests.core.synthetic import BALL_SHARE, find_leg_place, make_feet


def make_rig(recipe):
    """A pelvis with a spine, a head and two-bone legs; all rest axes are the character's."""
    height, foot = 1.25 * recipe.hip_height, recipe.foot_length
    ankle_height, ankle_back = 0.3 * foot, 0.3 * foot
    names, parents = ["pelvis", "spine", "head"], [-1, 0, 1]
    offsets = [(0.0, 0.0, height), (0.0, 0.0, 0.5 * height), (0.0, 0.02, 0.3 * height)]
    legs = []
    for leg in range(recipe.legs):
        x, y = find_leg_place(recipe, leg)
        side = "" if recipe.legs == 1 else ("L" if leg % 2 == 0 else "R")
        base = len(names)
        drop = np.array([0.0, -ankle_back, ankle_height - height])
        names += [f"{part}.{leg // 2}.{side}" for part in ("thigh", "shin", "foot", "toe")]
        parents += [0, base, base + 1, base + 2]
        offsets += [
            (x, y, 0.0),
            tuple(0.5 * drop),
            tuple(0.5 * drop),
            (0.0, ankle_back + (BALL_SHARE - 0.5) * foot, -ankle_height),
        ]
        legs.append(
            Leg(
                name=f"{side or 'Only'} {leg // 2}",
                side=side,
                joints=(base, base + 1, base + 2),
                toe=base + 3,
                heel=SolePoint(
                    base + 2,
                    recipe.scale * np.array([0.0, ankle_back - 0.5 * foot, -ankle_height]),
                ),
                ball=SolePoint(base + 3, np.zeros(3)),
                toe_tip=SolePoint(
                    base + 3, recipe.scale * np.array([0.0, (1.0 - BALL_SHARE) * foot, 0.0])
                ),
                sole_width=0.4 * foot * recipe.scale,
                length=float(np.linalg.norm(drop)) * recipe.scale,
                hinge=np.array([1.0, 0.0, 0.0]),
                partner=None if recipe.legs == 1 else leg ^ 1,
            )
        )
    count = len(names)
    skeleton = Skeleton(
        names=tuple(names),
        parents=np.array(parents),
        rest_rotations=np.tile(rot.IDENTITY, (count, 1)),
        rest_translations=recipe.scale * np.array(offsets),
    )
    return Rig(
        skeleton=skeleton,
        legs=tuple(legs),
        forward=np.array([0.0, 1.0]),
        body=0,
        ground_height=0.0,
        foot_lengths=np.full(len(legs), foot * recipe.scale),
        ball_shares=np.full(len(legs), BALL_SHARE),
    )


def make_clip(recipe, travelling=False, name="Walk", feet=None, rise=0.0):
    """A clip, its rig and the truth; legs are posed by analytic two-bone IK.

    Other feet than the recipe's may be given, and how much higher the body is, metres before scale.
    """
    rig, feet = make_rig(recipe), feet or make_feet(recipe, travelling)
    skeleton, count = rig.skeleton, len(feet.times)
    body_yaw = rot.quaternions_from_yaws(feet.yaws)
    bob = (
        0.02 * recipe.hip_height * np.cos(4.0 * np.pi * (feet.times / recipe.period + recipe.start))
    )
    height = recipe.scale * (recipe.hip_height + recipe.ground + bob + rise)
    body = np.concatenate([feet.body, height[:, None]], axis=1)
    rotations = np.tile(rot.IDENTITY, (count, len(skeleton), 1))
    translations = np.tile(skeleton.rest_translations, (count, 1, 1))
    rotations[:, 0], translations[:, 0] = body_yaw, body
    for index, leg in enumerate(rig.legs):
        hip, knee, ankle = leg.joints
        rest = skeleton.rest_translations
        heel, tip = feet.points[:, index, 0], feet.points[:, index, 2]
        along = tip - heel
        yaw = np.arctan2(-along[:, 0], along[:, 1])
        pitch = np.arctan2(along[:, 2], np.hypot(along[:, 0], along[:, 1]))
        foot_turn = rot.multiply(
            rot.quaternions_from_yaws(yaw),
            rot.quaternions_from_axis_angles(np.array([1.0, 0.0, 0.0]), pitch),
        )
        target = heel - rot.rotate(foot_turn, leg.heel.offset)
        upper, lower = np.linalg.norm(rest[knee]), np.linalg.norm(rest[ankle])
        # Everything above the ankle is solved in the body's axes, so that poses repeat after a turn.
        reach = rot.rotate(rot.conjugate(body_yaw), target - body) - rest[hip]
        distance = np.minimum(np.linalg.norm(reach, axis=1), 0.9999 * (upper + lower))
        toward = rot.normalize(reach)
        bend = np.array([0.0, 1.0, 0.0])
        bend = rot.normalize(bend - rot.dot(bend, toward)[:, None] * toward)
        cosine = (upper**2 + distance**2 - lower**2) / (2.0 * upper * distance)
        sine = np.sqrt(np.maximum(0.0, 1.0 - cosine**2))
        thigh = cosine[:, None] * toward + sine[:, None] * bend
        shin = rot.normalize(toward * distance[:, None] - upper * thigh)
        thigh_turn = rot.quaternions_from_arcs(
            np.broadcast_to(rot.normalize(rest[knee]), thigh.shape), thigh
        )
        shin_turn = rot.quaternions_from_arcs(
            np.broadcast_to(rot.normalize(rest[ankle]), shin.shape), shin
        )
        rotations[:, hip] = thigh_turn
        rotations[:, knee] = rot.multiply(rot.conjugate(thigh_turn), shin_turn)
        rotations[:, ankle] = rot.multiply(
            rot.conjugate(rot.multiply(body_yaw, shin_turn)), foot_turn
        )
    interval = recipe.period / recipe.keys
    clip = Clip(
        name=name,
        times=feet.times,
        rotations=rotations,
        translations=translations,
        scales=np.ones_like(translations),
        key_interval=interval,
        frame_rate=1.0 / interval,
    )
    return clip, rig, feet


def pad_clip(clip, before, after):
    """The clip with its first and last pose held for some samples."""
    index = np.concatenate(
        [
            np.zeros(before, dtype=int),
            np.arange(len(clip.times)),
            np.full(after, len(clip.times) - 1),
        ]
    )
    return replace(
        clip,
        times=np.arange(len(index)) * clip.key_interval,
        rotations=clip.rotations[index],
        translations=clip.translations[index],
        scales=clip.scales[index],
    )


def cut_clip(clip, first, last):
    """Samples ``first`` to ``last`` (exclusive) as a clip of their own."""
    part = slice(first, last)
    return replace(
        clip,
        times=clip.times[part] - clip.times[first],
        rotations=clip.rotations[part],
        translations=clip.translations[part],
        scales=clip.scales[part],
    )
