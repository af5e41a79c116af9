# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Import Character: File > Import, files dropped into a window, and scripts."""

from __future__ import annotations

from pathlib import Path

import bpy
from bpy.props import BoolProperty, CollectionProperty, StringProperty

from ...api.importing import ImportedCharacter, find_import
from ...api.progress import Steps
from ...blender.files.kinds import IMPORTED
from ..choices import FORGET
from ..progress import SteppedOperator
from ..targets import get_active_armature
from ..telling import report_line
from ..wording import asks_to_check, describe_import

_MODES = ("OBJECT", "POSE")
_AREAS = ("VIEW_3D", "OUTLINER")


class IMPORT_SCENE_OT_locomotion_character(SteppedOperator, bpy.types.Operator):
    """Import files as one character that is set up."""

    bl_idname = "import_scene.locomotion_character"
    bl_label = "Import Character"
    bl_description = (
        "Import a character, mend what its file is known for, and set it up; of several files one is "
        "the character, and the clips of the others become its own"
    )
    bl_options = {"REGISTER", "UNDO"}

    filepath: StringProperty(
        name="File Path", description="File to import", subtype="FILE_PATH", options=FORGET
    )
    directory: StringProperty(
        name="Folder", description="Folder of the files", subtype="DIR_PATH", options=FORGET
    )
    files: CollectionProperty(
        type=bpy.types.OperatorFileListElement,
        name="Files",
        description="Names of the files in the folder",
        options=FORGET,
    )
    filter_glob: StringProperty(
        default=";".join(f"*{suffix}" for suffix in IMPORTED), options={"HIDDEN"}
    )
    use_active: BoolProperty(
        name="Clips for Active",
        description="Give the clips of all files to the active character, instead of importing one",
        default=False,
        options=FORGET,
    )
    _asks = False

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the mode allows importing."""
        if context.mode not in _MODES:
            cls.poll_message_set("Change to Object Mode or Pose Mode first")
            return False
        return True

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for files, or take those that were dropped."""
        if self._list_paths():
            return super().invoke(context, event)
        self._asks = True
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Import at once; from the file browser begin work that Esc can stop."""
        if not self._asks:
            return super().execute(context)
        # What is started here has a step of undo of its own, and this call none.
        bpy.ops.import_scene.locomotion_character(
            "INVOKE_DEFAULT",
            filepath=self.filepath,
            directory=self.directory,
            files=[{"name": entry.name} for entry in self.files],
            use_active=self.use_active,
        )
        return {"CANCELLED"}

    def draw(self, context: bpy.types.Context) -> None:  # noqa: ARG002
        """Show the choice beside the files."""
        self.layout.prop(self, "use_active")

    def make_steps(self, context: bpy.types.Context) -> Steps[ImportedCharacter]:
        """Import and look for legs and motions."""
        into = get_active_armature(context) if self.use_active else None
        return (yield from find_import(self._list_paths(), into))

    def finish(self, context: bpy.types.Context, result: ImportedCharacter) -> None:
        """Make the character active and tell what came of it."""
        armature = result.armature
        if context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        for item in context.view_layer.objects:
            item.select_set(item == armature)
        context.view_layer.objects.active = armature
        armature.update_tag()
        for remark in result.remarks:
            report_line(self, {"WARNING"}, remark)
        if result.refusal is not None:
            self._tell_refusal(result)
            return
        unsure = result.found is not None and asks_to_check(result.found)
        report_line(self, {"WARNING" if unsure else "INFO"}, describe_import(result))

    def _tell_refusal(self, result: ImportedCharacter) -> None:
        """Tell why an imported character could not be set up."""
        for hint in getattr(result.refusal, "hints", ()):
            report_line(self, {"WARNING"}, hint)
        name = result.armature.name
        report_line(self, {"WARNING"}, f"Imported {name} without setting it up: {result.refusal}")

    def _list_paths(self) -> list[Path]:
        """The files that were named, each once."""
        folder = Path(bpy.path.abspath(self.directory)) if self.directory else Path()
        named = [folder / entry.name for entry in self.files if entry.name]
        if not named and self.filepath and not self.filepath.endswith(("/", "\\")):
            named = [Path(bpy.path.abspath(self.filepath))]
        return list(dict.fromkeys(named))


class IMPORT_SCENE_FH_locomotion_character(bpy.types.FileHandler):
    """Files that are dropped into a window."""

    bl_idname = "IMPORT_SCENE_FH_locomotion_character"
    bl_label = "Character for Locomotion"
    bl_import_operator = "import_scene.locomotion_character"
    bl_file_extensions = ";".join(IMPORTED)

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        """Whether files are dropped where characters are."""
        return context.area is not None and context.area.type in _AREAS


_CLASSES = (IMPORT_SCENE_OT_locomotion_character, IMPORT_SCENE_FH_locomotion_character)


def _draw_menu(menu: bpy.types.Menu, context: bpy.types.Context) -> None:  # noqa: ARG001
    """The entry of File > Import."""
    text = f"Character for Locomotion ({'/'.join(IMPORTED)})"
    menu.layout.operator(IMPORT_SCENE_OT_locomotion_character.bl_idname, text=text)


def register() -> None:
    """Add the operator, its entry and what takes dropped files."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.TOPBAR_MT_file_import.append(_draw_menu)


def unregister() -> None:
    """Take them out."""
    bpy.types.TOPBAR_MT_file_import.remove(_draw_menu)
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
