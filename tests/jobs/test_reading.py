# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Job files: every key read, every wrong value named together with its cure."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from semi_procedural_locomotion.core.contacts.edits import ContactEdit
from semi_procedural_locomotion.core.rig.controls.choices import ControlsChoice, LegControlsChoice
from semi_procedural_locomotion.core.rig.controls.mapping import SwitchValue
from semi_procedural_locomotion.core.rig.legs import LegChoice
from semi_procedural_locomotion.errors import JobError
from semi_procedural_locomotion.jobs.reading import (
    GroundSource,
    GroupJob,
    LayerJob,
    MotionJob,
    TravelJob,
    read_job,
)
from semi_procedural_locomotion.requests.travels import (
    AlongCurve,
    AlongFootsteps,
    AlongPoints,
    AsBone,
    AsObject,
    StraightAhead,
)

FULL = """
output = "out/hero.blend"
fps = 24
frames = [1, 240]
ground = [{file = "hills.glb"}, "Stairs"]
[[character]]
file = "hero.glb"
armature = "Armature"
motions = [{action = "Walk", speed = 1.2, reversed = true, key_times = [
  {leg = "Left", strike = 0.875, off = 0.5},
]}, {action = "Idle", rest = true}]
groups = [{name = "walk", weight = [[1, 0], [24, 1.5]], overrides = true}]
layers = [{action = "Wave", bone = "Chest", weight = [[1, 0], [12, 1]], clock = "walk"}]
legs = [{bones = ["thigh.L", "shin.L", "foot.L"], toe = "toe.L", name = "Left"}]
forward = [0, -1]
root = "root"
body = "hips"
output_to = "bone"
[character.controls]
body = "torso"
turned = [{bone = "DEF-spine.003", control = "chest"}]
[[character.controls.legs]]
leg = "Left"
foot = "foot_ik.L"
rolls = []
pole_turns = false
switches = [{path = 'pose.bones["thigh_parent.L"]["IK_FK"]', ik = 0, fk = 1}]
[character.settings]
lean = 0.5
lock_feet = false
[character.bake]
output = "both"
blend_in = 4
key_tolerance = 0.001
use_markers = true
action_name = "Shot 10"
[character.travel]
path = [[0, 0], [6, 0], [6, 6]]
speed = 1.4
start = "moving"
stop = "stand"
"""

PATH_IN_SPACE = 'path = [[0, 0], [1, 0]]\nspace = "Set"'
SHORT = '[[character]]\nfile = "hero.glb"\n'
WALK = SHORT + 'motions = [{action = "W"}]\n'


@pytest.fixture
def read(tmp_path):
    """Write a job file beside the files that it names, and read it."""
    (tmp_path / "hero.glb").touch()
    (tmp_path / "hills.glb").touch()
    (tmp_path / "shot.blend").touch()

    def read_text(text: str):
        path = tmp_path / "walk.toml"
        path.write_text(text, encoding="utf-8")
        return read_job(path)

    return read_text


def test_every_key_is_read(read, tmp_path):
    job = read(FULL)
    (character,) = job.characters
    assert job.output == tmp_path / "out" / "hero.blend"
    assert (job.fps, job.frames) == (24.0, (1, 240))
    assert job.ground == (GroundSource(file=tmp_path / "hills.glb"), GroundSource(name="Stairs"))
    assert character.file == tmp_path / "hero.glb"
    assert character.motions == (
        MotionJob(
            "Walk",
            "walk",
            reversed=True,
            speed=1.2,
            key_times={"Left": ContactEdit(strike=0.875, off=0.5)},
        ),
        MotionJob("Idle", rest=True),
    )
    assert character.bake == {
        "output": "both",
        "blend_in": 4,
        "key_tolerance": 0.001,
        "action_name": "Shot 10",
        "use_markers": True,
    }
    assert character.groups == (GroupJob("walk", ((1.0, 0.0), (24.0, 1.5)), overrides=True),)
    assert character.layers == (
        LayerJob("Wave", "", ((1.0, 0.0), (12.0, 1.0)), "Chest", "", {"clock": "walk"}),
    )
    assert character.legs == (LegChoice(("thigh.L", "shin.L", "foot.L"), "toe.L", "Left"),)
    assert (character.armature, character.root, character.output_to) == ("Armature", "root", "bone")
    assert character.body == "hips"
    switch = SwitchValue(('pose.bones["thigh_parent.L"]["IK_FK"]', 0), 0.0, 1.0)
    left = LegControlsChoice(
        "Left", foot="foot_ik.L", rolls=(), pole_turns=False, switches=(switch,)
    )
    assert character.controls == ControlsChoice(
        "torso", legs=(left,), turned={"DEF-spine.003": "chest"}
    )
    assert character.forward == (0.0, -1.0)
    assert character.settings == {"lean": 0.5, "lock_feet": False}
    assert character.travel == TravelJob(
        AlongPoints(((0.0, 0.0), (6.0, 0.0), (6.0, 6.0)), speed=1.4, start="moving", stop="stand")
    )


