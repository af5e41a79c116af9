# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures of docs/method/, drawn from what the program computes.

Run from the project's root: ``PYTHONPATH=. .venvs/core/bin/python tools/figures.py [FOLDER]``. Writes to
``docs/method/images`` where no folder is given. Each function makes one figure under its name.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from pathlib import Path

import numpy as np

from benchmarks.mesh_grounds import MeshGround
from semi_procedural_locomotion.core.ground.interface import Ground
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.maths.rotations import FloatArray
from semi_procedural_locomotion.core.motions.bands import compute_band_weights
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.prints.choice import choose_alone
from semi_procedural_locomotion.core.prints.soles import FootholdRules, SolePlaces, SoleShape
from semi_procedural_locomotion.core.report.svg import (
    GREY,
    PALETTE,
    Line,
    Panel,
    Shape,
    draw_chart,
    draw_map,
)
from semi_procedural_locomotion.core.rig.footpoints import compute_footbases, compute_sole_points
from semi_procedural_locomotion.core.rig.reach import soften_distances
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.swings.flight import fit_swing
from semi_procedural_locomotion.core.trajectory.planning import UNCHANGED
from semi_procedural_locomotion.core.travel.way import WayChoices, travel_from_points
from semi_procedural_locomotion.core.walk import WalkPlan
from tests.core.walkers import make_walker
from tools import band_figures, climb_figures, gait_figures, steering_figures

_ROOT = Path(__file__).resolve().parent.parent
FOLDER = _ROOT / "docs" / "method" / "images"
HIP_SPEEDS = _ROOT / "benchmarks" / "hip_speeds.csv"
BLUE, ORANGE, GREEN, PINK, YELLOW = PALETTE[:5]
_GROUND, _SOLE = "#d9d2c5", "#9fb8cc"


def footbase() -> str:
    """A foot that rolls from heel to toe tip, seen from the side, and its footbase in each pose."""
    length, ball = 0.26, 0.7
    heel, joint, tip = (np.array([x * length, 0.0, 0.0]) for x in (0.0, ball, 1.0))
    lines, bases = [], []
    for number, (about, angle) in enumerate(
        ((heel, 18.0), (heel, 8.0), (heel, 0.0), (joint, -14.0), (joint, -28.0), (tip, -48.0))
    ):
        turn = rot.quaternions_from_axis_angles(np.array([0.0, 1.0, 0.0]), np.radians(-angle))
        points = np.array([heel, joint, tip])
        # Up on its ball, a foot leaves its toes behind.
        carried = points if about is not joint else points[:2]
        turned = about + rot.rotate(turn, carried - about)
        posed = turned if len(turned) == 3 else np.concatenate([turned, tip[None]])
        base, weights = compute_footbases(posed, np.array([1.0, 0.0, 0.0]), length, ball)
        shift = number * 1.55 * length
        bases.append(base[0] + shift)
        colour = PALETTE[0]
        ankle = posed[0] + rot.rotate(turn, np.array([0.3 * length, 0.0, 0.36 * length]))
        outline = np.array([posed[0], posed[1], posed[2], posed[1], ankle, posed[0]])
        lines.append(Line(outline[:, 0] + shift, outline[:, 2], colour, "foot" * (number == 0)))
        for place, (point, weight) in enumerate(zip(posed, weights, strict=True)):
            circle = 0.004 + 0.024 * weight * np.exp(1j * np.linspace(0.0, 2.0 * np.pi, 25))
            lines.append(
                Line(
                    point[0] + shift + circle.real - 0.004,
                    point[2] + circle.imag,
                    ORANGE,
                    "weight of heel, ball and toe tip" * (number == place == 0),
                )
            )
    marks = np.array(bases)
    for number, x in enumerate(marks):
        label = "footbase" * (number == 0)
        lines.append(Line(np.array([x, x]), np.array([-0.035, 0.0]), GREEN, label, width=3.0))
    ground = np.array([-0.1, marks[-1] + 1.3 * length])
    lines.append(Line(ground, np.zeros(2), GREY))
    return draw_map("A roll over heel, ball and toe tip", "time passes", "height, m", lines, ())


