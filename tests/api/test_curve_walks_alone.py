# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which walk leads a character that only knows walks that turn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("bpy")

from semi_procedural_locomotion.core.motions.analysis import analyze_clip
from semi_procedural_locomotion.core.motions.plainness import find_plain_walk
from tests.core.synthetic import Recipe
from tests.core.synthetic_clips import make_clip, make_rig
from tests.core.walkers import make_set

WALK = Recipe(speed=1.2)


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
def test_a_walk_on_a_curve_leads_before_a_turn_on_the_spot(scale):
    rig = make_rig(replace(WALK, scale=scale))
    recipe = replace(WALK, scale=scale, turn_rate=0.5)
    curve = analyze_clip(make_clip(recipe, travelling=True)[0], rig)
    spot = replace(curve, velocity=np.array([0.0, 0.05 * scale]), turn_rate=1.5)
    assert find_plain_walk(make_set([spot, curve]).motions, rig) == 1
    straight = replace(curve, turn_rate=0.0, velocity=3.0 * curve.velocity)
    assert find_plain_walk(make_set([curve, spot, straight]).motions, rig) == 2
    assert find_plain_walk(make_set([spot]).motions, rig) == 0
