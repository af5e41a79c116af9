# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a job asks for: a TOML description read into checked, frozen dataclasses (no bpy).

Lengths are metres, speeds metres a second, places world x and y. Paths in a job are relative to
the folder of the job file and are absolute after reading.
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, cast

from ..core.contacts.edits import ContactEdit
from ..core.gaits.fitting import GaitStyle
from ..core.gaits.presets import list_presets
from ..core.rig.controls.choices import ControlsChoice, LegControlsChoice
from ..core.rig.controls.mapping import SwitchValue
from ..core.rig.legs import LegChoice
from ..errors import JobError
from ..requests.settings.bakes import BAKE, OUTPUT, RANGE
from ..requests.settings.kinds import Setting
from ..requests.settings.motions import GROUP, LAYER, MOTION, STYLE
from ..requests.settings.steps import PLAN
from ..requests.settings.travels import GROUND, TRAVEL
from ..requests.travels import KINDS, StraightAhead, TravelSource
from .tables import Table

# The gait that stands still, beside the presets.
REST = "rest"
_LEG_COUNTS = (2, 4, 6, 8)
_DEFAULT_GROUP = "walk"


@dataclass(frozen=True)
class _CycleJob:
    """One cycle to make.

    Attributes
    ----------
    gait
        Name of a ready-made gait, or ``rest``.
    style
        What is different from it.
    group
        Name of its motion group.
    """

    gait: str
    style: GaitStyle
    group: str

    @property
    def is_rest(self) -> bool:
        """Whether it stands still."""
        return self.gait == REST


def _parse_cycle(table: Table) -> _CycleJob:
    """Read an entry of ``motions`` with a ``make`` key."""
    known = dict.fromkeys(name for count in _LEG_COUNTS for name in list_presets(count))
    gait = table.text("make", choices=(*known, REST)) or REST
    style = GaitStyle(**table.settings(STYLE))
    group = table.text("group") or _DEFAULT_GROUP
    table.finish()
    return _CycleJob(gait, style, group)


WeightKeys = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class LayerJob:
    """An action that some bones follow over the walk.

    Attributes
    ----------
    name
        Name of the layer; empty for that of the action.
    keys
        Frame and weight of each key; one stands for a constant.
    bone, collection
        Bone that follows with those below it, or bone collection; empty for none.
    values
        Settings of the part "layer" of the table, by their names.
    """

    action: str
    name: str
    keys: WeightKeys
    bone: str
    collection: str
    values: Mapping[str, Any]


def _parse_layers(table: Table) -> tuple[LayerJob, ...] | None:
    """Read ``layers``, tables with an action, bones and a clock each, from the lowest to the topmost."""
    entries = table.tables("layers", instead="a list of tables with `action`")
    if entries is None:
        return None
    layers = []
    for entry in entries:
        entry.one_of("bone", "collection")
        bone, collection = entry.text("bone") or "", entry.text("collection") or ""
        values = entry.settings({k: s for k, s in LAYER.items() if k != "weight"})
        mask = values.get("mask")
        given = "bone" if bone else "collection" if collection else ""
        if given and mask not in (None, given):
            raise entry.error("mask", f'is "{mask}" beside `{given}`; keep one of them')
        if mask in ("bone", "collection") and not given:
            raise entry.error(mask, "is missing; name it")
        keys = _parse_weight(entry, LAYER["weight"], default=1.0)
        action, name = entry.required_text("action"), entry.text("name") or ""
        entry.finish()
        layers.append(LayerJob(action, name, keys, bone, collection, values))
    return tuple(layers)


def _parse_weight(table: Table, setting: Setting, default: float | None = None) -> WeightKeys:
    """Read ``weight``, a number or a list of [frame, weight] by rising frames."""
    if isinstance(table.peek("weight"), list):
        keys = tuple((row[0], row[1]) for row in table.number_lists("weight", count=2))
    elif default is None:
        keys = ((0.0, table.required_number("weight")),)
    else:
        weight = table.number("weight")
        keys = ((0.0, default if weight is None else weight),)
    for fault in (setting.find_fault(weight) for _, weight in keys):
        if fault:
            raise table.error("weight", fault)
    frames = [frame for frame, _ in keys]
    if not keys or any(b <= a for a, b in itertools.pairwise(frames)):
        raise table.error("weight", "must be a number, or [frame, weight] by rising frames")
    return keys


@dataclass(frozen=True)
class MotionJob:
    """One action to analyse.

    Attributes
    ----------
    group
        Name of its motion group; motions of one group are blended by speed and direction.
    reversed
        Whether it is used backwards in time.
    rest
        Whether it is the pose or loop of standing.
    kind
        ``"cycle"`` or ``"rest"`` to take it as in spite of all objections; None to find that.
    speed
        Its native speed, metres a second, instead of the measured one; None for that.
    key_times
        When feet stand, by the names of legs, in shares of the cycle; others as found.
    """

    action: str
    group: str = "walk"
    reversed: bool = False
    rest: bool = False
    kind: str | None = None
    speed: float | None = None
    key_times: Mapping[str, ContactEdit] = field(default_factory=dict)


