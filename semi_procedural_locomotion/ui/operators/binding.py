# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bind to Skeleton, and the colours that show what it did."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from ...api.binding import (
    ASK,
    BindRequest,
    FoundBinding,
    find_binding,
    find_meshes,
    hide_zones,
    list_bound,
    show_zones,
    write_binding,
)
from ...api.progress import Steps
from ...core.rig.binding.weights import BindOptions
from ...errors import LocomotionError
from ..choices import FORGET
from ..menus import make_menu_registration
from ..progress import SteppedOperator
from ..targets import get_active_armature, poll_active
from ..telling import report_line
from ..wording import count


def _find_chosen(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The meshes that are selected, or those of the active armature."""
    return find_meshes(get_active_armature(context), context.view_layer.objects.selected)


class OBJECT_OT_locomotion_bind(SteppedOperator, bpy.types.Operator):
    """Bind meshes to the active armature."""

    bl_idname = "object.locomotion_bind"
    bl_label = "Bind to Skeleton"
    bl_description = (
        "Let the selected meshes follow the deforming bones of the active armature, by their distance; "
        "a leg never follows the other leg"
    )
    bl_options = {"REGISTER", "UNDO"}

    existing: EnumProperty(
        name="Existing Weights",
        description="What happens to weights that the meshes have",
        items=(
            (ASK, "Ask", "Ask where there are any, without a window refuse"),
            ("REPLACE", "Replace", "Make the weights of all vertices anew"),
            ("ADD", "Keep", "Leave vertices alone that have weights"),
        ),
        default=ASK,
        options=FORGET,
    )
    bones: IntProperty(
        name="Bones",
        description="Bones that a vertex follows at the most",
        min=1,
        max=16,
        default=BindOptions.count,
    )
    power: FloatProperty(
        name="Power",
        description="Exponent of the distance: the higher, the stiffer between joints",
        min=0.5,
        max=16.0,
        default=BindOptions.power,
    )
    radius: FloatProperty(
        name="Radius",
        description="Distance beyond which only the nearest bone counts; 0 for no limit",
        min=0.0,
        subtype="DISTANCE",
        default=BindOptions.radius,
    )
    limb_only: BoolProperty(
        name="Own Limb Only",
        description="Let vertices follow bones of their own limb and side, and of what that is joined to",
        default=BindOptions.limb_only,
    )
    smoothing: IntProperty(
        name="Smoothing",
        description="Times that weights are smoothed along edges",
        min=0,
        max=50,
        default=BindOptions.smoothing,
    )
    preserve_volume: BoolProperty(
        name="Preserve Volume",
        description="Keep the volume of turned joints, which bulge a little instead of collapsing",
        default=False,
    )

    poll = classmethod(poll_active)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask about weights that there are, then work between the window's events."""
        bound = list_bound(get_active_armature(context), _find_chosen(context))
        if self.existing == ASK and bound and not bpy.app.background:
            self.existing = "REPLACE"
            return context.window_manager.invoke_props_dialog(
                self, title=f"{bound[0].name} Has Weights", confirm_text="Bind"
            )
        return super().invoke(context, event)

    def make_steps(self, context: bpy.types.Context) -> Steps[FoundBinding]:
        """Compute the weights."""
        options = BindOptions(self.bones, self.power, self.radius, self.limb_only, self.smoothing)
        request = BindRequest(options, self.existing, self.preserve_volume)
        return (
            yield from find_binding(get_active_armature(context), _find_chosen(context), request)
        )

    def draw(self, context: bpy.types.Context) -> None:  # noqa: ARG002
        """Show all choices."""
        layout = self.layout
        layout.use_property_split = True
        for names in (
            ("existing",),
            ("bones", "power", "radius"),
            ("limb_only", "smoothing"),
            ("preserve_volume",),
        ):
            column = layout.column(align=True)
            for name in names:
                column.prop(self, name)

    def finish(self, context: bpy.types.Context, result: FoundBinding) -> None:  # noqa: ARG002
        """Write the weights."""
        write_binding(result)
        names = ", ".join(item.name for item in result.items)
        told = count(result.vertex_count, "vertex").replace("vertexs", "vertices")
        report_line(
            self,
            {"INFO"},
            f"Bound {names} to {result.armature.name}: {told}, {count(len(result.bones), 'bone')}",
        )


class OBJECT_OT_locomotion_bone_zones(bpy.types.Operator):
    """Colour meshes by the bones that they follow."""

    bl_idname = "object.locomotion_bone_zones"
    bl_label = "Show Bone Zones"
    bl_description = "Colour the meshes of the active armature by the bones that they follow"
    bl_options = {"REGISTER", "UNDO"}

    shown: EnumProperty(
        name="Shown",
        description="What the colours show",
        items=(
            ("ZONES", "Zones", "A colour for each bone, mixed by weight"),
            (
                "BONE",
                "Active Bone",
                "Weights of the active bone, from blue for none to red for all",
            ),
            ("NONE", "Nothing", "Take the colours away"),
        ),
        options=FORGET,
    )
    bone: StringProperty(
        name="Bone", description="Name of the bone, instead of the active one", options=FORGET
    )

    poll = classmethod(poll_active)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the colours, and let solid views show them."""
        armature, items = get_active_armature(context), _find_chosen(context)
        if self.shown == "NONE":
            hide_zones(items)
            _shade(context, "MATERIAL")
            return {"FINISHED"}
        active = armature.data.bones.active
        name = self.bone or ("" if active is None else active.name)
        try:
            show_zones(armature, items, name if self.shown == "BONE" else None)
        except LocomotionError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        _shade(context, "VERTEX")
        return {"FINISHED"}


def _shade(context: bpy.types.Context, kind: str) -> None:
    """Let the 3D views of the window colour solid meshes by their materials or by attributes."""
    for area in () if context.screen is None else context.screen.areas:
        if area.type == "VIEW_3D":
            area.spaces.active.shading.color_type = kind


_register_bind, _unregister_bind = make_menu_registration(OBJECT_OT_locomotion_bind)


def register() -> None:
    """Add the operators."""
    _register_bind()
    bpy.utils.register_class(OBJECT_OT_locomotion_bone_zones)


def unregister() -> None:
    """Take them out."""
    bpy.utils.unregister_class(OBJECT_OT_locomotion_bone_zones)
    _unregister_bind()
