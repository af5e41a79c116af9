# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of settings is the one that is made from the table."""

import subprocess
import sys

from tools.settings_page import PARTS


def test_the_page_is_that_of_the_table(repository):
    page = (repository / "docs" / "settings.md").read_text("utf-8")
    script = (
        "import sys; sys.path.append('tools'); import settings_page as s; print(s.write_page())"
    )
    made = subprocess.run(
        [sys.executable, "-c", script],
        cwd=repository,
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout
    assert made == f"{page}\n", "run tools/settings_page.py"
    rows = page.count("\n| `")
    assert rows == sum(len(part.settings) for part in PARTS)
