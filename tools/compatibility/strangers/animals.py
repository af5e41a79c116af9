# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Animals and machines, and what does not walk (numpy only)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from .bodies import Limb, Part, Stranger, chain_bones, lay_flat, mirror_place, name_side


def list_animals() -> Iterator[Stranger]:
    """All of them."""
    yield _make_bird()
    beats = {"Wing1.L": 0.0, "Wing1.R": 0.5}
    yield replace(_make_bird(), name="flies", limbs=(), swings=beats, clip="Fly", period=0.5)
    yield _make_robot()
    yield _make_spider()
    yield _make_crab()
    yield _make_lizard()
    yield from _list_four_legged()
    yield _make_dinosaur()
    yield from _list_others()


def _make_bird() -> Stranger:
    parts = chain_bones(
        "", ("Root", "Body"), ((0.0, 0.0, 0.0), (0.0, 0.1, 0.55), (0.0, -0.2, 0.7)), (0.0, 0.14)
    )
    parts[1] = replace(parts[1], head=(0.0, 0.15, 0.55))
    parts += chain_bones(
        "Body",
        ("Neck1", "Neck2", "Head"),
        ((0.0, -0.2, 0.7), (0.0, -0.25, 0.85), (0.0, -0.27, 1.0), (0.0, -0.4, 1.0)),
        (0.05, 0.05, 0.06),
    )
    parts += chain_bones(
        "Body",
        ("Tail1", "Tail2"),
        ((0.0, 0.2, 0.55), (0.0, 0.4, 0.45), (0.0, 0.6, 0.35)),
        (0.06, 0.05),
    )
    limbs = []
    for side, phase in (("L", 0.0), ("R", 0.5)):
        places = ((0.09, 0.0, 0.5), (0.1, -0.13, 0.38), (0.1, 0.06, 0.2), (0.1, -0.02, 0.02))
        names = ("Leg1.{S}", "Leg2.{S}", "Leg3.{S}")
        parts += chain_bones("Body", names, places, (0.06, 0.035, 0.02), side)
        above = name_side(names[-1], side)
        limbs.append(Limb((*(name_side(n, side) for n in names), f"Toe0.{side}"), phase))
        for number, (dx, dy) in enumerate(((0.0, -0.12), (-0.06, -0.1), (0.06, -0.1), (0.0, 0.07))):
            x, y, z = places[-1]
            toes = chain_bones(
                above, [f"Toe{number}.{{S}}"], (places[-1], (x + dx, y + dy, z)), [0.012], side
            )
            parts += map(lay_flat, toes)
        wing = ((0.1, -0.1, 0.68), (0.2, 0.1, 0.62), (0.18, 0.4, 0.5))
        parts += chain_bones("Body", ("Wing1.{S}", "Wing2.{S}"), wing, (0.03, 0.02), side)
    return Stranger(
        "bird", tuple(parts), tuple(limbs), "Body", clip="Bird_Walk", speed=0.5, period=0.75
    )


def _make_robot() -> Stranger:
    """Knees to the back, parts of metal that hang on bones."""
    parts = chain_bones(
        "",
        ("Base", "Chassis", "Turret"),
        ((0.0, 0.0, 0.0), (0.0, 0.0, 2.2), (0.0, 0.0, 2.6), (0.0, -0.6, 2.6)),
        (0.0, 0.5, 0.3),
    )
    limbs = []
    for side, phase in (("L", 0.0), ("R", 0.5)):
        places = ((0.7, 0.0, 2.1), (0.75, 0.7, 1.25), (0.75, -0.1, 0.2), (0.75, -0.5, 0.1))
        names = ("Leg_Upper_{S}", "Leg_Lower_{S}", "Foot_{S}")
        legs = chain_bones("Chassis", names, places, (0.15, 0.12, 0.2), side)
        legs[2] = lay_flat(legs[2])
        parts += legs
        limbs.append(Limb(tuple(part.name for part in legs), phase))
        gun = ((0.8, -0.1, 2.6), (0.9, -0.5, 2.5), (0.9, -1.1, 2.5))
        parts += chain_bones("Turret", ("Gun_{S}", "Barrel_{S}"), gun, (0.12, 0.08), side)
    return Stranger(
        "robot", tuple(parts), tuple(limbs), "Chassis", speed=1.6, period=1.25, is_rigid=True
    )


