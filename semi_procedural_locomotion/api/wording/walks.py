# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Words about walks: what was measured of one, its prints and footsteps, travel and ground."""

from __future__ import annotations

from ...notes import NoteKind as K
from .forms import Severity, Texts, make_words

_WALL = (
    "the body passes through {wall!r} {span}, near x {x:place}, y {y:place}"
    "{more:if , and # more times}{others:if , and through # other things}"
)
_ACTS = "bone {bone!r} is moved by its constraint {constraint!r} against the baked keys, for "
_FOOT = "{leg} foot, frame {frame}, {share:.1 %} of the leg: "
_THERE = "at frame {frame}, near x {x:place}, y {y:place}: the walk is made for the view"
_RENDERED = (
    "where the ground under the {leg} foot is {height:abs length} {height:+higher|lower} " + _THERE
)

_FAULTS: dict[K, Texts] = {
    K.FOOT_SLIDES: (
        "the {leg} foot slides by {length:length} ({share:.1 %} of the leg) up to frame {frame}",
        "check its times in the Key Times panel, and whether it has room to stand there",
        "check its `key_times` in `motions`, and whether it has room to stand there",
    ),
    K.FOOT_MISSES: (
        "the {leg} leg is {length:length} ({share:.1 %} of the leg) too short for its step at "
        "frame {frame}, {frames:count frame} in all",
        "travel slower, shorten the stride, or put a footstep nearer",
        "travel slower, lower `max_stride`, or put a footstep nearer",
    ),
    K.FOOT_CUTS_GROUND: (
        "the {leg} foot swings {length:length} ({share:.1 %} of the leg) deep through the ground "
        "at frame "
        "{frame}",
        "raise Swing Margin or Toe Clearance, or put a footstep elsewhere",
        "raise `swing_margin` or `toe_clearance`, or put a footstep elsewhere",
    ),
    K.FOOT_SINKS: (
        "the {leg} foot stands {length:length} ({share:.1 %} of the leg) deep in the ground at "
        "frame {frame}",
        "check whether it has room to stand there, and the sole points in the Character panel",
        "check whether it has room to stand there, and the sole points in Blender",
    ),
    K.FOOT_FLOATS: (
        "the {leg} foot stands {length:length} ({share:.1 %} of the leg) above the ground at frame "
        "{frame}",
        "even the ground there, or put a footstep elsewhere",
    ),
    K.FOOT_JUMPS: (
        "the {leg} foot goes {share:.1f} times as far in a frame as in its motion at frame {frame}",
        "travel slower, turn less sharply or climb less steeply there",
    ),
    K.KNEE_FAST: (
        "the {leg} knee bends {share:.1f} times as fast as in its motion at frame {frame}",
        "travel slower, or lower Climb per Step",
        "travel slower, or lower `max_climb`",
    ),
    K.LEG_WHIRLS: (
        "{bone!r} of the {leg} leg turns by {turn:.0f} degrees in one frame, {frame}: its steps are too "
        "quick, or its foot is turned too far from the body",
        "travel slower and turn less sharply there, turn footsteps less, or tick a motion that goes "
        "that way",
        "travel slower and turn less sharply there, or name a motion that goes that way",
    ),
    K.BODY_CUTS_GROUND: (
        "{leg:if the # leg}{bone:if {bone!r}} goes {length:length} ({share:.1 %} of the leg) into the "
        "ground at frame {frame}",
        "lead the way around, take lower steps, or pose it higher in an action that is played over the "
        "walk in Layers",
        "lead the way around, take lower steps, or pose it higher in an action of `layers`",
    ),
    K.BODY_OFF_TRAVEL: (
        "the hips are {length:length} ({share:.1 %} of the leg) beside their travel at frame {frame}",
        "put the rest pose of the hips over the armature's origin",
    ),
    K.WALK_AIRBORNE: (
        "no foot is on the ground in {share:.1 %} of the frames, as at {frame}",
        "check the ground there and the sole points in the Character panel",
        "check the ground there and the sole points in Blender",
    ),
    K.GROUND_CHANGED: (
        "{ground!r}{more:if  and # more} under the feet was changed, moved, shown or hidden since "
        "the bake",
        "bake again",
    ),
    K.RATE_CHANGED: (
        "the scene ran at {was:g} frames a second at the bake, and runs at {now:g} now",
        "set the frame rate back, or bake again",
        "set the frame rate back in Blender, or bake again",
    ),
    K.BAKE_OUTDATED: (
        "the settings, the way, a motion or the extension was changed since the bake",
        "bake again",
    ),
    K.PRINT_WITHOUT_GROUND: (
        "leg {leg!r} finds no ground at frame {frame} near x {x:place}, y {y:place}"
        "{more:if , and # more until frame {last}}, and stands in the air there",
        "put ground under it, or lead the way elsewhere",
    ),
    K.GROUND_STEEP: (
        "{steps:count step} {steps:stands|stand} on slopes of up to {slope:.0f} degrees {span}, first of "
        "leg {leg!r} near x {x:place}, y {y:place}, and soles lie on no more than {limit}",
        "lead the way elsewhere, put stairs there, or raise Steepest Slope",
        "lead the way elsewhere, put stairs there, or raise `max_slope`",
    ),
    K.FIGURE_NO_GROUND: (
        "{mesh!r} is at the feet at frame {frame}, near x {x:place}, y {y:place}, and no ground, since "
        "{armature!r} is taken for a figure",
        "choose the meshes to walk on as Objects or Collection if it is ground, or lead the way around",
        "name the meshes to walk on in `ground` if it is ground, or lead the way around",
    ),
    K.RENDER_OTHER_GROUND: {
        "hides": (
            "{ground!r} is hidden in renders, " + _RENDERED,
            "hide it in the view, or show it in renders",
        ),
        "shows": (
            "{ground!r} is hidden in the view but not in renders, " + _RENDERED,
            "show it in the view, or hide it in renders",
        ),
        "shapes": (
            "{ground!r} has another shape in renders{modifier:if  by its modifier '#'}, "
            + _RENDERED,
            "let its modifiers and keys do the same in both, Simplify of the scene included",
        ),
        "loses": (
            "{ground!r} is no ground in renders, where none is left under the {leg} foot " + _THERE,
            "hide it in the view, or show it in renders",
        ),
    },
    K.RENDER_OTHER_FEET: (
        "{mesh!r} has its soles {height:abs length} {height:+higher|lower} in renders than in the view"
        "{modifier:if , by its modifier '#'}",
        "show it in both or in none, with the same modifiers",
    ),
    K.PRINTS_CROWDED: (
        "{steps:count step} of leg {leg!r} {steps:stands|stand} too near to its partner's, worst at "
        "frame {frame} by {distance:length}",
        "turn less sharply, or travel slower there",
    ),
    K.FOOTSTEP_TAKEN: (
        "footstep {footstep!r} is not used: {rival!r} takes the step of leg {leg!r} there",
        "delete one of them",
    ),
    K.FOOTSTEPS_BESIDE: (
        "{count:count footstep} {count:is|are} not used, since no step passes within half a stride or a "
        "leg's reach to the side: {footsteps}{more:if  and # more}",
        "move them to the travel, remove them with Clear Footsteps, or travel along Footsteps",
        "move them to the travel or delete them in Blender, or go along them with `footsteps`",
    ),
    K.FOOTSTEP_WITHOUT_LEG: (
        "footstep {footstep!r} is not used: {armature!r} has no leg {leg!r}",
        "delete it, or name a leg so",
    ),
    K.FOOTSTEP_OFF_GROUND: (
        "footstep {footstep!r} lies {height:abs length} {height:+above|below} the ground there, and its "
        "foot stands so{more:if  (and # more)}",
        "use Re-place on Ground if that is not meant",
        "put it on the ground in Blender if that is not meant",
    ),
    K.FOOTSTEP_IN_WALL: (
        "footstep {footstep!r} stands in what rises beside it, and its foot goes into "
        "it{more:if  (and # more)}",
        "move it out",
    ),
    K.FOOTSTEP_FAR: (
        "footstep {footstep!r} is {distance:place} from {before!r}, the motions step {reach:place}",
        "place it nearer or add a step between",
    ),
    K.FOOTSTEP_MISTIMED: (
        "footstep {footstep!r} cannot {starts:start|end} at frame {wanted:.1f}, the walk reaches "
        "{reached:.1f}",
        "give it a frame nearer to that, or bring the steps before it earlier or nearer",
    ),
    K.GROUND_FAR: (
        "the ground at the start lies {height:abs length} {height:+above|below} the character, "
        "{lengths:abs .0f} lengths of its leg",
        "move the character to the ground, or choose the ground that is meant",
        "move the character to the ground, or name the `ground` that is meant",
    ),
    K.GROUND_LEAVES: (
        "the ground under leg {leg!r} moves {distance:length} off while the foot stands on it {span}, "
        "and the travel does not follow",
        "parent the character, or its path, to what moves",
    ),
    K.WALL_CROSSED: {
        "open": (
            _WALL,
            "lead the way around it, switch Keep Clear of Walls on, or list it under Left Out if it is "
            "to be passed through",
            "lead the way around it, set `keep_clear = true` in `[character.travel]`, or name it in "
            "`leave_out` if it is to be passed through",
        ),
        "without_room": (
            _WALL + " though the way keeps clear of walls",
            "there is no room within a body's width of it: lead the way elsewhere",
        ),
        "on_fixed_way": (
            _WALL,
            "lead the way around it, since Keep Clear of Walls shifts no animation and no footsteps, or "
            "list it under Left Out if it is to be passed through",
            "lead the way around it, since `keep_clear` shifts no animation and no footsteps, or name it "
            "in `leave_out` if it is to be passed through",
        ),
    },
    K.THING_CLIMBED: (
        "the way leads over {thing!r}, {height:place} high, at frame {frame}, near x {x:place}, y "
        "{y:place}"
        "{others:if , and over # other things}",
        "lead the way around it, switch Keep Clear of Walls on where there is room within a body's width "
        "of it, lower Step Height, or list it under Left Out if it is to be passed through",
        "lead the way around it, set `keep_clear = true` in `[character.travel]` where there is room "
        "within a body's width of it, lower `step_limit`, or name it in `leave_out` if it is to be "
        "passed through",
    ),
    K.WAY_END_MOVED: (
        "the way {starts:starts|ends} {distance:place} aside of where it was asked to, near x "
        "{x:place}, y "
        "{y:place}, to keep clear of {wall!r} there",
        "move that end of the way out of it, or switch Keep Clear of Walls off",
        "move that end of the way out of it, or set `keep_clear = false` in `[character.travel]`",
    ),
    K.SPEED_ENDS: (
        "the keyed speed ends at 0 m/s after {distance:place} of {length:place}",
        "key a speed above 0 to walk on",
    ),
    K.TRAVEL_FAST: (
        "the travel goes at up to {speed:speed}, {factor:.1f} times as fast as the fastest motion, "
        "{fastest!r} at {own:speed}",
        "travel slower, or tick a faster one",
        "lower `speed`, or name a faster one in `motions`",
    ),
    K.GROUND_FAST: (
        "{ground!r} goes by below the walk {span} at up to {speed:speed}, {factor:.1f} times as fast "
        "as the fastest motion, {fastest!r} at {own:speed}",
        "list it under Left Out, let it move slower, or parent the character to it",
        "name it in `leave_out`, let it move slower, or parent the character to it",
    ),
    K.TRAVEL_AGAINST: (
        "no ticked motion goes where the travel does, the nearest goes {angle:.0f} degrees off it",
        "tick one that does, or switch Reverse on for one that goes the other way"
        "{along:if , or set Heading to Kept for steps to the side}",
        "name one that does in `motions`, or one with `reversed = true`"
        '{along:if , or set `heading` to "kept" in `[character.travel]` for steps to the side}',
    ),
    K.TRAVEL_TURNS_FAST: (
        "the travel turns by {turn:.0f} degrees from frame {frame} to the next, so that feet leave their "
        "places between the frames",
        "turn over more frames",
    ),
    K.FEET_TURN_FAST: (
        "{steps:count step} of leg {leg!r} {span} {steps:turns|turn} the foot "
        "by up to {turn:.0f} degrees in a frame, for the travel turns as fast",
        "turn more slowly there; along points or a curve switch Slow in Turns on",
        "turn more slowly there; along a path or a curve leave `slow_turns` on",
    ),
    K.WALK_SHORT: (
        "the walk starts at frame {frame}, and the scene ends at {last}, within its first cycle",
        "raise the scene's End, or set its Start to where it shall start, and bake again",
        "give `frames` from where it shall start to where it shall end",
    ),
    K.DRIVERS_BLOCKED: (
        "{drivers:count driver} of the legs' bones, as of {bone!r}, {drivers:stands|stand} still: "
        "they are Python expressions, and scripts are off for this file",
        "allow scripts for it (Preferences > Save & Load > Auto Run Python Scripts) if you trust it, or "
        "turn these drivers into keys",
    ),
    K.HAND_OVER: {
        "from": (
            _FOOT
            + "no step leads from the pose that the walk takes over from, so the foot slides over "
            "Blend In",
            "begin the way at the pose, or take over from a pose that is nearer to the walk",
        ),
        "to": (
            _FOOT
            + "no step leads to the pose that the walk hands over to, so the foot slides over "
            "Blend Out",
            "end the walk nearer to the pose: change Speed, the range or the way, set Stop to Standing, "
            "or move the pose",
            "end the walk nearer to the pose: change `speed`, `frames` or the way, or move the pose",
        ),
        "short": (
            _FOOT
            + "the leg is too short to keep it where the pose beside the walk has it, so it slides",
            "blend over fewer frames, or take over from a pose with its feet nearer together",
        ),
        "slides": (
            _FOOT + "the foot slides so far in one frame of {ends:Blend Out|Blend In}",
            "change {ends:Blend Out|Blend In}, or use a pose whose feet are nearer to those of the walk",
            "change the blend, or use a pose whose feet are nearer to those of the walk",
        ),
        "sinks": (
            _FOOT + "the foot sinks into the ground in {ends:Blend Out|Blend In}",
            "change {ends:Blend Out|Blend In}, or use a pose whose feet are nearer to those of the walk",
            "change the blend, or use a pose whose feet are nearer to those of the walk",
        ),
    },
    K.SECTION_JUMPS: (
        "frame {frame}: the character jumps by {share:.0 %} of the leg, for keys or strips beside the "
        "walk have it elsewhere",
        "key its object where the walk begins and ends, or move the pose; Blend In and Blend Out cover "
        "short ways",
        "key its object where the walk begins and ends, or move the pose; `blend_in` and `blend_out` "
        "cover short ways",
    ),
    K.CURVES_KEYED: (
        "what modifiers and extrapolation of curves show beside the baked frames is kept as keys "
        "{span}, and holds still beyond",
        "to keep more, make the scene longer and bake again; Remove Bake gives the modifiers back",
        "to keep more, make the scene longer and bake again",
    ),
    K.GROUPS_WEIGHTLESS: (
        "all Groups of the ticked motions weigh 0 {span}, so that the slowest walk plays alone there",
        "give one of them a Weight above 0",
        "give one of `groups` a `weight` above 0",
    ),
    K.LAYER_IDLE: (
        "layer {layer!r} changes nothing from frame {frame} to {last}",
        "set its Start and Weight to where the walk is; with Add, begin its action with the pose from "
        "which it changes",
        'set its `start` and `weight` to where the walk is; with `mode = "add"`, begin its action with '
        "the pose from which it changes",
    ),
    K.LAYER_STRAINS: (
        "frame {frame}: layer {layer!r} has the hips {share:.0 %} of the leg from where the legs reach "
        "the planned footprints",
        "lower its Weight there, or leave the hips out of its Bones",
        "lower its `weight` there, or leave the hips out of its mask",
    ),
    K.WEIGHT_DRIVEN: (
        "the Weight of {name!r} has a driver, which the bake takes as it is now for all frames",
        "key the Weight instead, as by Bake Action or by hand",
        "key the weight instead",
    ),
    K.ACTION_GONE: (
        "{motions:the action of a motion is|actions of motions are} gone from the file",
        "choose another, remove the motion, or press Analyze",
        "name others in `motions`",
    ),
    K.RENDERED_LIVE: (
        "rendering {characters} as shown live",
        "bake the walk for a sure result, on farms above all",
    ),
    K.CONSTRAINT_ACTS: {
        "driven": (_ACTS + "its influence is driven", "let the driver give 0 where the walk plays"),
        "locked": (
            _ACTS + "its influence is keyed on a locked curve",
            "unlock it, or key 0 where the walk plays",
        ),
        "unheeded": (
            _ACTS + "the iTaSC solver does not heed influences",
            "choose the standard IK solver",
        ),
    },
}

