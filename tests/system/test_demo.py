# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo's walks, its file and its picture."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

import semi_procedural_locomotion
from semi_procedural_locomotion.core.report.verdicts import BARS

pytestmark = pytest.mark.newest

# What the studies reached on level ground; the table's column names several grounds.
FLAT_LIMITS = {"shown_knee_speed_ratio": 1.15, "shown_float_p99": 0.0125}


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """Folder and report of a demo whose picture is only described."""
    from semi_procedural_locomotion.demo import making as module

    semi_procedural_locomotion.register()
    folder = tmp_path_factory.mktemp("demo")
    sheets = []
    kept = module.render_sheet
    module.render_sheet = lambda scene, rows, path, gap, progress: sheets.append(
        [[(tile.size, [c.name for c in tile.shown]) for tile in row] for row in rows]
    )
    try:
        report = module.make_demo(folder)
    finally:
        module.render_sheet = kept
    yield folder, report, sheets[0]
    semi_procedural_locomotion.unregister()


def test_all_characters_walk_over_all_grounds(demo):
    from semi_procedural_locomotion.demo.courses import make_courses

    _, report, _ = demo
    courses = [course for row in make_courses() for course in row]
    assert [entry["name"] for entry in report["characters"]] == [c.name for c in courses]
    assert {c.character for c in courses} == {"biped", "quadruped", "hexapod"}
    for entry in report["characters"]:
        assert entry["frames"] > 100
        assert entry["feet_slide_worst"] < 0.006, entry["name"]
        assert entry["shown_swing_depth_worst"] < 0.018, entry["name"]


@pytest.mark.parametrize("bar", BARS, ids=lambda bar: bar.key)
def test_level_ground_keeps_all_bars(demo, bar):
    (entry,) = [e for e in demo[1]["characters"] if e["name"] == "Flat"]
    assert entry[bar.key] <= FLAT_LIMITS.get(bar.key, bar.good)


def test_the_file_opens_ready_to_play(demo):
    folder, report, _ = demo
    bpy.ops.wm.open_mainfile(filepath=str(folder / "demo.blend"), load_ui=False)
    scene = bpy.context.scene
    assert (scene.frame_start, scene.frame_current) == (1, 1)
    assert scene.frame_end == max(entry["frames"] for entry in report["characters"])
    assert scene.camera is not None
    armatures = [o for o in scene.objects if o.type == "ARMATURE"]
    assert sorted(o.name for o in armatures) == sorted(e["name"] for e in report["characters"])
    assert all(o.animation_data.action is not None for o in armatures)
    marks = [o for o in scene.objects if o.name.endswith("Prints") or "Prints." in o.name]
    assert len(marks) == len(armatures) + 1
    (carried,) = [o for o in marks if o.parent is not None]
    assert carried.parent.name == "Lift Platform"


def test_marks_lie_on_the_ground_that_carries_them(demo):
    folder, _, _ = demo
    bpy.ops.wm.open_mainfile(filepath=str(folder / "demo.blend"), load_ui=False)
    scene = bpy.context.scene
    marks = next(o for o in scene.objects if o.parent and o.parent.name == "Lift Platform")
    for frame in (1, 140, 250):
        scene.frame_set(frame)
        heights = [(marks.matrix_world @ v.co).z for v in marks.data.vertices]
        top = max((marks.parent.matrix_world @ v.co).z for v in marks.parent.data.vertices)
        assert np.allclose(heights, top + 0.004, atol=0.002)


def test_every_walk_has_a_picture_with_its_lane_alone(demo):
    _, report, rows = demo
    names = [shown for row in rows for _, shown in row]
    assert names == [[entry["name"]] for entry in report["characters"]]
    widths = [sum(size[0] for size, _ in row) for row in rows]
    assert max(widths) - min(widths) < 0.02 * max(widths)
    assert all(len({size[1] for size, _ in row}) == 1 for row in rows)