def reach() -> str:
    """Distance from hip to ankle that a leg takes for the one that is asked."""
    asked = np.linspace(0.9, 1.1, 400)
    lines = [Line(asked, asked, GREY, "asked", dashed=True)]
    for clip, colour in ((0.9, BLUE), (0.992, ORANGE)):
        taken = soften_distances(asked, np.full(len(asked), clip), 1.0)
        lines.append(Line(asked, taken, colour, f"motion's own distance {clip:g}", width=2.0))
    panel = Panel("", "taken, L", lines, limits=(0.9, 1.02), level=1.0, height=260.0)
    return draw_chart("Soft reach", "distance from hip to target, L", [panel])


@cache
def _plan(length: float, ground: Ground | None = None, standing: bool = True) -> WalkPlan:
    """A made person's walk straight on, to where its legs face."""
    rig, motions = make_walker()
    own = motions.motions[motions.slowest]
    points = np.array([[0.0, 0.0], [0.0, length]])
    choices = WayChoices(
        facing=0.5 * np.pi,
        corner_radius=0.0,
        ramp_time=1.0,
        start_standing=standing,
        stop_standing=standing,
    )
    travel = travel_from_points(points, own.speed, choices)
    return make_plan(rig, motions, travel, ground or FlatGround(), PlanSettings())


def key_times() -> str:
    """Heights of a foot's heel and toe tip over a cycle, with its key times."""
    rig, motions = make_walker()
    motion = motions.motions[motions.slowest]
    leg, cycle = rig.legs[0], motion.legs[0]
    posed = compute_global_poses(rig.skeleton, motion.rotations, motion.translations, motion.scales)
    points = compute_sole_points(leg, *posed)[..., 2] - cycle.ground_height
    count = len(points)
    times = np.arange(count + 1) / count
    rows = (np.arange(count + 1) + round(cycle.stance * count)) % count
    lines = [
        Line(times, points[rows, place], colour, name, width=2.0)
        for place, name, colour in ((0, "heel", BLUE), (2, "toe tip", ORANGE))
    ]
    names: dict[float, str] = {0.0: "stance"}
    for name in ("lift", "off", "post_lift", "pre_land", "strike", "land"):
        time = round(float(getattr(cycle, name)), 3)
        word = name.replace("_", "-")
        names[time] = f"{names[time]}, {word}" if time in names else word
    marks = list(names.items())
    bands = [(0.0, cycle.off), (cycle.strike, 1.0)]
    panel = Panel("", "height, m", lines, bands=bands, height=220.0)
    return draw_chart(
        "Key times of a foot: contact is shaded", "share of the cycle from stance", [panel], marks
    )


def bands() -> str:
    """Weights of a rest, three walks and a run over the heading at walking pace."""
    speeds = np.array([0.0, 1.4, 3.5, 1.0, 0.8, 0.8])
    headings = np.radians([0.0, 0.0, 0.0, 180.0, 90.0, -90.0])
    names = ("rest", "walk 1.4", "run 3.5", "back 1.0", "left 0.8", "right 0.8")
    velocities = speeds[:, None] * np.stack([np.cos(headings), np.sin(headings)], 1)
    rest = np.array([True, False, False, False, False, False])
    turns = np.linspace(-180.0, 180.0, 145)
    ahead = np.stack([np.cos(np.radians(turns)), np.sin(np.radians(turns))], 1)
    panels = []
    for speed in (0.5, 1.4, 2.5):
        weights = compute_band_weights(velocities, rest, speed * ahead)
        lines = [
            Line(turns, weights[:, index], PALETTE[index], name if speed == 0.5 else "", width=2.0)
            for index, name in enumerate(names)
        ]
        panels.append(Panel(f"{speed:g} m/s", "weight", lines, limits=(0.0, 1.05)))
    return draw_chart("Gradient bands", "heading against forward, degrees", panels)


def _make_profile(corners: Sequence[tuple[float, float]], width: float = 1.0) -> MeshGround:
    """Ground whose height over y is a line of corners, the same for all x."""
    line = np.array(corners)
    left = np.stack([np.full(len(line), -width), line[:, 0], line[:, 1]], 1)
    right = left * [-1.0, 1.0, 1.0]
    vertices = np.stack([left, right], 1).reshape(-1, 3)
    first = 2 * np.arange(len(line) - 1)[:, None]
    triangles = np.concatenate([first + np.array(corner) for corner in ((0, 1, 2), (1, 3, 2))])
    return MeshGround(vertices, triangles)


