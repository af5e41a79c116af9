# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights by distance, worked out by hand, and what a limb has to do with another."""

import tracemalloc

import numpy as np
import pytest

from semi_procedural_locomotion.core.rig.binding.bones import BindBones, make_bind_bones
from semi_procedural_locomotion.core.rig.binding.limits import BINDING
from semi_procedural_locomotion.core.rig.binding.patches import find_patches
from semi_procedural_locomotion.core.rig.binding.weights import BindOptions, bind_vertices

NO_EDGES = np.empty((0, 2), dtype=np.int32)
PLAIN = BindOptions(limb_only=False, smoothing=0)
# Hips with a spine, two legs of two bones and an arm whose hand hangs beside the left thigh.
NAMES = ("hips", "spine", "thigh.L", "shin.L", "thigh.R", "shin.R", "arm.L", "hand.L")
PARENTS = np.array([-1, 0, 0, 2, 0, 4, 1, 6])
HEADS = np.array(
    [
        [0, 0, 1.0], [0, 0, 1.2], [0.1, 0, 1], [0.1, 0, 0.5],
        [-0.1, 0, 1], [-0.1, 0, 0.5], [0.25, 0, 1.4], [0.25, 0, 1.0],
    ]
)  # fmt: skip
TAILS = np.array(
    [
        [0, 0, 1.2], [0, 0, 1.5], [0.1, 0, 0.5], [0.1, 0, 0],
        [-0.1, 0, 0.5], [-0.1, 0, 0], [0.25, 0, 1.0], [0.25, 0, 0.8],
    ]
)  # fmt: skip


def make_body():
    return make_bind_bones(NAMES, PARENTS, HEADS, TAILS)


def read(bound, row, names=None):
    """Weights of a vertex by the names of bones."""
    names = names or make_body().names
    pairs = zip(bound.bones[row], bound.values[row], strict=True)
    return {names[bone]: float(value) for bone, value in pairs if value > 0}


def list_nearest(bound):
    """Names of the bones whose flesh vertices are."""
    return [make_body().names[bone] for bone in bound.nearest]


def test_weights_are_inverse_to_the_power_of_the_distance_from_segments():
    bones = BindBones(
        ("a", "b", "c"),
        np.array([-1, 0, 1]),
        np.array([[0, 0, 0.0], [1, 0, 0], [2, 0, 0]]),
        np.array([[1, 0, 0.0], [2, 0, 0], [3, 0, 0]]),
    )
    # 0.5 above the middle of the first; from the second hypot(0.5, 0.5), from the third hypot(1.5, 0.5).
    point = np.array([[0.5, 0.0, 0.5]])
    bound = bind_vertices(point, NO_EDGES, bones, PLAIN)
    shares = 1.0 / np.array([0.25, 0.5, 2.5])
    shares /= shares.sum()
    assert read(bound, 0, "abc") == pytest.approx(dict(zip("abc", shares, strict=True)), abs=1e-6)
    first = bind_vertices(
        point, NO_EDGES, bones, BindOptions(power=1.0, limb_only=False, smoothing=0)
    )
    shares = 1.0 / np.sqrt([0.25, 0.5, 2.5])
    assert read(first, 0, "abc") == pytest.approx(
        dict(zip("abc", shares / shares.sum(), strict=True)), abs=1e-6
    )
    two = bind_vertices(point, NO_EDGES, bones, BindOptions(2, limb_only=False, smoothing=0))
    assert read(two, 0, "abc") == pytest.approx({"a": 2 / 3, "b": 1 / 3}, abs=1e-6)


def test_nothing_counts_beyond_the_radius_but_the_nearest():
    bound = bind_vertices(
        np.array([[0.13, 0.0, 0.45], [5.0, 0.0, 0.0]]),
        NO_EDGES,
        make_body(),
        BindOptions(radius=0.1, limb_only=False, smoothing=0),
    )
    assert set(read(bound, 0)) == {"thigh.L", "shin.L"}
    assert read(bound, 1) == {"hand.L": 1.0}


def test_a_vertex_of_a_leg_follows_no_other_leg():
    rows = np.array([[0.02, 0.05, 0.7], [0.02, 0.05, 0.2]])
    assert "thigh.R" in read(bind_vertices(rows, NO_EDGES, make_body(), PLAIN), 0)
    bound = bind_vertices(rows, NO_EDGES, make_body(), BindOptions(smoothing=0))
    assert set(read(bound, 0)) <= {"hips", "thigh.L", "shin.L"}
    assert set(read(bound, 1)) <= {"hips", "thigh.L", "shin.L"}


