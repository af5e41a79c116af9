# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips that the program makes, written to the bones that a character is animated with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ..blender.bake.options import BakeOptions
from ..blender.controls.probing import probe_controls
from ..blender.controls.upper import read_deforming_rig
from ..blender.reading.sampling import sample_action
from ..blender.setup.controls import write_controls
from ..blender.values.clips import FIRST_FRAME, write_basis, write_clip
from ..blender.values.components import read_component
from ..blender.values.evaluation import needs_evaluation
from ..blender.values.scene_state import get_frame_rate
from ..core.keys.channels import BasisPoses
from ..core.maths import rotations as rot
from ..core.motions.clips import Clip, resample_clip
from ..core.motions.transfer.reducing import expand_clip, reduce_clip
from ..core.pose import PoseArray
from ..core.rig.controls.mapping import BoneControl, ControlMap
from ..core.rig.skeleton import compute_global_poses
from ..core.rig.structure import Rig
from ..errors import RigError
from .characters import Character
from .controlled import put_on_controls
from .controls import choose_controls, find_controls
from .limits import TRANSFERRING
from .progress import Steps
from .set_up_work import is_set_up


@dataclass(frozen=True)
class PreparedClip:
    """A clip that is ready to be written.

    Attributes
    ----------
    clip
        Poses of all bones of the character.
    controls, controlled
        The controls that get the keys, and the poses with their channels; None where the bones
        themselves do.
    """

    clip: Clip
    controls: ControlMap | None = None
    controlled: PoseArray | None = None


@dataclass(frozen=True)
class ClipTarget:
    """Where the clips of a character go.

    Attributes
    ----------
    character
        The character.
    main
        The bones that clips are made for: all of them, or those that carry the mesh where controls
        get the keys.
    controls
        Those controls; None where the bones get the keys.
    """

    character: Character
    main: Rig
    controls: ControlMap | None


def find_main_rig(character: Character) -> Rig:
    """The bones that carry the mesh of a character with controls, as a tree; else all its bones."""
    armature, rig = character.armature, character.rig
    if not needs_evaluation(armature):
        return rig
    carries = any(armature.data.bones[n].use_deform for n in rig.skeleton.own_names)
    return read_deforming_rig(armature, rig) if carries else rig


def find_clip_target(character: Character) -> ClipTarget:
    """Where the clips of a character go; its controls are looked for where that was never done.

    Raises
    ------
    RigError
        The bone of the hips cannot move.
    BakeError
        Controls are wanted, and none move the body or a leg.
    """
    controls = _choose_controls(character)
    if controls is None:
        _require_free_body(character)
        return ClipTarget(character, character.rig, None)
    return ClipTarget(character, find_main_rig(character), controls)


def reduce_to_main(clip: Clip, rig: Rig, main: Rig) -> Clip:
    """A clip of a character on the bones of its `find_main_rig`."""
    return clip if main is rig else reduce_clip(clip, rig, main)


def prepare_clip(target: ClipTarget, clip: Clip) -> Steps[PreparedClip]:
    """Get a clip of the bones of ``target.main`` ready; nothing in the file changes.

    Raises
    ------
    RigError
        The character would not show it.
    """
    yield 0.0, "posing"
    character, main = target.character, target.main
    whole = clip if main is character.rig else expand_clip(clip, main, character.rig)
    if target.controls is None:
        prepared = PreparedClip(whole)
        if needs_evaluation(character.armature):
            _check_shown(character, prepared)
        return prepared
    controls = replace(target.controls, turned=_list_free(target, target.controls))
    # Controls between the body of the whole rig and the hips may turn the hips as well.
    hips = character.rig.skeleton.find_index(main.skeleton.names[main.body])
    solved = yield from put_on_controls(
        replace(character, rig=replace(character.rig, body=hips)),
        controls,
        _poses_from_clip(whole),
        FIRST_FRAME + whole.times * get_frame_rate(bpy.context.scene),
        [entry.bone for entry in controls.turned],
        BakeOptions(is_alone=True),
    )
    off = solved.residuals.feet.max(axis=0)
    if float(off.max()) > TRANSFERRING.shown:
        worst = character.rig.legs[int(np.argmax(off))].name
        raise RigError(
            f"the controls of {character.armature.name!r} leave the foot of {worst!r} "
            f"{off.max():.1%} of the leg away from where it shall be",
            "choose others in the Controls panel",
            "name others in `controls`",
        )
    return PreparedClip(whole, target.controls, solved.poses)


def _require_free_body(character: Character) -> None:
    """Raise `RigError` where the bone of the hips is connected and cannot move."""
    rig, armature = character.rig, character.armature
    body = armature.data.bones[rig.skeleton.names[rig.body]]
    if body.parent is not None and body.use_connect:
        raise RigError(
            f"bone {body.name!r} of {armature.name!r} is connected to its parent and cannot move: "
            "disconnect it in Edit Mode"
        )


