# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Words about walks that are not shown as they were planned, and what stands between."""

from __future__ import annotations

from ...notes import NoteKind as K
from .forms import Severity, make_words

_OFF = (
    "the {leg} leg is shown {length:length} ({share:.1 %} of the leg) off its plan at frame {frame}, "
    "since "
)

_FAULTS: dict[K, tuple[str, ...]] = {
    K.OFF_BY_BONE_GONE: (
        "bone {bone!r} of the walk is gone",
        "undo that, or press Set Up Again and bake again",
        "set the character up and bake it again",
    ),
    K.OFF_BY_REST: (
        _OFF + "the rest pose of bone {bone!r}, or what it inherits, was changed",
        "press Set Up Again and bake again",
        "set the character up and bake it again",
    ),
    K.OFF_BY_REST_POSITION: (
        _OFF + "the armature shows its rest position",
        "choose Pose Position in the properties of the armature",
    ),
    K.OFF_BY_TIME: (
        _OFF + "the scene's time is stretched, {stretch}",
        "make Old and New of Time Stretching equal, or bake before stretching",
    ),
    K.OFF_BY_ACTION: (
        "the character does not play its "
        "bake{action:if , but the action '#'}{slot:if , but the slot '#'}",
        "choose the bake's action and slot again, or bake again",
    ),
    K.OFF_BY_STRIP: (
        _OFF + "{strip!r} plays over the bake and moves {bone!r}",
        "mute it, or let it leave the legs alone",
    ),
    K.OFF_BY_INFLUENCE: (
        _OFF + "{action!r} plays in part",
        "set its Influence to 1 and its Blending to Replace",
    ),
    K.OFF_BY_MUTED: (
        _OFF + "curves of {bone!r} are muted",
        "unmute them, or bake once without Keep Edited Keys",
        "unmute them, or set `keep_edits` to false",
    ),
    K.OFF_BY_DELETED: (
        _OFF + "curves of {bone!r} were deleted",
        "undo that, or bake once without Keep Edited Keys",
        "undo that, or set `keep_edits` to false",
    ),
    K.OFF_BY_MODIFIER: (
        _OFF + "a modifier changes curves of {bone!r}",
        "remove it, or bake again",
    ),
    K.OFF_BY_DRIVER: (
        _OFF + "a driver moves {bone!r}",
        "delete or mute the driver",
    ),
    K.OFF_BY_CONSTRAINT: (
        _OFF + "the constraint {constraint!r} moves {bone!r}",
        "let its influence be 0 where the walk plays: mute it, mend its driver, or bake again",
    ),
    K.OFF_BY_EDITED: (
        _OFF + "keys of {bone!r} were changed by hand",
        "undo that, or bake again without Keep Edited Keys",
        "bake again",
    ),
    K.OFF_BY_TOLERANCE: (
        _OFF + "keys of {bone!r} were left out that miss by so much",
        "lower Key Tolerance and bake again",
        "lower `key_tolerance`",
    ),
    K.OFF_BY_LOCK: (
        _OFF + "{bone!r} was locked and left out of the bake",
        "bake again",
    ),
    K.OFF_BY_POSE: (
        _OFF + "{bone!r} is posed and has no keys",
        "clear its pose, or bake again",
    ),
    K.OFF_BY_SCALE: (
        _OFF + "{scaled!r} is scaled and carries {bone!r}",
        "set its scale to 1, or let the bones below it not inherit scale",
    ),
    K.OFF_BY_PARENT: (
        _OFF + "the parent {parent!r} moves or scales the character",
        "put it back, or bake again",
    ),
    K.OFF_BY_DELTA: (
        _OFF + "a delta transform moves the character",
        "clear its delta transforms, or bake again",
    ),
    K.OFF_BY_RETIMED: (
        _OFF + "the strip {strip!r} of the bake was moved, retimed or faded",
        "put it back, or bake again",
    ),
    K.OFF_BY_MODE: (
        _OFF + "the rotation mode of {bone!r} was changed",
        "change it back, or bake again",
    ),
    K.OFF_BY_CONTROLS: (
        _OFF + "the controls of the rig cannot bring the foot there",
        "bake again if one without keys was moved; else take limits off them, choose others in the "
        "Controls panel, or set Write On to Deforming Bones",
        "bake again if one without keys was moved; else take limits off them, name others in "
        '`controls`, or set `output = "deforming"` in `[character.bake]`',
    ),
    K.KNEE_FLIPS: (
        "{leg} leg, frame {frame}: the IK of the rig lets the knee jump by {share:.0 %} of the leg",
        "give the leg a pole in the Controls panel, or set Write On to Deforming Bones",
        'name a pole in `controls`, or set `output = "deforming"` in `[character.bake]`',
    ),
    K.OFF_BY_UNKNOWN: (
        _OFF + "something moves {bone!r}",
        "look for what moves it besides its keys, and bake again",
    ),
}

