# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters that were baked in their own file, linked into a shot, overridden, and baked again there."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import setups, watching
from semi_procedural_locomotion.api.sections import list_sections, remove_section
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.bake.writing import find_bake
from semi_procedural_locomotion.errors import BakeError
from semi_procedural_locomotion.ui.live import handlers as live_handlers
from tests.scenes import add_mesh, add_person, select_only

LAST = 60


@pytest.fixture
def link_baked(tmp_path):
    """A function that bakes the person in a file of its own and overrides it in a shot with a plateau."""

    def link(**asked):
        path = str(tmp_path / "hero.blend")
        armature = add_person(is_set_up=True)
        scene = bpy.context.scene
        scene.frame_start, scene.frame_end = 1, LAST
        ranges = asked.pop("ranges", [()])
        for frames in ranges:
            given = dict(zip(("frame_start", "frame_end"), frames, strict=False))
            bpy.ops.anim.locomotion_bake(**asked, **given)
        held = bpy.data.collections.new("Hero")
        scene.collection.children.link(held)
        for item in (armature, *armature.children):
            scene.collection.objects.unlink(item)
            held.objects.link(item)
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        scene = bpy.context.scene
        scene.frame_start, scene.frame_end = 1, LAST
        rows = [(2.0, 0.0), (-0.6, 0.0), (-1.2, 0.2), (-20.0, 0.2)]
        points = [(x, y, z) for y, z in rows for x in (-4.0, 4.0)]
        add_mesh("Plateau", points, [(0, 1, 3, 2), (2, 3, 5, 4), (4, 5, 7, 6)])
        with bpy.data.libraries.load(path, link=True) as (_, wanted):
            wanted.collections = ["Hero"]
        made = wanted.collections[0].override_hierarchy_create(
            scene, bpy.context.view_layer, do_fully_editable=True
        )
        for item in made.all_objects:
            if item.name not in scene.objects:
                scene.collection.objects.link(item)
        hero = next(item for item in scene.objects if item.type == "ARMATURE")
        select_only(hero)
        return hero

    yield link
    watching.put_back_all(forget=True)
    live_handlers.install()


def see_hips(armature):
    """World heights of the hips at all frames, as they are shown, (N,)."""
    heights = []
    for frame in range(1, LAST + 1):
        bpy.context.scene.frame_set(frame)
        shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        heights.append((shown.matrix_world @ shown.pose.bones["hips"].head).z)
    bpy.context.scene.frame_set(1)
    return np.array(heights)


def read_linked():
    """Keys of all linked actions."""
    return {
        action.name: [
            [tuple(key.co) for key in curve.keyframe_points]
            for slot in versions.list_slots(action)
            for curve in versions.get_curves(action, slot)
        ]
        for action in bpy.data.actions
        if action.library is not None
    }


@pytest.mark.parametrize("use_strip", [False, True])
@pytest.mark.parametrize("name", ["", "Shot 20 Walk"])
def test_a_linked_bake_is_baked_anew_in_an_action_of_the_shot(link_baked, name, use_strip):
    hero = link_baked(use_strip=use_strip)
    linked, flat = find_bake(hero), see_hips(hero)
    assert linked.library is not None
    keys = read_linked()
    hero.locomotion.settings.action_name = name
    for _ in range(2):
        assert bpy.ops.anim.locomotion_bake(use_strip=use_strip) == {"FINISHED"}
        own = find_bake(hero)
        assert own.library is None
        assert own.name == (name or "Walker Baked Walk 2")
        walked = see_hips(hero)
        assert walked[-10:].mean() == pytest.approx(flat[-10:].mean() + 0.2, abs=0.02)
        assert "changed by hand" not in hero.locomotion.report.warnings
    assert read_linked() == keys
    assert len([a for a in bpy.data.actions if a.library is None]) == 1
    assert bpy.ops.anim.locomotion_bake_remove() == {"FINISHED"}
    assert find_bake(hero) is None
    assert read_linked() == keys
    bpy.ops.anim.locomotion_bake(use_strip=use_strip)
    assert np.allclose(see_hips(hero), walked, atol=1e-5)


def test_a_linked_bake_is_shown_live_and_outlives_the_session(link_baked, tmp_path):
    hero = link_baked()
    flat, keys = see_hips(hero), read_linked()
    assert bpy.ops.anim.locomotion_live(action="ON") == {"FINISHED"}
    watching.refresh()
    shown = see_hips(hero)
    assert shown[-10:].mean() == pytest.approx(flat[-10:].mean() + 0.2, abs=0.02)
    bpy.ops.anim.locomotion_live(action="OFF")
    assert np.allclose(see_hips(hero), flat, atol=1e-5)
    bpy.ops.anim.locomotion_bake()
    assert read_linked() == keys
    path = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    hero = next(item for item in bpy.context.scene.objects if item.type == "ARMATURE")
    assert find_bake(hero).library is None
    assert np.allclose(see_hips(hero), shown, atol=1e-4)


def test_a_section_of_a_linked_bake_is_baked_anew_beside_the_other(link_baked):
    hero = link_baked(ranges=[(1, 20), (30, 50)])
    flat = see_hips(hero)
    with pytest.raises(BakeError, match="linked from another file"):
        remove_section(hero, list_sections(hero)[1])
    bpy.ops.anim.locomotion_bake(frame_start=30, frame_end=55)
    walked = see_hips(hero)
    assert np.allclose(walked[:29], flat[:29], atol=1e-5)
    assert find_bake(hero).library is None
    assert [section.frames for section in list_sections(hero)] == [(1, 20), (30, 55)]
    remove_section(hero, list_sections(hero)[1])
    assert np.allclose(see_hips(hero)[:29], flat[:29], atol=1e-5)


@pytest.mark.parametrize("use_strip", [False, True])
def test_a_failure_leaves_a_linked_bake_where_it_plays(link_baked, monkeypatch, use_strip):
    hero = link_baked(use_strip=use_strip)
    linked, flat = find_bake(hero), see_hips(hero)
    actions = set(bpy.data.actions)

    def fail(*_):
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(setups, "_keep_report", fail)
    with pytest.raises(ZeroDivisionError):
        setups.bake_set_up(hero, bpy.context.scene)
    assert find_bake(hero) == linked
    assert set(bpy.data.actions) == actions
    assert np.array_equal(see_hips(hero), flat)
