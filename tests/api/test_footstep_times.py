# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of footsteps: shown from the plan, set by hand, kept by bakes, reset; steps left out."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion import api
from semi_procedural_locomotion.api import setups
from semi_procedural_locomotion.blender.bake.inputs import fingerprint_inputs
from semi_procedural_locomotion.blender.footsteps.objects import is_edited, list_footsteps
from semi_procedural_locomotion.blender.setup.footstep_properties import is_timed
from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import create_biped, write_gaits
from semi_procedural_locomotion.ui.footsteps.times import describe_step
from tests.ui.footsteps.test_operators import select, walker  # noqa: F401

pytestmark = pytest.mark.newest


@pytest.fixture
def steps(walker):  # noqa: F811
    """Ten generated footsteps of the walker, baked once."""
    bpy.ops.object.footsteps_generate(count=10)
    bpy.ops.anim.locomotion_bake()
    return list_footsteps(walker)


def read_frames(steps):
    """Starts (N,) and durations (N,) of the last plan, frames."""
    rate = bpy.context.scene.render.fps
    data = [step.locomotion_footstep for step in steps]
    return rate * np.array([[d.planned_start, d.planned_duration] for d in data]).T


def find_warnings(step):
    """What the last bake says about footsteps."""
    report = step.locomotion_footstep.character.locomotion.report
    return [line for line in report.warnings.splitlines() if "footstep" in line]


def test_a_bake_tells_when_each_step_bears(steps):
    starts, durations = read_frames(steps)
    assert np.all(np.diff(starts) > 5)
    assert durations[3:6] == pytest.approx(np.full(3, durations[3]), abs=0.5)
    assert not any(is_timed(step) for step in steps)
    data = steps[3].locomotion_footstep
    assert data.start == pytest.approx(starts[3], abs=1e-3)
    assert data.duration == pytest.approx(durations[3], abs=1e-3)
    assert describe_step(steps[3]) == f"4: {starts[3]:.0f}-{starts[3] + durations[3]:.0f}"


def test_times_set_by_hand_are_met_and_survive_bakes(steps):
    starts, durations = read_frames(steps)
    data = steps[4].locomotion_footstep
    data.start = starts[4] + 20.0
    data.duration = durations[4] + 30.0
    assert is_timed(steps[4])
    assert is_edited(steps[4]) == is_edited(steps[3])
    for _ in range(2):
        bpy.ops.anim.locomotion_bake()
        again, stays = read_frames(steps)
        assert again[4] == pytest.approx(starts[4] + 20.0, abs=0.1)
        assert stays[4] == pytest.approx(durations[4] + 30.0, abs=0.1)
        # Later steps move along, and a little more: from a wait the body speeds up again.
        assert 49.0 < again[9] - starts[9] < 65.0
        assert (data.start, data.duration) == pytest.approx(
            (starts[4] + 20.0, durations[4] + 30.0), abs=1e-3
        )
        assert not find_warnings(steps[4])
    select(steps[4])
    assert bpy.ops.object.footsteps_reset_times() == {"FINISHED"}
    assert not is_timed(steps[4])
    bpy.ops.anim.locomotion_bake()
    assert read_frames(steps)[0] == pytest.approx(starts, abs=0.1)


def test_times_are_met_where_motions_are_blended():
    armature = create_biped(bpy.context.scene.collection)
    write_gaits(armature, make_biped_shape(), ["walk", "run", "rest"])
    select(armature)
    bpy.ops.anim.locomotion_setup()
    bpy.ops.object.footsteps_generate(count=14, gait="RUN")
    bpy.ops.anim.locomotion_bake()
    steps = list_footsteps(armature)
    starts, durations = read_frames(steps)
    # A runner's foot stays for a short time, people's for that of their runs.
    assert durations[7] < 0.65 * durations[1]
    steps[6].locomotion_footstep.start = starts[6] + 6.0
    steps[9].locomotion_footstep.duration = durations[9] + 20.0
    bpy.ops.anim.locomotion_bake()
    again, stays = read_frames(steps)
    assert again[6] == pytest.approx(starts[6] + 6.0, abs=0.5)
    assert stays[9] == pytest.approx(durations[9] + 20.0, abs=0.5)
    assert not find_warnings(steps[6])


