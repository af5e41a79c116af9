# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operators of the main flow: set up, analyse, bake, verify, remove the bake."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatVectorProperty, StringProperty

from ...api import watching
from ...api.baking import PreparedBake
from ...api.notes import is_remark, tell_note
from ...api.progress import Steps, chain_steps
from ...api.reports import MeasuredWalk, measure_baked
from ...api.set_up_work import (
    FoundAnalyses,
    FoundSetUp,
    find_analyses,
    find_set_up,
    write_analyses,
    write_set_up,
)
from ...api.setups import (
    keep_numbers,
    prepare_set_up_bake,
    remove_set_up_bake,
    write_set_up_bake,
)
from ...blender.setup.characters import find_set_up_characters
from ...blender.setup.fix_records import is_cleaned
from ...blender.values.bake_strips import add_correction_layer, can_take_correction
from ...errors import LocomotionError
from .. import choices
from ..choices import (
    FORGET,
    BakeChoices,
    LOCOMOTION_PG_leg_choice,
    LOCOMOTION_PG_motion_speed,
    LOCOMOTION_PG_motion_times,
    LOCOMOTION_PG_name,
)
from ..live import handlers as live_handlers
from ..live.operators import is_auto_baked, is_live
from ..progress import SteppedOperator
from ..targets import (
    find_armatures,
    find_baked,
    find_characters,
    find_removable,
    poll_armatures,
    poll_baked,
    poll_characters,
    poll_removable,
)
from ..telling import report_line
from ..wording import (
    asks_to_check,
    describe_analyses,
    describe_bake,
    describe_measured,
    describe_set_up,
    list_doubts,
    list_warnings,
)


class ANIM_OT_locomotion_setup(SteppedOperator, bpy.types.Operator):
    """Set up the selected armatures."""

    bl_idname = "anim.locomotion_setup"
    bl_label = "Set Up Locomotion"
    bl_description = "Find the legs and the walks of the selected armatures"
    bl_options = {"REGISTER", "UNDO"}

    actions: CollectionProperty(
        type=LOCOMOTION_PG_name,
        name="Actions",
        description="Names of the actions to walk with, instead of those that look like locomotion",
        options=FORGET,
    )
    reversed_actions: CollectionProperty(
        type=LOCOMOTION_PG_name,
        name="Reversed Actions",
        description="Names of actions to walk with that are played backwards",
        options=FORGET,
    )
    speeds: CollectionProperty(
        type=LOCOMOTION_PG_motion_speed,
        name="Speeds",
        description="Native speeds of named actions, instead of the measured ones",
        options=FORGET,
    )
    key_times: CollectionProperty(
        type=LOCOMOTION_PG_motion_times,
        name="Key Times",
        description="When the feet of legs stand in named actions, instead of the found times",
        options=FORGET,
    )
    rest_action: StringProperty(
        name="Rest Action",
        description="Name of the action to stand in, where actions are named",
        options=FORGET,
    )
    legs: CollectionProperty(
        type=LOCOMOTION_PG_leg_choice,
        name="Legs",
        description="Legs by the names of their bones, instead of finding them",
        options=FORGET,
    )
    forward: FloatVectorProperty(
        name="Forward",
        description="Direction in the world that the character faces at rest, "
        "instead of finding it",
        size=2,
        default=(0.0, -1.0),
        options=FORGET,
    )
    body: StringProperty(
        name="Body",
        description="Name of the bone that carries the hips, instead of finding it",
        options=FORGET,
    )

    poll = classmethod(poll_armatures)

    def make_steps(self, context: bpy.types.Context) -> Steps[list[FoundSetUp]]:
        """Find legs and motions of all selected armatures."""
        forward = tuple(self.forward) if self.properties.is_property_set("forward") else None
        motions = choices.read_motion_choices(self.properties)
        legs = choices.read_leg_choices(self.legs)
        armatures = find_armatures(context)
        found = yield from chain_steps(
            [find_set_up(item, motions, legs, forward, self.body or None) for item in armatures]
        )
        return found

    def draw(self, context: bpy.types.Context) -> None:  # noqa: ARG002
        """Show what can be chosen without naming bones one by one."""
        self.layout.use_property_split = True
        self.layout.prop(self, "body")

    def finish(self, context: bpy.types.Context, result: Sequence[FoundSetUp]) -> None:  # noqa: ARG002
        """Keep what was found."""
        for found in result:
            write_set_up(found)
            found.character.armature.update_tag()
            level = "WARNING" if asks_to_check(found) else "INFO"
            report_line(self, {level}, describe_set_up(found, len(result) > 1))
            for reason in list_doubts(found) if bpy.app.background else ():
                report_line(self, {"WARNING"}, f"{found.character.armature.name}: {reason}")


