# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers and findings as text for people, on the terminal and as pages."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from ..core.report.verdicts import BAD, BARS, DOUBTFUL, judge_number
from ..notes import NoteKind
from ..notes.units import Units

_COLUMNS_AT_ONCE = 5
_GAP = "  "


@dataclass(frozen=True)
class _Row:
    """One number of a report and how it is shown.

    Attributes
    ----------
    label
        What it is, for people.
    unit
        ``percent`` for shares, ``length`` for shares of the leg that are told as lengths, else the unit
        that follows the number; may be empty.
    """

    key: str
    label: str
    unit: str = "percent"
    decimals: int = 2

    @property
    def bar(self) -> str:
        """The limit of what is good, as text; empty where there is none."""
        if self.key not in _BARS:
            return ""
        unit = "percent" if self.unit == "length" else self.unit
        text = _write(_BARS[self.key], unit, self.decimals)
        return f"{text} of L" if self.unit == "length" else text


# Numbers of a cleaned action that are printed.
_FIXED = (
    ("shown_slip_worst", "slide, worst (of L)"),
    ("shown_sink_worst", "sunk, worst (of L)"),
    ("shown_float_p99", "above the ground, 99 % (of L)"),
)
_BARS = {bar.key: bar.good for bar in BARS}


def _write(value: float, unit: str, decimals: int) -> str:
    """A number with its unit, without the sign of a negative zero."""
    scale, name = (100.0, "%") if unit == "percent" else (1.0, unit)
    return f"{round(value * scale, decimals) + 0.0:.{decimals}f}" + (f" {name}" if name else "")


ROWS = (
    _Row("frames", "frames", "", 0),
    _Row("leg_length", "leg length L", "metres"),
    _Row("feet_slide_worst", "feet slide, worst", "length"),
    _Row("feet_sink_worst", "feet deep in the ground, worst", "length"),
    _Row("shown_float_p99", "standing feet above the ground, 99 %", "length"),
    _Row("shown_swing_depth_worst", "feet deep in swing, worst", "length"),
    _Row("shown_body_depth_worst", "body and legs in the ground, worst", "length"),
    _Row("shown_off_plan", "joints off plan, worst", "length"),
    _Row("shown_off_travel_worst", "hips beside the travel, worst", "length"),
    _Row("shown_foot_way_ratio", "way of a foot in a frame over its motion", ""),
    _Row("shown_knee_speed_ratio", "knee speed over its motion", ""),
    _Row("shown_hip_surge", "hips along the travel (of speed)", decimals=1),
    _Row("shown_hip_sway", "hips across the travel (of speed)", decimals=1),
    _Row("shown_hip_jerk_ratio", "hip jerk over its motion", ""),
    _Row("shown_airborne_share", "frames with no foot on the ground", decimals=1),
    _Row("worst_frame", "worst frame", "", 0),
)


def table_from_report(report: Mapping[str, Any]) -> str:
    """Lay out a report as a table, one column for each character and one for the bars.

    Parameters
    ----------
    report
        As in report.json: ``{"characters": [{"name": ..., ...}]}``; absent numbers and None are
        shown as a dash.

    Returns
    -------
    text
        Lines that end with a line break; bad numbers are marked with ``!``, doubtful ones with ``?``.
    """
    characters: Sequence[Mapping[str, Any]] = report["characters"]
    units = _find_units(report)
    if not characters:
        return "no characters\n"
    blocks = []
    for start in range(0, len(characters), _COLUMNS_AT_ONCE):
        block = characters[start : start + _COLUMNS_AT_ONCE]
        header = ["", *[str(c["name"]) for c in block], "bar"]
        lines = [
            [row.label, *[_write_cell(row, c, units) for c in block], row.bar]
            for row in ROWS
            if any(c.get(row.key) is not None for c in block)
        ]
        blocks.append(_aligned([header, *lines]))
    warnings = [f"{c['name']}: {text}\n" for c in characters for text in c.get("warnings", ())]
    return "\n".join(blocks) + ("\n" + "".join(warnings) if warnings else "")


def table_from_batch(lines: Sequence[Mapping[str, Any]]) -> str:
    """Lay out the lines of a batch's manifest, a row for each unit.

    Parameters
    ----------
    lines
        As in the manifest; ``kept`` tells which were done before.

    Returns
    -------
    text
        Lines that end with a line break.
    """
    rows = [["", "state", "seconds", "frames", "slide", "knee", "result"]]
    shown = {row.key: row for row in ROWS}
    for line in lines:
        numbers, done = line["numbers"], line["state"] == "done"
        cells = [
            _write_cell(shown[key], numbers, Units()) if done else ""
            for key in ("frames", "feet_slide_worst", "shown_knee_speed_ratio")
        ]
        state = "done before" if line.get("kept") else str(line["state"])
        result = str(line["output"] if done else line["error"])
        rows.append([str(line["unit"]), state, f"{line['seconds']:.1f}", *cells, result])
    return _aligned(rows)


def text_from_inspection(findings: Mapping[str, Any]) -> str:
    """Lay out what ``inspect`` found for people; ``findings`` is its JSON form."""
    blocks = [_armature_lines(armature) for armature in findings["armatures"]]
    if len(blocks) > 1:
        taken = findings.get("taken")
        text = (
            "a job has to name one of these as `armature`"
            if taken is None
            else f"a job takes {taken}; name another as `armature`"
        )
        blocks.append([text])
    blocks.append([f"refused: {text}" for text in findings.get("refused", ())])
    return "\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"


