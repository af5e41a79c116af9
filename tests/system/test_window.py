# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Set Up, Bake Walk, Esc and undo in a real window on a screen of its own."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest

bpy = pytest.importorskip("bpy")

SESSION = Path(__file__).with_name("window_session.py")
# Seconds until a session that hangs is ended; it takes a tenth of this on a slow machine.
LIMIT = 300
# Numbers of X11 displays that are not usually taken.
DISPLAYS = range(200, 2000)


@pytest.fixture
def display():
    """A screen in memory."""
    server = shutil.which("Xvfb")
    if not bpy.app.binary_path or server is None:
        pytest.skip("needs a Blender with a window, and Xvfb")
    name = f":{random.choice(DISPLAYS)}"
    process = subprocess.Popen(
        [server, name, "-screen", "0", "1600x900x24", "+extension", "GLX"],
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


def test_a_user_sets_up_cancels_bakes_and_undoes(display, tmp_path):
    target = tmp_path / "seen.json"
    done = subprocess.run(
        [
            bpy.app.binary_path,
            "--factory-startup",
            "--gpu-backend",
            "opengl",
            "--enable-event-simulate",
            *("--window-geometry", "0", "0", "1600", "900"),
            *("--python", str(SESSION), "--", str(target)),
        ],
        env={**os.environ, "DISPLAY": display, "LIBGL_ALWAYS_SOFTWARE": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    seen = json.loads(target.read_text(encoding="utf-8"))
    assert seen.pop("text")
    assert seen == {
        "legs": 2,
        "cancelled": True,
        "baked": True,
        "idle": True,
        "undone": True,
        "redone": True,
    }
    console = done.stdout + done.stderr
    assert "Traceback" not in console
    assert "Error" not in console
