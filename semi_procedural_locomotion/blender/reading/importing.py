# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters, motions and grounds read from other programs' files.

A file is looked at before Blender's importers see it, because they crash, stop half-way or import
nothing without a word when it is broken. Whatever a failed import left behind is removed.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from ...core.rig.skeleton import Skeleton
from ...errors import FileError
from ...notes import Note, NoteKind, make_note
from .. import versions
from ..files.bvh import find_bvh_up, read_bvh, write_bvh
from ..files.gltf import prepare_gltf
from ..files.kinds import IMPORTED, READ_AGAIN, check_fbx, read_content, refuse_kind
from ..limits import SAMPLING
from ..values.curves import parse_bone_name
from ..values.custom_keys import FRAME_RATE_KEY, TURNED_KEY
from ..values.evaluation import needs_evaluation
from ..values.scene_state import get_frame_rate, keep_mode, keep_timing
from ..values.schema import find_kept


def free_moved_bones(
    armatures: Sequence[bpy.types.Object], actions: Sequence[bpy.types.Action]
) -> None:
    """Let bones go from their parents that new actions move, since connected ones cannot move.

    The importer of FBX connects an only child whose head is at its parent's tail: hips then lose the
    rise and fall of the walk, and the walk could not lower them.

    Parameters
    ----------
    armatures
        New armature objects; their view layer is in object mode.
    """
    ways = _measure_ways(actions)
    for armature in armatures:
        moved = [
            bone.name
            for bone in armature.data.bones
            if bone.use_connect
            and bone.parent
            and ways.get(bone.name, 0.0) > SAMPLING.moved * bone.length
        ]
        if not moved:
            continue
        bpy.context.view_layer.objects.active = armature
        bpy.ops.object.mode_set(mode="EDIT")
        for name in moved:
            armature.data.edit_bones[name].use_connect = False
        bpy.ops.object.mode_set(mode="OBJECT")


def _measure_ways(actions: Sequence[bpy.types.Action]) -> dict[str, float]:
    """Measure how far the actions key each bone that they move from its place at rest, along one axis."""
    ways: dict[str, float] = {}
    for action in actions:
        for slot in versions.list_slots(action):
            for curve in versions.get_curves(action, slot):
                owner, _, channel = curve.data_path.rpartition(".")
                name = parse_bone_name(owner) if channel == "location" else None
                if name is None:
                    continue
                values = np.empty(2 * len(curve.keyframe_points))
                curve.keyframe_points.foreach_get("co", values)
                way = float(np.abs(values[1::2]).max(initial=0.0))
                ways[name] = max(ways.get(name, 0.0), way)
    return ways


def note_connected(armature: bpy.types.Object, body: str) -> tuple[Note, ...]:
    """A note where the bone that carries the hips is connected, so that its keys of location do nothing.

    Parameters
    ----------
    armature
        The armature object. Where constraints move its bones, the controls take the hips along.
    """
    bone = armature.data.bones[body]
    if bone.parent is None or not bone.use_connect or needs_evaluation(armature):
        return ()
    return (make_note(NoteKind.BODY_CONNECTED, bone=body),)


def find_connected(armature: bpy.types.Object, skeleton: Skeleton) -> set[int]:
    """Indices of the bones of a skeleton that are connected to their parents, and cannot be moved."""
    bones = armature.data.bones
    return {
        index
        for index, name in enumerate(skeleton.names)
        if skeleton.is_own[index] and bones[name].use_connect and bones[name].parent is not None
    }


# What a message of an importer that broke down begins with.
_BREAKDOWN = "Traceback"


@dataclass(frozen=True)
class ImportedFile:
    """Record of what an import added to the file.

    Attributes
    ----------
    path
        The file that was read.
    objects
        All new objects.
    armatures
        Those of them that are armatures.
    actions
        New actions; those that are not at the scene's frame rate carry their own.
    """

    path: Path
    objects: tuple[bpy.types.Object, ...]
    armatures: tuple[bpy.types.Object, ...]
    actions: tuple[bpy.types.Action, ...]


def import_file(path: str | Path) -> ImportedFile:
    """Import a .glb, .gltf, .vrm, .fbx or .bvh file into the current scene.

    Raises FileError where the file is missing, empty, broken, of another kind, or adds no object.
    Nothing of it stays in the Blender file.

    Parameters
    ----------
    path
        The file. Samples of a BVH file get one frame each and its actions carry the file's own
        frame rate; the scene's rate, range, frame, mode and selection stay as they are.
    """
    path = Path(path)
    if path.suffix.lower() not in IMPORTED:
        raise refuse_kind(path)
    with tempfile.TemporaryDirectory() as folder:
        prepared = _prepare(path, Path(folder))
        new = _import_prepared(path, prepared)
    actions = tuple(item for item in new if isinstance(item, bpy.types.Action))
    objects = tuple(item for item in new if isinstance(item, bpy.types.Object))
    armatures = tuple(item for item in objects if item.type == "ARMATURE")
    for armature in armatures if prepared.up != versions.USUAL_UP else ():
        armature[TURNED_KEY] = prepared.up
    return ImportedFile(path, objects, armatures, actions)


