# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Failures that a user can act on. Every message names the thing and the cure."""

from __future__ import annotations


class LocomotionError(Exception):
    """A failure whose message is fit to be shown to a user in one line.

    Attributes
    ----------
    hints
        What else is to mind, each a sentence of its own.
    """

    hints: tuple[str, ...] = ()


class RigError(LocomotionError):
    """The armature, its legs or its soles do not allow what was asked."""

    def __init__(self, message: str, hints: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.hints = hints


class AnalysisError(LocomotionError):
    """A motion could not be analysed.

    Attributes
    ----------
    case
        What is the case, without the cure.
    cure
        What to do about it at the panels; empty where the case says it.
    job_cure
        The same with the keys of jobs.
    """

    def __init__(self, case: str, cure: str = "", job_cure: str = "") -> None:
        super().__init__(f"{case}; {cure}" if cure else case)
        self.case, self.cure, self.job_cure = case, cure, job_cure or cure

    @property
    def job_text(self) -> str:
        """The message for the author of a job."""
        return f"{self.case}; {self.job_cure}" if self.job_cure else self.case


class TravelError(LocomotionError):
    """The travel is missing or cannot be followed.

    Attributes
    ----------
    time
        Seconds of the walk's clock at which it cannot; None where that is not known.
    last
        Seconds until which it cannot; None where that is one moment, or not known.
    """

    def __init__(self, message: str, time: float | None = None, last: float | None = None) -> None:
        super().__init__(message)
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
