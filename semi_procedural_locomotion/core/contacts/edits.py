# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of a foot's contact that the user may set instead of those found (numpy only)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...errors import AnalysisError
from ...requests.settings.kinds import check_values
from ...requests.settings.motions import MOTION
from .find import LegContact
from .limits import CONTACT, EDIT


@dataclass(frozen=True)
class ContactTimes:
    """Record of when one foot stands, in shares of the cycle from its first pose on, [0, 1).

    Attributes
    ----------
    stance
        The instant whose place becomes the footprint.
    strike, off
        First point arrives, last point leaves; the contact may run over the end of the cycle.
    """

    stance: float
    strike: float
    off: float

    @property
    def duty(self) -> float:
        """Share of the cycle from strike to off."""
        return (self.off - self.strike) % 1.0

    @property
    def lead(self) -> float:
        """Share of the cycle from strike to stance."""
        return (self.stance - self.strike) % 1.0

    def reverse(self) -> ContactTimes:
        """The same contact in the cycle played backwards."""
        return ContactTimes(-self.stance % 1.0, -self.off % 1.0, -self.strike % 1.0)


@dataclass(frozen=True)
class ContactEdit:
    """Times of a contact that the user has set, as in `ContactTimes`; None as found.

    Raises SettingError: a time is no share of the cycle, 0 to 1.
    """

    stance: float | None = None
    strike: float | None = None
    off: float | None = None

    def __post_init__(self) -> None:
        check_values(MOTION, vars(self))

    def apply(self, found: ContactTimes) -> ContactTimes:
        """The times that are used."""
        return ContactTimes(
            found.stance if self.stance is None else self.stance,
            found.strike if self.strike is None else self.strike,
            found.off if self.off is None else self.off,
        )


def find_fault(times: ContactTimes) -> str:
    """Why a foot cannot stand so, with the cure, in words; empty where it can."""
    strike, stance, off = times.strike % 1.0, times.stance % 1.0, times.off % 1.0
    if times.duty < CONTACT.least_duty - EDIT.rounding:
        return (
            f"stands from strike {strike:.3f} to foot-off {off:.3f}, under {CONTACT.least_duty:g} of the "
            "cycle: move Foot-Off behind Strike, or reset"
        )
    if times.duty > 1.0 - CONTACT.least_duty + EDIT.rounding:
        return (
            f"is in the air from foot-off {off:.3f} to strike {strike:.3f}, under {CONTACT.least_duty:g} "
            "of the cycle: move Strike behind Foot-Off, or reset"
        )
    if (
        not EDIT.least_lead - EDIT.rounding
        <= times.lead
        <= times.duty - EDIT.least_lead + EDIT.rounding
    ):
        return (
            f"has its stance at {stance:.3f}, not between strike {strike:.3f} and foot-off "
            f"{off:.3f}: move Stance between them, or reset"
        )
    return ""


def times_from_contact(contact: LegContact) -> ContactTimes:
    """Times that the analysis found; all at the stance for a foot that does not step."""
    if not contact.steps:
        return ContactTimes(contact.stance, contact.stance, contact.stance)
    return ContactTimes(contact.stance, contact.strike, contact.off)


def edit_contacts(
    contacts: Sequence[LegContact],
    key_times: Mapping[str, ContactEdit],
    legs: Sequence[str],
    name: str,
) -> tuple[LegContact, ...]:
    """Contacts with those times that the user has set.

    Raises AnalysisError: a leg does not exist, or its foot cannot stand so.

    Parameters
    ----------
    contacts
        What the analysis found, one entry a leg.
    key_times
        Times by the names of legs; legs that are not named keep what was found.
    legs
        Names of all legs.
    """
    for leg in key_times:
        if leg not in legs:
            raise AnalysisError(
                f"{name!r} has key times for {leg!r}, which is no leg: name one of {', '.join(legs)}"
            )
    edited = list(contacts)
    for index, leg in enumerate(legs):
        if leg in key_times:
            times = key_times[leg].apply(times_from_contact(contacts[index]))
            check_times(times, leg, name)
            edited[index] = _edit_contact(contacts[index], times)
    return tuple(edited)


def check_times(times: ContactTimes, leg: str, name: str) -> None:
    """Refuse times that no foot can have.

    Raises AnalysisError: the foot cannot stand so.
    """
    fault = find_fault(times)
    if fault:
        raise AnalysisError(f"{name!r}: {leg} {fault}")


def _edit_contact(contact: LegContact, times: ContactTimes) -> LegContact:
    """One contact; the foot rolls on and off over the same share of the time that it has for it."""
    landing, lifting = 0.0, 0.0
    if contact.steps:
        found = times_from_contact(contact)
        landing = (contact.land - contact.strike) % 1.0 / max(found.lead, EDIT.rounding)
        lifting = (contact.off - contact.lift) % 1.0 / max(found.duty - found.lead, EDIT.rounding)
    land = times.strike + min(landing, 1.0) * times.lead
    lift = times.off - min(lifting, 1.0) * (times.duty - times.lead)
    return replace(
        contact,
        steps=True,
        reason=None,
        stance=times.stance % 1.0,
        strike=times.strike % 1.0,
        land=land % 1.0,
        lift=lift % 1.0,
        off=times.off % 1.0,
        duty=times.duty,
        points=contact.points or "HBT",
    )


def compute_leg_times(contact: LegContact) -> tuple[float, float, float, float]:
    """Lift, off, strike and land relative to stance, in cycles.

    A leg that does not step takes steps of an even walk all the same: a swing without a length would
    throw its foot from print to print.
    """
    if not contact.steps:
        half = 0.5 * CONTACT.assumed_duty
        return half, half, 1.0 - half, 1.0 - half
    lift = _advance(contact.stance, contact.lift)
    strike = 1.0 - _advance(contact.strike, contact.stance)
    land = 1.0 - _advance(contact.land, contact.stance)
    off = min(max(contact.duty - (1.0 - strike), lift), strike)
    return lift, off, strike, max(land, strike)


def _advance(origin: float, phase: float) -> float:
    """Share of the cycle from one phase to the next."""
    ahead = (phase - origin) % 1.0
    # A phase that equals its origin may come out a rounding below 1.
    return 0.0 if ahead > 1.0 - 1e-9 else ahead
