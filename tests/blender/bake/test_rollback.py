# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A bake that fails in its writing leaves the file as it was."""

from __future__ import annotations

import sys
from contextlib import ExitStack, suppress
from dataclasses import fields, replace
from functools import partial
from pathlib import Path

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.bake import removal, rollback, section_removal, writing
from semi_procedural_locomotion.blender.bake.rollback import Write, commit_writes
from semi_procedural_locomotion.blender.bake.writing import BakeOptions, commit_bake
from semi_procedural_locomotion.blender.values.armature import read_skeleton
from semi_procedural_locomotion.blender.values.curves import build_bone_path
from semi_procedural_locomotion.blender.values.key_tables import read_key_table, write_key_table
from tests.blender.bake.test_writing import FRAMES, get_curve, key_shot, make_poses
from tests.blender.rigs import cycle_rotation_modes, make_armature

LINES = ("extrapolation", "mute", "lock", "hide", "select", "color_mode", "auto_smoothing")
# Where the functions lie that a bake is written by.
WRITERS = str(Path("semi_procedural_locomotion", "blender"))
MARKERS = (("Left strikes", 12), ("Left leaves", 16))


class InjectedError(Exception):
    """Raised by the tests alone."""


def read_plain(owner, skipped=()):
    """All properties of a thing that can be set and are plain values."""
    found = {}
    for prop in owner.bl_rna.properties:
        if prop.is_readonly or prop.type in {"POINTER", "COLLECTION"}:
            continue
        if prop.identifier not in skipped:
            value = getattr(owner, prop.identifier)
            found[prop.identifier] = tuple(value) if getattr(prop, "is_array", False) else value
    return found


def read_curve(curve):
    points = curve.keyframe_points
    table = read_key_table(curve)
    return {
        "keys": [getattr(table, field.name).tolist() for field in fields(table)],
        "selected": [(p.select_control_point, p.select_left_handle) for p in points],
        "group": None if curve.group is None else curve.group.name,
        "choices": [getattr(curve, name) for name in LINES],
        "modifiers": [
            (
                read_plain(modifier),
                [(p.frame, p.min, p.max) for p in getattr(modifier, "control_points", ())],
            )
            for modifier in curve.modifiers
        ],
    }


def read_action(action):
    slots = versions.list_slots(action)
    bags = {slot: versions.get_channelbag(action, slot) for slot in slots}
    return {
        "slots": slots,
        "fake": action.use_fake_user,
        "markers": sorted((m.name, m.frame, m.select) for m in action.pose_markers),
        "custom": {
            key: value.to_dict() if hasattr(value, "to_dict") else value
            for key, value in action.items()
        },
        "groups": {slot: [g.name for g in bag.groups] for slot, bag in bags.items() if bag},
        "curves": {
            (slot, curve.data_path, curve.array_index): read_curve(curve)
            for slot, bag in bags.items()
            for curve in (bag.fcurves if bag else ())
        },
    }


def read_file(armature):
    """Everything that a bake could change."""
    data = armature.animation_data
    return {
        "actions": {action.name: read_action(action) for action in bpy.data.actions},
        "playing": None if data is None else read_plain(data),
        "assigned": versions.get_assigned_action(armature),
        "bakes": {o.name: o.locomotion.bake for o in bpy.data.objects},
        "tracks": [
            (
                read_plain(track),
                [
                    (
                        read_plain(strip),
                        strip.action,
                        versions.get_strip_slot(strip),
                        [(c.data_path, read_curve(c)["keys"]) for c in strip.fcurves],
                    )
                    for strip in track.strips
                ],
            )
            for track in (() if data is None else data.nla_tracks)
        ],
        "object": [
            tuple(armature.location),
            tuple(armature.rotation_euler),
            {key: value for key, value in armature.items() if key != "locomotion"},
        ],
        "bones": [
            (
                tuple(bone.location),
                tuple(bone.rotation_quaternion),
                tuple(bone.rotation_euler),
                tuple(bone.rotation_axis_angle),
                tuple(bone.scale),
            )
            for bone in armature.pose.bones
        ],
    }


