# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Physical constants, and the numbers that several stages share."""

from __future__ import annotations

STANDARD_GRAVITY = 9.81
"""Metres a second squared."""

ADULT_LEG = 0.85
"""Metres from hip to ankle of the adult for whom ready-made gaits are given."""

LEGS_OF_PEOPLE = 2
"""Legs of a body to which what is measured of people applies."""

SAMPLE_RATE = 60.0
"""Samples a second at which ways are read and sampled finely."""

MOST_STATIONS = 200000
"""Places along a way at which ground is looked up; along longer ways none are."""
