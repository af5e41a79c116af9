# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From chains to a rig: order, names, sides, soles, hinges, the bone to move."""

from __future__ import annotations

import numpy as np

from ....errors import RigError
from ....notes import Note, NoteKind, make_note
from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from ..skeleton import Skeleton
from ..structure import Leg, Rig, SolePoint
from .attachment import Attachment
from .body import Body, PosedClip
from .chains import LegChain, measure_length
from .direction import Facing
from .girths import measure_belly, measure_girths, measure_underside
from .limits import GROUND, LEG_RECORDS, RIG_GROUND, TINY
from .names import split_side
from .outlines import find_hull
from .readings import ClipReading
from .soles import Sole, SolePose, find_soles
from .trunk import find_body_bone

_PAIR_NAMES = {1: ("",), 2: ("Front", "Back")}
_SIDE_NAMES = {"L": "Left", "R": "Right", "": "Middle"}
_LONE_NAME = "Leg"


def assemble_rig(
    skeleton: Skeleton,
    body: Body,
    attachment: Attachment,
    reading: ClipReading,
    facing: Facing,
    body_bone: int | None = None,
) -> Rig:
    """Everything that the rest of the program wants to know of the legs that were read.

    Parameters
    ----------
    skeleton
        The bones in the order of ``body``.
    body, attachment
        The prepared evidence and its re-attached tree.
    reading
        The chosen clip with its legs.
    facing
        Where the character faces in it.
    body_bone
        The bone to move, or None to find it.

    Raises
    ------
    RigError
        Where the hips have no bone in common.
    """
    chains = _order_chains(body, reading, facing)
    sides = [side for _, side in chains]
    legs = [chain for chain, _ in chains]
    if body_bone is None:
        body_bone = find_body_bone(body, attachment, [chain.joints for chain in legs])
    if body_bone is None:
        names = ", ".join(body.names[chain.joints[0]] for chain in legs)
        raise RigError(f"the hip bones {names} have no common parent; add a bone that carries them")
    soles = find_soles(body, attachment, legs, gather_sole_poses(body, reading, facing))
    leg_names = _name_legs(legs, sides)
    tips = [chain.tip for chain in legs]
    made: list[Leg] = []
    for index, (chain, sole) in enumerate(zip(legs, soles, strict=True)):
        heel, ball, toe_tip = _bind_sole(chain, sole)
        made.append(
            Leg(
                name=leg_names[index],
                side=sides[index],
                joints=chain.joints,
                toe=chain.toe,
                heel=heel,
                ball=ball,
                toe_tip=toe_tip,
                sole_width=sole.width,
                length=measure_length(reading.clip if chain.detached else body.rest, chain.joints),
                hinge=_find_hinge(body, reading.clip, chain, facing.forward),
                partner=tips.index(chain.other) if chain.other in tips else None,
                detached=chain.detached,
                doubts=_doubt_leg(attachment, chain, sole),
                girths=measure_girths(body, attachment, chain),
                hull=find_hull(body, attachment, chain, sole, reading.clip, sides[index]),
            )
        )
    lengths = np.array([sole.tip - sole.heel for sole in soles])
    return Rig(
        skeleton=skeleton,
        legs=tuple(made),
        forward=facing.own_forward / np.linalg.norm(facing.own_forward),
        body=body_bone,
        ground_height=_find_ground(body, reading, tuple(made)),
        foot_lengths=lengths,
        ball_shares=np.array([sole.ball - sole.heel for sole in soles]) / lengths,
        belly=measure_belly(body, attachment, legs, facing.rest_forward),
        underside=measure_underside(body, attachment, legs, reading.clip, facing.forward),
    )


def gather_sole_poses(body: Body, reading: ClipReading, facing: Facing) -> list[SolePose]:
    """The chosen clip, other well named clips and last the rest pose, as places to see soles."""
    poses = [] if reading.clip.is_rest else [SolePose(reading.clip, reading.ground, facing.forward)]
    for clip in body.clips:
        if clip.rank >= 0 and clip is not reading.clip:
            poses.append(SolePose(clip, _measure_ground(reading, clip), facing.forward))
    return [*poses, SolePose(body.rest, _measure_ground(reading, body.rest), facing.rest_forward)]


def _measure_ground(reading: ClipReading, clip: PosedClip) -> float:
    """Usual height of the legs' lowest point in a clip, metres."""
    bones = [bone for chain in reading.chains for bone in (*chain.bones, chain.tip)]
    lows = np.minimum(clip.lows[:, bones], clip.heads[:, bones, 2])
    return float(np.percentile(lows.min(axis=1), GROUND.percentile))


def _order_chains(body: Body, reading: ClipReading, facing: Facing) -> list[tuple[LegChain, str]]:
    """Chains with their sides: front pairs first, left before right, single legs last."""
    heads = reading.clip.heads
    left = np.array([-facing.forward[1], facing.forward[0]])
    by_tip = {chain.tip: chain for chain in reading.chains}
    ranked: list[tuple[float, list[tuple[LegChain, str]]]] = []
    for chain in reading.chains:
        partner = by_tip.get(chain.other)
        ahead = float(_find_place(heads, chain) @ facing.forward)
        if partner is None:
            ranked.append((ahead, [(chain, "")]))
        elif chain.tip < partner.tip:
            ahead = 0.5 * (ahead + float(_find_place(heads, partner) @ facing.forward))
            apart = float((_find_place(heads, chain) - _find_place(heads, partner)) @ left)
            first_is_left = apart > 0
            if abs(apart) < LEG_RECORDS.sides_clear * chain.length:
                first_is_left = split_side(body.names[chain.joints[0]])[0] != "R"
            both = [chain, partner] if first_is_left else [partner, chain]
            ranked.append((ahead, [(both[0], "L"), (both[1], "R")]))
    ranked.sort(key=lambda item: (len(item[1]) == 1, -item[0]))
    return [leg for _, group in ranked for leg in group]


