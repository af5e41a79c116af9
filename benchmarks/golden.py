# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters on courses with settings, held against kept numbers of what the scene shows.

Run from the project's root with a bpy wheel:

- ``python -m benchmarks.golden check`` tells what has changed by more than it may; 1 where one is worse.
- ``python -m benchmarks.golden write`` keeps the numbers of this tree in ``benchmarks/golden.json``.
- ``--pages FOLDER --label NAME`` leaves pictures and series of this tree there; with ``--before OTHER`` a
  page of both trees as well.
- ``--only Fox,Wolf``, ``--grounds flat,stairs``, ``--small`` choose cases.

Characters of other people are read from the folder that SPL_TEST_DATA names (default ../shared/data) and
left out where they are absent.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy  # noqa: F401  first, for Blender's own modules to be found
import numpy as np

import semi_procedural_locomotion
from semi_procedural_locomotion.requests.travels import StraightAhead, TravelSource
from tools.compatibility.courses import Course
from tools.compatibility.pictures import join_pictures, write_png
from tools.compatibility.strips import draw_frames

from .golden_pages import name_file, write_page
from .golden_records import compare, read_stored, write_stored
from .ordinary import move_clip
from .seen import list_series, list_stands, measure_pace
from .seen_motion import RATE, find_pitches, measure_beside
from .stages import (
    GROUNDS,
    SLOWED,
    Actor,
    Shown,
    bake,
    choose_parts,
    count_frames,
    make_ground,
    measure,
    measure_motion,
    open_actor,
)

# What a case walks with: its travel, for a character.
_SLOW = 0.6
SETTINGS = ("native", "slow", "stand", "paced")
# A few seconds each, of every kind of ground.
SMALL = ("biped/flat/native", "biped/stairs/native", "quadruped/bumps/native", "Fox/flat/stand")
_TILES, _TILE = 12, (110, 110)


@dataclass(frozen=True)
class Case:
    """One walk: character, ground and settings."""

    character: str
    ground: str
    setting: str

    def __str__(self) -> str:
        """Its name in files."""
        return f"{self.character}/{self.ground}/{self.setting}"


def list_cases(
    only: Sequence[str] | None, grounds: Sequence[str], is_small: bool
) -> dict[str, list[Case]]:
    """Cases by character; slow walks over stairs and bumps, starts and stops on flat ground.

    All but *paced* keep their speed wherever they go, so that their hips have one to keep.
    """
    found: dict[str, list[Case]] = {}
    for part in choose_parts(only):
        for ground in grounds:
            for setting in SETTINGS:
                case = Case(part.name, ground, setting)
                fits = {
                    "native": True,
                    "slow": ground in ("stairs", "bumps"),
                    "stand": ground == "flat",
                    "paced": ground in ("ramp", "stairs"),
                }
                if str(case) in SMALL if is_small else fits[setting]:
                    found.setdefault(part.name, []).append(case)
    return found


def walk(actor: Actor, case: Case, course: Course, rate: int | None = None) -> Shown:
    """Bake and look at one case, in the scene's frames or at another rate."""
    speed = actor.found["walk"]["speed"]
    travels: dict[str, TravelSource] = {
        "native": StraightAhead(slow_climbs=False),
        "slow": StraightAhead(speed=_SLOW * speed, slow_climbs=False),
        "stand": StraightAhead(start="stand", stop="stand"),
        "paced": StraightAhead(),
    }
    longer = {"slow": 1.0 / _SLOW, "paced": SLOWED}
    count = int(count_frames(actor, course) * longer.get(case.setting, 1.0))
    return bake(actor, course, None, travels[case.setting], count, rate)[0]