def _make_spider() -> Stranger:
    parts = chain_bones(
        "",
        ("root", "cephalothorax", "abdomen"),
        ((0.0, 0.0, 0.0), (0.0, 0.0, 0.35), (0.0, 0.3, 0.38), (0.0, 0.8, 0.4)),
        (0.0, 0.15, 0.25),
    )
    limbs = []
    for side in "LR":
        for row in range(4):
            angle = np.radians((-55.0, -18.0, 20.0, 58.0)[row])
            ways = ((0.12, 0.35), (0.25, 0.36), (0.55, 0.62), (0.85, 0.3), (1.0, 0.0))
            places = [(float(r * np.cos(angle)), float(r * np.sin(angle)), z) for r, z in ways]
            names = [f"leg{row + 1}_{part}_{{s}}" for part in ("coxa", "femur", "tibia", "tarsus")]
            legs = chain_bones("cephalothorax", names, places, (0.03, 0.03, 0.025, 0.015), side)
            tip = legs[-1].tail
            legs.append(
                Part(
                    f"leg{row + 1}_tip_{side.lower()}",
                    legs[-1].name,
                    tip,
                    (tip[0], tip[1] - 0.05, tip[2]),
                    0.012,
                    sole=True,
                )
            )
            parts += legs
            limbs.append(
                Limb(tuple(p.name for p in legs), 0.5 * ((row + (side == "R")) % 2), girdles=1)
            )
        palp = ((0.05, -0.12, 0.32), (0.08, -0.25, 0.3), (0.07, -0.35, 0.2))
        parts += chain_bones("cephalothorax", ("palp1_{s}", "palp2_{s}"), palp, (0.02, 0.015), side)
    return Stranger("spider8", tuple(parts), tuple(limbs), "cephalothorax", speed=0.6, period=0.75)


_FRONT = (
    (0.16, -0.55, 0.95),
    (0.16, -0.42, 0.6),
    (0.16, -0.48, 0.3),
    (0.16, -0.48, 0.07),
    (0.16, -0.56, 0.02),
)
_HIND = (
    (0.16, 0.5, 1.0),
    (0.16, 0.4, 0.68),
    (0.16, 0.64, 0.42),
    (0.16, 0.56, 0.07),
    (0.16, 0.48, 0.02),
)


def _make_quadruped(front: Sequence[str], hind: Sequence[str]) -> Stranger:
    """A horse's trunk and legs, without head."""
    parts = chain_bones(
        "",
        ("Root", "Pelvis", "Spine", "Chest"),
        ((0.0, 0.0, 0.0), (0.0, 0.5, 1.05), (0.0, 0.2, 1.05), (0.0, -0.2, 1.05), (0.0, -0.6, 1.05)),
        (0.0, 0.2, 0.2, 0.2),
    )
    limbs = []
    for above, names, places, late in (
        ("Chest", front, _FRONT, 0.25),
        ("Pelvis", hind, _HIND, 0.0),
    ):
        for side, phase in (("L", 0.0), ("R", 0.5)):
            legs = chain_bones(above, names, places, (0.07, 0.05, 0.04, 0.05), side)
            legs[3] = lay_flat(legs[3])
            parts += legs
            limbs.append(Limb(tuple(p.name for p in legs), (phase + late) % 1.0))
    tail = ((0.0, 0.6, 1.05), (0.0, 0.75, 0.8), (0.0, 0.8, 0.45))
    parts += chain_bones("Pelvis", ("Tail1", "Tail2"), tail, (0.04, 0.03))
    return Stranger("", tuple(parts), tuple(limbs), "Pelvis", speed=1.3, duty=0.65)


