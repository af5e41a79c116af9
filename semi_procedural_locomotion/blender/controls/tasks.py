# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which controls of a rig a walk moves, and what each has to reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import bpy
import numpy as np

from ...core.keys.channels import (
    BasisPoses,
    ChannelLayout,
    basis_from_poses,
    poses_from_matrices,
)
from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ...core.motions.properties import BlendedProperty, PropertyKey
from ...core.pose import PoseArray
from ...core.rig.controls.correcting import ControlTask, LegTask
from ...core.rig.controls.fitting import Freedom, list_freedoms, read_marks
from ...core.rig.controls.mapping import ControlMap, LegControls
from ...core.rig.controls.rigid import find_move
from ...core.rig.controls.targets import (
    Residuals,
    bring_to_armature,
    find_targets,
    measure_residuals,
)
from ...core.rig.skeleton import Skeleton
from ...core.rig.structure import Leg, Rig
from ..limits import WRITING
from ..travel.reading import sample_own_matrices
from ..values.armature import read_channel_layout
from ..values.components import read_component
from .evaluating import (
    evaluate_channels,
    find_free_axes,
    is_moved_under,
    list_channels,
    plays_strips,
)


@dataclass(frozen=True)
class WorldBones:
    """World poses of K bones at N frames.

    Attributes
    ----------
    names
        Of the bones, length K.
    rotations, positions
        Metres, shapes (N, K, 4) and (N, K, 3).
    """

    names: tuple[str, ...]
    rotations: FloatArray
    positions: FloatArray