def hold_beside(actor: Actor, shown: Shown, course: Course, flat: Shown) -> dict[str, float]:
    """What of a walk on flat ground at its own speed is not as the clip has it."""
    stands = list_stands(
        shown.feet,
        shown.sight.bones,
        actor.joints,
        course.measure_clearances,
        actor.length,
        actor.found["fps"],
    )
    period = actor.found["walk"]["period"] * actor.found["fps"]
    standing = np.stack([stands[leg["name"]] for leg in actor.found["legs"]], axis=1)
    bones = shown.sight.bones, flat.sight.bones
    return measure_beside(*bones, actor.joints, standing, period, actor.length)


def run_cases(
    data: Path, cases: dict[str, list[Case]], pages: Path | None = None
) -> Iterator[tuple[str, dict[str, float | int | None]]]:
    """Numbers of each case whose character is there, and its files in a folder."""
    for part in choose_parts(list(cases)):
        actor = open_actor(part, data)
        if actor is None:
            continue
        level = make_ground("flat", actor)
        flat = move_clip(actor, level, count_frames(actor, level))
        clip = measure_pace(flat.feet, flat.sight.bones, actor.joints)
        pitches = find_pitches(flat.sight.bones, actor.joints)
        pitch = None if pitches is None else float(pitches.mean())
        for case in cases[part.name]:
            course = make_ground(case.ground, actor)
            shown = walk(actor, case, course)
            numbers = measure(actor, shown, course, clip)
            numbers |= measure_motion(actor, walk(actor, case, course, RATE), course, pitch)
            if case.ground == "flat" and case.setting == "native":
                numbers |= hold_beside(actor, shown, course, flat)
            if case.setting in ("stand", "paced"):
                # A walk whose speed changes has no even one that its hips could leave.
                numbers["surge"] = None
            if pages is not None:
                keep_files(pages, actor, case, shown, course, numbers)
            yield str(case), numbers


def keep_files(
    folder: Path,
    actor: Actor,
    case: Case,
    shown: Shown,
    course: Course,
    numbers: dict[str, float | int | None],
) -> None:
    """Picture, series and numbers of one case."""
    series = list_series(
        shown.feet, shown.sight.bones, actor.joints, course.measure_clearances, actor.length
    )
    folder.mkdir(parents=True, exist_ok=True)
    entry = {
        "case": str(case),
        "numbers": numbers,
        "series": {name: np.round(row, 4).tolist() for name, row in series.items()},
    }
    name = name_file(str(case))
    (folder / f"{name}.json").write_text(json.dumps(entry), encoding="utf-8")
    frames = np.linspace(0, len(shown.frames) - 1, _TILES).round().astype(int)
    tiles = draw_frames(shown.sight, actor.cast, actor.found, course, frames, _TILE, True)
    write_png(folder / f"{name}.png", join_pictures(tiles, 2))


def main(arguments: Sequence[str] | None = None) -> int:
    """Check or write; 1 where something is worse than what is kept."""
    parser = argparse.ArgumentParser(prog="benchmarks.golden", description=__doc__)
    parser.add_argument("task", choices=("check", "write"))
    parser.add_argument("--only", type=lambda text: text.split(","))
    parser.add_argument("--grounds", type=lambda text: text.split(","), default=GROUNDS)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--pages", type=Path)
    parser.add_argument("--label", default="after")
    parser.add_argument("--before")
    options = parser.parse_args(arguments)
    data = Path(os.environ.get("SPL_TEST_DATA", "../shared/data"))
    semi_procedural_locomotion.register()
    cases = list_cases(options.only, options.grounds, options.small)
    pages = None if options.pages is None else options.pages / options.label
    found = {}
    for name, numbers in run_cases(data, cases, pages):
        found[name] = numbers
        sys.stderr.write(f"{name}\n")
    if options.pages is not None and options.before is not None:
        print(write_page(options.pages, options.before, options.label))
    changes = compare(read_stored(), found)
    for change in changes:
        print(change)
    print(f"{len(found)} walks, {len(changes)} numbers changed")
    if options.task == "write":
        write_stored(found)
        return 0
    return int(any(change.is_worse for change in changes))


if __name__ == "__main__":
    sys.exit(main())
