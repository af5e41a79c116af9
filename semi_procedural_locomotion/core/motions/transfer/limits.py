# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All thresholds of the transfer of clips, each with its unit and reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TransferLimits:
    """How a clip is carried over to another character (docs/method/transfer.md, Feet)."""

    low: float = 0.06
    """Share of L over the ground under which a foot may stand, in clips that are no cycle in place:
    grounds of captures are not level."""

    slow: float = 0.5
    """Shares of L a second below which a low foot stands in such clips: in the swing of the slowest
    walk it is three times as fast."""

    ground_percentile: float = 50.0
    """Percentile of the height of the lowest sole that is the ground of such clips: the middle asks
    the least of the legs."""

    apart: float = 4.0
    """Multiple of the fastest later change from sample to sample by which the first one shows that the
    first pose is none of the motion: a rest pose before a capture is at 18, no other clip above 1."""

    least_apart: float = 0.05
    """Radians, the mean of all bones, by which it does so at least, so that clips that stand still are
    left as they are: the arms of a T-pose alone give 0.3."""

    fewest_samples: int = 8
    """Samples under which nothing tells how fast a motion is."""

    one_cycle: float = 1.25
    """Cycles up to which a clip in place is one; contacts of longer ones differ from step to step."""

    held: float = 0.2
    """Share of a swing after its begin and before its end in which the sole goes as if it stood:
    it is still near the ground."""

    straight: float = 0.1
    """Radians that a clip turns in all under which it is straight: steps wobble by as much."""

    away: float = 1.0
    """Shares of L from its own place from which on a clip's beginning is brought there."""

    most_sinking: float = 0.1
    """Share of L by which the hips are lowered at the most so that all feet reach the ground."""

    vertical: float = 0.1
    """Sine of the angle to the vertical below which a sole has no heading of its own."""

    short_sole: float = 0.01
    """Share of L under which a part of a sole has no direction."""


@dataclass(frozen=True)
class NamingLimits:
    """When bones are the same by name (docs/method/transfer.md, Names)."""

    most: float = 0.6
    """Share of a skeleton's names that begin with a namespace for that to be the skeleton's: bones that
    were added by hand have none."""

    fewest: int = 4
    """Names of which a common beginning is a prefix; fewer may be alike by chance."""

    least_share: float = 0.5
    """Share of a clip's bones that a character has, for the clip to be one of its kind: more than that
    lacks only between skeletons of other programs."""


@dataclass(frozen=True)
class LikenessLimits:
    """When keys may be copied as they are (docs/method/transfer.md, Same rest)."""

    most_turned: float = 0.035
    """Radians, 2 degrees, by which the axes of a bone may differ: formats round, and nobody sees it."""

    most_unlike: float = 0.05
    """Share of the lengths of all bones by which joints may lie elsewhere. Feet of clips that were made
    for other legs slide by as much."""

    same_size: float = 1e-3
    """Share by which sizes may differ and still be the same."""


TRANSFER = TransferLimits()
NAMING = NamingLimits()
LIKENESS = LikenessLimits()
