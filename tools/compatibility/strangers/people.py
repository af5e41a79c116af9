# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""People with the names and helpers of other programs, and with clips as many are (numpy only)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from .bodies import Limb, Part, Place, Stranger, chain_bones, lay_flat, mirror_place, name_side


def list_people() -> Iterator[Stranger]:
    """All of them."""
    mixamo = _make_person(_MIXAMO, "mixamorig:Hips", fingers=True)
    yield replace(mixamo, name="mixamo", clip="mixamo.com", factor=0.01)
    yield replace(
        mixamo, name="mixamo_travels", clip="mixamo.com", factor=0.01, travels=mixamo.body
    )
    yield from _list_game_people()
    yield from _list_habits()
    yield _make_mmd()
    yield _make_chibi()
    yield _make_blocks()


_MIXAMO = {
    "trunk": ("mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2"),
    "head": ("mixamorig:Neck", "mixamorig:Head", "mixamorig:HeadTop_End"),
    "arm": tuple(f"mixamorig:{{Long}}{n}" for n in ("Shoulder", "Arm", "ForeArm", "Hand")),
    "leg": tuple(f"mixamorig:{{Long}}{n}" for n in ("UpLeg", "Leg", "Foot", "ToeBase", "Toe_End")),
}
_UNREAL = {
    "trunk": ("pelvis", "spine_01", "spine_02", "spine_03"),
    "head": ("neck_01", "head"),
    "arm": ("clavicle_{s}", "upperarm_{s}", "lowerarm_{s}", "hand_{s}"),
    "leg": ("thigh_{s}", "calf_{s}", "foot_{s}", "ball_{s}"),
}
_VRM = {
    "trunk": ("J_Bip_C_Hips", "J_Bip_C_Spine", "J_Bip_C_Chest", "J_Bip_C_UpperChest"),
    "head": ("J_Bip_C_Neck", "J_Bip_C_Head"),
    "arm": tuple(f"J_Bip_{{S}}_{n}" for n in ("Shoulder", "UpperArm", "LowerArm", "Hand")),
    "leg": tuple(f"J_Bip_{{S}}_{n}" for n in ("UpperLeg", "LowerLeg", "Foot", "ToeBase")),
}
_REALLUSION = {
    "trunk": ("CC_Base_Hip", "CC_Base_Waist", "CC_Base_Spine01", "CC_Base_Spine02"),
    "head": ("CC_Base_NeckTwist01", "CC_Base_Head"),
    "arm": tuple(f"CC_Base_{{S}}_{n}" for n in ("Clavicle", "Upperarm", "Forearm", "Hand")),
    "leg": tuple(f"CC_Base_{{S}}_{n}" for n in ("Thigh", "Calf", "Foot", "ToeBase")),
}
_AUTO_RIG = {
    "trunk": ("root.x", "spine_01.x", "spine_02.x", "spine_03.x"),
    "head": ("neck.x", "head.x"),
    "arm": ("shoulder.{s}", "arm_stretch.{s}", "forearm_stretch.{s}", "hand.{s}"),
    "leg": ("thigh_stretch.{s}", "leg_stretch.{s}", "foot.{s}", "toes_01.{s}"),
}
_DAZ = {
    "trunk": ("hip", "pelvis", "abdomenLower", "chestLower"),
    "head": ("neckLower", "head"),
    "arm": ("{s}Collar", "{s}ShldrBend", "{s}ForearmBend", "{s}Hand"),
    "leg": ("{s}ThighBend", "{s}Shin", "{s}Foot", "{s}Toe"),
}
_ARM = (
    (0.03, 0.0, 1.42),
    (0.17, 0.0, 1.42),
    (0.43, 0.01, 1.42),
    (0.69, 0.0, 1.42),
    (0.78, 0.0, 1.42),
)
_LOW_ARM = (
    (0.03, 0.0, 1.42),
    (0.17, 0.0, 1.4),
    (0.3, 0.01, 1.16),
    (0.42, 0.0, 0.92),
    (0.46, 0.0, 0.84),
)
_LEG = (
    (0.1, 0.0, 0.93),
    (0.1, -0.02, 0.5),
    (0.1, 0.03, 0.09),
    (0.1, -0.1, 0.02),
    (0.1, -0.17, 0.02),
    (0.1, -0.2, 0.02),
)


