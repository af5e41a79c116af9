# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs without parents are found on the bones that they follow, or hung from those that they go with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.rig.legs import find_rig
from semi_procedural_locomotion.core.rig.skeleton import compute_rest_poses
from tests.core.legged_bodies import (
    BIPED_NAMES,
    BodyMaker,
    LegPath,
    add_leg,
    add_trunk,
    list_legs,
    make_biped,
    make_quadruped,
    make_spider,
    turn_evidence,
    walk,
)


def _make_following(flat):
    """Legs that deform are roots and follow others below the hips; ``flat``: each bone is a root."""
    maker = BodyMaker()
    add_trunk(maker, 0.95, 1.7)
    legs = []
    for form, parent in (("{}_mch", "hips"), ("{}", None)):
        names = [form.format(name) for name in BIPED_NAMES]
        for side, x, phase in ((".L", 0.1, 0.0), (".R", -0.1, 0.5)):
            boxes = len(maker.boxes)
            legs.append(LegPath(*add_leg(maker, side, x, 0.0, parent, names), phase))
            if parent:
                del maker.boxes[boxes:]
                maker.deform.update({name + side: False for name in names})
    evidence = maker.evidence([walk(maker, legs)])
    if not flat:
        return evidence
    skeleton = evidence.skeleton
    own = [name.partition(".")[0] in BIPED_NAMES for name in skeleton.names]
    heads = np.array([maker.heads[name] for name in skeleton.names])
    return replace(
        evidence,
        skeleton=replace(
            skeleton,
            parents=np.where(own, -1, skeleton.parents),
            rest_translations=np.where(np.array(own)[:, None], heads, skeleton.rest_translations),
        ),
    )


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize(("scale", "yaw"), [(1.0, 0.0), (100.0, 2.0)])
def test_legs_that_follow_are_found_on_what_leads_them(scale, yaw, flat):
    findings = find_rig(turn_evidence(_make_following(flat), scale, yaw))
    assert [joints for _, _, joints, _ in list_legs(findings.rig)] == [
        ("thigh_mch.L", "shin_mch.L", "foot_mch.L"),
        ("thigh_mch.R", "shin_mch.R", "foot_mch.R"),
    ]
    assert findings.rig.skeleton.names[findings.rig.body] == "hips"
    lengths = findings.rig.foot_lengths
    np.testing.assert_allclose(lengths, 0.25 * scale, rtol=0.05)


def test_loose_legs_hang_from_what_they_go_with():
    maker, legs = make_biped()
    evidence = maker.evidence([walk(maker, legs)])
    sway = np.zeros((evidence.clips[0].positions.shape[0], 1, 3))
    sway[:, 0, 0] = 0.05 * np.sin(np.linspace(0.0, 2.0 * np.pi, len(sway)))
    moving = np.array([name != "root" for name in evidence.skeleton.names])[None, :, None]
    clip = replace(evidence.clips[0], positions=evidence.clips[0].positions + sway * moving)
    skeleton = evidence.skeleton
    thighs = np.array([name.startswith("thigh") for name in skeleton.names])
    heads = np.array([maker.heads[name] for name in skeleton.names])
    loose = replace(
        skeleton,
        parents=np.where(thighs, -1, skeleton.parents),
        rest_translations=np.where(thighs[:, None], heads, skeleton.rest_translations),
    )
    rig = find_rig(replace(evidence, skeleton=loose, clips=(clip,))).rig
    assert set(rig.skeleton.leaders) == {("thigh.L", "hips"), ("thigh.R", "hips")}
    assert list_legs(rig) == list_legs(find_rig(evidence).rig)


def _hang_side_by_side(evidence):
    """The same body with every bone a child of the root, as some exports have them."""
    skeleton = evidence.skeleton
    _, heads = compute_rest_poses(skeleton)
    below = np.arange(len(skeleton)) > 0
    parents = np.where(below, 0, -1)
    flat = replace(skeleton, parents=parents, rest_translations=heads - heads[0] * below[:, None])
    return replace(evidence, skeleton=flat)


def _add_mechanism(evidence):
    """The same body whose bones follow unskinned copies of themselves in a tree of their own."""
    flat = _hang_side_by_side(evidence)
    tree, names, count = evidence.skeleton, evidence.skeleton.names, len(evidence.skeleton)
    parents = np.where(tree.parents > 0, tree.parents + count - 1, 0)[1:]
    rows = [*range(count), *range(1, count)]
    skeleton = replace(
        tree,
        names=(*names, *(f"{name}_mch" for name in names[1:])),
        parents=np.concatenate([flat.skeleton.parents, parents]),
        rest_rotations=tree.rest_rotations[rows],
        rest_translations=np.concatenate(
            [flat.skeleton.rest_translations, tree.rest_translations[1:]]
        ),
    )
    clips = tuple(
        replace(
            clip,
            rotations=clip.rotations[:, rows],
            positions=clip.positions[:, rows],
            axis_scales=clip.axis_scales[:, rows],
        )
        for clip in evidence.clips
    )
    deform = np.where(np.arange(len(rows)) < count, evidence.deform[rows], False)
    return replace(
        evidence, skeleton=skeleton, tails=evidence.tails[rows], deform=deform, clips=clips
    )


@pytest.mark.parametrize("make", [make_biped, make_quadruped, make_spider])
def test_bones_side_by_side_go_with_one_another_where_clips_tell(make):
    maker, legs = make()
    evidence = maker.evidence([walk(maker, legs)])
    whole, followed = find_rig(evidence).rig, find_rig(_add_mechanism(evidence)).rig
    flat = find_rig(_hang_side_by_side(evidence)).rig
    assert list_legs(flat) == list_legs(whole)
    still = find_rig(replace(_hang_side_by_side(evidence), clips=()))
    assert still.rig is None
    assert f"hang side by side from {maker.names[0]!r}" in still.refusal
    names = [[f"{name}_mch" for name in joints] for _, _, joints, _ in list_legs(whole)]
    assert [list(joints) for _, _, joints, _ in list_legs(followed)] == names
