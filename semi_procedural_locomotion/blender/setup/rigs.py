# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A character's legs kept on its armature object and read back."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import bpy
import numpy as np

from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ...core.rig.centring import centre_rig
from ...core.rig.skeleton import Skeleton, compute_rest_poses
from ...core.rig.sole_edits import SOLE_POINTS, SoleEdit, edit_soles
from ...core.rig.structure import Leg, Rig, SolePoint
from ...errors import RigError
from ...notes import notes_from_text, text_from_notes
from ..limits import SET_UP
from ..reading.foot_skins import keep_foot_skins, read_foot_skins
from ..values.joint_limits import is_aimed, read_joint_limits
from ..values.schema import name_unfit, read_kept
from .hulls import hull_from_text, text_from_hull
from .values import clear_entries


def write_rig(armature: bpy.types.Object, rig: Rig) -> None:
    """Keep a measured rig on its armature object, in place of what was there.

    Soles that the user has set stay with their feet. Doubts are kept without words.
    """
    character = armature.locomotion
    names = rig.skeleton.names
    edits = read_sole_edits(armature, rig)
    clear_entries(character, "held")
    for bone in rig.skeleton.held:
        held = character.held.add()
        held.name, held.location = bone.name, bone.location
        held.rotation, held.scale = bone.rotation, bone.scale
    clear_entries(character, "legs")
    for leg in rig.legs:
        entry = character.legs.add()
        entry.name, entry.side = leg.name, leg.side or "NONE"
        ends = {names.index(end.name): end for end in rig.skeleton.ends}
        for joint in leg.joints:
            if joint not in ends:
                entry.bones.add().name = names[joint]
        if leg.ankle in ends:
            entry.end, entry.end_offset = ends[leg.ankle].name, ends[leg.ankle].offset
        entry.toe = "" if leg.toe is None else names[leg.toe]
        entry.measured_bones = name_bones(entry)
        entry.control = leg.control or ""
        entry.hinge = leg.hinge
        entry.partner = -1 if leg.partner is None else leg.partner
        entry.is_detached = leg.detached
        entry.confidence, entry.notes = leg.confidence, text_from_notes(leg.doubts)
    _write_measures(armature, rig, edits)
    character.body = names[rig.body]
    character.forward = _turn(rig.forward, -_find_heading(rig.skeleton))
    character.confidence, character.notes = rig.confidence, text_from_notes(rig.doubts)
    character.reasons = ""
    if character.root not in armature.data.bones:
        character.root = ""
    character.root = find_root_bone(armature)
    _make_groups(character)


def write_measures(
    armature: bpy.types.Object, rig: Rig, span: tuple[float, float] | None = None
) -> None:
    """Keep what was measured anew of a rig whose legs are those that are kept, in the same order.

    Soles that the user has set stay.

    Parameters
    ----------
    armature
        A set-up character.
    rig
        As measured.
    span
        First and last frame for which its meshes were looked at; None for those of the scene.
    """
    _write_measures(armature, rig, read_sole_edits(armature, rig), span)


def _write_measures(
    armature: bpy.types.Object,
    rig: Rig,
    edits: Mapping[int, SoleEdit],
    span: tuple[float, float] | None = None,
) -> None:
    """Keep soles, lengths, hulls and undersides, with what they were measured on."""
    character = armature.locomotion
    names, scale = rig.skeleton.names, rig.skeleton.object_scale
    for entry, leg, foot_length, ball_share in zip(
        character.legs, rig.legs, rig.foot_lengths, rig.ball_shares, strict=True
    ):
        for point_name in SOLE_POINTS:
            point, kept = getattr(leg, point_name), getattr(entry, point_name)
            kept.bone = kept.found_bone = names[point.bone]
            kept.offset = kept.found_offset = point.offset / scale
        entry.length = leg.length / scale
        entry.sole_width = entry.found_width = leg.sole_width / scale
        entry.foot_length, entry.ball_share = foot_length / scale, ball_share
        entry.girths = " ".join(f"{girth / scale:.9g}" for girth in leg.girths)
        entry.hull = text_from_hull(leg.hull, names, scale)
    for number, edit in edits.items():
        _write_sole_edit(character.legs[number], edit, names, scale)
    character.belly = rig.belly / scale
    character.underside = " ".join(f"{length / scale:.9g}" for length in rig.underside.flat)
    character.ground_height = rig.ground_height / scale
    keep_foot_skins(armature, read_foot_skins(armature, rig.skeleton, span))