def test_the_middle_follows_both_legs_and_its_sides_their_own():
    # All three are nearest to the hips' bone.
    rows = np.array([[0.0, 0.05, 1.02], [0.03, 0.05, 1.03], [0.049, 0.0, 1.06]])
    bound = bind_vertices(rows, NO_EDGES, make_body(), BindOptions(smoothing=0))
    assert list_nearest(bound) == ["hips"] * 3
    middle, side, far = (read(bound, row) for row in range(3))
    assert middle["thigh.L"] == pytest.approx(middle["thigh.R"])
    assert side["thigh.L"] > 2.0 * side.get("thigh.R", 0.0)
    assert far.get("thigh.R", 0.0) < 0.02


def make_strip(points):
    """Edges that join successive points."""
    return np.array([[i, i + 1] for i in range(len(points) - 1)], dtype=np.int32)


def test_skin_beside_a_hand_stays_the_legs():
    # Down the outside of the thigh, some of which is nearer to the hand, and down the hand's own skin.
    leg = np.array([[0.18, 0.0, z] for z in np.linspace(0.95, 0.05, 19)])
    hand = np.array([[0.3, 0.0, z] for z in np.linspace(1.4, 0.8, 25)])
    strip, beside = np.concatenate([leg, hand]), np.array([[0.12, 0.05, 0.9], [0.12, 0.05, 0.6]])
    points = np.concatenate([strip, beside])
    edges = np.concatenate(
        [make_strip(leg), make_strip(hand) + 19, [[0, 44], [44, 45], [45, 10]]], dtype=np.int32
    )
    plain = bind_vertices(points, NO_EDGES, make_body(), BindOptions(smoothing=0))
    assert "hand.L" in list_nearest(plain)[:19]
    bound = bind_vertices(points, edges, make_body(), BindOptions())
    nearest = list_nearest(bound)
    assert set(nearest[:19]) == {"thigh.L", "shin.L"}
    assert set(nearest[19:44]) == {"arm.L", "hand.L"}
    assert not any({"hand.L", "arm.L"} & set(read(bound, row)) for row in range(19))


def test_smoothing_evens_along_edges_and_keeps_limbs_apart():
    # Across the crotch from one thigh to the other.
    row = np.array([[x, 0.06, 0.8] for x in np.linspace(0.15, -0.15, 31)])
    body = make_body()
    rough, smooth = (
        bind_vertices(row, make_strip(row), body, BindOptions(smoothing=times)) for times in (0, 8)
    )
    for bound in (rough, smooth):
        assert bound.values.sum(axis=1) == pytest.approx(np.ones(31), abs=1e-5)
        assert all("thigh.R" not in read(bound, row) for row in range(15))
    ends = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    pair = BindBones(("a", "b"), np.array([-1, 0]), ends, ends)
    one = bind_vertices(ends, np.array([[0, 1]], dtype=np.int32), pair, BindOptions(smoothing=1))
    # Each is all its own bone's before, and takes half of the other's.
    assert one.values == pytest.approx(np.full((2, 2), 0.5), abs=1e-3)


def test_a_foot_that_hangs_from_the_root_goes_with_its_shin():
    names = ("root", "thigh", "shin", "foot")
    heads = np.array([[0, 0, 0.0], [0, 0, 1.0], [0, 0, 0.5], [0, 0, 0.1]])
    tails = np.array([[0, 1, 0.0], [0, 0, 0.5], [0, 0, 0.1], [0, -0.2, 0.0]])
    bones = make_bind_bones(names, np.array([-1, 0, 1, 0]), heads, tails)
    assert bones.names[bones.parents[bones.names.index("foot")]] == "shin"


def test_a_bone_ends_where_its_only_child_begins():
    heads = np.array([[0, 0, 0.0], [0, 0, 1.0]])
    bones = make_bind_bones(("a", "b"), np.array([-1, 0]), heads, heads + np.array([0.0, 0.3, 0.0]))
    assert bones.tails[0] == pytest.approx([0, 0, 1.0])


def test_patches_are_connected_and_alike():
    edges = np.array([[0, 1], [1, 2], [3, 4], [2, 5], [5, 6]], dtype=np.int32)
    labels = np.array([0, 0, 1, 1, 1, 1, 1])
    assert list(find_patches(edges, labels)) == [0, 0, 2, 3, 3, 2, 2]


def test_memory_does_not_grow_with_vertices_times_bones():
    random = np.random.default_rng(3)
    ends = random.normal(size=(2, 200, 3))
    bones = BindBones(tuple(map(str, range(200))), np.arange(200) - 1, *ends)
    points = random.normal(size=(20_000, 3))
    tracemalloc.start()
    bind_vertices(points, make_strip(points), bones, BindOptions())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # A table of all would take 32 MB.
    assert peak < 16 * BINDING.chunk * 8 + 500 * len(points)
