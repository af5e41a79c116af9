# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes bound to armatures: what is read for it, the groups and colours that are written."""
