# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of controls in known rigs; they rank bones that move the same, and decide nothing else.

Known are Rigify from Blender 2.8 on with its basic and game rigs, Auto-Rig Pro, the control rig of
Mixamo's add-on, CloudRig, MB-Lab, and rigs named as Unreal's.
"""

from __future__ import annotations

import re
from enum import Enum


class Role(Enum):
    """What a control is for."""

    FOOT = "foot"
    TOE = "toe"
    ROLL = "roll"
    POLE = "pole"
    CHAIN = "chain"
    BODY = "body"
    ROOT = "root"


_IGNORE_CASE = re.IGNORECASE

# The first that fits ranks highest.
_NAMES: dict[Role, tuple[re.Pattern[str], ...]] = {
    role: tuple(re.compile(text, _IGNORE_CASE) for text in texts)
    for role, texts in {
        Role.FOOT: (
            # c_foot_ik.l, Ctrl_Foot_IK_Left, IK-Foot.L, ik_foot_l, foot_ik.L, front_foot_ik.L
            r"^(?:c_foot_ik|ctrl_foot_ik|ik[-_.](?:mstr[-_.])?(?:foot|paw|hand|leg)|"
            r"(?:\w+_)?(?:foot|forefoot|paw|hand|leg|hoof|toe)_ik)(?![a-z])",
            r"(?:foot|paw|leg|hoof|ankle).*ik|ik.*(?:foot|paw|leg|hoof|ankle)",
            r"foot|paw|hoof",
        ),
        Role.TOE: (r"toe.*(?:ik|fk)|(?:ik|fk).*toe", r"toe|ball"),
        Role.ROLL: (r"heel|roll|rock|spin", r"pivot|ball|toe"),
        Role.POLE: (r"pole|ik_target|knee.*target", r"knee|elbow"),
        Role.CHAIN: (r"(?:^|[-_.])fk(?:$|[-_.])", r"^c_|^ctrl"),
        Role.BODY: (
            r"^(?:torso|c_root_master|ctrl_hips|mstr[-_.]torso|cog|com|body)(?![a-z])",
            r"torso|cog|pelvis|hips",
        ),
        Role.ROOT: (
            r"^(?:root|c_traj|ctrl_master|global|main|master)(?![a-z])",
            r"root|traj|master|global",
        ),
    }.items()
}

_HELPERS = re.compile(r"^(?:MCH|mch|ORG|DEF|VIS|WGT|TGT)[-_.]", re.ASCII)


def rank_name(name: str, role: Role) -> int:
    """How well a name says what a control is for: 0 best, more for worse."""
    patterns = _NAMES[role]
    return next((i for i, pattern in enumerate(patterns) if pattern.search(name)), len(patterns))


def is_helper_name(name: str) -> bool:
    """Whether rigs give such a name to bones that nobody shall touch."""
    return _HELPERS.match(name) is not None
