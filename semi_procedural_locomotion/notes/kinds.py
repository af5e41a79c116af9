# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What notes can tell, and the values that each carries."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Self

# How far a walk is off its plan.
_OFF = {"length": "off plan", "share": "the same, L"}


class NoteKind(Enum):
    """What a note tells, with the values that each kind carries.

    Names of legs, frames (scene frames) and places (world, metres) are fields of the note itself.
    Lengths are metres unless a share is meant; L is the character's leg length, "size" its body's.

    Attributes
    ----------
    value
        What the kind is called in files.
    carries
        What each value of a note of this kind is, by its name.
    """

    _value_: str
    carries: Mapping[str, str]

    def __new__(cls, name: str, carries: Mapping[str, str] | None = None) -> Self:
        """A kind by its name in files."""
        member = object.__new__(cls)
        member._value_ = name
        member.carries = MappingProxyType(dict(carries or {}))
        return member

    # What is measured of a walk: leg and worst frame.
    FOOT_SLIDES = (
        "foot_slides",
        {"length": "way of the sole while it stands", "share": "the same, L"},
    )
    FOOT_MISSES = (
        "foot_misses",
        {"length": "ankle to its place", "share": "the same, L", "frames": "in which it misses"},
    )
    FOOT_CUTS_GROUND = "foot_cuts_ground", {"length": "depth in the swing", "share": "the same, L"}
    FOOT_SINKS = "foot_sinks", {"length": "depth in contact", "share": "the same, L"}
    FOOT_FLOATS = "foot_floats", {"length": "height in contact", "share": "the same, L"}
    FOOT_JUMPS = "foot_jumps", {"share": "its way in a frame over the source's longest"}
    KNEE_FAST = "knee_fast", {"share": "its fastest bend over the source's"}
    LEG_WHIRLS = "leg_whirls", {"bone": "which turns", "turn": "in one frame, degrees"}
    BODY_CUTS_GROUND = (
        "body_cuts_ground",
        {"bone": "deepest, empty for legs", "length": "depth", "share": "the same, L"},
    )
    BODY_OFF_TRAVEL = (
        "body_off_travel",
        {"length": "hips beside their travel", "share": "the same, L"},
    )
    WALK_AIRBORNE = "walk_airborne", {"share": "of the frames"}

    # What a bake was made from and is another now.
    GROUND_CHANGED = "ground_changed", {"ground": "name of the first", "more": "how many others"}
    RATE_CHANGED = "rate_changed", {"before": "frames a second at the bake", "now": "and now"}
    BAKE_OUTDATED = "bake_outdated"

    # A baked walk that is not shown as it was planned, by what stands between: leg and worst frame.
    # The share is the distance of the worst joint or sole from plan, L; the length is it in metres.
    OFF_BY_BONE_GONE = "off_by_bone_gone", {"bone": "which is gone"}
    OFF_BY_REST = "off_by_rest", {**_OFF, "bone": "whose rest pose was changed"}
    OFF_BY_REST_POSITION = "off_by_rest_position", _OFF
    OFF_BY_TIME = "off_by_time", {**_OFF, "stretch": "old:new length, as 100:200"}
    OFF_BY_ACTION = (
        "off_by_action",
        {
            "action": "what plays instead of the bake, empty for nothing",
            "slot": "or which slot of it",
        },
    )
    OFF_BY_STRIP = (
        "off_by_strip",
        {**_OFF, "bone": "which is moved", "strip": "what plays over the bake"},
    )
    OFF_BY_CORRECTION = (
        "off_by_correction",
        {**_OFF, "bone": "which is moved", "action": "of the correction layer"},
    )
    OFF_BY_INFLUENCE = "off_by_influence", {**_OFF, "action": "which plays in part"}
    OFF_BY_MUTED = "off_by_muted", {**_OFF, "bone": "whose curves are muted"}
    OFF_BY_DELETED = "off_by_deleted", {**_OFF, "bone": "whose curves are gone"}
    OFF_BY_MODIFIER = "off_by_modifier", {**_OFF, "bone": "whose curves have one"}
    OFF_BY_DRIVER = "off_by_driver", {**_OFF, "bone": "which is driven"}
    OFF_BY_CONSTRAINT = (
        "off_by_constraint",
        {**_OFF, "bone": "which is moved", "constraint": "its name"},
    )
    OFF_BY_KEPT = "off_by_kept", {**_OFF, "bone": "whose edits are kept"}
    OFF_BY_TOLERANCE = "off_by_tolerance", {**_OFF, "bone": "with fewer keys"}
    OFF_BY_EDITED = "off_by_edited", {**_OFF, "bone": "whose keys were changed"}
    OFF_BY_LOCK = "off_by_lock", {**_OFF, "bone": "which was left out"}
    OFF_BY_POSE = "off_by_pose", {**_OFF, "bone": "which is posed without keys"}
    OFF_BY_SCALE = (
        "off_by_scale",
        {**_OFF, "bone": "which is off", "scaled": "bone or object that is scaled"},
    )
    OFF_BY_PARENT = "off_by_parent", {**_OFF, "parent": "what moves the character"}
    OFF_BY_DELTA = "off_by_delta", _OFF
    OFF_BY_RETIMED = "off_by_retimed", {**_OFF, "strip": "of the bake"}
    OFF_BY_MODE = "off_by_mode", {**_OFF, "bone": "whose mode was changed"}
    OFF_BY_CONTROLS = "off_by_controls", _OFF
    KNEE_OFF = "knee_off", {"share": "off plan, L"}
    KNEE_FLIPS = "knee_flips", {"share": "in one frame, L"}
    KNEE_WOULD_FLIP = "knee_would_flip", {"share": "in one frame, L"}
    OFF_BY_UNKNOWN = "off_by_unknown", {**_OFF, "bone": "which is off"}
    NOT_VERIFIED = "not_verified"

    # Prints of a plan: leg, frame and place of the first, or of the worst.
    PRINT_WITHOUT_GROUND = "print_without_ground", {"more": "how many follow", "last": "last frame"}
    GROUND_STEEP = (
        "ground_steep",
        {
            "steps": "how many",
            "last": "last frame",
            "slope": "steepest under a sole, degrees",
            "limit": "steepest that soles lie on, degrees",
        },
    )
    PRINTS_CROWDED = "prints_crowded", {"steps": "how many", "distance": "too near at worst"}
    FEET_PARTED = "feet_parted", {"moves": "steps and swings", "distance": "moved out at most"}
    FEET_TURN_FAST = (
        "feet_turn_fast",
        {"steps": "how many", "turn": "in one frame at most, degrees", "last": "last frame"},
    )
    STEPS_QUICKENED = (
        "steps_quickened",
        {"last": "last frame", "share": "rate of the steps above the motions' own"},
    )

    # Footsteps that a user placed, by the names of their objects.
    FOOTSTEP_TAKEN = "footstep_taken", {"footstep": "its name", "rival": "which takes its step"}
    FOOTSTEP_JUMP_IDLE = "footstep_jump_idle", {"footstep": "the first", "more": "how many follow"}
    FOOTSTEP_PASSED_BY = "footstep_passed_by", {"footstep": "its name"}
    FOOTSTEPS_BESIDE = (
        "footsteps_beside",
        {
            "footsteps": "names of some that no step passes near",
            "count": "how many there are",
            "more": "how many are not named",
        },
    )
    FOOTSTEP_WITHOUT_LEG = "footstep_without_leg", {"footstep": "its name", "armature": "whose"}
    FOOTSTEP_OFF_GROUND = (
        "footstep_off_ground",
        {
            "footstep": "the farthest off",
            "height": "above the ground there, below it negative",
            "more": "how many others are off",
        },
    )
    FOOTSTEP_IN_WALL = (
        "footstep_in_wall",
        {"footstep": "the first", "more": "how many others are in some"},
    )
    JUMP_FAR = (
        "jump_far",
        {
            "footstep": "its name",
            "distance": "of the flight",
            "speed": "metres a second at the take-off",
            "possible": "what bodies of that size take off with",
        },
    )
    FOOTSTEP_FAR = (
        "footstep_far",
        {
            "footstep": "its name",
            "before": "its leg's last",
            "distance": "between them",
            "reach": "what the motions step in that time",
        },
    )
    FOOTSTEP_LATE = (
        "footstep_late",
        {
            "footstep": "its name",
            "starts": "1 for its start, 0 for its end",
            "wanted": "frame that was set",
            "reached": "frame that the walk reaches",
        },
    )
    FOOTSTEP_EARLY = "footstep_early", FOOTSTEP_LATE[1]

    # Where a walk goes, and on what.
    SPEED_ENDS = "speed_ends", {"distance": "walked", "length": "of the line"}
    TRAVEL_FAST = (
        "travel_fast",
        {
            "speed": "fastest, m/s",
            "factor": "times as fast as the fastest motion",
            "own": "of that motion, m/s",
            "fastest": "its name",
        },
    )
    # Frame: the first at which it is so fast.
    GROUND_FAST = (
        "ground_fast",
        {
            "ground": "name of what moves below the walk",
            "last": "last frame at which it is so fast",
            **TRAVEL_FAST[1],
        },
    )
    TRAVEL_AGAINST = (
        "travel_against",
        {"angle": "from the nearest motion, degrees", "along": "1 where it faces along its way"},
    )
    CURVE_WALK_ASTRAY = (
        "curve_walk_astray",
        {"clip": "its name", "turn": "degrees a cycle, right negative", "radius": "of its curve"},
    )
    TRAVEL_TURNS_FAST = "travel_turns_fast", {"turn": "from that frame to the next, degrees"}
    WALK_SHORT = "walk_short", {"last": "last frame of the scene"}
    # Frame: the scene's last one.
    WALK_OUTLASTS_SCENE = "walk_outlasts_scene", {"last": "last frame of the walk"}
    SCENE_EXTENDED = "scene_extended", WALK_OUTLASTS_SCENE[1]
    GROUND_FAR = (
        "ground_far",
        {"height": "above the character, below it negative", "lengths": "the same in L"},
    )
    # Leg, frame and place of the worst step.
    RENDER_HIDES_GROUND = (
        "render_hides_ground",
        {"ground": "its name", "height": "of what renders show there over it"},
    )
    RENDER_SHOWS_GROUND = (
        "render_shows_ground",
        {"ground": "its name", "height": "over what the view shows there"},
    )
    RENDER_SHAPES_GROUND = (
        "render_shapes_ground",
        {"ground": "its name", "height": "over the view's", "modifier": "that differs"},
    )
    RENDER_LOSES_GROUND = "render_loses_ground", {"ground": "its name"}
    RENDER_SHAPES_FEET = (
        "render_shapes_feet",
        {
            "mesh": "name of the object",
            "modifier": "that differs, empty for none",
            "height": "of the lowest sole over the view's",
        },
    )
    FIGURE_NO_GROUND = (
        "figure_no_ground",
        {"mesh": "which is at the feet", "armature": "that it is taken for a figure of"},
    )
    GROUND_LEAVES = (
        "ground_leaves",
        {"distance": "how far it moves", "last": "frame at which the foot leaves it"},
    )
    WALL_CROSSED = (
        "wall_crossed",
        {
            "wall": "name of the object",
            "last": "frame at which the body has left it",
            "more": "how many more times it is in the way",
            "others": "how many other things are in the way and not told one by one",
        },
    )
    WALL_WITHOUT_ROOM = "wall_without_room", WALL_CROSSED[1]
    WALL_ON_FIXED_WAY = "wall_on_fixed_way", WALL_CROSSED[1]
    THING_CLIMBED = (
        "thing_climbed",
        {
            "thing": "name of the object",
            "height": "above the ground around it",
            "others": "how many other things are climbed and not told one by one",
        },
    )
    GAP_NOT_JUMPED = (
        "gap_not_jumped",
        {"more": "how many follow", "reason": "why", "cure": "in words", "job_cure": "for jobs"},
    )
    # Frame: of the end that is moved.
    WAY_END_MOVED = (
        "way_end_moved",
        {
            "distance": "aside",
            "wall": "name of what stands there",
            "starts": "1 for the start of the way, 0 for its end",
        },
    )
    GROUND_HEAVY = (
        "ground_heavy",
        {"ground": "name of the mesh", "triangles": "how many", "frames": "shapes to read"},
    )
    GROUND_BROKEN = "ground_broken", {"ground": "its name", "vertices": "how many are nowhere"}
    GROUND_FLATTENED = "ground_flattened", {"ground": "name of what is scaled to nothing"}
    GROUND_NOWHERE = "ground_nowhere", {"ground": "name of what has no place"}
    GROUND_SMALL = "ground_small", {"things": "how many under feet", "first": "most frequent one"}
    GROUND_ALL_LEFT_OUT = (
        "ground_all_left_out",
        {
            "things": "how many surfaces are left out",
            "first": "name of one",
            "height": "world z of the plane that is walked on instead",
        },
    )
    GROUND_SCATTERED = (
        "ground_scattered",
        {"things": "how many surfaces", "most": "how many show one", "first": "name of that one"},
    )

    # Motions and animation that a bake meets.
    GROUPS_WEIGHTLESS = "groups_weightless"
    GROUPS_WEIGHTLESS_AT = "groups_weightless_at", {"last": "last frame"}
    LAYER_IDLE = "layer_idle", {"layer": "its name", "last": "last frame"}
    LAYER_STRAINS = "layer_strains", {"layer": "its name", "share": "hips off where it has them, L"}
    WEIGHT_DRIVEN = "weight_driven", {"name": "of the group or layer"}
    MOTION_GONE = "motion_gone", {"motions": "how many"}
    ACTION_GONE = "action_gone"
    RENDERED_LIVE = "rendered_live", {"characters": "names of those that are shown live"}
    CONSTRAINT_DRIVEN = "constraint_driven", {"bone": "which it moves", "constraint": "its name"}
    CONSTRAINT_LOCKED = "constraint_locked", CONSTRAINT_DRIVEN[1]
    CONSTRAINT_UNHEEDED = "constraint_unheeded", CONSTRAINT_DRIVEN[1]
    DRIVERS_BLOCKED = "drivers_blocked", {"drivers": "how many", "bone": "of one of them"}
    LOCKED_KEYED = "locked_keyed", {"bones": "how many", "first": "name of one"}
    SCENES_SHARED = "scenes_shared", {"scenes": "how many others", "first": "name of one"}
    FOOTSTEPS_LEFT = "footsteps_left", {"footsteps": "how many", "first": "name of one"}
    RECORD_UNFIT = (
        "record_unfit",
        {"name": "of what keeps it", "record": "its name", "reason": "why"},
    )
    CURVES_LEFT = "curves_left", {"curves": "how many", "first": "what one keys"}
    EDITS_KEPT = "edits_kept", {"edits": "how many", "first": "what the first one changes"}
    HAND_OVER_FROM = "hand_over_from", {"share": "from the pose to the walk's foot, L"}
    HAND_OVER_TO = "hand_over_to", {"share": "from the walk's foot to the pose, L"}
    HAND_OVER_SHORT = "hand_over_short", {"share": "by which the leg does not reach, L"}
    HAND_OVER_SLIDES = (
        "hand_over_slides",
        {"share": "its way since the frame before, L", "blend": "Blend In or Blend Out"},
    )
    HAND_OVER_SINKS = (
        "hand_over_sinks",
        {"share": "its depth beyond that in the pose, L", "blend": "Blend In or Blend Out"},
    )
    ACTION_COVERED = (
        "action_covered",
        {"action": "its name", "bones": "how many of its bones", "first": "name of one"},
    )
    SECTION_JUMPS = "section_jumps", {"share": "from the walk to where the character is then, L"}
    CURVES_KEYED = "curves_keyed", {"first": "first frame kept", "last": "last frame kept"}

    # A clip as a cycle to walk with.
    CLIP_SLOW = (
        "clip_slow",
        {
            "period": "seconds",
            "stride": "of a cycle, L",
            "frame_rate": "at which it is read, frames a second",
        },
    )
    SPEED_UNEVEN = "speed_uneven", {"low": "slowest of a planted foot, m/s", "high": "fastest"}
    SPEED_UNCERTAIN = "speed_uncertain", SPEED_UNEVEN[1]
    FEET_SLIDE = "feet_slide", {"share": "of the speed, while planted"}
    ROOT_AND_FEET_DIFFER = (
        "root_and_feet_differ",
        {"root": "speed of the root, m/s", "feet": "speed that the feet tell, m/s"},
    )
    ROOT_LAGS = "root_lags", ROOT_AND_FEET_DIFFER[1]
    FEET_SURGE = (
        "feet_surge",
        {
            "share": "of the speed, by which planted feet go slower and faster together",
            "taken": "of the speed, by the body",
        },
    )
    FOOT_NEVER_STANDS = "foot_never_stands"
    FOOT_NEVER_LIFTS = "foot_never_lifts"
    FOOT_TOUCHES_SHORTLY = "foot_touches_shortly"
    CONTACT_LENT = "contact_lent", {"partner": "name of the leg whose contact it has"}
    CONTACT_SHORT = "contact_short", {"duty": "share of the cycle on the ground"}
    CONTACT_TWICE = "contact_twice"
    LEGS_DISAGREE = "legs_disagree", {"share": "spread of the speeds of the legs"}
    LEGS_UNEVEN = "legs_uneven", {"partner": "name of the other leg"}
    CLIP_CLIMBS = "clip_climbs", {"degrees": "of its slope, downward negative"}
    LOOP_OPEN = "loop_open", {"share": "by which the ends differ, size"}
    LOOP_SPREAD = "loop_spread", LOOP_OPEN[1]
    CYCLES_UNLIKE = "cycles_unlike", {"bone": "its name", "turn": "by which it differs, degrees"}
    HOLDS_EASED = "holds_eased"
    FEW_KEYS = "few_keys", {"keys": "in a cycle", "seconds": "half a key"}
    MAYBE_JUMP = "maybe_jump"
    GROUND_OFF_REST = "ground_off_rest", {"height": "of the feet's ground over the rest pose's"}
    FEET_HANG = "feet_hang", {"height": "at which the ankles stay over the rest pose's"}
    GROUND_LEVELS = "ground_levels", {"spread": "of the levels of the feet"}
    FOOT_DIPS = "foot_dips", {"depth": "under its ground"}
    PLAIN_WALK = "plain_walk"
    PLAINER_WALK = (
        "plainer_walk",
        {"other": "name of the next", "reason": "what it has before that"},
    )
    WALK_LIKE_OTHER = (
        "walk_like_other",
        {"other": "name of that", "reason": "what that has before it"},
    )
    WALK_DOUBTFUL = "walk_doubtful"
    WALK_STOOPS = "walk_stoops", {"other": "name of one with much higher hips"}
    WALK_HANGS = "walk_hangs", {"height": "of its feet over the ground of the other motions"}
    NO_LOCOMOTION = (
        "no_locomotion",
        {
            "reason": "why, in the words of the refusal",
            "cure": "what to do about it at the panels",
            "job_cure": "the same with the keys of jobs",
        },
    )

    # A cycle made from numbers.
    STRIDE_SHORTENED = "stride_shortened", {"share": "of the stride that was asked for"}

    # Whether the legs of a rig are the right ones.
    REST_POSE_ALONE = "rest_pose_alone"
    NO_STEPPING_CLIP = "no_stepping_clip"
    FEET_IN_PHASE = "feet_in_phase"
    FEET_DISAGREE = "feet_disagree"
    LEGS_UNSURE = "legs_unsure", {"confidence": "share"}
    REST_SHOWS_OTHER_LEGS = (
        "rest_shows_other_legs",
        {"count": "of its legs", "bones": "where they differ"},
    )
    CLIP_SHOWS_OTHER_LEGS = "clip_shows_other_legs", {"clip": "name", **REST_SHOWS_OTHER_LEGS[1]}
    LEG_WITHOUT_FOOT = "leg_without_foot"
    LEG_OF_ONE_SEGMENT = "leg_of_one_segment"
    LEGS_SHORT = "legs_short"
    HIPS_LOW = "hips_low"
    FEET_HOVER = "feet_hover", {"lengths": "height over the object's origin, L"}
    PAIRED_WITHOUT_NAMES = "paired_without_names"
    LEG_SINGLE = "leg_single", {"bones": "hips of legs without a partner"}
    OTHERS_TOUCH_GROUND = "others_touch_ground", {"bones": "names of these bones"}
    NAMES_OF_ARMS = "names_of_arms"
    SIDES_SWAPPED = "sides_swapped"
    CLIP_FACES_ELSEWHERE = "clip_faces_elsewhere", {"degrees": "against the rest pose"}
    FORWARD_UNSURE = "forward_unsure"
    FORWARD_CONTRADICTED = "forward_contradicted", {"clips": "names of those that go backwards"}
    FOOT_BONE_MISSING = "foot_bone_missing"
    ANKLE_WITHOUT_WEIGHTS = "ankle_without_weights"
    FOOT_DETACHED = "foot_detached"
    SOLE_GUESSED = "sole_guessed"
    SKIN_BELOW_SOLES = (
        "skin_below_soles",
        {"share": "of its depth below them, L", "bone": "it follows"},
    )
    # Soles whose meshes have changed since they were measured: names of meshes.
    SOLES_RENEWED = "soles_renewed", {"mesh": "first that has changed", "more": "other meshes"}
    SOLES_OUTDATED = "soles_outdated", {"mesh": "first that has changed", "more": "other meshes"}
    SOLE_KEPT = "sole_kept", {"mesh": "first that has changed"}
    SOLES_SINCE_BAKE = (
        "soles_since_bake",
        {
            "mesh": "that is seen at the feet",
            "thing": "what has changed of it, as Blender calls it",
        },
    )
    FOOTWEAR_UNREAD = "footwear_unread", {"mesh": "that goes after a foot"}
    SOLE_SCALED = (
        "sole_scaled",
        {"bone": "first that motions scale", "size": "against rest", "more": "other bones"},
    )
    MESH_NOT_MOVED = "mesh_not_moved", {"mesh": "whose modifier is off"}
    FEET_SHAPED = (
        "feet_shaped",
        {"mesh": "its name", "key": "shape key that changes", "size": "by which it moves the feet"},
    )
    FOOTWEAR_HIDDEN = (
        "footwear_hidden",
        {"mesh": "which is hidden at first", "height": "of its sole", "last": "frame it is hidden"},
    )
    RIG_WAS_GENERATED = "rig_was_generated", {"armature": "made from the one that was chosen"}
    ACTIONS_OF_OTHERS = "actions_of_others", {"actions": "names of those of other characters"}
    BODY_LIES = "body_lies"
    BODY_HUGE = "body_huge", {"height": "of the body", "factor": "that would make it usual"}
    BODY_TINY = "body_tiny", BODY_HUGE[1]
    FILE_TURNED = "file_turned", {"axis": "that is up in the file it was imported from"}
    OBJECT_KEYED = (
        "object_keyed",
        {"action": "which keys it", "channels": "of its location, rotation, scale or several"},
    )
    BODY_CONNECTED = "body_connected", {"bone": "that carries the hips and cannot move"}
    OTHER_MOVES_MESHES = "other_moves_meshes", {"armature": "alike, which moves the meshes"}

    # The controls of a rig, as they were chosen.
    CONTROL_GONE = "control_gone", {"bone": "which the armature has no more"}
    CONTROL_SWITCH_GONE = "control_switch_gone", {"path": "data path of the property"}
    CONTROL_CHAIN_BROKEN = "control_chain_broken", {"bones": "joints that no control turns"}
    CONTROLS_OUTDATED = "controls_outdated"

    # Controls of a rig.
    NO_BODY_CONTROL = "no_body_control"
    NO_FOOT_CONTROL = "no_foot_control"
    CONTROL_MOVES_PARTLY = (
        "control_moves_partly",
        {"control": "name of the bone", "share": "of its move that the foot follows"},
    )
    SWITCHED_BY_BONE = "switched_by_bone", {"bone": "whose place or turn is the switch"}
    SWITCH_NOT_KEYED = "switch_not_keyed"
    ROOT_NOT_UPRIGHT = "root_not_upright"

    # What files of older versions keep.
    OLDER_TEXT = "older_text", {"text": "as it was worded then"}
