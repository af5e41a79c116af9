# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses become channels to key.

In: local rotations and translations. Out: values in each bone's own rotation mode, continuous over
frames, with keys left out where curves stay the same, and laid over keys of other animation (numpy only).
"""
