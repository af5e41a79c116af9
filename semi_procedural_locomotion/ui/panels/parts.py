# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panels share: where they are, and text that fits their width."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

import bpy

from ...api import is_set_up
from ...api.notes import find_severity, tell_case, tell_note
from ...api.wording import Severity
from ...blender.values.schema import read_kept
from ...core.report.verdicts import judge_number
from ...notes import Note
from ...notes.units import Units
from ..progress import get_activity
from ..targets import find_active_armature

# Width of a letter and of a panel's margins in pixels at a scale of 1; the panels' font is
# proportional, so this is a mean.
_LETTER, _MARGIN = 6.5, 45.0
_LEAST_LETTERS = 20
_MODES = ("OBJECT", "POSE")


def is_character_active(context: bpy.types.Context) -> bool:
    """Whether a set-up character is active in a mode to walk in."""
    armature = find_active_armature(context)
    return context.mode in _MODES and armature is not None and is_set_up(armature)


class SidebarPanel:
    """Base of the panels in the 3D View's sidebar."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Locomotion"

    layout: bpy.types.UILayout

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the mode is one to walk in."""
        return context.mode in _MODES


class CharacterPanel(SidebarPanel):
    """Base of panels that need a set-up character."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a set-up character is active."""
        return is_character_active(context)


def draw_text(
    layout: bpy.types.UILayout, context: bpy.types.Context, text: str, icon: str = "NONE"
) -> None:
    """Draw a sentence over as many lines as the region's width asks for."""
    scale = context.preferences.system.ui_scale
    letters = int((context.region.width / scale - _MARGIN) / _LETTER)
    column = layout.column(align=True)
    column.scale_y = 0.8
    for number, line in enumerate(_wrap(text, max(letters, _LEAST_LETTERS))):
        blank = "NONE" if icon == "NONE" else "BLANK1"
        column.label(text=line, icon=blank if number else icon, translate=False)


def draw_notes(
    layout: bpy.types.UILayout, context: bpy.types.Context, notes: Iterable[Note]
) -> None:
    """Draw notes in words, with a mark of how grave they are."""
    for note in notes:
        icon = "INFO" if find_severity(note) is Severity.HINT else "ERROR"
        draw_text(layout, context, tell_note(replace(note, symptoms=())), icon)
        for symptom in note.symptoms:
            draw_text(layout, context, tell_case(symptom), "BLANK1")


def draw_activity(layout: bpy.types.UILayout, operator: str) -> bool:
    """Draw how far an operator is, where it is at work; gives whether it is."""
    activity = get_activity()
    if activity is None or activity.operator != operator:
        return False
    layout.progress(factor=activity.share, text=activity.text[:1].upper() + activity.text[1:])
    layout.label(text="Esc cancels and changes nothing")
    return True


def draw_value(layout: bpy.types.UILayout, label: str, text: str, icon: str | None = None) -> None:
    """A label and a value that cannot be edited, with an icon behind it."""
    split = layout.split(factor=0.5)
    split.label(text=label)
    value = split.row()
    value.alignment = "RIGHT"
    value.label(text=text, translate=False)
    if icon is not None:
        value.label(icon=icon)


def draw_table(layout: bpy.types.UILayout, rows: Sequence[Sequence[str]]) -> None:
    """Texts in columns of one width, the first of them twice as wide."""
    column = layout.column(align=True)
    for first, *others in rows:
        split = column.split(factor=2.0 / (2.0 + len(others)), align=True)
        split.label(text=first, translate=False)
        cells = split.row(align=True)
        for text in others:
            cell = cells.row()
            cell.alignment = "RIGHT"
            cell.label(text=text, translate=False)


def draw_list_buttons(layout: bpy.types.UILayout, target: str, can_move: bool = False) -> None:
    """Buttons beside a list."""
    column = layout.column(align=True)
    changes = [("ADD", "ADD"), ("REMOVE", "REMOVE")]
    if can_move:
        changes += [("UP", "TRIA_UP"), ("DOWN", "TRIA_DOWN")]
    for number, (change, icon) in enumerate(changes):
        if number == 2:
            column.separator()
        button = column.operator("anim.locomotion_list", text="", icon=icon)
        button.target, button.change = target, change


@lru_cache(maxsize=256)
def _wrap(text: str, letters: int) -> tuple[str, ...]:
    """Lines of a text."""
    return tuple(textwrap.wrap(text, letters)) or ("",)


# Name in the report, label in the panel, how it is shown.
_ROWS = (
    ("shown_off_plan", "Off Plan", "length"),
    ("feet_slide_worst", "Feet Slide", "length"),
    ("feet_sink_worst", "Feet Sink", "length"),
    ("shown_float_p99", "Feet Float", "length"),
    ("shown_swing_depth_worst", "Swing Depth", "length"),
    ("shown_body_depth_worst", "Body Depth", "length"),
    ("shown_off_travel_worst", "Beside the Travel", "length"),
    ("shown_foot_way_ratio", "Foot's Way in a Frame", "ratio"),
    ("shown_knee_speed_ratio", "Knee Speed", "ratio"),
    ("shown_hip_surge", "Hips Surge", "share"),
    ("shown_hip_sway", "Hips Sway", "share"),
    ("shown_hip_jerk_ratio", "Hip Jerk", "ratio"),
    ("shown_airborne_share", "Off the Ground", "share"),
)


@lru_cache(maxsize=32)
def list_report_rows(values: str, units: Units) -> tuple[tuple[str, str, str], ...]:
    """Label, text and verdict of each number of a report.

    The verdict is ``"good"``, ``"doubtful"``, ``"bad"``, or empty where there is none.

    Parameters
    ----------
    values
        The report's numbers as JSON; lengths are shares of ``leg_length``.
    units
        Those of the scene.
    """
    numbers = (read_kept("the report", "report", values) if values else None) or {}
    length = numbers.get("leg_length", 0.0)
    return tuple(
        (label, _write(numbers[key], kind, length, units), judge_number(key, numbers[key]) or "")
        for key, label, kind in _ROWS
        if key in numbers
    )


def _write(value: float, kind: str, length: float, units: Units) -> str:
    """One number with its unit."""
    if kind == "length":
        return f"{units.write_length(value * length)} ({value:.1%})"
    return f"{value:.2f} ×" if kind == "ratio" else f"{value:.1%}"
