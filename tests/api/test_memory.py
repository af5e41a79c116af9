# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is left over after bakes, Live and registrations; `benchmarks/memory.py` goes on from here."""

from __future__ import annotations

import gc

import pytest

bpy = pytest.importorskip("bpy")

from tests.scenes import add_person

KINDS = ("actions", "objects", "meshes", "armatures", "scenes", "collections", "node_groups")


def count_blocks():
    """Data-blocks of each kind."""
    return {kind: len(getattr(bpy.data, kind)) for kind in KINDS}


def count_handlers():
    """Functions in all lists of handlers."""
    lists = (getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers))
    return sum(len(found) for found in lists if isinstance(found, list))


def count_arrays():
    """Objects that Python keeps track of."""
    gc.collect()
    return len(gc.get_objects())


@pytest.fixture
def ready():
    """The project's person, set up, over a second."""
    armature = add_person(is_set_up=True)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 12
    return armature


def bake_and_remove():
    bpy.ops.anim.locomotion_bake()
    bpy.ops.anim.locomotion_bake_remove()


def toggle_live():
    bpy.ops.anim.locomotion_live(action="ON")
    bpy.context.scene.frame_set(7)
    bpy.ops.anim.locomotion_live(action="OFF")


@pytest.mark.parametrize("work", [bake_and_remove, toggle_live])
def test_nothing_is_left_over(ready, work):
    work()
    before = count_blocks(), count_handlers(), count_arrays()
    for _ in range(3):
        work()
    after = count_blocks(), count_handlers(), count_arrays()
    assert after[:2] == before[:2]
    # A record that each round left would be dozens of objects.
    assert after[2] - before[2] < 100


def test_registrations_leave_nothing(registered_package):
    registered_package.unregister()
    registered_package.register()
    before = count_handlers(), count_arrays()
    for _ in range(5):
        registered_package.unregister()
        registered_package.register()
    after = count_handlers(), count_arrays()
    assert after[0] == before[0]
    assert after[1] - before[1] < 100
