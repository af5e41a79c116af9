# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Points and times in, ground out: vertical rays, grounds made of arrays, the rays of soles.

In: places and instants. Out: heights, normals and surface ids (numpy only).
"""
