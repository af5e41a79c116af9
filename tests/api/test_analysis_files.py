# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Real clips against what is known of them: period, speed or speed range, kind."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.reading.evidence import collect_evidence
from semi_procedural_locomotion.blender.reading.importing import import_file
from semi_procedural_locomotion.blender.reading.sampling import find_actions, sample_action
from semi_procedural_locomotion.blender.values.armature import read_skeleton
from semi_procedural_locomotion.core.motions.analysis import analyze_clip
from semi_procedural_locomotion.core.rig.legs import find_rig
from semi_procedural_locomotion.errors import AnalysisError
from semi_procedural_locomotion.notes import NoteKind

pytestmark = pytest.mark.newest

# File, end of the action's name, period (s), known figures of the speed (file units a second): of the
# lowest toe joint or mesh point, of other contact studies. Where a planted foot moves unevenly they
# differ, and all between them is right.
CYCLES = [
    ("fox/Fox.glb", "Walk", 0.708, (104, 114)),
    ("fox/Fox.glb", "Run", 1.158, (183,)),
    ("kaykit/Med_MovementBasic.glb", "Walking_A", 1.067, (0.73, 0.68)),
    ("kaykit/Med_MovementBasic.glb", "Walking_B", 1.067, (1.18,)),
    ("kaykit/Med_MovementBasic.glb", "Walking_C", 1.600, (0.56, 0.67)),
    ("kaykit/Med_MovementBasic.glb", "Running_A", 0.800, (3.3, 3.37)),
    ("kaykit/Med_MovementAdvanced.glb", "Running_Strafe_Left", 0.800, (4.4, 4.33)),
    ("kaykit/Med_MovementAdvanced.glb", "Running_Strafe_Right", 0.800, (4.4, 4.33)),
    ("kaykit/Med_MovementAdvanced.glb", "Walking_Backwards", 1.067, (0.70,)),
    ("kaykit/Rogue.glb", "Running_A", 0.800, (4.71, 4.42)),
    ("kaykit/Rogue.glb", "Walking_A", 1.067, (0.73, 1.02)),
    ("spider/Spider.glb", "Spider_Walk", 0.833, (3.23, 3.18)),
    ("horse/Horse.blend", "Walk", 1.333, (3.96, 3.71)),
    ("quaternius/Wolf.glb", "Walk", 1.042, (2.43, 2.5)),
    ("quaternius/Platformer.glb", "Walk", 1.25, (2.04,)),
    ("quaternius/Platformer.glb", "Run", 0.708, (5.92,)),
    ("quaternius/Robot.blend", "Robot_Walking", 0.958, (4.3,)),
    ("quaternius/Robot.blend", "Robot_Running", 0.958, (6.2,)),
    ("cmu/cmu_12_01_walk.bvh", "walk", 154 / 120, (15.7, 15.9)),
]
# Directions of travel, forward being -y in all these files.
SIDES = [
    ("kaykit/Med_MovementAdvanced.glb", "Crawling", (0.0, -1.0)),
    ("kaykit/Med_MovementAdvanced.glb", "Running_Strafe_Left", (3.8, -2.2)),
    ("kaykit/Med_MovementAdvanced.glb", "Running_Strafe_Right", (-3.8, -2.2)),
    ("kaykit/Med_MovementAdvanced.glb", "Walking_Backwards", (0.0, 0.7)),
]
RESTS = [
    ("fox/Fox.glb", "Survey"),
    ("kaykit/Rogue.glb", "Unarmed_Idle"),
    ("kaykit/Med_MovementBasic.glb", "T-Pose"),
    ("horse/Horse.blend", "Idle"),
]
OTHERS = [
    ("kaykit/Rogue.glb", "Death_A"),
    ("kaykit/Rogue.glb", "Lie_Idle"),
    ("kaykit/Rogue.glb", "Dodge_Left"),
    ("kaykit/Rogue.glb", "2H_Melee_Attack_Chop"),
    ("kaykit/Rogue.glb", "Unarmed_Melee_Attack_Kick"),
    ("kaykit/Med_MovementBasic.glb", "Jump_Start"),
]
DIPPING = [("quaternius/Dog.fbx", "Walking")]


