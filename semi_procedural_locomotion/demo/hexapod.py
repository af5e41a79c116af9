# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The project's six-legged walker: a beetle as large as a dog (data only)."""

from __future__ import annotations

from .lofts import (
    BoneShape,
    CharacterShape,
    LegShape,
    Point,
    Ring,
    SkinSurface,
    make_paw,
    make_tube,
    mirror_bones,
    mirror_leg,
    mirror_surface,
)

_SHELL, _BODY, _DARK = "Shell", "Body", "Dark"
_COLOURS = {
    _SHELL: (0.05, 0.28, 0.25),
    _BODY: (0.55, 0.36, 0.08),
    _DARK: (0.03, 0.03, 0.035),
}

# Each pair: name, then heads of femur, tibia and foot on the left side.
_PAIRS: tuple[tuple[str, tuple[Point, Point, Point]], ...] = (
    ("front", ((0.1, -0.17, 0.3), (0.26, -0.29, 0.42), (0.37, -0.37, 0.05))),
    ("middle", ((0.115, 0.0, 0.3), (0.3, 0.01, 0.43), (0.44, 0.02, 0.05))),
    ("hind", ((0.1, 0.16, 0.3), (0.26, 0.29, 0.42), (0.38, 0.4, 0.05))),
)
_FOOT_BEHIND, _FOOT_AHEAD = 0.03, 0.055
_BALL_SHARE = 0.65
_SOLE_WIDTH = 0.05


def _name_bones(pair: str) -> tuple[str, str, str]:
    """Femur, tibia and foot of a pair's left leg."""
    return (f"femur_{pair}.L", f"tibia_{pair}.L", f"foot_{pair}.L")


def _list_bones() -> tuple[BoneShape, ...]:
    """All bones, parents first."""
    middle = [
        BoneShape("root", None, (0.0, 0.0, 0.0), (0.0, -0.25, 0.0), deforms=False),
        BoneShape("body", "root", (0.0, 0.0, 0.32), (0.0, -0.2, 0.32)),
        BoneShape("abdomen", "body", (0.0, 0.12, 0.33), (0.0, 0.42, 0.34)),
        BoneShape("head", "body", (0.0, -0.24, 0.33), (0.0, -0.4, 0.32)),
    ]
    left = [BoneShape("feeler.L", "head", (0.03, -0.36, 0.37), (0.12, -0.52, 0.5))]
    for pair, heads in _PAIRS:
        foot = heads[-1]
        tails = (*heads[1:], (foot[0], foot[1] - _FOOT_AHEAD, 0.02))
        above = "body"
        for name, head, tail in zip(_name_bones(pair), heads, tails, strict=True):
            left.append(BoneShape(name, above, head, tail))
            above = name
    return mirror_bones([*middle, *left])


def _list_leg_surfaces(pair: str, heads: tuple[Point, Point, Point]) -> list[SkinSurface]:
    """Skin and foot of one left leg."""
    femur, tibia, foot = _name_bones(pair)
    hip, knee, ankle = heads

    def between(start: Point, end: Point, share: float) -> Point:
        """A point on the way from ``start`` to ``end``."""
        x, y, z = (a + share * (b - a) for a, b in zip(start, end, strict=True))
        return (x, y, z)

    side: Point = (0.0, 1.0, 0.0)
    upper = make_tube(
        [
            Ring(between(hip, knee, -0.12), 0.03, 0.03, {"body": 0.5, femur: 0.5}),
            Ring(between(hip, knee, 0.15), 0.034, 0.036, {femur: 1.0}),
            Ring(between(hip, knee, 0.5), 0.033, 0.036, {femur: 1.0}),
            Ring(between(hip, knee, 0.9), 0.025, 0.026, {femur: 1.0}),
            Ring(knee, 0.024, 0.025, {femur: 0.6, tibia: 0.4}),
        ],
        _BODY,
        around=12,
        reference=side,
    )
    lower = make_tube(
        [
            Ring(knee, 0.021, 0.022, {femur: 0.4, tibia: 0.6}),
            Ring(between(knee, ankle, 0.15), 0.024, 0.025, {tibia: 1.0}),
            Ring(between(knee, ankle, 0.5), 0.019, 0.02, {tibia: 1.0}),
            Ring(between(knee, ankle, 0.9), 0.013, 0.014, {tibia: 1.0}),
            Ring(ankle, 0.014, 0.014, {tibia: 0.5, foot: 0.5}),
        ],
        _DARK,
        around=12,
        reference=side,
    )
    sole = (ankle[1] + _FOOT_BEHIND, ankle[1] - _FOOT_AHEAD)
    return [upper, lower, make_paw(ankle, *sole, 0.024, 0.05, foot)]


