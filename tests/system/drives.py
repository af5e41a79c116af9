# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives that sessions in a window begin."""

from __future__ import annotations


def keep_made(name):
    """A list of what a function of the drive's operator, by its name, makes from now on.

    A slow machine drives for longer, so that sessions go by the drive's own clock.
    """
    from semi_procedural_locomotion.ui.driving import operator

    make, made = getattr(operator, name), []

    def make_kept(*arguments):
        made.append(make(*arguments))
        return made[-1]

    setattr(operator, name, make_kept)
    return made
