# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a clip is a cycle or a pose to stand in, and what is doubtful about it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class JudgingLimits:
    """When a clip is refused as a cycle (docs/method/motions.md, Judgement).

    Set so that of 127 actions of people, animals and robots no walk or run is refused.
    """

    least_lift: float = 0.02
    """Share of the size by which the highest foot lifts at least ..."""
    least_shuffle: float = 0.005
    """... and where left and right take turns on the ground, as in the walk of the old."""
    most_seam: float = 0.6
    """Seam at the most, share of the distance of all poses, where no other end was found."""
    least_stepping: float = 0.5
    """Share of the feet that step at least; two feet in any case."""
    most_duty: float = 0.95
    """Share of the cycle that a stepping foot stands at the most."""
    together: float = 0.95
    """Length of the mean of the contacts' middles as unit vectors on the cycle; above, all feet
    leave the ground together."""
    together_stride: float = 0.5
    """Share of the size; feet that leave together with a shorter stride jump on the spot."""
    most_still: float = 0.45
    """Share of the time on the ground in which feet of an in-place clip stand still at the most:
    in gestures and attacks they do."""
    least_mass: float = 0.25
    """Share of low samples that have one velocity at least."""
    weak_mass: float = 0.40
    """Below this share partners must step alike."""
    pair_unlike: float = 0.15
    """Share of the cycle by which the duties of such partners may differ."""
    pair_faster: float = 1.5
    """Factor between the speeds of partners at the most that go unlike ways: in steps to the side they
    have one speed, in attacks each foot has its own."""
    most_turn: float = float(np.pi)
    """Radians a cycle at the most where the feet alone tell the turn."""
    least_agreement: float = 0.85
    """Length of the sum of the legs' velocities over the sum of their lengths at least; below, the
    feet go different ways."""


@dataclass(frozen=True)
class SignLimits:
    """What the paths of feet tell of a cycle (docs/method/motions.md, Judgement).

    Walks and runs of people, animals and machines pass by a wide margin: their feet go mirrored paths
    within 0.4 of their size, kicks and attacks differ by 0.7 and more.
    """

    alike: float = 0.55
    """Share of the size of their paths by which mirrored feet differ at the most, at the best time."""
    half: float = 0.2
    """Share of the cycle by which that time may be off half a cycle where feet take turns."""
    low: float = 0.15
    """Share of its lift up to which a foot is on the ground."""
    still: float = 0.25
    """Share of the speed below which a sole point does not move."""
    clear: float = 0.05
    """Share of the leg's length above which a foot is off the ground."""
    most_pause: float = 0.08
    """Share of the cycle in which all feet stand still together at the most, unless they take turns:
    jumps begin and end so, and no gait does."""
    jump_flight: float = 0.25
    """Share of the cycle; with `jump_rise` the longest flight of a jump. Feet that take turns may fly
    longer: they run."""
    jump_rise: float = 0.6
    """Share of the leg's length that hips go up and down in a jump. Stylised runs go 0.5, gallops 0.3."""
    most_hang: float = 0.4
    """Share of the height of their paths that feet come below where they stand at the most: feet that
    circle or dangle in the air do by 0.5, tips that droop by 0.26, feet of walks and runs by 0.18."""
    carried: float = 0.5
    """Share of the ways of feet below which the body carries them and their legs do not move: half of
    what is seen is the body's."""
    turned_over: float = float(np.radians(150.0))
    """Radians; a body whose leans differ by more turns over: rolls and somersaults."""


