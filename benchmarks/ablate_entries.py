# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What must earn its place in the planner: each stage, pass and cost, how to leave it out, and its case.

Plain tables. Who adds a stage, a pass, a row or a cost adds a line here; who deletes one deletes its
line. A test finds everything that is named. A function is replaced where its users look it up: in the
module that imports it. What an entry was made for is one of the cases at the end.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from semi_procedural_locomotion.core.body.legs import solve_legs

from .ablate_switches import Entry, Off, answer, around, put, skip_stage


def _leave_rims_out(leg_alone: bool) -> Off:
    """Prints that are not kept clear of what stands beside the feet as they roll, or the legs alone."""

    def make(find):  # noqa: ANN001, ANN202
        def make_without(rig, leg, rims=None):  # noqa: ANN001, ANN202
            if rims is not None:
                rims = replace(rims, leg=None) if leg_alone else None
            return find(rig, leg, rims)

        return make_without

    return around("prints.planning", "make_sole_shape", make)


def _leave_asides_out(find):  # noqa: ANN001, ANN202
    """Prints that are moved ahead and behind alone."""
    return lambda search, aside: [moves[moves[:, 1] == 0.0] for moves in find(search, aside)]


def _solve_alone(tables, source, targets, rotations, positions, method, only=None):  # noqa: ANN001, ANN202
    """Legs solved once, their feet where they were asked to be."""
    return targets, solve_legs(tables, source.legs, targets, rotations, positions, method, only)


PRINT_COSTS = (
    ("support", "Rogue/stairs2"),
    ("void", "biped/steep"),
    ("margin", "Rogue/narrow"),
    ("slope", "Rogue/paced"),
    ("hull", "Wolf/stairs2"),
    ("rim", "Wolf/stairs2"),
    ("move", "Rogue/stairs2"),
    ("aside", "Rogue/stairs2"),
    ("still", "Fox/bumps"),
    ("overlap", "biped/stairs2"),
    ("reach", "biped/corner"),
    ("crossing", "biped/sideways"),
    ("stride", "Wolf/stairs2"),
)
"""Weights of the cost of prints, and the case that each was made for."""

CHANGE_COSTS = (
    ("own", "biped/stairs2"),
    ("fold", "Wolf/stairs2"),
    ("tilt", "hexapod/bumps"),
    ("pitch_still", "Fox/bumps"),
    ("body_calm", "quadruped/bumps"),
    ("foot_calm", "biped/bumps"),
    ("pitch_calm", "biped/stairs2"),
    ("reach", "Dog/flat"),
    ("room", "Rogue/stairs2"),
    ("fall", "biped/jump"),
    ("turn", "biped/ditch"),
    ("belly", "Spider/stairs2"),
    ("ends", "biped/stairs2"),
    ("knee", "biped/stairs2"),
    ("snap", "biped/stairs2"),
    ("rise", "biped/stairs2"),
)
"""Weights of costs and rows of body and feet, and the case that each was made for."""

