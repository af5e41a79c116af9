# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The project's four-legged animal: a dog of 0.6 m with paws, three segments a leg (data only)."""

from __future__ import annotations

from itertools import pairwise

from .lofts import (
    BoneShape,
    CharacterShape,
    LegShape,
    Point,
    Ring,
    SkinSurface,
    Weights,
    go_along,
    make_paw,
    make_tube,
    mirror_bones,
    mirror_leg,
    mirror_surface,
)

_COAT, _LIGHT, _DARK = "Coat", "Light", "Dark"
_COLOURS = {
    _COAT: (0.48, 0.21, 0.06),
    _LIGHT: (0.78, 0.62, 0.42),
    _DARK: (0.035, 0.03, 0.03),
}

# Heads of the bones of each leg from the hip to the paw, and the ends of the sole along Y.
_HIND: tuple[Point, ...] = (
    (0.072, 0.265, 0.53),
    (0.088, 0.182, 0.385),
    (0.088, 0.316, 0.235),
    (0.088, 0.298, 0.05),
)
_FRONT: tuple[Point, ...] = (
    (0.07, -0.225, 0.475),
    (0.084, -0.145, 0.365),
    (0.084, -0.172, 0.17),
    (0.084, -0.182, 0.05),
)
_HIND_SOLE = (0.33, 0.225)
_FRONT_SOLE = (-0.152, -0.258)
_HIND_BONES = ("thigh.L", "shin.L", "hock.L", "hind_paw.L")
_FRONT_BONES = ("upper_arm.L", "forearm.L", "wrist.L", "front_paw.L")
# Half sizes of a leg at its joints and in the middle of its segments: to the side, to the front.
_HIND_SIZES = (
    (0.046, 0.092),
    (0.048, 0.08),
    (0.04, 0.05),
    (0.034, 0.042),
    (0.023, 0.027),
    (0.022, 0.024),
    (0.023, 0.024),
)
_FRONT_SIZES = (
    (0.042, 0.07),
    (0.043, 0.06),
    (0.035, 0.045),
    (0.029, 0.034),
    (0.023, 0.025),
    (0.022, 0.023),
    (0.024, 0.025),
)
# Share of the sole at which the paw's ball lies, from the heel.
_BALL_SHARE = 0.65
_SOLE_WIDTH = 0.07


def _list_bones() -> tuple[BoneShape, ...]:
    """All bones, parents first."""
    middle = [
        BoneShape("root", None, (0.0, 0.0, 0.0), (0.0, -0.25, 0.0), deforms=False),
        BoneShape("hips", "root", (0.0, 0.24, 0.56), (0.0, 0.12, 0.57)),
        BoneShape("spine", "hips", (0.0, 0.12, 0.57), (0.0, 0.0, 0.57)),
        BoneShape("ribs", "spine", (0.0, 0.0, 0.57), (0.0, -0.11, 0.56)),
        BoneShape("chest", "ribs", (0.0, -0.11, 0.56), (0.0, -0.25, 0.56)),
        BoneShape("neck", "chest", (0.0, -0.25, 0.57), (0.0, -0.33, 0.67)),
        BoneShape("nape", "neck", (0.0, -0.33, 0.67), (0.0, -0.39, 0.75)),
        BoneShape("head", "nape", (0.0, -0.39, 0.75), (0.0, -0.55, 0.74)),
        BoneShape("tail_1", "hips", (0.0, 0.31, 0.58), (0.0, 0.4, 0.6)),
        BoneShape("tail_2", "tail_1", (0.0, 0.4, 0.6), (0.0, 0.48, 0.65)),
        BoneShape("tail_3", "tail_2", (0.0, 0.48, 0.65), (0.0, 0.54, 0.72)),
    ]
    left = [BoneShape("ear.L", "head", (0.04, -0.38, 0.79), (0.058, -0.37, 0.86))]
    for parent, names, heads, sole in (
        ("hips", _HIND_BONES, _HIND, _HIND_SOLE),
        ("chest", _FRONT_BONES, _FRONT, _FRONT_SOLE),
    ):
        tails = (*heads[1:], (heads[-1][0], sole[1], 0.02))
        above = parent
        for name, head, tail in zip(names, heads, tails, strict=True):
            left.append(BoneShape(name, above, head, tail))
            above = name
    return mirror_bones([*middle, *left])


