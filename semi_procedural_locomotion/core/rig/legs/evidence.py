# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What legs are found from: bones, skinned vertices, constraints and sampled clips."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ....notes import Note
from ...maths.rotations import FloatArray
from ..skeleton import Skeleton
from ..structure import Rig


@dataclass(frozen=True)
class EvidenceClip:
    """Global poses of all bones at equal intervals.

    Attributes
    ----------
    name
        The action's name.
    rotations
        In character space, shape (F, B, 4).
    positions
        Bone heads in character space, metres, shape (F, B, 3).
    axis_scales
        Mean scale of each bone's axes relative to its rest pose, shape (F, B).
    interval
        Seconds between samples.
    """

    name: str
    rotations: FloatArray
    positions: FloatArray
    axis_scales: FloatArray
    interval: float

    def __post_init__(self) -> None:
        frames, bones = self.rotations.shape[:2]
        for field_name, shape in (
            ("rotations", (frames, bones, 4)),
            ("positions", (frames, bones, 3)),
            ("axis_scales", (frames, bones)),
        ):
            found = getattr(self, field_name).shape
            if found != shape:
                raise ValueError(f"{field_name} must have shape {shape}, got {found}")
        if frames < 1 or not self.interval > 0:
            raise ValueError("a clip needs at least one frame and a positive interval")


@dataclass(frozen=True, eq=False)
class BodyEvidence:
    """A character as far as its legs are concerned, in character space and metres.

    Attributes
    ----------
    skeleton
        The bones, B of them.
    tails
        Rest tails of the bones, shape (B, 3).
    deform
        Which bones are marked to deform meshes, shape (B,), bool.
    vertices
        Rest positions of skinned vertices, shape (V, 3); V may be 0.
    vertex_bones
        The bones that move each vertex, shape (V, 4), int; unused places hold any index.
    vertex_weights
        Their weights, shape (V, 4); unused places hold 0. A bone appears once per vertex.
    keeps_volume
        Which vertices are of meshes with *Preserve Volume*, blended by dual quaternions, shape (V,) of
        bool; None for none.
    clips
        Sampled actions, the best named first.
    ik_links
        (constrained bone, target bone, chain length) of every active IK constraint whose target is
        a bone of this skeleton; chain length 0 is the whole chain.
    """

    skeleton: Skeleton
    tails: FloatArray
    deform: np.ndarray
    vertices: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))
    vertex_bones: np.ndarray = field(default_factory=lambda: np.zeros((0, 4), dtype=np.intp))
    vertex_weights: FloatArray = field(default_factory=lambda: np.zeros((0, 4)))
    keeps_volume: np.ndarray | None = None
    clips: tuple[EvidenceClip, ...] = ()
    ik_links: tuple[tuple[int, int, int], ...] = ()

    def __post_init__(self) -> None:
        bones, count = len(self.skeleton), len(self.vertices)
        for field_name, shape in (
            ("tails", (bones, 3)),
            ("deform", (bones,)),
            ("vertices", (count, 3)),
            ("vertex_bones", (count, 4)),
            ("vertex_weights", (count, 4)),
        ):
            found = np.shape(getattr(self, field_name))
            if found != shape:
                raise ValueError(f"{field_name} must have shape {shape}, got {found}")
        for clip in self.clips:
            if clip.rotations.shape[1] != bones:
                raise ValueError(
                    f"clip {clip.name!r} must hold {bones} bones, got {clip.rotations.shape[1]}"
                )


@dataclass(frozen=True)
class LegChoice:
    """A leg named by a user or a job.

    Attributes
    ----------
    bones
        Names of the joints from hip to ankle, two or more.
    toe
        Name of the toe bone or None.
    name
        Name of the leg or None to have one given.
    """

    bones: tuple[str, ...]
    toe: str | None = None
    name: str | None = None


@dataclass(frozen=True)
class RigFindings:
    """What was found, and how sure it is.

    Attributes
    ----------
    rig
        The rig, or None where no walking legs were found.
    confidence
        0 to 1; 0.75 and more can be taken as it is, below 0.5 the rig should be refused
        (docs/method/legs.md, Confidence).
    doubts
        Why the confidence is not 1, and what else to mind.
    refusal
        Why nothing was found, in words; empty where something was.
    nameable
        Whether legs that are named by hand would cure that.
    candidates
        Limbs that stand on the ground, in words, for one who has to name the legs.
    clip_used
        Name of the clip that decided, or None for the rest pose.
    yaw_offset
        Forward of that clip against the rest pose's, radians, counter-clockwise seen from above.
    clip_ground_height
        Height of the ground under that clip, metres.
    forward_evidence
        Log-odds of each kind of evidence for the forward that was found, see `direction.Told`.
    """

    rig: Rig | None
    confidence: float
    doubts: tuple[Note, ...] = ()
    refusal: str = ""
    nameable: bool = False
    candidates: str = ""
    clip_used: str | None = None
    yaw_offset: float = 0.0
    clip_ground_height: float = 0.0
    forward_evidence: Mapping[str, float] = field(default_factory=dict)


def find_canonical_order(skeleton: Skeleton) -> np.ndarray:
    """Indices of the bones sorted by depth and name, parents first, shape (B,).

    Working in this order makes results independent of the order in which bones were made.
    """
    depths: list[int] = []
    for parent in skeleton.parents:
        depths.append(0 if parent < 0 else depths[int(parent)] + 1)
    order = sorted(range(len(skeleton)), key=lambda bone: (depths[bone], skeleton.names[bone]))
    return np.array(order, dtype=np.intp)


def reorder_evidence(evidence: BodyEvidence, order: np.ndarray) -> BodyEvidence:
    """The same evidence with its bones in another order.

    Parameters
    ----------
    evidence
        Any evidence.
    order
        Old index of each new bone, parents first, shape (B,).
    """
    skeleton = evidence.skeleton
    new_index = np.empty(len(order) + 1, dtype=np.intp)
    new_index[order] = np.arange(len(order))
    new_index[-1] = -1  # the parent of parentless bones
    own = skeleton.own_parents
    return replace(
        evidence,
        skeleton=replace(
            skeleton,
            own_parents=None if own is None else new_index[own[order]],
            names=tuple(skeleton.names[bone] for bone in order),
            parents=new_index[skeleton.parents[order]],
            rest_rotations=skeleton.rest_rotations[order],
            rest_translations=skeleton.rest_translations[order],
        ),
        tails=evidence.tails[order],
        deform=evidence.deform[order],
        vertex_bones=new_index[evidence.vertex_bones],
        clips=tuple(
            replace(
                clip,
                rotations=clip.rotations[:, order],
                positions=clip.positions[:, order],
                axis_scales=clip.axis_scales[:, order],
            )
            for clip in evidence.clips
        ),
        ik_links=tuple(
            (int(new_index[bone]), int(new_index[target]), length)
            for bone, target, length in evidence.ik_links
        ),
    )
