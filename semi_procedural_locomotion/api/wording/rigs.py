# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Words about rigs: why their legs may be the wrong ones."""

from __future__ import annotations

from ...notes import NoteKind as K
from .forms import Severity, Texts, make_words

_CHECK = "check them in the Character panel"
_NAME = "name its `legs` if they are wrong"

_OTHER = ("select {armature!r} and set that up", "name {armature!r} as `armature`")

_FAULTS: dict[K, Texts] = {
    K.ARMATURE_IDLE: {
        "generated": (
            "the armature {armature!r} was generated from this one, and nothing follows this one",
            *_OTHER,
        ),
        "alike": ("this armature moves no mesh; {armature!r} has the same bones and does", *_OTHER),
    },
    K.OBJECT_KEYED: (
        "its action {action!r} keys the {channels} of the armature object, and undoes what it has now",
        "parent the object to an empty and move, turn or scale that, or delete those curves",
        "put it under an empty in Blender, or delete those curves there",
    ),
    K.BODY_CONNECTED: (
        "the bone {bone!r}, which carries the hips, is connected to its parent and cannot move: the hips "
        "would neither rise nor fall",
        "disconnect it in Edit Mode, or choose its parent as Body",
        "disconnect it in Blender, or name its parent as `body`",
    ),
    K.BODY_LIES: (
        "it seems to lie on its side, back or head",
        "turn its object so that it stands, or import it with another Up axis",
    ),
    K.FEET_IN_PHASE: ("both feet move in phase", f"{_CHECK}: these may be arms or wings", _NAME),
    K.LEGS_SHORT: ("the legs are very short for the body", _CHECK, _NAME),
    K.FEET_HOVER: (
        "the feet hover {lengths:.2f} leg lengths above the object's origin",
        "check that they are its feet, or put the origin on the ground",
        _NAME,
    ),
    K.FEET_DISAGREE: ("the feet disagree on the speed", _CHECK, _NAME),
    K.LEGS_UNSURE: (
        "these may not be its legs, they are sure to {confidence:.0%} alone",
        "please check them in the Character panel",
        "please check them; name its `legs` if they are wrong",
    ),
    K.NAMES_OF_ARMS: ("the names of the bones say arm, hand, wing or wheel", _CHECK, _NAME),
    K.FORWARD_CONTRADICTED: (
        "{clips} walks the other way than feet, other clips, head or names tell",
        "turn Forward round in the Character panel, or switch Reverse on for it, if it is wrong",
        "give `forward`, or `reversed` for it in `motions`, if it is wrong",
    ),
    K.FORWARD_UNSURE: (
        "forward is uncertain: neither feet, travel nor names tell it clearly",
        "correct Forward in the Character panel if it is wrong",
        "give `forward` if it is wrong",
    ),
}

_HINTS: dict[K, Texts] = {
    K.ACTIONS_OF_OTHERS: (
        "{actions} were made for a character of other proportions, and are used only if they are chosen",
        "play one on this armature to make it its own",
        "name them as motions to use them",
    ),
    K.BODY_HUGE: (
        "it is {height:place} tall",
        "scale its object by {factor:g} if it was made in another unit",
    ),
    K.BODY_TINY: (
        "it is {height:place} tall",
        "scale its object by {factor:g} if it was made in another unit",
    ),
    K.FILE_TURNED: (
        "its BVH file has {axis} up and was turned so that it stands",
        "import files of its kind with Up: {axis} in Blender",
    ),
    K.REST_POSE_ALONE: (
        "only the rest pose shows the legs",
        "add an action that walks and press Set Up Again, or check them in the Character panel",
        _NAME,
    ),
    K.NO_STEPPING_CLIP: (
        "no clip steps plainly enough to tell the legs by its steps",
        "check the legs in the Character panel",
        _NAME,
    ),
    K.CLIP_SHOWS_OTHER_LEGS: (
        "{clip!r} shows {count:count leg}, with or without {bones}",
        _CHECK,
        _NAME,
    ),
    K.REST_SHOWS_OTHER_LEGS: (
        "the rest pose shows {count:count leg}, with or without {bones}",
        _CHECK,
        _NAME,
    ),
    K.LEG_WITHOUT_FOOT: ("a leg has no foot bone", _CHECK, _NAME),
    K.LEG_OF_ONE_SEGMENT: ("a leg has a single segment", _CHECK, _NAME),
    K.HIPS_LOW: ("the hips are low above the ground", _CHECK, _NAME),
    K.PAIRED_WITHOUT_NAMES: (
        "left and right were paired without the help of names",
        "check their sides in the Character panel",
        _NAME,
    ),
    K.LEG_SINGLE: (
        "a leg has no partner: {bones}",
        "check that it is a leg and no tail or prop, else remove it in the Character panel",
        _NAME,
    ),
    K.OTHERS_TOUCH_GROUND: (
        "other bones touch the ground: {bones}",
        "add them as legs if they are some",
        "name them in `legs` if they are some",
    ),
    K.SIDES_SWAPPED: (
        "the sides in the bones' names are swapped; the geometry decided",
        "check Forward if it goes backwards",
        "give `forward` if it goes backwards",
    ),
    K.CLIP_FACES_ELSEWHERE: (
        "the clip faces {degrees:.0f} degrees away from the rest pose",
        "check Forward if it goes astray",
        "give `forward` if it goes astray",
    ),
    K.FOOT_BONE_MISSING: (
        "no foot bone: the last bone stands on its end",
        "move the end of the leg if it has one",
        _NAME,
    ),
    K.ANKLE_WITHOUT_WEIGHTS: (
        "the ankle is a bone without weights",
        "move the end of the leg if the foot is another bone",
        _NAME,
    ),
    K.FOOT_DETACHED: (
        "the foot is not a child of the shin",
        "it is moved with its leg; move the end of the leg if that is wrong",
        _NAME,
    ),
    K.SOLE_GUESSED: (
        "heel and toe tip are a guess: no vertices at the foot",
        "correct them in the Sole panel",
        "correct them in Blender",
    ),
    K.SKIN_BELOW_SOLES: (
        "skin on {bone!r} is usually {share:.1 %} of the leg below the soles in its walk: it will be "
        "in the ground",
        "weight it to the bone of the foot, or lower the sole in the Sole panel",
        "weight it to the bone of the foot in Blender",
    ),
}

