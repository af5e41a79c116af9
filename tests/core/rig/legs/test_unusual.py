# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that look wrong and are right: all around, low, on legs of one bone, with soles elsewhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.footpoints import compute_sole_points
from semi_procedural_locomotion.core.rig.legs import find_rig
from semi_procedural_locomotion.notes import NoteKind
from tests.core.legged_bodies import (
    FRAMES,
    BodyMaker,
    LegPath,
    add_trunk,
    bend_leg,
    list_legs,
    make_biped,
    step_path,
    walk,
)

LOW, KNEE, HIGH = 0.09, 0.6, 0.55


def make_radial(count, offset=0.0, hip=HIGH, knee=KNEE):
    """Legs of two bones around a body that names do not tell apart, each with a mesh to the ground."""
    maker = BodyMaker()
    maker.bone("body", None, (0, 0, hip))
    maker.box("body", (-0.25, -0.25, hip), (0.25, 0.25, hip + 0.3), steps=5)
    legs = []
    for number in range(count):
        angle = np.radians(offset + 360.0 * number / count)
        way = np.array([np.sin(angle), -np.cos(angle), 0.0])
        joints = [0.3 * way, 0.65 * way, 0.9 * way]
        for joint, height in zip(joints, (hip, knee, 0.0), strict=True):
            joint[2] = height
        names = [f"leg{number}{part}" for part in "abc"]
        for name, parent, place in zip(names, ("body", *names), joints, strict=False):
            maker.bone(name, parent, place)
        maker.tube(names[0], names[1])
        maker.tube(names[1], names[2], thickness=0.02)
        phase = 0.5 * (number % 2) if count % 2 == 0 else number / count
        legs.append(LegPath(*names, phase, tuple(way + rot.UP)))
    return maker, legs


def drop_ends(maker, evidence):
    """The evidence without the bones at the ends of legs, which only serve to bend them."""
    kept = [n for n, name in enumerate(maker.names) if not name.endswith("c")]
    new = np.full(len(maker.names) + 1, -1)
    new[kept] = np.arange(len(kept))
    skeleton = evidence.skeleton
    return replace(
        evidence,
        skeleton=replace(
            skeleton,
            names=tuple(skeleton.names[n] for n in kept),
            parents=new[skeleton.parents[kept]],
            rest_rotations=skeleton.rest_rotations[kept],
            rest_translations=skeleton.rest_translations[kept],
        ),
        tails=evidence.tails[kept],
        deform=evidence.deform[kept],
        vertex_bones=new[evidence.vertex_bones],
        clips=tuple(
            replace(
                clip,
                rotations=clip.rotations[:, kept],
                positions=clip.positions[:, kept],
                axis_scales=clip.axis_scales[:, kept],
            )
            for clip in evidence.clips
        ),
    )


@pytest.mark.parametrize(("count", "offset"), [(3, 0.0), (4, 0.0), (5, 36.0), (6, 0.0), (8, 0.0)])
def test_legs_all_around_walk_where_their_feet_go(count, offset):
    maker, legs = make_radial(count, offset)
    evidence = drop_ends(maker, maker.evidence([walk(maker, legs, 0.25, 0.08)]))
    findings = find_rig(evidence)
    assert len(findings.rig.legs) == count
    np.testing.assert_allclose(findings.rig.forward, [0, -1], atol=0.05)
    assert findings.confidence > 0.75


def test_a_body_all_around_that_goes_aside_faces_there():
    maker, legs = make_radial(6)
    moves = {}
    for leg in legs:
        aside = np.array([1.0, 0.0, 0.0])
        path = step_path(maker.heads[leg.ankle], leg.phase, 0.25, 0.08, direction=aside)
        moves.update(bend_leg(maker, leg, path))
    rig = find_rig(drop_ends(maker, maker.evidence([maker.clip("walk", moves)]))).rig
    assert len(rig.legs) == 6
    np.testing.assert_allclose(rig.forward, [1, 0], atol=0.05)


def test_who_sprawls_may_have_hips_as_low_as_feet():
    maker, legs = make_radial(8, 22.5, hip=LOW)
    rig = find_rig(drop_ends(maker, maker.evidence([walk(maker, legs, 0.25, 0.08)]))).rig
    assert len(rig.legs) == 8
    assert {rig.skeleton.names[leg.joints[0]] for leg in rig.legs} == {leg.hip for leg in legs}


