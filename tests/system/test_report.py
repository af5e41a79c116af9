# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Baked walks measured as they are shown: agreement with the solver, and faults that are made."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

import semi_procedural_locomotion
from semi_procedural_locomotion.headless import cli
from semi_procedural_locomotion.notes import NoteKind

PLOTS = {"soles", "slides", "hips", "knees", "phase", "prints"}
# Two thirds of the walk, where it is steady.
FRAME = 60


@pytest.fixture(scope="module")
def baked_file(tmp_path_factory):
    """A person's walk up a ramp around a corner, baked and saved."""
    from benchmarks.terrain_shapes import make_ramp
    from semi_procedural_locomotion import api
    from semi_procedural_locomotion.api import setups
    from semi_procedural_locomotion.demo.characters import (
        CHARACTER_SHAPES,
        create_character,
        write_gaits,
    )
    from semi_procedural_locomotion.demo.stage import create_terrain

    semi_procedural_locomotion.register()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    shape = CHARACTER_SHAPES["biped"]()
    armature = create_character(shape, scene.collection)
    walk, rest = write_gaits(armature, shape, ["walk", "rest"])
    ramp = make_ramp(0.82, 1.2, np.pi, slope=float(np.radians(10.0)))
    ground = create_terrain(ramp, "Ramp", scene.collection)
    setups.set_up(armature, [api.MotionChoice(walk), api.MotionChoice(rest, rest=True)])
    path = api.AlongPoints(((0, 0), (0, -3), (1.5, -4)))
    setups.write_travel(armature, path, "object")
    setups.write_ground(armature, [ground])
    result = setups.bake_set_up(armature, scene)
    # A report is about the file, wherever its time stands.
    scene.frame_set(result.frames[1])
    file = tmp_path_factory.mktemp("report") / "walk.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file), copy=True)
    yield file
    semi_procedural_locomotion.unregister()


@pytest.fixture
def armature(baked_file):
    """The character of the freshly opened file."""
    bpy.ops.wm.open_mainfile(filepath=str(baked_file), load_ui=False)
    return next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")


def measure(armature):
    from semi_procedural_locomotion import api

    return api.measure_baked(armature, bpy.context.scene)


def edit_keys(armature, path, index, change, frames):
    """Add to the keys of one curve within a range of frames."""
    from semi_procedural_locomotion.blender import versions

    action, slot = versions.get_assigned_action(armature)
    curve = next(
        c
        for c in versions.get_curves(action, slot)
        if (c.data_path, c.array_index) == (path, index)
    )
    for key in curve.keyframe_points:
        if frames[0] <= key.co.x <= frames[1]:
            key.co.y += change
    curve.update()


def find_stance(walk, leg, near):
    """First and last frame of a contact of a leg in the steady middle of a walk."""
    contacts = walk.report.feet.contacts[:, leg]
    frames = walk.shown.frames
    edges = np.flatnonzero(np.diff(contacts.astype(int)))
    starts = [e + 1 for e in edges if not contacts[e] and frames[e] > near]
    start = starts[0]
    end = start + int(np.argmin(contacts[start:]))
    return int(frames[start]), int(frames[end - 1])


def test_keys_read_back_agree_with_the_solver(armature):
    before = [tuple(armature.location), bpy.context.scene.frame_current]
    action = armature.animation_data.action
    walk = measure(armature)
    assert walk.verification.share < 1e-5
    length = walk.plan.tables.rig.leg_length
    bones = walk.shown.bones
    columns = bones.find_columns(walk.plan.tables.small_rig.skeleton.names)
    assert np.abs(bones.positions[:, columns] - walk.planned.positions).max() < 1e-5 * length
    assert walk.edited == ()
    entry = walk.as_dict()
    assert entry["shown_off_plan"] < 1e-5
    assert not entry["warnings"]
    # The meshes of the feet are where their soles have them.
    assert max(walk.skin_off.values()) < 1e-3
    plan = walk.as_dict(with_plan=True)["plan"]
    assert plan["feet_sink_worst"] == pytest.approx(entry["feet_sink_worst"], abs=1e-3)
    assert [tuple(armature.location), bpy.context.scene.frame_current] == before
    assert armature.animation_data.action == action


