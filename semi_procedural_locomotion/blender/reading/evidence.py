# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the legs of an armature object are found from: bones, meshes, constraints, actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import bpy
import numpy as np

from ...core.keys.eulers import quaternions_from_channels
from ...core.maths.rotations import FloatArray
from ...core.motions.clips import Clip, resample_clip
from ...core.rig.legs import BodyEvidence, EvidenceClip, choose_standing, list_bearing
from ...core.rig.legs.names import rank_action_name
from ...core.rig.skeleton import HeldBone, Skeleton, compute_global_poses
from ...errors import AnalysisError, RigError
from ...notes import Note, NoteKind, make_note
from .. import versions
from ..limits import EVIDENCE, HELD
from ..travel.reading import read_own_skeleton
from ..values.bake_record import (
    find_base_action,
    find_playing_action,
    is_bake_of,
    read_values_before,
)
from ..values.curves import CurvesByChannel, group_transform_curves, parse_bone_name, read_keys
from ..values.evaluation import is_fixed, list_carriers
from ..values.held import read_held, read_present
from ..values.nla import list_strip_channels
from ..values.visibility import find_showings
from .meshes import find_body_meshes, stand_points, to_character_space
from .sampling import find_actions, list_played, sample_action
from .skins import MeshSkin, read_skin

# Channels of bones by (bone, "location", "rotation" or "scale").
_Channels = dict[tuple[str, str], tuple[float, ...]]
_REST = {"location": (0.0, 0.0, 0.0), "rotation": (1.0, 0.0, 0.0, 0.0), "scale": (1.0, 1.0, 1.0)}


def _list_holdings(
    armature: bpy.types.Object, actions: Sequence[bpy.types.Action]
) -> list[tuple[HeldBone, ...]]:
    """Ways in which bones may stand, the likeliest first; the bind pose, an empty one, is among them."""
    channels = [_read_channels(armature, action) for action in actions]
    keyed = {key for clip in channels for key in _list_keyed(clip)}
    present = _read_present(armature, keyed)
    shared = _find_shared(armature, channels)
    kept = {
        (entry.name, name): value
        for entry in read_held(armature)
        for name, value in _list_away(entry)
    }
    # What was found before stays, though clips that were made since may key it.
    known = {
        key: value
        for key, value in shared.items()
        if key in kept and _is_same(key[1], value, kept[key])
    }
    usual = {**present, **known}
    ways = [usual, {}, {**usual, **shared}, shared]
    if not actions:
        ways = [{}, usual]  # nothing tells that a pose belongs to clips
    found: list[tuple[HeldBone, ...]] = []
    for way in map(_join, ways):
        if way not in found:
            found.append(way)
    return found


def _read_channels(armature: bpy.types.Object, action: bpy.types.Action) -> CurvesByChannel:
    """Curves of a clip that have keys."""
    slot = versions.find_slot(action, armature)
    curves = [] if slot is None else versions.get_curves(action, slot)
    return group_transform_curves(curve for curve in curves if len(curve.keyframe_points))


def _list_keyed(clip: CurvesByChannel) -> set[tuple[str, str]]:
    """Bones and channels that a clip keys; rotations in any mode are one channel."""
    return {(bone, _name_channel(name)) for bone, name in clip if bone}


def _name_channel(name: str) -> str:
    return "rotation" if name.startswith("rotation") else name


def _read_present(armature: bpy.types.Object, keyed: set[tuple[str, str]]) -> _Channels:
    """Channels that no clip keys as they stand now, where that is not at rest."""
    data = armature.animation_data
    moved = set(keyed)
    action, slot = find_base_action(armature)
    if action is not None:
        moved |= _list_keyed(group_transform_curves(versions.get_curves(action, slot)))
    moved |= {(bone, _name_channel(name)) for bone, name in list_strip_channels(data)}
    for driver in () if data is None else data.drivers:
        owner, _, name = driver.data_path.rpartition(".")
        moved.add((parse_bone_name(owner) or "", _name_channel(name)))
    before, size = read_values_before(armature), _measure_size(armature)
    found: _Channels = {}
    for bone in armature.pose.bones:
        # How bones of a rig's own workings stand is a part of the rig.
        if is_fixed(bone):
            continue
        for name, value in read_present(bone, before).items():
            if (bone.name, name) not in moved and not _is_at_rest(name, value, size):
                found[bone.name, name] = value
    return found


