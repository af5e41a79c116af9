# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What operators tell, in the window and, without one, in a terminal."""

from __future__ import annotations

import bpy

from ..errors import escape_signs


def report_line(operator: bpy.types.Operator, level: set[str], text: str) -> None:
    """Have an operator tell something, without what would steer a terminal; names may be anybody's.

    Parameters
    ----------
    operator
        Which tells it.
    level
        One of Blender's levels, as ``{"INFO"}``.
    text
        What is told.
    """
    operator.report(level, escape_signs(text))
