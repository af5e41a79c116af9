# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators with an entry in a menu of Blender."""

from __future__ import annotations

from collections.abc import Callable

import bpy


def make_menu_registration(
    operator: type[bpy.types.Operator],
) -> tuple[Callable[[], None], Callable[[], None]]:
    """Functions that add an operator and its entry in Object > Animation, and take both out."""

    def draw(menu: bpy.types.Menu, context: bpy.types.Context) -> None:  # noqa: ARG001
        menu.layout.operator(operator.bl_idname)

    def register() -> None:
        bpy.utils.register_class(operator)
        bpy.types.VIEW3D_MT_object_animation.append(draw)

    def unregister() -> None:
        bpy.types.VIEW3D_MT_object_animation.remove(draw)
        bpy.utils.unregister_class(operator)

    return register, unregister
