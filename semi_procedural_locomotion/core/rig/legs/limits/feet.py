# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers for feet that are not children of their shins, and for ankles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class MotionLinkLimits:
    """Feet linked to shins by their motion (docs/method/legs.md, Ankles and detached feet).

    A foot is a bone that moves on its own; its shin is the bone in whose frame it stays at rest. The
    error of a link is how far the foot strays there, as a share of shin segment and distance: 0.00
    to 0.10 at the right shin, 2 to 10 times as much at every other.
    """

    most_clips: int = 6
    """Count, the best named first. More of them add time and no certainty."""

    most_frames: int = 24
    """Count in a clip, evenly spread."""

    fewest_frames: int = 5
    """Count. Percentiles of fewer frames tell nothing."""

    most_weight: float = 0.30
    """Share of all vertex weight in the subtree; more is no foot."""

    floor_percentile: float = 20.0
    """Percent of the frames: lowest joint in use, from which the height of a foot is measured."""

    low: float = 0.4
    """Share of the skeleton's height in the clip. Feet are lower in the median; hands are not."""

    moves: float = 0.004
    """Share of S. A foot moves this much in its parent's frame (a root bone: in space)."""

    motion_percentile: float = 90.0
    """Percent of the frames: how far a bone strays from its median place when it moves."""

    strong: float = 0.3
    """Share of the strongest motion of a light bone. Inside such a foot no shin is looked for."""

    reach: float = 3.5
    """Share of the segment above the shin. A foot farther from the shin's head hangs elsewhere; at
    rest too."""

    above_shin: float = 0.5
    """Share of the distance. A foot is not higher above its shin's head than this."""

    extent: float = 0.9
    """Share of shin segment and distance. A subtree longer than this is no foot; at rest too."""

    error_percentile: float = 70.0
    """Percent of the frames whose straying makes the error; a part of a clip may be broken."""

    own_motion: float = 0.35
    """Share of the foot's own motion. It must stay this much more at rest at its shin than at its
    parent."""

    inner_factor: float = 3.0
    """Factor on the error of a shin that has another child (a claw): a leaf is likelier."""

    inner_penalty: float = 0.01
    """Share, added to the error of such a shin, so that it does not win by 0 against a leaf."""

    most_error: float = 0.12
    """Share: median error over the clips with which a link is taken."""

    sure_error: float = 0.02
    """Share: with less the link is taken whatever the second best is."""

    lead: float = 0.5
    """Share of the second best's error, else."""

    most_single_error: float = 0.05
    """Share. Idle and death clips spoil the median; then one clip is enough with less than this."""

    single_lead: float = 0.33
    """Share of the second best's error in that clip."""

    raised_shin: float = 0.3
    """Share of the segment above it. A leaf lower than this over the ground is a toe; a higher one
    needs an unweighted foot if there is one."""

    ik_error: float = -1.0
    """Rank of a link that an IK constraint gives: before all measured ones."""

    rest_error: float = 1.0
    """Rank of a link by distance at rest: after all measured ones."""


MOTION_LINKS = MotionLinkLimits()


@dataclass(frozen=True)
class RestLinkLimits:
    """Feet linked to shins by distance in the rest pose, where no motion tells.

    From docs/method/legs.md, Ankles and detached feet.
    """

    most_weight: float = 0.2
    """Share of all vertex weight in the subtree; stricter than with motion, as distance proves
    less."""

    low: float = 0.2
    """Share of the mesh's height above the floor (the joints' without a mesh) in which a foot's
    head lies."""

    most_levels: int = 1
    """Count of bones in use below one another in a foot: its toes."""

    higher: float = 0.02
    """Share of the distance by which a shin's head is above its foot's."""

    unassigned_factor: float = 10.0
    """Factor on the largest distance: cost of a foot without a shin, so that none is left out to
    spare another a long way."""


REST_LINKS = RestLinkLimits()


