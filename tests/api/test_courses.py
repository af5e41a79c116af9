# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Real clips as one set of motions over a course with every kind of move."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

pytestmark = pytest.mark.newest

# What no motion of these characters is made for: only strafing runs go sideways, and no clip turns.
LED_BY_NO_MOTION = {"side left", "side right", "diagonal", "backward", "tenth", "slow"}
STANDING = {"stand", "stand long", "turn left", "turn right", "halt"}
# A person's sole is this share of the leg; those of these characters are two to four times as long,
# and what a rolling sole slides goes with its length.
HUMAN_SOLE = 0.28


@pytest.fixture(scope="module")
def walks(data_folder):
    """The characters over their courses, measured section by section."""
    from benchmarks.courses import list_walks, measure_sections

    return {
        walk.name: (walk, measure_sections(walk.plan, walk.sections))
        for walk in list_walks(data_folder)
    }


@pytest.mark.parametrize("name", ["KayKit medium", "KayKit Rogue"])
def test_every_section_of_the_course_walks_cleanly(walks, name):
    walk, sections = walks[name]
    sole = float(walk.rig.foot_lengths.max()) / walk.rig.leg_length
    assert len(sections) == 24
    for entry in sections:
        section, report = entry.section.name, entry.report
        assert (report.slide_worst or 0.0) < 0.004 * sole / HUMAN_SOLE, section
        assert report.sink_worst < 0.004, section
        assert report.float_p99 < 0.0015, section
        assert report.swing_depth_worst < 0.018, section
        assert report.swing_deep_share < 0.012, section
        assert report.foot_turn_excess < 10.0, section
        # A foot in the air that turns into the arc at a run is missed by a thousandth of the leg.
        assert report.targets_missed <= (3 if section == "run arc" else 0), section
        assert report.reach_worst < 1.001, section
        if report.hip_jerk_ratio is not None:
            # Bodies that start sideways lean into it, which adds to the jerk of a run that strafes.
            calm = 1.2 if section in LED_BY_NO_MOTION else 1.05
            # A rest has hardly any jerk to be compared with.
            calm = 4.0 if section == "stand long" else calm
            assert report.hip_jerk_ratio < calm, section
        if report.knee_speed_ratio is not None and section not in LED_BY_NO_MOTION | STANDING:
            # From a run to a stand the clips of Rogue differ most in speed: its knees hurry at the end.
            most = 2.0 if (name, section) == ("KayKit Rogue", "stop") else 1.5
            assert report.knee_speed_ratio < most, section


@pytest.mark.parametrize("name", ["KayKit medium", "KayKit Rogue"])
def test_no_legs_cross_and_no_foot_stands_on_the_other(walks, name):
    walk, sections = walks[name]
    for entry in sections:
        assert not entry.gaps.crossed.any(), entry.section.name
        assert entry.gaps.soles.min() > 0.01 * walk.rig.leg_length, entry.section.name


@pytest.mark.parametrize("name", ["KayKit medium", "KayKit Rogue"])
def test_planted_feet_stay_where_they_are_at_walk_and_run(walks, name):
    _, sections = walks[name]
    speeds = {
        entry.section.name: entry.report.near_ground_speed_p95 or 0.0
        for entry in sections
        if entry.section.name in {"start", "walk", "arc", "straight", "to run", "run", "run arc"}
    }
    assert len(speeds) == 7
    # In a section of a run feet are near the ground in some twenty intervals. One of them that begins
    # just before a strike is more than the percentile leaves out.
    runs = sorted(speed for section, speed in speeds.items() if "run" in section)
    assert runs[1] < 0.015, speeds
    assert all(speed < 0.14 for section, speed in speeds.items() if "run" not in section), speeds


@pytest.mark.parametrize("name", ["KayKit medium", "KayKit Rogue"])
def test_each_section_plays_the_motions_that_go_its_way(walks, name):
    walk, _ = walks[name]
    names = [motion.name.rpartition("|")[2] for motion in walk.motions.motions]
    times = walk.plan.times

    def read(section):
        (found,) = [s for s in walk.sections if s.name == section]
        at = found.start + 0.8 * (found.end - found.start)
        return dict(zip(names, times.grid.sample(times.weights, np.array([at]))[0], strict=True))

    assert np.abs(times.weights.sum(axis=1) - 1.0).max() < 1e-12
    assert read("walk")["Walking_A"] > 0.99
    assert read("run")["Running_A"] > 0.99
    assert read("backward")["Walking_Backwards"] > 0.5
    left, right = read("side left"), read("side right")
    assert left["Running_Strafe_Left"] > 3.0 * left["Running_Strafe_Right"]
    assert right["Running_Strafe_Right"] > 3.0 * right["Running_Strafe_Left"]
    rest = next(n for n, m in zip(names, walk.motions.motions, strict=True) if not m.is_cycle)
    assert read("stand long")[rest] > 0.99


@pytest.mark.parametrize(
    ("file", "name", "words"),
    [
        ("Med_MovementBasic.glb", "Jump_Full_Long", "the feet share no common speed"),
        ("Med_MovementBasic.glb", "Jump_Start", "does not repeat"),
    ],
)
def test_jumps_are_no_walks_and_the_reason_is_told(data_folder, file, name, words):
    from semi_procedural_locomotion import api
    from semi_procedural_locomotion.blender.reading.importing import import_file

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    character = api.find_character(import_file(data_folder / "kaykit" / file).armatures[0])
    findings = {f.action.rpartition("|")[2]: f for f in api.analyze_actions(character)}
    assert findings[name].kind == "other"
    assert words in findings[name].reason
    assert "choose another action" in findings[name].cure
    assert findings["T-Pose"].kind == "rest"
