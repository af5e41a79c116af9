# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of what walks are without each entry (standard library only)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .golden_records import Change, Numbers, compare

Tried = dict[str, dict[str, tuple[Numbers, bool, str]]]
"""By case and entry the rows of a walk, whether its keys are those with everything, and why it failed."""

_HEAD = """# What each part is for

Made by `bash tools/run ablate -o FILE`: {title}.

Each stage, pass and cost is left out of the planner, one at a time, and the walk is measured by what
the scene shows (`benchmarks/seen.py`, `benchmarks/seen_motion.py`): nothing is asked of plans. The walks
are baked at 60 frames a second. Lines tell every row that changes by more than the tolerance of the
golden suite (`benchmarks/golden_records.py`): its value with everything, and without the entry. An entry
is tried on the case that it was made for and on {cases}.
Entries and cases stand in `benchmarks/ablate_entries.py`, scenes in `benchmarks/ablate_scenes.py`.

Rows: *slip*, *sunk* (in contact), *deep* (in the swing), *float* and *crouch* (hips beside the clip on
flat ground) in lengths of the leg; *near* (speed near the ground) and *surge* (of the hips) in shares of
the walk's speed; *way* (of a foot in a frame), *knee* and *jerk* (of the hips) over the clip's; *bend*
(joints beyond the clip), *pitch* (of long bodies against the slope) and *squat* (standing joints beside
the clip) in degrees; *up*, *down* (ankles) and *touch* (touch-down) in m/s of a leg of 0.9 m; *turn*
(joints) in degrees a second, *whip* its change in degrees a frame of 24; *missed* ankles; *airborne*
share of frames; *crowd* (how much nearer two feet come to each other than in the clip) and *cut* (how
deep anything but feet is in the ground) in lengths of the leg. What no row tells, as how trunk, head and
arms are held, a test does: it is named where it fails without the entry.
"""


def write_table(
    entries: Sequence[tuple[str, str]],
    found: Tried,
    tests: Mapping[str, str],
    title: str,
    where: str,
) -> str:
    """The page of a tree.

    Parameters
    ----------
    entries
        Their names, and the cases that they were made for.
    found
        What came of their tries.
    tests
        By entry the node of a test that fails without it.
    title
        Which tree it is.
    where
        Where each is tried besides its own case.
    """
    lines = [_HEAD.format(title=title, cases=where)]
    rows, idle = [], []
    for name, made_for in entries:
        tried = {case: outcomes[name] for case, outcomes in found.items() if name in outcomes}
        if not tried:
            continue
        if name not in tests and all(is_same for _, is_same, _ in tried.values()):
            idle.append(f"| {name} | {made_for} | {', '.join(sorted(tried))} |")
            continue
        worse, better = _tell(tried, found)
        if name in tests:
            failed = f"fails: {tests[name].split('::')[-1]}"
            worse = failed if worse == "-" else f"{worse}<br>{failed}"
        rows.append(f"| {name} | {made_for} | {worse} | {better} |")
    lines += ["| entry | made for | worse without it | better without it |", "|---|---|---|---|"]
    lines += rows
    if idle:
        lines += ["", "## No effect anywhere", ""]
        lines += ["No key of any walk that was tried is another one without these.", ""]
        lines += ["| entry | made for | tried on |", "|---|---|---|", *idle]
    lines += ["", "## With everything", "", *_list_walks(found)]
    return "\n".join(lines) + "\n"


def _tell(tried: Mapping[str, tuple[Numbers, bool, str]], found: Tried) -> tuple[str, str]:
    """What is worse and what is better without an entry, a line for each row."""
    before = {case: found[case][""][0] for case, (_, _, error) in tried.items() if not error}
    after = {case: numbers for case, (numbers, _, error) in tried.items() if not error}
    changes = compare(before, after)
    failed = [
        f"{case}: no walk ({error})" for case, (_, _, error) in sorted(tried.items()) if error
    ]
    worse = [*failed, *(_write(change) for change in changes if change.is_worse)]
    better = [_write(change) for change in changes if not change.is_worse]
    return "<br>".join(worse) or "-", "<br>".join(better) or "-"


def _write(change: Change) -> str:
    """A row of a case before and after."""
    values = ["none" if v is None else f"{v:.3g}" for v in (change.before, change.after)]
    return f"{change.case}: {change.key} {values[0]} -> {values[1]}"


def _list_walks(found: Tried) -> list[str]:
    """The rows of all walks with everything."""
    keys = list(dict.fromkeys(key for outcomes in found.values() for key in outcomes[""][0]))
    lines = [f"| case | {' | '.join(keys)} |", f"|---{'|---' * len(keys)}|"]
    for case in sorted(found):
        numbers, _, error = found[case][""]
        if error:
            lines.append(f"| {case} | no walk: {error} |")
            continue
        values = ("" if numbers.get(k) is None else f"{numbers[k]:.3g}" for k in keys)
        lines.append(f"| {case} | {' | '.join(values)} |")
    return lines
