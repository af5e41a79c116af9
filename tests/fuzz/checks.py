# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What has to be true of any case: words or a whole result, and no number that is none."""

from __future__ import annotations

import atexit
import math
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.mesh_grounds import MeshGround
from benchmarks.planned.metrics import measure_walk
from benchmarks.planned.recording import record_walk
from semi_procedural_locomotion.core.gaits.making import make_gait
from semi_procedural_locomotion.core.gaits.presets import find_preset
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.analysis import analyze_clip
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.rig.legs import EvidenceClip, find_rig
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.way import (
    WayChoices,
    make_straight_travel,
    travel_from_points,
)
from semi_procedural_locomotion.errors import JobError, LocomotionError
from semi_procedural_locomotion.jobs.reading import parse_job
from tests.core.legged_bodies import INTERVAL, BodyMaker
from tests.core.walkers import facing_of, make_walker, native_walk, scale_walker
from tests.fuzz.strategies import BodyCase, ClipCase, TravelCase, WalkCase

_LONGEST = 12.0


def check_walk(case: WalkCase) -> None:
    """Plan a walk and solve it: finite, at any times in any order."""
    with suppress(LocomotionError):
        rig, motions = _make_walker(case.legs, case.motions, case.scale)
        travel = _make_travel(case.travel, motions, rig.leg_length)
        ground = FlatGround()
        if case.ground is not None:
            vertices, triangles = case.ground.build(rig.leg_length)
            if len(triangles):
                ground = MeshGround(vertices, triangles)
        plan = make_plan(rig, motions, travel, ground, PlanSettings(**dict(case.settings)))
        last = min(travel.end, travel.start + _LONGEST)
        times = np.linspace(travel.start, last, 40)
        walk = solve_poses(plan, times)
        require_finite(walk, "walk")
        order = np.random.default_rng(0).permutation(len(times))
        again = solve_poses(plan, times[order])
        apart = np.abs(again.positions - walk.positions[order]).max() / rig.leg_length
        assert apart < 1e-9, f"another order of times gives another walk, {apart:.3g} L"
        require_finite(
            measure_walk(plan.tables.small_rig, record_walk(plan, walk), ground), "report"
        )


def check_clip(case: ClipCase) -> None:
    """Analyse a clip: a motion of finite numbers, or why it is none."""
    rig, _ = make_walker(("walk",), case.legs)
    clip = _make_clip(case.legs, case.preset)
    random = np.random.default_rng(case.seed)
    times = np.linspace(0.0, case.share * clip.duration, case.frames)
    if len(times) > 1 and times[-1] <= 0.0:
        times = np.arange(len(times)) * 1e-3
    rows = np.round(times / clip.duration * (len(clip.times) - 1)).astype(int) % len(clip.times)
    sampled = replace(
        clip,
        times=times,
        rotations=clip.rotations[rows],
        translations=clip.translations[rows],
        scales=clip.scales[rows],
        properties={},
    )
    turns = _turn_by(case.noise * random.normal(size=(*sampled.rotations.shape[:2], 3)))
    places = sampled.translations * case.scale
    places[:, 0] += times[:, None] * np.array(case.drift)
    rotations = rot.multiply(sampled.rotations, turns)
    if case.spoiled is not None:
        (rotations if case.seed % 2 else places)[case.seed % len(times), -1, 0] = case.spoiled
    with suppress(LocomotionError):
        broken = replace(sampled, rotations=rotations, translations=places)
        require_finite(analyze_clip(broken, rig), "motion")


