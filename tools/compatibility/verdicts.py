# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a file is right, its fault was told, it was refused, or is wrong without a word (no Blender).

What the meter sees is held against what the report tells, and where a table of the truth is given, what
was found against that.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

RIGHT, TOLD, REFUSED, WRONG = "right", "told", "refused", "wrong"
"""Verdicts: told is doubtful and said so; wrong is a fault under a clean report."""

_ORDER = (RIGHT, TOLD, REFUSED, WRONG)
# What the meter may see at most, shares of the leg and a ratio of ways, and numbers of the report that
# would tell of it.
_SEEN = {
    "slip": (0.03, ("shown_slip_worst",)),
    "depth": (
        0.03,
        ("shown_sink_worst", "shown_swing_depth_worst"),
    ),
    "float": (0.04, ("shown_float_p99",)),
    "jump": (2.5, ("shown_foot_way_ratio",)),
}
# A number of the report tells of a fault when it is at least this share of what is seen.
_HONEST = 0.5
# Share of the time for which a foot is low in the clip that it must stand in the walk.
_STANDING = 0.35
# Under this confidence legs count as doubted.
_SURE = 0.7
_ANGLE, _SPEED = 20.0, 0.05
# What a clip shows by itself is rough: a ratio of speeds, degrees.
_SEEN_SPEED, _SEEN_ANGLE = 1.7, 45.0


@dataclass(frozen=True)
class Truth:
    """What a user knows of a file.

    Attributes
    ----------
    legs
        How many it has, or the bones of each in any order; None where that is not known.
    forward
        World x, y that it faces at rest.
    walker
        Whether anything in it walks.
    speeds
        Least and most native speed of actions, metres a second, by name.
    no_walks
        Actions that are no cycles though they may look like some.
    sides
        ``"L"``, ``"R"`` or ``""`` for each of ``legs``; none where they are not known.
    walk
        Actions any of which may be the plain walk; none where that is not known.
    """

    legs: int | list[list[str]] | None = None
    forward: tuple[float, float] | None = None
    walker: bool = True
    speeds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    no_walks: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    walk: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """How a file, or its walk on one ground, is judged, and why."""

    kind: str
    reason: str = ""