def test_defaults_of_a_short_job(read):
    job = read(SHORT)
    (character,) = job.characters
    assert (job.output, job.fps, job.frames, job.ground) == (None, None, None, ())
    assert character.motions is None
    assert character.travel == TravelJob(StraightAhead(speed=None))


@pytest.mark.parametrize(
    ("travel", "source", "footsteps"),
    [
        ('curve = "Path"', AlongCurve("Path"), None),
        ('bone = "root"', AsBone("root"), None),
        ('bone = "root"\nspeed = 1\nrounds = 2', AsBone("root"), None),
        ('footsteps = "Steps"', AlongFootsteps(), "Steps"),
        ("footsteps = true\nspeed = 1", AlongFootsteps(speed=1.0), None),
        ("animation = true", AsObject(), None),
        ('speed = "native"', StraightAhead(), None),
        ('start = "stand"', StraightAhead(start="stand"), None),
        (PATH_IN_SPACE, AlongPoints(((0.0, 0.0), (1.0, 0.0)), space="Set"), None),
    ],
)
def test_sources_of_travel(read, travel, source, footsteps):
    found = read(f"{SHORT}[character.travel]\n{travel}\n").characters[0].travel
    assert (found.source, found.footsteps) == (source, footsteps)


def test_results_are_frozen(read):
    job = read(SHORT)
    with pytest.raises(dataclasses.FrozenInstanceError):
        job.fps = 30.0


