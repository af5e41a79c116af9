# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The check of bakes in Blender: what is shown is right, or told."""

from __future__ import annotations

from contextlib import suppress

import bpy
import numpy as np

from semi_procedural_locomotion import api
from semi_procedural_locomotion.api import setups
from semi_procedural_locomotion.api.notes import find_severity
from semi_procedural_locomotion.api.wording import Severity
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.values.curves import fingerprint_curves
from semi_procedural_locomotion.errors import LocomotionError
from semi_procedural_locomotion.requests.settings.kinds import Choice
from semi_procedural_locomotion.requests.settings.steps import PLAN
from tests.fuzz.checks import require_finite
from tests.fuzz.strategies import SceneCase
from tests.meters import level_heights, measure_sink, see_feet
from tests.scenes import add_mesh, add_person

LEG = 0.817
FEET = (("foot.L", "toe.L"), ("foot.R", "toe.R"))
# Shares of the leg by which a foot may be wrong without a word, whatever is asked for: the bars of
# ordinary walks are a tenth of it.
SILENT_SINK, SILENT_FLOAT = 0.03, 0.06


def check_scene(case: SceneCase) -> None:
    """Bake a person: keys of finite numbers and feet on the ground, or words."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    armature = add_person(is_set_up=True)
    scene.frame_start, scene.frame_end = 1, case.frames
    before = _read_sources()
    mesh = None
    if case.ground is not None:
        vertices, triangles = case.ground.build(LEG)
        mesh = add_mesh("Ground", vertices, triangles.tolist())
        mesh.location = [LEG * x for x in case.place]
        if case.ground.nowhere:
            mesh.data.vertices[0].co.x = float("nan")
        if case.is_chosen:
            setups.write_ground(armature, [mesh])
    setups.write_travel(armature, _make_travel(case), "object")
    for name, value in case.settings:
        if name == "hug":
            armature.locomotion.settings.use_automatic_hug = value is None
        if value is not None:
            is_choice = isinstance(PLAN[name], Choice)
            setattr(armature.locomotion.settings, name, value.upper() if is_choice else value)
    bpy.context.view_layer.update()
    with suppress(LocomotionError):
        result = api.bake_set_up(armature, scene)
        assert all(text and "nan" not in text.split() for text in result.warnings), result.warnings
        require_finite(result.report.as_dict("Walker"), "report")
        _check_keys(armature)
        told = any(find_severity(note) is Severity.WALK for note in result.notes)
        if not told:
            _check_feet(case, armature, result)
    assert _read_sources() == before, "a source action was changed"


def _make_travel(case: SceneCase) -> api.AlongPoints | api.StraightAhead:
    """The travel of a case."""
    travel = case.travel
    speed = 1.27 * travel.speed
    if not travel.points:
        return api.StraightAhead(speed=speed, start=travel.start, stop=travel.stop)
    return api.AlongPoints(
        tuple((LEG * x, LEG * y) for x, y in travel.points),
        speed=speed,
        start=travel.start,
        stop=travel.stop,
        heading=travel.heading,
        slow_turns=travel.slow_turns,
    )


def _read_sources() -> dict[str, str]:
    """Hashes of the curves of the walk and the rest."""
    found = {}
    for action in bpy.data.actions:
        if action.name in ("Walker Walk", "Walker Rest"):
            slot = action.slots[0].identifier if hasattr(action, "slots") else versions.NO_SLOT
            found[action.name] = fingerprint_curves(versions.get_curves(action, slot))
    return found


def _check_keys(armature: bpy.types.Object) -> None:
    """Refuse keys that are no numbers."""
    for curve in versions.get_curves(*versions.get_assigned_action(armature)):
        flat = np.empty(2 * len(curve.keyframe_points))
        curve.keyframe_points.foreach_get("co", flat)
        assert np.isfinite(flat).all(), f"keys of {curve.data_path} are no numbers"


def _check_feet(case: SceneCase, armature: bpy.types.Object, result: api.BakeResult) -> None:
    """Refuse feet in the ground or in the air that nobody was told of."""
    if dict(case.settings).get("lock_feet") is False:
        return
    first, last = result.frames
    frames = range(first, min(last, first + 120) + 1, 2)
    heights = level_heights
    if case.ground is not None and hasattr(result.plan.ground, "surfaces"):
        place = LEG * np.array(case.place)

        def heights(points: np.ndarray) -> np.ndarray:
            return case.ground.find_heights(points - place, LEG)

    feet = see_feet(armature, FEET, frames, heights)
    sink = measure_sink(feet) / LEG
    hover = float(np.min([foot.lows for foot in feet], axis=0).max()) / LEG
    assert sink < SILENT_SINK, f"a foot is {sink:.1%} of the leg in the ground without a word"
    assert hover < SILENT_FLOAT, f"both feet are {hover:.1%} of the leg in the air without a word"
