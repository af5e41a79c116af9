# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A body that goes as it is told, as quickly as it can (numpy only).

Its velocity in its own axes goes straight to what is asked for, with a limited acceleration, and so does
its turn rate. So where it will be is known ahead, as long as nothing else is asked for
(docs/method/steering.md, Motor).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.records import Motion
from ..motions.tables import MotionTables
from .limits import MOTOR

AHEAD, BACK, TURN_LEFT, TURN_RIGHT = "ahead", "back", "turn left", "turn right"
SIDE_LEFT, SIDE_RIGHT, RUN, CROUCH, STOP = "side left", "side right", "run", "crouch", "stop"
COMMANDS = (AHEAD, BACK, TURN_LEFT, TURN_RIGHT, SIDE_LEFT, SIDE_RIGHT, RUN, CROUCH, STOP)
"""All that can be held."""


@dataclass(frozen=True)
class Controls:
    """Record of what is asked of the body at one time.

    Attributes
    ----------
    ahead, left
        Share of the speed ahead and to the left, -1 to 1; together no more than 1 counts.
    turn
        Share of the turn rate to the left, -1 to 1.
    run, crouch, stop
        Whether it runs, crouches, or stops as quickly as it can.
    """

    ahead: float = 0.0
    left: float = 0.0
    turn: float = 0.0
    run: bool = False
    crouch: bool = False
    stop: bool = False

    def lean(self, turn: float, ahead: float) -> Controls:
        """The same with a stick, -1 to 1 each, added to the keys."""
        return replace(
            self,
            ahead=max(-1.0, min(1.0, self.ahead + ahead)),
            turn=max(-1.0, min(1.0, self.turn + turn)),
        )


@dataclass(frozen=True)
class KeyPress:
    """A command that begins or ends.

    Attributes
    ----------
    time
        Seconds from the start of the drive.
    command
        One of `COMMANDS`.
    is_pressed
        Whether it begins.
    """

    time: float
    command: str
    is_pressed: bool = True

    def __post_init__(self) -> None:
        if self.command not in COMMANDS:
            raise ValueError(f"command must be one of {', '.join(COMMANDS)}, got {self.command!r}")


def read_controls(held: Iterable[str]) -> Controls:
    """Read what the held commands ask for; opposite ones cancel out."""
    keys = set(held)
    return Controls(
        ahead=float(AHEAD in keys) - float(BACK in keys),
        left=float(SIDE_LEFT in keys) - float(SIDE_RIGHT in keys),
        turn=float(TURN_LEFT in keys) - float(TURN_RIGHT in keys),
        run=RUN in keys,
        crouch=CROUCH in keys,
        stop=STOP in keys,
    )


def hold_keys(presses: Iterable[KeyPress], time: float) -> frozenset[str]:
    """The commands that are held at a time in seconds."""
    held: set[str] = set()
    for press in sorted(presses, key=lambda p: p.time):
        if press.time > time:
            break
        (held.add if press.is_pressed else held.discard)(press.command)
    return frozenset(held)


# Radians below which the arc of a turn is its chord, to the last digits.
_STRAIGHT = 1e-4


