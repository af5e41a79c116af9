# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every number by which a walk is judged (numpy only).

A number that cannot be known is None with a reason, never nan. Lengths are shares of the mean leg.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..ground.interface import Ground
from ..maths.rotations import FloatArray
from ..rig.structure import Rig
from .body_measures import (
    measure_deviations,
    measure_foot_turns,
    measure_hip_jerk,
    measure_knee_speeds,
    measure_misses,
    measure_reaches,
)
from .limits import NOTES, NUMBERS
from .record import WalkRecord, WalkSteps
from .series import WalkSeries, note_faults, score_frames
from .shown_measures import SHOWN_KEYS, ShownReport
from .shown_notes import note_shown
from .sole_measures import (
    SoleHeights,
    measure_near_ground_speeds,
    measure_slides,
    measure_sole_heights,
)

HEADLINE_KEYS = ("feet_slide_worst", "feet_sink_worst")
"""Names of the numbers that a walk is told by first: the worse of what plan and scene tell."""

KEYS = (
    "slide_worst",
    "slide_mean",
    "near_ground_speed_p95",
    "sink_worst",
    "float_p99",
    "swing_depth_worst",
    "swing_deep_share",
    "foot_turn_excess",
    "knee_speed_ratio",
    "hip_jerk_ratio",
    "reach_worst",
    "targets_missed",
    "fidelity_rms",
)
"""Names of the numbers in a report, in the order of docs/method/report.md, Numbers."""

_NO_PLAN = "the plan of the steps is not known"
_DISTURBED = "no stretch is level, straight and at native speed"
_NO_SOURCE = "the source motion is not known"


@dataclass(frozen=True)
class WalkReport:
    """The numbers of one walk. None stands for a number that cannot be known; see ``unknown``.

    Attributes
    ----------
    frames
        How many.
    leg_length
        Metres.
    slide_worst, slide_mean
        Of planted feet, shares of the leg.
    near_ground_speed_p95
        95th percentile, share of the root's speed.
    sink_worst
        Depth of soles in contact, share of the leg.
    float_p99
        Height of the lowest sole point in contact, 99th percentile of the worst leg, share of the
        leg.
    swing_depth_worst
        Depth of swinging soles, share of the leg.
    swing_deep_share
        Share of all frames and legs with a swing deeper than 0.5 % of the leg.
    foot_turn_excess
        Fastest turn of a foot in a 30th of a second minus the source's, degrees.
    knee_speed_ratio, hip_jerk_ratio
        Fastest knee and root mean square jerk of the hips' height over the source's.
    reach_worst
        Largest distance from hip to ankle or its target as a share of the leg's own length.
    targets_missed
        How many frames and legs have the ankle more than 0.1 % of the leg off its target.
    fidelity_rms, fidelity_worst
        Distance of body and leg joints from the source where nothing asks for a correction, shares of
        the leg.
    worst_frame
        Scene frame that misses its bars by the most.
    worst_miss
        By how many times a bar that is.
    notes
        What to mind.
    unknown
        Why a number is None, by its name.
    series
        The numbers of each frame.
    shown
        What the scene shows, measured without the plan; None where it was not looked at.
    """

    frames: int
    leg_length: float
    slide_worst: float | None
    slide_mean: float | None
    near_ground_speed_p95: float | None
    sink_worst: float | None
    float_p99: float | None
    swing_depth_worst: float | None
    swing_deep_share: float | None
    foot_turn_excess: float | None
    knee_speed_ratio: float | None
    hip_jerk_ratio: float | None
    reach_worst: float | None
    targets_missed: int | None
    fidelity_rms: float | None
    fidelity_worst: float | None
    worst_frame: int
    worst_miss: float
    notes: tuple[Note, ...]
    unknown: dict[str, str]
    series: WalkSeries
    shown: ShownReport | None = None

    def add_shown(self, shown: ShownReport) -> WalkReport:
        """The report with what the scene shows; of the two worst frames the worse counts."""
        frame = self.worst_frame
        if shown.worst_frame is not None and shown.worst_miss > self.worst_miss:
            frame = shown.worst_frame
        unknown = {k: v for k, v in self.unknown.items() if k not in SHOWN_KEYS}
        return replace(
            self,
            shown=shown,
            worst_frame=frame,
            notes=(*self.notes, *note_shown(shown, self.notes)),
            unknown={**unknown, **shown.unknown},
        )

    @property
    def feet_slide_worst(self) -> float | None:
        """The worse of what the plan and what the scene tell of slides, share of the leg."""
        shown = None if self.shown is None else self.shown.shown_slip_worst
        return _take_worse(self.slide_worst, shown)

    @property
    def feet_sink_worst(self) -> float | None:
        """The same of the depth of feet that stand, share of the leg."""
        shown = None if self.shown is None else self.shown.shown_sink_worst
        return _take_worse(self.sink_worst, shown)

    def as_dict(self, name: str) -> dict[str, Any]:
        """The numbers of one character in report.json, without what is to mind."""
        return {
            "name": name,
            "frames": self.frames,
            "leg_length": self.leg_length,
            **{key: getattr(self, key) for key in HEADLINE_KEYS},
            **{key: getattr(self, key) for key in KEYS},
            **({} if self.shown is None else self.shown.as_dict()),
            "worst_frame": self.worst_frame,
        }


