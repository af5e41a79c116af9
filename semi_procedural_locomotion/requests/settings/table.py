# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All settings in one table of parts, and the check of a value by part and name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .bakes import BAKE, OUTPUT, RANGE
from .kinds import Setting, check_values
from .motions import FIX, GROUP, LAYER, MOTION, ROOT_MOTION, STYLE
from .steps import PLAN
from .travels import DRIVE, GROUND, STRAIGHT, TRAVEL


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


def check(part: str, name: str, value: object) -> None:
    """Refuse a value that a setting cannot have.

    Parameters
    ----------
    part
        Name of the part of the table, as ``"steps"``.
    value
        What is given.

    Raises
    ------
    SettingError
        It is of the wrong kind, not finite or out of range.
    KeyError
        There is no such setting.
    """
    settings = next(entry.settings for entry in PARTS if entry.name == part)
    check_values({name: settings[name]}, {name: value})
