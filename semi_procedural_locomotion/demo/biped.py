# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The project's person: 1.75 m, 41 bones, shoes with heel, ball and toe (data only)."""

from __future__ import annotations

from .lofts import (
    ArmShape,
    BoneShape,
    CharacterShape,
    LegShape,
    Point,
    Ring,
    SkinSurface,
    Station,
    go_along,
    make_shoe,
    make_tube,
    mirror_arm,
    mirror_bones,
    mirror_leg,
    mirror_surface,
)

_SKIN, _SHIRT, _TROUSERS, _DARK = "Skin", "Shirt", "Trousers", "Dark"
_COLOURS = {
    _SKIN: (0.70, 0.42, 0.28),
    _SHIRT: (0.88, 0.36, 0.09),
    _TROUSERS: (0.07, 0.13, 0.24),
    _DARK: (0.03, 0.03, 0.035),
}

_HIP: Point = (0.092, 0.01, 0.90)
_KNEE: Point = (0.096, -0.012, 0.487)
_ANKLE: Point = (0.1, 0.022, 0.085)
_TOE_JOINT: Point = (0.104, -0.11, 0.018)
_TOE_END: Point = (0.106, -0.19, 0.018)
_ARM: Point = (0.178, 0.016, 1.41)
_ELBOW: Point = (0.372, 0.03, 1.21)
_WRIST: Point = (0.546, 0.008, 1.024)
_KNUCKLES: Point = (0.606, -0.002, 0.958)


_POINTING: Point = (0.06, -0.012, -0.07)
_THUMBING: Point = (0.035, -0.05, -0.05)
_THUMB = go_along(_WRIST, (0.03, -0.035, -0.03), 0.032)
_INDEX: Point = (_KNUCKLES[0], _KNUCKLES[1] - 0.022, _KNUCKLES[2])
_FINGERS: Point = (_KNUCKLES[0], _KNUCKLES[1] + 0.012, _KNUCKLES[2])


def _list_finger(
    name: str, start: Point, direction: Point, sizes: tuple[float, ...]
) -> list[BoneShape]:
    """Bones of one finger of the left hand."""
    bones, parent = [], "hand.L"
    for number, size in enumerate(sizes, start=1):
        end = go_along(start, direction, size)
        bones.append(BoneShape(f"{name}_{number}.L", parent, start, end))
        parent, start = bones[-1].name, end
    return bones


def _list_bones() -> tuple[BoneShape, ...]:
    """All bones, parents first."""
    middle = [
        BoneShape("root", None, (0.0, 0.0, 0.0), (0.0, -0.25, 0.0), deforms=False),
        BoneShape("hips", "root", (0.0, 0.012, 0.93), (0.0, 0.012, 1.03)),
        BoneShape("spine", "hips", (0.0, 0.012, 1.03), (0.0, 0.004, 1.14)),
        BoneShape("waist", "spine", (0.0, 0.004, 1.14), (0.0, 0.002, 1.26)),
        BoneShape("chest", "waist", (0.0, 0.002, 1.26), (0.0, 0.018, 1.45)),
        BoneShape("neck", "chest", (0.0, 0.018, 1.45), (0.0, 0.0, 1.545)),
        BoneShape("head", "neck", (0.0, 0.0, 1.545), (0.0, 0.0, 1.75)),
    ]
    left = [
        BoneShape("eye.L", "head", (0.034, -0.085, 1.635), (0.034, -0.125, 1.635)),
        BoneShape("shoulder.L", "chest", (0.022, 0.0, 1.415), (0.165, 0.014, 1.425)),
        BoneShape("upper_arm.L", "shoulder.L", _ARM, _ELBOW),
        BoneShape("forearm.L", "upper_arm.L", _ELBOW, _WRIST),
        BoneShape("hand.L", "forearm.L", _WRIST, _KNUCKLES),
        *_list_finger("thumb", _THUMB, _THUMBING, (0.034, 0.03)),
        *_list_finger("index", _INDEX, _POINTING, (0.036, 0.026, 0.02)),
        *_list_finger("fingers", _FINGERS, _POINTING, (0.038, 0.028, 0.022)),
        BoneShape("thigh.L", "hips", _HIP, _KNEE),
        BoneShape("shin.L", "thigh.L", _KNEE, _ANKLE),
        BoneShape("foot.L", "shin.L", _ANKLE, _TOE_JOINT),
        BoneShape("toe.L", "foot.L", _TOE_JOINT, _TOE_END),
    ]
    return mirror_bones([*middle, *left])


