# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of settings: complete, and the same at every door that needs no Blender."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semi_procedural_locomotion.core.contacts.edits import ContactEdit
from semi_procedural_locomotion.core.gaits.fitting import GaitStyle
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.errors import JobError, SettingError
from semi_procedural_locomotion.jobs.reading import parse_job
from semi_procedural_locomotion.requests.settings.kinds import (
    Choice,
    Count,
    Flag,
    Number,
    check_values,
)
from semi_procedural_locomotion.requests.settings.motions import STYLE
from semi_procedural_locomotion.requests.settings.steps import PLAN
from tests.core.test_plan import make_course, make_terrain
from tests.core.walkers import make_walker
from tools.settings_page import PARTS

SETTINGS = [(part.name, setting) for part in PARTS for setting in part.settings.values()]
NAMES = [f"{part}.{setting.name}" for part, setting in SETTINGS]
# Where a job has each part: the tables from the character down, and the key of a list.
JOBS = {"steps": "settings", "travel": "travel", "straight": "travel", "bake": "bake"}

FEW = settings(max_examples=12, deadline=None)


def check(part, name, value):
    """Refuse a value that a setting cannot have."""
    table = next(entry.settings for entry in PARTS if entry.name == part)
    check_values({name: table[name]}, {name: value})


anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=10**300, max_value=10**310),
    st.floats(),
    st.text(max_size=5),
    st.lists(st.integers(), max_size=2),
)


def draw_values(setting):
    """Values of any kind, many of them near the range."""
    if isinstance(setting, Number):
        span = setting.high - setting.low
        near = st.floats(setting.low - span, setting.high + span)
        return st.one_of(near, st.sampled_from([setting.low, setting.high]), anything)
    return anything


@pytest.fixture(scope="module")
def parse(tmp_path_factory):
    """Read a job with one setting of a part, beside the file that it names."""
    folder = tmp_path_factory.mktemp("job")
    (folder / "hero.glb").touch()

    def parse_setting(part, name, value):
        return parse_job(write_job(part, name, value), folder / "walk.toml").characters[0]

    return parse_setting


def write_job(part, name, value):
    """Values of a job file with one setting of a part."""
    character = {"file": "hero.glb"}
    if part == "ground":
        return {name: value, "character": [character]}
    if part in JOBS:
        character[JOBS[part]] = {name: value}
    elif part == "style":
        character["motions"] = [{"make": "walk", name: value}]
    elif part == "motion" and name == "speed":
        character["motions"] = [{"action": "Walk", name: value}]
    elif part == "motion":
        character["motions"] = [{"action": "Walk", "key_times": [{"leg": "Left", name: value}]}]
    elif part == "group":
        character["motions"] = [{"action": "Walk"}]
        character["groups"] = [{"name": "walk", "weight": 1, name: value}]
    elif part == "layer":
        # Masks that name something need the name.
        named = {value: "Spine"} if value in ("bone", "collection") else {}
        character["layers"] = [{"action": "Wave", **named, name: value}]
    else:
        character[name] = value
    return {"character": [character]}


@pytest.mark.parametrize(("part", "setting"), SETTINGS, ids=NAMES)
def test_settings_explain_themselves_and_have_a_default_in_range(part, setting):
    assert setting.label[0].isupper()
    assert setting.description[0].isupper()
    assert not setting.description.endswith(".")
    assert setting.find_fault(setting.default) == ""
    check(part, setting.name, setting.default)
    if isinstance(setting, Number):
        soft = [end for end in (setting.soft_low, setting.soft_high) if end is not None]
        assert all(setting.low <= end <= setting.high for end in soft)
        assert setting.find_fault(setting.low) == setting.find_fault(setting.high) == ""


def test_names_are_unique_in_a_part_and_parts_have_other_names():
    assert len({part.name for part in PARTS}) == len(PARTS)
    assert all(name == setting.name for part in PARTS for name, setting in part.settings.items())
    with pytest.raises(KeyError):
        check("steps", "pace", 1.0)


@pytest.mark.parametrize(("record", "part"), [(PlanSettings, PLAN), (GaitStyle, STYLE)])
def test_records_have_the_settings_of_the_table(record, part):
    assert {field.name for field in fields(record)} == set(part)
    assert vars(record()) == {name: setting.default for name, setting in part.items()}


