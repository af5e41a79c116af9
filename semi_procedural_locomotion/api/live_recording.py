# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys for the frames that a live character was shown at."""

from __future__ import annotations

from dataclasses import replace

import bpy

from ..errors import BakeError
from .bake_writing import write_bake
from .baking import PreparedBake
from .watches import Watch
from .watching import find_watch, refresh


def start_recording(armature: bpy.types.Object) -> None:
    """Note the frames at which a live character is shown from now on.

    Raises
    ------
    BakeError
        The character is not live.
    """
    watch = find_watch(armature)
    if watch is None or not watch.live:
        raise BakeError(f"{armature.name!r} is not live: switch Live on, then record")
    watch.recorded = set()


def stop_recording(armature: bpy.types.Object) -> tuple[int, int] | None:
    """Key the frames from the first to the last that were shown.

    Returns
    -------
    tuple or None
        First and last frame that was keyed; None where no frame of the walk was shown.

    Raises
    ------
    BakeError
        The armature cannot take the keys.
    """
    watch = find_watch(armature)
    if watch is None or watch.recorded is None:
        return None
    frames, watch.recorded = watch.recorded, None
    part = _cut(watch, frames)
    if part is None:
        return None
    # While the character is live its curves are muted and show nothing that could be looked at.
    write_bake(replace(part, request=replace(part.request, verify=False)))
    # The new curves are muted like the others while the character is live.
    refresh({watch.uid})
    return part.frames


def _cut(watch: Watch, frames: set[int]) -> PreparedBake | None:
    """The part of a watch's walk over some frames; None where it has none of them."""
    prepared = watch.prepared
    if prepared is None:
        return None
    first, last = prepared.frames
    inside = [frame for frame in frames if first <= frame <= last]
    if not inside:
        return None
    span = (min(inside), max(inside))
    rows = slice(span[0] - first, span[1] - first + 1)
    poses = prepared.walk.poses.select(rows)
    request = prepared.request
    return replace(
        prepared,
        request=replace(request, options=replace(request.options, keep_around=True)),
        frames=span,
        walk=replace(prepared.walk, poses=poses),
    )
