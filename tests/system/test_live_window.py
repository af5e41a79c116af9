# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Live and the overlay in a real window on a screen of its own."""

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

SESSION = Path(__file__).with_name("live_session.py")
# Seconds until a session that hangs is ended.
LIMIT = 300
DISPLAYS = range(2000, 4000)


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


def test_a_walk_is_shown_live_and_follows_changes(display, tmp_path):
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
    assert json.loads(target.read_text(encoding="utf-8")) == {
        "moves": True,
        "plans while playing": 0,
        "plans after a setting": 1,
        "ground followed": -1.0,
        "undo followed": 0.0,
        "given back": True,
        "watched": 0,
    }
    console = done.stdout + done.stderr
    assert "Traceback" not in console
    assert "Error" not in console
