# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets of a character's step settings."""

from __future__ import annotations

import bpy
from bl_operators.presets import AddPresetBase
from bl_ui.utils import PresetPanel

from ...requests.settings.steps import AUTOMATIC_HUG, PLAN
from ..targets import poll_active_character

# Below the presets folder of the user's scripts.
_FOLDER = "locomotion/steps"
# All but how finely walks are planned, which is no manner of steps.
STEP_SETTINGS = (*(name for name in PLAN if name != "grid_rate"), AUTOMATIC_HUG.name)
_FIND_SETTINGS = (
    "item = bpy.context.object",
    "item = item if item.type == 'ARMATURE' else item.find_armature()",
    "settings = item.locomotion.settings",
)


class LOCOMOTION_PT_step_presets(PresetPanel, bpy.types.Panel):
    """Presets of the step settings in a panel's header."""

    bl_label = "Step Presets"
    preset_subdir = _FOLDER
    preset_operator = "script.execute_preset"
    preset_add_operator = "anim.locomotion_preset_add"


class ANIM_OT_locomotion_preset_add(AddPresetBase, bpy.types.Operator):
    """Keep the step settings as a preset, or remove one."""

    bl_idname = "anim.locomotion_preset_add"
    bl_label = "Add Step Preset"
    bl_description = "Keep the settings of the steps as a preset for other characters"
    preset_menu = "LOCOMOTION_PT_step_presets"
    preset_subdir = _FOLDER
    preset_defines = list(_FIND_SETTINGS)
    preset_values = [f"settings.{name}" for name in STEP_SETTINGS]

    poll = classmethod(poll_active_character)


_CLASSES = (LOCOMOTION_PT_step_presets, ANIM_OT_locomotion_preset_add)
register, unregister = bpy.utils.register_classes_factory(_CLASSES)
