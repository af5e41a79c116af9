# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plots of a measured walk (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..drawing.shapes import list_used_prints, outline_soles
from ..maths.rotations import FloatArray
from ..walk import SolvedWalk, WalkPlan
from .shown import PosedBones, ShownWalk
from .shown_body import measure_bends, measure_knee_speeds, place_hips
from .shown_measures import ShownReport
from .svg import GREY, PALETTE, Line, Panel, Shape, draw_chart, draw_map, find_spans
from .verdicts import find_bar

_PERCENT = 100.0
# What is shown below the ground, and the bar for slides, in percent of the leg.
_BELOW_GROUND = -2.0
_SLIDE_BAR = _PERCENT * find_bar("shown_slip_worst").good
_FRAMES = "frame"
_SMALL_PANEL, _ROW = 96.0, 0.7
_BEFORE, _AFTER = "before", "after"


@dataclass(frozen=True)
class WalkPlots:
    """Everything that is drawn of one walk.

    Attributes
    ----------
    name
        Of the character.
    plan, planned
        The plan and its solution at the walk's frames.
    shown
        The walk as Blender shows it.
    report
        Its numbers.
    """

    name: str
    plan: WalkPlan
    planned: SolvedWalk
    shown: ShownWalk
    report: ShownReport

    @property
    def frames(self) -> FloatArray:
        """Scene frames, shape (N,)."""
        return self.shown.frames * 1.0

    @property
    def leg_names(self) -> list[str]:
        """Names of the legs."""
        return [leg.name for leg in self.plan.tables.rig.legs]

    @property
    def marks(self) -> list[tuple[float, str]]:
        """The worst frame."""
        worst = self.report.worst_frame
        return [(float(worst), f"worst frame {worst}")]

    def find_contacts(self, leg: int) -> list[tuple[float, float]]:
        """Frames in which a foot stands."""
        return find_spans(self.frames, self.report.feet.contacts[:, leg])


def draw_walk_plots(walk: WalkPlots) -> dict[str, str]:
    """All plots of a walk.

    Parameters
    ----------
    walk
        What is known of it.

    Returns
    -------
    dict
        SVG documents by what they show: ``soles``, ``slides``, ``hips``, ``knees``, ``phase``,
        ``prints``.
    """
    return {
        "soles": _draw_soles(walk),
        "slides": _draw_slides(walk),
        "hips": _draw_hips(walk),
        "knees": _draw_knees(walk),
        "phase": _draw_phase(walk),
        "prints": _draw_prints(walk),
    }


def _pick_colour(number: int) -> str:
    """Colour of a leg, a motion or a joint."""
    return PALETTE[number % len(PALETTE)]


def _draw_soles(walk: WalkPlots) -> str:
    """Height of the lowest place of each foot over the ground, a panel for each leg."""
    heights = walk.report.feet.lowest / walk.report.leg_length * _PERCENT
    top = float(np.nanmax(heights, initial=1.0))
    panels = [
        Panel(
            f"{name} foot",
            "% of leg",
            [Line(walk.frames, heights[:, leg], _pick_colour(leg))],
            bands=walk.find_contacts(leg),
            limits=(_BELOW_GROUND, 1.05 * top),
            level=0.0,
        )
        for leg, name in enumerate(walk.leg_names)
    ]
    title = f"{walk.name}: height of the feet over the ground (shaded: standing)"
    return draw_chart(title, _FRAMES, panels, walk.marks)


def _draw_slides(walk: WalkPlots) -> str:
    """How far standing feet have slid since they stand."""
    shown = walk.report.feet.slips / walk.report.leg_length
    top = max(1.1 * float(np.max(shown)) * _PERCENT, 1.5 * _SLIDE_BAR)
    panels = [
        Panel(
            f"{name} foot",
            "% of leg",
            [Line(walk.frames, shown[:, leg] * _PERCENT, _pick_colour(leg))],
            bands=walk.find_contacts(leg),
            limits=(0.0, top),
            level=_SLIDE_BAR,
            height=_SMALL_PANEL,
        )
        for leg, name in enumerate(walk.leg_names)
    ]
    return draw_chart(f"{walk.name}: slide in each stance", _FRAMES, panels, walk.marks)


def _draw_hips(walk: WalkPlots) -> str:
    """Height of the hips before and after, and of the ground that the body walks on."""
    rig, shown = walk.plan.tables.rig, walk.shown
    lines = [Line(walk.frames, place_hips(rig, shown.bones)[:, 2], PALETTE[0], _AFTER)]
    if shown.source is not None:
        before = place_hips(rig, shown.source)[:, 2]
        lines.insert(0, Line(walk.frames, before, GREY, _BEFORE, dashed=True))
    levels = walk.plan.times.grid.sample(walk.plan.levels, shown.times)
    panels = [
        Panel("Hips", "height, m", lines, height=220.0),
        Panel(
            "Ground along the way",
            "height, m",
            [Line(walk.frames, levels, PALETTE[6])],
            height=110.0,
        ),
    ]
    return draw_chart(f"{walk.name}: hip height", _FRAMES, panels, walk.marks)


