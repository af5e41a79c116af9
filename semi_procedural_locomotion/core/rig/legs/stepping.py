# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the feet of a clip move: who stands, who swings, where the body goes.

The method: docs/method/legs.md, How the feet step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...maths.rotations import FloatArray
from .body import PosedClip
from .chains import LegChain
from .levels import keep_whole_pairs
from .limits import LEVELS, LOADS, STEPPING, TINY


@dataclass(frozen=True)
class FootMotion:
    """Motion of one foot in one clip.

    Attributes
    ----------
    lift
        Range of its height over L.
    duty
        Share of frames in stance.
    velocity
        Median horizontal velocity in stance against the body, metres a second, shape (2,).
    path
        Positions, metres, shape (F, 3).
    stance_share
        Share of frames in which its sole is near its own lowest height.
    level_share
        Share of frames in which it is near the ground of all.
    """

    lift: float
    duty: float
    velocity: FloatArray
    path: FloatArray
    stance_share: float
    level_share: float


@dataclass(frozen=True)
class Stepping:
    """Motion of all feet in one clip.

    Attributes
    ----------
    feet
        By the tip of each leg.
    walks
        Whether this is locomotion.
    travel
        Velocity of the body over the ground, metres a second, shape (2,).
    spread
        How much the feet disagree on it, as a share of the speed.
    alternation
        Correlation of the partners' strides: -1 alternate, 1 in phase; None where unknown.
    drifts
        Whether the clip itself goes along.
    """

    feet: dict[int, FootMotion]
    walks: bool = False
    travel: FloatArray | None = None
    spread: float = 0.0
    alternation: float | None = None
    drifts: bool = False

    @property
    def duty(self) -> float:
        """Median share of frames in stance."""
        return float(np.median([foot.duty for foot in self.feet.values()])) if self.feet else 0.0


def measure_stepping(
    clip: PosedClip, chains: list[LegChain], ground: float, may_drop: bool = True
) -> tuple[list[LegChain], Stepping]:
    """Measure the feet and drop pairs that only swing, such as arms of a runner.

    Parameters
    ----------
    clip
        The clip.
    chains
        Its legs; whole pairs if any may be dropped.
    ground
        Height of the ground, metres.
    may_drop
        Whether pairs may be dropped.

    Returns
    -------
    chains, stepping
        The legs that are left and their motion.
    """
    if clip.frame_count < STEPPING.fewest_frames or not chains:
        return chains, Stepping({})
    length = float(np.mean([chain.length for chain in chains]))
    drift = _measure_drift(clip, length)
    feet = {chain.tip: _measure_foot(clip, chain, ground, drift) for chain in chains}
    if may_drop and len(chains) > 2:
        chains = _drop_swingers(clip, chains, feet)
    velocities = np.array([feet[chain.tip].velocity for chain in chains])
    common = np.median(velocities, axis=0)
    spread = float(np.median(np.linalg.norm(velocities - common, axis=1)))
    travel: FloatArray = drift if drift.any() else -common
    strides, alternation = _measure_strides(clip, chains, feet, travel)
    lift = float(np.median([feet[chain.tip].lift for chain in chains]))
    walks = (
        lift > STEPPING.least_lift
        and float(np.median(strides)) > STEPPING.least_stride
        and float(np.linalg.norm(travel)) > STEPPING.least_travel * length
    )
    kept = {chain.tip: feet[chain.tip] for chain in chains}
    share = spread / max(float(np.linalg.norm(common)), TINY)
    return chains, Stepping(kept, walks, travel, share, alternation, bool(drift.any()))


def measure_backing(clip: PosedClip, chain: LegChain, travel: FloatArray) -> float:
    """How much a foot goes backward as the ground does while it is low, -1 to 1; a pendulum's 0.

    Parameters
    ----------
    clip
        Six frames or more.
    chain
        The limb.
    travel
        Velocity of the body over the ground, metres a second, shape (2,), not 0.
    """
    path, standing = find_standing_frames(clip, chain)
    velocity = np.gradient(path[:, :2], clip.interval, axis=0)[standing]
    velocity = velocity - _measure_drift(clip, chain.length)
    speed = max(float(np.linalg.norm(travel)), TINY)
    return float(np.clip(velocity @ -travel / speed**2, -1.0, 1.0).mean())


