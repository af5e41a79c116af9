# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is told of imported files, in words."""

from __future__ import annotations

from ...core.motions.transfer.naming import NameMatch

# Names that are told one by one.
_MOST_NAMES = 8


def tell_missing_bones(file: str, character: str, match: NameMatch) -> str:
    """Which bones of a clip a character does not have; empty where it has all."""
    missing = match.missing
    if not missing:
        return ""
    count = len(match.pairs) + len(missing)
    named = ", ".join(missing[:_MOST_NAMES])
    more = len(missing) - _MOST_NAMES
    named += f" and {more} more" if more > 0 else ""
    are = "is" if len(missing) == 1 else "are"
    return f"{file}: {len(missing)} of its {count} bones {are} not in {character}: {named}"


def tell_unlike_names(file: str, character: str) -> str:
    """That a clip was carried over by the bodies, since the names say nothing."""
    return (
        f"{file}: its bones are called otherwise than those of {character}, so the motion was carried "
        "over by legs, spine and arms"
    )


def tell_left_out(file: str, reason: str) -> str:
    """That a file was left out."""
    return f"{file} was left out: {reason}"


def tell_beside(file: str, character: str, armature: str, reason: str = "") -> str:
    """That a file stands beside the character, since its clips are none of it."""
    why = reason or f"few of its bones are called as those of {character}"
    return f"{file} was left beside {character} as {armature}: {why}"
