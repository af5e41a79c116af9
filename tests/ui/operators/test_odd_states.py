# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators on states of a file that nobody expects: they do what was asked for, or tell the cure."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api.watches import find_end
from semi_procedural_locomotion.blender import versions
from tests.scenes import lend_person, select_only


@pytest.fixture
def walker():
    """The project's person, set up, in a short scene."""
    yield from lend_person(30)


def get_curves(armature):
    """Curves of the active action."""
    return versions.get_curves(*versions.get_assigned_action(armature))


def refuse(operator, **options):
    """The message of an operator that fails."""
    with pytest.raises(RuntimeError) as caught:
        operator(**options)
    assert "Traceback" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_rotation_curves_deleted_from_a_bake_do_not_stop_the_next(walker, count):
    bpy.ops.anim.locomotion_bake()
    bag = versions.get_channelbag(*versions.get_assigned_action(walker))
    gone = [c for c in bag.fcurves if c.data_path.startswith("rotation")][:count]
    for curve in gone:
        bag.fcurves.remove(curve)
    curve = bag.fcurves.find("location", index=0)
    for frame in (14, 15, 16):
        curve.keyframe_points.insert(frame, curve.evaluate(frame) + 0.05)
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert bpy.ops.anim.locomotion_bake_remove() == {"FINISHED"}


def test_reverse_on_a_rest_changes_nothing(walker):
    rest = next(m for m in walker.locomotion.motions if m.found_kind == "rest")
    rest.enabled = rest.is_reversed = True
    for operator in ("bake", "analyze", "setup", "bake"):
        assert getattr(bpy.ops.anim, f"locomotion_{operator}")() == {"FINISHED"}


@pytest.mark.skipif(not hasattr(bpy.types, "ActionSlot"), reason="actions have no slots")
@pytest.mark.parametrize("is_motion", [True, False])
def test_remove_after_an_action_that_was_played_in_no_slot(walker, is_motion):
    motion = walker.locomotion.motions[0].action
    before = motion if is_motion else bpy.data.actions.new("Mine")
    if not is_motion:
        versions.assign_action(walker, before, "")
        walker["other"] = 1.0
        walker.keyframe_insert('["other"]', frame=3)
    versions.assign_action(walker, before, "")
    slots = versions.list_slots(motion)
    bpy.ops.anim.locomotion_bake()
    walker["grip"] = 0.5
    walker.keyframe_insert('["grip"]', frame=10)
    assert bpy.ops.anim.locomotion_bake_remove() == {"FINISHED"}
    assert [c.data_path for c in get_curves(walker)] == ['["grip"]']
    assert walker.locomotion.bake is None
    assert versions.list_slots(motion) == slots
    if not is_motion:
        assert walker.animation_data.action == before
        curves = [c for s in versions.list_slots(before) for c in versions.get_curves(before, s)]
        assert {c.data_path for c in curves} == {'["grip"]', '["other"]'}


def test_footsteps_scaled_to_nothing_are_named(walker):
    bpy.ops.anim.locomotion_bake()
    bpy.ops.object.footsteps_from_plan()
    steps = list(walker.locomotion.footsteps.all_objects)
    steps[1].scale = (0.0, 0.0, 0.0)
    places = [tuple(step.matrix_basis.translation) for step in steps]
    select_only(*steps)
    for name in ("mirror", "bend", "scale", "copy", "replace_on_ground"):
        assert f"{steps[1].name!r} is scaled to nothing" in refuse(
            getattr(bpy.ops.object, f"footsteps_{name}")
        )
    select_only(walker)
    assert f"{steps[1].name!r} is scaled to nothing" in refuse(bpy.ops.anim.locomotion_bake)
    assert [tuple(step.matrix_basis.translation) for step in steps] == places


def test_footsteps_under_a_parent_scaled_to_nothing_are_named(walker):
    bpy.ops.anim.locomotion_bake()
    bpy.ops.object.footsteps_from_plan()
    steps = list(walker.locomotion.footsteps.all_objects)
    parent = bpy.data.objects.new("Holder", None)
    bpy.context.scene.collection.objects.link(parent)
    steps[0].parent, parent.scale = parent, (1.0, 1.0, 0.0)
    select_only(*steps[:3])
    assert f"{steps[0].name!r} is scaled to nothing" in refuse(bpy.ops.object.footsteps_mirror)


def test_an_armature_scaled_to_nothing_is_named(walker):
    walker.animation_data_create()
    versions.assign_action(
        walker,
        walker.locomotion.motions[0].action,
        versions.find_slot(walker.locomotion.motions[0].action, walker),
    )
    walker.scale = (0.0, 0.0, 0.0)
    for operator in (bpy.ops.anim.locomotion_root_motion, bpy.ops.anim.locomotion_bake):
        assert f"{walker.name!r} is scaled to nothing" in refuse(operator)


def test_footsteps_are_generated_at_no_speed_of_zero(walker):
    walker.locomotion.travel.use_native_speed = False
    walker.locomotion.travel.speed = 0.0
    assert "speed must be above 0" in refuse(bpy.ops.object.footsteps_generate)


def test_footsteps_come_from_a_plan_that_starts_at_a_keyed_speed_of_zero(walker):
    travel = walker.locomotion.travel
    travel.use_native_speed = False
    for frame, speed in ((1, 0.0), (20, 1.2)):
        travel.speed = speed
        walker.keyframe_insert("locomotion.travel.speed", frame=frame)
    assert bpy.ops.object.footsteps_from_plan() == {"FINISHED"}


def test_live_that_cannot_go_on_after_saving_ends_and_tells_why(walker, tmp_path):
    bpy.ops.anim.locomotion_live(action="ON")
    name = walker.locomotion.legs[0].bones[0].name
    walker.data.bones[name].name = "Renamed"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "live.blend"))
    walker = bpy.context.object
    assert not walker.locomotion.is_live
    assert name in find_end(walker)
    assert walker.animation_data is None or walker.animation_data.action is None
