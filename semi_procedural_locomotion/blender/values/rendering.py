# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes as renders show them, where that is otherwise than in the view."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
import numpy as np

from ..limits import EVIDENCE
from .nla import list_paths
from .scene_state import set_frame, temporary_scene
from .visibility import EYES

_REFINING = {"SUBSURF", "MULTIRES"}
_VIEW_NODE = "GeometryNodeIsViewport"


def find_differing_modifier(item: bpy.types.Object, scene: bpy.types.Scene) -> str | None:
    """Name of the first modifier that makes another shape in renders than in the view, or None."""
    for modifier in item.modifiers:
        if modifier.show_viewport != modifier.show_render:
            return str(modifier.name)
        if not modifier.show_render:
            continue
        if modifier.type in _REFINING:
            viewed, rendered = _find_levels(modifier, scene)
            if viewed != rendered:
                return str(modifier.name)
        if modifier.type == "NODES" and _asks_for_view(modifier.node_group):
            return str(modifier.name)
    return None


def let_show(
    modifier: bpy.types.Modifier, scene: bpy.types.Scene, faces: int, *, as_rendered: bool
) -> list[bpy.types.ID]:
    """Let a modifier of a double that is seen in a view do what it does there, or in renders.

    One that refines makes no more faces than are of use.

    Parameters
    ----------
    modifier
        The modifier; of another kind it stays as it is.
    scene
        Whose *Simplify* counts.
    faces
        Of the mesh.
    as_rendered
        Whether renders count, in place of the view.

    Returns
    -------
    list of ID
        What was made for it, to be removed when the double is.
    """
    if modifier.type in _REFINING:
        finest = int(np.log(EVIDENCE.most_faces / max(faces, 1)) / np.log(4.0))
        modifier.levels = max(min(_find_levels(modifier, scene)[as_rendered], finest), 0)
    if as_rendered and modifier.type == "NODES" and _asks_for_view(modifier.node_group):
        made: dict[str, bpy.types.ID] = {}
        modifier.node_group = _answer_as_rendered(modifier.node_group, made)
        return list(made.values())
    return []


def _asks_for_view(tree: bpy.types.NodeTree | None) -> bool:
    """Whether nodes, or groups in them, ask whether they are shown in a view."""
    return tree is not None and any(
        node.bl_idname == _VIEW_NODE or _asks_for_view(getattr(node, "node_tree", None))
        for node in tree.nodes
    )


def _answer_as_rendered(
    tree: bpy.types.NodeTree, made: dict[str, bpy.types.ID]
) -> bpy.types.NodeTree:
    """A copy of nodes that are told that they are not; it and copies of its groups by their names."""
    if tree.name in made:
        return made[tree.name]
    own = made[tree.name] = tree.copy()
    for node in list(own.nodes):
        if _asks_for_view(getattr(node, "node_tree", None)):
            node.node_tree = _answer_as_rendered(node.node_tree, made)
        if node.bl_idname != _VIEW_NODE:
            continue
        answer = own.nodes.new("FunctionNodeInputBool")
        for link in list(node.outputs[0].links):
            own.links.new(answer.outputs[0], link.to_socket)
    return own


@contextmanager
def open_rendered(
    item: bpy.types.Object, scene: bpy.types.Scene
) -> Iterator[tuple[bpy.types.Scene, bpy.types.Object]]:
    """A double of an object that a scene of its own shows as renders do, now."""
    double, made = item.copy(), list[bpy.types.ID]()
    try:
        double.hide_viewport = False
        if not list_paths(double).isdisjoint(EYES):
            double.animation_data_clear()
        for modifier in double.modifiers:
            faces = len(item.data.polygons) if item.type == "MESH" else 0
            modifier.show_viewport = modifier.show_render
            made += let_show(modifier, scene, faces, as_rendered=True)
        with temporary_scene(scene) as stage:
            stage.collection.objects.link(double)
            set_frame(stage, scene.frame_current_final)
            yield stage, double
    finally:
        bpy.data.objects.remove(double)
        bpy.data.batch_remove(made)


def _find_levels(modifier: bpy.types.Modifier, scene: bpy.types.Scene) -> tuple[int, int]:
    """Levels of a modifier that refines in the view and in renders."""
    viewed, rendered, render = modifier.levels, modifier.render_levels, scene.render
    if render.use_simplify:
        viewed = min(viewed, render.simplify_subdivision)
        rendered = min(rendered, render.simplify_subdivision_render)
    return viewed, rendered
