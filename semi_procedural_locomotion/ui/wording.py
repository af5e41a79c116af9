# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What operators tell in words."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ..api import BakeResult, make_motion_set
from ..api.fixing import FixResult
from ..api.importing import ImportedCharacter
from ..api.notes import (
    find_units,
    gather_motion_notes,
    is_remark,
    sort_notes,
    tell_doubts,
    tell_notes,
)
from ..api.reports import MeasuredWalk
from ..api.set_up_work import FoundAnalyses, FoundSetUp
from ..api.transfers import MadeTransfers
from ..core.motions.plainness import find_plain_walk
from ..core.report.shown_measures import ShownReport
from ..errors import AnalysisError
from ..notes import Note, NoteKind


def count(number: int, noun: str) -> str:
    """A number with its noun, in the plural where it is not one."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def describe_set_up(found: FoundSetUp, names_it: bool) -> str:
    """Such as ``Found 2 legs, 5 motions, 1.31 m/s``; with a question where they may be none."""
    used = [f for f, m in zip(found.findings, found.motions, strict=True) if m.is_ticked]
    parts = [
        count(len(found.character.rig.legs), "leg"),
        count(len(used), "motion"),
    ]
    try:
        motions = make_motion_set(found.character, used)
        speed = motions.motions[find_plain_walk(motions.motions, found.character.rig)].speed
        parts.append(find_units().write_speed(speed))
    except AnalysisError:
        parts.append("none of them walks")
    if found.controls is not None and found.controls.bones:
        parts.append(count(len(found.controls.bones), "control"))
    if found.character.doubts:
        parts.append(f"confidence {found.character.confidence:.0%}")
    asked = "Please check the legs: found" if asks_to_check(found) else "Found"
    return _name(found.character.armature.name, names_it, f"{asked} {', '.join(parts)}")


def asks_to_check(found: FoundSetUp) -> bool:
    """Whether the user shall look at the legs that were found before all else."""
    return any(note.kind is NoteKind.LEGS_UNSURE for note in found.character.doubts)


def describe_analyses(found: FoundAnalyses, names_it: bool) -> str:
    """Such as ``Analyzed 5 motions, 1 is no locomotion, 3 have warnings``."""
    parts = [f"Analyzed {count(len(found.findings), 'motion')}"]
    others = sum(f.motion is None for f in found.findings)
    if others:
        parts.append(f"{others} {'is' if others == 1 else 'are'} no locomotion")
    warned = sum(f.motion is not None and not all(map(is_remark, f.notes)) for f in found.findings)
    if warned:
        parts.append(f"{warned} {'has' if warned == 1 else 'have'} warnings")
    return _name(found.character.armature.name, names_it, ", ".join(parts))


def describe_transfers(made: MadeTransfers, armature: bpy.types.Object) -> str:
    """Such as ``Transferred 3 clips to Hero, 1.31 m/s``."""
    speeds = [f.motion.speed for f in made.findings if f.motion is not None and f.motion.is_cycle]
    speed = f", {find_units().write_speed(speeds[0])}" if speeds else ""
    return f"Transferred {count(len(made.actions), 'clip')} to {armature.name}{speed}"


def describe_import(made: ImportedCharacter) -> str:
    """Such as ``Imported Hero with 3 clips: found 2 legs, 5 motions, 1.31 m/s``."""
    name, clips = made.armature.name, count(len(made.clips), "clip")
    if made.found is None:
        return f"Gave {name} {clips}"
    clips = f" with {clips}" if made.clips else ""
    if any(clip.is_transferred for clip in made.clips):
        # These came after the set-up, which may have found no walk without them.
        ticked = sum(entry.enabled for entry in made.armature.locomotion.motions)
        legs = count(len(made.found.character.rig.legs), "leg")
        return f"Imported {name}{clips}: found {legs}, {count(ticked, 'motion')}"
    found = describe_set_up(made.found, names_it=False)
    return f"Imported {name}{clips}: {found[:1].lower()}{found[1:]}"


def list_doubts(found: FoundSetUp) -> list[str]:
    """Why the legs that were found may be the wrong ones, in words."""
    return tell_doubts(sort_notes(found.character.doubts))


def list_warnings(found: FoundAnalyses) -> list[str]:
    """List what to mind of analysed motions, each warning once and led by its motion."""
    return tell_notes(sort_notes(gather_motion_notes((f.action, f.notes) for f in found.findings)))


def describe_bake(armature: bpy.types.Object, baked: BakeResult, names_it: bool) -> str:
    """Such as ``Baked frames 1 to 250, worst slide 2.1 mm``."""
    first, last = baked.frames
    text = f"Baked frames {first} to {last}{_tell_slide(baked.report)}"
    seen = baked.verification
    if seen is not None and not seen.is_clean:
        text += f", shown {find_units().write_length(seen.length)} off the plan"
    if baked.edits:
        text += f", kept {count(len(baked.edits), 'edit')}"
    return _name(armature.name, names_it, text + _count_notes(baked.notes))


def describe_measured(walk: MeasuredWalk, names_it: bool) -> str:
    """Such as ``Looked at 250 frames, worst slide 2.1 mm, 1 warning``."""
    text = f"Looked at {count(walk.report.frames, 'frame')}{_tell_slide(walk.report)}"
    return _name(walk.name, names_it, text + _count_notes(walk.notes))


def _tell_slide(report: ShownReport) -> str:
    """The worst slide of a walk, empty where it is not known."""
    slide = report.shown_slip_worst
    if slide is None:
        return ""
    return f", worst slide {find_units().write_length(slide * report.leg_length)}"


def _count_notes(notes: Sequence[Note]) -> str:
    """Count how many warnings and remarks there are, empty for none."""
    remarks = sum(map(is_remark, notes))
    counts = ((len(notes) - remarks, "warning"), (remarks, "remark"))
    return "".join(f", {count(number, noun)}" for number, noun in counts if number)


def describe_fix(armature: bpy.types.Object, fixed: FixResult, names_it: bool) -> str:
    """Such as ``Planted 11 stances in frames 1 to 120, slide 2.3 % to 0.1 % of the leg``."""
    first, last = fixed.frames
    text = f"Planted {count(sum(fixed.stances.values()), 'stance')} in frames {first} to {last}"
    if not fixed.stances:
        text = f"Smoothed the hips in frames {first} to {last}"
    none = [name for name, found in fixed.stances.items() if not found]
    if none:
        text += f", none of {' and '.join(none)}"
    slides = (fixed.before.shown_slip_worst, fixed.after.shown_slip_worst)
    if slides[0] is not None and slides[1] is not None:
        text += f", slide {100.0 * slides[0]:.1f} % to {100.0 * slides[1]:.1f} % of the leg"
    if fixed.kept:
        text += f", kept {count(fixed.kept, 'edit')}"
    return _name(armature.name, names_it, text)


def _name(name: str, names_it: bool, text: str) -> str:
    """The text, led by whose it is where there are several."""
    return f"{name}: {text}" if names_it else text
