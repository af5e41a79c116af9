# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When objects are shown in the view, and when in renders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.maths.rotations import FloatArray
from .. import versions
from .nla import list_playing
from .scene_state import set_frame, temporary_scene

_EYES = ("hide_viewport", "hide_render")


@dataclass(frozen=True)
class Showing:
    """At which frames an object is shown.

    Attributes
    ----------
    first
        Scene frame of the first entry.
    viewed, rendered
        Whether it is shown in the view and in renders at frames one after the other, shapes (N,) of
        bool; one entry stands for all frames.
    """

    first: int
    viewed: np.ndarray
    rendered: np.ndarray

    @property
    def changes(self) -> bool:
        """Whether it appears or goes."""
        return bool(np.ptp(self.viewed) or np.ptp(self.rendered))

    def list_shown(self, *, in_render: bool) -> np.ndarray:
        """Where it is shown, in the view and where that counts in renders as well, shape (N,)."""
        return self.viewed & self.rendered if in_render else self.viewed

    def find_places(self, frames: FloatArray) -> np.ndarray:
        """Entries of the nearest whole frames to frames (n,), shape (n,)."""
        places = np.round(frames).astype(np.intp) - self.first
        return places.clip(0, len(self.viewed) - 1)


def find_showings(
    items: Iterable[bpy.types.Object],
    context: bpy.types.Context,
    span: tuple[float, float] | None = None,
) -> dict[bpy.types.Object, Showing]:
    """When objects are shown, by their own eyes and those of their collections.

    Parameters
    ----------
    items
        The objects.
    context
        Its view layer counts; its scene is neither stepped nor changed.
    span
        First and last frame that count; None for those of the scene.
    """
    layer, scene, found = context.view_layer, context.scene, {}
    first, last = (scene.frame_start, scene.frame_end) if span is None else map(round, span)
    opened = _open_collections(layer)
    for item in items:
        in_view, in_render = opened.get(item, (False, False))
        in_view = in_view and not item.hide_get(view_layer=layer)
        hidden = np.array([[item.hide_viewport, item.hide_render]])
        if _keys_eyes(item):
            hidden = _sample_eyes(item, np.arange(first, last + 1), scene)
        found[item] = Showing(first, in_view & ~hidden[:, 0], in_render & ~hidden[:, 1])
    return found


def _open_collections(
    layer: bpy.types.ViewLayer,
) -> dict[bpy.types.Object, tuple[bool, bool]]:
    """Objects of a view layer, with whether any of their collections is open in view and renders."""
    found: dict[bpy.types.Object, tuple[bool, bool]] = {}
    for held, in_render in _list_collections(layer.layer_collection, in_render=True):
        in_view = held.is_visible
        for item in held.collection.objects:
            view, render = found.get(item, (False, False))
            found[item] = view or in_view, render or in_render
    return found


def _list_collections(
    held: bpy.types.LayerCollection, *, in_render: bool
) -> Iterator[tuple[bpy.types.LayerCollection, bool]]:
    """Collections of a view layer that are not left out of it, and whether renders show them."""
    in_render = in_render and not held.collection.hide_render
    if not held.exclude:
        yield held, in_render
    for inner in held.children:
        yield from _list_collections(inner, in_render=in_render)


def _keys_eyes(item: bpy.types.Object) -> bool:
    """Whether anything drives the eyes of an object."""
    data = item.animation_data
    if data is None:
        return False
    curves = list(data.drivers)
    if data.action is not None:
        curves += versions.get_curves(*versions.get_assigned_action(item))
    for strip in list_playing(data):
        if strip.action is not None:
            curves += versions.get_curves(strip.action, versions.get_strip_slot(strip))
    return any(curve.data_path in _EYES for curve in curves)


def _sample_eyes(item: bpy.types.Object, frames: np.ndarray, scene: bpy.types.Scene) -> np.ndarray:
    """Whether an object is hidden in the view and in renders at frames (N,), shape (N, 2) of bool."""
    hidden = np.empty((len(frames), len(_EYES)), dtype=bool)
    # A double that hangs on nothing: where its object is hidden, Blender evaluates no more of it.
    double = item.copy()
    try:
        double.parent = None
        double.constraints.clear()
        double.modifiers.clear()
        with temporary_scene(scene) as stage:
            stage.collection.objects.link(double)
            for row, frame in enumerate(frames):
                set_frame(stage, float(frame))
                shown = double.evaluated_get(stage.view_layers[0].depsgraph)
                hidden[row] = shown.hide_viewport, shown.hide_render
    finally:
        bpy.data.objects.remove(double)
    return hidden
