# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cycles made from numbers, for characters that have no clip.

In: a rig and the numbers of a gait. Out: a `Clip` like any sampled one (numpy only).
"""
