# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known of a character that is watched; see `watching`."""

from __future__ import annotations

from dataclasses import dataclass

import bpy

from ..blender.bake.live import LivePose
from ..core.motions.records import MotionSet
from .baking import PreparedBake
from .verifying import Verification


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
    motions, motions_fingerprint
        The analysed motions, and what they were made from.
    seen
        How Live was shown when it was switched on; None where nobody looked.
    error
        Why the last try failed; empty where it did not.
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
    motions: MotionSet | None = None
    motions_fingerprint: str = ""
    seen: Verification | None = None
    error: str = ""
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
