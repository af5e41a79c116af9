# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of walks that are kept, and what of them has changed (standard library only)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

Numbers = Mapping[str, float | None]

STORED = Path(__file__).with_name("golden.json")

# How much a number may change without being told: at least so much, in its own unit, or a tenth.
TOLERANCES = {
    "slip": 0.002,
    "near": 0.02,
    "sunk": 0.002,
    "deep": 0.003,
    "float": 0.003,
    "way": 0.1,
    "knee": 0.1,
    "bend": 3.0,
    "jerk": 0.05,
    "surge": 0.03,
    "missed": 1.0,
    "airborne": 0.01,
    "up": 0.1,
    "down": 0.1,
    "turn": 20.0,
    "whip": 0.5,
    "touch": 0.1,
    "pitch": 1.0,
    "crouch": 0.002,
    "crouch_worst": 0.004,
    "squat": 1.0,
    "squat_worst": 2.0,
    "crowd": 0.005,
    "cut": 0.005,
}
_SHARE = 0.1


@dataclass(frozen=True)
class Change:
    """One number of a case that is not what it was.

    Attributes
    ----------
    case, key
        Which.
    before, after
        Its values; None where there is none.
    """

    case: str
    key: str
    before: float | None
    after: float | None

    @property
    def is_worse(self) -> bool:
        """Whether it grew; all numbers are the better the less they are."""
        return self.after is None or (self.before is not None and self.after > self.before)

    def __str__(self) -> str:
        """As it is printed."""
        values = ["none" if v is None else f"{v:.4g}" for v in (self.before, self.after)]
        word = "worse" if self.is_worse else "better"
        return f"{self.case}: {self.key} {values[0]} -> {values[1]} ({word})"


def compare(before: Mapping[str, Numbers], after: Mapping[str, Numbers]) -> list[Change]:
    """Numbers of cases that both have which differ by more than they may, by case and number."""
    found = []
    for case in sorted(before.keys() & after.keys()):
        for key, allowed in TOLERANCES.items():
            old, new = before[case].get(key), after[case].get(key)
            if old is None or new is None:
                is_changed = old is not new
            else:
                is_changed = abs(new - old) > max(allowed, _SHARE * abs(old))
            if is_changed:
                found.append(Change(case, key, old, new))
    return found


def read_stored(path: Path = STORED) -> dict[str, dict[str, float | None]]:
    """Kept numbers by case; empty where there are none."""
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def write_stored(found: Mapping[str, Numbers], path: Path = STORED) -> None:
    """Keep numbers, those of other cases as they are; a line for each case."""
    kept = {**read_stored(path), **found}
    lines = []
    for case in sorted(kept):
        numbers = {k: None if v is None else float(f"{v:.4g}") for k, v in kept[case].items()}
        lines.append(f"{json.dumps(case)}: {json.dumps(numbers)}")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
