# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions to bytes and back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.contacts.edits import ContactEdit
from semi_procedural_locomotion.core.maths.fingerprints import fingerprint
from semi_procedural_locomotion.core.motions.analysis import (
    AnalysisOptions,
    analyze_clip,
    rest_motion_from_clip,
)
from semi_procedural_locomotion.core.motions.changes import reverse_motion
from semi_procedural_locomotion.core.motions.keeping import bytes_from_motion, motion_from_bytes
from semi_procedural_locomotion.core.motions.properties import KeyedProperty
from semi_procedural_locomotion.notes import NoteKind, make_note
from tests.core.synthetic import Recipe
from tests.core.synthetic_clips import make_clip


@pytest.fixture(scope="module")
def motions():
    """A cycle with all that motions may have, the same backwards, and a rest."""
    clip, rig, _ = make_clip(Recipe(duty=0.35, speed=3.0, period=0.7, lift=0.2))
    steps = np.arange(len(clip.times)) % 2.0
    keyed = {('pose.bones["a"]["ik"]', 0): KeyedProperty(steps, is_stepped=True)}
    clip = replace(clip, keyed=frozenset({"a", "b"}), properties=keyed)
    edit = {rig.legs[0].name: ContactEdit(off=0.4)}
    cycle = analyze_clip(clip, rig, AnalysisOptions(force=True, key_times=edit))
    assert cycle.legs[0].found_times is not None
    cycle = replace(cycle, notes=(make_note(NoteKind.LOCKED_KEYED, bones=2, first="a"),))
    return cycle, reverse_motion(cycle), rest_motion_from_clip(clip, rig)


def test_motions_come_back_to_the_last_digit(motions):
    for motion in motions:
        again = motion_from_bytes(bytes_from_motion(motion))
        assert fingerprint(again) == fingerprint(motion)
        assert again.notes == motion.notes


def test_broken_bytes_are_none(motions):
    data = bytes_from_motion(motions[0])
    assert motion_from_bytes(data[:-40]) is None
    assert motion_from_bytes(b"nothing") is None
    assert motion_from_bytes(b"") is None
