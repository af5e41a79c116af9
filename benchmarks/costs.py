# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the program costs, as one table.

Run from the project's root with a bpy wheel:
``python -m benchmarks.costs [-o FILE] [--only PART,...] [--turns N] [--walkers NAME,...]``.
Parts are bakes, long, crowds, ground, setup and live. Times are of the processor, each the shortest of
some turns that are taken by turns in one process, and are told as shares of what Blender itself takes
(`benchmarks.clock`). Characters of other people are read from the folder that SPL_TEST_DATA names
(default ../shared/data) and left out where they are absent.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import bpy

import semi_procedural_locomotion
from semi_procedural_locomotion.api import (
    bake_writing,
    baking,
    kept_walks,
    setups,
    walk_grounds,
    watching,
)
from semi_procedural_locomotion.api.motion_entries import DecidedMotion
from semi_procedural_locomotion.ui.live import handlers as live_handlers

from . import cost_scenes as scenes
from .clock import KERNEL_FRAMES, Stopwatch, compare, read_memory, run_kernel, time_once

# Function of each stage of a bake, by the names in the table.
STAGES = {
    "clips": ((DecidedMotion, "analyze"), (setups, "make_motion_set")),
    "ground": ((walk_grounds, "build_ground"),),
    "plan": ((baking, "plan_walk"),),
    "poses": ((baking, "recall_poses"), (baking, "put_on_controls")),
    "numbers": ((baking, "recall_numbers"),),
    "notes": ((baking, "note_walk"),),
    "keys": ((bake_writing.bake_action, "commit_bake"),),
    "shown": ((bake_writing, "verify_baked"), (bake_writing, "keep_expectation")),
}
TRIANGLES = (20_000, 200_000, 2_000_000, 10_000_000)
CROWDS = (1, 20, 50)
FRAMES, LONG = 250, (250, 1_000, 10_000)
# Seconds after which a work gets no more turns.
_LONG_TURN = 4.0


@dataclass
class Choice:
    """What is measured: turns of each work, and the names of the characters that are baked."""

    turns: int = 5
    walkers: tuple[str, ...] = tuple(walker.name for walker in scenes.WALKERS)


CHOICE = Choice()


def list_bakes() -> Iterator[str]:
    """Bakes of each character on flat ground and on bumps, and what each stage has of them."""
    yield "### Bakes of 250 frames\n"
    yield (
        "| | again, nothing changed | after a slider | `frame_set` | only keys | `nla.bake` "
        "| stages of the second |"
    )
    yield "|---|---|---|---|---|---|---|"
    for walker in (w for w in scenes.WALKERS if w.name in CHOICE.walkers):
        for name, add in (("flat", scenes.add_floor), ("bumps", scenes.add_bumps)):
            armature = scenes.open_walker(walker)
            if armature is not None:
                add(armature)
                yield _make_row(f"{walker.name}, {name}", armature, FRAMES)


def list_long() -> Iterator[str]:
    """Bakes of the first character, of more and more frames."""
    yield "\n### Frames\n"
    yield (
        "| | again, nothing changed | after a slider | `frame_set` | only keys | `nla.bake` "
        "| stages of the second |"
    )
    yield "|---|---|---|---|---|---|---|"
    armature = scenes.open_walker(scenes.WALKERS[0])
    if armature is None:
        return
    scenes.add_floor(armature)
    for frames in LONG:
        yield _make_row(f"{scenes.WALKERS[0].name}, flat, {frames:,} frames", armature, frames)