def _note_against_source(
    rig: Rig, series: WalkSeries, frames: np.ndarray, numbers: dict[str, Any]
) -> list[Note]:
    """Notes of what is far from the source motion without a fault of any foot."""
    notes = []
    knees, off = numbers["knee_speed_ratio"], numbers["fidelity_rms"]
    if knees is not None and knees > NOTES.knee_fast:
        row, leg = np.unravel_index(int(np.argmax(series.knee_speeds)), series.knee_speeds.shape)
        notes.append(make_note(NoteKind.KNEE_FAST, rig.legs[leg].name, frames[row], share=knees))
    if off is not None and off > NOTES.off_motion:
        notes.append(make_note(NoteKind.WALK_OFF_MOTION, share=off))
    return notes


def _take_worse(planned: float | None, shown: float | None) -> float | None:
    """The larger of two numbers; one that is not known is left out."""
    known = [value for value in (planned, shown) if value is not None]
    return max(known, default=None)


def measure_walk(rig: Rig, walk: WalkRecord, ground: Ground) -> WalkReport:
    """Judge a walk by every number that its record allows.

    Parameters
    ----------
    rig, walk, ground
        The character, its walk in world space, and what it walks on.
    """
    length = rig.leg_length
    numbers: dict[str, Any] = dict.fromkeys((*KEYS, "fidelity_worst"))
    unknown: dict[str, str] = {}
    soles = measure_sole_heights(rig, walk, ground)

    speeds = measure_near_ground_speeds(rig, walk, ground, soles)
    if np.any(np.isfinite(speeds)):
        numbers["near_ground_speed_p95"] = float(np.nanquantile(speeds, 0.95))
    else:
        unknown["near_ground_speed_p95"] = "no foot is near the ground while the root moves"

    slides = _judge_steps(rig, walk.steps, soles, numbers, unknown)
    reaches = measure_reaches(rig, walk.positions)
    misses = _judge_reach(rig, walk, reaches, numbers, unknown)
    foot_turns = measure_foot_turns(rig, walk.rotations, walk.interval)
    knee_speeds = measure_knee_speeds(rig, walk.positions, walk.interval)
    if walk.jumped is not None:
        knee_speeds = np.where((walk.jumped[1:] | walk.jumped[:-1])[:, None], 0.0, knee_speeds)
    _judge_source(rig, walk, foot_turns, knee_speeds, numbers, unknown)

    series = WalkSeries(
        times=walk.times,
        heights=soles.heights / length,
        lowest=soles.lowest / length,
        contacts=None if walk.steps is None else walk.steps.contacts,
        slides=None if slides is None else slides / length,
        depths=soles.depths / length,
        reaches=reaches,
        misses=None if misses is None else misses / length,
        foot_turns=foot_turns,
        knee_speeds=knee_speeds,
        missed=walk.missed,
    )
    frames = np.arange(len(walk.times)) if walk.frames is None else walk.frames
    scores = score_frames(series)
    worst = np.unravel_index(int(np.argmax(scores)), scores.shape)[1]
    return WalkReport(
        frames=len(walk.times),
        leg_length=length,
        **numbers,
        worst_frame=int(frames[worst]),
        worst_miss=float(np.max(scores)),
        notes=(
            *note_faults(rig, series, frames),
            *_note_against_source(rig, series, frames, numbers),
        ),
        unknown=unknown,
        series=series,
    )


