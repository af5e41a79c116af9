# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All thresholds, widths and prices of this stage: from a clip to a motion (numpy only).

`periods` cuts cycles out of recordings, `judging` says whether they walk, `blending` makes motions
of them.

Each record names the heading that explains it; each field its unit, and what it is for. Numbers
without a unit are shares or factors. *Size* is the body's, see `periods.measure_size`.
"""

from __future__ import annotations

from .blending import (
    ANALYSIS,
    BAND,
    CHOICE,
    CLIP,
    PLAIN,
    PREPARATION,
    RIMS,
    ROOT_MOTION,
    SYNCHRONISING,
)
from .judging import DOUBT, GROUNDING, JUDGING, STANDING, STEPPING
from .periods import CARRYING, CLIMB, CYCLE, HELD_KEYS, IN_PLACE, PART, PERIOD

__all__ = [
    "ANALYSIS",
    "BAND",
    "CARRYING",
    "CHOICE",
    "CLIMB",
    "CLIP",
    "CYCLE",
    "DOUBT",
    "GROUNDING",
    "HELD_KEYS",
    "IN_PLACE",
    "JUDGING",
    "PART",
    "PERIOD",
    "PLAIN",
    "PREPARATION",
    "RIMS",
    "ROOT_MOTION",
    "STANDING",
    "STEPPING",
    "SYNCHRONISING",
]