def _list_leg_surfaces() -> list[SkinSurface]:
    """Trouser leg and shoe of the left side."""
    leg = make_tube(
        [
            Ring((0.078, 0.014, 0.955), 0.07, 0.085, {"hips": 1.0}),
            Ring((0.084, 0.013, 0.90), 0.086, 0.1, {"hips": 0.65, "thigh.L": 0.35}),
            Ring((0.09, 0.011, 0.85), 0.088, 0.099, {"hips": 0.25, "thigh.L": 0.75}),
            Ring((0.094, 0.007, 0.79), 0.085, 0.092, {"thigh.L": 1.0}),
            Ring((0.096, 0.0, 0.68), 0.076, 0.081, {"thigh.L": 1.0}),
            Ring((0.096, -0.006, 0.58), 0.066, 0.069, {"thigh.L": 1.0}),
            Ring((0.096, -0.009, 0.53), 0.061, 0.063, {"thigh.L": 0.85, "shin.L": 0.15}),
            Ring(_KNEE, 0.058, 0.06, {"thigh.L": 0.5, "shin.L": 0.5}),
            Ring((0.096, -0.006, 0.445), 0.056, 0.059, {"thigh.L": 0.15, "shin.L": 0.85}),
            Ring((0.097, 0.006, 0.37), 0.057, 0.062, {"shin.L": 1.0}),
            Ring((0.098, 0.014, 0.28), 0.053, 0.058, {"shin.L": 1.0}),
            Ring((0.099, 0.02, 0.18), 0.046, 0.051, {"shin.L": 1.0}),
            Ring((0.1, 0.022, 0.118), 0.045, 0.052, {"shin.L": 1.0}),
        ],
        _TROUSERS,
    )
    foot, toe = {"foot.L": 1.0}, {"toe.L": 1.0}
    shoe = make_shoe(
        [
            Station(0.083, 0.099, 0.016, 0.03, foot),
            Station(0.079, 0.099, 0.028, 0.06, foot),
            Station(0.068, 0.099, 0.037, 0.09, foot),
            Station(0.048, 0.1, 0.042, 0.112, foot),
            Station(0.02, 0.1, 0.044, 0.121, foot),
            Station(-0.01, 0.1, 0.043, 0.112, foot),
            Station(-0.04, 0.101, 0.044, 0.09, foot),
            Station(-0.075, 0.103, 0.048, 0.07, foot),
            Station(-0.098, 0.104, 0.05, 0.06, {"foot.L": 0.8, "toe.L": 0.2}),
            Station(-0.11, 0.104, 0.051, 0.056, {"foot.L": 0.5, "toe.L": 0.5}),
            Station(-0.122, 0.105, 0.051, 0.053, {"foot.L": 0.2, "toe.L": 0.8}),
            Station(-0.15, 0.106, 0.048, 0.047, toe),
            Station(-0.172, 0.106, 0.04, 0.041, toe),
            Station(-0.186, 0.106, 0.029, 0.034, toe),
            Station(-0.194, 0.106, 0.015, 0.022, toe),
        ],
        _DARK,
    )
    return [leg, shoe]


def _list_finger_surface(
    name: str,
    start: Point,
    direction: Point,
    sizes: tuple[float, ...],
    thickness: tuple[float, float],
) -> SkinSurface:
    """One finger of the left hand, from inside the palm to its tip."""
    rings = [Ring(go_along(start, direction, -0.016), *thickness, {"hand.L": 1.0})]
    along = 0.0
    previous = "hand.L"
    for number, size in enumerate(sizes, start=1):
        bone = f"{name}_{number}.L"
        rings.append(
            Ring(go_along(start, direction, along), *thickness, {previous: 0.5, bone: 0.5})
        )
        rings.append(Ring(go_along(start, direction, along + 0.6 * size), *thickness, {bone: 1.0}))
        along, previous = along + size, bone
    return make_tube(rings, _SKIN, around=8, reference=(0.0, 1.0, 0.0))


