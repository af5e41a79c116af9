# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of the custom properties that the extension keeps on data of the file."""

from __future__ import annotations

# On actions: frames per second of their keys where that is not the scene's rate (float).
FRAME_RATE_KEY = "locomotion_frame_rate"
# On actions: results of analysis by rig and slot (group).
ANALYSIS_KEY = "locomotion"
# On objects: results of analysis of actions that are linked from other files (group).
LINKED_ANALYSIS_KEY = "locomotion_analysis"
# On actions made by a bake: what was written and what was there before (group).
BAKE_KEY = "locomotion_bake"
# On actions made by a bake: the action that was there before (pointer).
BAKE_SOURCE_KEY = "locomotion_bake_source"
# On actions made by a bake: frames and values of the keys that were written (group).
WRITTEN_KEY = "locomotion_written"
# On actions made as correction layers: how the active action was blended before (text).
CORRECTION_KEY = "locomotion_correction"
# On scenes of saved files: set-ups of library overrides as JSON (text).
OVERRIDES_KEY = "locomotion_overrides"
# On actions of characters that are shown live: what has to be put back (group).
LIVE_KEY = "locomotion_live"
# On actions made by a bake: what it means to show at some frames (group).
EXPECTATION_KEY = "locomotion_expectation"
# On actions made by Fix Feet: numbers before and after (group).
FIX_KEY = "locomotion_fix"
# On bakes of a section over strips: how the object's action was extrapolated before (text).
EXTRAPOLATION_KEY = "locomotion_extrapolation"
# On armature objects: the axis that was up in the file that they were imported from, where that is
# not the usual one (text).
TURNED_KEY = "locomotion_turned"
# On actions made by a drive: where feet stood while it was steered (text).
DRIVE_KEY = "locomotion_drive"
# On objects, and the armature, that stand in for a character while it is steered: what they are copies
# of, and on its armature object what is hidden meanwhile (group).
STAND_IN_KEY = "locomotion_stand_in"

BAKE_MARKS = (
    BAKE_KEY,
    BAKE_SOURCE_KEY,
    WRITTEN_KEY,
    EXPECTATION_KEY,
    FIX_KEY,
    EXTRAPOLATION_KEY,
)
"""All that a bake keeps on its action."""
