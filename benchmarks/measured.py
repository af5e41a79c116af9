# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What laboratories measured of people who walk and run, to hold made gaits against.

The curves stand in ``measured_walks.csv`` and ``measured_runs.csv``, degrees for each fourth percent of a
cycle from strike to strike; where they come from is in docs/method/sources.md, Measured walks. Adults who
walked at their own speed have a deviation; what changes with speed is that of children, whose classes of
speed are shares of ``sqrt(g h)``, h the height of the hips. Hips bend against the pelvis, which is
tilted; a thigh leans by what is left.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

_FOLDER = Path(__file__).resolve().parent
SHARES = np.arange(101)


@dataclass(frozen=True)
class MeasuredCurves:
    """Angles over a cycle, degrees, one for each percent, shape (101,).

    Attributes
    ----------
    thigh, knee, ankle
        Knee ahead of the hip, knee bent, toes up positive.
    deviations
        Of ``thigh``, ``knee`` and ``ankle`` between people, by name; empty where none is known.
    """

    thigh: np.ndarray
    knee: np.ndarray
    ankle: np.ndarray
    deviations: dict[str, np.ndarray]


def read_walk(speed: str) -> MeasuredCurves:
    """Walkers of a class of speed: ``"slow"`` about 0.7, ``"free"`` 1.3, ``"fast"`` 1.7 m/s of adults."""
    table = _read("measured_walks.csv")
    change = {name: table[f"{speed}_{name}"] - table[f"free_{name}"] for name in _JOINTS}
    hip, tilt, knee, ankle = (table[name] + change[name] for name in _JOINTS)
    deviations = {
        name: _fill(table[f"{source}_sd"])
        for name, source in (("thigh", "hip"), ("knee", "knee"), ("ankle", "ankle"))
    }
    return MeasuredCurves(_fill(hip - tilt), _fill(knee), _fill(ankle), deviations)


def read_run(speed: float) -> MeasuredCurves:
    """Runners at 2.5 or 3.5 m/s; the slower ones' pelvis, 15 degrees in the mean, is taken off."""
    table = _read("measured_runs.csv")
    thigh = table["thigh_3.5"] if speed == 3.5 else table["hip_2.5"] - _RUNNERS_TILT
    return MeasuredCurves(
        _fill(thigh), _fill(table[f"knee_{speed}"]), _fill(table[f"ankle_{speed}"]), {}
    )


_JOINTS = ("hip", "tilt", "knee", "ankle")
_RUNNERS_TILT = 15.0


@cache
def _read(name: str) -> dict[str, np.ndarray]:
    """Columns of a table."""
    with (_FOLDER / name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {key: np.array([float(row[key]) for row in rows]) for key in rows[0]}


def _fill(values: np.ndarray) -> np.ndarray:
    """Each percent of a curve that is given at each fourth."""
    return np.interp(SHARES, np.linspace(0.0, 100.0, len(values)), values)
