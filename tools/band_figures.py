# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps of the motions' weights over the plane of velocities, as the thesis draws its gradient bands."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import numpy as np

from semi_procedural_locomotion.core.maths.rotations import FloatArray
from semi_procedural_locomotion.core.motions.bands import compute_band_weights
from semi_procedural_locomotion.core.motions.motor import compute_motor_weights
from semi_procedural_locomotion.core.report.svg import PALETTE

# Name, speed in metres a second, heading in degrees to the left of forward; the first one stands.
SAMPLES = (
    ("rest", 0.0, 0.0),
    ("walk", 1.4, 0.0),
    ("run", 3.0, 0.0),
    ("back", 1.0, 180.0),
    ("left", 0.9, 90.0),
    ("right", 0.9, -90.0),
    ("half left", 1.3, 45.0),
)
_FASTEST, _CELLS, _PIXELS = 3.5, 42, 8
_TOP, _GAP, _LEFT = 34, 28, 12
# Colours nearer to each other than this many steps of 256 are one.
_SHADE = 4


def place_samples() -> FloatArray:
    """Velocities of the samples, forward and to the left, metres a second, shape (M, 2)."""
    speeds = np.array([speed for _, speed, _ in SAMPLES])
    headings = np.radians([heading for *_, heading in SAMPLES])
    return speeds[:, None] * np.stack([np.cos(headings), np.sin(headings)], axis=1)


def weigh_by_velocity(queries: FloatArray) -> FloatArray:
    """Weights (N, M) of the samples at velocities (N, 2) by gradient bands."""
    velocities = place_samples()
    return compute_band_weights(velocities, np.hypot(*velocities.T) == 0.0, queries)


def weigh_by_speed(queries: FloatArray) -> FloatArray:
    """Weights (N, M) of rest, walk and run at velocities (N, 2) by speed alone."""
    speeds = np.hypot(*place_samples()[:3].T)
    weights = np.zeros((len(queries), len(SAMPLES)))
    weights[:, :3] = compute_motor_weights(speeds, speeds == 0.0, np.hypot(*queries.T))
    return weights


def band_maps() -> str:
    """Which motions play at which velocity: by gradient bands, and by speed alone."""
    side = _CELLS * _PIXELS
    width, height = 2 * side + _GAP + 2 * _LEFT, side + _TOP + 30
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' "
        "font-family='system-ui, Segoe UI, Helvetica, Arial, sans-serif' font-size='13'>",
        f"<rect width='{width}' height='{height}' fill='#ffffff'/>",
    ]
    for number, (title, weigh, shown) in enumerate(
        (
            ("By velocity: gradient bands", weigh_by_velocity, SAMPLES),
            ("By speed: rest, walk, run", weigh_by_speed, SAMPLES[:3]),
        )
    ):
        left = _LEFT + number * (side + _GAP)
        parts.append(f"<text x='{left}' y='22' fill='#333333'>{escape(title)}</text>")
        parts += _draw_cells(weigh, left)
        for (name, *_), (ahead, aside) in zip(SAMPLES[: len(shown)], place_samples(), strict=False):
            x, y = _find_pixel(ahead, aside, left)
            parts.append(
                f"<circle cx='{x:.1f}' cy='{y:.1f}' r='4' fill='#ffffff' stroke='#000000'/>"
                f"<text x='{x + 7:.1f}' y='{y + 4:.1f}' fill='#000000'>{escape(name)}</text>"
            )
        parts.append(
            f"<text x='{left}' y='{_TOP + side + 18}' fill='#333333'>"
            f"forward is up; the edge is at {_FASTEST:g} m/s</text>"
        )
    return "\n".join([*parts, "</svg>", ""])


def _find_pixel(ahead: float, aside: float, left: float) -> tuple[float, float]:
    """Where a velocity is drawn."""
    half = 0.5 * _CELLS * _PIXELS
    return left + half - aside / _FASTEST * half, _TOP + half - ahead / _FASTEST * half


def _draw_cells(weigh: Callable[[FloatArray], FloatArray], left: float) -> list[str]:
    """Rows of cells in the mixed colours of the motions that play there."""
    middles = ((np.arange(_CELLS) + 0.5) / _CELLS * 2.0 - 1.0) * _FASTEST
    ahead, aside = np.meshgrid(-middles, -middles, indexing="ij")
    weights = weigh(np.stack([ahead.ravel(), aside.ravel()], axis=1))
    palette = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in PALETTE])
    mixed = np.rint(weights @ palette[: len(SAMPLES)] / _SHADE) * _SHADE
    colours = np.minimum(mixed, 255).astype(int).reshape(_CELLS, _CELLS, 3)
    cells = []
    for row in range(_CELLS):
        start = 0
        for column in range(1, _CELLS + 1):
            if column < _CELLS and np.array_equal(colours[row, column], colours[row, start]):
                continue
            red, green, blue = colours[row, start]
            cells.append(
                f"<rect x='{left + start * _PIXELS}' y='{_TOP + row * _PIXELS}' "
                f"width='{(column - start) * _PIXELS + 1}' height='{_PIXELS + 1}' "
                f"fill='#{red:02x}{green:02x}{blue:02x}'/>"
            )
            start = column
    return cells


FIGURES: tuple[Callable[[], str], ...] = (band_maps,)
