# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the soles of a set-up character are read from, in short, to tell whether it has changed since."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import bpy
import numpy as np

from ...core.maths.rotations import FloatArray
from ...core.rig.skeleton import Skeleton
from ...core.rig.sole_edits import SOLE_POINTS
from ..limits import SET_UP
from ..values.armature import matrix_array
from ..values.matrices import find_leading_bone
from ..values.nla import list_paths
from ..values.schema import read_kept
from ..values.visibility import EYES, Showing, find_showings
from .meshes import BodyMesh, find_body_meshes, read_positions, rides_alone

# What of modifiers and constraints changes nothing that is shown, or may be another in each session.
_UNSEEN = frozenset(
    {
        "rna_type", "is_active", "is_override_data", "show_expanded", "show_in_editmode",
        "show_on_cage", "show_render", "use_pin_to_last", "use_apply_on_spline", "execution_time",
        "persistent_uid", "is_valid", "error_location", "error_rotation", "active",
    }
)  # fmt: skip


def _mark_things(
    armature: bpy.types.Object, item: bpy.types.Object, bones: Iterable[str]
) -> dict[str, str]:
    """A mark of each thing that shapes, moves or places a mesh, by what Blender calls it."""
    marks = {f"modifier {m.name!r}": _mark(m) for m in item.modifiers if m.show_viewport}
    off = [name for name in bones if not getattr(armature.data.bones.get(name), "use_deform", True)]
    marks |= {f"bone {name!r} with Deform off": "off" for name in off}
    keys = None if item.type != "MESH" else item.data.shape_keys
    if keys is not None:
        paths = list_paths(keys)
        for block in keys.key_blocks[1:]:
            is_set = f"{block.path_from_id()}.value" in paths
            value = "set" if is_set else 0.0 if block.mute else round(block.value, 6)
            if value:
                marks[f"shape key {block.name!r}"] = f"{value}"
    marks |= {
        f"constraint {c.name!r}": _mark(c)
        for c in item.constraints
        if not c.mute and c.influence > 0.0
    }
    if list_paths(item) - {*EYES}:
        marks["keys or drivers of the object"] = "set"
    names = " ".join(sorted(group.name for group in item.vertex_groups if group.name in bones))
    marks["its vertex groups"] = hashlib.blake2b(names.encode(), digest_size=6).hexdigest()
    return marks


def _mark(thing: bpy.types.Modifier | bpy.types.Constraint) -> str:
    """A mark of all settings of a modifier or constraint."""
    values = []
    for prop in thing.bl_rna.properties:
        if prop.identifier not in _UNSEEN:
            values.append((prop.identifier, _plain(getattr(thing, prop.identifier, None))))
    values += sorted((name, _plain(value)) for name, value in _list_inputs(thing))
    return hashlib.blake2b(repr(values).encode(), digest_size=6).hexdigest()


def _list_inputs(thing: bpy.types.Modifier | bpy.types.Constraint) -> list[tuple[str, Any]]:
    """Values of the inputs of a node modifier."""
    if getattr(thing, "type", "") != "NODES":
        return []
    return [(name, thing[name]) for name in thing.keys()]  # noqa: SIM118 - Blender's own keys


def _plain(value: Any) -> object:  # noqa: ANN401 - any setting
    """A setting as plain numbers and texts; of blocks of data their names and, of lattices, points."""
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, bool | int | str | None):
        return value
    if isinstance(value, bpy.types.Object):
        if value.type != "LATTICE":
            return value.name
        points = np.empty(3 * len(value.data.points), dtype=np.float32)
        value.data.points.foreach_get("co_deform", points)
        return value.name, points.tobytes()
    if isinstance(value, bpy.types.ID):
        return value.name
    try:
        return tuple(round(entry, 6) for entry in value)
    except TypeError:
        return None


