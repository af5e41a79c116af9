# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the weights diagram says of layers."""

import numpy as np

from semi_procedural_locomotion.core.body.layers.masks import find_upper_body, make_shares
from semi_procedural_locomotion.core.drawing.shapes import read_weights, tell_weights
from tests.core.body.layers.test_layers import make_clip, make_layer, walk_with
from tests.core.walkers import make_walker


def test_motions_and_layers_are_told_with_weight_bones_and_place():
    rig, motions = make_walker()
    bone = find_upper_body(rig)[-1]
    clip = make_clip(rig, [bone], np.zeros(31))
    layer = make_layer(clip, make_shares(rig, [bone], 0), 0.25)
    plan, walk = walk_with(rig, motions, layer)
    weights = read_weights(plan, walk, 45)
    np.testing.assert_allclose(weights, [0.0, 1.0, 0.25], atol=1e-6)
    texts = tell_weights(plan, walk, 45)
    assert len(texts) == len(weights)
    assert texts[-1] == "wave  25% on 1 bone, at 50%"
