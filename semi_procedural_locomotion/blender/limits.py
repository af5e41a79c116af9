# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All thresholds of what is read from scenes and written to them, each with its unit and reason.

Blender keeps coordinates and keys in single precision; most tolerances here are room for that.
Numbers of Blender's own, such as its codes for kinds of keys, stay where they are used.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ValueLimits:
    """Plain values, keys and meshes (docs/method/keys.md, What is written)."""

    uniform: float = 1e-3
    """Share by which the three scales of an object, or the cosines between its axes, may differ:
    matrices of nested parents reach 1e-6, and nobody scales by 0.1 % on purpose."""

    no_scale: float = 1e-30
    """Scale that axes are divided by at least; no object is scaled so small on purpose."""

    still: float = 1e-7
    """Radians or armature units; channels that stay nearer to rest are not keyed."""

    same_frame: float = 2e-3
    """Frames; keys nearer to each other are one: coordinates are exact to 1e-3 at frame 10000."""

    farthest: float = 1e9
    """Units of a mesh or of the world; single precision tells places there apart by 64 units, and what
    lies farther off is a mistake. No number and infinity count as farther."""

    most_trees: int = 128
    """Meshes kept for the next bake, with what was made of them."""

    most_bytes: int = 300 * 2**20
    """Bytes of faces that are kept of them; the mesh that was read last is kept in any case."""

    most_parts: int = 16
    """Search trees and casters that are kept of one mesh, for the places it was seen at last."""

    faces_at_once: int = 1_000_000
    """Faces looked at together, so that it takes some MB."""


@dataclass(frozen=True)
class SamplingLimits:
    """How actions are sampled (docs/method/motions.md, Rows)."""

    most_samples: int = 4000
    """Samples of an action: enough for 33 s of captured motion at 120 frames a second; longer ranges
    are sampled coarser."""

    coarsest_step: float = 1.0
    """Frames from sample to sample at the most. Keys made by hand lie far apart, and between them
    the curves bend."""

    step_rounding: float = 1e-9
    """Steps by which a key interval may exceed a whole number of the coarsest before it gets one
    more."""

    moved: float = 1e-3
    """Share of a bone's length; a connected bone that is keyed farther from its place was to move."""

    least_match: float = 0.5
    """Share of an action's curves of bones that name bones of the rig, for it to be the rig's."""

    most_unlike: float = 0.2
    """Share of the lengths of all bones by which joints of two armatures may lie elsewhere in the axes of
    their parents, for both to be of one kind: characters of one pack have 0 to 0.1."""

    out_of_reach: float = 1.0
    """Extent of an armature by which an action usually holds a bone higher or lower than at rest, if it
    was made for a larger body."""

    carrying: float = 0.5
    """Share of all bones above which those under a bone are the whole body."""

    no_turn: float = 1e-9
    """Length of the part of a rotation about up that tells no heading."""

    same_rate: float = 1e-4
    """Share by which frame rates may differ and still be the same: BVH files round their frame
    time."""


@dataclass(frozen=True)
class HeldBoneLimits:
    """Which channels count as posed (docs/method/rig.md, Held bones)."""

    turned: float = 5e-5
    """One less the cosine of half the turn, about 1 degree: importers round, and nobody sees it."""

    moved: float = 1e-3
    """Share of the armature's size, or of the scale, within which a channel is as it was built."""

    no_size: float = 1e-12
    """Size that shares are taken of at least."""


@dataclass(frozen=True)
class EvidenceSamplingLimits:
    """What is sampled to find legs (docs/method/legs.md, Evidence)."""

    most_actions: int = 5
    """Actions that are looked at, those with names of walks first."""

    rate: float = 24.0
    """Samples a second, between the next two numbers: feet are told by seconds, not frames."""

    fewest_samples: int = 24
    """Samples of an action at least."""

    most_samples: int = 200
    """Samples of an action at the most."""

    shortest: float = 0.2
    """Seconds; shorter actions are poses."""

    influences: int = 4
    """Largest weights of a vertex that count, as many as game engines use."""

    most_vertices: int = 40_000
    """Vertices of one mesh that are looked at, the outermost of each cell: each takes microseconds."""

    cells: int = 160
    """Cells along the largest extent of a mesh with more: of a body they are 0.01 L, and the lowest
    vertex of each is kept exactly."""

    coarser: float = 0.7
    """Share of the cells with which it is tried again where still too many are left."""

    most_faces: int = 200_000
    """Faces up to which a mesh is refined as it is shown; further levels move the outside no more."""

    relative: float = 0.6
    """Share of an armature's bones that another has too, under the names that generators give them,
    where both are of one character; rigs of one generator for two characters share fewer where they
    differ in kind, and else one moves no mesh."""


