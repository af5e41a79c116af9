# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters that are steered by lists of keys: what is kept, baked and put back."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import MotionChoice, driving, setups
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.driving.stand_in import StandIn
from semi_procedural_locomotion.blender.driving.track import read_predicted
from semi_procedural_locomotion.blender.setup.motion_groups import key_group_weight
from semi_procedural_locomotion.blender.setup.weights import find_weight_curves
from semi_procedural_locomotion.blender.values.bake_record import find_base_action, is_bake_of
from semi_procedural_locomotion.core.plan import solve_poses
from semi_procedural_locomotion.core.steering.motor import (
    AHEAD,
    CROUCH,
    TURN_LEFT,
    Controls,
    KeyPress,
)
from semi_procedural_locomotion.errors import LocomotionError, SettingError, TravelError
from semi_procedural_locomotion.requests.plans import DriveChoices
from tests.scenes import add_person, select_only

KEYS = [
    KeyPress(0.2, AHEAD),
    KeyPress(0.8, TURN_LEFT),
    KeyPress(1.4, TURN_LEFT, is_pressed=False),
    KeyPress(1.8, AHEAD, is_pressed=False),
]


@pytest.fixture
def walker():
    """The project's person, set up, in a short scene."""
    scene = bpy.context.scene
    armature = add_person(is_set_up=True)
    scene.frame_start, scene.frame_end = 1, 20
    return armature


def read_state(armature):
    """What a failure must leave alone."""
    travel = armature.locomotion.travel
    return (
        versions.get_assigned_action(armature),
        tuple(armature.location),
        travel.source,
        bpy.context.scene.frame_end,
        sorted(bpy.data.objects.keys()),
        sorted(bpy.data.actions.keys()),
        sorted(bpy.data.armatures.keys()),
        [item.hide_get() for item in bpy.context.view_layer.objects],
    )


def show_places(armature, frames):
    """World places of an object as the scene shows it."""
    places = []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame))
        depsgraph = bpy.context.evaluated_depsgraph_get()
        places.append(armature.evaluated_get(depsgraph).matrix_world.translation[:])
    return np.array(places)


def test_steered_way_is_kept_and_baked_as_it_was_recorded(walker):
    scene = bpy.context.scene
    scene.frame_set(5)
    place = np.array(walker.matrix_world.translation)
    drive = driving.begin_drive(walker, scene)
    held: set[str] = set()
    for number in range(75):
        held = driving.hold_keys(KEYS, number / 30.0)
        drive.advance(driving.read_controls(held), 1.0 / 30.0)
    way = drive.recording.make_travel()
    result = driving.finish_drive(drive, scene)
    assert walker.locomotion.travel.source == "OBJECT"
    assert is_bake_of(walker, result.action)
    assert scene.frame_end >= 5 + 60
    frames = np.arange(5, 65, 4)
    shown = show_places(walker, frames)
    expected, yaws = way.evaluate(frames / 24.0)
    np.testing.assert_allclose(shown[:, :2], expected[:, :2], atol=1e-3)
    np.testing.assert_allclose(shown[0, :2], place[:2], atol=1e-5)
    assert yaws[-1] > 0.5
    assert np.ptp(shown[:, 1]) > 1.0
    # The exact walk keeps its feet where they stand, whatever was foreseen.
    assert result.report.as_dict("")["shown_slip_worst"] < 0.01
    predicted = read_predicted(walker)
    assert {mark.leg for mark in predicted} == {0, 1}
    rows = result.plan.prints.rows
    exact = np.concatenate([row.positions[~row.parked] for row in rows])
    length = drive.character.rig.leg_length
    for mark in predicted:
        assert np.linalg.norm(exact - mark.position, axis=1).min() < length


