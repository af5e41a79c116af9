# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of a walk as the scene shows it, which do not believe the plan (numpy only).

Lengths are shares of the mean leg. A number that cannot be known is None with a reason, never nan.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..rig.hulls import SOLE
from ..rig.structure import Rig
from .body_depths import measure_body_depths
from .limits import SHOWN_BODY
from .shown import PosedBones, ShownWalk
from .shown_body import (
    measure_hip_speeds,
    measure_jerk_ratio,
    measure_knee_speeds,
    measure_off_travel,
)
from .shown_feet import ShownFeet, find_shown_feet
from .verdicts import find_bar

SHOWN_KEYS = (
    "shown_slip_worst",
    "shown_sink_worst",
    "shown_float_p99",
    "shown_swing_depth_worst",
    "shown_body_depth_worst",
    "shown_foot_way_ratio",
    "shown_knee_speed_ratio",
    "shown_off_travel_worst",
    "shown_hip_surge",
    "shown_hip_sway",
    "shown_hip_jerk_ratio",
    "shown_airborne_share",
)
"""Names of the numbers in a report, in the order in which they are shown."""

HEADLINES = {
    "feet_slide_worst": "shown_slip_worst",
    "feet_sink_worst": "shown_sink_worst",
}
"""What files call the numbers that a walk is told by first."""

FORMER = {
    "slide_worst": "shown_slip_worst",
    "sink_worst": "shown_sink_worst",
    "float_p99": "shown_float_p99",
}
"""Names by which scripts know some of the numbers."""

BODY = "body"
"""What stands for the name of a leg where a number is at its worst at none."""

OF_FEET = (
    "shown_sink_worst",
    "shown_float_p99",
    "shown_slip_worst",
    "shown_swing_depth_worst",
    "shown_airborne_share",
)
"""Those that hang on the meshes of the feet."""

_OF_BODY = (
    "shown_body_depth_worst",
    "shown_off_travel_worst",
    "shown_hip_surge",
    "shown_hip_sway",
    "shown_airborne_share",
)
_NO_SOURCE = "the source motion is not known"
_NO_CONTACT = "no foot stands in any three frames that follow one another"
_NO_FRAMES = "no two frames follow one another"


@dataclass(frozen=True)
class WorstPlace:
    """Where a number is at its worst.

    Attributes
    ----------
    frame
        Scene frame.
    leg
        Name of the leg, or `BODY`.
    value
        The number there, in the unit of the series it comes from.
    """

    frame: int
    leg: str
    value: float


@dataclass(frozen=True)
class ShownReport:
    """Numbers of what the scene shows. None stands for one that cannot be known; see ``unknown``.

    Attributes
    ----------
    frames
        How many were looked at.
    leg_length
        L, metres.
    shown_slip_worst
        Widest way of a bearing point of a foot in one steady contact, share of the leg.
    shown_sink_worst
        Depth of the deepest point of a standing foot, share of the leg.
    shown_float_p99
        Height of the nearest point of a standing foot, 99th percentile of the worst leg, share of the
        leg.
    shown_swing_depth_worst
        Depth of the deepest point of a swinging foot, toe cap and sides included, share of the leg.
    shown_body_depth_worst
        Depth of trunk, thighs and shins in the ground, share of the leg.
    shown_foot_way_ratio
        Largest way of a foot in one frame over the source's.
    shown_knee_speed_ratio
        Fastest bend of a knee over the source's.
    shown_off_travel_worst
        Distance of the hips from the travel beyond the clips' own, share of the leg.
    shown_hip_surge, shown_hip_sway
        Speed of the hips along and to the side of a constant travel beyond the clips' own swing, share
        of the travel's speed.
    shown_hip_jerk_ratio
        Root mean square jerk of the hips, in all three directions, over the source's.
    shown_airborne_share
        Share of the frames in which no foot stands though the motions always have one on the ground.
    worst
        Where each number comes from, by its name.
    worst_of_legs
        Where each number of feet is at its worst on every leg that it is above 0 of, the worst first,
        by its name.
    worst_frame
        Scene frame that misses its bars by the most; the first where none is missed.
    worst_miss
        By how many times that is beyond its bar; 0 where none is missed.
    unknown
        Why a number is None, by its name.
    feet
        When and how the feet stand.
    knee_speeds
        Of the fastest joint of each leg from each frame to the next, radians a second, (N - 1, L).
    """

    frames: int
    leg_length: float
    shown_slip_worst: float | None
    shown_sink_worst: float | None
    shown_float_p99: float | None
    shown_swing_depth_worst: float | None
    shown_body_depth_worst: float | None
    shown_foot_way_ratio: float | None
    shown_knee_speed_ratio: float | None
    shown_off_travel_worst: float | None
    shown_hip_surge: float | None
    shown_hip_sway: float | None
    shown_hip_jerk_ratio: float | None
    shown_airborne_share: float | None
    worst: dict[str, WorstPlace]
    worst_of_legs: dict[str, tuple[WorstPlace, ...]]
    worst_frame: int
    worst_miss: float
    unknown: dict[str, str]
    feet: ShownFeet
    knee_speeds: FloatArray

    def as_dict(self, name: str) -> dict[str, Any]:
        """The numbers of one character in report.json, without what is to mind."""
        return {
            "name": name,
            "frames": self.frames,
            "leg_length": self.leg_length,
            **self.list_numbers(),
            "worst_frame": self.worst_frame,
        }

    def list_numbers(self) -> dict[str, float | None]:
        """The numbers by their names."""
        headlines = {key: getattr(self, number) for key, number in {**HEADLINES, **FORMER}.items()}
        return {**headlines, **{key: getattr(self, key) for key in SHOWN_KEYS}}


