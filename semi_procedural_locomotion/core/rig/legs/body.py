# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Evidence prepared for the search: weights per bone, support points, clips as matrices."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from ..skeleton import compute_rest_poses
from .evidence import BodyEvidence, EvidenceClip
from .limits import CLIP_NAMES, TINY, USE
from .names import is_control, is_rigify, rank_action_name
from .skin import Skin, bind_points, pose_heights
from .trees import Tree
from .twins import find_twins

_DIRECTIONS = np.array([d for d in itertools.product((-1.0, 0.0, 1.0), repeat=3) if any(d)])


@dataclass(frozen=True)
class PosedClip:
    """A clip as matrices.

    Attributes
    ----------
    name
        The action's name, or "" for the rest pose.
    rank
        How likely the name is locomotion, see `names.rank_action_name`.
    axes, heads
        Scaled axes (F, B, 3, 3) and heads (F, B, 3) in character space.
    scales
        Scales of the axes, shape (F, B).
    lows
        Height of each bone's lowest support point, infinite where the bone is not in use, (F, B).
    interval
        Seconds between frames.
    """

    name: str
    rank: int
    axes: FloatArray
    heads: FloatArray
    scales: FloatArray
    lows: FloatArray
    interval: float

    @property
    def frame_count(self) -> int:
        """Number of frames; the rest pose has one."""
        return len(self.heads)

    @property
    def is_rest(self) -> bool:
        """Whether this is the rest pose."""
        return self.name == ""

    def pick_frames(self, most: int) -> PosedClip:
        """At most so many frames, evenly spread, first and last included."""
        count = min(self.frame_count, most)
        frames = np.linspace(0, self.frame_count - 1, count).astype(np.intp)
        return PosedClip(
            self.name,
            self.rank,
            self.axes[frames],
            self.heads[frames],
            self.scales[frames],
            self.lows[frames],
            self.interval,
        )


@dataclass(frozen=True)
class Body:
    """Everything the search needs, bones in canonical order.

    Attributes
    ----------
    names, tree, deform, ik_links
        As in the evidence.
    heads, tails
        Rest heads and tails, shape (B, 3).
    has_mesh
        Whether weighted vertices are known.
    weights
        Vertex weight of each bone (without a mesh 1 for bones in use), shape (B,).
    used
        Bones that carry weight (without a mesh: marked deform), shape (B,), bool.
    used_below
        Bones with a used bone in their subtree (themselves included), shape (B,), bool.
    twins
        ``twins[a, b]`` where b may be the mirror image of a by structure, shape (B, B), bool.
    skin
        All weighted vertices.
    clips
        Sampled clips, best ranked first.
    rest
        The rest pose as a clip of one frame.
    size
        Height of the mesh (largest extent of the joints without one), metres.
    rigify
        Whether this is a generated Rigify rig.
    is_end
        Bones that the armature does not have: ends of shins, shape (B,), bool.
    """

    names: tuple[str, ...]
    tree: Tree
    deform: np.ndarray
    ik_links: tuple[tuple[int, int, int], ...]
    heads: FloatArray
    tails: FloatArray
    has_mesh: bool
    weights: FloatArray
    used: np.ndarray
    used_below: np.ndarray
    twins: np.ndarray
    skin: Skin
    clips: tuple[PosedClip, ...]
    rest: PosedClip
    size: float
    rigify: bool
    is_end: np.ndarray
    _shares: list[tuple[Tree, FloatArray]] = field(
        default_factory=list, init=False, repr=False, compare=False
    )

    def measure_shares(self, tree: Tree) -> FloatArray:
        """Share of all weight in the subtree of each bone, shape (B,)."""
        for known, shares in self._shares:
            if known is tree:
                return shares
        total = max(float(self.weights.sum()), TINY)
        self._shares.append((tree, (tree.below @ self.weights) / total))
        return self._shares[-1][1]

    def find_heavy(self, tree: Tree) -> np.ndarray:
        """Bones that carry the trunk, shape (B,), bool."""
        return self.measure_shares(tree) > USE.heavy_share

    def measure_segment(self, bone: int) -> float:
        """Rest distance to the nearest ancestor that does not coincide with ``bone``, metres."""
        for above in self.tree.find_ancestors(bone)[1:]:
            distance = float(np.linalg.norm(self.heads[bone] - self.heads[above]))
            if distance > USE.same_joint * self.size:
                return distance
        return self.size

    def measure_extent(self, bone: int) -> float:
        """Largest rest distance from ``bone`` to a used bone below it, metres."""
        below = self.tree.find_subtree(bone)
        below = below[self.used[below]]
        if not len(below):
            return 0.0
        return float(np.linalg.norm(self.heads[below] - self.heads[bone], axis=1).max())


