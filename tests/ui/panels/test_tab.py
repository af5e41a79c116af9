# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels, drawn on a layout that checks what it is given."""

from __future__ import annotations

from functools import partial
from inspect import isfunction
from types import SimpleNamespace

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.notes.units import Units
from semi_procedural_locomotion.ui import progress as stepping
from semi_procedural_locomotion.ui.operators import presets
from semi_procedural_locomotion.ui.panels import character as character_panels
from semi_procedural_locomotion.ui.panels import clips as clip_panels
from semi_procedural_locomotion.ui.panels import controls as controls_panel
from semi_procedural_locomotion.ui.panels import lists, parts
from semi_procedural_locomotion.ui.panels import motions as motion_panels
from semi_procedural_locomotion.ui.panels import tab as panels
from semi_procedural_locomotion.ui.panels import walk as walk_panels
from tests.scenes import add_person

ICONS = set(bpy.types.UILayout.bl_rna.functions["prop"].parameters["icon"].enum_items.keys())
PANELS = (
    *character_panels.CLASSES,
    *controls_panel.CLASSES,
    *motion_panels.CLASSES,
    *walk_panels.CLASSES,
)


class CheckingLayout:
    """Stands in for a layout: every property, operator and icon has to exist."""

    def __init__(self, texts=None):
        object.__setattr__(self, "texts", [] if texts is None else texts)

    def __setattr__(self, name, value):
        assert name in bpy.types.UILayout.bl_rna.properties, name

    def _part(self, *arguments, **keywords):
        return CheckingLayout(self.texts)

    row = column = split = box = _part

    def panel(self, identifier, default_closed=False):
        """A header, and a body that is open."""
        return self._part(), self._part()

    def separator(self, **keywords):
        pass

    def _note(self, text, icon="NONE"):
        assert icon in ICONS, icon
        self.texts.append(text)

    def label(self, text="", icon="NONE", translate=True):
        self._note(text, icon)

    def progress(self, factor=0.0, text=""):
        assert 0.0 <= factor <= 1.0
        self._note(text)

    def prop(self, data, name, text=None, icon="NONE", emboss=True, index=-1, toggle=0):
        assert name in data.bl_rna.properties, name
        self._note(data.bl_rna.properties[name].name if text is None else text, icon)

    def prop_search(self, data, name, search_data, search_name, text=None):
        assert search_name in search_data.bl_rna.properties
        self.prop(data, name, text)

    def operator(self, idname, text=None, icon="NONE", depress=False):
        group, name = idname.split(".")
        kind = getattr(getattr(bpy.ops, group), name).get_rna_type()
        self._note(kind.name if text is None else text, icon)
        properties = kind.properties.keys()

        class Given:
            def __setattr__(self, name, value):
                assert name in properties, name

        return Given()

    def template_list(self, kind, identifier, data, name, active_data, active_name, **keywords):
        assert name in data.bl_rna.properties
        assert active_name in active_data.bl_rna.properties
        cls = getattr(bpy.types, kind)
        rows = getattr(data, name)
        for index, item in enumerate(rows):
            owner = SimpleNamespace(draw_row=partial(cls.draw_row, None))
            cls.draw_item(owner, bpy.context, self, data, item, 0, data, active_name, index)

    def popover(self, *arguments, **keywords):
        pass


def draw(cls):
    """Texts that a panel draws; None where its poll refuses."""
    if not cls.poll(bpy.context):
        return None
    layout = CheckingLayout()
    context = SimpleNamespace(
        region=SimpleNamespace(width=300),
        preferences=SimpleNamespace(system=SimpleNamespace(ui_scale=1.0)),
        **{
            name: getattr(bpy.context, name)
            for name in ("scene", "view_layer", "mode", "window_manager")
        },
    )
    # Panels can be made by Blender alone, so their functions are called on an ordinary object.
    functions = {name: value for name, value in vars(cls).items() if isfunction(value)}
    owner = type("Owner", (), functions)()
    owner.layout = layout
    owner.draw(context)
    return layout.texts


@pytest.fixture
def walker():
    """The project's person with a walk and a rest, active and selected."""
    armature = add_person()
    bpy.context.scene.frame_end = 30
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    return armature


def test_without_an_armature_only_a_hint_is_drawn():
    drawn = [draw(cls) for cls in PANELS]
    assert drawn[0] == ["Select the armature of a character"]
    assert not any(drawn[1:])


