# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mathematics that every stage uses: rotations, filters, periodic signals, times, lines, fingerprints.

In and out: plain arrays. Nothing here knows of characters, ground or steps (numpy only).
"""
