# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faces of meshes as they are read for rays."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.values.meshes import read_faces

# Four corners a face in the mean, though none of its first two has four.
RING = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 1, 0), (1, 2, 0), (0, 1, 0), (3, 0, 0), (3, 1, 0)]


@pytest.mark.parametrize(
    ("faces", "corners", "area"),
    [
        ([(0, 1, 5), (1, 2, 3, 4, 5)], 3, 3.0),
        ([(2, 6, 7, 3), (0, 1, 5), (1, 2, 3, 4, 5)], 3, 4.0),
        ([(2, 6, 7, 3), (1, 2, 3, 4)], 4, 2.5),
        ([(0, 1, 5), (2, 6, 7)], 3, 1.0),
    ],
    ids=["mixed", "mixed with a quad", "quads", "triangles"],
)
def test_faces_of_four_corners_are_taken_as_they_are_only_where_all_have_four(faces, corners, area):
    mesh = bpy.data.meshes.new("Ring")
    mesh.from_pydata(RING, [], faces)
    found = read_faces(mesh)
    assert found.faces.shape[1] == corners
    shape = found.triangulate()
    first, second, third = (shape.vertices[shape.triangles[:, k]] for k in range(3))
    areas = 0.5 * np.linalg.norm(np.cross(second - first, third - first), axis=1)
    assert areas.sum() == pytest.approx(area)