@dataclass(frozen=True)
class FootSkin:
    """The part of a mesh that is near the feet of a character.

    Attributes
    ----------
    fingerprint
        Differs where its shape there, its weights there or its place on the armature do.
    low
        Its lowest place at rest, metres along the armature's up axis.
    is_moved
        Whether the armature moves it in the view.
    keyed
        Names of its shape keys that something sets over time and that move it there, with the metres by
        which they do at most.
    marks
        Of the things that give it its shape and place there, see `_mark_things`.
    """

    name: str
    fingerprint: str
    low: float
    showing: Showing
    is_moved: bool
    keyed: tuple[tuple[str, float], ...] = ()
    marks: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Feet:
    """Places of the soles of a set-up character as its bones were built.

    Attributes
    ----------
    places
        Armature space, armature units, shape (S, 3).
    reach
        Length of the longest foot, armature units; what is nearer to a place is near the feet.
    """

    places: FloatArray
    reach: float
    low: FloatArray = field(init=False)
    high: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", self.places.min(axis=0) - self.reach)
        object.__setattr__(self, "high", self.places.max(axis=0) + self.reach)

    def find_near(self, points: FloatArray) -> np.ndarray:
        """Indices of the points (V, 3), armature space, that are near the feet."""
        boxed = np.flatnonzero(((points >= self.low) & (points <= self.high)).all(axis=1))
        apart = np.full(len(boxed), np.inf)
        for place in self.places:
            apart = np.minimum(apart, np.linalg.norm(points[boxed] - place, axis=1))
        return boxed[apart <= self.reach]


def read_foot_skins(
    armature: bpy.types.Object,
    skeleton: Skeleton,
    span: tuple[float, float] | None = None,
    *,
    as_rendered: bool = False,
) -> list[FootSkin]:
    """Read what the soles of a set-up character are read from.

    Parameters
    ----------
    armature
        A set-up character.
    span
        First and last frame that count: a mesh that is shown at any of them does. None for those of
        the scene.
    as_rendered
        Whether they are meant as renders show them, in place of the view.

    Returns
    -------
    list of FootSkin
        Of shown meshes; where none of these is near the feet, of those that are hidden.
    """
    feet = _find_feet(armature)
    if feet is None:
        return []
    meshes = find_body_meshes(armature, skeleton)
    showings = find_showings([mesh.item for mesh in meshes], bpy.context, span)
    for shown in (True, False):
        chosen = [
            mesh.as_rendered() if as_rendered else mesh
            for mesh in meshes
            if showings[mesh.item].is_ever_shown(as_rendered=as_rendered) == shown
        ]
        read = (_read(armature, mesh, feet, showings[mesh.item]) for mesh in chosen)
        found = [skin for skin in read if skin is not None]
        if found:
            return found
    return []


def keep_foot_skins(armature: bpy.types.Object, skins: Iterable[FootSkin]) -> None:
    """Keep on a character what its soles were read from."""
    kept = [[skin.name, skin.fingerprint, dict(skin.marks)] for skin in skins]
    armature.locomotion.skins = json.dumps(kept)


def list_changed(armature: bpy.types.Object, skins: Sequence[FootSkin]) -> list[tuple[str, str]]:
    """Meshes that are others near the feet than when the soles were read, with what has changed of them.

    Those that are new come first, then those that are gone; a mesh that only has another name is none.
    Empty where it is not known what the soles were read from, as in files of earlier versions.

    Returns
    -------
    list
        Names of meshes, each with what Blender calls the thing that changed; empty for the mesh itself.
    """
    text = armature.locomotion.skins
    known = read_kept(armature.name, "skins", text) if text else None
    if not known:
        return []
    by_print = {mark: marks for _, mark, marks in known}
    by_name = {name: marks for name, _, marks in known}
    found = []
    for skin in skins:
        before = by_print.get(skin.fingerprint, by_name.get(skin.name))
        things = [] if before is None else _compare(before, skin.marks)
        if things or skin.fingerprint not in by_print:
            found.append((skin.name, things[0] if things else ""))
    now = {skin.fingerprint for skin in skins}
    told = {name for name, _ in found}
    return found + [(n, "") for n, mark, _ in known if mark not in now and n not in told]


