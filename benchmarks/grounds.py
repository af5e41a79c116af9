# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every number of a walk on every test ground, as the table of docs/grounds.md.

Run from the project's root with a bpy wheel: ``python -m benchmarks.grounds [-o docs/grounds.md]``.
The project's own characters are always there; those of other people are read from the folder that
SPL_TEST_DATA names (default ../shared/data) and left out where it is absent.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import bpy
import numpy as np

import semi_procedural_locomotion
from benchmarks import terrain_shapes as shapes
from benchmarks.mesh_grounds import MeshGround
from benchmarks.planned.metrics import WalkReport
from benchmarks.planned.recording import measure_plan
from semi_procedural_locomotion import api
from semi_procedural_locomotion.api.shown_walks import measure_solved
from semi_procedural_locomotion.blender.reading.importing import import_file
from semi_procedural_locomotion.core.ground.terrain import FlatGround, MovingGround
from semi_procedural_locomotion.core.motions.records import MotionSet
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.report.shown_measures import ShownReport
from semi_procedural_locomotion.core.report.verdicts import find_bar
from semi_procedural_locomotion.core.rig.structure import Rig
from semi_procedural_locomotion.core.travel.way import WayChoices, travel_from_points
from semi_procedural_locomotion.demo.characters import (
    CHARACTER_SHAPES,
    create_character,
    write_gaits,
)

# Numbers of a plan by its own steps, and by the meter of what is shown.
Numbers = tuple[WalkReport, ShownReport]

FRAME_RATE = 30
# Strides that each walk is long; on stairs it goes at this share of its native speed.
STRIDES = 8.0
STAIRS_SPEED = 0.65

GROUNDS: dict[str, Callable[..., shapes.TerrainMesh]] = {
    "flat": shapes.make_flat,
    "ramp 10": partial(shapes.make_ramp, slope=float(np.radians(10.0))),
    "ramp 20": partial(shapes.make_ramp, slope=float(np.radians(20.0))),
    "ramp 30": partial(shapes.make_ramp, slope=float(np.radians(30.0))),
    "stairs": shapes.make_stairs,
    "bumps": shapes.make_bumps,
    "blocks": shapes.make_blocks,
    "side slope": shapes.make_side_slope,
    "gap": shapes.make_gap,
    "edge": shapes.make_platform,
    "bridge": shapes.make_bridge,
}
ROUGH = {"ramp 20", "ramp 30", "bumps", "blocks", "side slope", "gap", "stones", "hills", "lift"}
STEPPED = {"stairs", "edge"}


@dataclass(frozen=True)
class Walker:
    """A character with its walk."""

    name: str
    rig: Rig
    motions: MotionSet


@dataclass(frozen=True)
class Column:
    """One number of the table with the study's limit, by kind of ground."""

    title: str
    key: str
    scale: float
    digits: int
    flat: float
    rough: float
    stepped: float


def bound_of(key: str, scale: float) -> float:
    """From where a number is bad, in the unit of the table."""
    return scale * find_bar(key).bad


COLUMNS = (
    Column("slide %", "slide_worst", 100, 2, 0.4, 0.4, 0.4),
    Column("near-ground %", "near_ground_speed_p95", 100, 1, 14, 14, 14),
    Column("sunk %", "sink_worst", 100, 2, 0.4, 0.4, 0.4),
    Column("float %", "float_p99", 100, 2, 0.15, 2, 2),
    Column("swing depth %", "swing_depth_worst", 100, 2, 1.8, 1.8, 1.8),
    Column("deep frames %", "swing_deep_share", 100, 2, 1.2, 1.2, 1.2),
    Column("foot turn deg", "foot_turn_excess", 1, 1, 10, 10, 10),
    Column("knee", "knee_speed_ratio", 1, 2, 1.15, 2.5, 3.6),
    Column("jerk", "hip_jerk_ratio", 1, 2, 1.05, 1.1, 1.25),
    Column("reach", "reach_worst", 1, 3, 0.994, 0.994, 0.994),
    Column("missed", "targets_missed", 1, 0, 0, 0, 0),
    Column("fidelity %", "fidelity_rms", 100, 2, 0.8, 0.8, 0.8),
)
# What the whole foot shows, its contacts found again. Limits as `core.report.verdicts` has them.
SHOWN = tuple(
    Column(title, key, scale, digits, *(bound_of(key, scale),) * 3)
    for title, key, scale, digits in (
        ("slip %", "shown_slip_worst", 100, 2),
        ("foot sunk %", "shown_sink_worst", 100, 2),
        ("foot above %", "shown_float_p99", 100, 2),
        ("foot deep in swing %", "shown_swing_depth_worst", 100, 2),
        ("body deep %", "shown_body_depth_worst", 100, 2),
        ("foot's way", "shown_foot_way_ratio", 1, 2),
        ("hips surge %", "shown_hip_surge", 100, 0),
        ("hips sway %", "shown_hip_sway", 100, 0),
        ("jerk in space", "shown_hip_jerk_ratio", 1, 2),
        ("airborne %", "shown_airborne_share", 100, 1),
    )
)