@dataclass(frozen=True)
class GroundingLimits:
    """Whether feet come down to a ground (docs/method/motions.md, Judgement)."""

    in_air: float = 0.08
    """Share of the leg's length by which ankles stay above those of the rest pose in the air: those of
    walks and runs come down to 0.03 of them, of runs on tiptoe to 0.06."""
    elsewhere: float = 0.6
    """The same share, above which the clip was made at another height than the rest pose."""
    round_path: float = 0.985
    """Share of the first harmonic in the paths of ankles that go round on an ellipse: they have 0.99 to
    1 on pedals and in treading water, 0.75 to 0.98 in recorded and animated walks and runs, ..."""
    round_height: float = 0.96
    """... and in their heights, where walks have 0.2 to 0.93 and gallops up to 0.95."""
    near: float = 0.1
    """Share of its way up and down within which the lowest point of a sole is near its lowest place."""
    stands: float = 0.35
    """Share of the cycle for which the soles of who stands are near it: on a circle for 0.2, in runs as
    even as a machine's for 0.4."""
    lies: float = 0.25
    """Share of its height over the feet at rest below which a body lies; crawls have 0.4."""
    most_pause: float = 0.25
    """Share of the cycle in which a body that travels stands still at the most, unless feet take turns:
    single jumps begin and end so; hops that follow each other go on."""


@dataclass(frozen=True)
class StandingLimits:
    """When a clip is a rest motion (docs/method/motions.md, Judgement)."""

    height: float = 0.7
    """Hips are at least this share as high above the soles as in the rest pose: no lying, no deep
    crouch."""
    level: float = 0.1
    """Share of the leg's length within which all soles lie."""
    quiet: float = 0.2
    """Share of the size within which joints stay."""
    quiet_percentile: float = 90.0
    """Percentile of the joints that have to: hands and tails may move more."""
    planted: float = 0.08
    """Share of its leg's length within which every ankle stays."""


@dataclass(frozen=True)
class DoubtLimits:
    """When the user is told of a doubt about a cycle (docs/method/motions.md, Judgement)."""

    sliding: float = 0.10
    """Slip of planted feet, share of the speed; clean clips have 2 to 6 %, cartoons 8 to 20 %."""
    uneven_speed: float = 0.10
    """Share by which the highest planted speed exceeds the lowest."""
    uncertain_mass: float = 0.35
    """Share of low samples with one velocity, below which the speed is uncertain."""
    sources_differ: float = 0.05
    """Share by which the feet's speed differs from the root's."""
    drift: float = 0.2
    """Share of the feet's speed; a root that moves slower drifts, a faster one was meant to go."""
    big_surge: float = 0.2
    """Share of the speed by which planted feet speed up and slow down together, beyond what the body
    takes of it: clean clips have less than a tenth, uneven ones 0.3 to 1."""
    short_duty: float = 0.12
    """Share of the cycle; key times of shorter contacts are uncertain."""
    second_contact: float = 0.25
    """Score of a foot's second contact, share of the first's."""
    legs_differ: float = 0.15
    """Share by which the legs' speeds differ: limps, wrong soles; gallops have .06 to .32."""
    pair_differs: float = 0.1
    """Share of the cycle by which partners' duties differ."""
    seam: float = 0.02
    """Share of the size; a note, as the seam is spread over the cycle."""
    bad_seam: float = 0.10
    """Share of the size; the loop does not close."""
    unlike: float = np.radians(5.0)
    """Radians by which a bone turns otherwise in another cycle of the clip, from where it is seen."""
    few_keys: int = 12
    """Keys in a cycle; key times are good to half a key only."""
    jump_clearance: float = 0.35
    """Share of the size by which the lowest foot rises: perhaps a jump. Some runs do, so it is no
    reason to refuse."""
    jump_height: float = 0.4
    """Share of the size by which the median joint moves up and down: perhaps a jump or a roll."""
    ground_differs: float = 0.02
    """Share of the leg's length by which levels of the feet differ, from each other or from the rest
    pose."""
    dips: float = 0.03
    """Share of its lift by which a foot dips below its floor."""
    long_period: float = 3.0
    """Seconds of a cycle; an elephant's takes about 2.2 s, so a longer one with a long stride was
    read at another frame rate. The size of a character tells nothing: its units may be any."""
    long_stride: float = 0.75
    """Stride in lengths of the leg that counts as long there."""


JUDGING = JudgingLimits()
STEPPING = SignLimits()
GROUNDING = GroundingLimits()
STANDING = StandingLimits()
DOUBT = DoubtLimits()
