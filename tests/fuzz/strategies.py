# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Strategies of hypothesis for skeletons, clips, grounds, travels, settings and jobs.

Lengths are shares of the leg, so that each works for a character of any size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from semi_procedural_locomotion.requests.settings.kinds import Choice, Flag, Number
from semi_procedural_locomotion.requests.settings.steps import PLAN

# How long a plan takes hangs on these alone: they have tests of their own.
COSTLY = {"grid_rate"}


@dataclass(frozen=True)
class GroundCase:
    """Heights on a square grid about the start, and cells without faces.

    Attributes
    ----------
    heights
        In lengths of the leg, shape (n, n), x on the first axis.
    cell
        Side of a cell, lengths of the leg.
    holes
        Cells that are left out, by row and column.
    nowhere
        Whether a corner far from the way has no place.
    """

    heights: tuple[tuple[float, ...], ...]
    cell: float
    holes: frozenset[tuple[int, int]]
    nowhere: bool

    def build(self, length: float) -> tuple[np.ndarray, np.ndarray]:
        """Vertices (V, 3) in metres, and triangles (T, 3); none where all are left out."""
        heights = np.array(self.heights)
        n = len(heights)
        axis = (np.arange(n) - 0.5 * (n - 1)) * self.cell
        x, y = np.meshgrid(axis, axis, indexing="ij")
        vertices = length * np.stack([x, y, heights], -1).reshape(-1, 3)
        found = []
        for i in range(n - 1):
            for j in range(n - 1):
                if (i, j) not in self.holes:
                    a, b = i * n + j, (i + 1) * n + j
                    found += [(a, b, b + 1), (a, b + 1, a + 1)]
        return vertices, np.array(found, dtype=np.intp).reshape(-1, 3)

    def find_heights(self, points: np.ndarray, length: float) -> np.ndarray:
        """Heights (N,) of points (N, 3) over the triangles; infinite where there are none."""
        heights, n = np.array(self.heights), len(self.heights)
        x, y = (points[:, :2] / (length * self.cell) + 0.5 * (n - 1)).T
        i, j = (np.clip(np.floor(v).astype(int), 0, n - 2) for v in (x, y))
        u, v = x - i, y - j
        a, b, c, d = heights[i, j], heights[i + 1, j], heights[i + 1, j + 1], heights[i, j + 1]
        ground = np.where(u >= v, a + u * (b - a) + v * (c - b), a + v * (d - a) + u * (c - d))
        gone = np.array([(p, q) in self.holes for p, q in zip(i.tolist(), j.tolist(), strict=True)])
        gone |= (np.minimum(x, y) < 0) | (np.maximum(x, y) > n - 1)
        return np.where(gone, np.inf, points[:, 2] - length * ground)


@dataclass(frozen=True)
class TravelCase:
    """Points to walk along, empty for straight ahead.

    Attributes
    ----------
    points
        World x and y, lengths of the leg.
    speed
        Share of the native speed.
    start, stop, heading, slow_turns
        As in the table of settings.
    """

    points: tuple[tuple[float, float], ...]
    speed: float
    start: str
    stop: str
    heading: str
    slow_turns: bool


@dataclass(frozen=True)
class WalkCase:
    """A walk to be planned: who walks, where, on what and how."""

    legs: int
    motions: tuple[str, ...]
    scale: float
    ground: GroundCase | None
    travel: TravelCase
    settings: tuple[tuple[str, float | bool | None], ...]


@dataclass(frozen=True)
class ClipCase:
    """What is done to a good clip.

    Attributes
    ----------
    legs, preset
        Whose clip, and which.
    frames
        How many of its samples are kept, evenly.
    share
        Part of the cycle that is kept, more than 1 for several.
    noise
        Of rotations, radians.
    drift
        Of the root, metres a second.
    spoiled
        What one value becomes; None for none.
    scale
        Of all lengths of the clip, not of the rig.
    seed
        Of the noise.
    """

    legs: int
    preset: str
    frames: int
    share: float
    noise: float
    drift: tuple[float, float, float]
    spoiled: float | None
    scale: float
    seed: int


@dataclass(frozen=True)
class BodyCase:
    """A tree of bones with boxes on some: parent of each, place, and turns of a clip."""

    parents: tuple[int, ...]
    places: tuple[tuple[float, float, float], ...]
    boxes: tuple[bool, ...]
    swings: tuple[float, ...]
    scale: float


def settings() -> st.SearchStrategy:
    """Some settings of walks with values of their ranges, mostly those of sliders, at times an end."""
    table = {n: s for n, s in PLAN.items() if n not in COSTLY}
    entries = [st.tuples(st.just(name), _value(entry)) for name, entry in table.items()]
    return st.lists(st.one_of(entries), max_size=5, unique_by=lambda pair: pair[0]).map(tuple)


