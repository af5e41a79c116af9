# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Grounds, meter, verdicts and pages of the compatibility command; its trial needs Blender."""

from __future__ import annotations

import csv
import json
import sys
import zlib
from itertools import pairwise

import numpy as np
import pytest

from tools.compatibility import meter, pages, pictures, running, verdicts
from tools.compatibility.courses import COURSES, make_course
from tools.compatibility.strangers import list_strangers
from tools.compatibility.verdicts import Truth

LENGTH, FPS = 0.8, 24.0
SOLE = np.array([[x, y, 0.0] for x in (-0.1, 0.0, 0.12) for y in (-0.04, 0.04)])


def walk_feet(pace=0.05, slide=0.0, sink=0.0, frames=48):
    """Feet that stand for 14 of 24 frames and then swing, on a flat ground that a body goes over."""
    feet = {}
    for name, late, side in (("Left", 0, 0.1), ("Right", 12, -0.1)):
        places = []
        for frame in range(frames):
            step, phase = divmod(frame + late, 24)
            share = max(0.0, (phase - 14) / 10)
            x = 24 * pace * (step + share) + slide * min(phase, 14)
            places.append([x, side, 0.1 * np.sin(np.pi * share) - sink * (share == 0)])
        feet[name] = np.array(places)[:, None] + SOLE
    return feet


def measure(feet, course=None, pace=0.05):
    source = meter.SourceSight(pace * FPS, np.array([1.0, 0.0]), {}, 2.0 * pace)
    course = course or make_course("flat", LENGTH)
    return meter.measure_walk(feet, course.measure_clearances, source, LENGTH, FPS)


@pytest.mark.parametrize("name", COURSES)
@pytest.mark.parametrize("length", [0.01, 0.8, 90.0])
def test_courses_scale_and_their_meshes_are_their_heights(name, length):
    course = make_course(name, length)
    points, faces = course.make_mesh()
    away = course.measure_clearances(points + np.array([1e-6 * length, 0.0, 0.0]))
    assert np.abs(away).max() < 1e-5 * length
    assert faces.max() < len(points)
    corners = points[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0])
    assert (normals[:, 2] > -1e-9 * length**2).all()


def test_depth_in_a_step_is_the_shortest_way_out():
    course = make_course("stairs", 1.0)
    first = next(i for i, (a, b) in enumerate(pairwise(course.profile)) if a[0] == b[0])
    way, low = course.profile[first]
    point = np.array([[way + 0.02, 0.0, low + 0.1], [way - 0.02, 0.0, low + 0.1]])
    assert course.measure_clearances(point) == pytest.approx([-0.02, 0.1])


def test_clean_feet_measure_clean():
    seen = measure(walk_feet())
    assert (seen["slip"], seen["depth"], seen["float"]) == (0.0, 0.0, 0.0)
    assert seen["standing"] == 1.0
    assert seen["jump"] < 1.0


def test_slides_depths_and_jumps_are_seen():
    slid = measure(walk_feet(slide=0.004))
    assert slid["slip"] == pytest.approx(13 * 0.004 / LENGTH)
    assert measure(walk_feet(sink=0.03))["depth"] == pytest.approx(0.03 / LENGTH)
    jumping = walk_feet()
    jumping["Right"][30:, :, 0] += 1.0
    seen = measure(jumping)
    assert seen["jump"] > 5.0
    assert seen["jump_of"] == "Right"


def test_speed_of_a_clip_is_read_off_its_planted_feet():
    going = 0.05 * np.arange(48)[:, None, None] * np.array([1.0, 0.0, 0.0])
    parts = {name: points - going for name, points in walk_feet().items()}
    paw = np.roll(parts["Left"], 6, axis=0) + np.array([0.3, 0.0, 0.0])
    spur = parts["Right"][:, :2] + np.array([0.0, 0.05, 0.01])
    tail = np.zeros((48, 1, 3))
    seen = meter.measure_source(
        {**parts, "paw": paw, "tail": tail, "spur": spur},
        ["Left", "Right"],
        np.zeros((48, 3)),
        LENGTH,
        FPS,
    )
    assert seen.speed == pytest.approx(0.05 * FPS)
    assert seen.direction == pytest.approx([1.0, 0.0])
    assert list(seen.carrying) == ["paw"]
    assert seen.standing > 0.5


