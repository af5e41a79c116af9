# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every kind of note has words, a cure and a severity, is made somewhere, and worded nowhere else."""

import ast
import functools
import itertools
import re
import string
from pathlib import Path

import pytest

import semi_procedural_locomotion
from semi_procedural_locomotion.api.notes import tell_note
from semi_procedural_locomotion.api.wording import WORDS, Reader, Severity
from semi_procedural_locomotion.errors import LocomotionError
from semi_procedural_locomotion.notes import NoteKind, make_note

pytestmark = pytest.mark.newest

PACKAGE = Path(semi_procedural_locomotion.__file__).parent
WORDING = PACKAGE / "api" / "wording"
# Their texts are whole sentences with a cure, of a refusal and of a file of an older version.
SENTENCES = (NoteKind.NO_LOCOMOTION, NoteKind.OLDER_TEXT)
# Failures of these are for people at the panels, and for scripts: no verb and no job comes here.
PANELS_ALONE = (
    "api/binding.py",
    "api/control_editing.py",
    "api/footstep_edits.py",
    "api/footstep_runs.py",
    "api/key_poses.py",
    "api/leg_editing.py",
    "api/live_checks.py",
    "api/live_recording.py",
    "api/root_motion*.py",
    "api/watching.py",
    "blender/binding/*.py",
    "blender/root_motion/*.py",
    "core/footsteps/layout.py",
    "requests/plans.py",
    "ui/**/*.py",
)
FIELDS = {"leg", "frame", "span", "x", "y", "z"}


@pytest.fixture(autouse=True)
def empty_scene():
    """Words need no scene."""


@functools.cache
def parse_modules():
    return [
        (path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
        for path in sorted(PACKAGE.rglob("*.py"))
        if not path.is_relative_to(WORDING)
    ]


def find_kinds(tree):
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "NoteKind"
    }


def list_fields(text):
    fields = set()
    for _, name, spec, _ in string.Formatter().parse(text):
        fields |= ({name} if name else set()) | (list_fields(spec) if spec else set())
    return fields


def test_every_kind_has_words_a_cure_and_a_severity():
    assert {kind for kind, _ in WORDS} == set(NoteKind)
    assert all(bool(case) == ("case" in kind.carries) for kind, case in WORDS)
    for (kind, _), words in WORDS.items():
        assert isinstance(words.severity, Severity), kind
        assert words.text, kind
        if kind not in SENTENCES:
            assert words.cure, kind
            assert words.job_cure, kind


def test_words_name_what_the_kind_carries():
    told = {kind: {"case"} for kind in NoteKind}
    for (kind, _), words in WORDS.items():
        named = list_fields(words.text) | list_fields(words.cure) | list_fields(words.job_cure)
        assert named <= set(kind.carries) | FIELDS, kind
        told[kind] |= named | ({"last"} if "span" in named else set())
    for kind in NoteKind:
        assert set(kind.carries) <= told[kind], f"{kind}: a value that nobody is told"


def test_frames_from_one_to_the_same_are_one_frame():
    carried = {"case": "open", "wall": "Crate", "more": 0, "others": 0}
    for last, words in ((4, "'Crate' at frame 4, near"), (6, "'Crate' from frame 4 to 6, near")):
        note = make_note(NoteKind.WALL_CROSSED, frame=4, place=(0, 0, 0), last=last, **carried)
        assert words in tell_note(note)


def test_notes_read_as_one_sentence():
    kinds = [(kind, case) for kind, case in WORDS if kind not in SENTENCES]
    for (kind, case), reader, number in itertools.product(kinds, Reader, (1, 3)):
        names = [n for n in kind.carries if is_name(WORDS[kind, case].text, n)]
        values = {n: f"Some {n}" if n in names else number for n in kind.carries}
        values |= {"case": case} if case else {}
        text = tell_note(make_note(kind, "Left", 7, (1.0, 2.0, 3.0), **values), reader)
        assert "\n" not in text, kind
        assert "{" not in text, kind
        assert not text.endswith((".", ":", ";", " ")), kind
        assert "  " not in text, kind


def is_name(text, value):
    """Whether words quote a value, or show it as it is."""
    return f"{{{value}!r}}" in text or value in ("text", "reason", "partner", "bones", "characters")


def test_no_kind_is_unused():
    used = set()
    for _, tree in parse_modules():
        used |= find_kinds(tree)
    assert {kind.name for kind in NoteKind} - used == set()


