# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walk cycles adapted to any travel and any ground.

Importing this package does not import Blender's modules; ``register`` does.
"""

from __future__ import annotations


def register(addon_id: str | None = None) -> None:
    """Register classes, properties and commands in Blender.

    Parameters
    ----------
    addon_id
        Name under which Blender knows the extension, such as
        ``bl_ext.user_default.semi_procedural_locomotion``; None outside an extension.
    """
    from . import registration

    registration.register(addon_id=addon_id)


def unregister() -> None:
    """Take out everything that ``register`` put in, in reverse order."""
    from . import registration

    registration.unregister()
