# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""BVH files read as their programs write them, and written as Blender's importer takes them.

That importer wants each thing on a line of its own, a sample on one line, points in numbers and
three rotations for every joint; without these it stops, or takes the angle of another joint.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ...core.rig.limits import HANGING
from ...core.rig.standing import find_up, name_axis
from ...errors import FileError
from .kinds import READ_AGAIN

_ROTATIONS = ("Xrotation", "Yrotation", "Zrotation")
_CHANNELS = {name.lower(): name for name in ("Xposition", "Yposition", "Zposition", *_ROTATIONS)}
# Blender cuts names of bones here, bytes.
_LONGEST_NAME = 63
_DECIMAL_COMMA = re.compile(r"^[-+]?\d*,\d+(?:[eE][-+]?\d+)?$")
_MOTION = re.compile(r"^[ \t]*MOTION\b", re.IGNORECASE | re.MULTILINE)
_HEAD = re.compile(
    r"\s*Frames?\s*:?\s*(?P<count>\d+)\s*Frame\s*Time\s*:?\s*(?P<interval>\S+)", re.IGNORECASE
)
# Samples that are looked at to find which way is up.
_MOST_LOOKED_AT = 60


@dataclass
class _BvhJoint:
    """One joint of a BVH file.

    Attributes
    ----------
    name
        Its name, unlike that of any other joint.
    parent
        Number of its parent, -1 for none.
    offset
        From its parent, three numbers as text.
    channels
        Names of its channels as Blender spells them; None for those that it does not know.
    """

    name: str
    parent: int
    offset: list[str] = field(default_factory=lambda: ["0", "0", "0"])
    channels: list[str | None] = field(default_factory=list)
    ends: list[list[str]] = field(default_factory=list)


@dataclass(frozen=True)
class _BvhFile:
    """A whole BVH file.

    Attributes
    ----------
    joints
        Parents first.
    samples
        Numbers of each sample as text, one for each channel.
    interval
        Seconds from sample to sample.
    """

    joints: tuple[_BvhJoint, ...]
    samples: tuple[list[str], ...]
    interval: float


def read_bvh(path: Path, content: bytes) -> _BvhFile:
    """A BVH file from its bytes.

    Raises FileError: it is no BVH file, lacks samples that it names, or holds something that is no
    number.
    """
    text = _decode(content).replace("\r\n", "\n").replace("\r", "\n")
    parts = _MOTION.split(text, maxsplit=1)
    if len(parts) < 2 or "HIERARCHY" not in parts[0].upper():
        raise FileError(f"{path} is no BVH file: it lacks HIERARCHY or MOTION; {READ_AGAIN}")
    head = _HEAD.match(parts[1])
    if head is None:
        raise FileError(f"{path} has no valid Frames and Frame Time lines: {READ_AGAIN}")
    try:
        interval = float(head["interval"].replace(",", "."))
    except ValueError as error:
        raise FileError(f"{path} has no valid Frames and Frame Time lines: {READ_AGAIN}") from error
    count = int(head["count"])
    if not 0 < interval < np.inf or count < 1:
        raise FileError(f"{path} has no frames or no positive Frame Time: {READ_AGAIN}")
    joints = _read_joints(path, parts[0])
    words = _split_numbers(parts[1][head.end() :])
    channels = sum(len(joint.channels) for joint in joints)
    if len(words) < count * channels:
        raise FileError(
            f"{path} ends early: {count} frames of {channels} values named, "
            f"{len(words)} values found; {READ_AGAIN}"
        )
    words = words[: count * channels]
    _check_numbers(path, words, max(channels, 1))
    samples = tuple(words[i * channels : (i + 1) * channels] for i in range(count))
    return _BvhFile(tuple(joints), samples, interval)


