# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is kept from bake to bake: nothing is done twice, and nothing stale is shown."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import analyses, kept_walks, watching
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.bake import inputs
from semi_procedural_locomotion.blender.values.mesh_trees import clear_mesh_trees
from semi_procedural_locomotion.blender.values.meshes import MeshShape
from semi_procedural_locomotion.core.ground.single_casting import SingleCaster
from semi_procedural_locomotion.ui.live import handlers as live_handlers
from tests.scenes import add_mesh, add_person, read_poses

FRAMES = (1, 8, 17, 24, 30)


def forget():
    """Keep nothing of what was computed."""
    kept_walks.forget_walks()
    analyses.forget_analyses()
    clear_mesh_trees()


@pytest.fixture
def walker():
    """A person on a mesh of bumps, baked once."""
    armature = add_person(is_set_up=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 30
    line = np.linspace(-4.0, 4.0, 41)
    x, y = np.meshgrid(line, line, indexing="ij")
    points = np.stack([x, y, 0.02 * np.sin(3.0 * x) * np.cos(2.0 * y)], axis=-1).reshape(-1, 3)
    first = (41 * np.arange(40)[:, None] + np.arange(40)).reshape(-1, 1)
    add_mesh("Bumps", points, (first + np.array([0, 41, 42, 1])).tolist())
    scene.frame_set(1)
    forget()
    bake()
    yield armature
    watching.put_back_all(forget=True)
    live_handlers.install()


def bake():
    """Bake the walk again from its first frame."""
    bpy.context.scene.frame_set(1)
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}


@pytest.fixture
def counts(monkeypatch):
    """How often each costly thing is done."""
    found = Counter()

    def count(owner, name, told=None):
        function = getattr(owner, name)

        def counted(*args, **kwargs):
            found[told or name] += 1
            return function(*args, **kwargs)

        monkeypatch.setattr(owner, name, counted)

    count(analyses, "sample_action")
    count(analyses, "analyze_clip")
    count(kept_walks, "make_plan")
    count(kept_walks, "solve_poses")
    count(kept_walks, "measure_section")
    count(MeshShape, "build_tree")
    count(SingleCaster, "__init__", "casters")
    count(SingleCaster, "cast", "casts")
    count(SingleCaster, "cast_through", "casts")
    return found


def test_a_bake_of_the_same_does_nothing_again(walker, counts):
    bake()
    few = counts.pop("casts", 0)
    assert not counts
    # Whether the way lies over any ground, and what legs cut.
    assert few <= 8


def test_a_slider_plans_again_and_nothing_else(walker, counts):
    walker.locomotion.settings.swing_margin += 0.03
    bake()
    assert counts["make_plan"] == counts["solve_poses"] == counts["measure_section"] == 1
    assert counts["sample_action"] == counts["analyze_clip"] == 0
    assert counts["casters"] == counts["build_tree"] == 0
    # A question of a stage for all its feet and steps is one: it grows with neither.
    assert counts["casts"] < 90


def test_more_frames_are_no_more_questions(walker, counts):
    bpy.context.scene.frame_end = 40
    bake()
    few = counts["casts"]
    counts.clear()
    bpy.context.scene.frame_end = 120
    bake()
    assert counts["casts"] < 1.5 * few


def test_live_and_auto_bake_take_what_the_bake_made(walker, counts):
    assert bpy.ops.anim.locomotion_live(action="ON") == {"FINISHED"}
    assert bpy.ops.anim.locomotion_live(action="OFF") == {"FINISHED"}
    assert bpy.ops.anim.locomotion_auto_bake(action="ON") == {"FINISHED"}
    assert counts["make_plan"] == counts["analyze_clip"] == counts["casters"] == 0


def test_a_second_character_of_the_same_kind_shares_analyses_and_ground(walker, counts):
    bpy.ops.anim.locomotion_bake_remove()
    twin = walker.copy()
    bpy.context.scene.collection.objects.link(twin)
    twin.location = (0.6, 0.2, 0.0)
    bpy.context.view_layer.update()
    bpy.context.view_layer.objects.active = twin
    walker.select_set(False)
    twin.select_set(True)
    bake()
    assert counts["make_plan"] == 1
    assert counts["casters"] <= 1


def test_clips_that_two_characters_share_are_looked_at_once_for_both(walker, counts, monkeypatch):
    bpy.ops.anim.locomotion_bake_remove()
    twin = walker.copy()
    bpy.context.scene.collection.objects.link(twin)
    twin.location = (0.6, 0.2, 0.0)
    bpy.context.view_layer.update()
    for item in (walker, twin):
        watching.start_live(item, bpy.context.scene)
    watching.refresh()
    counts.clear()
    read = Counter()
    real = inputs.fingerprint_curves

    def counted(curves):
        read.update({curve.id_data.name for curve in curves})
        return real(curves)

    monkeypatch.setattr(inputs, "fingerprint_curves", counted)
    assert not watching.refresh()
    assert read[find_cycle(walker).action.name] == 1
    # What was edited is seen for both.
    edit_curve(walker)
    assert watching.refresh()
    assert counts["make_plan"] == 2


def find_cycle(armature):
    """The entry of the walk in the list of motions."""
    return next(e for e in armature.locomotion.motions if e.enabled and e.found_kind == "cycle")