@dataclass(frozen=True)
class OutlineLimits:
    """The outside of a body (docs/method/travel.md, Walls)."""

    cells: int = 24
    """Cells along the longest side of a mesh; the outermost vertex of each tells where the body is,
    a few hundred of them."""


@dataclass(frozen=True)
class SetUpLimits:
    """What a scene's characters are known by (docs/method/ground.md, Meshes of the scene)."""

    figure_bones: int = 12
    """An armature of so many bones, with limbs, that deforms a mesh is a figure and no drawbridge, set
    up or not; figures are never ground unless they are chosen."""

    fingerprint_digits: int = 5
    """Digits that tell rigs, and places of meshes on them, apart: 1e-5 of a leg or a foot, from
    properties in single precision."""


@dataclass(frozen=True)
class SceneGroundLimits:
    """Meshes of the scene as ground (docs/method/ground.md, Meshes of the scene)."""

    start: float = 1e-5
    """Metres by which a ray's start on a surface may lie below it; metres, and share of the coordinates,
    by which a ray may pass beside a box."""

    lift: float = 1e-6
    """Share of a mesh's size by which its hits are rounded in single precision, with a margin."""

    single: float = 2.4e-7
    """Share of the coordinates by which places of single precision are rounded, twice over."""

    step_through: float = 5e-7
    """Share of a mesh's largest coordinate by which a ray that goes through it starts anew below a
    hit: a few roundings of single precision."""

    beside: float = 4.0
    """Roundings of single precision by which a triangle may lie beside the ray that meets it."""

    most_casters: int = 64
    """Meshes that stand still under which rays are held against each on its own, all at once: of very
    many there are few rays over each."""

    few_surfaces: int = 4
    """Surfaces that move together of which all are looked at: a search for the right ones would take
    longer."""

    most_pairs: int = 100_000
    """Rays and boxes that are looked at together, so that they take some tens of MB."""

    samples_per_frame: int = 2
    """Places at which moving ground is known in a frame, straight between: exact wherever keys are
    baked."""

    most_looks: int = 100
    """Frames at which moving ground is looked at for the height that it reaches."""

    flat: float = 1e-12
    """Determinant over the cube of the largest axis below which a mesh is flattened to nothing."""

    most_frames: int = 20_000
    """Frames of a walk at which curves are read that drive a shape, to tell whether they change at
    all: a millisecond for each thousand."""

    most_bytes: int = 256 * 2**20
    """Bytes of vertices that are kept of changing shapes."""

    few_triangles: int = 2000
    """Triangles of which a tree is built whole."""

    around_mesh: float = 0.03
    """Share of a larger mesh's extent by which its tree reaches beyond the rays asked for, so that
    the next ones find it."""

    around_rays: float = 0.5
    """The same as a share of the rays' extent; the larger of both. Of meshes that keep their shape this
    alone, for their parts serve the next plan too."""

    heavy: int = 200_000_000
    """Triangles times frames that take about ten seconds: reason for a warning."""


@dataclass(frozen=True)
class PickingLimits:
    """What lies under the pointer (docs/method/ground.md, Meshes of the scene)."""

    most_objects: int = 64
    """Objects that are looked through at the most: those that are no ground."""

    past: float = 1e-4
    """Share of the distance, at least of a metre, behind an object at which the look goes on."""

    level: float = 1e-4
    """Vertical part of a ray's direction under which it does not meet a level plane."""


