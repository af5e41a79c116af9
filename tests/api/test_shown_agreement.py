# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of a report beside those of a meter that reads the evaluated meshes alone."""

from __future__ import annotations

import json

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion import api
from semi_procedural_locomotion.api.reports import measure_baked
from semi_procedural_locomotion.demo.characters import (
    CHARACTER_SHAPES,
    create_character,
    write_gaits,
)
from tests.meters import (
    find_stands,
    measure_float,
    measure_sink,
    measure_slip,
    mesh_heights,
    see_feet,
)
from tests.scenes import recall, select_only

pytestmark = pytest.mark.newest

LAST = 70
# What the two may differ by, share of the leg. Where a foot is bad anyway, a hull of 36 points is not as
# deep as the mesh in a bump's flank, and whether Rogue's soles, as long as its legs, hang still over a
# tread for three frames is judged to the frame. Of Fox, skin at the side of the shin that hangs on
# the foot is in no hull, and goes through the edge of a step.
AGREE = 0.003
WIDER = {
    # Its soles are longer than two treads: between their vertices they rest on edges.
    ("Rogue", "stairs"): 0.055,
    ("Fox", "stairs"): 0.045,
    ("Horse", "stairs"): 0.004,
    ("Horse", "bumps"): 0.006,
    ("Wolf", "bumps"): 0.012,
}
# Bars on level ground, share of the leg.
DEEP, FLOAT, SLIP = 0.006, 0.02, 0.005
# Skinned by dual quaternions Rogue's heels lie 2.6 % L deeper than without. They crease as they lift,
# and a few points of them slip by more than all vertices do.
KEPT, KEPT_AGREE = ("Rogue",), 0.005
OWN = {"biped": ("walk", "rest"), "quadruped": ("walk", "rest"), "hexapod": ("tripod", "rest")}
FILES = {
    "Rogue": "kaykit/Rogue.glb",
    "Fox": "fox/Fox.glb",
    "Horse": "horse/Horse.blend",
    "Wolf": "quaternius/Wolf.glb",
    "Triceratops": "quaternius/Triceratops.glb",
    "Platformer": "quaternius/Platformer.glb",
}
# Each ground has characters on two, four and more legs or with long feet.
GROUNDS = {
    "flat": ("hexapod", "Rogue", "Fox", "Triceratops", "Platformer"),
    "stairs": ("quadruped", "Rogue", "Fox", "Horse"),
    "bumps": ("biped", "hexapod", "Horse", "Wolf"),
}


def make_own(name):
    """One of the project's characters with a made walk."""
    shape = CHARACTER_SHAPES[name]()
    armature = create_character(shape, bpy.context.scene.collection)
    bpy.context.view_layer.update()
    write_gaits(armature, shape, list(OWN[name]))
    return armature


def load(path):
    """The armature of a file of other people."""
    if path.suffix == ".blend":
        bpy.ops.wm.open_mainfile(filepath=str(path))
    else:
        bpy.ops.import_scene.gltf(filepath=str(path))
    return next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")


def set_up(armature):
    """Set a character up in a scene of a few frames."""
    choose_frames()
    select_only(armature)
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}


def prepare(name, path, keeps_volume):
    """A character that is set up, alone selected in a scene of a few frames."""

    def make():
        armature = make_own(name) if path is None else load(path)
        if keeps_volume:
            preserve_volume(armature)
        set_up(armature)
        return armature

    # A file of Blender brings its scene, too.
    is_file = path is not None and path.suffix == ".blend"
    state = "set up with its volume" if keeps_volume else "set up"
    armature = make() if is_file else recall(f"{name} that is {state}", make)
    choose_frames()
    select_only(armature)
    return armature


