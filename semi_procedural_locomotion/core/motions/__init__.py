# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip becomes a `records.Motion`, and several become one set that can be blended at any phase.

In: sampled `clips.Clip`s and a rig. Out: judged, prepared in-place cycles, their phase offsets, and the
packed tables that the planner reads (numpy only).
"""
