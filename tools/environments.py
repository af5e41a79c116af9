# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Virtual environments under .venvs/, and the system libraries that the bpy wheels load."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
ENVIRONMENTS = REPOSITORY / ".venvs"
REQUIREMENTS = REPOSITORY / "tools" / "requirements"
# One is unpacked while the next is downloaded.
ENVIRONMENTS_AT_ONCE = 2

# Blender's oldest supported release, the long-term release after it, and the newest for each
# Python that has several wheels; other Pythons get the newest that pip offers for them.
BPY_VERSIONS = {(3, 11): ("4.2.23", "4.5.15", "5.0.1")}
# Wheels of these Pythons contain modules that were built for numpy 1.
NUMPY_1_PYTHONS = ((3, 11),)

# What the wheels load from the system, as ldd shows it, and the Debian packages with it.
SYSTEM_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libICE.so.6": "libice6",
    "libSM.so.6": "libsm6",
    "libX11.so.6": "libx11-6",
    "libXext.so.6": "libxext6",
    "libXfixes.so.3": "libxfixes3",
    "libXi.so.6": "libxi6",
    "libXrender.so.1": "libxrender1",
    "libXxf86vm.so.1": "libxxf86vm1",
    "libgomp.so.1": "libgomp1",
    "libxkbcommon.so.0": "libxkbcommon0",
}


class SetupError(Exception):
    """Something is missing that only the user can bring; the message says what."""


@dataclass(frozen=True)
class Environment:
    """A virtual environment.

    Attributes
    ----------
    requirements
        Arguments of ``pip install``.
    """

    name: str
    requirements: tuple[str, ...]

    @property
    def folder(self) -> Path:
        """Folder of the environment."""
        return ENVIRONMENTS / self.name

    @property
    def python(self) -> Path:
        """Its Python."""
        return self.folder / "bin" / "python"

    def program(self, name: str) -> str:
        """Path of a program that is installed in it."""
        return str(self.folder / "bin" / name)


def bpy_versions() -> tuple[str, ...]:
    """Versions of the bpy wheel to use with this Python; an empty text stands for the newest."""
    return BPY_VERSIONS.get(sys.version_info[:2], ("",))


def environment_with_bpy(version: str) -> Environment:
    """Environment of one bpy wheel, with what the tests need."""
    wheel = f"bpy=={version}" if version else "bpy"
    return Environment(
        f"bpy-{version or 'newest'}", (wheel, *_numpy(), *_file_requirements("tests"))
    )


def environment_without_bpy() -> Environment:
    """Environment of the checks and of the tests that need no Blender."""
    return Environment(
        "core", ("numpy", *_numpy(), *_file_requirements("tests"), *_file_requirements("checks"))
    )


def environment_for_blender() -> Environment:
    """Environment that starts the tests inside a Blender."""
    return Environment("blender", _file_requirements("blender"))


def make_environment(environment: Environment) -> None:
    """Make an environment, unless it is there with the same requirements.

    Raises SetupError: pip could not install the requirements.
    """
    stamp = environment.folder / ".complete"
    wanted = "\n".join((sys.version, *environment.requirements)) + "\n"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    say(f"making .venvs/{environment.name} ({', '.join(environment.requirements)})")
    shutil.rmtree(environment.folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", str(environment.folder)], check=True)
    pip = [str(environment.python), "-m", "pip", "install", "--quiet"]
    # Few of a wheel's modules are ever imported, and those are compiled then.
    pip += ["--disable-pip-version-check", "--retries", "5", "--no-compile"]
    if subprocess.run([*pip, *environment.requirements], check=False).returncode:
        shutil.rmtree(environment.folder, ignore_errors=True)
        raise SetupError(
            f"pip could not install {', '.join(environment.requirements)} for Python"
            f" {sys.version_info[0]}.{sys.version_info[1]}; there are bpy wheels for Python 3.11"
            " and 3.13: install one of these and name it in SPL_PYTHON"
        )
    stamp.write_text(wanted, encoding="utf-8")


def make_bpy_environments(versions: Sequence[str]) -> list[Environment]:
    """Make the environments of bpy wheels and see that they can be imported.

    Raises SetupError: system libraries are missing and cannot be installed, or a wheel does not load.
    """
    ensure_system_libraries()
    environments = [environment_with_bpy(version) for version in versions]
    with ThreadPoolExecutor(ENVIRONMENTS_AT_ONCE) as pool:
        list(pool.map(_make_bpy_environment, environments))
    return environments


def _make_bpy_environment(environment: Environment) -> None:
    """Make the environment of a bpy wheel and see that it can be imported."""
    make_environment(environment)
    loads = environment.folder / ".loads"
    if not loads.is_file():
        result = run_quietly([str(environment.python), "-c", "import bpy"])
        if result.returncode:
            last = result.stderr.strip().splitlines()[-1:] or ["no message"]
            raise SetupError(f"the bpy wheel in .venvs/{environment.name}: {last[0]}")
        loads.touch()


def ensure_system_libraries() -> None:
    """Install missing libraries with apt-get where this is allowed.

    Raises SetupError: some are missing and this is not root, or there is no apt-get.
    """
    missing = [package for name, package in SYSTEM_LIBRARIES.items() if not _can_load(name)]
    if not missing:
        return
    apt_get = shutil.which("apt-get")
    if os.geteuid() != 0 or apt_get is None:
        raise SetupError(
            "Blender needs system libraries that are missing; install them as root:"
            f" apt-get install {' '.join(missing)}"
        )
    say(f"installing {' '.join(missing)}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(
        [apt_get, "update", "-qq"], check=True, env=environment, stdout=subprocess.DEVNULL
    )
    subprocess.run(
        [apt_get, "install", "-y", "-qq", "--no-install-recommends", *missing],
        check=True,
        env=environment,
        stdout=subprocess.DEVNULL,
    )


def extension_builder(environment: Environment) -> tuple[Path, Path]:
    """Script that builds and validates extensions, and the list of valid tags, of a wheel.

    Raises SetupError: the wheel has none.
    """
    for script in sorted(environment.folder.glob("lib/python*/site-packages/bpy/*/scripts")):
        builder = script / "addons_core" / "bl_pkg" / "cli" / "blender_ext.py"
        tags = script / "modules" / "_bpy_internal" / "extensions" / "tags.py"
        if builder.is_file() and tags.is_file():
            return builder, tags
    raise SetupError(f"the bpy wheel in .venvs/{environment.name} has no extension builder")


def run_quietly(
    command: Sequence[str], environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command in the repository without input and catch what it prints."""
    return subprocess.run(
        command,
        cwd=REPOSITORY,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def say(text: str) -> None:
    """Tell the user what goes on."""
    print(f"tools/run: {text}", file=sys.stderr, flush=True)


def _numpy() -> tuple[str, ...]:
    """Limit of numpy for this Python."""
    return ("numpy<2",) if sys.version_info[:2] in NUMPY_1_PYTHONS else ()


def _file_requirements(name: str) -> tuple[str, ...]:
    """Requirements of a file, without its comments."""
    lines = (REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


def _can_load(library: str) -> bool:
    """Whether the system has a shared library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    # For package managers: names of the packages with the system libraries.
    print(*SYSTEM_LIBRARIES.values())
