# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a job's keys do to the character that it bakes."""

from __future__ import annotations

import bpy
import pytest

from semi_procedural_locomotion.api import bake_job
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.footsteps.objects import list_footsteps
from semi_procedural_locomotion.blender.setup.controls import read_controls
from semi_procedural_locomotion.errors import BakeError, JobError, RigError
from semi_procedural_locomotion.jobs.reading import read_job
from tests.scenes import add_person

PATH = "[character.travel]\npath = [[0, 0], [0, -2]]\n"


@pytest.fixture
def bake(tmp_path):
    """Bake a job about the project's person with some keys of its own."""
    add_person()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "hero.blend"))

    def run(keys, above=""):
        job = tmp_path / "hero.toml"
        text = f'{above}\n[[character]]\nblend = "hero.blend"\n{keys}\n{PATH}'
        job.write_text(text, encoding="utf-8")
        bake_job(read_job(job), tmp_path / "out.blend")
        return next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")

    return run


def list_keyed(armature):
    """Data paths that the bake keys."""
    return {c.data_path for c in versions.get_curves(*versions.get_assigned_action(armature))}


@pytest.mark.parametrize("keys", ["", 'root = "root"\nbody = "hips"'])
def test_the_root_bone_carries_the_travel(bake, keys):
    armature = bake(f'output_to = "bone"\n{keys}')
    assert (armature.locomotion.root, armature.locomotion.body) == ("root", "hips")
    keyed = list_keyed(armature)
    assert 'pose.bones["root"].location' in keyed
    assert "location" not in keyed


def test_a_root_bone_that_is_none_is_named(bake):
    with pytest.raises(JobError, match="has no bone 'pelvis' for `root`"):
        bake('root = "pelvis"')


@pytest.mark.parametrize(
    ("name", "cure"),
    [("Walkr", "did you mean 'Walker'?"), ("Zzz", "leave `ground` out to walk on all meshes")],
)
def test_ground_that_is_not_in_the_file_is_named(bake, name, cure):
    with pytest.raises(JobError, match=f"ground '{name}' is neither") as caught:
        bake("", f'ground = ["{name}"]')
    assert cure in caught.value.job_text


def test_settings_reach_the_character(bake):
    settings = bake(
        "[character.settings]\nmax_climb = 0.125\nmax_stride = 1.5\ngrid_rate = 96\n"
        '[character.bake]\naction_name = "Stroll"'
    ).locomotion.settings
    assert (settings.max_climb, settings.max_stride, settings.grid_rate) == (0.125, 1.5, 96)
    assert settings.action_name == "Stroll"


CONTROLS = """
[character.controls]
body = "hips"
[[character.controls.legs]]
leg = "Left"
foot = "{foot}"
[character.bake]
output = "deforming"
"""


def test_controls_that_a_job_names_are_kept_or_refused(bake):
    armature = bake(CONTROLS.format(foot="foot.L"))
    assert armature.locomotion.settings.output == "DEFORMING"
    found = read_controls(armature)
    assert (found.body, [leg.foot for leg in found.legs]) == ("hips", ["foot.L", ""])
    with pytest.raises(RigError, match=r"no bone 'foott.L' .* foot of leg 'Left': .* 'foot.L'"):
        bake(CONTROLS.format(foot="foott.L"))
    with pytest.raises(BakeError, match="no control that moves the Right foot"):
        bake(CONTROLS.format(foot="foot.L").replace("deforming", "controls"))


def test_key_times_reach_the_motion(bake):
    armature = bake(
        'motions = [{action = "Walker Walk", key_times = ['
        '{leg = "Left", strike = 0.8, stance = 0.05, off = 0.3}]}]'
    )
    left, right = armature.locomotion.motions[0].key_times
    assert (left.strike, left.stance, left.off) == pytest.approx((0.8, 0.05, 0.3))
    assert left.is_edited
    assert not right.is_edited


@pytest.mark.parametrize("value", ["true", '"Walker Footsteps"'])
def test_a_job_walks_along_the_footsteps_of_its_file(tmp_path, value):
    armature = add_person()
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.context.view_layer.update()
    bpy.ops.anim.locomotion_setup()
    bpy.ops.object.footsteps_generate(count=6, turn=0.2, use_for_travel=False)
    places = [tuple(step.location) for step in list_footsteps(armature)]
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "hero.blend"))
    job = tmp_path / "hero.toml"
    text = f'[[character]]\nblend = "hero.blend"\n[character.travel]\nfootsteps = {value}\n'
    job.write_text(text, encoding="utf-8")
    bake_job(read_job(job), tmp_path / "out.blend")
    baked = next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")
    steps = list_footsteps(baked)
    assert [tuple(step.location) for step in steps] == places
    assert not any(step.locomotion_footstep.is_lost for step in steps)
    bpy.context.scene.frame_set(bpy.context.scene.frame_end)
    last = 0.5 * (steps[-1].location + steps[-2].location)
    assert (baked.matrix_world.translation - last).to_2d().length < 0.3
    job.write_text(text.replace(value, '"Nowhere"'), encoding="utf-8")
    with pytest.raises(JobError, match="no collection 'Nowhere' of footsteps"):
        bake_job(read_job(job), tmp_path / "out.blend")