def _find_shared(armature: bpy.types.Object, clips: Sequence[CurvesByChannel]) -> _Channels:
    """Channels that some clips do not key, as all others hold them, where these agree, not at rest.

    Of bones that carry the body it is enough that the others begin so: they may move it later.
    """
    carriers = {bone.name for bone in list_carriers(armature)}
    counts = Counter(
        (bone, _name_channel(name))
        for clip in clips
        for bone, name in clip
        if bone in armature.pose.bones
    )
    starts: dict[tuple[str, str], list[tuple[float, ...]]] = {}
    read: dict[tuple[str, str], list[bpy.types.FCurve]] = {}
    for clip in clips:
        for (bone, name), curves in clip.items():
            key = (bone, _name_channel(name))
            # What all clips key is not read: that would take as long as all the rest of Set Up.
            if not 0 < counts[key] < len(clips):
                continue
            value = _read_start(armature.pose.bones[bone], name, curves)
            starts.setdefault(key, []).append(value)
            read.setdefault(key, []).extend(curves.values())
    size = _measure_size(armature)
    found: _Channels = {}
    for key, values in starts.items():
        if _is_at_rest(key[1], values[0], size):
            continue
        if not all(_is_same(key[1], value, values[0]) for value in values):
            continue
        if key[0] in carriers or all(map(_is_constant, read[key])):
            found[key] = values[0]
    return found


def _is_constant(curve: bpy.types.FCurve) -> bool:
    """Whether all keys of a curve have one value."""
    values = read_keys(curve)[:, 1]
    return float(np.ptp(values)) <= HELD.moved * max(1.0, float(np.abs(values).max()))


def _read_start(
    bone: bpy.types.PoseBone, name: str, curves: dict[int, bpy.types.FCurve]
) -> tuple[float, ...]:
    """A channel of a bone at the first key of its curves."""
    own = {
        "scale": [1.0] * 3,
        "rotation_quaternion": [1.0, 0.0, 0.0, 0.0],
        "rotation_axis_angle": [0.0, 0.0, 1.0, 0.0],
    }.get(name, [0.0] * 3)
    for index, curve in curves.items():
        frame, value = curve.keyframe_points[0].co
        if index < len(own):
            # Without modifiers a curve has at its key what that says.
            own[index] = curve.evaluate(frame) if len(curve.modifiers) else value
    if not name.startswith("rotation"):
        return tuple(own)
    modes = {"rotation_quaternion": "QUATERNION", "rotation_axis_angle": "AXIS_ANGLE"}
    is_euler = bone.rotation_mode not in modes.values()
    mode = modes.get(name, bone.rotation_mode if is_euler else "XYZ")
    turn = quaternions_from_channels(np.array([own]), mode)[0]
    return tuple((turn if turn[0] >= 0 else -turn).tolist())


def _measure_size(armature: bpy.types.Object) -> float:
    """Largest extent of an armature's joints, its own units."""
    heads = np.array([bone.head_local for bone in armature.data.bones])
    return max(float(np.ptp(heads, axis=0).max()), HELD.no_size)


def _is_at_rest(name: str, value: tuple[float, ...], size: float) -> bool:
    """Whether a channel is as near to rest as importers leave bones that they do not pose.

    Places are held against the size of the armature.
    """
    return _is_same(name, value, _REST[name], size if name == "location" else 1.0)


