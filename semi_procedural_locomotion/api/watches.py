# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known of a character that is watched, and where it is worked on; see `watching`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import bpy

from ..blender.bake.live import LivePose
from ..core.motions.records import MotionSet
from ..errors import LocomotionError
from .baking import PreparedBake
from .verifying import Verification

_logger = logging.getLogger(__name__)
_at_work: list[bool] = []
# Why characters are watched no more, by session number, where the user did not end it.
_ends: dict[int, str] = {}


@dataclass
class Watch:
    """One character that is watched.

    Attributes
    ----------
    uid, name
        Session number of the armature object, and its last name.
    scene_uid
        Session number of the scene in which it walks.
    first
        First frame of a walk straight on.
    live, auto_bake, drawn
        What the plan is for.
    prepared
        The last walk that could be planned.
    pose
        What Live shows.
    recorded
        Whole frames that were shown while recording; None while not.
    fingerprint
        Of the inputs of the last try; empty where it has to be tried again.
    own_bake
        Of the inputs when the user baked by hand; None where that was not while it is watched.
    motions, motions_fingerprint
        The analysed motions, and what they were made from.
    seen
        How Live was shown when it was switched on; None where nobody looked.
    error
        Why the last try failed; empty where it did not.
    failure
        What went wrong while a frame was shown; None where nothing did.
    cost
        Seconds that the last try took.
    """

    uid: int
    name: str
    scene_uid: int
    first: int
    live: bool = False
    auto_bake: bool = False
    drawn: bool = False
    prepared: PreparedBake | None = None
    pose: LivePose | None = None
    recorded: set[int] | None = None
    fingerprint: str = ""
    own_bake: str | None = None
    motions: MotionSet | None = None
    motions_fingerprint: str = ""
    seen: Verification | None = None
    error: str = ""
    failure: Exception | None = None
    cost: float = 0.0

    @property
    def is_used(self) -> bool:
        """Whether anything needs the plan."""
        return self.live or self.auto_bake or self.drawn

    def find_object(self) -> bpy.types.Object | None:
        """The armature object; None when it is gone."""
        found = bpy.data.objects.get(self.name)
        if found is None or found.session_uid != self.uid:
            found = next((o for o in bpy.data.objects if o.session_uid == self.uid), None)
            self.name = self.name if found is None else found.name
        return found

    def find_scene(self) -> bpy.types.Scene | None:
        """The scene in which it walks, if the armature is still in it."""
        scene = next((s for s in bpy.data.scenes if s.session_uid == self.scene_uid), None)
        if scene is None or scene.objects.get(self.name) is None:
            return None
        return scene


def note_end(watch: Watch, error: Exception) -> None:
    """Keep why a character is watched no more, where the user did not end it."""
    if isinstance(error, LocomotionError):
        _logger.warning("%r: Live and Auto Bake end: %s", watch.name, error)
        _ends[watch.uid] = f"Live, Auto Bake and overlay have ended and all is as before: {error}"
        return
    _logger.error("%r: Live and Auto Bake end", watch.name, exc_info=error)
    _ends[watch.uid] = (
        f"Live, Auto Bake and overlay have ended and all is as before, since planning failed "
        f"({type(error).__name__}: {error}): take back what was changed last and switch them on again, "
        "and tell the developers"
    )


def find_end(armature: bpy.types.Object) -> str:
    """Why a character is watched no more, in words; empty where it is, or where the user ended it."""
    return _ends.get(armature.session_uid, "")


def forget_end(uid: int | None = None) -> None:
    """Forget why a character, or any, was watched no more."""
    if uid is None:
        _ends.clear()
    else:
        _ends.pop(uid, None)


def is_at_work() -> bool:
    """Whether a refresh runs, whose own changes are none of the user's."""
    return bool(_at_work)


@contextmanager
def working() -> Iterator[None]:
    """Marks what happens as our own doing."""
    _at_work.append(True)
    try:
        yield
    finally:
        _at_work.pop()


def in_scene(scene: bpy.types.Scene) -> Any:  # noqa: ANN401
    """The context of a scene; timers have none of their own."""
    if bpy.context.scene == scene and bpy.context.view_layer is not None:
        return nullcontext()
    for window in bpy.context.window_manager.windows:
        if window.scene == scene:
            return bpy.context.temp_override(window=window)
    return bpy.context.temp_override(scene=scene, view_layer=scene.view_layers[0])
