# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips of one character carried over to another, whatever its bones are called (numpy only).

In: a clip, the rig that it moves, and another rig. Out: a clip of the other rig.
"""
