# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Values in a scene that are no numbers: told in words, and what is left is used."""

from __future__ import annotations

import contextlib
import math

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion import api
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.errors import LocomotionError
from semi_procedural_locomotion.requests.settings.kinds import Number
from semi_procedural_locomotion.requests.settings.steps import PLAN
from tests.scenes import add_mesh, add_person

pytestmark = pytest.mark.newest


@pytest.fixture
def ready():
    """The project's person, set up, selected and active."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 60
    return add_person(is_set_up=True)


def break_action(action, armature, value, channel="y"):
    """Give a key of the hips' first curve a bad value, or all keys a bad time."""
    curves = versions.get_curves(action, versions.find_slot(action, armature))
    curve = next(c for c in curves if "hips" in c.data_path and c.data_path.endswith("location"))
    point = curve.keyframe_points[3]
    setattr(point.co, channel, value)


def find_entry(armature, name):
    """The row of the motions list of an action."""
    return next(e for e in armature.locomotion.motions if e.action.name == name)


@pytest.mark.parametrize(
    ("value", "channel"), [(math.nan, "y"), (math.inf, "y"), (1e30, "y"), (math.nan, "x")]
)
def test_an_action_with_bad_keys_is_skipped_by_name_and_the_others_walk(ready, value, channel):
    broken = bpy.data.actions["Walker Walk"].copy()
    broken.name = "Walker Broken Walk"
    break_action(broken, ready, value, channel)
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    entry = find_entry(ready, "Walker Broken Walk")
    assert not entry.enabled
    assert find_entry(ready, "Walker Walk").enabled
    findings = api.analyze_set_up(ready, actions=[broken])
    assert "'Walker Broken Walk' has a key" in findings[0].reason
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}


def spoil_location(armature):
    armature.location.x = math.nan


def spoil_scale(armature):
    armature.scale = (math.inf,) * 3


def spoil_parent(armature):
    empty = bpy.data.objects.new("Carrier", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.rotation_euler.z = math.nan
    armature.parent = empty


def spoil_travel(armature):
    armature.animation_data_clear()
    for frame, y in ((1, 0.0), (30, math.nan), (60, -2.0)):
        armature.location.y = y
        armature.keyframe_insert("location", frame=frame)
    armature.location.y = 0.0
    armature.locomotion.travel.source = "OBJECT"


@pytest.mark.parametrize("spoil", [spoil_location, spoil_scale, spoil_parent, spoil_travel])
def test_a_transform_that_is_no_number_is_told_and_changes_nothing(ready, spoil):
    spoil(ready)
    bpy.context.view_layer.update()
    with pytest.raises(LocomotionError, match=r"has no place|that is no number") as told:
        api.bake_set_up(ready, bpy.context.scene)
    assert ready.name in str(told.value)
    assert not api.is_baked(ready)


def spoil_ground(armature):
    floor = add_mesh("Floor", [(-9, -9, 0), (9, -9, 0), (9, 9, 0), (-9, 9, 0)], [(0, 1, 2, 3)])
    for frame, height in ((1, 0.0), (60, math.nan)):
        floor.location.z = height
        floor.keyframe_insert("location", frame=frame)
    floor.location.z = 0.0
    return "'Floor' has no place at frame"


def spoil_footstep(armature):
    bpy.ops.object.footsteps_from_plan()
    step = armature.locomotion.footsteps.objects[1]
    step.location.x = math.nan
    return f"footstep '{step.name}' has no place"


@pytest.mark.parametrize("spoil", [spoil_ground, spoil_footstep])
def test_what_a_walk_goes_by_is_told_where_it_has_no_place(ready, spoil):
    words = spoil(ready)
    with pytest.raises(RuntimeError, match=words):
        bpy.ops.anim.locomotion_bake()
    assert ready.locomotion.bake is None


def test_a_body_mesh_that_is_nowhere_is_no_part_of_the_body(ready):
    (mesh,) = (item for item in bpy.data.objects if item.type == "MESH")
    mesh.location.z = math.nan
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert mesh.name in ready.locomotion.report.warnings


def test_a_vertex_of_the_body_that_is_nowhere_is_left_out(ready):
    meshes = [item for item in ready.children if item.type == "MESH"]
    for value, vertex in ((math.nan, 0), (math.inf, 5), (1e30, 9)):
        meshes[0].data.vertices[vertex].co = (value,) * 3
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    assert len(ready.locomotion.legs) == 2
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}


@pytest.mark.parametrize(
    "name", [name for name, entry in PLAN.items() if isinstance(entry, Number)]
)
def test_the_ends_of_sliders_are_in_the_table(ready, name):
    """What a slider of Blender gives at its ends is what the table takes."""
    settings, entry = ready.locomotion.settings, PLAN[name]
    for far in (-1e30, 1e30, entry.low, entry.high):
        setattr(settings, name, far)
        assert entry.find_fault(getattr(settings, name)) == ""


def test_all_sliders_at_their_ends_walk(ready):
    settings = ready.locomotion.settings
    settings.use_automatic_hug = False
    for end in ("low", "high"):
        for name, entry in PLAN.items():
            if isinstance(entry, Number) and name != "grid_rate":
                setattr(settings, name, getattr(entry, end))
        # What cannot be is refused in words.
        with contextlib.suppress(LocomotionError):
            numbers = api.bake_set_up(ready, bpy.context.scene, (1, 12)).as_dict("Walker")
            assert all(math.isfinite(v) for v in numbers.values() if isinstance(v, float))
