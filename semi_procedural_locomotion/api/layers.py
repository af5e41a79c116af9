# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The layers of a character, from its set-up to what the plan lays over a walk."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np

from ..blender.reading.clip_inputs import fingerprint_clip
from ..blender.reading.sampling import find_stepped_bones, sample_action
from ..blender.setup.controls import read_controls
from ..blender.setup.motion_groups import read_group_weights
from ..blender.setup.weights import key_weight, read_weights
from ..blender.values.bake_record import is_bake
from ..blender.values.evaluation import needs_evaluation
from ..blender.values.scene_state import get_frame_rate
from ..core.body.layers.masks import (
    find_leg_bones,
    find_upper_body,
    find_whole_body,
    make_shares,
)
from ..core.maths import rotations as rot
from ..core.maths.fingerprints import KeptResults, fingerprint
from ..core.maths.rotations import FloatArray
from ..core.motions.layers import Layer, LayerClip
from ..core.motions.records import GroupWeight, MotionSet
from ..core.rig.controls.mapping import ControlMap
from ..core.rig.structure import Rig
from ..errors import SettingError
from ..requests.settings.kinds import Choice, check_values
from ..requests.settings.motions import LAYER
from .characters import Character
from .limits import KEPT, LAYER_CLIP

# Of every action as it was sampled for a rig: its poses, and the names of the bones that it keys.
_clips = KeptResults[tuple[LayerClip, frozenset[str]]](KEPT.analyses)


@dataclass(frozen=True)
class WalkWeights:
    """Weights over time that are set and keyed on a character.

    Attributes
    ----------
    groups
        Of its groups of motions, by name.
    layers
        Seconds (K,) and weights (K,) of each of its layers.
    """

    groups: Mapping[str, GroupWeight]
    layers: Sequence[tuple[FloatArray, FloatArray]]


def read_walk_weights(armature: bpy.types.Object, scene: bpy.types.Scene) -> WalkWeights:
    """Weights of groups and layers as they are set and keyed now; a scene gives their clock."""
    return WalkWeights(read_group_weights(armature, scene), read_weights(armature, "layers", scene))


def weigh_motions(
    character: Character, motions: MotionSet, weights: WalkWeights, scene: bpy.types.Scene
) -> MotionSet:
    """Motions with the weights of their groups, and with the layers over them."""
    layers = _read_layers(character, weights.layers, scene)
    return replace(motions.weigh_groups(weights.groups), layers=layers)


def _read_layers(
    character: Character,
    weights: Sequence[tuple[FloatArray, FloatArray]],
    scene: bpy.types.Scene,
) -> tuple[Layer, ...]:
    """The layers of a character that have an action and any weight, the last one on top.

    Raises
    ------
    SettingError
        A layer names bones that there are none of, or its action keys none of its bones.
    AnalysisError
        An action cannot be sampled.
    """
    armature, rig = character.armature, character.rig
    rate = get_frame_rate(scene)
    found = []
    for entry, (times, values) in zip(armature.locomotion.layers, weights, strict=True):
        if entry.action is None or not np.any(values > 0.0):
            continue
        _check_action(entry.name, entry.action)
        clip, keyed = _sample(character, entry.action)
        shares = make_shares(rig, _find_bones(entry, armature, rig), entry.soft)
        shares *= _find_moved(armature, rig, clip, keyed)
        if not np.any(shares):
            raise _refuse_mask(entry, rig, _find_bones(entry, armature, rig))
        found.append(
            Layer(
                name=entry.name,
                clip=clip,
                shares=shares,
                weight_times=times,
                weights=values,
                additive=entry.mode == "ADD",
                repeats=entry.repeats,
                in_step=entry.clock == "WALK",
                start=entry.start / rate,
                rate=entry.rate,
                fade=entry.fade / rate,
                keyed=keyed,
            )
        )
    return tuple(found)


def add_layer(
    armature: bpy.types.Object,
    action: bpy.types.Action,
    name: str = "",
    keys: Sequence[tuple[float, float]] = (),
    bone: str = "",
    collection: str = "",
    **values: Any,  # noqa: ANN401 - by the names of the table of settings
) -> None:
    """Put a layer on top of those of a character.

    Parameters
    ----------
    armature
        A set-up character.
    action
        What the bones follow.
    name
        Name of the layer; that of the action where it is empty.
    keys
        Frame and weight of each key; one stands for a constant, none for full weight.
    bone, collection
        The bone with those below it, or the bone collection, that follow; either chooses the mask.
    values
        Settings of the part "layer" of the table, by their names.

    Raises
    ------
    SettingError
        A value is of the wrong kind or out of its range, or there is no such bone or collection.
    """
    unknown = sorted(set(values) - set(LAYER))
    if unknown:
        raise SettingError(f"a layer has no {unknown[0]!r}: use {', '.join(LAYER)}")
    check_values(LAYER, values)
    for _, weight in keys:
        check_values(LAYER, {"weight": weight})
    frames = [frame for frame, _ in keys]
    if any(later <= earlier for earlier, later in itertools.pairwise(frames)):
        raise SettingError("the keys of a layer's weight must be by rising frames")
    given = "bone" if bone else "collection" if collection else ""
    if (bone and collection) or (given and values.get("mask", given) != given):
        raise SettingError("a layer has one mask: keep a bone, a bone collection or another mask")
    if given:
        values = {"mask": given, **values}
    if action is None:
        raise SettingError("a layer needs an action: name one")
    name = name or action.name
    _check_action(name, action)
    _check_bones(armature, name, values.get("mask", LAYER["mask"].default), bone, collection)
    layers = armature.locomotion.layers
    number = len(layers)
    entry = layers.add()
    entry.name, entry.action = name, action
    entry.bone, entry.collection = bone, collection
    for key, value in values.items():
        setattr(entry, key, value.upper() if isinstance(LAYER[key], Choice) else value)
    if keys:
        key_weight(armature, "layers", number, keys)


