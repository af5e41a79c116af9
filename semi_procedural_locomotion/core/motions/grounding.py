# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the feet of a cycle come down to a ground at all, and the body goes over it (numpy only).

Who sits, swims, hovers or rides moves feet as evenly as a walk does, but in the air
(docs/method/motions.md, Judgement).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..contacts.find import ContactStudy
from ..maths.rotations import FloatArray
from ..rig.skeleton import compute_rest_poses
from ..rig.structure import Rig
from .cycles import InPlaceCycle
from .limits import GROUNDING, STEPPING


@dataclass(frozen=True)
class Grounding:
    """How the feet and the body of a cycle are to the ground that the rest pose stands on.

    Attributes
    ----------
    height
        How far ankles stay above those of the rest pose, share of the leg's length, median of the feet.
    is_round
        Whether ankles go on ellipses, once round in a cycle.
    stands
        Whether soles stay near their lowest place for as long as those of walks do.
    posture
        Mean height of the hips over the feet's ground, share of that of the rest pose.
    pause
        Share of its time in which a body that travels stands still, with all feet on the ground.
    """

    height: float
    is_round: bool
    stands: bool
    posture: float
    pause: float


def measure_grounding(
    rig: Rig, cycle: InPlaceCycle, points: FloatArray, study: ContactStudy
) -> Grounding:
    """Measure how a cycle is to its ground.

    Parameters
    ----------
    rig
        The character.
    cycle
        The cycle in place.
    points
        Its sole points, metres, shape (S, L, 3, 3).
    study
        What its feet do.
    """
    rest = compute_rest_poses(rig.skeleton)[1][:, 2]
    ankles = [leg.ankle for leg in rig.legs]
    hips = [leg.joints[0] for leg in rig.legs]
    paths = cycle.positions[:, ankles]
    lowest = np.min(paths[..., 2], axis=0)
    height = float(np.median(lowest - rest[ankles])) / rig.leg_length
    soles = np.min(points[..., 2], axis=2)
    spans = np.maximum(np.ptp(soles, axis=0), 1e-12)
    near = np.mean(soles - np.min(soles, axis=0) < GROUNDING.near * spans, axis=0)
    floor = float(np.median([leg.floor for leg in study.legs]))
    over_feet = float(np.mean(cycle.positions[:, hips, 2])) - floor
    return Grounding(
        height=height,
        is_round=_measure_roundness(paths) > GROUNDING.round_path
        and _measure_roundness(paths[..., 2:]) > GROUNDING.round_height,
        stands=bool(np.median(near) >= GROUNDING.stands),
        posture=over_feet / max(float(np.mean(rest[hips])) - rig.ground_height, 1e-9),
        pause=_measure_pause(rig, cycle, study, points),
    )


def tell_ungrounded(grounding: Grounding, alternates: bool) -> list[str]:
    """Objections to cycles whose feet do not come down, or that do not go on, in words.

    Parameters
    ----------
    grounding
        What was measured.
    alternates
        Whether left and right take turns: such walks may stand still at each step.
    """
    objections = []
    in_air = grounding.height > GROUNDING.in_air and not grounding.stands
    if in_air and grounding.is_round:
        objections.append(
            f"feet go round in the air, at least {grounding.height:.0%} of the leg above where they "
            "stand at rest"
        )
    if grounding.posture < GROUNDING.lies:
        objections.append("the body lies, its hips are as low as its feet")
    if grounding.pause > GROUNDING.most_pause and not alternates:
        objections.append(
            f"it is a single jump, the body stands still for {grounding.pause:.0%} of the time"
        )
    return objections


def note_hanging(rig: Rig, grounding: Grounding) -> tuple[Note, ...]:
    """That feet stay in the air, where they do."""
    if grounding.stands or not GROUNDING.in_air < grounding.height < GROUNDING.elsewhere:
        return ()
    return (make_note(NoteKind.FEET_HANG, height=grounding.height * rig.leg_length),)


def _measure_roundness(paths: FloatArray) -> float:
    """Share of the first harmonic in paths (S, L, 2 or 3), median of the feet; 1 for ellipses."""
    powers = np.sum(np.square(np.abs(np.fft.rfft(paths, axis=0)[1:])), axis=2)
    return float(np.median(powers[0] / np.maximum(np.sum(powers, axis=0), 1e-24)))


def _measure_pause(rig: Rig, cycle: InPlaceCycle, study: ContactStudy, points: FloatArray) -> float:
    """Share of its time in which a travelling body stands still, see `Grounding`; 0 in place."""
    if not cycle.travels or not np.any(cycle.root_velocity):
        return 0.0
    floors = np.array([leg.floor for leg in study.legs])
    lifts = np.maximum([leg.lift_height for leg in study.legs], 1e-12)
    low = np.all(np.min(points[..., 2], axis=2) - floors < STEPPING.low * lifts, axis=1)
    places = np.mean(cycle.positions[:, [leg.joints[0] for leg in rig.legs], :2], axis=1)
    steps = np.roll(places, -1, axis=0) - np.roll(places, 1, axis=0)
    turned = np.stack([-places[:, 1], places[:, 0]], axis=1) * cycle.root_turn / cycle.period
    carried = cycle.root_velocity + turned
    speeds = np.hypot(*(steps * len(places) / (2.0 * cycle.period) + carried).T)
    still = speeds < STEPPING.still * np.hypot(*carried.T)
    stood = cycle.stood + float(np.mean(low & still)) * cycle.period
    return stood / (cycle.stood + cycle.period)
