# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a drive changes in a file: a stand-in that is shown meanwhile, and the travel that it leaves."""
