# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is told of a finished walk: numbers, plots, and what to mind.

In: a record of poses, prints and ground. Out: the numbers by which walks are judged, where the worst
of them is, SVG charts, and warnings (numpy only).
"""
