# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What notes can tell, and the values that each carries."""

from __future__ import annotations

from enum import Enum
from typing import Self

UNITS = {
    "name or word": "above action actions armature axis before bone bones case channels characters clip "
    "clips constraint control first footstep footsteps fastest ground key layer mesh modifier name other "
    "partner path reason cure job_cure record rival text thing wall",
    "count": "bones count curves drivers edits frames footsteps keys more most motions others scenes "
    "steps things triangles vertices",
    "1 for yes, 0 for no": "along ends starts",
    "metres": "depth distance height length radius reach spread",
    "metres a second": "feet high low own possible root speed",
    "length of the leg": "lengths stride",
    "degrees": "angle degrees limit slope turn",
    "seconds": "period seconds",
    "frames a second": "frame_rate now was",
    "scene frame": "last reached wanted",
    "share of what the words name": "confidence duty share taken",
    "ratio": "factor size",
}
"""What the values of notes are, by their names. A name that is twice here has the unit of the words."""


class NoteKind(Enum):
    """What a note tells, with its name in files and the values that it carries.

    Names of legs, frames (scene frames) and places (world, metres) are fields of the note itself. What a
    value says of its matter stands in the words of the kind. A kind that carries a ``case`` has words for
    each of its cases.

    Attributes
    ----------
    value
        What the kind is called in files.
    carries
        Names of the values of a note of this kind.
    """

    _value_: str
    carries: tuple[str, ...]

    def __new__(cls, name: str, carries: str = "") -> Self:
        """A kind by its name in files and the names of its values, one after the other."""
        member = object.__new__(cls)
        member._value_ = name
        member.carries = tuple(carries.split())
        return member

    # What is measured of a walk: leg and worst frame.
    FOOT_SLIDES = "foot_slides", "length share"
    FOOT_MISSES = "foot_misses", "length share frames"
    FOOT_CUTS_GROUND = "foot_cuts_ground", "length share"
    FOOT_SINKS = "foot_sinks", "length share"
    FOOT_FLOATS = "foot_floats", "length share"
    FOOT_JUMPS = "foot_jumps", "share"
    KNEE_FAST = "knee_fast", "share"
    LEG_WHIRLS = "leg_whirls", "bone turn"
    BODY_CUTS_GROUND = "body_cuts_ground", "bone length share"
    BODY_OFF_TRAVEL = "body_off_travel", "length share"
    WALK_AIRBORNE = "walk_airborne", "share"

    # What a bake was made from and is another now.
    GROUND_CHANGED = "ground_changed", "ground more"
    RATE_CHANGED = "rate_changed", "was now"
    BAKE_OUTDATED = "bake_outdated"

    # A baked walk that is not shown as it was planned, a case for each thing that may stand between.
    # The share is the distance of the worst joint or sole from plan, the length is it in metres.
    OFF_PLAN = "off_plan", "case length share bone name"
    KNEE_OFF = "knee_off", "share"
    KNEE_FLIPS = "knee_flips", "share"
    KNEE_WOULD_FLIP = "knee_would_flip", "share"
    NOT_VERIFIED = "not_verified"

    # Prints of a plan: leg, frame and place of the first, or of the worst.
    PRINT_WITHOUT_GROUND = "print_without_ground", "more last"
    GROUND_STEEP = "ground_steep", "steps last slope limit"
    PRINTS_CROWDED = "prints_crowded", "steps distance"
    FEET_TURN_FAST = "feet_turn_fast", "steps turn last"
    STEPS_QUICKENED = "steps_quickened", "last share"

    # Footsteps that a user placed, by the names of their objects.
    FOOTSTEP_TAKEN = "footstep_taken", "footstep rival"
    FOOTSTEP_JUMP_IDLE = "footstep_jump_idle", "footstep more"
    FOOTSTEPS_BESIDE = "footsteps_beside", "footsteps count more"
    FOOTSTEP_WITHOUT_LEG = "footstep_without_leg", "footstep armature"
    FOOTSTEP_OFF_GROUND = "footstep_off_ground", "footstep height more"
    FOOTSTEP_IN_WALL = "footstep_in_wall", "footstep more"
    JUMP_FAR = "jump_far", "footstep distance speed possible"
    FOOTSTEP_FAR = "footstep_far", "footstep before distance reach"
    FOOTSTEP_MISTIMED = "footstep_mistimed", "footstep starts wanted reached"

    # Where a walk goes, and on what.
    SPEED_ENDS = "speed_ends", "distance length"
    TRAVEL_FAST = "travel_fast", "speed factor own fastest"
    # Frame: the first at which it is so fast.
    GROUND_FAST = "ground_fast", "ground last speed factor own fastest"
    TRAVEL_AGAINST = "travel_against", "angle along"
    CURVE_WALK_ASTRAY = "curve_walk_astray", "clip turn radius"
    TRAVEL_TURNS_FAST = "travel_turns_fast", "turn"
    WALK_SHORT = "walk_short", "last"
    # Frame: the scene's last one.
    WALK_OUTLASTS_SCENE = "walk_outlasts_scene", "last"
    SCENE_EXTENDED = "scene_extended", "last"
    GROUND_FAR = "ground_far", "height lengths"
    # Leg, frame and place of the worst step.
    RENDER_OTHER_GROUND = "render_other_ground", "case ground height modifier"
    RENDER_OTHER_FEET = "render_other_feet", "mesh modifier height"
    FIGURE_NO_GROUND = "figure_no_ground", "mesh armature"
    GROUND_LEAVES = "ground_leaves", "distance last"
    WALL_CROSSED = "wall_crossed", "case wall last more others"
    THING_CLIMBED = "thing_climbed", "thing height others"
    GAP_NOT_JUMPED = "gap_not_jumped", "case more"
    # Frame: of the end that is moved.
    WAY_END_MOVED = "way_end_moved", "distance wall starts"
    GROUND_HEAVY = "ground_heavy", "ground triangles frames"
    GROUND_BROKEN = "ground_broken", "ground vertices"
    GROUND_NOWHERE = "ground_nowhere", "case ground"
    GROUND_SMALL = "ground_small", "things first"
    GROUND_ALL_LEFT_OUT = "ground_all_left_out", "things first height"
    GROUND_SCATTERED = "ground_scattered", "things most first"

    # Motions and animation that a bake meets.
    GROUPS_WEIGHTLESS = "groups_weightless", "last"
    LAYER_IDLE = "layer_idle", "layer last"
    LAYER_STRAINS = "layer_strains", "layer share"
    WEIGHT_DRIVEN = "weight_driven", "name"
    ACTION_GONE = "action_gone", "motions"
    RENDERED_LIVE = "rendered_live", "characters"
    CONSTRAINT_ACTS = "constraint_acts", "case bone constraint"
    DRIVERS_BLOCKED = "drivers_blocked", "drivers bone"
    LOCKED_KEYED = "locked_keyed", "bones first"
    SCENES_SHARED = "scenes_shared", "scenes first"
    FOOTSTEPS_LEFT = "footsteps_left", "footsteps first"
    RECORD_UNFIT = "record_unfit", "name record reason"
    CURVES_LEFT = "curves_left", "curves first"
    EDITS_KEPT = "edits_kept", "edits first"
    HAND_OVER = "hand_over", "case share ends"
    ACTION_COVERED = "action_covered", "action bones first"
    SECTION_JUMPS = "section_jumps", "share"
    CURVES_KEYED = "curves_keyed", "last"

    # A clip as a cycle to walk with.
    CLIP_SLOW = "clip_slow", "period stride frame_rate"
    SPEED_UNEVEN = "speed_uneven", "low high"
    SPEED_UNCERTAIN = "speed_uncertain", "low high"
    FEET_SLIDE = "feet_slide", "share"
    ROOT_AND_FEET_DIFFER = "root_and_feet_differ", "root feet"
    ROOT_LAGS = "root_lags", "root feet"
    FEET_SURGE = "feet_surge", "share taken"
    FOOT_NEVER_STANDS = "foot_never_stands"
    FOOT_NEVER_LIFTS = "foot_never_lifts"
    FOOT_TOUCHES_SHORTLY = "foot_touches_shortly"
    CONTACT_LENT = "contact_lent", "partner"
    CONTACT_SHORT = "contact_short", "duty"
    CONTACT_TWICE = "contact_twice"
    LEGS_DISAGREE = "legs_disagree", "share"
    LEGS_UNEVEN = "legs_uneven", "partner"
    CLIP_CLIMBS = "clip_climbs", "degrees"
    LOOP_OPEN = "loop_open", "share"
    LOOP_SPREAD = "loop_spread", "share"
    CYCLES_UNLIKE = "cycles_unlike", "bone turn"
    HOLDS_EASED = "holds_eased"
    FEW_KEYS = "few_keys", "keys seconds"
    MAYBE_JUMP = "maybe_jump"
    GROUND_OFF_REST = "ground_off_rest", "height"
    FEET_HANG = "feet_hang", "height"
    GROUND_LEVELS = "ground_levels", "spread"
    FOOT_DIPS = "foot_dips", "depth"
    PLAIN_WALK = "plain_walk", "other reason"
    WALK_UNUSED = "walk_unused", "case other reason height"
    NO_LOCOMOTION = "no_locomotion", "reason cure job_cure"

    # A cycle made from numbers.
    STRIDE_SHORTENED = "stride_shortened", "share"

    # Whether the legs of a rig are the right ones.
    REST_POSE_ALONE = "rest_pose_alone"
    NO_STEPPING_CLIP = "no_stepping_clip"
    FEET_IN_PHASE = "feet_in_phase"
    FEET_DISAGREE = "feet_disagree"
    LEGS_UNSURE = "legs_unsure", "confidence"
    REST_SHOWS_OTHER_LEGS = "rest_shows_other_legs", "count bones"
    CLIP_SHOWS_OTHER_LEGS = "clip_shows_other_legs", "clip count bones"
    LEG_WITHOUT_FOOT = "leg_without_foot"
    LEG_OF_ONE_SEGMENT = "leg_of_one_segment"
    LEGS_SHORT = "legs_short"
    HIPS_LOW = "hips_low"
    FEET_HOVER = "feet_hover", "lengths"
    PAIRED_WITHOUT_NAMES = "paired_without_names"
    LEG_SINGLE = "leg_single", "bones"
    OTHERS_TOUCH_GROUND = "others_touch_ground", "bones"
    NAMES_OF_ARMS = "names_of_arms"
    SIDES_SWAPPED = "sides_swapped"
    CLIP_FACES_ELSEWHERE = "clip_faces_elsewhere", "degrees"
    FORWARD_UNSURE = "forward_unsure"
    FORWARD_CONTRADICTED = "forward_contradicted", "clips"
    FOOT_BONE_MISSING = "foot_bone_missing"
    ANKLE_WITHOUT_WEIGHTS = "ankle_without_weights"
    FOOT_DETACHED = "foot_detached"
    SOLE_GUESSED = "sole_guessed"
    SKIN_BELOW_SOLES = "skin_below_soles", "share bone"
    # Soles whose meshes have changed since they were measured: names of meshes.
    SOLES_RENEWED = "soles_renewed", "mesh more"
    SOLES_OUTDATED = "soles_outdated", "mesh more"
    SOLE_KEPT = "sole_kept", "mesh"
    SOLES_SINCE_BAKE = "soles_since_bake", "mesh thing"
    FOOTWEAR_UNREAD = "footwear_unread", "mesh"
    SOLE_SCALED = "sole_scaled", "bone size more"
    MESH_NOT_MOVED = "mesh_not_moved", "mesh"
    FEET_SHAPED = "feet_shaped", "mesh key distance"
    FOOTWEAR_HIDDEN = "footwear_hidden", "mesh height last"
    ARMATURE_IDLE = "armature_idle", "case armature"
    ACTIONS_OF_OTHERS = "actions_of_others", "actions"
    BODY_LIES = "body_lies"
    BODY_HUGE = "body_huge", "height factor"
    BODY_TINY = "body_tiny", "height factor"
    FILE_TURNED = "file_turned", "axis"
    OBJECT_KEYED = "object_keyed", "action channels"
    BODY_CONNECTED = "body_connected", "bone"

    # The controls of a rig, as they were chosen.
    CONTROL_GONE = "control_gone", "bone"
    CONTROL_SWITCH_GONE = "control_switch_gone", "path"
    CONTROL_CHAIN_BROKEN = "control_chain_broken", "bones"
    CONTROLS_OUTDATED = "controls_outdated"

    # Controls of a rig.
    NO_BODY_CONTROL = "no_body_control"
    NO_FOOT_CONTROL = "no_foot_control"
    CONTROL_MOVES_PARTLY = "control_moves_partly", "control share"
    SWITCHED_BY_BONE = "switched_by_bone", "bone"
    SWITCH_NOT_KEYED = "switch_not_keyed"
    ROOT_NOT_UPRIGHT = "root_not_upright"

    # What files of older versions keep.
    OLDER_TEXT = "older_text", "text"
