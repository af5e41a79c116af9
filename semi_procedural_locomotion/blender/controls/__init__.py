# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Control rigs: which bone moves what, found by moving it; walks solved onto those bones.

In: armatures with constraints and drivers, and solved walks of their deforming bones. Out: a map of
controls, kept on the armature, and the values of those controls.
"""