def check_body(case: BodyCase) -> None:
    """Look for the legs of a body: a rig of finite numbers, or why there is none."""
    maker = BodyMaker()
    for bone, (parent, place) in enumerate(zip(case.parents, case.places, strict=True)):
        name = None if parent < 0 else f"bone{parent}"
        maker.bone(f"bone{bone}", name, case.scale * np.array(place))
    for bone, has_box in enumerate(case.boxes):
        if has_box:
            head = maker.heads[f"bone{bone}"]
            maker.box(f"bone{bone}", head - 0.1 * case.scale, head + 0.1 * case.scale)
    moves = {}
    angle = np.linspace(0.0, 2.0 * np.pi, 25)
    for bone, swing in enumerate(case.swings):
        if swing:
            axis = np.array([swing, 0.0, 0.0]) * np.sin(angle + bone)[:, None]
            moves[f"bone{bone}"] = {"rotation": _turn_by(axis)}
    evidence = maker.evidence()
    clip: EvidenceClip = maker.clip("Walk", moves)
    assert clip.interval == INTERVAL
    with suppress(LocomotionError):
        require_finite(find_rig(replace(evidence, clips=(clip,))).rig, "rig")


def check_job(case: tuple[list[tuple[tuple, str, Any]]]) -> None:
    """Read the values of a job: a job, or a JobError."""
    character = {"file": _make_file(), "travel": {}, "settings": {}, "bake": {}}
    values: dict[str, Any] = {"output": "out.blend", "character": [character]}
    for place, key, value in case[0]:
        part: Any = values
        for step in place:
            try:
                part = part[step]
            except (KeyError, IndexError, TypeError):
                break
        if isinstance(part, dict):
            part[key] = value
    text = ""
    try:
        parse_job(values, Path("job.toml"))
    except JobError as error:
        text = str(error)
    assert not text or text.startswith("job.toml"), text
    assert "\n" not in text, text


@cache
def _make_file() -> str:
    """A file that is there, with the suffix of a character."""
    with tempfile.NamedTemporaryFile(suffix=".glb", delete=False) as file:
        atexit.register(Path(file.name).unlink, missing_ok=True)
        return file.name


def require_finite(value: object, name: str) -> None:
    """Refuse numbers that are none anywhere in a record; what is not known is None there."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "f":
            assert not np.isnan(value).any(), f"{name} holds NaN"
    elif isinstance(value, float):
        assert not math.isnan(value), f"{name} is NaN"
    elif is_dataclass(value):
        for field in fields(value):
            if field.name not in _MAY_BE_UNKNOWN:
                require_finite(getattr(value, field.name), f"{name}.{field.name}")
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            require_finite(entry, f"{name}[{key}]")
    elif isinstance(value, tuple | list):
        for index, entry in enumerate(value):
            require_finite(entry, f"{name}[{index}]")


def _turn_by(vectors: np.ndarray) -> np.ndarray:
    """Rotations (..., 4) about vectors (..., 3) by their lengths, radians."""
    angles = np.linalg.norm(vectors, axis=-1)
    axes = np.where(angles[..., None] > 0.0, vectors, [1.0, 0.0, 0.0])
    return rot.quaternions_from_axis_angles(
        axes / np.linalg.norm(axes, axis=-1, keepdims=True), angles
    )


# Records in which NaN stands for what is not there, by their docstrings.
_MAY_BE_UNKNOWN = {"series", "leg_series"}


@cache
def _make_walker(legs: int, names: tuple[str, ...], scale: float) -> tuple:
    """A character of a size."""
    return scale_walker(*make_walker(names, legs), scale)


@cache
def _make_clip(legs: int, preset: str) -> Any:
    """A good clip."""
    rig, _ = make_walker((preset,), legs)
    return make_gait(rig, find_preset(preset, legs, rig.leg_length))


def _make_travel(case: TravelCase, motions: Any, length: float) -> Any:
    """The travel of a case."""
    walk = native_walk(motions)
    if not case.points:
        return make_straight_travel(np.zeros(3), 0.0, walk.velocity * case.speed, 0.0, 3.0)
    return travel_from_points(
        length * np.array(case.points),
        walk.speed * case.speed,
        WayChoices(
            facing=facing_of(walk),
            corner_radius=0.75 * walk.stride,
            ramp_time=1.25 * walk.period,
            start_standing=case.start == "stand",
            stop_standing=case.stop == "stand",
            keep_heading=case.heading == "kept",
        ),
    )