WRONG = [
    ("", "character is missing"),
    ("output = 3\n" + SHORT, "walk.toml: output must be a text"),
    ('output = "a.glb"\n' + SHORT, "output must end in .blend"),
    ('output = "a\\nb"\n' + SHORT, r'got "a\\nb"'),
    ('[[character]]\nfile = "a\\nb.glb"\n', r"a\\nb\.glb"),
    ("fps = 0\n" + SHORT, "fps must be a number above 0, got 0"),
    ("fps = 5000\n" + SHORT, "fps must be from 1 to 1000, got 5000"),
    ("fps = 0.001\n" + SHORT, "fps must be from 1 to 1000, got 0.001"),
    ("fps = true\n" + SHORT, "fps must be a number above 0"),
    ("fps = nan\n" + SHORT, "fps must be a number above 0"),
    ("frames = [1]\n" + SHORT, "frames must be a list of 2 whole numbers"),
    ("frames = [1, 2.5]\n" + SHORT, "frames must be a list of 2 whole numbers"),
    (f"frames = [1, {10**30}]\n" + SHORT, "frames must be a whole number from -1048574 to"),
    ("frames = [9, 9]\n" + SHORT, "frames ends before it starts"),
    ("ground = [3]\n" + SHORT, r"ground\[0\] must be a name or {file = ...}"),
    ('ground = "Stairs"\n' + SHORT, "ground must be a list"),
    ("ground = [{}]\n" + SHORT, r"ground\[0\].file is missing"),
    ('ground = [{file = "none.glb"}]\n' + SHORT, "does not exist"),
    ('ground = [{file = "shot.blend"}]\n' + SHORT, "must end in .glb, .gltf, .fbx, got"),
    ("[[character]]\n", r"character\[0\].file is missing"),
    ('[[character]]\nfile = "none.glb"\n', r"character\[0\].file names a file that does not"),
    ('[[character]]\nfile = "hero.obj"\n', "must end in .blend"),
    ('[[character]]\nblend = "hero.glb"\n', "blend must end in .blend"),
    ('[[character]]\nfile = "hero.glb"\nblend = "shot.blend"\n', "cannot stand beside .file"),
    (SHORT + 'motions = "all"\n', 'motions must be "auto" or a list'),
    (WALK[:-3] + ", key_times = [{}]}]\n", r"key_times\[0\].leg is missing"),
    (WALK[:-3] + ', key_times = [{leg = "Left"}]}]\n', "leg has no times; give `strike`"),
    (
        WALK[:-3] + ', key_times = [{leg = "Left", off = 0.1}, {leg = "Left", off = 0.2}]}]\n',
        r'key_times\[1\].leg names "Left" for the second time',
    ),
    (SHORT + "motions = [{}]\n", r"motions\[0\].action is missing"),
    (SHORT + 'motions = [{action = "Idle", rest = true}]\n', "motions has no walk"),
    (SHORT + 'motions = [{make = "rest"}]\n', "motions has no walk"),
    (SHORT + 'motions = [{make = "fly"}]\n', r'make must be "walk" or .*"rest", got \'fly\''),
    (SHORT + 'motions = [{make = "walk", strides = 2}]\n', 'did you mean "stride"'),
    (
        SHORT + 'motions = [{make = "walk", pace = 0}]\n',
        "pace must be a number from 0.1 to 10 as a factor, got 0",
    ),
    (SHORT + 'motions = [{make = "walk", action = "W"}]\n', "cannot stand beside"),
    (SHORT + 'motions = [{action = "W", reverse = true}]\n', 'did you mean "reversed"'),
    (
        SHORT + "[character.bake]\nblend_in = 1.5\n",
        "must be a whole number from 0 to 1048574 frames, got 1.5",
    ),
    (
        SHORT + "[character.bake]\nkey_tolerance = -1\n",
        "key_tolerance must be a number from 0 to 1000 metres and radians",
    ),
    (SHORT + "[character.bake]\nmarkers = true\n", "bake.markers is not a key of a job"),
    (WALK + 'groups = [{name = "run", weight = 1}]\n', '"run" is the group of no motion'),
    (WALK + 'groups = [{name = "walk"}]\n', "weight is missing"),
    (WALK + 'layers = [{name = "Wave"}]\n', "action is missing"),
    (WALK + 'layers = [{action = "A", mask = "bone"}]\n', "bone is missing; name it"),
    (WALK + 'layers = [{action = "A", bone = "B", collection = "C"}]\n', "cannot stand beside"),
    (WALK + 'layers = [{action = "A", bone = "B", mask = "upper_body"}]\n', "keep one of them"),
    (WALK + 'layers = [{action = "A", weight = [[2, 0], [1, 1]]}]\n', "by rising frames"),
    (WALK + 'layers = [{action = "A", weight = 2}]\n', "from 0 to 1"),
    (
        WALK + 'groups = [{name = "walk", weight = -1}]\n',
        "weight must be a number from 0 to 1000 as a share, got -1",
    ),
    (WALK + 'groups = [{name = "walk", weight = [[2, 0], [1, 1]]}]\n', "by rising frames"),
    (SHORT + 'motions = [{action = "W", speed = 0}]\n', "speed must be above 0 metres a second"),
    (SHORT + 'motions = [{action = "W", speed = 1, rest = true}]\n', "cannot stand beside `rest`"),
    (SHORT + 'motions = [{action = "W", kind = "cycle", rest = true}]\n', "beside `rest`"),
    (SHORT + 'motions = [{action = "W", kind = "walk"}]\n', '"cycle" or "rest"'),
    (SHORT + 'motions = [{action = "W", kind = "rest"}]\n', "has no walk"),
    (SHORT + 'motions = [{action = "W", reversed = 1}]\n', "reversed must be true or false"),
    (SHORT + "legs = []\n", "legs is empty"),
    (SHORT + 'legs = [{bones = ["a"]}]\n', "bones must list two or more"),
    (SHORT + 'legs = [{bones = ["a", 3]}]\n', "bones must be a list of texts"),
    # Sides are measured.
    (SHORT + 'legs = [{bones = ["a", "b"], side = "left"}]\n', "side is not a key of a job"),
    (SHORT + "forward = [0, 0]\n", "forward has no direction"),
    (SHORT + "forward = [0, 0, 1]\n", "forward must be a list of 2 numbers"),
    (SHORT + 'output_to = "root"\n', 'output_to must be "object" or "bone"'),
    (SHORT + 'armatur = "A"\n', 'armatur is not a key of a job; did you mean "armature"'),
    (SHORT + "[character.settings]\nleen = 1\n", 'settings.leen .* did you mean "lean"'),
    (
        SHORT + "[character.settings]\nlean = -1\n",
        "lean must be a number from 0 to 1 as a share, got -1",
    ),
    (SHORT + "[character.settings]\nlock_feet = 1\n", "lock_feet must be true or false"),
    (SHORT + "travel = 3\n", "travel must be a table"),
    (SHORT + '[character.travel]\nsped = "native"\n', 'sped .* did you mean "speed"'),
    (SHORT + '[character.travel]\nspeed = "fast"\n', 'a number of metres a second, "native" or'),
    (SHORT + "[character.travel]\nspeed = -1\n", "from 0 to 100000 metres a second, got -1"),
    (SHORT + "[character.travel]\npath = [[0, 0]]\n", "path needs two or more points"),
    (SHORT + "[character.travel]\npath = [[0, 0], [1]]\n", r"path\[1\] must be 2 numbers"),
    (SHORT + "[character.travel]\npath = [[0, 0], [0, 0]]\n", "path has point 0 twice in a row"),
    (SHORT + "[character.travel]\nanimation = false\n", "animation can only be true"),
    (SHORT + "[character.travel]\nfootsteps = false\n", "footsteps can only be true or a name"),
    (SHORT + '[character.travel]\nbone = "a"\ncurve = "b"\n', "cannot stand beside"),
    (SHORT + '[character.travel]\nstart = "sit"\n', 'start must be "stand" or "moving"'),
    (SHORT + "[character.travel]\nspeed = [[1, 1], [1, 2]]\n", "by rising frames"),
    (SHORT + "[character.travel]\nspeed = [[1, 0], [9, 0]]\n", "above 0 metres a second somewhere"),
    (SHORT + "[character.travel]\nspeed = []\n", r"a number, or \[frame, speed\]"),
    (SHORT + "[character.travel]\nrounds = -1\n", "rounds must be a number from 0 to 1000, got -1"),
    (
        SHORT + "[character.travel]\nease = -1\n",
        "ease must be a number from 0 to 3600 seconds, got -1",
    ),
    (SHORT + '[character.travel]\nheading = "left"\n', 'heading must be "along" or "kept"'),
    ("[[character]\n", "is not TOML"),
]


