# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Third stage of a plan: what a foot does between two prints.

In: prints and the motions' own swings. Out: heights, ways around obstacles and partner feet, and the
foot's place at any time (numpy only).
"""