def _sample(character: Character, action: bpy.types.Action) -> tuple[LayerClip, frozenset[str]]:
    """The poses of an action, sampled again only where it changed."""
    armature, skeleton = character.armature, character.rig.skeleton

    def sample() -> tuple[LayerClip, frozenset[str]]:
        clip = sample_action(armature, action, skeleton)
        rows = len(clip.times)
        interval = clip.duration / (rows - 1) if rows > 1 else clip.key_interval
        stepped = find_stepped_bones(armature, action)
        steps = np.array([name in stepped for name in skeleton.names])
        return LayerClip(clip.rotations, clip.translations, interval, steps), clip.keyed

    key = fingerprint_clip(armature, action)
    return _clips.get(None if key is None else fingerprint(key, skeleton), sample)


def _find_moved(
    armature: bpy.types.Object, rig: Rig, clip: LayerClip, keyed: frozenset[str]
) -> np.ndarray:
    """Bones that a clip keys, and those that constraints turn or move away from rest then, (B,)."""
    found = np.array([name in keyed for name in rig.skeleton.names])
    if not needs_evaluation(armature):
        return found
    turned = rot.angles_between(clip.rotations, rig.skeleton.rest_rotations).max(axis=0)
    away = np.abs(clip.translations - rig.skeleton.rest_translations).max(axis=(0, 2))
    return np.asarray(
        found | (turned > LAYER_CLIP.turned) | (away > LAYER_CLIP.moved * rig.leg_length)
    )


def _check_action(layer: str, action: bpy.types.Action) -> None:
    """Refuse a baked walk as the action of a layer.

    Raises
    ------
    SettingError
        It is one.
    """
    if is_bake(action):
        raise SettingError(
            f"layer {layer!r}: {action.name!r} is a baked walk",
            "choose another action in Layers",
            "name another `action`",
        )


def _refuse_mask(entry: bpy.types.PropertyGroup, rig: Rig, bones: Sequence[int]) -> SettingError:
    """Why a layer moves nothing."""
    legs = find_leg_bones(rig)
    told = f"action {entry.action.name!r} keys none of its bones"
    if len(bones) and all(legs[bones]):
        told = "all of its bones are of legs, which the walk moves"
    return SettingError(
        f"layer {entry.name!r}: {told}",
        "choose other bones or another action in Layers, or give it no weight",
        "choose others with `mask`, `bone` or `collection`, or another `action`",
    )


def _check_bones(
    armature: bpy.types.Object, layer: str, mask: str, bone: str, collection: str
) -> None:
    """Refuse the mask of a layer, as jobs call it, whose bone or bone collection there is none of.

    Raises
    ------
    SettingError
        It names another.
    """
    kinds: Mapping[str, tuple[str, str, Collection[str]]] = {
        "bone": ("bone", bone, armature.data.bones.keys()),
        "collection": ("bone collection", collection, armature.data.collections_all.keys()),
    }
    kind, name, known = kinds.get(mask, ("", "", ("",)))
    if name not in known:
        told = f"{armature.name!r} has no {kind} {name!r}" if name else f"it names no {kind}"
        raise SettingError(f"layer {layer!r}: {told}", "choose one in Layers", "name another")


def _find_bones(entry: bpy.types.PropertyGroup, armature: bpy.types.Object, rig: Rig) -> list[int]:
    """Bones of a layer's mask, indices in the rig, those that go with controls among them."""
    mask = entry.mask.lower()
    _check_bones(armature, entry.name, mask, entry.bone, entry.collection)
    names, controls = rig.skeleton.names, read_controls(armature)
    if mask == "whole_body":
        return find_whole_body(rig)
    if mask == "upper_body":
        return _leave_controls_out(armature, rig, find_upper_body(rig), controls)
    if mask == "bone":
        found = set()
        if entry.bone in names:
            found.update(rig.skeleton.find_descendants(names.index(entry.bone)))
    else:
        members = armature.data.collections_all[entry.collection].bones_recursive
        inside = {bone.name for bone in members}
        found = {number for number, name in enumerate(names) if name in inside}
    if controls is not None:
        pairs = [(controls.body, names[rig.body]), *((e.control, e.bone) for e in controls.turned)]
        chosen = {names[number] for number in found}
        followed = {bone for control, bone in pairs if control in chosen}
        found.update(number for number, name in enumerate(names) if name in followed)
    return sorted(found)


def _leave_controls_out(
    armature: bpy.types.Object, rig: Rig, bones: Sequence[int], controls: ControlMap | None
) -> list[int]:
    """Bones without those of a rig's mechanics, which may move the legs, and without the hips."""
    if controls is None:
        return list(bones)
    names, own = rig.skeleton.names, armature.data.bones
    turning = {e.control: e.bone for e in controls.turned}
    hips = {controls.body, controls.root, controls.pelvis}
    deforming = {names[b] for b in bones if names[b] in own and own[names[b]].use_deform} - hips
    return [b for b in bones if names[b] in deforming or turning.get(names[b]) in deforming]
