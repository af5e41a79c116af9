# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Second stage of a plan: where every foot stands.

In: a time plan and ground. Out: footprints for each leg, on footholds with support and with room for
neighbouring feet, and the step that each leg is in at any time (numpy only).
"""