@pytest.mark.parametrize("name", PLAN)
@FEW
@given(data=st.data())
def test_plans_take_what_is_in_range_and_refuse_the_rest(name, data):
    value = data.draw(draw_values(PLAN[name]))
    if PLAN[name].find_fault(value):
        with pytest.raises(SettingError, match=f"^{name} must be .* got"):
            PlanSettings(**{name: value})
    else:
        assert getattr(PlanSettings(**{name: value}), name) == value


@pytest.mark.parametrize("name", STYLE)
@FEW
@given(data=st.data())
def test_styles_take_what_is_in_range_and_refuse_the_rest(name, data):
    value = data.draw(draw_values(STYLE[name]))
    if STYLE[name].find_fault(value):
        with pytest.raises(SettingError, match=f"^{name} must be .* got"):
            GaitStyle(**{name: value})
    else:
        assert getattr(GaitStyle(**{name: value}), name) == value


@pytest.mark.parametrize("name", ["strike", "stance", "off"])
@FEW
@given(data=st.data())
def test_key_times_are_shares_of_the_cycle(name, data):
    value = data.draw(st.floats(-2.0, 3.0))
    if 0.0 <= value <= 1.0:
        assert getattr(ContactEdit(**{name: value}), name) == value
    else:
        with pytest.raises(SettingError, match=f"^{name} must be a number from 0 to 1"):
            ContactEdit(**{name: value})


# Jobs have frames for a range, convert no root motion and clean no actions.
ELSEWHERE = ("range", "root motion", "fix", "drive")
IN_JOBS = [(part, setting) for part, setting in SETTINGS if part not in ELSEWHERE]


@pytest.mark.parametrize(
    ("part", "setting"), IN_JOBS, ids=[f"{part}.{setting.name}" for part, setting in IN_JOBS]
)
@FEW
@given(data=st.data())
def test_jobs_take_what_is_in_range_and_name_file_and_key_of_the_rest(parse, part, setting, data):
    value = data.draw(draw_values(setting).filter(lambda value: value is not None))
    if isinstance(setting, Choice):
        value = data.draw(st.sampled_from([value, *(option.name for option in setting.options)]))
    # These have more to say than the table: a speed may be a word or keys, and is above 0.
    is_own = (part, setting.name) != ("style", "speed") and setting.name == "speed"
    is_own = is_own and (value == 0 or isinstance(value, str | list))
    is_own = is_own or (setting.name == "weight" and isinstance(value, list))
    if setting.find_fault(value) or is_own:
        with pytest.raises(JobError, match=rf"^walk\.toml: .*\b{setting.name}") as caught:
            parse(part, setting.name, value)
        if not is_own and setting.name not in ("speed", "weight"):
            assert setting.describe() in str(caught.value)
    else:
        assert parse(part, setting.name, value).file.name == "hero.glb"


def test_job_values_come_out_as_numbers_of_their_kind(parse):
    bake = parse("bake", "blend_in", 4.0).bake
    assert bake == {"blend_in": 4}
    assert isinstance(bake["blend_in"], int)
    assert isinstance(parse("steps", "lean", 1).settings["lean"], float)


def list_ends(setting):
    """The ends of a setting's range, all of a choice; but for its default, with which all others walk."""
    assert not isinstance(setting, Count)
    if isinstance(setting, Flag):
        ends = (False, True)
    elif isinstance(setting, Choice):
        ends = tuple(option.name for option in setting.options)
    else:
        ends = (setting.low, setting.high)
    return [end for end in ends if end != setting.default]


@pytest.mark.parametrize("name", PLAN)
def test_stairs_are_walked_at_both_ends_of_every_range(name):
    rig, motions = make_walker()
    travel = make_course(rig, motions, length=3.0)
    ground = make_terrain(rig, motions, "stairs")
    for end in list_ends(PLAN[name]):
        with np.errstate(divide="raise", invalid="raise", over="raise"):
            plan = make_plan(rig, motions, travel, ground, PlanSettings(**{name: end}))
            walk = solve_poses(plan, np.arange(0, 30, 5) / 24.0)
        assert np.isfinite(walk.poses.rotations).all()
        assert np.isfinite(walk.poses.translations).all()
