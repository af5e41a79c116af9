# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""First stage of a plan: which motions play when, how fast, and when each foot stands.

In: packed motions, a travel, settings. Out: a `planning.TimePlan` of weights, phase, leg times and
stance instants. Needs no ground but the level that the body walks on (numpy only).
"""
