# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travel of an ordinary action handed between object, root bone and body (docs/root_motion.md)."""

from __future__ import annotations

import re
from dataclasses import dataclass

import bpy

from ..blender import versions
from ..blender.bake.live_action import is_shown_live
from ..blender.root_motion.fitting import find_body_bone, find_holds, find_root_above, is_sure_body
from ..blender.root_motion.trials import PlayedAction
from ..blender.root_motion.writing import find_range, play_instead, write_converted
from ..blender.setup.controls import read_controls
from ..blender.values.armature import require_armature
from ..blender.values.curves import group_transform_curves
from ..blender.values.nla import list_playing
from ..errors import AnalysisError, BakeError, LocomotionError, RigError, TravelError
from ..requests.plans import RootMotionRequest
from .characters import find_character
from .progress import Progress, Steps, run_steps
from .root_motion_work import CarrierBones, Conversion, FoundRootMotion

_NAMES = {
    "object": "Object Motion",
    "root": "Root Motion",
    "body": "Body Motion",
    "none": "In Place",
}
# Endings of the names of actions that were converted before.
_ENDINGS = re.compile(r"( (Object Motion|Root Motion|Body Motion|In Place)( \d+)?)+$")


@dataclass(frozen=True)
class ConvertedAction:
    """A written conversion.

    Attributes
    ----------
    action
        The new action.
    slot
        Identifier of its slot.
    is_played
        Whether the armature plays it.
    found
        What was written.
    """

    action: bpy.types.Action
    slot: str
    is_played: bool
    found: FoundRootMotion


def convert_root_motion(
    armature: bpy.types.Object,
    request: RootMotionRequest,
    action: bpy.types.Action | None = None,
    progress: Progress | None = None,
) -> ConvertedAction:
    """Make an action whose travel something else carries.

    Parameters
    ----------
    armature
        The armature object; it need not be set up.
    request
        From where to where, and how much.
    action
        Any action of it, which is not changed; None for the one that it plays.
    progress
        Called with the share done and a text.

    Raises
    ------
    LocomotionError
        It cannot be done; the message names the thing and the cure, and nothing is changed.
    """
    return write_root_motion(run_steps(find_root_motion(armature, request, action), progress))


def write_root_motion(found: FoundRootMotion) -> ConvertedAction:
    """Write a computed conversion as a new action."""
    played = found.played
    stem = _ENDINGS.sub("", played.action.name)
    name = f"{stem} {_NAMES[found.request.target]}"
    action, slot = write_converted(played, name, found.key_range, found.changes)
    plays = found.request.use_play and play_instead(played.armature, played, action, slot)
    action.use_fake_user = action.use_fake_user or not plays
    if not played.action.users and played.action.library is None:
        # Blender leaves what nothing uses out of the file.
        played.action.use_fake_user = True
    return ConvertedAction(action, slot, plays, found)


def find_root_motion(
    armature: bpy.types.Object,
    request: RootMotionRequest,
    action: bpy.types.Action | None = None,
) -> Steps[FoundRootMotion]:
    """Compute a conversion; nothing in the file changes.

    Parameters
    ----------
    armature, request, action
        As for `convert_root_motion`. Where several actions play, the first that travels is converted.

    Raises
    ------
    LocomotionError
        It cannot be done.
    """
    require_armature(armature)
    choices = _list_played(armature, action)
    bones = find_carrier_bones(armature, request)
    failures: list[LocomotionError] = []
    for played in choices:
        try:
            return (yield from _find_one(played, request, bones))
        except (TravelError, BakeError) as error:
            # Nothing travels in it; an action or strip under it may.
            failures.append(error)
    raise failures[0]


def _find_one(
    played: PlayedAction, request: RootMotionRequest, bones: CarrierBones
) -> Steps[FoundRootMotion]:
    """Compute the conversion of one action."""
    curves = _list_curves(played)
    key_range = find_range(played.action, curves, bpy.context.scene)
    while True:
        work = Conversion(played, request, bones, key_range)
        found = yield from work.run(curves)
        if not key_range.repeat or work.returns(found.changes):
            return found
        # It ends turned against its start, so that no repeat of single channels goes on rightly.
        key_range = key_range.widen(bpy.context.scene)


def _list_played(armature: bpy.types.Object, action: bpy.types.Action | None) -> list[PlayedAction]:
    """The actions that may be converted, the active one first, and whether the armature plays them."""
    name, data = armature.name, armature.animation_data
    if is_shown_live(armature):
        raise BakeError(f"{name!r} is shown live: end Live first")
    if data is not None and data.use_tweak_mode:
        raise BakeError(f"a strip of {name!r} is being tweaked: leave tweak mode in the NLA first")
    if armature.data.pose_position == "REST":
        raise RigError(f"{name!r} is shown at rest: let its armature show the pose first")
    active, slot = versions.get_assigned_action(armature)
    strips = [] if data is None else [s for track in data.nla_tracks for s in track.strips]
    playing = [(strip.action, versions.get_strip_slot(strip)) for strip in strips if strip.action]
    if active is not None:
        playing.insert(0, (active, slot))
    if action is None:
        if not playing:
            raise AnalysisError(f"{name!r} plays no action: choose an action")
        heard = playing[:1] if active is not None else []
        heard += [(s.action, versions.get_strip_slot(s)) for s in list_playing(data) if s.action]
        return [
            PlayedAction(armature, played, played_slot, keeps_pose=True)
            for played, played_slot in dict.fromkeys(heard or playing[:1])
        ]
    slots = [played_slot for played, played_slot in playing if played == action]
    found = slots[0] if slots else versions.find_slot(action, armature)
    if found is None:
        raise AnalysisError(
            f"action {action.name!r} has no keys for armature {name!r}: choose an action made for it"
        )
    return [PlayedAction(armature, action, found, keeps_pose=bool(slots))]


def _list_curves(played: PlayedAction) -> list[bpy.types.FCurve]:
    """Curves that move the object or its bones."""
    grouped = group_transform_curves(versions.get_curves(played.action, played.slot))
    names = {bone.name for bone in played.armature.pose.bones} | {""}
    return [c for (bone, _), group in grouped.items() if bone in names for c in group.values()]


def find_carrier_bones(armature: bpy.types.Object, request: RootMotionRequest) -> CarrierBones:
    """Root and body of an armature, by choice, by its controls, by its set-up, or as they are found.

    Raises
    ------
    RigError
        A chosen bone does not exist or does not carry the body; none is found; or the travel goes from
        or to a root bone, and there is none.
    """
    controls = read_controls(armature)
    body = request.body_bone or ("" if controls is None else controls.body)
    body = find_body_bone(armature, body or _guess_body(armature))
    known = "" if controls is None else controls.root
    root = find_root_above(armature, body, request.root_bone or known or None)
    if root is None and "root" in (request.source, request.target):
        raise RigError(
            f"{armature.name!r} has no bone above its body {body!r}: add a root bone in Edit Mode and "
            f"make it the parent of {body!r}, or choose Object"
        )
    names = () if controls is None else controls.bones
    return CarrierBones(root or "", body, frozenset(names))


def _guess_body(armature: bpy.types.Object) -> str | None:
    """The body of a set-up, or that of legs; None where keys cannot move it, or names tell it."""
    found = str(armature.locomotion.body)
    if not found and not is_sure_body(armature):
        try:
            rig = find_character(armature).rig
        except RigError:  # no legs: the tree of bones has to tell
            return None
        found = rig.skeleton.names[rig.body]
    return found if found and found not in find_holds(armature) else None
