# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of curves beside a range of frames."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.values.key_tables import read_key_table
from semi_procedural_locomotion.core.keys.tables import cut_off, keep_outside

FIRST, LAST = 20.0, 30.0


def make_curve(frames):
    """A curve with keys at some frames."""
    item = bpy.data.objects.new("Keyed", None)
    _, bag = versions.ensure_channelbag(bpy.data.actions.new("Keyed"), item)
    curve = bag.fcurves.new("location", index=0)
    curve.keyframe_points.add(len(frames))
    pairs = np.stack([frames, np.sin(frames)], axis=1)
    curve.keyframe_points.foreach_set("co", pairs.astype(np.float32).ravel())
    curve.update()
    return curve


@pytest.mark.parametrize(("before", "after"), [(0, 0), (2, 1), (9, 0), (0, 9), (12, 15)])
@pytest.mark.parametrize("inside", [0, 11])
def test_keys_outside_of_a_range_are_found(before, after, inside):
    # Keys on the ends of the range are in it.
    frames = [*(FIRST - before + np.arange(before)), *(FIRST + np.arange(inside))]
    frames += [*(LAST + 0.5 + np.arange(after))]
    curve = make_curve(np.array(frames))
    outside = [f for f in frames if not FIRST <= f <= LAST]
    table = read_key_table(curve)
    assert keep_outside(table, (FIRST, LAST)).frames.tolist() == outside
    left, right = cut_off(table, FIRST, LAST)
    assert [*left.frames.tolist(), *right.frames.tolist()] == outside
