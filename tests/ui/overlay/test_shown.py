# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the overlay shows of a plan; where there is no window, batches are only counted."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import watching
from semi_procedural_locomotion.ui.live import handlers as live_handlers
from semi_procedural_locomotion.ui.overlay import shown as overlay_graph
from tests.scenes import add_person


@pytest.fixture
def drawn(monkeypatch):
    """The project's person with its walk drawn, and the batches that are made."""
    scene = bpy.context.scene
    armature = add_person(is_set_up=True)
    scene.frame_start, scene.frame_end = 1, 40
    bpy.ops.view3d.locomotion_overlay(action="ON")
    batches = []
    monkeypatch.setattr(overlay_graph, "make_batch", lambda *shapes: batches.append(shapes))
    yield armature, batches
    watching.put_back_all(forget=True)
    live_handlers.install()


def follow(armature, kept=None):
    """The contact graph as at the next redraw."""
    return overlay_graph.follow_graph(kept, watching.find_watch(armature).prepared, armature)


def choose(armature, kind):
    """Make the first motion of a kind active."""
    data = armature.locomotion
    data.active_motion = [entry.found_kind for entry in data.motions].index(kind)
    return data.motions[data.active_motion]


def test_the_contact_graph_is_of_the_active_motion_and_leg(drawn):
    armature, batches = drawn
    choose(armature, "cycle")
    first = follow(armature)
    assert first.title == "Walker Walk, Left"
    assert follow(armature, first) is first
    count = len(batches)
    armature.locomotion.active_leg = 1
    second = follow(armature, first)
    assert second.title == "Walker Walk, Right"
    assert len(batches) == 2 * count
    assert second.graph.labels != first.graph.labels
    assert follow(armature, second) is second


def test_the_contact_graph_follows_edited_key_times(drawn):
    armature, _ = drawn
    entry = choose(armature, "cycle")
    first = follow(armature)
    assert not any(edited for _, _, edited in first.graph.labels)
    entry.key_times[0].off = (entry.key_times[0].off - 0.05) % 1.0
    assert live_handlers.refresh_now()
    second = follow(armature, first)
    assert [edited for _, _, edited in second.graph.labels] == [False, False, True]
    assert second.graph.labels[2][0] == pytest.approx(entry.key_times[0].off)


def test_the_contact_graph_says_why_it_is_empty(drawn):
    armature, _ = drawn
    choose(armature, "rest")
    assert follow(armature).title == "Walker Rest has no cycle"
    entry = choose(armature, "cycle")
    entry.is_reversed = True
    assert follow(armature).title == "Walker Walk is not planned: tick it"
    armature.locomotion.active_motion = 9
    assert follow(armature).title == "No motion is active"


def test_the_hand_of_the_contact_graph_is_at_the_stance_when_the_foot_is(drawn):
    armature, _ = drawn
    choose(armature, "cycle")
    graph = follow(armature)
    prepared = watching.find_watch(armature).prepared
    times = prepared.walk.source.leg_times[:, 0]
    row = int(np.argmin(np.abs(times - np.round(times[20]))))
    phase = overlay_graph._find_phase(graph, prepared, row)
    assert abs((phase - graph.graph.labels[1][0] + 0.5) % 1.0 - 0.5) < 0.03
