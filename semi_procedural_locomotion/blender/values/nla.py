# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What plays in Blender's Nonlinear Animation."""

from __future__ import annotations

import bpy


def plays_strips(data: bpy.types.AnimData | None) -> bool:
    """Whether a data-block's strips play; muted ones, as importers leave them, do not.

    Parameters
    ----------
    data
        Its animation, or None where it has none.
    """
    if data is None or not data.use_nla:
        return False
    tracks = list(data.nla_tracks)
    solo = [track for track in tracks if track.is_solo]
    # The track that plays alone does so even where it is muted.
    played = solo or [track for track in tracks if not track.mute]
    return any(not strip.mute for track in played for strip in track.strips)


def has_animation(data: bpy.types.AnimData | None) -> bool:
    """Whether a data-block has an action, strips that play, or drivers.

    Parameters
    ----------
    data
        Its animation, or None where it has none.
    """
    return data is not None and bool(data.action or len(data.drivers) or plays_strips(data))
