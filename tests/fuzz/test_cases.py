# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A short run of the fuzz without Blender, the same each time; `tools/run fuzz` goes on from here."""

from __future__ import annotations

import pytest

pytest.importorskip("hypothesis")

from hypothesis import HealthCheck, Phase, given, settings

from tests.fuzz import checks, strategies

SHORT = {
    "deadline": None,
    "derandomize": True,
    "database": None,
    "phases": (Phase.explicit, Phase.generate),
    "suppress_health_check": list(HealthCheck),
}


@settings(max_examples=4, **SHORT)
@given(strategies.walks())
def test_walks(case):
    checks.check_walk(case)


@settings(max_examples=25, **SHORT)
@given(strategies.clips())
def test_clips(case):
    checks.check_clip(case)


@settings(max_examples=25, **SHORT)
@given(strategies.bodies())
def test_bodies(case):
    checks.check_body(case)


@settings(max_examples=150, **SHORT)
@given(strategies.jobs())
def test_jobs(case):
    checks.check_job(case)
