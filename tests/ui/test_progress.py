# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that work in steps."""

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.ui.progress import SteppedOperator

pytestmark = pytest.mark.newest


def test_leaving_a_dialog_before_the_work_began_ends_nothing():
    operator = SteppedOperator()
    operator.cancel(bpy.context)
    assert operator._steps is None
