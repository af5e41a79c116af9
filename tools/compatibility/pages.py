# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What was found, as a table for programs and as a page for people."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from semi_procedural_locomotion.core.report.verdicts import BARS, judge_number

from .strips import name_colour
from .verdicts import REFUSED, RIGHT, TOLD, WRONG, Truth, judge_file, judge_ground

_NUMBERS = tuple(bar.key for bar in BARS)
_SEEN = ("slip", "depth", "float", "jump", "standing", "least_standing", "way", "aside")
_STYLE = """
body { font: 13px/1.4 sans-serif; margin: 1.5em; color: #222 }
table { border-collapse: collapse } td, th { padding: 1px 7px; text-align: left; vertical-align: top }
section { border-top: 1px solid #bbb; margin-top: 1.2em; padding-top: .4em }
h2 { font-size: 15px; margin: .2em 0 } img { display: block; max-width: 100% }
.right { background: #d5efd5 } .told { background: #fdf0c0 } .refused { background: #dfe3ea }
.wrong { background: #f7c6c0 } .bad { color: #b00020; font-weight: bold } .doubtful { color: #8a6100 }
.v { padding: 0 .5em; border-radius: 3px } small { color: #666 } ul { margin: .2em 0 }
"""


def write_table(
    path: Path, trials: Sequence[Mapping[str, Any]], truths: Mapping[str, Truth]
) -> None:
    """One row a file and ground, as CSV."""
    rows = [row for found in trials for row in _list_rows(found, truths.get(found["path"]))]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys(key for row in rows for key in row)))
        writer.writeheader()
        writer.writerows(rows)


def write_page(
    path: Path, trials: Sequence[Mapping[str, Any]], truths: Mapping[str, Truth]
) -> None:
    """A page with the pictures; they lie in the folder ``files`` beside it."""
    verdicts = [judge_file(found, truths.get(found["path"])) for found in trials]
    rows = "".join(
        f"<tr><td><a href='#{number}'>{escape(found['path'])}</a></td>"
        f"<td><span class='v {verdict.kind}'>{verdict.kind}</span></td>"
        f"<td>{len(found.get('legs', [])) or ''}</td><td>{escape(verdict.reason[:220])}</td></tr>"
        for number, (found, verdict) in enumerate(zip(trials, verdicts, strict=True))
    )
    parts = [
        f"<!doctype html><meta charset='utf-8'><title>Compatibility</title><style>{_STYLE}</style>",
        f"<h1>Compatibility</h1><p>{escape(summarize(trials, truths))}</p>",
        f"<table><tr><th>file<th>verdict<th>legs<th>reason</tr>{rows}</table>",
    ]
    for number, (found, verdict) in enumerate(zip(trials, verdicts, strict=True)):
        parts.append(f"<section id='{number}'><h2>{escape(found['path'])} ")
        parts.append(f"<span class='v {verdict.kind}'>{verdict.kind}</span></h2>")
        parts.append(f"<p>{escape(verdict.reason)}</p>{''.join(_tell_file(found))}</section>\n")
    path.write_text("".join(parts), encoding="utf-8")


def summarize(trials: Sequence[Mapping[str, Any]], truths: Mapping[str, Truth]) -> str:
    """One line: how many are right."""
    verdicts = [judge_file(found, truths.get(found["path"])) for found in trials]
    counts = Counter(verdict.kind for verdict in verdicts)
    rest = ", ".join(f"{count} {kind}" for kind, count in counts.most_common() if kind != RIGHT)
    text = f"{counts[RIGHT]} of {len(trials)} right"
    return f"{text}; {rest}" if rest else text


