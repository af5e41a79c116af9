# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Words about clips as motions to walk with."""

from __future__ import annotations

from ...notes import NoteKind as K
from .forms import Severity, Texts, make_words

_FAULTS: dict[K, Texts] = {
    K.FEET_HANG: (
        "Feet stay {height:length} above where they stand at rest, in the air: it may be no walk, as "
        "where somebody sits, swims or rides",
        "leave it out if it is no way of walking; else check the soles and the rest pose",
    ),
}

_DOUBTS: dict[K, Texts] = {
    K.CLIP_SLOW: (
        "A cycle of {period:.3g} s is very slow for a stride of {stride:.2g} lengths of the leg",
        "if the clip was not made for {frame_rate:g} frames a second, set the scene's Frame Rate to the "
        "clip's own and Analyze, or import it with Scale FPS",
        "if the clip was not made for {frame_rate:g} frames a second, give its own as `fps`",
    ),
    K.SPEED_UNCERTAIN: (
        "Uneven planted speed, {low:speed} to {high:speed}: speed uncertain",
        "set Own Speed if steps look too long or short",
        "give its `speed` in `motions` if steps look too long or short",
    ),
    K.SPEED_UNEVEN: (
        "Uneven planted speed, {low:speed} to {high:speed}: its feet slip least at the speed taken",
        "set Own Speed if steps look too long or short",
        "give its `speed` in `motions` if steps look too long or short",
    ),
    K.ROOT_AND_FEET_DIFFER: (
        "Root travels at {root:speed} but the feet tell {feet:speed}: the root's speed is used",
        "check the soles if feet slide",
    ),
    K.ROOT_LAGS: (
        "Root travels at {root:speed} only, the feet tell {feet:speed}: it is taken as a walk in place "
        "with the feet's speed",
        "set Own Speed if the root is right",
        "give its `speed` in `motions` if the root is right",
    ),
    K.FEET_SLIDE: (
        "Feet slide by {share:.0%} of the speed while planted: the bake holds them, the legs bend more "
        "than in the clip",
        "check the soles, or choose a clip whose feet stand",
    ),
    K.FOOT_NEVER_STANDS: (
        "{leg} foot never stands still on the ground: it takes even steps",
        "check its sole points",
    ),
    K.FOOT_NEVER_LIFTS: (
        "{leg} foot never leaves the ground: it takes even steps",
        "check its sole points",
    ),
    K.FOOT_TOUCHES_SHORTLY: (
        "{leg} foot touches the ground too shortly: it takes even steps",
        "check its sole points",
    ),
    K.CONTACT_LENT: (
        "{leg} foot does not stand still by itself: it steps as {partner} does, in its own time",
        "check its sole points, or correct its Key Times",
        "check its sole points, or give its `key_times` in `motions`",
    ),
    K.CONTACT_SHORT: (
        "{leg} foot stands for {duty:.0%} of the cycle only: its Key Times are uncertain",
        "correct them in the Key Times panel",
        "give its `key_times` in `motions`",
    ),
    K.CONTACT_TWICE: (
        "{leg} foot touches the ground twice in a cycle: the longer contact is used",
        "correct its Key Times if that is the wrong one",
        "give its `key_times` in `motions` if that is the wrong one",
    ),
    K.LEGS_DISAGREE: (
        "Legs disagree on the speed by {share:.0%}",
        "check their sole points, or the clip limps",
    ),
    K.LEGS_UNEVEN: (
        "{leg} and {partner} feet stand for different times",
        "the clip limps, or a sole is wrong",
    ),
    K.CLIP_CLIMBS: (
        "It walks {degrees:+up|down} a slope of {degrees:abs .0f} degrees and is brought to the level, "
        "from which the bake climbs as its ground does",
        "choose a clip that was made on the level if its legs bend too far",
    ),
    K.LOOP_OPEN: (
        "The loop does not close, its ends differ by {share:.0%} of the body's size",
        "trim the action to one cycle, or give it a Manual Frame Range",
    ),
    K.MAYBE_JUMP: (
        "It may be a jump or a roll",
        "leave it out if it is no way of walking",
    ),
}

