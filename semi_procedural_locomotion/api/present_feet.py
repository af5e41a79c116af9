# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Set-up characters with the soles that their meshes have now, whatever these were at Set Up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ..blender.bake.rollback import Write
from ..blender.reading.foot_skins import FootSkin, list_changed, read_foot_skins
from ..blender.setup import rigs as rig_store
from ..blender.setup.values import KeptValues
from ..core.rig.sole_edits import edit_soles
from ..core.rig.structure import Rig
from ..errors import RigError
from ..notes import Note, NoteKind, make_note
from .characters import Character, find_character
from .leg_editing import list_leg_choices
from .set_up_work import read_character, read_facing
from .verifying import SAME

# What `write_measures` sets.
_MEASURES = ("legs", "belly", "underside", "ground_height", "skins")


@dataclass(frozen=True)
class PresentCharacter:
    """A set-up character as it is shown now.

    Attributes
    ----------
    character
        With soles read anew where the meshes of its feet have changed and its legs have not.
    changed
        Names of the meshes by which its feet are others than those that were measured, each with what
        has changed of it.
    measured
        Its rig as measured anew, without what the user has set; None where it was not.
    span
        First and last frame that it was looked at for.
    notes
        What to mind of it.
    read
        Names of the meshes that its soles are read from.
    mark
        Differs where these do.
    things
        As ``changed``, of meshes too whose soles are the same all the same.
    """

    character: Character
    changed: tuple[tuple[str, str], ...]
    measured: Rig | None
    span: tuple[int, int]
    notes: tuple[Note, ...]
    read: frozenset[str] = frozenset()
    mark: str = ""
    things: tuple[tuple[str, str], ...] = ()

    def list_writes(self) -> list[Write]:
        """What keeps soles that were measured anew."""
        if self.measured is None:
            return []
        armature, rig = self.character.armature, self.measured
        kept = KeptValues(armature.locomotion, _MEASURES)
        return [
            Write(
                "soles",
                lambda: rig_store.write_measures(armature, rig, self.span),
                kept.put_back,
            )
        ]


def read_present_character(
    armature: bpy.types.Object, scene: bpy.types.Scene, frames: tuple[int, int] | None = None
) -> PresentCharacter:
    """The set-up character of an armature object, whose soles are those of its meshes now.

    Nothing in the file changes. Where no mesh has changed at the feet, nothing is measured.

    Parameters
    ----------
    armature
        A set-up character.
    scene
        Where it walks.
    frames
        First and last frame for which its meshes count; None for those of the scene.

    Raises
    ------
    RigError
        It is not set up, or its bones have changed.
    """
    character = read_character(armature)
    span = frames or (scene.frame_start, scene.frame_end)
    skins = read_foot_skins(armature, character.rig.skeleton, span)
    notes = _note_skins(character, skins)
    changed = list_changed(armature, skins)
    mark = repr([(s.name, s.fingerprint, s.showing.viewed.tobytes(), s.marks) for s in skins])
    known = (frozenset(skin.name for skin in skins), mark, tuple(changed))
    if not changed:
        return PresentCharacter(character, (), None, span, tuple(notes), *known)
    (first, _), more = changed[0], len(changed) - 1
    measured = _measure(character, span)
    if measured is None:
        notes.append(make_note(NoteKind.SOLES_OUTDATED, mesh=first, more=more))
        return PresentCharacter(character, tuple(changed), None, span, tuple(notes), *known)
    edits = rig_store.read_sole_edits(armature, measured)
    renewed = edit_soles(measured, edits)
    if _has_same_feet(renewed, character.rig):
        # It is kept what they were measured on.
        return PresentCharacter(character, (), measured, span, tuple(notes), *known)
    notes += [
        make_note(NoteKind.SOLE_KEPT, measured.legs[number].name, mesh=first) for number in edits
    ]
    notes.append(make_note(NoteKind.SOLES_RENEWED, mesh=first, more=more))
    character = replace(character, rig=renewed)
    return PresentCharacter(character, tuple(changed), measured, span, tuple(notes), *known)


