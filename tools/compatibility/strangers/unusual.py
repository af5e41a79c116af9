# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that look wrong and are right, and clips that look like walks and are none (numpy only)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from .bodies import Limb, Part, Place, Stranger, chain_bones, lay_flat, mirror_place

_HIT = {"pitch": 12.0, "period": 0.35, "speed": 0.0}


def list_unusual() -> Iterator[Stranger]:
    """All of them."""
    for count in (3, 4, 5, 6, 8, 12):
        yield _make_radial(f"radial{count}", count, 0.0)
    yield _make_radial("radial5_back", 5, 36.0)
    yield _make_radial("radial6_aside", 6, 0.0, way=90.0)
    yield from _list_blocks()
    yield from _list_feet()
    yield from _list_loose()
    yield from _list_clips()
    yield from _list_beasts()
    yield from _list_low()


def _make_radial(name: str, count: int, offset: float, way: float = 0.0) -> Stranger:
    """Legs all around, with names without sides."""
    parts = [Part("body", "", (0.0, 0.0, 0.6), (0.0, 0.0, 0.9), 0.25)]
    limbs = []
    for number in range(count):
        angle = np.radians(offset + 360.0 * number / count)
        x, y = float(np.sin(angle)), float(-np.cos(angle))
        places = [(r * x, r * y, z) for r, z in ((0.3, 0.55), (0.65, 0.62), (0.85, 0.0))]
        names = [f"leg_{part}_{number}" for part in ("up", "lo")]
        parts += chain_bones("body", names, places, (0.05, 0.04))
        phase = 0.5 * (number % 2) if count % 2 == 0 else number / count
        limbs.append(Limb(tuple(names), phase, is_footless=True))
    return Stranger(
        name,
        tuple(parts),
        tuple(limbs),
        "body",
        clip="walk",
        speed=0.4,
        way=way,
        duty=0.7,
        lift=0.1,
        is_round=True,
    )


def _make_block_legs(names: Sequence[str], places: Sequence[Place], above: str) -> list[Part]:
    ends = [(x, y, 0.0) for x, y, _ in places]
    return [
        Part(name, above, head, tail, 0.1)
        for name, head, tail in zip(names, places, ends, strict=True)
    ]


def _list_blocks() -> Iterator[Stranger]:
    """Legs of one bone each."""
    four = ((0.15, -0.4, 0.6), (-0.15, -0.4, 0.6), (0.15, 0.4, 0.6), (-0.15, 0.4, 0.6))
    names = ("leg_front_left", "leg_front_right", "leg_back_left", "leg_back_right")
    body = [Part("body", "", (0.0, 0.5, 0.85), (0.0, -0.5, 0.85), 0.24)]
    head = chain_bones(
        "body",
        ("neck", "head"),
        ((0.0, -0.5, 0.9), (0.0, -0.6, 1.4), (0.0, -0.9, 1.4)),
        (0.1, 0.12),
    )
    limbs = tuple(
        Limb((n,), p, is_footless=True) for n, p in zip(names, (0, 0.5, 0.5, 0), strict=True)
    )
    llama = Stranger(
        "llama",
        (*body, *head, *_make_block_legs(names, four, "body")),
        limbs,
        "body",
        clip="animation.llama.walk",
        speed=0.9,
        duty=0.5,
        lift=0.0,
        is_stiff=True,
    )
    yield llama
    low = tuple((x, 0.3 * y, 0.35) for x, y, _ in four)
    trunk = [
        Part("body", "", (0.0, 0.0, 0.35), (0.0, 0.0, 1.1), 0.2),
        Part("head", "body", (0.0, 0.0, 1.1), (0.0, 0.0, 1.5), 0.22),
    ]
    yield replace(
        llama, name="creeper", parts=(*trunk, *_make_block_legs(names, low, "body")), speed=0.5
    )
    tall = [
        Part("body", "", (0.0, 0.0, 1.9), (0.0, 0.0, 2.5), 0.2),
        Part("head", "body", (0.0, 0.0, 2.5), (0.0, 0.0, 2.9), 0.22),
    ]
    for side, word in (("L", "left"), ("R", "right")):
        arm = (mirror_place((0.3, 0.0, 2.4), side), mirror_place((0.3, 0.0, 0.6), side))
        leg = (mirror_place((0.1, 0.0, 1.9), side), mirror_place((0.1, 0.0, 0.0), side))
        tall += [
            Part(f"{word}_arm", "body", *arm, 0.07),
            Part(f"{word}_leg", "body", *leg, 0.07),
        ]
    yield replace(
        llama,
        name="enderman",
        parts=tuple(tall),
        limbs=(
            Limb(("left_leg",), 0.0, is_footless=True),
            Limb(("right_leg",), 0.5, is_footless=True),
        ),
        swings={"left_arm": 0.5, "right_arm": 0.0},
        speed=1.6,
        clip="walk",
    )


