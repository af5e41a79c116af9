# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's data read and written as plain values: curves, keys, matrices, meshes, records.

In: data-blocks. Out: arrays in metres, seconds and radians. Holds no algorithm and nothing of a set-up.
"""
