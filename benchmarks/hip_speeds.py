# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast the hips go ahead within a cycle: clips as Blender plays them, and their bakes on flat ground.

Run from the project's root with a bpy wheel: ``python -m benchmarks.hip_speeds [--as after]``. It reads
the folder that SPL_TEST_DATA names (default ../shared/data), prints what the bake adds to the clip,
and keeps the curves in ``benchmarks/hip_speeds.csv``, from which ``tools/figures.py`` draws them. Of the
plan it uses nothing but the names of bones, the period and the speed of the travel.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

import semi_procedural_locomotion
from semi_procedural_locomotion import api
from semi_procedural_locomotion.api import opening
from semi_procedural_locomotion.api.setups import bake_set_up
from semi_procedural_locomotion.blender import versions

CLIPS = {
    "Fox": ("fox/Fox.glb", "Walk"),
    "Wolf": ("quaternius/Wolf.glb", "Walk"),
    "Rogue": ("kaykit/Rogue.glb", "Walking_A"),
    "KayKit": ("kaykit/Med_MovementBasic.glb", "Walking_A"),
    "Horse": ("horse/Horse.blend", "Walk"),
}
TABLE = Path(__file__).with_suffix(".csv")
# Waves of a cycle that are looked at: lines between keys have faster ones that nobody sees.
WAVES = 8
# Instants of a cycle that are looked at, and of them those that are kept.
ROWS, KEPT = 96, 48


@dataclass(frozen=True)
class HipMotion:
    """Hips over one cycle at ``ROWS`` equal phases.

    Attributes
    ----------
    speeds
        Ahead, share of the travel's speed, shape (ROWS,).
    jerk
        Root mean square in all directions, metres a second cubed.
    """

    speeds: np.ndarray
    jerk: float


def watch_joints(
    armature: bpy.types.Object, names: Sequence[str], first: float, frames: float
) -> np.ndarray:
    """Heads of bones over a cycle of so many frames as the scene shows them, world, (ROWS, B, 3)."""
    seen = []
    for frame in first + frames * np.arange(ROWS) / ROWS:
        bpy.context.scene.frame_set(int(frame), subframe=float(frame % 1.0))
        shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        seen.append([shown.matrix_world @ shown.pose.bones[name].head for name in names])
    return np.array(seen)


def measure_hips(
    places: np.ndarray, ahead: np.ndarray, speed: float, period: float, goes: bool
) -> HipMotion:
    """Speed and jerk of places (ROWS, 3) by slopes of their waves; ``goes`` where they travel."""
    phases = np.arange(ROWS) / ROWS
    if goes:
        places = places - speed * period * phases[:, None] * np.array([*ahead, 0.0])
    spectrum = np.fft.rfft(places, axis=0)
    spectrum[WAVES + 1 :] = 0.0
    rates = 2j * np.pi * np.arange(len(spectrum))[:, None] / period
    slopes, jerks = (np.fft.irfft(spectrum * rates**order, ROWS, axis=0) for order in (1, 3))
    forward = 1.0 + slopes[:, :2] @ ahead / speed
    return HipMotion(forward, float(np.sqrt(np.mean(np.sum(jerks**2, axis=1)))))


def measure_clip(path: Path, name: str) -> tuple[HipMotion, HipMotion]:
    """The hips of a clip in place that is played by itself, and of its bake from the same phase on."""
    opening.open_file(path)
    scene = bpy.context.scene
    armature = max(
        (o for o in scene.objects if o.type == "ARMATURE"), key=lambda o: len(o.data.bones)
    )
    action = min((a for a in bpy.data.actions if name in a.name), key=lambda a: len(a.name))
    scene.frame_start = 1
    character, findings = api.set_up(armature, [api.MotionChoice(action)])
    motion = next(m for m in api.make_motion_set(character, findings).motions if m.is_cycle)
    rig = character.rig
    bones = [[rig.skeleton.names[bone] for bone in leg.joints] for leg in rig.legs]
    names = [name for leg in bones for name in leg]
    hips = [names.index(leg[0]) for leg in bones]
    frames = motion.period * scene.render.fps / scene.render.fps_base
    ahead = motion.velocity / motion.speed
    before, slot = versions.get_assigned_action(armature)
    versions.assign_action(armature, action, versions.find_slot(action, armature) or "")
    clip = watch_joints(armature, names, action.frame_range[0], frames)
    versions.assign_action(armature, before, slot)
    scene.frame_end = 1 + round(6 * frames)
    scene.frame_set(1)
    bpy.context.view_layer.update()
    bake_set_up(armature, scene)
    bake = watch_joints(armature, names, 1.0 + 2.5 * frames, frames)
    # Both from the phase on at which joints lie nearest to each other as seen from the hips.
    own, other = (seen - seen[:, hips].mean(axis=1, keepdims=True) for seen in (clip, bake))
    off = [np.sum((np.roll(other, shift, axis=0) - own) ** 2) for shift in range(ROWS)]
    found = []
    for seen, goes in ((clip, False), (bake, True)):
        middle = seen[:, hips].mean(axis=1)
        found.append(measure_hips(middle, ahead, motion.speed, motion.period, goes))
    turned = np.roll(found[1].speeds, int(np.argmin(off)))
    return found[0], HipMotion(turned, found[1].jerk)


def main() -> int:
    """Measure all clips, print what the bake adds, and keep the curves."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--as", dest="kept_as", default="after", help="before or after a change")
    options = parser.parse_args()
    data = Path(os.environ.get("SPL_TEST_DATA", "../shared/data"))
    rows: dict[tuple[str, str], list[str]] = {}
    if TABLE.is_file():
        with TABLE.open(encoding="utf-8", newline="") as file:
            rows = {(row[0], row[1]): row[2:] for row in csv.reader(file)}
    semi_procedural_locomotion.register()
    for name, (file_name, action) in CLIPS.items():
        clip, bake = measure_clip(data / file_name, action)
        beyond = np.abs(bake.speeds - 1.0).max() - np.abs(clip.speeds - 1.0).max()
        sys.stdout.write(
            f"{name}: clip {clip.speeds.min():.2f} to {clip.speeds.max():.2f}, "
            f"bake {bake.speeds.min():.2f} to {bake.speeds.max():.2f}, {beyond:.0%} beyond it, "
            f"jerk {bake.jerk / clip.jerk:.2f}\n"
        )
        for what, motion in (("clip", clip), (options.kept_as, bake)):
            rows[name, what] = [f"{v:.3f}" for v in motion.speeds[:: ROWS // KEPT]]
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([*key, *row] for key, row in rows.items())
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    # The wheel of Blender 4.2 crashes when Python takes it apart.
    os._exit(code)