ENTRIES: tuple[Entry, ...] = (
    # Stages.
    Entry("stage turns", "biped/sideways", (skip_stage("turns"),)),
    Entry(
        "stage asides",
        "biped/arc",
        (
            answer(
                "plan",
                "plan_asides",
                lambda steps, _: tuple(np.zeros((len(keys), 2)) for keys in steps.keys),
            ),
        ),
    ),
    Entry("stage holds", "biped/hand-over", (skip_stage("holds"),)),
    Entry("stage blends", "biped/hand-over", (skip_stage("blends"),)),
    Entry("stage response", "biped/answering", (skip_stage("response"),)),
    Entry("stage rolls", "Rogue/flat", (skip_stage("rolls"),)),
    Entry("stage upper body", "biped/answering", (skip_stage("upper body"),)),
    Entry("stage layers", "biped/layer", (skip_stage("layers"),)),
    Entry("stage hand-over", "biped/hand-over", (skip_stage("hand-over"),)),
    # Times.
    Entry(
        "strides of whole treads",
        "biped/stairs2",
        tuple(
            answer(
                module,
                "fit_treads",
                lambda ways, _levels, most, _leg: (np.full(len(ways), most), np.zeros(len(ways))),
            )
            for module in ("times.stride_limits", "times.climbs")
        ),
    ),
    Entry(
        "rates by grade",
        "biped/ramp",
        (answer("times.planning", "measure_grades", lambda *_: None),),
    ),
    Entry(
        "turns of feet spread",
        "biped/object",
        (answer("times.rides", "Rides.spread_turns", lambda own, _: own),),
    ),
    Entry(
        "contacts by pace",
        "biped/stand",
        (answer("times.planning", "fit_contacts", lambda _rig, keys, *_: keys),),
    ),
    Entry(
        "moves end on steps",
        "biped/stand",
        (answer("times.planning", "fit_moves", lambda phases, *_: phases),),
    ),
    Entry(
        "steps on drifts",
        "biped/drift",
        (answer("times.planning", "step_on_drifts", lambda moving, *_: moving),),
    ),
    # Prints.
    Entry(
        "short steps",
        "biped/stand",
        (answer("prints.ideal", "_park_steps", lambda prints, *_: np.arange(len(prints.times))),),
    ),
    Entry(
        "halted steps",
        "biped/object",
        (
            answer(
                "prints.ideal",
                "_find_halted_steps",
                lambda _t, _l, count, _p: np.zeros(count, dtype=bool),
            ),
        ),
    ),
    Entry(
        "balance (lead_feet)",
        "biped/stand",
        (answer("prints.planning", "lead_feet", lambda *_: None),),
    ),
    Entry(
        "prints square to the slope",
        "Wolf/stairs2",
        (
            answer(
                "prints.ideal",
                "_measure_leads",
                lambda _t, times, *_: np.zeros((times.grid.count, 2)),
            ),
        ),
    ),
    Entry(
        "quicker steps in turns",
        "biped/corner",
        (answer("times.durations", "limit_outer_feet", lambda _t, _w, rates, *_: rates),),
    ),
    Entry(
        "choice of prints",
        "Rogue/stairs2",
        (
            answer(
                "prints.planning",
                "choose_ways",
                lambda prints, *_: (np.zeros((len(prints.turns), 2)), prints.fits),
            ),
        ),
    ),
    Entry(
        "choice: aside",
        "biped/ditch",
        (around("prints.choice", "_list_rounds", _leave_asides_out),),
    ),
    Entry(
        "choice: refined",
        "Rogue/narrow",
        (put("prints.limits", "SEARCH.refinements", 0),),
    ),
    Entry(
        "soles on a half",
        "Rogue/narrow",
        (
            around(
                "prints.soles",
                "_lay_on",
                lambda lay: lambda *given: lay(*given[:-1], given[-1] | True),
            ),
        ),
    ),
    Entry("walls: margin", "Wolf/stairs2", (put("prints.limits", "SOLES.margin", 0.0),)),
    Entry("rims", "Wolf/stairs2", (_leave_rims_out(leg_alone=False),)),
    Entry("rims of shins", "Wolf/stairs2", (_leave_rims_out(leg_alone=True),)),
    Entry(
        "raises of soles",
        "hexapod/bumps",
        (
            answer(
                "prints.soles",
                "_measure_intrusions",
                lambda soles, _: np.zeros(len(soles.feet)),
            ),
        ),
    ),
    *(
        # A factor is left out at 1.
        Entry(
            f"print cost: {name}",
            case,
            (put("prints.limits", f"COSTS.{name}", 1.0 if name == "aside" else 0.0),),
        )
        for name, case in PRINT_COSTS
    ),
    Entry(
        "flatter strikes on slopes", "biped/ramp", (put("prints.limits", "STRIKES.flatter", 0.0),)
    ),
    Entry(
        "levels at user's steps",
        "biped/user-step",
        (
            answer(
                "footsteps.source", "StepSource.set_levels", lambda _s, _r, _g, levels, _o: levels
            ),
        ),
    ),
    # Swings.
    Entry(
        "heights by step length",
        "biped/stand",
        (answer("swings.planning", "share_lifts", lambda row, *_: np.ones(len(row.times) - 1)),),
    ),
    Entry(
        "lift beside a rest",
        "biped/stand",
        (
            answer(
                "swings.evaluation",
                "measure_missing_lift",
                lambda _t, _l, _s, states, _m: np.zeros(len(states.flight)),
            ),
        ),
    ),
    Entry(
        "least clearance",
        "biped/flat",
        (
            around(
                "swings.planning",
                "_plan_leg",
                lambda old: (
                    lambda plan, settings, *rest: old(
                        plan, replace(settings, toe_clearance=0.0), *rest
                    )
                ),
            ),
        ),
    ),
    Entry(
        "least clearance: from rests",
        "biped/stand",
        (put("swings.limits", "HEIGHTS.from_rest", 0.0),),
    ),
    Entry(
        "low over the prints",
        "CMU/flat",
        (answer("swings.evaluation", "hold_over_prints", lambda way, *_: way),),
    ),
    Entry(
        "evenness",
        "biped/object",
        (
            answer(
                "swings.planning", "_measure_evenness", lambda _h, flights: np.zeros(len(flights))
            ),
        ),
    ),
    Entry(
        "changes let go in hand-overs",
        "biped/hand-over",
        (answer("plan", "let_go_of_changes", lambda _h, _t, targets, _p: targets),),
    ),
    Entry(
        "clearance of held feet", "biped/hand-over", (put("swings.limits", "HOLDS.clearance", 0.0),)
    ),
    # Body.
    Entry("leaning", "biped/arc", (answer("plan", "track_leans", lambda *_: None),)),
    Entry(
        "leaning into climbs",
        "biped/answering",
        (
            answer(
                "body.carriage",
                "_measure_climb_angles",
                lambda _t, _s, supports, _r: np.zeros(len(supports)),
            ),
        ),
    ),
    Entry(
        "pitch along the ground",
        "Fox/ramp",
        (
            around(
                "body.carriage",
                "_pitch_body",
                lambda old: lambda slope, *rest: old(0.0 * slope, *rest),
            ),
        ),
    ),
    Entry(
        "ripples",
        "Rogue/flat",
        (answer("plan", "track_ripples", lambda _t, _s, times: np.zeros((times.grid.count, 2))),),
    ),
    Entry(
        "undersides",
        "Spider/stairs2",
        (answer("trajectory.planning", "find_bellies", lambda *_: None),),
    ),
    Entry(
        "hinges over crouches",
        "biped/jump",
        (answer("plan", "lean_over_crouches", lambda _t, _i, leans, _c: leans),),
    ),
    Entry("response", "biped/answering", (answer("plan", "track_response", lambda *_: None),)),
    Entry("heads", "biped/corner", (answer("plan", "track_head", lambda *_: None),)),
    Entry(
        "settling",
        "Rogue/flat",
        (
            answer("plan", "settle_legs", _solve_alone),
            answer("body.rolling", "settle_legs", _solve_alone),
        ),
    ),
    Entry(
        "layers over the body",
        "biped/layer",
        (answer("plan", "lay_over_body", lambda _t, source, _i: source.legs),),
    ),
    Entry(
        "ankles under layers",
        "biped/layer",
        (answer("plan", "keep_ankles", lambda _t, source, _l: source),),
    ),
    # Body and feet as one problem.
    Entry("stage trajectory", "biped/stairs2", (skip_stage("trajectory", poses=False),)),
    *(
        Entry(f"change: {name}", case, (put("trajectory.limits", f"WEIGHTS.{name}", 0.0),))
        for name, case in CHANGE_COSTS
    ),
    Entry(
        "lengths of leaning legs",
        "biped/arc",
        (
            answer(
                "plan", "measure_leans", lambda t, s, _c: np.zeros((len(s.yaws), len(t.rig.legs)))
            ),
        ),
    ),
    Entry("rows looked ahead", "Wolf/stairs2", (put("trajectory.limits", "ROUNDS.looks", 1),)),
    Entry("closing rounds", "Fox/stairs2", (put("trajectory.limits", "CLOSING.rounds", 0),)),
    # In the air.
    Entry("own flights", "Fox/flat", (answer("plan", "find_own_flights", lambda *_: ()),)),
    Entry("hops", "biped/jump", (answer("swings.planning", "plan_hops", lambda *_: None),)),
    Entry(
        "steps in jumps (fly_steps)",
        "biped/jump",
        (answer("plan", "fly_steps", lambda times, _f, keys, _j: (times, keys)),),
    ),
    Entry(
        "flight of the body (fly_body)",
        "biped/jump",
        (answer("body.hips", "fly_body", lambda path, *_: path),),
    ),
    Entry(
        "tilt of own flights",
        "Fox/bumps",
        (answer("body.hips", "tilt_flights", lambda path, *_: path),),
    ),
)
"""All entries, in the order of the table."""

