# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of a plan by its own steps, for development (numpy only).

A number that cannot be known is None with a reason, never nan. Lengths are shares of the mean leg.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from semi_procedural_locomotion.core.ground.interface import Ground
from semi_procedural_locomotion.core.maths.rotations import FloatArray
from semi_procedural_locomotion.core.rig.structure import Rig

from .body_measures import (
    measure_deviations,
    measure_foot_turns,
    measure_hip_jerk,
    measure_knee_speeds,
    measure_misses,
    measure_reaches,
)
from .limits import NUMBERS
from .record import WalkRecord, WalkSteps
from .series import WalkSeries, score_frames
from .sole_measures import (
    SoleHeights,
    measure_near_ground_speeds,
    measure_slides,
    measure_sole_heights,
)

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
"""Names of the numbers in a report, in the order of tables."""

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
    unknown
        Why a number is None, by its name.
    series
        The numbers of each frame.
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
    unknown: dict[str, str]
    series: WalkSeries

    def as_dict(self) -> dict[str, Any]:
        """The numbers by their names."""
        return {key: getattr(self, key) for key in KEYS}


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
