# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Key times that the user sets: used, kept and given back."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion import api
from semi_procedural_locomotion.api import setups, watching
from semi_procedural_locomotion.api.planning import plan_walk
from semi_procedural_locomotion.api.set_up_work import read_character
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.reading.importing import import_file
from semi_procedural_locomotion.core.contacts.edits import ContactEdit
from semi_procedural_locomotion.errors import AnalysisError
from semi_procedural_locomotion.ui.live import handlers as live_handlers
from tests.scenes import add_person

pytestmark = pytest.mark.newest

WALK, REST = "Walker Walk", "Walker Rest"


@pytest.fixture
def ready():
    """The project's person with a walk and a rest, set up, selected and active."""
    scene = bpy.context.scene
    armature = add_person(is_set_up=True)
    scene.frame_start, scene.frame_end = 1, 60
    bpy.ops.ed.undo_push(message="set up")
    yield armature
    watching.put_back_all(forget=True)
    live_handlers.install()


def get_entry(armature, name=WALK):
    """The entry of an action in the list of motions."""
    return next(e for e in armature.locomotion.motions if e.action.name == name)


def get_left(armature, name=WALK):
    """Key times of the left foot."""
    return get_entry(armature, name).key_times["foot.L"]


def plan(armature):
    """The walk as it would be baked."""
    character = read_character(armature)
    motions = api.make_motion_set(character, setups.read_findings(character))
    scene = bpy.context.scene
    walk, _ = plan_walk(character, motions, setups.make_request(armature).plan, scene)
    return walk