WEIGHTS: tuple[Entry, ...] = tuple(
    Entry(f"{name}: {word}", case, (around(module, f"{record}.{name}", scale),))
    for module, record, costs in (
        ("prints.limits", "COSTS", PRINT_COSTS),
        ("trajectory.limits", "WEIGHTS", CHANGE_COSTS),
    )
    for name, case in costs
    for word, scale in (("half", lambda value: 0.5 * value), ("double", lambda value: 2.0 * value))
)
"""Each weight at half and at double of what it is."""


CASES: dict[str, tuple[str, ...]] = {
    "biped": (
        *(f"stairs{approach}" for approach in range(5)),
        *("flat", "ramp", "bumps", "stand", "arc", "corner", "sideways", "kerb", "ditch", "jump"),
        *(
            "steep",
            "carrier",
            "ceiling",
            "layer",
            "object",
            "drift",
            "answering",
            "hand-over",
            "user-step",
        ),
    ),
    "quadruped": ("flat", "bumps", "side"),
    "hexapod": ("bumps", "ditch", "arc"),
    "Rogue": (*(f"stairs{approach}" for approach in range(5)), "flat", "bumps", "narrow", "paced"),
    "Fox": (*(f"stairs{approach}" for approach in range(5)), "flat", "ramp", "bumps", "side"),
    "Horse": ("stairs2", "bumps", "arc"),
    "Wolf": (*(f"stairs{approach}" for approach in range(5)), "ramp", "corner"),
    "Dog": ("flat", "stairs2", "stand"),
    "Spider": ("stairs2", "bumps", "carrier"),
    "CMU": ("flat", "ramp", "stairs2"),
}
"""Scenes of each character."""

