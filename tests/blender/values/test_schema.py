# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file holds is read or left out, whatever it is, and nothing that it names is removed."""

from __future__ import annotations

import json
import zlib

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import watching
from semi_procedural_locomotion.api.notes import read_doubts, read_notes, tell_notes
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.driving.stand_in import remove_left_stand_ins
from semi_procedural_locomotion.blender.driving.track import read_predicted
from semi_procedural_locomotion.blender.footsteps.objects import read_planned_way
from semi_procedural_locomotion.blender.reading.foot_skins import list_changed
from semi_procedural_locomotion.blender.setup.fix_records import read_before
from semi_procedural_locomotion.blender.setup.override_records import restore_overrides
from semi_procedural_locomotion.blender.showing.expectations import read_expectation
from semi_procedural_locomotion.blender.values import schema
from semi_procedural_locomotion.blender.values.bake_record import (
    encode_channels,
    find_base_action,
    find_left_bake,
    find_walk_start,
    is_bake,
    read_record,
    read_values_before,
)
from semi_procedural_locomotion.blender.values.bake_strips import is_correction
from semi_procedural_locomotion.blender.values.curve_records import (
    AnimatorCurve,
    CurveRecord,
    encode_keys,
    hash_curve,
)
from semi_procedural_locomotion.blender.values.custom_keys import (
    BAKE_KEY,
    BAKE_SOURCE_KEY,
    CORRECTION_KEY,
    DRIVE_KEY,
    EXTRAPOLATION_KEY,
    FIX_KEY,
    FRAME_RATE_KEY,
    LIVE_KEY,
    OVERRIDES_KEY,
    STAND_IN_KEY,
    TURNED_KEY,
    WRITTEN_KEY,
)
from semi_procedural_locomotion.blender.values.scene_state import read_key_rate
from semi_procedural_locomotion.blender.values.written_keys import (
    keep_written,
    read_laid,
    read_written,
)
from semi_procedural_locomotion.notes.units import Units
from semi_procedural_locomotion.ui.panels.parts import list_report_rows
from tests.scenes import lend_person, select_only

DEEP = "[" * 50_000 + "]" * 50_000
TEXTS = (
    *(
        "",
        "x",
        "[]",
        "{}",
        "[1]",
        "[[1]]",
        "null",
        "NaN",
        "1e400",
        "1" * 5000,
        "\x1b[31mred\x07",
        DEEP,
    ),
    *("[[1,2,3]]", '{"a":[1]}', '[["a",0,1]]', '[["location",9,1e30]]', "[[0,3000000000]]"),
    *('[["\\u001b]0;x",5]]', "[[0,1e6],[0,1e6],[0,1e6]]", '{"Hero":{"legs":5,"bake":{"block":1}}}'),
    '[{"path":"x","first":3000000000,"offsets":[[1,2,3]],"is_turn":false}]',
    '[{"kind":"foot_slides","leg":5,"frame":"x","values":{"share":"y"}}]',
)
VALUES = (
    *TEXTS,
    *(5, -1, True, 3e9, 2**31 - 1, float("nan"), float("inf"), b"abc", zlib.compress(bytes(10**7))),
    *(
        [1.0],
        [0.0, 3e9],
        [-3e9, 3e9],
        [float("nan"), 1.0],
        ["a", "b"],
        {"a": 1},
        {"a": {"b": [1]}},
        {},
    ),
)
OTHERS = {
    LIVE_KEY: {"owner": 5, "muted": "[]", "values": "[]"},
    FIX_KEY: {"before": "{}", "after": "{}"},
    DRIVE_KEY: "[]",
    CORRECTION_KEY: "REPLACE",
    EXTRAPOLATION_KEY: "HOLD",
    FRAME_RATE_KEY: 24.0,
}
# What texts of property groups hold what is taken apart when it is read.
GROUP_TEXTS = ("skins", "underside", "notes", "footsteps_way")


@pytest.fixture
def person():
    """A baked person in a short scene."""
    for armature in lend_person(8):
        bpy.ops.anim.locomotion_bake()
        yield armature


def plain(value):
    return value.to_dict() if hasattr(value, "to_dict") else value


def list_spoils(kept):
    """Each record in another form, and each record with one part missing or in another form."""
    for key, whole in kept.items():
        for value in VALUES:
            yield key, value
        for number, part in enumerate(whole if isinstance(whole, dict) else ()):
            yield key, {name: value for name, value in whole.items() if name != part}
            for value in VALUES[number % 4 :: 4]:
                yield key, {**whole, part: value}
    written = kept[WRITTEN_KEY]
    for number, name in enumerate(written["laid"]):
        for value in VALUES[number::12]:
            yield WRITTEN_KEY, {**written, "laid": {**written["laid"], name: value}}