def _is_same(
    name: str, one: tuple[float, ...], other: tuple[float, ...], size: float = 1.0
) -> bool:
    """Whether two values of a channel are alike; places against the size of the armature."""
    a, b = np.array(one), np.array(other)
    if name == "rotation":
        return float(1.0 - abs(a @ b)) <= HELD.turned
    scale = max(size, float(np.abs(b).max()), HELD.no_size)
    return float(np.abs(a - b).max()) <= HELD.moved * scale


def _list_away(entry: HeldBone) -> list[tuple[str, tuple[float, ...]]]:
    """Channels of a held bone that are not at rest."""
    values = {"location": entry.location, "rotation": entry.rotation, "scale": entry.scale}
    return [(name, value) for name, value in values.items() if value != _REST[name]]


def _join(channels: _Channels) -> tuple[HeldBone, ...]:
    """Channels as held bones, in the order of their names."""
    names = sorted({bone for bone, _ in channels})
    return tuple(
        HeldBone(bone, *(channels.get((bone, name), rest) for name, rest in _REST.items()))
        for bone in names
    )


def collect_evidence(
    armature_object: bpy.types.Object,
    actions: Sequence[bpy.types.Action] | None = None,
    span: tuple[float, float] | None = None,
    own: Sequence[bpy.types.Action] | None = None,
) -> BodyEvidence:
    """Read everything that tells where a character's legs are.

    Raises RigError where the object is no armature, has no bones, or is scaled unevenly.

    Parameters
    ----------
    armature_object
        The armature object. Neither it nor the scene, the frame or any action is changed.
    actions
        Actions to sample, or None for those of `choose_actions`.
    span
        First and last frame that count: meshes that are shown at any of them are. None for those of
        the scene.
    own
        What `find_actions` gives, where that is known.

    Returns
    -------
    BodyEvidence
        With bones that no clip moves as they stand, in the reading that lets feet stand; in character
        space, bones in the order of `read_skeleton`.
    """
    own = find_actions(armature_object) if own is None else own
    if actions is None:
        actions = choose_actions(armature_object, own=own)
    likeliest, *others = _list_holdings(armature_object, own)
    readings = [_read_evidence(armature_object, actions, likeliest, span)]
    if others:
        bearing = list_bearing(readings[0])
        others = [way for way in others if bearing & _list_differing(likeliest, way)]
        readings += [_read_evidence(armature_object, actions, held, span) for held in others]
    return readings[choose_standing(readings)]


def _list_differing(one: Sequence[HeldBone], other: Sequence[HeldBone]) -> set[str]:
    """Names of bones that stand differently in two ways."""
    return {bone.name for bone in set(one) ^ set(other)}


def _read_evidence(
    armature_object: bpy.types.Object,
    actions: Sequence[bpy.types.Action],
    held: Sequence[HeldBone],
    span: tuple[float, float] | None,
) -> BodyEvidence:
    """The evidence with some bones held."""
    skeleton = read_own_skeleton(armature_object, bpy.context.scene, held)
    index = {name: bone for bone, name in enumerate(skeleton.names)}
    bones = [armature_object.data.bones[name] for name in skeleton.names]
    tails = np.array([bone.tail_local for bone in bones], dtype=np.float64)
    skin = _read_meshes(armature_object, skeleton, index, span)
    points = stand_points(armature_object, skeleton, skin.points, skin.bones, skin.weights)
    each = np.arange(len(bones))[:, None]
    return BodyEvidence(
        skeleton=skeleton,
        tails=stand_points(
            armature_object,
            skeleton,
            to_character_space(skeleton, tails),
            each,
            np.ones((len(bones), 1)),
        ),
        deform=np.array([bone.use_deform for bone in bones], dtype=bool),
        vertices=points,
        vertex_bones=skin.bones,
        vertex_weights=skin.weights,
        keeps_volume=skin.keeps_volume if skin.keeps_volume.any() else None,
        clips=tuple(
            clip
            for clip in (_sample_clip(armature_object, action, skeleton) for action in actions)
            if clip is not None
        ),
        ik_links=_read_ik_links(armature_object, index),
    )