def test_before_set_up_only_set_up_is_offered(walker):
    drawn = {cls.__name__: draw(cls) for cls in PANELS}
    assert "Set Up" in drawn.pop("LOCOMOTION_PT_character")
    assert not any(drawn.values())


def test_root_motion_is_offered_before_set_up(walker):
    panel = clip_panels.LOCOMOTION_PT_root_motion
    assert "Convert Root Motion" in draw(panel)
    walker.locomotion.root_motion.source = "ROOT"
    walker.locomotion.root_motion.target = "ROOT"
    assert "goes nowhere: choose another To" in " ".join(draw(panel))


@pytest.mark.parametrize("mode", ["OBJECT", "POSE"])
def test_all_panels_of_a_baked_character(walker, mode):
    bpy.ops.anim.locomotion_setup()
    bpy.ops.anim.locomotion_bake()
    bpy.ops.object.mode_set(mode=mode)
    drawn = {cls.__name__: draw(cls) for cls in PANELS}
    assert all(drawn.values())
    assert "Walker: 2 legs, 2 motions" in drawn["LOCOMOTION_PT_character"]
    assert "Bake Walk Again" in drawn["LOCOMOTION_PT_bake"]
    assert "Feet Slide" in drawn["LOCOMOTION_PT_report"]
    bpy.ops.object.mode_set(mode="OBJECT")


def test_panels_of_the_mesh_show_its_armature(walker):
    bpy.ops.anim.locomotion_setup()
    bpy.context.view_layer.objects.active = walker.children[0]
    assert "Walker: 2 legs, 2 motions" in draw(character_panels.LOCOMOTION_PT_character)


def test_nothing_is_drawn_in_edit_mode(walker):
    bpy.ops.anim.locomotion_setup()
    bpy.ops.object.mode_set(mode="EDIT")
    assert not any(draw(cls) for cls in PANELS)
    bpy.ops.object.mode_set(mode="OBJECT")


def test_each_source_of_ground_and_travel_is_drawn(walker):
    bpy.ops.anim.locomotion_setup()
    data = walker.locomotion
    bpy.ops.anim.locomotion_list(target="POINTS", change="ADD")
    bpy.ops.anim.locomotion_list(target="GROUND", change="ADD")
    for group in (data.ground, data.travel):
        for source in group.bl_rna.properties["source"].enum_items.keys():  # noqa: SIM118
            group.source = source
            assert draw(walk_panels.LOCOMOTION_PT_travel)
    data.travel.output_to = "BONE"
    assert "Root" in draw(walk_panels.LOCOMOTION_PT_travel)


def test_doubts_and_warnings_are_drawn_in_words(walker):
    bpy.ops.anim.locomotion_setup()
    data = walker.locomotion
    data.reasons = "feet are hard to tell\nno walk tells forward"
    data.legs[0].reasons = "its toe is a guess"
    data.active_motion, data.motions[0].warnings = 0, "uneven planted speed"
    assert {"feet are hard to tell", "no walk tells forward"} <= set(
        draw(character_panels.LOCOMOTION_PT_character)
    )
    assert "its toe is a guess" in draw(character_panels.LOCOMOTION_PT_legs)
    named = f"{data.motions[0].action.name}: uneven planted speed"
    assert named in draw(motion_panels.LOCOMOTION_PT_motion)
    data.legs[0].toe = ""
    assert "Measure Legs" in draw(character_panels.LOCOMOTION_PT_legs)


def test_key_times_are_drawn_with_what_is_wrong_with_them(walker):
    bpy.ops.anim.locomotion_setup()
    data = walker.locomotion
    data.active_motion = [e.found_kind for e in data.motions].index("rest")
    panel = motion_panels.LOCOMOTION_PT_key_times
    assert "Only walks have key times" in " ".join(draw(panel))
    data.active_motion = [e.found_kind for e in data.motions].index("cycle")
    texts = draw(panel)
    assert {"Strike", "Stance", "Foot-Off", "Left", "Right", "Reset Key Times"} <= set(texts)
    times = data.motions[data.active_motion].key_times["foot.L"]
    times.off = times.strike
    assert "move Foot-Off behind Strike" in " ".join(draw(panel))