def sole_plane() -> str:
    """Soles over the edge of a tread, as asked and as they are placed, seen from the side."""
    edge, high, length = 0.16, 0.17, 0.26
    corners = ((-0.3, high), (edge, high), (edge + 1e-6, 0.0), (0.9, 0.0))
    ground = _make_profile(corners)
    shape = SoleShape(length, 0.1, 0.9, 1.0, np.zeros((0, 3)), None)
    places = SolePlaces(np.zeros((1, 2)), np.array([0.5 * np.pi]), np.zeros(1), np.array([high]))
    line = np.array([(-0.3, 0.0), *corners, (0.55, 0.0), (0.55, -0.05), (-0.3, -0.05)])
    line = line[line[:, 0] <= 0.55]
    lines, shapes = [], [Shape(line, _GROUND)]
    for search, colour, name in ((False, ORANGE, "as asked"), (True, BLUE, "moved to support")):
        rules = FootholdRules(0.6, 0.027, 1.0, search, 0.5, np.inf)
        placed = choose_alone(ground, shape, rules, places)
        start = placed.positions[0, 1]
        along = np.linspace(-0.5, 0.5, 5) * length
        rise = -placed.normals[0, 1] / placed.normals[0, 2]
        heights = placed.positions[0, 2] + rise * (along + 0.5 * length)
        label = f"{name}, support {placed.supports[0]:.2f}"
        lines.append(Line(along + 0.5 * length + start, heights, colour, label, width=3.0))
        for share, height in zip(along, heights, strict=True):
            x = share + 0.5 * length + start
            below = high if x < edge else 0.0
            lines.append(Line(np.array([x, x]), np.array([height, below]), colour, dashed=True))
    return draw_map(
        "A sole over the edge of a tread", "along the way, m", "height, m", lines, shapes
    )


def footholds() -> str:
    """Footprints over stepping stones, seen from above: where motions put them, and as placed."""
    stones = [(0.35 + 0.62 * k, 0.12 * (-1) ** k, 0.17) for k in range(6)]
    beside = (0.13, -0.22, 0.2, -0.1, 0.26, -0.28)
    vertices, triangles, shapes = [], [], []
    for y, x, half in stones:
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + [x, y]
        first = 4 * len(shapes)
        vertices += [[*corner, 0.0] for corner in square]
        triangles += [[first, first + 1, first + 2], [first, first + 2, first + 3]]
        shapes.append(Shape(square[:, ::-1] * [1.0, -1.0], _GROUND))
    ground = MeshGround(np.array(vertices), np.array(triangles))
    lines = []
    length, width = 0.26, 0.1
    for number, (y, x, _) in enumerate(stones):
        heel = np.array([x, y - 0.5 * length + beside[number]])
        shape = SoleShape(length, width, 0.9, 1.0, np.zeros((0, 3)), None)
        places = SolePlaces(heel[None], np.array([0.5 * np.pi]), np.zeros(1), np.zeros(1))
        outline = np.array([[0, -1], [1, -1], [1, 1], [0, 1], [0, -1]]) * [length, 0.5 * width]
        for search, colour, name in ((False, ORANGE, "asked"), (True, BLUE, "taken")):
            rules = FootholdRules(0.6, 0.027, 1.0, search, 0.5, np.inf)
            placed = choose_alone(ground, shape, rules, places)
            lines.append(
                Line(
                    placed.positions[0, 1] + outline[:, 0],
                    -placed.positions[0, 0] + outline[:, 1],
                    colour,
                    name if number == 0 else "",
                    width=2.0,
                )
            )
    return draw_map("Footholds on stepping stones", "along the way, m", "across, m", lines, shapes)


def moves() -> str:
    """A walk that starts and stops: speed of the body, phase, height of each foot."""
    plan = _plan(4.0)
    grid, travel = plan.times.grid, plan.travel
    inside = (grid.times > travel.start - 0.8) & (grid.times < travel.end + 0.8)
    times = grid.times[inside]
    speed = np.hypot(*plan.times.velocities[inside].T)
    panels = [
        Panel("", "body, m/s", [Line(times, speed, BLUE, width=2.0)], height=110.0),
        Panel("", "phase", [Line(times, plan.times.phases[inside], PINK, width=2.0)], height=110.0),
    ]
    walk, states = solve_poses(plan, times), plan.steps.read_states(times)
    for leg, colour in ((0, GREEN), (1, ORANGE)):
        name = make_walker()[0].legs[leg].name
        panels.append(
            Panel(
                "",
                f"{name}, m",
                [Line(times, walk.targets.footbases[:, leg, 2], colour, width=2.0)],
                bands=_find_spans(times, states.in_contact[:, leg]),
                height=90.0,
            )
        )
    marks = [(travel.start, "body starts"), (travel.end, "body stops")]
    return draw_chart("Start and stop: contact is shaded", "s", panels, marks)


