# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Controls that hang from none that a walk moves, such as hands under IK: they go with the body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...core.maths.rotations import FloatArray
from ...core.rig.controls.correcting import ControlTask, find_left_behind
from ...core.rig.controls.rigid import find_move, make_rigid
from .links import read_links
from .tasks import WalkOnControls


class Followers:
    """The controls that go with the body of a walk.

    Parameters
    ----------
    walk
        The walk.
    shown
        Matrices of the layout's bones as the rig shows them with the guess, shape (N, K, 4, 4).
    """

    def __init__(self, walk: WalkOnControls, shown: FloatArray) -> None:
        self._before, self._links = shown, read_links(walk.armature, walk.layout.skeleton.ends)
        self._names = walk.layout.skeleton.names
        task = walk.make_task()
        bone = task.body[1]
        move = find_move(task.targets[bone], shown[:, bone])
        root = walk.carrier or walk.controls.root
        limbs = {walk.controls.body, *(n for leg in walk.controls.legs for n in leg.bones)}
        mapped = limbs.intersection(walk.written) - {root}
        free: dict[int, FloatArray] = {}
        self._tied: dict[int, FloatArray] = {}
        for name in walk.written:
            place = walk.find_place(name)
            above = {self._names[one] for one in walk.layout.skeleton.find_ancestors(place)}
            if name != root and mapped.isdisjoint(above):
                # What constraints may take along is seen after the body was moved.
                is_free = mapped.isdisjoint(self._links.list_leaders([name]))
                (free if is_free else self._tied)[place] = move @ make_rigid(shown[:, place])
        self.task: ControlTask = replace(task, followers=free)
        """What is to be reached, with the controls that are known to follow nothing else."""

    def find_left_behind(self, after: FloatArray) -> dict[int, FloatArray]:
        """Those of the others that stayed when the body went, and where they shall be, by bone.

        Without those that go along with another one of them.

        Parameters
        ----------
        after
            The matrices with body and feet moved.
        """
        left = find_left_behind(self._tied, self._before, after)
        leaders = {place: self._list_leaders(place, left) for place in left}
        kept: dict[int, FloatArray] = {}
        for place in sorted(left, key=lambda one: len(leaders[one])):
            if leaders[place].isdisjoint(kept):
                kept[place] = left[place]
        return kept

    def _list_leaders(self, place: int, among: Mapping[int, FloatArray]) -> set[int]:
        """Those of some controls that another one goes after."""
        leaders = set(self._links.list_leaders([self._names[place]]))
        return {one for one in among if one != place and self._names[one] in leaders}
