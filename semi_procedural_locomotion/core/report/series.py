# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of each frame of a walk, and what is to mind about them (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..maths.rotations import FloatArray
from ..rig.structure import Rig
from .limits import NOTES, NUMBERS
from .verdicts import find_bar

# By these bars series of unlike units are made comparable, and notes made.
_BARS = {
    "slide": find_bar("slide_worst").good,
    "sink": find_bar("sink_worst").good,
    "float": find_bar("float_p99").good,
    "depth": find_bar("swing_depth_worst").good,
}


@dataclass(frozen=True)
class WalkSeries:
    """Numbers of each frame, for plots and for finding the worst one; N frames, L legs.

    Attributes
    ----------
    times
        Seconds, shape (N,).
    heights
        Heel, ball and toe tip over the ground, shares of the leg, nan over nothing, shape (N, L, 3).
    lowest
        The lowest point of each foot over the ground, shares of the leg, nan over nothing, shape (N, L).
    contacts
        Whether the plan has the foot on the ground, shape (N, L); None where not known.
    slides
        How far the carrying sole point has slid since it began to carry, shares of the leg, shape
        (N, L); None where not known.
    depths
        Depth of the sole in the ground, shares of the leg, shape (N, L).
    reaches
        Hip to ankle as a share of each leg's own length, shape (N, L).
    misses
        Ankle to target, shares of the leg, shape (N, L); None where not known.
    foot_turns, knee_speeds
        Radians a second from each frame to the next, shape (N - 1, L).
    missed
        Share of the leg from which on an ankle misses its target.
    """

    times: FloatArray
    heights: FloatArray
    lowest: FloatArray
    contacts: np.ndarray | None
    slides: FloatArray | None
    depths: FloatArray
    reaches: FloatArray
    misses: FloatArray | None
    foot_turns: FloatArray
    knee_speeds: FloatArray
    missed: float = NUMBERS.missed

    @property
    def floats(self) -> FloatArray:
        """How far feet in contact are above the ground, shares of the leg, 0 else, shape (N, L)."""
        above = np.maximum(np.nan_to_num(self.lowest), 0.0)
        return (
            np.zeros_like(above) if self.contacts is None else np.where(self.contacts, above, 0.0)
        )


def _list_scores(series: WalkSeries) -> dict[str, FloatArray]:
    """Multiples of the bars at each frame and leg, shape (N, L) each."""
    scores = {}
    if series.slides is not None:
        scores["slide"] = series.slides / _BARS["slide"]
    if series.misses is not None:
        scores["miss"] = series.misses / series.missed
    if series.contacts is None:
        scores["depth"] = series.depths / _BARS["depth"]
        return scores
    scores["depth"] = np.where(series.contacts, 0.0, series.depths) / _BARS["depth"]
    scores["sink"] = np.where(series.contacts, series.depths, 0.0) / _BARS["sink"]
    scores["float"] = series.floats / _BARS["float"]
    return scores


def score_frames(series: WalkSeries) -> FloatArray:
    """Largest multiple of a bar over all legs, shape (number of bars, N)."""
    return np.stack([np.max(score, axis=1) for score in _list_scores(series).values()])


_KINDS = {
    "slide": NoteKind.FOOT_SLIDES,
    "miss": NoteKind.FOOT_MISSES,
    "depth": NoteKind.FOOT_CUTS_GROUND,
    "sink": NoteKind.FOOT_SINKS,
    "float": NoteKind.FOOT_FLOATS,
}


def note_faults(rig: Rig, series: WalkSeries, frames: np.ndarray) -> list[Note]:
    """One note for each leg and each bar that is missed by far, with the worst frame."""
    found = []
    scores = _list_scores(series)
    # A leg stretched out or folded up that misses its place slides, sinks or floats for that alone.
    spent = (series.reaches > NOTES.stretched) | (series.reaches < NOTES.folded)
    spent &= np.asarray(scores.get("miss", 0.0)) > 1.0
    for what, score in scores.items():
        score = score if what == "miss" else np.where(spent, 0.0, score)
        for index, leg in enumerate(rig.legs):
            worst = int(np.argmax(score[:, index]))
            if score[worst, index] > NOTES.alarm:
                share = score[worst, index] * _BARS.get(what, series.missed)
                found.append(make_note(_KINDS[what], leg.name, frames[worst], share=share))
    if series.contacts is not None:
        # A plan tells of its prints without ground, and between prints none is needed.
        return found
    for index, leg in enumerate(rig.legs):
        missing = np.all(np.isnan(series.heights[:, index]), axis=-1)
        if np.any(missing):
            first = frames[int(np.argmax(missing))]
            count = int(np.sum(missing))
            found.append(make_note(NoteKind.FOOT_OVER_NOTHING, leg.name, first, frames=count))
    return found