def _find_spans(times: FloatArray, inside: np.ndarray) -> list[tuple[float, float]]:
    """Stretches of times in which something holds."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]]).astype(int)))
    return [(float(times[a]), float(times[b - 1])) for a, b in edges.reshape(-1, 2)]


def arc() -> str:
    """A motion's own swing, placed along the travel, and the same swing mapped onto two prints."""
    flight = np.linspace(0.0, 1.0, 60)
    source = np.stack(
        [
            1.3 * rot.step_cubic(flight) - 0.06 * np.sin(np.pi * flight) ** 2,
            np.zeros(60),
            0.12 * np.sin(np.pi * np.clip(flight, 0.0, 1.0)) ** 2,
        ],
        1,
    )
    behind, ahead = np.array([0.15, 0.0, 0.0]), np.array([1.15, 0.0, 0.22])
    ends = [np.tile(point, (60, 1)) for point in (source[0], source[-1], behind, ahead)]
    way = fit_swing(source, *ends, flight)
    x = behind[0] + way.progress * (ahead - behind)[0]
    z = np.clip(way.progress, 0.0, 1.0) * ahead[2] + way.height
    lines = [
        Line(source[:, 0], source[:, 2], GREY, "motion's own swing", dashed=True, width=2.0),
        Line(x, z, BLUE, "mapped onto the prints", width=2.5),
    ]
    soles = [
        Shape(
            point[[0, 2]] + np.array([[0.0, 0.0], [0.26, 0.0], [0.26, -0.02], [0.0, -0.02]]), _SOLE
        )
        for point in (behind, ahead)
    ]
    return draw_map("Heel of a swinging foot", "along the way, m", "height, m", lines, soles)


def clearance() -> str:
    """A heel's way up a step: with the motion's own lift, and changed for what is in its way."""
    riser, high = 2.0, 0.3
    corners = ((-3.0, 0.0), (riser, 0.0), (riser + 1e-6, high), (6.0, high))
    plan = _plan(4.0, _make_profile(corners), standing=False)
    bare = replace(plan, trajectory=UNCHANGED)
    best, leg, span = 0.0, 0, (0.0, 1.0)
    for index, foot in enumerate(plan.trajectory.feet):
        changed = np.abs(foot.numbers).max(axis=1)
        if changed.max() > best:
            best, leg = float(changed.max()), index
            span = tuple(foot.spans[int(changed.argmax()), [1, 2]])
    times = np.linspace(*span, 120)
    lines = []
    for chosen, colour, name in (
        (bare, ORANGE, "motion's own lift"),
        (plan, BLUE, "changed least"),
    ):
        targets = solve_poses(chosen, times).targets
        heels = targets.footbases[:, leg]
        toes = heels + rot.rotate(
            targets.frames[:, leg],
            np.array([float(make_walker()[0].foot_lengths[leg]), 0.0, 0.0]),
        )
        lines.append(Line(heels[:, 1], heels[:, 2], colour, f"heel, {name}", width=2.5))
        lines.append(Line(toes[:, 1], toes[:, 2], colour, f"toe, {name}", dashed=True, width=1.5))
    low, right = (
        min(float(line.x.min()) for line in lines),
        max(float(line.x.max()) for line in lines),
    )
    ground = [(low, 0.0), (riser, 0.0), (riser, high), (right, high), (right, -0.06), (low, -0.06)]
    return draw_map(
        "A swing over a riser",
        "along the way, m",
        "height, m",
        lines,
        [Shape(np.array(ground), _GROUND)],
    )