def read_truths(path: Path) -> dict[str, Truth]:
    """The table of the truth, by the paths of files in their folder; a table for each file."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: _read_truth(table) for name, table in tables.items()}


def judge_file(found: Mapping[str, Any], truth: Truth | None) -> Verdict:
    """The worst of what was found in a file and of its walks on all grounds."""
    if truth is not None and not truth.walker:
        return _judge_standing(found)
    if "crash" in found or "error" in found:
        return Verdict(WRONG, found.get("crash") or _last_line(found["error"]))
    if "refused" in found:
        return Verdict(REFUSED, found["refused"])
    verdicts = [judge_findings(found, truth)]
    verdicts += [
        _name_ground(judge_ground(found, ground), ground["ground"]) for ground in found["grounds"]
    ]
    if all("refused" in ground for ground in found["grounds"]) and found["grounds"]:
        return Verdict(REFUSED, found["grounds"][0]["refused"])
    return max(verdicts, key=lambda v: _ORDER.index(v.kind))


def judge_findings(found: Mapping[str, Any], truth: Truth | None) -> Verdict:
    """Judge legs, forward and speeds."""
    misses = [] if truth is None else list_misses(found, truth)
    source = found.get("source") or {}
    walk = found.get("walk")
    for bone, share in sorted(source.get("carrying", {}).items(), key=lambda item: -item[1])[:3]:
        misses.append(
            f"'{bone}' goes like a planted foot for {share:.0%} of the clip and is no leg"
        )
    seen = source.get("direction")
    if walk and seen and _find_angle(walk["direction"], seen) > _SEEN_ANGLE:
        misses.append(
            f"the clip's feet go to {_write_way(seen)}, not {_write_way(walk['direction'])}"
        )
    speed = source.get("speed")
    if (
        walk
        and speed
        and _is_sure(found)
        and not 1.0 / _SEEN_SPEED < walk["speed"] / speed < _SEEN_SPEED
    ):
        misses.append(f"the clip's feet go at {speed:.3g} m/s, not {walk['speed']:.3g}")
    if not misses:
        doubts = found.get("reasons") or []
        unsure = found["confidence"] < _SURE
        return (
            Verdict(TOLD, f"confidence {found['confidence']:.2f}: {'; '.join(doubts)}")
            if (unsure)
            else Verdict(RIGHT)
        )
    kind = TOLD if found["confidence"] < _SURE else WRONG
    return Verdict(kind, "; ".join(misses))


def judge_ground(found: Mapping[str, Any], ground: Mapping[str, Any]) -> Verdict:
    """Judge the walk on one ground."""
    if "error" in ground:
        return Verdict(WRONG, _last_line(ground["error"]))
    if "refused" in ground:
        return Verdict(REFUSED, ground["refused"])
    if "seen" not in ground:
        return Verdict(WRONG, "it was not measured")
    grave = [
        text
        for text, note in zip(ground["warnings"], ground["notes"], strict=True)
        if note["severity"] == "walk"
    ]
    faults, silent = [], []
    for key, (limit, numbers) in _SEEN.items():
        value = ground["seen"].get(key)
        if value is None or value <= limit:
            continue
        told = max((ground.get(n) or 0.0 for n in numbers), default=0.0)
        who = ground["seen"].get(f"{key}_of") or ""
        fault = f"{key} of {who} {value:.3g}, the report says {told:.3g}"
        faults.append(fault)
        if told < _HONEST * value and not grave:
            silent.append(fault)
    stood = (found.get("source") or {}).get("standing") or 0.0
    stands = ground["seen"].get("least_standing")
    if stands is not None and stands < _STANDING * stood:
        fault = f"a foot stands for {stands:.0%} of the walk, in the clip for {stood:.0%}"
        faults.append(fault)
        known = {note["kind"] for note in ground["notes"]}
        if not grave and not known & {"contact_short", "speed_uncertain"}:
            silent.append(fault)
    expected = _expect_way(found, ground)
    way = ground["seen"].get("way")
    if expected and way is not None and abs(way / expected - 1.0) > 0.25:
        silent.append(f"goes {way:.3g} L instead of {expected:.3g}")
    if abs(ground["seen"].get("aside") or 0.0) > _ANGLE and (way or 0.0) > 0.5:
        silent.append(f"goes {ground['seen']['aside']:.0f} degrees off where its motion does")
    if silent:
        return Verdict(WRONG, "; ".join(silent))
    if faults or grave:
        return Verdict(TOLD, "; ".join([*grave[:2], *faults]))
    return Verdict(RIGHT)


def list_misses(found: Mapping[str, Any], truth: Truth) -> list[str]:
    """What differs from the truth, in words."""
    misses = []
    legs = [sorted(leg["bones"]) for leg in found["legs"]]
    if isinstance(truth.legs, int) and truth.legs != len(legs):
        misses.append(f"{len(legs)} legs instead of {truth.legs}")
    elif isinstance(truth.legs, list):
        wanted = [set(leg) for leg in truth.legs]
        lacking = [
            sorted(w) for w in wanted if not any(w <= _all_bones(leg) for leg in found["legs"])
        ]
        misses += [f"no leg {' > '.join(leg)}" for leg in lacking]
        if len(legs) != len(wanted):
            misses.append(f"{len(legs)} legs instead of {len(wanted)}")
    if truth.forward is not None and _find_angle(found["forward"], truth.forward) > _ANGLE:
        misses.append(
            f"faces {_write_way(found['forward'])} instead of {_write_way(truth.forward)}"
        )
    motions = {motion["action"].rpartition("|")[2]: motion for motion in found["motions"]}
    for name, (low, high) in truth.speeds.items():
        motion = motions.get(name)
        if motion is None or motion["kind"] != "cycle":
            misses.append(f"'{name}' is no walk: {'; '.join((motion or {}).get('warnings', []))}")
        elif not low * (1.0 - _SPEED) <= motion["speed"] <= high * (1.0 + _SPEED):
            misses.append(
                f"'{name}' goes at {motion['speed']:.4g} instead of {low:.4g} to {high:.4g}"
            )
    ticked = {name.rpartition("|")[2] for name in found.get("ticked", [])}
    cycles = {name for name, motion in motions.items() if motion["kind"] == "cycle"}
    misses += [
        f"'{name}' is ticked as a walk" for name in truth.no_walks if name in ticked & cycles
    ]
    return misses


def _judge_standing(found: Mapping[str, Any]) -> Verdict:
    """Judge a file in which nothing walks: it must not be baked without a word."""
    if "crash" in found or "error" in found:
        return Verdict(WRONG, found.get("crash") or _last_line(found["error"]))
    walks = [ground for ground in found["grounds"] if "refused" not in ground]
    if not walks:
        return Verdict(RIGHT, "refused as it should be")
    if found["confidence"] < _SURE or any("no_walk" in str(g.get("notes")) for g in walks):
        return Verdict(TOLD, "baked, with doubts")
    return Verdict(WRONG, f"walks with '{(found.get('walk') or {}).get('action')}', which is none")


def _read_truth(table: Mapping[str, Any]) -> Truth:
    speeds = {
        name: (value, value) if isinstance(value, int | float) else (value[0], value[1])
        for name, value in table.get("speeds", {}).items()
    }
    forward = table.get("forward")
    return Truth(
        legs=table.get("legs"),
        forward=None if forward is None else (forward[0], forward[1]),
        walker=table.get("walker", True),
        speeds=speeds,
        no_walks=tuple(table.get("no_walks", ())),
        sides=tuple(table.get("sides", ())),
        walk=tuple(table.get("walk", ())),
    )


def _expect_way(found: Mapping[str, Any], ground: Mapping[str, Any]) -> float | None:
    """Lengths of the leg that the walk should go."""
    walk, span = found.get("walk"), ground.get("span")
    if not walk or not span or ground["ground"] != "flat":
        return None
    return walk["speed"] * (span[1] - span[0]) / found["fps"] / found["leg_length"]


def _is_sure(found: Mapping[str, Any]) -> bool:
    """Whether nothing says that the speed of the walk is uncertain."""
    name = found["walk"]["action"]
    (motion,) = [one for one in found["motions"] if one["action"] == name] or [{}]
    kinds = {note["kind"] for note in motion.get("notes", [])}
    return not kinds & {"speed_uncertain", "speed_uneven"}


def _name_ground(verdict: Verdict, name: str) -> Verdict:
    return verdict if verdict.kind == RIGHT else Verdict(verdict.kind, f"{name}: {verdict.reason}")


def _all_bones(leg: Mapping[str, Any]) -> set[str]:
    return {*leg["bones"], *([leg["toe"]] if leg["toe"] else [])}


def _find_angle(first: Any, second: Any) -> float:  # noqa: ANN401  lists and tuples of two
    turn = math.atan2(first[1], first[0]) - math.atan2(second[1], second[0])
    return abs(math.degrees(math.remainder(turn, 2.0 * math.pi)))


def _write_way(direction: Any) -> str:  # noqa: ANN401  likewise
    return f"({direction[0]:.2f}, {direction[1]:.2f})"


def _last_line(text: str) -> str:
    return text.strip().splitlines()[-1]