def _make_leg(
    parent: str,
    names: tuple[str, ...],
    heads: tuple[Point, ...],
    sizes: tuple[tuple[float, float], ...],
) -> SkinSurface:
    """The skin of a leg from inside the body to the paw."""
    x, y, z = heads[0]
    aside, ahead = sizes[0]
    rings = [
        Ring((0.6 * x, y, z + 0.05), 0.5 * aside, 0.6 * ahead, {parent: 0.8, names[0]: 0.2}),
        Ring((0.8 * x, y, z + 0.03), 0.85 * aside, 0.85 * ahead, {parent: 0.7, names[0]: 0.3}),
        Ring((0.92 * x, y, z), aside, ahead, {parent: 0.5, names[0]: 0.5}),
    ]
    for index, (start, end) in enumerate(pairwise(heads)):
        x, y, z = (0.5 * (a + b) for a, b in zip(start, end, strict=True))
        own: Weights = {names[index]: 1.0}
        rings.append(Ring((x, y, z), *sizes[2 * index + 1], own))
        joint: Weights = {names[index]: 0.5, names[index + 1]: 0.5}
        place = end if index < len(heads) - 2 else (end[0], end[1], end[2] - 0.01)
        rings.append(Ring(place, *sizes[2 * index + 2], joint))
    return make_tube(rings, _COAT, around=14, upright=True)


def _list_trunk() -> list[SkinSurface]:
    """Body, neck, head, tail."""
    body = make_tube(
        [
            Ring((0.0, 0.31, 0.535), 0.075, 0.08, {"hips": 1.0}),
            Ring((0.0, 0.26, 0.53), 0.108, 0.108, {"hips": 1.0}),
            Ring((0.0, 0.19, 0.53), 0.112, 0.108, {"hips": 0.8, "spine": 0.2}),
            Ring((0.0, 0.11, 0.53), 0.104, 0.1, {"hips": 0.4, "spine": 0.6}),
            Ring((0.0, 0.03, 0.525), 0.105, 0.104, {"spine": 0.7, "ribs": 0.3}),
            Ring((0.0, -0.05, 0.512), 0.117, 0.123, {"spine": 0.2, "ribs": 0.8}),
            Ring((0.0, -0.13, 0.502), 0.122, 0.136, {"ribs": 0.4, "chest": 0.6}),
            Ring((0.0, -0.21, 0.505), 0.116, 0.13, {"chest": 1.0}),
            Ring((0.0, -0.27, 0.515), 0.092, 0.105, {"chest": 1.0}),
        ],
        _COAT,
        around=24,
    )
    chest = make_tube(
        [
            Ring((0.0, -0.16, 0.44), 0.07, 0.07, {"chest": 1.0}),
            Ring((0.0, -0.24, 0.47), 0.075, 0.085, {"chest": 1.0}),
            Ring((0.0, -0.295, 0.525), 0.066, 0.062, {"chest": 0.8, "neck": 0.2}),
        ],
        _LIGHT,
        around=20,
    )
    neck = make_tube(
        [
            Ring((0.0, -0.21, 0.54), 0.09, 0.1, {"chest": 1.0}),
            Ring((0.0, -0.27, 0.595), 0.079, 0.087, {"chest": 0.5, "neck": 0.5}),
            Ring((0.0, -0.325, 0.665), 0.064, 0.07, {"neck": 0.6, "nape": 0.4}),
            Ring((0.0, -0.37, 0.73), 0.058, 0.062, {"nape": 0.6, "head": 0.4}),
        ],
        _COAT,
        around=20,
    )
    on_head = {"head": 1.0}
    head = make_tube(
        [
            Ring((0.0, -0.365, 0.757), 0.058, 0.058, on_head),
            Ring((0.0, -0.41, 0.762), 0.07, 0.068, on_head),
            Ring((0.0, -0.45, 0.752), 0.061, 0.058, on_head),
            Ring((0.0, -0.485, 0.735), 0.043, 0.041, on_head),
            Ring((0.0, -0.53, 0.726), 0.035, 0.034, on_head),
            Ring((0.0, -0.565, 0.722), 0.029, 0.028, on_head),
        ],
        _COAT,
        around=20,
        bulge=0.7,
    )
    muzzle = make_tube(
        [
            Ring((0.0, -0.47, 0.72), 0.034, 0.03, on_head),
            Ring((0.0, -0.54, 0.713), 0.032, 0.027, on_head),
            Ring((0.0, -0.572, 0.713), 0.026, 0.023, on_head),
        ],
        _LIGHT,
        around=14,
    )
    nose = make_tube(
        [
            Ring((0.0, -0.572, 0.737), 0.015, 0.012, on_head),
            Ring((0.0, -0.588, 0.735), 0.016, 0.013, on_head),
        ],
        _DARK,
        around=10,
    )
    tail = make_tube(
        [
            Ring((0.0, 0.29, 0.575), 0.034, 0.034, {"hips": 1.0}),
            Ring((0.0, 0.345, 0.588), 0.03, 0.03, {"tail_1": 1.0}),
            Ring((0.0, 0.4, 0.602), 0.028, 0.03, {"tail_1": 0.5, "tail_2": 0.5}),
            Ring((0.0, 0.445, 0.626), 0.027, 0.03, {"tail_2": 1.0}),
            Ring((0.0, 0.482, 0.654), 0.025, 0.028, {"tail_2": 0.5, "tail_3": 0.5}),
            Ring((0.0, 0.52, 0.7), 0.018, 0.02, {"tail_3": 1.0}),
            Ring((0.0, 0.54, 0.73), 0.009, 0.01, {"tail_3": 1.0}),
        ],
        _COAT,
        around=12,
    )
    return [body, chest, neck, head, muzzle, nose, tail]