@dataclass(frozen=True)
class AnkleLimits:
    """Where a leg ends and its foot begins (docs/method/legs.md, Ankles and detached feet).

    Feet that stand on their soles were seen with 12 to 49 degrees of slope from ankle to toe and
    stubby ones up to 0.40 L high in a run; the middle foot of those who walk on their toes with 71
    to 86 degrees at 0.3 to 0.5 L: it stays a segment of the leg, and the paw is the foot.
    """

    low: float = 0.20
    """Share of L. A joint this low in stance is an ankle (or a toe, and the search goes on)."""

    highest: float = 0.42
    """Share of L. At the first step up an ankle may be this high if its foot is flat."""

    flat: float = np.radians(54.0)
    """Radians: slope below the horizontal from ankle to toe of a flat foot."""

    toe_down: float = 0.04
    """Share of L. Stance are the frames with the toe this near to its lowest."""

    lowest_part: int = 5
    """Height and slope are medians over this part (a fifth) of the stance frames, the lowest: the
    others have the heel up."""

    stance_part: int = 6
    """The end of a leg is measured in this part (a sixth) of the frames, its lowest."""

    hanging_end: float = 0.22
    """Share of L. A last joint above this is no foot: the leg stands on the tip of its last bone."""

    helper_height: float = 0.15
    """Share of L. An unweighted bone becomes the ankle only where the last joint is above this."""


ANKLES = AnkleLimits()


@dataclass(frozen=True)
class EndLimits:
    """Where a shin without a foot bone ends (docs/method/legs.md, Legs that end at their shins)."""

    far: float = 0.1
    """Share of the farthest skin of a shin from its knee: what is as far tells where it goes."""

    foot: float = 0.2
    """Share of the shin's length. Skin so near to its end is what it stands on, as a shoe is."""

    cap: float = 0.06
    """Share of the shin's length. The middle of the skin so near to the lowest is the end."""

    behind: float = 0.5
    """Share of the shin's length. What has skin so far to the other side of its joint is no shin but a
    wheel on its hub."""

    steep: float = 0.5
    """Sine. A shin that goes down as steeply as this, 30 degrees, stands, and its end is level."""


ENDS = EndLimits()


@dataclass(frozen=True)
class HullLimits:
    """Which vertices of a foot its contact hull takes (docs/method/legs.md, Contact hulls)."""

    sole_layer: float = 0.03
    """Share of L. Points up to here above the sole are of the sole; others go by their place along it:"""

    toe_share: float = 0.7
    """Share of the sole's length from which they belong to the toe cap,"""

    heel_share: float = 0.25
    """and share up to which to the heel; between lie the sides."""

    about: int = 16
    """Count of directions about in which points may be the furthest ..."""

    heights: tuple[float, ...] = (-90.0, -75.0, -55.0, -30.0, 0.0, 30.0, 55.0, 75.0)
    """... at each of these heights over the horizon, degrees: a foot on its tip has its upper side in
    front."""

    upper_weight: float = 0.3
    """Factor on what is missed above the horizon: the sole comes first."""

    bent_poses: int = 8
    """Count of poses of the walk in which the bent foot is looked at."""

    bent_weight: float = 0.5
    """Factor on what is missed in them."""

    fine: float = 0.0005
    """Share of L. Nothing more is taken when no direction lacks more than this."""

    same: float = 1e-6
    """Share of L. Coordinates nearer than this are equal: the choice hangs on no last digits."""


HULLS = HullLimits()


@dataclass(frozen=True)
class GirthLimits:
    """How thick legs and trunk are (docs/method/legs.md, Girths)."""

    inner: float = 0.15
    """Share of a segment at each end that does not count: there it widens into the next."""

    fewest: int = 6
    """Count of vertices that a measure needs."""

    beside: float = 0.1
    """Share of L about the hips within which vertices of the trunk are between them."""

    lowest: float = 5.0
    """Percentile of their heights that is the belly's underside: single vertices hang lower."""

    trailing: float = 0.75
    """Share of L ahead of the foremost and behind the hindmost hips beyond which the trunk's underside is
    not kept: a body that rises for the tip of its tail tears its feet off the ground."""

    strips: int = 3
    """Strips along the trunk, side by side, of which the lowest points are kept ..."""

    stations: int = 24
    """... in so many parts of its length."""

    bridged: float = 0.4
    """Share of L over which hollows of the trunk's underside do not count."""


GIRTHS = GirthLimits()