def _measure_drift(clip: PosedClip, length: float) -> FloatArray:
    """Mean horizontal velocity of a clip that is not in place, else 0; metres a second, shape (2,)."""
    duration = clip.interval * (clip.frame_count - 1)
    drift: FloatArray = (clip.heads[-1] - clip.heads[0]).mean(axis=0)[:2] / max(duration, TINY)
    return drift if np.linalg.norm(drift) * duration > STEPPING.drift * length else np.zeros(2)


def find_standing_frames(clip: PosedClip, chain: LegChain) -> tuple[FloatArray, np.ndarray]:
    """Positions of a foot, metres, shape (F, 3), and the frames in which it is low, (F,), bool."""
    bone = _find_foot_bone(chain)
    path = clip.heads[:, bone]
    heights = [path[:, 2], clip.heads[:, chain.joints[-1], 2]]
    if np.isfinite(clip.lows[0, bone]):
        ends = clip.lows[:, bone]
        heights = [ends] if chain.foot == "tip" else [*heights, ends]
    velocity = np.gradient(path[:, :2], clip.interval, axis=0)
    lows = [_find_low_frames(height, chain.length) for height in heights]
    stands = [float(low.mean()) / (1.0 + _measure_straying(velocity[low])) for low in lows]
    # Heads of pasterns, which are joints of the leg, and toes that droop are lowest in the swing.
    best = int(np.argmax(stands))
    return path, lows[best if stands[best] > STEPPING.longer * stands[0] else 0]


def _measure_straying(velocity: FloatArray) -> float:
    """How far velocities (F, 2) stray from their median, share of that."""
    common = np.median(velocity, axis=0)
    strayed = float(np.linalg.norm(velocity - common, axis=1).mean())
    return strayed / max(float(np.linalg.norm(common)), TINY)


def _find_low_frames(heights: FloatArray, length: float) -> np.ndarray:
    """Where heights (F,) are near their lowest, shape (F,), bool."""
    band = max(STEPPING.stance_band * float(np.ptp(heights)), STEPPING.stance_least * length)
    return np.asarray(heights < np.percentile(heights, STEPPING.floor_percentile) + band)


def _find_foot_bone(chain: LegChain) -> int:
    """The lowest bone of a leg that touches the ground, or its ankle."""
    bone = chain.contacts[-1] if chain.contacts else chain.joints[-1]
    depth = {b: index for index, b in enumerate(chain.bones)}
    if depth.get(chain.joints[-1], -1) > depth.get(bone, -1):
        bone = chain.joints[-1]
    return bone


def _measure_foot(clip: PosedClip, chain: LegChain, ground: float, drift: FloatArray) -> FootMotion:
    """Height, stance and velocity of one foot; the head of a bone, not its lowest point."""
    bone = _find_foot_bone(chain)
    lows = clip.lows[:, bone] if np.isfinite(clip.lows[0, bone]) else clip.heads[:, bone, 2]
    path, standing = find_standing_frames(clip, chain)
    heights = path[:, 2]
    inner = standing & np.roll(standing, 1) & np.roll(standing, -1)
    frames = inner if inner.sum() > 1 else standing
    velocity = np.gradient(path[:, :2], clip.interval, axis=0)[frames]
    own_floor = np.percentile(lows, STEPPING.sole_floor_percentile)
    return FootMotion(
        lift=max(float(np.ptp(lows)), float(np.ptp(heights))) / chain.length,
        duty=float(standing.mean()),
        velocity=np.median(velocity, axis=0) - drift,
        path=path,
        stance_share=float((lows < own_floor + STEPPING.own_band * chain.length).mean()),
        level_share=float((lows < ground + STEPPING.level_band * chain.length).mean()),
    )


