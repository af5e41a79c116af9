# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Baked walks measured by what Blender shows of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

import bpy
import numpy as np

from ..blender.bake.actions import bake_lifted, read_bake
from ..blender.bake.edits import find_edited_curves
from ..blender.bake.influences import note_constraints
from ..blender.setup.fix_records import is_cleaned
from ..blender.travel.reading import read_speed_curve
from ..blender.values.bake_record import find_left_bake
from ..blender.values.scene_state import get_frame_rate
from ..core.plan import solve_poses
from ..core.report.plots import WalkPlots, draw_walk_plots
from ..core.report.shown import ShownWalk
from ..core.report.shown_measures import ShownReport
from ..core.report.spans import NotedSpan
from ..core.report.walk_notes import note_shown
from ..core.travel.speeds import SpeedCurve
from ..core.walk import SolvedWalk, WalkPlan
from ..errors import BakeError, LocomotionError
from ..notes import Note, NoteKind
from ..requests.plans import PlanRequest
from ..requests.travels import Paced, SpeedKeys
from . import setups
from .characters import make_motion_set
from .layers import read_walk_weights
from .limits import REPORT
from .notes import (
    CAUSES,
    OFF_GROUND,
    count_misses,
    plain_notes,
    put_causes_first,
    tell_case,
    tell_cure,
    tell_notes,
)
from .planning import plan_walk
from .present_feet import read_present_character
from .render_notes import note_renders
from .shown_walks import find_skin_off, measure_evaluated, measure_solved, note_skin
from .verifying import (
    Verification,
    agrees,
    check_showing,
    keeps_expectation,
    note_outdated,
    note_verification,
    verify_baked,
    verify_planned,
)
from .walk_notes import note_motions, note_prepared
from .walls import note_walls
from .wording import Reader

# Numbers that are measured between frames as well.
BETWEEN_KEYS = ("slip_worst", "sink_worst", "float_p99", "swing_depth_worst")


@dataclass(frozen=True)
class MeasuredWalk:
    """A baked walk as Blender shows it.

    Attributes
    ----------
    name
        Of the armature object.
    plan
        Made again from the stored set-up.
    planned
        Its solution at the walk's frames.
    shown
        What is shown at them.
    report
        The numbers.
    verification
        How far it is from what its bake meant to show.
    edited
        Data path and index of curves whose keys were changed by hand.
    notes
        What to mind, the gravest first.
    between
        The numbers of the frames and of the middle between them, as a render with motion blur shows
        them.
    skin_off
        See `find_skin_off`.
    """

    name: str
    plan: WalkPlan
    planned: SolvedWalk
    shown: ShownWalk
    report: ShownReport
    verification: Verification
    edited: tuple[tuple[str, int], ...]
    notes: tuple[Note, ...]
    between: ShownReport
    skin_off: dict[str, float]

    def as_dict(self, reader: Reader = Reader.PANEL, *, with_plan: bool = False) -> dict[str, Any]:
        """The entry in report.json, with the frame and foot of each worst number.

        Parameters
        ----------
        reader
            Who reads the warnings.
        with_plan
            Whether ``plan`` tells the same numbers of the walk as it was solved, for development.
        """
        entry = self.report.as_dict(self.name)
        entry["warnings"] = tell_notes(self.notes, reader)
        entry["notes"] = plain_notes(self.notes)
        entry["targets_missed"] = count_misses(self.notes)
        entry["shown_off_plan"] = self.verification.share
        entry["edited_curves"] = [f"{path}[{index}]" for path, index in self.edited]
        entry["worst"] = {key: asdict(place) for key, place in self.report.worst.items()}
        for key in BETWEEN_KEYS:
            entry[f"between_{key}"] = getattr(self.between, f"shown_{key}")
        if with_plan:
            solved = measure_solved(self.plan, self.planned, self.shown.frames)
            entry["plan"] = solved.as_dict(self.name)
        return entry

    def draw(self) -> dict[str, str]:
        """The plots as SVG documents by what they show."""
        return draw_walk_plots(
            WalkPlots(self.name, self.plan, self.planned, self.shown, self.report)
        )


