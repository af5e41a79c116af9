# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A measure of gaits as a laboratory takes it: angles of the bones that a scene shows, by the cycle.

It knows nothing of the project. A foot stands while the lowest vertex of its mesh is on the ground, and
a cycle of a leg goes from strike to strike. Angles are degrees in the plane of travel and height: thigh
ahead, knee bent, toes up, own side of the pelvis up and ahead, arm ahead, elbow bent are positive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from tests.meters import SeenFoot, level_heights, see_feet

SHARES = np.arange(101)


@dataclass(frozen=True)
class PersonBones:
    """Names of a person's bones, those of the left side first; ``chest`` is the highest of the trunk."""

    hips: str
    chest: str
    thighs: tuple[str, str]
    shins: tuple[str, str]
    feet: tuple[str, str]
    toes: tuple[str, str]
    arms: tuple[str, str]
    forearms: tuple[str, str]
    head: str


WALKER = PersonBones(
    "hips",
    "chest",
    ("thigh.L", "thigh.R"),
    ("shin.L", "shin.R"),
    ("foot.L", "foot.R"),
    ("toe.L", "toe.R"),
    ("upper_arm.L", "upper_arm.R"),
    ("forearm.L", "forearm.R"),
    "head",
)


@dataclass(frozen=True)
class SeenGait:
    """A gait over whole cycles, mean of both legs.

    Attributes
    ----------
    curves
        By name, one value for each percent of a cycle, shape (101,): thigh, knee, pitch, ankle,
        pelvis_roll, pelvis_yaw, chest_yaw, arm, elbow, and height, the pelvis about its mean, metres.
    period, stride, speed
        Seconds, metres, metres a second.
    duty
        Share of the cycle that a foot stands.
    phase
        Share of the cycle by which the right leg strikes after the left.
    lateral
        Way of the pelvis from side to side, metres.
    width
        Distance of the feet's middles across the travel while they stand, metres.
    clearance
        Least height of the front of the foot between 25 and 75 % of the swing, metres.
    flight
        Seconds a step without any foot on the ground.
    """

    curves: Mapping[str, np.ndarray]
    period: float
    stride: float
    speed: float
    duty: float
    phase: float
    lateral: float
    width: float
    clearance: float
    flight: float


