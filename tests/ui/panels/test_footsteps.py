# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The panels of footsteps and of the travel, drawn on a layout that checks what it is given."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.footsteps.objects import list_footsteps
from semi_procedural_locomotion.ui.footsteps import edits as footstep_edits
from semi_procedural_locomotion.ui.panels import footsteps as footsteps_panel
from semi_procedural_locomotion.ui.panels import walk as walk_panels
from tests.api.test_curve_walks import draw_ring
from tests.ui.footsteps.test_operators import select, walker  # noqa: F401
from tests.ui.panels.test_tab import CheckingLayout

_CONTEXT = ("scene", "view_layer", "mode", "window_manager")


class Layout(CheckingLayout):
    """Knows menus and single entries of choices, and what is greyed out."""

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        object.__setattr__(self, f"set_{name}", value)

    def _part(self, *arguments, **keywords):
        part = Layout(self.texts)
        parent = getattr(self, "set_enabled", True)
        object.__setattr__(part, "set_enabled", parent)
        return part

    row = column = split = box = _part

    def prop(self, data, name, text=None, icon="NONE", emboss=True, index=-1):
        super().prop(data, name, text, icon, emboss, index)
        if not getattr(self, "set_enabled", True):
            self.texts[-1] = f"({self.texts[-1]})"

    def menu(self, name):
        assert hasattr(bpy.types, name), name
        self.texts.append(name)

    def prop_enum(self, data, name, value, text=""):
        assert value in data.bl_rna.properties[name].enum_items
        self.texts.append(text)


def draw(cls):
    """The texts of a panel or menu."""
    panel = SimpleNamespace(layout=Layout())
    for name in ("_draw_active", "_draw_times", "_draw_ground", "_draw_travel"):
        if hasattr(cls, name):
            setattr(panel, name, getattr(cls, name).__get__(panel))
    context = SimpleNamespace(
        region=SimpleNamespace(width=2000),
        preferences=SimpleNamespace(system=SimpleNamespace(ui_scale=1.0)),
        **{name: getattr(bpy.context, name) for name in _CONTEXT},
    )
    cls.draw(panel, context)
    return panel.layout.texts


def test_the_footsteps_panel_shows_times_that_can_be_set_along_footsteps(walker):  # noqa: F811
    panel = footsteps_panel.LOCOMOTION_PT_footsteps
    assert "No footsteps: the walk is as planned" in " ".join(draw(panel))
    bpy.ops.object.footsteps_generate(count=6)
    step = list_footsteps(walker)[2]
    select(step)
    assert "Frames are known after a bake" in draw(panel)
    bpy.ops.anim.locomotion_bake()
    texts = draw(panel)
    assert {"Start", "Duration", "LOCOMOTION_MT_footsteps", "Move With Character"} <= set(texts)
    assert "Reset Times" not in texts
    step.locomotion_footstep.start += 4.0
    texts = draw(panel)
    assert "Frames set by you" in texts
    assert any("reset" in text.lower() for text in texts)
    # The last foot stays.
    select(list_footsteps(walker)[-1])
    walker.locomotion.travel.source = "STRAIGHT"
    texts = draw(panel)
    assert "(Start)" in texts


def test_the_menu_offers_all_that_can_be_done_with_selected_steps(walker):  # noqa: F811
    assert len(draw(footstep_edits.LOCOMOTION_MT_footsteps)) == 11


def test_the_travel_panel_offers_rounds_for_closed_ways_only(walker):  # noqa: F811
    ring = draw_ring(2.0)
    travel = walker.locomotion.travel
    panel = walk_panels.LOCOMOTION_PT_travel
    assert "Rounds" not in draw(panel)
    travel.source, travel.curve = "CURVE", ring
    texts = draw(panel)
    assert {"Rounds", "Heading", "Ease", "(Speed)"} <= set(texts)
    ring.data.splines[0].use_cyclic_u = False
    assert "(Rounds)" in draw(panel)
    travel.use_native_speed = False
    travel.start = travel.stop = "MOVING"
    texts = draw(panel)
    assert {"Speed", "(Ease)"} <= set(texts)
    travel.source = "POINTS"
    for place in ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 0.0)):
        travel.points.add().location = place
    assert "Rounds" in draw(panel)
