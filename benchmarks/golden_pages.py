# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A page of walks before and after a change: pictures, plots and numbers (standard library only).

A folder holds a folder for each state of the tree; in it each case has a picture, and a JSON file with
its numbers and series.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .golden_records import Change, compare

_WIDTH, _HEIGHT = 460, 90
_BEFORE, _AFTER = "#999999", "#c03030"


def name_file(case: str) -> str:
    """Name of a case's files, without what they are."""
    return re.sub(r"[^A-Za-z0-9]+", "_", case)


def write_page(folder: Path, before: str, after: str) -> Path:
    """The page of two states; cases with changes come first."""
    states = [_read_state(folder / name) for name in (before, after)]
    numbers = [{case: entry["numbers"] for case, entry in state.items()} for state in states]
    changes = compare(*numbers)
    cases = sorted(states[1], key=lambda case: (-sum(c.case == case for c in changes), case))
    parts = [_write_case(case, (before, after), states, changes) for case in cases]
    title = html.escape(f"Walks before ({before}) and after ({after})")
    text = (
        f"<!doctype html><meta charset=utf-8><title>{title}</title>"
        "<style>body{font:14px sans-serif;margin:2em}img{display:block;margin:2px 0}"
        "svg{border:1px solid #ddd;margin:2px}.worse{color:#c03030}.better{color:#207020}</style>"
        f"<h1>{title}</h1><p>Plots: grey before, red after; frames to the right.</p>{''.join(parts)}"
    )
    path = folder / f"{before}_{after}.html"
    path.write_text(text, encoding="utf-8")
    return path


def _read_state(folder: Path) -> dict[str, dict[str, Any]]:
    """All cases of one state."""
    found = [json.loads(p.read_text(encoding="utf-8")) for p in sorted(folder.glob("*.json"))]
    return {entry["case"]: entry for entry in found}


def _write_case(
    case: str,
    names: tuple[str, str],
    states: Sequence[dict[str, dict[str, Any]]],
    changes: Sequence[Change],
) -> str:
    """Heading, changes, both pictures and all plots of one case."""
    lines = [f"<h2>{html.escape(case)}</h2>"]
    own = [change for change in changes if change.case == case]
    for change in own:
        style = "worse" if change.is_worse else "better"
        lines.append(f'<div class="{style}">{html.escape(str(change))}</div>')
    entries = [state.get(case) for state in states]
    for name, entry in zip(names, entries, strict=True):
        if entry is not None:
            source = html.escape(f"{name}/{name_file(case)}.png")
            lines.append(f'<img src="{source}" alt="{html.escape(name)}" title="{name}">')
    for title in entries[1]["series"] if entries[1] is not None else ():
        rows = [None if entry is None else entry["series"].get(title) for entry in entries]
        lines.append(draw_plot(title, rows))
    return "".join(lines)


def draw_plot(title: str, rows: Sequence[Sequence[float] | None]) -> str:
    """Rows of values over frames as an SVG element, the first in grey below the second."""
    known = [row for row in rows if row]
    low = min((min(row) for row in known), default=0.0)
    span = max((max(row) for row in known), default=1.0) - low or 1.0
    lines = []
    for row, colour in zip(rows, (_BEFORE, _AFTER), strict=True):
        if not row:
            continue
        step = _WIDTH / max(len(row) - 1, 1)
        spots = (
            f"{n * step:.1f},{4 + (_HEIGHT - 8) * (1.0 - (v - low) / span):.1f}"
            for n, v in enumerate(row)
        )
        lines.append(f'<polyline fill="none" stroke="{colour}" points="{" ".join(spots)}"/>')
    text = html.escape(f"{title} ({low:.3g} to {low + span:.3g})")
    return (
        f'<svg width="{_WIDTH}" height="{_HEIGHT}">{"".join(lines)}'
        f'<text x="4" y="12" font-size="10">{text}</text></svg>'
    )
