# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sections of a job: in the order of their frames, each with its own travel."""

from __future__ import annotations

import pytest

from semi_procedural_locomotion.errors import JobError
from semi_procedural_locomotion.jobs.reading import parse_job
from semi_procedural_locomotion.requests.travels import AlongPoints


@pytest.fixture
def read(tmp_path):
    """Sections of a job, as parsed."""
    (tmp_path / "hero.glb").touch()

    def read(*sections):
        character = {"file": "hero.glb", "section": list(sections)}
        job = parse_job({"character": [character]}, tmp_path / "job.toml")
        return job.characters[0].sections

    return read


def test_sections_are_read_in_the_order_of_their_frames(read):
    late = {"frames": [50, 70], "name": "Away", "travel": {"path": [[1, 0], [2, 0]]}}
    first, second = read(late, {"frames": [1, 30], "blend_out": 4})
    assert (first.frames, first.name, first.blends, first.travel) == (
        (1, 30),
        None,
        {"blend_out": 4},
        None,
    )
    assert (second.frames, second.name) == ((50, 70), "Away")
    assert isinstance(second.travel.source, AlongPoints)


@pytest.mark.parametrize(
    ("sections", "words"),
    [
        ([{"name": "Away"}], "frames.* is missing"),
        ([{"frames": [20, 10]}], "ends before it starts"),
        ([{"frames": [1, 20]}, {"frames": [20, 40]}], "overlaps"),
        ([{"frames": [1, 20], "speed": 1}], "is not a key of a job"),
        ([{"frames": [1, 20], "blend_in": -1}], "blend_in"),
    ],
)
def test_wrong_sections_are_refused(read, sections, words):
    with pytest.raises(JobError, match=words):
        read(*sections)