def test_measures_agree_with_those_of_the_bake(armature):
    kept = json.loads(armature.locomotion.report.values)
    entry = measure(armature).as_dict()
    for key in (
        "feet_slide_worst",
        "feet_sink_worst",
        "shown_knee_speed_ratio",
        "shown_hip_jerk_ratio",
    ):
        assert entry[key] == pytest.approx(kept[key], rel=1e-2, abs=1e-3), key


def test_a_slide_made_on_purpose_is_named(armature):
    clean = measure(armature)
    start, end = find_stance(clean, 0, FRAME)
    middle = (start + end) // 2
    edit_keys(armature, "location", 0, 0.05, (middle, np.inf))
    walk = measure(armature)
    entry = walk.as_dict()
    share = 0.05 / walk.plan.tables.rig.leg_length
    assert entry["feet_slide_worst"] == pytest.approx(share, rel=0.1)
    assert middle <= entry["worst"]["shown_slip_worst"]["frame"] <= end
    # The edit is told first, and what is seen for it below.
    cause, *others = walk.notes
    assert (cause.kind, cause.values["case"]) == (NoteKind.OFF_PLAN, "edited")
    assert (NoteKind.FOOT_SLIDES, "Left") in [(note.kind, note.leg) for note in cause.symptoms]
    assert not {note.kind for note in others} & {note.kind for note in cause.symptoms}
    assert "location[0]" in entry["edited_curves"]


def test_a_sink_made_on_purpose_is_named(armature):
    clean = measure(armature)
    start, end = find_stance(clean, 1, FRAME)
    edit_keys(armature, "location", 2, -0.03, (start, end))
    walk = measure(armature)
    entry = walk.as_dict()
    share = 0.03 / clean.plan.tables.rig.leg_length
    assert entry["feet_sink_worst"] == pytest.approx(share, rel=0.15)
    assert start <= entry["worst"]["shown_sink_worst"]["frame"] <= end
    symptoms = [(note.kind, note.leg) for note in walk.notes[0].symptoms]
    assert (NoteKind.FOOT_SINKS, "Right") in symptoms


def test_a_pop_made_on_purpose_is_named(armature):
    clean = measure(armature)
    rig = clean.plan.tables.rig
    thigh = rig.skeleton.names[rig.legs[1].joints[0]]
    edit_keys(armature, f'pose.bones["{thigh}"].rotation_quaternion', 1, 0.1, (FRAME, FRAME))
    walk = measure(armature)
    assert walk.notes[0].values["case"] == "edited"
    assert abs(walk.notes[0].frame - FRAME) <= 1
    assert walk.report.shown_knee_speed_ratio >= clean.report.shown_knee_speed_ratio


def test_a_set_up_changed_since_the_bake_is_told(armature):
    armature.locomotion.travel.points[1].location[1] = -2.5
    assert measure(armature).notes[0].kind is NoteKind.BAKE_OUTDATED


def test_the_verb_writes_numbers_plots_and_a_page(baked_file, tmp_path, capfd):
    assert cli.main(["report", str(baked_file), "-o", str(tmp_path / "numbers")]) == 0
    out = capfd.readouterr().out
    assert "feet slide, worst" in out
    folder = tmp_path / "numbers"
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    (entry,) = report["characters"]
    assert {name.rpartition("-")[2].removesuffix(".svg") for name in entry["plots"]} == PLOTS
    page = (folder / "index.html").read_text(encoding="utf-8")
    for name in entry["plots"]:
        ElementTree.parse(folder / name)
        assert f"src='{name}'" in page
    assert sorted(p.name for p in folder.iterdir()) == sorted(
        [*entry["plots"], "index.html", "report.json"]
    )


def test_a_file_without_a_bake_is_refused(baked_file, tmp_path, capfd):
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    empty = tmp_path / "empty.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(empty), copy=True)
    capfd.readouterr()
    assert cli.main(["report", str(empty), "-o", str(tmp_path / "numbers")]) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert "empty.blend has no baked walk: bake one first" in err
    assert list((tmp_path / "numbers").glob("*")) == []
