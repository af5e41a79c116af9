# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the tests start another Blender, whichever kind they run in.

bpy is imported by the fixture, since the process that starts a Blender reads this file too.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


@pytest.fixture
def run_headless(repository, tmp_path):
    """Run a verb in a new process, by the bpy wheel or by the Blender that this runs in."""
    import bpy

    if bpy.app.binary_path:
        script = repository / "semi_procedural_locomotion" / "headless" / "run.py"
        start = [bpy.app.binary_path, "-b", "--factory-startup", "--python", str(script), "--"]
    else:
        start = [sys.executable, "-m", "semi_procedural_locomotion"]

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*start, *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(repository)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    return run
