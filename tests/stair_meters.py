# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A person on stairs as a laboratory takes it: angles of the joints from strike to strike, and the feet.

It looks at the bones and meshes that a scene shows, and knows nothing of the project. Angles as in
`tests.gait_meters`; the hip's is that of the thigh against the pelvis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import bpy
import numpy as np

from tests.gait_meters import SHARES, PersonBones, read_pitches
from tests.meters import Heights, SeenFoot, see_feet

# Height of the lowest vertex of a foot that stands, metres.
_ON_GROUND = 0.004


@dataclass(frozen=True)
class SeenClimb:
    """Strides of both legs within a stretch of the way.

    Attributes
    ----------
    curves
        By name hip, knee, ankle, pitch, shape (S, 101): a row for each stride, from strike to strike.
    periods
        Seconds of each stride, shape (S,).
    duties
        Share of each stride that its foot stands, shape (S,).
    lean
        Trunk ahead of upright beyond its lean on the level before, degrees, mean of the stretch.
    rises
        Height between two strikes of one foot, metres, shape (S,).
    ways
        What is between them as seen from above, metres, shape (S,).
    clearance
        Least height of a foot in the air, but for a twentieth of its flight at each end, metres.
    """

    curves: Mapping[str, np.ndarray]
    periods: np.ndarray
    duties: np.ndarray
    lean: float
    rises: np.ndarray
    ways: np.ndarray
    clearance: float


def see_climbs(
    armature: bpy.types.Object,
    bones: PersonBones,
    frames: Sequence[int],
    heights: Heights,
    stretches: Mapping[str, tuple[float, float]],
) -> dict[str, SeenClimb]:
    """Strides of a walk along -y whose both strikes are in stretches of the way, metres from 0.

    Parameters
    ----------
    armature, bones, frames
        The character, its bones, and frames of the scene that follow one another.
    heights
        Of the ground.
    stretches
        Where each begins and ends; ``level`` tells how upright the trunk is by itself.
    """
    pitches, hips = read_pitches(armature, bones, frames, (0.0, -1.0))
    feet = see_feet(armature, list(zip(bones.feet, bones.toes, strict=True)), frames, heights)
    upright = float(np.mean(pitches["trunk"][_within(-hips[:, 1], stretches["level"])]))
    scene, found = bpy.context.scene, {}
    rate = scene.render.fps / scene.render.fps_base
    for name, stretch in stretches.items():
        rows: dict[str, list[np.ndarray]] = {n: [] for n in ("hip", "knee", "ankle", "pitch")}
        periods, duties, rises, ways, least = [], [], [], [], []
        for side, foot in enumerate(feet):
            middles = -foot.points[..., 1].mean(axis=1)
            strikes, offs = _find_changes(foot)
            for first, last in pairwise(strikes):
                inside = _within(middles[[first, last]], stretch)
                off = offs[(offs > first) & (offs < last)]
                if not inside.all() or len(off) != 1:
                    continue
                at = first + (last - first) * SHARES / 100.0
                for key, row in rows.items():
                    row.append(np.interp(at, np.arange(len(frames)), pitches[f"{key}.{side}"]))
                periods.append((last - first) / rate)
                duties.append((off[0] - first) / (last - first))
                rises.append(np.ptp(foot.points[[first, last], :, 2].min(axis=1)))
                ways.append(middles[last] - middles[first])
                ends = round(0.05 * (last - off[0])) + 1
                least.append(foot.lows[off[0] + ends : last - ends].min())
        found[name] = SeenClimb(
            {key: np.array(row) for key, row in rows.items()},
            np.array(periods),
            np.array(duties),
            float(np.mean(pitches["trunk"][_within(-hips[:, 1], stretch)])) - upright,
            np.array(rises),
            np.array(ways),
            float(min(least, default=np.nan)),
        )
    return found


def _within(places: np.ndarray, stretch: tuple[float, float]) -> np.ndarray:
    return (places > stretch[0]) & (places < stretch[1])


def _find_changes(foot: SeenFoot) -> tuple[np.ndarray, np.ndarray]:
    """Frames at which a foot strikes and leaves."""
    stands = foot.lows < _ON_GROUND
    change = np.flatnonzero(stands[1:] != stands[:-1]) + 1
    return change[stands[change]], change[~stands[change]]