def _draw_knees(walk: WalkPlots) -> str:
    """Bend and speed of the inner joints of each leg, before and after."""
    rig, shown = walk.plan.tables.rig, walk.shown
    sides: list[tuple[PosedBones, str]] = [(shown.bones, _AFTER)]
    if shown.source is not None:
        sides.insert(0, (shown.source, _BEFORE))
    between = walk.frames[:-1] + 0.5
    panels = []
    for index, leg in enumerate(rig.legs):
        angles, rates = [], []
        for bones, word in sides:
            colour = GREY if word == _BEFORE else _pick_colour(index)
            dashed = word == _BEFORE
            speeds = np.degrees(measure_knee_speeds(rig, bones, shown))[:, index]
            rates.append(Line(between, speeds, colour, word, dashed=dashed))
            bends = np.degrees(measure_bends(leg, rig, bones))
            angles += [
                Line(walk.frames, column, colour, "" if k else word, dashed=dashed)
                for k, column in enumerate(bends.T)
            ]
        bands = walk.find_contacts(index)
        panels.append(Panel(f"{leg.name} knee bend", "degrees", angles, bands=bands))
        panels.append(
            Panel(f"{leg.name} knee speed", "degrees/s", rates, bands=bands, height=_SMALL_PANEL)
        )
    return draw_chart(f"{walk.name}: knees before and after", _FRAMES, panels, walk.marks)


def _draw_phase(walk: WalkPlots) -> str:
    """Weights of the motions, phase, and which feet stand."""
    source, motions = walk.planned.source, walk.plan.tables.motion_set.motions
    weights = [
        Line(walk.frames, source.weights[:, i], _pick_colour(i), motion.name)
        for i, motion in enumerate(motions)
    ]
    phases = source.phases - np.floor(source.phases)
    wraps = np.append(np.diff(phases) < 0.0, False)
    names = walk.leg_names
    rows = [
        Shape(
            np.array([[a, row], [b, row], [b, row + _ROW], [a, row + _ROW]]),
            _pick_colour(leg),
            f"{name} foot on the ground",
        )
        for leg, name in enumerate(names)
        for row in [len(names) - leg - 0.5 * (1.0 + _ROW)]
        for a, b in walk.find_contacts(leg)
    ]
    panels = [
        Panel("Weights of the motions", "share", weights, limits=(-0.03, 1.03)),
        Panel(
            "Phase",
            "cycles",
            [Line(walk.frames, np.where(wraps, np.nan, phases), PALETTE[0])],
            limits=(0.0, 1.0),
            height=_SMALL_PANEL,
        ),
        Panel(
            f"Feet on the ground, from the top: {', '.join(names)}",
            "",
            [Line(walk.frames, np.full(len(walk.frames), -9.0), GREY)],
            rows,
            limits=(0.0, float(len(names))),
            height=26.0 * len(names),
        ),
    ]
    return draw_chart(f"{walk.name}: weights and phase", _FRAMES, panels, walk.marks)


def _draw_prints(walk: WalkPlots) -> str:
    """Footprints, the way of the body and the ways of the feet from above."""
    tables, shown_walk = walk.plan.tables, walk.shown
    body = shown_walk.bones.place_joints(tables.rig, [tables.rig.body])[:, 0, :2]
    along_y = np.ptp(body[:, 1]) > np.ptp(body[:, 0])

    def turn(points: FloatArray) -> FloatArray:
        """The drawing is turned by a right angle where the way is longer along y than along x."""
        return np.stack([-points[..., 1], points[..., 0]], axis=-1) if along_y else points

    body = turn(body)
    lines = [Line(body[:, 0], body[:, 1], GREY, "body", width=1.0)]
    shapes = []
    first, last = float(shown_walk.times[0]), float(shown_walk.times[-1])
    for index, leg in enumerate(tables.rig.legs):
        colour = _pick_colour(index)
        ankle = turn(shown_walk.bones.place_joints(tables.rig, [leg.ankle])[:, 0, :2])
        lines.append(Line(ankle[:, 0], ankle[:, 1], colour, f"{leg.name} ankle", width=0.7))
        row = walk.plan.prints.rows[index]
        shown = list_used_prints(row, first, last)
        outlines = outline_soles(
            row.positions[shown],
            row.frames[shown],
            float(tables.rig.foot_lengths[index]),
            leg.sole_width,
            leg.side,
        )
        shapes += [
            Shape(turn(outline[:, :2]), colour, f"{leg.name}, {row.times[step]:.2f} s")
            for step, outline in zip(shown, outlines, strict=True)
        ]
    labels = ("world -y, m", "world x, m") if along_y else ("world x, m", "world y, m")
    return draw_map(f"{walk.name}: prints from above", *labels, lines, shapes)