def test_a_start_that_comes_too_early_is_told_with_its_step(steps):
    starts, _ = read_frames(steps)
    steps[5].locomotion_footstep.start = starts[5] - 70.0
    bpy.ops.anim.locomotion_bake()
    (line,) = find_warnings(steps[5])
    reached, _ = read_frames(steps)
    assert f"{steps[5].name!r} cannot start at frame {starts[5] - 70.0:.1f}" in line
    assert f"the walk reaches {reached[5]:.1f}" in line
    assert "give it a frame nearer to that" in line


def test_hold_lengthens_the_stay_of_all_selected(steps):
    _, durations = read_frames(steps)
    select(steps[2], steps[6])
    assert bpy.ops.object.footsteps_hold(frames=12.0) == {"FINISHED"}
    bpy.ops.anim.locomotion_bake()
    assert (read_frames(steps)[1] - durations)[[2, 6]] == pytest.approx([12.0, 12.0], abs=0.1)


@pytest.mark.parametrize("operator", ["object.footsteps_from_plan", "anim.locomotion_bake"])
def test_a_foot_that_is_not_lifted_stays_to_the_end_of_the_plan(walker, operator):  # noqa: F811
    short = api.AlongPoints(((0.0, 0.0), (0.0, -1.5)))
    setups.write_travel(walker, short, "object")
    group, name = operator.split(".")
    bpy.ops.object.footsteps_from_plan()
    getattr(getattr(bpy.ops, group), name)()
    data = [step.locomotion_footstep for step in list_footsteps(walker)]
    last = [[d for d in data if d.leg == leg.name][-1] for leg in walker.locomotion.legs]
    ends = [d.start + d.duration for d in last]
    assert all(d.has_start and d.duration > 0.0 for d in last)
    assert ends[0] == pytest.approx(ends[1], abs=1e-3)


def test_the_step_with_which_a_walk_ends_is_not_held(steps, capfd):
    select(steps[-1])
    with pytest.raises(
        RuntimeError, match=rf"ends with '{steps[-1].name}'.*add a footstep after it"
    ):
        bpy.ops.object.footsteps_hold(frames=12.0)
    assert not is_timed(steps[-1])
    select(*steps[-2:])
    assert bpy.ops.object.footsteps_hold(frames=12.0) == {"FINISHED"}
    assert [is_timed(step) for step in steps[-2:]] == [True, False]
    assert "add a footstep after it" in capfd.readouterr().out
    steps[-1].locomotion_footstep.is_left_out = True
    select(steps[-2])
    with pytest.raises(RuntimeError, match="add a footstep after it"):
        bpy.ops.object.footsteps_hold(frames=12.0)


def test_hold_and_reset_need_footsteps_with_times(walker):  # noqa: F811
    select(walker)
    assert not bpy.ops.object.footsteps_hold.poll()
    assert not bpy.ops.object.footsteps_reset_times.poll()
    bpy.ops.object.footsteps_generate(count=4)
    select(list_footsteps(walker)[1])
    with pytest.raises(RuntimeError, match="bake, or use From Plan, first"):
        bpy.ops.object.footsteps_hold()
    assert describe_step(list_footsteps(walker)[1]) == "2"


def test_a_step_left_out_on_the_way_lets_its_foot_stay(steps):
    left = steps[5]
    before = steps[3]
    left.locomotion_footstep.is_left_out = True
    bpy.ops.anim.locomotion_bake()
    assert not any(step.locomotion_footstep.is_lost for step in steps)
    starts, durations = read_frames(steps)
    # The foot stays on its last step for another cycle, while the other foot goes on.
    assert durations[3] > 1.8 * durations[2]
    scene = bpy.context.scene
    armature = left.locomotion_footstep.character
    leg = next(e for e in armature.locomotion.legs if e.name == left.locomotion_footstep.leg)
    middle = float(starts[3] + 0.6 * durations[3])
    scene.frame_set(int(middle))
    ankle = armature.matrix_world @ armature.pose.bones[leg.bones[-1].name].head
    apart = before.matrix_world.inverted() @ ankle
    assert abs(apart.y) < 0.03
    assert abs(apart.x) < 0.15