def make_found(**changes):
    """What a trial found of a character that walks well on flat ground."""
    leg = {"name": "Left", "side": "L", "toe": None, "confidence": 1.0, "reasons": []}
    walk = {"action": "Rig|Walk", "speed": 1.2, "direction": [0, -1], "period": 1.0}
    return {
        "path": "a.glb",
        "name": "Rig",
        "root": "hips",
        "legs": [{**leg, "bones": ["thigh.L", "foot.L"]}, {**leg, "bones": ["thigh.R", "foot.R"]}],
        "forward": [0.0, -1.0],
        "leg_length": LENGTH,
        "confidence": 1.0,
        "reasons": [],
        "motions": [{**walk, "kind": "cycle", "warnings": []}],
        "ticked": ["Rig|Walk"],
        "walk": walk,
        "source": {"speed": 1.1, "direction": [0.05, -1.0], "carrying": {}},
        "fps": FPS,
        "times": {"open": 0.1},
        "grounds": [make_ground()],
        **changes,
    }


def make_ground(**changes):
    seen = {"slip": 0.001, "depth": 0.0, "float": 0.0, "jump": 1.0, "way": 3.0, "aside": 0.0}
    return {
        "ground": "flat",
        "span": [1, 49],
        "seen": {**seen, "slip_of": "Left"},
        "shown_slip_worst": 0.001,
        "warnings": [],
        "notes": [],
        **changes,
    }


def test_a_clean_walk_is_right_and_a_silent_fault_is_wrong():
    assert verdicts.judge_file(make_found(), None).kind == "right"
    slipping = {**make_ground()["seen"], "slip": 0.08}
    silent = make_found(grounds=[make_ground(seen=slipping)])
    assert verdicts.judge_file(silent, None).kind == "wrong"
    assert "slip of Left" in verdicts.judge_file(silent, None).reason
    told = make_found(grounds=[make_ground(seen=slipping, shown_slip_worst=0.07)])
    assert verdicts.judge_file(told, None).kind == "told"
    warned = make_ground(seen=slipping, warnings=["slides"], notes=[{"severity": "walk"}])
    assert verdicts.judge_file(make_found(grounds=[warned]), None).kind == "told"


@pytest.mark.parametrize(
    "changes",
    [
        {"crash": "crashed with SIGSEGV in step 'open'"},
        {"error": "Traceback\nValueError: what"},
        {"source": {"speed": 1.1, "direction": [0.0, 1.0], "carrying": {}}},
        {"source": {"speed": 2.5, "direction": [0.0, -1.0], "carrying": {}}},
        {"source": {"speed": 1.2, "direction": [0.0, -1.0], "carrying": {"paw": 0.4}}},
        {
            "source": {"speed": 1.1, "direction": [0.0, -1.0], "carrying": {}, "standing": 0.5},
            "grounds": [make_ground(seen={**make_ground()["seen"], "least_standing": 0.1})],
        },
        {"grounds": [make_ground(seen={**make_ground()["seen"], "way": 1.0})]},
        {"grounds": [make_ground(seen={**make_ground()["seen"], "aside": 180.0})]},
    ],
)
def test_faults_that_nobody_told_are_wrong(changes):
    assert verdicts.judge_file(make_found(**changes), None).kind == "wrong"


def test_doubts_and_refusals_are_no_silent_faults():
    doubtful = make_found(confidence=0.4, reasons=["the hips are low"])
    assert verdicts.judge_file(doubtful, None).kind == "told"
    refused = {"path": "a.glb", "refused": "no legs", "grounds": []}
    assert verdicts.judge_file(refused, None) == verdicts.Verdict("refused", "no legs")
    assert verdicts.judge_file(refused, Truth(walker=False)).kind == "right"
    assert verdicts.judge_file(make_found(), Truth(walker=False)).kind == "wrong"


