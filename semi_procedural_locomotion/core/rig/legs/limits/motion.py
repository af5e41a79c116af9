# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers for steps in a clip, the choice between clips, and forward."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SteppingLimits:
    """Who stands and who swings in a clip (docs/method/legs.md, How the feet step)."""

    fewest_frames: int = 6
    """Count. In fewer frames no step can be seen."""

    floor_percentile: float = 3.0
    """Percent of the frames: lowest height of a foot's joint, without stray frames."""

    stance_band: float = 0.25
    """Share of the range of a joint's height, from its lowest, in which the foot stands."""

    longer: float = 2.0
    """Factor by which the ankle, or the lowest point of a foot's bone, is low for longer and with one
    velocity than the bone's head at least where it tells the stance: heads of pasterns are lowest in the
    swing."""

    stance_least: float = 0.01
    """Share of L: the least height of that band, for feet that hardly rise."""

    sole_floor_percentile: float = 4.0
    """Percent of the frames: lowest height of a foot's sole, without stray frames."""

    own_band: float = 0.05
    """Share of L. The sole is near its own lowest height within this."""

    level_band: float = 0.10
    """Share of L. The sole is near the ground of all within this."""

    least_own: float = 0.25
    """Share of the best pair's. A pair that is near its own lowest height in fewer frames swings:
    the arms of a runner."""

    least_level: float = 0.3
    """Share of the best pair's. The same with the ground of all."""

    most_contrary: float = 0.7
    """Share of the reference pair's speed by which the planted velocity of a pair may differ."""

    least_speed: float = 0.3
    """L per second. Below it planted velocities cannot contradict one another."""

    disagreement: float = 0.7
    """Points that a difference of left and right as large as their speed takes from a pair, when
    the reference is chosen."""

    least_lift: float = 0.02
    """Share of L. Feet rise more than this in locomotion ..."""

    least_stride: float = 0.06
    """... go farther than this share of L against their hips ..."""

    least_travel: float = 0.15
    """... and the body goes faster than this, L per second."""

    drift: float = 0.5
    """Share of L over the clip. A clip that moves farther is not in place: its drift is its travel."""

    least_swing: float = 0.02
    """Share of L: deviation of a foot's way from which partners can be compared."""


STEPPING = SteppingLimits()


@dataclass(frozen=True)
class LoadLimits:
    """Which limbs carry in walks that do not show them (docs/method/legs.md, Legs over all clips)."""

    least_walk: float = 0.25
    """Share of a sure walk (see `readings.rate_walking`) from which a clip has a say. Walks and runs were
    seen from 0.34 on, deaths, jumps and blows up to 0.18."""

    upright: float = 0.6
    """Share of the deciding clip's height of the hips over L: a crawl says nothing of who walks
    upright."""

    raised: float = 0.2
    """Share of L above the legs' level. A pair of which neither limb comes lower carries nothing; arms
    of short bodies were seen from 0.27 on."""

    level: float = 0.15
    """Share of L above it up to which both limbs of a pair may carry."""

    swinging: float = 0.15
    """Mean share of the ground's speed with which both ends of a pair go backward while they are low,
    below which they swing. Arms were seen up to 0.15, legs from 0.27 on, in fast runs."""

    carrying: float = 0.25
    """The same share from which a pair carries."""

    majority: float = 0.5
    """Share of the readings. Where nothing walks, legs are what more of them show."""


LOADS = LoadLimits()


@dataclass(frozen=True)
class ClipNamePoints:
    """What names of clips are worth; they only order clips (docs/method/legs.md, Names are cues)."""

    moving: int = 2
    """Points of words such as walk, run and trot."""

    standing: int = 1
    """Points of words such as idle and stand."""

    other: int = -3
    """Points of words such as death, jump, attack and left; a walk to the left stays below 0."""

    rest_pose: int = -1
    """Points of the rest pose: behind a standing clip, before an attack."""


CLIP_NAMES = ClipNamePoints()


@dataclass(frozen=True)
class ClipScores:
    """Points by which a clip is chosen (docs/method/legs.md, The clip that decides)."""

    upright: float = 1.5
    """For hips as high over the ground as in the best clip; less in proportion. Settles crawls and
    deaths without their names."""

    leg: float = 0.2
    """For every leg found, so that equal walks are told apart; what carries in another clip is added to
    the best anyway."""

    most_legs: int = 8
    """Count of legs that give points; more are likelier fringe than legs."""

    name: float = 0.5
    """For every point of the clip's name, see `names.rank_action_name`."""

    walks: float = 3.0
    """For a sure walk, less in proportion: more than names and legs can outvote."""

    most_rise: float = 0.8
    """Share of L. Hips that go up and down by this much get up, fall or jump; walks keep below 0.1 and
    gallops below 0.2."""

    duty: float = 0.6
    """For feet that stand for half of the cycle; less in proportion."""

    full_duty: float = 0.5
    """Share of the cycle in stance from which duty gives all its points."""

    unpaired: float = 0.3
    """Taken away for every limb on the ground without a twin."""

    pooled_frames: int = 24
    """Count of frames of a clip that are looked at for ankles."""


CLIP_SCORES = ClipScores()


@dataclass(frozen=True)
class FacingVotes:
    """The axis and the sign of forward (docs/method/legs.md, Which way is forward)."""

    foot: float = 2.0
    """Points of feet that point ahead."""

    foot_gain: float = 1.5
    """Factor before the points of the feet are cut off at 1: feet turned outwards count in full."""

    travel: float = 2.5
    """Points of the travel of a clip that surely walks ahead: more feet are misread, as those with spurs
    or many joints, than clips go backwards, ..."""

    most_travel: float = 4.0
    """... and of all such clips together."""

    directional: float = 0.2
    """Share of these that a clip has whose name says backward, sideways or what else is done."""

    head: float = 1.5
    """Points of what is highest, and of heads and tails by name, a leg's length ahead of the hips."""

    names: float = 1.0
    """Points of left and right in names; they may be mirrored, so feet or travel can overrule."""

    foot_reach: float = 0.2
    """Share of L that a foot without a toe bone reaches ahead of its ankle in the mean."""

    least_told: float = 0.1
    """Points of the foot and the way of an only leg together, from which they tell a direction."""

    same_facing: float = np.radians(20.0)
    """Radians. A clip that faces within this of the rest pose faces like it, pelvis twist aside."""

    told_apart: float = np.radians(0.5)
    """Radians. A clip that faces within this of the rest pose is not told from it: hips of the same
    pose are read twice and differ in their last digits."""

    sideways_facing: float = np.radians(75.0)
    """Radians; the same for strafes: there the pelvis turns towards the travel, up to 60 degrees in
    cartoon clips."""

    travel_trust: float = np.radians(35.0)
    """Radians. A travel within this of the clip's own forward decides for it."""

    cloud_frames: int = 12
    """Count of frames in which feet are looked at."""


FACING = FacingVotes()
