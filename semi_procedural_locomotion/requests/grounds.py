# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What of the things that lie around is no ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .settings.grounds import GROUND
from .settings.kinds import check_values


@dataclass(frozen=True)
class GroundChoice:
    """What is left out of the meshes that are walked on.

    `requests.settings.grounds` has the defaults and ranges of all but the first.

    Attributes
    ----------
    left_out
        Blender's objects and collections that are no ground; an armature stands for its whole
        character.
    rendered_only
        Leave out what is hidden in renders.
    leave_out_instances
        Leave out all that is shown by instances.
    leave_out_small
        Leave out meshes and instances that are smaller than a sole, seen from above.
    only_nearby
        Leave out what stands still farther from the way than the feet reach and so many lengths of the
        leg; 0 looks at everything.

    Raises
    ------
    SettingError
        A value is of the wrong kind or out of its range.
    """

    left_out: Sequence[Any] = ()
    rendered_only: bool = GROUND["rendered_only"].default
    leave_out_instances: bool = GROUND["leave_out_instances"].default
    leave_out_small: bool = GROUND["leave_out_small"].default
    only_nearby: float = GROUND["only_nearby"].default

    def __post_init__(self) -> None:
        check_values(GROUND, vars(self))