def test_progress_takes_the_place_of_the_button(walker, monkeypatch):
    bpy.ops.anim.locomotion_setup()
    for idname, cls in (
        ("anim.locomotion_setup", character_panels.LOCOMOTION_PT_character),
        ("anim.locomotion_analyze", motion_panels.LOCOMOTION_PT_motions),
        ("anim.locomotion_bake", walk_panels.LOCOMOTION_PT_bake),
    ):
        activity = stepping.Activity(idname, 0.4, "reading Walk")
        monkeypatch.setattr(stepping, "_activities", [activity])
        texts = draw(cls)
        assert "Reading Walk" in texts
        assert not {"Set Up Again", "Analyze", "Bake Walk"} & {*texts[:1], *texts[-1:]}


def test_empty_lists_and_stale_numbers_do_not_break_the_panels(walker):
    bpy.ops.anim.locomotion_setup()
    data = walker.locomotion
    data.active_leg = data.active_motion = 9
    data.motions.clear()
    assert all(draw(cls) is not None for cls in (*character_panels.CLASSES, *motion_panels.CLASSES))


def test_motions_that_are_none_are_hidden_unless_asked_for(walker):
    bpy.ops.anim.locomotion_setup()
    data = walker.locomotion
    bpy.ops.anim.locomotion_list(target="MOTIONS", change="ADD")
    for entry, kind, ticked in zip(
        data.motions, ("cycle", "other", "other"), (False, True, False), strict=True
    ):
        entry.found_kind, entry.enabled = kind, ticked
    shown = SimpleNamespace(filter_name="", show_others=False, bitflag_filter_item=1)
    rows = lists.LOCOMOTION_UL_motions.filter_items
    assert rows(shown, bpy.context, data, "motions")[0] == [1, 1, 0]
    shown.show_others = True
    assert rows(shown, bpy.context, data, "motions")[0] == [1, 1, 1]
    shown.filter_name = "walk"
    assert rows(shown, bpy.context, data, "motions")[0] == [
        int(entry.action is not None and "walk" in entry.action.name.lower())
        for entry in data.motions
    ]


@pytest.mark.parametrize(
    ("units", "told"),
    [
        (Units(), "4.5 mm (0.9%)"),
        (Units(scale=0.01), "0.045 mm (0.9%)"),
        (Units(unit="CENTIMETERS"), "0.45 cm (0.9%)"),
        (Units("IMPERIAL"), "0.177 in (0.9%)"),
        (Units("NONE"), "0.0045 units (0.9%)"),
    ],
)
def test_report_rows_are_in_the_units_of_the_scene(units, told):
    values = '{"leg_length": 0.5, "feet_slide_worst": 0.009, "shown_knee_speed_ratio": 1.25}'
    assert parts.list_report_rows(values, units) == (
        ("Feet Slide", told, "doubtful"),
        ("Knee Speed", "1.25 ×", "good"),
    )
    assert parts.list_report_rows("", units) == ()


def test_labels_are_titles_and_tooltips_have_no_final_period():
    for cls in PANELS:
        assert cls.bl_label[0].isupper()
    for kind in dir(bpy.types):
        if kind.startswith("ANIM_OT_locomotion"):
            operator = getattr(bpy.ops.anim, kind.removeprefix("ANIM_OT_")).get_rna_type()
            assert operator.name[0].isupper()
            assert operator.description
            assert not operator.description.endswith(".")


def test_panels_move_to_another_tab():
    panels.move_to_tab("Walking")
    assert {cls.bl_category for cls in PANELS} == {"Walking"}
    panels.move_to_tab("Locomotion")
    assert bpy.types.LOCOMOTION_PT_character.bl_category == "Locomotion"


def test_step_presets_name_existing_settings(walker):
    values = walker.locomotion.settings.bl_rna.properties
    assert set(presets.STEP_SETTINGS) <= set(values.keys())
    assert len(presets.STEP_SETTINGS) == len(set(presets.STEP_SETTINGS))


def test_step_presets_are_kept_and_used(walker, tmp_path, monkeypatch):
    folder = str(tmp_path)
    monkeypatch.setattr(bpy.utils, "user_resource", lambda *_, **__: folder)
    bpy.ops.anim.locomotion_setup()
    settings = walker.locomotion.settings
    settings.lean, settings.use_automatic_hug = 0.5, False
    bpy.ops.anim.locomotion_preset_add(name="Leaning")
    settings.lean, settings.use_automatic_hug = 0.0, True
    (preset,) = tmp_path.glob("*.py")
    bpy.ops.script.execute_preset(filepath=str(preset), menu_idname="LOCOMOTION_PT_step_presets")
    assert settings.lean == 0.5
    assert not settings.use_automatic_hug