def measure_shown(rig: Rig, shown: ShownWalk, ground: Ground) -> ShownReport:
    """Judge what the scene shows of a walk.

    Parameters
    ----------
    rig
        The character with its contact hulls.
    shown
        What is shown, at all frames or at some.
    ground
        What it walks on.

    Returns
    -------
    ShownReport
        Of frames that do not follow one another, speeds and slips are not measured.
    """
    unknown: dict[str, str] = {}
    feet = find_shown_feet(rig, shown, ground)
    knees = measure_knee_speeds(rig, shown.bones, shown)
    tables = _list_tables(rig, shown, ground, feet, unknown)
    ratios = _measure_knees(rig, shown, knees, unknown)
    if ratios is not None:
        tables["shown_knee_speed_ratio"] = ratios
    numbers: dict[str, float | None] = dict.fromkeys(SHOWN_KEYS)
    numbers.update({key: float(np.max(table)) for key, table in tables.items()})
    numbers.update(_count_feet(rig, feet, tables))
    numbers["shown_hip_jerk_ratio"], reason = measure_jerk_ratio(rig, shown.enter_carriers())
    if reason:
        unknown["shown_hip_jerk_ratio"] = reason
    airborne = _find_airborne(shown, feet)
    numbers["shown_airborne_share"] = float(np.mean(airborne))
    tables["shown_airborne_share"] = airborne[:, None] * numbers["shown_airborne_share"]
    worst, (frame, miss) = _find_worst(rig, shown, tables)
    return ShownReport(
        frames=len(shown.times),
        leg_length=rig.leg_length,
        **numbers,
        worst=worst,
        worst_of_legs=_list_worst_of_legs(rig, shown, tables),
        worst_frame=int(shown.frames[0]) if frame is None else frame,
        worst_miss=miss,
        unknown=unknown,
        feet=feet,
        knee_speeds=knees,
    )


def measure_feet(rig: Rig, shown: ShownWalk, ground: Ground) -> dict[str, float]:
    """Numbers of the feet alone as `measure_shown` tells them, without those that cannot be known."""
    feet = find_shown_feet(rig, shown, ground)
    numbers = _count_feet(rig, feet, _list_foot_tables(rig, feet, {}))
    return {**numbers, "shown_airborne_share": float(np.mean(_find_airborne(shown, feet)))}


def _find_airborne(shown: ShownWalk, feet: ShownFeet) -> np.ndarray:
    """Frames (N,) in which no foot stands though the motions always have one on the ground."""
    airborne = ~feet.contacts.any(axis=1)
    return np.asarray(airborne if shown.has_flight is None else airborne & ~shown.has_flight)


def _count_feet(rig: Rig, feet: ShownFeet, tables: dict[str, FloatArray]) -> dict[str, float]:
    """Numbers of feet from what is known of them at each frame."""
    numbers = {key: float(np.max(tables[key])) for key in OF_FEET if key in tables}
    if len(feet.slip_extents):
        numbers["shown_slip_worst"] = float(feet.slip_extents.max()) / rig.leg_length
    if "shown_float_p99" in tables:
        numbers["shown_float_p99"] = max(
            float(np.quantile(tables["shown_float_p99"][contact, leg], 0.99))
            for leg, contact in enumerate(feet.steady.T)
            if np.any(contact)
        )
    return numbers


def _list_foot_tables(rig: Rig, feet: ShownFeet, unknown: dict[str, str]) -> dict[str, FloatArray]:
    """Each number of feet at each frame and of each leg, (N, L)."""
    length = rig.leg_length
    tables = {"shown_swing_depth_worst": np.where(feet.contacts, 0.0, feet.depths) / length}
    if np.any(feet.contacts):
        tables["shown_sink_worst"] = np.where(feet.contacts, feet.depths, 0.0) / length
    else:
        unknown["shown_sink_worst"] = "no foot stands"
    if np.any(feet.steady):
        above = np.where(feet.steady, np.nan_to_num(np.maximum(feet.lowest, 0.0)), 0.0)
        tables["shown_float_p99"] = above / length
    else:
        unknown["shown_float_p99"] = _NO_CONTACT
    if len(feet.slip_extents):
        tables["shown_slip_worst"] = feet.slips / length
    else:
        unknown["shown_slip_worst"] = _NO_CONTACT
    return tables


