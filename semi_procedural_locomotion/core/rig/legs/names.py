# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What names of bones and actions hint at; they prove nothing (docs/method/legs.md, Names are cues)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .limits import CLIP_NAMES, DOUBTS, USE

_SIDE_WORDS = (
    ("L", re.compile(r"left|links|gauche|izquierd[ao]|sinistr[ao]|左", re.IGNORECASE)),
    ("R", re.compile(r"(?<![bfpw])right|rechts|droite?|derech[ao]|destr[ao]|右", re.IGNORECASE)),
)
_SIDE_LETTERS = (
    ("L", re.compile(r"(^|[ ._\-])[lL]($|[ ._\-])")),
    ("R", re.compile(r"(^|[ ._\-])[rR]($|[ ._\-])")),
)
_SIDED = "thigh|foot|leg|shin|calf|toe|hip|knee|ankle|paw|hoof|arm|hand|shoulder|clavicle"
_BEGIN, _END = r"(?<![^ ._\-])", r"(?=\d*(?:$|[ ._\-]))"
_SIDE_CLUES = tuple(
    (side, re.compile(pattern))
    for side, small, short in (("L", "l", "lt|lft|lf"), ("R", "r", "rt|rgt|rf"))
    for pattern in (
        # Parts of a name: LThigh, rThighBend; Leg.R1, hand_lft; FL_leg, leg_rr, LH; thighL_01.
        rf"^(?P<side>{side}|{small})(?=[A-Z][a-z])",
        rf"(?i:{_BEGIN}(?P<side>{small}|{short}){_END})",
        rf"(?i:(?:(?<=^[fbhrm])|(?<=[ ._\-][fbhrm]))(?P<side>{small}){_END})",
        rf"(?i:{_BEGIN}(?P<side>{small})(?=[bhm]{_END}))",
        rf"(?<=[a-z0-9])(?P<side>{side}){_END}",
        # A letter at a word that has sides: lfoot, thighr.
        rf"(?i:^(?P<side>{small})(?={_SIDED}))",
        rf"(?i:{_SIDED})(?P<side>{small})(?=\d*$)",
    )
)
_NAMESPACE = re.compile(r"^.*:")
_NUMBER_SUFFIX = re.compile(r"[ ._]*\d{2,}$")
_TWIST = re.compile(r"twist|roll", re.IGNORECASE)
_COPY_SUFFIX = re.compile(r"\.\d{3}$")
_SEGMENT_SUFFIX = re.compile(r"([._]?\d{2,3}|twist.*|roll.*)$", re.IGNORECASE)
# Words within a name begin with a capital: SkirtFront, HairTail.
_WORD_BEGIN = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NEVER_LEGS = re.compile(
    r"(^|[^a-z])(fin|wing|tail|feather|ear|hair|braid|ponytail|antenna|skirt|dress|robe|sleeve|sash|cape|cloak"
    r"|scarf|tongue|jaw)s?([^a-z]|$)|スカート|髪|袖|マント|尻尾|しっぽ|耳|翼|羽|リボン|ネクタイ",
    re.IGNORECASE,
)
_LEG_WORDS = re.compile(
    r"leg|thigh|shin|calf|foot|knee|ankle|hip|paw|hoof|bein|fuss|jambe|pied|pierna|pata|足|脚|ひざ|膝|もも|腿",
    re.IGNORECASE,
)
_SURE_LEG_WORDS = re.compile(r"leg|thigh|foot|足|脚", re.IGNORECASE)
_ARM_WORDS = re.compile(
    r"arm|hand|finger|thumb|index|wing|fin\b|ear\d|horn|head|wheel|tyre|turret|propeller|腕|手|指|ひじ|肘|頭",
    re.IGNORECASE,
)

_AHEAD = re.compile(
    r"(^|[^a-z])(head|jaw|eye|nose|snout|mouth|beak|muzzle|trunk|face)s?([^a-z]|$)|頭|顔|目",
    re.IGNORECASE,
)
_BEHIND = re.compile(r"(^|[^a-z])tail|尻尾|しっぽ", re.IGNORECASE)

_CONTROL = re.compile(
    r"(^|[._\- ])(ik|pole|target|ctrl|control|helper)([._\- ]|$)"
    r"|[Pp]ole_?[Tt]arget|IK($|[._\- ])|^IK|^MCH-|^VIS_|^WGT"
)
_COPY = re.compile(r"(^|[._\- ])(fk|c|ctl|org|mch)([._\- ]|$)", re.IGNORECASE)

_LOCOMOTION = re.compile(
    r"walk|run|jog|trot|gallop|sprint|march|stride|dash|geh|lauf|marche|cour[si]|camina|corr|cammin|歩|走",
    re.IGNORECASE,
)
_NOT_LOCOMOTION = re.compile(
    r"crawl|death|die|dead|sit|lie|roll|jump|swim|fly|climb|dodge|back|bwd|reverse|left|right|strafe|turn|attack"
    r"|shoot|hit|kick|punch|sneak|crouch|dance|gun|sword|tilt|start|T-Pose|RESET",
    re.IGNORECASE,
)
_STANDING = re.compile(r"idle|stand|rest|pose", re.IGNORECASE)
# Clips whose legs walk while the rest of the body does something else.
_BUSY = re.compile(
    r"attack|shoot|aim|hold|bow|gun|rifle|sword|block|hit|carry|jump|dodge|spell|cast|throw|use|push|pull|"
    r"crouch|sneak|crawl|climb|swim|death|die|dance|melee|ranged|(?<![a-z])(?:fall|land|fly|lie|lying|sit)",
    re.IGNORECASE,
)
# Walks in a manner.
_MANNER = re.compile(
    r"injur|hurt|limp|zombie|drunk|tired|sad|slow|fast|start|stop|(?<![a-z])(?:turn|old)",
    re.IGNORECASE,
)
_WALK = re.compile(r"walk|geh|marche|camina|cammin|歩", re.IGNORECASE)


