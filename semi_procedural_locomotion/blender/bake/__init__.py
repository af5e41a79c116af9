# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Solved walks become keys, or are shown live.

In: a solved walk. Out: keys in an action of the extension's own, and everything that takes them away
again.
"""