@dataclass(frozen=True)
class GroupJob:
    """Weight of a group of motions.

    Attributes
    ----------
    name
        Name of the group.
    keys
        Frame and weight of each key; one stands for a constant.
    overrides
        Whether its weight is taken from all groups that do not override.
    """

    name: str
    keys: WeightKeys
    overrides: bool = False


def _parse_groups(table: Table, names: Collection[str]) -> tuple[GroupJob, ...]:
    """Read ``groups``, tables with a name and a weight, a number or a list of [frame, weight]."""
    groups = []
    for entry in table.tables("groups", instead="a list of tables with `name` and `weight`") or ():
        name = entry.required_text("name")
        if name not in names:
            raise entry.error("name", f'"{name}" is the group of no motion; name that of one')
        keys = _parse_weight(entry, GROUP["weight"])
        overrides = entry.flag("overrides")
        entry.finish()
        groups.append(GroupJob(name, keys, overrides))
    return tuple(groups)


def _parse_motions(
    table: Table,
) -> tuple[tuple[MotionJob, ...] | None, tuple[_CycleJob, ...]]:
    """Read ``motions``: "auto", or tables with an action or a cycle to make each."""
    if table.peek("motions") == "auto":
        table.text("motions")
        return None, ()
    entries = table.tables("motions", instead='"auto" or a list of tables with `action`')
    if entries is None:
        return None, ()
    motions, cycles = [], []
    for entry in entries:
        if entry.one_of("action", "make") == "make":
            cycles.append(_parse_cycle(entry))
            continue
        is_rest, kind = entry.flag("rest"), entry.text("kind", ("cycle", "rest"))
        if is_rest and kind:
            raise entry.error("kind", "cannot stand beside `rest`; keep one of them")
        motion = MotionJob(
            action=entry.required_text("action"),
            group=entry.text("group") or MotionJob.group,
            reversed=entry.flag("reversed"),
            rest=is_rest or kind == "rest",
            kind=kind,
            speed=_parse_speed(entry),
            key_times=_parse_key_times(entry),
        )
        for key in ("speed", "key_times"):
            if motion.rest and getattr(motion, key):
                raise entry.error(key, "cannot stand beside `rest`; keep one of them")
        entry.finish()
        motions.append(motion)
    if all(motion.rest for motion in motions) and all(cycle.is_rest for cycle in cycles):
        raise table.error("motions", 'has no walk; add an action without `rest`, or use "auto"')
    return tuple(motions), tuple(cycles)


def _parse_speed(table: Table) -> float | None:
    """Read ``speed``, the native speed of a motion."""
    speed: float | None = table.setting(MOTION["speed"])
    if speed == 0.0:
        raise table.error("speed", "must be above 0 metres a second; leave it out to measure it")
    return speed


def _parse_key_times(table: Table) -> dict[str, ContactEdit]:
    """Read ``key_times``, tables with a leg and its times."""
    found: dict[str, ContactEdit] = {}
    instead = "a list of tables with `leg`, and `strike`, `stance` or `off`"
    for entry in table.tables("key_times", instead) or ():
        leg = entry.required_text("leg")
        times = [entry.setting(MOTION[name]) for name in ("stance", "strike", "off")]
        if leg in found:
            raise entry.error("leg", f'names "{leg}" for the second time; keep one of them')
        if times == [None] * 3:
            raise entry.error("leg", "has no times; give `strike`, `stance` or `off`")
        entry.finish()
        found[leg] = ContactEdit(*times)
    return found


@dataclass(frozen=True)
class TravelJob:
    """Record of where the character goes.

    Attributes
    ----------
    source
        The travel; straight ahead where the job names none.
    speed_keys
        Frame and metres a second of each key where the speed changes, else empty.
    footsteps
        Name of the collection of footsteps to go along; None for those that the character has.
    """

    source: TravelSource = field(default_factory=StraightAhead)
    speed_keys: tuple[tuple[float, float], ...] = ()
    footsteps: str | None = None


def parse_travel(table: Table) -> TravelJob:
    """Read ``[character.travel]``.

    Raises JobError: a key is unknown, missing or wrong.
    """
    keys = [kind.key for kind in KINDS if kind.record is not StraightAhead]
    key = table.one_of(*keys) or "straight"
    kind = next(kind for kind in KINDS if kind.key == key)
    names: dict[str, Any] = {}
    footsteps = None
    if key == "path":
        names["points"] = _parse_points(table)
        names["space"] = table.text("space")
    elif key == "animation":
        if not table.flag("animation"):
            raise table.error("animation", "can only be true; leave it out otherwise")
    elif key == "footsteps" and isinstance(table.peek(key), bool):
        if not table.flag(key):
            raise table.error(key, "can only be true or a name; leave it out otherwise")
    elif key == "footsteps":
        footsteps = table.required_text(key)
    elif key != "straight":
        names[key] = table.required_text(key)
    speed, speed_keys = _parse_travel_speed(table)
    values = table.settings({name: TRAVEL[name] for name in TRAVEL if name != "speed"})
    values["ease"] = values.get("ease") or None
    table.finish()
    # Jobs may tell more than the source asks for.
    values = {**values, "speed": speed, **names}
    own = {field.name for field in fields(kind.record)} & set(values)
    source = kind.record(**{name: values[name] for name in own})
    return TravelJob(source, speed_keys, footsteps)


