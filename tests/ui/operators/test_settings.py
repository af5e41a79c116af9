# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings at the doors that Blender has: properties of set-ups, calls of operators."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")
# A Blender's own Python has pytest alone.
pytest.importorskip("hypothesis")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from semi_procedural_locomotion.blender.setup.cycle_properties import read_style
from semi_procedural_locomotion.errors import SettingError
from semi_procedural_locomotion.requests.settings.bakes import BAKE, OUTPUT, RANGE
from semi_procedural_locomotion.requests.settings.kinds import Choice, Count, Flag, Number
from semi_procedural_locomotion.requests.settings.motions import STYLE
from semi_procedural_locomotion.requests.settings.steps import AUTOMATIC_HUG, PLAN
from semi_procedural_locomotion.requests.settings.travels import GROUND, TRAVEL
from semi_procedural_locomotion.ui.choices import override_request
from semi_procedural_locomotion.ui.operators.presets import STEP_SETTINGS
from tests.blender.rigs import make_armature

FEW = settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
BAKED = {**PLAN, **BAKE, **RANGE, **TRAVEL, **GROUND, OUTPUT.name: OUTPUT}
NUMBERS = {name: setting for name, setting in BAKED.items() if isinstance(setting, Number)}


def find_property(operator, name):
    """A property of an operator as Blender knows it."""
    return getattr(bpy.ops.anim, operator).get_rna_type().properties[name]


def list_numbers(setting):
    """Numbers that Blender's properties can hold, many of them near the range."""
    low, high = setting.low, setting.high
    span = high - low
    if isinstance(setting, Count):
        least, most = -(2**31), 2**31 - 1
        near = (max(least, int(low - span)), min(most, int(high + span)))
        return st.one_of(st.integers(*near), st.integers(least, most))
    near = st.floats(low - span, high + span).map(np.float32).map(float)
    return st.one_of(near, st.floats(width=32), st.sampled_from([low, high]))


class Given(SimpleNamespace):
    """What a call of an operator sets, in place of the operator's own properties."""

    def is_property_set(self, name):
        return name in self.named


def call(**values):
    """A call of Bake Walk with some of its properties set."""
    operator = bpy.ops.anim.locomotion_bake.get_rna_type()
    defaults = {p.identifier: getattr(p, "default", None) for p in operator.properties}
    fixed = {"points": (), "ground_names": (), "leave_out": ()}
    return Given(**{**defaults, **fixed, **values}, named=set(values), bl_rna=operator)


def test_bake_walk_has_the_settings_of_the_table():
    for name, setting in {**BAKED, AUTOMATIC_HUG.name: AUTOMATIC_HUG}.items():
        declared = find_property("locomotion_bake", name)
        assert (declared.name, declared.description) == (setting.label, setting.description)
        if isinstance(setting, Number):
            low = setting.low if setting.soft_low is None else setting.soft_low
            high = setting.high if setting.soft_high is None else setting.soft_high
            assert (declared.soft_min, declared.soft_max) == pytest.approx((low, high)), name
            # Blender would clamp to these.
            assert declared.hard_min < setting.low, name
            assert declared.hard_max > setting.high, name
        elif isinstance(setting, Choice):
            names = [option.name.upper() for option in setting.options]
            assert [item.identifier for item in declared.enum_items] == names
        if setting.default is not None and not isinstance(setting, Choice):
            assert declared.default == pytest.approx(setting.default), name


def test_set_ups_have_the_settings_of_the_table():
    properties = make_armature().locomotion.settings.bl_rna.properties
    for name, setting in {**PLAN, **BAKE, **RANGE}.items():
        declared = properties[name]
        assert (declared.name, declared.description) == (setting.label, setting.description)
        if isinstance(setting, Number):
            ends = (setting.low, setting.high)
            assert (declared.hard_min, declared.hard_max) == pytest.approx(ends), name


def test_make_walk_cycle_has_the_settings_of_the_table():
    for name, setting in STYLE.items():
        declared = find_property("locomotion_make_cycle", name)
        assert (declared.name, declared.description) == (setting.label, setting.description)
        assert declared.default == pytest.approx(setting.default), name
        if not isinstance(setting, Flag):
            assert declared.hard_min < setting.low, name


def test_presets_hold_all_steps_but_the_rate_of_planning():
    assert set(STEP_SETTINGS) == {*PLAN, "use_automatic_hug"} - {"grid_rate"}


@pytest.mark.parametrize("name", NUMBERS)
@FEW
@given(data=st.data())
def test_calls_of_bake_walk_take_what_is_in_range_and_refuse_the_rest(name, data):
    value = data.draw(list_numbers(NUMBERS[name]))
    armature = make_armature()
    armature.locomotion.travel.source = "POINTS"
    if NUMBERS[name].find_fault(value):
        with pytest.raises(SettingError, match=f"^{name} must be .* got"):
            override_request(armature, call(**{name: value}))
        return
    baked = override_request(armature, call(**{name: value}))
    if name in PLAN:
        assert getattr(baked.plan.settings, name) == value
    elif name in BAKE:
        assert getattr(baked.options, name) == value
    elif name in RANGE:
        assert value in baked.plan.frames
    elif name in GROUND:
        assert getattr(baked.plan.ground_choice, name) == value
    else:
        assert getattr(baked.plan.travel, name) == (value or (None if name == "ease" else value))


@pytest.mark.parametrize("name", [n for n, s in STYLE.items() if isinstance(s, Number)])
@FEW
@given(data=st.data())
def test_styles_of_operators_are_in_range_or_refused(name, data):
    value = data.draw(list_numbers(STYLE[name]))
    values = SimpleNamespace(**{**{n: s.default for n, s in STYLE.items()}, name: value})
    if STYLE[name].find_fault(value):
        with pytest.raises(SettingError, match=f"^{name} must be a number from"):
            read_style(values)
    else:
        assert getattr(read_style(values), name) == value


@pytest.mark.parametrize("value", [50.0, -1.0, math.nan, math.inf])
def test_operators_cancel_and_say_why(value):
    armature = make_armature("Hero")
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    with pytest.raises(RuntimeError, match="stride must be a number from 0 to 10 as a factor"):
        bpy.ops.anim.locomotion_make_cycle(stride=value)
