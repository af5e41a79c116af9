# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files on a disk that is full, in a disk of a megabyte of the test's own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

bpy = pytest.importorskip("bpy")

pytestmark = [
    pytest.mark.newest,
    pytest.mark.skipif(sys.platform != "linux", reason="mounts a disk"),
]

REPOSITORY = Path(__file__).resolve().parents[2]
# Saves a file that does not fit, where a former one stands, and tells what happens.
SCRIPT = """
import sys
from pathlib import Path
import bpy
import numpy as np
from semi_procedural_locomotion.api.opening import save_file
from semi_procedural_locomotion.errors import FileError
from semi_procedural_locomotion.headless.output import whole_file, whole_folder

disk = Path(sys.argv[1])
path = disk / "walk.blend"
path.write_bytes(b"the former one")
bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
noise = np.random.default_rng(1).random((120_000, 3))
mesh = bpy.data.meshes.new("noise")
mesh.from_pydata(noise.tolist(), [], [])
bpy.context.scene.collection.objects.link(bpy.data.objects.new("noise", mesh))


def try_to(write, name):
    try:
        write()
    except FileError as error:
        assert "partial" not in str(error), error
        print(name, "refused:", error, flush=True)
    else:
        print(name, "was written", flush=True)


def save():
    with whole_file(path) as temporary:
        save_file(temporary)


def write_text():
    with whole_file(disk / "report.json") as temporary:
        temporary.write_text("x" * 3_000_000)


def write_folder():
    with whole_folder(disk / "pages") as temporary:
        (temporary / "a.svg").write_text("x" * 3_000_000)


try_to(save, "blend")
try_to(write_text, "text")
try_to(write_folder, "folder")
assert path.read_bytes() == b"the former one"
left = sorted(item.name for item in disk.rglob("*") if "pages" not in item.name)
print("left:", left, flush=True)
"""


@pytest.fixture
def mounting(tmp_path):
    """Command that runs another with a disk of a megabyte mounted for it alone, and the disk."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = f'mount -t tmpfs -o size=1m none "{disk}" && exec "$@"'
    command = ["unshare", "--mount", "sh", "-c", mount, "sh"]
    try:
        tried = subprocess.run([*command, "true"], capture_output=True, check=False)
    except OSError:
        pytest.skip("there is no unshare")
    if tried.returncode:
        pytest.skip("disks may not be mounted here")
    return command, disk


def test_a_full_disk_keeps_the_former_file(mounting, tmp_path):
    command, disk = mounting
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [*command, sys.executable, str(script), str(disk)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    lines = [line for line in done.stdout.splitlines() if ":" in line or "was written" in line]
    told = [line for line in lines if line.startswith(("blend", "text", "folder", "left"))]
    assert [line.split(":")[0] for line in told] == [
        "blend refused",
        "text refused",
        "folder refused",
        "left",
    ], done.stderr
    assert told[3] == "left: ['walk.blend']"
    assert str(disk / "walk.blend") in told[0]