def read_rig(armature: bpy.types.Object, skeleton: Skeleton) -> Rig:
    """The rig kept on an armature object.

    Parameters
    ----------
    armature
        A set-up character.
    skeleton
        As `read_skeleton` gives it now; gives lengths and scale.

    Raises
    ------
    RigError
        Where nothing is set up or a bone is gone.
    """
    character = armature.locomotion
    if not len(character.legs):
        raise RigError(
            f"{armature.name!r} has no legs set up",
            "press Set Up first",
            "set it up in Blender, or bake a job",
        )
    unfit = name_unfit(character)
    if unfit:
        raise RigError(
            f"the set-up of {armature.name!r} holds no usable value in {unfit!r}",
            "set it anew, or reset it to its default, or press Set Up Again",
            "set it anew in the file",
        )
    index = {name: bone for bone, name in enumerate(skeleton.names)}

    def find(name: str, what: str) -> int:
        if not name:
            raise RigError(
                f"{what} of {armature.name!r} has no bone chosen",
                "choose one or press Set Up Again",
                "name its `legs` and `body` in a job",
            )
        if name not in index:
            raise RigError(
                f"{what} of {armature.name!r} names the bone {name!r}, which it does not have",
                "choose another bone or press Set Up Again",
                "name its `legs` and `body` in a job",
            )
        return index[name]

    scale = skeleton.object_scale
    legs = tuple(
        _look_at_leg(armature, _read_leg(entry, skeleton, find), skeleton)
        for entry in character.legs
    )
    for entry in character.legs:
        if not is_measured(entry):
            raise RigError(
                f"bones of leg {entry.name!r} of {armature.name!r} were changed",
                "press Measure Legs",
                "name its `legs` in a job",
            )
    measured = Rig(
        skeleton=skeleton,
        legs=legs,
        forward=read_forward(armature, skeleton),
        body=find(character.body, "the body"),
        ground_height=character.ground_height * scale,
        belly=character.belly * scale,
        underside=scale * _read_lengths(armature, "underside", character.underside).reshape(-1, 3),
        foot_lengths=np.array([entry.foot_length * scale for entry in character.legs]),
        ball_shares=np.array([entry.ball_share for entry in character.legs]),
        confidence=character.confidence,
        doubts=notes_from_text(character.notes, character.reasons),
    )
    return centre_rig(edit_soles(measured, read_sole_edits(armature, measured)))


def read_sole_edits(armature: bpy.types.Object, rig: Rig) -> dict[int, SoleEdit]:
    """Soles that the user has set, by the number of the leg of a rig with the same foot.

    Parameters
    ----------
    armature
        A character; nothing is set where it is not set up.
    rig
        Gives bones, legs and scale.

    Raises
    ------
    RigError
        A point of a sole names a bone that is gone.
    """
    names, scale = rig.skeleton.names, rig.skeleton.object_scale
    numbers = {names[leg.ankle]: number for number, leg in enumerate(rig.legs)}
    edits = {}
    for entry in armature.locomotion.legs:
        number = numbers.get(_list_joints(entry)[-1]) if len(entry.bones) else None
        if number is None or not entry.has_edited_sole:
            continue
        points = {}
        for point_name in SOLE_POINTS:
            point = getattr(entry, point_name)
            if not point.is_edited or name_unfit(point):
                continue
            if point.bone not in names:
                raise RigError(
                    f"the sole of leg {entry.name!r} of {armature.name!r} names the bone "
                    f"{point.bone!r}, which it does not have",
                    "choose another bone or press Reset Sole",
                    "name its `legs` in a job",
                )
            offset = np.array(point.offset, dtype=np.float64) * scale
            points[point_name] = SolePoint(names.index(point.bone), offset)
        is_wide = entry.has_edited_width and np.isfinite(entry.sole_width)
        width = entry.sole_width * scale if is_wide else None
        edits[number] = SoleEdit(points, width)
    return edits


