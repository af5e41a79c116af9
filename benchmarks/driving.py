# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What one update of a drive costs: ``python -m benchmarks.driving [NAME,...]`` with a bpy wheel.

Milliseconds of the processor, the median of the updates of seven seconds, over bumps: walking, turning,
running and stopping. 33 of them are 30 updates a second. Characters of other people are read from the
folder that SPL_TEST_DATA names and left out where they are absent.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from time import process_time

import bpy
import numpy as np

import semi_procedural_locomotion
from semi_procedural_locomotion.api import driving
from semi_procedural_locomotion.blender.driving.stand_in import StandIn
from semi_procedural_locomotion.core.steering.motor import Controls

from . import cost_scenes as scenes

_RATE, _SECONDS, _BEGIN = 30.0, 7.0, 10
_NAMES = ("Rogue", "Fox", "Horse", "Rigify human")
_PARTS = ("steps", "pose", "shown", "evaluated")


def steer(time: float) -> Controls:
    """Ahead, a turn to either side, a run, a stop."""
    return Controls(
        ahead=float(0.3 < time < 6.0),
        turn=float(1.5 < time < 2.5) - float(3.5 < time < 4.2),
        run=3.0 < time < 4.5,
    )


def measure_updates(armature: bpy.types.Object) -> np.ndarray:
    """Milliseconds of each part of each update, shape (N, 4)."""
    scene, layer = bpy.context.scene, bpy.context.view_layer
    drive = driving.begin_drive(armature, scene)
    stand_in = StandIn(armature, drive.character.rig.skeleton, scene, layer)
    taken = []
    for number in range(round(_RATE * _SECONDS)):
        clock = [process_time()]
        drive.advance(steer(number / _RATE), 1.0 / _RATE)
        clock.append(process_time())
        poses = drive.pose()
        clock.append(process_time())
        stand_in.show(poses)
        clock.append(process_time())
        layer.update()
        clock.append(process_time())
        taken.append(np.diff(clock))
    stand_in.remove()
    return 1e3 * np.array(taken[_BEGIN:])


def list_rows(names: tuple[str, ...]) -> Iterator[str]:
    """The table."""
    yield f"| | bones | {' | '.join(_PARTS)} | whole, median | 95 % |"
    yield "|---" * (len(_PARTS) + 4) + "|"
    for walker in scenes.WALKERS:
        if walker.name not in (names or _NAMES):
            continue
        armature = scenes.open_walker(walker)
        if armature is None:
            continue
        scenes.add_bumps(armature)
        taken = measure_updates(armature)
        whole = taken.sum(axis=1)
        parts = " | ".join(f"{value:.1f}" for value in np.median(taken, axis=0))
        yield (
            f"| {walker.name} | {len(armature.data.bones)} | {parts} | {np.median(whole):.1f} "
            f"| {np.percentile(whole, 95):.1f} |"
        )


if __name__ == "__main__":
    semi_procedural_locomotion.register()
    for row in list_rows(tuple(sys.argv[1].split(",")) if sys.argv[1:] else ()):
        print(row, flush=True)