def read_all(armature, action):
    """All that reads records, as panels and operators do."""
    find_walk_start(armature), find_left_bake(armature), read_values_before(armature)
    find_base_action(armature), read_written(action), read_laid(action), read_expectation(action)
    read_predicted(armature), is_correction(action), schema.list_unfit(action)
    list_report_rows(read_before(armature), Units())
    assert 0 < read_key_rate(action) < 1e10
    watching.free_copies()


def count_data():
    return [sorted(item.name for item in data) for data in (bpy.data.objects, bpy.data.actions)]


def test_records_of_any_content_are_read_or_left_out(person, caplog):
    action = person.locomotion.bake
    kept = {k: plain(v) for k, v in action.items() if not isinstance(v, bpy.types.ID)} | OTHERS
    before = count_data()
    for key, value in list_spoils(kept):
        if key in action:
            del action[key]
        action[key] = value
        read_all(person, action)
        if key in action:
            del action[key]
        if key not in OTHERS:
            action[key] = kept[key]
    assert count_data() == before
    assert is_bake(action)
    assert f"keeps {BAKE_KEY} that does not fit" in caplog.text
    assert "\x1b" not in caplog.text


def test_curves_and_keys_in_records_that_blender_has_not_are_left_out(person):
    """They are taken apart only where they are needed, and would fail a bake or a removal then."""
    action = person.locomotion.bake
    slot = versions.list_slots(action)[0]
    curve = CurveRecord.read(versions.get_curves(action, slot)[0])
    kept = plain(action[BAKE_KEY])
    shown = encode_keys(curve.keys)
    columns = json.loads(shown)
    late, kinds = ([list(column) for column in columns] for _ in range(2))
    late[0][0], kinds[3][0] = 3e9, 77.0
    keys = [json.dumps(bad) for bad in (columns[:2], [columns[0], *columns[2:]], late, kinds)]
    group, own, choices, modifiers = json.loads(curve.encode())
    cycles = ["CYCLES", {"active": True}, []]
    curves = [
        json.dumps(bad)
        for bad in (
            *([5, own, choices, modifiers], [group, late, choices, modifiers]),
            *([group, own, {}, modifiers], [group, own, choices | {"mute": "x"}, modifiers]),
            *([group, own, choices | {"array_index": 1}, modifiers], [group, own, choices, [5]]),
            *([group, own, choices, [["MAGIC", {"active": True}, []]]],),
            *([group, own, choices, [cycles, cycles]], [group, own, choices, [["NOISE", {}, []]]]),
        )
    ]
    place = ("location", 0)
    turn = {"path": "location", "first": 2.5, "offsets": [[1.0, 0.0, 0.0, 0.0]], "is_turn": True}
    spoils = [
        *({"styles": encode_channels({place: text})} for text in keys),
        *({"beside": encode_channels({place: text})} for text in keys),
        *({"taken": encode_channels({place: text})} for text in curves),
        *({"bases": encode_channels({place: json.dumps([text, None, False])})} for text in curves),
        *({"bases": encode_channels({place: json.dumps([None, text, True])})} for text in keys),
        *({"bases": encode_channels({place: text})} for text in ("[]", "[null, null, 5]")),
        *({"modes": text} for text in ('{"Hips": "QUATERNION"}', '{"Hips": 5}')),
        *({"order": 5}, {"edits": json.dumps([turn])}),
    ]
    for spoil in spoils:
        action[BAKE_KEY] = {**kept, **spoil}
        assert not is_bake(action), spoil
    whole = encode_channels({place: curve.encode()})
    edit = {**turn, "offsets": [[1.0, 0.0, 0.0]], "is_turn": False}
    action[BAKE_KEY] = {
        **kept,
        "styles": encode_channels({place: shown}),
        "edits": json.dumps([edit]),
    }
    record = read_record(action)
    assert (record.styles, record.edits[0].first) == ({place: shown}, 2.5)
    earlier = {name: value for name, value in kept.items() if name not in ("bases", "order")}
    action[BAKE_KEY] = earlier | {"taken": whole, "beside": encode_channels({place: shown})}
    assert read_record(action).bases == {
        place: AnimatorCurve(curve, curve.keys, read_record(action).previous is None).encode()
    }


