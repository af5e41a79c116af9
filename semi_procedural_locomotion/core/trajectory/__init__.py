# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Body and feet as one problem of least change (numpy only).

Changes of the animator's motion, smooth in time, are found at once for the body and for all feet, so that
legs reach, feet pass over the ground and no joint snaps (docs/method/trajectory.md, Costs and rows).
"""
