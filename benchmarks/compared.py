# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The program beside what one would do without it, by one meter, as docs/compared.md.

Run from the project's root with a bpy wheel: ``python -m benchmarks.compared [-o docs/compared.md]
[--only Fox,Wolf] [--grounds flat,stairs] [--numbers FOLDER]``. Characters of other people are read from
the folder that SPL_TEST_DATA names (default ../shared/data) and left out where they are absent. Numbers
are kept in a folder, a file for each character, and those that are there already are taken from it;
``--methods "clip,IK feet"`` measures some alone.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import textwrap
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import bpy

import semi_procedural_locomotion
from semi_procedural_locomotion.requests.travels import StraightAhead
from tools.compatibility.placing import add_ground

from .bars import BARS, count_beyond
from .ordinary import add_tips, move_clip, playing, read_ankles, step_with_controls
from .original import read_cycle, walk_as_published
from .seen import measure_pace
from .stages import (
    GROUNDS,
    SLOWED,
    Actor,
    bake,
    choose_parts,
    count_frames,
    find_way,
    look,
    make_ground,
    measure,
    open_actor,
)

Numbers = dict[str, float | None]
# Those of the program, whose numbers beyond the bar are bold.
_OURS = ("program", "unslowed")
METHODS = {
    "program": "the program, its settings as they come: it slows down on climbs",
    "unslowed": "the program at the clip's own speed wherever it goes",
    "clip": "the clip as it is, its object moved at the speed that the program finds, as high as the "
    "ground under its origin",
    "IK feet": "IK and Copy Rotation on every leg; an empty below each ankle, held on the ground by a "
    "Shrinkwrap constraint, carries the foot's control at the height that the ankle has in the clip; the "
    "body goes over the mean of the ground half a cycle around it, as a way drawn by hand would",
    "original": "the published formulas of Johansen's method on the same rig (`benchmarks/original.py` "
    "says what is not its own); prints exact, as its prediction is on a straight way, and planted",
}


def measure_character(
    actor: Actor, grounds: Sequence[str], methods: Sequence[str]
) -> dict[str, dict[str, Numbers]]:
    """Numbers of a character, by ground and method."""
    courses = {name: make_ground(name, actor) for name in grounds}
    counts = {name: count_frames(actor, course) for name, course in courses.items()}
    level = make_ground("flat", actor)
    flat = move_clip(actor, level, count_frames(actor, level))
    clip = measure_pace(flat.feet, flat.sight.bones, actor.joints)
    found: dict[str, dict[str, Numbers]] = {name: {} for name in grounds}
    for name, course in courses.items():
        if "program" in methods:
            slows = name in ("ramp", "stairs")
            count = int(count_frames(actor, course) * (SLOWED if slows else 1.0))
            shown = bake(actor, course, None, StraightAhead(), count)[0]
            found[name]["program"] = measure(actor, shown, course, clip)
            if slows:
                # Hips that slow down on purpose have no speed to keep.
                found[name]["program"]["surge"] = None
        if "unslowed" in methods:
            found[name]["unslowed"] = measure(actor, bake(actor, course)[0], course, clip)
        if "clip" in methods:
            found[name]["clip"] = measure(
                actor, move_clip(actor, course, counts[name]), course, clip
            )
        sys.stderr.write(f"{actor.name}: {name}\n")
    if not {"IK feet", "original"} & set(methods):
        return found
    # The helper bones stay, so what needs them comes last.
    add_tips(actor)
    most = max(counts.values())
    ankles = read_ankles(actor, most)
    with playing(actor, most):
        cycle = read_cycle(actor, look(actor, find_way(actor), range(1, most + 1)))
    for name, course in courses.items():
        if "IK feet" in methods:
            item = add_ground(course, find_way(actor))
            shown = step_with_controls(actor, course, item, ankles.cut(counts[name]))
            bpy.data.objects.remove(item)
            found[name]["IK feet"] = measure(actor, shown, course, clip)
        if "original" in methods:
            shown = walk_as_published(actor, course, cycle, ankles.cut(counts[name]))
            found[name]["original"] = measure(actor, shown, course, clip)
    return found


def write_table(name: str, found: dict[str, dict[str, Numbers]]) -> list[str]:
    """One character's table; what of the program is beyond the bar is bold."""
    titles = ["ground", "way", *(bar.title for bar in BARS)]
    lines = [f"## {name}", "", f"| {' | '.join(titles)} |", "|" + " --- |" * len(titles)]
    for ground, methods in found.items():
        limits = (bar.find(ground) for bar in BARS)
        cells = ["clip's" if limit is None else f"{limit:g}" for limit in limits]
        lines.append(f"| {ground} | *bar* | {' | '.join(cells)} |")
        for method, numbers in ((name, methods[name]) for name in METHODS if name in methods):
            cells = []
            for bar in BARS:
                value, own = numbers.get(bar.key), methods["clip"].get(bar.key)
                is_beyond = method in _OURS and not bar.is_kept(value, ground, own)
                cells.append(f"**{bar.write(value)}**" if is_beyond else bar.write(value))
            lines.append(f"| | {method} | {' | '.join(cells)} |")
    return [*lines, ""]


