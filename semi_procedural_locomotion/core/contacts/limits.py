# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All thresholds, widths and weights of this stage: from sole points to contacts (numpy only).

Each record names the heading that explains it; each field its unit, and what it is for. Numbers
without a unit are shares or factors, so that no clip is too large or too small. *Slip* is a point's
speed against the ground as a share of the character's, *lowness* its height over its floor as a
share of the foot's clearance: 0 on the ground. Values were chosen on generated clips whose contacts
are known, with noise, limps, turns and 14 to 100 keys a cycle, and tried on clips of animators.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SignalLimits:
    """Sole points as smooth heights and velocities (docs/method/contacts.md, Smoothing)."""

    least_smoothing: float = 0.008
    """Share of the cycle; width of the low-pass at the least."""
    most_smoothing: float = 0.03
    """Share of the cycle; a wider low-pass would blunt the strike of a run."""
    trial_smoothing: float = 0.012
    """Share of the cycle; the low-pass with which the speed of fast feet is read before the width is
    chosen."""
    velocity_noise: float = 0.035
    """Noise that the low-pass may leave in velocities, share of the speed of fast points."""
    fast_percentile: float = 90.0
    """Percentile of horizontal speeds that counts as fast: feet in flight, without outliers."""
    fewest_keys: int = 8
    """Keys a cycle that noise is estimated from at least."""
    noise_percentile: float = 30.0
    """Percentile over time of third differences that tells noise: planted feet have no others."""
    noise_gain: float = 0.385 * np.sqrt(20.0)
    """That percentile for white noise of deviation 1: .385 times its deviation, the root of 20."""
    low_percentile: float = 3.0
    """Percentile of heights that counts as lowest: a few samples of noise do not move it."""
    floor_percentile: float = 2.0
    """Percentile of a point's heights at which the search for its floor begins
    (docs/method/contacts.md, Floors)."""
    floor_band: float = 0.40
    """Share of a point's range of heights above that, in which its floor is searched."""
    floor_kernel: float = 0.03
    """Share of the range; width of the kernel that tells where a point dwells."""
    floor_slope: float = 0.5
    """Share of the density that the top of the band loses: of two heights the lower is the floor."""
    floor_steps: int = 46
    """Heights tried in the band."""
    hover: float = 0.08
    """Share of the leg's range of heights; a point whose floor lies so far above the foot's only
    hovers there and takes the foot's floor."""
    least_leg_range: float = 0.25
    """Range of heights of a leg at least, share of the largest leg's: a leg that hardly lifts is not
    measured by its noise."""
    least_point_range: float = 0.35
    """Range of heights of a point at least, share of its leg's."""
    least_clearance: float = 0.3
    """Unit of lowness at least, share of the largest leg's clearance."""
    least_clearance_of_range: float = 0.35
    """Unit of lowness at least, share of the leg's own range of heights: toes that drag."""


@dataclass(frozen=True)
class ModeLimits:
    """The velocity that low samples share (docs/method/contacts.md, Native velocity)."""

    low_width: float = 0.09
    """Lowness at which a sample's weight has fallen to 1/e."""
    rise_width: float = 0.35
    """Vertical speed, share of the fast speed, of one deviation of a sample's weight."""
    least_weight: float = 0.02
    """Share of the largest weight under which samples are left out, for speed."""
    ahead: float = 0.01
    """Share by which a velocity that goes ahead counts for more, and one that goes back for less."""
    bandwidths: tuple[float, float, float] = (0.12, 0.25, 0.45)
    """Widths within which velocities count as one, shares of the speed, tried in turn. The first
    tells planted feet of one speed (*uniform*) from those that ease in and out (*eased*)."""
    enough_mass: tuple[float, float, float] = (0.55, 0.58, 0.58)
    """Share of the samples that ends the search at each width."""
    speed_floor: float = 0.05
    """Added to the widths, share of the fast speed: slow walks are not cut to nothing."""
    seeds: int = 40
    """Samples from which the search starts."""
    rounds: int = 15
    """Shifts of each start at the most."""
    settled: float = 1e-4
    """Share of the fast speed; a start that shifts by less has arrived."""
    pairs: int = 150
    """Pairs of samples from which a turning motion is guessed."""
    pair_distance: float = 0.3
    """Share of the feet's spread by which the two of a pair lie apart at least: near ones tell no
    turn."""
    straight_enough: float = 0.9
    """Share of the samples with one velocity from which no turn is tried."""
    turn_gain: float = 0.12
    """Share of the samples that a turn has to win to be taken."""
    turn_mass: float = 0.5
    """Share of the samples that it explains at least."""
    turn_least: float = np.radians(6.0)
    """Radians a cycle that it turns at least."""
    keep_residual: float = 0.8
    """A fitted turn is kept if it cuts the slip to this share; it is ill-defined where all contacts
    lie on one line."""
    keep_least: float = np.radians(4.0)
    """And turns by more radians a cycle."""
    keep_straight: float = 0.015
    """And if the slip without it is more than this share of the speed."""
    keep_speed: float = 0.1
    """Speed at least there, share of the fast speed: for characters that turn on the spot."""


