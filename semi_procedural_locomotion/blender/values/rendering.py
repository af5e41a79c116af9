# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes as renders show them, where that is otherwise than in the view."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
import numpy as np

from ..limits import EVIDENCE
from .nla import list_paths
from .scene_state import set_frame, temporary_scene
from .visibility import EYES

_REFINING = {"SUBSURF", "MULTIRES"}


def find_differing_modifier(item: bpy.types.Object, scene: bpy.types.Scene) -> str | None:
    """Name of the first modifier that makes another shape in renders than in the view, or None."""
    for modifier in item.modifiers:
        if modifier.show_viewport != modifier.show_render:
            return str(modifier.name)
        if modifier.show_render and modifier.type in _REFINING:
            viewed, rendered = _find_levels(modifier, scene)
            if viewed != rendered:
                return str(modifier.name)
    return None


def limit_levels(
    modifier: bpy.types.Modifier, scene: bpy.types.Scene, faces: int, *, as_rendered: bool
) -> None:
    """Let a modifier of a double that refines make as many faces as a scene shows, and as are of use.

    Parameters
    ----------
    modifier
        The modifier; of another kind it stays as it is.
    scene
        Whose *Simplify* counts.
    faces
        Of the mesh.
    as_rendered
        Whether its levels in renders count, in place of those in the view.
    """
    if modifier.type in _REFINING:
        finest = int(np.log(EVIDENCE.most_faces / max(faces, 1)) / np.log(4.0))
        modifier.levels = max(min(_find_levels(modifier, scene)[as_rendered], finest), 0)


@contextmanager
def open_rendered(item: bpy.types.Object, scene: bpy.types.Scene) -> Iterator[bpy.types.Depsgraph]:
    """A depsgraph that shows a double of an object as renders of a scene have it at the present frame."""
    double = item.copy()
    try:
        double.hide_viewport = False
        if not list_paths(double).isdisjoint(EYES):
            double.animation_data_clear()
        for modifier in double.modifiers:
            faces = len(item.data.polygons) if item.type == "MESH" else 0
            modifier.show_viewport = modifier.show_render
            limit_levels(modifier, scene, faces, as_rendered=True)
        with temporary_scene(scene) as stage:
            stage.collection.objects.link(double)
            set_frame(stage, scene.frame_current_final)
            yield stage.view_layers[0].depsgraph
    finally:
        bpy.data.objects.remove(double)


def _find_levels(modifier: bpy.types.Modifier, scene: bpy.types.Scene) -> tuple[int, int]:
    """Levels of a modifier that refines in the view and in renders."""
    viewed, rendered, render = modifier.levels, modifier.render_levels, scene.render
    if render.use_simplify:
        viewed = min(viewed, render.simplify_subdivision)
        rendered = min(rendered, render.simplify_subdivision_render)
    return viewed, rendered
