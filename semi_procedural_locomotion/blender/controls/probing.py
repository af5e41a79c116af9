# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Controls of a rig found by moving them on a copy (docs/method/controls.md, Moves and shares)."""

from __future__ import annotations

import itertools
from collections.abc import Container, Sequence
from dataclasses import replace

import bpy
import numpy as np
from mathutils import Matrix

from ...core.rig.controls.limits import PROBE
from ...core.rig.controls.mapping import VERIFIED, BoneControl, ControlMap, LegControls, SwitchValue
from ...core.rig.controls.records import LimbJoints
from ...core.rig.skeleton import HeldBone
from ...core.rig.structure import Leg, Rig
from ...notes import Note, NoteKind, make_note
from .. import versions
from ..values.components import write_component
from ..values.constraints import list_targets
from ..values.curves import evaluate_curve
from ..values.evaluation import is_fixed
from ..values.held import pose_held
from .candidates import list_candidates
from .levers import list_keyed_influences
from .links import Links, read_links
from .moving import ProbedArmature, probe_armature
from .pelvis import find_pelvis
from .searching import ChainControls, ControlSearch, FootControls, Values, Watched
from .upper import read_upper_body


def probe_controls(
    armature: bpy.types.Object, rig: Rig, action: bpy.types.Action | None = None
) -> ControlMap:
    """The controls of a rig, found by moving what may be one on a copy of it.

    Parameters
    ----------
    armature
        The user's object; nothing of it or of its scene is changed.
    rig
        Its legs.
    action
        A motion, in whose first pose the controls are moved, with switches as it has them; None for the
        first one that is used in the set-up, if there is one.

    Returns
    -------
    ControlMap
        Empty where the armature has neither constraints nor drivers, or none that matter, so that
        its bones are their own controls.
    """
    if not has_controls(armature):
        return ControlMap(body="")
    watched = _list_watched(armature, rig)
    with probe_armature(armature, rig, watched.joints) as probed:
        links = read_links(probed.double, rig.skeleton.ends)
        first, held = action or _find_used_action(armature), rig.skeleton.held
        _pose_as_clip(probed, armature, first, links.by_bones, held)
        probed.keep_basis()
        near = links.list_leaders(watched.joints)
        candidates = list_candidates(armature, near, list_keyed_influences(armature))
        search = ControlSearch(probed, watched, links, candidates)
        search.search()
        pelvis = find_pelvis(probed, rig, search, links) if search.body else ""
        for share in PROBE.later_poses if first is not None else ():
            # A leg that does not reach its control in one pose may do so in another.
            _pose_as_clip(probed, armature, first, links.by_bones, held, share)
            probed.keep_basis()
            if not search.search_again():
                break
    if _are_their_own(search):
        return ControlMap(body="")
    return replace(_make_map(rig, search, links), pelvis=pelvis)


def has_controls(armature: bpy.types.Object) -> bool:
    """Whether constraints or drivers let some bones of an armature follow others."""
    data = armature.animation_data
    if data is not None and len(data.drivers):
        return True
    return any(
        armature in list_targets(constraint)
        for bone in armature.pose.bones
        for constraint in bone.constraints
    )


def _list_watched(armature: bpy.types.Object, rig: Rig) -> Watched:
    """The joints to watch: body, legs and upper body."""
    names = rig.skeleton.names
    legs = [names[bone] for leg in rig.legs for bone in leg.bones]
    read = read_upper_body(armature, rig)
    upper = [name for name in read.joints if name not in legs]
    joints = tuple(dict.fromkeys([read.body, *legs, *upper]))
    place = {name: number for number, name in enumerate(joints)}
    scale = rig.skeleton.object_scale
    limbs = tuple(
        LimbJoints(
            joints=tuple(place[names[bone]] for bone in leg.joints),
            toe=None if leg.toe is None else place[names[leg.toe]],
            others=tuple(place[names[other.ankle]] for other in rig.legs if other is not leg),
            body=place[read.body],
            length=leg.length / scale,
            is_detached=leg.detached,
            has_foot=bool(rig.skeleton.is_own[leg.ankle]),
        )
        for leg in rig.legs
    )
    return Watched(joints, limbs, tuple(place[name] for name in upper))


def _find_used_action(armature: bpy.types.Object) -> bpy.types.Action | None:
    """The first motion that is used in the set-up of an armature; None where there is none."""
    character = getattr(armature, "locomotion", None)
    entries = () if character is None else character.motions
    return next((e.action for e in entries if e.enabled and e.action is not None), None)


