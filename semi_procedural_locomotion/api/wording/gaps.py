# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Words about jumps, too far or not made; of gaps a case for each hindrance."""

from __future__ import annotations

from ...core.times.gaps import Hindrance
from ...notes import NoteKind as K
from .forms import Severity, make_words

_HINDRANCES: dict[Hindrance, tuple[str, ...]] = {
    Hindrance.TIMED: (
        "its speed is keyed, which is kept",
        "remove the keys of Speed, or jump there along footsteps",
        "give one `speed`, or jump there along `footsteps`",
    ),
    Hindrance.RIDES: (
        "the ground there moves, or what the walk goes with",
        "jump there along footsteps, or switch Jump Gaps off",
        "jump there along `footsteps`, or set `jump_gaps` to false",
    ),
    Hindrance.WIDE: (
        "no ground lies within Longest Jump",
        "raise Longest Jump, or lead the way around",
        "raise `longest_jump`, or lead the way around",
    ),
    Hindrance.PIT: (
        "its far side is beyond Longest Jump, and from its bottom a wall higher than Step Height lets "
        "nobody out",
        "raise Longest Jump, or lead the way around",
        "raise `longest_jump`, or lead the way around",
    ),
    Hindrance.RUN_UP: (
        "it is too near to the start of the way, or to the jump before",
        "begin the way farther from it",
    ),
    Hindrance.END: (
        "the walk ends before it lands",
        "lead the way on beyond it, or raise the scene's End",
        "lead the way on beyond it, or give `frames` that end later",
    ),
}

WORDS = make_words(
    Severity.WALK,
    {
        K.GAP_NOT_JUMPED: {
            hindrance.name.lower(): (
                "frame {frame}, near x {x:place}, y {y:place}: a gap{more:if , as # more,} is not "
                f"jumped, for {reason}",
                *cures,
            )
            for hindrance, (reason, *cures) in _HINDRANCES.items()
        },
        K.JUMP_FAR: (
            "the jump to footstep {footstep!r} flies {distance:place} and takes off at {speed:speed}, "
            "a body of this size at {possible:.1f}",
            "place it nearer or lower, or add a step between",
        ),
        K.FOOTSTEP_JUMP_IDLE: (
            "footstep {footstep!r}{more:if , as # more,} shall be jumped to, and only walks "
            "along footsteps jump to any",
            "let it travel along Footsteps, switch Jump Gaps on, or switch Jump of these footsteps off",
            "go along them with `footsteps`, or set `jump_gaps`",
        ),
    },
)