def list_summary(trials: Sequence[Mapping[str, Any]], truths: Mapping[str, Truth]) -> Iterator[str]:
    """Lines of a table in Markdown: verdicts of each character over its relatives, and what is told."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for found in trials:
        groups.setdefault(Path(found["path"]).stem.partition("__")[0], []).append(found)
    yield "| character | files | right | told | refused | wrong | what is told or wrong |"
    yield "|---|---|---|---|---|---|---|"
    for name, files in groups.items():
        verdicts = [judge_file(found, truths.get(found["path"])) for found in files]
        counts = Counter(verdict.kind for verdict in verdicts)
        numbers = " | ".join(str(counts[kind] or "") for kind in (RIGHT, TOLD, REFUSED, WRONG))
        told = Counter(kind for found in files for kind in _list_grave(found))
        words = [f"{kind.replace('_', ' ')} {count}" for kind, count in told.most_common()]
        words += sorted({v.reason for v in verdicts if v.kind in (REFUSED, WRONG)})
        yield f"| {name} | {len(files)} | {numbers} | {'; '.join(words).replace('|', '/')} |"


def _list_grave(found: Mapping[str, Any]) -> set[str]:
    """Kinds of the grave notes about the walks of a file."""
    notes = [note for ground in found.get("grounds", []) for note in ground.get("notes", [])]
    return {note["kind"] for note in notes if note["severity"] == "walk"}


def _list_rows(found: Mapping[str, Any], truth: Truth | None) -> Iterator[dict[str, Any]]:
    """Rows of one file; one without a ground where none was tried."""
    verdict = judge_file(found, truth)
    walk, source, times = found.get("walk") or {}, found.get("source") or {}, found.get("times", {})
    head = {
        "file": found["path"],
        "file_verdict": verdict.kind,
        "file_reason": verdict.reason,
        "armature": found.get("name", ""),
        "legs": len(found.get("legs", [])),
        "joints": " | ".join(_name_leg(leg) for leg in found.get("legs", [])),
        "forward": " ".join(f"{v:.3f}" for v in found.get("forward", [])),
        "body": found.get("root", ""),
        "leg_length": found.get("leg_length", ""),
        "confidence": found.get("confidence", ""),
        "doubts": " | ".join(found.get("reasons", [])),
        "walk": walk.get("action", ""),
        "speed": walk.get("speed", ""),
        "period": walk.get("period", ""),
        "seen_speed": source.get("speed", ""),
        "ticked": " | ".join(found.get("ticked", [])),
        "motions": " | ".join(_name_motion(motion) for motion in found.get("motions", [])),
        "seconds": found.get("seconds", ""),
        **{f"seconds {step}": times.get(step, "") for step in ("open", "find", "set up")},
    }
    for ground in found.get("grounds") or [{}]:
        own = judge_ground(found, ground) if ground else verdict
        name = ground.get("ground", "")
        yield {
            **head,
            "ground": name,
            "verdict": own.kind,
            "reason": own.reason,
            **{key: ground.get(key, "") for key in _NUMBERS},
            **{f"seen {key}": ground.get("seen", {}).get(key, "") for key in _SEEN},
            "seconds bake": times.get(f"bake {name}", ""),
            "warnings": " | ".join(ground.get("warnings", [])),
        }


def _tell_file(found: Mapping[str, Any]) -> Iterator[str]:
    """A file in words and pictures."""
    for line in [*found.get("said", []), *found.get("error", "").splitlines()]:
        yield f"<code>{escape(line)}</code><br>"
    if "legs" in found:
        yield _tell_findings(found)
    for label, picture in found.get("pictures", []):
        yield f"<img loading='lazy' src='files/{escape(picture)}' alt='{escape(label)}'>"
    for ground in found.get("grounds", []):
        verdict = judge_ground(found, ground)
        yield f"<h3>{ground['ground']} <span class='v {verdict.kind}'>{verdict.kind}</span> "
        yield f"<small>{escape(verdict.reason)}</small></h3>"
        if "picture" in ground:
            yield f"<img loading='lazy' src='files/{escape(ground['picture'])}' alt=''>"
        yield "".join(f"<code>{escape(s)}</code><br>" for s in ground.get("error", "").splitlines())
        if "seen" in ground:
            yield f"<p>seen: {_write_numbers(ground['seen'], _SEEN)}<br>"
            yield f"report: {_write_numbers(ground, _NUMBERS)}</p>"
            yield f"<ul>{''.join(f'<li>{escape(text)}' for text in ground['warnings'])}</ul>"


def _tell_findings(found: Mapping[str, Any]) -> str:
    """Legs and motions as tables."""
    walk, source = found.get("walk") or {}, found.get("source") or {}
    legs = "".join(
        f"<tr><td style='color:{name_colour(number)}'>&#9632; {escape(leg['name'])}<td>{leg['side']}"
        f"<td>{escape(_name_leg(leg))}<td>{leg['confidence']}<td>{escape('; '.join(leg['reasons']))}"
        for number, leg in enumerate(found["legs"])
    )
    motions = "".join(
        f"<tr><td>{'&#10003;' if m['action'] in found.get('ticked', []) else ''}"
        f"<td>{escape(m['action'])}<td>{m['kind']}<td>{m.get('speed', '')}<td>{m.get('period', '')}"
        f"<td>{escape('; '.join(m['warnings'])[:300])}"
        for m in found["motions"]
        if m["kind"] != "other"
    )
    others = [m for m in found["motions"] if m["kind"] == "other"]
    told = "".join(
        f"<li>{escape(m['action'])}: {escape('; '.join(m['warnings'])[:200])}" for m in others
    )
    times = ", ".join(f"{step} {seconds}" for step, seconds in found["times"].items())
    return (
        f"<p>{escape(found['name'])}: faces {found['forward']}, body {escape(found['root'])}, leg "
        f"{found['leg_length']:.4g} m, confidence {found['confidence']} "
        f"<small>{escape('; '.join(found['reasons']))}</small><br>walks with "
        f"{escape(str(walk.get('action')))} at {walk.get('speed')} m/s, the feet are seen to go "
        f"{source.get('speed')} m/s; measured by {found.get('measured_by', '')}<br>"
        f"<small>seconds: {times}</small></p><table>{legs}</table><table>{motions}</table>"
        f"<details><summary>{len(others)} other motions</summary><ul>{told}</ul></details>"
    )


def _name_leg(leg: Mapping[str, Any]) -> str:
    return " > ".join([*leg["bones"], *([leg["toe"]] if leg["toe"] else [])])


def _name_motion(motion: Mapping[str, Any]) -> str:
    if motion["kind"] != "cycle":
        return f"{motion['action']}: {motion['kind']}"
    return f"{motion['action']}: {motion['speed']} m/s, {motion['period']} s"


def _write_numbers(values: Mapping[str, Any], keys: Sequence[str]) -> str:
    """Numbers with their names; those beyond their bars stand out."""
    parts = []
    for key in keys:
        value = values.get(key)
        if value is None:
            continue
        kind = judge_number(key, value) or ""
        parts.append(f"{key} <span class='{kind}'>{value:.3g}</span>")
    return " &middot; ".join(parts)
