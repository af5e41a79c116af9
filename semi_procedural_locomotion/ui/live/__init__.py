# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Live, Record and Auto Bake: Blender's handlers for characters that follow every change."""