def split_side(name: str) -> tuple[str, str]:
    """The side that a bone's name claims and the name without it.

    Parameters
    ----------
    name
        Any bone name.

    Returns
    -------
    side
        ``"L"``, ``"R"`` or ``""``.
    stem
        The name with the side replaced by ``#`` and without namespace and trailing numbers.
    """
    bare = re.sub(r"_end$", "", _NAMESPACE.sub("", name))
    for side, pattern in (*_SIDE_WORDS, *_SIDE_LETTERS):
        match = pattern.search(bare)
        if match:
            return side, _NUMBER_SUFFIX.sub("", f"{bare[: match.start()]}#{bare[match.end() :]}")
    for side, pattern in _SIDE_CLUES:
        match = pattern.search(bare)
        if match:
            start, end = match.span("side")
            return side, _NUMBER_SUFFIX.sub("", f"{bare[:start]}#{bare[end:]}")
    return "", _NUMBER_SUFFIX.sub("", bare)


def rank_action_name(name: str) -> int:
    """How likely an action of this name shows walking: high likely, below 0 unlikely.

    Names only order the clips; the points are in `limits`.
    """
    bare = name.split("|")[-1]
    return (
        CLIP_NAMES.moving * bool(_LOCOMOTION.search(bare))
        + CLIP_NAMES.standing * bool(_STANDING.search(bare))
        + CLIP_NAMES.other * bool(_NOT_LOCOMOTION.search(bare))
    )


def weigh_walk_name(name: str) -> float:
    """1 for an action's name that says walk, else 0; 2 less with what is no plain walk."""
    bare = name.split("|")[-1]
    return float(bool(_WALK.search(bare))) - 2.0 * bool(_BUSY.search(bare) or _MANNER.search(bare))


def is_busy_name(name: str) -> bool:
    """Whether an action's name says that the body does something else beside walking or standing."""
    return bool(_BUSY.search(name.split("|")[-1]))


def select_walk_names(names: Iterable[str]) -> set[str]:
    """Names of actions that are the likeliest to show walking; all where none speaks of it."""
    bare = {name: name.split("|")[-1] for name in names}
    moving = {name for name, text in bare.items() if _LOCOMOTION.search(text)}
    doubtful = (_STANDING, _NOT_LOCOMOTION)
    plain = {n for n in moving if not any(pattern.search(bare[n]) for pattern in doubtful)}
    return plain or moving or set(bare)


def is_directional_action(name: str) -> bool:
    """Whether an action's name says that it does not simply go forward (backward, left, turn ...)."""
    return bool(_NOT_LOCOMOTION.search(name.split("|")[-1]))


def is_twist_name(name: str, parent_name: str) -> bool:
    """Whether a bone's name marks it as a twist part of the segment that its parent begins."""
    if _TWIST.search(name):
        return True
    copied = bool(_COPY_SUFFIX.search(name)) and not _COPY_SUFFIX.search(parent_name)
    return copied and _SEGMENT_SUFFIX.sub("", name) == _SEGMENT_SUFFIX.sub("", parent_name)


def is_never_leg(name: str) -> bool:
    """Whether a bone's name says fin, wing, tail, ear, skirt and the like."""
    return bool(_NEVER_LEGS.search(_WORD_BEGIN.sub("_", name)))


def find_end_name(name: str) -> int:
    """1 for a bone's name that says what is ahead, as head and jaw, -1 for a tail, else 0."""
    bare = _WORD_BEGIN.sub("_", name)
    return int(bool(_AHEAD.search(bare))) - int(bool(_BEHIND.search(bare)))


def is_control(name: str, is_chain: bool = False) -> bool:
    """Whether a bone's name says that it steers others; used only where no mesh tells.

    Parameters
    ----------
    name
        Any bone name.
    is_chain
        Whether it is compared with another bone of the same limb: then FK and ORG tell, too.
    """
    return bool(_CONTROL.search(name) or (is_chain and _COPY.search(name)))


def weigh_leg_names(names: list[str]) -> float:
    """Factor on the confidence: above 1 for leg names, below for arm or wing names."""
    text = " ".join(names)
    factor = DOUBTS.leg_names if _LEG_WORDS.search(text) else 1.0
    if _ARM_WORDS.search(text) and not _SURE_LEG_WORDS.search(text):
        factor *= DOUBTS.arm_names
    return factor


def is_rigify(names: tuple[str, ...]) -> bool:
    """Whether the bones are those of a generated Rigify rig."""
    prefixes = [name.split("-")[0] for name in names if "-" in name]
    return all(prefixes.count(prefix) >= USE.rigify_bones for prefix in ("DEF", "ORG", "MCH"))