def list_walkers(data: Path) -> Iterator[Walker]:
    """The project's characters, then those of other people."""
    for name, gait in (("biped", "walk"), ("quadruped", "walk"), ("hexapod", "tripod")):
        open_empty()
        shape = CHARACTER_SHAPES[name]()
        armature = create_character(shape, bpy.context.scene.collection)
        bpy.context.view_layer.update()
        walk, rest = write_gaits(armature, shape, [gait, "rest"])
        stand = rest if name == "biped" else None
        yield make_walker(f"own {name}, {gait}", armature, walk, stand)
    for file, walk, rest in (
        ("kaykit/Rogue.glb", "Walking_A", "Idle"),
        ("kaykit/Rogue.glb", "Running_A", "Idle"),
        ("kaykit/Med_MovementBasic.glb", "Walking_A", None),
        ("kaykit/Med_MovementBasic.glb", "Walking_B", None),
        ("fox/Fox.glb", "Walk", None),
    ):
        path = data / file
        if not path.is_file():
            continue
        open_empty()
        armature = import_file(path).armatures[0]
        names = {action.name: action for action in bpy.data.actions}
        action = names.get(walk) or next(a for n, a in names.items() if walk in n)
        stand = None if rest is None else names[rest]
        yield make_walker(f"{path.stem}, {walk}", armature, action, stand)


