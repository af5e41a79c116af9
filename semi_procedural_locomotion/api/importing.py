# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Import Character: files to a character that is set up, with the clips of other files as its own.

One file becomes the character; the armatures of the others give their actions to it. Where their bones
have the same names and rest pose, curves are renamed; else the motion is transferred
(docs/method/transfer.md, Names and Same rest).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy

from ..blender.reading.adopting import (
    adopt_action,
    keys_quaternions,
    list_keyed_bones,
    moves_object,
    pair_rests,
)
from ..blender.reading.importing import (
    ImportedFile,
    find_new,
    free_moved_bones,
    import_file,
    list_data,
    remove_new,
)
from ..blender.reading.relatives import moves_meshes
from ..core.motions.transfer.limits import NAMING
from ..core.motions.transfer.naming import NameMatch, match_names, tells_nothing
from ..core.rig.legs.names import select_walk_names
from ..errors import FileError, LocomotionError, RigError
from .limits import PROGRESS
from .opening import choose_armatures
from .progress import Progress, Steps, run_steps, scale_steps
from .set_up_work import (
    FoundSetUp,
    find_analyses,
    find_set_up,
    is_set_up,
    write_analyses,
    write_set_up,
)
from .transfers import find_transfers, write_transfers
from .wording.imports import (
    tell_beside,
    tell_left_out,
    tell_missing_bones,
    tell_unlike_names,
)


@dataclass(frozen=True)
class TakenClip:
    """An action that a character got from another file.

    Attributes
    ----------
    path
        The file.
    action
        The character's action.
    match
        Which of its bones are which of the character.
    is_transferred
        Whether its motion was carried over, since the rest poses differ; else its curves were renamed.
    """

    path: Path
    action: bpy.types.Action
    match: NameMatch
    is_transferred: bool = False


