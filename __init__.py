# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Entry point of the Blender extension; the code is in ``semi_procedural_locomotion``."""

# Test tools import this file without a parent package; then there is nothing to do.
if __package__:
    from . import semi_procedural_locomotion as _package

    def register() -> None:
        """Register everything under the name that Blender gave this extension."""
        _package.register(addon_id=__package__)

    def unregister() -> None:
        """Take everything out of Blender again."""
        _package.unregister()