def _value(entry: object) -> st.SearchStrategy:
    """Values of one setting."""
    if isinstance(entry, Flag):
        return st.booleans()
    if isinstance(entry, Choice):
        return st.sampled_from([option.name for option in entry.options])
    assert isinstance(entry, Number)
    low = entry.low if entry.soft_low is None else entry.soft_low
    high = entry.high if entry.soft_high is None else entry.soft_high
    inside = st.floats(low, high, allow_nan=False)
    return st.one_of(inside, inside, inside, st.sampled_from([entry.low, entry.high]))


@st.composite
def grounds(draw, mild: bool = False) -> GroundCase:
    """Ground from level to rough, with steps, slopes, holes and a vertex without a place.

    Mild ground is wide, whole, and as people walk on it.
    """
    n = draw(st.integers(7, 9) if mild else st.integers(4, 9))
    cell = draw(st.floats(2.5, 4.0) if mild else st.floats(0.6, 4.0))
    kind = draw(st.sampled_from(["level", "slope", "rough", "stairs", "mixed"]))
    height = draw(st.floats(-0.3, 0.3) if mild else st.floats(-2.0, 2.0))
    slope = st.floats(-0.15, 0.15) if mild else st.floats(-0.5, 0.5)
    rise = draw(slope), draw(slope)
    rough = draw(st.floats(0.0, 0.15 if mild else 0.4))
    random = np.random.default_rng(draw(st.integers(0, 2**31)))
    i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    heights = np.full((n, n), height)
    if kind in ("slope", "mixed"):
        heights = heights + cell * (rise[0] * (i - n / 2) + rise[1] * (j - n / 2))
    if kind in ("rough", "mixed"):
        heights = heights + rough * random.normal(size=(n, n))
    if kind == "stairs":
        heights = heights + rough * (j % 2 if rise[0] > 0 else j)
    cells = st.tuples(st.integers(0, n - 2), st.integers(0, n - 2))
    none = st.just(frozenset())
    holes = draw(none if mild else st.one_of(none, st.frozensets(cells, max_size=6)))
    rows = tuple(tuple(row) for row in heights.tolist())
    return GroundCase(rows, cell, holes, draw(st.booleans()))


@st.composite
def travels(draw, mild: bool = False) -> TravelCase:
    """Ways of up to four points, some of them doubled, sharp or closed; mild ones at a walk's speed."""
    place = st.floats(-4.0, 4.0)
    points = draw(st.lists(st.tuples(place, place), max_size=3))
    if points and draw(st.booleans()):
        points = [(0.0, 0.0), *points]
    if len(points) > 2 and draw(st.booleans()):
        points = [*points, points[0]]
    return TravelCase(
        points=tuple(points),
        speed=draw(
            st.sampled_from(
                [1.0, 0.8, 1.2] if mild else [1.0, 0.5, 0.7, 1.4, 2.0, 4.0, 0.3 if points else 0.02]
            )
        ),
        start=draw(st.sampled_from(["stand", "moving"])),
        stop=draw(st.sampled_from(["stand", "moving"])),
        heading=draw(st.sampled_from(["along", "kept"])),
        slow_turns=draw(st.booleans()),
    )


@st.composite
def walks(draw) -> WalkCase:
    """Walks of made characters of any size."""
    names = st.sampled_from([("walk",), ("walk", "run"), ("walk", "sidestep")])
    legs = draw(st.sampled_from([2, 2, 4, 6]))
    return WalkCase(
        legs=legs,
        motions=draw(names) if legs == 2 else ("walk",),
        scale=10.0 ** draw(st.integers(-2, 2)),
        ground=draw(st.one_of(st.none(), grounds())),
        travel=draw(travels()),
        settings=draw(settings()),
    )


@dataclass(frozen=True)
class SceneCase:
    """A bake in a scene.

    Attributes
    ----------
    ground
        A mesh; None for none.
    is_chosen
        Whether it is chosen as ground, or found among all meshes.
    place
        Where the mesh stands, lengths of the leg.
    travel, settings
        Of the walk.
    frames
        How many the scene has.
    """

    ground: GroundCase | None
    is_chosen: bool
    place: tuple[float, float, float]
    travel: TravelCase
    settings: tuple[tuple[str, float | bool | None], ...]
    frames: int


@st.composite
def scenes(draw) -> SceneCase:
    """Bakes of one person on a mesh, wherever it is."""
    near = st.floats(-1.0, 1.0)
    place = st.one_of(st.tuples(near, near, near), st.sampled_from([(0, 0, 0), (60, 0, 0)]))
    # Of wild cases most are told of: what is wrong without a word is looked for in mild ones.
    mild = draw(st.sampled_from([True, True, False]))
    return SceneCase(
        ground=draw(st.one_of(grounds(mild), grounds(mild), st.none())),
        is_chosen=draw(st.booleans()),
        place=(0.0, 0.0, 0.0) if mild else draw(place),
        travel=draw(travels(mild)),
        settings=() if mild else draw(settings()),
        frames=draw(st.sampled_from([2, 24, 48, 90])),
    )


