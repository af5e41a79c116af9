# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension as users get it: built, validated, installed, enabled, disabled."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

bpy = pytest.importorskip("bpy")
addon_utils = pytest.importorskip("addon_utils")

EXTENSION = "semi_procedural_locomotion"
REPOSITORY_ID = "locomotion_test"


def run_builder(*arguments):
    """Run Blender's own builder of extensions."""
    if bpy.app.binary_path:
        start = [bpy.app.binary_path, "--factory-startup", "--command", "extension"]
    else:
        builder = Path("addons_core", "bl_pkg", "cli", "blender_ext.py")
        start = [sys.executable, str(Path(bpy.utils.system_resource("SCRIPTS")) / builder)]
    done = subprocess.run(
        [*start, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def archive(repository, tmp_path_factory):
    """Build the zip from the checkout."""
    folder = tmp_path_factory.mktemp("dist")
    run_builder("build", "--source-dir", str(repository), "--output-dir", str(folder))
    (path,) = folder.glob("*.zip")
    return path


@pytest.fixture
def extension_module(archive, tmp_path):
    """Unpack the zip into an extension repository of its own and give the extension's name."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with zipfile.ZipFile(archive) as file:
        file.extractall(tmp_path / EXTENSION)
    repositories = bpy.context.preferences.extensions.repos
    repository = repositories.new(
        name="Locomotion test", module=REPOSITORY_ID, custom_directory=str(tmp_path)
    )
    name = f"bl_ext.{REPOSITORY_ID}.{EXTENSION}"
    yield name
    addon_utils.disable(name, default_set=True)
    repositories.remove(repository)


def names_in_blender():
    """Everything that an extension could leave behind in Blender."""
    lists = [getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers)]
    handlers = [
        str(handler) for entries in lists if isinstance(entries, list) for handler in entries
    ]
    operators = [
        f"{group}.{name}" for group in dir(bpy.ops) for name in dir(getattr(bpy.ops, group))
    ]
    types = {name for name in dir(bpy.types) if "locomotion" in name.lower()}
    properties = {
        f"{kind}.{name}"
        for kind in ("Object", "Scene", "Action", "WindowManager", "Armature", "Bone", "PoseBone")
        for name in dir(getattr(bpy.types, kind))
    }
    return {*handlers, *operators, *types, *properties}


def test_archive_holds_the_code_and_nothing_else(archive):
    with zipfile.ZipFile(archive) as file:
        names = file.namelist()
    assert f"{EXTENSION}/headless/run.py" in names
    assert [name for name in names if "__pycache__" in name or "/." in name] == []
    roots = {name for name in names if not name.startswith(f"{EXTENSION}/")}
    assert roots == {"__init__.py", "blender_manifest.toml", "CHANGELOG.md", "LICENSE", "README.md"}


def test_archive_is_valid(archive):
    tags = Path("modules", "_bpy_internal", "extensions", "tags.py")
    tags_file = Path(bpy.utils.system_resource("SCRIPTS")) / tags
    arguments = [] if bpy.app.binary_path else ["--valid-tags", str(tags_file)]
    run_builder("validate", *arguments, str(archive))


def test_enable_and_disable_leave_nothing(extension_module):
    before = names_in_blender()
    for _ in range(2):
        module = addon_utils.enable(extension_module, default_set=True)
        assert module is not None
        assert module.__name__ == extension_module
        assert hasattr(bpy.types.Object, "locomotion")
        armature = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
        assert armature.locomotion is not None
        bpy.data.objects.remove(armature)
        addon_utils.disable(extension_module, default_set=True)
        assert not hasattr(bpy.types.Object, "locomotion")
        assert names_in_blender() == before


def test_preferences_go_by_the_name_of_the_extension(extension_module):
    addon_utils.enable(extension_module, default_set=True)
    preferences = bpy.context.preferences.addons[extension_module].preferences
    assert preferences.sidebar_tab == "Locomotion"
    preferences.sidebar_tab = "Walking"
    assert bpy.types.LOCOMOTION_PT_bake.bl_category == "Walking"
    addon_utils.disable(extension_module, default_set=True)
    assert not hasattr(bpy.types, "LOCOMOTION_PT_bake")