def _drop_swingers(
    clip: PosedClip, chains: list[LegChain], feet: dict[int, FootMotion]
) -> list[LegChain]:
    """Drop pairs that stand too little, or contradict the best pair's planted speed, or only swing."""
    pairs = [(feet[chain.tip], feet[chain.other]) for chain in chains]
    trust = [
        min(a.stance_share, b.stance_share)
        - STEPPING.disagreement * min(1.0, _compare_velocities(a, b))
        for a, b in pairs
    ]
    steppers = [
        index
        for index, chain in enumerate(chains)
        if _may_step(clip, chain, min(c.low for c in chains), pairs[index])
    ]
    # What is dragged along, as a robe or wings, stands all the time: it is no measure for feet that step.
    trusted = steppers or list(range(len(pairs)))
    reference = pairs[max(trusted, key=lambda index: trust[index])]
    best_stance = max(min(foot.stance_share for foot in pairs[index]) for index in trusted)
    best_level = max(min(foot.level_share for foot in pairs[index]) for index in trusted)
    velocity = 0.5 * (reference[0].velocity + reference[1].velocity)
    speed = float(np.linalg.norm(velocity))
    backing = {chain.tip: 0.0 for chain in chains}
    if speed > TINY:
        travel = _measure_drift(clip, chains[0].length)
        travel = travel if travel.any() else -velocity
        backing = {chain.tip: measure_backing(clip, chain, travel) for chain in chains}
    kept: list[LegChain] = []
    for chain, (a, b) in zip(chains, pairs, strict=True):
        swings = 0.5 * (backing[chain.tip] + backing[chain.other]) < LOADS.swinging
        stands = max(a.stance_share, b.stance_share)
        levels = max(a.level_share, b.level_share)
        own = 0.5 * (a.velocity + b.velocity)
        moves = speed > STEPPING.least_speed * chain.length
        contradicts = (
            moves and float(np.linalg.norm(own - velocity)) > STEPPING.most_contrary * speed
        )
        rarely = (
            stands < STEPPING.least_own * best_stance or levels < STEPPING.least_level * best_level
        )
        is_reference = any(a is foot for foot in reference)
        if not is_reference and (rarely or contradicts or (moves and swings)):
            continue
        kept.append(chain)
    return keep_whole_pairs(kept)


def _may_step(
    clip: PosedClip, chain: LegChain, lowest: float, pair: tuple[FootMotion, FootMotion]
) -> bool:
    """Whether the feet of a pair lift, come down to the lowest level and go back together there."""
    velocity = 0.5 * (pair[0].velocity + pair[1].velocity)
    return (
        min(foot.lift for foot in pair) > STEPPING.least_lift
        and float(np.linalg.norm(velocity)) > STEPPING.least_speed * chain.length
        and _compare_velocities(*pair) < STEPPING.most_contrary
        and chain.low < lowest + LEVELS.standing * chain.length
        and measure_backing(clip, chain, -velocity) > LOADS.carrying
    )


def _compare_velocities(a: FootMotion, b: FootMotion) -> float:
    """Difference of two planted velocities over their mean speed."""
    mean = 0.5 * float(np.linalg.norm(a.velocity + b.velocity))
    return float(np.linalg.norm(a.velocity - b.velocity)) / max(mean, TINY)


def _measure_strides(
    clip: PosedClip, chains: list[LegChain], feet: dict[int, FootMotion], travel: FloatArray
) -> tuple[list[float], float | None]:
    """Stride of every foot against its hip over L, and the partners' median correlation."""
    direction = travel / max(float(np.linalg.norm(travel)), TINY)
    along = {
        chain.tip: (feet[chain.tip].path[:, :2] - clip.heads[:, chain.joints[0], :2]) @ direction
        for chain in chains
    }
    strides = [float(np.ptp(along[chain.tip])) / chain.length for chain in chains]
    correlations = [
        float(np.corrcoef(along[chain.tip], along[chain.other])[0, 1])
        for chain in chains
        if chain.other in along
        and min(along[chain.tip].std(), along[chain.other].std())
        > STEPPING.least_swing * chain.length
    ]
    return strides, float(np.median(correlations)) if correlations else None