_USE = ("tick it to use it all the same", "name it in `motions` to use it all the same")
_OTHERS = ("untick it to have another", "name others in `motions` to have another")
_HINTS: dict[K, Texts] = {
    K.CURVE_WALK_ASTRAY: (
        "{clip!r} walks on a curve, {turn:abs .0f} degrees to the {turn:+left|right} in a cycle, and the "
        "travel does not: it is led along with its feet corrected",
        "tick a walk that goes straight, or travel along a circle of radius {radius:place} to walk its "
        "curve",
        "name a walk that goes straight in `motions`, or go along a circle of radius {radius:place} to "
        "walk its curve",
    ),
    K.STRIDE_SHORTENED: (
        "the legs do not reach farther: the stride is shortened to {share:.0%}",
        "lower Stride, or Crouch more, if that is not meant",
        "lower `stride`, or raise `crouch`, if that is not meant",
    ),
    K.LOOP_SPREAD: (
        "The ends of the loop differ by {share:.1%} of the body's size: the difference was spread over "
        "the cycle",
        "trim the action to one cycle if it shows",
    ),
    K.CYCLES_UNLIKE: (
        "The action holds several cycles that are not alike, {bone!r} turns by up to {turn:.0f} degrees "
        "otherwise: its first cycle alone is walked",
        "keep what the others do in an action of its own and play it over the walk",
    ),
    K.HOLDS_EASED: (
        "The action holds its poses from key to key, as on twos: the walk goes evenly between them",
        "add Stepped Interpolation modifiers to the curves of the baked action to hold them again",
    ),
    K.FEW_KEYS: (
        "Only {keys:.3g} keys in a cycle: Key Times are good to half a key, {seconds:.2g} s",
        "correct them in the Key Times panel if feet slide",
        "give `key_times` in `motions` if feet slide",
    ),
    K.FEET_SURGE: (
        "Planted feet go slower and faster together, by up to {share:.0%} of the speed: the body takes "
        "{taken:.0%}, the legs the rest",
        "where legs show it, correct the Key Times or the Sole",
        "where legs show it, give `key_times` in `motions`",
    ),
    K.GROUND_OFF_REST: (
        "Feet stand {height:+length} from the ground of the rest pose: the clip's own level is used",
        "check the soles if that is not meant",
    ),
    K.GROUND_LEVELS: (
        "Feet stand at levels that differ by {spread:length}: each foot is brought to the ground",
        "check the soles if that is not meant",
    ),
    K.FOOT_DIPS: (
        "{leg} foot dips {depth:length} below its ground: it is kept above in the bake",
        "check its sole points if it stands so",
    ),
    K.PLAIN_WALK: (
        "It is the plain walk, at whose speed the character goes where no other is asked for"
        "{other:if : against {other!r}, it {reason}}",
        *_OTHERS,
    ),
    K.WALK_UNUSED: {
        "like": ("It is not used: it goes as {other!r} does, which {reason}", *_USE),
        "doubtful": ("It is not used: it is doubtful, and others are not", *_USE),
        "stoops": (
            "It is not used: its hips are far from as high as in {other!r}, and no walk is between the "
            "two",
            *_USE,
        ),
        "hangs": (
            "It is not used: its feet stay {height:length} above the ground of most other motions",
            *_USE,
        ),
    },
    # A refusal is worded where it is raised, with its cure.
    K.NO_LOCOMOTION: ("{reason}", "{cure}", "{job_cure}"),
}

WORDS = {
    **make_words(Severity.WALK, _FAULTS),
    **make_words(Severity.CLIP, _DOUBTS),
    **make_words(Severity.HINT, _HINTS),
}
