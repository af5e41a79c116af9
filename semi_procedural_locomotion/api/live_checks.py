# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a walk can be shown live."""

from __future__ import annotations

import bpy

from ..blender.values.bake_record import find_bake_strip, find_left_bake
from ..blender.versions import get_assigned_action
from ..errors import BakeError


def check_live(armature: bpy.types.Object) -> None:
    """Check that the walk of an object can be shown live.

    Raises
    ------
    BakeError
        It plays another action over its bake, or in place of it.
    """
    active, _ = get_assigned_action(armature)
    if active is not None and find_bake_strip(armature) is not None:
        raise BakeError(
            f"{armature.name!r} plays {active.name!r} over its walk, which Live cannot show: "
            "use Auto Bake, or remove the bake first"
        )
    left = find_left_bake(armature)
    if left is not None:
        raise BakeError(
            f"{armature.name!r} does not play its bake {left.name!r}, which Live would show: choose "
            "that action again, or use Remove Bake first"
        )