@dataclass(frozen=True)
class PathLimits:
    """Ways from the scene (docs/method/travel.md, Ways)."""

    most_frames: int = 200_000
    """Frames of an animation that are looked at, as many as a walk may have; each may take an evaluation
    of the scene."""

    shortest: float = 1e-6
    """Metres between ends and corners of a path at least; anything that moves by less stands."""

    plumb: float = 1e-4
    """Share of its height that a way goes along at least: turns of objects are exact to 1e-6, and no
    stairs are as steep."""

    level: float = 1e-3
    """Sine of the tilt from which on what carries a character stands aslant: importers' right angles
    are exact to 1e-6, and a foot of a leg's length rises by 0.03 % of the leg."""

    flattest: float = 1e-6
    """Sine of the angle of an object's x and y, seen from above, at least: else they are one line."""


@dataclass(frozen=True)
class FootstepLimits:
    """Footstep objects (docs/method/footsteps.md, Claims)."""

    thickness: float = 0.035
    """Share of its length that a drawn sole is thick."""

    mark_lift: float = 0.004
    """Metres of marks above the ground, so that they are seen and do not flicker."""

    edited: float = 1e-5
    """Metres or sines; a transform counts as edited where an entry differs by more."""

    carried: float = 1e-6
    """Metres or sines; a character has moved where an entry of its matrix differs by more."""

    same_time: float = 1e-5
    """Seconds within which times are the same."""


@dataclass(frozen=True)
class WritingLimits:
    """Keys of a bake (docs/method/keys.md, Fewer keys)."""

    constant: float = 1e-7
    """Metres or radians; values that differ by less are one, as keys hold no more."""

    posed: float = 1e-5
    """Share of the skeleton's size, or factor; an un-keyed channel that differs by more from what a
    walk has is keyed."""

    locked: float = 1e-3
    """Radians, factor or share of the skeleton's size by which a locked channel of a control may leave
    rest unseen: a hip control that turns a knee about the leg leans by as much."""

    turned: float = 4e-7
    """The same for rotations: 1 minus the cosine of half the angle, a tenth of a degree."""

    component: float = 0.25
    """Share of a tolerance in radians that each component of a quaternion may miss: an error of one
    turns by twice as much, all four together by no more than twice that again."""


@dataclass(frozen=True)
class RootBoneLimits:
    """Bones of root and body, found without a set-up (docs/method/root_motion.md, Bones)."""

    branches: int = 2
    """Limbs that hang from a body besides nothing else: two legs, or a leg and the trunk."""

    limb: int = 3
    """Bones of a limb at least; fewer are helpers, such as targets of feet under a root."""


@dataclass(frozen=True)
class RootMotionWritingLimits:
    """Keys that hand a travel on (docs/method/root_motion.md, Keys)."""

    placed: float = 3e-6
    """Share of the body's size, or sine: bones farther from where they shall be are keyed. Blender's
    matrices are in single precision."""

    exact: float = 8 * 2.0**-23
    """Share of the farthest coordinate by which bones may be off besides: that of numbers in single
    precision, some times over, since each bone is multiplied onto those above it."""

    shown: float = 1e-4
    """The same as `placed` for bones that follow by constraints, which are solved in steps; farther
    ones are told."""

    most_rounds: int = 8
    """Times that the keys are corrected: one more than controls hang from each other by constraints."""

    chunk: int = 50
    """Frames that are evaluated between two looks for Esc."""

    returned: float = 1e-3
    """Radians, or share of the size, by which a cycle's end may differ from its start and be the same."""


VALUE = ValueLimits()
SAMPLING = SamplingLimits()
HELD = HeldBoneLimits()
EVIDENCE = EvidenceSamplingLimits()
OUTLINE = OutlineLimits()
SET_UP = SetUpLimits()
SCENE_GROUND = SceneGroundLimits()
PICKING = PickingLimits()
PATH = PathLimits()
FOOTSTEP = FootstepLimits()
WRITING = WritingLimits()
ROOT_BONES = RootBoneLimits()
ROOT_MOTION_WRITING = RootMotionWritingLimits()


@dataclass(frozen=True)
class ShownSkinLimits:
    """Which vertices of feet are looked at (docs/method/report.md, What is shown)."""

    chosen_at: int = 24
    """Frames of a walk, spread over it, in which vertices are chosen."""

    about: int = 12
    """Directions all about in which the furthest vertex is chosen ..."""

    slopes: tuple[float, ...] = (65.0, 35.0, 10.0, 0.0)
    """... at each of these angles below the horizon, degrees, and the one straight down."""


SHOWN_SKINS = ShownSkinLimits()
