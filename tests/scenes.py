# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each test starts in an empty scene with the package registered.

bpy is imported by the fixtures, since the process that starts a Blender reads this file too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import bpy
    import numpy as np

# Where characters are kept that `recall` appends: file, armature, and the objects of the scene.
_folders: list[Path] = []
_kept: dict[str, tuple[Path, str, tuple[str, ...]]] = {}


@pytest.fixture(scope="module")
def registered_package(tmp_path_factory):
    """Register the package once for the tests of a module."""
    import semi_procedural_locomotion

    if not _folders:
        _folders.append(tmp_path_factory.mktemp("characters"))
    semi_procedural_locomotion.register()
    yield semi_procedural_locomotion
    semi_procedural_locomotion.unregister()


@pytest.fixture(autouse=True)
def empty_scene(registered_package) -> None:
    """Start from an empty factory scene (quicker than reloading the factory settings)."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def keep_characters_in(folder: Path) -> None:
    """Have `recall` keep its characters in a folder, where no fixture does so."""
    _folders.append(folder)


def add_person(is_set_up: bool = False) -> bpy.types.Object:
    """The project's own person with a walk and a rest, whose actions are kept.

    Parameters
    ----------
    is_set_up
        Whether Set Up has found its legs and motions; then it alone is selected, and active.
    """
    if not is_set_up:
        return recall("person", _make_person)
    armature = recall("person that is set up", _set_up_person)
    select_only(armature)
    return armature


def lend_person(last: int) -> Iterator[bpy.types.Object]:
    """The person, set up, in a scene of so many frames; what it shows live is put back afterwards."""
    import bpy

    from semi_procedural_locomotion.api import watching
    from semi_procedural_locomotion.ui.live import handlers as live_handlers

    armature = add_person(is_set_up=True)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, last
    yield armature
    watching.put_back_all(forget=True)
    live_handlers.install()


def recall(name: str, make: Callable[[], bpy.types.Object]) -> bpy.types.Object:
    """A character that is made once in a process, and appended from a file wherever it is asked for.

    Beside other characters, and at other rates than 24 frames a second, it is made anew.

    Parameters
    ----------
    name
        Of what is made.
    make
        Adds the character to the scene, from the first frame, and gives its armature; nothing but
        its objects and the actions of the file are kept, these with fake users.
    """
    import bpy

    scene = bpy.context.scene
    beside = bpy.data.armatures or bpy.data.actions
    if beside or scene.render.fps / scene.render.fps_base != 24.0 or scene.frame_current != 1:
        return make()
    if name not in _kept:
        _kept[name] = _keep(make, _folders[-1] / f"{name}.blend")
    path, main, shown = _kept[name]
    with bpy.data.libraries.load(str(path)) as (held, wanted):
        wanted.objects, wanted.actions = list(shown), held.actions
    for action in wanted.actions:
        action.use_fake_user = True
    for item in wanted.objects:
        scene.collection.objects.link(item)
    bpy.context.view_layer.update()
    return wanted.objects[shown.index(main)]


def _keep(make: Callable[[], bpy.types.Object], path: Path) -> tuple[Path, str, tuple[str, ...]]:
    """Make a character, write it to a file and take it away; names of its armature and objects."""
    import bpy

    scene = bpy.context.scene
    before, others = set(bpy.data.objects), set(bpy.data.user_map())
    main = make()
    made = [item for item in scene.objects if item not in before]
    names = main.name, tuple(item.name for item in made)
    bpy.data.libraries.write(str(path), {*made, *bpy.data.actions})
    bpy.data.batch_remove(set(bpy.data.user_map()) - others)
    return path, *names


def select_only(*items: bpy.types.Object) -> None:
    """Select some objects and no others; the first is active."""
    import bpy

    for item in bpy.context.view_layer.objects:
        item.select_set(item in items)
    bpy.context.view_layer.objects.active = items[0] if items else None
    bpy.context.view_layer.update()


def _make_person() -> bpy.types.Object:
    """The person, not set up."""
    import bpy

    from semi_procedural_locomotion.demo.biped import make_biped_shape
    from semi_procedural_locomotion.demo.characters import create_biped, write_gaits

    armature = create_biped(bpy.context.scene.collection)
    for action in write_gaits(armature, make_biped_shape(), ["walk", "rest"]):
        action.use_fake_user = True
    return armature


def _set_up_person() -> bpy.types.Object:
    """The person, set up."""
    import bpy

    armature = _make_person()
    select_only(armature)
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    return armature


def bake_again(armature: bpy.types.Object) -> None:
    """Bake at another speed."""
    import bpy

    armature.locomotion.travel.speed *= 0.9
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}


def read_poses(
    armature: bpy.types.Object,
    frames: Iterable[float] = (1, 10, 25, 40),
    scene: bpy.types.Scene | None = None,
) -> np.ndarray:
    """World matrices of all bones at frames as Blender shows them, shape (F, B, 4, 4)."""
    import bpy
    import numpy as np

    scene = scene or bpy.context.scene
    before, poses = scene.frame_current_final, []
    for frame in (*frames, before):
        scene.frame_set(int(frame), subframe=frame % 1)
        shown = armature.evaluated_get(scene.view_layers[0].depsgraph)
        poses.append([np.array(shown.matrix_world @ bone.matrix) for bone in shown.pose.bones])
    return np.array(poses[:-1])


def add_mesh(
    name: str, points: Iterable[Iterable[float]], faces: Sequence[Sequence[int]]
) -> bpy.types.Object:
    """A mesh object of points, world metres, and faces of their indices."""
    import bpy

    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(map(float, point)) for point in points], [], faces)
    item = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(item)
    return item
