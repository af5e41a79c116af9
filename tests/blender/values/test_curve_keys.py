# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of curves beside a range of frames, read from both ends or all at once."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.values.key_tables import (
    cut_off,
    read_key_table,
    read_points_outside,
    sign_keys_outside,
)

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


@pytest.mark.parametrize(
    ("before", "after"), [(0, 0), (2, 1), (8, 0), (9, 0), (0, 8), (0, 9), (5, 4), (12, 15)]
)
@pytest.mark.parametrize("inside", [0, 11])
def test_keys_outside_of_a_range_are_found_whether_few_or_many(before, after, inside):
    # Keys on the ends of the range are in it.
    frames = [*(FIRST - before + np.arange(before)), *(FIRST + np.arange(inside))]
    frames += [*(LAST + 0.5 + np.arange(after))]
    curve = make_curve(np.array(frames))
    outside = [f for f in frames if not FIRST <= f <= LAST]
    found = read_points_outside(curve, (FIRST, LAST))
    assert found.dtype == np.float32
    assert found[:, 0].tolist() == outside
    # Two ranges are read all at once, whatever lies beside them.
    assert np.array_equal(found, read_points_outside(curve, (FIRST, LAST), (1e4, 2e4)))
    spans = ((FIRST, LAST), (1e4, 2e4))
    assert sign_keys_outside(curve, spans[0]) == sign_keys_outside(curve, *spans)
    left, right = cut_off(read_key_table(curve), FIRST, LAST)
    assert [*left.frames.tolist(), *right.frames.tolist()] == outside


def test_a_sign_tells_of_keys_beside_a_range_alone():
    curve = make_curve(np.arange(15.0, 33.0))
    sign = sign_keys_outside(curve, (FIRST, LAST))
    curve.keyframe_points[7].co[1] += 1.0
    assert sign_keys_outside(curve, (FIRST, LAST)) == sign
    curve.keyframe_points[0].co[1] += 1.0
    assert sign_keys_outside(curve, (FIRST, LAST)) != sign