def _armature_lines(armature: Mapping[str, Any]) -> list[str]:
    """Lines about an armature: its legs, then its motions."""
    forward = _degrees(armature["forward"])
    reasons = list(armature.get("reasons", ()))
    notes = armature.get("notes", ())
    # The question whether the legs are right stands before all that is told of them.
    asks = bool(notes) and notes[0]["kind"] == NoteKind.LEGS_UNSURE.value
    lines = [f"{armature['name']}: {reasons.pop(0)}"] if asks else []
    lines.append(f"{armature['name']}: faces {forward} of world x, root bone {armature['root']}")
    lines.extend(f"  {text}" for text in reasons)
    for leg in armature["legs"]:
        toe = f", toe {leg['toe']}" if leg["toe"] else ""
        lines.append(
            f"  leg {leg['name']} ({leg['side']}, confidence {leg['confidence']:.2f}):"
            f" {' > '.join(leg['bones'])}{toe}"
        )
        lines.extend(f"    {text}" for text in leg["reasons"])
    names = [leg["name"] for leg in armature["legs"]]
    for motion in armature["motions"]:
        lines.extend(_motion_lines(motion, names))
    controls = armature.get("controls")
    return lines if controls is None else [*lines, *_control_lines(controls)]


def _control_lines(controls: Mapping[str, Any]) -> list[str]:
    """Lines about the controls of a rig."""
    target = "controls" if controls["verified"] else "deforming bones"
    lines = [
        f"  controls (confidence {controls['confidence']:.2f}, walks go onto the {target}):"
        f" body {controls['body'] or '-'}, root {controls['root'] or '-'}"
    ]
    lines.extend(f"    {text}" for text in controls["reasons"])
    for leg in controls["legs"]:
        parts = [
            f"{name} {leg[name]}" for name in ("foot", "ankle", "toe", "hock", "pole") if leg[name]
        ]
        parts += [f"{name} {' > '.join(leg[name])}" for name in ("rolls", "chain") if leg[name]]
        parts += [
            f"switch {switch['path']} (IK {switch['ik']:g}, FK {switch['fk']:g})"
            for switch in leg["switches"]
        ]
        lines.append(
            f"    leg {leg['leg']} (confidence {leg['confidence']:.2f}): {', '.join(parts) or '-'}"
        )
        lines.extend(f"      {text}" for text in leg["reasons"])
    if controls["turned"]:
        turned = [f"{row['bone']} by {row['control']}" for row in controls["turned"]]
        lines.append(f"    upper body: {', '.join(turned)}")
    return lines


def _motion_lines(motion: Mapping[str, Any], leg_names: Sequence[str]) -> list[str]:
    """Lines about a motion: of a cycle its numbers and the key times of its legs; its warnings."""
    lines = [f"  motion {motion['action']}: {motion['kind']}"]
    if motion["kind"] == "cycle":
        low, high = motion["speed_range"]
        spread = f" ({low:.2f} to {high:.2f})" if low != high else ""
        lines[0] += (
            f", {motion['speed']:.2f} m/s{spread} towards {_degrees(motion['direction'])},"
            f" turns {math.degrees(motion['turn_rate']):.0f} deg/s,"
            f" period {motion['period']:.2f} s, seam {motion['seam']:.4f}"
        )
        lines.extend(
            f"    {name}: stance at {leg['stance']:.2f}, then lift {leg['lift']:.2f}"
            f" off {leg['off']:.2f} strike {leg['strike']:.2f} land {leg['land']:.2f},"
            f" stride {leg['stride']:.2f} m"
            for name, leg in zip(leg_names, motion["legs"], strict=True)
        )
    lines.extend(f"    {text}" for text in motion["warnings"])
    return lines


def _degrees(direction: Sequence[float]) -> str:
    """Angle of a world x, y against world x."""
    return f"{math.degrees(math.atan2(direction[1], direction[0])):.0f} deg"


def _find_units(report: Mapping[str, Any]) -> Units:
    """The units that a report is in."""
    return Units.from_dict(report["units"]) if "units" in report else Units()


def _write_cell(row: _Row, numbers: Mapping[str, Any], units: Units) -> str:
    """One number of a character with its unit and, where it is doubtful or bad, a mark."""
    value = numbers.get(row.key)
    if value is None:
        return "-"
    verdict = judge_number(row.key, value)
    mark = {BAD: "! ", DOUBTFUL: "? "}.get(verdict or "", "")
    if row.unit == "metres":
        return units.write_length(value)
    length = numbers.get("leg_length")
    if row.unit != "length" or length is None:
        unit = "percent" if row.unit == "length" else row.unit
        return mark + _write(value, unit, row.decimals)
    return f"{mark}{units.write_length(value * length)} ({_write(value, 'percent', row.decimals)})"


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Lay out rows in columns: the first and last to the left, those between to the right."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        first, *middle, last = row
        cells = [first.ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(middle, widths[1:-1], strict=True)]
        lines.append(_GAP.join([*cells, last]).rstrip() + "\n")
    return "".join(lines)


def text_from_fixes(report: Mapping[str, Any]) -> str:
    """Find what Fix Feet did with each character: shares of the leg before and after."""
    lines = []
    for entry in report["characters"]:
        lines.append(f"{entry['name']}: {sum(entry['stances'].values())} stances")
        for key, label in _FIXED:
            before, after = entry["before"][key], entry[key]
            if before is not None and after is not None:
                lines.append(
                    f"  {label}: {_write(before, 'percent', 2)} -> {_write(after, 'percent', 2)}"
                )
        lines += [f"  {warning}" for warning in entry["warnings"]]
    return "\n".join(lines) + "\n"


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
        f"{_numbers(characters, _find_units(report))}\n{sections}\n</body></html>\n"
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
            f"{escape(_write_cell(row, c, units))}</td>"
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
    """Find where the numbers of one character come from, and its plots."""
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
