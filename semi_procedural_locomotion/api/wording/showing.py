# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Words about walks that are not shown as they were planned, and what stands between."""

from __future__ import annotations

from ...notes import NoteKind as K
from .forms import Severity, Texts, make_words

_OFF = (
    "the {leg} leg is shown {length:length} ({share:.1 %} of the leg) off its plan at frame {frame}, "
    "since "
)

_FAULTS: dict[K, Texts] = {
    K.OFF_PLAN: {
        "bone": (
            "bone {bone!r} of the walk is gone",
            "undo that, or press Set Up Again and bake again",
            "set the character up and bake it again",
        ),
        "rest": (
            _OFF + "the rest pose of bone {bone!r}, or what it inherits, was changed",
            "press Set Up Again and bake again",
            "set the character up and bake it again",
        ),
        "position": (
            _OFF + "the armature shows its rest position",
            "choose Pose Position in the properties of the armature",
        ),
        "stretch": (
            _OFF + "the scene's time is stretched, {name}",
            "make Old and New of Time Stretching equal, or bake before stretching",
        ),
        "action": (
            "the character does not play its bake{name:if , but the action '#'}",
            "choose the bake's action and slot again, or bake again",
        ),
        "slot": (
            "the character does not play its bake, but the slot {name!r}",
            "choose the bake's action and slot again, or bake again",
        ),
        "strip": (
            _OFF + "{name!r} plays over the bake and moves {bone!r}",
            "mute it, or let it leave the legs alone",
        ),
        "influence": (
            _OFF + "{name!r} plays in part",
            "set its Influence to 1 and its Blending to Replace",
        ),
        "muted": (
            _OFF + "curves of {bone!r} are muted",
            "unmute them, or bake once without Keep Edited Keys",
            "unmute them, or set `keep_edits` to false",
        ),
        "deleted": (
            _OFF + "curves of {bone!r} were deleted",
            "undo that, or bake once without Keep Edited Keys",
            "undo that, or set `keep_edits` to false",
        ),
        "modifier": (
            _OFF + "a modifier changes curves of {bone!r}",
            "remove it, or bake again",
        ),
        "driver": (_OFF + "a driver moves {bone!r}", "delete or mute the driver"),
        "constraint": (
            _OFF + "the constraint {name!r} moves {bone!r}",
            "let its influence be 0 where the walk plays: mute it, mend its driver, or bake again",
        ),
        "edited": (
            _OFF + "keys of {bone!r} were changed by hand",
            "undo that, or bake again without Keep Edited Keys",
            "bake again",
        ),
        "tolerance": (
            _OFF + "keys of {bone!r} were left out that miss by so much",
            "lower Key Tolerance and bake again",
            "lower `key_tolerance`",
        ),
        "lock": (_OFF + "{bone!r} was locked and left out of the bake", "bake again"),
        "pose": (_OFF + "{bone!r} is posed and has no keys", "clear its pose, or bake again"),
        "scale": (
            _OFF + "{name!r} is scaled and carries {bone!r}",
            "set its scale to 1, or let the bones below it not inherit scale",
        ),
        "parent": (
            _OFF + "the parent {name!r} moves or scales the character",
            "put it back, or bake again",
        ),
        "delta": (
            _OFF + "a delta transform moves the character",
            "clear its delta transforms, or bake again",
        ),
        "retimed": (
            _OFF + "the strip {name!r} of the bake was moved, retimed or faded",
            "put it back, or bake again",
        ),
        "mode": (
            _OFF + "the rotation mode of {bone!r} was changed",
            "change it back, or bake again",
        ),
        "controls": (
            _OFF + "the controls of the rig cannot bring the foot there",
            "bake again if one without keys was moved; else take limits off them, choose others in the "
            "Controls panel, or set Write On to Deforming Bones",
            "bake again if one without keys was moved; else take limits off them, name others in "
            '`controls`, or set `output = "deforming"` in `[character.bake]`',
        ),
        "unknown": (
            _OFF + "something moves {bone!r}",
            "look for what moves it besides its keys, and bake again",
        ),
    },
    K.KNEE_FLIPS: (
        "{leg} leg, frame {frame}: the IK of the rig lets the knee jump by {share:.0 %} of the leg",
        "give the leg a pole in the Controls panel, or set Write On to Deforming Bones",
        'name a pole in `controls`, or set `output = "deforming"` in `[character.bake]`',
    ),
}

_HINTS: dict[K, Texts] = {
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
    K.OFF_PLAN: {
        "kept": (
            _OFF + "keys of {bone!r} were changed by hand, which is kept",
            "nothing, if that is meant, or remove it in the list of edits",
            "nothing, if that is meant, or set `keep_edits` to false",
        ),
        "correction": (
            _OFF + "the correction layer {name!r} moves {bone!r}",
            "nothing, if that is meant",
        ),
    },
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
