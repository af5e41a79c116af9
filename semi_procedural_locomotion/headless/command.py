# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""``blender --command locomotion VERB`` while the extension is enabled."""

from __future__ import annotations

import bpy

from .cli import main
from .output import silence_stdout

COMMAND = "locomotion"
_handles: list[object] = []


def register() -> None:
    """Add the command to Blender's command line."""
    _handles.append(bpy.utils.register_cli_command(COMMAND, _run))


def unregister() -> None:
    """Take the command out again."""
    while _handles:
        bpy.utils.unregister_cli_command(_handles.pop())


def _run(argv: list[str]) -> int:
    """Run a verb, then keep what Blender prints at its end off stdout."""
    code = main(argv)
    silence_stdout()
    return code
