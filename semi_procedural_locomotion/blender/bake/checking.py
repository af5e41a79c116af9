# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether an object can take a bake and would show it."""

from __future__ import annotations

import bpy

from ...errors import BakeError
from .. import versions
from ..values.armature import require_armature
from ..values.bad_keys import name_bad_key, name_bad_pose
from ..values.bake_record import (
    find_base_action,
    find_played_record,
    find_playing_action,
    is_bake_of,
    read_record,
)
from ..values.curves import TRANSFORM_PROPERTIES
from ..values.nla import list_playing
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
        plays a cleaned action in whose place a walk would come, or keys that are no numbers.
    """
    require_armature(armature)
    name = armature.name
    if armature.library is not None:
        raise BakeError(
            f"{name!r} is linked from another file: make a library override of it first "
            "(Object > Library Override > Make)"
        )
    check_strips(armature)
    _check_numbers(armature)
    played = find_played_record(armature)
    if played is not None and played.cleans and not options.cleans:
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


def _check_numbers(armature: bpy.types.Object) -> None:
    """Check that what moves an object, and stands beside or under a walk, are numbers.

    Raises
    ------
    BakeError
        A key or a pose is none.
    """
    played = [find_playing_action(armature), find_base_action(armature)]
    played += [
        (strip.action, versions.get_strip_slot(strip))
        for strip in list_playing(armature.animation_data)
    ]
    for action, slot in played:
        bad = "" if action is None else name_bad_key(_list_read(armature, action, slot))
        if bad:
            raise BakeError(bad, "delete that key, or set it anew", "delete that key from the file")
    bone = name_bad_pose(armature)
    if bone:
        raise BakeError(
            f"the pose of the bone {bone!r} of {armature.name!r} holds what is no number",
            "clear it (Alt+G, Alt+R, Alt+S), and check its drivers",
            "clear it in the file",
        )


def _list_read(
    armature: bpy.types.Object, action: bpy.types.Action, slot: str
) -> list[bpy.types.FCurve]:
    """Curves of an action that a bake reads: those of poses, and those that it has written."""
    written = read_record(action).written if is_bake_of(armature, action) else {}
    return [
        curve
        for curve in versions.get_curves(action, slot)
        if curve.data_path.rpartition(".")[2] in TRANSFORM_PROPERTIES
        or (curve.data_path, curve.array_index) in written
    ]


def check_carrier(
    armature: bpy.types.Object, frames: tuple[int, int] | None, options: BakeOptions
) -> None:
    """Check that a walk is carried as those that stay beside it.

    Parameters
    ----------
    armature
        The character's object.
    frames
        First and last frame; None for a whole walk, beside which all may stay that are apart from it.
    options
        How it is written.

    Raises
    ------
    BakeError
        Others are carried otherwise, and would be left behind.
    """
    old = find_played_record(armature)
    if (
        old is None
        or options.cleans
        or not old.written
        or (options.output_to, options.carrier)
        == (
            old.output_to,
            old.root_bone,
        )
    ):
        return
    if frames is None:
        # How long it takes is not known yet: what begins later may stay beside it.
        staying = [s for s in old.sections if s not in old.open_whole().dropped]
    else:
        staying = [s for s in old.find_staying(frames) if s[0] < frames[0] or s[1] > frames[1]]
    if not staying:
        return
    (first, last), *_ = staying
    carrier = old.root_bone or ("the object" if old.output_to == "object" else "the body")
    raise BakeError(
        f"frames {first:.0f} to {last:.0f} of {armature.name!r} are walked on {carrier}, and another "
        "carrier beside them would leave them behind",
        "set Write To as it was for them, or remove them first",
        "write all of its sections to the same",
    )
