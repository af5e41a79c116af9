# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is cleaned of an action: its frames and contacts, and what there is no use in cleaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ..blender import versions
from ..blender.bake import writing as bake_action
from ..blender.root_motion.writing import go_on
from ..blender.setup.fix_records import is_cleaned, read_marked_stances
from ..blender.values.bake_record import find_base_action, is_bake_of
from ..blender.values.curves import group_transform_curves, read_key_frames
from ..blender.values.nla import list_playing
from ..core.body.cleaning.motions import CleaningChoices, find_motion_stances
from ..core.contacts.stances import FootStances
from ..core.ground.interface import Ground
from ..errors import BakeError
from ..requests.settings.kinds import check_values
from ..requests.settings.motions import FIX
from .characters import Character
from .limits import FIXING
from .seen_motions import SeenMotion, find_way


@dataclass(frozen=True)
class FixRequest:
    """How an action is cleaned; `requests.settings.motions` has defaults, ranges and units.

    Attributes
    ----------
    action
        Which action; None for the one that the character plays.
    frames
        First and last frame; None for those of its keys, and of the scene where its curves go on beyond
        them.
    legs
        Names of the legs whose feet are planted; None for all.
    plant, hold, smooth_hips, use_markers
        See `requests.settings.motions`.

    Raises
    ------
    SettingError
        A value is of the wrong kind or out of its range.
    """

    action: bpy.types.Action | None = None
    frames: tuple[int, int] | None = None
    legs: Sequence[str] | None = None
    plant: float = FIX["plant"].default
    hold: float = FIX["hold"].default
    smooth_hips: float = FIX["smooth_hips"].default
    use_markers: bool = FIX["use_markers"].default

    def __post_init__(self) -> None:
        check_values(FIX, {name: getattr(self, name) for name in FIX})


def check_source(armature: bpy.types.Object, request: FixRequest) -> None:
    """Refuse what is no motion to clean, and choices that would change nothing.

    Raises
    ------
    BakeError
        With what is wrong and what helps.
    """
    name = armature.name
    action, _ = find_base_action(armature)
    if bake_action.find_bake(armature) is not None and not is_cleaned(armature):
        raise BakeError(
            f"{name!r} plays a baked walk or is shown live, whose feet are planted already",
            "use Remove Bake first",
            "give the file from before the bake",
        )
    if action is None and armature.animation_data is None:
        raise BakeError(f"{name!r} plays no action: let it play the one to clean")
    if request.action is not None and request.action != action:
        raise BakeError(
            f"{name!r} does not play the action {request.action.name!r}: assign it first"
        )
    if not request.smooth_hips and not request.plant:
        raise BakeError(
            f"neither feet nor hips of {name!r} are to change",
            "raise Plant or Smooth Hips",
            "raise `plant` or `smooth_hips`",
        )
    if not request.smooth_hips and request.legs is not None and not request.legs:
        raise BakeError(
            f"no foot of {name!r} is chosen and its hips are not smoothed, so nothing would change",
            "tick a foot in Fix Feet",
            "choose a foot, or raise `smooth_hips`",
        )


def check_legs(character: Character, request: FixRequest) -> None:
    """Refuse names of legs that are none."""
    names = [leg.name for leg in character.rig.legs]
    for name in request.legs or ():
        if name not in names:
            raise BakeError(
                f"{character.armature.name!r} has no leg {name!r}: it has {', '.join(names)}"
            )


def list_planted(character: Character, request: FixRequest) -> tuple[str, ...]:
    """Names of the legs whose feet are planted."""
    if not request.plant:
        return ()
    names = [leg.name for leg in character.rig.legs]
    return tuple(name for name in names if request.legs is None or name in request.legs)


def choose_frames(
    armature: bpy.types.Object, request: FixRequest, scene: bpy.types.Scene
) -> np.ndarray:
    """Frames to clean: those asked for, else those of the keys, else the scene's.

    Where curves go on beyond their keys, as with Cycles, the scene's frames are cleaned as well: what
    is written does not repeat.
    """
    first, last = scene.frame_start, scene.frame_end
    action, slot = find_base_action(armature)
    if request.frames is not None:
        first, last = request.frames
    elif action is not None:
        curves = versions.get_curves(action, slot)
        keys = read_key_frames(curves)
        if len(keys):
            span = int(np.floor(keys[0])), int(np.ceil(keys[-1]))
            beyond = _moves_beyond(curves)
            first = min(first, span[0]) if beyond else span[0]
            last = max(last, span[1]) if beyond else span[1]
    if not FIXING.fewest_frames <= last - first + 1 <= FIXING.most_frames:
        raise BakeError(
            f"frames {first} to {last} of {armature.name!r} are {max(last - first + 1, 0)}: choose "
            f"{FIXING.fewest_frames} to {FIXING.most_frames} frames"
        )
    return np.arange(first, last + 1)


