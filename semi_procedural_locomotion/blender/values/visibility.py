# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When objects are shown in the view, and when in renders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.maths.rotations import FloatArray
from .nla import list_paths
from .scene_state import set_frame, temporary_scene

# What hides an object in the view, and in renders.
EYES = ("hide_viewport", "hide_render")


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

    def is_ever_shown(self, *, as_rendered: bool) -> bool:
        """Whether it is shown at any frame, in renders or in the view."""
        return bool((self.rendered if as_rendered else self.viewed).any())

    def is_viewed(self, frames: FloatArray) -> np.ndarray:
        """Whether it is shown in the view at the nearest whole frames to frames (n,), (n,) of bool."""
        places = np.round(frames).astype(np.intp) - self.first
        viewed: np.ndarray = self.viewed[places.clip(0, len(self.viewed) - 1)]
        return viewed


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
    # A view layer lists what has just been deleted as None.
    layer, items = context.view_layer, [item for item in items if item is not None]
    opened, found = _open_collections(layer), {}
    for item, eyes in read_eyes(items, context.scene, span).items():
        in_view, in_render = opened.get(item, (False, False))
        found[item] = Showing(
            eyes.first,
            eyes.viewed & (in_view and not item.hide_get(view_layer=layer)),
            eyes.rendered & in_render,
        )
    return found


def read_eyes(
    items: Iterable[bpy.types.Object],
    scene: bpy.types.Scene,
    span: tuple[float, float] | None = None,
) -> dict[bpy.types.Object, Showing]:
    """When objects are shown by their own eyes alone, keyed or not; see `find_showings`."""
    first, last = (scene.frame_start, scene.frame_end) if span is None else map(round, span)
    keyed, found = [], {}
    for item in items:
        if list_paths(item).isdisjoint(EYES):
            hidden = (item.hide_viewport, item.hide_render)
            found[item] = Showing(first, *(np.array([not eye]) for eye in hidden))
        else:
            keyed.append(item)
    if keyed:
        seen = ~_sample_eyes(keyed, np.arange(first, last + 1), scene)
        found |= {
            i: Showing(first, eyes[:, 0], eyes[:, 1]) for i, eyes in zip(keyed, seen, strict=True)
        }
    return found


def _open_collections(
    layer: bpy.types.ViewLayer,
) -> dict[bpy.types.Object, tuple[bool, bool]]:
    """Objects of a view layer, with whether any of their collections is open in view and renders."""
    found: dict[bpy.types.Object, tuple[bool, bool]] = {}
    outermost = layer.layer_collection
    for held, in_render in _list_collections(outermost, in_render=True):
        # Nothing hides the outermost, whatever old files tell of it.
        in_view = held.is_visible or held == outermost
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


def _sample_eyes(
    items: Sequence[bpy.types.Object], frames: np.ndarray, scene: bpy.types.Scene
) -> np.ndarray:
    """Whether K objects are hidden in the view and in renders at frames (N,), (K, N, 2) of bool."""
    hidden = np.empty((len(items), len(frames), len(EYES)), dtype=bool)
    # Doubles that hang on nothing: where an object is hidden, Blender evaluates no more of it.
    doubles = [item.copy() for item in items]
    try:
        with temporary_scene(scene) as stage:
            for double in doubles:
                double.parent = None
                double.constraints.clear()
                double.modifiers.clear()
                stage.collection.objects.link(double)
            for row, frame in enumerate(frames):
                set_frame(stage, float(frame))
                graph = stage.view_layers[0].depsgraph
                for number, double in enumerate(doubles):
                    shown = double.evaluated_get(graph)
                    hidden[number, row] = shown.hide_viewport, shown.hide_render
    finally:
        for double in doubles:
            bpy.data.objects.remove(double)
    return hidden
