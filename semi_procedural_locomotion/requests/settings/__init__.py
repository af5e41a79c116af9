# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of settings: names, defaults, ranges, units, labels and what each does.

`PlanSettings`, `BakeOptions`, `GaitStyle`, the properties of Blender, the keys of jobs, the properties
of operators, the presets and the page `docs/settings.md` are made from it. Ranges are hard: a value
outside of one is refused. They are wide where a wide value does no harm; panels have the ends of
their sliders within them. `kinds` has the check, `table` all parts in one.
"""
