# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What all parts of the overlay are drawn with."""

from __future__ import annotations

from typing import Any

import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ...core.drawing.shapes import ColouredPoints

LINE_WIDTH = 2.0
FONT, FONT_SIZE, TEXT_COLOUR = 0, 11, (1.0, 1.0, 1.0, 0.9)
# Diagrams lie this many pixels from the corner, and their lines of text apart, at a scale of 1.
MARGIN, ROW = 24.0, 16.0
# Stands before words that tell what a colour means.
SWATCH = "\N{BLACK SQUARE}"
THIN, THICK = "SMOOTH_COLOR", "POLYLINE_SMOOTH_COLOR"


def make_batch(shader: str, kind: str, *shapes: ColouredPoints) -> Any:  # noqa: ANN401
    """Points put on the graphics card."""
    points = np.concatenate([shape.points for shape in shapes])
    colours = np.concatenate([shape.colours for shape in shapes])
    return batch_for_shader(
        gpu.shader.from_builtin(shader),
        kind,
        {
            "pos": np.ascontiguousarray(points, dtype=np.float32),
            "color": np.ascontiguousarray(colours, dtype=np.float32),
        },
    )


def bind_thick() -> Any:  # noqa: ANN401
    """The shader of thick lines, ready to draw with."""
    shader = gpu.shader.from_builtin(THICK)
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", LINE_WIDTH)
    return shader