def _make_person(
    names: Mapping[str, Sequence[str]],
    root: str,
    fingers: bool = False,
    arm: Sequence[Place] = _ARM,
    leg: Sequence[Place] = _LEG,
    twisted: bool = False,
) -> Stranger:
    """A person; ``twisted`` where twist bones carry the skin of thighs and shins."""
    heights = (0.97, 1.08, 1.2, 1.32, 1.46)
    trunk = [(0.0, 0.02, height) for height in heights]
    parts = chain_bones(
        "" if root == names["trunk"][0] else root, names["trunk"], trunk, [0.13] * 4
    )
    skull = [(0.0, 0.02, 1.46), (0.0, 0.0, 1.55), (0.0, 0.0, 1.75), (0.0, 0.0, 1.8)]
    parts += chain_bones(names["trunk"][-1], names["head"], skull, (0.06, 0.1, 0.0))
    limbs, swings = [], {}
    for side, phase in (("L", 0.0), ("R", 0.5)):
        parts += chain_bones(names["trunk"][-1], names["arm"], arm, (0.05, 0.05, 0.04, 0.03), side)
        shin = 0.0 if twisted else 0.06
        legs = chain_bones(
            names["trunk"][0], names["leg"], leg, (shin, shin, 0.05, 0.05, 0.0), side
        )
        legs[2:4] = map(lay_flat, legs[2:4])
        parts += legs
        bones = [part.name for part in legs]
        limbs.append(Limb(tuple(bones[:3]), phase))
        swings[name_side(names["arm"][1], side)] = phase + 0.5
        if fingers:
            parts += _make_fingers(name_side(names["arm"][3], side), arm[-1], side)
    top = [] if root == names["trunk"][0] else [Part(root, "", (0.0, 0.0, 0.0), (0.0, 0.1, 0.0))]
    return Stranger("", (*top, *parts), tuple(limbs), names["trunk"][0], swings=swings)


def _make_fingers(hand: str, start: Place, side: str) -> list[Part]:
    parts = []
    for number, finger in enumerate(("Thumb", "Index", "Middle", "Ring", "Pinky")):
        y = 0.02 * (number - 2)
        places = [(start[0] + 0.03 * n, start[1] + y, start[2]) for n in range(4)]
        parts += chain_bones(
            hand, [f"{hand}{finger}{n}" for n in (1, 2, 3)], places, [0.008] * 3, side
        )
    return parts


def _add_twists(person: Stranger, name: str, both_below: bool) -> Stranger:
    """Bones beside thighs and shins that carry their skin, as ``name`` with the bone and a number."""
    parts = list(person.parts)
    known = {part.name: part for part in parts}
    for limb in person.limbs:
        for bone in limb.bones[:2]:
            part = known[bone]
            head, tail = np.array(part.head), np.array(part.tail)
            for number, (low, high) in enumerate(((0.0, 0.5), (0.5, 1.0)), 1):
                if number == 1 and not both_below:
                    continue
                start = head + low * (tail - head) if both_below else head
                places = [tuple(p) for p in (start, head + high * (tail - head))]
                own = name.format(bone=bone, number=number)
                parts.append(Part(own, bone, places[0], places[1], 0.06))
    return replace(person, parts=tuple(parts))


