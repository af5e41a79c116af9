# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake keys beside poses: influences of constraints that would overrule it, and switches of rigs.

The walk's motions are sampled with the constraints of the rig, and its plan has the bones as they
shall be seen. So constraints on the bones of legs, and on those that carry them, must not act on
the keys again. What poses the other bones on the body by bones of the same rig must not either: the
body would move on without them. Influences are keyed and nothing else of the constraints is touched,
so that taking the bake away gives all of it back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

import bpy
import numpy as np

from ...core.maths.rotations import FloatArray
from ...core.pose import PoseArray
from ...core.rig.structure import Rig
from ...errors import BakeError
from ...notes import Note, NoteKind, make_note
from .. import versions
from ..values.bake_record import INFLUENCE, ChannelKey, find_base_action
from ..values.components import is_whole, read_component
from ..values.constraints import list_targets
from ..values.curves import build_bone_path, evaluate_curve, split_bone_path
from ..values.evaluation import list_outer_drivers
from .channels import ChannelValues

# These move several bones up their chain; all other constraints act on their own bone alone.
_ON_CHAINS = {"IK", "SPLINE_IK"}
# Beside the legs, what reaches for something or looks at it goes on, for it is seen from anywhere.
_REACHING = {*_ON_CHAINS, "DAMPED_TRACK", "TRACK_TO", "LOCKED_TRACK", "STRETCH_TO"}
# These leave a bone where another one is, so they tear it off a body that the walk moves.
_PLACING = {"COPY_TRANSFORMS", "COPY_LOCATION", "CHILD_OF", "ARMATURE"}


def list_leg_bones(rig: Rig) -> tuple[str, ...]:
    """Names of the bones of all legs."""
    names, own = rig.skeleton.names, rig.skeleton.is_own
    return tuple(dict.fromkeys(names[b] for leg in rig.legs for b in leg.bones if own[b]))


def list_acting_constraints(
    armature: bpy.types.Object,
) -> list[tuple[bpy.types.PoseBone, bpy.types.Constraint]]:
    """All constraints of bones that are not muted for good, with their bones; influences do not count."""
    animated = _list_animated(armature)
    found = []
    for bone in armature.pose.bones:
        for constraint in bone.constraints:
            stem = build_bone_path(bone.name, _name_influence(constraint)).removesuffix(INFLUENCE)
            if not constraint.mute or {f"{stem}.mute", f"{stem}.enabled"} & animated:
                found.append((bone, constraint))
    return found


def compute_influences(
    armature: bpy.types.Object,
    leg_bones: Sequence[str],
    body: str,
    keyed: Set[str],
    frames: FloatArray,
    under: Sequence[bpy.types.FCurve],
    known: Mapping[ChannelKey, float],
    weights: FloatArray,
) -> list[ChannelValues]:
    """Influences of the constraints that would overrule a walk.

    Parameters
    ----------
    armature
        The character's object.
    leg_bones
        Names of the bones of its legs.
    body
        Name of the bone that carries its hips.
    keyed
        Names of all bones that the walk keys.
    frames
        Scene frames of the walk, shape (N,).
    under
        Curves of the animation under the bake.
    known
        What properties were that an earlier bake keys.
    weights
        Share of the walk at each frame, shape (N,).

    Returns
    -------
    list of ChannelValues
        Without those that cannot be keyed, see `note_constraints`, and those at 0 anyway.
    """
    below = {c.data_path: c for c in under if not c.mute}
    held = _find_held(armature)
    found = []
    for bone, constraint in (
        *_find_overruling(armature, leg_bones),
        *_find_copying(armature, leg_bones, body, keyed),
    ):
        name = _name_influence(constraint)
        path = build_bone_path(bone.name, name)
        curve, own = below.get(path), known.get((path, 0), constraint.influence)
        if path in held or (curve is None and not own):
            continue
        values = np.clip(_evaluate_under(curve, own, frames), 0.0, 1.0) * (1.0 - weights)
        found.append(ChannelValues(bone.name, name, values[:, None]))
    return found


