# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Line charts and maps as SVG text, for reports (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

import numpy as np

from ..maths.rotations import FloatArray
from .shown_feet import list_runs

# Colours that people with any colour vision tell apart (Okabe and Ito 2008), darkest last.
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a6a00", "#000000")
GREY = "#8a8a8a"
_BAND, _GRID, _FRAME, _TEXT, _ALARM = "#e9eef4", "#e4e4e4", "#9a9a9a", "#333333", "#c40000"

# Pixels of the drawing.
_WIDTH, _LEFT, _RIGHT, _TOP, _BOTTOM = 960, 64, 16, 46, 40
_GAP = 34
_FONT = "font-family='system-ui, Segoe UI, Helvetica, Arial, sans-serif'"
# About so many ticks to an axis of this many pixels, and empty space above and below lines.
_TICK_PIXELS_X, _TICK_PIXELS_Y, _MARGIN = 90.0, 34.0, 0.06
_CHARACTER_PIXELS = 6.4
_TALLEST_MAP, _FLATTEST_MAP = 1400.0, 160.0


@dataclass(frozen=True)
class Line:
    """A line through points; nan breaks it.

    Attributes
    ----------
    x, y
        Shape (N,).
    colour
        Of SVG.
    label
        Shown in the legend; empty for none.
    dashed
        Whether it is drawn with dashes.
    width
        Pixels.
    """

    x: FloatArray
    y: FloatArray
    colour: str
    label: str = ""
    dashed: bool = False
    width: float = 1.4


@dataclass(frozen=True)
class Shape:
    """A filled outline.

    Attributes
    ----------
    points
        Corners, shape (N, 2).
    colour
        Of SVG.
    title
        Shown where the mouse rests on it.
    """

    points: FloatArray
    colour: str
    title: str = ""


@dataclass(frozen=True)
class Panel:
    """One pair of axes.

    Attributes
    ----------
    title
        Above the axes.
    y_label
        What is drawn, with its unit.
    lines, shapes
        What is drawn.
    bands
        Spans of x with another background, pairs of start and end.
    limits
        Lowest and highest y; None fits the lines.
    level
        A y with a line across, such as a bar that is not to be crossed; None for none.
    height
        Pixels.
    """

    title: str
    y_label: str
    lines: Sequence[Line] = ()
    shapes: Sequence[Shape] = ()
    bands: Sequence[tuple[float, float]] = ()
    limits: tuple[float, float] | None = None
    level: float | None = None
    height: float = 150.0


def draw_chart(
    title: str, x_label: str, panels: Sequence[Panel], marks: Sequence[tuple[float, str]] = ()
) -> str:
    """Panels above one another over the same x axis.

    Parameters
    ----------
    title
        Of the whole drawing.
    x_label
        Below the lowest panel.
    panels
        One or more.
    marks
        Places on the x axis that are marked in every panel, with a word each.

    Returns
    -------
    str
        A whole SVG document.
    """
    known = [_finite(line.x) for panel in panels for line in panel.lines]
    x_limits = _fit_limits(known, margin=0.0)
    parts, top = [], float(_TOP)
    for number, panel in enumerate(panels):
        limits = panel.limits
        if limits is None:
            values = [_finite(line.y) for line in panel.lines]
            extra = [] if panel.level is None else [np.array([panel.level])]
            limits = _fit_limits([*values, *extra])
        top += _GAP
        axes = _Axes(x_limits, limits, top, panel.height)
        parts.append(axes.draw(panel, show_x=number == len(panels) - 1))
        parts.extend(axes.mark(x, word if number == 0 else "") for x, word in marks)
        top += panel.height
    label = _text(0.5 * (_LEFT + _WIDTH - _RIGHT), top + 34, x_label, "middle")
    return _document(title, [*parts, label], top + _BOTTOM)


def draw_map(
    title: str, x_label: str, y_label: str, lines: Sequence[Line], shapes: Sequence[Shape]
) -> str:
    """Lines and shapes on a plane with equal scales on both axes.

    Parameters
    ----------
    title, x_label, y_label
        Of the drawing and its axes.
    lines, shapes
        What is drawn, shapes above lines; one point or more.

    Returns
    -------
    str
        A whole SVG document.
    """
    xs = [*(_finite(line.x) for line in lines), *(shape.points[:, 0] for shape in shapes)]
    ys = [*(_finite(line.y) for line in lines), *(shape.points[:, 1] for shape in shapes)]
    x_limits, y_limits = _fit_limits(xs), _fit_limits(ys)
    width = _WIDTH - _LEFT - _RIGHT
    scale = width / (x_limits[1] - x_limits[0])
    height = scale * (y_limits[1] - y_limits[0])
    if height > _TALLEST_MAP:
        height = _TALLEST_MAP
        x_limits = _widen(x_limits, width / height * (y_limits[1] - y_limits[0]))
    elif height < _FLATTEST_MAP:
        height = _FLATTEST_MAP
        y_limits = _widen(y_limits, height / scale)
    panel = Panel("", y_label, lines, shapes, height=height)
    top = float(_TOP + _GAP)
    axes = _Axes(x_limits, y_limits, top, height)
    label = _text(0.5 * (_LEFT + _WIDTH - _RIGHT), top + height + 34, x_label, "middle")
    return _document(title, [axes.draw(panel, show_x=True), label], top + height + _BOTTOM)