def _measure(character: Character, span: tuple[int, int]) -> Rig | None:
    """The same legs measured anew; None where they are not the same."""
    armature, known = character.armature, character.rig
    actions = [e.action for e in armature.locomotion.motions if e.enabled and e.action is not None]
    try:
        found = find_character(
            armature,
            actions or None,
            list_leg_choices(armature),
            read_facing(armature),
            armature.locomotion.body or None,
            span=span,
        ).rig
    except RigError:
        return None
    numbers = {found.name_joints(leg): number for number, leg in enumerate(found.legs)}
    order = [numbers.get(known.name_joints(leg), -1) for leg in known.legs]
    is_same = sorted(order) == list(range(len(found.legs)))
    if not is_same or found.skeleton.held != known.skeleton.held:
        return None
    if _count_guesses(found) > _count_guesses(known):
        return None
    legs = tuple(
        replace(
            found.legs[number],
            name=leg.name,
            side=leg.side,
            partner=leg.partner,
            hinge=leg.hinge,
            control=leg.control,
            confidence=leg.confidence,
            doubts=leg.doubts,
            limits=leg.limits,
            aimed=leg.aimed,
        )
        for leg, number in zip(known.legs, order, strict=True)
    )
    return replace(
        found,
        legs=legs,
        foot_lengths=found.foot_lengths[order],
        ball_shares=found.ball_shares[order],
        confidence=known.confidence,
        doubts=known.doubts,
    )


def _has_same_feet(one: Rig, other: Rig) -> bool:
    """Whether soles and hulls of two rigs with the same legs are nowhere farther apart than is of use."""
    limit = SAME * other.leg_length
    for a, b in zip(one.legs, other.legs, strict=True):
        pairs = [(p.offset, q.offset) for p, q in zip(a.soles, b.soles, strict=True)]
        bones = [p.bone == q.bone for p, q in zip(a.soles, b.soles, strict=True)]
        pairs += [(np.array([a.sole_width, a.length]), np.array([b.sole_width, b.length]))]
        if (a.hull is None) != (b.hull is None):
            return False
        if a.hull is not None and b.hull is not None:
            if a.hull.offsets.shape != b.hull.offsets.shape:
                return False
            ridden, also = a.hull.weights > 0.0, b.hull.weights > 0.0
            bones.append(np.array_equal(a.hull.bones * ridden, b.hull.bones * also))
            pairs.append((a.hull.offsets * ridden[..., None], b.hull.offsets * also[..., None]))
            pairs.append((a.hull.places, b.hull.places))
        if not all(bones) or max(float(np.abs(p - q).max()) for p, q in pairs) > limit:
            return False
    return True


def _count_guesses(rig: Rig) -> int:
    """How many feet have no mesh that tells their soles."""
    return sum(doubt.kind is NoteKind.SOLE_GUESSED for leg in rig.legs for doubt in leg.doubts)


def _note_skins(character: Character, skins: Sequence[FootSkin]) -> list[Note]:
    """What to mind of meshes at the feet that are hidden for a while, or that no bone moves."""
    notes = [make_note(NoteKind.MESH_NOT_MOVED, mesh=s.name) for s in skins if not s.is_moved]
    limit = SAME * character.rig.leg_length
    notes += [
        make_note(NoteKind.FEET_SHAPED, mesh=skin.name, key=name, size=size)
        for skin in skins
        for name, size in skin.keyed
        if size > limit
    ]
    always = [skin.low for skin in skins if skin.showing.viewed.all()]
    for skin in skins:
        hidden = np.flatnonzero(~skin.showing.viewed)
        height = min(always, default=np.inf) - skin.low
        if len(hidden) and limit < height < np.inf:
            first, last = (int(hidden[place]) + skin.showing.first for place in (0, -1))
            notes.append(
                make_note(
                    NoteKind.FOOTWEAR_HIDDEN, None, first, mesh=skin.name, height=height, last=last
                )
            )
    return notes