class ANIM_OT_locomotion_analyze(SteppedOperator, bpy.types.Operator):
    """Analyse motions of the selected characters."""

    bl_idname = "anim.locomotion_analyze"
    bl_label = "Analyze Motions"
    bl_description = "Analyze the ticked motions of the selected characters again"
    bl_options = {"REGISTER", "UNDO"}

    actions: CollectionProperty(
        type=LOCOMOTION_PG_name,
        name="Actions",
        description="Names of the actions to analyze, instead of the ticked ones",
        options=FORGET,
    )

    poll = classmethod(poll_characters)

    def make_steps(self, context: bpy.types.Context) -> Steps[list[FoundAnalyses]]:
        """Analyse the motions of all selected characters."""
        named = choices.find_actions_by_name(entry.name for entry in self.actions) or None
        characters = find_characters(context)
        return (yield from chain_steps([find_analyses(item, named) for item in characters]))

    def draw(self, context: bpy.types.Context) -> None:
        """Show nothing: which actions are analysed is ticked in the list."""

    def finish(self, context: bpy.types.Context, result: Sequence[FoundAnalyses]) -> None:  # noqa: ARG002
        """Show the results in the lists."""
        for found in result:
            write_analyses(found)
            found.character.armature.update_tag()
            report_line(self, {"INFO"}, describe_analyses(found, len(result) > 1))
            # A window shows the warnings in the panel of the motions.
            for warning in list_warnings(found) if bpy.app.background else ():
                report_line(self, {"WARNING"}, f"{found.character.armature.name}: {warning}")


class ANIM_OT_locomotion_bake(BakeChoices, SteppedOperator, bpy.types.Operator):
    """Bake the walks of the selected characters."""

    bl_idname = "anim.locomotion_bake"
    bl_label = "Bake Walk"
    bl_description = (
        "Bake the walk of the selected characters to keys; "
        "Remove Bake gives back what was there before"
    )
    bl_options = {"REGISTER", "UNDO"}

    use_all: BoolProperty(
        name="All Characters",
        description="Bake every character of the scene that is set up, selected or not",
        options=FORGET,
    )

    poll = classmethod(poll_characters)

    def make_steps(self, context: bpy.types.Context) -> Steps[list[PreparedBake]]:
        """Compute the walks of all selected characters."""
        scene = context.scene
        characters = find_set_up_characters(scene) if self.use_all else find_characters(context)
        requests = [choices.override_request(item, self.properties) for item in characters]
        return (
            yield from chain_steps(
                [
                    prepare_set_up_bake(item, scene, request)
                    for item, request in zip(characters, requests, strict=True)
                ]
            )
        )

    def finish(self, context: bpy.types.Context, result: Sequence[PreparedBake]) -> None:
        """Write the keys."""
        for prepared in result:
            armature = prepared.character.armature
            baked = write_set_up_bake(prepared, partial(self.tell, context))
            watching.note_own_bake(armature, context.scene)
            report_line(self, {"INFO"}, describe_bake(armature, baked, len(result) > 1))
            # A window shows the warnings in the report of its panel.
            for note in baked.notes if bpy.app.background else ():
                level = "INFO" if is_remark(note) else "WARNING"
                report_line(self, {level}, f"{armature.name}: {tell_note(note)}")
        left_out = [item.name for item in find_armatures(context) if not len(item.locomotion.legs)]
        if left_out:
            report_line(self, {"WARNING"}, f"Not set up, left out: {', '.join(left_out)}")

    def draw(self, context: bpy.types.Context) -> None:  # noqa: ARG002
        """Show the choices that a bake is most often repeated with."""
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "use_all")
        for names in (("use_range", "frame_start", "frame_end"), ("blend_in", "blend_out")):
            column = layout.column(align=True)
            for name in names:
                column.prop(self, name)
        layout.prop(self, "output")
        layout.prop(self, "output_to")