def _list_four_legged() -> Iterator[Stranger]:
    front = ("FL_Shoulder_{S}", "FL_Elbow_{S}", "FL_Knee_{S}", "FL_Hoof_{S}")
    hind = ("HL_Hip_{S}", "HL_Stifle_{S}", "HL_Hock_{S}", "HL_Hoof_{S}")
    horse = _make_quadruped(front, hind)
    skull = ((0.0, -0.6, 1.1), (0.0, -0.85, 1.5), (0.0, -1.15, 1.4))
    head = chain_bones("Chest", ("Neck", "Head"), skull, (0.08, 0.08))
    yield replace(horse, name="horse4", parts=(*horse.parts, *head), clip="walk_loop")
    torso = chain_bones(
        "Chest",
        ("Torso", "TorsoUp", "Head"),
        ((0.0, -0.65, 1.1), (0.0, -0.68, 1.4), (0.0, -0.68, 1.75), (0.0, -0.68, 2.05)),
        (0.13, 0.13, 0.1),
    )
    for side in "LR":
        arm = ((0.18, -0.68, 1.7), (0.25, -0.68, 1.4), (0.28, -0.75, 1.15), (0.28, -0.8, 1.05))
        torso += chain_bones(
            "TorsoUp", ("Arm_{S}", "ForeArm_{S}", "Hand_{S}"), arm, (0.05, 0.04, 0.04), side
        )
    yield replace(
        horse,
        name="centaur",
        parts=(*horse.parts, *torso),
        clip="Centaur_Walk",
        swings={"Arm_L": 0.0, "Arm_R": 0.5},
    )
    yield _make_rider(replace(horse, parts=(*horse.parts, *head)))
    ape_front = ((0.22, -0.35, 0.95), (0.24, -0.28, 0.5), (0.24, -0.38, 0.1), (0.24, -0.46, 0.03))
    parts = chain_bones(
        "",
        ("Hips", "Spine", "Chest"),
        ((0.0, 0.3, 0.62), (0.0, 0.1, 0.75), (0.0, -0.2, 0.95), (0.0, -0.4, 1.05)),
        (0.17, 0.18, 0.2),
    )
    parts += chain_bones("Chest", ("Head",), ((0.0, -0.4, 1.05), (0.0, -0.6, 1.1)), (0.12,))
    limbs = []
    ape_hind = ((0.14, 0.3, 0.58), (0.17, 0.2, 0.33), (0.17, 0.32, 0.08), (0.17, 0.16, 0.02))
    for above, names, places, late in (
        ("Chest", ("UpperArm_{S}", "Forearm_{S}", "Hand_{S}"), ape_front, 0.25),
        ("Hips", ("Thigh_{S}", "Shin_{S}", "Foot_{S}"), ape_hind, 0.0),
    ):
        for side, phase in (("L", 0.0), ("R", 0.5)):
            legs = chain_bones(above, names, places, (0.07, 0.06, 0.05), side)
            legs[2] = lay_flat(legs[2])
            parts += legs
            limbs.append(Limb(tuple(p.name for p in legs), phase + late))
    yield Stranger("ape", tuple(parts), tuple(limbs), "Hips", clip="Knuckle_Walk", speed=0.8)


def _make_rider(horse: Stranger) -> Stranger:
    """A horse with a rider on the same bones, whose legs hang."""
    parts = chain_bones(
        "Spine",
        ("RiderHips", "RiderSpine", "RiderHead"),
        ((0.0, 0.1, 1.3), (0.0, 0.1, 1.5), (0.0, 0.1, 1.9), (0.0, 0.1, 2.1)),
        (0.13, 0.13, 0.1),
    )
    for side in "LR":
        leg = ((0.12, 0.1, 1.28), (0.28, -0.25, 1.15), (0.3, -0.1, 0.75), (0.3, -0.25, 0.72))
        parts += chain_bones(
            "RiderHips",
            ("RiderThigh_{S}", "RiderShin_{S}", "RiderFoot_{S}"),
            leg,
            (0.06, 0.05, 0.04),
            side,
        )
    return replace(horse, name="rider", parts=(*horse.parts, *parts))


def _make_lizard() -> Stranger:
    """Legs that sprawl, and a tail that lies on the ground."""
    parts = chain_bones(
        "",
        ("Root", "Hips", "Spine", "Chest"),
        ((0.0, 0.0, 0.0), (0.0, 0.3, 0.16), (0.0, 0.1, 0.16), (0.0, -0.1, 0.16), (0.0, -0.3, 0.16)),
        (0.0, 0.09, 0.09, 0.09),
    )
    parts += chain_bones(
        "Chest",
        ("Neck", "Head"),
        ((0.0, -0.3, 0.16), (0.0, -0.4, 0.18), (0.0, -0.6, 0.16)),
        (0.07, 0.07),
    )
    parts += chain_bones(
        "Hips",
        [f"Tail{n}" for n in range(5)],
        [(0.0, 0.35 + 0.2 * n, z) for n, z in enumerate((0.14, 0.08, 0.03, 0.02, 0.02, 0.02))],
        (0.06, 0.05, 0.03, 0.02, 0.015),
    )
    limbs = []
    for above, word, y, late in (("Chest", "F", -0.28, 0.25), ("Hips", "H", 0.28, 0.0)):
        for side, phase in (("L", 0.0), ("R", 0.5)):
            places = (
                (0.07, y, 0.15),
                (0.22, y + 0.03, 0.2),
                (0.27, y - 0.01, 0.03),
                (0.28, y - 0.09, 0.02),
            )
            legs = chain_bones(
                above,
                [f"{word}{n}_{{S}}" for n in ("Upper", "Lower", "Paw")],
                places,
                (0.03, 0.025, 0.025),
                side,
            )
            legs[2] = lay_flat(legs[2])
            parts += legs
            limbs.append(Limb(tuple(p.name for p in legs), (phase + 0.5 * late * 2) % 1.0))
    return Stranger("lizard", tuple(parts), tuple(limbs), "Hips", speed=0.3, period=0.8)


