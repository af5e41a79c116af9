# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What carries a body and stays upright while that tilts (docs/method/keys.md, Upright root bones)."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..pose import BodyOffset, PoseArray
from ..rig.skeleton import Skeleton, compute_global_poses

# Rounding of orientations that turn about up alone.
_UPRIGHT = 1e-9


def set_root_upright(poses: PoseArray, skeleton: Skeleton, root: int) -> PoseArray:
    """Poses whose root bone turns by the heading alone, and whose other bones are where they were.

    Parameters
    ----------
    poses
        Local poses of all bones.
    skeleton
        The bones.
    root
        Index of the root bone; its head stays where it is.
    """
    turns, _ = compute_global_poses(skeleton, poses.rotations, poses.translations, poses.scales)
    shown = rot.multiply(poses.orientations, turns[:, root])
    rest = skeleton.rest_poses[0][root]
    turned = rot.multiply(shown, rot.conjugate(rest))
    wanted = rot.multiply(_find_headings(turned), rest)
    # What the root bone no longer turns, the bones on it do.
    left = rot.multiply(rot.conjugate(wanted), shown)
    rotations, translations = poses.rotations.copy(), poses.translations.copy()
    rotations[:, root] = rot.multiply(poses.rotations[:, root], rot.conjugate(left))
    rotated, moved = poses.rotated.copy(), poses.moved.copy()
    for bone in np.flatnonzero(skeleton.parents == root):
        rotations[:, bone] = rot.multiply(left, poses.rotations[:, bone])
        translations[:, bone] = rot.rotate(left, poses.translations[:, bone])
        rotated[bone] = moved[bone] = True
    return replace(
        poses, rotations=rotations, translations=translations, rotated=rotated, moved=moved
    )


def set_character_upright(
    poses: PoseArray, skeleton: Skeleton, body: int, unmoved: Set[int]
) -> PoseArray:
    """Poses whose character turns by the heading alone, with all that its walk poses where it was.

    The character stands under the bone that carries the hips, which keeps its place in character space.
    The bones above that stay as they are, and stand upright with the character.

    Parameters
    ----------
    poses
        Local poses of all B bones.
    skeleton
        The bones.
    body
        Index of the bone that carries the hips.
    unmoved
        Indices of bones that cannot be moved against their parents. Where one of them would have to be,
        the character tilts as before.
    """
    if not np.any(np.abs(poses.orientations[:, 1:3]) > _UPRIGHT):
        return poses
    above = set(skeleton.find_ancestors(body)[1:])
    played = poses.rotated | poses.moved | poses.scaled | poses.owned
    tops = [
        bone
        for bone, parent in enumerate(skeleton.parents.tolist())
        if bone not in above and (parent < 0 or parent in above)
    ]
    # What the walk does not pose follows others by constraints, or stands upright with the character.
    keyed = {body, *(b for b in tops if np.any(played[skeleton.find_descendants(b)]))}
    if unmoved & (keyed - {body}):
        return poses
    turns, heads = compute_global_poses(skeleton, poses.rotations, poses.translations, poses.scales)
    headings = _find_headings(poses.orientations)
    tilts = rot.multiply(rot.conjugate(headings), poses.orientations)
    carrier = heads[:, body]
    positions = poses.positions + rot.rotate(poses.orientations, carrier)
    positions = positions - rot.rotate(headings, carrier)
    rotations, translations = poses.rotations.copy(), poses.translations.copy()
    rotated, moved, offset = poses.rotated.copy(), poses.moved.copy(), poses.offset
    for bone in tops:
        parent = int(skeleton.parents[bone])
        tilted = rot.rotate(tilts, heads[:, bone] - carrier) + carrier - heads[:, bone]
        turn = tilts
        if parent >= 0:
            turn = rot.multiply(
                rot.conjugate(turns[:, parent]), rot.multiply(tilts, turns[:, parent])
            )
            tilted = rot.rotate(rot.conjugate(turns[:, parent]), tilted)
        rotations[:, bone] = rot.multiply(turn, rotations[:, bone])
        rotated[bone] |= bone in keyed
        if bone != body:
            # A body that is scaled carries its bones by as much.
            carriers = skeleton.find_ancestors(bone)[1:]
            sizes = np.prod(poses.scales[:, carriers].mean(axis=-1), axis=1)
            translations[:, bone] += tilted / sizes[:, None]
            moved[bone] |= bone in keyed
        elif offset is not None:
            # The motions are turned with the body, and it is offset as much against them.
            moves = rot.multiply(rot.multiply(turn, offset.rotations), rot.conjugate(turn))
            offset = BodyOffset(moves, rot.rotate(turn, offset.translations))
    return replace(
        poses,
        positions=positions,
        orientations=headings,
        rotations=rotations,
        translations=translations,
        rotated=rotated,
        moved=moved,
        offset=offset,
    )


def _find_headings(rotations: FloatArray) -> FloatArray:
    """The parts of rotations (N, 4) that turn about up, continuous over time, shape (N, 4)."""
    return rot.quaternions_from_yaws(np.unwrap(2.0 * np.arctan2(rotations[:, 3], rotations[:, 0])))
