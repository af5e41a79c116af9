# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet of a pose beside a walk that stay where they are until their first step (numpy only).

A walk that takes over from a pose keyed by hand, or ends in one, has its first and last steps from and
to the feet of that pose (docs/method/swings.md, Hand-over).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import LAND, LIFT, OFF, STRIKE
from ..prints.steps import StepPlan
from ..rig.hulls import hull_points_from_poses
from ..rig.structure import Rig
from .descents import bump_descent, share_descent, time_descent
from .feet import FootTargets
from .limits import HOLDS

# Ankles (N, L, 3), their rotations (N, L, 4) and local rotations of all bones (N, B, 4) of a plan at
# times (N,).
ReadFeet = Callable[[FloatArray], tuple[FloatArray, FloatArray, FloatArray]]


@dataclass(frozen=True)
class FootPose:
    """Feet of a pose at one end of a walk.

    Attributes
    ----------
    time
        Seconds.
    is_last
        Whether the walk ends in it; else it begins in it.
    fade
        Seconds over which feet in the air go over, from it or to it.
    ankles, rotations
        World poses of the ankle bones, metres, shapes (L, 3) and (L, 4).
    locals
        Rotations of all bones relative to their parents, shape (B, 4).
    standing
        Whether each foot stands on the ground, shape (L,).
    normals
        Unit normals of the ground under them, shape (L, 3).
    """

    time: float
    is_last: bool
    fade: float
    ankles: FloatArray
    rotations: FloatArray
    locals: FloatArray
    standing: np.ndarray
    normals: FloatArray