def measure_baked(armature: bpy.types.Object, scene: bpy.types.Scene) -> MeasuredWalk:
    """Measure the walk that a baked character shows, on the scene's ground as it is.

    The plan is made again from the stored set-up, as it was before the bake; the scene, its frame
    and the bake are left as they are.

    Parameters
    ----------
    armature
        A set-up armature object that plays a bake.
    scene
        Where it walks.

    Raises
    ------
    LocomotionError
        It is not set up, plays no bake, or its walk cannot be planned any more.
    """
    check_showing(armature)
    kept = _verify_kept(armature, scene)
    record = read_bake(armature)
    if record.cleans:
        raise BakeError(
            f"{armature.name!r} plays a cleaned action and no walk",
            "its numbers are in Fix Feet",
            "the verb fix tells its numbers",
        )
    settings = armature.locomotion.settings
    own = (float(settings.frame_start), float(settings.frame_end))
    section = own if own in record.sections else record.sections[-1]
    first, last = round(section[0]), round(section[1])
    # Where the walk is mixed with other animation it is not the plan's.
    frames = np.arange(first + settings.blend_in, last + 1 - settings.blend_out)
    if len(frames) < REPORT.fewest_frames:
        raise BakeError(f"the bake of {armature.name!r} has no two frames of walk: bake more")
    edited = tuple(find_edited_curves(armature))
    # Weights and the speed may have been keyed in the bake's own action since.
    weights, speeds = read_walk_weights(armature, scene), read_speed_curve(armature, scene)
    try:
        with bake_lifted(armature):
            present = read_present_character(armature, scene, (first, last))
            character = present.character
            motions = make_motion_set(character, setups.read_findings(character))
            request = setups.make_request(armature, (first, last))
            asked = _set_speeds(request.plan, speeds)
            plan, _ = plan_walk(character, motions, asked, scene, weights)
    except LocomotionError as error:
        # What spoils the walk may spoil the reading of its motions, too.
        _refuse([] if kept is None else note_verification(kept), error)
    rate = get_frame_rate(scene)
    planned = solve_poses(plan, frames / rate)
    seen = measure_evaluated(armature, plan, planned, frames, scene)
    is_same = kept is None or agrees(armature, plan, rate)
    if kept is not None and not (kept.is_clean and is_same):
        verification = kept
    else:
        # The plan is the bake's own: all frames are looked at, not only those that were kept.
        verification = verify_planned(armature, plan, planned, frames, scene)
    notes = note_verification(verification)
    skin_off = find_skin_off(plan, seen)
    notes += note_skin(present, seen, skin_off)
    notes += [note for note in present.notes if note.kind is not NoteKind.SOLES_RENEWED]
    if is_same:
        # Of another plan than that of the bake nothing is told.
        notes += note_prepared(
            NotedSpan(plan, float(planned.times[0]), float(planned.times[-1]), rate), planned
        )
        notes += note_walls(character, asked, plan, planned, scene)
    switched = {path for path, _ in planned.poses.properties}
    notes += note_constraints(armature, plan.tables.rig, switched)
    notes += note_renders(character, asked, plan, scene, frames)
    notes += note_motions(plan, motions)
    notes += note_shown(seen.report, notes)
    if verification.is_clean and not any(note.kind in CAUSES for note in notes):
        stands = not any(note.kind in OFF_GROUND for note in notes)
        notes += note_outdated(armature, plan, scene, is_same=is_same, stands=stands)
    halves = np.arange(2 * len(frames) - 1) / 2.0 + frames[0]
    between = measure_evaluated(armature, plan, solve_poses(plan, halves / rate), halves, scene)
    return MeasuredWalk(
        name=armature.name,
        plan=plan,
        planned=planned,
        shown=seen.shown,
        report=seen.report,
        verification=verification,
        edited=edited,
        notes=put_causes_first(notes),
        between=between.report,
        skin_off=skin_off,
    )


def _verify_kept(armature: bpy.types.Object, scene: bpy.types.Scene) -> Verification | None:
    """How a bake is shown against what it meant to show; None where it does not tell that.

    Raises
    ------
    BakeError
        The character has a bake, and does not play it.
    """
    if keeps_expectation(armature):
        return verify_baked(armature, scene)
    if find_left_bake(armature) is not None and not setups.is_baked(armature):
        _refuse(note_verification(verify_baked(armature, scene)), None)
    return None


def _refuse(notes: Sequence[Note], error: LocomotionError | None) -> NoReturn:
    """Refuse to measure a walk, with what spoils it before the error that it leads to."""
    errors = [] if error is None else [error]
    case = "; ".join([*map(tell_case, notes), *(e.case for e in errors)])
    cure = [tell_cure(note) for note in notes] + [e.cure for e in errors]
    job = [tell_cure(note, Reader.JOB) for note in notes] + [e.job_cure for e in errors]
    raise BakeError(case, "; ".join(filter(None, cure)), "; ".join(filter(None, job))) from error


def _set_speeds(request: PlanRequest, speeds: SpeedCurve | None) -> PlanRequest:
    """A request with keyed speeds in the place of those that it would read."""
    travel = request.travel
    if speeds is None or not isinstance(travel, Paced) or not travel.use_speed_keys:
        return request
    keys = SpeedKeys(tuple(speeds.times.tolist()), tuple(speeds.speeds.tolist()))
    return replace(request, travel=replace(travel, speed=keys, use_speed_keys=False))


def choose_stem(name: str, taken: set[str]) -> str:
    """How the files of a character begin, otherwise than those of others, which ``taken`` keeps.

    Folders may tell no capitals from small letters.
    """
    plain = re.sub(r"[^\w-]+", "_", name).strip("_") or "character"
    stem, number = plain, 1
    while stem.casefold() in taken:
        number += 1
        stem = f"{plain}_{number}"
    taken.add(stem.casefold())
    return stem


def write_plots(walk: MeasuredWalk, folder: Path, stem: str) -> list[str]:
    """Write a walk's plots to a folder that exists, and return the names of the files."""
    names = []
    for what, drawing in walk.draw().items():
        name = f"{stem}-{what}.svg"
        (folder / name).write_text(drawing, encoding="utf-8")
        names.append(name)
    return names


def list_baked(armatures: Sequence[bpy.types.Object]) -> list[bpy.types.Object]:
    """Those armature objects that play the baked walk of a set-up character, in the order of names."""
    baked = [o for o in armatures if setups.is_baked(o) and not is_cleaned(o)]
    return sorted(baked, key=lambda o: o.name)