@dataclass(frozen=True)
class _Prepared:
    """Record of what an importer shall read.

    Attributes
    ----------
    path
        The file itself, or what was mended of it.
    rate
        Frames a second of a BVH file; None for others.
    up
        The axis that is up in a BVH file.
    is_text
        Whether it is an FBX file of text.
    """

    path: Path
    rate: float | None = None
    up: str = versions.USUAL_UP
    is_text: bool = False


def _prepare(path: Path, folder: Path) -> _Prepared:
    """Look at a file and mend it, in a folder that is there for it."""
    content = read_content(path)
    suffix = path.suffix.lower()
    mended = folder / path.name
    if suffix == ".bvh":
        file = read_bvh(path, content)
        # Blender reads text in the encoding of the place where it runs.
        mended.write_text(write_bvh(file), errors="replace")
        return _Prepared(mended, 1.0 / file.interval, find_bvh_up(file))
    if suffix == ".fbx":
        return _Prepared(path, is_text=check_fbx(path, content))
    written = prepare_gltf(path, content)
    if written is None:
        return _Prepared(path)
    mended.write_bytes(written)
    return _Prepared(mended)


def _import_prepared(path: Path, prepared: _Prepared) -> list[bpy.types.ID]:
    """All data that the importers of a file add, the first of them that can.

    Raises FileError: none of them adds an object; nothing is left of what they did.
    """
    importers = versions.list_importers(prepared.path.resolve(), prepared.up)
    causes: list[str] = []
    for importer in importers:
        before = list_data()
        try:
            new = _run(importer, before, prepared.rate)
        except RuntimeError as error:
            remove_new(before)
            causes.append(_tell_cause(error, prepared.path))
        except BaseException:
            remove_new(before)
            raise
        else:
            if any(isinstance(item, bpy.types.Object) for item in new):
                return new
            remove_new(before)
            causes.append("")
    if prepared.is_text and not versions.READS_TEXT_FBX:
        raise FileError(
            f"{path} is an FBX file of text, which Blender before 4.5 cannot read: export it as "
            "binary FBX, or use a later Blender"
        )
    if not all(causes):
        raise FileError(f"{path} holds no objects: choose a file with a character or a mesh")
    raise FileError(f"{path} cannot be imported ({causes[0]}): {READ_AGAIN}")


def _run(importer: versions.Importer, before: set[int], rate: float | None) -> list[bpy.types.ID]:
    """Data that one importer adds; its actions tell their frame rate where it is not the scene's."""
    context = bpy.context
    with keep_mode(context), keep_timing(context.scene):
        scene_rate = get_frame_rate(context.scene)
        _call_quietly(importer)
        import_rate = rate or get_frame_rate(context.scene)
        new = find_new(before)
        actions = [item for item in new if isinstance(item, bpy.types.Action)]
        objects = [item for item in new if isinstance(item, bpy.types.Object)]
        armatures = [item for item in objects if item.type == "ARMATURE"]
        versions.restore_action_names(actions, armatures)
        free_moved_bones(armatures, actions)
        if abs(import_rate / scene_rate - 1.0) > SAMPLING.same_rate:
            for action in actions:
                action[FRAME_RATE_KEY] = import_rate
    return new


def _call_quietly(importer: versions.Importer) -> None:
    """Run an importer; what it writes of its own breakdown is told in the error alone."""
    written = io.StringIO()
    with contextlib.redirect_stderr(written):
        importer()
    sys.stderr.write(written.getvalue())


def note_import(armature: bpy.types.Object) -> tuple[Note, ...]:
    """Note what to mind about the file that an armature was imported from; at most one note."""
    axis = find_kept(armature, TURNED_KEY)
    return () if axis is None else (make_note(NoteKind.FILE_TURNED, axis=axis),)


def list_data() -> set[int]:
    """Identities of all data in the Blender file; they outlive undo."""
    return {item.session_uid for item in _iterate_data()}


def _iterate_data() -> list[bpy.types.ID]:
    """All data of the Blender file."""
    collections = (
        getattr(bpy.data, prop.identifier)
        for prop in bpy.data.bl_rna.properties
        if prop.type == "COLLECTION"
    )
    # Some collections hold what others hold too.
    return list({item.session_uid: item for items in collections for item in items}.values())


def find_new(before: set[int]) -> list[bpy.types.ID]:
    """Data added since ``before``."""
    return [item for item in _iterate_data() if item.session_uid not in before]


def remove_new(before: set[int]) -> None:
    """Remove data added since ``before``."""
    bpy.data.batch_remove(find_new(before))


def _tell_cause(error: RuntimeError, path: Path) -> str:
    """Tell what Blender's message says, on one line and without the file, which is named already."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if any(_BREAKDOWN in line for line in lines):
        # The place in Blender's code follows the error itself.
        lines = [line for line in lines if not line.startswith(("Location:", "^", "~"))]
        return f"Blender's importer broke down: {lines[-1]}"
    if not lines:
        return "the importer gave no reason"
    line = lines[-1].removeprefix("Error:").strip()
    for quoted in (f"'{path.resolve()}'", f'"{path.resolve()}"'):
        line = line.replace(f" file {quoted}", "").replace(f" {quoted}", "")
    return line