def replace_sole_edit(armature: bpy.types.Object, number: int, edit: SoleEdit, rig: Rig) -> None:
    """Keep what is set of the sole of a leg, by its number, in place of what was set before."""
    entry = armature.locomotion.legs[number]
    entry.reset_sole()
    _write_sole_edit(entry, edit, rig.skeleton.names, rig.skeleton.object_scale)


def _write_sole_edit(
    entry: bpy.types.PropertyGroup, edit: SoleEdit, names: Sequence[str], scale: float
) -> None:
    """Keep what the user has set of a sole beside what was measured."""
    for point_name, point in edit.points.items():
        kept = getattr(entry, point_name)
        kept.bone, kept.offset = names[point.bone], point.offset / scale
    if edit.width is not None:
        entry.sole_width = edit.width / scale


def read_forward(armature: bpy.types.Object, skeleton: Skeleton) -> FloatArray:
    """World x, y that a set-up character faces, a unit vector, shape (2,).

    Raises
    ------
    RigError
        Where no direction is set.
    """
    forward = np.array(armature.locomotion.forward, dtype=np.float64)
    size = float(np.hypot(*forward))
    if not size > 0:
        raise RigError(
            f"{armature.name!r} has no forward direction", "set Forward", "give `forward`"
        )
    return _turn(forward / size, _find_heading(skeleton))


def find_front(armature: bpy.types.Object) -> FloatArray:
    """World x, y that a set-up character faces as its object stands now, a unit vector, (2,)."""
    x, y = armature.locomotion.forward
    _, turn, _ = armature.matrix_world.decompose()
    size = float(np.hypot(x, y)) or 1.0
    return _turn(np.array([x, y]) / size, 2.0 * float(np.arctan2(turn.z, turn.w)))


def find_root_bone(armature: bpy.types.Object) -> str:
    """Name of the bone that carries a set-up character: the chosen one, or the topmost above its body.

    Empty where there is none.
    """
    character = armature.locomotion
    if character.root:
        return str(character.root)
    body = armature.data.bones.get(character.body)
    above = body.parent_recursive if body is not None else []
    return str(above[-1].name) if above else ""


def find_leg_length(armature: bpy.types.Object) -> float:
    """Length of the longest leg of a set-up character, armature units."""
    bones = armature.data.bones
    lengths = [0.0]
    for leg in armature.locomotion.legs:
        heads = [bones[bone.name].head_local for bone in leg.bones if bone.name in bones]
        chain = sum((b - a).length for a, b in itertools.pairwise(heads))
        lengths.append(leg.length or chain)
    return max(lengths)


def _list_joints(entry: bpy.types.PropertyGroup) -> list[str]:
    """Names of a leg's bones from the hip to the ankle, the end that it stands on included."""
    return [*(bone.name for bone in entry.bones), *([entry.end] if entry.end else [])]


def name_bones(entry: bpy.types.PropertyGroup) -> str:
    """The bones of a leg's properties in one text, to tell whether they have changed."""
    return "\n".join([*(bone.name for bone in entry.bones), entry.toe])


def is_measured(entry: bpy.types.PropertyGroup) -> bool:
    """Whether soles and lengths of a leg belong to the bones that it names now."""
    return not entry.measured_bones or entry.measured_bones == name_bones(entry)


def fingerprint_rig(rig: Rig) -> str:
    """A text that changes when bones, legs, soles or forward do, not with the object's place.

    Key of stored analyses.
    """
    skeleton, scale = rig.skeleton, rig.skeleton.object_scale
    digest = hashlib.blake2b(digest_size=8)
    digest.update(repr((skeleton.names, skeleton.parents.tolist())).encode())
    roots = skeleton.parents < 0
    undo = np.where(roots[:, None], rot.conjugate(skeleton.object_rotation), rot.IDENTITY)
    rotations = rot.multiply(undo, skeleton.rest_rotations)
    rotations = rotations * np.where(rotations[:, :1] < 0, -1.0, 1.0)
    values = [rot.rotate(undo, skeleton.rest_translations).ravel() / scale, rotations.ravel()]
    values += [_turn(rig.forward, -_find_heading(skeleton)), [rig.ground_height / scale]]
    for leg in rig.legs:
        chain = (leg.joints, leg.toe, leg.control, [point.bone for point in leg.soles])
        digest.update(repr(chain).encode())
        values += [point.offset / scale for point in leg.soles]
    rounded = np.round(np.concatenate(values), SET_UP.fingerprint_digits) + 0.0
    digest.update(rounded.tobytes())
    return digest.hexdigest()