def write_summary(all_found: dict[str, dict[str, dict[str, Numbers]]]) -> list[str]:
    """How many numbers are within the bar, by method and ground."""
    kept: dict[tuple[str, str], int] = defaultdict(int)
    known: dict[tuple[str, str], int] = defaultdict(int)
    for found in all_found.values():
        for ground, methods in found.items():
            for method, numbers in methods.items():
                count = sum(numbers.get(bar.key) is not None for bar in BARS)
                known[method, ground] += count
                kept[method, ground] += count - count_beyond(numbers, ground, methods["clip"])
    grounds = list(dict.fromkeys(ground for _, ground in known))
    lines = [f"| way | {' | '.join(grounds)} |", "|" + " --- |" * (len(grounds) + 1)]
    for method in METHODS:
        cells = [f"{kept[method, g]} of {known[method, g]}" for g in grounds]
        lines.append(f"| {method} | {' | '.join(cells)} |")
    return [*lines, ""]


def wrap_item(text: str) -> str:
    """An item of a list in lines of a page."""
    return textwrap.fill(text, 100, initial_indent="- ", subsequent_indent="  ")


def write_page(all_found: dict[str, dict[str, dict[str, Numbers]]]) -> str:
    """The whole page."""
    lines = [
        "# Compared",
        "",
        "Made by `python -m benchmarks.compared -o docs/compared.md`, which looks at the bones and",
        "meshes that the scene shows (`benchmarks/seen.py`). Nothing is asked of plans and reports but",
        "*missed*. All walks go straight on, and begin and end in motion.",
        "",
        *(wrap_item(f"*{name}*: {text}.") for name, text in METHODS.items()),
        "",
        "Slip, depth and float are percent of the leg. *Near-ground* is the speed of a foot's lowest",
        "vertex near the ground or in it, as a share of the walk's speed: it tells of feet that skate",
        "or skim. *Foot's way* (largest in a frame), *knee* (fastest turn of an inner joint) and *jerk*",
        "(of the hips) are ratios to the clip over flat ground. *Fold* is how much further a joint",
        "bends than the clip's ever does. *Surge* is how far the hips' speed leaves the clip's own",
        "range. *Missed* counts ankles off their target. The last column has frames without a foot on",
        "the ground. **Bold** is beyond the bar.",
        "",
        "Numbers within the bar, all characters together:",
        "",
        *write_summary(all_found),
        *map(wrap_item, REASONS),
        "",
    ]
    for name, found in all_found.items():
        lines += write_table(name, found)
    return "\n".join(lines)


REASONS = (
    "The clip keeps its own ratios by definition, wherever it goes.",
    "*Unslowed*, a step spans two to three treads and climbs them in the time of a level step. A walk "
    "that slows down takes a tread a step.",
    "*Spider*, *Rogue* and *Horse*: feet of few vertices, or shoes as long as the leg, rest on edges "
    "between their vertices, where a meter of vertices sees slip, depth or no contact.",
    "*Wolf* hardly lifts its paws in its clip, and its paws skate there; knees of feet that stand and "
    "clear treads turn faster.",
    "*KayKit* has no mesh of its body: heads of its foot bones are measured, so a foot that rolls over "
    "its toes counts as lifted.",
)


def main() -> int:
    """Write the page; 0 where something could be measured."""
    parser = argparse.ArgumentParser(prog="benchmarks.compared", description=__doc__)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--only", type=lambda text: text.split(","))
    parser.add_argument("--grounds", type=lambda text: text.split(","), default=GROUNDS)
    parser.add_argument("--methods", type=lambda text: text.split(","), default=tuple(METHODS))
    parser.add_argument("--numbers", type=Path)
    options = parser.parse_args()
    data = Path(os.environ.get("SPL_TEST_DATA", "../shared/data"))
    semi_procedural_locomotion.register()
    found = {}
    for part in choose_parts(options.only):
        kept = None if options.numbers is None else options.numbers / f"{part.name}.json"
        known = {}
        if kept is not None and kept.is_file():
            known = json.loads(kept.read_text(encoding="utf-8"))
        methods = [
            name
            for name in options.methods
            if any(name not in known.get(ground, {}) for ground in options.grounds)
        ]
        actor = open_actor(part, data) if methods else None
        if actor is not None:
            for ground, numbers in measure_character(actor, options.grounds, methods).items():
                known.setdefault(ground, {}).update(numbers)
            if kept is not None:
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(json.dumps(known, indent=1), encoding="utf-8")
        if known:
            found[part.name] = known
    text = write_page(found)
    if options.output is not None:
        options.output.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