@pytest.mark.parametrize(("kind", "verdict"), [("speed_uneven", "right"), ("few_keys", "wrong")])
def test_a_speed_that_is_told_as_uneven_is_not_held_against_the_lowest_points(kind, verdict):
    found = make_found(source={"speed": 0.5, "direction": [0.0, -1.0], "carrying": {}})
    found["motions"][0]["notes"] = [{"kind": kind}]
    assert verdicts.judge_findings(found, None).kind == verdict


def test_the_truth_names_what_is_missed(tmp_path):
    table = tmp_path / "truth.toml"
    table.write_text(
        '["a.glb"]\nlegs = [["foot.L"], ["foot.R"], ["paw.L"]]\nforward = [1, 0]\n'
        'speeds = {Walk = [1.5, 1.6]}\nno_walks = ["Walk"]\n["b.glb"]\nlegs = 2\nspeeds = {Walk = 1.25}\n'
    )
    truths = verdicts.read_truths(table)
    assert verdicts.list_misses(make_found(), truths["a.glb"]) == [
        "no leg paw.L",
        "2 legs instead of 3",
        "faces (0.00, -1.00) instead of (1.00, 0.00)",
        "'Walk' goes at 1.2 instead of 1.5 to 1.6",
        "'Walk' is ticked as a walk",
    ]
    assert verdicts.list_misses(make_found(), truths["b.glb"]) == []