def _list_arm_surfaces() -> list[SkinSurface]:
    """Sleeve, forearm and hand of the left side."""
    upper = (_ELBOW[0] - _ARM[0], _ELBOW[1] - _ARM[1], _ELBOW[2] - _ARM[2])
    fore = (_WRIST[0] - _ELBOW[0], _WRIST[1] - _ELBOW[1], _WRIST[2] - _ELBOW[2])
    side = (0.0, 1.0, 0.0)
    sleeve = make_tube(
        [
            Ring((0.115, 0.012, 1.402), 0.06, 0.05, {"chest": 0.5, "shoulder.L": 0.5}),
            Ring((0.15, 0.014, 1.398), 0.06, 0.052, {"shoulder.L": 0.8, "upper_arm.L": 0.2}),
            Ring(
                go_along(_ARM, upper, 0.005),
                0.057,
                0.051,
                {"shoulder.L": 0.45, "upper_arm.L": 0.55},
            ),
            Ring(
                go_along(_ARM, upper, 0.035), 0.054, 0.05, {"shoulder.L": 0.15, "upper_arm.L": 0.85}
            ),
            Ring(go_along(_ARM, upper, 0.07), 0.052, 0.05, {"upper_arm.L": 1.0}),
            Ring(go_along(_ARM, upper, 0.13), 0.05, 0.049, {"upper_arm.L": 1.0}),
            Ring(go_along(_ARM, upper, 0.175), 0.05, 0.05, {"upper_arm.L": 1.0}),
        ],
        _SHIRT,
        reference=side,
    )
    forearm = make_tube(
        [
            Ring(go_along(_ARM, upper, 0.12), 0.04, 0.04, {"upper_arm.L": 1.0}),
            Ring(go_along(_ARM, upper, 0.2), 0.04, 0.039, {"upper_arm.L": 1.0}),
            Ring(
                go_along(_ARM, upper, 0.25), 0.038, 0.037, {"upper_arm.L": 0.85, "forearm.L": 0.15}
            ),
            Ring(_ELBOW, 0.037, 0.036, {"upper_arm.L": 0.5, "forearm.L": 0.5}),
            Ring(
                go_along(_ELBOW, fore, 0.03), 0.038, 0.037, {"upper_arm.L": 0.15, "forearm.L": 0.85}
            ),
            Ring(go_along(_ELBOW, fore, 0.08), 0.038, 0.036, {"forearm.L": 1.0}),
            Ring(go_along(_ELBOW, fore, 0.16), 0.032, 0.029, {"forearm.L": 1.0}),
            Ring(go_along(_ELBOW, fore, 0.23), 0.027, 0.023, {"forearm.L": 0.8, "hand.L": 0.2}),
            Ring(_WRIST, 0.028, 0.022, {"forearm.L": 0.4, "hand.L": 0.6}),
            Ring(go_along(_WRIST, fore, 0.03), 0.036, 0.022, {"hand.L": 1.0}),
            Ring(go_along(_WRIST, fore, 0.065), 0.041, 0.02, {"hand.L": 1.0}),
            Ring(go_along(_WRIST, fore, 0.085), 0.04, 0.017, {"hand.L": 1.0}),
        ],
        _SKIN,
        reference=side,
    )
    return [
        sleeve,
        forearm,
        _list_finger_surface("thumb", _THUMB, _THUMBING, (0.034, 0.03), (0.013, 0.012)),
        _list_finger_surface("index", _INDEX, _POINTING, (0.036, 0.026, 0.02), (0.011, 0.011)),
        _list_finger_surface(
            "fingers", _FINGERS, _POINTING, (0.038, 0.028, 0.022), (0.026, 0.0125)
        ),
    ]


