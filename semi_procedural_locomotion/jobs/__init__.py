# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Job files read into checked, frozen records; no Blender needed.

In: TOML text. Out: a `reading.Job`, or a `JobError` that names the key and the cure.
"""