_HINTS: dict[K, Texts] = {
    K.ACTION_COVERED: (
        "{action!r} moves {bones:count bone} that the walk moves as well, {first!r} among them: they "
        "show the walk",
        "to see the action on them, add it in Layers",
        "to see the action on them, name it in `layers`",
    ),
    K.WALK_OUTLASTS_SCENE: (
        "the walk ends at frame {last}, after the scene's last frame, {frame}",
        "raise the scene's End, or switch Extend Scene Range on and bake again",
        "set `extend_scene = true`",
    ),
    K.SCENE_EXTENDED: (
        "the scene's End was raised from frame {frame} to {last}, where the walk ends",
        "lower it again, or choose a shorter way, if that is too long",
    ),
    K.STEPS_QUICKENED: (
        "side steps and turns {span} are up to {share:.0 %} quicker and "
        "shorter than the motions have them, so that no legs cross",
        "travel slower there, or add a motion that goes that way",
    ),
    K.GROUND_HEAVY: (
        "the ground {ground!r} has another shape of {triangles} triangles at each of {frames} frames, "
        "which takes long to read",
        "choose a coarser mesh as the ground",
        "name a coarser mesh in `ground`",
    ),
    K.GROUND_BROKEN: (
        "{ground!r} has {vertices} {vertices:vertex|vertices} whose "
        "{vertices:place is no number|places are no numbers} or too far off, and is no ground at "
        "{vertices:its|their} faces",
        "delete {vertices:it|them}, or check the modifiers of {ground!r}",
    ),
    K.GROUND_NOWHERE: {
        "flat": (
            "{ground!r} is scaled to nothing and is no ground",
            "scale it up, or choose another mesh as the ground",
            "scale it up, or name another mesh in `ground`",
        ),
        "nowhere": (
            "{ground!r} has no place, since its transform holds what is no number or too far off, and "
            "is no ground",
            "set its location, rotation and scale anew, and check its keys and drivers",
        ),
    },
    K.GROUND_SMALL: (
        "{things:count thing} smaller than a sole, such as {first!r}, {things:is|are} walked on as "
        "ground",
        "switch Leave Out Small Things on unless feet are to stand on them",
        "give `leave_out_small = true` unless feet are to stand on them",
    ),
    K.GROUND_ALL_LEFT_OUT: (
        "everything under the way is left out, {things:count surface} such as {first!r}, so the walk "
        "goes over a plane at height {height:length} that is not seen",
        "take it off the list under Left Out, switch off there what leaves it out, or choose Plane as "
        "the ground",
        "take it out of `leave_out`, or drop what leaves it out (`leave_out_instances`, "
        "`leave_out_small`, `rendered_only`)",
    ),
    K.GROUND_SCATTERED: (
        "{things:count surface} {things:is|are} looked at as ground, {most} of them {first!r}, which "
        "takes long",
        "put that on the list of what is left out, or switch Leave Out Instances on",
        "name that in `leave_out`, or give `leave_out_instances = true`",
    ),
}

WORDS = {
    **make_words(Severity.WALK, _FAULTS),
    **make_words(Severity.HINT, _HINTS),
}
