# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Other motion over a walk: clips on some bones come in, poses with them come out (numpy only)."""
