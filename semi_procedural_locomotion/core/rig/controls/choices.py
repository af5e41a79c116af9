# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Controls named by a user or a job, in place of those that are found (numpy only)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .mapping import SwitchValue


@dataclass(frozen=True)
class LegControlsChoice:
    """Controls of one leg; None leaves them as found, an empty text or tuple is none.

    Attributes
    ----------
    leg
        Name of the leg.
    foot, ankle, toe, hock, pole, pole_turns, rolls, chain, switches
        As of `LegControls`.
    """

    leg: str
    foot: str | None = None
    ankle: str | None = None
    toe: str | None = None
    hock: str | None = None
    pole: str | None = None
    pole_turns: bool | None = None
    rolls: tuple[str, ...] | None = None
    chain: tuple[str, ...] | None = None
    switches: tuple[SwitchValue, ...] | None = None


@dataclass(frozen=True)
class ControlsChoice:
    """Controls of a character; None leaves them as found, an empty text is none.

    Attributes
    ----------
    body, root
        As of `ControlMap`.
    legs
        Legs of which something is chosen.
    turned
        Controls of the upper body by the names of the deforming bones that they turn.
    """

    body: str | None = None
    root: str | None = None
    legs: tuple[LegControlsChoice, ...] = ()
    turned: Mapping[str, str] = field(default_factory=dict)
