# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""BVH files of many programs, read alike."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.files.bvh import find_bvh_up, read_bvh, write_bvh
from semi_procedural_locomotion.errors import FileError

PATH = Path("walk.bvh")
# A body that stands: two legs at the root, arms at the end of the spine; y is up.
BODY = (
    ("Hips", None, (0, 0, 0), None),
    ("Spine", "Hips", (0, 3, 0.1), None),
    ("LArm", "Spine", (2, 0, 0), (4, 0, 0)),
    ("RArm", "Spine", (-2, 0, 0), (-4, 0, 0)),
    ("LThigh", "Hips", (1, 0, 0), None),
    ("LShin", "LThigh", (0, -4, 0.2), (0, -4, 0)),
    ("RThigh", "Hips", (-1, 0, 0), None),
    ("RShin", "RThigh", (0, -4, 0.2), (0, -4, 0)),
)


def make_text(turn=lambda v: v, frames=20, root=(0.0, 8.0, 0.0), tilt=0.0):
    """The text of a body that steps, its axes turned, its root tilted about x by degrees."""
    turned = "".join("XYZ"[int(np.argmax(np.abs(turn(axis))))] for axis in np.eye(3))

    def write(name, indent):
        (_, parent, offset, end) = next(row for row in BODY if row[0] == name)
        pad = "  " * indent
        place = "" if parent else "Xposition Yposition Zposition "
        lines = [f"{pad}{'JOINT' if parent else 'ROOT'} {name}", pad + "{"]
        lines.append(f"{pad}  OFFSET {' '.join(f'{v:.3f}' for v in turn(np.array(offset)))}")
        spins = " ".join(f"{axis}rotation" for axis in turned)
        lines.append(f"{pad}  CHANNELS {3 if parent else 6} {place}{spins}")
        for child in (row[0] for row in BODY if row[1] == name):
            lines += write(child, indent + 1)
        if end:
            values = " ".join(f"{v:.3f}" for v in turn(np.array(end)))
            lines += [f"{pad}  End Site", pad + "  {", f"{pad}    OFFSET {values}", pad + "  }"]
        return [*lines, pad + "}"]

    hierarchy = [line.split() for line in write("Hips", 0)]
    order = [words[-1] for words in hierarchy if words[0] in {"ROOT", "JOINT"}]
    rows = []
    for frame in range(frames):
        swing = 25.0 * np.sin(2 * np.pi * frame / frames)
        angles = {"Hips": tilt, "LThigh": swing, "RThigh": -swing}
        row = list(turn(np.add(root, (0.0, 0.0, frame))))
        for name in order:
            row += [angles.get(name, 0.0), 0.0, 0.0]
        rows.append(" ".join(f"{v:.4f}" for v in row))
    head = ["HIERARCHY", *write("Hips", 0), "MOTION", f"Frames: {frames}", "Frame Time: 0.0333"]
    return "\n".join([*head, *rows]) + "\n"


TEXT = make_text()
MOTION = TEXT.index("MOTION")


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf\n  " + TEXT.encode(),
        TEXT.encode("utf-16"),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
        TEXT.replace(".", ",").encode(),
        TEXT.replace("0.0333", "0,0333").encode(),
        TEXT.replace("\n  {", " {").replace("Hips\n{", "Hips {").encode(),
        (TEXT[:MOTION] + "\n".join(TEXT[MOTION:].split(" "))).encode(),
        TEXT.replace("rotation", "ROTATION").replace("MOTION\n", "Motion\n").encode(),
        TEXT.replace("Frames: 20", "Frames:\t20").encode(),
    ],
    ids=["bom", "utf16", "dos", "mac", "commas", "comma", "braces", "broken", "case", "tab"],
)
def test_what_programs_write_differently_is_read_alike(content):
    assert write_bvh(read_bvh(PATH, content)) == write_bvh(read_bvh(PATH, TEXT.encode()))