def compute_switches(
    armature: bpy.types.Object,
    poses: PoseArray,
    frames: FloatArray,
    under: Sequence[bpy.types.FCurve],
    known: Mapping[ChannelKey, float],
    weights: FloatArray,
    taken: Set[str],
) -> list[ChannelValues]:
    """Channels of all properties that the motions of a walk key.

    A clip is made for a state of its rig, such as IK or FK, and it is seen right in that state alone. So
    the bake keys what the clips key, blended like their poses.

    Parameters
    ----------
    armature, frames, under, known, weights
        As of `compute_influences`.
    poses
        The walk at N frames.
    taken
        Data paths that the bake writes otherwise.

    Returns
    -------
    list of ChannelValues
        Without those that the armature does not have.
    """
    below = {(c.data_path, c.array_index): c for c in under if not c.mute}
    found = []
    for key, blended in poses.properties.items():
        path, index = key
        present = known.get(key, read_component(armature, key))
        if present is None or path in taken:
            continue
        curve = below.get(key)
        before = _evaluate_under(curve, present, frames)
        values = blended.fill(present)
        if is_whole(armature, path):
            values = np.where(weights >= 0.5, np.round(values), before)
        else:
            values = before + (values - before) * weights
        bone, name = split_bone_path(path)
        column = np.full((len(frames), index + 1), np.nan)
        column[:, index] = values
        found.append(ChannelValues(bone, name, column))
    return found


def list_switched_bones(
    armature: bpy.types.Object, leg_bones: Sequence[str], body: str
) -> set[str]:
    """Names of the bones that constraints move which a bake of the legs and the body switches off."""
    keyed = {*leg_bones, body}
    return {
        name
        for bone, constraint in (
            *_find_overruling(armature, leg_bones),
            *_find_copying(armature, leg_bones, body, keyed),
        )
        for name in list_moved_bones(bone, constraint)
    }


def note_constraints(armature: bpy.types.Object, rig: Rig, switched: Set[str]) -> list[Note]:
    """Notes of constraints that move legs against the keys of a bake and cannot be switched off.

    Parameters
    ----------
    armature, rig
        The character.
    switched
        Data paths of what the walk keys besides transforms. Drivers that follow it are as the clips
        have them.
    """
    held = _find_held(armature, switched)
    return [
        make_note(
            NoteKind.CONSTRAINT_ACTS, case=held[path], bone=bone.name, constraint=constraint.name
        )
        for bone, constraint in _find_overruling(armature, list_leg_bones(rig))
        if (path := build_bone_path(bone.name, _name_influence(constraint))) in held
        and constraint.influence > 0
    ]


def check_carrying(armature: bpy.types.Object, leg_bones: Sequence[str], output_to: str) -> None:
    """Check that what carries a bone along a travel can leave it to a bake of that travel.

    Parameters
    ----------
    armature
        The character's object, whose travel is that of a bone.
    leg_bones
        Names of the bones of its legs.
    output_to
        What the bake writes the travel to, as in `BakeOptions`.

    Raises
    ------
    BakeError
        The body would be moved twice.
    """
    carriers = _find_carriers(armature, leg_bones) - set(leg_bones)
    held = _find_held(armature)
    for bone, constraint in list_acting_constraints(armature):
        path = build_bone_path(bone.name, _name_influence(constraint))
        if bone.name in carriers and path in held and _aims_outside(armature, constraint):
            raise BakeError(
                f"the constraint {constraint.name!r} of the bone {bone.name!r} would move the body "
                "again after the walk, for its influence is driven or its curve locked: free it, or "
                "apply the constraint (Pose > Animation > Bake Action)"
            )
    driven = list_outer_drivers(armature, carriers) if output_to == "object" else []
    if driven:
        raise BakeError(
            f"a driver moves {driven[0].data_path} and would move the body again after the walk",
            "set Write To to Root Bone, or turn the driver into keys (Pose > Animation > Bake Action)",
            'take `output_to = "bone"`, or turn the driver into keys (Pose > Animation > Bake Action)',
        )