def _parse_travel_speed(table: Table) -> tuple[float | None, tuple[tuple[float, float], ...]]:
    """Read ``speed``: a number, "native", or keys of frame and speed."""
    given = table.peek("speed")
    if given == "native":
        table.text("speed")
        return None, ()
    if not isinstance(given, list):
        words = 'a number of metres a second, "native" or a list of [frame, speed]'
        speed = table.number("speed", instead=words)
        fault = "" if speed is None else TRAVEL["speed"].find_fault(speed)
        if fault or speed == 0.0:
            raise table.error("speed", fault or "must be above 0 metres a second, got 0")
        return speed, ()
    keys = tuple((row[0], row[1]) for row in table.number_lists("speed", count=2))
    if not keys or any(b[0] <= a[0] for a, b in itertools.pairwise(keys)):
        raise table.error("speed", "must be a number, or [frame, speed] by rising frames")
    for fault in (TRAVEL["speed"].find_fault(speed) for _, speed in keys):
        if fault:
            raise table.error("speed", fault)
    if not any(speed > 0.0 for _, speed in keys):
        raise table.error("speed", "must be above 0 metres a second somewhere")
    return keys[0][1], keys


def _parse_points(table: Table) -> tuple[tuple[float, float], ...]:
    """Read ``path``, two or more different world x, y."""
    points = cast("tuple[tuple[float, float], ...]", table.number_lists("path", count=2))
    if len(points) < 2:
        raise table.error("path", "needs two or more points; give [[x, y], [x, y], ...]")
    for index, (point, following) in enumerate(itertools.pairwise(points)):
        if point == following:
            raise table.error("path", f"has point {index} twice in a row; remove one")
    return points


_BLENDS = ("blend_in", "blend_out")


@dataclass(frozen=True)
class _SectionJob:
    """One stretch of walk.

    Attributes
    ----------
    frames
        First and last frame.
    name
        What it is called in the panel; None for a name of its own.
    blends
        Frames over which it goes over from and to other animation, by the names of the settings; those
        that are not given are the character's.
    travel
        Where it goes; None for the travel of the character.
    """

    frames: tuple[int, int]
    name: str | None
    blends: Mapping[str, int]
    travel: TravelJob | None


def _parse_sections(table: Table) -> tuple[_SectionJob, ...]:
    """Read ``[[character.section]]``, in the order of their frames; empty where there are none."""
    found = []
    for entry in table.tables("section") or ():
        frames = _parse_frames(entry)
        if frames is None:
            raise entry.error("frames", "is missing; give [first, last]")
        travel = entry.table("travel")
        blends = entry.settings({name: BAKE[name] for name in _BLENDS})
        found.append(
            _SectionJob(
                frames,
                entry.text("name"),
                {name: int(value) for name, value in blends.items()},
                None if travel is None else parse_travel(travel),
            )
        )
        entry.finish()
    found.sort(key=lambda section: section.frames)
    for one, two in itertools.pairwise(found):
        if two.frames[0] <= one.frames[1]:
            raise table.error(
                "section", f"overlaps: {list(one.frames)} and {list(two.frames)}; set them apart"
            )
    return tuple(found)


def _parse_frames(table: Table) -> tuple[int, int] | None:
    """Read the optional key ``frames``, a first and a last frame."""
    frames = table.integers("frames", count=2)
    if frames is None:
        return None
    for fault in map(RANGE["frame_start"].find_fault, frames):
        if fault:
            raise table.error("frames", fault)
    if frames[1] <= frames[0]:
        raise table.error("frames", f"ends before it starts: {list(frames)}; give [first, last]")
    return frames[0], frames[1]


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
    cycles: tuple[_CycleJob, ...]
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
    sections: tuple[_SectionJob, ...] = ()


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
    frames = _parse_frames(table)
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
    motions, cycles = _parse_motions(table)
    character = CharacterJob(
        file=file,
        armature=table.text("armature"),
        motions=motions,
        cycles=cycles,
        groups=_parse_groups(table, {m.group for m in motions or ()} | {c.group for c in cycles}),
        layers=_parse_layers(table),
        legs=_parse_legs(table),
        forward=_parse_forward(table),
        body=table.text("body"),
        root=table.text("root"),
        controls=_parse_controls(table.table("controls")),
        settings=_parse_settings(table.table("settings")),
        bake=_parse_bake(table.table("bake")),
        output_to=table.setting(OUTPUT),
        travel=TravelJob() if travel is None else parse_travel(travel),
        sections=_parse_sections(table),
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
