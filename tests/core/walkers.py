# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters with analysed motions, ready to be planned."""

from dataclasses import replace
from functools import cache

import numpy as np

from semi_procedural_locomotion.core.gaits.making import make_gait, make_rest
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.analysis import analyze_clip, rest_motion_from_clip
from semi_procedural_locomotion.core.motions.records import MotionGroup, MotionSet
from semi_procedural_locomotion.core.motions.synchronising import synchronize_motions
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from tests.core.gait_rigs import build_biped, build_many_legged
from tests.core.specimens import find_specimen


@cache
def make_walker(names=("walk",), legs=2, rest=True, mirror=False):
    """Rig and motion set of a made character; motions by preset names, the rest motion first."""
    rig = build_biped() if legs == 2 else build_many_legged(legs // 2)
    motions = []
    for name in names:
        settings = find_specimen(name, legs, rig.leg_length)
        motions.append(analyze_clip(make_gait(rig, settings), rig))
    if rest:
        settings = find_specimen(names[0], legs, rig.leg_length)
        motions.insert(0, rest_motion_from_clip(make_rest(rig, settings), rig))
    return rig, make_set(motions)


def make_set(motions):
    """One group of motions with their phases aligned."""
    offsets, _, _ = synchronize_motions(motions)
    return MotionSet(tuple(motions), offsets, (MotionGroup("walk", tuple(range(len(motions)))),))


def scale_walker(rig, motions, factor):
    """The same character in other units of length."""
    skeleton = replace(
        rig.skeleton,
        rest_translations=rig.skeleton.rest_translations * factor,
        object_scale=rig.skeleton.object_scale * factor,
    )

    def scale_point(point):
        return replace(point, offset=point.offset * factor)

    legs = tuple(
        replace(
            leg,
            heel=scale_point(leg.heel),
            ball=scale_point(leg.ball),
            toe_tip=scale_point(leg.toe_tip),
            sole_width=leg.sole_width * factor,
            length=leg.length * factor,
        )
        for leg in rig.legs
    )
    scaled = replace(
        rig,
        skeleton=skeleton,
        legs=legs,
        ground_height=rig.ground_height * factor,
        foot_lengths=rig.foot_lengths * factor,
    )

    def scale_motion(motion):
        cycles = tuple(
            replace(
                c,
                stride=c.stride * factor,
                stance_position=c.stance_position * factor,
                footbases=c.footbases * factor,
                ground_height=c.ground_height * factor,
            )
            for c in motion.legs
        )
        return replace(
            motion,
            velocity=motion.velocity * factor,
            translations=motion.translations * factor,
            ripple=motion.ripple * factor,
            legs=cycles,
            ground_height=motion.ground_height * factor,
        )

    return scaled, replace(motions, motions=tuple(scale_motion(m) for m in motions.motions))


def detach_feet(rig, motions):
    """The same character whose feet hang from its first bone instead of its shins."""
    ankles = [leg.ankle for leg in rig.legs]
    parents = rig.skeleton.parents.copy()
    parents[ankles] = 0

    def move(rotations, places):
        """Local poses under the new parents."""
        turns, heads = compute_global_poses(rig.skeleton, rotations, places)
        rotations, places = rotations.copy(), places.copy()
        back = rot.conjugate(turns[:, :1])
        rotations[:, ankles] = rot.multiply(back, turns[:, ankles])
        places[:, ankles] = rot.rotate(back, heads[:, ankles] - heads[:, :1])
        return rotations, places

    rest = move(rig.skeleton.rest_rotations[None], rig.skeleton.rest_translations[None])
    skeleton = replace(
        rig.skeleton, parents=parents, rest_rotations=rest[0][0], rest_translations=rest[1][0]
    )
    legs = tuple(replace(leg, detached=True) for leg in rig.legs)
    moved = []
    for motion in motions.motions:
        rotations, places = move(motion.rotations, motion.translations)
        moved.append(replace(motion, rotations=rotations, translations=places))
    rig = replace(rig, skeleton=skeleton, legs=legs)
    return rig, replace(motions, motions=tuple(moved))


def native_walk(motions):
    """The slowest walk of a set."""
    return motions.motions[motions.slowest]


def facing_of(motion):
    """Angle of a motion's travel from +X."""
    return float(np.arctan2(motion.velocity[1], motion.velocity[0]))
