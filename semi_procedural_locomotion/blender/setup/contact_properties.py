# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Key times of a motion's feet, found or set by the user, as Blender properties.

An entry belongs to the foot of its name, the bone of a leg's ankle, so that it stays with its foot
when legs are named, ordered or measured anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import bpy

from ...core.contacts.edits import ContactEdit, ContactTimes
from ...core.contacts.limits import EDIT
from ...requests.settings.motions import MOTION
from .declaring import declare
from .values import clear_entries

_OVERRIDE = {"LIBRARY_OVERRIDABLE"}
_NAMES = ("stance", "strike", "off")


def _declare_time(name: str, /, **more: Any) -> Any:  # noqa: ANN401 - what Blender's functions give
    """A share of the cycle."""
    return declare(MOTION[name], step=1, precision=3, override=_OVERRIDE, **more)


class LOCOMOTION_PG_key_times(bpy.types.PropertyGroup):
    """When one foot stands in a motion; its name is the bone of the foot."""

    strike: _declare_time("strike")
    stance: _declare_time("stance")
    off: _declare_time("off")
    found_strike: _declare_time(
        "strike", name="Found Strike", description="Strike as the analysis found it"
    )
    found_stance: _declare_time(
        "stance", name="Found Stance", description="Stance as the analysis found it"
    )
    found_off: _declare_time(
        "off", name="Found Foot-Off", description="Foot-off as the analysis found it"
    )

    @property
    def is_edited(self) -> bool:
        """Whether the user has set any of the times."""
        return any(self.is_set(name) for name in _NAMES)

    def is_set(self, name: str) -> bool:
        """Whether the user has set one of the times."""
        return bool(abs(getattr(self, name) - getattr(self, f"found_{name}")) > EDIT.rounding)

    @property
    def times(self) -> ContactTimes:
        """The times that are used."""
        return ContactTimes(**{name: float(getattr(self, name)) for name in _NAMES})

    def reset(self) -> None:
        """Take back what the user has set."""
        for name in _NAMES:
            setattr(self, name, getattr(self, f"found_{name}"))


def read_time_edits(motion: bpy.types.PropertyGroup) -> dict[str, ContactEdit]:
    """Times that the user has set for a motion, by the bone of the foot."""
    return {
        entry.name: ContactEdit(
            **{name: float(getattr(entry, name)) for name in _NAMES if entry.is_set(name)}
        )
        for entry in motion.key_times
        if entry.is_edited
    }


def write_key_times(
    motion: bpy.types.PropertyGroup,
    used: Mapping[str, ContactTimes],
    found: Mapping[str, ContactTimes],
) -> None:
    """Keep times of a motion.

    Parameters
    ----------
    motion
        An entry of the motions list.
    used
        When feet stand, by the bone of the foot, in the order of the legs.
    found
        What the analysis found for those of them that the user has set; not all need be there.
    """
    entries = motion.key_times
    if [entry.name for entry in entries] != list(used):
        clear_entries(motion, "key_times")
        for foot in used:
            entries.add().name = foot
    for entry, (foot, times) in zip(entries, used.items(), strict=True):
        before = found.get(foot, times)
        for name in _NAMES:
            setattr(entry, f"found_{name}", getattr(before, name))
            # Nothing is written that the user has set, which would only round it.
            if (
                foot not in found
                or abs(getattr(entry, name) - getattr(times, name)) > EDIT.rounding
            ):
                setattr(entry, name, getattr(times, name))
