# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of the scene as ground.

In: objects and collections. Out: something that answers `core.ground.interface.Ground`.
"""