def make_blocks(places):
    """A body on legs of one bone each, which swing."""
    maker = BodyMaker()
    maker.bone("body", None, (0, 0, 0.6))
    maker.box("body", (-0.2, -0.4, 0.6), (0.2, 0.4, 0.9), steps=6)
    moves = {}
    for number, (x, y) in enumerate(places):
        name = maker.bone(f"leg{number}", "body", (x, y, 0.6))
        maker.box(name, (x - 0.08, y - 0.08, 0.0), (x + 0.08, y + 0.08, 0.6), steps=3)
        phase = 0.5 * (number in (1, 2))
        sway = 0.4 * np.sin(2.0 * np.pi * (np.linspace(0.0, 1.0, FRAMES) + phase))
        axis = np.array([1.0, 0.0, 0.0])
        moves[name] = {"rotation": rot.quaternions_from_axis_angles(axis, sway)}
    return maker.evidence([maker.clip("walk", moves)])


@pytest.mark.parametrize(
    "places", [[(0.15, 0), (-0.15, 0)], [(0.15, -0.3), (-0.15, -0.3), (0.15, 0.3), (-0.15, 0.3)]]
)
def test_legs_of_one_bone_stand_on_their_ends(places):
    findings = find_rig(make_blocks(places))
    assert [len(leg.joints) for leg in findings.rig.legs] == [2] * len(places)
    assert {end.bone for end in findings.rig.skeleton.ends} == {
        f"leg{n}" for n in range(len(places))
    }
    assert findings.confidence >= 0.5


def test_the_sole_is_the_skin_that_touches_though_it_hangs_on_the_shin():
    maker, legs = make_biped(detached_parent="root")
    maker.boxes = [
        (bone.replace("foot", "shin").replace("toe", "shin"), points)
        for bone, points in maker.boxes
    ]
    evidence = maker.evidence([walk(maker, legs)])
    rig = find_rig(evidence).rig
    assert {end.bone for end in rig.skeleton.ends} == {"shin.L", "shin.R"}
    turns, heads = rig.skeleton.rest_poses
    for leg in rig.legs:
        assert compute_sole_points(leg, turns[None], heads[None])[..., 2].min() == pytest.approx(
            0.0
        )


def test_skin_that_a_clip_has_below_the_soles_is_told():
    maker, legs = make_biped()
    for side, x in ((".L", 0.1), (".R", -0.1)):
        tip = maker.bone(f"claw{side}", f"shin{side}", (x, 0.0, 0.1))
        maker.box(tip, (x - 0.03, -0.1, -0.06), (x + 0.03, 0.0, -0.02))
    findings = find_rig(maker.evidence([walk(maker, legs)]))
    told = [n for n in findings.doubts if n.kind is NoteKind.SKIN_BELOW_SOLES]
    assert (
        told
        or min(
            s.offset[2] + maker.heads[findings.rig.skeleton.names[s.bone]][2]
            for leg in findings.rig.legs
            for s in leg.soles
        )
        < -0.01
    )


def test_a_rest_pose_in_mid_step_guesses_both_soles_on_one_level():
    maker, legs = make_biped()
    clip = walk(maker, legs)
    evidence = maker.evidence([clip], mesh=False)
    skeleton = evidence.skeleton
    step = int(clip.positions[:, maker.names.index("foot.L"), 2].argmax())
    turns, places = clip.rotations[step], clip.positions[step]
    above = skeleton.parents
    back = rot.conjugate(turns[above])
    rooted = (above < 0)[:, None]
    raised = replace(
        skeleton,
        rest_rotations=np.where(rooted, turns, rot.multiply(back, turns)),
        rest_translations=np.where(rooted, places, rot.rotate(back, places - places[above])),
    )
    rig = find_rig(replace(evidence, skeleton=raised, tails=places + 1e-3 * rot.UP)).rig
    lows = [
        compute_sole_points(leg, clip.rotations, clip.positions)[..., 2].min() for leg in rig.legs
    ]
    assert lows[0] == pytest.approx(lows[1], abs=0.02)


def test_split_legs_hang_from_their_thighs():
    maker, legs = make_biped()
    clip = walk(maker, legs)
    split = BodyMaker()
    add_trunk(split, 0.9, 1.7)
    for name, parent in zip(maker.names, maker.parents, strict=True):
        if name in split.names:
            continue
        hangs = "root" if name.startswith(("shin", "foot")) else parent
        split.bone(name, hangs, maker.heads[name])
    split.boxes = maker.boxes
    order = [maker.names.index(name) for name in split.names]
    moved = replace(
        clip,
        rotations=clip.rotations[:, order],
        positions=clip.positions[:, order],
        axis_scales=clip.axis_scales[:, order],
    )
    findings = find_rig(split.evidence([moved]))
    assert list_legs(findings.rig) == list_legs(find_rig(maker.evidence([clip])).rig)
    assert findings.confidence > 0.9
