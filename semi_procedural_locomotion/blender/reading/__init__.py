# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters and clips read: files imported, actions sampled, evidence for the search of legs.

In: files, armature objects, actions. Out: the core's skeletons, clips and evidence.
"""