def _list_tables(
    rig: Rig, shown: ShownWalk, ground: Ground, feet: ShownFeet, unknown: dict[str, str]
) -> dict[str, FloatArray]:
    """Each number at each frame, and of each leg where it is a leg's, (N, L) or (N, 1)."""
    length = rig.leg_length
    tables = {
        **_list_foot_tables(rig, feet, unknown),
        "shown_body_depth_worst": measure_body_depths(rig, shown, ground) / length,
        "shown_off_travel_worst": measure_off_travel(rig, shown)[:, None] / length,
    }
    over = shown.enter_carriers()
    ways = _measure_ways(rig, over, unknown)
    if ways is not None:
        tables["shown_foot_way_ratio"] = ways
    speeds = measure_hip_speeds(rig, over)
    if speeds is None:
        reason = _NO_SOURCE if shown.source is None else "the travel is constant nowhere"
        unknown.update(dict.fromkeys(("shown_hip_surge", "shown_hip_sway"), reason))
    else:
        for key, series in zip(("shown_hip_surge", "shown_hip_sway"), speeds, strict=True):
            tables[key] = np.append(0.0, series)[:, None]
    return tables


def _measure_ways(rig: Rig, shown: ShownWalk, unknown: dict[str, str]) -> FloatArray | None:
    """Way of each foot since the frame before over the largest of the source, (N, L)."""
    key, joined = "shown_foot_way_ratio", shown.find_joined()
    if not np.any(joined):
        unknown[key] = _NO_FRAMES
        return None
    if shown.source is None:
        unknown[key] = _NO_SOURCE
        return None
    interval = float(np.diff(shown.times).min())
    own, has = (_measure_feet(rig, b, joined) for b in (shown.source, shown.bones))
    if float(own.max()) < SHOWN_BODY.still_feet * rig.leg_length * interval:
        unknown[key] = "the source motion does not move its feet"
        return None
    return np.concatenate([np.zeros((1, len(rig.legs))), has / float(own.max())])


def _measure_knees(
    rig: Rig, shown: ShownWalk, speeds: FloatArray, unknown: dict[str, str]
) -> FloatArray | None:
    """Speeds (N - 1, L) of the knees since the frame before over the fastest of the source, (N, L)."""
    key = "shown_knee_speed_ratio"
    if shown.source is None or not len(speeds):
        unknown[key] = _NO_SOURCE if shown.source is None else _NO_FRAMES
        return None
    own = float(measure_knee_speeds(rig, shown.source, shown).max())
    if own < SHOWN_BODY.still_knees:
        unknown[key] = "the source motion does not move its knees"
        return None
    jumped = np.zeros(len(shown.times), bool) if shown.jumped is None else shown.jumped
    speeds = np.where((jumped[1:] | jumped[:-1])[:, None], 0.0, speeds)
    return np.concatenate([np.zeros((1, len(rig.legs))), speeds / own])


def _measure_feet(rig: Rig, bones: PosedBones, joined: np.ndarray) -> FloatArray:
    """Way of the middle of each sole between frames that follow one another, metres, (N - 1, L)."""
    columns = []
    for leg, hull in enumerate(rig.hulls):
        middle = bones.place_hull(rig, leg)[:, hull.parts == SOLE].mean(axis=1)
        columns.append(np.where(joined, rot.lengths(np.diff(middle, axis=0)), 0.0))
    return np.stack(columns, axis=1)


def _find_worst(
    rig: Rig, shown: ShownWalk, tables: dict[str, FloatArray]
) -> tuple[dict[str, WorstPlace], tuple[int | None, float]]:
    """Where each number is at its worst, and the frame that is the furthest beyond its bar."""
    names = [leg.name for leg in rig.legs]
    places: dict[str, WorstPlace] = {}
    frame, miss = None, 0.0
    for key, table in tables.items():
        row, column = (int(i) for i in np.unravel_index(int(np.argmax(table)), table.shape))
        value = float(table[row, column])
        if value <= 0.0:
            continue
        of_leg = table.shape[1] > 1 and column < len(names)
        places[key] = WorstPlace(int(shown.frames[row]), names[column] if of_leg else BODY, value)
        bar = find_bar(key)
        if value > bar.good and value / bar.unit > miss:
            frame, miss = int(shown.frames[row]), value / bar.unit
    return places, (frame, miss)


def _list_worst_of_legs(
    rig: Rig, shown: ShownWalk, tables: dict[str, FloatArray]
) -> dict[str, tuple[WorstPlace, ...]]:
    """Where each number that is one of every leg is at its worst on each, the worst first."""
    names = [leg.name for leg in rig.legs]
    found: dict[str, tuple[WorstPlace, ...]] = {}
    for key, table in tables.items():
        # With a column beside those of the legs, or with one for all, it is the body's.
        if key in _OF_BODY or table.shape[1] != len(names):
            continue
        rows = np.argmax(table, axis=0)
        places = [
            WorstPlace(int(shown.frames[row]), names[leg], float(table[row, leg]))
            for leg, row in enumerate(rows)
            if table[row, leg] > 0.0
        ]
        found[key] = tuple(sorted(places, key=lambda place: -place.value))
    return found
