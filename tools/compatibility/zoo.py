# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters to try: the project's own, those of Rigify, those of a folder, and relatives of each.

``python -m tools.compatibility.zoo FOLDER [--from FILES] [--truth TOML] [--only PART]`` writes them with
a table of the truth: relatives have the same legs, and the same speed in their own size.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import bpy
import numpy as np

import semi_procedural_locomotion as package
from semi_procedural_locomotion.api import opening
from semi_procedural_locomotion.blender.values.armature import read_skeleton
from semi_procedural_locomotion.core.gaits.presets import find_preset
from semi_procedural_locomotion.core.gaits.settings import fit_to_frames
from semi_procedural_locomotion.demo.characters import (
    CHARACTER_SHAPES,
    create_character,
    make_character_rig,
    write_gaits,
)

from .relatives import RELATIVES, find_armature
from .running import find_files
from .strangers import Stranger, list_strangers
from .striding import make_stranger
from .verdicts import Truth, read_truths

_GAITS = {"biped": ("walk", "run"), "quadruped": ("walk", "trot"), "hexapod": ("tripod",)}
# Only demo characters of two legs are called as others call people.
_NAMED_LIKE_PEOPLE = ("mixamo", "unreal", "biped")
# Of strangers, who are many, what users get: another program's file.
_OF_STRANGERS = ("plain", "glb", "fbx", "one_clip", "no_mesh")


@dataclass(frozen=True)
class Animal:
    """A character that relatives are made of.

    Attributes
    ----------
    truth
        What is known of it.
    relatives
        Names of those that are made of it.
    """

    name: str
    make: Callable[[], object]
    truth: Truth
    relatives: tuple[str, ...] = tuple(RELATIVES)


def list_animals(folder: Path | None, table: Path | None) -> Iterator[Animal]:
    """All characters that can be made here, and those of a folder."""
    for kind, shape in CHARACTER_SHAPES.items():
        legs = [list(leg.joints) for leg in shape().legs]
        speeds = {f"{shape().name} {name.title()}": s for name, s in _find_speeds(kind).items()}
        truth = Truth(legs=legs, forward=(0.0, -1.0), speeds=speeds)
        yield Animal(kind, lambda kind=kind: _make_own(kind), truth)
    yield from _list_generated()
    for stranger in list_strangers():
        make = lambda stranger=stranger: make_stranger(stranger)  # noqa: E731
        yield Animal(stranger.name, make, _tell_stranger(stranger), _OF_STRANGERS)
    truths = {} if table is None else read_truths(table)
    for file in [] if folder is None else find_files(folder):
        name = file.relative_to(folder).as_posix() if folder is not None else file.name
        truth = truths.get(name, Truth())
        if truth.walker:
            yield Animal(file.stem, lambda file=file: _open(file), truth)


def make_zoo(folder: Path, animals: Iterator[Animal], only: str) -> None:
    """Write characters and their relatives with their truth."""
    folder.mkdir(parents=True, exist_ok=True)
    table = folder / "truth.toml"
    truths = read_truths(table) if table.is_file() else {}
    for animal in animals:
        if only not in animal.name:
            continue
        for name in animal.relatives:
            change = RELATIVES[name]
            if name in _NAMED_LIKE_PEOPLE and animal.name != "biped":
                continue
            opening.open_empty()
            try:
                animal.make()
                relative = change(find_armature())
                if relative is None:
                    continue
                file = folder / f"{animal.name}__{name}{relative.suffix}"
                relative.write(file)
            except Exception:  # noqa: BLE001  one that cannot be made is told and left out
                sys.stderr.write(f"{animal.name} {name}: {traceback.format_exc(limit=-2)}\n")
                continue
            truths[file.name] = relative.adapt(animal.truth)
            table.write_text(_write_truths(truths), encoding="utf-8")
            sys.stderr.write(f"{file.name}\n")


def _make_own(kind: str) -> None:
    """One of the project's characters with a walk, a run or its like, and a rest."""
    shape = CHARACTER_SHAPES[kind]()
    armature = create_character(shape, bpy.context.scene.collection)
    actions = write_gaits(armature, shape, [*_GAITS[kind], "rest"])
    for action in actions:
        action.use_fake_user = True