def _find_place(heads: FloatArray, chain: LegChain) -> FloatArray:
    """Mean horizontal place of a leg's hip and ankle, shape (2,)."""
    ends = [chain.joints[0], chain.joints[-1]]
    return np.asarray(heads[:, ends, :2].mean(axis=(0, 1)))


def _name_legs(chains: list[LegChain], sides: list[str]) -> list[str]:
    """Left and Right, with Front and Back for four legs, numbered from the front for more; Middle."""
    if sides == [""]:
        return [_LONE_NAME]
    pair_count = sides.count("L")
    names: list[str] = []
    for index, side in enumerate(sides):
        word = _SIDE_NAMES[side]
        if side == "":
            number = index - 2 * pair_count + 1
            names.append(word if len(chains) - 2 * pair_count == 1 else f"{word} {number}")
        elif pair_count in _PAIR_NAMES:
            names.append(f"{_PAIR_NAMES[pair_count][index // 2]} {word}".strip())
        else:
            names.append(f"{word} {index // 2 + 1}")
    return names


def _bind_sole(chain: LegChain, sole: Sole) -> tuple[SolePoint, SolePoint, SolePoint]:
    """Heel on the ankle bone, ball and toe tip on the toe bone (the ankle's if there is none).

    The ankle's bone swings all through the stance of feet that stand on their toes, and no part of
    the sole hangs from it.
    """
    ankle = chain.joints[-1]
    front = ankle if chain.toe is None else chain.toe
    points: list[SolePoint] = []
    rear = front if sole.on_toes else ankle
    for bone, along in ((rear, sole.heel), (front, sole.ball), (front, sole.tip)):
        axes = sole.axes[bone] / max(float(np.linalg.norm(sole.axes[bone, :, 0])), TINY)
        away = sole.compute_point(ankle, along) - sole.heads[bone]
        points.append(SolePoint(bone, axes.T @ away))
    return points[0], points[1], points[2]


def _find_hinge(body: Body, clip: PosedClip, chain: LegChain, forward: FloatArray) -> FloatArray:
    """Mean direction of thigh x shin in the hip bone's axes, shape (3,).

    A leg that is always straight gets the hinge of a knee that bends forward.
    """
    hip = chain.joints[0]
    left = np.array([-forward[1], forward[0], 0.0])
    for pose in (clip, body.rest):
        unit = pose.axes[:, hip] / np.maximum(pose.scales[:, hip], TINY)[:, None, None]
        if len(chain.joints) < 3:
            break
        thigh = rot.normalize(pose.heads[:, chain.joints[1]] - pose.heads[:, hip])
        shin = rot.normalize(pose.heads[:, chain.joints[2]] - pose.heads[:, chain.joints[1]])
        normal = rot.cross(thigh, shin)
        bent = rot.lengths(normal) > LEG_RECORDS.straight
        if bent.any():
            local = np.einsum("fji,fj->fi", unit[bent], normal[bent]).mean(axis=0)
            if np.linalg.norm(local) > LEG_RECORDS.unsteady_hinge:
                return rot.normalize(local)
    unit = clip.axes[0, hip] / max(float(clip.scales[0, hip]), TINY)
    along = rot.normalize(clip.heads[0, chain.joints[1]] - clip.heads[0, hip])
    across = left - (left @ along) * along
    if np.linalg.norm(across) < LEG_RECORDS.straight:
        across = np.array([*forward, 0.0])
        across = across - (across @ along) * along
    return rot.normalize(unit.T @ across)


def _doubt_leg(attachment: Attachment, chain: LegChain, sole: Sole) -> tuple[Note, ...]:
    """Doubts that concern one leg.

    A weighted foot that stays at its shin in the clips, or that an IK constraint aims at, is none.
    """
    kinds: list[NoteKind] = []
    if chain.foot == "tip":
        kinds.append(NoteKind.FOOT_BONE_MISSING)
    elif chain.foot == "helper":
        kinds.append(NoteKind.ANKLE_WITHOUT_WEIGHTS)
    if chain.detached and not attachment.is_sure_link(chain.joints[-1]):
        kinds.append(NoteKind.FOOT_DETACHED)
    if sole.guessed:
        kinds.append(NoteKind.SOLE_GUESSED)
    return tuple(make_note(kind) for kind in kinds)


def _find_ground(body: Body, reading: ClipReading, legs: tuple[Leg, ...]) -> float:
    """Height of the ground under the rest pose, or under the clip where the rest does not stand."""
    length = float(np.mean([leg.length for leg in legs]))
    heights: list[float] = []
    upright: list[bool] = []
    for leg in legs:
        points = [body.heads[s.bone] + body.rest.axes[0, s.bone] @ s.offset for s in leg.soles]
        heights.append(min(float(point[2]) for point in points))
        rise = body.heads[leg.joints[0], 2] - body.heads[leg.ankle, 2]
        upright.append(bool(rise > RIG_GROUND.upright * leg.length))
    if all(upright) and np.ptp(heights) < RIG_GROUND.level * length:
        ground = float(np.median(heights))
        return 0.0 if abs(ground) < RIG_GROUND.at_origin * length else ground
    return 0.0 if abs(reading.ground) < RIG_GROUND.clip_at_origin * length else reading.ground
