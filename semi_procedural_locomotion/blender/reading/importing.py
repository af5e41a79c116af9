# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters, motions and grounds read from other programs' files.

A file is looked at before Blender's importers see it, because they crash, stop half-way or import
nothing without a word when it is broken. Whatever a failed import left behind is removed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import bpy

from ...errors import FileError
from .. import versions
from ..limits import SAMPLING
from ..values.custom_keys import FRAME_RATE_KEY
from ..values.scene_state import get_frame_rate, keep_mode, keep_timing

SUFFIXES = (".glb", ".gltf", ".fbx", ".bvh")
_GLB_MAGIC = b"glTF"
_GLB_HEADER_SIZE = 12
_FBX_MAGIC = b"Kaydara FBX Binary"


@dataclass(frozen=True)
class ImportedFile:
    """What an import added to the file.

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
    """Import a .glb, .gltf, .fbx or .bvh file into the current scene.

    Parameters
    ----------
    path
        The file. Samples of a BVH file get one frame each and its actions carry the file's own
        frame rate; the scene's rate, range, frame, mode and selection stay as they are.

    Returns
    -------
    ImportedFile

    Raises
    ------
    FileError
        Where the file is missing, empty, broken, of another kind, or adds no object. Nothing of it
        stays in the Blender file.
    """
    path = Path(path)
    rate = _check_file(path)
    context = bpy.context
    before = _list_data()
    try:
        with keep_mode(context), keep_timing(context.scene):
            scene_rate = get_frame_rate(context.scene)
            versions.run_importer(path.resolve())
            import_rate = rate or get_frame_rate(context.scene)
            new = _find_new(before)
            actions = tuple(item for item in new if isinstance(item, bpy.types.Action))
            objects = tuple(item for item in new if isinstance(item, bpy.types.Object))
            armatures = tuple(item for item in objects if item.type == "ARMATURE")
            versions.restore_action_names(actions, armatures)
            if abs(import_rate / scene_rate - 1.0) > SAMPLING.same_rate:
                for action in actions:
                    action[FRAME_RATE_KEY] = import_rate
        if not objects:
            raise FileError(f"{path} holds no objects: choose a file with a character or a mesh")
    except RuntimeError as error:
        _remove_new(before)
        raise FileError(
            f"{path} cannot be imported ({_last_line(error)}): export it again from its program"
        ) from error
    except BaseException:
        _remove_new(before)
        raise
    return ImportedFile(path, objects, armatures, actions)


def _check_file(path: Path) -> float | None:
    """Raise FileError for a file that cannot be good; the frame rate of a BVH file."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise FileError(f"{path} is of an unknown kind: use one of {', '.join(SUFFIXES)}")
    if not path.is_file():
        raise FileError(f"{path} does not exist: check the path")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FileError(f"{path} cannot be read ({error.strerror}): check its rights") from error
    if not content.strip():
        raise FileError(f"{path} is empty: export it again from its program")
    if suffix == ".bvh":
        return _check_bvh(path, content)
    if suffix == ".glb":
        size = int.from_bytes(content[8:_GLB_HEADER_SIZE], "little")
        broken = not content.startswith(_GLB_MAGIC) or size > len(content)
    elif suffix == ".gltf":
        broken = not _is_gltf(content)
    else:
        broken = not content.startswith(_FBX_MAGIC)
    if broken:
        raise FileError(
            f"{path} is broken or no binary {suffix[1:]} file: export it again from its program"
            if suffix != ".gltf"
            else f"{path} is broken: export it again from its program"
        )
    return None


def _is_gltf(content: bytes) -> bool:
    """Whether bytes are the JSON of a glTF file."""
    try:
        parsed = json.loads(content)
    except ValueError:
        return False
    return isinstance(parsed, dict) and "asset" in parsed


def _check_bvh(path: Path, content: bytes) -> float:
    """Frames per second of a BVH file that has all the samples it names."""
    cure = "export it again from its program"
    hierarchy, found, motion = content.decode("utf-8", "replace").partition("MOTION")
    if not found or "HIERARCHY" not in hierarchy:
        raise FileError(f"{path} is no BVH file: it lacks HIERARCHY or MOTION; {cure}")
    words = motion.split()
    try:
        count = int(words[words.index("Frames:") + 1])
        start = words.index("Time:") + 2
        interval = float(words[start - 1])
        tokens = hierarchy.split()
        channels = sum(int(tokens[i + 1]) for i, w in enumerate(tokens[:-1]) if w == "CHANNELS")
    except (ValueError, IndexError) as error:
        raise FileError(f"{path} has no valid Frames and Frame Time lines: {cure}") from error
    if interval <= 0 or count < 1:
        raise FileError(f"{path} has no frames or no positive Frame Time: {cure}")
    if len(words) - start < count * channels:
        raise FileError(
            f"{path} ends early: {count} frames of {channels} values named, "
            f"{len(words) - start} values found; {cure}"
        )
    return 1.0 / interval


def _list_data() -> set[int]:
    """Identities of all data in the Blender file."""
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


def _find_new(before: set[int]) -> list[bpy.types.ID]:
    """Data added since ``before``."""
    return [item for item in _iterate_data() if item.session_uid not in before]


def _remove_new(before: set[int]) -> None:
    """Remove data added since ``before``."""
    bpy.data.batch_remove(_find_new(before))


def _last_line(error: RuntimeError) -> str:
    """The line of Blender's message that says most: the last one with words."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1].removeprefix("Error:").strip() if lines else "the importer gave no reason"