def check_moving(character: Character, source: SeenMotion) -> None:
    """Refuse frames where nothing moves, without any keys or beyond them all."""
    armature = character.armature
    joints = [bone for leg in character.rig.legs for bone in leg.joints]
    moved = np.ptp(source.world.positions[:, joints], axis=0).max()
    if moved > FIXING.still * character.rig.leg_length:
        return
    start = f"nothing of {armature.name!r} moves in {_tell_frames(source.frames)}"
    outside = _tell_outside(armature, source.frames)
    if outside:
        raise BakeError(f"{start}, {outside}: choose frames inside of these")
    if not _list_spans(armature):
        action, _ = find_base_action(armature)
        what = "it plays no action" if action is None else f"{action.name!r} has no keys for it"
        raise BakeError(f"{start}, as {what}: let it play the action to clean")


def check_stances(
    character: Character,
    request: FixRequest,
    source: SeenMotion,
    stances: Sequence[FootStances],
) -> None:
    """Refuse a motion none of whose chosen feet stands.

    Raises
    ------
    BakeError
        With what is seen of it and what helps.
    """
    planted = list_planted(character, request)
    rig, name = character.rig, character.armature.name
    if not planted or any(
        len(own) for leg, own in zip(rig.legs, stances, strict=True) if leg.name in planted
    ):
        return
    feet = "no foot" if len(planted) == len(rig.legs) else f"no chosen foot ({', '.join(planted)})"
    frames = _tell_frames(source.frames)
    if request.use_markers:
        raise BakeError(
            f"{feet} of {name!r} has a Strike marker and an Off marker after it in {frames}",
            "add them, or switch Contacts from Markers off",
            "add them, or leave `use_markers` out",
        )
    outside = _tell_outside(character.armature, source.frames)
    if outside:
        raise BakeError(
            f"{feet} of {name!r} stands on the ground in {frames}, {outside}: choose frames inside of "
            "these"
        )
    way = np.ptp(find_way(rig, source)[:, :2], axis=0)
    if float(np.hypot(*way)) < FIXING.in_place * rig.leg_length:
        raise BakeError(
            f"{name!r} does not travel in {frames}, and {feet} of it stands on the ground",
            "key its travel first, or use Bake Walk, which carries a cycle along",
            "key its travel first, or use the verb bake, which carries a cycle along",
        )
    raise BakeError(
        f"{feet} of {name!r} stands on the ground in {frames}",
        "raise Hold Below for feet that slide fast, or choose what it stands on in Ground and Travel",
        "let it slide less, or put what it stands on under its way",
    )


def name_action(armature: bpy.types.Object) -> str | None:
    """Name of the new action, after the one that is cleaned; None to leave that of one cleaned before."""
    if is_cleaned(armature):
        return None
    action, _ = find_base_action(armature)
    playing = {strip.action.name for strip in _list_strips(armature)}
    stem = armature.name
    if action is not None:
        stem = action.name
    elif len(playing) == 1:
        stem = playing.pop()
    return bake_action.find_free_name(f"{stem} Fixed")


def read_stances(
    character: Character, source: SeenMotion, ground: Ground, choices: CleaningChoices
) -> tuple[FootStances, ...]:
    """Stances by the markers of the action that was cleaned before."""
    armature, rig = character.armature, character.rig
    action = bake_action.find_bake(armature)
    if action is None:
        raise BakeError(
            f"{armature.name!r} has no cleaned action with markers: clean it once without them"
        )
    found = find_motion_stances(rig, source.world, ground, choices)
    marked = read_marked_stances(action, [leg.name for leg in rig.legs])
    first, last = int(source.frames[0]), int(source.frames[-1])
    stances = []
    for own, rows in zip(found, marked, strict=True):
        inside = [(max(a, first), min(b, last)) for a, b in rows if b > first and a < last]
        firsts, lasts = (np.array([r[i] - first for r in inside], dtype=np.intp) for i in (0, 1))
        stances.append(replace(own, firsts=firsts, lasts=lasts))
    return tuple(stances)


def _moves_beyond(curves: Sequence[bpy.types.FCurve]) -> bool:
    """Whether curves move bones or the object beyond their keys."""
    return go_on(c for group in group_transform_curves(curves).values() for c in group.values())


def _list_strips(armature: bpy.types.Object) -> list[bpy.types.NlaStrip]:
    """Strips that play, without that of a bake."""
    strips = list_playing(armature.animation_data)
    return [s for s in strips if s.action is not None and not is_bake_of(armature, s.action)]


def _tell_frames(frames: np.ndarray) -> str:
    """Such as ``frames 1 to 25``."""
    return f"frames {frames[0]} to {frames[-1]}"


def _tell_outside(armature: bpy.types.Object, frames: np.ndarray) -> str:
    """Where keys and strips are, in words, if frames (N,) are beyond them; else empty."""
    spans = _list_spans(armature)
    if not spans or any(a <= frames[-1] and b >= frames[0] for _, a, b in spans):
        return ""
    places = ", ".join(f"{name} ({first:.0f} to {last:.0f})" for name, first, last in spans)
    return f"outside of the frames of {places}"


def _list_spans(armature: bpy.types.Object) -> list[tuple[str, float, float]]:
    """What is cleaned, in words, with the first and last frame of its keys."""
    action, slot = find_base_action(armature)
    spans = []
    if action is not None:
        keys = read_key_frames(versions.get_curves(action, slot))
        if len(keys):
            spans.append((repr(action.name), float(keys[0]), float(keys[-1])))
    strips = _list_strips(armature)
    return spans + [(f"the strip {s.name!r}", s.frame_start, s.frame_end) for s in strips]