def choose_frames():
    """Let the scene have a few frames only."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    scene.frame_set(1)


def make_ground(kind, armature, length, forward):
    """Flat ground, stairs or bumps ahead of a character, as one mesh."""
    place = armature.matrix_world.translation
    along = np.array([*forward, 0.0])
    across = np.array([-forward[1], forward[0], 0.0])
    origin = np.array([place.x, place.y, place.z])
    if kind == "bumps":
        count, size = 160, 0.12 * length
        steps = (np.arange(count + 1) - 0.3 * count) * size
        sides = (np.arange(count + 1) - 0.5 * count) * size
        x, y = np.meshgrid(steps / length, sides / length, indexing="ij")
        fade = np.clip(x - 0.5, 0.0, 1.0)
        z = 0.1 * length * fade * np.sin(2.1 * x) * np.cos(1.7 * y)
        points = (origin + along * steps[:, None, None] + across * sides[None, :, None]).reshape(
            -1, 3
        )
        points[:, 2] += z.ravel()
        row = count + 1
        faces = [
            (i * row + j, (i + 1) * row + j, (i + 1) * row + j + 1, i * row + j + 1)
            for i in range(count)
            for j in range(count)
        ]
    else:
        profile = [(-20.0, 0.0), (1.0, 0.0)]
        for number in range(12 if kind == "stairs" else 0):
            height = 0.15 * (number + 1)
            profile += [(1.0001 + 0.7 * number, height), (1.7 + 0.7 * number, height)]
        profile.append((60.0, profile[-1][1]))
        points = np.array(
            [
                origin + along * d * length + across * side * length + [0.0, 0.0, z * length]
                for d, z in profile
                for side in (-20.0, 20.0)
            ]
        )
        faces = [(2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1) for i in range(len(profile) - 1)]
    mesh = bpy.data.meshes.new("Ground")
    mesh.from_pydata(points.tolist(), [], faces)
    item = bpy.data.objects.new("Ground", mesh)
    bpy.context.scene.collection.objects.link(item)
    bpy.context.view_layer.update()
    return item


def preserve_volume(armature):
    """Let all meshes of an armature be skinned by dual quaternions."""
    for item in bpy.data.objects:
        for modifier in item.modifiers:
            if modifier.type == "ARMATURE" and modifier.object == armature:
                modifier.use_deform_preserve_volume = True


@pytest.mark.parametrize(
    ("name", "ground", "keeps_volume"),
    [
        *((name, ground, False) for ground, names in GROUNDS.items() for name in names),
        *((name, "flat", True) for name in KEPT),
    ],
)
def test_report_and_meter_agree(name, ground, keeps_volume, request):
    path = None if name in OWN else request.getfixturevalue("data_folder") / FILES[name]
    armature = prepare(name, path, keeps_volume)
    data = armature.locomotion
    scale = armature.matrix_world.to_scale().x
    length = scale * float(np.mean([leg.length for leg in data.legs]))
    item = make_ground(ground, armature, length, tuple(data.forward)[:2])
    data.ground.source = "OBJECTS"
    data.ground.objects.add().object = item
    bpy.context.view_layer.update()
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    baked = json.loads(data.report.values)
    length = baked["leg_length"]
    feet = see_feet(armature, list_feet(armature), range(1, LAST + 1), mesh_heights(item))
    stands = find_stands(feet, length, bpy.context.scene.render.fps)
    # Whether a foot stands or swings in the frame in which it strikes a riser, two meters may judge
    # otherwise; how deep it is they may not.
    depths = ("shown_sink_worst", "shown_swing_depth_worst")
    seen = {
        "shown_float_p99": measure_float(feet, stands) / length,
        "shown_slip_worst": measure_slip(feet, stands, 0.001 * length) / length,
    }
    again = measure_baked(armature, bpy.context.scene).as_dict()
    for key in (*depths, *seen):
        assert baked[key] == pytest.approx(again[key], abs=1e-3), key
    baked["deepest"] = max(baked[key] for key in depths)
    seen["deepest"] = measure_sink(feet) / length
    apart = {key: (round(baked[key], 5), round(value, 5)) for key, value in seen.items()}
    limit = KEPT_AGREE if keeps_volume else WIDER.get((name, ground), AGREE)
    wrong = {key: pair for key, pair in apart.items() if abs(pair[0] - pair[1]) > limit}
    assert not wrong, apart
    if ground == "flat":
        assert seen["deepest"] <= DEEP, apart
        assert seen["shown_float_p99"] <= FLOAT, apart
        # One foot of Platformer stands for longer than its leg reaches.
        assert seen["shown_slip_worst"] <= (0.025 if name == "Platformer" else SLIP), apart


def find_action(name):
    """An imported action; importers of older versions put the name of the rig behind its own."""
    return next(a for a in bpy.data.actions if a.name in (name, f"{name}_Rig"))


def list_feet(armature):
    """Names of the bones of each foot: from the ankle down."""
    feet = []
    for leg in armature.locomotion.legs:
        ankle = armature.data.bones[leg.bones[-1].name]
        feet.append([ankle.name, *(bone.name for bone in ankle.children_recursive)])
    return feet


@pytest.mark.parametrize("rest", [None, "T-Pose"])
def test_what_a_bake_says_the_report_says_of_its_file(rest, data_folder, tmp_path):
    armature = recall("Rogue", lambda: load(data_folder / FILES["Rogue"]))
    scene = bpy.context.scene
    choose_frames()
    choices = [api.MotionChoice(find_action("Walking_A"))]
    if rest is not None:
        choices.append(api.MotionChoice(find_action(rest), rest=True))
    api.set_up(armature, choices)
    baked = api.bake_set_up(armature, scene).as_dict(armature.name)
    assert baked["shown_off_plan"] < 1e-4
    path = tmp_path / "baked.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.open_mainfile(filepath=str(path))
    (measured,) = api.report_file(path)["characters"]
    for key, value in baked.items():
        if isinstance(value, float):
            assert measured[key] == pytest.approx(value, abs=1e-3), key