def _make_crab() -> Stranger:
    """Ten limbs: eight walk sideways, two are claws."""
    spider = _make_spider()
    parts = [p for p in spider.parts if not p.name.startswith(("palp", "abdomen"))]
    for side in "LR":
        claw = ((0.12, -0.12, 0.33), (0.3, -0.3, 0.3), (0.2, -0.5, 0.22), (0.15, -0.65, 0.2))
        parts += chain_bones(
            "cephalothorax", ("claw1_{s}", "claw2_{s}", "claw3_{s}"), claw, (0.03, 0.04, 0.05), side
        )
    return replace(spider, name="crab", parts=tuple(parts), way=90.0, clip="walk")


def _make_dinosaur() -> Stranger:
    parts = chain_bones(
        "",
        ("root", "hips", "spine", "chest"),
        ((0.0, 0.0, 0.0), (0.0, 0.2, 1.9), (0.0, -0.4, 2.0), (0.0, -0.9, 2.2), (0.0, -1.3, 2.4)),
        (0.0, 0.35, 0.35, 0.3),
    )
    parts += chain_bones(
        "chest",
        ("neck", "head", "jaw"),
        ((0.0, -1.3, 2.4), (0.0, -1.6, 2.8), (0.0, -2.2, 2.8), (0.0, -2.3, 2.6)),
        (0.2, 0.25, 0.1),
    )
    parts += chain_bones(
        "hips",
        [f"tail_{n}" for n in range(1, 7)],
        [(0.0, 0.5 + 0.5 * n, 1.9 - 0.28 * n) for n in range(7)],
        (0.25, 0.2, 0.16, 0.12, 0.08, 0.05),
    )
    limbs = []
    for side, phase in (("L", 0.0), ("R", 0.5)):
        places = (
            (0.35, 0.1, 1.8),
            (0.38, -0.35, 1.15),
            (0.38, 0.3, 0.65),
            (0.38, -0.05, 0.12),
            (0.38, -0.4, 0.05),
        )
        legs = chain_bones(
            "hips",
            ("thigh_{S}", "shin_{S}", "metatarsus_{S}", "toes_{S}"),
            places,
            (0.18, 0.12, 0.08, 0.1),
            side,
        )
        legs[3] = lay_flat(legs[3])
        parts += legs
        limbs.append(Limb(tuple(p.name for p in legs), phase))
        arm = ((0.25, -1.1, 2.0), (0.28, -1.05, 1.8), (0.28, -1.25, 1.7))
        parts += chain_bones("chest", ("arm_{S}", "hand_{S}"), arm, (0.05, 0.04), side)
    return Stranger(
        "dinosaur", tuple(parts), tuple(limbs), "hips", clip="TRex_Walk", speed=2.0, period=1.5
    )


def _list_others() -> Iterator[Stranger]:
    """What does not walk."""
    fish = chain_bones(
        "",
        [f"spine{n}" for n in range(6)],
        [(0.0, -0.6 + 0.2 * n, 0.5) for n in range(7)],
        (0.12, 0.15, 0.13, 0.1, 0.06, 0.04),
    )
    for side in "LR":
        fish += chain_bones(
            "spine1", ("fin_{S}",), ((0.1, -0.4, 0.45), (0.3, -0.3, 0.3)), (0.02,), side
        )
    yield Stranger(
        "fish", tuple(fish), (), "spine0", clip="Swim", swings={"spine3": 0.0, "spine5": 0.3}
    )
    car = [Part("Chassis", "", (0.0, 0.0, 0.5), (0.0, -1.0, 0.5), 0.5)]
    for side in "LR":
        for word, y in (("Front", -1.0), ("Rear", 1.0)):
            car.append(
                Part(
                    f"Wheel{word}_{side}",
                    "Chassis",
                    mirror_place((0.7, y, 0.3), side),
                    mirror_place((0.9, y, 0.3), side),
                    0.3,
                )
            )
    yield Stranger("car", tuple(car), (), "Chassis", clip="Drive", travels="Chassis")
