# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What to mind about motions and layers of a walk, and how long it is (numpy only)."""

from __future__ import annotations

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..body.layers.laying import is_body_laid
from ..body.layers.reading import find_rows, weigh_layer
from ..body.legs import read_hips
from ..body.limits import LAYER
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.layers import Layer
from ..rig.skeleton import EVEN
from ..walk import SolvedWalk
from .limits import NOTES
from .sizes import find_own_sizes
from .spans import NotedSpan


def note_weightless_groups(span: NotedSpan, times: FloatArray) -> list[Note]:
    """A note where no group of motions has any weight at some of the times (N,), seconds."""
    groups = span.plan.tables.motion_set.groups
    shares = [np.interp(times, g.weight_times, g.weights) for g in groups]
    empty = times[np.max(shares, axis=0) <= 0.0] * span.rate
    if not len(empty):
        return []
    return [make_note(NoteKind.GROUPS_WEIGHTLESS, frame=empty[0], last=round(empty[-1]))]


def note_short_walk(span: NotedSpan, scene_end: int) -> list[Note]:
    """A note where a walk straight on starts so late that the scene ends within its first cycle."""
    if span.end - span.start >= span.plan.tables.cycles.slowest_period:
        return []
    return [make_note(NoteKind.WALK_SHORT, frame=span.start * span.rate, last=scene_end)]


def note_scene_end(last: int, scene_end: int, *, extends: bool) -> list[Note]:
    """A note where a walk goes on after the scene's end.

    Parameters
    ----------
    last
        Last frame of the walk.
    scene_end
        Last frame of the scene.
    extends
        Whether the bake lets the scene end with the walk.
    """
    if last <= scene_end:
        return []
    kind = NoteKind.SCENE_EXTENDED if extends else NoteKind.WALK_OUTLASTS_SCENE
    return [make_note(kind, frame=scene_end, last=last)]


def note_layers(span: NotedSpan, walk: SolvedWalk) -> list[Note]:
    """Layers that change nothing, and those whose hips legs cannot reach from."""
    ends = [round(float(time) * span.rate) for time in walk.times[[0, -1]]]
    found = []
    for layer in span.plan.tables.motion_set.layers:
        weights = weigh_layer(layer, walk.times)
        rows = find_rows(layer, walk.times, walk.source.phases)
        shown = weights >= LAYER.moves
        if not np.any(shown) or (layer.additive and _is_still(layer, rows[shown])):
            found.append(
                make_note(NoteKind.LAYER_IDLE, frame=ends[0], layer=layer.name, last=ends[1])
            )
        elif is_body_laid(span.plan.tables, layer):
            found += _note_strain(span, walk, layer, shown)
    return found


def _is_still(layer: Layer, rows: np.ndarray) -> bool:
    """Whether a clip has the pose of its first row at all of these (N,)."""
    bones, clip = np.flatnonzero(layer.shares), layer.clip
    used = np.unique(np.stack([np.floor(rows), np.ceil(rows)]).astype(np.intp))
    used = np.minimum(used, len(clip.rotations) - 1)
    turns = rot.angles_between(clip.rotations[used][:, bones], clip.rotations[:1, bones])
    moves = np.abs(clip.translations[used][:, bones] - clip.translations[:1, bones])
    return bool(turns.max(initial=0.0) < LAYER.same and moves.max(initial=0.0) < LAYER.same)


def _note_strain(span: NotedSpan, walk: SolvedWalk, layer: Layer, shown: np.ndarray) -> list[Note]:
    """A note where hips that a layer moves are far from where it has them."""
    rig, length = span.plan.tables.small_rig, span.length
    moved = read_hips(rig, walk.laid.positions) - read_hips(rig, walk.source.legs.positions)
    moves = rot.lengths(moved).max(axis=1) > LAYER.strained * length
    away = np.where(moves & shown, np.abs(walk.carriage.hip_offsets[:, 2]) / length, 0.0)
    worst = int(np.argmax(away))
    if away[worst] <= LAYER.strained:
        return []
    frame, share = walk.times[worst] * span.rate, float(away[worst])
    return [make_note(NoteKind.LAYER_STRAINS, frame=frame, layer=layer.name, share=share)]


def note_scaled_feet(span: NotedSpan, walk: SolvedWalk) -> list[Note]:
    """A note of the bones that carry soles and that motions scale."""
    rig = span.plan.tables.small_rig
    sizes = find_own_sizes(span.plan, walk.poses, even=True)
    ends = [leg.bones[-1] for leg in rig.legs]
    carrying = sorted({above for bone in ends for above in rig.skeleton.find_ancestors(bone)})
    # Below bones that are held in another size it may be that bones do not take it over.
    passed_on = rig.skeleton.held_sizes[1][:, 0]
    carrying = [bone for bone in carrying if abs(passed_on[bone] - 1.0) <= EVEN]
    off = np.abs(sizes[:, carrying] - 1.0)
    scaled = np.flatnonzero(off.max(axis=0, initial=0.0) > EVEN)
    if not len(scaled):
        return []
    bone, row = carrying[scaled[0]], int(off[:, scaled[0]].argmax())
    name, size = rig.skeleton.names[bone], float(sizes[row, bone])
    frame, more = walk.times[row] * span.rate, len(scaled) - 1
    return [make_note(NoteKind.SOLE_SCALED, None, frame, bone=name, size=size, more=more)]


def note_misses(span: NotedSpan, walk: SolvedWalk) -> list[Note]:
    """Notes of legs that do not bring their foot to where the plan wants it."""
    plan = span.plan
    if not plan.settings.lock_feet:
        return []
    length, notes = span.length, []
    for index, leg in enumerate(plan.tables.small_rig.legs):
        missed = rot.lengths(walk.positions[:, leg.ankle] - walk.targets.ankles[:, index])
        row = int(np.argmax(missed))
        if missed[row] > NOTES.missed * length:
            notes.append(
                make_note(
                    NoteKind.FOOT_MISSES,
                    leg.name,
                    walk.times[row] * span.rate,
                    length=missed[row],
                    share=missed[row] / length,
                    frames=int(np.count_nonzero(missed > NOTES.missed * length)),
                )
            )
    return notes