def read_off(armature):
    """Foot-off of the left foot in the middle of the walk, from its stance, in steps."""
    walk = plan(armature)
    leg = [leg.side for leg in walk.tables.small_rig.legs].index("L")
    return walk.step_keys[leg][len(walk.step_keys[leg]) // 2, 1]


def shorten(armature, by=0.08):
    """Let the left foot leave the ground earlier."""
    times = get_left(armature)
    times.off = (times.off - by) % 1.0


def test_set_up_shows_what_the_analysis_found(ready):
    entry = get_entry(ready)
    assert [times.name for times in entry.key_times] == ["foot.L", "foot.R"]
    walk = next(f.motion for f in setups.read_findings(read_character(ready)) if f.action == WALK)
    for times, leg in zip(entry.key_times, walk.legs, strict=True):
        assert not times.is_edited
        assert times.strike == pytest.approx(leg.contact_times.strike, abs=1e-6)
        assert times.off == pytest.approx(leg.contact_times.off, abs=1e-6)
        assert times.stance == pytest.approx(leg.stance, abs=1e-6)
    assert len(get_entry(ready, REST).key_times) == 0


def test_the_plan_follows_an_edit_until_it_is_reset(ready):
    before = read_off(ready)
    found = get_left(ready).off
    shorten(ready)
    assert get_left(ready).is_edited
    assert not get_entry(ready).key_times["foot.R"].is_edited
    assert before - read_off(ready) == pytest.approx(0.08, abs=0.02)
    ready.locomotion.active_motion = list(ready.locomotion.motions).index(get_entry(ready))
    assert bpy.ops.anim.locomotion_key_times_reset("EXEC_DEFAULT", True) == {"FINISHED"}
    assert get_left(ready).off == found
    assert read_off(ready) == pytest.approx(before, abs=1e-9)
    with pytest.raises(RuntimeError, match="No key time of the active motion is edited"):
        bpy.ops.anim.locomotion_key_times_reset()


def test_one_foot_is_reset_and_undo_takes_it_back(ready):
    name = ready.name
    ready.locomotion.active_motion = list(ready.locomotion.motions).index(get_entry(ready))
    for times in get_entry(ready).key_times:
        times.off = (times.off - 0.05) % 1.0
    bpy.ops.ed.undo_push(message="edits")
    bpy.ops.anim.locomotion_key_times_reset("EXEC_DEFAULT", True, foot="foot.R")
    assert [t.is_edited for t in get_entry(ready).key_times] == [True, False]
    bpy.ops.ed.undo()
    ready = bpy.data.objects[name]
    assert [t.is_edited for t in get_entry(ready).key_times] == [True, True]


def test_edits_outlive_analysis_set_up_measuring_and_loading(ready, tmp_path):
    shorten(ready)
    edited = get_left(ready).off
    found = get_left(ready).found_off

    def assert_kept(armature):
        times = get_left(armature)
        assert times.off == edited
        assert times.found_off == pytest.approx(found, abs=1e-6)
        assert times.is_edited
        assert not get_entry(armature).key_times["foot.R"].is_edited

    bpy.ops.anim.locomotion_analyze()
    assert_kept(ready)
    bpy.ops.anim.locomotion_bake()
    assert_kept(ready)
    ready.locomotion.legs[0].name = "Other"
    bpy.ops.anim.locomotion_legs_measure()
    bpy.ops.anim.locomotion_setup()
    assert_kept(ready)
    path = str(tmp_path / "walk.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    again = next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")
    bpy.context.view_layer.objects.active = again
    assert_kept(again)
    assert read_off(again) < 0.5


def test_impossible_times_are_refused_by_bake_and_analysis(ready):
    times = get_left(ready)
    times.off = times.strike
    for operator in (
        bpy.ops.anim.locomotion_bake,
        bpy.ops.anim.locomotion_analyze,
        bpy.ops.anim.locomotion_setup,
    ):
        with pytest.raises(RuntimeError, match=r"'Walker Walk': Left .*move Foot-Off behind"):
            operator()
    assert ready.animation_data is None or not api.is_baked(ready)
    assert get_entry(ready).found_kind == "cycle"


def test_auto_bake_follows_an_edit_and_refuses_an_impossible_one(ready):
    bpy.ops.anim.locomotion_auto_bake(action="ON")
    curves = read_values(ready)
    shorten(ready)
    assert live_handlers.refresh_now()
    assert not np.allclose(read_values(ready), curves, atol=1e-4)
    changed = read_values(ready)
    get_left(ready).off = get_left(ready).strike
    live_handlers.refresh_now()
    assert "move Foot-Off behind Strike" in watching.find_watch(ready).error
    assert np.array_equal(read_values(ready), changed)
    ready.locomotion.active_motion = list(ready.locomotion.motions).index(get_entry(ready))
    bpy.ops.anim.locomotion_key_times_reset()
    assert live_handlers.refresh_now()
    assert watching.find_watch(ready).error == ""
    assert np.allclose(read_values(ready), curves, atol=1e-6)


def read_values(armature):
    """Values of all keys of the bake in one row."""
    curves = versions.get_curves(*versions.get_assigned_action(armature))
    return np.concatenate([[key.co.y for key in c.keyframe_points] for c in curves])


def test_a_reversed_use_has_the_same_times(ready):
    entry = get_entry(ready)
    forwards = [(t.strike, t.stance, t.off) for t in entry.key_times]
    entry.is_reversed = True
    shorten(ready)
    bpy.ops.anim.locomotion_analyze()
    left, right = entry.key_times
    assert left.is_edited
    assert (left.found_strike, left.found_stance, left.found_off) == pytest.approx(forwards[0])
    assert (right.strike, right.stance, right.off) == pytest.approx(forwards[1])


def test_key_times_of_the_api_are_kept_as_edits(ready):
    asked = ContactEdit(off=(get_left(ready).off - 0.06) % 1.0)
    walk, rest = bpy.data.actions[WALK], bpy.data.actions[REST]
    api.set_up(
        ready,
        [api.MotionChoice(walk, key_times={"Left": asked}), api.MotionChoice(rest, rest=True)],
    )
    assert get_left(ready).off == pytest.approx(asked.off)
    assert get_left(ready).is_edited
    with pytest.raises(AnalysisError, match="'Tail', which is no leg: name one of Left, Right"):
        api.set_up(ready, [api.MotionChoice(walk, key_times={"Tail": asked})])
    assert get_left(ready).is_edited


def test_set_up_takes_key_times_of_named_actions(ready):
    strike, off = get_left(ready).strike, get_left(ready).off
    times = [{"name": WALK, "leg": "Left", "strike": -1, "stance": -1, "off": off - 0.06}]
    bpy.ops.anim.locomotion_setup(actions=[{"name": WALK}], rest_action=REST, key_times=times)
    assert get_left(ready).off == pytest.approx(off - 0.06)
    assert get_left(ready).strike == pytest.approx(strike)
    assert not get_entry(ready).key_times["foot.R"].is_edited
    with pytest.raises(RuntimeError, match="'Walker Walk' has key times but is not among"):
        bpy.ops.anim.locomotion_setup(actions=[{"name": REST}], key_times=times)
    times[0]["leg"] = "Tail"
    with pytest.raises(RuntimeError, match="'Tail', which is no leg: name one of Left, Right"):
        bpy.ops.anim.locomotion_setup(actions=[{"name": WALK}], key_times=times)


def test_set_up_again_keeps_what_was_decided_about_motions(ready):
    back = bpy.data.actions[WALK].copy()
    back.name = "Back"
    bpy.ops.anim.locomotion_analyze(actions=[{"name": "Back"}])
    entry = get_entry(ready, "Back")
    entry.group, entry.own_speed, entry.is_reversed, entry.kind = "limp", 0.7, True, "CYCLE"
    rest = get_entry(ready, REST)
    assert (rest.kind, rest.found_kind) == ("AUTO", "rest")
    rest.enabled, rest.kind = False, "REST"
    gone = bpy.data.actions[WALK].copy()
    gone.name = "Gone"
    bpy.ops.anim.locomotion_analyze(actions=[{"name": "Gone"}])
    bpy.data.actions.remove(gone)
    ready.locomotion.active_motion = list(ready.locomotion.motions).index(entry)
    bpy.ops.anim.locomotion_setup()
    assert ready.locomotion.motions[ready.locomotion.active_motion].action.name == "Back"
    assert sorted(e.action.name for e in ready.locomotion.motions) == ["Back", REST, WALK]
    entry = get_entry(ready, "Back")
    assert (entry.group, entry.is_reversed, entry.kind) == ("limp", True, "CYCLE")
    assert entry.own_speed == pytest.approx(0.7)
    assert entry.enabled
    assert not get_entry(ready, REST).enabled
    assert get_entry(ready, REST).kind == "REST"


def test_edits_stay_on_overrides_of_linked_characters(ready, tmp_path):
    library = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=library)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(library, link=True) as (_, wanted):
        wanted.objects = ["Walker"]
    local = wanted.objects[0].override_create(remap_local_usages=True)
    bpy.context.scene.collection.objects.link(local)
    found = get_left(local).found_off
    shorten(local)
    edited = get_left(local).off
    path = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    again = next(item for item in bpy.data.objects if item.override_library)
    times = get_left(again)
    assert (times.off, times.found_off) == pytest.approx((edited, found))
    assert times.is_edited
    assert not get_entry(again).key_times["foot.R"].is_edited