def _find_heading(skeleton: Skeleton) -> float:
    """Turn of the object about up, radians.

    The direction to the front is kept without it, so that it stays right when the object turns.
    """
    w, _, _, z = skeleton.object_rotation
    return float(2.0 * np.arctan2(z, w))


def _turn(direction: FloatArray, angle: float) -> FloatArray:
    """A horizontal vector (2,) turned about up."""
    cosine, sine = np.cos(angle), np.sin(angle)
    x, y = direction
    return np.array([cosine * x - sine * y, sine * x + cosine * y])


def _make_groups(character: bpy.types.PropertyGroup) -> None:
    """Make the nested groups exist in the file.

    From 5.0 on, Blender drops what an override sets in a group that its library does not hold.
    """
    for group, name in (
        (character.ground, "source"),
        (character.travel, "source"),
        (character.settings, "lock_feet"),
        (character.report, "worst_frame"),
        (character.controls, "is_probed"),
        (character.controls.body, "bone"),
        (character.controls.root, "bone"),
    ):
        setattr(group, name, getattr(group, name))


def _read_leg(
    entry: bpy.types.PropertyGroup, skeleton: Skeleton, find: Callable[[str, str], int]
) -> Leg:
    """One leg from its properties."""
    what = f"leg {entry.name!r}"
    scale = skeleton.object_scale
    joints = tuple(find(name, what) for name in _list_joints(entry))
    soles = {}
    for name in SOLE_POINTS:
        point = getattr(entry, name)
        # Without measured values, as in files of version 0.1.0, those in use count as such.
        prefix = "found_" if point.found_bone else ""
        bone, offset = getattr(point, f"{prefix}bone"), getattr(point, f"{prefix}offset")
        soles[name] = SolePoint(find(bone, what), np.array(offset, dtype=np.float64) * scale)
    width = entry.found_width if entry.heel.found_bone else entry.sole_width
    hinge = np.array(entry.hinge, dtype=np.float64)
    girths = _read_lengths(entry.id_data, "girths", entry.girths)
    return Leg(
        name=entry.name,
        side="" if entry.side == "NONE" else entry.side,
        joints=joints,
        toe=find(entry.toe, what) if entry.toe else None,
        sole_width=width * scale,
        length=entry.length * scale or _measure_chain(skeleton, joints),
        hinge=hinge / np.linalg.norm(hinge),
        partner=None if entry.partner < 0 else entry.partner,
        detached=entry.is_detached,
        control=entry.control or None,
        confidence=entry.confidence,
        doubts=notes_from_text(entry.notes, entry.reasons),
        heel=soles["heel"],
        ball=soles["ball"],
        toe_tip=soles["toe_tip"],
        girths=tuple(scale * girths) if len(girths) == len(joints) - 1 else (),
        hull=hull_from_text(entry.hull, skeleton.names, scale),
    )


def _read_lengths(armature: bpy.types.Object, name: str, text: str) -> FloatArray:
    """Lengths that are kept as a text; none where it does not fit."""
    found = read_kept(armature.name, name, text)
    return np.zeros(0) if found is None else found


def _look_at_leg(armature: bpy.types.Object, leg: Leg, skeleton: Skeleton) -> Leg:
    """A leg with what its bones' settings say now: limits, and whether IK takes its shin to its foot.

    Bones that are held otherwise than built have no limits.
    """
    names = [skeleton.names[joint] for joint in leg.joints[:-1]]
    leg = replace(leg, aimed=leg.detached and is_aimed(armature, names))
    if any(held.name in names for held in skeleton.held):
        return leg
    return replace(leg, limits=read_joint_limits(armature, names))


def _measure_chain(skeleton: Skeleton, joints: tuple[int, ...]) -> float:
    """Length of a chain of joints at rest, metres."""
    _, heads = compute_rest_poses(skeleton)
    return float(np.linalg.norm(np.diff(heads[list(joints)], axis=0), axis=-1).sum())
