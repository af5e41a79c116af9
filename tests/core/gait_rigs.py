# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small rigs for made gaits: a person, a three-segment quadruped, a six-legged walker."""

from __future__ import annotations

import numpy as np

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.skeleton import Skeleton, compute_rest_poses
from semi_procedural_locomotion.core.rig.structure import Leg, Rig, SolePoint

FOOT, BALL_SHARE = 0.26, 0.7


def build_skeleton(bones: list[tuple[str, str | None, tuple[float, float, float]]]) -> Skeleton:
    """A skeleton from names, parents and heads in character space, with odd rest rotations."""
    names = tuple(name for name, _, _ in bones)
    parents = np.array([-1 if p is None else names.index(p) for _, p, _ in bones])
    heads = np.array([head for _, _, head in bones])
    axes = rot.normalize(np.cos(np.arange(3 * len(bones)).reshape(-1, 3)))
    world = rot.quaternions_from_axis_angles(axes, 0.4 + np.arange(len(bones)))
    above = np.where((parents >= 0)[:, None], world[parents], rot.IDENTITY)
    origins = np.where((parents >= 0)[:, None], heads[parents], 0.0)
    return Skeleton(
        names=names,
        parents=parents,
        rest_rotations=rot.multiply(rot.conjugate(above), world),
        rest_translations=rot.rotate(rot.conjugate(above), heads - origins),
    )


def build_leg(
    skeleton: Skeleton,
    name: str,
    joints: tuple[str, ...],
    toe: str | None,
    forward: np.ndarray,
    foot: float = FOOT,
) -> Leg:
    """A leg whose heel is a quarter of a foot behind the ankle."""
    rotations, positions = compute_rest_poses(skeleton)
    chain = tuple(skeleton.find_index(j) for j in joints)
    front = chain[-1] if toe is None else skeleton.find_index(toe)
    ankle = positions[chain[-1]] * np.array([1.0, 1.0, 0.0])
    ahead = np.array([*forward, 0.0])
    heel, tip = ankle - 0.25 * foot * ahead, ankle + 0.75 * foot * ahead

    def attach(point, bone):
        return SolePoint(bone, rot.rotate(rot.conjugate(rotations[bone]), point - positions[bone]))

    segments = np.diff(positions[list(chain)], axis=0)
    return Leg(
        name=name,
        side=name[-1],
        joints=chain,
        toe=None if toe is None else front,
        heel=attach(heel, chain[-1]),
        ball=attach(heel + BALL_SHARE * (tip - heel), front),
        toe_tip=attach(tip, front),
        sole_width=0.3 * foot,
        length=float(rot.lengths(segments).sum()),
        hinge=rot.rotate(
            rot.conjugate(rotations[chain[0]]),
            rot.normalize(rot.cross(rot.UP, ahead)),
        ),
    )


def build_rig(skeleton: Skeleton, legs: tuple[Leg, ...], forward: np.ndarray, foot: float) -> Rig:
    """A rig whose body is bone 1."""
    return Rig(
        skeleton=skeleton,
        legs=legs,
        forward=forward,
        body=1,
        ground_height=0.0,
        foot_lengths=np.full(len(legs), foot),
        ball_shares=np.full(len(legs), BALL_SHARE),
    )


def build_biped() -> Rig:
    """A person facing +Y, left at -X."""
    bones: list[tuple[str, str | None, tuple[float, float, float]]] = [
        ("root", None, (0.0, 0.0, 0.0)),
        ("hips", "root", (0.0, 0.0, 0.95)),
        ("spine", "hips", (0.0, 0.0, 1.1)),
        ("chest", "spine", (0.0, 0.0, 1.3)),
        ("neck", "chest", (0.0, 0.0, 1.5)),
        ("head", "neck", (0.0, 0.0, 1.6)),
    ]
    legs = []
    for side, x in (("L", -1.0), ("R", 1.0)):
        bones += [
            (f"collar.{side}", "chest", (0.03 * x, 0.0, 1.45)),
            (f"arm.{side}", f"collar.{side}", (0.2 * x, 0.0, 1.42)),
            (f"fore.{side}", f"arm.{side}", (0.4 * x, 0.0, 1.25)),
            (f"hand.{side}", f"fore.{side}", (0.6 * x, 0.0, 1.1)),
            (f"thigh.{side}", "hips", (0.1 * x, 0.0, 0.9)),
            (f"shin.{side}", f"thigh.{side}", (0.1 * x, 0.02, 0.48)),
            (f"foot.{side}", f"shin.{side}", (0.1 * x, 0.0, 0.08)),
            (f"toe.{side}", f"foot.{side}", (0.1 * x, 0.45 * FOOT, 0.02)),
        ]
    skeleton = build_skeleton(bones)
    forward = np.array([0.0, 1.0])
    legs = [
        build_leg(
            skeleton,
            side,
            (f"thigh.{side}", f"shin.{side}", f"foot.{side}"),
            f"toe.{side}",
            forward,
        )
        for side in ("L", "R")
    ]
    return build_rig(skeleton, tuple(legs), forward, FOOT)


def build_many_legged(pairs: int) -> Rig:
    """A walker of ``pairs`` pairs of legs facing +X, three segments each, front pairs first."""
    bones: list[tuple[str, str | None, tuple[float, float, float]]] = [
        ("root", None, (0.0, 0.0, 0.0)),
        ("body", "root", (0.0, 0.0, 0.6)),
    ]
    names = []
    for pair, x in enumerate(np.linspace(0.4, -0.4, pairs)):
        for side, y in (("L", 1.0), ("R", -1.0)):
            name = f"{pair}.{side}"
            names.append(name)
            bones += [
                (f"a{name}", "body", (float(x), 0.12 * y, 0.6)),
                (f"b{name}", f"a{name}", (float(x) - 0.06, 0.14 * y, 0.4)),
                (f"c{name}", f"b{name}", (float(x) + 0.05, 0.15 * y, 0.2)),
                (f"d{name}", f"c{name}", (float(x), 0.15 * y, 0.05)),
            ]
    skeleton = build_skeleton(bones)
    forward = np.array([1.0, 0.0])
    legs = tuple(
        build_leg(skeleton, n, (f"a{n}", f"b{n}", f"c{n}", f"d{n}"), None, forward, 0.1)
        for n in names
    )
    return build_rig(skeleton, legs, forward, 0.1)