def see_gait(
    armature: bpy.types.Object,
    bones: PersonBones,
    frames: Sequence[int],
    speed: float | None = None,
    forward: tuple[float, float] = (0.0, -1.0),
) -> SeenGait:
    """A person's gait over frames that follow one another, on level ground through the origin.

    Parameters
    ----------
    armature
        The character's object.
    bones
        Its bones.
    frames
        Frames of the scene.
    speed
        Of a walk in place, metres a second; None for one that travels.
    forward
        Direction of travel in the world.
    """
    scene = bpy.context.scene
    rate = scene.render.fps / scene.render.fps_base
    count = len(frames)
    heads, turns = _read_bones(armature, bones, frames)
    ahead = np.array([*forward, 0.0])
    left = np.cross([0.0, 0.0, 1.0], ahead)
    feet = see_feet(armature, list(zip(bones.feet, bones.toes, strict=True)), frames, level_heights)
    legs = []
    middle = heads[bones.hips] @ left
    for side in (0, 1):
        hip, knee = heads[bones.thighs[side]], heads[bones.shins[side]]
        ankle, toe = heads[bones.feet[side]], heads[bones.toes[side]]
        thigh, shin = _pitch(knee - hip, ahead), _pitch(ankle - knee, ahead)
        flat = _rest_pitch(armature, bones.feet[side], bones.toes[side], ahead)
        pitch = np.degrees(np.arctan2((toe - ankle)[:, 2], (toe - ankle) @ ahead)) - flat
        sign = 1.0 if side == 0 else -1.0
        arm = _pitch(heads[bones.forearms[side]] - heads[bones.arms[side]], ahead)
        upper = heads[bones.forearms[side]] - heads[bones.arms[side]]
        fore = turns[bones.forearms[side]][:, :, 1]
        cosine = np.sum(upper * fore, axis=1) / np.linalg.norm(upper, axis=1)
        hips_left = turns[bones.hips] @ _local(armature, bones.hips, left)
        chest_left = turns[bones.chest] @ _local(armature, bones.chest, left)
        legs.append(
            {
                "thigh": thigh,
                "knee": thigh - shin,
                "pitch": pitch,
                "ankle": pitch - shin,
                "pelvis_roll": sign * np.degrees(np.arcsin(hips_left[:, 2])),
                "pelvis_yaw": sign * np.degrees(np.arcsin(hips_left @ ahead)),
                "chest_yaw": sign * np.degrees(np.arcsin(chest_left @ ahead)),
                "arm": arm,
                "elbow": np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))),
                "height": heads[bones.hips][:, 2] - heads[bones.hips][:, 2].mean(),
            }
        )
    drift = np.zeros(2) if speed is None else -speed / rate * ahead[:2]
    stands = [_find_stands(foot, drift) for foot in feet]
    strikes, offs = zip(*(_find_changes(own) for own in stands), strict=True)
    mean = {name: [] for name in legs[0]}
    duties, clearances = [], []
    for side in (0, 1):
        for first, last in zip(strikes[side][:-1], strikes[side][1:], strict=True):
            at = first + (last - first) * SHARES / 100.0
            for name, values in legs[side].items():
                mean[name].append(np.interp(at, np.arange(count), values))
            off = offs[side][(offs[side] > first) & (offs[side] < last)][0]
            duties.append((off - first) / (last - first))
            front = _find_front(feet[side].points, ahead)
            swing = np.arange(int(off + 0.25 * (last - off)), int(off + 0.75 * (last - off)) + 2)
            clearances.append(front[np.clip(swing, 0, count - 1)].min())
    period = float(np.mean([np.diff(s).mean() for s in strikes])) / rate
    way = (heads[bones.hips][-1] - heads[bones.hips][0]) @ ahead
    shown = float(way) * rate / (count - 1) if speed is None else speed
    later = [(s - strikes[0][strikes[0] <= s].max()) for s in strikes[1] if s > strikes[0][0]]
    track = [
        float(np.mean((foot.points.mean(axis=1) @ left)[own]))
        for foot, own in zip(feet, stands, strict=True)
    ]
    flying = np.mean(~(stands[0] | stands[1])[int(strikes[0][0]) : int(strikes[0][-1])])
    return SeenGait(
        curves={name: np.mean(rows, axis=0) for name, rows in mean.items()},
        period=period,
        stride=shown * period,
        speed=shown,
        duty=float(np.mean(duties)),
        phase=float(np.mean(later)) / rate / period,
        lateral=float(np.ptp(middle)),
        width=track[0] - track[1],
        clearance=float(np.mean(clearances)),
        flight=0.5 * float(flying) * period,
    )


