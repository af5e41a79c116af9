# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user decides about motions: their speed, their groups and the weights of these."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion import api  # noqa: E402
from semi_procedural_locomotion.api import setups  # noqa: E402
from semi_procedural_locomotion.blender.character_biped import make_biped_shape  # noqa: E402
from semi_procedural_locomotion.blender.characters import create_biped, write_gaits  # noqa: E402

WALK, REST = "Walker Walk", "Walker Rest"


@pytest.fixture
def ready():
    """The project's person with a walk and a rest, set up, selected and active."""
    scene = bpy.context.scene
    armature = create_biped(scene.collection)
    write_gaits(armature, make_biped_shape(), ["walk", "rest"])
    scene.frame_start, scene.frame_end = 1, 40
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.anim.locomotion_setup()
    return armature


def get_entry(armature, name=WALK):
    """The entry of an action in the list of motions."""
    return next(e for e in armature.locomotion.motions if e.action.name == name)


def measure_way(armature):
    """Metres from the first to the last frame of the baked walk."""
    first, last = armature.animation_data.action.frame_range
    places = []
    for frame in (first, last):
        bpy.context.scene.frame_set(int(frame))
        places.append(armature.matrix_world.translation.copy())
    bpy.context.scene.frame_set(1)
    return (places[1] - places[0]).length


def test_a_speed_by_hand_is_the_native_speed_of_bake_and_analysis(ready):
    entry = get_entry(ready)
    measured, direction = entry.speed, entry.direction
    bpy.ops.anim.locomotion_bake()
    natural = measure_way(ready)
    bpy.ops.anim.locomotion_bake_remove()
    entry.own_speed = 0.8 * measured
    findings = api.setups.read_findings(setups.read_character(ready))
    walk = next(f.motion for f in findings if f.action == WALK)
    assert walk.speed == pytest.approx(0.8 * measured, rel=1e-6)
    bpy.ops.anim.locomotion_bake()
    assert measure_way(ready) == pytest.approx(0.8 * natural, rel=1e-3)
    bpy.ops.anim.locomotion_analyze()
    assert entry.speed == pytest.approx(measured)
    assert entry.direction == pytest.approx(direction, abs=1e-6)
    entry.own_speed = 0.0
    bpy.ops.anim.locomotion_bake()
    assert measure_way(ready) == pytest.approx(natural, rel=1e-3)


def test_set_up_takes_speeds_of_named_actions(ready):
    back = bpy.data.actions[WALK].copy()
    back.name = "Back"
    bpy.ops.anim.locomotion_setup(
        actions=[{"name": WALK}],
        reversed_actions=[{"name": "Back"}],
        speeds=[{"name": WALK, "speed": 2.0}, {"name": "Back", "speed": 0.5}],
    )
    assert get_entry(ready).own_speed == pytest.approx(2.0)
    findings = api.setups.read_findings(setups.read_character(ready))
    speeds = {f.action: f.motion.speed for f in findings}
    assert speeds == {WALK: pytest.approx(2.0), "Back": pytest.approx(0.5)}
    walk, back = (next(f.motion for f in findings if f.action == n) for n in (WALK, "Back"))
    assert walk.velocity @ back.velocity == pytest.approx(-1.0)
    with pytest.raises(RuntimeError, match="'Back' has a speed but is not among the actions"):
        bpy.ops.anim.locomotion_setup(
            actions=[{"name": WALK}], speeds=[{"name": "Back", "speed": 0.5}]
        )