def test_only_what_was_set_is_kept_where_the_clip_changes(ready):
    times = get_left(ready)
    shorten(ready)
    edited, strike = times.off, times.strike
    ready.locomotion.legs[0].heel.offset.y -= 0.02
    bpy.ops.anim.locomotion_analyze()
    assert times.off == edited
    assert times.strike == pytest.approx(times.found_strike, abs=1e-6)
    assert times.strike != strike


@pytest.mark.parametrize("name", ["fox/Fox.glb", "spider/Spider.glb"])
def test_real_characters_walk_by_edited_times_and_back(data_folder, name):
    (armature,) = import_file(data_folder / name).armatures
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.context.scene.frame_end = 60
    bpy.ops.anim.locomotion_setup()
    data = armature.locomotion
    walks = [i for i, entry in enumerate(data.motions) if entry.found_kind == "cycle"]
    data.active_motion = min(walks, key=lambda i: data.motions[i].speed)
    walk = data.motions[data.active_motion]
    assert len(walk.key_times) == len(data.legs)
    bpy.ops.anim.locomotion_bake()
    before = read_values(armature)
    for times in walk.key_times:
        times.off = (times.off - 0.03) % 1.0
    bpy.ops.anim.locomotion_bake()
    assert len(read_values(armature)) != len(before) or not np.allclose(
        read_values(armature), before, atol=1e-4
    )
    bpy.ops.anim.locomotion_key_times_reset()
    bpy.ops.anim.locomotion_bake()
    assert np.allclose(read_values(armature), before, atol=1e-6)


def test_one_action_may_be_listed_twice(ready):
    entry = ready.locomotion.motions.add()
    entry.action, entry.is_reversed = bpy.data.actions[WALK], True
    bpy.ops.anim.locomotion_analyze()
    forwards, backwards = (e for e in ready.locomotion.motions if e.action.name == WALK)
    assert abs(forwards.direction - backwards.direction) == pytest.approx(np.pi, abs=1e-3)
    bpy.ops.anim.locomotion_setup()
    assert sorted(e.is_reversed for e in ready.locomotion.motions if e.action.name == WALK) == [
        False,
        True,
    ]
