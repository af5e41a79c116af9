# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps that move along when their character's object is moved, where that is wanted.

The place that they were last moved along to is kept in the file, so that undo, which brings back that
place with the footsteps, moves nothing. The handler that runs often is there only while some
character asks for it.
"""

from __future__ import annotations

import bpy
import numpy as np
from bpy.app.handlers import persistent
from mathutils import Matrix

from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ..limits import FOOTSTEP
from ..setup.properties import move_followers
from ..travel.reading import read_still_place
from ..values.bake_record import find_playing_action
from ..values.matrices import compose_matrices, is_animated
from .objects import is_edited, is_in_place, list_footsteps


def _follow_choice(data: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Remember where a character is from which on its footsteps move along."""
    place = read_still_place(data.id_data, context.scene)
    if data.move_footsteps and place is not None:
        data.footsteps_place, data.footsteps_action = place.ravel(), _name_action(data.id_data)
    install()


def install() -> None:
    """Add or take out the handler, as there are characters that ask for it or not."""
    handlers = bpy.app.handlers.depsgraph_update_post
    wanted = any(o.type == "ARMATURE" and o.locomotion.move_footsteps for o in bpy.data.objects)
    if wanted and _note_update not in handlers:
        handlers.append(_note_update)
    elif not wanted and _note_update in handlers:
        handlers.remove(_note_update)


def _carry_footsteps(armature: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Move the footsteps of a character by as much as its object was moved; whether it was."""
    data = armature.locomotion
    place = read_still_place(armature, scene)
    if place is None:
        return False
    before = np.array(data.footsteps_place, dtype=np.float64).reshape(4, 4)
    action = _name_action(armature)
    is_other = data.footsteps_action != action
    is_there = np.abs(place - before).max() <= FOOTSTEP.carried
    if is_other:
        data.footsteps_action = action
    if is_there:
        return False
    data.footsteps_place = place.ravel()
    # Where another action plays, or none any more, that has put the character elsewhere, not the user.
    # One that was scaled to nothing has lost which way it faced.
    if is_other or not np.linalg.det(before):
        return False
    change = _find_change(before, place)
    travels = data.travel.source == "FOOTSTEPS"
    for step in list_footsteps(armature):
        together = step.select_get() and armature.select_get()
        if step.parent is not None or is_animated(step) or together:
            continue
        follows = not is_edited(step)
        if not (follows or travels):
            continue
        was_in_place = is_in_place(step)
        own = np.array(step.matrix_basis, dtype=np.float64)
        step.matrix_basis = Matrix((change @ own).tolist())
        planned = step.locomotion_footstep
        kept = np.array(planned.planned_basis, dtype=np.float64).reshape(4, 4)
        planned.planned_basis = (
            np.array(step.matrix_basis).ravel() if was_in_place else (change @ kept).ravel()
        )
    return True


def _name_action(armature: bpy.types.Object) -> str:
    """Name of the action that a character plays, empty for none."""
    action, _ = find_playing_action(armature)
    return "" if action is None else str(action.name)


def _find_change(before: FloatArray, after: FloatArray) -> FloatArray:
    """Move and turn about up (4, 4) that lead from one place of a character to another."""
    moved = after @ np.linalg.inv(before)
    yaw = np.arctan2(moved[1, 0] - moved[0, 1], moved[0, 0] + moved[1, 1])
    turn = compose_matrices(np.zeros(3), rot.quaternions_from_yaws(np.array(yaw)), np.ones(3))
    turn[:3, 3] = after[:3, 3] - turn[:3, :3] @ before[:3, 3]
    return turn


def _note_update(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Look for characters that were moved. Blender does not call this for changes of the frame."""
    for update in depsgraph.updates:
        item = update.id.original
        if (
            update.is_updated_transform
            and isinstance(item, bpy.types.Object)
            and item.type == "ARMATURE"
            and item.library is None
            and item.locomotion.move_footsteps
        ):
            _carry_footsteps(item, scene)


def _note_file(*_: object) -> None:
    """Look again after undo and loading."""
    install()


_ALWAYS = ("load_post", "undo_post", "redo_post")
# Loading a file takes all other handlers out.
for _function in (_note_update, _note_file):
    persistent(_function)


def register() -> None:
    """Add the handlers that look for such characters after undo and loading."""
    move_followers.append(_follow_choice)
    for name in _ALWAYS:
        getattr(bpy.app.handlers, name).append(_note_file)


def unregister() -> None:
    """Take all handlers out."""
    move_followers.remove(_follow_choice)
    for name in _ALWAYS:
        getattr(bpy.app.handlers, name).remove(_note_file)
    if _note_update in bpy.app.handlers.depsgraph_update_post:
        bpy.app.handlers.depsgraph_update_post.remove(_note_update)