def test_driving_again_starts_where_the_bake_stands(walker):
    scene = bpy.context.scene
    first = driving.drive_by_keys(walker, scene, KEYS, 2.0)
    scene.frame_set(first.frames[1])
    base, _ = find_base_action(walker)
    stands = np.array(walker.matrix_world.translation)
    way = show_places(walker, [5, 20, 30])
    scene.frame_set(first.frames[1])
    driving.drive_by_keys(walker, scene, KEYS, 2.0)
    again, _ = find_base_action(walker)
    assert again != base
    assert setups.is_baked(walker)
    shown = show_places(walker, [first.frames[1]])[0]
    np.testing.assert_allclose(shown[:2], stands[:2], atol=1e-3)
    # The first way leads there as before.
    assert np.ptp(way[:, 1]) > 0.5
    np.testing.assert_allclose(show_places(walker, [5, 20, 30]), way, atol=1e-3)


def test_drive_from_the_middle_of_a_way_goes_on_as_fast_as_that(walker):
    scene = bpy.context.scene
    driving.drive_by_keys(walker, scene, [KeyPress(0.0, AHEAD)], 2.0)
    scene.frame_set(30)
    driving.drive_by_keys(walker, scene, [KeyPress(0.0, AHEAD)], 0.8)
    places = show_places(walker, range(24, 44))
    speeds = 24.0 * np.linalg.norm(np.diff(places[:, :2], axis=0), axis=1)
    assert speeds.min() > 0.9 * speeds.max()
    assert speeds.min() > 1.0
    # Without a key it comes to a stand.
    scene.frame_set(30)
    drive = driving.begin_drive(walker, scene)
    assert np.linalg.norm(drive.state.body.velocity) == pytest.approx(speeds[5], rel=0.1)
    drive.advance(driving.read_controls(set()), 1.5)
    assert np.linalg.norm(drive.state.body.velocity) < 1e-6


def test_drive_that_goes_nowhere_changes_nothing(walker):
    before = read_state(walker)
    with pytest.raises(TravelError, match="not steered anywhere"):
        driving.drive_by_keys(walker, bpy.context.scene, [], 0.5)
    assert read_state(walker) == before


def test_failed_bake_of_a_drive_puts_all_back(walker, monkeypatch):
    walker.location.x = 0.25
    bpy.context.view_layer.update()
    before = read_state(walker)

    def fail(*_, **__):
        raise RuntimeError("no")

    monkeypatch.setattr(driving, "write_set_up_bake", fail)
    with pytest.raises(RuntimeError, match="no"):
        driving.drive_by_keys(walker, bpy.context.scene, KEYS, 2.0)
    assert read_state(walker) == before


