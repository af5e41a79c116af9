# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of rigs in docs/controls.md: what a walk on controls keys, how true it is, and how large.

``python benchmarks/control_rigs.py`` with a Python that has bpy. Each walk of 72 frames climbs a ramp.
Its action and that of Blender's own bake of all bones (`nla.bake`) are saved and weighed.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import bpy
import numpy as np

import semi_procedural_locomotion
from semi_procedural_locomotion.api.progress import run_steps
from semi_procedural_locomotion.api.set_up_work import read_character
from semi_procedural_locomotion.api.setups import prepare_set_up_bake, write_set_up_bake
from tests.control_rigs import find_curves, generate_rigify, key_fk_walk, key_ik_walk
from tests.scenes import add_mesh
from tests.stretchy_rigs import build_stretchy_rig

LAST = 72
ROWS = (
    ("Rigify basic human, IK clip", "basic_human", key_ik_walk),
    ("Rigify basic human, FK clip", "basic_human", key_fk_walk),
    ("Rigify human, IK clip", "human", key_ik_walk),
    ("Rigify basic quadruped, FK clip", "basic_quadruped", key_fk_walk),
    ("Rigify horse, FK clip", "horse", key_fk_walk),
    ("Rigify bird, IK clip", "bird", key_ik_walk),
    ("stretching biped, IK clip", "stretchy", key_ik_walk),
)


def main() -> None:
    """Print the rows of the table."""
    semi_procedural_locomotion.register()
    print("| rig | bones | keyed bones | worst foot off plan | action | `nla.bake` | time |")
    print("|---|---|---|---|---|---|---|")
    for title, kind, key in ROWS:
        print(_make_row(title, kind, key), flush=True)


def _make_row(title: str, kind: str, key: object) -> str:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    rig = build_stretchy_rig() if kind == "stretchy" else generate_rigify(kind)
    armature = rig.armature
    key(rig)
    far = 9.0 * rig.leg_length
    points = [(-far, far, 0), (far, far, 0), (far, 0, 0), (-far, 0, 0)]
    points += [(far, -far, 0.1 * far), (-far, -far, 0.1 * far)]
    add_mesh("Ramp", points, [(0, 3, 2, 1), (3, 5, 4, 2)])
    scene.frame_set(1)
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.ops.anim.locomotion_setup()
    start = time.perf_counter()
    prepared = run_steps(prepare_set_up_bake(armature, scene))
    result = write_set_up_bake(prepared)
    spent = time.perf_counter() - start
    keyed = {c.data_path.split('"')[1] for c in find_curves(armature) if '"' in c.data_path}
    own = _weigh(result.action)
    off = 100.0 * _measure_off(armature, prepared)
    before = set(bpy.data.actions)
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.nla.bake(
        frame_start=1, frame_end=LAST, only_selected=False, visual_keying=True, bake_types={"POSE"}
    )
    bpy.ops.object.mode_set(mode="OBJECT")
    (whole,) = set(bpy.data.actions) - before
    return (
        f"| {title} | {len(armature.data.bones)} | {len(keyed)} | {off:.2f} % L | {own:.0f} kB "
        f"| {_weigh(whole):.0f} kB | {spent:.1f} s |"
    )


def _measure_off(armature: bpy.types.Object, prepared: object) -> float:
    """Largest distance of an ankle from plan, share of its leg."""
    rig = read_character(armature).rig
    names = prepared.plan.tables.small_rig.skeleton.names
    worst = 0.0
    for frame in range(1, LAST + 1):
        bpy.context.scene.frame_set(frame)
        shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        for leg in rig.legs:
            name = rig.skeleton.names[leg.joints[-1]]
            place = np.array(shown.matrix_world @ shown.pose.bones[name].matrix.translation)
            away = place - prepared.walk.positions[frame - 1, names.index(name)]
            worst = max(worst, float(np.linalg.norm(away)) / leg.length)
    return worst


def _weigh(action: bpy.types.Action) -> float:
    """Size of a file that holds an action alone, kB, without that of an empty file."""
    with tempfile.TemporaryDirectory() as folder:
        sizes = []
        for number, blocks in enumerate((set(), {action})):
            path = Path(folder) / f"{number}.blend"
            bpy.data.libraries.write(str(path), blocks)
            sizes.append(path.stat().st_size)
    return (sizes[1] - sizes[0]) / 1000.0


if __name__ == "__main__":
    main()
