# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators of the main flow, of legs, motions, lists, made cycles and presets."""
