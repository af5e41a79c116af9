# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files opened and saved without a window."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import bpy

from ..blender.files.gltf import find_part_files
from ..blender.files.kinds import GLTF_SUFFIXES, IMPORTED, check_blend, is_whole, refuse_kind
from ..blender.reading.importing import import_file
from ..blender.reading.relatives import rank_armatures
from ..blender.values.libraries import (
    keep_editable,
    list_instanced_armatures,
    list_linked_files,
    tell_missing_libraries,
)
from ..errors import FileError


def open_empty() -> None:
    """Start with an empty file."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def open_blend(path: Path) -> None:
    """Open a .blend file without its window layout and scripts.

    Raises
    ------
    FileError
        It is missing, broken, no .blend, or of a Blender that is too new.
    """
    version = check_blend(path)
    try:
        bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False, use_scripts=False)
    except RuntimeError as error:
        reason = str(error).strip().splitlines()[-1] if str(error).strip() else "it is broken"
        # Blender says twice that it failed, before it says why.
        _, _, reason = f" failed: {reason}".rpartition(" failed: ")
        own = bpy.app.version[:2]
        if version is not None and version > own:
            raise FileError(
                f"{path.name} was saved by Blender {_write_version(version)}, which Blender "
                f"{_write_version(own)} cannot read: use that version or a later one"
            ) from error
        raise FileError(
            f"{path.name} cannot be opened ({reason}): take another copy, or save it again in Blender"
        ) from error


def _write_version(version: tuple[int, ...]) -> str:
    """A version of Blender as it is called: 2.79, 4.5."""
    return f"{version[0]}.{version[1]:02d}" if version[0] < 3 else f"{version[0]}.{version[1]}"


def list_armatures() -> list[bpy.types.Object]:
    """Armature objects of the scene; of linked ones their overrides, or those that instances show."""
    scene = bpy.context.scene
    found = keep_editable(o for o in scene.objects if o.type == "ARMATURE")
    return found or list(dict.fromkeys(a for _, a in list_instanced_armatures(scene)))


def choose_armatures(armatures: Sequence[bpy.types.Object]) -> list[bpy.types.Object]:
    """The armature that is the character of a file, or several that nothing tells apart.

    Of instances with the same bones the first is taken.
    """
    best = rank_armatures(armatures, bpy.context.scene)[0]
    return best[:1] if len({item.data for item in best}) == 1 else best


def make_armature_error(name: str) -> FileError:
    """The error of an open file without an armature, by what is there instead."""
    missing = tell_missing_libraries()
    if missing:
        return FileError(f"{name} has no armature: {missing}")
    elsewhere = next(
        (
            (scene.name, item.name)
            for scene in bpy.data.scenes
            for item in scene.objects
            if item.type == "ARMATURE"
        ),
        None,
    )
    if elsewhere is not None:
        return FileError(
            f"{name} has no armature in its scene {bpy.context.scene.name!r}; {elsewhere[0]!r} has "
            f"{elsewhere[1]!r}: make that scene the active one and save"
        )
    if any(item.type == "ARMATURE" for item in bpy.data.objects):
        return FileError(f"{name} has an armature that is in no scene: link it to one and save")
    return FileError(f"{name} has no armature: export the character with its skeleton")


def raise_missing(name: str, what: str) -> None:
    """Raise FileError where an open file lacks something and a file that it links is missing."""
    missing = tell_missing_libraries()
    if missing:
        raise FileError(f"{name} has {what}: {missing}")


def open_file(path: Path) -> bool:
    """Open a .blend, or bring another file into an empty one; whether it was imported."""
    if path.suffix.lower() == ".blend":
        open_blend(path)
        return False
    if path.suffix.lower() not in IMPORTED:
        raise refuse_kind(path)
    open_empty()
    import_file(path)
    return True


def save_file(output: Path) -> None:
    """Save the open file elsewhere.

    Raises
    ------
    FileError
        It cannot be written, or not whole.
    """
    try:
        bpy.ops.wm.save_as_mainfile(
            filepath=str(output), copy=True, check_existing=False, compress=True
        )
    except RuntimeError as error:
        reason = str(error).strip().splitlines()[-1] if str(error).strip() else "unknown reason"
        raise FileError(f"{output} cannot be written: {reason}") from error
    if not is_whole(output):
        # Blender says nothing of a disk that is full while it compresses.
        raise FileError(
            f"{output} was not written whole, the disk is full or was taken away: make room, or choose "
            "another output"
        )


def list_read_files(named: Sequence[Path]) -> list[str]:
    """Paths of all that the open file is made from.

    Parameters
    ----------
    named
        Files that were opened or imported; what these need is added.

    Returns
    -------
    list of str
        Absolute paths, each once.
    """
    parts = [
        part
        for path in named
        if path.suffix.lower() in GLTF_SUFFIXES
        for part in find_part_files(path)
    ]
    files = [*(path.resolve() for path in named), *parts, *list_linked_files()]
    return [str(path) for path in dict.fromkeys(files)]