def write_bvh(file: _BvhFile) -> str:
    """The text of a BVH file that Blender's importer reads right."""
    lines = ["HIERARCHY"]
    columns: list[int | None] = []
    number = 0
    children: list[list[int]] = [[] for _ in file.joints]
    for index, joint in enumerate(file.joints):
        if joint.parent >= 0:
            children[joint.parent].append(index)
    own = []
    for joint in file.joints:
        own.append(range(number, number + len(joint.channels)))
        number += len(joint.channels)

    def write_joint(index: int) -> None:
        joint = file.joints[index]
        kept = [c for c in joint.channels if c is not None]
        missing = [c for c in _ROTATIONS if c not in kept]
        columns.extend(
            column for column, c in zip(own[index], joint.channels, strict=True) if c is not None
        )
        columns.extend([None] * len(missing))
        names = kept + missing
        lines.append(f"{'ROOT' if joint.parent < 0 else 'JOINT'} {joint.name}")
        lines.extend(["{", f"OFFSET {' '.join(joint.offset)}"])
        lines.append(f"CHANNELS {len(names)} {' '.join(names)}")
        stack.append(-1)
        for end in reversed(joint.ends):
            ends.append(end)
            stack.append(-2)
        stack.extend(reversed(children[index]))

    stack = [i for i in range(len(file.joints) - 1, -1, -1) if file.joints[i].parent < 0]
    ends: list[list[str]] = []
    while stack:
        index = stack.pop()
        if index == -1:
            lines.append("}")
        elif index == -2:
            lines.extend(["End Site", "{", f"OFFSET {' '.join(ends.pop())}", "}"])
        else:
            write_joint(index)
    lines += ["MOTION", f"Frames: {len(file.samples)}", f"Frame Time: {file.interval!r}"]
    for sample in file.samples:
        lines.append(" ".join("0" if c is None else sample[c] for c in columns))
    return "\n".join(lines) + "\n"


def find_bvh_up(file: _BvhFile) -> str:
    """The axis that is up in a BVH file, such as ``"Y"``, which most have, or ``"Z"``.

    Rest pose and motion are both asked. Where they differ, as for somebody who lies down, the
    motion is believed if its root keeps above the origin along that axis as a standing body's does.
    """
    parents = [joint.parent for joint in file.joints]
    offsets = np.array([joint.offset for joint in file.joints], dtype=np.float64)
    # End sites are the tips of their joints' limbs.
    for index, joint in enumerate(file.joints):
        for end in joint.ends:
            parents.append(index)
            offsets = np.concatenate([offsets, np.array([end], dtype=np.float64)])
    rest = np.zeros((1, len(parents), 3))
    for index, parent in enumerate(parents):
        rest[0, index] = offsets[index] + (rest[0, parent] if parent >= 0 else 0.0)
    moved = _pose(file, parents, offsets)
    found = [find_up(parents, offsets, positions) for positions in (rest, moved)]
    at_rest, moving = (None if up is None else name_axis(up) for up in found)
    if at_rest == moving or moving is None or moving.startswith("-"):
        axis = at_rest
    else:
        axis = moving if _stands(moved, "XYZ".index(moving)) else at_rest
    if axis is None or axis.startswith("-"):
        return "Y"
    # What stands has one floor. Tails and manes hang sideways, too.
    spreads = np.std(moved.min(axis=1), axis=0)
    size = float(np.ptp(rest[0], axis=0).max())
    return axis if spreads["XYZ".index(axis)] <= max(spreads[1], HANGING.steady * size) else "Y"


def _stands(positions: FloatArray, axis: int) -> bool:
    """Whether a root keeps above the origin by the length of legs, along an axis."""
    heights = positions[:, 0, axis]
    size = float(np.ptp(positions[0], axis=0).max())
    return bool(heights.mean() > HANGING.shortest * size and np.ptp(heights) < heights.mean())


