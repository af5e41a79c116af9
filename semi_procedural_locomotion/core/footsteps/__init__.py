# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps that a user placed.

In: laid steps with their order and times. Out: a travel and its clock that fit them, and planned
prints that are replaced by them (numpy only).
"""