def _make_row(title: str, armature: bpy.types.Object, frames: int) -> str:
    """Times of one bake as shares of showing all its frames."""
    scene = bpy.context.scene
    scene.frame_end = frames
    scenes.bake(armature)
    rounds = CHOICE.turns if frames <= FRAMES else min(CHOICE.turns, 2)
    changed = scenes.change_and_bake(armature)
    changed()
    works = {
        "again": partial(scenes.bake, armature),
        "changed": changed,
        "frame_set": partial(scenes.play, frames),
        "keys": scenes.only_keys(armature),
        "kernel": run_kernel,
    }
    scenes.bake(armature)
    best: dict[str, float] = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        # What comes after a changed bake is a changed bake as well.
        best["changed"] = min(best["changed"], time_once(works["changed"]))
        scenes.bake(armature)
        rest = compare({k: w for k, w in works.items() if k != "changed"}, 1)
        best |= {key: min(best[key], taken) for key, taken in rest.items()}
        if max(best.values()) > _LONG_TURN:
            break
    watch = Stopwatch(STAGES)
    with watch.running():
        whole = time_once(changed)
    nla = time_once(partial(scenes.bake_nla, armature, frames))
    shares = [f"{name} {taken / whole:.0%}" for name, taken in watch.seconds.items()]
    shown = best["frame_set"]
    kernel = best["kernel"] / KERNEL_FRAMES
    return (
        f"| {title} | {_tell(best['again'], shown)} | {_tell(best['changed'], shown)}, "
        f"{best['changed'] / frames / kernel:.1f} kernels a frame | {1e3 * shown:.0f} ms "
        f"| {_tell(best['keys'], shown)} | {_tell(nla, shown)} | {', '.join(shares)} |"
    )


def _tell(taken: float, shown: float) -> str:
    """A time and its share of showing all frames."""
    return f"{1e3 * taken:.0f} ms, {taken / shown:.2f}"


def list_crowds() -> Iterator[str]:
    """Many characters with the same clips, each baked on its own."""
    yield "\n### Characters\n"
    yield "| Rogue, flat, 250 frames | each of them after a slider | of one |"
    yield "|---|---|---|"
    armature = scenes.open_walker(scenes.WALKERS[0])
    if armature is None:
        return
    scenes.add_floor(armature)
    bpy.context.scene.frame_end = FRAMES
    alone = 0.0
    scenes.bake(armature)
    walkers: list[bpy.types.Object] = []
    for count in CROWDS:
        for item in walkers:
            bpy.data.objects.remove(item)
        kept_walks.forget_walks()
        # All are copies, the only one too: the first one has animation of its own under its bake.
        walkers = scenes.copy_walkers(armature, count + 1)[1:]
        for item in walkers:
            scenes.bake(item)
        works = [scenes.change_and_bake(item) for item in walkers]
        taken = sum(min(time_once(w) for _ in range(2)) for w in works) / count
        alone = alone or taken
        yield f"| {count} | {1e3 * taken:.0f} ms | {taken / alone:.2f} |"


def list_ground() -> Iterator[str]:
    """Ground of more and more triangles, each in a process of its own."""
    yield "\n### Triangles of the ground\n"
    yield "| | first bake | again | memory more |"
    yield "|---|---|---|---|"
    for count in TRIANGLES:
        run = subprocess.run(
            [sys.executable, "-m", "benchmarks.costs", "--triangles", str(count)],
            capture_output=True,
            text=True,
            check=False,
        )
        line = next((x for x in run.stdout.splitlines() if x.startswith('{"first"')), None)
        if line is None:
            yield f"| {count:,} | failed | | |"
            continue
        found = json.loads(line)
        yield (
            f"| {count:,} | {found['first']:.2f} s | {found['again']:.2f} s "
            f"| {found['memory']:.0f} MB |"
        )