def _compare(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Names of things whose marks differ, those that are there first."""
    here = [name for name, mark in now.items() if before.get(name) != mark]
    return here + [name for name in before if name not in now]


def _find_feet(armature: bpy.types.Object) -> _Feet | None:
    """Find where the soles were measured; None where nothing was."""
    places, reach = [], 0.0
    for leg in armature.locomotion.legs:
        reach = max(reach, leg.foot_length)
        for name in SOLE_POINTS:
            point = getattr(leg, name)
            bone = armature.data.bones.get(point.found_bone)
            if bone is not None:
                matrix = matrix_array(bone.matrix_local)
                places.append(matrix[:3, :3] @ np.array(point.found_offset) + matrix[:3, 3])
    return _Feet(np.array(places), reach) if places else None


def _read(
    armature: bpy.types.Object, mesh: BodyMesh, feet: _Feet, showing: Showing
) -> FootSkin | None:
    """The part of a mesh near the feet; None without any."""
    with mesh.open_built() as data:
        own = read_positions(data)
        points = own @ mesh.matrix[:3, :3].T + mesh.matrix[:3, 3]
        # What hangs on something else than the armature is near the feet now, and elsewhere later.
        is_placed = mesh.bone is not None or rides_alone(mesh.item, armature)
        near = feet.find_near(points) if is_placed else np.arange(len(points))
        if not len(near):
            return None
        digest = hashlib.blake2b(own[near].tobytes(), digest_size=8)
        names, weights = _list_weights(mesh.item, data, near)
        if mesh.bone is None:
            digest.update(repr((names, weights)).encode())
        used = {names[group] for entry in weights for group, _ in entry}
    movers = [m for m in mesh.item.modifiers if m.type == "ARMATURE" and m.object == armature]
    moving = [m.show_viewport for m in movers]
    place = np.eye(4)
    if is_placed:
        place = np.round(mesh.matrix / feet.reach, SET_UP.fingerprint_digits) + 0.0
    digest.update(repr((place.tolist(), mesh.bone, mesh.keeps_volume, moving)).encode())
    scale = mesh.skeleton.object_scale
    low = scale * float(points[near, 2].min())
    is_moved = not moving or any(moving)
    keyed = tuple(_list_keyed(mesh, feet)) if is_placed else ()
    marks = _mark_things(armature, mesh.item, sorted(used))
    return FootSkin(mesh.item.name, digest.hexdigest(), low, showing, is_moved, keyed, marks)


def _list_keyed(mesh: BodyMesh, feet: _Feet) -> Iterator[tuple[str, float]]:
    """Shape keys of a mesh that something sets and that move it near the feet, by how many metres."""
    keys = mesh.item.data.shape_keys
    paths = set() if keys is None else list_paths(keys)
    if not paths:
        return
    scale = mesh.skeleton.object_scale
    for block in keys.key_blocks:
        if f"{block.path_from_id()}.value" in paths and not block.mute:
            before, after = (
                _read_key(key) @ mesh.matrix[:3, :3].T for key in (block.relative_key, block)
            )
            near = feet.find_near(before + mesh.matrix[:3, 3])
            size = scale * float(np.linalg.norm(after - before, axis=1)[near].max(initial=0.0))
            if size > 0.0:
                yield block.name, size


def _read_key(key: bpy.types.ShapeKey) -> FloatArray:
    """Places of a shape key in the space of its mesh, shape (V, 3)."""
    flat = np.empty(3 * len(key.data), dtype=np.float32)
    key.data.foreach_get("co", flat)
    return flat.reshape(-1, 3).astype(np.float64)


def _list_weights(
    item: bpy.types.Object, mesh: bpy.types.Mesh, chosen: np.ndarray
) -> tuple[list[str], list[list[tuple[int, float]]]]:
    """Names of the groups of a mesh, and numbers and weights of those that some vertices are in."""
    vertices = mesh.vertices
    weights = [[(e.group, e.weight) for e in vertices[vertex].groups] for vertex in chosen.tolist()]
    return [group.name for group in item.vertex_groups], weights


def find_foot_meshes(
    armature: bpy.types.Object, skeleton: Skeleton, feet: Sequence[frozenset[str]]
) -> list[tuple[bpy.types.Object, str | None]]:
    """Objects that show the feet of a character, shown or not.

    Parameters
    ----------
    feet
        Names of the bones of each foot.

    Returns
    -------
    list
        Each with the bone that it goes after as a whole, by its parents or constraints; None where its
        vertices are weighted. Besides meshes, objects that show a collection.
    """
    names = frozenset().union(*feet)
    found: dict[bpy.types.Object, str | None] = {
        mesh.item: mesh.bone
        for mesh in find_body_meshes(armature, skeleton)
        if mesh.bone is None or mesh.bone in names
    }
    for item in bpy.data.objects:
        shows = item.type == "MESH" or item.instance_type == "COLLECTION"
        if shows and item not in found and (item.parent is not None or len(item.constraints)):
            bone = find_leading_bone(item, armature)
            if bone in names:
                found[item] = bone
    return list(found.items())