CORE = (
    "biped/stairs2",
    "Rogue/stairs2",
    "Fox/bumps",
    "Wolf/stairs2",
    "Dog/flat",
)
"""Cases on which every entry is tried, besides its own."""

TESTS: dict[str, str] = {
    "contacts by pace": "times/test_moves.py::test_a_run_at_a_slow_pace_stands_as_a_walk_does",
    "stage response": "body/test_response.py::test_longer_steps_lean_the_spine_back_and_spread_the_arms",
    "response": "body/test_response.py::test_longer_steps_lean_the_spine_back_and_spread_the_arms",
    "stage upper body": "body/test_heads.py::test_the_head_turns_before_the_body",
    "heads": "body/test_heads.py::test_the_head_turns_before_the_body",
    "stage layers": "body/layers/test_layers.py"
    "::test_an_added_clip_changes_the_walk_by_what_it_changes_itself",
    "layers over the body": "body/layers/test_layers.py"
    "::test_a_body_that_crouches_keeps_its_feet_where_they_stand",
    "ankles under layers": "body/layers/test_layers.py"
    "::test_a_body_that_crouches_keeps_its_feet_where_they_stand",
    "leaning": "body/test_leaning.py::test_a_curve_is_leaned_into",
    "leaning into climbs": "body/test_carriage.py::test_a_person_leans_into_the_slope",
    "undersides": "body/test_undersides.py"
    "::test_a_hanging_belly_is_carried_over_the_edges_of_treads",
    "change: belly": "body/test_undersides.py"
    "::test_a_hanging_belly_is_carried_over_the_edges_of_treads",
    "change: fall": "trajectory/test_jumps.py::test_a_body_falls_in_its_flight",
    "lengths of leaning legs": "times/test_rides.py"
    "::test_passengers_who_walk_go_as_over_still_ground",
    "least clearance: from rests": "swings/test_rest_clearance.py"
    "::test_the_first_foot_of_a_start_keeps_more_clearance_than_those_of_the_walk",
    "own flights": "body/airborne/test_bodies.py::test_a_hop_onto_a_block_flies_as_its_clip_does",
    "hinges over crouches": "trajectory/test_jumps.py"
    "::test_a_trunk_leans_over_its_feet_as_it_lands_from_high",
}
"""By entry a test at a front, below tests/core, that fails without it: what no row of a walk tells."""