def _choose_controls(character: Character) -> ControlMap | None:
    """The controls that a clip is written to; None where the bones themselves get it."""
    armature = character.armature
    if not needs_evaluation(armature):
        return None
    if not is_set_up(armature):
        found = probe_controls(armature, character.rig)
        return found if found.is_verified else None
    output = armature.locomotion.settings.output.lower()
    if output == "automatic" and find_controls(character) is None:
        found = probe_controls(armature, character.rig)
        return found if found.is_verified else None
    return choose_controls(character, "controls" if output == "both" else output)


def _list_free(target: ClipTarget, controls: ControlMap) -> tuple[BoneControl, ...]:
    """Controls of the upper body without those that turn the legs at the hips as well.

    Spines of some rigs turn about their middle; what turns the hips there would work against the
    control of the body.
    """
    main = target.main
    at_hips = [
        leg.joints[0] for leg in main.legs if main.skeleton.parents[leg.joints[0]] == main.body
    ]
    bones = target.character.armature.data.bones
    above = [
        {parent.name for parent in bones[main.skeleton.names[hip]].parent_recursive}
        for hip in at_hips
    ]
    carrying = set.intersection(*above) if above else set()
    return tuple(entry for entry in controls.turned if entry.control not in carrying)


def _poses_from_clip(clip: Clip) -> PoseArray:
    """The clip as a walk on the spot, nothing of which is written yet."""
    count, bones = clip.rotations.shape[:2]
    nothing = np.zeros(bones, dtype=bool)
    return PoseArray(
        times=clip.times,
        positions=np.zeros((count, 3)),
        orientations=np.tile(rot.IDENTITY, (count, 1)),
        rotations=clip.rotations,
        translations=clip.translations,
        scales=clip.scales,
        rotated=nothing,
        moved=nothing,
        scaled=nothing,
        owned=nothing,
    )


def keep_controls(character: Character, clips: Sequence[PreparedClip]) -> None:
    """Keep the controls that clips were written to on a set-up character that had none before."""
    used = [clip.controls for clip in clips if clip.controls is not None]
    if used and find_controls(character) is None:
        write_controls(character.armature, used[0])


def write_prepared(
    character: Character, prepared: PreparedClip, name: str, action: bpy.types.Action | None = None
) -> bpy.types.Action:
    """An action that plays a prepared clip; it is not assigned to the armature.

    Parameters
    ----------
    character
        Whose clip it is.
    prepared
        The clip.
    name
        Name of a new action.
    action
        Write to this one instead, in place of the keys that it has for the armature.
    """
    poses = prepared.controlled
    basis = None if poses is None else poses.basis
    if poses is None or basis is None:
        skeleton = character.rig.skeleton
        return write_clip(character.armature, prepared.clip, skeleton, name, action)
    return _write_controls(character, poses, basis, name, action)


def _write_controls(
    character: Character,
    poses: PoseArray,
    basis: BasisPoses,
    name: str,
    action: bpy.types.Action | None,
) -> bpy.types.Action:
    """An action with the channels of controls that poses have."""
    armature = character.armature
    bones = [int(bone) for bone in np.flatnonzero(poses.owned)]
    chosen = BasisPoses(
        basis.rotations[:, bones], basis.locations[:, bones], basis.scales[:, bones]
    )
    properties = {}
    for key, blended in poses.properties.items():
        present = read_component(armature, key)
        values = blended.fill(0.0 if present is None else present)
        properties[key] = values[:1] if np.ptp(values) == 0 else values
    names = [character.rig.skeleton.names[bone] for bone in bones]
    return write_basis(armature, poses.times, chosen, names, name, action, properties)


def _check_shown(character: Character, prepared: PreparedClip) -> None:
    """Raise `RigError` where feet would not be shown as a clip has them."""
    armature, rig, clip = character.armature, character.rig, prepared.clip
    action = write_prepared(character, prepared, "checking")
    try:
        shown = sample_action(armature, action, rig.skeleton)
    finally:
        bpy.data.actions.remove(action)
    ankles = [leg.ankle for leg in rig.legs]
    asked, seen = (
        compute_global_poses(rig.skeleton, c.rotations, c.translations, c.scales)[1][:, ankles]
        for c in (resample_clip(clip, shown.times), shown)
    )
    off = rot.lengths(asked - seen).max(axis=0) / [leg.length for leg in rig.legs]
    if float(off.max()) > TRANSFERRING.shown:
        worst = rig.legs[int(np.argmax(off))].name
        raise RigError(
            f"the foot of {worst!r} of {armature.name!r} is moved by controls, so that keys on its "
            "bones would not show",
            "press Probe in the Controls panel, or choose the controls there",
            "name them in `controls`",
        )
