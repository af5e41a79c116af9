# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The next sole of the Footsteps tool: noted where nothing may be written, found afterwards."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.values.scene_state import temporary_scene
from semi_procedural_locomotion.ui.footsteps import hover as footstep_hover
from tests.ui.footsteps.test_operators import walker  # noqa: F401


@pytest.fixture
def followed():
    """The timer of the hovering, taken out afterwards."""
    yield footstep_hover._follow_pointer
    if bpy.app.timers.is_registered(footstep_hover._follow_pointer):
        bpy.app.timers.unregister(footstep_hover._follow_pointer)


def add_muted_track(armature):
    """A strip that does not play, as importers of several clips leave them."""
    track = armature.animation_data_create().nla_tracks.new()
    track.strips.new("Walk", 1, armature.locomotion.motions[0].action)
    track.mute = True


def test_the_gizmo_only_notes_where_the_pointer_is(walker, followed, monkeypatch):  # noqa: F811
    def refuse(*_):
        raise AssertionError("read while Blender draws")

    add_muted_track(walker)
    monkeypatch.setattr(footstep_hover, "find_step_maker", refuse)
    monkeypatch.setattr(footstep_hover, "pick_point", refuse)
    region = SimpleNamespace(as_pointer=lambda: 1)
    context = SimpleNamespace(region=region, view_layer=bpy.context.view_layer)
    gizmo = SimpleNamespace()
    select = footstep_hover.LOCOMOTION_GT_next_step.test_select
    assert select(gizmo, context, (20, 30)) == -1
    footstep_hover.LOCOMOTION_GT_next_step.draw(gizmo, context)
    assert bpy.app.timers.is_registered(followed)
    assert len(bpy.data.scenes) == 1


def test_a_region_that_is_gone_shows_nothing(walker, followed):  # noqa: F811
    region = SimpleNamespace(as_pointer=lambda: 1)
    footstep_hover.next_step.note(region, (20, 30))
    followed()
    assert not footstep_hover.next_step.is_shown_in(region)


def test_the_sole_is_found_for_a_character_that_has_to_be_sampled(walker, monkeypatch):  # noqa: F811
    add_muted_track(walker)
    walker.constraints.new("LIMIT_LOCATION")
    place = np.array([0.1, -0.6, 0.0])
    monkeypatch.setattr(footstep_hover, "pick_point", lambda *_: place)
    found = footstep_hover.NextStep()
    context = SimpleNamespace(region=None, scene=bpy.context.scene)
    found.point(context, walker, (20.0, 30.0))
    assert np.allclose(found.ghost.outline.mean(axis=0)[:2], place[:2], atol=0.05)
    assert len(bpy.data.scenes) == 1


def test_undo_and_loading_have_the_character_read_anew(walker, monkeypatch):  # noqa: F811
    monkeypatch.setattr(footstep_hover, "pick_point", lambda *_: np.array([0.1, -0.6, 0.0]))
    found = footstep_hover.NextStep()
    monkeypatch.setattr(footstep_hover, "next_step", found)
    context = SimpleNamespace(region=None, scene=bpy.context.scene)
    for name in ("undo_post", "redo_post", "load_post"):
        found.point(context, walker, (20.0, 30.0))
        assert found._reading is not None
        assert footstep_hover._forget in getattr(bpy.app.handlers, name)
        footstep_hover._forget()
        assert found._reading is None


def test_a_temporary_scene_goes_away_where_it_cannot_be_filled():
    like = SimpleNamespace(name="Scene", render=SimpleNamespace(fps="none", fps_base=1.0))
    with pytest.raises(TypeError), temporary_scene(like):
        pass
    assert len(bpy.data.scenes) == 1
