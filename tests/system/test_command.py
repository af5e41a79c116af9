# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""``blender --command locomotion`` with the extension installed as a user does it."""

from __future__ import annotations

import os
import subprocess

import pytest

bpy = pytest.importorskip("bpy")

if not bpy.app.binary_path:
    pytest.skip("needs a Blender binary: set BLENDER", allow_module_level=True)


def run_blender(folder, *arguments):
    """Run Blender with user files in a folder of their own."""
    return subprocess.run(
        [bpy.app.binary_path, *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "BLENDER_USER_RESOURCES": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def installed(repository, tmp_path_factory):
    """Folder of user files in which the extension is installed and enabled."""
    folder = tmp_path_factory.mktemp("user")
    build = ("build", "--source-dir", repository, "--output-dir", folder)
    done = run_blender(folder, "--factory-startup", "--command", "extension", *build)
    assert done.returncode == 0, done.stdout + done.stderr
    (archive,) = folder.glob("*.zip")
    install = ("install-file", "-r", "user_default", "-e", archive)
    done = run_blender(folder, "--command", "extension", *install)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_the_command_is_listed(installed):
    assert "locomotion" in run_blender(installed, "--command", "help").stdout


def test_exit_codes(installed):
    assert run_blender(installed, "--command", "locomotion", "--help").returncode == 0
    wrong = run_blender(installed, "--command", "locomotion", "inspect", "none.glb")
    assert wrong.returncode == 2
    assert "none.glb: does not exist" in wrong.stderr


def test_script_beside_the_installed_extension(installed, repository):
    script = repository / "semi_procedural_locomotion" / "headless" / "run.py"
    done = run_blender(installed, "-b", "--python", script, "--", "inspect", "none.glb")
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