@dataclass(frozen=True)
class ImportedCharacter:
    """What came of an import.

    Attributes
    ----------
    armature
        The character.
    found
        Its legs and motions; None where it could not be set up, or was before.
    refusal
        Why it could not be set up.
    clips
        Actions from other files.
    remarks
        What else is to mind, each one sentence.
    """

    armature: bpy.types.Object
    found: FoundSetUp | None
    refusal: LocomotionError | None
    clips: tuple[TakenClip, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class _ReadFile:
    """A file that was imported, its armature, and what else of it came into the Blender file."""

    file: ImportedFile
    armature: bpy.types.Object
    others: tuple[bpy.types.ID, ...]

    @property
    def name(self) -> str:
        """The file's name."""
        return self.file.path.name


def find_import(
    paths: Sequence[Path], into: bpy.types.Object | None = None
) -> Steps[ImportedCharacter]:
    """Import files as one character; where it is broken off or fails, nothing of it stays.

    Parameters
    ----------
    paths
        Files of the kinds that `import_file` reads. The one whose armature moves meshes is the
        character, of several such the one that is not named as a walk, then the first.
    into
        A set-up armature that gets the clips of all files, instead of a new character.

    Raises
    ------
    FileError
        No file can be read, or none has an armature.
    RigError
        The armature that shall get the clips is not set up, or none of the clips fits it.
    """
    if not paths:
        raise FileError("no file is named: choose a .glb, .gltf, .vrm, .fbx or .bvh file")
    if into is not None and not is_set_up(into):
        raise RigError(f"{into.name!r} is not set up", "use Set Up first", "set it up in Blender")
    before = list_data()
    try:
        return (yield from _import(paths, into))
    except BaseException:
        remove_new(before)
        raise


def import_character(
    paths: Sequence[Path],
    into: bpy.types.Object | None = None,
    progress: Progress | None = None,
) -> ImportedCharacter:
    """Import files as one character that is set up; see `find_import`."""
    return run_steps(find_import(paths, into), progress)


def _import(paths: Sequence[Path], into: bpy.types.Object | None) -> Steps[ImportedCharacter]:
    """The work of `find_import`, without cleaning up after failures."""
    remarks: list[str] = []
    parts = yield from _read(paths, remarks)
    main = None if into is not None else _choose_main(parts)
    target = into if main is None else main.armature
    assert target is not None  # noqa: S101
    suffix = "" if main is None else main.file.path.suffix
    clips: list[TakenClip] = []
    moving: list[tuple[_ReadFile, list[TakenClip]]] = []
    for part in parts:
        if part is main:
            continue
        taken = _match(part, target, suffix, remarks)
        if taken and not taken[0].is_transferred:
            _adopt(part, target, taken)
            clips += taken
        elif taken:
            moving.append((part, taken))
    found, refusal = None, None
    if main is not None:
        try:
            foreign = [action for part, _ in moving for action in part.file.actions]
            steps = find_set_up(target, ignored=foreign)
            found = yield from scale_steps(steps, PROGRESS.imported, PROGRESS.transfers)
            write_set_up(found)
        except LocomotionError as error:
            refusal = error
    elif clips:
        _list_motions(target, [clip.action for clip in clips])
    for number, (part, taken) in enumerate(moving):
        share = PROGRESS.transfers + (1.0 - PROGRESS.transfers) * number / len(moving)
        yield share, f"transferring {part.name}"
        clips += _transfer(part, target, taken, remarks)
    if into is not None and not clips:
        raise RigError(f"{into.name!r} gets no clip: {'; '.join(remarks)}")
    remarks += [told for clip in clips if (told := _tell_clip(clip, target))]
    return ImportedCharacter(target, found, refusal, tuple(clips), tuple(dict.fromkeys(remarks)))


def _tell_clip(clip: TakenClip, target: bpy.types.Object) -> str:
    """What is to mind of a clip; empty where it is simply the character's now."""
    if clip.match.share < NAMING.least_share:
        return tell_unlike_names(clip.path.name, target.name)
    return tell_missing_bones(clip.path.name, target.name, clip.match)


def _read(paths: Sequence[Path], remarks: list[str]) -> Steps[list[_ReadFile]]:
    """The armatures of all files that have one; of others it is told why not.

    Raises
    ------
    FileError
        There is none.
    """
    parts: list[_ReadFile] = []
    errors: list[FileError] = []
    for number, path in enumerate(paths):
        yield PROGRESS.imported * number / len(paths), f"reading {path.name}"
        before = list_data()
        try:
            file = import_file(path)
            if not file.armatures:
                remove_new(before)
                cure = "export the character with its skeleton"
                raise FileError(f"{path.name} has no armature: {cure}")
        except FileError as error:
            errors.append(error)
            remarks.append(tell_left_out(path.name, str(error)))
            continue
        bpy.context.view_layer.update()
        armature = choose_armatures(file.armatures)[0]
        if len(file.actions) == 1 and tells_nothing(file.actions[0].name):
            file.actions[0].name = path.stem
        kept = {item.session_uid for item in file.actions}
        others = tuple(item for item in find_new(before) if item.session_uid not in kept)
        parts.append(_ReadFile(file, armature, others))
    if not parts:
        raise errors[0]
    return parts


def _choose_main(parts: Sequence[_ReadFile]) -> _ReadFile:
    """The file that is the character."""
    stems = [part.file.path.stem for part in parts]
    walks = select_walk_names(stems)
    named = walks if len(walks) < len(set(stems)) else set()
    return min(
        parts,
        key=lambda part: (not moves_meshes(part.armature), part.file.path.stem in named),
    )


def _match(
    part: _ReadFile, target: bpy.types.Object, suffix: str, remarks: list[str]
) -> list[TakenClip]:
    """The clips of a file that a character from a file of some kind can have, all in the same way."""
    source = part.armature
    ours = [bone.name for bone in target.data.bones]
    keyed = [(action, list_keyed_bones(source, action)) for action in part.file.actions]
    matches = [(action, match_names(bones, ours)) for action, bones in keyed if bones]
    if not matches:
        remarks.append(tell_left_out(part.name, "it has no action of an armature"))
        _remove(part)
        return []
    whole = match_names([bone.name for bone in source.data.bones], ours)
    if max(match.share for _, match in matches) < NAMING.least_share and moves_meshes(source):
        remarks.append(tell_beside(part.name, target.name, source.name))
        return []
    fits = all(match.share >= NAMING.least_share for _, match in matches)
    rests = pair_rests(source, target, whole.pairs)
    is_same = rests.is_same or (
        # Without a skin the importers take the pose of the clip for the rest pose.
        rests.is_posed
        and part.file.path.suffix == suffix
        and all(keys_quaternions(source, action) for action, _ in matches)
    )
    goes = any(moves_object(source, action) for action, _ in matches)
    is_adopted = fits and is_same and not goes
    return [TakenClip(part.file.path, action, match, not is_adopted) for action, match in matches]


def _adopt(part: _ReadFile, target: bpy.types.Object, clips: Sequence[TakenClip]) -> None:
    """Rename the curves of clips, and take the rest of their file away."""
    ours = [bone.name for bone in target.data.bones]
    whole = match_names([bone.name for bone in part.armature.data.bones], ours)
    rests = pair_rests(part.armature, target, whole.pairs)
    for clip in clips:
        adopt_action(part.armature, target, clip.action, clip.match.pairs, rests)
    _remove(part)
    free_moved_bones([target], [clip.action for clip in clips])


def _transfer(
    part: _ReadFile, target: bpy.types.Object, clips: Sequence[TakenClip], remarks: list[str]
) -> list[TakenClip]:
    """Carry clips over, and take their file away; where that fails it stays, and it is told why."""
    try:
        steps = find_transfers(target, part.armature, [clip.action for clip in clips])
        made = write_transfers(run_steps(steps))
    except LocomotionError as error:
        remarks.append(tell_beside(part.name, target.name, part.armature.name, str(error)))
        return []
    for action in made.actions:
        action.use_fake_user = True
    taken = [
        TakenClip(part.file.path, action, clip.match, is_transferred=True)
        for action, clip in zip(made.actions, clips, strict=True)
    ]
    _remove(part, with_actions=True)
    return taken


def _remove(part: _ReadFile, with_actions: bool = False) -> None:
    """Take away what came of a file."""
    actions = part.file.actions if with_actions else ()
    bpy.data.batch_remove([*part.others, *actions])


def _list_motions(armature: bpy.types.Object, actions: Sequence[bpy.types.Action]) -> None:
    """Show actions in the motions of a character, those ticked that walk."""
    found = run_steps(find_analyses(armature, actions))
    write_analyses(found)
    kinds = {a: f.kind for a, f in zip(found.actions, found.findings, strict=True)}
    for entry in armature.locomotion.motions:
        if entry.action in kinds:
            entry.enabled = kinds[entry.action] == "cycle"