def list_moved_bones(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> list[str]:
    """Names of the bones that a constraint moves."""
    if constraint.type not in _ON_CHAINS:
        return [bone.name]
    chain = [b.name for b in (bone, *bone.parent_recursive)]
    first = int(constraint.type == "IK" and not constraint.use_tail)
    return chain[first : first + constraint.chain_count if constraint.chain_count else None]


def _find_overruling(
    armature: bpy.types.Object, leg_bones: Sequence[str]
) -> Iterator[tuple[bpy.types.PoseBone, bpy.types.Constraint]]:
    """Constraints that act on bones of legs or on those that carry them, with their bones."""
    ruled = _find_carriers(armature, leg_bones)
    for bone, constraint in list_acting_constraints(armature):
        if ruled.intersection(list_moved_bones(bone, constraint)):
            yield bone, constraint


def _find_copying(
    armature: bpy.types.Object, leg_bones: Sequence[str], body: str, keyed: Set[str]
) -> Iterator[tuple[bpy.types.PoseBone, bpy.types.Constraint]]:
    """Constraints inside the armature that pose the other bones on body and legs again."""
    carriers = _find_carriers(armature, leg_bones)
    carrying = {*leg_bones, body}
    for bone, constraint in list_acting_constraints(armature):
        if bone.name in carriers or carrying.isdisjoint(b.name for b in bone.parent_recursive):
            continue
        copies = constraint.type in _PLACING or bone.name in keyed
        if copies and constraint.type not in _REACHING and not _aims_outside(armature, constraint):
            yield bone, constraint


def _find_carriers(armature: bpy.types.Object, leg_bones: Sequence[str]) -> set[str]:
    """Names of the bones of legs and of all above them."""
    bones = armature.pose.bones
    chosen = [bones[name] for name in leg_bones if name in bones]
    return {b.name for bone in chosen for b in (bone, *bone.parent_recursive)}


def _aims_outside(armature: bpy.types.Object, constraint: bpy.types.Constraint) -> bool:
    """Whether a constraint follows another object."""
    return any(target != armature for target in list_targets(constraint))


def _find_held(armature: bpy.types.Object, switched: Set[str] = frozenset()) -> dict[str, str]:
    """Why a bake leaves influences alone, by path; not those that follow switches."""
    held = {}
    action, slot = find_base_action(armature)
    for curve in () if action is None else versions.get_curves(action, slot):
        if curve.lock and curve.data_path.endswith(INFLUENCE):
            held[curve.data_path] = "locked"
    for curve in () if armature.animation_data is None else armature.animation_data.drivers:
        followed = {t.data_path for v in curve.driver.variables for t in v.targets}
        if curve.data_path.endswith(INFLUENCE) and not followed & switched:
            held[curve.data_path] = "driven"
    if armature.pose.ik_solver == "ITASC":
        for bone in armature.pose.bones:
            for constraint in bone.constraints:
                if constraint.type == "IK":
                    held[build_bone_path(bone.name, _name_influence(constraint))] = "unheeded"
    return held


def _list_animated(armature: bpy.types.Object) -> set[str]:
    """Data paths of everything that curves or drivers of an object move without its bake."""
    action, slot = find_base_action(armature)
    curves = [] if action is None else list(versions.get_curves(action, slot))
    data = armature.animation_data
    return {c.data_path for c in (*curves, *(() if data is None else data.drivers))}


def _name_influence(constraint: bpy.types.Constraint) -> str:
    """Data path of a constraint's influence from its bone."""
    return f'constraints["{bpy.utils.escape_identifier(constraint.name)}"]{INFLUENCE}'


def _evaluate_under(curve: bpy.types.FCurve | None, own: float, frames: FloatArray) -> FloatArray:
    """A value without the bake at frames, shape (N,)."""
    if curve is None or not len(curve.keyframe_points):
        return np.full(len(frames), own)
    return evaluate_curve(curve, frames)