def choose_actions(
    armature: bpy.types.Object,
    asked: Sequence[bpy.types.Action] = (),
    ignored: Sequence[bpy.types.Action] = (),
    own: Sequence[bpy.types.Action] | None = None,
) -> list[bpy.types.Action]:
    """Actions that may tell where an armature's legs are, ranked by name.

    Raises RigError where the object is no armature with bones.

    Parameters
    ----------
    asked
        Actions to take whatever they are called. The up to five best named others that key the armature
        are taken too, so that its legs do not hang on which of its clips is named.
    ignored
        Actions that tell nothing of it; those that other armatures play and this one does not are
        ignored anyway where some are asked for.
    own
        What `find_actions` gives, where that is known.
    """
    asked = list(dict.fromkeys(asked))
    foreign = _find_played_elsewhere(armature) if asked else set()
    own = find_actions(armature) if own is None else own
    best = [action for action in own if action not in ignored and action not in foreign]
    best = sorted(best, key=_rank_action)[: EVIDENCE.most_actions]
    return sorted(dict.fromkeys([*asked, *best]), key=_rank_action)


def _rank_action(action: bpy.types.Action) -> tuple[int, str]:
    """Sort key of actions: those first whose names promise a walk."""
    return -rank_action_name(action.name), action.name


def _find_played_elsewhere(armature: bpy.types.Object) -> set[bpy.types.Action]:
    """Actions that other armatures play and this one does not: they are made for those."""
    played: dict[bool, set[bpy.types.Action]] = {True: set(), False: set()}
    for item in bpy.data.objects:
        if item.type == "ARMATURE":
            played[item == armature] |= list_played(item)
    return played[False] - played[True]


def _sample_clip(
    armature: bpy.types.Object, action: bpy.types.Action, skeleton: Skeleton
) -> EvidenceClip | None:
    """Global poses of an action at 24 samples a second; None where it cannot be sampled."""
    try:
        clip = sample_action(armature, action, skeleton)
    except (AnalysisError, RigError):
        return None  # an action that is of no use here is no reason to find no legs
    clip, interval = _resample(clip)
    rotations, positions = compute_global_poses(
        skeleton, clip.rotations, clip.translations, clip.scales
    )
    sizes = clip.scales.mean(axis=-1)
    for bone, parent in enumerate(skeleton.parents):
        if parent >= 0:
            sizes[:, bone] *= sizes[:, parent]
    return EvidenceClip(action.name, rotations, positions, sizes, interval)


def _resample(clip: Clip) -> tuple[Clip, float]:
    """The clip at 24 samples a second, 24 to 200 of them, and the interval in seconds."""
    if clip.duration < EVIDENCE.shortest:
        return resample_clip(clip, clip.times[:1]), 1.0 / EVIDENCE.rate
    steps = int(
        np.clip(
            round(clip.duration * EVIDENCE.rate), EVIDENCE.fewest_samples, EVIDENCE.most_samples
        )
    )
    times = clip.times[0] + clip.duration * np.arange(steps + 1) / steps
    return resample_clip(clip, times), clip.duration / steps


def _read_ik_links(
    armature: bpy.types.Object, index: dict[str, int]
) -> tuple[tuple[int, int, int], ...]:
    """(constrained bone, target bone, chain length) of every active IK constraint."""
    return tuple(
        (index[bone.name], index[constraint.subtarget], constraint.chain_count)
        for bone in armature.pose.bones
        for constraint in bone.constraints
        if constraint.type == "IK"
        and not constraint.mute
        and constraint.target == armature
        and constraint.subtarget in index
    )