def _list_game_people() -> Iterator[Stranger]:
    unreal = _make_person(_UNREAL, "root", fingers=True, arm=_LOW_ARM, twisted=True)
    unreal = _add_twists(unreal, "{bone}_twist_0{number}", both_below=True)
    known = {part.name: part for part in unreal.parts}
    extra = [Part("ik_foot_root", "root", (0.0, 0.0, 0.0), (0.0, 0.1, 0.0))]
    extra += [Part("ik_hand_root", "root", (0.0, 0.0, 0.0), (0.0, 0.1, 0.0))]
    for side in "lr":
        foot, hand = known[f"foot_{side}"], known[f"hand_{side}"]
        extra.append(
            Part(f"ik_foot_{side}", "ik_foot_root", foot.head, foot.tail, follows=foot.name)
        )
        extra.append(
            Part(f"ik_hand_{side}", "ik_hand_root", hand.head, hand.tail, follows=hand.name)
        )
    unreal = replace(unreal, parts=(*unreal.parts, *extra))
    yield replace(unreal, name="unreal", clip="MF_Walk_Fwd", factor=0.01)
    yield replace(unreal, name="unreal_travels", clip="MM_Walk_Fwd_RM", travels="root")
    vrm = _make_person(_VRM, "Root", arm=_LOW_ARM)
    yield replace(
        vrm, name="vrm", clip="walk", parts=(*vrm.parts, *_make_skirt("J_Bip_C_Hips", 0.45))
    )
    robe = _make_person(_UNREAL, "root", arm=_LOW_ARM)
    yield replace(robe, name="robe", parts=(*robe.parts, *_make_skirt("pelvis", 0.03)))
    cc = _make_person(_REALLUSION, "CC_Base_BoneRoot", fingers=True, arm=_LOW_ARM, twisted=True)
    yield replace(_add_twists(cc, "{bone}Twist0{number}", both_below=True), name="reallusion")
    arp = _make_person(_AUTO_RIG, "root_ground.x", arm=_LOW_ARM)
    yield replace(_add_twists(arp, "c_{bone}_twist", both_below=False), name="auto_rig_export")
    daz = _make_person(_DAZ, "Genesis8Female", fingers=True)
    daz = _add_twists(daz, "{bone}Twist", both_below=False)
    yield replace(daz, name="daz", clip="Scene")


def _list_habits() -> Iterator[Stranger]:
    """People whose clips or belongings are as many are."""
    person = _make_person(_UNREAL, "root", arm=_LOW_ARM)
    yield replace(person, name="bind_pose_first", lead=1, clip="Take 001")
    yield replace(person, name="two_and_a_half", cycles=2.5, clip="Armature|Scene")
    yield replace(person, name="skates", ripple=0.25)
    yield replace(person, name="shuffles", lift=0.03, speed=0.5)
    yield replace(person, name="strafes", way=90.0, clip="Walk_Left", speed=0.8)
    yield replace(person, name="backs", way=180.0, clip="Walk_Bwd", speed=0.8)
    yield replace(person, name="runs", clip="Run", duty=0.33, period=0.7, speed=2.8)
    yield replace(person, name="marches", speed=0.0, clip="March", is_walker=False)
    both = tuple(replace(limb, phase=0.0) for limb in person.limbs)
    jump = replace(person, limbs=both, speed=0.0, lift=0.3, swings={}, is_walker=False)
    yield replace(jump, name="jumps", clip="Jump_Loop")
    arms = {name: 2.0 * phase for name, phase in person.swings.items()}
    yield replace(person, name="waves", limbs=(), swings=arms, clip="Wave", is_walker=False)
    staff = [Part("weapon_r", "hand_r", (-0.46, -0.1, 1.5), (-0.46, -0.1, 0.02), 0.02)]
    yield replace(person, name="staff", parts=(*person.parts, *staff), swings={})
    heels = tuple(
        replace(p, head=(p.head[0], p.head[1], 0.14))
        if p.name.startswith("foot")
        else replace(p, head=(p.head[0], p.head[1], 0.03))
        if p.name.startswith("ball")
        else p
        for p in person.parts
    )
    yield replace(person, name="heels", parts=heels)


def _make_skirt(hips: str, height: float) -> list[Part]:
    """Chains around the legs that hang down to a height."""
    parts = []
    for number in range(8):
        angle = 2.0 * np.pi * (number + 0.5) / 8
        x, y = np.sin(angle), np.cos(angle)
        places = [
            (float(r * x), float(r * y), z)
            for r, z in ((0.17, 0.95), (0.25, 0.5 * (0.95 + height)), (0.32, height))
        ]
        names = [f"Skirt_{number}_{n}" for n in range(2)]
        parts += chain_bones(hips, names, places, (0.03, 0.03))
    return parts


