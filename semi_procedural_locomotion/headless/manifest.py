# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The manifest of a batch: a JSON object per line and unit, written anew, whole, whenever a unit ends."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..blender.files.blends import is_whole
from ..errors import JobError
from .output import whole_file
from .units import DONE, FAILED, Outcome, Unit, hash_file


def read_manifest(path: Path) -> dict[str, Mapping[str, Any]]:
    """Lines of a manifest by unit; none where there is no file.

    Raises
    ------
    JobError
        The file is no manifest.
    """
    if not path.exists():
        return {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        entries = [json.loads(line) for line in lines if line.strip()]
        return {str(entry["unit"]): entry for entry in entries}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise JobError(
            f"{path}: is no manifest of a batch; name another, or run without --resume"
        ) from error


def write_manifest(
    path: Path, outcomes: Sequence[Outcome], others: Sequence[Mapping[str, Any]] = ()
) -> None:
    """Write the manifest whole.

    Parameters
    ----------
    path
        The file.
    outcomes
        Units of this run.
    others
        Lines of an earlier run about units that are not in this one; they follow.

    Raises
    ------
    FileError
        It cannot be written.
    """
    lines = [*(outcome.as_dict() for outcome in outcomes), *others]
    text = "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines)
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace")


def find_outcome(unit: Unit, kept: Mapping[str, Any] | None) -> Outcome:
    """How a unit stands before anything runs: failed already, done before, or waiting.

    Parameters
    ----------
    unit
        The unit.
    kept
        Its line in the manifest of an earlier run; None without any. It is done where nothing that
        it was made from has changed, and its output is there as it was written.
    """
    if unit.error:
        return Outcome(unit, FAILED, error=unit.error)
    if kept is None or unit.output is None:
        return Outcome(unit)
    try:
        files: Mapping[str, str] = kept.get("files") or {}
        made = str(kept["made"])
        same = (
            kept.get("state") == DONE
            and kept.get("inputs") == unit.inputs
            and kept.get("output") == str(unit.output)
            and is_whole(unit.output)
            and _is_unchanged(str(unit.output), made)
            and all(_is_unchanged(name, digest) for name, digest in files.items())
        )
        if not same:
            return Outcome(unit)
        log = Path(kept["log"]) if kept.get("log") else None
        return Outcome(
            unit,
            DONE,
            float(kept["seconds"]),
            kept["numbers"],
            files,
            made,
            attempts=int(kept.get("attempts", 1)),
            log=log,
            kept=True,
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        # A line that was changed by hand tells nothing.
        return Outcome(unit)


def _is_unchanged(name: str, digest: str) -> bool:
    """Whether a file is there and has its former content."""
    try:
        return hash_file(Path(name)) == digest
    except OSError:
        return False
