# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is no ground by its kind, size and place, and custom shapes of bones."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.blender.ground.surfaces import Leaving
from tests.blender.ground.test_casting import animate, build, cast, make_plane
from tests.blender.ground.test_instances import make_collection, make_instance
from tests.blender.rigs import make_armature


def list_names(ground):
    return sorted(surface.name for surface in ground.surfaces)


def add_instance(collection, location=(0, 0, 0)):
    item = make_instance(collection)
    bpy.context.scene.collection.objects.link(item)
    item.location = location
    return item


def test_instances_are_left_out_and_their_objects_stay():
    make_plane("Floor")
    add_instance(make_collection("Grass", make_plane("Blade")))
    assert list_names(build()) == ["Blade", "Floor", "Grass"]
    assert list_names(build(leaving=Leaving(instances=True))) == ["Blade", "Floor"]


@pytest.mark.parametrize("moves", [False, True])
def test_things_smaller_than_a_size_are_left_out_and_told_where_they_were_hit(moves):
    make_plane("Floor", size=5.0)
    pebble = make_plane("Pebble", size=0.05, z=0.1)
    pole = make_plane("Pole", size=0.05)
    pole.scale = (1, 1, 100)
    pole.location.x = 1.0
    beam = make_plane("Beam", size=0.05, z=0.1)
    beam.scale.y = 40
    beam.location.x = 2.0
    if moves:
        for item in (pebble, pole, beam):
            animate(item, "rotation_euler", ((0, 0, 0), (0, 0, 0.5)))
    assert list_names(build(leaving=Leaving(smaller=0.2))) == ["Beam", "Floor"]
    ground = build()
    assert ground.list_small(0.2) == []
    cast(ground, [[0, 0, 1], [2, 0, 1], [4, 0, 1]])
    assert [surface.source for surface in ground.list_small(0.2)] == ["Pebble"]
    assert ground.list_small(0.05) == []
    # Looking through everything is no standing on it.
    ground.cast_all(np.array([[1.0, 0, 0]]), np.zeros(1))
    assert len(ground.list_small(0.2)) == 1


def test_what_stands_far_from_the_way_is_left_out_but_nothing_that_moves():
    make_plane("Near", size=1.0).location.y = 3.0
    make_plane("Far", size=1.0).location.y = 3.5
    make_plane("Corner", size=1.0).location = (7.5, 2.5, 0)
    train = make_plane("Train", size=1.0)
    animate(train, "location", ((0, 90, 0), (0, 0, 0)))
    waves = make_plane("Waves", size=1.0)
    waves.location.y = 90
    waves.shape_key_add(name="Low")
    key = waves.shape_key_add(name="High")
    key.data[0].co.z = 1.0
    animate(key, "value", (0.0, 1.0))
    way = np.stack([np.linspace(-5, 5, 40), np.zeros(40)], axis=1)
    kept = list_names(build(leaving=Leaving(way=way, beyond=2.2)))
    assert kept == ["Corner", "Near", "Train", "Waves"]
    assert "Corner" not in list_names(build(leaving=Leaving(way=way, beyond=2.05)))


def test_collections_are_left_out_wherever_they_are_shown():
    make_plane("Floor")
    grass = make_collection("Grass", make_plane("Blade"))
    add_instance(grass)
    assert list_names(build(exclude=[grass])) == ["Floor"]
    assert list_names(build(exclude=[bpy.data.objects["Grass"]])) == ["Blade", "Floor"]


def test_shapes_of_bones_are_never_ground_nor_what_shows_them():
    make_plane("Floor")
    shape = make_plane("WGT-foot", z=0.5)
    rig = make_armature()
    rig.pose.bones[0].custom_shape = shape
    widgets = make_collection("WGTS", shape)
    add_instance(widgets, (0, 0, 0.1))
    assert list_names(build()) == ["Floor"]
    assert list_names(build(objects=[widgets])) == []
    assert list_names(build(objects=[shape])) == ["WGT-foot", "WGTS"]
    # A rig that is itself shown by an instance draws its bones as well.
    bpy.context.scene.collection.objects.unlink(rig)
    assert "WGT-foot" in list_names(build())
    add_instance(make_collection("Crowd", rig))
    assert list_names(build()) == ["Floor"]
