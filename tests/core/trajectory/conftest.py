# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans of these tests pose body and feet as one problem."""

import pytest

from semi_procedural_locomotion.core import plan


@pytest.fixture(autouse=True)
def one_problem(monkeypatch):
    """Stages that are not the default yet."""
    monkeypatch.setattr(plan, "STAGES", plan.ONE_PROBLEM_STAGES)
