# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo: the project's own characters, courses, stage and contact sheet.

Lies above `api` and uses it like any other program; no other layer but the command line needs it.
"""