def _list_trunk() -> list[SkinSurface]:
    """Body, abdomen with its shell, head."""
    trunk = make_tube(
        [
            Ring((0.0, 0.18, 0.32), 0.11, 0.075, {"body": 1.0}),
            Ring((0.0, 0.08, 0.32), 0.135, 0.085, {"body": 1.0}),
            Ring((0.0, -0.06, 0.325), 0.135, 0.088, {"body": 1.0}),
            Ring((0.0, -0.18, 0.33), 0.11, 0.078, {"body": 1.0}),
            Ring((0.0, -0.25, 0.33), 0.075, 0.06, {"body": 0.6, "head": 0.4}),
        ],
        _BODY,
        around=24,
    )
    shell = make_tube(
        [
            Ring((0.0, 0.45, 0.345), 0.085, 0.05, {"abdomen": 1.0}),
            Ring((0.0, 0.38, 0.36), 0.14, 0.082, {"abdomen": 1.0}),
            Ring((0.0, 0.27, 0.375), 0.175, 0.103, {"abdomen": 1.0}),
            Ring((0.0, 0.14, 0.38), 0.182, 0.107, {"abdomen": 0.7, "body": 0.3}),
            Ring((0.0, 0.0, 0.378), 0.168, 0.098, {"abdomen": 0.2, "body": 0.8}),
            Ring((0.0, -0.11, 0.37), 0.13, 0.08, {"body": 1.0}),
        ],
        _SHELL,
        around=28,
        bulge=0.8,
    )
    collar = make_tube(
        [
            Ring((0.0, -0.13, 0.37), 0.128, 0.082, {"body": 1.0}),
            Ring((0.0, -0.2, 0.365), 0.112, 0.074, {"body": 1.0}),
            Ring((0.0, -0.25, 0.355), 0.084, 0.06, {"body": 0.8, "head": 0.2}),
        ],
        _SHELL,
        around=24,
        bulge=0.5,
    )
    head = make_tube(
        [
            Ring((0.0, -0.26, 0.335), 0.062, 0.05, {"head": 1.0}),
            Ring((0.0, -0.32, 0.335), 0.076, 0.056, {"head": 1.0}),
            Ring((0.0, -0.375, 0.325), 0.056, 0.042, {"head": 1.0}),
        ],
        _BODY,
        around=20,
    )
    return [trunk, shell, collar, head]


def make_hexapod_shape() -> CharacterShape:
    """The walker as data."""
    eye = make_tube(
        [
            Ring((0.056, -0.345, 0.358), 0.019, 0.019, {"head": 1.0}),
            Ring((0.062, -0.352, 0.366), 0.019, 0.019, {"head": 1.0}),
        ],
        _DARK,
        around=12,
    )
    feeler = make_tube(
        [
            Ring((0.03, -0.36, 0.365), 0.008, 0.008, {"head": 1.0}),
            Ring((0.06, -0.42, 0.43), 0.006, 0.006, {"feeler.L": 1.0}),
            Ring((0.12, -0.52, 0.49), 0.005, 0.005, {"feeler.L": 1.0}),
        ],
        _DARK,
        around=8,
    )
    left = [eye, feeler]
    legs: list[LegShape] = []
    for pair, heads in _PAIRS:
        left += _list_leg_surfaces(pair, heads)
        x, y, _ = heads[-1]
        heel, tip = y + _FOOT_BEHIND, y - _FOOT_AHEAD
        leg = LegShape(
            name=f"{pair.title()} Left",
            side="L",
            joints=_name_bones(pair),
            toe=None,
            heel=(x, heel, 0.0),
            ball=(x, heel + _BALL_SHARE * (tip - heel), 0.0),
            toe_tip=(x, tip, 0.0),
            sole_width=_SOLE_WIDTH,
        )
        legs += [leg, mirror_leg(leg, f"{pair.title()} Right")]
    return CharacterShape(
        name="Beetle",
        bones=_list_bones(),
        surfaces=(*_list_trunk(), *left, *(mirror_surface(s) for s in left)),
        colours=_COLOURS,
        legs=tuple(legs),
        body="body",
    )