def test_notes_are_made_without_words():
    for name, tree in parse_modules():
        for node in ast.walk(tree):
            made = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if not made or node.func.id not in ("make_note", "Note"):
                continue
            texts = [
                inner.value
                for argument in (*node.args, *(keyword.value for keyword in node.keywords))
                for inner in ast.walk(argument)
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
            ]
            assert not any(" " in text for text in texts), (name, node.lineno)


def test_nobody_else_words_a_warning():
    for name, tree in parse_modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.keyword):
                target, value = node.arg, node.value
            elif isinstance(node, ast.Assign):
                target, value = getattr(node.targets[0], "attr", ""), node.value
            else:
                continue
            if target in ("warnings", "reasons"):
                worded = [n for n in ast.walk(value) if isinstance(n, ast.JoinedStr)]
                worded += [
                    n
                    for n in ast.walk(value)
                    if isinstance(n, ast.Constant) and " " in str(n.value)
                ]
                assert not worded, (name, node.value.lineno)


@pytest.mark.parametrize(
    ("note", "text"),
    [
        (
            make_note(NoteKind.FOOT_SLIDES, "Left", 12, share=0.0234, length=0.02),
            "the Left foot slides by 20 mm (2.3 % of the leg) up to frame 12: check its times in the Key "
            "Times panel, and whether it has room to stand there",
        ),
        (
            make_note(NoteKind.FOOT_MISSES, "Left", 12, share=0.02, length=0.018, frames=3),
            "the Left leg is 18 mm (2.0 % of the leg) too short for its step at frame 12, 3 frames in "
            "all: travel slower, shorten the stride, or put a footstep nearer",
        ),
        (
            make_note(NoteKind.BODY_CUTS_GROUND, "Right", 107, bone="", length=0.1, share=0.1),
            "the Right leg goes 0.1 m (10.0 % of the leg) into the ground at frame 107: lead the way "
            "around, take lower steps, or pose it higher in an action that is played over the walk in "
            "Layers",
        ),
        (
            make_note(NoteKind.FOOT_DIPS, "Left", depth=0.00052),
            "Left foot dips 0.52 mm below its ground: it is kept above in the bake; check its sole "
            "points if it stands so",
        ),
        (
            make_note(NoteKind.GROUND_OFF_REST, height=-0.0401),
            "Feet stand -40 mm from the ground of the rest pose: the clip's own level is used; check "
            "the soles if that is not meant",
        ),
        (
            make_note(NoteKind.PRINT_WITHOUT_GROUND, "Left", 30, (1.0, -2.0, 0.0), more=2, last=42),
            "leg 'Left' finds no ground at frame 30 near x 1.00 m, y -2.00 m, and 2 more until frame "
            "42, and stands in the air there: put ground under it, or lead the way elsewhere",
        ),
        (
            make_note(NoteKind.PRINT_WITHOUT_GROUND, "Left", 30, (1.0, -2.0, 0.0), more=0, last=30),
            "leg 'Left' finds no ground at frame 30 near x 1.00 m, y -2.00 m, and stands in the air "
            "there: put ground under it, or lead the way elsewhere",
        ),
        (
            make_note(
                NoteKind.GROUND_STEEP,
                "Left",
                30,
                (1.0, -2.0, 0.5),
                steps=7,
                last=92,
                slope=60.0,
                limit=45,
            ),
            "7 steps stand on slopes of up to 60 degrees from frame 30 to 92, first of leg 'Left' near x "
            "1.00 m, y -2.00 m, and soles lie on no more than 45: lead the way elsewhere, put stairs "
            "there, or raise Steepest Slope",
        ),
        (
            make_note(
                NoteKind.GROUND_STEEP,
                "Left",
                30,
                (1.0, -2.0, 0.5),
                steps=1,
                last=30,
                slope=46.0,
                limit=45,
            ),
            "1 step stands on slopes of up to 46 degrees at frame 30, first of leg 'Left' near x "
            "1.00 m, y -2.00 m, and soles lie on no more than 45: lead the way elsewhere, "
            "put stairs there, or "
            "raise Steepest Slope",
        ),
        (
            make_note(NoteKind.GROUND_FAR, height=-20.0, lengths=-22.4),
            "the ground at the start lies 20 m below the character, 22 lengths of its leg: move the "
            "character to the ground, or choose the ground that is meant",
        ),
        (
            make_note(NoteKind.PRINTS_CROWDED, "Left", 40, steps=1, distance=0.05),
            "1 step of leg 'Left' stands too near to its partner's, worst at frame 40 by 50 mm: "
            "turn less sharply, or travel slower there",
        ),
        (
            make_note(NoteKind.PRINTS_CROWDED, "Left", 40, steps=3, distance=0.05),
            "3 steps of leg 'Left' stand too near to its partner's, worst at frame 40 by 50 mm: "
            "turn less sharply, or travel slower there",
        ),
        (
            # A heading that is kept already is no cure.
            make_note(NoteKind.TRAVEL_AGAINST, angle=90.0, along=0),
            "no ticked motion goes where the travel does, the nearest goes 90 degrees off it: tick one "
            "that does, or switch Reverse on for one that goes the other way",
        ),
    ],
)
def test_words_fit_numbers_and_signs(note, text):
    assert tell_note(note) == text


