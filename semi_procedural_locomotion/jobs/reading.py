# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a job asks for: a TOML description read into checked, frozen dataclasses (no bpy).

Lengths are metres, speeds metres a second, places world x and y. Paths in a job are relative to
the folder of the job file and are absolute after reading.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ..core.rig.controls.choices import ControlsChoice, LegControlsChoice
from ..core.rig.controls.mapping import SwitchValue
from ..core.rig.legs import LegChoice
from ..errors import JobError
from ..requests.settings.bakes import BAKE, OUTPUT
from ..requests.settings.steps import PLAN
from ..requests.settings.travels import GROUND
from .motions import (
    CycleJob,
    GroupJob,
    LayerJob,
    MotionJob,
    parse_groups,
    parse_layers,
    parse_motions,
)
from .tables import Table
from .travel import SectionJob, TravelJob, parse_frames, parse_sections, parse_travel


def _parse_bake(table: Table | None) -> dict[str, float | bool | str]:
    """Read ``[character.bake]``: the bake's choices by the names of their properties."""
    if table is None:
        return {}
    values = table.settings(BAKE)
    table.finish()
    return values


def _parse_controls(table: Table | None) -> ControlsChoice | None:
    """Read ``controls`` of a character; None where it is absent."""
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


CHARACTER_SUFFIXES = (".blend", ".glb", ".gltf", ".vrm", ".fbx", ".bvh")
GROUND_SUFFIXES = (".glb", ".gltf", ".fbx")
# Frames a second that a job may ask for.
_LEAST_RATE, _MOST_RATE = 1, 1000


@dataclass(frozen=True)
class GroundSource:
    """One entry of the ground: a file to import, or the name of an object or collection.

    Attributes
    ----------
    file
        Absolute path of a mesh file, or None.
    name
        Name in the blend file, or None; exactly one of both is given.
    """

    file: Path | None = None
    name: str | None = None


@dataclass(frozen=True)
class CharacterJob:
    """One character: where it is read from, what it does, and what overrides the findings.

    Attributes
    ----------
    file
        Absolute path of the file that holds it.
    armature
        Name of the armature object, or None where the file has one.
    motions
        Actions to analyse, or None to tick all that look like locomotion.
    cycles
        Cycles to make from numbers besides.
    groups
        Weights of groups of motions; those not named weigh 1.
    layers
        Actions that some bones follow over the walk, the last one on top; None for those of a set-up.
    legs
        Legs by hand, or None to find them.
    forward
        World x, y that the character faces at rest, or None to find it.
    body
        Name of the bone that carries the hips, or None to find it.
    root
        Name of the root bone, or None for the topmost bone above the body.
    controls
        Controls in place of those that are found, or None.
    settings
        Values of ``PlanSettings`` that differ from the defaults, by name.
    bake
        Values of the bake's own choices by name.
    output_to
        What carries the travel: ``object``, ``bone`` or ``none``; None for the default.
    travel
        Where it goes.
    sections
        Stretches of walk that are baked one by one; empty for one walk.
    """

    file: Path
    armature: str | None
    motions: tuple[MotionJob, ...] | None
    cycles: tuple[CycleJob, ...]
    groups: tuple[GroupJob, ...]
    layers: tuple[LayerJob, ...] | None
    legs: tuple[LegChoice, ...] | None
    forward: tuple[float, float] | None
    body: str | None
    root: str | None
    controls: ControlsChoice | None
    settings: Mapping[str, float | bool]
    bake: Mapping[str, float | bool | str]
    output_to: str | None
    travel: TravelJob
    sections: tuple[SectionJob, ...] = ()


@dataclass(frozen=True)
class Job:
    """A whole job file.

    Attributes
    ----------
    output
        Absolute path of the .blend file to write, or None where the command line must name it.
    fps
        Frames a second of the scene, or None for the file's own.
    frames
        First and last frame, or None for as long as the travel takes.
    ground
        What is ground; empty for all visible meshes that are not part of a character.
    leave_out
        Names of objects and collections that are no ground; None for those of the set-up.
    ground_choice
        Values of ``GroundChoice`` that differ from those of the set-up, by name.
    """

    path: Path
    output: Path | None
    fps: float | None
    frames: tuple[int, int] | None
    ground: tuple[GroundSource, ...]
    leave_out: tuple[str, ...] | None
    ground_choice: Mapping[str, Any]
    characters: tuple[CharacterJob, ...]

    @property
    def files(self) -> tuple[Path, ...]:
        """Files that the job reads besides itself."""
        grounds = [source.file for source in self.ground if source.file is not None]
        return (*(character.file for character in self.characters), *grounds)


