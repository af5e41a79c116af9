# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a character shall go: a record for each source of travel, with its own fields alone.

The fields that have a default and a range are settings of `settings.travels`. `KINDS` lists the
sources with what jobs and panels call them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ..errors import SettingError
from .settings.kinds import METRES, SECONDS, SPEED, Number, check_values, show_value
from .settings.travels import STRAIGHT, TRAVEL

Ending = Literal["stand", "moving"]
Heading = Literal["along", "kept"]

_COORDINATE = Number(
    name="point",
    label="Point",
    description="World x or y of a corner",
    default=0.0,
    low=-1e6,
    high=1e6,
    unit=METRES,
)
_TIME = Number(
    name="time",
    label="Time",
    description="Time of a key of the speed",
    default=0.0,
    low=-1e6,
    high=1e6,
    unit=SECONDS,
)
# Curves of keys may swing below 0, where the character stands.
_KEYED_SPEED = Number(
    name="speed",
    label="Speed",
    description="Speed at a key",
    default=0.0,
    low=-1e6,
    high=1e6,
    unit=SPEED,
)


@dataclass(frozen=True)
class SpeedKeys:
    """A speed that changes over time, in straight lines between keys.

    Raises SettingError: a time or speed is no number or out of range, or times do not rise.

    Attributes
    ----------
    times
        Seconds of the scene's clock, rising, one or more.
    speeds
        Metres a second at these times; before the first and after the last the speed stays. The way is
        not walked back: less than 0 counts as 0.
    """

    times: tuple[float, ...]
    speeds: tuple[float, ...]

    def __post_init__(self) -> None:
        for time in self.times:
            check_values({"time": _TIME}, {"time": time})
        for speed in self.speeds:
            check_values({"speed": _KEYED_SPEED}, {"speed": speed})
        rises = all(a < b for a, b in itertools.pairwise(self.times))
        if not self.times or len(self.times) != len(self.speeds) or not rises:
            raise SettingError("speed must have keys at rising times, a speed at each")


@dataclass(frozen=True, kw_only=True)
class Paced:
    """A travel that has a speed of its own.

    Raises SettingError: a value is of the wrong kind or out of its range; so for the sources of
    travel below.

    Attributes
    ----------
    speed
        Metres a second, or how it changes over time; None for the plain walk's own.
    use_speed_keys
        Whether keys of the speed on the character take the place of a speed.
    """

    speed: float | SpeedKeys | None = None
    use_speed_keys: bool = False

    def __post_init__(self) -> None:
        given = {name: getattr(self, name) for name in TRAVEL if hasattr(self, name)}
        if isinstance(self.speed, SpeedKeys):
            del given["speed"]
        check_values(TRAVEL, given)


@dataclass(frozen=True, kw_only=True)
class LineTravel(Paced):
    """A travel whose way may give way.

    Attributes
    ----------
    keep_clear
        Whether the way is shifted aside, by up to the body's width, where the body would pass through
        something.
    slow_climbs
        Whether the walk slows down where the ground rises or falls faster than legs do in steps, and
        takes stairs as slowly as people do.
    jump_gaps
        Whether gaps wider than a step are jumped over, and high edges down from.
    longest_jump
        Widest gap and deepest edge that are, shares of the leg.
    """

    keep_clear: bool = TRAVEL["keep_clear"].default
    slow_climbs: bool = TRAVEL["slow_climbs"].default
    jump_gaps: bool = TRAVEL["jump_gaps"].default
    longest_jump: float = TRAVEL["longest_jump"].default


@dataclass(frozen=True, kw_only=True)
class Way(LineTravel):
    """A travel along a line.

    Attributes
    ----------
    start, stop
        Whether its ends are at rest, ``"stand"`` or ``"moving"``.
    ease
        Seconds from standing to full speed; None for 1.25 cycles of the walk.
    rounds
        How many times a closed line is walked; 0 goes on until the scene's end.
    heading
        ``"along"`` turns along the line, ``"kept"`` keeps facing as the character stands.
    slow_turns
        Whether the walk slows down where the line turns faster than feet do in steps.
    """

    start: Ending = TRAVEL["start"].default
    stop: Ending = TRAVEL["stop"].default
    ease: float | None = TRAVEL["ease"].default
    rounds: float = TRAVEL["rounds"].default
    heading: Heading = TRAVEL["heading"].default
    slow_turns: bool = TRAVEL["slow_turns"].default


@dataclass(frozen=True, kw_only=True)
class StraightAhead(LineTravel):
    """From where the character stands in the direction it faces, until the scene's end.

    It goes where its motion goes if none of them goes ahead, facing as it stands.

    Attributes
    ----------
    start, stop, ease
        As of a `Way`.
    """

    start: Ending = STRAIGHT["start"].default
    stop: Ending = STRAIGHT["stop"].default
    ease: float | None = TRAVEL["ease"].default


@dataclass(frozen=True)
class AlongPoints(Way):
    """Along a path of straight lines.

    Attributes
    ----------
    points
        World x, y of its corners, metres; of those in the space of an object its own x and y.
    space
        Name of the object in whose space they lie, and with which they go; None for the world.
    """

    points: tuple[tuple[float, float], ...] = ()
    space: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for index, point in enumerate(self.points):
            name = f"points[{index}]"
            if not isinstance(point, Iterable) or len(places := tuple(point)) != 2:
                raise SettingError(f"{name} must be x and y, got {show_value(point)}")
            for place in places:
                check_values({name: _COORDINATE}, {name: place})


@dataclass(frozen=True)
class AlongCurve(Way):
    """Along a curve object.

    Attributes
    ----------
    curve
        Its name; None for none yet.
    """

    curve: str | None = None


@dataclass(frozen=True)
class AlongFootsteps(Paced):
    """Along the character's footstep objects; the speed is that where they leave it open."""


@dataclass(frozen=True)
class AsObject:
    """As the character's object is animated."""


@dataclass(frozen=True)
class AsBone:
    """As a bone is animated.

    Attributes
    ----------
    bone
        Its name; None for none yet.
    """

    bone: str | None = None


TravelSource = StraightAhead | AlongPoints | AlongCurve | AlongFootsteps | AsObject | AsBone


@dataclass(frozen=True)
class _TravelKind:
    """A source of travel and its names.

    Attributes
    ----------
    record
        What it is asked for with.
    key
        Key of a job; ``"straight"`` is what a job has without any.
    identifier
        What properties and operators call it.
    label, description
        What panels call it and say of it.
    """

    record: type[TravelSource]
    key: str
    identifier: str
    label: str
    description: str


KINDS = (
    _TravelKind(
        StraightAhead,
        "straight",
        "STRAIGHT",
        "Straight Ahead",
        "From where it stands in the direction it faces, or where its motion goes if none goes ahead",
    ),
    _TravelKind(
        AsObject, "animation", "OBJECT", "Object Animation", "The animation of the armature object"
    ),
    _TravelKind(AsBone, "bone", "BONE", "Root Bone", "The animation of a bone"),
    _TravelKind(AlongCurve, "curve", "CURVE", "Curve", "A curve object"),
    _TravelKind(AlongPoints, "path", "POINTS", "Points", "A list of points"),
    _TravelKind(
        AlongFootsteps, "footsteps", "FOOTSTEPS", "Footsteps", "The footsteps of the character"
    ),
)


def find_kind(travel: TravelSource) -> _TravelKind:
    """The kind of a travel."""
    return next(kind for kind in KINDS if type(travel) is kind.record)