@dataclass(frozen=True)
class WalkOnControls:
    """A walk that is to be brought on the controls of a rig.

    Attributes
    ----------
    armature, controls, rig
        The character.
    poses
        What its deforming bones shall do, at N frames.
    frames
        Scene frames, shape (N,).
    keyed
        Names of the bones that the motions key.
    carrier
        Name of the bone that carries the travel; empty where the bones make up for the object's own
        motion, None where the object carries it.
    sources
        The motions' own actions; None where the walk is an action of its own that plays alone.
    legs
        World poses of the bones that carry the legs, where they do not follow exactly from ``poses``,
        as those of legs that stretch; None where they do.
    """

    armature: bpy.types.Object
    controls: ControlMap
    rig: Rig
    poses: PoseArray
    frames: FloatArray
    keyed: frozenset[str]
    carrier: str | None = None
    sources: Sequence[bpy.types.Action] | None = ()
    legs: WorldBones | None = None

    @cached_property
    def world(self) -> FloatArray | None:
        """World matrices of the object where it does not carry the travel, shape (N, 4, 4)."""
        if self.carrier is None:
            return None
        return sample_own_matrices(self.armature, self.frames, bpy.context.scene)

    @cached_property
    def written(self) -> tuple[str, ...]:
        """Names of the bones that are keyed: controls in use, and what the motions key beside them."""
        controls, keyed = self.controls, self.keyed
        names = [controls.body, *(name for leg in controls.legs for name in _list_used(leg))]
        names += [control for _, control in self.turned]
        if self.carrier:
            names.append(self.carrier)
        if is_moved_under(self.armature, controls.root, self.sources):
            names.append(controls.root)
        names_seen = (self.rig.body, self.pelvis)
        seen = {self.rig.skeleton.names[bone] for bone in names_seen}
        seen.update(entry.bone for entry in controls.turned)
        for leg in self.rig.legs:
            seen.update(self.rig.skeleton.names[bone] for bone in leg.bones)
        bones = self.armature.pose.bones
        for name in self.rig.skeleton.names:
            if name in keyed and (name not in seen or name in controls.bones):
                names.append(name)
        return tuple(dict.fromkeys(name for name in names if name in bones))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the legs that have controls."""
        known = {leg.name for leg in self.rig.legs}
        legs = self.controls.legs
        return tuple(leg.leg for leg in legs if leg.leg in known and (leg.foot or leg.chain))

    @cached_property
    def turned(self) -> tuple[tuple[str, str], ...]:
        """Bones of the upper body with the controls that turn them, one for each control.

        All of them where the motions key deforming bones of the upper body and no control of it.
        """
        entries = {entry.control: entry.bone for entry in reversed(self.controls.turned)}
        ordered = [entry for entry in self.controls.turned if entries[entry.control] == entry.bone]
        names = self.rig.skeleton.names
        known = [(e.bone, e.control) for e in ordered if e.bone in names and e.control in names]
        own = [pair for pair in known if pair[1] in self.keyed]
        if own or not any(bone in self.keyed for bone, _ in known):
            return tuple(own)
        return tuple(known)

    @cached_property
    def pelvis(self) -> int:
        """The bone by which the body is seen."""
        names, own = self.rig.skeleton.names, self.controls.pelvis
        return names.index(own) if own in names else self.rig.body

    @cached_property
    def bones(self) -> tuple[int, ...]:
        """Deforming bones by which the walk is seen.

        Those of legs, one leg after the other, that of the body and those of ``turned``.
        """
        skeleton = self.rig.skeleton
        legs = [bone for leg in self.rig.legs for bone in leg.bones]
        return (*legs, self.pelvis, *(skeleton.find_index(bone) for bone, _ in self.turned))

    @cached_property
    def layout(self) -> ChannelLayout:
        """How all bones that are looked at, and all above them, are keyed."""
        return read_channel_layout(self.armature, self._selection[0])

    @cached_property
    def indices(self) -> np.ndarray:
        """Indices of the bones of the layout in the rig, shape (K,)."""
        return self._selection[1]

    @cached_property
    def _selection(self) -> tuple[Skeleton, np.ndarray]:
        skeleton = self.rig.skeleton
        return skeleton.select([*self.bones, *(skeleton.find_index(name) for name in self.written)])

    @cached_property
    def targets(self) -> FloatArray:
        """Rigid matrices that ``bones`` shall have, shape (N, T, 4, 4)."""
        skeleton, legs = self.rig.skeleton, self.legs
        found = find_targets(skeleton, self.poses, self.bones, self.world)
        self._offset_beside(found)
        if legs is None:
            return found
        places = {name: place for place, name in enumerate(legs.names)}
        rows = [i for i, bone in enumerate(self.bones) if skeleton.names[bone] in places]
        chosen = [places[skeleton.names[self.bones[row]]] for row in rows]
        found[:, rows] = bring_to_armature(
            skeleton,
            self.poses,
            legs.rotations[:, chosen],
            legs.positions[:, chosen],
            self.world,
        )
        return found

    def _offset_beside(self, targets: FloatArray) -> None:
        """Take the upper body along where it hangs beside the body of the rig, which was offset alone."""
        carried = set(self.rig.skeleton.find_descendants(self.rig.body))
        start = sum(len(leg.bones) for leg in self.rig.legs)
        beside = [i for i, b in enumerate(self.bones) if i >= start and b not in carried]
        if self.poses.offset is None or not beside:
            return
        offset, plain = (
            find_targets(self.rig.skeleton, poses, [self.rig.body], self.world)[:, 0]
            for poses in (self.poses, self.poses.take_back_offset(self.rig.body))
        )
        targets[:, beside] = find_move(offset, plain)[:, None] @ targets[:, beside]

    def find_place(self, name: str) -> int:
        """Index of a bone in the layout."""
        return self.layout.skeleton.find_index(name)

    def list_switches(self) -> Iterator[tuple[PropertyKey, float]]:
        """Properties of the rig and what they have to be."""
        for leg in self.controls.legs:
            for switch in leg.switches:
                yield switch.key, switch.ik if leg.foot else switch.fk
        if self.turned and not any(control in self.keyed for _, control in self.turned):
            for switch in self.controls.switches:
                yield switch.key, switch.fk

    def blend_properties(self) -> dict[PropertyKey, BlendedProperty]:
        """What is keyed beside transforms, the switches among it."""
        count = len(self.poses)
        found = dict(self.poses.properties)
        for key, value in self.list_switches():
            if read_component(self.armature, key) is not None:
                found[key] = BlendedProperty(np.full(count, value), np.ones(count))
        return found

    def make_task(self) -> ControlTask:
        """What the controls have to reach."""
        places = np.searchsorted(self.indices, np.array(self.bones))
        targets = {int(place): self.targets[:, i] for i, place in enumerate(places)}
        names = self.rig.skeleton.names
        known = {leg.name: leg for leg in self.rig.legs}
        own = {leg.leg: leg for leg in self.controls.legs}
        legs = [self._make_leg(known[name], own[name]) for name in self.names]
        return ControlTask(
            self.layout,
            targets,
            (self.find_place(self.controls.body), self.find_place(names[self.pelvis])),
            tuple(legs),
            tuple(
                (self.find_place(control), self.find_place(bone)) for bone, control in self.turned
            ),
        )

    def _make_leg(self, leg: Leg, controls: LegControls) -> LegTask:
        """The controls of one leg."""
        names = self.rig.skeleton.names

        def find(name: str) -> int | None:
            return self.find_place(name) if name in self.written else None

        joints, toe = leg.joints, leg.toe
        if controls.foot and controls.hock and toe is not None and len(joints) == 3:
            # The foot control holds the toe, as a paw, and the ankle is turned about it.
            joints, toe = (*joints, toe), None
        return LegTask(
            joints=tuple(self.find_place(names[bone]) for bone in joints),
            toe=None if toe is None else self.find_place(names[toe]),
            length=leg.length / self.rig.skeleton.object_scale,
            foot=find(controls.foot),
            ankle_control=find(controls.ankle),
            toe_control=find(controls.toe),
            hock=find(controls.hock),
            pole=find(controls.pole),
            pole_turns=controls.pole_turns,
            pole_axes=find_free_axes(self.armature, controls.pole),
            chain=() if controls.foot else tuple(self.find_place(n) for n in controls.chain),
        )

    def list_freedoms(self, task: ControlTask) -> list[list[Freedom]]:
        """All ways to move the controls of each leg that has some, in the order of the task's."""
        rolls = {leg.leg: leg.rolls for leg in self.controls.legs if leg.foot}
        return [
            list_freedoms(
                leg, [self.find_place(n) for n in rolls.get(name, ()) if n in self.written]
            )
            for leg, name in zip(task.legs, self.names, strict=True)
        ]

    def read_marks(self, shown: FloatArray) -> list[tuple[FloatArray, FloatArray]]:
        """Places by which each leg with controls is fitted, as shown and as wanted, (N, R) each."""
        found, start = {}, 0
        for leg in self.rig.legs:
            rows = slice(start, start + len(leg.bones))
            places = np.searchsorted(self.indices, np.array(leg.bones))
            found[leg.name] = tuple(
                read_marks(leg, self.rig.skeleton, matrices)
                for matrices in (shown[:, places], self.targets[:, rows])
            )
            start += len(leg.bones)
        return [found[name] for name in self.names]

    def measure(self, shown: FloatArray) -> Residuals:
        """How far the legs are off."""
        count = sum(len(leg.bones) for leg in self.rig.legs)
        places = np.searchsorted(self.indices, np.array(self.bones[:count]))
        return measure_residuals(
            self.rig.legs, self.rig.skeleton, self.targets[:, :count], shown[:, places]
        )

    def evaluate(self, basis: BasisPoses, names: Sequence[str] = ()) -> FloatArray:
        """Matrices of bones, else of those of the layout, as the rig shows them, shape (N, K, 4, 4)."""
        bones = {name: self.find_place(name) for name in self.written}
        channels = list_channels(self.armature, bones, basis)
        for key, blended in self.blend_properties().items():
            present = read_component(self.armature, key)
            if present is not None:
                channels[key] = blended.fill(present)
        names = names or self.layout.skeleton.names
        return evaluate_channels(self.armature, channels, names, self.frames, self.sources)

    def finish(self, basis: BasisPoses, shown: FloatArray | None = None) -> PoseArray:
        """The poses with the channels of the controls beside them.

        Parameters
        ----------
        basis
            Channels of the layout's bones.
        shown
            Matrices of all bones with these, shape (N, B, 4, 4), where the deforming ones get
            channels, too; None where they get none.
        """
        poses, count = self.poses, len(self.rig.skeleton)
        full = BasisPoses(
            np.tile(rot.IDENTITY, (len(poses), count, 1)),
            np.zeros((len(poses), count, 3)),
            np.ones((len(poses), count, 3)),
        )
        rotated, moved, scaled, owned = (np.zeros(count, dtype=bool) for _ in range(4))
        size = float(np.abs(self.rig.skeleton.rest_translations).max())
        size /= self.rig.skeleton.object_scale
        for name in self.written:
            bone, place = self.rig.skeleton.find_index(name), self.find_place(name)
            owned[bone] = True
            full.rotations[:, bone] = basis.rotations[:, place]
            full.locations[:, bone] = basis.locations[:, place]
            full.scales[:, bone] = basis.scales[:, place]
        if shown is not None:
            self._add_deforming(full, owned, shown)
        for bone in np.flatnonzero(owned):
            turned = rot.angles_between(full.rotations[:, bone], rot.IDENTITY)
            rotated[bone] = turned.max() > WRITING.posed
            moved[bone] = np.abs(full.locations[:, bone]).max() > WRITING.posed * size
            scaled[bone] = np.abs(full.scales[:, bone] - 1.0).max() > WRITING.posed
        if plays_strips(self.armature):
            # What is left without keys would be as the strips below have it.
            rotated, moved, scaled = owned.copy(), owned.copy(), owned.copy()
        return replace(
            poses,
            rotated=rotated,
            moved=moved,
            scaled=scaled,
            owned=owned,
            properties=self.blend_properties(),
            basis=full,
        )

    def _add_deforming(self, full: BasisPoses, owned: np.ndarray, shown: FloatArray) -> None:
        """Give the deforming bones the channels with which they are as shown without constraints."""
        skeleton, bones = self.rig.skeleton, self.armature.data.bones
        layout = read_channel_layout(self.armature, skeleton)
        own = basis_from_poses(layout, *poses_from_matrices(skeleton, shown))
        for bone, name in enumerate(skeleton.names):
            if name in bones and bones[name].use_deform and not owned[bone]:
                owned[bone] = True
                full.rotations[:, bone] = own.rotations[:, bone]
                full.locations[:, bone] = own.locations[:, bone]
                full.scales[:, bone] = own.scales[:, bone]


def _list_used(leg: LegControls) -> tuple[str, ...]:
    """Controls of a leg that a walk moves."""
    if not leg.foot:
        return leg.chain
    return (leg.foot, leg.ankle, leg.hock, leg.toe, leg.pole, *leg.rolls)