def _find_speeds(kind: str) -> dict[str, float]:
    """Speeds of the gaits that a character of the project gets, metres a second."""
    shape = CHARACTER_SHAPES[kind]()
    opening.open_empty()
    armature = create_character(shape, bpy.context.scene.collection)
    rig = make_character_rig(shape, read_skeleton(armature))
    render = bpy.context.scene.render
    speeds = {}
    for gait in _GAITS[kind]:
        preset = find_preset(gait, len(rig.legs), rig.leg_length)
        settings = fit_to_frames(preset, render.fps / render.fps_base)
        speeds[gait] = settings.stride * rig.leg_length / settings.period
    return speeds


def _tell_stranger(stranger: Stranger) -> Truth:
    """What is known of a stranger; its feet may be told by the bone above or below their ankles."""
    if not stranger.limbs or not stranger.is_walker:
        return Truth(walker=False)
    legs: int | list[list[str]]
    last = [len(limb.bones) - (not limb.is_footless) for limb in stranger.limbs]
    legs = [
        list(limb.bones[limb.girdles : max(1, end)])
        for limb, end in zip(stranger.limbs, last, strict=True)
    ]
    turn = np.radians(stranger.way) if stranger.is_round else 0.0
    heads = {part.name: part.head[0] for part in stranger.parts}
    across = [heads[limb.bones[0]] for limb in stranger.limbs]
    # Bones that carry the skin beside the legs are legs as well.
    if any(part.follows and part.girth for part in stranger.parts):
        legs = len(legs)
    speeds = {stranger.clip.rpartition("|")[2]: (stranger.speed, stranger.speed)}
    return Truth(
        legs=legs,
        forward=(float(np.sin(turn)), float(-np.cos(turn))),
        speeds=speeds,
        no_walks=stranger.no_walks,
        sides=() if stranger.is_round else tuple("L" if x > 0.0 else "R" for x in across),
        walk=((stranger.default or stranger.clip).rpartition("|")[2],),
    )


def _list_generated() -> Iterator[Animal]:
    """Rigs that Rigify generates, with walks on their controls, and its metarigs."""
    from tests.control_rigs import KINDS, generate_rigify, key_fk_walk, key_ik_walk

    def generate(kind: str, key: Callable[..., object]) -> None:
        key(generate_rigify(kind))

    def add(kind: str) -> None:
        bpy.ops.preferences.addon_enable(module="rigify")
        getattr(bpy.ops.object, f"armature_{kind}_metarig_add")()

    for kind in KINDS:
        count = 2 if kind in ("human", "basic_human", "bird") else 4
        truth = Truth(legs=count, forward=(0.0, -1.0))
        for name, key in (("ik", key_ik_walk), ("fk", key_fk_walk)):
            make = lambda kind=kind, key=key: generate(kind, key)  # noqa: E731
            yield Animal(f"rigify_{kind}_{name}", make, truth)
        yield Animal(f"metarig_{kind}", lambda kind=kind: add(kind), replace(truth, walker=False))


def _open(file: Path) -> None:
    opening.open_file(file)
    for action in bpy.data.actions:
        action.use_fake_user = True


def _write_truths(truths: Mapping[str, Truth]) -> str:
    """Tables of the truth as TOML."""
    parts = []
    for name, truth in truths.items():
        lines = [f'["{name}"]', f"walker = {str(truth.walker).lower()}"]
        if truth.legs is not None:
            lines.append(f"legs = {truth.legs}".replace("'", '"'))
        if truth.forward is not None:
            x, y = np.round(truth.forward, 6) + 0.0
            lines.append(f"forward = [{x}, {y}]")
        if truth.speeds:
            spans = [
                f'"{key}" = [{low:.6g}, {high:.6g}]' for key, (low, high) in _list_spans(truth)
            ]
            lines.append(f"speeds = {{{', '.join(spans)}}}")
        for key in ("sides", "walk"):
            if getattr(truth, key):
                lines.append(f"{key} = {list(getattr(truth, key))}".replace("'", '"'))
        if truth.no_walks:
            lines.append(f"no_walks = {list(truth.no_walks)}".replace("'", '"'))
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _list_spans(truth: Truth) -> Iterator[tuple[str, tuple[float, float]]]:
    for name, span in truth.speeds.items():
        yield name, (span, span) if isinstance(span, int | float) else span


def main() -> None:
    """Write the zoo."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--from", dest="source", type=Path, metavar="FILES")
    parser.add_argument("--truth", type=Path, metavar="TOML")
    parser.add_argument("--only", default="", metavar="PART")
    options = parser.parse_args()
    package.register()
    make_zoo(options.folder, list_animals(options.source, options.truth), options.only)
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
