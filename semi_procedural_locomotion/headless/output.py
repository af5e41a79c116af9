# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where text and files go: data on stdout, all else on stderr, files whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path

from ..errors import FileError, JobError, escape_signs

_STDIN, _STDOUT, _STDERR = 0, 1, 2
# Bytes of a file's name that all usual file systems take, less the sign that Blender adds while it saves.
_LONGEST_NAME = 254
# What says that a disk has no room, or is not to be written to; Windows lacks some of the names.
_DISK_ERRORS = {
    getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG", "EROFS") if hasattr(errno, name)
}
# Temporary files and folders of this process.
_unfinished: set[Path] = set()


def open_streams() -> None:
    """Give the program stdin, stdout and stderr that lead nowhere where it was started without them.

    The next file that is opened would else take their number, and get what Blender prints.
    """
    for number, mode in ((_STDIN, os.O_RDONLY), (_STDOUT, os.O_RDONLY), (_STDERR, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            # Of a stdout that is closed nobody shall think that it was written.
            nowhere = os.open(os.devnull, mode)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
    for name, number in (("stdout", _STDOUT), ("stderr", _STDERR)):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w", encoding="utf-8", closefd=False))  # noqa: SIM115


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
    # Nobody who stops to listen stops the work.
    with contextlib.suppress(OSError):
        write_line(f"progress: {min(max(fraction, 0.0), 1.0):.2f} {text}")
        sys.stderr.flush()


def write_line(text: str) -> None:
    """Write a line to stderr, without what would steer a terminal."""
    sys.stderr.write(f"{escape_signs(text)}\n")


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside ``path`` that takes its place when the block succeeds.

    The temporary name keeps the suffix, and the folder, so that relative paths in a file stay
    right. It is on the disk before it takes the place of a former file. When the block fails nothing is
    left behind. A former file's mode is kept.

    Raises FileError: the folder cannot be made or written to, or is full, or the former file is
    read-only.
    """
    temporary = name_partial(path, os.getpid())
    mode = _find_mode(path)
    with _told_as(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            path.lstat()
        temporary.touch()
        temporary.unlink()
    _unfinished.add(temporary)
    try:
        with _named_as(temporary, path):
            yield temporary
            _flush(temporary)
            if mode is not None:
                temporary.chmod(mode)
            temporary.replace(path)
            _flush_folder(path.parent)
    finally:
        _remove(temporary)


@contextlib.contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder whose files move into ``folder`` when the block succeeds.

    Files of the same names are replaced, others stay. When the block fails nothing is left behind.

    Raises FileError: the folder cannot be made or written to, or is full, or a file of such a name
    is read-only.
    """
    temporary = name_partial(folder, os.getpid())
    _find_mode(folder)
    with _told_as(folder):
        folder.mkdir(parents=True, exist_ok=True)
        temporary.mkdir()
    _unfinished.add(temporary)
    try:
        with _named_as(temporary, folder):
            yield temporary
            files = sorted(temporary.iterdir())
            modes = [_find_mode(folder / file.name) for file in files]
            for file, mode in zip(files, modes, strict=True):
                _flush(file)
                if mode is not None:
                    file.chmod(mode)
            for file in files:
                file.replace(folder / file.name)
            _flush_folder(folder)
    finally:
        _remove(temporary)


def _find_mode(path: Path) -> int | None:
    """Mode of a file or folder that is there; None where none is, FileError where it is read-only."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return None
    if not mode & 0o222 or not os.access(path, os.W_OK):
        raise FileError(f"{path}: is read-only; allow writing, or choose another")
    return stat.S_IMODE(mode)


def name_partial(path: Path, process: int) -> Path:
    """Name of the temporary file of ``path`` while a process writes it; as long as a name may be."""
    ending = f".partial-{process}{path.suffix}"
    stem = path.stem.encode()[: _LONGEST_NAME - len(ending.encode()) - 1]
    return path.with_name(f".{stem.decode(errors='ignore')}{ending}")


def remove_unfinished() -> None:
    """Remove all that is half written, for a process that ends at once."""
    for path in list(_unfinished):
        _remove(path)


class OutputKind(Enum):
    """What a run writes to files: the option that names each, and the endings that their names may have.

    A file with another ending is something else, which is not to be replaced.
    """

    SCENE = ("-o", (".blend",))
    JOB_SCENE = ("output", (".blend",))
    REPORT = ("--report", (".json",))
    MANIFEST = ("--manifest", (".jsonl", ".json"))
    FINDINGS = ("-o", (".txt",))
    FINDINGS_AS_JSON = ("-o", (".json",))

    def __init__(self, option: str, endings: tuple[str, ...]) -> None:
        self.option, self.endings = option, endings


Output = tuple[OutputKind, Path | None]


def refuse_outputs(outputs: Sequence[Output], inputs: Sequence[Path]) -> None:
    """Refuse outputs that would take the place of a file that is read, of each other or of another kind.

    Raises JobError: an output is an input or another output, by whatever name, or a folder, or its
    name does not end as that of its kind.

    Parameters
    ----------
    outputs
        Kind and name of the files to write; None stands for none.
    """
    written: list[Path] = []
    for _kind, output in outputs:
        if output is None:
            continue
        if any(_are_same(output, path) for path in inputs):
            raise JobError(f"{output}: is read here and not written over; name another output")
        if any(_are_same(output, path) for path in written):
            raise JobError(f"{output}: is written twice here; name another output for one of them")
        if _is_folder(output):
            raise JobError(f"{output}: is a folder; name a file in it")
        written.append(output)
    for kind, output in outputs:
        if output is not None and output.suffix.lower() not in kind.endings:
            endings = " or ".join(kind.endings)
            raise JobError(f"{output}: {kind.option} names a file that must end in {endings}")


def _are_same(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, also where that is not there yet."""
    try:
        return one.samefile(other)
    except OSError:
        paths = (os.path.normcase(os.path.realpath(path)) for path in (one, other))
        return next(paths) == next(paths)


def _is_folder(path: Path) -> bool:
    """Whether a path leads to a folder; a name that is too long for the disk does not."""
    try:
        return path.is_dir()
    except OSError:
        return False


@contextlib.contextmanager
def _told_as(path: Path) -> Iterator[None]:
    """Tell what the disk does not let happen as a FileError about a path."""
    try:
        yield
    except OSError as error:
        raise FileError(f"{path}: cannot be written ({error.strerror}); choose another") from error


@contextlib.contextmanager
def _named_as(temporary: Path, path: Path) -> Iterator[None]:
    """Tell what goes wrong about a temporary file with the name that a user knows."""
    try:
        yield
    except FileError as error:
        raise FileError(str(error).replace(str(temporary), str(path))) from error
    except OSError as error:
        if error.errno in _DISK_ERRORS:
            cure = "make room, or choose another"
            raise FileError(f"{path}: was not written ({error.strerror}); {cure}") from error
        if str(temporary) not in (error.filename, str(error.filename)):
            raise
        raise FileError(f"{path}: was not written ({error.strerror})") from error


def _flush(path: Path) -> None:
    """Have a file on its disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _flush_folder(folder: Path) -> None:
    """Have the names of a folder on its disk, where the system can do so."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some network disks refuse it for folders; the file itself is there.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def _remove(path: Path) -> None:
    """Remove a temporary file or folder."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
    _unfinished.discard(path)


def text_from_data(data: Mapping[str, object]) -> str:
    """Format data as JSON text that ends with a line break; NaN is refused with ValueError.

    Names that are no text, as those of files on some disks, are told with signs for what they have
    instead.
    """
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return text.encode(errors="backslashreplace").decode()


def _write_all(descriptor: int, text: str) -> None:
    """Write a text to a file descriptor, however many calls it takes."""
    rest = memoryview(escape_signs(text).encode(errors="backslashreplace"))
    while rest:
        try:
            rest = rest[os.write(descriptor, rest) :]
        except BrokenPipeError as error:
            raise FileError("stdout was closed before all was written") from error
        except OSError as error:
            raise FileError(f"stdout cannot be written ({error.strerror})") from error
