# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions that travel by themselves, cleaned: feet held where they stand, the least change else.

In: a motion in the world and ground. Out: the same motion with its feet planted (numpy only).
"""
