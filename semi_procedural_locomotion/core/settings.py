# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The choices that a plan is made by; `requests.plans` describes them."""

from __future__ import annotations

from ..requests.plans import PlanSettings

__all__ = ["PlanSettings"]
