# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters whose walk follows every change: shown live, baked again, or drawn over.

One plan serves all three. Blender's handlers only mark what may have changed (see `ui.live.handlers`);
`refresh` compares fingerprints and plans again where something did. Objects are known by their
session numbers, which outlive undo and renaming.
"""

from __future__ import annotations

import time
from dataclasses import replace

import bpy
import numpy as np

from ..blender.bake.computing import compute_keys
from ..blender.bake.inputs import fingerprint_inputs, fingerprint_motions, may_depend
from ..blender.bake.live_action import (
    begin_live,
    end_live,
    free_copy,
    has_live_action,
    is_copied_live,
    is_shown_live,
)
from ..blender.bake.rollback import commit_writes
from ..blender.bake.writing import check_target, find_bake
from ..blender.reading.sampling import stand_at_start
from ..blender.setup.characters import collect_characters, find_set_up_characters
from ..blender.values.bake_record import find_section_start, find_walk_start
from ..blender.values.preferences import wants_verification
from ..core.motions.records import MotionSet
from ..errors import LocomotionError, RigError
from .baking import BakeRequest, prepare_bake
from .characters import Character, make_motion_set
from .live_checks import check_live
from .notes import sort_notes
from .present_feet import read_present_character
from .progress import run_steps
from .set_up_work import find_ticked_motions, is_set_up
from .setups import make_request, write_set_up_bake
from .verifying import verify_live
from .watches import Watch, forget_end, in_scene, note_end, working

_watches: dict[int, Watch] = {}
# Session numbers of all objects of characters, which are never ground.
_character_objects: set[int] = set()


def list_watches() -> list[Watch]:
    """All watched characters."""
    return list(_watches.values())


def find_watch(armature: bpy.types.Object) -> Watch | None:
    """The watch of a character, if there is one."""
    return _watches.get(armature.session_uid)


def is_of_character(item: bpy.types.ID) -> bool:
    """Whether an object belongs to a character, as known from the last refresh."""
    return item.session_uid in _character_objects


def find_dependents(item: bpy.types.Object, scene: bpy.types.Scene) -> set[int]:
    """Session numbers of the watched characters whose walk may change with an object."""
    if item.session_uid in _character_objects:
        return set()
    found = set()
    for watch in _watches.values():
        armature = watch.find_object() if watch.scene_uid == scene.session_uid else None
        if armature is not None and may_depend(armature, item):
            found.add(watch.uid)
    return found


def start_live(armature: bpy.types.Object, scene: bpy.types.Scene) -> Watch:
    """Show the walk of a set-up character without writing keys.

    Raises
    ------
    LocomotionError
        The walk cannot be planned; nothing has changed then.
    """
    check_live(armature)
    watch = _start(armature, scene, "live")
    prepared = watch.prepared
    if prepared is not None and watch.pose is not None and wants_verification():
        first, last = prepared.frames
        frames = np.arange(first, last + 1)
        with working(), in_scene(scene):
            watch.seen = verify_live(
                armature,
                prepared.plan,
                prepared.walk,
                frames,
                watch.pose,
                scene,
                prepared.controls,
            )
    return watch


def stop_live(armature: bpy.types.Object) -> None:
    """Show the character as it was before Live."""
    free_copies()
    end_live(armature)
    armature.locomotion.is_live = False
    watch = find_watch(armature)
    if watch is not None:
        watch.recorded = None
    _stop(armature, "live")


def free_copies() -> bool:
    """Let copies of live characters play the walks that they have; whether there were any."""
    copies = [o for o in bpy.data.objects if o.type == "ARMATURE" and is_copied_live(o)]
    with working():
        for armature in copies:
            free_copy(armature)
    return bool(copies)


def start_auto_bake(armature: bpy.types.Object, scene: bpy.types.Scene) -> Watch:
    """Bake the walk of a set-up character, and again whenever something changes.

    Raises
    ------
    LocomotionError
        The walk cannot be planned; nothing has changed then.
    """
    return _start(armature, scene, "auto_bake")


def note_own_bake(armature: bpy.types.Object, scene: bpy.types.Scene) -> None:
    """Let Auto Bake leave a bake as the user has just made it, until something changes."""
    watch = find_watch(armature)
    if watch is not None:
        watch.own_bake = fingerprint_inputs(armature, scene)


def stop_auto_bake(armature: bpy.types.Object) -> None:
    """Leave the keys as they are from now on."""
    armature.locomotion.auto_bake = False
    _stop(armature, "auto_bake")


def start_drawing(armature: bpy.types.Object, scene: bpy.types.Scene) -> Watch:
    """Keep a plan of a set-up character for drawing.

    Raises
    ------
    LocomotionError
        The walk cannot be planned.
    """
    return _start(armature, scene, "drawn")


def stop_drawing(armature: bpy.types.Object) -> None:
    """The plan is not drawn any more."""
    _stop(armature, "drawn")


def refresh(uids: set[int] | None = None) -> bool:
    """Plan again where inputs have changed.

    Parameters
    ----------
    uids
        Characters to plan again whether their fingerprints changed or not; None for none.

    Returns
    -------
    bool
        Whether anything was planned.
    """
    changed = free_copies()
    seen: dict[tuple[int, str], str] = {}  # what one writes may be another one's motion
    for watch in list_watches():
        tried = True
        try:
            tried = _refresh(watch, seen, is_forced=uids is not None and watch.uid in uids)
        except LocomotionError as error:
            watch.error = str(error)
        except Exception as error:  # noqa: BLE001 - nobody sees those of a timer
            _give_up(watch, error)
        if tried:
            changed = True
            seen.clear()
    return changed


def _refresh(watch: Watch, seen: dict[tuple[int, str], str], *, is_forced: bool) -> bool:
    """Plan the walk of one character again where its inputs have changed; whether it was."""
    if watch.failure is not None:
        raise watch.failure
    armature, scene = watch.find_object(), watch.find_scene()
    if armature is None or scene is None or not is_set_up(armature):
        _watches.pop(watch.uid, None)
        return False
    motions = fingerprint_motions(armature, scene, seen)
    fingerprint = fingerprint_inputs(armature, scene, motions)
    changed = _end_what_was_removed(watch, armature)
    if watch.is_used and (is_forced or fingerprint != watch.fingerprint):
        watch.fingerprint, changed = fingerprint, True
        _update(watch, armature, scene, motions)
    return changed


def _give_up(watch: Watch, error: Exception) -> None:
    """End all that a character is watched for after a failure, and put it back."""
    note_end(watch, error)
    _watches.pop(watch.uid, None)
    armature = watch.find_object()
    if armature is not None:
        _put_back(armature)


def _put_back(armature: bpy.types.Object) -> None:
    """Show a character as it was before Live."""
    with working():
        end_live(armature)
        armature.locomotion.is_live = armature.locomotion.auto_bake = False


def show_frame(scene: bpy.types.Scene, frame: float) -> set[int]:
    """Put all live characters of a scene in their poses of a frame; numbers of those that fail."""
    failed = set()
    for watch in _watches.values():
        if watch.live and watch.pose is not None and watch.scene_uid == scene.session_uid:
            armature = watch.find_object()
            if armature is None or not is_shown_live(armature):
                continue
            try:
                watch.pose.show(armature, frame)
            except Exception as error:  # noqa: BLE001 - a handler can put nothing back: see refresh
                watch.pose, watch.failure = None, error
                failed.add(watch.uid)
            else:
                if watch.recorded is not None:
                    watch.recorded.add(round(frame))
    return failed


def adopt_states() -> None:
    """Make the watches agree with the file, after undo and redo."""
    for armature in [o for o in bpy.data.objects if o.type == "ARMATURE"]:
        data = armature.locomotion
        live = data.is_live and is_shown_live(armature)
        watch = find_watch(armature)
        if watch is None and (live or data.auto_bake):
            scene = next((s for s in bpy.data.scenes if s.objects.get(armature.name)), None)
            if scene is None:
                continue
            watch = _watches[armature.session_uid] = _make_watch(armature, scene)
        if watch is not None:
            watch.live, watch.auto_bake, watch.fingerprint = live, data.auto_bake, ""
            watch.recorded = None
    for watch in list_watches():
        if watch.find_object() is None or not watch.is_used:
            del _watches[watch.uid]


def put_back_all(*, forget: bool) -> None:
    """End showing all live characters, for saving a file or for good.

    Parameters
    ----------
    forget
        Whether nothing is watched any more; else `take_up_all` shows them again.
    """
    free_copies()
    for watch in list_watches():
        armature = watch.find_object()
        if armature is not None:
            _put_back(armature)
    if forget:
        _watches.clear()


def take_up_all() -> None:
    """Show again what `put_back_all` ended; what cannot be shown any more ends, and is told."""
    for watch in list_watches():
        armature, scene = watch.find_object(), watch.find_scene()
        if armature is None or scene is None:
            continue
        armature.locomotion.is_live = watch.live
        armature.locomotion.auto_bake = watch.auto_bake
        if watch.live and watch.prepared is not None:
            try:
                with working():
                    _show(watch, armature, scene)
            except Exception as error:  # noqa: BLE001 - nobody sees those of a handler
                _give_up(watch, error)


def forget_all() -> None:
    """Watch nothing; what was watched is in another file."""
    _watches.clear()
    forget_end()
    _character_objects.clear()


def clean_file() -> None:
    """End what an interrupted session left live in the file."""
    for armature in [o for o in bpy.data.objects if o.type == "ARMATURE" and not o.library]:
        if has_live_action(armature):
            end_live(armature)
        data = armature.locomotion
        if data.is_live or data.auto_bake:
            data.is_live = data.auto_bake = False


def _start(armature: bpy.types.Object, scene: bpy.types.Scene, purpose: str) -> Watch:
    """Plan the walk of a character and watch it for a purpose more."""
    if not is_set_up(armature):
        raise RigError(f"{armature.name!r} is not set up: use Set Up first")
    check_target(armature, make_request(armature).options)
    known = find_watch(armature)
    watch = known or _make_watch(armature, scene)
    setattr(watch, purpose, True)
    motions = fingerprint_motions(armature, scene)
    try:
        _update(watch, armature, scene, motions)
    except Exception:
        setattr(watch, purpose, False)
        if known is None:
            _put_back(armature)
        raise
    _watches[watch.uid] = watch
    forget_end(watch.uid)
    armature.locomotion.is_live, armature.locomotion.auto_bake = watch.live, watch.auto_bake
    watch.fingerprint = fingerprint_inputs(armature, scene)
    return watch


def _end_what_was_removed(watch: Watch, armature: bpy.types.Object) -> bool:
    """End Live and Auto Bake where the action was taken away, as Remove Bake does."""
    ends_live = watch.live and not is_shown_live(armature)
    ends_auto_bake = watch.auto_bake and find_bake(armature) is None
    if ends_live:
        stop_live(armature)
    if ends_auto_bake:
        stop_auto_bake(armature)
    return ends_live or ends_auto_bake


def _stop(armature: bpy.types.Object, purpose: str) -> None:
    """End one purpose of a watch."""
    watch = find_watch(armature)
    if watch is not None:
        setattr(watch, purpose, False)
        if not watch.is_used:
            del _watches[watch.uid]


def _make_watch(armature: bpy.types.Object, scene: bpy.types.Scene) -> Watch:
    """A watch for a character that has none."""
    began = find_walk_start(armature)
    first = scene.frame_start if began is None else began
    return Watch(armature.session_uid, armature.name, scene.session_uid, first)


def _pin_request(watch: Watch, armature: bpy.types.Object) -> BakeRequest:
    """What the properties ask for, beginning where the walk began whatever frame is shown."""
    request = make_request(armature)
    began = find_walk_start(armature)
    watch.first = watch.first if began is None else began
    return replace(request, plan=replace(request.plan, start=watch.first))


def _update(
    watch: Watch, armature: bpy.types.Object, scene: bpy.types.Scene, fingerprint: str
) -> None:
    """Plan the walk and put the plan to its uses; ``fingerprint`` is that of its motions."""
    began = time.perf_counter()
    with working(), in_scene(scene):
        request = _pin_request(watch, armature)
        start = watch.first
        if request.plan.frames is not None:
            start = find_section_start(armature, request.plan.frames[0])
        with stand_at_start(armature, start, scene):
            present = read_present_character(armature, scene, request.plan.frames)
            character = present.character
            motions = _read_motions(watch, character, fingerprint)
            quick = not watch.auto_bake
            steps = prepare_bake(character, motions, request, scene, quick=quick)
            prepared = run_steps(steps)
            notes = sort_notes([*present.notes, *prepared.notes])
            watch.prepared = replace(prepared, notes=notes)
            commit_writes(present.list_writes())
        if watch.auto_bake and watch.fingerprint != watch.own_bake:
            write_set_up_bake(watch.prepared)
        if watch.live:
            _show(watch, armature, scene)
        _character_objects.clear()
        parts = collect_characters(find_set_up_characters(scene))
        _character_objects.update(item.session_uid for item in parts)
    watch.error = ""
    watch.cost = time.perf_counter() - began


def _read_motions(watch: Watch, character: Character, fingerprint: str) -> MotionSet:
    """The ticked motions, analysed again only where they or the rig have changed."""
    place = [tuple(row[:3]) for row in character.armature.matrix_world[:3]]
    fingerprint = f"{fingerprint} {place}"
    if watch.motions is None or watch.motions_fingerprint != fingerprint:
        findings = run_steps(find_ticked_motions(character))
        watch.motions = make_motion_set(character, findings)
        watch.motions_fingerprint = fingerprint
    return watch.motions


def _show(watch: Watch, armature: bpy.types.Object, scene: bpy.types.Scene) -> None:
    """Show a planned walk at the present frame."""
    prepared = watch.prepared
    if prepared is None:
        return
    first, last = prepared.frames
    options = prepared.request.options
    if prepared.request.plan.frames is None:
        options = replace(options, start=watch.first)
    keys = compute_keys(
        armature,
        prepared.walk.poses,
        prepared.character.rig.skeleton,
        np.arange(first, last + 1, dtype=np.float64),
        options,
    )
    watch.pose = begin_live(armature, keys, options)
    watch.pose.show(armature, scene.frame_current_final)
