# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Last stage of a plan: how the body is carried over its feet.

In: blended poses, steps, foot targets. Out: support heights, tilt, hip offsets and what the upper body
answers (numpy only).
"""