@dataclass(frozen=True)
class ContactLimits:
    """Limits of what counts as in contact (docs/method/contacts.md, Contacts)."""

    samples: int = 96
    """Samples of a cycle that contacts are found on."""
    slip: float = 0.40
    """Slip at which a point is certainly moving."""
    low: float = 0.35
    """Lowness at which a point is certainly up."""
    low_eased: float = 0.12
    """The same where feet ease in and out: there height alone tells the contact."""
    carried: float = 0.1
    """Backward share of the ground's speed from which such a foot is carried with the ground."""
    carried_range: float = 0.3
    """Share of the speed above that, at which it is certainly carried."""
    rise_share: float = 0.6
    """Share of the vertical speed in the slip."""
    least_reference: float = 0.3
    """Speed that slips are shares of at least, share of the fast slip: characters that hardly
    travel."""
    rounds: int = 6
    """Rounds between contacts and their velocity at the most."""
    settled_turn: float = 1e-3
    """Radians a cycle; and the turn by less."""
    still_share: float = 0.7
    """Share of a contact, its stillest samples, whose slip is the leg's own: slowing down at the
    ends does not count."""
    fewest_still: int = 3
    """Samples for that at least; shorter contacts have no slip of their own."""
    level_margin: float = 0.08
    """Slip above the leg's own up to which samples vote on the velocity, at least."""
    level_spreads: float = 3.0
    """The same in deviations of the still samples."""
    spread_gain: float = 1.48
    """Deviation of normal noise for a median distance of 1."""
    short_spread: float = 0.02
    """Deviation taken for contacts too short to have one, slip."""
    resting: float = 0.05
    """Share of the foot's range of heights within which a point rests at its own resting height."""
    still_slip: float = 0.25
    """Slip under which a resting point stands still."""
    still_rests: float = 0.5
    """Share of its rest in which a hovering point stands still to count as one that bears weight
    but was placed too high."""
    noisy_slip: float = 0.12
    """Slip in contacts above which more smoothing is tried."""
    noisy_duty: float = 0.15
    """Share of the cycle; in shorter contacts slip is no sign of noise."""
    more_smoothing: tuple[float, float] = (0.014, 0.022)
    """Shares of the cycle; widths of the low-pass that are tried then."""
    firmer: float = 1.1
    """Factor by which a foot stands more, by its score, on the floor of a higher point than on that of a
    deeper one to be measured from the higher one."""
    assumed_duty: float = 0.5
    """Share of the cycle that a leg stands which never does so in its clip."""
    least_duty: float = 0.04
    """Share of the cycle; a shorter contact is none. The user's key times obey it too."""


@dataclass(frozen=True)
class EdgeLimits:
    """Limits of when contacts begin and end, finer than samples (docs/method/contacts.md, Key times)."""

    outer_gain: float = 0.6
    """Share of slope times blur at which the corner of the slip lies, at the outermost edges of a
    foot: smoothing turns the corner into a rounded ramp."""
    inner_gain: float = 0.4
    """The same at inner edges: the last point that arrives, the first that leaves."""
    ramp_top: float = 2.2
    """Multiple of the slip limit up to which the slope is taken."""
    ramp_reach: float = 0.12
    """Cycles within which that is reached; else the foot starts slowly."""
    ramp_step: float = 0.05
    """Cycles over which the slope is taken then."""
    least_rise: float = 0.05
    """Slip above the contact's own at which an edge lies at least."""
    noise_margin: float = 0.08
    """Slip above the contact's own; a level that is higher was raised by noise, and the edge with
    it."""
    least_point_score: float = 0.08
    """Share of the foot's score that a point's own stretch has at least to make contact."""
    low_gate: float = 0.65
    """Share of the lowness limit from which height joins the slip, so that feet that sink or arch
    within a stance are not cut."""


@dataclass(frozen=True)
class LeastSlipLimits:
    """The speed at which uneven feet slip least (docs/method/contacts.md, Least slip)."""

    carried: float = 0.05
    """Share of the speed with which a low point moves backwards at least to be carried."""
    ends: float = 0.04
    """... for this share of the cycle at either end: where feet stand for longer, the character
    stops, which tells nothing of the speed at which it goes."""
    even_width: float = 0.04
    """Slip up to which its square counts, share of the speed, where feet surely have one speed for
    most of the time. Elsewhere it is the median of all slips, this at the least."""
    alike: float = 0.25
    """Mean slip, share of the speed, under which uneven legs tell alike."""
    settling: float = 0.5
    """Share of the speed with which a point on the ground rises or sinks at the most to bear weight: a
    foot that rolls off its tip flicks back fast while it is still low."""
    lifting: float = 1.0
    """Share of the speed with which any point of a foot rises at the most while it bears weight: a heel
    that goes up faster than the body goes on pulls the foot off, and its tip slips back."""
    longer: float = 1.4
    """Factor by which feet are longer on the ground than in even contact at least where the speed of
    even contact is doubted."""
    settlings: int = 3
    """Rounds between the speed and what bears weight at it, where no speed is sure at first."""
    rounds: int = 60
    """Rounds of re-weighting at the most."""