_HINTS: dict[K, tuple[str, ...]] = {
    K.EDITS_KEPT: (
        "{edits:count edit} by hand {edits:is|are} on the walk, of {first!r} first, and the numbers are "
        "those of the result",
        "nothing, if that is meant, or remove it in the list of edits",
        "nothing, if that is meant, or set `keep_edits` to false",
    ),
    K.SCENES_SHARED: (
        "{scenes:count other scene} {scenes:has|have} the character too, {first!r} first, and "
        "{scenes:plays|play} this walk now",
        "nothing, if that is meant, or give each scene its own (Object > Relations > Make Single User > "
        "Object) before Set Up",
        "nothing, if that is meant, or give each scene its own character",
    ),
    K.FOOTSTEPS_LEFT: (
        "{footsteps:count footstep} of deleted characters {footsteps:is|are} left in the scene, "
        "{first!r} first",
        "select {footsteps:it|one of them} and press Clear Footsteps",
        "delete {footsteps:it|them} from the file",
    ),
    K.RECORD_UNFIT: (
        "{name!r} keeps {record!r} that does not fit ({reason}): it is left out, and what it tells of "
        "counts as yours",
        "delete that custom property, or take the file from before",
        "delete that custom property from the file",
    ),
    K.CURVES_LEFT: (
        "{curves:count curve} of the walk, of {first!r} first, {curves:was|were} muted or deleted by "
        "hand, or given modifiers, and {curves:stays|stay} so",
        "nothing, if that is meant, or bake once without Keep Edited Keys",
        "nothing, if that is meant, or set `keep_edits` to false",
    ),
    K.OFF_BY_KEPT: (
        _OFF + "keys of {bone!r} were changed by hand, which is kept",
        "nothing, if that is meant, or remove it in the list of edits",
        "nothing, if that is meant, or set `keep_edits` to false",
    ),
    K.OFF_BY_CORRECTION: (
        _OFF + "the correction layer {action!r} moves {bone!r}",
        "nothing, if that is meant",
    ),
    K.KNEE_OFF: (
        "{leg} leg, frame {frame}: the IK of the rig has the knee {share:.0 %} of the leg "
        "off the plan, the foot stands as planned",
        "look at the knee there, turn it by its pole, or set Write On to Deforming Bones",
        'look at the knee there, or set `output = "deforming"` in `[character.bake]`',
    ),
    K.KNEE_WOULD_FLIP: (
        "{leg} leg, frame {frame}: on the rig's controls its IK would let the knee jump by "
        "{share:.0 %} of the leg, so the walk is on the deforming bones and the controls stay where "
        "they are",
        "it can stay so; to have it on the controls, give the leg a pole in the Controls panel and bake "
        "again",
        "it can stay so; to have it on the controls, name a pole in `controls`",
    ),
    K.NOT_VERIFIED: (
        "the walk was not looked at as Blender shows it, its numbers are those of the plan",
        "switch on Verify in the panel, and Verify Bakes in the preferences",
        "take `verify = false` out of `bake`",
    ),
    K.LOCKED_KEYED: (
        "{bones:count bone} {bones:has|have} locked channels and {bones:was|were} keyed all the same, "
        "{first!r} among them",
        "the walk plays well so; unlock the channels only to change these keys by hand",
    ),
}

WORDS = {**make_words(Severity.WALK, _FAULTS), **make_words(Severity.HINT, _HINTS)}