def _pose_as_clip(
    probed: ProbedArmature,
    armature: bpy.types.Object,
    action: bpy.types.Action | None,
    switches: Container[str],
    held: Sequence[HeldBone],
    share: float = 0.0,
) -> None:
    """Put the copy in the pose at a share of a motion, at rest without one.

    Bones that are switches, and those that nobody can pose, stay as they are.
    """
    double = probed.double
    for bone in double.pose.bones:
        if bone.name not in switches and not is_fixed(bone):
            bone.matrix_basis = Matrix()
    pose_held(double, [bone for bone in held if bone.name not in switches])
    slot = None if action is None else versions.find_slot(action, armature)
    if action is None or slot is None:
        return
    start, end = action.frame_range
    first = np.array([start + share * (end - start)], dtype=np.float64)
    for curve in versions.get_curves(action, slot):
        if not curve.mute and curve.data_path.startswith(("pose.bones[", "[")):
            key = (curve.data_path, curve.array_index)
            write_component(double, key, float(evaluate_curve(curve, first)[0]))


def _are_their_own(search: ControlSearch) -> bool:
    """Whether all that was found are the joints themselves, turned one by one."""
    watched = search.watched
    if any(search.feet) or any(watched.joints[i] != name for i, name in search.turned.items()):
        return False
    return all(
        chain is not None and set(chain.names) <= watched.name_leg(number)
        for number, chain in enumerate(search.chains)
    )


def _make_map(rig: Rig, search: ControlSearch, links: Links) -> ControlMap:
    """What was found, with what is doubtful about it."""
    legs = tuple(_make_leg(leg, number, search, links) for number, leg in enumerate(rig.legs))
    doubts = []
    if not search.body:
        doubts.append(make_note(NoteKind.NO_BODY_CONTROL))
    names, joints = rig.skeleton.names, search.watched.joints
    order = {name: number for number, name in enumerate(names)}
    turned = sorted(search.turned.items(), key=lambda item: order[joints[item[0]]])
    return ControlMap(
        body=search.body,
        root=search.root,
        legs=legs,
        turned=tuple(BoneControl(joints[joint], control) for joint, control in turned),
        switches=tuple(search.switches),
        confidence=min([search.body_share, *(leg.confidence for leg in legs)]),
        doubts=tuple(doubts),
    )


def _make_leg(leg: Leg, number: int, search: ControlSearch, links: Links) -> LegControls:
    """The controls of one leg."""
    foot, chain = search.feet[number], search.chains[number]
    doubts = _list_doubts(leg, search.watched.name_leg(number), foot, chain, links)
    # A foot that half follows would never come to its place; a whole chain takes it there.
    if foot is not None and chain is not None and foot.share < VERIFIED <= chain.share:
        foot = None
    shares = [one.share for one in (foot, chain) if one is not None]
    return LegControls(
        leg=leg.name,
        foot="" if foot is None else foot.foot,
        ankle="" if foot is None else foot.ankle,
        toe=_find_toe(leg, foot, chain),
        rolls=() if foot is None else foot.rolls,
        hock="" if foot is None else foot.hock,
        pole="" if foot is None else foot.pole,
        pole_turns=foot is not None and foot.pole_turns,
        chain=() if chain is None else chain.names,
        switches=_compare_states(number, search, foot, chain),
        confidence=max(shares, default=0.0),
        doubts=tuple(doubts),
    )


def _find_toe(leg: Leg, foot: FootControls | None, chain: ChainControls | None) -> str:
    """The control of the toe where IK acts, else that of the chain."""
    if foot is not None:
        return foot.toe
    has_toe = chain is not None and len(chain.names) > len(leg.joints)
    return chain.names[-1] if chain is not None and has_toe else ""


def _compare_states(
    number: int, search: ControlSearch, foot: FootControls | None, chain: ChainControls | None
) -> tuple[SwitchValue, ...]:
    """Properties of a leg that differ between the state of its foot control and of its chain."""
    levers = [one for one in search.levers if one.reach & search.watched.name_leg(number)]
    now: Values = {k: v for one in levers for k, v in zip(one.keys, one.now, strict=True)}
    ik = now if foot is None else foot.values
    fk = now if chain is None else chain.values
    if foot is None and chain is None:
        return ()
    return tuple(SwitchValue(key, ik[key], fk[key]) for key in now if ik[key] != fk[key])


def _list_doubts(
    leg: Leg,
    names: frozenset[str],
    foot: FootControls | None,
    chain: ChainControls | None,
    links: Links,
) -> list[Note]:
    """What is missing of a leg's controls, or did not follow."""
    doubts = []
    if foot is None and chain is None:
        doubts.append(make_note(NoteKind.NO_FOOT_CONTROL, leg.name))
    for one, control in ((foot, foot and foot.foot), (chain, chain and chain.names[-1])):
        if one is not None and control and one.share < PROBE.rigid:
            doubts.append(
                make_note(NoteKind.CONTROL_MOVES_PARTLY, leg.name, control=control, share=one.share)
            )
    if foot is not None and chain is not None:
        return doubts
    for bone, moved in links.by_bones.items():
        if names & links.list_followers(moved):
            doubts.append(make_note(NoteKind.SWITCHED_BY_BONE, leg.name, bone=bone))
            break
    others = itertools.chain(
        links.by_others, *(links.switched[key] for key in links.driven & links.switched.keys())
    )
    if names & links.list_followers(others):
        doubts.append(make_note(NoteKind.SWITCH_NOT_KEYED, leg.name))
    return doubts