def prepare_body(evidence: BodyEvidence) -> Body:
    """Prepare evidence for the search.

    Parameters
    ----------
    evidence
        In canonical order, see `evidence.find_canonical_order`.
    """
    skeleton = evidence.skeleton
    count = len(skeleton)
    quaternions, heads = compute_rest_poses(skeleton)
    axes = rot.matrices_from_quaternions(quaternions)
    weights = np.zeros(count)
    np.add.at(weights, evidence.vertex_bones, evidence.vertex_weights)
    has_mesh = bool(weights.sum() > 0)
    rigify = is_rigify(skeleton.names)
    if has_mesh:
        used = weights > max(USE.least_weight, USE.least_weight_share * float(weights.sum()))
    else:
        steers = np.array([is_control(name) for name in skeleton.names], dtype=bool)
        used = evidence.deform.astype(bool) & ~steers
        if rigify:
            used = used & np.array([name.startswith("DEF-") for name in skeleton.names])
        weights = used.astype(np.float64)
    tree = Tree(skeleton.parents)
    skin = bind_points(
        evidence.vertices, evidence.vertex_bones, evidence.vertex_weights, axes, heads
    )
    if evidence.keeps_volume is not None and evidence.keeps_volume.any():
        skin = replace(skin, keeps_volume=evidence.keeps_volume, binds=quaternions)
    supports = _find_supports(evidence, skin, tree, used, axes, heads, has_mesh)
    size = _measure_size(evidence, heads, used, has_mesh)
    ranked = sorted(evidence.clips, key=lambda clip: -rank_action_name(clip.name))
    rest = EvidenceClip("", quaternions[None], heads[None], np.ones((1, count)), 1.0)
    return Body(
        names=skeleton.names,
        tree=tree,
        deform=evidence.deform.astype(bool),
        ik_links=evidence.ik_links,
        heads=heads,
        tails=evidence.tails,
        has_mesh=has_mesh,
        weights=weights,
        used=used,
        used_below=np.any(tree.below & used, axis=1),
        twins=find_twins(tree, heads),
        skin=skin,
        clips=tuple(
            _pose_clip(clip, rank_action_name(clip.name), supports, used) for clip in ranked
        ),
        rest=_pose_clip(rest, CLIP_NAMES.rest_pose, supports, used),
        size=size,
        rigify=rigify,
        is_end=~skeleton.is_own,
    )


def _measure_size(
    evidence: BodyEvidence, heads: FloatArray, used: np.ndarray, has_mesh: bool
) -> float:
    """Height of the mesh, or the largest extent of the joints."""
    if has_mesh:
        weighted = evidence.vertices[evidence.vertex_weights.sum(axis=1) > 0]
        return max(float(np.ptp(weighted[:, 2])), TINY)
    joints = heads[used] if used.any() else heads
    return max(float(np.ptp(joints, axis=0).max()), TINY) if len(joints) else 1.0


def _find_supports(
    evidence: BodyEvidence,
    skin: Skin,
    tree: Tree,
    used: np.ndarray,
    axes: FloatArray,
    heads: FloatArray,
    has_mesh: bool,
) -> Skin:
    """Few points per bone that find its lowest point: extreme vertices, or head and leaf tail."""
    chosen: list[Skin] = []
    points: list[FloatArray] = []
    riders: list[int] = []
    weighted = evidence.vertex_weights.sum(axis=1) > 0
    for bone in np.flatnonzero(used):
        owned = (
            np.flatnonzero((skin.owners == bone) & weighted) if has_mesh else np.zeros(0, np.intp)
        )
        if len(owned):
            local = (evidence.vertices[owned] - heads[bone]) @ axes[bone]
            extremes = np.unique((local @ _DIRECTIONS.T).argmax(axis=0))
            chosen.append(skin.select(owned[extremes]))
            continue
        points.append(heads[bone])
        riders.append(int(bone))
        if not has_mesh and not any(used[child] for child in tree.children[bone]):
            parent = tree.parents[bone]
            segment = float(np.linalg.norm(heads[bone] - heads[parent])) if parent >= 0 else 0.0
            tail = float(np.linalg.norm(evidence.tails[bone] - heads[bone]))
            if USE.shortest_tail * segment < tail < USE.longest_tail * segment:
                points.append(evidence.tails[bone])
                riders.append(int(bone))
    if riders:
        bones = np.zeros((len(riders), 4), dtype=np.intp)
        bones[:, 0] = riders
        shares = np.zeros((len(riders), 4))
        shares[:, 0] = 1.0
        chosen.append(bind_points(np.array(points), bones, shares, axes, heads))
    if not chosen:
        return skin.select(np.zeros(0, dtype=np.intp))
    return Skin(
        np.concatenate([part.owners for part in chosen]),
        np.concatenate([part.bones for part in chosen]),
        np.concatenate([part.weights for part in chosen]),
        np.concatenate([part.offsets for part in chosen]),
    )


def _pose_clip(clip: EvidenceClip, rank: int, supports: Skin, used: np.ndarray) -> PosedClip:
    """Matrices and lowest heights of a clip."""
    axes = rot.matrices_from_quaternions(clip.rotations) * clip.axis_scales[..., None, None]
    heights = pose_heights(supports, axes, clip.positions)
    lows = np.full((len(axes), len(used)), np.inf)
    for bone in np.unique(supports.owners):
        lows[:, bone] = heights[:, supports.owners == bone].min(axis=1)
    return PosedClip(clip.name, rank, axes, clip.positions, clip.axis_scales, lows, clip.interval)