@dataclass(frozen=True)
class FootHold:
    """One foot of a `FootPose`, and what the plan has in its place.

    Attributes
    ----------
    leg, is_last
        Whose, and at which end.
    time
        Seconds of the pose.
    held
        Seconds to which, or from which at the end, the foot stays where it is in the pose.
    settled
        Seconds at which a foot that rolls on from the pose has its sole down.
    fade
        Seconds at which its way from the pose begins and ends; to it, at the end.
    pivot
        The plan's ankle where the foot is let go, metres, shape (3,).
    shift, turn
        From there to the ankle of the laid foot, metres and rotation, shapes (3,) and (4,).
    rotation
        Of the pose's ankle bone, shape (4,).
    laid
        Of that bone where the foot is let go, its sole on the ground, shape (4,).
    is_direct
        Whether its way is one straight from the pose, or to it, since it goes over as the body does or
        the plan's foot flies where the walk begins or ends; else the plan's own way is moved along.
    is_step
        Whether it is let go in a step.
    is_airborne
        Whether it is in the air in the pose, and comes down from there, or goes up to it.
    follows
        Whether it goes over as the body does, since no step leads from the pose, or to it.
    lift
        Metres by which it is raised halfway where it is in the air in the pose.
    sole
        Points of the foot at rest from its ankle, in the axes of its bone, metres, shape (P, 3).
    bones
        The bones below the ankle, shape (D,) of int.
    pose, bends
        Their local rotations in the pose, and against those of the plan where the foot is let go,
        shapes (D, 4).
    """

    leg: int
    is_last: bool
    time: float
    held: float
    settled: float
    fade: tuple[float, float]
    pivot: FloatArray
    shift: FloatArray
    turn: FloatArray
    rotation: FloatArray
    laid: FloatArray
    is_direct: bool
    is_step: bool
    is_airborne: bool
    follows: bool
    lift: float
    sole: FloatArray
    bones: np.ndarray
    pose: FloatArray
    bends: FloatArray

    def find_shares(self, times: FloatArray) -> FloatArray:
        """Share of the pose at times (N,), 1 where the foot is held."""
        passed = self._find_passed(times)
        gone = rot.step_cubic(passed) if self.follows else rot.step_quintic(passed)
        return np.where(self.find_held(times), 1.0, 1.0 - gone)

    def _find_passed(self, times: FloatArray) -> FloatArray:
        """Share of the time of its way that has passed since the pose, or is left to it, (N,)."""
        first, last = self.fade
        passed = np.clip((times - first) / max(last - first, 1e-6), 0.0, 1.0)
        return 1.0 - passed if self.is_last else passed

    def find_held(self, times: FloatArray) -> np.ndarray:
        """Whether the foot is as it is in the pose at times (N,)."""
        return times >= self.held if self.is_last else times <= self.held

    def move(
        self, times: FloatArray, ankles: FloatArray, rotations: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Ankles (N, 3) and rotations (N, 4) of the plan, brought to the pose's."""
        share = self.find_shares(times)
        if self.is_direct:
            way = self.pivot + self.shift - ankles
            turned = rot.slerp(rotations, np.broadcast_to(self.rotation, rotations.shape), share)
            shares = np.repeat(share[:, None], 3, axis=1)
            if self.is_airborne:
                shares = 1.0 - share_descent(self._find_passed(times))
            moved = ankles + shares * way
            # A foot that is turned on its way must not dip below where it comes from and goes to.
            lowest = self._find_lowest(rotations)
            lowest += shares[:, 2] * (self._find_lowest(self.rotation[None]) - lowest)
            moved[:, 2] += np.maximum(lowest - self._find_lowest(turned), 0.0)
            if self.is_airborne:
                moved[:, 2] += self.lift * bump_descent(self._find_passed(times))
            return moved, turned
        laid = self._lay_down(times)
        stood = self.shift + self.find_way(self.laid) - self.find_way(laid)
        turn = rot.multiply(laid, rot.multiply(rot.conjugate(self.laid), self.turn))
        turn = rot.power(turn, share)
        moved = self.pivot + share[:, None] * stood + rot.rotate(turn, ankles - self.pivot)
        is_held = self.find_held(times)[:, None]
        is_free = (share <= 0.0)[:, None]
        moved = np.where(is_held, self.pivot + stood, np.where(is_free, ankles, moved))
        turned = np.where(is_held, laid, rot.multiply(turn, rotations))
        return moved, np.where(is_free, rotations, turned)

    def _lay_down(self, times: FloatArray) -> FloatArray:
        """Rotations (N, 4) of the standing foot, which lays down its sole, or raises it."""
        until = self.held if np.isfinite(self.held) else self.settled
        passed = np.interp(times, sorted((until, self.time)), (0.0, 1.0))
        share = rot.step_cubic(passed if self.is_last else 1.0 - passed)
        laid, posed = (np.broadcast_to(end, (len(times), 4)) for end in (self.laid, self.rotation))
        return rot.slerp(laid, posed, share)

    def find_way(self, rotations: FloatArray) -> FloatArray:
        """Way of what bears the pose's foot as the foot turns about its ankle, metres, (..., 3).

        Along and across it is the way of the point that is lowest in the pose, upwards that of the sole.
        """
        ends = [rot.rotate(turns[..., None, :], self.sole) for turns in (rotations, self.rotation)]
        bearing = np.argmin(ends[1][..., 2])
        way = ends[0][..., bearing, :] - ends[1][bearing]
        way[..., 2] = ends[0][..., 2].min(axis=-1) - ends[1][..., 2].min()
        return np.asarray(way)

    def _find_lowest(self, rotations: FloatArray) -> FloatArray:
        """Lowest of a foot turned by rotations (N, 4) against its ankle, metres, (N,)."""
        return np.asarray(rot.rotate(rotations[:, None], self.sole)[..., 2].min(axis=1))

    def bend(self, times: FloatArray, rotations: FloatArray) -> FloatArray:
        """Local rotations (N, D, 4) of the bones below the ankle, brought to the pose's."""
        share = np.broadcast_to(self.find_shares(times)[:, None], rotations.shape[:2])
        bent = rot.multiply(
            rot.power(np.broadcast_to(self.bends, rotations.shape), share), rotations
        )
        return np.where(self.find_held(times)[:, None, None], self.pose, bent)


def plan_foot_holds(
    steps: StepPlan, poses: Sequence[FootPose], span: tuple[float, float], read_feet: ReadFeet
) -> tuple[FootHold, ...]:
    """How the feet of the poses at the ends of a walk go over to the plan's.

    Parameters
    ----------
    steps
        The steps of all legs.
    poses
        Feet at the ends.
    span
        Seconds at which the walk begins and ends.
    read_feet
        Reads the plan's feet at any times.
    """
    legs = range(len(steps.tables.rig.legs))
    found = [(pose, leg, _find_stay(steps, pose, leg, span)) for pose in poses for leg in legs]
    if not found:
        return ()
    # The plan's foot where it is let go, and as it is when the walk begins or ends.
    let_go = read_feet(np.array([stay.held for _, _, stay in found]))
    at_ends = read_feet(np.array([pose.time for pose, _, _ in found]))
    return tuple(
        _make_hold(
            steps, pose, leg, stay, *([part[row] for part in feet] for feet in (let_go, at_ends))
        )
        for row, (pose, leg, stay) in enumerate(found)
    )


def hand_over_feet(
    holds: Sequence[FootHold], times: FloatArray, targets: FootTargets
) -> FootTargets:
    """Targets of all feet at times (N,), those of the poses at the ends among them."""
    if not holds:
        return targets
    ankles, rotations = targets.ankles.copy(), targets.rotations.copy()
    for hold in holds:
        ankles[:, hold.leg], rotations[:, hold.leg] = hold.move(
            times, ankles[:, hold.leg], rotations[:, hold.leg]
        )
    return replace(targets, ankles=ankles, rotations=rotations)


def let_go_of_changes(
    holds: Sequence[FootHold], times: FloatArray, changed: FootTargets, placed: FootTargets
) -> FootTargets:
    """Targets at times (N,) without their changes, by the poses' shares in each foot.

    Parameters
    ----------
    holds
        All feet of the poses.
    times
        Seconds.
    changed
        Feet with the steps' holds in them, changed for body and ground.
    placed
        Feet as they are planned, before both.
    """
    exact = hand_over_feet(holds, times, placed)
    changed = hand_over_feet([hold for hold in holds if not hold.is_step], times, changed)
    ankles, rotations = changed.ankles.copy(), changed.rotations.copy()
    for hold in holds:
        share, leg = hold.find_shares(times), hold.leg
        way = exact.ankles[:, leg] - ankles[:, leg]
        ankles[:, leg] += share[:, None] * way
        rotations[:, leg] = rot.slerp(rotations[:, leg], exact.rotations[:, leg], share)
    return replace(changed, ankles=ankles, rotations=rotations)


def find_free(holds: Sequence[FootHold], times: FloatArray, legs: int) -> FloatArray:
    """Shares of the walk in each foot at times (N,), 0 where a pose holds it, shape (N, legs)."""
    free = np.ones((len(times), legs))
    for hold in holds:
        free[:, hold.leg] *= 1.0 - hold.find_shares(times)
    return free


@dataclass(frozen=True)
class _Stay:
    """Seconds at which a foot is let go and over which it fades, and how; see `FootHold`.

    ``normal`` is that of the ground of the print on which the plan has the foot then.
    """

    held: float
    fade: tuple[float, float]
    is_held: bool = True
    normal: FloatArray = field(default_factory=lambda: rot.UP)
    is_direct: bool = False
    is_airborne: bool = False


def _make_hold(
    steps: StepPlan,
    pose: FootPose,
    leg: int,
    stay: _Stay,
    let_go: list[FloatArray],
    at_end: list[FloatArray],
) -> FootHold:
    """The hold of one foot, from the plan's feet (L, 3), (L, 4) and bones (B, 4) at two times."""
    held = stay.held if stay.is_held else (np.inf if pose.is_last else -np.inf)
    shift = pose.ankles[leg] - let_go[0][leg]
    leads = stay.is_held or stay.is_airborne
    if leads and rot.lengths(shift) > HOLDS.farthest * steps.tables.rig.leg_length:
        # No step leads there: the foot goes over as the body does, and slides.
        return _make_hold(steps, pose, leg, _follow(pose), at_end, at_end)
    turns = [
        rot.multiply(pose.rotations[leg], rot.conjugate(feet[1][leg])) for feet in (let_go, at_end)
    ]
    laid = pose.rotations[leg]
    plan, turn = let_go, turns[0]
    flat = HOLDS.flattening * steps.tables.cycles.slowest_period
    share = min(abs(stay.held - pose.time) / flat, 1.0)
    if stay.is_held and _measure_tilt(turns[1]) < _measure_tilt(turns[0]) - HOLDS.same_tilt:
        # The pose rolls as the plan does there, and goes on rolling with it.
        plan, turn = at_end, turns[1]
        held = np.inf if pose.is_last else -np.inf
    if stay.is_held and not stay.is_direct:
        laid = _lay_down(turn, stay.normal, pose.normals[leg], laid)
        laid = rot.slerp(pose.rotations[leg], laid, share)
        turn = rot.multiply(laid, rot.conjugate(plan[1][leg]))
    tables = steps.tables
    bones = np.array(
        tables.rig.skeleton.find_descendants(tables.rig.legs[leg].ankle)[1:], dtype=np.intp
    )
    hold = FootHold(
        leg=leg,
        is_last=pose.is_last,
        time=pose.time,
        held=held,
        settled=pose.time - share * flat if pose.is_last else pose.time + share * flat,
        fade=stay.fade,
        pivot=plan[0][leg],
        shift=pose.ankles[leg] - plan[0][leg],
        turn=turn,
        rotation=pose.rotations[leg],
        laid=laid,
        is_direct=stay.is_direct,
        is_step=stay.is_held,
        is_airborne=stay.is_airborne,
        follows=not leads,
        lift=HOLDS.clearance * steps.tables.rig.leg_length,
        sole=_read_sole(tables.rig, leg),
        bones=bones,
        pose=pose.locals[bones],
        bends=rot.multiply(pose.locals[bones], rot.conjugate(plan[2][bones])),
    )
    return replace(hold, shift=hold.shift - hold.find_way(laid))


def _lay_down(
    turn: FloatArray, normal: FloatArray, wanted: FloatArray, rotation: FloatArray
) -> FloatArray:
    """Rotation (4,) of a pose's foot laid on its ground as the plan's lies on its own.

    Parameters
    ----------
    turn
        From the plan's foot to that of the pose, shape (4,).
    normal, wanted
        Of the ground of the plan's foot and of the pose's, shapes (3,).
    rotation
        Of the pose's foot, shape (4,).
    """
    yaw = rot.normalize_quaternions(turn * np.array([1.0, 0.0, 0.0, 1.0]))
    ground = rot.quaternions_from_arcs(rot.rotate(yaw, normal), wanted)
    return rot.multiply(rot.multiply(ground, yaw), rot.multiply(rot.conjugate(turn), rotation))


def _read_sole(rig: Rig, leg: int) -> FloatArray:
    """Points of a foot at rest from its ankle, in the axes of its bone, metres, shape (P, 3)."""
    rotations, heads = rig.skeleton.rest_poses
    points = hull_points_from_poses(rig.hulls[leg], rotations[None], heads[None])[0]
    ankle = rig.legs[leg].ankle
    return rot.rotate(rot.conjugate(rotations[ankle]), points - heads[ankle])


def _measure_tilt(turn: FloatArray) -> float:
    """Angle by which a rotation (4,) tilts up, radians."""
    return float(np.arccos(np.clip(rot.rotate(turn, rot.UP)[2], -1.0, 1.0)))


def follow_body(
    holds: Sequence[FootHold], spans: Sequence[tuple[float, float]]
) -> tuple[FootHold, ...]:
    """The holds with those that go over as the body does timed as it is.

    Parameters
    ----------
    holds
        All feet of the poses.
    spans
        Seconds at which the body begins to go over and ends, at the start and at the end of the walk.
    """
    return tuple(
        replace(hold, fade=spans[hold.is_last]) if hold.follows else hold for hold in holds
    )


def _follow(pose: FootPose) -> _Stay:
    """A foot that goes over from a pose, or to it, as the body does."""
    ends = sorted((pose.time, pose.time + (-pose.fade if pose.is_last else pose.fade)))
    return _Stay(pose.time, (ends[0], ends[1]), is_held=False, is_direct=True)


def _find_stay(steps: StepPlan, pose: FootPose, leg: int, span: tuple[float, float]) -> _Stay:
    """How long a foot stays as it is in a pose: while it stands, and to or from its nearest step."""
    time = pose.time
    lifts, offs, strikes, lands = (
        steps.find_key_times(leg, key) for key in (LIFT, OFF, STRIKE, LAND)
    )
    flights = strikes - offs
    taken = ~steps.prints.rows[leg].parked[1:] & (strikes > span[0]) & (offs < span[1])
    if not pose.standing[leg]:
        return _find_descent(pose, lifts[taken], offs[taken], strikes[taken], lands[taken])
    if pose.is_last:
        # Of a step that would go on after the end most must be left, to be taken quicker.
        taken &= span[1] - offs > HOLDS.quickest * flights
    else:
        # Nor is one taken that is all but over as the walk begins.
        taken &= strikes - span[0] > HOLDS.quickest * flights
    found = np.flatnonzero(taken)
    if not len(found):
        # It stands all the time: it stays as the walk begins, and slides where the walk ends.
        return _follow(pose) if pose.is_last else _Stay(span[1], (span[1], span[1]))
    step = found[-1 if pose.is_last else 0]
    normal = steps.prints.rows[leg].normals[step + pose.is_last]
    off, strike = float(offs[step]), float(strikes[step])
    if pose.is_last:
        landed = min(float(lands[step]), time)
        return _Stay(landed, (off, min(strike, time)), is_direct=strike > time, normal=normal)
    lifted = max(float(lifts[step]), time)
    return _Stay(lifted, (max(off, time), strike), is_direct=off < time, normal=normal)


def _find_descent(
    pose: FootPose, lifts: FloatArray, offs: FloatArray, strikes: FloatArray, lands: FloatArray
) -> _Stay:
    """How a foot that is in the air in a pose comes down, or goes up to it; key times (K,)."""
    time = pose.time
    if pose.is_last:
        # The same backwards in time.
        first = -time_descent(-time, pose.fade, -lands[::-1], -strikes[::-1], -offs[::-1])
        fade = (first, time)
    else:
        fade = (time, time_descent(time, pose.fade, lifts, offs, strikes))
    return _Stay(time, fade, is_held=False, is_direct=True, is_airborne=True)
