# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A report as a page for the browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from ..core.report.verdicts import judge_number
from ..notes.units import Units
from .tables import ROWS, find_units, write_cell

_STYLE = (
    "body{font-family:system-ui,sans-serif;margin:2rem auto;max-width:62rem;padding:0 1rem;"
    "color:#222}pre{overflow-x:auto;background:#f5f7f9;padding:1rem;font-size:.85rem}"
    "img{display:block;width:100%;height:auto;margin:1rem 0;border:1px solid #ddd}"
    "table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:left}"
    ".numbers td+td{text-align:right}.good{background:#dff2df}.doubtful{background:#fdf1cc}"
    ".bad{background:#f8d7d4}"
)
_WORDS = {
    "shown_off_plan": "off plan",
    "shown_slip_worst": "slip",
    "shown_sink_worst": "depth in contact",
    "shown_float_p99": "height in contact",
    "shown_swing_depth_worst": "depth in swing",
    "shown_body_depth_worst": "depth of the body",
    "shown_knee_speed_ratio": "knee speed",
    "shown_foot_way_ratio": "way of a foot in a frame",
    "shown_off_travel_worst": "hips beside the travel",
    "shown_hip_surge": "hips along the travel",
    "shown_hip_sway": "hips across the travel",
    "shown_airborne_share": "no foot on the ground",
}


def page_from_report(report: Mapping[str, Any]) -> str:
    """Lay out a report with its plots, which lie beside it, as HTML.

    Parameters
    ----------
    report
        As in report.json, each character with ``plots`` and ``worst``.

    Returns
    -------
    str
        A whole document.
    """
    title = escape(f"Walks of {report.get('file', 'a file')}")
    characters: Sequence[Mapping[str, Any]] = report["characters"]
    sections = "\n".join(_section(character) for character in characters)
    return (
        f"<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>{title}</title>"
        f"<style>{_STYLE}</style></head><body>\n<h1>{title}</h1>\n"
        f"{_numbers(characters, find_units(report))}\n{sections}\n</body></html>\n"
    )


def _numbers(characters: Sequence[Mapping[str, Any]], units: Units) -> str:
    """All numbers as a table, coloured by their verdicts, and the warnings."""
    head = "".join(f"<th>{escape(str(c['name']))}</th>" for c in characters)
    rows = []
    for row in ROWS:
        if all(c.get(row.key) is None for c in characters):
            continue
        cells = "".join(
            f"<td class='{judge_number(row.key, c.get(row.key)) or ''}'>"
            f"{escape(write_cell(row, c, units))}</td>"
            for c in characters
        )
        rows.append(f"<tr><td>{escape(row.label)}</td>{cells}<td>{escape(row.bar)}</td></tr>")
    warnings = "".join(
        f"<li>{escape(str(c['name']))}: {escape(text)}</li>"
        for c in characters
        for text in c.get("warnings", ())
    )
    table = f"<table class='numbers'><tr><th></th>{head}<th>bar</th></tr>{''.join(rows)}</table>"
    return table + (f"\n<ul>{warnings}</ul>" if warnings else "")


def _section(character: Mapping[str, Any]) -> str:
    """Where the numbers of one character come from, and its plots."""
    rows = "".join(
        f"<tr><td>{_WORDS.get(key, key)}</td><td>{place['frame']}</td>"
        f"<td>{escape(str(place['leg']))}</td></tr>"
        for key, place in character.get("worst", {}).items()
    )
    table = f"<table><tr><th>worst</th><th>frame</th><th>foot</th></tr>{rows}</table>"
    images = "\n".join(
        f"<img src='{escape(name, quote=True)}' alt='{escape(name, quote=True)}'>"
        for name in character.get("plots", ())
    )
    return f"<h2>{escape(str(character['name']))}</h2>\n{table if rows else ''}\n{images}"
