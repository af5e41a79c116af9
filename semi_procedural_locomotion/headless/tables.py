# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers and findings as text for people."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.report.verdicts import find_bar
from ..notes import NoteKind

_COLUMNS_AT_ONCE = 5
_GAP = "  "


@dataclass(frozen=True)
class Row:
    """One number of a report and how it is shown.

    Attributes
    ----------
    key
        Its key in report.json.
    label
        What it is, for people.
    unit
        ``percent`` for shares, else the unit that follows the number; may be empty.
    decimals
        Digits after the point.
    study
        What the studies reached, as text; empty where they set no value.
    limit
        The loosest value of ``study``, in the number's own unit; None where there is none.
    doubt
        From where on a number within ``limit`` is doubtful; None where it is not.
    """

    key: str
    label: str
    unit: str = "percent"
    decimals: int = 2
    study: str = ""
    limit: float | None = None
    doubt: float | None = None

    @classmethod
    def judged(cls, key: str, label: str, unit: str = "percent", decimals: int = 2) -> Row:
        """A number that is judged by its bar alone."""
        bar = find_bar(key)
        study = f"bar {_write(bar.good, unit, decimals)}"
        return cls(key, label, unit, decimals, study, bar.bad, bar.good)


# Numbers of a cleaned action that are printed.
_FIXED = (
    ("shown_slip_worst", "slide, worst (of L)"),
    ("shown_sink_worst", "sunk, worst (of L)"),
    ("shown_float_p99", "above the ground, 99 % (of L)"),
)


def _write(value: float, unit: str, decimals: int) -> str:
    """A number with its unit, without the sign of a negative zero."""
    scale, name = (100.0, "%") if unit == "percent" else (1.0, unit)
    return f"{round(value * scale, decimals) + 0.0:.{decimals}f}" + (f" {name}" if name else "")


# The column (docs/method/report.md, The study column) is what a prototype reached on real clips and
# grounds; where it names several grounds the loosest decides whether a number is marked as over.
ROWS = (
    Row("frames", "frames", "", 0),
    Row("leg_length", "leg length L", "m", 3),
    Row.judged("feet_slide_worst", "feet slide, worst of plan and shown (of L)"),
    Row.judged("feet_sink_worst", "soles sunk, worst of plan and shown (of L)"),
    Row("slide_worst", "planted slide, worst (of L)", study="0.4 %", limit=0.004),
    Row("slide_mean", "planted slide, mean (of L)"),
    Row(
        "near_ground_speed_p95",
        "near-ground speed, 95 % (of root speed)",
        decimals=1,
        study="14 %",
        limit=0.14,
    ),
    Row("sink_worst", "sole sunk in contact, worst (of L)", study="0.4 %", limit=0.004),
    Row("float_p99", "float in contact, 99 % (of L)", study="0.15 %, curved 2 %", limit=0.02),
    Row("swing_depth_worst", "swing depth, worst (of L)", study="1.8 %", limit=0.018),
    Row("swing_deep_share", "frames deeper than 0.5 % L", study="1.2 %", limit=0.012),
    Row("foot_turn_excess", "foot turn in a frame beyond source", "deg", 1, "10 deg", 10.0),
    Row(
        "knee_speed_ratio",
        "knee peak speed over source",
        "",
        2,
        "1.15 flat, 2.5 rough, 3.6 stairs",
        3.6,
    ),
    Row(
        "hip_jerk_ratio",
        "hip jerk over source",
        "",
        2,
        "1.05 flat, 1.1 rough, 1.25 stairs",
        1.25,
    ),
    Row("reach_worst", "reach, worst (of the leg's chain)", "", 4, "0.9995", 0.9995),
    Row("targets_missed", "targets missed", "", 0, "0", 0.0),
    Row("fidelity_rms", "fidelity, rms (of L)", study="0.8 % flat", limit=0.008),
    Row.judged("shown_off_plan", "shown: joints off plan, worst (of L)"),
    Row.judged("shown_slip_worst", "shown: slip of what bears, worst (of L)"),
    Row.judged("shown_sink_worst", "shown: foot deep in contact, worst (of L)"),
    Row.judged("shown_float_p99", "shown: foot above in contact, 99 % (of L)"),
    Row.judged("shown_swing_depth_worst", "shown: foot deep in swing, worst (of L)"),
    Row.judged("shown_body_depth_worst", "shown: body and legs in the ground (of L)"),
    Row.judged("shown_foot_way_ratio", "shown: way of a foot in a frame over source", ""),
    Row.judged("shown_off_travel_worst", "shown: hips beside the travel, worst (of L)"),
    Row.judged("shown_hip_surge", "shown: hips along the travel (of speed)", decimals=1),
    Row.judged("shown_hip_sway", "shown: hips across the travel (of speed)", decimals=1),
    Row.judged("shown_hip_jerk_ratio", "shown: hip jerk in space over source", ""),
    Row.judged("shown_airborne_share", "shown: frames with no foot on the ground", decimals=1),
    Row("worst_frame", "worst frame", "", 0),
)


def table_from_report(report: Mapping[str, Any]) -> str:
    """Lay out a report as a table, one column for each character and one for the studies.

    Parameters
    ----------
    report
        As in report.json: ``{"characters": [{"name": ..., ...}]}``; absent numbers and None are
        shown as a dash.

    Returns
    -------
    text
        Lines that end with a line break; numbers beyond the study's are marked with ``!``,
        doubtful ones with ``?``.
    """
    characters: Sequence[Mapping[str, Any]] = report["characters"]
    if not characters:
        return "no characters\n"
    blocks = []
    for start in range(0, len(characters), _COLUMNS_AT_ONCE):
        block = characters[start : start + _COLUMNS_AT_ONCE]
        header = ["", *[str(c["name"]) for c in block], "study"]
        lines = [
            [row.label, *[write_cell(row, c.get(row.key)) for c in block], row.study]
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
            write_cell(shown[key], numbers.get(key)) if done else ""
            for key in ("frames", "feet_slide_worst", "knee_speed_ratio")
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


def write_cell(row: Row, value: float | None) -> str:
    """One number with its unit and, where it is doubtful or beyond the study, a mark."""
    if value is None:
        return "-"
    scale = 100.0 if row.unit == "percent" else 1.0
    shown = _write(value, row.unit, row.decimals)
    for mark, limit in (("! ", row.limit), ("? ", row.doubt)):
        if limit is not None and round(value * scale, row.decimals) > round(
            limit * scale, row.decimals
        ):
            return mark + shown
    return shown


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
    """What Fix Feet did with each character: shares of the leg before and after."""
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
