# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What plays in Blender's Nonlinear Animation."""

from __future__ import annotations

from collections.abc import Iterator

import bpy

from .. import versions
from .curves import group_transform_curves

# Session numbers of the actions by which live walks are shown over strips. They are never used again, and
# no file can tell of them.
_of_live: set[int] = set()


def plays_strips(data: bpy.types.AnimData | None) -> bool:
    """Whether a data-block's strips play; muted ones, as importers leave them, do not.

    Parameters
    ----------
    data
        Its animation, or None where it has none.
    """
    return any(True for _ in list_playing(data))


def list_strip_channels(data: bpy.types.AnimData | None) -> set[tuple[str, str]]:
    """Bone, empty for the object, and property of the transforms that a data-block's strips move.

    Parameters
    ----------
    data
        Its animation, or None where it has none.
    """
    found: set[tuple[str, str]] = set()
    for strip in list_playing(data):
        if strip.action is not None:
            curves = versions.get_curves(strip.action, versions.get_strip_slot(strip))
            found |= set(group_transform_curves(curves))
    return found


def list_playing(data: bpy.types.AnimData | None) -> Iterator[bpy.types.NlaStrip]:
    """Strips of a data-block that play, from the lowest track up."""
    if data is None or not data.use_nla:
        return
    tracks = list(data.nla_tracks)
    solo = [track for track in tracks if track.is_solo]
    # The track that plays alone does so even where it is muted.
    for track in solo or [track for track in tracks if not track.mute]:
        yield from (s for s in track.strips if not s.mute and not _is_of_live(s))


def remove_live_strips(data: bpy.types.AnimData | None) -> None:
    """Take the tracks of a data-block away that show a live walk over its strips."""
    for track in list(() if data is None else data.nla_tracks):
        if len(track.strips) and all(map(_is_of_live, track.strips)):
            track.id_data.animation_data.nla_tracks.remove(track)


def make_live_action(name: str) -> bpy.types.Action:
    """An action for a strip that shows a live walk, which `drop_live_actions` takes away."""
    action = bpy.data.actions.new(name)
    _of_live.add(action.session_uid)
    return action


def drop_live_actions() -> None:
    """Take those of these actions away that nothing plays any more."""
    for action in [a for a in bpy.data.actions if a.session_uid in _of_live and not a.users]:
        bpy.data.actions.remove(action)


def _is_of_live(strip: bpy.types.NlaStrip) -> bool:
    """Whether a strip shows a live walk."""
    return strip.action is not None and strip.action.session_uid in _of_live


def has_animation(data: bpy.types.AnimData | None) -> bool:
    """Whether a data-block has an action, strips that play, or drivers.

    Parameters
    ----------
    data
        Its animation, or None where it has none.
    """
    return data is not None and bool(data.action or len(data.drivers) or plays_strips(data))


def list_paths(item: bpy.types.ID) -> set[str]:
    """Data paths of a data-block that its action, strips that play, or drivers set."""
    data = item.animation_data
    if data is None:
        return set()
    curves = list(data.drivers)
    if data.action is not None:
        curves += versions.get_curves(*versions.get_assigned_action(item))
    for strip in list_playing(data):
        if strip.action is not None:
            curves += versions.get_curves(strip.action, versions.get_strip_slot(strip))
    return {curve.data_path for curve in curves}