@dataclass(frozen=True)
class PlantedSpeedLimits:
    """Limits of what planted feet tell of the speed (docs/method/contacts.md, How sure the speed is)."""

    shares: tuple[float, float, float] = (0.15, 0.5, 0.85)
    """Quantiles of planted speeds that tell low, middle and high."""
    even_spread: float = 0.25
    """Share of the middle speed by which low and high differ at the most where feet agree."""
    noise_spread: float = 2.07
    """Deviations of noise by which low and high differ on their own."""
    cliff: tuple[float, float] = (0.50, 0.60)
    """Share of samples with one velocity, around what tells uniform from eased, where the choice is
    close and both speeds are told."""
    standing: float = 0.2
    """Share of the speed; a slower foot stands still in the character's own frame."""


@dataclass(frozen=True)
class PlantingLimits:
    """Limits of how long a foot seen on the ground is planted (docs/method/contacts.md, Planting)."""

    low_leg: float = 0.02
    """Share of the leg's length over its ground up to which a foot is low."""
    low_lift: float = 0.08
    """Or of its own lift, the larger of both."""
    high_leg: float = 0.04
    """Share of the leg's length over its ground above which a foot is not down."""
    high_lift: float = 0.05
    """Or of its own lift, the larger of both."""
    least_gain: float = 0.02
    """Share of the cycle by which a contact changes at least to be changed."""
    least_duty: float = 0.06
    """Share of the cycle that a changed contact lasts at least; else what was found stays."""
    most_duty: float = 0.85
    """Share of the cycle that a changed contact lasts at the most; else what was found stays."""
    most_drop: float = 0.2
    """Share of L by which a body would be lowered at the most for a foot to be reached that is planted
    longer than its clip holds it. Clips that walk well ask for 0.11 at the most, a run for 0.17."""
    alike: float = 0.1
    """Share by which the slips at both ends of a contact differ at the most to count as equal."""


@dataclass(frozen=True)
class EditLimits:
    """Key times that the user may set (docs/method/contacts.md, Times by hand)."""

    least_lead: float = 0.01
    """Share of the cycle by which the stance lies inside the contact."""
    rounding: float = 1e-6
    """Cycles; room for values that come back from single precision."""


SIGNAL = SignalLimits()
MODE = ModeLimits()
CONTACT = ContactLimits()
EDGE = EdgeLimits()
SPEED = PlantedSpeedLimits()
LEAST_SLIP = LeastSlipLimits()
PLANTING = PlantingLimits()
EDIT = EditLimits()


@dataclass(frozen=True)
class StanceLimits:
    """When feet stand over a whole motion (docs/method/contacts.md, Stances of a motion that travels)."""

    bearing: float = 0.004
    """Share of L. What a point bears falls by e for each such height above the lowest of its foot."""
    far: float = 50.0
    """Multiple of the width; points higher than that bear nothing alike."""
    least_load: float = 1e-9
    """Sum of shared loads at least: between frames that share none the foot is in the air."""
    smoothing: float = 0.02
    """Seconds; reach of the low-pass of velocities. It does nothing at 24 frames a second."""
    fast_percentile: float = 95.0
    """Percentile of speeds that counts as fast: feet in flight."""
    least_fast: float = 1.0
    """L per second; speed that counts as fast at least, for motions that hardly step."""
    around: float = 0.6
    """Seconds to either side in which a foot's own fastest frame tells how fast its swings are."""
    floor_percentile: float = 20.0
    """Percentile of the heights of slow feet that is the motion's own floor."""
    low: float = 0.1
    """Share of L about that floor in which a foot may stand. Floors of captures drift by half of it."""
    near: float = 0.05
    """Share of L about the ground of the scene in which it may too, as on steps of a capture."""
    gap: float = 0.045
    """Seconds. Shorter breaks of a stance are noise."""
    least: float = 0.06
    """Seconds that a stance lasts at least; feet of quick runs stand for a tenth."""
    fewest: int = 2
    """Intervals between frames that it lasts at least."""
    tight: float = 0.05
    """Share of the speed of fast feet by which a foot leaves its sliding velocity at the ends."""
    fine_way: float = 0.006
    """Share of L in a frame; at high frame rates a foot that leaves its sliding velocity by less is held
    on ..."""
    fine: float = 0.12
    """... up to this share of the speed of fast feet."""
    spreads: float = 3.5
    """The same in median distances from it, for motions with noise."""
    lifted: float = 0.005
    """Share of L by which a foot is above its stance at the ends, and has left or not yet arrived."""
    inner: float = 0.15
    """Share of a stance at either end that does not tell its sliding velocity."""
    fewest_inner: int = 4
    """Intervals left for that at least; else all of the stance tells."""


STANCE = StanceLimits()