def read_pitches(
    armature: bpy.types.Object,
    bones: PersonBones,
    frames: Sequence[int],
    forward: tuple[float, float],
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Angles of a person's joints in frames, degrees, and the places of its hips, metres.

    By name: trunk, its lean ahead, and hip, knee, ankle, pitch with ``.0`` for the left side and ``.1``
    for the right one, each (F,); the hip is the thigh against the pelvis as it is turned from rest.
    """
    heads, turns = _read_bones(armature, bones, frames)
    ahead, up = np.array([*forward, 0.0]), np.array([0.0, 0.0, 1.0])
    found = {"trunk": _pitch(heads[bones.hips] - heads[bones.head], ahead) * -1.0}
    above = turns[bones.hips] @ _local(armature, bones.hips, up)
    lean = np.degrees(np.arctan2(above @ ahead, above[:, 2]))
    for side in (0, 1):
        hip, knee = heads[bones.thighs[side]], heads[bones.shins[side]]
        ankle, toe = heads[bones.feet[side]], heads[bones.toes[side]]
        thigh, shin = _pitch(knee - hip, ahead), _pitch(ankle - knee, ahead)
        flat = _rest_pitch(armature, bones.feet[side], bones.toes[side], ahead)
        pitch = np.degrees(np.arctan2((toe - ankle)[:, 2], (toe - ankle) @ ahead)) - flat
        values = {"hip": thigh + lean, "knee": thigh - shin, "pitch": pitch, "ankle": pitch - shin}
        found |= {f"{name}.{side}": row for name, row in values.items()}
    return found, heads[bones.hips]


# Height of the lowest vertex of a foot that stands, metres, and share of the feet's pace in the air that
# it moves with.
_ON_GROUND, _STILL = 0.003, 0.1


def _read_bones(
    armature: bpy.types.Object, bones: PersonBones, frames: Sequence[int]
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """World places (F, 3) of the bones' heads and world axes (F, 3, 3) of the evaluated bones."""
    names = [
        n for field in vars(bones).values() for n in ([field] if isinstance(field, str) else field)
    ]
    heads: dict[str, list[np.ndarray]] = {name: [] for name in names}
    turns: dict[str, list[np.ndarray]] = {name: [] for name in names}
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        for name in names:
            matrix = np.array(shown.matrix_world @ shown.pose.bones[name].matrix)
            heads[name].append(matrix[:3, 3])
            turns[name].append(matrix[:3, :3])
    return {n: np.array(v) for n, v in heads.items()}, {n: np.array(v) for n, v in turns.items()}


def _pitch(ways: np.ndarray, ahead: np.ndarray) -> np.ndarray:
    """Angle of segments (F, 3) from hanging down, lower end ahead positive, degrees."""
    return np.degrees(np.arctan2(ways @ ahead, -ways[:, 2]))


def _rest_pitch(armature: bpy.types.Object, foot: str, toe: str, ahead: np.ndarray) -> float:
    """Pitch of a resting foot, degrees."""
    bones = armature.data.bones
    way = np.array(
        armature.matrix_world.to_3x3() @ (bones[toe].head_local - bones[foot].head_local)
    )
    return float(np.degrees(np.arctan2(way[2], way @ ahead)))


def _local(armature: bpy.types.Object, bone: str, direction: np.ndarray) -> np.ndarray:
    """A world direction in the axes of a resting bone."""
    rest = np.array(
        armature.matrix_world.to_3x3() @ armature.data.bones[bone].matrix_local.to_3x3()
    )
    return np.linalg.inv(rest) @ direction


def _find_front(points: np.ndarray, ahead: np.ndarray) -> np.ndarray:
    """Least height of the front third of a foot's vertices (F, V, 3) in each frame, metres."""
    along = points[0] @ ahead
    front = along > along.min() + 0.67 * np.ptp(along)
    return np.asarray(points[:, front, 2].min(axis=1))


def _find_stands(foot: SeenFoot, drift: np.ndarray) -> np.ndarray:
    """Frames in which a foot's lowest vertices are on the ground and move with it, shape (F,)."""
    paces = np.linalg.norm(np.diff(foot.points[:, :, :2].mean(axis=1), axis=0) - drift, axis=1)
    lowest = (foot.depths[:-1] + foot.depths[1:]).argmax(axis=1)
    rows = np.arange(len(lowest))
    ways = foot.points[rows + 1, lowest, :2] - foot.points[rows, lowest, :2] - drift
    still = np.linalg.norm(ways, axis=1) < _STILL * np.quantile(paces, 0.95)
    return (foot.lows < _ON_GROUND) & (np.append(still, still[-1]) | np.append(still[0], still))


def _find_changes(stands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Frames at which a foot comes to stand and at which it leaves."""
    change = np.flatnonzero(stands[1:] != stands[:-1])
    return change[stands[change + 1]] + 0.5, change[~stands[change + 1]] + 0.5
