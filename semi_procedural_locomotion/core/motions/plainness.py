# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of several cycles is the plain walk: evidence on all of them, added up (numpy only).

Each kind of evidence is a log-odds, bounded so that none decides alone (docs/method/motions.md, The
plain walk).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ...notes import NoteKind
from ..rig.legs.names import weigh_walk_name
from ..rig.structure import Rig
from .limits import CHOICE, PLAIN
from .records import FLIGHT, POSTURE, TURNS, Motion

# Notes that doubt that a clip is a walk at all.
DOUBTFUL = frozenset({NoteKind.SPEED_UNCERTAIN, NoteKind.CONTACT_SHORT, NoteKind.MAYBE_JUMP})
# Notes that tell of a clip what slips and contacts tell as well, or that doubt nothing.
_KNOWN = frozenset(
    {NoteKind.FEET_SURGE, NoteKind.GROUND_OFF_REST, NoteKind.FEW_KEYS, NoteKind.CLIP_CLIMBS}
)


class Sign(StrEnum):
    """What speaks for a plain walk, or against it."""

    LEVEL = "level"
    FLIGHT = "flight"
    TURNS = "turns"
    CONTACT = "contact"
    SLIP = "slip"
    POSTURE = "posture"
    PACE = "pace"
    DOUBTS = "doubts"
    NAME = "name"


@dataclass(frozen=True)
class Plainness:
    """How surely a cycle is a plain walk.

    Attributes
    ----------
    signs
        Log-odds of each kind of evidence.
    hang
        How far its feet stand above the ground of most other motions, metres; 0 where they agree.
    """

    signs: dict[Sign, float]
    hang: float = 0.0

    @property
    def total(self) -> float:
        """Log-odds of all evidence."""
        return PLAIN.prior + sum(self.signs.values())

    @property
    def is_walk(self) -> bool:
        """Whether it walks on the ground of the others at all."""
        return PLAIN.prior + self.signs[Sign.LEVEL] > 0.0

    def find_reason(self, other: Plainness) -> Sign:
        """What speaks most for the other in place of this one."""
        return max(self.signs, key=lambda sign: other.signs[sign] - self.signs[sign])


def weigh_walks(motions: Sequence[Motion], rig: Rig) -> list[Plainness]:
    """Evidence on each of the motions of a character, held against all others.

    Parameters
    ----------
    motions
        All that are known; of rest motions only the ground is asked for.
    rig
        The character.
    """
    # Legs as long have a vote: of a walk and a run alone neither speed is the usual one.
    speeds = [PLAIN.walking * float(np.sqrt(rig.leg_length))]
    speeds += [m.speed for m in motions if m.is_cycle and _read(m, FLIGHT, 1.0) < CHOICE.walks]
    usual = float(np.median(speeds))
    return [_weigh(motion, motions, rig, usual) for motion in motions]


def find_plain_walk(
    motions: Sequence[Motion], rig: Rig, weighed: Sequence[Plainness] | None = None
) -> int:
    """Index of the plainest walk that goes straight ahead.

    Parameters
    ----------
    motions
        At least one of them walks.
    rig
        The character.
    weighed
        Evidence on each of them; None for that of `weigh_walks`.

    Returns
    -------
    int
        Where none goes ahead, the plainest that goes straight; where all turn, that of all that do not
        turn on the spot.
    """
    cycles = [i for i, motion in enumerate(motions) if motion.is_cycle]
    straight = [i for i in cycles if not motions[i].turns]
    going = [i for i in cycles if not _turns_on_the_spot(motions[i], rig)]
    ahead = [i for i in straight or going if _goes_ahead(motions[i], rig)]
    known = weigh_walks(motions, rig) if weighed is None else weighed
    return max(
        ahead or straight or going or cycles, key=lambda i: (known[i].total, -motions[i].speed)
    )


def _turns_on_the_spot(motion: Motion, rig: Rig) -> bool:
    """Whether a motion turns about a place between its own feet."""
    return (
        motion.turns and motion.speed < abs(motion.turn_rate) * CHOICE.on_the_spot * rig.leg_length
    )


def _goes_ahead(motion: Motion, rig: Rig) -> bool:
    """Whether a motion goes where the character faces."""
    return bool(motion.velocity @ np.asarray(rig.forward) > np.cos(CHOICE.forward) * motion.speed)


def _weigh(motion: Motion, motions: Sequence[Motion], rig: Rig, usual: float) -> Plainness:
    """Evidence on one motion."""
    duty = _read_legs(motion, "duty")
    slip = float(np.mean([leg.skate for leg in motion.legs])) if motion.legs else 0.0
    octaves = abs(float(np.log2(motion.speed / usual))) if motion.speed > 0.0 else 0.0
    kinds = {note.kind for note in motion.notes} - _KNOWN
    level, hang = _weigh_level(motion, motions, rig)
    signs = {
        Sign.LEVEL: level,
        Sign.FLIGHT: -PLAIN.flight * _share(_read(motion, FLIGHT, 0.0), CHOICE.walks),
        Sign.TURNS: 0.0 if motion.quality.get(TURNS, "yes") == "yes" else -PLAIN.in_turns,
        Sign.CONTACT: -PLAIN.contact * _share(PLAIN.least_duty - duty, PLAIN.least_duty),
        Sign.SLIP: -PLAIN.slip * _share(slip, 1.0),
        Sign.POSTURE: -PLAIN.posture
        * _share(CHOICE.upright - _read(motion, POSTURE, 1.0), 1.0 - CHOICE.upright),
        Sign.PACE: -PLAIN.pace * _share(octaves, 1.0),
        Sign.DOUBTS: -PLAIN.doubt * len(kinds) - PLAIN.doubtful * bool(kinds & DOUBTFUL),
        Sign.NAME: PLAIN.name * weigh_walk_name(motion.name),
    }
    return Plainness(signs, hang)


def _weigh_level(motion: Motion, motions: Sequence[Motion], rig: Rig) -> tuple[float, float]:
    """Log-odds that feet stand on the ground of the rest pose and of other motions, and their height."""
    grounds = [rig.ground_height, *(m.ground_height for m in motions if m is not motion)]
    above = motion.ground_height - np.array(grounds)
    away = above > PLAIN.off_level * rig.leg_length
    votes = PLAIN.level * float(len(away) - 2 * np.count_nonzero(away))
    hang = float(np.median(above[away])) if votes < 0.0 else 0.0
    return float(np.clip(votes, -PLAIN.most_level, 0.0)), hang


def _read(motion: Motion, name: str, default: float) -> float:
    """A number of a motion's quality."""
    return float(motion.quality.get(name, default))


def _read_legs(motion: Motion, name: str) -> float:
    """Median over the legs of a number of a motion's quality."""
    values = [float(v) for key, v in motion.quality.items() if key.endswith(f": {name}")]
    return float(np.median(values)) if values else PLAIN.least_duty


def _share(value: float, whole: float) -> float:
    """A share of a whole, 0 to 1."""
    return float(np.clip(value / whole, 0.0, 1.0))
