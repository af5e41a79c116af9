# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where renders show something else under the feet, or on them, than the view that a walk is made for."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np

from ..blender.ground.casting import SceneGround, build_ground
from ..blender.ground.surfaces import RenderDifference, find_render_differences
from ..blender.reading.foot_skins import read_foot_skins
from ..blender.reading.meshes import find_body_meshes
from ..blender.setup.characters import find_figures
from ..blender.values.scene_state import get_frame_rate
from ..core.ground.soles import start_over_plane
from ..core.maths.rotations import FloatArray
from ..core.report.sole_places import StandingPlaces, list_sole_places
from ..core.report.verdicts import find_bar
from ..core.walk import WalkPlan
from ..notes import Note, NoteKind, make_note
from ..requests.plans import PlanRequest
from .characters import Character
from .walk_grounds import find_leaving


def note_renders(
    character: Character,
    request: PlanRequest,
    plan: WalkPlan,
    scene: bpy.types.Scene,
    frames: np.ndarray,
) -> list[Note]:
    """What renders show otherwise at feet and under them, worst of each object.

    Parameters
    ----------
    character, request
        Who walks, and what was asked for.
    plan
        The walk.
    scene
        Where it goes.
    frames
        Its scene frames, shape (N,).
    """
    span = (int(frames[0]), int(frames[-1]))
    differences = find_render_differences(bpy.context, span)
    if not differences:
        return []
    notes = _note_feet(character, differences, span)
    if not request.use_plane:
        notes += _note_ground(character, request, plan, scene, span, differences)
    return notes


def _note_ground(
    character: Character,
    request: PlanRequest,
    plan: WalkPlan,
    scene: bpy.types.Scene,
    span: tuple[int, int],
    differences: dict[str, RenderDifference],
) -> list[Note]:
    """Where the ground of renders is higher or lower under soles."""
    rate, length = get_frame_rate(scene), character.rig.leg_length
    places = list_sole_places(plan, span[0] / rate, span[1] / rate)
    if not len(places.points):
        return []
    leaving = find_leaving(character, request.ground_choice, plan.travel)
    leaving = replace(leaving, way=places.points[:, :2], beyond=length)
    others = find_figures(scene) if request.ground is None else []
    rendered = build_ground(
        bpy.context,
        request.ground,
        (character.armature, *others, *request.ground_choice.left_out),
        leaving,
        span,
        as_rendered=True,
    )
    viewed = plan.ground.whole if isinstance(plan.ground, SceneGround) else plan.ground
    starts = places.points.copy()
    starts[:, 2] = start_over_plane(starts, length)
    hits = viewed.cast_down(starts, places.times)
    stood = np.where(hits.hit, hits.points[:, 2], places.points[:, 2])
    heights, surfaces = _find_rendered(rendered, places, starts[:, 2], length, differences)
    heights -= stood
    worst: dict[str, int] = {}
    for row in np.argsort(-np.abs(heights), kind="stable").tolist():
        if abs(heights[row]) <= find_bar("shown_sink_worst").good * length:
            break
        owners = ((rendered, int(surfaces[row])), (viewed, int(hits.surfaces[row])))
        names = [ground.name_surface(surface) for ground, surface in owners if surface >= 0]
        name = next((name for name in names if name in differences), None)
        if name is not None:
            worst.setdefault(name, row)
    return [
        _tell(name, differences[name], places, row, float(heights[row]), rate)
        for name, row in worst.items()
    ]


def _find_rendered(
    ground: SceneGround,
    places: StandingPlaces,
    starts: FloatArray,
    length: float,
    differences: dict[str, RenderDifference],
) -> tuple[FloatArray, np.ndarray]:
    """World z (n,) of the ground of renders at places, and which surface it is, (n,).

    Minus infinity and -1 where there is none. What lies above the starts (n,) of the feet's own rays is
    ground as far as a leg above them where the view does not show it so.
    """
    layers = ground.cast_all(places.points, places.times)
    differs = np.array([surface.name in differences for surface in ground.surfaces], dtype=bool)
    tops = starts[layers.rays] + length * differs[layers.surfaces]
    heights, surfaces = np.full(len(starts), -np.inf), np.full(len(starts), -1)
    # Of each line the last entry stays, which is the highest.
    for row in np.flatnonzero(layers.heights <= tops)[::-1].tolist():
        heights[layers.rays[row]] = layers.heights[row]
        surfaces[layers.rays[row]] = layers.surfaces[row]
    return heights, surfaces


def _tell(
    name: str,
    difference: RenderDifference,
    places: StandingPlaces,
    row: int,
    height: float,
    rate: float,
) -> Note:
    """A note of the ground that renders show at a place."""
    is_there = bool(np.isfinite(height))
    return make_note(
        NoteKind.RENDER_OTHER_GROUND,
        places.legs[row],
        places.times[row] * rate,
        places.points[row],
        case=difference.kind if is_there else "loses",
        ground=name,
        height=height if is_there else 0.0,
        modifier=difference.modifier,
    )


def _note_feet(
    character: Character, differences: dict[str, RenderDifference], span: tuple[int, int]
) -> list[Note]:
    """Where the lowest of the feet is higher or lower in renders."""
    armature, skeleton = character.armature, character.rig.skeleton
    if all(mesh.item.name not in differences for mesh in find_body_meshes(armature, skeleton)):
        return []
    viewed = read_foot_skins(armature, skeleton, span)
    rendered = read_foot_skins(armature, skeleton, span, as_rendered=True)
    if not viewed or not rendered:
        return []
    before, after = (min(skins, key=lambda skin: skin.low) for skins in (viewed, rendered))
    height = after.low - before.low
    if abs(height) <= find_bar("shown_sink_worst").good * character.rig.leg_length:
        return []
    name = next((skin.name for skin in (before, after) if skin.name in differences), None)
    if name is None:
        return []
    modifier = differences[name].modifier
    return [make_note(NoteKind.RENDER_OTHER_FEET, mesh=name, modifier=modifier, height=height)]
