# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones the vertices of a mesh follow, and by how much (numpy only).

In: vertices and edges of a mesh, bones at rest. Out: a few bones for each vertex with weights of sum 1.
"""
