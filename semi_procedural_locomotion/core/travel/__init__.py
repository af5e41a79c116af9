# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a character goes.

In: points, speeds, or sampled matrices. Out: a `way.Travel`, its place and heading at any time
(numpy only).
"""
