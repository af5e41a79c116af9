# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A trial of the program on every character file of a folder; docs/compatibility.md has its use.

``running`` starts a process for each file, ``trial`` is what that process does, ``verdicts`` judges what
it wrote, ``pages`` shows it. ``zoo`` makes files to try.
"""
