# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps as objects of the scene.

In: planned prints. Out: sole objects, and what a user did to them.
"""
