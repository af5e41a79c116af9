# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits fitted to rigs and tastes, and the bones that take part in them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.gaits.fitting import GaitStyle, find_gait, fit_gait
from semi_procedural_locomotion.core.gaits.making import compute_truth, make_gait, measure_sinking
from semi_procedural_locomotion.core.gaits.presets import find_preset
from semi_procedural_locomotion.core.gaits.settings import fit_to_frames
from semi_procedural_locomotion.core.rig.skeleton import compute_rest_poses
from semi_procedural_locomotion.core.rig.upper_body import find_body_parts
from semi_procedural_locomotion.errors import SettingError
from tests.core.gait_rigs import build_biped, build_leg, build_rig, build_skeleton
from tests.core.gaits.test_making import CASES, build, pose


@pytest.mark.parametrize(("name", "legs"), CASES)
def test_fitted_gaits_need_little_sinking(name, legs):
    rig, settings = build(name, legs)
    positions = compute_rest_poses(rig.skeleton)[1]
    hips = np.mean([positions[leg.joints[0], 2] for leg in rig.legs])
    fitted, share = fit_gait(rig, replace(settings, stride=1.6 * settings.stride))
    assert fitted.stride == pytest.approx(1.6 * share * settings.stride)
    assert measure_sinking(rig, fitted) <= 0.17 * hips
    assert share > 0.4


def test_fitting_leaves_what_fits_and_shortens_what_does_not():
    rig, settings = build("walk", 2)
    assert fit_gait(rig, settings) == (settings, 1.0)
    fitted, share = fit_gait(rig, replace(settings, stride=5.0, turn_rate=1.0))
    assert 0.2 < share < 0.7
    assert fitted.turn_rate == pytest.approx(share)
    make_gait(rig, fitted)
    longer = replace(fitted, stride=1.1 * fitted.stride)
    assert fit_gait(rig, longer)[1] < 1.0


def test_styles_change_what_they_name():
    rig = build_biped()
    plain = find_gait(rig, "walk")
    assert find_gait(rig, "walk", GaitStyle()) == plain
    quick = find_gait(rig, "walk", GaitStyle(pace=2.0, stride=0.5, arms=0.0, lean=0.2))
    assert quick.period == pytest.approx(0.5 * plain.period)
    assert quick.stride == pytest.approx(0.5 * plain.stride)
    assert quick.arm_swing == 0.0
    assert quick.lean == pytest.approx(plain.lean + 0.2)
    with pytest.raises(SettingError, match=r"pace must be a number from 0\.1 to 10"):
        GaitStyle(pace=0.0)
    with pytest.raises(SettingError, match="lift must be"):
        GaitStyle(lift=-1.0)


def test_mirrored_gaits_are_mirror_images():
    rig = build_biped()
    left = make_gait(rig, find_gait(rig, "sidestep"))
    right = make_gait(rig, find_gait(rig, "sidestep", GaitStyle(mirrored=True)))
    one, other = pose(rig, left)[1], pose(rig, right)[1]
    hips = rig.skeleton.find_index("hips")
    np.testing.assert_allclose(other[:, hips], one[:, hips] * [-1.0, 1.0, 1.0], atol=1e-9)
    feet = [rig.skeleton.find_index(f"foot.{side}") for side in "LR"]
    np.testing.assert_allclose(
        other[:, feet], one[:, feet[::-1]] * np.array([-1.0, 1.0, 1.0]), atol=1e-9
    )
    truth = compute_truth(rig, find_gait(rig, "turn", GaitStyle(mirrored=True)))
    assert truth.turn_rate < 0.0


def test_wide_soles_keep_apart_and_spread_legs_close():
    rig = build_biped()
    wide = replace(rig, legs=tuple(replace(leg, sole_width=0.2) for leg in rig.legs))
    track = 0.1 * find_gait(wide, "walk").width
    assert track >= 0.5 * 0.2 - 1e-9
    assert 0.1 * find_gait(rig, "walk").width < 0.09


