# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page docs/settings.md, made from the table of settings.

Run from the project's root: ``PYTHONPATH=. .venvs/core/bin/python tools/settings_page.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from semi_procedural_locomotion.requests.settings.bakes import BAKE, OUTPUT, RANGE
from semi_procedural_locomotion.requests.settings.kinds import Choice, Number, Setting
from semi_procedural_locomotion.requests.settings.motions import (
    FIX,
    GROUP,
    LAYER,
    MOTION,
    ROOT_MOTION,
    STYLE,
)
from semi_procedural_locomotion.requests.settings.steps import PLAN
from semi_procedural_locomotion.requests.settings.travels import DRIVE, GROUND, STRAIGHT, TRAVEL

PAGE = Path(__file__).resolve().parent.parent / "docs" / "settings.md"
_OPENING = """# Settings

All that has a default and a range. Names are the same for jobs, for scripts and for the properties of
operators, labels are those of the panels. A value out of its range, or of another kind, is refused in
words that name the setting, its range and its unit; nothing is clamped, except by the sliders of
panels. L is the mean length of the legs.

This page is made by `tools/settings_page.py` from `requests/settings`, as are properties, job keys and
presets.
"""


@dataclass(frozen=True)
class Part:
    """Settings that belong together.

    Attributes
    ----------
    name
        Short name, by which a value is checked.
    title
        What pages call it.
    place
        Where jobs have them, as part of a sentence.
    settings
        By their names.
    """

    name: str
    title: str
    place: str
    settings: Mapping[str, Setting]


PARTS = (
    Part("steps", "Steps", "in a job's `[character.settings]`", PLAN),
    Part("travel", "Travel", "in a job's `[character.travel]`", TRAVEL),
    Part("straight", "Travel straight ahead", "in a job's `[character.travel]`", STRAIGHT),
    Part("ground", "Ground", "in a job beside `ground`", GROUND),
    Part("bake", "Keys", "in a job's `[character.bake]`", BAKE),
    Part("output", "Output", "in a job's `[[character]]`", {OUTPUT.name: OUTPUT}),
    Part("range", "Range", "a job has `frames` instead", RANGE),
    Part("fix", "Fix Feet", "of the operator and of `api.fixing.FixRequest`", FIX),
    Part("drive", "Drive", "of the operator and of `api.driving.DriveChoices`", DRIVE),
    Part("style", "Made cycles", "beside `make` in a job's `motions`", STYLE),
    Part(
        "motion",
        "Motions",
        "beside `action` in a job's `motions`, the times in `key_times`",
        MOTION,
    ),
    Part("group", "Groups of motions", "beside `name` in a job's `groups`", GROUP),
    Part("layer", "Layers", "beside `action` in a job's `layers`", LAYER),
    Part("root motion", "Root motion", "of *Convert Root Motion* and the API", ROOT_MOTION),
)


def write_page() -> str:
    """The whole page."""
    return "\n".join([_OPENING, *(_write_part(part) for part in PARTS)])


def _write_part(part: Part) -> str:
    """A heading and a table."""
    lines = [
        f"## {part.title}",
        "",
        f"{part.place[0].upper()}{part.place[1:]}.",
        "",
        "| name | label | default | range | unit | what it does |",
        "|---|---|---|---|---|---|",
        *(_write_row(setting) for setting in part.settings.values()),
        "",
    ]
    return "\n".join(lines)


def _write_row(setting: Setting) -> str:
    """A row of a table."""
    unit = setting.unit.name if isinstance(setting, Number) else ""
    if isinstance(setting, Number):
        values = setting.describe_ends()
    elif isinstance(setting, Choice):
        values = ", ".join(f"`{option.name}`" for option in setting.options)
    else:
        values = setting.describe()
    description = setting.description
    if isinstance(setting, Choice):
        told = (
            f"`{o.name}`: {o.description[0].lower()}{o.description[1:]}" for o in setting.options
        )
        description += f". {'; '.join(told)}"
    cells = (f"`{setting.name}`", setting.label, _write_default(setting), values, unit, description)
    return f"| {' | '.join(cells)} |"


def _write_default(setting: Setting) -> str:
    """The default of a setting."""
    if setting.default is None:
        return setting.automatic
    if isinstance(setting.default, bool):
        return str(setting.default).lower()
    if isinstance(setting.default, str):
        return f"`{setting.default}`"
    return f"{setting.default:.4g}"


if __name__ == "__main__":
    PAGE.write_text(write_page(), encoding="utf-8", newline="\n")
    print(PAGE)
