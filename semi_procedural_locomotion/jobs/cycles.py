# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cycles that a job asks to be made (no bpy)."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.gaits.fitting import GaitStyle
from ..core.gaits.presets import list_presets
from ..requests.settings.cycles import STYLE
from .tables import Table

# The gait that stands still, beside the presets.
REST = "rest"
_LEG_COUNTS = (2, 4, 6, 8)
_DEFAULT_GROUP = "walk"


@dataclass(frozen=True)
class CycleJob:
    """One cycle to make.

    Attributes
    ----------
    gait
        Name of a ready-made gait, or ``rest``.
    style
        What is different from it.
    group
        Name of its motion group.
    """

    gait: str
    style: GaitStyle
    group: str

    @property
    def is_rest(self) -> bool:
        """Whether it stands still."""
        return self.gait == REST


def parse_cycle(table: Table) -> CycleJob:
    """Read an entry of ``motions`` with a ``make`` key.

    Raises
    ------
    JobError
        The gait or a key is not known, or a number is wrong.
    """
    known = dict.fromkeys(name for count in _LEG_COUNTS for name in list_presets(count))
    gait = table.text("make", choices=(*known, REST)) or REST
    style = GaitStyle(**table.settings(STYLE))
    group = table.text("group") or _DEFAULT_GROUP
    table.finish()
    return CycleJob(gait, style, group)
