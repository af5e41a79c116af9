# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A report as a page for the browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from .tables import table_from_report

_STYLE = (
    "body{font-family:system-ui,sans-serif;margin:2rem auto;max-width:62rem;padding:0 1rem;"
    "color:#222}pre{overflow-x:auto;background:#f5f7f9;padding:1rem;font-size:.85rem}"
    "img{display:block;width:100%;height:auto;margin:1rem 0;border:1px solid #ddd}"
    "table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:left}"
)
_WORDS = {
    "slide": "slide",
    "sink": "sunk sole",
    "float": "float",
    "swing_depth": "swing depth",
    "foot_turn": "foot turn",
    "knee_speed": "knee speed",
    "reach": "reach",
    "miss": "missed target",
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
        f"<pre>{escape(table_from_report(report))}</pre>\n{sections}\n</body></html>\n"
    )


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
