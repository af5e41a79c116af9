# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a job wants its walk written (no bpy)."""

from __future__ import annotations

from .tables import Table

_FLAGS = ("use_markers", "use_strip")
_FRAMES = ("blend_in", "blend_out")


def parse_bake(table: Table | None) -> dict[str, float | bool | str]:
    """Read ``[character.bake]``: the bake's choices by the names of their properties.

    Raises
    ------
    JobError
        A key is unknown or wrong.
    """
    values: dict[str, float | bool | str] = {}
    if table is None:
        return values
    for name in _FRAMES:
        count = table.number(name)
        if count is not None:
            if count < 0 or count != int(count):
                raise table.error(name, f"must be a whole number of frames, got {count:g}")
            values[name] = int(count)
    tolerance = table.number("key_tolerance")
    if tolerance is not None:
        if tolerance < 0:
            raise table.error("key_tolerance", f"must be 0 or more, got {tolerance:g}")
        values["key_tolerance"] = tolerance
    name_text = table.text("action_name")
    if name_text is not None:
        values["action_name"] = name_text
    for name in _FLAGS:
        if table.peek(name) is not None:
            values[name] = table.flag(name)
    table.finish()
    return values
