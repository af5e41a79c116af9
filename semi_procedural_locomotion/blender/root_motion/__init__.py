# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Root motion of ordinary actions: bones that carry a body, poses under trial keys, the new action.

In: an armature, an action and matrices that its object and bones shall have. Out: channels that give
them as Blender evaluates the rig, and an action with these.
"""
