# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What may be asked for, defined once for scripts, jobs, operators, panels and pages; no Blender.

In: values that somebody gives. Out: frozen records that are in range, or a `SettingError` that names
the setting, its range and its unit. `settings` is the table of all settings, `values` checks.
"""