@pytest.fixture(scope="module")
def analyze(data_folder):
    """Analyse an action of a file; files are read once."""
    read = {}

    def load(path):
        if path.endswith(".blend"):
            bpy.ops.wm.open_mainfile(filepath=str(data_folder / path))
        else:
            bpy.ops.wm.read_factory_settings(use_empty=True)
            import_file(data_folder / path)
        armature = next(item for item in bpy.data.objects if item.type == "ARMATURE")
        evidence = collect_evidence(armature)
        skeleton = read_skeleton(armature)
        wanted = {
            name for file, name, *_ in CYCLES + SIDES + RESTS + OTHERS + DIPPING if file == path
        }
        clips = {
            name: sample_action(armature, action, skeleton)
            for action in find_actions(armature)
            for name in wanted
            if action.name.rpartition("|")[2].removeprefix("cmu_12_01_") == name
        }
        return find_rig(evidence).rig, clips

    def run(path, name):
        if path not in read:
            read[path] = load(path)
        rig, clips = read[path]
        return analyze_clip(clips[name], rig)

    yield run
    bpy.ops.wm.read_factory_settings(use_empty=True)


@pytest.mark.parametrize(("path", "name", "period", "speeds"), CYCLES)
def test_cycles_have_the_known_period_and_speed(analyze, path, name, period, speeds):
    motion = analyze(path, name)
    assert motion.kind == "cycle"
    assert motion.period == pytest.approx(period, rel=0.01)
    room = 0.1 if "Run" in name else 0.05
    assert (1.0 - room) * min(speeds) <= motion.speed <= (1.0 + room) * max(speeds)
    low, high = motion.speed_range
    assert low <= motion.speed <= high
    assert sum(leg.steps for leg in motion.legs) == len(motion.legs)


@pytest.mark.parametrize(("path", "name", "direction"), SIDES)
def test_cycles_travel_the_known_way(analyze, path, name, direction):
    velocity = analyze(path, name).velocity
    cosine = velocity @ np.array(direction) / np.hypot(*velocity) / np.hypot(*direction)
    assert cosine > np.cos(np.radians(4.0))


@pytest.mark.parametrize(("path", "name"), RESTS)
def test_standing_clips_are_rest_motions(analyze, path, name):
    assert analyze(path, name).kind == "rest"


@pytest.mark.parametrize(("path", "name"), OTHERS)
def test_other_clips_are_refused(analyze, path, name):
    with pytest.raises(AnalysisError, match="no walk cycle"):
        analyze(path, name)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("kaykit/Rogue.glb", "Running_A"),
        ("kaykit/Med_MovementBasic.glb", "Running_A"),
        ("cmu/cmu_12_01_walk.bvh", "walk"),
    ],
)
def test_planted_feet_of_even_clips_hardly_slip(analyze, path, name):
    motion = analyze(path, name)
    assert motion.quality["branch"] == "uniform"
    assert max(leg.skate for leg in motion.legs) < 0.10


def test_a_walk_with_toes_that_dip_is_a_walk(analyze):
    motion = analyze(*DIPPING[0])
    assert motion.period == pytest.approx(1.667, rel=0.01)
    assert motion.velocity[0] > 0.99 * motion.speed
    low, high = motion.speed_range
    assert low < motion.speed < high
    assert any(note.kind is NoteKind.SPEED_UNEVEN for note in motion.notes)
    duties = [leg.off + 1.0 - leg.strike for leg in motion.legs]
    assert min(duties) > 0.4
    assert abs(duties[0] - duties[1]) < 0.15
    assert abs(duties[2] - duties[3]) < 0.15
