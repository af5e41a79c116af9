# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A bake that its object does not play any more, where another one is written."""

from __future__ import annotations

from collections.abc import Container
from functools import partial

import bpy

from ..values.bake_record import ChannelKey, find_left_bake, read_record
from ..values.components import write_component
from ..values.keeping import KeptComponents
from .rollback import Write


def list_left_writes(armature: bpy.types.Object, keyed: Container[ChannelKey]) -> list[Write]:
    """What becomes of a bake that an object does not play any more; empty where there is none.

    Parameters
    ----------
    armature
        The object.
    keyed
        What the next walk keys.
    """
    left = find_left_bake(armature)
    if left is None:
        return []
    fake = left.use_fake_user
    frozen = {k: v for k, v in read_record(left).values.items() if k not in keyed}
    values = KeptComponents(armature, frozen)

    def keep(is_kept: bool) -> None:
        """In the file, with all of its keys, for the user to choose."""
        left.use_fake_user = is_kept

    def free() -> None:
        """What it has left frozen, and the walk does not key."""
        for key, value in frozen.items():
            write_component(armature, key, value)

    return [
        Write("left bake", partial(keep, True), partial(keep, fake)),
        Write("left values", free, values.put_back),
    ]
