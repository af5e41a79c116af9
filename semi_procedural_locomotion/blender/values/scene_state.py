# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Context managers that leave the user's scene as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import bpy

from .custom_keys import FRAME_RATE_KEY
from .schema import find_kept


def leave_mode(context: bpy.types.Context) -> Callable[[], None]:
    """Go to object mode; gives what brings the mode, the active object and the selection back.

    Parameters
    ----------
    context
        Its view layer is kept. What is gone by then, objects or the layer, is passed over.
    """
    layer = context.view_layer
    active = layer.objects.active
    # Names of linked objects are not their own.
    kept, mode = (None, "OBJECT") if active is None else (active.session_uid, active.mode)
    selected = {i.session_uid for i in layer.objects if i.select_get(view_layer=layer)}
    scene_name, layer_name = context.scene.name, layer.name
    if mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")

    def put_back() -> None:
        scene = bpy.data.scenes.get(scene_name)
        again = None if scene is None else scene.view_layers.get(layer_name)
        if again is None:
            return
        if again.objects.active is not None and again.objects.active.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        again.objects.active = None
        for item in again.objects:
            item.select_set(item.session_uid in selected, view_layer=again)
            if item.session_uid == kept:
                again.objects.active = item
        if mode != "OBJECT" and again.objects.active is not None:
            bpy.ops.object.mode_set(mode=mode)

    return put_back


@contextmanager
def keep_mode(context: bpy.types.Context) -> Iterator[None]:
    """Work in object mode; the mode, the active object and the selection come back after.

    Parameters
    ----------
    context
        Its view layer is kept. Objects that are gone afterwards are passed over.
    """
    put_back = leave_mode(context)
    try:
        yield
    finally:
        put_back()


@contextmanager
def keep_frame(scene: bpy.types.Scene) -> Iterator[None]:
    """The current frame and sub-frame come back after."""
    frame, subframe = scene.frame_current, scene.frame_subframe
    try:
        yield
    finally:
        if (scene.frame_current, scene.frame_subframe) != (frame, subframe):
            scene.frame_set(frame, subframe=subframe)


@contextmanager
def keep_timing(scene: bpy.types.Scene) -> Iterator[None]:
    """Frame rate, frame range and current frame come back after."""
    render = scene.render
    rate = (render.fps, render.fps_base)
    span = (scene.frame_start, scene.frame_end)
    with keep_frame(scene):
        try:
            yield
        finally:
            render.fps, render.fps_base = rate
            scene.frame_start, scene.frame_end = span


@contextmanager
def temporary_scene(like: bpy.types.Scene) -> Iterator[bpy.types.Scene]:
    """An empty scene with the frame rate of another, removed after.

    Evaluating objects there touches neither the user's frame nor what the user's scene shows. Where
    Blender lets nothing be written, as while it draws, the scene goes away all the same.
    """
    scene = bpy.data.scenes.new(f"{like.name} sampling")
    try:
        scene.render.fps, scene.render.fps_base = like.render.fps, like.render.fps_base
        yield scene
    finally:
        bpy.data.scenes.remove(scene)


def get_frame_rate(scene: bpy.types.Scene) -> float:
    """Frames per second of a scene."""
    return float(scene.render.fps / scene.render.fps_base)


def read_key_rate(action: bpy.types.Action | None, scene: bpy.types.Scene | None = None) -> float:
    """Frames per second of an action's keys: its own, else those of a scene, None for the present one."""
    return float(find_kept(action, FRAME_RATE_KEY) or get_frame_rate(scene or bpy.context.scene))


def set_frame(scene: bpy.types.Scene, frame: float) -> None:
    """Evaluate a scene at a frame that may be fractional."""
    whole = int(frame // 1)
    scene.frame_set(whole, subframe=float(frame) - whole)


def set_frame_rate(scene: bpy.types.Scene, frame_rate: float) -> None:
    """Set frames a second, whole or not."""
    whole = max(round(frame_rate), 1)
    scene.render.fps = whole
    scene.render.fps_base = whole / frame_rate


class KeptRange:
    """The frames of a scene as they are now, to be put back.

    Parameters
    ----------
    scene
        The scene.
    """

    def __init__(self, scene: bpy.types.Scene) -> None:
        self._scene = scene
        self._ends = scene.frame_end, scene.frame_preview_end

    def put_back(self) -> None:
        """Let the scene end where it did."""
        self._scene.frame_end = self._ends[0]
        if self._scene.frame_preview_end != self._ends[1]:
            self._scene.frame_preview_end = self._ends[1]


def extend_scene(scene: bpy.types.Scene, last: int) -> None:
    """Let a scene end at a frame at the earliest, and a preview range with it that ended there, too."""
    if scene.frame_end < last:
        if scene.use_preview_range and scene.frame_preview_end == scene.frame_end:
            scene.frame_preview_end = last
        scene.frame_end = last


def list_other_scenes(item: bpy.types.Object, scene: bpy.types.Scene) -> list[str]:
    """Names of the scenes besides one that have an object, which plays the same keys there."""
    others = [other for other in bpy.data.scenes if other != scene]
    return [other.name for other in others if other.objects.get(item.name) == item]
