# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Subjects of commits are short."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.fixture(scope="module")
def checker(repository):
    """Import the check, which lies in no package."""
    sys.path.insert(0, str(repository / "tools"))
    import commit_subjects

    yield commit_subjects
    sys.path.remove(str(repository / "tools"))


def test_only_short_subjects_pass(checker):
    assert checker.find_faults(["x" * 72, "Feet stand still"]) == []
    (fault,) = checker.find_faults(["x" * 73])
    assert fault.startswith("73 letters, 72 at the most")
    assert checker.find_faults(["Feet stand still."]) != []
    assert checker.find_faults([" "]) == ["a commit needs a subject"]


def test_what_git_words_itself_passes(checker):
    assert checker.find_faults([f"Merge {'x' * 90}", f"fixup! {'x' * 90}"]) == []


def run(repository, *arguments, folder=None):
    script = repository / "tools" / "commit_subjects.py"
    return subprocess.run(
        [sys.executable, str(script), *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_message_in_a_file(repository, tmp_path):
    message = tmp_path / "COMMIT_EDITMSG"
    message.write_text(f"# a comment\n\nFeet stand still\n\n{'x' * 200}\n", encoding="utf-8")
    assert run(repository, message).returncode == 0
    message.write_text("x" * 80, encoding="utf-8")
    done = run(repository, message)
    assert done.returncode == 1
    assert "80 letters" in done.stderr
    assert run(repository).returncode == 2


def test_range_of_commits(repository, tmp_path):
    def git(*arguments):
        start = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]
        subprocess.run([*start, *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q")
    for subject in ("First", "Feet stand still", "y" * 75):
        git("commit", "-q", "--allow-empty", "-m", subject)
    assert run(repository, "HEAD~2..HEAD~1", folder=tmp_path).returncode == 0
    assert run(repository, "HEAD~2..HEAD", folder=tmp_path).returncode == 1