def test_joints_keep_their_values_where_channels_are_left_out():
    text = TEXT.replace("CHANNELS 3 Xrotation Yrotation Zrotation", "CHANNELS 1 Xrotation")
    rows = [row.split() for row in TEXT[MOTION:].splitlines()[3:]]
    short = [" ".join([*row[:6], *row[6::3]]) for row in rows]
    head = text[: text.index("0.0333") + 6]
    written = write_bvh(read_bvh(PATH, "\n".join([head, *short]).encode()))
    assert written.count("CHANNELS 3 Xrotation Yrotation Zrotation") == len(BODY) - 1
    values = [float(word) for word in written.splitlines()[-1].split()]
    assert values == [float(word) for word in rows[-1]]


def test_channels_that_blender_does_not_know_are_left_out():
    text = TEXT.replace(
        "CHANNELS 6 Xposition Yposition Zposition",
        "CHANNELS 9 Xscale Yscale Zscale Xposition Yposition Zposition",
    )
    rows = [f"1 1 1 {row}" for row in text[text.index("MOTION") :].splitlines()[3:]]
    head = text[: text.index("0.0333") + 6]
    written = write_bvh(read_bvh(PATH, "\n".join([head, *rows]).encode()))
    assert written == write_bvh(read_bvh(PATH, TEXT.encode()))


def test_names_are_unlike_and_short_enough():
    text = TEXT.replace("RShin", "LShin").replace("LArm", "Ä" * 50).replace("RArm", "Ä" * 60)
    names = [joint.name for joint in read_bvh(PATH, text.encode("cp1252")).joints]
    assert len(set(names)) == len(names)
    assert max(len(name.encode()) for name in names) <= 63
    assert {"LShin", "LShin.001"} <= set(names)


def test_several_roots_are_all_read():
    prop = "ROOT Prop\n{\nOFFSET 0 0 0\n}\n"
    file = read_bvh(PATH, (TEXT[:MOTION] + prop + TEXT[MOTION:]).encode())
    assert [joint.name for joint in file.joints if joint.parent < 0] == ["Hips", "Prop"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("OFFSET 0.000 3.000", "OFFSET here", "no valid OFFSET of joint 'Spine'"),
        ("0.0000 8.0000 2.0000", "0.0000 nan 2.0000", "'nan' where a number belongs, in frame 3"),
        ("Frames: 20", "Frames: 21", "ends early: 21 frames"),
        ("Frames: 20", "Frames: many", "no valid Frames"),
        ("0.0333", "inf", "no positive Frame Time"),
    ],
)
def test_faults_are_named_with_their_place(old, new, message):
    assert old in TEXT
    with pytest.raises(FileError, match=message):
        read_bvh(PATH, TEXT.replace(old, new).encode())


def turn_z_up(v):
    return np.array([v[0], -v[2], v[1]])


def turn_x_up(v):
    return np.array([v[1], v[2], v[0]])


@pytest.mark.parametrize(
    ("turn", "axis"), [(lambda v: v, "Y"), (turn_z_up, "Z"), (turn_x_up, "X")], ids="YZX"
)
@pytest.mark.parametrize("size", [0.01, 1.0, 100.0])
def test_up_is_where_the_legs_do_not_hang(turn, axis, size):
    text = make_text(lambda v: size * turn(v))
    assert find_bvh_up(read_bvh(PATH, text.encode())) == axis


def test_a_body_that_lies_down_does_not_turn_its_file():
    # Tilted by a quarter about x, its root near the ground, in a file whose rest pose stands.
    text = make_text(root=(0.0, 0.6, 0.0), tilt=-90.0)
    assert find_bvh_up(read_bvh(PATH, text.encode())) == "Y"


def test_a_rest_pose_that_lies_gives_way_to_a_motion_that_stands():
    # Rest lies along z; every frame raises it by a quarter turn about x.
    lying = make_text(turn_z_up, tilt=0.0)
    file = read_bvh(PATH, lying.encode())
    samples = tuple(["0", "8", str(i), "-90", "0", "0", *s[6:]] for i, s in enumerate(file.samples))
    assert find_bvh_up(type(file)(file.joints, samples, file.interval)) == "Y"