def hip_speeds() -> str:
    """How fast hips go ahead within a cycle, as `benchmarks.hip_speeds` has measured it."""
    with HIP_SPEEDS.open(encoding="utf-8", newline="") as file:
        curves = {(row[0], row[1]): np.array(row[2:], dtype=np.float64) for row in csv.reader(file)}
    panels = []
    for clip in dict.fromkeys(name for name, _ in curves):
        lines = []
        for what, colour, dashed in (
            ("before", ORANGE, False),
            ("clip", GREY, True),
            ("after", BLUE, False),
        ):
            speeds = curves[clip, what]
            whole = np.append(speeds, speeds[0])
            phases = np.linspace(0.0, 1.0, len(whole))
            lines.append(Line(phases, whole, colour, what, dashed=dashed, width=2.0))
        panels.append(Panel(clip, "of the travel", lines, limits=(0.3, 1.7), height=90.0))
    return draw_chart("Speed of the hips along the travel", "share of the cycle", panels)


def flow() -> str:
    """What goes into a plan and what comes out of it."""
    boxes = {
        "clips, rig": (40, 70),
        "travel": (40, 150),
        "ground": (40, 230),
        "footsteps": (40, 310),
        "motions": (220, 70),
        "times": (380, 110),
        "prints": (520, 190),
        "swings": (660, 230),
        "body": (800, 190),
        "poses": (800, 90),
        "keys, Live": (660, 40),
        "report": (520, 40),
    }
    arrows = (
        ("clips, rig", "motions"),
        ("motions", "times"),
        ("travel", "times"),
        ("times", "prints"),
        ("ground", "prints"),
        ("footsteps", "prints"),
        ("footsteps", "times"),
        ("prints", "swings"),
        ("ground", "swings"),
        ("swings", "body"),
        ("body", "poses"),
        ("poses", "keys, Live"),
        ("keys, Live", "report"),
    )
    wide, high = 110, 34
    parts = [
        "<svg xmlns='http://www.w3.org/2000/svg' width='960' height='370' viewBox='0 0 960 370' "
        "font-family='system-ui, Segoe UI, Helvetica, Arial, sans-serif' font-size='14'>",
        "<defs><marker id='a' viewBox='0 0 8 8' refX='8' refY='4' markerWidth='8' markerHeight='8' "
        "orient='auto'><path d='M0 0L8 4L0 8z' fill='#8a8a8a'/></marker></defs>",
        "<rect width='100%' height='100%' fill='white'/>",
    ]
    for first, second in arrows:
        (x0, y0), (x1, y1) = boxes[first], boxes[second]
        if abs(x1 - x0) < wide:
            start, end = (x0 + wide / 2, y0), (x1 + wide / 2, y1 + high)
        else:
            ahead = x1 > x0
            start = (x0 + (wide if ahead else 0), y0 + high / 2)
            end = (x1 + (0 if ahead else wide), y1 + high / 2)
        parts.append(
            f"<line x1='{start[0]}' y1='{start[1]}' x2='{end[0]}' y2='{end[1]}' stroke='#8a8a8a' "
            "stroke-width='1.6' marker-end='url(#a)'/>"
        )
    inputs = ("clips, rig", "travel", "ground", "footsteps")
    for name, (x, y) in boxes.items():
        fill = (
            "#e9eef4"
            if name in inputs
            else "#dcebdc"
            if name in ("keys, Live", "report")
            else "#fff"
        )
        parts.append(
            f"<rect x='{x}' y='{y}' width='{wide}' height='{high}' rx='6' fill='{fill}' "
            f"stroke='{BLUE}'/><text x='{x + wide / 2}' y='{y + 22}' text-anchor='middle' "
            f"fill='#333333'>{escape(name)}</text>"
        )
    return "\n".join([*parts, "</svg>", ""])


FIGURES: tuple[Callable[[], str], ...] = (
    footbase,
    reach,
    key_times,
    bands,
    sole_plane,
    footholds,
    moves,
    arc,
    clearance,
    hip_speeds,
    flow,
    *band_figures.FIGURES,
    *gait_figures.FIGURES,
    *climb_figures.FIGURES,
    *steering_figures.FIGURES,
)


def write_figures(folder: Path) -> list[Path]:
    """Draw all figures into a folder; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for figure in FIGURES:
        path = folder / f"{figure.__name__}.svg"
        path.write_text(figure(), encoding="utf-8", newline="\n")
        paths.append(path)
    return paths


if __name__ == "__main__":
    for written in write_figures(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER):
        print(written)