class ANIM_OT_locomotion_verify(SteppedOperator, bpy.types.Operator):
    """Look at the baked walks of the selected characters as they are shown."""

    bl_idname = "anim.locomotion_verify"
    bl_label = "Verify"
    bl_description = (
        "Look at the baked walk in every frame, with the meshes of the feet and the ground as they are "
        "now, and tell what spoils it; nothing but the report changes"
    )
    bl_options = {"REGISTER", "UNDO"}

    poll = classmethod(poll_removable)

    def make_steps(self, context: bpy.types.Context) -> Steps[list[MeasuredWalk]]:
        """Measure the walks of all selected characters."""
        found, items = [], find_removable(context)
        for number, item in enumerate(items):
            yield number / len(items), f"looking at {item.name}"
            found.append(measure_baked(item, context.scene))
        return found

    def finish(self, context: bpy.types.Context, result: Sequence[MeasuredWalk]) -> None:
        """Keep the numbers."""
        for walk in result:
            armature = context.scene.objects[walk.name]
            keep_numbers(armature, walk.as_dict(), walk.notes)
            report_line(self, {"INFO"}, describe_measured(walk, len(result) > 1))
            for note in walk.notes if bpy.app.background else ():
                level = "INFO" if is_remark(note) else "WARNING"
                report_line(self, {level}, f"{walk.name}: {tell_note(note)}")


class ANIM_OT_locomotion_bake_remove(bpy.types.Operator):
    """Remove the baked walks of the selected characters."""

    bl_idname = "anim.locomotion_bake_remove"
    bl_label = "Remove Bake"
    bl_description = (
        "Take the baked walk away and give back what was there before, also where another action was "
        "chosen since; this ends Live and Auto Bake"
    )
    bl_options = {"REGISTER", "UNDO"}

    poll = classmethod(poll_removable)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove the bakes of all selected characters."""
        baked = find_removable(context)
        is_walk = not all(is_cleaned(armature) for armature in baked)
        modes = (
            ("Live", is_live, watching.stop_live),
            ("Auto Bake", is_auto_baked, watching.stop_auto_bake),
        )
        ended: list[str] = []
        lost: dict[str, list[str]] = {}
        try:
            for armature in baked:
                for mode, is_on, stop in modes:
                    if is_on(armature):
                        stop(armature)
                        ended.append(mode)
                lost[armature.name] = remove_set_up_bake(armature)
        except LocomotionError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        finally:
            live_handlers.install()
        names = ", ".join(item.name for item in baked)
        what = "baked walk" if is_walk else "cleaned action"
        text = f"Removed the {what} of {names}"
        if ended:
            text += f"; switched {' and '.join(dict.fromkeys(ended))} off"
        report_line(self, {"INFO"}, text)
        for name, bones in lost.items():
            if bones:
                listed = ", ".join(map(repr, bones))
                report_line(
                    self,
                    {"WARNING"},
                    f"{name}: bones that the bake has posed are gone: {listed}; where they were "
                    "renamed, clear their poses (Alt+G, Alt+R, Alt+S)",
                )
        return {"FINISHED"}


class ANIM_OT_locomotion_correction_layer(bpy.types.Operator):
    """Add a layer for edits over the baked walks of the selected characters."""

    bl_idname = "anim.locomotion_correction_layer"
    bl_label = "Add Correction Layer"
    bl_description = (
        "Put the baked walk into a strip of the NLA and an empty action on top that is combined "
        "with it: what is keyed there stays when the walk is baked again"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a baked walk is chosen that has no such layer yet."""
        if not poll_baked(cls, context):
            return False
        if not any(can_take_correction(item) for item in find_baked(context)):
            cls.poll_message_set(
                "The walk has a layer for corrections: key them in the active action"
            )
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add a layer to all selected characters that have none."""
        layers = [
            add_correction_layer(item) for item in find_baked(context) if can_take_correction(item)
        ]
        names = ", ".join(layer.name for layer in layers)
        report_line(self, {"INFO"}, f"Keys go to {names} now, on top of the walk")
        return {"FINISHED"}


_CLASSES: tuple[Any, ...] = (
    *choices.CLASSES,
    ANIM_OT_locomotion_setup,
    ANIM_OT_locomotion_analyze,
    ANIM_OT_locomotion_bake,
    ANIM_OT_locomotion_verify,
    ANIM_OT_locomotion_bake_remove,
    ANIM_OT_locomotion_correction_layer,
)


def _draw_menu(menu: bpy.types.Menu, context: bpy.types.Context) -> None:  # noqa: ARG001
    """Entries of Object > Animation and Pose > Animation."""
    layout = menu.layout
    layout.separator()
    for operator in _CLASSES[len(choices.CLASSES) :]:
        layout.operator(operator.bl_idname)


_MENUS = ("VIEW3D_MT_object_animation",)


def register() -> None:
    """Add the operators and their menu entries."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    for menu in _MENUS:
        getattr(bpy.types, menu).append(_draw_menu)


def unregister() -> None:
    """Take them out."""
    for menu in _MENUS:
        getattr(bpy.types, menu).remove(_draw_menu)
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