def test_jobs_are_told_of_keys_and_panels_of_labels():
    note = make_note(NoteKind.FOOT_CUTS_GROUND, "Left", 12, share=0.02, length=0.02)
    assert tell_note(note).endswith(
        "raise Swing Margin or Toe Clearance, or put a footstep elsewhere"
    )
    assert "`swing_margin` or `toe_clearance`" in tell_note(note, Reader.JOB)


def list_constants(*patterns):
    """All texts of some modules that are written as keys are."""
    paths = [path for pattern in patterns for path in sorted(PACKAGE.glob(pattern))]
    nodes = itertools.chain.from_iterable(ast.walk(ast.parse(p.read_text("utf-8"))) for p in paths)
    return {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}


@functools.cache
def list_labels():
    """Titles of two words or more that panels, operators and settings show."""
    shown = list_constants("ui/**/*.py", "requests/settings/*.py", "requests/travels.py")
    return {
        text for text in shown if re.fullmatch(r"[A-Z][a-z]+(?: [A-Za-z-]+)* [A-Z][a-z]+", text)
    }


def list_failures():
    """Case and cure of each failure that a job can meet, as the author of the job reads them."""
    spared = {path for pattern in PANELS_ALONE for path in PACKAGE.glob(pattern)}
    names = {"LocomotionError", *(kind.__name__ for kind in LocomotionError.__subclasses__())}
    for name, tree in parse_modules():
        if PACKAGE / name in spared:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in names:
                case, *cures = map(join_texts, node.args[:3])
                yield f"{name}:{node.lineno}", case, cures[-1] if cures else ""


def join_texts(node):
    texts = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant))
    return " ".join(text for text in texts if isinstance(text, str))


def find_keys(text):
    quoted = re.findall(r"`([^`]+)`", text)
    return [key for each in quoted for key in re.findall(r"[a-z_]+", each.partition("=")[0])]


@functools.cache
def compile_labels():
    words = "|".join(map(re.escape, (*list_labels(), "Own Range", "Write To")))
    return re.compile(rf"\b(?:{words})\b| panel|press |tick | Stride")


def find_labels(text):
    """Labels of panels in a text."""
    return compile_labels().findall(text)


def test_failures_of_jobs_name_no_label_of_panels_and_keys_that_jobs_have():
    known = list_constants("jobs/*.py", "requests/settings/*.py", "requests/travels.py")
    failures = list(list_failures())
    assert len(failures) > 150
    told = [(place, f"{case} {cure}") for place, case, cure in failures]
    assert [pair for pair in told if find_labels(pair[1])] == []
    named = [(place, key) for place, text in told for key in find_keys(text)]
    assert len(named) > 40
    assert [pair for pair in named if pair[1] not in known] == []


def test_cures_for_jobs_name_keys_that_jobs_have():
    known = list_constants("jobs/*.py", "requests/settings/*.py", "requests/travels.py")
    named = [(k[0].name, key) for k, words in WORDS.items() for key in find_keys(words.job_cure)]
    assert len(named) > 60
    assert [pair for pair in named if pair[1] not in known] == []


def test_cures_for_jobs_name_nothing_that_only_panels_have():
    assert {"Set Up", "Write On", "Blend In"} <= list_labels()
    found = {
        (kind.name, case): find_labels(words.job_cure) for (kind, case), words in WORDS.items()
    }
    assert {name: labels for name, labels in found.items() if labels} == {}