OPERATIONS = (
    *("bake", "bake a range", "remove", "verify", "set up again", "live", "no live", "auto bake"),
    *("look", "frame", "mute", "lock", "delete", "key between", "key far", "key", "modify"),
    *("rename", "swap names", "edit mesh", "constrain", "pose", "turn otherwise"),
)


@dataclass(frozen=True)
class OperationsCase:
    """What an animator does one after the other.

    Attributes
    ----------
    steps
        Which of `OPERATIONS`, and a number that chooses to what, or how.
    """

    steps: tuple[tuple[str, int], ...]


@st.composite
def operations(draw) -> OperationsCase:
    """A few doings after a bake, with bakes among them."""
    doing = st.one_of(st.sampled_from(OPERATIONS), st.sampled_from(("bake", "bake a range")))
    step = st.tuples(doing, st.integers(0, 999))
    steps = draw(st.lists(step, min_size=3, max_size=8))
    return OperationsCase((("bake", 0), *steps, ("bake", 1)))


@st.composite
def clips(draw) -> ClipCase:
    """Clips that are cut, shaken, frozen, thinned out, in other units, or hold what is no number."""
    return ClipCase(
        legs=draw(st.sampled_from([2, 4])),
        preset="walk",
        frames=draw(st.sampled_from([1, 2, 3, 5, 12, 40, 97])),
        share=draw(st.sampled_from([0.0, 0.02, 0.5, 0.95, 1.0, 1.0, 1.7, 3.0])),
        noise=draw(st.sampled_from([0.0, 0.0, 0.001, 0.02, 0.3, 3.0])),
        drift=draw(st.sampled_from([(0.0, 0.0, 0.0), (0.0, -1.2, 0.0), (9.0, 0.0, 5.0)])),
        spoiled=draw(st.sampled_from([None, None, None, math.nan, math.inf, 1e30, 1e8])),
        scale=draw(st.sampled_from([1.0, 1.0, 0.01, 100.0, 0.0])),
        seed=draw(st.integers(0, 2**31)),
    )


@st.composite
def bodies(draw) -> BodyCase:
    """Trees of bones, some of no length or in one place, with meshes on some of them."""
    count = draw(st.integers(1, 14))
    step = st.sampled_from([-0.5, -0.2, 0.0, 0.0, 0.2, 0.5])
    drop = st.sampled_from([-0.5, -0.4, -0.2, 0.0, 0.3])
    parents, places = [-1], [(0.0, 0.0, draw(st.sampled_from([0.0, 1.0])))]
    for bone in range(1, count):
        parent = draw(st.integers(-1, bone - 1))
        base = places[parent] if parent >= 0 else (0.0, 0.0, 1.0)
        parents.append(parent)
        places.append((base[0] + draw(step), base[1] + draw(step), base[2] + draw(drop)))
    return BodyCase(
        parents=tuple(parents),
        places=tuple(places),
        boxes=tuple(draw(st.booleans()) for _ in range(count)),
        swings=tuple(draw(st.sampled_from([0.0, 0.3, -0.3, 2.0])) for _ in range(count)),
        scale=10.0 ** draw(st.integers(-2, 2)),
    )


def jobs() -> st.SearchStrategy:
    """Values of job files: a good one with some of its parts replaced by anything that TOML holds."""
    odd = st.sampled_from(
        ["", "\0", "a" * 300, "~x/y", "\uffff", "nan", "../..", "-1", "walk", "auto", "native"]
    )
    number = st.one_of(st.integers(-(10**30), 10**30), st.floats(), st.integers(-3, 300))
    leaf = st.one_of(st.booleans(), number, odd, st.text(max_size=8), st.datetimes())
    keys = st.one_of(st.sampled_from(sorted(_KEYS)), st.text(max_size=6))
    values = st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=3)
        ),
        max_leaves=8,
    )
    return st.tuples(st.lists(st.tuples(st.sampled_from(_PLACES), keys, values), max_size=4))


_KEYS = {
    *("output", "fps", "frames", "ground", "leave_out", "character", "file", "blend", "armature"),
    *("motions", "groups", "legs", "forward", "body", "root", "controls", "settings", "bake"),
    *("output_to", "travel", "path", "curve", "footsteps", "object", "speed", "rounds", "start"),
    *("action", "rest", "reversed", "group", "weight", "make", "key_times", "bones", "toe", "name"),
    *PLAN,
}
_PLACES = ((), ("character", 0), *(("character", 0, p) for p in ("travel", "settings", "bake")))