_LEG = (
    (0.1, 0.0, 0.9),
    (0.1, -0.03, 0.5),
    (0.1, 0.02, 0.09),
    (0.1, -0.12, 0.02),
    (0.1, -0.18, 0.02),
)


def _make_man(leg: Sequence[Place] = _LEG, arms: bool = True) -> Stranger:
    """A plain person: thighs, shins, feet, toes."""
    parts = chain_bones(
        "",
        ("root", "hips", "chest", "head"),
        ((0.0, 0.0, 0.0), (0.0, 0.0, 0.95), (0.0, 0.0, 1.2), (0.0, 0.0, 1.5), (0.0, 0.0, 1.75)),
        (0.0, 0.13, 0.14, 0.1),
    )
    limbs, swings = [], {}
    for side, phase in (("L", 0.0), ("R", 0.5)):
        legs = chain_bones(
            "hips",
            [f"{n}.{{S}}" for n in ("thigh", "shin", "foot", "toe")],
            leg,
            (0.06, 0.05, 0.05, 0.05),
            side,
        )
        legs[2:4] = map(lay_flat, legs[2:4])
        parts += legs
        limbs.append(Limb(tuple(part.name for part in legs[:3]), phase))
        if arms:
            arm = ((0.2, 0.0, 1.42), (0.24, 0.02, 1.15), (0.25, -0.04, 0.9), (0.25, -0.06, 0.8))
            names = [f"{n}.{{S}}" for n in ("upper_arm", "forearm", "hand")]
            parts += chain_bones("chest", names, arm, (0.045, 0.04, 0.04), side)
            swings[f"upper_arm.{side}"] = phase + 0.5
    return Stranger("man", tuple(parts), tuple(limbs), "hips", swings=swings)


def _reparent(stranger: Stranger, parents: dict[str, str]) -> Stranger:
    """The stranger with other parents of some bones, parents first.

    Its clips are the same as before: who exports a rig without its hierarchy keys all bones where they
    were. (Toes and chests stayed behind once, which no exporter makes.)
    """
    parts = [
        replace(p, parent=parents[p.name], carrier=p.parent) if p.name in parents else p
        for p in stranger.parts
    ]
    placed: list[Part] = []
    while parts:
        known = {"", *(p.name for p in placed)}
        ready = [p for p in parts if {p.parent, p.carrier} <= known]
        placed += ready
        parts = [p for p in parts if p not in ready]
    return replace(stranger, parts=tuple(placed))


def _list_feet() -> Iterator[Stranger]:
    """Feet whose skin, or whose keys, are elsewhere than usual."""
    man = _make_man()
    both = ("L", "R")
    loose = _reparent(man, {f"foot.{s}": "root" for s in both})
    yield replace(
        loose,
        name="foot_on_shin",
        skin={f"{n}.{s}": f"shin.{s}" for n in ("foot", "toe") for s in both},
    )
    extra = [
        Part(
            f"ik_foot.{s}", "root", p.head, (p.head[0], p.head[1] + 0.1, p.head[2]), follows=p.name
        )
        for s in both
        for p in man.parts
        if p.name == f"foot.{s}"
    ]
    yield replace(
        man,
        name="heel_on_target",
        parts=(*man.parts, *extra),
        skin={f"foot.{s}": f"ik_foot.{s}" for s in both},
    )
    yield replace(loose, name="feet_of_ik", has_ik=True)
    yield replace(man, name="toe_on_foot", skin={f"toe.{s}": f"foot.{s}" for s in both})
    yield replace(man, name="foot_on_toe", skin={f"foot.{s}": f"toe.{s}" for s in both})


