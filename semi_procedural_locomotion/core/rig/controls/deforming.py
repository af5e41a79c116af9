# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The rig that the deforming bones of a control rig make among themselves (numpy only).

Between one deforming bone and the next, control rigs have helpers that lie where the deforming bones
lie. Without them and without the halves into which limbs are cut for twisting, the tree of bones is
that of an ordinary character.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import replace

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from ..skeleton import Skeleton
from ..structure import Leg, Rig, SolePoint
from .limits import DEFORMING


def reduce_rig(rig: Rig, deforming: Set[int], copied: Mapping[int, int]) -> Rig:
    """A rig of its deforming bones alone.

    Parameters
    ----------
    rig
        All bones.
    deforming
        Numbers of the bones that deform meshes.
    copied
        To bones, the bones that they copy wholly, by number.

    Returns
    -------
    Rig
        With the bones of the legs, the deforming bones but for twisting halves, and no others. Its
        body is the last bone above all legs.
    """
    skeleton = rig.skeleton
    rotations, heads = skeleton.rest_poses
    axes = rot.rotate(rotations, np.array([0.0, 1.0, 0.0]))
    legs = {bone for leg in rig.legs for bone in leg.bones}
    kept = sorted({bone for bone in deforming if bone not in legs} | legs)
    place = DEFORMING.same_place * rig.leg_length
    above = _find_parents(skeleton, kept, heads, axes, place, copied)
    kept = [bone for bone in kept if not _is_half(bone, above, heads, axes, place) or bone in legs]
    above = _find_parents(skeleton, kept, heads, axes, place, copied)
    order = _sort_parents_first(kept, above)
    number = {bone: index for index, bone in enumerate(order)}
    parents = np.array([number[above[bone]] if above[bone] >= 0 else -1 for bone in order])
    turned, places = rotations[order], heads[order]
    has_parent = (parents >= 0)[:, None]
    back = np.where(has_parent, rot.conjugate(turned[parents]), rot.IDENTITY)
    origins = np.where(has_parent, places[parents], 0.0)
    reduced = Skeleton(
        names=tuple(skeleton.names[bone] for bone in order),
        parents=parents,
        rest_rotations=rot.multiply(back, turned),
        rest_translations=rot.rotate(back, places - origins),
        ends=skeleton.select_ends(order),
    )
    return replace(
        rig,
        skeleton=reduced,
        legs=tuple(_renumber(leg, number, skeleton) for leg in rig.legs),
        body=_find_fork(reduced, [number[leg.joints[0]] for leg in rig.legs]),
    )


def _find_parents(
    skeleton: Skeleton,
    kept: list[int],
    heads: FloatArray,
    axes: FloatArray,
    place: float,
    copied: Mapping[int, int],
) -> dict[int, int]:
    """The kept bone above each, itself or lying where a helper above lies; -1 for none."""

    def climb(bone: int, path: Iterable[int]) -> int:
        for upper in path:
            twin = upper if upper in among else _find_twin(upper, kept, heads, axes, place)
            if twin >= 0 and not _is_above(found, bone, twin):
                return twin
        return -1

    among = set(kept)
    found: dict[int, int] = {}
    for bone in kept:
        found[bone] = climb(bone, skeleton.find_ancestors(bone)[1:])
    # Where all deforming bones hang from the trunk, the bones that they copy make the limbs.
    for bone in kept:
        if bone in copied:
            lower = climb(bone, skeleton.find_ancestors(copied[bone])[1:])
            if lower >= 0 and found[bone] >= 0 and _is_above(found, found[bone], lower):
                found[bone] = lower
    return found


def _find_twin(
    helper: int, kept: list[int], heads: FloatArray, axes: FloatArray, place: float
) -> int:
    """The kept bone that lies where a helper lies; -1 for none."""
    near = rot.lengths(heads[kept] - heads[helper]) < place
    near &= axes[kept] @ axes[helper] > DEFORMING.same_line
    return kept[int(np.argmax(near))] if near.any() else -1


def _is_above(found: dict[int, int], bone: int, other: int) -> bool:
    """Whether a bone is another one, or above it as far as that is known."""
    while other >= 0:
        if other == bone:
            return True
        other = found.get(other, -1)
    return False


def _is_half(
    bone: int, above: dict[int, int], heads: FloatArray, axes: FloatArray, place: float
) -> bool:
    """Whether a bone goes straight on from the one above and is followed where that would end."""
    upper = above[bone]
    if upper < 0 or axes[bone] @ axes[upper] < DEFORMING.same_line:
        return False
    way = heads[bone] - heads[upper]
    length = float(rot.lengths(way))
    if length < place or way @ axes[upper] < DEFORMING.same_line * length:
        return False
    ends = [heads[one] - heads[bone] for one, parent in above.items() if parent == bone]
    # Halves of a limb are of one length to the last digit; two bones of a spine are not.
    return any(float(rot.lengths(end - way)) < place for end in ends)


def _sort_parents_first(kept: list[int], above: dict[int, int]) -> list[int]:
    """Bones, those above first."""
    order: list[int] = []
    for bone in kept:
        path = []
        while bone >= 0 and bone not in order:
            path.append(bone)
            bone = above[bone]
        order += reversed(path)
    return order


def _renumber(leg: Leg, number: dict[int, int], skeleton: Skeleton) -> Leg:
    """A leg with the numbers of its bones in the reduced skeleton.

    Soles that ride on bones which are left out ride on the ankle.
    """
    rotations, heads = skeleton.rest_poses

    def carry(point: SolePoint) -> SolePoint:
        if point.bone in number:
            return replace(point, bone=number[point.bone])
        place = heads[point.bone] + rot.rotate(rotations[point.bone], point.offset)
        back = rot.conjugate(rotations[leg.ankle])
        return SolePoint(number[leg.ankle], rot.rotate(back, place - heads[leg.ankle]))

    return replace(
        leg,
        joints=tuple(number[bone] for bone in leg.joints),
        toe=None if leg.toe is None else number[leg.toe],
        heel=carry(leg.heel),
        ball=carry(leg.ball),
        toe_tip=carry(leg.toe_tip),
    )


def _find_fork(skeleton: Skeleton, hips: list[int]) -> int:
    """The last bone above all hips; a hip's own topmost bone where there is none."""
    paths = [skeleton.find_ancestors(hip)[1:] for hip in hips]
    common = set(paths[0]).intersection(*paths[1:])
    return next((bone for bone in paths[0] if bone in common), ([*paths[0], hips[0]])[0])