def test_laid_keys_that_do_not_fit_count_as_not_told(person):
    action = person.locomotion.bake
    kept = plain(action[WRITTEN_KEY])
    curve = versions.get_curves(action, versions.list_slots(action)[0])[0]
    table = CurveRecord.read(curve).keys
    keep_written(action, read_written(action), {("location", 0): table})
    laid = plain(action[WRITTEN_KEY])["laid"]
    assert len(read_laid(action)["location", 0]) == len(table)
    more = json.dumps([["location", 0, len(table) + 1]])
    wrong = zlib.compress(bytes([77] * len(table)))
    for spoil in ({"curves": more}, {"co": zlib.compress(b"")}, {"easing": wrong}):
        action[WRITTEN_KEY] = {**kept, "laid": {**laid, **spoil}}
        assert read_laid(action) == {}
        assert len(read_written(action))


def test_texts_of_properties_are_read_or_left_out(person):
    data = person.locomotion
    for text in TEXTS:
        for name in GROUP_TEXTS:
            setattr(data, name, text)
        data.report.values = data.report.notes = text
        data.legs[0].hull = data.legs[0].girths = data.legs[0].notes = text
        (
            list_report_rows(data.report.values, Units()),
            list_changed(person, ()),
            read_planned_way(person),
        )
        tell_notes([*read_notes(data.report), *read_doubts(data), *read_doubts(data.legs[0])])
        bpy.ops.anim.locomotion_bake()
    assert is_bake(person.locomotion.bake)


@pytest.mark.parametrize("value", [5, {"span": [0.0, 3e9]}, {"written": DEEP}])
def test_damaged_bakes_count_as_own_animation_and_are_told(person, value):
    action = person.locomotion.bake
    curves = len(person.animation_data.action.fcurves) if bpy.app.version < (5, 0, 0) else None
    action[BAKE_KEY] = {**plain(action[BAKE_KEY]), **value} if isinstance(value, dict) else value
    action[BAKE_SOURCE_KEY] = action
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert any(BAKE_KEY in text for text in person.locomotion.report.warnings.splitlines())
    assert bpy.ops.anim.locomotion_bake_remove() == {"FINISHED"}
    assert person.animation_data.action == action
    if curves is not None:
        assert len(action.fcurves) == curves


def test_nothing_goes_when_a_file_is_read_that_marks_what_no_drive_made(person):
    """Only a copy of what is there may be removed, and is tested in `test_driving`."""
    bystander = bpy.data.objects.new("Bystander", bpy.data.meshes.new("Own"))
    other = bpy.data.objects.new("Other", bpy.data.armatures.new("Own"))
    before = count_data()
    marks = [True, DEEP, {"of": person}, {"of": bystander}, {"of": person.data}, {"of": other}, {}]
    for mark in marks:
        for item in (bystander, other, other.data, person):
            item[STAND_IN_KEY] = mark
        remove_left_stand_ins()
        assert count_data() == before


def test_actions_that_claim_to_be_shown_live_stay(person):
    """At load Live is ended, with its action where that is a copy of another one, and only there."""
    record = plain(person.locomotion.bake[BAKE_KEY])
    action = bpy.data.actions.new("Precious")
    versions.assign_action(person, action, versions.NO_SLOT)
    person.keyframe_insert("location", frame=1)
    slot = versions.get_assigned_action(person)[1]
    copied = {
        (c.data_path, c.array_index): hash_curve(c) for c in versions.get_curves(action, slot)
    }
    action[BAKE_KEY] = {**record, "written": "[]", "copied": encode_channels(copied)}
    person.locomotion.bake = action
    for plays in (True, False):
        values = '[["scale", 7, 1.0], ["name", 0, 1.0], ["session_uid", 0, 1.0]]'
        action[LIVE_KEY] = {"owner": person.session_uid, "muted": "[]", "values": values}
        if not plays:
            versions.assign_action(person, None, versions.NO_SLOT)
        watching.end_live(person)
        assert bpy.data.actions.get("Precious") == action
        assert len(versions.get_curves(action, slot)) == 3


def test_damaged_set_ups_of_overrides_break_no_registration():
    for value in VALUES:
        bpy.context.scene[OVERRIDES_KEY] = value
        restore_overrides()
        assert OVERRIDES_KEY not in bpy.context.scene


def test_numbers_that_are_none_are_refused_by_name(person):
    person.locomotion.legs[1].sole_width = float("nan")
    with pytest.raises(RuntimeError, match="no usable value in 'Legs 2 > Sole Width'"):
        bpy.ops.anim.locomotion_bake()
    person[TURNED_KEY] = person.data
    select_only(person)
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
