# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m semi_procedural_locomotion VERB`` with the bpy wheel."""

from __future__ import annotations

import sys

from .headless.cli import main

sys.exit(main(sys.argv[1:]))