def find_differences(before, after, place=""):
    """Places at which two nested descriptions differ."""
    if isinstance(before, dict) and isinstance(after, dict):
        keys = [*before, *(key for key in after if key not in before)]
        pairs = [(key, before.get(key), after.get(key)) for key in keys]
    elif (
        isinstance(before, list | tuple)
        and isinstance(after, list | tuple)
        and len(before) == len(after)
    ):
        pairs = [(k, *both) for k, both in enumerate(zip(before, after, strict=True))]
    else:
        return [] if before == after else [f"{place}: {before} became {after}"]
    return [found for key, *both in pairs for found in find_differences(*both, f"{place}/{key}")]


@pytest.fixture
def hero():
    return make_hero()


def make_hero():
    """A character whose bones turn in different modes."""
    armature = make_armature("Hero", chains=3, length=3)
    cycle_rotation_modes(armature)
    return armature


def bake(armature, options=None, markers=MARKERS, *, seed=0, **changed):
    skeleton = read_skeleton(armature)
    poses = replace(make_poses(skeleton, seed), **changed)
    return commit_bake(armature, poses, skeleton, FRAMES, options, markers)


def begin_bare(armature):
    """Nothing is animated."""
    return BakeOptions(), {}


def begin_shot(armature):
    """A shot is played and becomes part of the new action."""
    key_shot(armature)
    return BakeOptions(), {}


def begin_shot_in_strip(armature):
    """A shot is played and the walk goes to a strip over it."""
    key_shot(armature)
    return BakeOptions(use_strip=True), {}


def begin_baked(armature):
    """A bake whose curves were touched by hand; the next one has fewer, and another name."""
    key_shot(armature)
    baked = bake(armature)
    location = get_curve(armature, build_bone_path("Hero.0.0", "location"))
    location.modifiers.new("NOISE").strength = 0.3
    envelope = location.modifiers.new("ENVELOPE")
    envelope.control_points.add(12.0)
    envelope.control_points.foreach_set("min", [-0.5])
    envelope.control_points.foreach_set("max", [0.75])
    location.mute = location.hide = True
    location.extrapolation = "LINEAR"
    location.keyframe_points[2].co.y += 0.25
    location.keyframe_points[3].select_control_point = True
    turn = get_curve(armature, build_bone_path("Hero.0.1", "rotation_euler"), 1)
    turn.modifiers.new("CYCLES").cycles_after = 3
    turn.keyframe_points[1].select_left_handle = True
    turn.color_mode = "CUSTOM"
    switch = get_curve(armature, '["switch"]')
    switch.keyframe_points[1].select_control_point = True
    baked.action.pose_markers.new("Mine").frame = 30
    bpy.context.scene.frame_set(14)
    few = np.zeros(9, bool)
    few[4] = True
    return BakeOptions(action_name="Other Name"), {"moved": few, "rotated": few, "seed": 3}


def begin_active_for_strip(armature):
    """The walk goes from the active action to a strip."""
    bake(armature)
    return BakeOptions(use_strip=True), {"seed": 3}


def begin_strip(armature):
    """The walk lies in a strip that was touched by hand, and stays in one."""
    key_shot(armature)
    bake(armature, BakeOptions(use_strip=True))
    track = armature.animation_data.nla_tracks[-1]
    strip = track.strips[0]
    strip.name, track.name, strip.scale, strip.mute = "Slow", "Mine", 2.0, True
    strip.use_animated_influence = True
    strip.fcurves[0].keyframe_points.insert(12.0, 0.5)
    strip.fcurves[0].keyframe_points.insert(15.0, 1.0)
    return BakeOptions(use_strip=True), {"seed": 3}


def begin_strip_for_active(armature):
    """The walk goes from such a strip, between tracks of others, to the active action."""
    options, changed = begin_strip(armature)
    tracks = armature.animation_data.nla_tracks
    other = bpy.data.actions.new("Other")
    versions.ensure_channelbag(other, armature)
    for track in (tracks.new(), tracks.new()):
        track.strips.new("Other", 100, other)
    return replace(options, use_strip=False), changed


def begin_shared(armature):
    """Another object has a slot in the bake's action."""
    if versions.list_slots(bpy.data.actions.new("Empty")):
        pytest.skip("actions have no slots in this version")
    action = bake(armature).action
    _, bag = versions.ensure_channelbag(action, make_armature("Other"))
    versions.add_curve(bag, "location", 0, "Object Transforms").keyframe_points.insert(1, 5)
    return BakeOptions(), {"seed": 3}