class _Axes:
    """From numbers to pixels for one panel."""

    def __init__(
        self,
        x_limits: tuple[float, float],
        y_limits: tuple[float, float],
        top: float,
        height: float,
    ) -> None:
        self.x_limits, self.y_limits = x_limits, y_limits
        self.top, self.bottom = top, top + height
        self.left, self.right = float(_LEFT), float(_WIDTH - _RIGHT)

    def place_x(self, x: FloatArray) -> FloatArray:
        """Pixels from the left."""
        low, high = self.x_limits
        return self.left + (np.asarray(x) - low) / (high - low) * (self.right - self.left)

    def place_y(self, y: FloatArray) -> FloatArray:
        """Pixels from the top."""
        low, high = self.y_limits
        return self.bottom - (np.asarray(y) - low) / (high - low) * (self.bottom - self.top)

    def draw(self, panel: Panel, show_x: bool) -> str:
        """Background, grid, content, frame, legend."""
        parts = [self._draw_band(*band) for band in panel.bands]
        for value, word in _list_ticks(*self.y_limits, (self.bottom - self.top) / _TICK_PIXELS_Y):
            y = float(self.place_y(np.array(value)))
            parts.append(_segment(self.left, y, self.right, y, _GRID))
            parts.append(_text(self.left - 6, y + 4, word, "end"))
        for value, word in _list_ticks(*self.x_limits, (self.right - self.left) / _TICK_PIXELS_X):
            x = float(self.place_x(np.array(value)))
            parts.append(_segment(x, self.top, x, self.bottom, _GRID))
            if show_x:
                parts.append(_text(x, self.bottom + 16, word, "middle"))
        if panel.level is not None:
            y = float(self.place_y(np.array(panel.level)))
            parts.append(_segment(self.left, y, self.right, y, _ALARM, dashed=True))
        clip = f"clip{round(self.top)}"
        box = (
            f"x='{self.left:.0f}' y='{self.top:.1f}' width='{self.right - self.left:.0f}' "
            f"height='{self.bottom - self.top:.1f}'"
        )
        parts.append(f"<clipPath id='{clip}'><rect {box}/></clipPath><g clip-path='url(#{clip})'>")
        parts.extend(self._draw_line(line) for line in panel.lines)
        parts.extend(self._draw_shape(shape) for shape in panel.shapes)
        parts.append(f"</g><rect {box} fill='none' stroke='{_FRAME}'/>")
        parts.append(_text(self.left, self.top - 8, panel.title, "start", bold=True))
        middle = 0.5 * (self.top + self.bottom)
        parts.append(
            f"<g transform='translate(14 {middle:.1f}) rotate(-90)'>"
            f"{_text(0.0, 0.0, panel.y_label, 'middle')}</g>"
        )
        parts.append(self._draw_legend(panel.lines))
        return "\n".join(parts)

    def mark(self, x: float, word: str) -> str:
        """A line up and down at x with a word above."""
        place = float(self.place_x(np.array(x)))
        line = _segment(place, self.top, place, self.bottom, _ALARM)
        side = "end" if place > 0.5 * (self.left + self.right) else "start"
        shift = -4 if side == "end" else 4
        words = _text(place + shift, self.top + 13, word, side, colour=_ALARM) if word else ""
        return line + words

    def _draw_band(self, start: float, end: float) -> str:
        """Another background between two x."""
        left, right = np.clip(self.place_x(np.array([start, end])), self.left, self.right)
        return (
            f"<rect x='{left:.1f}' y='{self.top:.1f}' width='{right - left:.1f}' "
            f"height='{self.bottom - self.top:.1f}' fill='{_BAND}'/>"
        )

    def _draw_line(self, line: Line) -> str:
        """The pieces of a line between its gaps."""
        good = np.isfinite(line.x) & np.isfinite(line.y)
        x, y = self.place_x(line.x), self.place_y(line.y)
        dash = " stroke-dasharray='5 4'" if line.dashed else ""
        style = f"fill='none' stroke='{line.colour}' stroke-width='{line.width}'{dash}"
        edges = np.flatnonzero(np.diff(np.concatenate([[False], good, [False]]).astype(int)))
        pieces = []
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            points = " ".join(
                f"{a:.1f},{b:.1f}" for a, b in zip(x[start:end], y[start:end], strict=True)
            )
            pieces.append(f"<polyline points='{points}' {style} stroke-linejoin='round'/>")
        return "".join(pieces)

    def _draw_shape(self, shape: Shape) -> str:
        """A filled outline."""
        x, y = self.place_x(shape.points[:, 0]), self.place_y(shape.points[:, 1])
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
        title = f"<title>{escape(shape.title)}</title>" if shape.title else ""
        return (
            f"<polygon points='{points}' fill='{shape.colour}' fill-opacity='0.45' "
            f"stroke='{shape.colour}'>{title}</polygon>"
        )

    def _draw_legend(self, lines: Sequence[Line]) -> str:
        """Labels of the lines to the right above the axes, each once."""
        named = {line.label: line for line in lines if line.label}
        x, parts = self.right, []
        for label, line in reversed(named.items()):
            x -= _CHARACTER_PIXELS * len(label)
            parts.append(_text(x, self.top - 8, label, "start"))
            x -= 24
            dashed = line.dashed
            parts.append(
                _segment(x, self.top - 12, x + 18, self.top - 12, line.colour, dashed, width=2.2)
            )
            x -= 14
        return "".join(parts)