def _make_leg_shape(
    name: str, bones: tuple[str, ...], heads: tuple[Point, ...], sole: tuple[float, float]
) -> LegShape:
    """A left leg with its sole points."""
    x = heads[-1][0]
    heel: Point = (x, sole[0], 0.0)
    tip: Point = (x, sole[1], 0.0)
    ball = go_along(heel, (0.0, -1.0, 0.0), _BALL_SHARE * (sole[0] - sole[1]))
    return LegShape(name, "L", bones, None, heel, ball, tip, _SOLE_WIDTH)


def make_quadruped_shape() -> CharacterShape:
    """The animal as data."""
    ear = make_tube(
        [
            Ring((0.04, -0.385, 0.795), 0.027, 0.014, {"head": 0.6, "ear.L": 0.4}),
            Ring((0.049, -0.38, 0.828), 0.022, 0.01, {"ear.L": 1.0}),
            Ring((0.056, -0.375, 0.858), 0.009, 0.006, {"ear.L": 1.0}),
        ],
        _DARK,
        around=10,
    )
    eye = make_tube(
        [
            Ring((0.05, -0.452, 0.771), 0.008, 0.008, {"head": 1.0}),
            Ring((0.05, -0.455, 0.779), 0.008, 0.008, {"head": 1.0}),
        ],
        _DARK,
        around=8,
    )
    left = [
        _make_leg("hips", _HIND_BONES, _HIND, _HIND_SIZES),
        _make_leg("chest", _FRONT_BONES, _FRONT, _FRONT_SIZES),
        make_paw(_HIND[-1], *_HIND_SOLE, 0.036, 0.062, _HIND_BONES[-1]),
        make_paw(_FRONT[-1], *_FRONT_SOLE, 0.036, 0.062, _FRONT_BONES[-1]),
        ear,
        eye,
    ]
    front = _make_leg_shape("Front Left", _FRONT_BONES, _FRONT, _FRONT_SOLE)
    hind = _make_leg_shape("Hind Left", _HIND_BONES, _HIND, _HIND_SOLE)
    return CharacterShape(
        name="Dog",
        bones=_list_bones(),
        surfaces=(*_list_trunk(), *left, *(mirror_surface(s) for s in left)),
        colours=_COLOURS,
        legs=(front, mirror_leg(front, "Front Right"), hind, mirror_leg(hind, "Hind Right")),
        body="hips",
        spine=("spine", "ribs", "chest"),
        neck=("neck", "nape"),
        head="head",
        tail=("tail_1", "tail_2", "tail_3"),
    )
