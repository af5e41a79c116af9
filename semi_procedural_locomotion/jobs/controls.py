# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Controls that a job names in place of those that are found (no bpy)."""

from __future__ import annotations

from ..core.rig.controls.choices import ControlsChoice, LegControlsChoice
from ..core.rig.controls.mapping import SwitchValue
from .tables import Table


def parse_controls(table: Table | None) -> ControlsChoice | None:
    """Read ``controls`` of a character; None where it is absent.

    Raises
    ------
    JobError
        A key is unknown or its value of the wrong kind.
    """
    if table is None:
        return None
    legs = table.tables("legs", instead="a list of tables with `leg`") or ()
    turned = {}
    for row in table.tables("turned", instead="a list of tables with `bone` and `control`") or ():
        turned[row.required_text("bone")] = row.required_text("control")
        row.finish()
    choice = ControlsChoice(
        body=table.text("body"),
        root=table.text("root"),
        legs=tuple(_parse_leg(entry) for entry in legs),
        turned=turned,
    )
    table.finish()
    return choice


def _parse_leg(table: Table) -> LegControlsChoice:
    """Read the controls of one leg."""
    switches = table.tables("switches", instead="a list of tables with `path`, `ik` and `fk`")
    choice = LegControlsChoice(
        leg=table.required_text("leg"),
        foot=table.text("foot"),
        ankle=table.text("ankle"),
        toe=table.text("toe"),
        hock=table.text("hock"),
        pole=table.text("pole"),
        pole_turns=None if table.peek("pole_turns") is None else table.flag("pole_turns"),
        rolls=table.texts("rolls"),
        chain=table.texts("chain"),
        switches=None if switches is None else tuple(map(_parse_switch, switches)),
    )
    table.finish()
    return choice


def _parse_switch(table: Table) -> SwitchValue:
    """Read a property and its two values."""
    component = table.number("index") or 0.0
    switch = SwitchValue(
        (table.required_text("path"), int(component)),
        table.required_number("ik"),
        table.required_number("fk"),
    )
    table.finish()
    return switch