def test_models_in_other_units_keep_an_adults_period():
    rig = build_biped()
    big = replace(rig, legs=tuple(replace(leg, length=80.0) for leg in rig.legs))
    assert find_gait(big, "walk").period == find_preset("walk", 2).period


def test_arms_are_told_from_collar_bones_and_tails_from_rumps():
    bones = [
        ("root", None, (0.0, 0.0, 0.0)),
        ("hips", "root", (0.0, 0.0, 0.9)),
        ("tail", "hips", (0.0, -0.1, 0.95)),
        ("tip", "tail", (0.0, -0.4, 0.9)),
        ("chest", "hips", (0.0, 0.0, 1.3)),
        ("head", "chest", (0.0, 0.0, 1.6)),
    ]
    for side, x in (("L", -1.0), ("R", 1.0)):
        bones += [
            # A short wrist and a longer hand follow the forearm; the collar begins in the middle.
            (f"collar.{side}", "chest", (0.0, 0.0, 1.4)),
            (f"arm.{side}", f"collar.{side}", (0.3 * x, 0.0, 1.4)),
            (f"fore.{side}", f"arm.{side}", (0.58 * x, 0.0, 1.4)),
            (f"wrist.{side}", f"fore.{side}", (0.8 * x, 0.0, 1.4)),
            (f"hand.{side}", f"wrist.{side}", (0.85 * x, 0.0, 1.4)),
            (f"thumb.{side}", f"hand.{side}", (0.9 * x, 0.03, 1.4)),
            (f"finger.{side}", f"hand.{side}", (0.95 * x, 0.0, 1.4)),
            (f"thigh.{side}", "hips", (0.1 * x, 0.0, 0.9)),
            (f"shin.{side}", f"thigh.{side}", (0.1 * x, 0.02, 0.48)),
            (f"foot.{side}", f"shin.{side}", (0.1 * x, 0.0, 0.08)),
        ]
    skeleton, forward = build_skeleton(bones), np.array([0.0, 1.0])
    legs = tuple(
        build_leg(skeleton, s, (f"thigh.{s}", f"shin.{s}", f"foot.{s}"), None, forward)
        for s in ("L", "R")
    )
    parts = find_body_parts(build_rig(skeleton, legs, forward, 0.2))
    names = skeleton.names
    left = parts.arms[0]
    chain = (left.shoulder, left.upper, left.fore, left.hand)
    assert [names[i] for i in chain] == ["collar.L", "arm.L", "fore.L", "wrist.L"]
    assert [names[i] for i in parts.tail] == ["tail", "tip"]
    assert [names[i] for i in parts.spine] == ["chest"]


def build_with(extra):
    """A person with further bones, as name, parent and head."""
    bones = [
        ("root", None, (0.0, 0.0, 0.0)),
        ("hips", "root", (0.0, 0.0, 0.9)),
        ("chest", "hips", (0.0, 0.0, 1.3)),
        ("neck", "chest", (0.0, 0.0, 1.5)),
        ("skull", "neck", (0.0, 0.0, 1.6)),
        *extra,
    ]
    for side, x in (("L", -1.0), ("R", 1.0)):
        bones += [
            (f"thigh.{side}", "hips", (0.1 * x, 0.0, 0.9)),
            (f"shin.{side}", f"thigh.{side}", (0.1 * x, 0.02, 0.48)),
            (f"foot.{side}", f"shin.{side}", (0.1 * x, 0.0, 0.08)),
        ]
    skeleton, forward = build_skeleton(bones), np.array([0.0, 1.0])
    legs = tuple(
        build_leg(skeleton, s, (f"thigh.{s}", f"shin.{s}", f"foot.{s}"), None, forward)
        for s in ("L", "R")
    )
    rig = build_rig(skeleton, legs, forward, 0.2)
    return find_body_parts(rig), skeleton.names


