# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender shows of a baked walk, held against what was to be shown.

In: an armature that plays a bake. Out: its poses as evaluated, how far they are from what the bake
meant to show, and what stands between the two.
"""
