# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether an object can take a bake and would show it."""

from __future__ import annotations

import bpy

from ...errors import BakeError
from ..values.armature import require_armature
from ..values.bake_record import find_playing_action, is_bake, read_record
from .options import BakeOptions


def check_strips(armature: bpy.types.Object) -> None:
    """Check that an object is not in the tweak mode of its strips, which lets no action be chosen.

    Raises
    ------
    BakeError
        It is.
    """
    data = armature.animation_data
    if data is not None and data.use_tweak_mode:
        raise BakeError(
            f"{armature.name!r} is in the tweak mode of its NLA strips: leave it (Tab) first"
        )


def check_target(armature: bpy.types.Object, options: BakeOptions) -> None:
    """Check that an object can take a bake and would show it.

    Raises
    ------
    BakeError
        It is linked, in the tweak mode of its strips, moved by a constraint, has no such root bone,
        or plays a cleaned action in whose place a walk would come.
    """
    require_armature(armature)
    name = armature.name
    if armature.library is not None:
        raise BakeError(
            f"{name!r} is linked from another file: make a library override of it first "
            "(Object > Library Override > Make)"
        )
    check_strips(armature)
    playing, _ = find_playing_action(armature)
    is_cleaned = playing is not None and is_bake(playing) and read_record(playing).cleans
    if is_cleaned and not options.cleans:
        raise BakeError(
            f"{name!r} plays an action whose feet were fixed, and a walk would come in its place",
            "use Remove Bake first",
            "give the file from before",
        )
    acting = [c.name for c in armature.constraints if not c.mute and c.influence > 0]
    if options.output_to == "object" and acting:
        raise BakeError(
            f"the constraint {acting[0]!r} moves {name!r}, so its own keys would add to it",
            "set Write To to Body or Root Bone, or apply the constraint",
            'take `output_to = "none"` or `"bone"`, or apply the constraint',
        )
    if options.output_to == "bone" and options.root_bone not in armature.pose.bones:
        raise BakeError(
            f"{name!r} has no bone {options.root_bone!r} to carry the travel",
            "choose another",
            "name another as `root`",
        )
