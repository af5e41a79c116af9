# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A process for each file: what crashes or hangs ends its own trial alone (standard library only)."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SUFFIXES = (".blend", ".glb", ".gltf", ".fbx", ".bvh")
_ROOT = Path(__file__).resolve().parents[2]
# Lines of what a process said that are kept where it failed.
_LINES = 12


@dataclass(frozen=True)
class RunOptions:
    """How files are tried.

    Attributes
    ----------
    output
        Folder of the results; what is known of each file is in its ``files``.
    python
        Program that has bpy.
    jobs
        How many at the same time.
    timeout
        Seconds for one file.
    resume
        Whether files are left out that were tried to the end and have not changed since.
    has_pictures
        Whether pictures are drawn.
    """

    output: Path
    python: str
    grounds: Sequence[str]
    jobs: int = 1
    timeout: float = 300.0
    resume: bool = False
    has_pictures: bool = True


def find_files(folder: Path, only: Sequence[str] = ()) -> list[Path]:
    """Character files of a folder and those below it; with some of these parts in their paths."""
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() in SUFFIXES and path.is_file()
    ]
    names = {path: path.relative_to(folder).as_posix().lower() for path in files}
    return [p for p in files if not only or any(part.lower() in names[p] for part in only)]


def run_trials(
    folder: Path, files: Sequence[Path], options: RunOptions, tell: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Try files and return what is known of each, in their order."""
    (options.output / "files").mkdir(parents=True, exist_ok=True)

    def run(file: Path) -> dict[str, Any]:
        found = _run_trial(folder, file, options)
        tell(f"{found['path']}: {found['seconds']:.0f} s")
        return found

    with ThreadPoolExecutor(max_workers=options.jobs) as pool:
        return list(pool.map(run, files))


def read_trials(output: Path) -> Iterator[dict[str, Any]]:
    """What is known of all files that were tried into a folder."""
    for path in sorted((output / "files").glob("*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        if "path" in found:
            yield found


def _run_trial(folder: Path, file: Path, options: RunOptions) -> dict[str, Any]:
    """Try one file, or take what was found before."""
    name = file.relative_to(folder).as_posix()
    result = options.output / "files" / f"{re.sub(r'[^A-Za-z0-9.-]+', '_', name)}.json"
    state = file.stat()
    stamp = [state.st_size, state.st_mtime_ns, sorted(options.grounds), options.has_pictures]
    if options.resume and result.is_file():
        known = json.loads(result.read_text(encoding="utf-8"))
        if known.get("stamp") == stamp and known.get("step") == "done":
            return known
    result.unlink(missing_ok=True)
    command = [options.python, "-m", "tools.compatibility.trial", str(file), str(result)]
    command += ["--grounds", ",".join(options.grounds)]
    command += [] if options.has_pictures else ["--no-pictures"]
    start = time.monotonic()
    ending, said = _run_process(command, options.timeout)
    found = json.loads(result.read_text(encoding="utf-8")) if result.is_file() else {}
    found.update(path=name, stamp=stamp, seconds=round(time.monotonic() - start, 2))
    if found.get("step") != "done":
        step = found.get("step", "start")
        found["crash"] = f"{ending} in step '{step}'"
        found["said"] = said.splitlines()[-_LINES:]
    result.write_text(json.dumps(found, indent=1), encoding="utf-8")
    return found


def _run_process(command: Sequence[str], timeout: float) -> tuple[str, str]:
    """How a process ended, in words, and what it said; what it started ends with it."""
    process = subprocess.Popen(
        command,
        cwd=_ROOT,
        env=find_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said, _ = process.communicate()
        return f"not ready after {timeout:g} s", said
    code = process.returncode
    if code < 0:
        return f"crashed with {signal.Signals(-code).name}", said
    return f"ended with code {code}", said


def find_environment() -> dict[str, str]:
    """Variables of a process that finds the program and its tools."""
    paths = [str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def find_python() -> str:
    """The newest program in .venvs that has bpy, else the one that runs this."""
    found = sorted((_ROOT / ".venvs").glob("bpy-*/bin/python"), key=_read_version)
    return str(found[-1]) if found else sys.executable


def _read_version(python: Path) -> list[int]:
    return [int(n) for n in re.findall(r"\d+", python.parents[1].name)]
