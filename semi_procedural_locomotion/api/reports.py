# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Baked walks measured by what their keys really show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..blender.bake.edits import find_edited_curves
from ..blender.bake.influences import note_constraints
from ..blender.bake.reading import bake_lifted, read_bake
from ..blender.setup.fix_records import is_cleaned
from ..blender.travel.speed import read_speed_curve
from ..blender.values.scene_state import get_frame_rate
from ..core.maths.rotations import FloatArray
from ..core.plan import solve_poses
from ..core.report.metrics import WalkReport
from ..core.report.plots import WalkPlots, draw_walk_plots
from ..core.report.record import WalkRecord
from ..core.report.shown_measures import ShownReport
from ..core.report.worst_frames import find_worst_places, note_differences
from ..core.travel.speeds import SpeedCurve
from ..core.walk import SolvedWalk, WalkPlan
from ..errors import BakeError, LocomotionError
from ..notes import Note, NoteKind, make_note
from ..requests.plans import PlanRequest
from ..requests.travels import Paced, SpeedKeys
from . import setups
from .characters import make_motion_set
from .layers import read_walk_weights
from .limits import REPORT
from .notes import plain_notes, sort_notes, tell_case, tell_cure, tell_notes
from .planning import plan_walk
from .present_feet import PresentCharacter, read_present_character
from .shown_walks import measure_evaluated
from .verifying import (
    Verification,
    agrees,
    check_showing,
    is_on_controls,
    keeps_expectation,
    note_verification,
    verify_baked,
    verify_planned,
)
from .walk_notes import note_motions, note_plan
from .walls import note_walls
from .wording import Reader

# Numbers that are measured between frames as well.
BETWEEN_KEYS = ("slip_worst", "sink_worst", "float_p99", "swing_depth_worst")


@dataclass(frozen=True)
class MeasuredWalk:
    """A baked walk as its keys show it.

    Attributes
    ----------
    name
        Of the armature object.
    plan
        Made again from the stored set-up.
    planned
        Its solution at the walk's frames.
    record
        What the keys show, in terms of the plan's small rig.
    report
        The numbers.
    verification
        How far it is from what its bake meant to show.
    differences
        Shown minus plan for each bone of each leg, world, shares of the leg, L arrays (N, K, 3).
    edited
        Data path and index of curves whose keys were changed by hand.
    notes
        What to mind, the gravest first.
    between
        What Blender shows at the frames and in the middle between them, as a render with motion blur
        does; None where that cannot be known.
    """

    name: str
    plan: WalkPlan
    planned: SolvedWalk
    record: WalkRecord
    report: WalkReport
    verification: Verification
    differences: tuple[FloatArray, ...]
    edited: tuple[tuple[str, int], ...]
    notes: tuple[Note, ...]
    between: ShownReport | None = None

    @property
    def offsets(self) -> FloatArray:
        """How far each leg is from the plan, shares of the leg, shape (N, L)."""
        sizes = [np.max(np.linalg.norm(d, axis=-1), axis=1) for d in self.differences]
        return np.stack(sizes, axis=1)

    def as_dict(self, reader: Reader = Reader.PANEL) -> dict[str, Any]:
        """The entry in report.json, with the frame and foot of each worst number."""
        entry = self.report.as_dict(self.name)
        frames = self.record.frames
        if frames is None:
            raise ValueError("a measured walk has frames")
        names = [leg.name for leg in self.plan.tables.rig.legs]
        entry["warnings"] = tell_notes(self.notes, reader)
        entry["notes"] = plain_notes(self.notes)
        entry["shown_off_plan"] = self.verification.share
        entry["off_plan_worst"] = float(np.max(self.offsets))
        entry["edited_curves"] = [f"{path}[{index}]" for path, index in self.edited]
        entry["worst"] = {
            key: asdict(place)
            for key, place in find_worst_places(self.report.series, frames, names).items()
        }
        for key in BETWEEN_KEYS:
            entry[f"between_{key}"] = getattr(self.between, f"shown_{key}", None)
        if self.report.shown is not None:
            entry["worst"].update((k, asdict(p)) for k, p in self.report.shown.worst.items())
        return entry

    def draw(self) -> dict[str, str]:
        """The plots as SVG documents by what they show."""
        return draw_walk_plots(
            WalkPlots(self.name, self.plan, self.planned, self.record, self.report, self.offsets)
        )


def measure_baked(armature: bpy.types.Object, scene: bpy.types.Scene) -> MeasuredWalk:
    """Measure the walk that a baked character's keys show, against its plan on the scene's ground.

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
    check_showing(armature)
    edited = tuple(find_edited_curves(armature))
    kept = verify_baked(armature, scene) if keeps_expectation(armature) else None
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
        notes = [] if kept is None else note_verification(kept)
        case = "; ".join([*map(tell_case, notes), error.case])
        cure, job_cure = (
            "; ".join(filter(None, [*(tell_cure(note, reader) for note in notes), own]))
            for reader, own in ((Reader.PANEL, error.cure), (Reader.JOB, error.job_cure))
        )
        raise BakeError(case, cure, job_cure) from error
    rate = get_frame_rate(scene)
    planned = solve_poses(plan, frames / rate)
    on_controls = is_on_controls(armature)
    seen = measure_evaluated(armature, plan, planned, frames, scene, on_controls=on_controls)
    legs = [leg.name for leg in plan.tables.rig.legs]
    if kept is not None and not (kept.is_clean and agrees(armature, plan, rate)):
        verification = kept
    else:
        # The plan is the bake's own: all frames are looked at, not only those that were kept.
        verification = verify_planned(armature, plan, planned, frames, scene)
    notes = note_plan(plan, planned, frames, rate)
    notes += note_walls(character, asked, plan, planned, scene, notes)
    apart = note_differences(seen.differences, frames, legs)
    if not verification.is_clean or present.changed:
        # That the walk is off its plan is told already, with what moves it or its soles.
        apart = [note for note in apart if note.kind is not NoteKind.KEYS_OFF_PLAN]
    notes = [*apart, *notes]
    switched = {path for path, _ in planned.poses.properties}
    notes += note_constraints(armature, plan.tables.rig, switched)
    notes += note_motions(plan, motions)
    notes = [*note_verification(verification), *_note_soles(present), *notes]
    return MeasuredWalk(
        name=armature.name,
        plan=plan,
        planned=planned,
        record=seen.record,
        report=seen.report,
        verification=verification,
        differences=seen.differences,
        edited=edited,
        notes=sort_notes([*notes, *seen.report.notes]),
        between=_measure_between(armature, plan, frames, scene, on_controls=on_controls),
    )


def _note_soles(present: PresentCharacter) -> list[Note]:
    """What to mind of the soles that a walk is measured by."""
    if present.measured is None or not present.changed:
        return list(present.notes)
    first, more = present.changed[0], len(present.changed) - 1
    notes = [note for note in present.notes if note.kind is not NoteKind.SOLES_RENEWED]
    return [*notes, make_note(NoteKind.SOLES_SINCE_BAKE, mesh=first, more=more)]


def _measure_between(
    armature: bpy.types.Object,
    plan: WalkPlan,
    frames: np.ndarray,
    scene: bpy.types.Scene,
    *,
    on_controls: bool,
) -> ShownReport | None:
    """What is shown at frames (N,) and in the middle between them."""
    halves = np.arange(2 * len(frames) - 1) / 2.0 + frames[0]
    planned = solve_poses(plan, halves / get_frame_rate(scene))
    seen = measure_evaluated(armature, plan, planned, halves, scene, on_controls=on_controls)
    return seen.report.shown


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
