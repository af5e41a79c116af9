# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Text for people."""

from __future__ import annotations

import math

from semi_procedural_locomotion.headless.tables import table_from_report, text_from_inspection

LEG = {
    "name": "foot.L",
    "side": "left",
    "bones": ["thigh.L", "shin.L", "foot.L"],
    "toe": "toe.L",
    "confidence": 0.4,
    "reasons": ["the toe bone has no mesh"],
}
TIMES = {"stance": 0.1, "lift": 0.2, "off": 0.3, "strike": 0.8, "land": 0.9, "stride": 1.3}
CYCLE = {
    "action": "Walk",
    "kind": "cycle",
    "speed": 1.31,
    "speed_range": [1.2, 1.4],
    "direction": [0.0, -1.0],
    "turn_rate": math.radians(10.0),
    "period": 1.0,
    "seam": 0.001,
    "legs": [TIMES],
    "warnings": ["the speed is uneven"],
}
OTHER = {"action": "Jump", "kind": "other", "warnings": ["no contacts"]}


def rows_of(text):
    return {line[:40].strip(): line[40:].split() for line in text.splitlines()[1:] if line}


def test_lengths_are_in_the_units_of_the_scene_with_their_shares():
    hero = {
        "name": "Hero",
        "leg_length": 0.8,
        "feet_slide_worst": 0.0041,
        "warnings": ["late step"],
    }
    text = table_from_report({"characters": [hero]})
    assert text.splitlines()[0].split() == ["Hero", "bar"]
    slide = next(line for line in text.splitlines() if line.startswith("feet slide"))
    assert slide.split()[-8:] == ["3.3", "mm", "(0.41", "%)", "0.50", "%", "of", "L"]
    assert text.endswith("Hero: late step\n")
    inches = {"system": "IMPERIAL", "scale": 1.0, "unit": "FEET"}
    assert "0.129 in (0.41 %)" in table_from_report({"units": inches, "characters": [hero]})


def test_numbers_are_good_doubtful_or_bad():
    character = {
        "name": "Hero",
        "leg_length": 1.0,
        "feet_slide_worst": 0.005,
        "feet_sink_worst": 0.011,
        "shown_swing_depth_worst": 0.17,
        "shown_knee_speed_ratio": 1.0,
    }
    rows = {
        line[:30].strip(): line[30:].split()
        for line in table_from_report({"characters": [character]}).splitlines()[1:]
    }
    assert not {"!", "?"} & {*rows["feet slide, worst"], *rows["knee speed over its motion"]}
    assert "?" in rows["feet deep in the ground, worst"]
    assert "!" in rows["feet deep in swing, worst"]


def test_several_characters_and_absent_numbers():
    characters = [{"name": f"C{i}", "shown_foot_way_ratio": i or None} for i in range(7)]
    text = table_from_report({"characters": characters})
    headers = [line.split() for line in text.splitlines() if line.endswith("bar")]
    assert headers == [["C0", "C1", "C2", "C3", "C4", "bar"], ["C5", "C6", "bar"]]
    assert " - " in text
    assert "! 6" in text


def test_no_characters():
    assert table_from_report({"characters": []}) == "no characters\n"


def test_inspection():
    armature = {
        "name": "Rig",
        "forward": [0.0, -1.0],
        "root": "hips",
        "reasons": ["the legs differ"],
        "legs": [LEG],
        "motions": [CYCLE, OTHER],
    }
    text = text_from_inspection({"armatures": [armature], "refused": ["Box has no legs"]})
    lines = text.splitlines()
    assert lines[0] == "Rig: faces -90 deg of world x, root bone hips"
    assert lines[1] == "  the legs differ"
    assert lines[2] == "  leg foot.L (left, confidence 0.40): thigh.L > shin.L > foot.L, toe toe.L"
    assert lines[3] == "    the toe bone has no mesh"
    assert "1.31 m/s (1.20 to 1.40) towards -90 deg, turns 10 deg/s, period 1.00 s" in lines[4]
    assert "foot.L: stance at 0.10, then lift 0.20 off 0.30 strike 0.80" in lines[5]
    assert "stride 1.30 m" in lines[5]
    assert lines[6] == "    the speed is uneven"
    assert lines[7:] == ["  motion Jump: other", "    no contacts", "", "refused: Box has no legs"]


def test_inspection_of_a_rig_with_controls():
    left = {
        "leg": "Left",
        "foot": "foot_ik.L",
        "ankle": "",
        "toe": "",
        "hock": "",
        "pole": "thigh_ik.L",
        "rolls": ["foot_heel_ik.L"],
        "chain": ["thigh_fk.L", "shin_fk.L", "foot_fk.L"],
        "switches": [{"path": 'pose.bones["p"]["IK_FK"]', "index": 0, "ik": 0.0, "fk": 1.0}],
        "confidence": 0.99,
        "reasons": [],
    }
    bare = dict.fromkeys(("foot", "ankle", "toe", "hock", "pole"), "")
    lists = {name: [] for name in ("rolls", "chain", "switches")}
    right = {"leg": "Right", **bare, **lists, "confidence": 0.0, "reasons": ["none moves it"]}
    controls = {
        "body": "torso",
        "root": "",
        "legs": [left, right],
        "turned": [{"bone": "chest", "control": "chest_fk"}],
        "confidence": 0.0,
        "verified": False,
        "reasons": [],
    }
    names = {"name": "Rig", "forward": [0.0, -1.0], "root": "hips", "legs": [], "motions": []}
    text = text_from_inspection({"armatures": [{**names, "controls": controls}]})
    assert text.splitlines()[1:] == [
        "  controls (confidence 0.00, walks go onto the deforming bones): body torso, root -",
        "    leg Left (confidence 0.99): foot foot_ik.L, pole thigh_ik.L, rolls foot_heel_ik.L,"
        " chain thigh_fk.L > shin_fk.L > foot_fk.L,"
        ' switch pose.bones["p"]["IK_FK"] (IK 0, FK 1)',
        "    leg Right (confidence 0.00): -",
        "      none moves it",
        "    upper body: chest by chest_fk",
    ]
