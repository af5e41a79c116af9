# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is kept in the file: the set-up on armature objects, analyses on actions.

In and out: property groups of Blender and the core's own records.
"""
