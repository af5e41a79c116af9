# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts the extension into Blender and takes it out again.

Each module of `_MODULES` has ``register()`` and ``unregister()``; they are registered in this order
and unregistered in reverse, so a module may rely on those before it.
"""

from __future__ import annotations

import atexit
import sys
from importlib import import_module
from types import ModuleType

_MODULES = (
    "blender.setup.properties",
    "blender.setup.footstep_properties",
    "blender.setup.cycle_properties",
    "blender.setup.transfer_properties",
    "blender.setup.override_records",
    "blender.footsteps.carrying",
    "ui.preferences",
    "ui.operators.main",
    "ui.operators.legs",
    "ui.operators.controls",
    "ui.operators.motions",
    "ui.operators.lists",
    "ui.operators.cycle_making",
    "ui.operators.root_motion",
    "ui.operators.fixing",
    "ui.operators.transferring",
    "ui.operators.importing",
    "ui.operators.binding",
    "ui.operators.key_poses",
    "ui.footsteps.operators",
    "ui.footsteps.times",
    "ui.operators.spaces",
    "ui.footsteps.edits",
    "ui.footsteps.hover",
    "ui.footsteps.tool",
    "ui.operators.presets",
    "ui.live.operators",
    "ui.operators.sections",
    "ui.driving.operator",
    "ui.overlay.shown",
    "ui.panels.tab",
    "headless.command",
)

_registered: list[ModuleType] = []
_addon_id = __package__


def register(addon_id: str | None = None) -> None:
    """Register all modules.

    Parameters
    ----------
    addon_id
        Name under which Blender knows the extension; preferences and the folder for user files go
        by it (docs/architecture.md, Names of the package). None outside an extension stands for this
        package's own name.

    Raises
    ------
    RuntimeError
        When it is registered already.
    """
    from .blender import versions

    global _addon_id
    if _registered:
        raise RuntimeError("the package is registered already: unregister it first")
    _addon_id = addon_id or __package__
    if versions.IS_MODULE:
        # The application unregisters extensions itself.
        atexit.unregister(_leave)
        atexit.register(_leave)
    try:
        for name in _MODULES:
            module = import_module(f".{name}", __package__)
            module.register()
            _registered.append(module)
    except BaseException:
        unregister()
        raise


def unregister() -> None:
    """Unregister what was registered, in reverse order."""
    while _registered:
        _registered.pop().unregister()


def get_addon_id() -> str:
    """Name under which Blender knows the extension."""
    return _addon_id


def _leave() -> None:
    """Unregister at exit, and let go of Blender's module.

    As a Python module, Blender 4.2 and 4.5 end when that module is freed, and crash where it never
    is. They crash while commands or poll functions are registered too, and even after that keep
    some of the classes, which hold all names of the modules that they were written in.
    """
    unregister()
    for name, module in list(sys.modules.items()):
        if name.startswith(f"{__package__}."):
            vars(module).pop("bpy", None)
