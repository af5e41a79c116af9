# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether subjects of commits are short enough to be read in one line.

``python tools/commit_subjects.py FILE`` looks at a message that git is about to take, and
``python tools/commit_subjects.py FIRST..LAST`` at all commits of a range but merges.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

LONGEST = 72
# What git words itself, or takes away again.
_OWN = ("Merge ", "Revert ", "fixup! ", "squash! ", "amend! ")


def find_faults(subjects: Iterable[str]) -> list[str]:
    """Why subjects are not taken, in words; empty where all are."""
    faults = []
    for subject in subjects:
        if subject.startswith(_OWN):
            continue
        if not subject.strip():
            faults.append("a commit needs a subject")
        elif len(subject) > LONGEST:
            faults.append(f"{len(subject)} letters, {LONGEST} at the most: {subject}")
        elif subject.endswith("."):
            faults.append(f"a subject ends without a full stop: {subject}")
    return faults


def read_message(path: Path) -> str:
    """Subject of a message in a file: its first line that is no comment of git's."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((line for line in lines if line.strip() and not line.startswith("#")), "")


def list_subjects(commits: str) -> list[str]:
    """Subjects of a range of commits, merges left out."""
    done = subprocess.run(
        ["git", "log", "--no-merges", "--format=%s", commits],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def main() -> int:
    """Check what the command line names and return the exit code."""
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    named = sys.argv[1]
    subjects = list_subjects(named) if ".." in Path(named).name else [read_message(Path(named))]
    faults = find_faults(subjects)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