def _predict_places(
    position: FloatArray,
    yaw: float,
    velocities: FloatArray,
    turn_rates: FloatArray,
    seconds: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Places (N, 2) and headings (N,) of a body with constant velocities in its own axes: on circles."""
    angles = turn_rates * seconds
    safe = np.where(np.abs(angles) < _STRAIGHT, 1.0, angles)
    along = np.where(np.abs(angles) < _STRAIGHT, 1.0 - angles**2 / 6.0, np.sin(safe) / safe)
    across = np.where(np.abs(angles) < _STRAIGHT, 0.5 * angles, (1.0 - np.cos(safe)) / safe)
    way = velocities * seconds[:, None]
    local = np.stack(
        [along * way[:, 0] - across * way[:, 1], along * way[:, 1] + across * way[:, 0]], axis=1
    )
    return position + rot.turn_flat(local, yaw), yaw + angles


@dataclass(frozen=True)
class MotorPace:
    """Record of how fast a body goes.

    Attributes
    ----------
    forward
        Horizontal unit vector ahead, character space, shape (2,).
    walk, run, back, side
        Metres a second ahead, ahead in a run, backwards and to the side.
    crouched
        Share of these while it crouches.
    acceleration
        Metres a second squared.
    turn_rate
        Radians a second.
    """

    forward: FloatArray
    walk: float
    run: float
    back: float
    side: float
    acceleration: float
    turn_rate: float
    crouched: float = MOTOR.crouched


@dataclass(frozen=True)
class MovingBody:
    """A body on its way.

    Attributes
    ----------
    time
        Seconds of the scene's clock.
    position, yaw
        World metres, shape (2,), and turn about up against the rest heading, radians.
    velocity
        In character space, metres a second, shape (2,).
    turn_rate
        Radians a second, left is positive.
    """

    time: float
    position: FloatArray
    yaw: float
    velocity: FloatArray
    turn_rate: float


@dataclass(frozen=True)
class Wish:
    """Record of what a body is asked for.

    Attributes
    ----------
    velocity
        In character space, metres a second, shape (2,).
    turn_rate
        Radians a second.
    acceleration, turn_acceleration
        How quickly it goes there, metres and radians a second squared.
    """

    velocity: FloatArray
    turn_rate: float
    acceleration: float
    turn_acceleration: float


def find_pace(
    tables: MotionTables,
    walk_speed: float,
    run_speed: float,
    acceleration: float,
    turn_rate: float,
    crouch: int | None = None,
) -> MotorPace:
    """Find how fast a character goes.

    Parameters
    ----------
    tables
        Its motions; where speeds are 0 their own count.
    walk_speed, run_speed
        Metres a second; 0 for those of the motions.
    acceleration
        Metres a second squared.
    turn_rate
        Radians a second.
    crouch
        Group of motions that it crouches with, which counts for that alone; None for none.
    """
    motions, forward = tables.motion_set.motions, tables.rig.forward
    low: tuple[int, ...] = () if crouch is None else tables.motion_set.groups[crouch].members
    crouching = [motions[i] for i in low]
    motions = tuple(m for i, m in enumerate(motions) if i not in low)
    left = np.array([-forward[1], forward[0]])
    ahead = _list_speeds(motions, forward)
    slowest = ahead[0] if ahead else tables.cycles.slowest_speed
    walk = walk_speed or slowest
    own_run = ahead[-1] if ahead and ahead[-1] > MOTOR.faster * slowest else MOTOR.run * slowest
    back, sides = _list_speeds(motions, -forward), _list_speeds(motions, left)
    sides += _list_speeds(motions, -left)
    crept = _list_speeds(crouching, forward)
    return MotorPace(
        forward=forward,
        walk=walk,
        run=max(run_speed or own_run, walk),
        back=min(back) if back else MOTOR.backward * walk,
        side=min(sides) if sides else MOTOR.sideward * walk,
        acceleration=acceleration,
        turn_rate=turn_rate,
        crouched=crept[0] / slowest if crept else MOTOR.crouched,
    )


def _list_speeds(motions: Sequence[Motion], way: FloatArray) -> list[float]:
    """Speeds of the motions that go a way (2,) and do not turn, metres a second, rising."""
    return sorted(
        motion.speed
        for motion in motions
        if motion.is_cycle
        and not motion.turns
        and motion.velocity @ way > MOTOR.same_way * motion.speed
    )


def read_wish(pace: MotorPace, body: MovingBody, controls: Controls) -> Wish:
    """Read what controls ask of a body."""
    forward, left = pace.forward, np.array([-pace.forward[1], pace.forward[0]])
    ahead = (pace.run if controls.run else pace.walk) if controls.ahead > 0 else pace.back
    size = max(float(np.hypot(controls.ahead, controls.left)), 1.0)
    velocity = (ahead * controls.ahead * forward + pace.side * controls.left * left) / size
    turn_rate = pace.turn_rate * controls.turn
    if controls.crouch:
        velocity = pace.crouched * velocity
    if controls.stop:
        velocity, turn_rate = np.zeros(2), 0.0
    slows = float(velocity @ velocity) < float(body.velocity @ body.velocity)
    factor = MOTOR.stop if controls.stop else (MOTOR.slow_down if slows else 1.0)
    return Wish(velocity, turn_rate, factor * pace.acceleration, pace.turn_rate / MOTOR.turn_time)


def foresee(
    body: MovingBody, wish: Wish, seconds: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Foresee where a body will be as long as nothing else is asked for.

    Parameters
    ----------
    body, wish
        Where it is, and what it is asked for.
    seconds
        How much later, 0 or more, shape (N,).

    Returns
    -------
    places, yaws
        World metres and radians, shapes (N, 2) and (N,).
    velocities, turn_rates
        What it has reached by then, in character space, shapes (N, 2) and (N,).
    """
    means, ends = _ramp(body.velocity, wish.velocity, wish.acceleration, seconds)
    turns, rates = _ramp(
        np.array([body.turn_rate]), np.array([wish.turn_rate]), wish.turn_acceleration, seconds
    )
    places, yaws = _predict_places(body.position, body.yaw, means, turns[:, 0], seconds)
    return places, yaws, ends, rates[:, 0]


def _ramp(
    start: FloatArray, end: FloatArray, rate: float, seconds: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Mean over and value after seconds (N,) of what goes from one vector (C,) to another, (N, C)."""
    away = end - start
    needed = float(np.linalg.norm(away)) / max(rate, 1e-9)
    ramp = np.minimum(seconds, needed)
    share = ramp / max(needed, 1e-9)
    # The ramp's own mean for as long as it lasts, the end after it.
    lasting = np.divide(ramp, seconds, out=np.zeros_like(ramp), where=seconds > 0)
    mean = lasting * 0.5 * share + (1.0 - lasting)
    mean = np.where(seconds > 0, mean, share)
    return start + mean[:, None] * away, start + share[:, None] * away


def move_body(body: MovingBody, wish: Wish, seconds: float) -> MovingBody:
    """The body some seconds later."""
    places, yaws, velocities, rates = foresee(body, wish, np.array([seconds]))
    return MovingBody(
        body.time + seconds, places[0], float(yaws[0]), velocities[0], float(rates[0])
    )