def test_a_duplicate_starts_at_a_time_of_its_own_and_lasts_as_its_original(steps):
    starts, durations = read_frames(steps)
    data = steps[8].locomotion_footstep
    data.start, data.duration = starts[8] + 12.0, durations[8] + 6.0
    ahead = steps[-1].location - steps[-3].location
    select(*steps[-2:])
    bpy.context.view_layer.update()
    bpy.ops.object.duplicate()
    for double in bpy.context.selected_objects:
        double.location += ahead
    armature = steps[0].locomotion_footstep.character
    bpy.ops.anim.locomotion_bake()
    everything = list_footsteps(armature)
    assert everything[:10] == steps
    assert not find_warnings(steps[0])
    assert not everything[10].locomotion_footstep.has_own_start
    again, stays = read_frames(everything)
    assert again[8] == pytest.approx(starts[8] + 12.0, abs=0.2)
    assert again[10] > again[9] + 5.0
    assert stays[[8, 10]] == pytest.approx([durations[8] + 6.0] * 2, abs=0.2)


def test_selected_steps_are_left_out_and_taken_again(steps):
    names = [step.name for step in steps]
    select(*steps[2:4])
    bpy.ops.ed.undo_push(message="start")

    def read():
        return [bpy.data.objects[name].locomotion_footstep.is_left_out for name in names]

    bpy.ops.object.footsteps_leave_out("EXEC_DEFAULT", True)
    assert read() == [False] * 2 + [True] * 2 + [False] * 6
    assert bpy.data.objects[names[2]].display_type == "WIRE"
    bpy.ops.object.footsteps_leave_out("EXEC_DEFAULT", True, take=True)
    assert not any(read())
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()
    assert not any(read())


def test_all_steps_left_out_are_no_way(steps):
    for step in steps:
        step.locomotion_footstep.is_left_out = True
    with pytest.raises(RuntimeError, match="no footsteps to travel along"):
        bpy.ops.anim.locomotion_bake()


def test_steps_at_a_pace_that_never_ends_are_refused_before_any_work(steps):
    travel = bpy.data.objects["Walker"].locomotion.travel
    travel.use_native_speed, travel.speed = False, 1e-6
    with pytest.raises(RuntimeError, match=r"about [0-9]+ frames long: walk them faster"):
        bpy.ops.anim.locomotion_bake()


def test_a_time_set_by_hand_is_an_input_of_the_walk(steps):
    armature = steps[0].locomotion_footstep.character
    before = fingerprint_inputs(armature, bpy.context.scene)
    bpy.ops.anim.locomotion_bake()
    assert fingerprint_inputs(armature, bpy.context.scene) == before
    steps[4].locomotion_footstep.start += 5.0
    assert fingerprint_inputs(armature, bpy.context.scene) != before


def test_labels_are_drawn_while_they_are_wanted(steps):
    from semi_procedural_locomotion.ui.footsteps import times as footstep_times

    manager = bpy.context.window_manager
    manager.locomotion_step_labels = True
    assert footstep_times._handles
    manager.locomotion_step_labels = False
    assert not footstep_times._handles


def test_undo_takes_back_holds_and_resets(steps):
    """Names are looked up again, since undo makes new objects."""
    name = steps[4].name
    select(steps[4])
    bpy.ops.ed.undo_push(message="start")

    def is_held():
        return is_timed(bpy.data.objects[name])

    # In background operators push no undo step of their own.
    bpy.ops.object.footsteps_hold("EXEC_DEFAULT", True, frames=10.0)
    assert is_held()
    bpy.ops.object.footsteps_reset_times("EXEC_DEFAULT", True)
    assert not is_held()
    bpy.ops.ed.undo()
    assert is_held()
    bpy.ops.ed.undo()
    assert not is_held()
