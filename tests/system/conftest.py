# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the tests start another Blender, whichever kind they run in.

bpy is imported by the fixture, since the process that starts a Blender reads this file too.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

# Seconds until a session that hangs is ended; it takes a tenth of this on a slow machine.
_LIMIT = 300
# Numbers of X11 displays that are not usually taken.
_DISPLAYS = range(200, 4000)


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


@pytest.fixture
def display():
    """A screen in memory."""
    import bpy

    server = shutil.which("Xvfb")
    if not bpy.app.binary_path or server is None:
        pytest.skip("needs a Blender with a window, and Xvfb")
    name = f":{random.choice(_DISPLAYS)}"
    process = subprocess.Popen(
        [server, name, "-screen", "0", "1200x700x24", "+extension", "GLX"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    socket = Path("/tmp/.X11-unix", f"X{name[1:]}")
    for _ in range(100):
        if socket.exists() or process.poll() is not None:
            break
        time.sleep(0.1)
    yield name
    process.terminate()
    process.wait()


@pytest.fixture
def play_session(display, tmp_path):
    """Play a session of this folder in a window of its own and give what it saw."""
    import bpy

    def play(name: str) -> dict[str, object]:
        script, target = Path(__file__).with_name(name), tmp_path / "seen.json"
        done = subprocess.run(
            [
                bpy.app.binary_path,
                "--factory-startup",
                *("--gpu-backend", "opengl"),
                "--enable-event-simulate",
                *("--window-geometry", "0", "0", "1200", "700"),
                *("--python", str(script), "--", str(target)),
            ],
            env={**os.environ, "DISPLAY": display, "LIBGL_ALWAYS_SOFTWARE": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_LIMIT,
            check=False,
        )
        console = done.stdout + done.stderr
        assert done.returncode == 0, console
        assert "Traceback" not in console, console
        assert "Error" not in console, console
        return json.loads(target.read_text(encoding="utf-8"))

    return play
