# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The layers over a character's walk as Blender properties: action, bones, clock, weight."""

from __future__ import annotations

import bpy
from bpy.props import PointerProperty, StringProperty

from ...requests.settings.motions import LAYER
from ..values.bake_record import is_bake
from .declaring import OVERRIDE, declare


class LOCOMOTION_PG_layer(bpy.types.PropertyGroup):
    """An action that some bones follow over the walk."""

    name: StringProperty(name="Name", description="Name of the layer", override=OVERRIDE)
    action: PointerProperty(
        type=bpy.types.Action,
        name="Action",
        description="Action that the bones follow; it is not changed",
        poll=lambda _, action: not is_bake(action),
        override=OVERRIDE,
    )
    bone: StringProperty(
        name="Bone",
        description="Bone that follows with all bones below it that are in no leg",
        override=OVERRIDE,
    )
    collection: StringProperty(
        name="Bone Collection",
        description="Collection whose bones follow, but for those in legs",
        override=OVERRIDE,
    )


LOCOMOTION_PG_layer.__annotations__ |= {
    name: declare(setting, override=OVERRIDE) for name, setting in LAYER.items()
}