def begin_twin(armature):
    """Another object has the same bake, in a strip, and keys of the animator are in it."""
    key_shot(armature)
    bake(armature, BakeOptions(use_strip=True))
    twin = armature.copy()
    bpy.context.scene.collection.objects.link(twin)
    few = np.zeros(9, bool)
    few[4] = True
    return BakeOptions(use_strip=True), {"moved": few, "owner": twin}


def begin_left(armature):
    """Another action was chosen in place of a bake."""
    key_shot(armature)
    bake(armature)
    bpy.context.scene.frame_set(14)
    other = bpy.data.actions.new("Other")
    slot, bag = versions.ensure_channelbag(other, armature)
    versions.add_curve(bag, "location", 0, "Object Transforms").keyframe_points.insert(1, 5)
    versions.assign_action(armature, other, slot)
    few = np.zeros(9, bool)
    few[4] = True
    return BakeOptions(), {"moved": few, "rotated": few, "seed": 3}


def begin_own_keys(armature):
    """Keys of the animator lie where the next walk writes."""
    few = np.zeros(9, bool)
    few[4] = True
    bake(armature, moved=few, rotated=few)
    path = build_bone_path("Hero.0.0", "location")
    armature.pose.bones["Hero.0.0"].keyframe_insert("location", frame=12)
    get_curve(armature, path, 1).modifiers.new("NOISE")
    return BakeOptions(), {"seed": 3}


BEGINNINGS = (
    begin_bare,
    begin_shot,
    begin_shot_in_strip,
    begin_baked,
    begin_active_for_strip,
    begin_strip,
    begin_strip_for_active,
    begin_shared,
    begin_twin,
    begin_left,
    begin_own_keys,
)


def fail_after_each(monkeypatch, module, act, armature, read=read_file):
    """Do what writes, again and again, with an exception after each of its writes; their names."""
    before, failed, count = read(armature), [], 1

    def commit(writes, last=None):
        nonlocal count
        count, number = len(writes) + (last is not None), len(failed)

        def fail():
            if number == len(writes):
                failed.append("last")
            else:
                writes[number].do()
                failed.append(writes[number].name)
            raise InjectedError

        if number == len(writes):
            commit_writes(writes, fail)
        else:
            failing = replace(writes[number], do=fail)
            commit_writes([*writes[:number], failing, *writes[number + 1 :]], last)

    monkeypatch.setattr(module, "commit_writes", commit)
    while len(failed) < count:
        with pytest.raises(InjectedError):
            act()
        assert find_differences(before, read(armature)) == [], failed[-1]
    monkeypatch.setattr(module, "commit_writes", commit_writes)
    act()
    assert find_differences(before, read(armature))
    return failed


@pytest.mark.parametrize("begin", BEGINNINGS)
def test_a_failure_after_any_write_leaves_the_file_as_it_was(hero, monkeypatch, begin):
    options, changed = begin(hero)
    owner = changed.pop("owner", hero)
    bake_again = partial(bake, owner, options, MARKERS[:1], **changed)
    failed = fail_after_each(monkeypatch, writing, bake_again, owner)
    assert failed[-4:] == ["place", "selection", "all else", "last"]
    assert len(set(failed)) == len(failed)


@pytest.mark.parametrize("begin", BEGINNINGS[1:])
def test_a_failure_in_the_removal_leaves_the_file_as_it_was(hero, monkeypatch, begin):
    begin(hero)
    if hero.locomotion.bake is None:
        bake(hero)
    action = hero.locomotion.bake
    action.pose_markers.new("Own").frame = 5
    (slot, *_) = versions.list_slots(action)
    bag = versions.get_channelbag(action, slot)
    versions.add_curve(bag, "hide_render", 0, "Mine").keyframe_points.insert(12.0, 1.0)
    for curve in bag.fcurves:
        if curve.data_path == '["switch"]':
            curve.keyframe_points[1].co.y = 99.0
    failed = fail_after_each(monkeypatch, removal, partial(removal.remove_bake, hero), hero)
    assert failed[:4] == ["action before", "handed back", "markers", "place"]
    assert failed[4:] == ["values", "copied pointer", "last"]


