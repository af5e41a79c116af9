# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A batch as a user runs it: one broken file never stops the rest."""

from __future__ import annotations

import json

import pytest

bpy = pytest.importorskip("bpy")

pytestmark = pytest.mark.newest

FOX = (
    'frames = [1, 30]\n[[character]]\nfile = "{data}/fox/Fox.glb"\nmotions = [{{action = "Walk"}}]'
)
OWN = 'frames = [1, 30]\n[[character]]\nblend = "walker.blend"\nmotions = "auto"'
BROKEN = '[[character]]\nfile = "broken.glb"'


@pytest.fixture
def own_character(tmp_path):
    """The project's person with a walk, in a file of its own."""
    from semi_procedural_locomotion.demo.characters import (
        CHARACTER_SHAPES,
        create_character,
        write_gaits,
    )

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    shape = CHARACTER_SHAPES["biped"]()
    armature = create_character(shape, bpy.context.scene.collection)
    write_gaits(armature, shape, ["walk"])
    path = tmp_path / "walker.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    return path


def test_three_jobs_one_broken(run_headless, own_character, data_folder, tmp_path):
    (tmp_path / "broken.glb").write_bytes((data_folder / "fox" / "Fox.glb").read_bytes()[:3000])
    texts = {"fox": FOX, "broken": BROKEN, "own": OWN}
    for name, text in texts.items():
        job = f'output = "out/{name}.blend"\n' + text.format(data=data_folder.as_posix())
        (tmp_path / f"{name}.toml").write_text(job + "\n", encoding="utf-8")
    jobs = [f"{name}.toml" for name in texts]

    done = run_headless("batch", *jobs, "--workers", 2)
    assert done.returncode == 1, done.stderr
    (message,) = [
        line for line in done.stderr.splitlines() if line.startswith("semi_procedural_locomotion: ")
    ]
    assert "1 of 3 units failed: broken.toml: " in message
    lines = [json.loads(line) for line in (tmp_path / "batch.jsonl").read_text().splitlines()]
    assert [line["unit"] for line in lines] == jobs
    states = {line["unit"]: line["state"] for line in lines}
    assert [unit for unit, state in states.items() if state != "done"] == ["broken.toml"]
    assert all(line["numbers"]["frames"] == 30 for line in lines if line["state"] == "done")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["fox.blend", "own.blend"]

    times = {p: p.stat().st_mtime_ns for p in (tmp_path / "out").iterdir()}
    again = run_headless("batch", *jobs, "--workers", 2, "--resume")
    assert again.returncode == 1, again.stderr
    assert again.stdout.count("done before") == 2
    assert {p: p.stat().st_mtime_ns for p in (tmp_path / "out").iterdir()} == times