def test_a_crash_and_a_time_out_end_one_trial_alone(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("crash.glb", "good.glb", "slow.glb", "notes.txt"):
        (folder / name).write_text("")
    program = tmp_path / "python"
    program.write_text(
        f"#!{sys.executable}\n"
        "import json, os, sys, time\n"
        "file, result = sys.argv[3:5]\n"
        "say = lambda step: open(result, 'w').write(json.dumps({'step': step}))\n"
        "say('open')\n"
        "if file.endswith('crash.glb'): print('boom', flush=True); os.kill(os.getpid(), 11)\n"
        "if file.endswith('slow.glb'): time.sleep(60)\n"
        "say('done')\n"
    )
    program.chmod(0o755)
    options = running.RunOptions(tmp_path / "out", str(program), ["flat"], jobs=2)
    *files, slow = running.find_files(folder)
    found = running.run_trials(folder, files, options, lambda text: None)
    assert [one["path"] for one in found] == ["crash.glb", "good.glb"]
    assert found[0]["crash"] == "crashed with SIGSEGV in step 'open'"
    assert found[0]["said"] == ["boom"]
    assert "crash" not in found[1]
    hurried = running.RunOptions(tmp_path / "out", str(program), ["flat"], timeout=1.0)
    (late,) = running.run_trials(folder, [slow], hurried, lambda text: None)
    assert late["crash"].startswith("not ready after 1 s in step")
    again = running.RunOptions(tmp_path / "out", "/does/not/exist", ["flat"], resume=True)
    kept = running.run_trials(folder, [folder / "good.glb"], again, lambda text: None)
    assert kept == [found[1]]


def test_table_and_page_tell_every_file(tmp_path):
    trials = [
        make_found(),
        {"path": "<b>.glb", "refused": "it has no armature", "grounds": []},
        {"path": "c.glb", "crash": "crashed with SIGSEGV in step 'open'", "said": ["boom"]},
    ]
    pages.write_table(tmp_path / "t.csv", trials, {})
    with (tmp_path / "t.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["file"], row["file_verdict"]) for row in rows] == [
        ("a.glb", "right"),
        ("<b>.glb", "refused"),
        ("c.glb", "wrong"),
    ]
    assert rows[0]["shown_slip_worst"] == "0.001"
    pages.write_page(tmp_path / "index.html", trials, {})
    page = (tmp_path / "index.html").read_text()
    assert "1 of 3 right; 1 refused, 1 wrong" in page
    assert "&lt;b&gt;.glb" in page
    assert "boom" in page
    assert json.dumps(trials)


def test_the_summary_counts_the_relatives_of_a_character():
    note = {"severity": "walk", "kind": "foot_slides"}
    trials = [
        make_found(path="dog__plain.blend"),
        make_found(path="dog__glb.glb", grounds=[make_ground(warnings=["slides"], notes=[note])]),
        {"path": "cat.glb", "refused": "no legs", "grounds": []},
    ]
    _, _, *rows = pages.list_summary(trials, {})
    assert rows == [
        "| dog | 2 | 1 | 1 |  |  | foot slides 1 |",
        "| cat | 1 |  |  | 1 |  | no legs |",
    ]


def test_strangers_have_chains_of_bones_and_soles_on_the_ground():
    strangers = list(list_strangers())
    assert len({stranger.name for stranger in strangers}) == len(strangers)
    for stranger in strangers:
        known = {"": None}
        for part in stranger.parts:
            assert part.name not in known, (stranger.name, part.name)
            assert part.parent in known, (stranger.name, part.name)
            known[part.name] = part
        assert {stranger.body, *stranger.swings} <= set(known), stranger.name
        for limb in stranger.limbs:
            # Each joint begins where the bone before it ends, whatever it hangs from.
            joints = [(known[high].tail, known[low].head) for high, low in pairwise(limb.bones)]
            assert all(end == pytest.approx(start, abs=0.1) for end, start in joints), stranger.name
            hips, foot = known[limb.bones[0]], known[limb.bones[-1]]
            assert hips.head[2] > foot.tail[2], stranger.name


def test_a_picture_shows_the_nearer_face_and_the_legs(tmp_path):
    view = pictures.View(np.array([1.0, 0, 0]), np.array([0, 0, 1.0]), np.zeros(3), 2.0, (40, 40))
    square = np.array([[-0.5, 0, -0.5], [0.5, 0, -0.5], [0.5, 0, 0.5], [-0.5, 0, 0.5]])
    slanted = square + np.array([0.0, -0.4, 0.0])
    slanted[:2, 1] -= 1.0
    faces = np.array([[0, 1, 2], [0, 2, 3]])
    canvas = pictures.Canvas(view)
    canvas.draw_mesh(slanted, faces)
    near = canvas.pixels[20, 20].copy()
    canvas.draw_mesh(square, faces)
    assert (canvas.pixels[20, 20] == near).all()
    covered = (canvas.pixels != canvas.pixels[0, 0]).any(axis=-1)
    assert covered[11:29, 11:29].all()
    leg = np.array([[0.0, 0.0, 0.3], [0.0, 0.0, -0.3]])
    pictures.draw_figure(canvas, pictures.Figure(square, faces, np.zeros((0, 2, 3)), (leg,)))
    assert (canvas.pixels == pictures.LEG_COLOURS[0]).all(axis=-1).any()
    pictures.write_png(tmp_path / "a.png", canvas.pixels)
    data = (tmp_path / "a.png").read_bytes()
    start = data.index(b"IDAT") + 4
    size = int.from_bytes(data[start - 8 : start - 4], "big")
    rows = np.frombuffer(zlib.decompress(data[start : start + size]), np.uint8).reshape(40, -1)
    assert (rows[:, 1:].reshape(40, 40, 3) == np.round(canvas.pixels)).all()


def test_what_lies_outside_of_a_picture_leaves_no_holes_in_it(monkeypatch):
    view = pictures.View(np.array([1.0, 0, 0]), np.array([0, 0, 1.0]), np.zeros(3), 2.0, (40, 40))
    square = np.array([[-0.5, 0, -0.5], [0.5, 0, -0.5], [0.5, 0, 0.5], [-0.5, 0, 0.5]])
    faces = np.array([[0, 1, 2], [0, 2, 3]])
    canvas = pictures.Canvas(view)
    monkeypatch.setattr(pictures, "_MOST_POINTS", 6000)
    away = (square + 5.0 * np.arange(20)[:, None, None] * [1.0, 0.0, 0.0]).reshape(-1, 3)
    canvas.draw_mesh(away, np.concatenate([faces + 4 * n for n in range(20)]))
    covered = (canvas.pixels != canvas.pixels[0, 0]).any(axis=-1)
    assert covered[11:29, 11:29].all()
