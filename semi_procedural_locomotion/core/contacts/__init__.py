# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When the feet of a clip stand, and how fast the clip moves over the ground.

In: sole points of one cycle. Out: contact intervals and key times for each leg, and the velocity at
which the standing feet slide least (numpy only).
"""
