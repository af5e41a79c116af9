# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What was done to footsteps by hand."""

from __future__ import annotations

import bpy
import numpy as np

from ..limits import FOOTSTEP
from ..setup.footstep_properties import is_duplicate, is_timed


def is_in_place(item: bpy.types.Object) -> bool:
    """Whether a footstep lies where the plan, a run or the user first put it."""
    data = item.locomotion_footstep
    if item.parent != data.planned_parent:
        return False
    planned = np.array(data.planned_basis).reshape(4, 4)
    return bool(np.abs(np.array(item.matrix_basis) - planned).max() <= FOOTSTEP.edited)


def is_edited(item: bpy.types.Object) -> bool:
    """Whether a footstep was moved or parented by hand, is left out, or is the user's own."""
    data = item.locomotion_footstep
    return not data.is_planned or data.is_left_out or not is_in_place(item)


def is_set_by_hand(item: bpy.types.Object) -> bool:
    """Whether work is lost where a footstep is removed: the plan or *Generate* does not bring it back."""
    data = item.locomotion_footstep
    is_made = (data.is_planned or data.is_generated) and not is_duplicate(item)
    is_changed = data.is_left_out or data.is_jump or is_timed(item)
    return not is_made or is_changed or not is_in_place(item)
