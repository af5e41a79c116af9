# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each test starts in an empty scene with the package registered."""

from tests.scenes import empty_scene, registered_package

__all__ = ["empty_scene", "registered_package"]
