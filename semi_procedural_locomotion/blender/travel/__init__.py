# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways read from the scene: animated objects and bones, curves, keyed speeds.

In: objects. Out: `core.travel.way.Travel`, or the points of one.
"""