def test_crouch_keys_the_group_that_overrides(walker, monkeypatch):
    """A copy of the walk stands in for a crouched one."""
    scene, data = bpy.context.scene, walker.locomotion
    walk = next(e for e in data.motions if e.found_kind == "cycle")
    low = walk.action.copy()
    low.name = "Low"
    setups.set_up(
        walker,
        [
            MotionChoice(walk.action),
            MotionChoice(low, group="crouch"),
            *(MotionChoice(e.action, rest=True) for e in data.motions if e.found_kind == "rest"),
        ],
    )
    key_group_weight(walker, "crouch", [(1.0, 0.0)], overrides=True)
    keys = [KeyPress(0.1, AHEAD), KeyPress(0.8, CROUCH), KeyPress(1.6, CROUCH, is_pressed=False)]
    before = read_state(walker)
    with monkeypatch.context() as patch:
        patch.setattr(driving, "write_set_up_bake", lambda *_, **__: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            driving.drive_by_keys(walker, scene, keys, 2.5)
    assert read_state(walker) == before
    assert find_weight_curves(walker, "groups") == {}
    for start in (1, 30):
        scene.frame_set(start)
        result = driving.drive_by_keys(walker, scene, keys, 2.5)
        times = (start + 24.0 * np.array([0.4, 1.4, 2.4])) / 24.0
        weights = solve_poses(result.plan, times).source.weights
        names = [motion.name for motion in result.plan.tables.motion_set.motions]
        shares = weights[:, names.index("Low")]
        np.testing.assert_allclose(shares, [0.0, 1.0, 0.0], atol=0.02)


def test_what_cannot_be_steered_is_told_with_the_cure(walker):
    scene = bpy.context.scene
    constraint = walker.constraints.new("COPY_LOCATION")
    with pytest.raises(LocomotionError, match="apply the constraint"):
        driving.begin_drive(walker, scene)
    walker.constraints.remove(constraint)
    for entry in walker.locomotion.motions:
        entry.enabled = entry.found_kind == "REST" or "Rest" in entry.action.name
    with pytest.raises(LocomotionError, match="walk"):
        driving.begin_drive(walker, scene)
    select_only()
    bare = bpy.data.objects.new("Bare", bpy.data.armatures.new("Bare"))
    scene.collection.objects.link(bare)
    with pytest.raises(LocomotionError, match="not set up"):
        driving.begin_drive(bare, scene)
    with pytest.raises(SettingError, match="acceleration"):
        DriveChoices(acceleration=-1.0)


def test_stand_in_shows_the_pose_and_leaves_no_trace(walker):
    scene, layer = bpy.context.scene, bpy.context.view_layer
    before = read_state(walker)
    drive = driving.begin_drive(walker, scene)
    stand_in = StandIn(walker, drive.character.rig.skeleton, scene, layer)
    assert walker.hide_get()
    for _ in range(30):
        drive.advance(Controls(ahead=1.0), 1.0 / 30.0)
        assert stand_in.show(drive.pose())
    layer.update()
    double = stand_in.armature
    places = np.array(double.matrix_world.translation)
    np.testing.assert_allclose(places[:2], drive.state.body.position, atol=1e-4)
    # Its soles stand on the ground: the lowest of its mesh as it is drawn.
    depsgraph = bpy.context.evaluated_depsgraph_get()
    mesh = next(
        item for item in scene.objects if item.parent == double and item.type == "MESH"
    ).evaluated_get(depsgraph)
    heights = [(mesh.matrix_world @ vertex.co).z for vertex in mesh.data.vertices]
    assert abs(min(heights)) < 0.02
    stand_in.remove()
    stand_in.remove()
    assert read_state(walker) == before


def test_file_that_was_saved_meanwhile_is_put_back_when_it_is_opened(walker, tmp_path):
    before = read_state(walker)
    drive = driving.begin_drive(walker, bpy.context.scene)
    StandIn(walker, drive.character.rig.skeleton, bpy.context.scene, bpy.context.view_layer)
    assert read_state(walker) != before
    path = str(tmp_path / "meanwhile.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, check_existing=False)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert read_state(bpy.data.objects["Walker"])[4:] == before[4:]


def test_overridden_character_is_steered_and_a_linked_one_refused(walker, tmp_path):
    scene, path = bpy.context.scene, str(tmp_path / "library.blend")
    held = bpy.data.collections.new("Hero")
    for item in list(scene.collection.objects):
        held.objects.link(item)
    bpy.data.libraries.write(path, {held})
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene, layer = bpy.context.scene, bpy.context.view_layer
    with bpy.data.libraries.load(path, link=True) as (_, wanted):
        wanted.collections = ["Hero"]
    (hero,) = wanted.collections
    scene.collection.children.link(hero)
    linked = next(item for item in hero.all_objects if item.type == "ARMATURE")
    with pytest.raises(LocomotionError, match="library override"):
        driving.begin_drive(linked, scene)
    hero.override_hierarchy_create(scene, layer)
    own = next(o for o in layer.objects if o.type == "ARMATURE" and o.override_library)
    drive = driving.begin_drive(own, scene)
    stand_in = StandIn(own, drive.character.rig.skeleton, scene, layer)
    drive.advance(Controls(ahead=1.0), 1.0)
    assert stand_in.show(drive.pose())
    hidden = [item for item in layer.objects if item.hide_get()]
    assert own in hidden
    stand_in.remove()
    assert not any(item.hide_get() for item in layer.objects)
    result = driving.finish_drive(drive, scene)
    assert is_bake_of(own, result.action)
