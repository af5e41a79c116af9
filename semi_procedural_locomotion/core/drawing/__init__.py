# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of the overlay: lines and triangles as arrays.

In: plans, legs, motions. Out: points and colours that `ui.overlay` only has to draw (numpy only).
"""
