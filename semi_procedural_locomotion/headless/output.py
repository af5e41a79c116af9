# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where text and files go: data on stdout, all else on stderr, files whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from ..errors import FileError, JobError

_STDOUT = 1
_STDERR = 2


@contextlib.contextmanager
def stdout_kept_for_data() -> Iterator[Callable[[str], None]]:
    """Point file descriptor 1 to stderr and yield a writer to the real stdout.

    Blender and its importers print on stdout below Python; meanwhile all of it lands on stderr.
    """
    stdout = sys.stdout
    stdout.flush()
    kept = os.dup(_STDOUT)
    os.dup2(_STDERR, _STDOUT)
    try:
        # Python's own stream may be another one than file descriptor 1
        with contextlib.redirect_stdout(sys.stderr):
            yield lambda text: _write_all(kept, text)
    finally:
        stdout.flush()
        os.dup2(kept, _STDOUT)
        os.close(kept)


def silence_stdout() -> None:
    """Point file descriptor 1 to stderr for good, for what Blender prints when it quits."""
    sys.stdout.flush()
    os.dup2(_STDERR, _STDOUT)


def write_progress(fraction: float, text: str) -> None:
    """Write one progress line to stderr.

    Parameters
    ----------
    fraction
        Share of the work that is done, 0 to 1.
    text
        What is being done now.
    """
    sys.stderr.write(f"progress: {min(max(fraction, 0.0), 1.0):.2f} {text}\n")
    sys.stderr.flush()


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside ``path`` that takes its place when the block succeeds.

    The temporary name keeps the suffix, and the folder, so that relative paths in a file stay
    right. When the block fails nothing is left behind.

    Raises
    ------
    FileError
        The folder cannot be made or written to.
    """
    temporary = name_partial(path, os.getpid())
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.touch()
        temporary.unlink()
    except OSError as error:
        raise FileError(f"{path}: cannot be written ({error.strerror}); choose another") from error
    try:
        yield temporary
        try:
            temporary.replace(path)
        except OSError as error:
            raise FileError(f"{path}: was not written ({error.strerror})") from error
    finally:
        temporary.unlink(missing_ok=True)


def refuse_inputs(outputs: Sequence[Path | None], inputs: Sequence[Path]) -> None:
    """Refuse to write over files that are read.

    Parameters
    ----------
    outputs
        Files to write; None stands for none.
    inputs
        Files to read.

    Raises
    ------
    JobError
        An output is an input, by whatever name.
    """
    for output in outputs:
        if output is None or not output.exists():
            continue
        if any(path.exists() and output.samefile(path) for path in inputs):
            raise JobError(f"{output}: is read here and not written over; name another output")


def name_partial(path: Path, process: int) -> Path:
    """Name of the temporary file of ``path`` while a process writes it."""
    return path.with_name(f".{path.stem}.partial-{process}{path.suffix}")


@contextlib.contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder whose files move into ``folder`` when the block succeeds.

    Files of the same names are replaced, others stay. When the block fails nothing is left behind.

    Raises
    ------
    FileError
        The folder cannot be made or written to.
    """
    temporary = folder.with_name(f".{folder.name}.partial-{os.getpid()}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        temporary.mkdir()
    except OSError as error:
        raise FileError(
            f"{folder}: cannot be written ({error.strerror}); choose another"
        ) from error
    try:
        yield temporary
        try:
            for file in sorted(temporary.iterdir()):
                file.replace(folder / file.name)
        except OSError as error:
            raise FileError(f"{folder}: was not written ({error.strerror})") from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def text_from_data(data: Mapping[str, object]) -> str:
    """Format data as JSON text that ends with a line break; NaN is refused with ValueError."""
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _write_all(descriptor: int, text: str) -> None:
    """Write a text to a file descriptor, however many calls it takes."""
    rest = memoryview(text.encode("utf-8"))
    while rest:
        rest = rest[os.write(descriptor, rest) :]