def measure_ground(triangles: int) -> None:
    """Print what a first and a second bake over so many triangles take."""
    armature = scenes.open_walker(scenes.WALKERS[0])
    if armature is None:
        return
    bpy.context.scene.frame_end = FRAMES
    floor = scenes.add_floor(armature)
    scenes.bake(armature)
    bpy.data.objects.remove(floor)
    scenes.add_bumps(armature, triangles // 2, 600.0)
    bpy.context.evaluated_depsgraph_get()
    before = read_memory(resets_peak=True)
    first = time_once(partial(scenes.bake, armature))
    after = read_memory()
    again = min(time_once(partial(scenes.bake, armature)) for _ in range(3))
    print(json.dumps({"first": first, "again": again, "memory": after - before}))


def list_setup() -> Iterator[str]:
    """Set Up of a character with many actions."""
    yield "\n### Set Up\n"
    yield "| | first | again | an action |"
    yield "|---|---|---|---|"
    armature = scenes.open_walker(scenes.WALKERS[0])
    if armature is None:
        return
    count = len(bpy.data.actions)
    first = time_once(partial(setups.set_up, armature))
    again = time_once(partial(setups.set_up, armature))
    each = 1e3 * first / count
    yield f"| Rogue, {count} actions | {first:.2f} s | {again:.2f} s | {each:.1f} ms |"


def list_live() -> Iterator[str]:
    """What Live adds to a frame, and how soon a change is seen."""
    yield "\n### Live and Auto Bake\n"
    yield "| Rogue, 250 frames, flat | Live adds to `frame_set` | change seen, Live | Auto Bake |"
    yield "|---|---|---|---|"
    for count in (1, 20):
        armature = scenes.open_walker(scenes.WALKERS[0])
        if armature is None:
            return
        scenes.add_floor(armature)
        scene = bpy.context.scene
        scene.frame_end = FRAMES
        walkers = scenes.copy_walkers(armature, count)
        for item in walkers:
            scenes.bake(item)
        baked = partial(scenes.play, FRAMES)
        shown = min(time_once(baked) for _ in range(3))
        for item in walkers:
            setups.remove_set_up_bake(item)
            watching.start_live(item, scene)

        def show_all() -> None:
            for frame in range(1, FRAMES + 1):
                watching.show_frame(scene, frame)  # noqa: B023 - called at once

        adds = min(time_once(show_all) for _ in range(3))
        live = _time_change(armature, 0.05)
        for item in walkers:
            watching.stop_live(item)
        watching.start_auto_bake(armature, scene)
        auto = _time_change(armature, 0.08)
        yield f"| {count} | {adds / shown:.2f} | {1e3 * live:.0f} ms | {1e3 * auto:.0f} ms |"


def _time_change(armature: bpy.types.Object, first: float) -> float:
    """Seconds from the change of a slider to the new pose, without the timer's wait.

    The slider takes five values from the first one on, which no walk was planned with before.
    """
    taken = []
    for number in range(5):
        armature.locomotion.settings.swing_margin = first + 0.005 * number
        taken.append(time_once(live_handlers.refresh_now))
    return min(taken)


PARTS: dict[str, Callable[[], Iterator[str]]] = {
    "bakes": list_bakes,
    "long": list_long,
    "crowds": list_crowds,
    "ground": list_ground,
    "setup": list_setup,
    "live": list_live,
}


def run_alone() -> int:
    """Run the command in a process whose sums of numpy are made by one thread.

    Threads that wait for one another count as time of the processor, twice as much as there was.
    """
    one = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    command = [sys.executable, "-m", "benchmarks.costs", *sys.argv[1:]]
    return subprocess.run(command, env={**os.environ, **one}, check=False).returncode


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the parts and print or write the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.costs", description=__doc__)
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(PARTS))
    parser.add_argument("-o", type=Path, dest="output")
    parser.add_argument("--turns", type=int, default=CHOICE.turns)
    parser.add_argument(
        "--walkers", type=lambda text: tuple(text.split(",")), default=CHOICE.walkers
    )
    parser.add_argument("--triangles", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    CHOICE.turns, CHOICE.walkers = options.turns, options.walkers
    semi_procedural_locomotion.register()
    if options.triangles:
        measure_ground(options.triangles)
        return
    lines = []
    for name in options.only:
        for line in PARTS[name]():
            print(line, flush=True)
            lines.append(line)
    if options.output is not None:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if "OPENBLAS_NUM_THREADS" not in os.environ:
        sys.exit(run_alone())
    main()