def _pose(file: _BvhFile, parents: Sequence[int], offsets: FloatArray) -> FloatArray:
    """Places of joints and ends at some samples, shape (T, J, 3)."""
    step = -(-len(file.samples) // _MOST_LOOKED_AT)
    values = np.array(file.samples[::step], dtype=np.float64)
    count = len(values)
    turns = np.zeros((count, len(parents), 4))
    places = np.zeros((count, len(parents), 3))
    column = 0
    for index, parent in enumerate(parents):
        turn = np.tile(rot.IDENTITY, (count, 1))
        place = np.tile(offsets[index], (count, 1))
        channels = file.joints[index].channels if index < len(file.joints) else []
        for channel in channels:
            if channel is not None and channel.endswith("rotation"):
                axis = np.eye(3)["XYZ".index(channel[0])]
                angles = np.radians(values[:, column])
                turn = rot.multiply(turn, rot.quaternions_from_axis_angles(axis, angles))
            elif channel is not None and parent < 0:
                place[:, "XYZ".index(channel[0])] = values[:, column]
            column += 1
        if parent >= 0:
            place = places[:, parent] + rot.rotate(turns[:, parent], place)
            turn = rot.multiply(turns[:, parent], turn)
        turns[:, index], places[:, index] = turn, place
    return places


def _decode(content: bytes) -> str:
    """Text of a file of any encoding."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _split_numbers(text: str) -> list[str]:
    """Words of a text of numbers, with points for decimal commas."""
    words = text.split()
    if "," not in text:
        return words
    if "." not in text and any(_DECIMAL_COMMA.match(word) for word in words):
        return [word.replace(",", ".") for word in words]
    return text.replace(",", " ").split()


def _check_numbers(path: Path, words: Sequence[str], channels: int) -> None:
    """Raise FileError for what is no number, with its frame."""
    try:
        if np.all(np.isfinite(np.array(words, dtype=np.float64))):
            return
    except ValueError:
        pass
    for index, word in enumerate(words):
        try:
            if np.isfinite(float(word)):
                continue
        except ValueError:
            pass
        raise FileError(
            f"{path} has {word[:20]!r} where a number belongs, in frame {index // channels + 1}: "
            f"{READ_AGAIN}"
        )


def _read_joints(path: Path, text: str) -> list[_BvhJoint]:
    """Joints of the hierarchy, parents first."""
    joints: list[_BvhJoint] = []
    stack: list[int | None] = []
    taken: set[str] = set()
    opening: int | None = None
    for line in re.sub(r"([{}])", r"\n\1\n", text).split("\n"):
        words = line.split()
        kind = words[0].lower() if words else ""
        if kind in {"root", "joint"}:
            parent = next((j for j in reversed(stack) if j is not None), -1)
            opening = len(joints)
            joints.append(_BvhJoint(_name_joint("_".join(words[1:]), taken), parent))
        elif kind == "end":
            opening = None
            if stack and stack[-1] is not None:
                joints[stack[-1]].ends.append(["0", "0", "0"])
        elif kind == "{":
            stack.append(opening)
            opening = None
        elif kind == "}" and stack:
            stack.pop()
        elif kind in {"offset", "channels"} and stack:
            _read_line(path, kind, words[1:], joints, stack)
    if not joints:
        raise FileError(f"{path} has no joints in its HIERARCHY: {READ_AGAIN}")
    return joints


def _read_line(
    path: Path, kind: str, words: list[str], joints: list[_BvhJoint], stack: list[int | None]
) -> None:
    """Read the offset or the channels of the innermost joint or end site."""
    joint = next((j for j in reversed(stack) if j is not None), None)
    if joint is None:
        return
    if kind == "channels":
        if stack[-1] is not None:
            joints[joint].channels = [_CHANNELS.get(word.lower()) for word in words[1:]]
        return
    numbers = _split_numbers(" ".join(words))
    try:
        is_valid = len(numbers) >= 3 and np.all(np.isfinite([float(n) for n in numbers[:3]]))
    except ValueError:
        is_valid = False
    if not is_valid:
        raise FileError(f"{path} has no valid OFFSET of joint {joints[joint].name!r}: {READ_AGAIN}")
    if stack[-1] is None:
        if joints[joint].ends:
            joints[joint].ends[-1] = numbers[:3]
    else:
        joints[joint].offset = numbers[:3]


def _name_joint(name: str, taken: set[str]) -> str:
    """A name that no other joint has, short enough for a bone."""
    name = name.encode()[:_LONGEST_NAME].decode("utf-8", "ignore") or "Joint"
    number, unique = 0, name
    while unique in taken:
        number += 1
        ending = f".{number:03d}"
        room = _LONGEST_NAME - len(ending)
        unique = name.encode()[:room].decode("utf-8", "ignore") + ending
    taken.add(unique)
    return unique