def _list_loose() -> Iterator[Stranger]:
    """Limbs that hang from no bone of the body."""
    man = _make_man()
    tops = {f"{n}.{s}": "" for n in ("thigh", "upper_arm") for s in "LR"}
    yield replace(_reparent(man, tops), name="root_limbs")
    beside = {p.name: "root" for p in man.parts if p.name != "root"}
    yield replace(_reparent(man, beside), name="side_by_side")
    split = {f"{n}.{s}": "root" for n in ("shin", "foot") for s in "LR"}
    yield replace(_reparent(man, split), name="split_legs")


def _list_clips() -> Iterator[Stranger]:
    """One body and many clips of it."""
    man = _make_man()
    falling = {"hang": 0.5, "speed": 0.7, "period": 1.1}
    yield replace(man, name="falls", more={"Falling": falling, "Run": _RUN}, no_walks=("Falling",))
    sneak = {"speed": 0.6, "period": 1.2, "duty": 0.7}
    yield replace(
        man,
        name="sneaks",
        more={"Sneak": sneak, "Walk_Injured": {"speed": 0.5, "ripple": 0.15}, "Run": _RUN},
    )
    yield replace(
        man,
        name="walk_named_last",
        clip="Z_Walking",
        more={"A_Carry_Box_Walk": {"speed": 0.9}},
        default="Z_Walking",
    )
    yield replace(
        man,
        name="one_backward",
        clip="Walk",
        more={"Run": _RUN, "Walk_Back": {"way": 180.0, "speed": 0.7}},
    )
    yield replace(
        man,
        name="tail_first",
        clip="Trot",
        speed=1.6,
        more={"Run": _RUN, "Walk": {"way": 180.0, "speed": 1.0}},
        default="Trot",
    )
    yield replace(man, name="turned_clip", yaw=-45.0, travels="hips", cycles=3.0)
    yield replace(man, name="turned_far", yaw=95.0, travels="hips", cycles=3.0)
    yield replace(man, name="hit_too", more={"hit": _HIT}, no_walks=("hit",))
    stiff = {"is_stiff": True, "lift": 0.0, "speed": 1.4, "duty": 0.5}
    yield replace(man, name="pendulum", **stiff)  # type: ignore[arg-type]
    yield replace(man, name="run_only", clip="Run", **_RUN)  # type: ignore[arg-type]


_RUN: dict[str, object] = {"speed": 3.0, "period": 0.7, "duty": 0.34}


def _make_beast(name: str, length: float, hip: float) -> Stranger:
    """A quadruped of legs with three bones, and a head that says where it faces."""
    parts = [
        Part("root", "", (0.0, 0.0, 0.0), (0.0, 0.1, 0.0)),
        Part("spine", "root", (0.0, 0.5 * length, hip), (0.0, -0.5 * length, hip), 0.18),
    ]
    parts += chain_bones(
        "spine",
        ("neck", "head"),
        (
            (0.0, -0.5 * length, hip),
            (0.0, -0.7 * length, 1.4 * hip),
            (0.0, -1.0 * length, 1.35 * hip),
        ),
        (0.09, 0.1),
    )
    limbs = []
    for word, y, late in (("f", -0.45, 0.25), ("h", 0.45, 0.0)):
        for side, phase in (("L", 0.0), ("R", 0.5)):
            bow = 0.06 if word == "f" else -0.06
            places = (
                (0.14, y * length, 0.95 * hip),
                (0.14, y * length + bow, 0.5 * hip),
                (0.14, y * length, 0.07),
                (0.14, y * length - 0.1, 0.02),
            )
            legs = chain_bones(
                "spine",
                [f"{n}_{word}{{S}}" for n in ("up", "lo", "foot")],
                places,
                (0.06, 0.05, 0.05),
                side,
            )
            legs[2] = lay_flat(legs[2])
            parts += legs
            limbs.append(Limb(tuple(p.name for p in legs), (phase + late) % 1.0))
    return Stranger(name, tuple(parts), tuple(limbs), "spine", clip="walk", speed=0.9, duty=0.66)