def make_pair(name, parent, heads):
    """Two mirrored chains of bones."""
    return [
        (f"{name}{i}.{side}", f"{name}{i - 1}.{side}" if i else parent, (x * head[0], *head[1:]))
        for side, x in (("L", -1.0), ("R", 1.0))
        for i, head in enumerate(heads)
    ]


def test_ears_are_no_arms_and_faces_no_heads():
    arm = make_pair("arm", "chest", [(0.2, 0, 1.4), (0.48, 0, 1.4), (0.74, 0, 1.4)])
    ear = make_pair("ear", "skull", [(0.07, 0, 1.65), (0.09, 0, 1.7), (0.1, 0, 1.75)])
    face = [("face", "skull", (0.0, 0.0, 1.6)), ("brow", "face", (0.0, 0.1, 1.75))]
    parts, names = build_with([*arm, *ear, *face])
    assert [names[a.upper] for a in parts.arms] == ["arm0.L", "arm0.R"]
    assert names[parts.head] == "skull"
    assert [names[i] for i in parts.neck] == ["neck"]


def test_the_end_of_a_skull_is_no_head():
    parts, names = build_with([("skull_end", "skull", (0.0, 0.0, 1.8))])
    assert parts.arms == ()
    arm = make_pair("arm", "chest", [(0.2, 0, 1.4), (0.48, 0, 1.4), (0.74, 0, 1.4)])
    parts, names = build_with([*arm, ("skull_end", "skull", (0.0, 0.0, 1.8))])
    assert names[parts.head] == "skull"


def test_wings_that_would_reach_the_ground_do_not_hang():
    wing = make_pair("wing", "chest", [(0.1, 0, 1.3), (0.8, 0, 1.3), (1.4, 0, 1.3)])
    assert build_with(wing)[0].arms == ()


def test_quick_gaits_get_keys_between_frames():
    settings = replace(find_preset("run", 2), period=0.35)
    fitted = fit_to_frames(settings, 24.0, 16)
    assert (fitted.period * 24.0, fitted.keys) == (pytest.approx(8.0), 16)
    assert fit_to_frames(settings, 24.0).keys == 8


def test_hind_legs_that_hang_from_the_spine_are_no_front_legs():
    bones = [
        ("root", None, (0.0, 0.0, 0.6)),
        ("body", "root", (-0.45, 0.0, 0.6)),
        ("loin", "body", (-0.4, 0.0, 0.6)),
        ("back", "loin", (0.0, 0.0, 0.6)),
        ("chest", "back", (0.35, 0.0, 0.6)),
        ("head", "chest", (0.6, 0.0, 0.7)),
    ]
    names = []
    for parent, x in (("chest", 0.4), ("loin", -0.4)):
        for side, y in (("L", 1.0), ("R", -1.0)):
            name = f"{parent}.{side}"
            names.append(name)
            bones += [
                (f"a{name}", parent, (x, 0.12 * y, 0.55)),
                (f"b{name}", f"a{name}", (x - 0.05, 0.14 * y, 0.3)),
                (f"c{name}", f"b{name}", (x, 0.15 * y, 0.05)),
            ]
    skeleton, forward = build_skeleton(bones), np.array([1.0, 0.0])
    legs = tuple(
        build_leg(skeleton, n, (f"a{n}", f"b{n}", f"c{n}"), None, forward, 0.1) for n in names
    )
    rig = build_rig(skeleton, legs, forward, 0.1)
    _, positions = pose(rig, make_gait(rig, find_preset("gallop", 4, rig.leg_length)))
    # The back bends: the chest pitches against the loin.
    slope = [
        np.arctan2(
            *(positions[:, skeleton.find_index(b)] - positions[:, skeleton.find_index(a)]).T[[2, 0]]
        )
        for a, b in (("body", "loin"), ("chest", "head"))
    ]
    assert np.ptp(slope[1] - slope[0]) > 0.1
