# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is decided of characters whose truth is known: legs, sides, forward, soles, walk (needs Blender).

``python -m tools.compatibility.judging [--from FILES] [--only PART] [--relatives a,b]`` makes each, sets
it up in this process, prints a line for each that is not all right, and how often what is sure is right.
A second table has how many decisions are wrong with evidence left out, at half and at twice its weight.
"""

from __future__ import annotations

import argparse
import os
import pickle
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import bpy
import numpy as np

import semi_procedural_locomotion as package
from semi_procedural_locomotion import api
from semi_procedural_locomotion.api import inspection, opening
from semi_procedural_locomotion.api.characters import Character, MotionFinding, make_motion_set
from semi_procedural_locomotion.blender.reading.evidence import collect_evidence
from semi_procedural_locomotion.core.motions.plainness import Sign, find_plain_walk, weigh_walks
from semi_procedural_locomotion.core.rig.footpoints import compute_sole_points
from semi_procedural_locomotion.core.rig.legs import find_rig, fit_evidence
from semi_procedural_locomotion.core.rig.legs.body import prepare_body
from semi_procedural_locomotion.core.rig.legs.skin import pose_points
from semi_procedural_locomotion.errors import LocomotionError

from .relatives import RELATIVES, find_armature
from .verdicts import Truth, list_misses
from .zoo import Animal, list_animals

DATA_TRUTH = Path(__file__).with_name("data.toml")
# In memory, those of a file need no other.
_ALIKE = ("plain", "no_mesh", "hidden_names", "turned", "one_clip")
# Shares of the leg: how deep soles may be missed, and how near skin is to be theirs.
_DEEP, _NEAR = 0.02, 0.25
# Times what it is that evidence of each kind is taken.
_FACTORS = (0.0, 0.5, 1.0, 2.0)
# Cycles of which one is to be chosen.
_FEWEST_CLIPS = 2


@dataclass
class Judgement:
    """One character: what is right and what is not, by what was asked."""

    name: str
    misses: dict[str, str] = field(default_factory=dict)
    confidence: float = 0.0
    walk: str = ""
    seconds: float = 0.0
    weighed: dict[tuple[str, float], bool] = field(default_factory=dict)
    """Whether the decision is right with evidence of a kind times a factor."""

    @property
    def is_right(self) -> bool:
        """Whether all is as it should be."""
        return not self.misses


def judge(armature: bpy.types.Object, truth: Truth, name: str) -> Judgement:
    """Set a character up and hold what is decided against the truth."""
    judged = Judgement(name)
    start = time.process_time()
    try:
        character, findings = api.set_up(armature)
    except LocomotionError as error:
        judged.seconds = time.process_time() - start
        if truth.walker:
            judged.misses["refused"] = str(error)[:160]
        return judged
    judged.seconds = time.process_time() - start
    judged.confidence = character.confidence
    found = inspection.describe_character(character, findings)
    ticks = api.tick_motions(findings, character.rig)
    ticked = [f for f, tick in zip(findings, ticks, strict=True) if tick]
    found["ticked"] = [f.action for f in ticked]
    judged.weighed = _weigh_walks(character, findings, truth)
    default = _find_default(character, ticked)
    judged.walk = default.action if default else ""
    if not truth.walker:
        if default is not None:
            judged.misses["walk"] = f"'{judged.walk}' is none"
        return judged
    for miss in list_misses(found, truth):
        kind = "forward" if miss.startswith("faces") else "legs" if "leg" in miss else "speed"
        kind = "walk" if "is ticked" in miss or "is no walk" in miss else kind
        judged.misses[kind] = "; ".join(filter(None, [judged.misses.get(kind), miss]))
    judged.misses.update(_judge_sides(found, truth))
    if truth.forward is not None:
        judged.weighed |= _weigh_forward(armature, "forward" not in judged.misses)
    own = judged.walk.rpartition("|")[2]
    if truth.walk and own not in truth.walk:
        judged.misses["walk"] = f"default '{own}' instead of '{truth.walk[0]}'"
    if default is not None:
        depth = _measure_depth(armature, character, bpy.data.actions[default.action])
        if depth is not None and abs(depth) > _DEEP:
            judged.misses["soles"] = f"the mesh is {depth:+.1%} of the leg below the soles"
    return judged


def _find_default(character: Character, ticked: Sequence[MotionFinding]) -> MotionFinding | None:
    """The walk that a bake with nothing set plays."""
    if not any(f.kind == "cycle" for f in ticked):
        return None
    motions = make_motion_set(character, ticked)
    walk = motions.motions[find_plain_walk(motions.motions, character.rig)]
    return next(f for f in ticked if f.motion is walk)


def _weigh_walks(
    character: Character, findings: Sequence[MotionFinding], truth: Truth
) -> dict[tuple[str, float], bool]:
    """Whether the plain walk of all cycles is right with each kind of evidence times each factor."""
    rig, found = character.rig, {}
    motions = [f.motion for f in findings if f.motion is not None]
    weighed = weigh_walks(motions, rig)
    cycles = [i for i, motion in enumerate(motions) if motion.is_cycle]
    if not truth.walk or len(cycles) < _FEWEST_CLIPS:
        return {}
    for sign in Sign:
        for factor in _FACTORS:
            changed = [
                replace(one, signs={**one.signs, sign: factor * one.signs[sign]}) for one in weighed
            ]
            walks = [i for i in cycles if changed[i].is_walk] or cycles
            best = find_plain_walk([motions[i] for i in walks], rig, [changed[i] for i in walks])
            is_right = motions[walks[best]].name.rpartition("|")[2] in truth.walk
            found[f"walk: {sign}", factor] = is_right
    return found


def _weigh_forward(armature: bpy.types.Object, is_right: bool) -> dict[tuple[str, float], bool]:
    """Whether forward is right with each kind of evidence on it times each factor."""
    evidence = find_rig(collect_evidence(armature)).forward_evidence
    found = {}
    for told, value in evidence.items():
        for factor in _FACTORS:
            total = sum(evidence.values()) + (factor - 1.0) * value
            # Turned about, what was right is wrong.
            found[f"forward: {told}", factor] = is_right is (total > 0.0)
    return found


def _judge_sides(found: dict, truth: Truth) -> dict[str, str]:
    """Legs that are called of the other side."""
    if not truth.sides or isinstance(truth.legs, int) or truth.legs is None:
        return {}
    wrong = []
    for bones, side in zip(truth.legs, truth.sides, strict=True):
        own = next((leg for leg in found["legs"] if set(bones) & set(leg["bones"])), None)
        if own is not None and own["side"] != side:
            wrong.append(f"{bones[0]} is {own['side'] or 'of no side'}")
    return {"sides": ", ".join(wrong)} if wrong else {}


def _measure_depth(
    armature: bpy.types.Object, character: Character, action: bpy.types.Action
) -> float | None:
    """How far the mesh is below the soles where these are lowest in a clip, shares of the leg."""
    rig = character.rig
    evidence = fit_evidence(collect_evidence(armature, [action]), rig.skeleton)
    if not len(evidence.vertices) or not evidence.clips:
        return None
    clip = evidence.clips[0]
    body = prepare_body(evidence)
    if rig.skeleton.names != evidence.skeleton.names:
        return None
    turns, heads = rig.skeleton.rest_poses
    rest = [compute_sole_points(leg, turns[None], heads[None])[0] for leg in rig.legs]
    apart = evidence.vertices[:, None] - np.concatenate(rest)
    near = np.linalg.norm(apart, axis=-1).min(axis=1) < _NEAR * rig.leg_length
    if not near.any():
        return None
    skin = body.skin.select(np.flatnonzero(near))
    heights = pose_points(skin, body.clips[0].axes, clip.positions)[..., 2].min(axis=1)
    soles = [
        compute_sole_points(leg, clip.rotations, clip.positions)[..., 2].min(axis=1)
        for leg in rig.legs
    ]
    return float(np.median(np.min(soles, axis=0) - heights)) / rig.leg_length


def write_table(judged: Sequence[Judgement]) -> str:
    """A row for each character that is not all right, sums, and how often what is sure is right."""
    kinds = ("refused", "legs", "sides", "forward", "soles", "walk", "speed")
    rows = [
        f"| {one.name} | {one.confidence:.2f} | {one.walk} | "
        + "; ".join(f"{kind}: {one.misses[kind]}" for kind in kinds if kind in one.misses)
        + " |"
        for one in judged
        if not one.is_right
    ]
    right = sum(one.is_right for one in judged)
    sums = ", ".join(f"{kind} {sum(kind in one.misses for one in judged)}" for kind in kinds)
    # Legs and forward are what confidence speaks of.
    sure = [one for one in judged if one.confidence >= 0.9]
    well = [one for one in sure if not {"legs", "sides", "forward"} & set(one.misses)]
    seconds = sum(one.seconds for one in judged)
    return "\n".join(
        [
            "| character | confidence | default | wrong |",
            "|---|---|---|---|",
            *rows,
            "",
            f"{right} of {len(judged)} all right; wrong: {sums}.",
            f"Of {len(sure)} at 0.9 and more {len(well)} have legs, sides and forward right; "
            f"{seconds:.1f} s of computing.",
        ]
    )


def write_weights(judged: Sequence[Judgement]) -> str:
    """How many decisions are wrong with each kind of evidence left out, at half and twice its weight."""
    rows = ["| evidence | without it | half | as it is | twice |", "|---|---|---|---|---|"]
    for name in dict.fromkeys(name for one in judged for name, _ in one.weighed):
        wrong = [
            sum(not one.weighed[name, factor] for one in judged if (name, factor) in one.weighed)
            for factor in _FACTORS
        ]
        rows.append(f"| {name} | {' | '.join(map(str, wrong))} |")
    return "\n".join(rows)


def main() -> None:
    """Judge all, or some."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="source", type=Path, metavar="FILES")
    parser.add_argument("--only", default="", metavar="PART")
    parser.add_argument("--relatives", default=",".join(_ALIKE))
    parser.add_argument(
        "--keep", type=Path, help="writes evidence and truth there, for experiments"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="TABLE.md")
    options = parser.parse_args()
    package.register()
    judged = []
    for animal in list_animals(options.source, DATA_TRUTH if options.source else None):
        for relative in options.relatives.split(","):
            name = f"{animal.name}__{relative}"
            if options.only in name and not name.startswith("metarig"):
                judged += _try_one(animal, relative, name, options.keep)
    table = f"{write_table(judged)}\n\n{write_weights(judged)}"
    if options.output:
        options.output.write_text(table + "\n", encoding="utf-8")
    print(table)
    sys.stdout.flush()
    os._exit(0)


def _try_one(animal: Animal, relative: str, name: str, keep: Path | None) -> list[Judgement]:
    """The judgement of one relative, none where it cannot be made."""
    opening.open_empty()
    try:
        animal.make()
        if not any(item.type == "ARMATURE" for item in bpy.context.scene.objects):
            return []
        armature = find_armature()
        changed = RELATIVES[relative](armature)
        if changed is None or not changed.walks:
            return []
        bpy.context.view_layer.update()
        truth = changed.adapt(animal.truth)
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"{name}.pickle").write_bytes(
                pickle.dumps((name, collect_evidence(armature), truth))
            )
        one = judge(armature, truth, name)
    except Exception:  # noqa: BLE001  told and counted
        one = Judgement(name, {"refused": traceback.format_exc(limit=-2).replace("\n", " ")[-300:]})
    sys.stderr.write(f"{name}: {one.misses or 'right'} {one.confidence:.2f} {one.walk}\n")
    return [one]


if __name__ == "__main__":
    main()
