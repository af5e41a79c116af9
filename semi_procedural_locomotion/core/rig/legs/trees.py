# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A tree of bones whose parents may be changed."""

from __future__ import annotations

import numpy as np


class Tree:
    """Parents, children and descent of bones, in any order.

    Parameters
    ----------
    parents
        Index of each bone's parent or -1, shape (B,).

    Attributes
    ----------
    parents
        As given, a list.
    children
        Indices of each bone's children, ascending.
    order
        All bones, parents before children.
    below
        ``below[a, d]`` where d is a or a descendant of a, shape (B, B), bool.
    """

    def __init__(self, parents: np.ndarray | list[int]) -> None:
        self.parents = [int(parent) for parent in parents]
        count = len(self.parents)
        self.children: list[list[int]] = [[] for _ in range(count)]
        for bone, parent in enumerate(self.parents):
            if parent >= 0:
                self.children[parent].append(bone)
        self.order = [bone for bone, parent in enumerate(self.parents) if parent < 0]
        for bone in self.order:
            self.order.extend(self.children[bone])
        if len(self.order) != count:
            raise ValueError("the parents form a cycle")
        self.below = np.eye(count, dtype=bool)
        for bone in self.order:
            if self.parents[bone] >= 0:
                self.below[:, bone] |= self.below[:, self.parents[bone]]

    def find_ancestors(self, bone: int) -> list[int]:
        """``bone``, its parent and so on up to a parentless bone."""
        path = [bone]
        while self.parents[path[-1]] >= 0:
            path.append(self.parents[path[-1]])
        return path

    def find_subtree(self, bone: int) -> np.ndarray:
        """Indices of ``bone`` and everything below it, ascending."""
        return np.flatnonzero(self.below[bone])

    def has_below(self, bone: int, marked: np.ndarray) -> bool:
        """Whether ``bone`` or anything below it is marked in the bool array ``marked`` (B,)."""
        return bool(np.any(marked & self.below[bone]))

    def find_path_down(self, bone: int, top: int) -> list[int]:
        """Bones from the child of ``top`` (-1: from the parentless bone) down to ``bone``."""
        path: list[int] = []
        while bone not in (-1, top):
            path.append(bone)
            bone = self.parents[bone]
        return path[::-1]

    def find_common_ancestor(self, first: int, second: int) -> int:
        """The lowest bone above or equal to both, or -1."""
        for bone in self.find_ancestors(first):
            if self.below[bone, second]:
                return bone
        return -1
