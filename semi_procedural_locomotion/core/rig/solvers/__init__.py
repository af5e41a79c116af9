# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Inverse kinematics of chains whose joints have limits, by several methods (numpy only).

In: a chain, what its joints may do, where it begins, and targets of its end, N times. Out: joints,
poses, what is missed and why each row was left. Rows are solved side by side, and none depends on
another.
"""