@pytest.mark.parametrize("begin", [begin_shot, begin_baked])
@pytest.mark.parametrize("written", [0, 1, 5])
def test_a_failure_in_the_midst_of_the_keys_leaves_the_file_as_it_was(
    hero, monkeypatch, begin, written
):
    options, changed = begin(hero)
    before = read_file(hero)
    left = [written]

    def write(curve, table, found=None):
        if not left[0]:
            write_key_table(curve, replace(table, co=table.co + np.float32(1.0)))
            raise InjectedError
        left[0] -= 1
        write_key_table(curve, table, found)

    monkeypatch.setattr(writing, "write_key_table", write)
    with pytest.raises(InjectedError):
        bake(hero, options, MARKERS[:1], **changed)
    assert left == [0]
    assert find_differences(before, read_file(hero)) == []


def test_undoing_goes_backwards_and_on_where_a_part_of_it_fails():
    done = []

    def fail():
        raise InjectedError

    def fail_to_undo():
        done.append("undo two")
        raise ValueError("gone")

    writes = [
        Write("one", lambda: done.append("one"), lambda: done.append("undo one")),
        Write("two", lambda: done.append("two"), fail_to_undo),
        Write("three", lambda: done.append("three")),
        Write("four", fail, lambda: done.append("undo four")),
        Write("five", lambda: done.append("five"), lambda: done.append("undo five")),
    ]
    with pytest.raises(ValueError, match="gone") as failure:
        commit_writes(writes)
    assert isinstance(failure.value.__context__, InjectedError)
    assert done == ["one", "two", "three", "undo four", "undo two", "undo one"]


def fail_in_each_function(monkeypatch, act, armature, failed=None):
    """Do what writes again and again, with an exception at each function; their names by their code.

    ``failed`` are those that have failed before; it grows.
    """
    before, failed = read_file(armature), {} if failed is None else failed
    undoing = [False]

    class Watched(ExitStack):
        """Tells when writes are undone: what fails then is no failure of the writing."""

        def __exit__(self, *details):
            undoing[0] = details[0] is not None
            return super().__exit__(*details)

    monkeypatch.setattr(rollback, "ExitStack", Watched)

    def trace(frame, event, _argument):
        code = frame.f_code
        # Generators that are thrown away are called once more, where nothing is raised.
        is_ours = WRITERS in code.co_filename and code.co_name != "<genexpr>"
        if event == "call" and is_ours and not undoing[0] and code not in failed:
            failed[code] = code.co_name
            raise InjectedError(code.co_qualname)

    is_done = False
    while not is_done:
        undoing[0] = False
        known = len(failed)
        sys.setprofile(trace)
        with suppress(InjectedError):
            act()
        sys.setprofile(None)
        is_done = len(failed) == known
        assert is_done or find_differences(before, read_file(armature)) == [], [*failed.values()][
            -1
        ]
    return set(failed.values())


def make_heroes():
    """A character in an empty scene, anew for each that is asked for."""
    while True:
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        yield make_hero()


@pytest.mark.newest
def test_a_failure_in_any_function_of_a_bake_leaves_the_file_as_it_was(monkeypatch):
    # What has failed in one beginning need not fail in the next, which calls others.
    failed = {}
    beginnings = (begin_strip_for_active, begin_baked, begin_bare)
    for begin, hero in zip(beginnings, make_heroes(), strict=False):
        options, changed = begin(hero)
        again = partial(bake, hero, options, MARKERS[:1], **changed)
        fail_in_each_function(monkeypatch, again, hero, failed)
    assert {*failed.values()} >= {"describe", "write_record"}


@pytest.mark.newest
def test_a_failure_in_any_function_of_a_removal_leaves_the_file_as_it_was(monkeypatch):
    failed = {}
    for begin, hero in zip((begin_baked, begin_strip, begin_twin), make_heroes(), strict=False):
        begin(hero)
        fail_in_each_function(monkeypatch, partial(removal.remove_bake, hero), hero, failed)
        assert hero.locomotion.bake is None
    assert "remove_bake" in failed.values()


@pytest.mark.newest
def test_a_failure_in_any_function_leaves_a_section_as_it_was(hero, monkeypatch):
    key_shot(hero)
    skeleton = read_skeleton(hero)
    few = np.arange(9) < 5
    for start, moved in ((0.0, few), (100.0, ~few)):
        poses = replace(make_poses(skeleton), moved=moved, rotated=moved)
        options = BakeOptions(keep_around=True)
        commit_bake(hero, poses, skeleton, FRAMES + start, options, MARKERS)
    section = (FRAMES[0] + 100.0, FRAMES[-1] + 100.0)
    act = partial(section_removal.remove_section, hero, section)
    assert "remove_section" in fail_in_each_function(monkeypatch, act, hero)