def _judge_steps(
    rig: Rig,
    steps: WalkSteps | None,
    soles: SoleHeights,
    numbers: dict[str, Any],
    unknown: dict[str, str],
) -> FloatArray | None:
    """Fill in what needs to know when feet stand; the series of slides, metres."""
    length = rig.leg_length
    keys = ("slide_worst", "slide_mean", "sink_worst", "float_p99")
    if steps is None:
        swing = ("swing_depth_worst", "swing_deep_share")
        unknown.update(dict.fromkeys((*keys, *swing), _NO_PLAN))
        return None
    contacts = steps.contacts
    slides, series = measure_slides(rig, steps, soles)
    if len(slides):
        numbers["slide_worst"] = float(np.max(slides)) / length
        numbers["slide_mean"] = float(np.mean(slides)) / length
    else:
        unknown.update(dict.fromkeys(keys[:2], "no sole point carries for two frames"))
    lowest = soles.lowest
    known = contacts & np.isfinite(lowest)
    if np.any(known):
        numbers["sink_worst"] = float(np.max(soles.depths[known])) / length
        floats = [
            np.quantile(np.maximum(lowest[known[:, i], i], 0.0), 0.99)
            for i in range(known.shape[1])
            if np.any(known[:, i])
        ]
        numbers["float_p99"] = float(np.max(floats)) / length
    else:
        unknown.update(dict.fromkeys(keys[2:], "no foot in contact is above any ground"))
    depths = np.where(contacts, 0.0, soles.depths) / length
    numbers["swing_depth_worst"] = float(np.max(depths))
    numbers["swing_deep_share"] = float(np.mean(depths > NUMBERS.deep))
    return series


def _judge_reach(
    rig: Rig,
    walk: WalkRecord,
    reaches: FloatArray,
    numbers: dict[str, Any],
    unknown: dict[str, str],
) -> FloatArray | None:
    """Fill in how far legs stretch and what they miss; the series of misses, metres."""
    numbers["reach_worst"] = float(np.max(reaches))
    targets = None if walk.steps is None else walk.steps.targets
    if targets is None:
        unknown["targets_missed"] = "the targets of the ankles are not known"
        return None
    asked = [
        np.max(np.linalg.norm(targets[:, i] - walk.positions[:, leg.joints[0]], axis=-1))
        / leg.length
        for i, leg in enumerate(rig.legs)
    ]
    numbers["reach_worst"] = max(numbers["reach_worst"], float(np.max(asked)))
    misses = measure_misses(rig, walk.positions, targets)
    numbers["targets_missed"] = int(np.sum(misses > walk.missed * rig.leg_length))
    return misses


def _judge_source(
    rig: Rig,
    walk: WalkRecord,
    foot_turns: FloatArray,
    knee_speeds: FloatArray,
    numbers: dict[str, Any],
    unknown: dict[str, str],
) -> None:
    """Fill in the numbers that compare with the source motion."""
    keys = ("foot_turn_excess", "knee_speed_ratio", "hip_jerk_ratio", "fidelity_rms")
    if walk.source_rotations is None or walk.source_positions is None:
        unknown.update(dict.fromkeys((*keys, "fidelity_worst"), _NO_SOURCE))
        return
    length, interval = rig.leg_length, walk.interval
    source_turns = measure_foot_turns(rig, walk.source_rotations, interval)
    excess = float(np.max(foot_turns)) - float(np.max(source_turns))
    numbers["foot_turn_excess"] = float(np.degrees(excess / NUMBERS.turn_rate))

    source_knee = float(np.max(measure_knee_speeds(rig, walk.source_positions, interval)))
    if all(len(leg.joints) < 3 for leg in rig.legs):
        unknown["knee_speed_ratio"] = "the legs have no knees"
    elif source_knee < NUMBERS.still_knee:
        unknown["knee_speed_ratio"] = "the source motion does not move its knees"
    else:
        numbers["knee_speed_ratio"] = float(np.max(knee_speeds)) / source_knee

    if len(walk.times) < 4:
        unknown["hip_jerk_ratio"] = "a walk of fewer than four frames has no jerk"
    else:
        source_jerk = measure_hip_jerk(rig, walk.source_positions, interval)
        if source_jerk < NUMBERS.still_hips * length:
            unknown["hip_jerk_ratio"] = "the source motion does not move its hips"
        else:
            jerk = measure_hip_jerk(rig, walk.positions, interval)
            numbers["hip_jerk_ratio"] = jerk / source_jerk

    deviations = measure_deviations(rig, walk.positions, walk.source_positions)
    if walk.undisturbed is not None:
        deviations = deviations[walk.undisturbed]
    if len(deviations) < NUMBERS.least_undisturbed:
        unknown.update(dict.fromkeys(("fidelity_rms", "fidelity_worst"), _DISTURBED))
        return
    numbers["fidelity_rms"] = float(np.sqrt(np.mean(deviations**2))) / length
    numbers["fidelity_worst"] = float(np.max(deviations)) / length
