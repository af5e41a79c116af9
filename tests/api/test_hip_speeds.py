# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hips of a bake go as their clip's do, by bones as Blender shows them."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.hip_speeds import CLIPS, measure_clip

pytestmark = pytest.mark.newest


# Feet of both slide together by a half of the speed.
@pytest.mark.parametrize("name", ["Fox", "Wolf"])
def test_hips_keep_the_speed_and_the_jerk_of_their_clip(data_folder, name):
    file, action = CLIPS[name]
    clip, bake = measure_clip(data_folder / file, action)
    assert np.ptp(clip.speeds) > 0.05
    beyond = np.abs(bake.speeds - 1.0).max() - np.abs(clip.speeds - 1.0).max()
    assert beyond < 0.1
    assert bake.jerk < 1.25 * clip.jerk
