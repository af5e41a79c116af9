# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What to mind about the layers over a walk (numpy only)."""

from __future__ import annotations

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..body.layers.laying import is_body_laid
from ..body.layers.reading import find_rows, weigh_layer
from ..body.legs import read_hips
from ..body.limits import LAYER
from ..maths import rotations as rot
from ..motions.layers import Layer
from ..walk import SolvedWalk, WalkPlan


def note_layers(plan: WalkPlan, walk: SolvedWalk, frames: np.ndarray) -> list[Note]:
    """Layers that change nothing, and those whose hips legs cannot reach from.

    Parameters
    ----------
    plan, walk
        The walk.
    frames
        Scene frames of its poses, shape (N,).
    """
    found = []
    for layer in plan.tables.motion_set.layers:
        weights = weigh_layer(layer, walk.times)
        rows = find_rows(layer, walk.times, walk.source.phases)
        shown = weights >= LAYER.moves
        if not np.any(shown) or (layer.additive and _is_still(layer, rows[shown])):
            note = make_note(
                NoteKind.LAYER_IDLE, frame=frames[0], layer=layer.name, last=int(frames[-1])
            )
            found.append(note)
        elif is_body_laid(plan.tables, layer):
            found += _note_strain(plan, walk, frames, layer, shown)
    return found


def _is_still(layer: Layer, rows: np.ndarray) -> bool:
    """Whether a clip has the pose of its first row at all of these (N,)."""
    bones, clip = np.flatnonzero(layer.shares), layer.clip
    used = np.unique(np.stack([np.floor(rows), np.ceil(rows)]).astype(np.intp))
    used = np.minimum(used, len(clip.rotations) - 1)
    turns = rot.angles_between(clip.rotations[used][:, bones], clip.rotations[:1, bones])
    moves = np.abs(clip.translations[used][:, bones] - clip.translations[:1, bones])
    return bool(turns.max(initial=0.0) < LAYER.same and moves.max(initial=0.0) < LAYER.same)


def _note_strain(
    plan: WalkPlan, walk: SolvedWalk, frames: np.ndarray, layer: Layer, shown: np.ndarray
) -> list[Note]:
    """A note where hips that a layer moves are far from where it has them."""
    rig = plan.tables.small_rig
    moved = read_hips(rig, walk.laid.positions) - read_hips(rig, walk.source.legs.positions)
    length = plan.tables.rig.leg_length
    moves = rot.lengths(moved).max(axis=1) > LAYER.strained * length
    away = np.where(moves & shown, np.abs(walk.carriage.hip_offsets[:, 2]) / length, 0.0)
    worst = int(np.argmax(away))
    if away[worst] <= LAYER.strained:
        return []
    share = float(away[worst])
    return [make_note(NoteKind.LAYER_STRAINS, frame=frames[worst], layer=layer.name, share=share)]
