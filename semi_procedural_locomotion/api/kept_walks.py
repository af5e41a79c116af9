# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans, poses and numbers of walks, made again only where something differs that they are made from.

They are pure functions of records, so they are kept under what these hold, to the last digit: bake, Live,
Auto Bake, the overlay and the report share them, and nothing has to notice that a curve was edited, the
ground moved or a step undone (docs/method/speed.md, What is kept).
"""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ..blender.ground.casting import SceneGround
from ..blender.values.scene_state import get_frame_rate
from ..core.body.hand_over import BesideWalk
from ..core.ground.interface import Ground
from ..core.maths.fingerprints import KeptResults, try_fingerprint
from ..core.maths.rotations import FloatArray
from ..core.motions.packing import pack_motions
from ..core.motions.records import MotionSet
from ..core.plan import make_plan, solve_poses
from ..core.prints.records import KeptStep
from ..core.report.shown_measures import ShownReport
from ..core.rig.structure import Rig
from ..core.settings import PlanSettings
from ..core.times.climbs import ClimbPace, pace_climbs
from ..core.travel.way import Travel
from ..core.walk import SolvedWalk, WalkPlan, leave_ground, put_on_ground
from .limits import KEPT
from .shown_walks import measure_section

# Plans without their ground, with the surfaces of it that were met.
_plans = KeptResults[tuple[WalkPlan, np.ndarray]](KEPT.walks)
_paces = KeptResults[ClimbPace | None](KEPT.walks)
_walks = KeptResults[SolvedWalk](KEPT.walks)
_long_walks = KeptResults[SolvedWalk](1)
_reports = KeptResults[ShownReport](KEPT.walks)


def recall_plan(
    rig: Rig,
    motions: MotionSet,
    travel: Travel,
    ground: Ground,
    settings: PlanSettings,
    kept_steps: Sequence[KeptStep],
    beside: BesideWalk | None,
) -> WalkPlan:
    """The plan that `make_plan` makes, with its fingerprint.

    Parameters are those of `make_plan`.
    """
    key = try_fingerprint(rig, motions, travel, ground, settings, list(kept_steps), beside)

    def make() -> tuple[WalkPlan, np.ndarray]:
        plan = make_plan(rig, motions, travel, ground, settings, kept_steps, beside)
        met = ground.met if isinstance(ground, SceneGround) else np.zeros(0, dtype=bool)
        return leave_ground(plan, key), met.copy()

    plan, met = _plans.get(key, make)
    if isinstance(ground, SceneGround):
        ground.met |= met
    return put_on_ground(plan, ground)


def recall_pace(
    rig: Rig,
    motions: MotionSet,
    travel: Travel,
    ground: Ground,
    settings: PlanSettings,
    speed: float,
    ramp: float,
) -> ClimbPace | None:
    """What `pace_climbs` says of a travel; parameters are its own, and those of `make_plan`."""
    key = try_fingerprint(rig, motions, travel, ground, settings, speed, ramp)
    return _paces.get(
        key,
        lambda: pace_climbs(pack_motions(rig, motions), travel, ground, settings, speed, ramp),
    )


def recall_poses(plan: WalkPlan, times: FloatArray) -> SolvedWalk:
    """What `solve_poses` gives of a plan at times (N,)."""
    size = len(times) * len(plan.tables.rig.skeleton)
    kept = _walks if size <= KEPT.most_poses else _long_walks
    key = None
    if plan.fingerprint is not None and size <= KEPT.most_long:
        key = try_fingerprint(plan.fingerprint, times)
    return kept.get(key, lambda: solve_poses(plan, times))


def recall_numbers(
    plan: WalkPlan, walk: SolvedWalk, frames: np.ndarray, blends: tuple[int, int]
) -> ShownReport:
    """What `measure_section` says of a plan as `recall_poses` poses it."""
    key = None
    if plan.fingerprint is not None:
        key = try_fingerprint(plan.fingerprint, walk.times, frames, blends)
    return _reports.get(key, lambda: measure_section(plan, walk, frames, blends))


def recall_span_numbers(
    plan: WalkPlan, span: tuple[int, int], blends: tuple[int, int], scene: bpy.types.Scene
) -> ShownReport:
    """The numbers of a plan from a first to a last frame of a scene; see `recall_numbers`."""
    frames = np.arange(span[0], span[1] + 1)
    walk = recall_poses(plan, frames / get_frame_rate(scene))
    return recall_numbers(plan, walk, frames, blends)


def forget_walks() -> None:
    """Make all walks anew from now on."""
    for kept in (_plans, _paces, _walks, _long_walks, _reports):
        kept.forget()
