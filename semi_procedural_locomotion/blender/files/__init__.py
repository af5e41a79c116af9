# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of other programs before Blender reads them: what they hold, what is wrong, what is mended.

In go the bytes of a file, out come errors in one sentence, or the bytes that Blender's importer takes.
"""
