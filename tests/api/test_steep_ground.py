# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole bakes on slopes beyond *Steepest Slope*: told first, with place and cure; the cure helps."""

from __future__ import annotations

import math

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion import api
from semi_procedural_locomotion.api.setups import write_travel
from semi_procedural_locomotion.demo.stage import create_line
from semi_procedural_locomotion.notes import NoteKind
from semi_procedural_locomotion.requests.travels import AlongCurve, AlongFootsteps, AlongPoints
from tests.meters import measure_sink, mesh_heights, see_feet
from tests.scenes import add_mesh, add_person

pytestmark = pytest.mark.newest

LEG = 0.817
FEET = (("foot.L", "toe.L"), ("foot.R", "toe.R"))
FRAMES = 110


@pytest.fixture
def person():
    """The project's person, set up; it walks along -y from the origin."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, FRAMES
    return add_person(is_set_up=True)


def extrude(profile):
    """Ground of (way, height) along -y, ten metres to both sides."""
    points = [(x, -way, height) for way, height in profile for x in (-10.0, 10.0)]
    quads = [(2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1) for i in range(len(profile) - 1)]
    return add_mesh("Ground", points, quads)


def lay_hill(degrees, height):
    """Level for 1.2 m, up by some height or, where that is negative, down, and level again."""
    run = abs(height) / math.tan(math.radians(degrees))
    return extrude([(-9.0, 0.0), (1.2, 0.0), (1.2 + run, height), (15.0, height)])


def lay_side_slope(degrees):
    """A plane through the origin that rises to the walker's left."""
    rise = 9.0 * math.tan(math.radians(degrees))
    corners = [(-9, 9, -rise), (9, 9, rise), (9, -15, rise), (-9, -15, -rise)]
    return add_mesh("Ground", corners, [(0, 1, 2, 3)])


LAY = {
    "up": lambda degrees: lay_hill(degrees, 1.5),
    "down": lambda degrees: lay_hill(degrees, -1.5),
    "across": lay_side_slope,
}


def bake(person):
    """Bake, and give what warns of steep ground, and of what place in the list it is."""
    bpy.context.view_layer.update()
    result = api.bake_set_up(person, bpy.context.scene)
    kinds = [note.kind for note in result.notes]
    if NoteKind.GROUND_STEEP not in kinds:
        return result, None, ""
    place = kinds.index(NoteKind.GROUND_STEEP)
    assert kinds.count(NoteKind.GROUND_STEEP) == 1
    assert place == 0
    return result, result.notes[0], person.locomotion.report.warnings.splitlines()[0]


@pytest.mark.parametrize(
    ("way", "degrees"), [("up", 50), ("up", 70), ("down", 60), ("down", 70), ("across", 60)]
)
def test_slopes_beyond_the_limit_are_told_first_and_raising_it_helps(person, way, degrees):
    ground = LAY[way](degrees)
    result, note, text = bake(person)
    assert note.values["slope"] == degrees
    assert 1 < note.frame < note.values["last"] <= FRAMES
    assert f"slopes of up to {degrees} degrees from frame {note.frame} to" in text
    assert (
        f"first of leg '{note.leg}' near x {note.place[0]:.2f} m, y {note.place[1]:.2f} m" in text
    )
    assert "no more than 45" in text
    assert text.endswith("put stairs there, or raise Steepest Slope")
    # No foot is deeper, by the evaluated mesh, than is told: in contact or in flight.
    heights = mesh_heights(ground)
    sink = measure_sink(see_feet(person, FEET, range(1, FRAMES + 1), heights)) / LEG
    report = result.report
    told = max(report.shown_sink_worst, report.shown_swing_depth_worst)
    assert sink < told + 0.01
    if degrees < 70:
        person.locomotion.settings.max_slope = math.radians(degrees + 5.0)
        _, note, _ = bake(person)
        assert note is None
        raised = measure_sink(see_feet(person, FEET, range(1, FRAMES + 1), heights)) / LEG
        assert raised < 0.01


@pytest.mark.parametrize("way", list(LAY))
def test_slopes_under_the_limit_are_not_told(person, way):
    LAY[way](35)
    assert bake(person)[1] is None


def list_treads(rise, run, count, slant):
    """Stairs whose risers lean by a slant, metres."""
    profile = [(-9.0, 0.0)]
    for number in range(count):
        way = 1.2 + number * run
        profile += [(way, number * rise), (way + slant, (number + 1) * rise)]
    return [*profile, (15.0, count * rise)]


@pytest.mark.parametrize(
    "profile",
    [
        list_treads(0.2, 0.22, 8, 0.02),
        list_treads(-0.17, 0.29, 8, 0.0),
        list_treads(0.15, 1.0, 1, 0.05),
        [(-9.0, 0.0), *((0.2 * k, 0.05 * (k % 2)) for k in range(4, 40)), (15.0, 0.0)],
    ],
    ids=["steep stairs", "stairs down", "bevelled kerb", "bumps"],
)
def test_stairs_kerbs_and_bumps_are_not_told(person, profile):
    extrude(profile)
    assert bake(person)[1] is None


@pytest.mark.parametrize("by", ["points", "curve", "footsteps"])
def test_ways_of_all_kinds_over_a_steep_hill_are_told(person, by):
    lay_hill(55, 1.5)
    way = [(0.0, 0.0), (0.0, -1.0), (0.5, -4.0)]
    travel = AlongPoints(tuple(way))
    if by == "curve":
        create_line("Path", [(*place, 0.0) for place in way], bpy.context.scene.collection)
        travel = AlongCurve("Path")
    write_travel(person, travel, "object")
    if by == "footsteps":
        bpy.ops.object.footsteps_from_plan()
        write_travel(person, AlongFootsteps(), "object")
    _, note, _ = bake(person)
    assert note.values["slope"] == 55
    assert -2.3 < note.place[1] < -0.9


def test_a_round_hill_is_told_where_it_gets_too_steep(person):
    # A parabola along the way, whose slope is 0.8 times the way from its foot: 1 after 1.25 m.
    ways = np.linspace(0.0, 2.0, 41)
    profile = [(1.0 + way, 0.4 * way * way) for way in ways]
    extrude([(-9.0, 0.0), *profile, (15.0, 1.6)])
    _, note, _ = bake(person)
    assert -3.0 < note.place[1] < -2.0
    assert 46 <= note.values["slope"] <= 58


def test_a_steep_deck_that_moves_on_is_told(person):
    deck = lay_hill(60, 1.5)
    deck.keyframe_insert("location", frame=1)
    deck.location.x = 1.0
    deck.keyframe_insert("location", frame=FRAMES)
    _, note, _ = bake(person)
    # Soles that are half off the hill stand on less than its slope in the mean.
    assert 45 < note.values["slope"] <= 60


def test_of_two_characters_the_one_on_the_slope_is_told(person):
    lay_hill(60, 1.5)
    other = person.copy()
    bpy.context.scene.collection.objects.link(other)
    other.location.y = 6.0
    assert bake(person)[1] is not None
    assert bake(other)[1] is None