def read_job(path: Path) -> Job:
    """Read and check a job file.

    Raises JobError: the file is missing or not TOML, or a key is unknown, missing or wrong; the
    message names the key and the cure.

    Parameters
    ----------
    path
        A TOML file; all files that it names must exist.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors begin files with a mark
    except OSError as error:
        raise JobError(f"{path}: cannot be read ({error.strerror}); give a job file") from error
    except UnicodeDecodeError as error:
        raise JobError(f"{path}: is not text; save the job as UTF-8") from error
    except ValueError as error:  # a sign that no file's name has
        raise JobError(f"{path}: is no path that a disk can have; give a job file") from error
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise JobError(f"{path}: is not TOML: {error}; correct that line") from error
    except (ValueError, RecursionError) as error:  # thousands of digits, or of brackets
        raise JobError(f"{path}: cannot be read as TOML: {error}; correct the job") from error
    return parse_job(values, path)


def parse_job(values: Mapping[str, object], path: Path) -> Job:
    """Check the values of a job; ``path`` names it and is the base of relative paths.

    Raises JobError as in `read_job`.
    """
    table = Table(values, path.name, path.resolve().parent)
    output = table.path("output", suffixes=(".blend",), must_exist=False)
    fps = table.number("fps", above=0.0)
    if fps is not None and not _LEAST_RATE <= fps <= _MOST_RATE:
        raise table.error("fps", f"must be from {_LEAST_RATE} to {_MOST_RATE}, got {fps:g}")
    frames = parse_frames(table)
    ground = tuple(
        _parse_ground(entry) for entry in table.strings_or_tables("ground", table_key="file")
    )
    leave_out = table.texts("leave_out")
    ground_choice = table.settings(GROUND)
    characters = tuple(_parse_character(entry) for entry in table.tables("character") or ())
    if not characters:
        raise table.error("character", "is missing; add a [[character]] table")
    table.finish()
    return Job(path, output, fps, frames, ground, leave_out, ground_choice, characters)


def _parse_ground(entry: str | Table) -> GroundSource:
    """Read a name or a ``{file = ...}`` table."""
    if isinstance(entry, str):
        return GroundSource(name=entry)
    file = entry.path("file", suffixes=GROUND_SUFFIXES)
    if file is None:
        raise entry.error("file", "is missing; name a mesh file")
    entry.finish()
    return GroundSource(file=file)


def _parse_character(table: Table) -> CharacterJob:
    """Read one ``[[character]]`` table."""
    key = table.one_of("file", "blend")
    if key is None:
        raise table.error("file", "is missing; name the character's file")
    suffixes = (".blend",) if key == "blend" else CHARACTER_SUFFIXES
    file = cast(Path, table.path(key, suffixes=suffixes))
    travel = table.table("travel")
    motions, cycles = parse_motions(table)
    character = CharacterJob(
        file=file,
        armature=table.text("armature"),
        motions=motions,
        cycles=cycles,
        groups=parse_groups(table, {m.group for m in motions or ()} | {c.group for c in cycles}),
        layers=parse_layers(table),
        legs=_parse_legs(table),
        forward=_parse_forward(table),
        body=table.text("body"),
        root=table.text("root"),
        controls=_parse_controls(table.table("controls")),
        settings=_parse_settings(table.table("settings")),
        bake=_parse_bake(table.table("bake")),
        output_to=table.setting(OUTPUT),
        travel=TravelJob() if travel is None else parse_travel(travel),
        sections=parse_sections(table),
    )
    table.finish()
    return character


def _parse_legs(table: Table) -> tuple[LegChoice, ...] | None:
    """Read ``legs``, tables with the bones from hip to ankle."""
    entries = table.tables("legs", instead="a list of tables with `bones`")
    if entries is None:
        return None
    legs = []
    for entry in entries:
        bones = entry.texts("bones")
        if bones is None or len(bones) < 2:
            raise entry.error("bones", "must list two or more bones from the hip to the ankle")
        legs.append(LegChoice(bones, entry.text("toe"), entry.text("name")))
        entry.finish()
    if not legs:
        raise table.error("legs", "is empty; leave it out to have the legs found")
    return tuple(legs)


def _parse_forward(table: Table) -> tuple[float, float] | None:
    """Read ``forward``, a world x, y that is not zero."""
    forward = table.numbers("forward", count=2)
    if forward is None:
        return None
    if forward == (0.0, 0.0):
        raise table.error("forward", "has no direction; give world x, y such as [0, -1]")
    return forward[0], forward[1]


def _parse_settings(table: Table | None) -> dict[str, float | bool]:
    """Read ``[character.settings]`` and check it against the table of settings."""
    if table is None:
        return {}
    values = table.settings(PLAN)
    table.finish()
    return values