def test_ways_with_rounds_ease_heading_and_speeds(read):
    text = 'curve = "Ring"\nrounds = 0\nease = 2\nheading = "kept"\nspeed = [[1, 0], [9, 1.5]]\n'
    found = read(f"{SHORT}[character.travel]\n{text}").characters[0].travel
    assert found.source == AlongCurve("Ring", speed=0.0, rounds=0.0, ease=2.0, heading="kept")
    assert found.speed_keys == ((1.0, 0.0), (9.0, 1.5))
    plain = read(f'{SHORT}[character.travel]\ncurve = "Ring"\n').characters[0].travel
    assert plain.source == AlongCurve(
        "Ring", speed=None, start="stand", stop="stand", ease=None, rounds=1.0, heading="along"
    )


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[message for _, message in WRONG])
def test_wrong_jobs(read, text, message):
    with pytest.raises(JobError, match=message) as caught:
        read(text)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(("walk.toml: ", "/"))


def test_the_mark_with_which_some_editors_begin_files_is_no_key(read):
    assert read("\ufeff" + SHORT) == read(SHORT)


def test_missing_and_binary_job_files(tmp_path):
    with pytest.raises(JobError, match="cannot be read"):
        read_job(Path("no-such-job.toml"))
    binary = tmp_path / "job.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(JobError, match="is not text"):
        read_job(binary)


def test_a_job_may_ask_for_made_cycles(read):
    motions = 'motions = [{make = "walk", stride = 0.8}, {make = "turn", mirrored = true}, '
    job = read(SHORT + motions + '{action = "Idle", rest = true}]\n')
    (character,) = job.characters
    assert [(m.action, m.rest) for m in character.motions] == [("Idle", True)]
    walk, turn = character.cycles
    assert (walk.gait, walk.group, walk.style.stride, walk.is_rest) == ("walk", "walk", 0.8, False)
    assert (turn.gait, turn.style.mirrored) == ("turn", True)


@pytest.mark.parametrize("key", ["output", "file"])
@pytest.mark.parametrize(
    "name", ["a\\u0000b", "a" * 300, "~nobody-at-all-1/x", "b/" * 3000, "\\uFFFE", "\\n", "loop/x"]
)
def test_names_that_no_disk_can_have_are_told(tmp_path, key, name):
    (tmp_path / "loop").symlink_to("loop")
    suffix = {"output": ".blend", "file": ".glb"}[key]
    names = {"output": "out.blend", "file": "hero.glb", key: f"{name}{suffix}"}
    path = tmp_path / "odd.toml"
    path.write_text(
        f'output = "{names["output"]}"\n[[character]]\nfile = "{names["file"]}"\n', encoding="utf-8"
    )
    with pytest.raises(JobError, match=r"odd\.toml: "):
        read_job(path)


def test_a_job_whose_own_name_no_disk_can_have_is_told():
    for name in ("a\0b", "a" * 300, "b/" * 3000):
        with pytest.raises(JobError):
            read_job(Path(name + ".toml"))


def test_a_key_that_cannot_be_shown_is_told_in_one_line(tmp_path):
    path = tmp_path / "odd.toml"
    path.write_text('"a\\nb\\u0000" = 1\n[[character]]\nfile = "odd.toml"\n')
    with pytest.raises(JobError) as told:
        read_job(path)
    assert "\n" not in str(told.value)
