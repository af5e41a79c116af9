# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Real clips as one set of motions over a course, section by section, as docs/courses.md.

Run from the project's root with a bpy wheel: ``python -m benchmarks.courses [-o docs/courses.md]``.
The characters are read from the folder that SPL_TEST_DATA names (default ../shared/data); what is
absent is left out.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

import semi_procedural_locomotion
from semi_procedural_locomotion import api
from semi_procedural_locomotion.api.notes import tell_notes
from semi_procedural_locomotion.blender.reading.importing import import_file
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.motions.records import MotionSet
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.report.crossing_notes import note_crossings
from semi_procedural_locomotion.core.rig.structure import Rig
from semi_procedural_locomotion.core.walk import WalkPlan

from .courses_core import (
    FRAME_RATE,
    Section,
    SectionReport,
    list_pieces,
    make_course,
    measure_sections,
)

CLIPS = (
    "Walking_A",
    "Walking_B",
    "Running_A",
    "Running_Strafe_Left",
    "Running_Strafe_Right",
    "Walking_Backwards",
)
FILES = {
    "KayKit medium": ("kaykit/Med_MovementBasic.glb", "kaykit/Med_MovementAdvanced.glb"),
    "KayKit Rogue": ("kaykit/Rogue.glb",),
}
IDLE = "Idle"
WALK, RUN = "Walking_A", "Running_A"
# Title, name in the report, scale, digits and limit.
COLUMNS = (
    ("slide %", "slide_worst", 100.0, 2, 0.4),
    ("near-ground %", "near_ground_speed_p95", 100.0, 1, 14.0),
    ("sunk %", "sink_worst", 100.0, 2, 0.4),
    ("float %", "float_p99", 100.0, 2, 0.15),
    ("swing depth %", "swing_depth_worst", 100.0, 2, 1.8),
    ("deep frames %", "swing_deep_share", 100.0, 2, 1.2),
    ("foot turn deg", "foot_turn_excess", 1.0, 1, 10.0),
    ("knee", "knee_speed_ratio", 1.0, 2, 1.15),
    ("jerk", "hip_jerk_ratio", 1.0, 2, 1.05),
    ("reach", "reach_worst", 1.0, 3, 0.994),
    ("missed", "targets_missed", 1.0, 0, 0.0),
    ("fidelity %", "fidelity_rms", 100.0, 2, 0.8),
)


@dataclass(frozen=True)
class CourseWalk:
    """A character over its course."""

    name: str
    rig: Rig
    motions: MotionSet
    plan: WalkPlan
    sections: list[Section]


def load_character(files: Sequence[Path]) -> tuple[Rig, MotionSet]:
    """Rig of the first file with the motions of all, as one set."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    armatures, actions = [], {}
    for path in files:
        before = set(bpy.data.actions)
        armatures += import_file(path).armatures
        for action in sorted(set(bpy.data.actions) - before, key=lambda a: a.name):
            actions.setdefault(action.name.rpartition("|")[2], action)
    character = api.find_character(armatures[0])
    choices = [api.MotionChoice(actions[name]) for name in CLIPS]
    if IDLE in actions:
        choices.insert(0, api.MotionChoice(actions[IDLE], rest=True))
    findings = api.analyze_actions(character, choices)
    return character.rig, api.make_motion_set(character, findings)


def walk_course(name: str, rig: Rig, motions: MotionSet) -> CourseWalk:
    """The whole course on flat ground, at the speeds of the character's own walk and run."""
    own = {motion.name.rpartition("|")[2]: motion for motion in motions.motions}
    facing = float(np.arctan2(rig.forward[1], rig.forward[0]))
    pieces = list_pieces(own[WALK].speed, own[RUN].speed)
    travel, sections = make_course(pieces, own[WALK].period, facing)
    plan = make_plan(rig, motions, travel, FlatGround())
    return CourseWalk(name, rig, motions, plan, sections)


def list_walks(data: Path) -> list[CourseWalk]:
    """All characters whose files are there."""
    walks = []
    for name, files in FILES.items():
        paths = [data / file for file in files]
        if all(path.is_file() for path in paths):
            walks.append(walk_course(name, *load_character(paths)))
    return walks


def write_table(walk: CourseWalk, reports: Sequence[SectionReport]) -> list[str]:
    """One character's table in Markdown; numbers beyond the study's limit are bold."""
    length = walk.rig.leg_length
    titles = ["section", *(c[0] for c in COLUMNS), "sole gap % (source)", "crossed (source)"]
    lines = [f"## {walk.name}", "", f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for entry in reports:
        cells = [entry.section.name]
        for _, key, scale, digits, limit in COLUMNS:
            value = getattr(entry.report, key)
            text = "" if value is None else f"{value * scale:.{digits}f}"
            cells.append(f"**{text}**" if text and float(text) > limit else text)
        gaps = [g.soles.min() / length * 100.0 for g in (entry.gaps, entry.source_gaps)]
        crossed = [int(g.crossed.sum()) for g in (entry.gaps, entry.source_gaps)]
        cells += [f"{gaps[0]:.1f} ({gaps[1]:.1f})", f"{crossed[0]} ({crossed[1]})"]
        lines.append(f"| {' | '.join(cells)} |")
    names = [leg.name for leg in walk.rig.legs]
    start, end = walk.sections[0].start, walk.sections[-1].end
    notes = note_crossings(walk.plan, names, start, end, FRAME_RATE)
    return [*lines, "", *(f"- {text}" for text in tell_notes(notes)), ""]


def main(arguments: list[str]) -> int:
    """Write the tables; 0 where something could be measured."""
    parser = argparse.ArgumentParser(prog="benchmarks.courses", description=__doc__)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args(arguments)
    semi_procedural_locomotion.register()
    default = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
    walks = list_walks(Path(os.environ.get("SPL_TEST_DATA") or default))
    lines = [
        "# Courses",
        "",
        "Made by `python -m benchmarks.courses -o docs/courses.md`. Shares are of the leg; **bold** is",
        "beyond the study's column. *Knee* is a ratio to the blended source: it is large on side steps",
        "and first steps, where the source hardly moves its knees. *Fidelity* and *reach* are as in",
        "[Numbers on every ground](grounds.md).",
        "",
    ]
    for walk in walks:
        lines += write_table(walk, measure_sections(walk.plan, walk.sections))
    text = "\n".join(lines)
    if options.output is not None:
        options.output.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0 if walks else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