def _list_middle_surfaces() -> list[SkinSurface]:
    """Pelvis, torso, neck, head, hair."""
    pelvis = make_tube(
        [
            Ring((0.0, 0.014, 0.89), 0.1, 0.085, {"hips": 1.0}),
            Ring((0.0, 0.016, 0.93), 0.152, 0.108, {"hips": 1.0}),
            Ring((0.0, 0.013, 0.98), 0.158, 0.109, {"hips": 1.0}),
            Ring((0.0, 0.01, 1.03), 0.146, 0.101, {"hips": 0.6, "spine": 0.4}),
            Ring((0.0, 0.008, 1.06), 0.138, 0.095, {"hips": 0.3, "spine": 0.7}),
        ],
        _TROUSERS,
        squareness=2.3,
        around=24,
        upright=True,
    )
    torso = make_tube(
        [
            Ring((0.0, 0.01, 1.04), 0.15, 0.105, {"hips": 0.5, "spine": 0.5}),
            Ring((0.0, 0.007, 1.09), 0.141, 0.1, {"hips": 0.1, "spine": 0.8, "waist": 0.1}),
            Ring((0.0, 0.004, 1.15), 0.14, 0.099, {"spine": 0.45, "waist": 0.55}),
            Ring((0.0, 0.002, 1.21), 0.149, 0.105, {"waist": 0.8, "chest": 0.2}),
            Ring((0.0, 0.0, 1.28), 0.164, 0.114, {"waist": 0.3, "chest": 0.7}),
            Ring((0.0, 0.0, 1.345), 0.172, 0.117, {"chest": 1.0}),
            Ring((0.0, 0.006, 1.4), 0.165, 0.107, {"chest": 1.0}),
            Ring((0.0, 0.012, 1.44), 0.138, 0.088, {"chest": 1.0}),
            Ring((0.0, 0.016, 1.468), 0.093, 0.066, {"chest": 1.0}),
            Ring((0.0, 0.016, 1.482), 0.06, 0.052, {"chest": 0.8, "neck": 0.2}),
        ],
        _SHIRT,
        squareness=2.3,
        around=24,
        upright=True,
    )
    neck = make_tube(
        [
            Ring((0.0, 0.018, 1.45), 0.052, 0.052, {"chest": 0.7, "neck": 0.3}),
            Ring((0.0, 0.012, 1.5), 0.049, 0.051, {"neck": 1.0}),
            Ring((0.0, 0.006, 1.55), 0.048, 0.052, {"neck": 0.4, "head": 0.6}),
        ],
        _SKIN,
    )
    on_head = {"head": 1.0}
    head = make_tube(
        [
            Ring((0.0, -0.02, 1.532), 0.042, 0.052, on_head),
            Ring((0.0, -0.014, 1.552), 0.062, 0.077, on_head),
            Ring((0.0, -0.008, 1.585), 0.076, 0.093, on_head),
            Ring((0.0, -0.004, 1.63), 0.084, 0.102, on_head),
            Ring((0.0, 0.0, 1.675), 0.083, 0.102, on_head),
            Ring((0.0, 0.004, 1.71), 0.066, 0.084, on_head),
        ],
        _SKIN,
        around=24,
        upright=True,
        bulge=0.4,
    )
    hair = make_tube(
        [
            Ring((0.0, 0.066, 1.572), 0.056, 0.034, on_head),
            Ring((0.0, 0.052, 1.6), 0.08, 0.06, on_head),
            Ring((0.0, 0.04, 1.635), 0.089, 0.077, on_head),
            Ring((0.0, 0.024, 1.668), 0.091, 0.092, on_head),
            Ring((0.0, 0.008, 1.692), 0.089, 0.105, on_head),
            Ring((0.0, 0.002, 1.71), 0.083, 0.103, on_head),
            Ring((0.0, 0.004, 1.73), 0.066, 0.084, on_head),
        ],
        _DARK,
        around=24,
        upright=True,
        bulge=0.32,
    )
    nose = make_tube(
        [
            Ring((0.0, -0.098, 1.63), 0.008, 0.012, on_head),
            Ring((0.0, -0.107, 1.605), 0.014, 0.016, on_head),
        ],
        _SKIN,
        around=8,
    )
    return [pelvis, torso, neck, head, hair, nose]


def make_biped_shape() -> CharacterShape:
    """The person as data."""
    eye = make_tube(
        [
            Ring((0.034, -0.096, 1.632), 0.009, 0.006, {"eye.L": 1.0}),
            Ring((0.034, -0.096, 1.642), 0.009, 0.006, {"eye.L": 1.0}),
        ],
        _DARK,
        around=8,
    )
    left = [*_list_leg_surfaces(), *_list_arm_surfaces(), eye]
    leg = LegShape(
        name="Left",
        side="L",
        joints=("thigh.L", "shin.L", "foot.L"),
        toe="toe.L",
        heel=(0.099, 0.083, 0.0),
        ball=(0.104, _TOE_JOINT[1], 0.0),
        toe_tip=(0.106, -0.194, 0.0),
        sole_width=0.1,
    )
    arm = ArmShape("L", "shoulder.L", "upper_arm.L", "forearm.L", "hand.L")
    return CharacterShape(
        name="Walker",
        bones=_list_bones(),
        surfaces=(*_list_middle_surfaces(), *left, *(mirror_surface(s) for s in left)),
        colours=_COLOURS,
        legs=(leg, mirror_leg(leg, "Right")),
        body="hips",
        spine=("spine", "waist", "chest"),
        neck=("neck",),
        head="head",
        arms=(arm, mirror_arm(arm)),
    )
