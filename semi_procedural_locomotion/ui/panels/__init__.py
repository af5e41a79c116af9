# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels of the sidebar and the rows of their lists. Drawing shows what is kept and computes nothing."""
