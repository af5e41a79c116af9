# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files whose actions are cleaned without a window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy

from ..blender.values.bake_record import find_base_action
from ..blender.values.nla import plays_strips
from ..errors import RigError
from . import setups
from .characters import Progress
from .fixing import FixRequest, fix_feet
from .opening import list_read_files, open_file, raise_missing, save_file
from .set_up_work import is_set_up


def fix_file(
    path: Path,
    output: Path,
    only: str | None = None,
    frames: tuple[int, int] | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Plant the feet of the characters of a file, and save it.

    Parameters
    ----------
    path
        A .blend, whose set-up characters that play an action are cleaned; or a .glb, .gltf, .vrm, .fbx or
        .bvh, whose armatures are set up first.
    output
        The .blend file to write.
    only
        Clean only the character with this armature name.
    frames
        First and last frame; None for those of the keys.
    progress
        Called with the share done and a text.

    Returns
    -------
    dict
        An entry for each character, with its numbers before and after.

    Raises
    ------
    LocomotionError
        Nothing can be cleaned, or one of them cannot; nothing is written then.
    """
    imported = open_file(path)
    scene = bpy.context.scene
    armatures = [
        item
        for item in sorted(scene.objects, key=lambda o: o.name)
        if item.type == "ARMATURE" and (only is None or item.name == only)
    ]
    for armature in armatures if imported else ():
        setups.set_up(armature)
    chosen = [
        item
        for item in armatures
        if is_set_up(item) and (find_base_action(item)[0] or plays_strips(item.animation_data))
    ]
    if not chosen:
        what = f"character {only!r}" if only else "character"
        raise_missing(path.name, f"no {what} that is set up")
        raise RigError(
            f"{path.name} has no {what} that is set up and plays an action: set it up in Blender, and "
            "let it play the one to clean"
        )
    reports = []
    for armature in chosen:
        result = fix_feet(armature, scene, FixRequest(frames=frames), progress)
        reports.append(result.as_dict(armature.name))
        scene.frame_start = min(scene.frame_start, result.frames[0])
        scene.frame_end = max(scene.frame_end, result.frames[1])
    save_file(output)
    files = list_read_files([path])
    return {"file": path.name, "characters": reports, "files": files}