_CHANGED: dict[K, Texts] = {
    K.SOLES_SINCE_BAKE: (
        "{mesh!r} has changed at the feet since the bake{thing:if , by #}",
        "undo that, or press Set Up Again and bake again",
        "undo that, or set the character up and bake it again",
    ),
    K.FOOTWEAR_UNREAD: (
        "{mesh!r} goes after a foot, and no sole was read from it",
        "parent it to the bone or give it an Armature modifier, press Set Up Again and bake again",
        "parent it to the bone or give it an Armature modifier in Blender, and set up and bake again",
    ),
    K.SOLES_OUTDATED: (
        "{mesh!r}{more:if  and # more} changed at the feet after these were measured, and they cannot be "
        "measured anew on the same legs: the soles are those of before",
        "press Set Up Again",
        "set the character up again",
    ),
    K.SOLE_KEPT: (
        "{mesh!r} changed at the feet, and the sole of leg {leg!r} stays as it was set by hand",
        "look at it in the Sole panel, or press Reset Sole there",
        "look at it in Blender",
    ),
    K.SOLE_SCALED: (
        "frame {frame}: the motion scales {bone!r} to {size:.3g}{more:if , and # more bones}, and the "
        "soles are planted in the size that they have at rest",
        "delete the keys of its scale, scale it in the pose, and press Set Up Again",
        "delete the keys of its scale, and scale it in the pose",
    ),
    K.MESH_NOT_MOVED: (
        "{mesh!r} does not walk along: its Armature modifier is off in the view",
        "switch it on",
    ),
    K.FEET_SHAPED: (
        "the shape key {key!r} of {mesh!r} changes over time and moves the feet by up to "
        "{distance:length}: the soles are those of the frame that is shown at the bake",
        "bake each shape as a section of its own while it is shown",
    ),
    K.FOOTWEAR_HIDDEN: (
        "{mesh!r} is hidden {span}, and the walk is made for its soles: without it the feet are "
        "{height:length} above the ground",
        "bake the frames with it and those without it as sections of their own",
    ),
}

_GONE: dict[K, Texts] = {
    K.CONTROL_GONE: (
        "the armature has no bone {bone!r} any more, which was a control",
        "choose another one in the Controls panel, or press Probe there",
        "name another in `controls`",
    ),
    K.CONTROL_SWITCH_GONE: (
        "the armature has no property {path} any more, which was a switch",
        "name another one in the Controls panel, or press Probe there",
        "name another in `controls`",
    ),
}

_CHOSEN: dict[K, Texts] = {
    K.SOLES_RENEWED: (
        "{mesh!r}{more:if  and # more} changed at the feet after these were measured, and the soles were "
        "measured anew",
        "check them in the Character panel if the walk stands otherwise than is meant",
        _NAME,
    ),
    K.CONTROL_CHAIN_BROKEN: (
        "the FK chain of leg {leg} has no control for {bones}",
        "choose one for each joint in the Controls panel",
        "name one for each joint in `controls`",
    ),
    K.CONTROLS_OUTDATED: (
        "the bones of leg {leg} were changed since its controls were found",
        "press Probe in the Controls panel",
        "set the character up again",
    ),
}

WORDS = {
    **make_words(Severity.WALK, {**_FAULTS, **_CHANGED, **_GONE}),
    **make_words(Severity.HINT, {**_HINTS, **_CHOSEN}),
}
