# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known of a character besides its clips: skeleton, legs, soles, how far and which way legs bend.

In: bones, skinned points and, for finding legs, sampled clips (`legs`). Out: a `structure.Rig`, and poses
of legs that reach their targets (numpy only).
"""
