# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Failures that a user can act on. Every message names the thing and the cure."""

from __future__ import annotations

import re

# What moves a terminal's cursor, colours it or turns its lines, but for tabs and breaks of lines.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class LocomotionError(Exception):
    """A failure whose message is fit to be shown to a user in one line.

    Attributes
    ----------
    case
        What is the case, without the cure where that is told apart from it.
    cure
        What to do about it at the panels; empty where the case says it.
    job_cure
        The same with the keys of jobs and the verbs of the command line.
    hints, job_hints
        What else is to mind, each a sentence of its own, for readers of both kinds.
    """

    hints: tuple[str, ...] = ()
    job_hints: tuple[str, ...] = ()
    # What stands between a case and its cure.
    _joint = ": "

    def __init__(self, case: str, cure: str = "", job_cure: str = "") -> None:
        super().__init__(f"{case}{self._joint}{cure}" if cure else case)
        self.case, self.cure, self.job_cure = case, cure, job_cure or cure

    @property
    def job_text(self) -> str:
        """The message for the author of a job."""
        return f"{self.case}{self._joint}{self.job_cure}" if self.job_cure else self.case


class RigError(LocomotionError):
    """The armature, its legs or its soles do not allow what was asked."""

    def __init__(
        self,
        case: str,
        cure: str = "",
        job_cure: str = "",
        hints: tuple[str, ...] = (),
        job_hints: tuple[str, ...] = (),
    ) -> None:
        super().__init__(case, cure, job_cure)
        self.hints, self.job_hints = hints, job_hints or hints


class AnalysisError(LocomotionError):
    """A motion could not be analysed."""

    _joint = "; "


class TravelError(LocomotionError):
    """The travel is missing or cannot be followed.

    Attributes
    ----------
    time
        Seconds of the walk's clock at which it cannot; None where that is not known.
    last
        Seconds until which it cannot; None where that is one moment, or not known.
    """

    def __init__(
        self,
        case: str,
        cure: str = "",
        job_cure: str = "",
        time: float | None = None,
        last: float | None = None,
    ) -> None:
        super().__init__(case, cure, job_cure)
        self.time = time
        self.last = last


class GroundError(LocomotionError):
    """The ground is missing or cannot be used."""


class BakeError(LocomotionError):
    """Keys could not be written or removed."""


class FileError(LocomotionError):
    """A file could not be read, imported or written."""


class SettingError(LocomotionError):
    """A setting was given a value of the wrong kind or out of its range."""


class JobError(LocomotionError):
    """A job description or a command line is wrong (exit code 2)."""


def escape_signs(text: str) -> str:
    """A text with signs for what would steer a terminal in place of that; JSON stays the same JSON."""
    return _STEERING.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
