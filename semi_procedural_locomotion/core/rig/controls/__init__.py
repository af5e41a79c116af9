# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Controls that an animator moves in place of the deforming bones of a character.

In: measured deforming bones and what a walk wants them to do. Out: which control moves what, and how
each has to change (numpy only).
"""