def _make_mmd() -> Stranger:
    """Japanese names; bones that carry the skin go with the legs and hang beside them."""
    names = {
        "trunk": ("センター", "下半身", "上半身", "上半身2"),
        "head": ("首", "頭"),
        "arm": ("{J}肩", "{J}腕", "{J}ひじ", "{J}手首"),
        "leg": ("{J}足", "{J}ひざ", "{J}足首", "{J}つま先"),
    }
    person = _make_person(names, "全ての親", arm=_LOW_ARM, twisted=True)
    parts = [
        replace(p, girth=0.0) if "足首" in p.name or "つま先" in p.name else p for p in person.parts
    ]
    known = {part.name: part for part in parts}
    for side in "左右":
        above = "下半身"
        for word in ("足", "ひざ", "足首", "つま先"):
            leader = known[f"{side}{word}"]
            name = f"{leader.name}D" if word != "つま先" else f"{side}足先EX"
            parts.append(
                replace(
                    leader,
                    name=name,
                    parent=above,
                    girth=0.06,
                    sole=word in ("足首", "つま先"),
                    follows=leader.name,
                )
            )
            above = name
        foot = known[f"{side}足首"]
        parts.append(
            Part(
                f"{side}足IK",
                "全ての親",
                foot.head,
                (foot.head[0], 0.1, foot.head[2]),
                follows=foot.name,
            )
        )
    limbs = tuple(replace(limb) for limb in person.limbs)
    return replace(person, name="mmd", parts=tuple(parts), limbs=limbs, clip="歩行")


def _make_chibi() -> Stranger:
    """Short legs, large shoes and head, fists beside the knees."""
    leg = (
        (0.1, 0.0, 0.32),
        (0.1, -0.01, 0.2),
        (0.1, 0.02, 0.07),
        (0.1, -0.08, 0.03),
        (0.1, -0.16, 0.03),
    )
    arm = (
        (0.05, 0.0, 0.62),
        (0.14, 0.0, 0.6),
        (0.2, 0.0, 0.42),
        (0.23, 0.0, 0.25),
        (0.24, 0.0, 0.18),
    )
    person = _make_person(_VRM, "Armature_root", arm=arm, leg=leg)
    moved = {}
    for part in person.parts:
        if "_C_" in part.name:
            low = [(p[0], p[1], 0.35 + 0.45 * (p[2] - 0.97)) for p in (part.head, part.tail)]
            moved[part.name] = replace(
                part, head=low[0], tail=low[1], girth=0.25 if "Head" in part.name else 0.12
            )
    parts = tuple(moved.get(part.name, part) for part in person.parts)
    return replace(person, name="chibi", parts=parts, speed=0.45, period=0.75)


def _make_blocks() -> Stranger:
    """A body of blocks whose legs are one bone each."""
    parts = [
        Part("waist", "", (0.0, 0.0, 0.72), (0.0, 0.0, 0.9)),
        Part("body", "waist", (0.0, 0.0, 0.72), (0.0, 0.0, 1.4), 0.2),
    ]
    parts.append(Part("head", "body", (0.0, 0.0, 1.4), (0.0, 0.0, 1.8), 0.2))
    for side in "LR":
        word = {"L": "left", "R": "right"}[side]
        parts.append(
            Part(
                f"{word}Arm",
                "body",
                mirror_place((0.3, 0.0, 1.35), side),
                mirror_place((0.3, 0.0, 0.75), side),
                0.09,
            )
        )
        parts.append(
            Part(
                f"{word}Leg",
                "waist",
                mirror_place((0.1, 0.0, 0.72), side),
                mirror_place((0.1, 0.0, 0.0), side),
                0.09,
            )
        )
    limbs = (
        Limb(("leftLeg",), 0.0, is_footless=True),
        Limb(("rightLeg",), 0.5, is_footless=True),
    )
    swings = {"leftArm": 0.5, "rightArm": 0.0}
    return Stranger(
        "blocks",
        tuple(parts),
        limbs,
        "waist",
        clip="animation.walk",
        speed=1.0,
        swings=swings,
        duty=0.5,
        is_stiff=True,
    )