def open_empty() -> None:
    """Start with an empty file."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def make_walker(
    name: str,
    armature: bpy.types.Object,
    walk: bpy.types.Action,
    rest: bpy.types.Action | None,
) -> Walker:
    """Find the legs and analyse the motions."""
    character = api.find_character(armature, [walk])
    choices = [api.MotionChoice(walk)]
    if rest is not None:
        choices.append(api.MotionChoice(rest, rest=True))
    findings = api.analyze_actions(character, choices)
    return Walker(name, character.rig, api.make_motion_set(character, findings))


def measure(walker: Walker, ground_name: str, data: Path) -> Numbers:
    """Walk over one ground."""
    rig, motions = walker.rig, walker.motions
    walk = motions.motions[motions.slowest]
    heading = float(np.arctan2(walk.velocity[1], walk.velocity[0]))
    ahead = np.array([np.cos(heading), np.sin(heading)])
    ground = make_ground(ground_name, walker, heading, data)
    speed = walk.speed * (STAIRS_SPEED if ground_name == "stairs" else 1.0)
    flat = ground_name == "flat"
    travel = travel_from_points(
        np.stack([np.zeros(2), ahead * STRIDES * walk.stride]),
        speed,
        WayChoices(
            facing=heading,
            corner_radius=0.0,
            ramp_time=1.25 * walk.period,
            start_standing=not flat,
            stop_standing=not flat,
        ),
    )
    plan = make_plan(rig, motions, travel, ground)
    frames = np.arange(int(travel.end * FRAME_RATE))
    solved = solve_poses(plan, frames / FRAME_RATE)
    return measure_plan(plan, solved, frames), measure_solved(plan, solved, frames)


def make_ground(name: str, walker: Walker, heading: float, data: Path) -> MeshGround | MovingGround:
    """One of the grounds, along a heading."""
    leg_length = walker.rig.leg_length
    stride = walker.motions.motions[walker.motions.slowest].stride
    if name == "hills":
        return make_hills(leg_length, stride, data)
    if name == "lift":
        return make_lift(leg_length, stride, heading)
    if name == "stones":
        return make_stones(walker, heading)
    mesh = GROUNDS[name](leg_length, stride, heading - np.pi / 2)
    return MeshGround(mesh.vertices, mesh.triangles)


def make_stones(walker: Walker, heading: float) -> MeshGround:
    """Stones on the way of every leg, 0.9 of a stride apart and somewhat larger than its sole."""
    rig, motions = walker.rig, walker.motions
    walk = motions.motions[motions.slowest]
    turn = np.array([[np.sin(heading), -np.cos(heading)], [np.cos(heading), np.sin(heading)]])
    places = []
    for leg, cycle in enumerate(walk.legs):
        middle = np.array(cycle.stance_position[:2]) + 0.5 * rig.foot_lengths[leg] * np.array(
            cycle.foot_direction[:2]
        )
        across, along = turn @ middle
        steps = np.arange(3) + (cycle.stance - walk.legs[0].stance) % 1.0
        along = along + (2.0 + 0.9 * steps) * walk.stride
        places.append(np.stack([np.full(3, across), along], axis=1))
    width = max(leg.sole_width for leg in rig.legs)
    size = (
        max(1.3 * width, 0.44 * rig.leg_length),
        max(1.3 * rig.foot_lengths.max(), 0.5 * rig.leg_length),
    )
    mesh = shapes.make_stepping_stones(
        rig.leg_length, walk.stride, heading - np.pi / 2, np.concatenate(places), size
    )
    return MeshGround(mesh.vertices, mesh.triangles)


def make_lift(leg_length: float, stride: float, heading: float) -> MovingGround:
    """A platform that sways, rises and turns about the middle of the walk."""
    half = 0.5 * STRIDES * stride
    middle = half * np.array([np.cos(heading), np.sin(heading), 0.0])
    swing = min(0.05, 0.2 * leg_length / half)

    def move(times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        yaws = swing * np.sin(0.7 * times)
        turned = np.stack([np.cos(yaws), np.sin(yaws)], axis=1)
        carried = np.stack(
            [
                turned[:, 0] * middle[0] - turned[:, 1] * middle[1],
                turned[:, 1] * middle[0] + turned[:, 0] * middle[1],
            ],
            axis=1,
        )
        sway = 0.15 * leg_length * np.sin(1.5 * times)
        rise = 0.2 * leg_length * (1.0 - np.cos(times))
        places = np.concatenate([middle[:2] - carried, rise[:, None]], axis=1)
        places[:, 0] -= sway * np.sin(heading)
        places[:, 1] += sway * np.cos(heading)
        return places, yaws

    return MovingGround(FlatGround(), move, travel=(0.0, 0.4 * leg_length))


def make_hills(leg_length: float, stride: float, data: Path) -> MeshGround:
    """A real height map in cells of 0.25 L, its steepest slope brought to 35 degrees."""
    heights = np.load(data / "terrain" / "jacksboro_fault_dem.npz")["elevation"].astype(float)
    cell = 0.25 * leg_length
    steepest = max(np.abs(np.diff(heights, axis=axis)).max() for axis in (0, 1)) / cell
    heights = (heights - heights[heights.shape[0] // 2, heights.shape[1] // 2]) * (
        np.tan(np.radians(35.0)) / steepest
    )
    size = np.array(heights.shape)
    need = int(np.ceil(2.2 * STRIDES * stride / cell)) + 8
    middle, half = size // 2, np.minimum(size // 2 - 1, need // 2 + need // 4)
    cut = heights[
        middle[0] - half[0] : middle[0] + half[0], middle[1] - half[1] : middle[1] + half[1]
    ]
    origin = (-half[0] * cell, -half[1] * cell)
    mesh = shapes.make_height_grid(cut, cell, origin)
    return MeshGround(mesh.vertices, mesh.triangles)


def write_row(name: str, reports: Numbers, columns: Sequence[Column]) -> str:
    """One line of a table; numbers over the limit are in bold."""
    cells = [name]
    for column in columns:
        value = next(getattr(r, column.key) for r in reports if hasattr(r, column.key))
        if value is None:
            cells.append("-")
            continue
        limit = (
            column.stepped if name in STEPPED else column.rough if name in ROUGH else column.flat
        )
        if name == "ramp 10":
            limit = column.rough
        number = value * column.scale
        text = f"{number:.{column.digits}f}"
        cells.append(f"**{text}**" if number > limit + 0.5 * 10**-column.digits else text)
    return "| " + " | ".join(cells) + " |"


def main() -> int:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--only", help="part of a character's name")
    options = parser.parse_args()
    data = Path(os.environ.get("SPL_TEST_DATA", "../shared/data"))
    names = [*GROUNDS, "stones"]
    if (data / "terrain" / "jacksboro_fault_dem.npz").is_file():
        names.append("hills")
    names.append("lift")
    semi_procedural_locomotion.register()
    lines = [
        "# Numbers on every ground",
        "",
        "Made by `python -m benchmarks.grounds -o docs/grounds.md`. Lengths are shares of the leg; knee",
        "and jerk are ratios to the source motion. Stairs are walked slower than native speed,",
        "everything else at native speed; all walks but the flat one start and stop standing. In the",
        "first table of a walk **bold** is beyond the *study* column. The second table tells of the",
        "whole foot and the body as they are shown; there **bold** is bad.",
        "",
        "What lies over the column, and why:",
        "",
        "- *Fidelity*: planted feet of many clips skate; planting them moves them by as much.",
        "- *Reach*: where a clip has straight legs they stay so.",
        "- *Float*: a long rigid sole over several treads or two bumps rests on them, and the line",
        "  along its middle, which is measured, hangs between.",
        "- *Running_A* has strides of many leg lengths: no leg gets down stairs and stones that far in",
        "  one step.",
    ]
    for walker in list_walkers(data):
        if options.only and options.only not in walker.name:
            continue
        reports = []
        for name in names:
            reports.append(measure(walker, name, data))
            sys.stderr.write(f"{walker.name}: {name}\n")
        lines += ["", f"## {walker.name}"]
        for columns in (COLUMNS, SHOWN):
            head = " | ".join(["ground", *(column.title for column in columns)])
            lines += ["", f"| {head} |", "|" + " --- |" * (len(columns) + 1)]
            lines += [write_row(*row, columns) for row in zip(names, reports, strict=True)]
    text = "\n".join(lines) + "\n"
    if options.output is None:
        sys.stdout.write(text)
    else:
        options.output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
