# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a job wants its walk written (no bpy)."""

from __future__ import annotations

from ..requests.settings.bakes import BAKE
from .tables import Table


def parse_bake(table: Table | None) -> dict[str, float | bool | str]:
    """Read ``[character.bake]``: the bake's choices by the names of their properties.

    Raises
    ------
    JobError
        A key is unknown, or its value is of the wrong kind or out of range.
    """
    if table is None:
        return {}
    values = table.settings(BAKE)
    table.finish()
    return values
