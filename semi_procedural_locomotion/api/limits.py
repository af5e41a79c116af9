# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All thresholds of what is done with a scene as a whole, each with its unit and reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class WalkLimits:
    """How a walk is asked for (docs/method/travel.md, Ways)."""

    corner_strides: float = 0.75
    """Strides; radius of the arcs at a path's corners: a body turns within about two steps."""

    most_frames: int = 200_000
    """Frames; a longer walk is a mistake."""

    ground_samples: int = 120
    """Places along a way at which ground is looked for before it is planned."""

    ground_reach: float = 1.0
    """Lengths of the leg beside the way, as far as feet may step."""

    cut_cycles: float = 8.0
    """Cycles of the slowest walk after the frames asked for that are planned too: stops are fitted over
    four, and filters reach over the rest."""

    cut_steps: float = 3.0
    """Longest cycles besides, for the prints to come."""

    cut_smoothing: float = 4.0
    """Widths of the body's own smoothing besides, where it has faded."""

    most_ground_samples: int = 20_000
    """Places at the most where the first ones found none: on a way of kilometres they lie farther apart
    than stones, which are then too few to walk on."""

    ground_sides: int = 8
    """Places beside the way to each side then, within the same reach."""

    way_rate: int = 12
    """Places a second at which a way is looked at for what lies beside it: a walk goes less than half
    a leg between two."""

    many_things: int = 20_000
    """Surfaces from which on reading them takes most of a second for each plan: reason for a hint."""

    played: float = 0.01
    """Share of a walk under which a motion does not count as played: its doubts are not told, and
    its graph has no hand."""


@dataclass(frozen=True)
class LayerClipLimits:
    """Which bones of a rig with constraints an action moves (docs/method/layers.md, Masks)."""

    turned: float = 1e-4
    """Radians away from rest; constraints that do nothing leave rounding errors."""

    moved: float = 1e-4
    """Lengths of the leg away from rest."""


@dataclass(frozen=True)
class KeptLimits:
    """What is kept to be used again (docs/method/speed.md, What is kept)."""

    analyses: int = 400
    """Of actions; one of 50 bones and 40 samples takes 150 kB."""

    walks: int = 24
    """Plans, and as many walks with their poses and numbers: of the characters of a shot, the last."""

    most_poses: int = 40_000
    """Bones times frames of a walk whose poses are kept; those of so many take 10 MB."""

    most_long: int = 200_000
    """The same of the last longer walk, which is kept alone: 4,000 frames of 50 bones take 50 MB."""


@dataclass(frozen=True)
class FootstepWalkLimits:
    """Walks along footsteps (docs/method/footsteps.md, The clock)."""

    timing_rounds: int = 2
    """Times that a walk is planned again to meet times that were set by hand."""

    met: float = 5e-3
    """Seconds within which such times are met: an eighth of a frame at 24 frames a second."""

    unmet: float = 0.25
    """Seconds; times farther off cannot be met, and planning again does not help."""

    same_way: float = 0.9
    """Cosine of the angle within which two walks go the same way."""

    count: int = 10
    """Steps of a generated run that is not told how many, and goes along no line."""

    above: float = 0.05
    """Metres above a sole from which the ground under it is looked for."""


@dataclass(frozen=True)
class LegLimits:
    """Legs as a user may have them (docs/method/legs.md, Confidence)."""

    least_confidence: float = 0.5
    """Confidence under which found legs are not used without the user's word."""

    lying: float = 0.5
    """Confidence at the most in legs that point sideways: such a body is nearly always one that was
    imported with other axes."""

    fewest_bones: int = 2
    """Bones of a leg at least: one that swings it and one that bends."""


@dataclass(frozen=True)
class MakingLimits:
    """Cycles made from numbers (docs/method/gaits.md, Fitting)."""

    shortened: float = 0.99
    """Share of a stride below which it is told that the legs do not reach farther."""

    fewest_keys: int = 16
    """Keys of a cycle at least: from so many the analysis tells contacts well."""


