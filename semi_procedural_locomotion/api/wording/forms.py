# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the texts about notes may use beside Python's own formats.

A text names the values of its note, and ``leg``, ``frame``, ``x``, ``y`` and ``z``; ``span`` are the
frames up to its ``last``: ``at frame 3``, ``from frame 3 to 7``. After the colon may stand:

- ``.1 %``: a share as a percentage, ``2.3 %``;
- ``abs .3g``: its size;
- ``length``: a length in the scene's units, ``+length`` with its sign, ``abs length`` its size;
- ``place``: a place or way in the larger of these units;
- ``speed``: a speed in them;
- ``count step``: ``1 step``, ``3 steps``;
- ``is|are``: the first for 1, the second for any other number;
- ``+above|below``: the first for a number above 0, the second for any other;
- ``if TEXT #``: nothing for 0, otherwise the text with the number in the place of ``#``; the text may
  name other values.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Any

from ...notes import Note, NoteKind
from ...notes.units import Units


class Severity(IntEnum):
    """How grave a note is; the gravest come first.

    `WALK`: the walk shows a fault, or may. `CLIP`: a source motion is doubtful. `HINT`: good to know.
    """

    WALK = 0
    CLIP = 1
    HINT = 2


class Reader(Enum):
    """Who reads a cure: somebody at the panels, or the author of a job."""

    PANEL = "panel"
    JOB = "job"


@dataclass(frozen=True)
class Words:
    """How a kind of note is told.

    Attributes
    ----------
    severity
        How grave it is.
    text
        What is the case, to be filled with the note's values; without a full stop.
    cure
        What to do about it, with the labels of the panels.
    job_cure
        The same with the keys of jobs.
    """

    severity: Severity
    text: str
    cure: str
    job_cure: str


Texts = tuple[str, ...] | Mapping[str, tuple[str, ...]]
"""Text, cure and, where it is another one, cure for jobs; or these for each case of a kind."""


def make_words(
    severity: Severity, table: Mapping[NoteKind, Texts]
) -> dict[tuple[NoteKind, str], Words]:
    """Words of one severity by kind and case, which is empty for kinds that have none."""
    return {
        (kind, case): Words(severity, entry[0], entry[1], entry[-1])
        for kind, entries in table.items()
        for case, entry in ({"": entries} if isinstance(entries, tuple) else entries).items()
    }


def fill(text: str, note: Note, units: Units) -> str:
    """A text with the values of a note in the places that it names, in the units of a scene."""
    # Files of older versions keep refusals whose words hold the cure.
    given: dict[str, Any] = {
        "cure": "",
        "job_cure": "",
        "leg": note.leg,
        "frame": note.frame,
        **note.values,
    }
    if "last" in note.values:
        last = note.values["last"]
        alone = note.frame is None or note.frame == last
        given["span"] = f"at frame {last}" if alone else f"from frame {note.frame} to {last}"
    if note.place is not None:
        given |= zip("xyz", note.place, strict=True)
    return _Formatter(units).vformat(text, (), given)


class _Formatter(string.Formatter):
    """Python's formats and those of this module, in some units."""

    def __init__(self, units: Units) -> None:
        self._units = units

    def format_field(self, value: Any, format_spec: str) -> str:  # noqa: ANN401 - any value
        """One value as its form asks; as it is where that does not fit, as in a damaged file."""
        try:
            return self._write(value, format_spec)
        except (TypeError, ValueError):
            return str(value)

    def _write(self, value: Any, format_spec: str) -> str:  # noqa: ANN401 - any value
        """One value as its form asks."""
        if isinstance(value, tuple):
            value = ", ".join(value)
        form, _, rest = format_spec.partition(" ")
        if form == "count":
            return f"{value} {rest}" if value == 1 else f"{value} {rest}s"
        if form == "if":
            return rest.replace("#", str(value)) if value else ""
        if form == "abs":
            return self.format_field(abs(value), rest)
        if format_spec in ("length", "+length"):
            return self._units.write_length(value, format_spec[: -len("length")])
        if format_spec == "place":
            return self._units.write_length(value, is_far=True)
        if format_spec == "speed":
            return self._units.write_speed(value)
        if "|" in format_spec:
            one, _, other = format_spec.removeprefix("+").partition("|")
            is_one = value > 0 if format_spec.startswith("+") else value == 1
            return one if is_one else other
        if rest == "%":
            return f"{format(100.0 * value, f'{form}f')} %"
        return str(super().format_field(value, format_spec))