def _list_beasts() -> Iterator[Stranger]:
    beast = _make_beast("beast", 1.0, 0.75)
    trot = {"speed": 2.0, "period": 0.6, "duty": 0.45}
    yield replace(beast, more={"trot": trot, "hit": _HIT}, no_walks=("hit",))
    yield replace(beast, name="boar", clip="hit", **_HIT, is_walker=False)  # type: ignore[arg-type]
    swim = {"hang": 0.4, "speed": 0.6, "duty": 0.5}
    yield replace(beast, name="swims_too", more={"swim": swim}, no_walks=("swim",))
    backward = {"way": 180.0, "speed": 0.9}
    yield replace(
        beast, name="tail_first_beast", clip="run", more={"walk": backward}, **trot, default="run"
    )  # type: ignore[arg-type]
    wings, tail = (
        [],
        chain_bones(
            "spine",
            [f"tail{n}" for n in range(4)],
            [(0.0, 0.5 + 0.25 * n, max(0.75 - 0.25 * n, 0.02)) for n in range(5)],
            (0.08, 0.06, 0.04, 0.03),
        ),
    )
    for side in "LR":
        folded = ((0.15, -0.2, 0.9), (0.4, 0.3, 0.8), (0.45, -0.2, 0.35), (0.45, 0.5, 0.02))
        wings += chain_bones(
            "spine", ("wing1_{S}", "wing2_{S}", "wing3_{S}"), folded, (0.03, 0.02, 0.02), side
        )
    yield replace(beast, name="dragon", parts=(*beast.parts, *tail, *wings))
    man = _make_man()
    cart = [Part("cart", "hips", (0.0, 0.6, 0.5), (0.0, 1.6, 0.5), 0.3)]
    cart += [
        Part(
            f"wheel.{s}",
            "cart",
            mirror_place((0.5, 1.2, 0.3), s),
            mirror_place((0.6, 1.2, 0.3), s),
            0.3,
        )
        for s in "LR"
    ]
    yield replace(man, name="cart", parts=(*man.parts, *cart), swings={})
    sword = [Part("sword", "hand.R", (-0.26, -0.1, 0.8), (-0.4, 0.3, 0.0), 0.02)]
    yield replace(man, name="sword", parts=(*man.parts, *sword), swings={})
    robot = _make_man(arms=False)
    hands = []
    for side in "LR":
        arm = ((0.3, 0.0, 1.4), (0.4, 0.05, 0.8), (0.42, -0.05, 0.2), (0.42, -0.08, 0.1))
        hands += chain_bones(
            "chest", ("arm1.{S}", "arm2.{S}", "hand.{S}"), arm, (0.07, 0.07, 0.06), side
        )
        for number, dx in enumerate((-0.05, 0.05)):
            finger = ((0.42, -0.08, 0.1), (0.42 + dx, -0.1, 0.05), (0.42 + dx, -0.1, 0.0))
            hands += chain_bones(
                f"hand.{side}",
                [f"f{number}a.{{S}}", f"f{number}b.{{S}}"],
                finger,
                (0.02, 0.02),
                side,
            )
    swings = {"arm1.L": 0.5, "arm1.R": 0.0}
    yield replace(robot, name="robot_hands", parts=(*robot.parts, *hands), swings=swings)


def _list_low() -> Iterator[Stranger]:
    """Sprawling bodies whose hips are hardly above their feet, with fangs."""
    for height in (0.09, 0.2, 0.35):
        parts = chain_bones(
            "",
            ("root", "body", "head"),
            ((0.0, 0.0, 0.0), (0.0, 0.2, height), (0.0, -0.2, height), (0.0, -0.4, height)),
            (0.0, 0.07, 0.05),
        )
        limbs = []
        for side in "LR":
            for row, (y, end) in enumerate(((-0.2, -0.9), (-0.1, -0.35), (0.0, 0.3), (0.1, 0.9))):
                places = ((0.15, y, height), (0.55, 0.5 * (y + end), height + 0.5), (1.0, end, 0.0))
                legs = chain_bones(
                    "body", [f"leg{row}a_{{s}}", f"leg{row}b_{{s}}"], places, (0.03, 0.02), side
                )
                parts += legs
                limbs.append(
                    Limb(
                        tuple(p.name for p in legs),
                        0.5 * ((row + (side == "R")) % 2),
                        is_footless=True,
                    )
                )
            fang = (
                (0.06, -0.38, height),
                (0.05, -0.46, height - 0.03),
                (0.02, -0.54, height - 0.05),
            )
            parts += chain_bones("head", ("fang1_{s}", "fang2_{s}"), fang, (0.012, 0.01), side)
        yield Stranger(
            f"low_spider_{height:g}",
            tuple(parts),
            tuple(limbs),
            "body",
            clip="walk",
            speed=0.4,
            lift=0.08,
        )