@dataclass(frozen=True)
class TransferringLimits:
    """Actions carried over from another character (docs/method/transfer.md, Keys)."""

    most_keys: float = 1.5
    """Keys a frame above which a clip gets one for each frame: captures have five, and nobody can
    edit those; clips of 30 frames a second keep theirs at 24."""

    shown: float = 5e-3
    """Share of L by which a shown joint of a leg may be off what was written: more than that, and
    something else moves the bones."""


@dataclass(frozen=True)
class ReportLimits:
    """What is told of a walk (docs/method/report.md, What is shown)."""

    fewest_frames: int = 2
    """Frames that a walk is measured between at least."""

    digits: int = 6
    """Digits after the point of numbers for other programs."""


@dataclass(frozen=True)
class FixingLimits:
    """What actions are cleaned (docs/method/body.md, Cleaning a motion)."""

    fewest_frames: int = 4
    """Frames on end that are cleaned at least: of fewer no speed can be told."""

    most_frames: int = 100_000
    """Frames at most: an hour at 24 a second, as a slip of the pen may ask for more."""

    still: float = 1e-4
    """Share of L by which joints that rest differ between frames: Blender rounds places to 1e-7 of their
    distance from the origin."""

    in_place: float = 0.5
    """Share of L below which the hips do not travel: a step takes them farther, swaying and bobbing on
    the spot by 0.1 to 0.2."""

    scaled: float = 1e-4
    """Share by which a constraint stretches a bone; it gets keys of its scale where that is switched
    off."""


@dataclass(frozen=True)
class ProgressShares:
    """Shares of the time that work takes, for bars of progress (docs/method/report.md, What is shown)."""

    set_up: float = 0.4
    """Finding legs and analysing, of a job."""

    legs: float = 0.2
    """Finding the legs, of a set-up."""

    controls: float = 0.8
    """Finding legs and analysing, of the set-up of a rig that has controls."""

    reading: float = 0.6
    """Reading the motions, before footsteps are planned."""

    imported: float = 0.5
    """Reading the files, of an import."""

    transfers: float = 0.8
    """Reading and setting up, of an import some of whose clips are transferred."""


@dataclass(frozen=True)
class ContinuingLimits:
    """Walks that go on from a pose (docs/method/body.md, Hand-over)."""

    steady: float = 0.9
    """Share of a walk's quickest steps from which on it counts as under way."""

    samples: int = 48
    """Instants of the cycle that are held against the pose."""

    flying: float = 2.0
    """Leg lengths that a foot counts as farther away where it is in the air and that of the pose
    stands: more than feet can be apart, so that another part of the cycle is taken if there is one."""

    other_level: float = 0.15
    """Leg lengths between object and feet of a pose beyond which it stands on another level."""

    abreast: float = 0.05
    """Leg lengths between the feet below which none of them is the rear one."""


@dataclass(frozen=True)
class RootPlacingLimits:
    """Characters placed by a root bone (docs/method/travel.md, Placed by a root)."""

    least: float = 0.01
    """Leg lengths by which a root bone is away from its rest pose that places the character."""

    least_keyed: float = 0.25
    """Leg lengths by which a root bone that motions key is away from where the walk has it: clips are
    brought to the origin by their feet, so less is theirs."""

    turned: float = 0.01
    """Radians by which a root bone turns that is turned: half a degree."""

    evened: float = 0.12
    """Leg lengths by which a root that rests moves in a motion at the most: twice the shift that may
    even the motion's speed, in which all bones without a parent have their share."""


@dataclass(frozen=True)
class DrivingLimits:
    """How characters are steered (docs/method/steering.md, State)."""

    longest_step: float = 1.0 / 30.0
    """Seconds that a steered walk goes on at once: as often as a film shows it."""
    put_elsewhere: float = 2.0
    """Of the run's speed; what moves faster where a drive begins is put there, and stands."""


WALK = WalkLimits()
DRIVING = DrivingLimits()
FOOTSTEP_WALK = FootstepWalkLimits()
LEG = LegLimits()
MAKING = MakingLimits()
TRANSFERRING = TransferringLimits()
REPORT = ReportLimits()
FIXING = FixingLimits()
PROGRESS = ProgressShares()
CONTINUING = ContinuingLimits()
PLACING = RootPlacingLimits()
KEPT = KeptLimits()
LAYER_CLIP = LayerClipLimits()