def edit_curve(armature):
    """A key of the walk moved by hand."""
    action = find_cycle(armature).action
    curves = versions.get_curves(action, versions.find_slot(action, armature))
    curve = max(curves, key=lambda c: np.ptp([k.co.y for k in c.keyframe_points]))
    curve.keyframe_points[len(curve.keyframe_points) // 2].co.y += 0.3


def change_rate(_):
    """Another frame rate of the scene."""
    bpy.context.scene.render.fps = 30


def edit_mesh(_):
    """A vertex of the ground lifted, all others as they were."""
    mesh = bpy.data.meshes["Bumps"]
    near = min(mesh.vertices, key=lambda v: (v.co.x - 0.1) ** 2 + (v.co.y + 0.7) ** 2)
    for vertex in mesh.vertices:
        if (vertex.co - near.co).length < 0.7:
            vertex.co.z += 0.1
    mesh.update()


def move_ground(_):
    """The ground as a whole moved."""
    bpy.data.objects["Bumps"].location = (0.3, 0.2, 0.05)


def turn_ground(_):
    """The ground turned and tilted."""
    bpy.data.objects["Bumps"].rotation_euler = (0.03, 0.02, 0.4)


def add_ground(_):
    """One thing more to step on."""
    add_mesh("Slab", [(-3, -3, 0.06), (3, -3, 0.06), (3, 3, 0.06), (-3, 3, 0.06)], [(0, 1, 2, 3)])


def hide_ground(_):
    """No ground any more."""
    bpy.data.objects["Bumps"].hide_viewport = True


def move_walker(armature):
    """The character stands elsewhere, its bake taken away before."""
    bpy.ops.anim.locomotion_bake_remove()
    armature.location = (0.4, 0.3, 0.0)


def resize_walker(armature):
    """The character is larger."""
    bpy.ops.anim.locomotion_bake_remove()
    armature.scale = (1.2, 1.2, 1.2)


def set_speed(armature):
    """The walk's own speed set by hand."""
    find_cycle(armature).own_speed = 0.8


CHANGES = (
    edit_curve,
    change_rate,
    edit_mesh,
    move_ground,
    turn_ground,
    hide_ground,
    add_ground,
    move_walker,
    resize_walker,
    set_speed,
)


def test_no_change_leaves_a_stale_walk(walker):
    before = read_poses(walker, FRAMES)
    for change in CHANGES:
        change(walker)
        bpy.context.view_layer.update()
        bake()
        after = read_poses(walker, FRAMES)
        assert np.abs(after - before).max() > 1e-4, change.__name__
        forget()
        bake()
        before = read_poses(walker, FRAMES)
        assert np.abs(before - after).max() == 0.0, change.__name__


def test_a_bone_that_is_posed_by_hand_is_read_anew(walker, counts):
    """How bones that no clip keys stand counts where Set Up holds them."""
    held = walker.locomotion.held.add()
    held.name, held.location = walker.pose.bones[1].name, (0.0, 0.02, 0.0)
    held.rotation, held.scale = (1.0, 0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
    bake()
    assert counts["analyze_clip"] >= 1
    after = read_poses(walker, FRAMES)
    forget()
    bake()
    assert np.abs(read_poses(walker, FRAMES) - after).max() == 0.0


def test_undoing_a_change_gives_the_walk_before(walker):
    before = read_poses(walker, FRAMES)
    item = bpy.data.objects["Bumps"]
    place = item.location.copy()
    move_ground(walker)
    bpy.context.view_layer.update()
    bake()
    item.location = place
    bpy.context.view_layer.update()
    bake()
    assert np.abs(read_poses(walker, FRAMES) - before).max() == 0.0


def test_a_file_that_is_opened_again_walks_the_same(walker, tmp_path, counts):
    before = read_poses(walker, FRAMES)
    path = str(tmp_path / "walk.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    again = bpy.data.objects[walker_name()]
    bpy.context.view_layer.objects.active = again
    again.select_set(True)
    bpy.data.objects["Bumps"].location.z += 0.05
    bpy.context.view_layer.update()
    bake()
    moved = read_poses(again, FRAMES)
    assert np.abs(moved - before).max() > 1e-3
    bpy.data.objects["Bumps"].location.z -= 0.05
    bpy.context.view_layer.update()
    bake()
    # The object's place has been through the file, and the ground's up and down again.
    assert np.abs(read_poses(again, FRAMES) - before).max() < 1e-6


def walker_name():
    """Name of the one armature object of the file."""
    (name,) = (o.name for o in bpy.data.objects if o.type == "ARMATURE")
    return name


def test_analyses_come_back_with_the_file(walker, tmp_path, counts):
    """The first bake after a file is opened reads them from the actions, unless a curve was edited."""
    before = read_poses(walker, FRAMES)
    path = str(tmp_path / "walk.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    again = bpy.data.objects[walker_name()]
    bpy.context.view_layer.objects.active = again
    again.select_set(True)
    forget()
    bake()
    assert counts["sample_action"] == counts["analyze_clip"] == 0
    assert counts["make_plan"] == 1
    assert np.abs(read_poses(again, FRAMES) - before).max() < 1e-6
    edit_curve(again)
    forget()
    bake()
    assert counts["sample_action"] == counts["analyze_clip"] == 1