def _document(title: str, parts: Sequence[str], height: float) -> str:
    """A whole SVG file."""
    body = "\n".join(parts)
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{_WIDTH}' height='{height:.0f}' "
        f"viewBox='0 0 {_WIDTH} {height:.0f}' {_FONT}>\n"
        f"<rect width='100%' height='100%' fill='white'/>\n"
        f"<text x='{_LEFT}' y='26' font-size='17' fill='{_TEXT}'>{escape(title)}</text>\n"
        f"{body}\n</svg>\n"
    )


def _text(
    x: float, y: float, words: str, anchor: str, bold: bool = False, colour: str = _TEXT
) -> str:
    """Words at a place."""
    weight = " font-weight='600'" if bold else ""
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' font-size='12' text-anchor='{anchor}' "
        f"fill='{colour}'{weight}>{escape(words)}</text>"
    )


def _segment(
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    colour: str,
    dashed: bool = False,
    width: float = 1.0,
) -> str:
    """A straight line in pixels."""
    dash = " stroke-dasharray='5 4'" if dashed else ""
    return (
        f"<line x1='{x0:.1f}' y1='{y0:.1f}' x2='{x1:.1f}' y2='{y1:.1f}' stroke='{colour}' "
        f"stroke-width='{width}'{dash}/>"
    )


def _finite(values: FloatArray) -> FloatArray:
    """The values that are numbers."""
    values = np.asarray(values, dtype=np.float64)
    return values[np.isfinite(values)]


def _fit_limits(arrays: Sequence[FloatArray], margin: float = _MARGIN) -> tuple[float, float]:
    """Lowest and highest value with some space; 0 to 1 where there is none."""
    values = np.concatenate([np.ravel(a) for a in arrays]) if arrays else np.zeros(0)
    if len(values) == 0:
        return 0.0, 1.0
    low, high = float(np.min(values)), float(np.max(values))
    spread = high - low
    if spread <= 1e-9 * max(abs(low), abs(high), 1e-3):
        spread = max(abs(high), 1.0)
        return low - 0.5 * spread, high + 0.5 * spread
    return low - margin * spread, high + margin * spread


def _widen(limits: tuple[float, float], span: float) -> tuple[float, float]:
    """Limits about the same middle."""
    middle = 0.5 * (limits[0] + limits[1])
    return middle - 0.5 * span, middle + 0.5 * span


def _list_ticks(low: float, high: float, count: float) -> list[tuple[float, str]]:
    """Round numbers within limits, about ``count`` of them, with their words."""
    raw = (high - low) / max(count, 1.0)
    power = 10.0 ** floor(log10(raw))
    step = next(s * power for s in (1.0, 2.0, 5.0, 10.0) if s * power >= raw * 0.999)
    digits = max(-floor(log10(step) + 1e-9), 0)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [(k * step, f"{k * step:.{digits}f}") for k in range(first, last + 1)]


def find_spans(x: FloatArray, inside: np.ndarray) -> list[tuple[float, float]]:
    """Stretches of x in which something holds.

    Parameters
    ----------
    x
        Increasing, shape (N,).
    inside
        Whether it holds, shape (N,) of bool.

    Returns
    -------
    list of (start, end)
        Widened by half a step to either side, so that a single sample is seen.
    """
    half = 0.5 * float(x[1] - x[0]) if len(x) > 1 else 0.5
    return [(float(x[a]) - half, float(x[b]) + half) for a, b in list_runs(inside)]