def _read_meshes(
    armature: bpy.types.Object,
    skeleton: Skeleton,
    index: dict[str, int],
    span: tuple[float, float] | None,
) -> MeshSkin:
    """All vertices that bones move; of hidden meshes those on bones that no visible one is on."""
    meshes = find_body_meshes(armature, skeleton)
    # Bones that do not deform move no vertices, whatever groups bear their names.
    deforming = {n: b for n, b in index.items() if armature.data.bones[n].use_deform}
    showings = find_showings([mesh.item for mesh in meshes], bpy.context, span)
    skins = [
        (
            showings[mesh.item].is_ever_shown(as_rendered=False),
            read_skin(mesh, index if mesh.bone else deforming),
        )
        for mesh in meshes
    ]
    seen = [skin for visible, skin in skins if visible]
    clad = np.unique(np.concatenate([np.empty(0, np.intp), *(skin.owners for skin in seen)]))
    hidden = [skin.select(~np.isin(skin.owners, clad)) for visible, skin in skins if not visible]
    parts = [MeshSkin(*_nothing()), *seen, *hidden]
    return MeshSkin(
        np.concatenate([part.points for part in parts]),
        np.concatenate([part.bones for part in parts]),
        np.concatenate([part.weights for part in parts]),
        np.concatenate([part.keeps_volume for part in parts]),
    )


def _nothing() -> tuple[FloatArray, np.ndarray, FloatArray, np.ndarray]:
    """Points, bones and weights of no vertices, and which of them keep their volume."""
    count = EVIDENCE.influences
    return (
        np.zeros((0, 3)),
        np.zeros((0, count), np.intp),
        np.zeros((0, count)),
        np.zeros(0, dtype=bool),
    )


# By how much a channel may be beyond what its keys have, of its size: importers round.
_SAME = 1e-3


def note_keyed_object(
    armature: bpy.types.Object, own: Iterable[bpy.types.Action]
) -> tuple[Note, ...]:
    """A note of the first action that undoes the place, turn or scale of an armature object.

    Parameters
    ----------
    armature
        The object, as it is now. Where its keys have put it there is nothing to tell.
    """
    mode = armature.rotation_mode
    turn = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
    turned = turn.get(mode, "rotation_euler")
    paths = {"location": "location", turned: "rotation", "scale": "scale"}
    settled = _list_settled(armature, set(paths))
    playing, _ = find_playing_action(armature)
    for action in own:
        # Where no action plays that keys it, a walk begins where the object stands.
        meant = set(paths) - ({"location"} if action != playing else set())
        slot = versions.find_slot(action, armature)
        curves = [] if slot is None else versions.get_curves(action, slot)
        undone = {
            paths[curve.data_path]
            for curve in curves
            if curve.data_path in meant
            and (curve.data_path, curve.array_index) not in settled
            and _is_undone(armature, curve)
        }
        if undone:
            told = " and ".join(sorted(undone))
            return (make_note(NoteKind.OBJECT_KEYED, action=action.name, channels=told),)
    return ()


def _list_settled(armature: bpy.types.Object, paths: set[str]) -> set[tuple[str, int]]:
    """Channels of an object that its playing bake has put where they are: path and index of each."""
    action, slot = find_playing_action(armature)
    if action is None or not is_bake_of(armature, action):
        return set()
    curves = versions.get_curves(action, slot)
    own = [curve for curve in curves if curve.data_path in paths]
    return {(c.data_path, c.array_index) for c in own if not _is_undone(armature, c)}


def _is_undone(armature: bpy.types.Object, curve: bpy.types.FCurve) -> bool:
    """Whether an object's channel is beyond what its curve has anywhere."""
    own = float(getattr(armature, curve.data_path)[curve.array_index])
    keyed = np.array([key.co[1] for key in curve.keyframe_points])
    if not len(keyed) or curve.mute:
        return False
    room = _SAME * max(1.0, abs(own)) if curve.data_path != "scale" else _SAME * abs(own)
    return bool(own < keyed.min() - room or own > keyed.max() + room)
