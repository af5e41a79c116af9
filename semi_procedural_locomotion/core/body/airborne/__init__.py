# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies in the air (numpy only).

In goes when all feet are off the ground. Out come the steps of the legs then, and a body that crouches,
flies as gravity has it, and gives way where it lands.
"""
