# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The controls of limbs in every state of their switches, as they are found one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ...core.motions.properties import PropertyKey
from ...core.rig.controls import judging
from ...core.rig.controls.hips import find_hip_movers
from ...core.rig.controls.limits import PROBE
from ...core.rig.controls.mapping import SwitchValue
from ...core.rig.controls.records import Found, LimbJoints
from ...core.rig.controls.responses import BACK, DROP, LIFT, TURN, Responses
from .candidates import Candidate
from .levers import Lever, list_levers
from .links import Links
from .moving import ProbedArmature, move_candidates
from .names import Role, rank_name

_TURNS = (TURN, BACK)
_ALL = (LIFT, DROP, *_TURNS)
# From this rank on a bone does not look like a control at all.
_UNLIKELY = 4

Values = dict[PropertyKey, float]
"""Properties and what they are in a state."""


@dataclass(frozen=True)
class Watched:
    """What is watched while controls are moved.

    Attributes
    ----------
    joints
        Names of all joints.
    legs
        The legs among them.
    upper
        The joints of the upper body among them.
    """

    joints: tuple[str, ...]
    legs: tuple[LimbJoints, ...]
    upper: tuple[int, ...]

    def name_leg(self, number: int) -> frozenset[str]:
        """Names of the joints of a leg."""
        leg = self.legs[number]
        toe = () if leg.toe is None else (leg.toe,)
        return frozenset(self.joints[i] for i in (*leg.joints, *toe))


@dataclass(frozen=True)
class FootControls:
    """Names of the controls of a leg where it acts on its foot control, and what switches are then."""

    foot: str
    share: float
    ankle: str = ""
    toe: str = ""
    rolls: tuple[str, ...] = ()
    hock: str = ""
    pole: str = ""
    pole_turns: bool = False
    values: Values = field(default_factory=dict)


@dataclass(frozen=True)
class ChainControls:
    """Names of the controls of a leg where it acts on a chain, and what switches are then."""

    names: tuple[str, ...]
    share: float
    values: Values = field(default_factory=dict)


@dataclass(frozen=True)
class _Moved:
    """What candidates did, and how they rank."""

    candidates: tuple[Candidate, ...]
    responses: Responses
    heads: FloatArray

    def name(self, found: Found) -> str:
        """Name of a control, empty for none."""
        return self.responses.controls[found.control] if found else ""

    def rank(self, role: Role, *, deepest: bool) -> judging.Rank:
        """Order of controls that do the same."""

        def measure(number: int) -> tuple[int, ...]:
            one = self.candidates[number]
            depth = -one.depth if deepest else one.depth
            return (one.rank >= _UNLIKELY, rank_name(one.name, role), one.rank, depth)

        return measure


class ControlSearch:
    """Moves the candidates in each state of the switches, and gathers what is found."""

    def __init__(
        self,
        probed: ProbedArmature,
        watched: Watched,
        links: Links,
        candidates: Sequence[Candidate],
    ) -> None:
        self.probed, self.watched, self.links = probed, watched, links
        count = len(watched.legs)
        self.feet: list[FootControls | None] = [None] * count
        self.chains: list[ChainControls | None] = [None] * count
        self.turned: dict[int, str] = {}
        self.switches: list[SwitchValue] = []
        self.body, self.body_share, self.root = "", 0.0, ""
        self.hip_movers: list[str] = []
        limbs = [watched.name_leg(number) for number in range(count)]
        limbs.append(frozenset(watched.joints[i] for i in watched.upper))
        self.levers = list_levers(probed.double, links, limbs)
        most = PROBE.most_bones // max(len(probed.double.pose.bones), 1)
        most = min(max(most, PROBE.least_candidates), PROBE.most_candidates)
        self.candidates = tuple(candidates[:most])

    def search(self) -> None:
        """Probe as many states as it takes."""
        now = {k: v for lever in self.levers for k, v in zip(lever.keys, lever.now, strict=True)}
        self.probed.set_properties(now)
        moved = self._move(self.candidates, _ALL)
        self._find_carriers(moved)
        self._find_limbs(moved, now, range(len(self.feet)))
        self.turned = self._find_upper(moved, self.watched.upper)
        # What carries the whole body does so in every state.
        carried = moved.responses.measure_shifts(DROP)[:, self.watched.legs[0].body] > PROBE.still
        limb = [c for c, far in zip(self.candidates, carried, strict=True) if not far]
        for group in self._group_levers():
            legs = [i for i in range(len(self.feet)) if self._is_open(i, group)]
            reach = frozenset().union(*(lever.reach for lever in group))
            upper = [i for i in self.watched.upper if self.watched.joints[i] in reach]
            if not legs and all(i in self.turned for i in upper):
                continue
            flips = {k: v for one in group for k, v in zip(one.keys, one.flipped, strict=True)}
            if not self._is_felt(now, flips):
                continue
            self.probed.set_properties({**now, **flips})
            near = [c for c in limb if reach & self.links.list_followers([c.name])]
            # A chain is turned, and nothing else of it is asked.
            is_shifted = any(self.feet[number] is None for number in legs)
            state = self._move(tuple(near), _ALL if is_shifted else _TURNS)
            self._find_limbs(state, {**now, **flips}, legs)
            found = self._find_upper(state, upper)
            for lever in group:
                self._take_over(lever, found)
            self.probed.set_properties(now)

    def search_again(self) -> bool:
        """Probe once more in another pose, where nothing acts on a leg in the first; whether it does."""
        legs = [
            i for i, ways in enumerate(zip(self.feet, self.chains, strict=True)) if not any(ways)
        ]
        if not legs:
            return False
        now = {k: v for lever in self.levers for k, v in zip(lever.keys, lever.now, strict=True)}
        self.probed.set_properties(now)
        self._find_limbs(self._move(self.candidates, _ALL), now, legs)
        return True

    def _is_felt(self, now: Values, flips: Values) -> bool:
        """Whether properties change any joint while all controls are turned this way and that."""
        stirred = {
            one.name: self.probed.turn(one.name, PROBE.turn * (1 + number % 3), one.turns)
            for number, one in enumerate(self.candidates)
        }
        self.probed.pose(stirred)
        before = self.probed.read(self.watched.joints)
        self.probed.set_properties({**now, **flips})
        after = self.probed.read(self.watched.joints)
        self.probed.set_properties(now)
        self.probed.pose({name: self.probed.basis[name] for name in stirred})
        ways = rot.lengths(after[:, :3, 3] - before[:, :3, 3]) / self.probed.step
        turns = np.abs(after[:, :3, :3] - before[:, :3, :3]).max(axis=(1, 2))
        return bool(ways.max() > PROBE.noise or turns.max() > PROBE.noise)

    def _group_levers(self) -> Iterator[list[Lever]]:
        """Levers to be set at once, since they reach different limbs, the likelier first."""
        ranks = sorted({lever.rank for lever in self.levers})
        pairs = _find_pairs([one for one in self.levers if one.rank == ranks[0]]) if ranks else []
        groups: list[tuple[set[str], list[Lever]]] = []
        for lever in self.levers:
            for reach, members in groups:
                if members[0].rank == lever.rank and reach.isdisjoint(lever.reach):
                    reach |= lever.reach
                    members.append(lever)
                    break
            else:
                groups.append((set(lever.reach), [lever]))
        if pairs:
            yield pairs
        for _, members in groups[: PROBE.most_states]:
            yield members

    def _is_open(self, number: int, group: Sequence[Lever]) -> bool:
        """Whether a leg still lacks controls that levers may let act."""
        names = self.watched.name_leg(number)
        if not any(names & lever.reach for lever in group):
            return False
        return self.feet[number] is None or self.chains[number] is None

    def _move(self, candidates: tuple[Candidate, ...], moves: Sequence[int]) -> _Moved:
        """Move candidates from the present pose."""
        heads = self.probed.read(self.watched.joints)[:, :3, 3]
        responses = move_candidates(self.probed, candidates, self.links, moves)
        return _Moved(candidates, responses, heads)

    def _find_carriers(self, moved: _Moved) -> None:
        """The controls of the body and of everything."""
        legs, responses = self.watched.legs, moved.responses
        found = judging.find_body(
            responses, legs, list(self.watched.upper), moved.rank(Role.BODY, deepest=True)
        )
        self.body, self.body_share = moved.name(found), found.share
        root = judging.find_root(
            responses, legs, found.control, moved.rank(Role.ROOT, deepest=False)
        )
        self.root = moved.name(root)
        movers = find_hip_movers(responses, [leg.joints[0] for leg in legs])
        self.hip_movers = [responses.controls[i] for i in movers]

    def _find_limbs(self, moved: _Moved, values: Values, legs: Sequence[int]) -> None:
        """Foot controls and chains of legs that act now."""
        feet = {}
        for number in legs:
            old = self.feet[number]
            foot = self._find_foot(moved, number)
            if foot and (old is None or old.share < PROBE.rigid <= foot.share):
                feet[number] = foot
            self._find_chain(moved, number, values)
        if feet:
            self._watch_bent(moved, feet, values)

    def _find_foot(self, moved: _Moved, number: int) -> Found:
        """The foot control of a leg, if it acts now.

        Where one holds the toe, and another turns the ankle about it, the toe counts as the ankle.
        """
        responses, leg = moved.responses, self.watched.legs[number]
        rank = moved.rank(Role.FOOT, deepest=False)
        foot = judging.find_foot(responses, leg, moved.heads, rank)
        turns = judging.share_ankle_turns(responses, leg)
        if leg.toe is None or (foot and min(foot.share, turns[foot.control]) >= PROBE.rigid):
            return foot
        paw = leg.stand_on_toe()
        held = judging.find_foot(responses, paw, moved.heads, rank)
        if not held or held.share < PROBE.rigid:
            return foot
        if not judging.find_hock(responses, paw, moved.heads, rank):
            return foot
        legs = list(self.watched.legs)
        legs[number] = paw
        self.watched = replace(self.watched, legs=tuple(legs))
        return held

    def _find_upper(self, moved: _Moved, joints: Sequence[int]) -> dict[int, str]:
        """What turns joints of the upper body now, and leaves the hips to the control of the body."""
        names = moved.responses.controls
        carriers = {self.body, self.root, *self.hip_movers}
        without = [names.index(n) for n in carriers if n in names]
        found = judging.find_turned(
            moved.responses, list(joints), without, moved.rank(Role.CHAIN, deepest=True)
        )
        return {joint: moved.name(one) for joint, one in found.items()}

    def _take_over(self, lever: Lever, found: dict[int, str]) -> None:
        """Use what turns a limb of the upper body with a lever flipped, if that is more of it."""
        reached = {i for i in self.watched.upper if self.watched.joints[i] in lever.reach}
        if len(reached & found.keys()) > len(reached & self.turned.keys()):
            self.turned = {i: name for i, name in self.turned.items() if i not in reached}
            self.turned.update({i: name for i, name in found.items() if i in reached})
            self.switches += _list_switch_values(lever)

    def _find_chain(self, moved: _Moved, number: int, values: Values) -> None:
        """The chain of a leg, if it acts now."""
        leg, old = self.watched.legs[number], self.chains[number]
        found = judging.find_chain(
            moved.responses, leg, moved.rank(Role.CHAIN, deepest=True), with_toe=True
        )
        if len(found) < len(leg.joints) - (not leg.has_foot):
            return
        share = min(one.share for one in found)
        if old is None or old.share < PROBE.rigid <= share:
            self.chains[number] = ChainControls(
                tuple(moved.name(one) for one in found), share, values
            )

    def _watch_bent(self, moved: _Moved, feet: dict[int, Found], values: Values) -> None:
        """What else moves legs that act on their foot controls, with their knees bent."""
        basis = self.probed.basis
        names = {number: moved.name(foot) for number, foot in feet.items()}
        bent = {name: self.probed.shift(name, PROBE.bend / PROBE.step) for name in names.values()}
        self.probed.pose(bent)
        self.probed.basis = {**basis, **bent}
        joints = frozenset().union(*(self.watched.name_leg(number) for number in feet))
        near = tuple(
            c
            for c in moved.candidates
            if joints & self.links.list_followers([c.name]) and c.name not in (self.body, self.root)
        )
        state = self._move(near, (LIFT, *_TURNS))
        for number, foot in feet.items():
            self.feet[number] = self._find_foot_controls(
                state, number, names[number], moved, foot, values
            )
        self.probed.pose({name: basis[name] for name in bent})
        self.probed.basis = basis

    def _find_foot_controls(
        self,
        state: _Moved,
        number: int,
        name: str,
        moved: _Moved,
        foot: Found,
        values: Values,
    ) -> FootControls:
        """The controls of one leg, found with its knee bent."""
        leg, responses, heads = self.watched.legs[number], state.responses, state.heads
        own = responses.controls.index(name)
        turns = float(judging.share_ankle_turns(moved.responses, leg)[foot.control])
        ankle = Found()
        if turns < PROBE.rigid:
            ankle = judging.find_turner(responses, leg, state.rank(Role.FOOT, deepest=False), own)
        behind = self.links.list_followers([name])
        tied = {i for i, control in enumerate(responses.controls) if control in behind}
        rolls = judging.find_rolls(responses, leg, heads, own, tied)
        rolls = [i for i in rolls if i != ankle.control and state.candidates[i].rank < _UNLIKELY]
        rolls.sort(key=lambda i: state.candidates[i].depth)
        hock = judging.find_hock(responses, leg, heads, state.rank(Role.ROLL, deepest=False))
        others = [own, *rolls, *(one.control for one in (hock, ankle) if one)]
        pole, pole_turns = judging.find_pole(
            responses, leg, heads, state.rank(Role.POLE, deepest=False), others
        )
        toe = judging.find_toe(responses, leg, state.rank(Role.TOE, deepest=True), [own, *rolls])
        return FootControls(
            foot=name,
            share=min(foot.share, max(turns, ankle.share)),
            ankle=state.name(ankle),
            toe=state.name(toe),
            rolls=tuple(responses.controls[i] for i in rolls),
            hock=state.name(hock),
            pole=state.name(pole),
            pole_turns=pole_turns,
            values=values,
        )


def _find_pairs(levers: Sequence[Lever]) -> list[Lever]:
    """Levers of limbs that have two of them, one at each end: one lets IK act and the other FK."""
    limbs: dict[frozenset[str], list[Lever]] = {}
    for lever in levers:
        limbs.setdefault(lever.reach, []).append(lever)
    found = []
    for members in limbs.values():
        if len(members) == 2:
            first, second = members
            if (first.now > first.flipped) != (second.now > second.flipped):
                found += members
    return found


def _list_switch_values(lever: Lever) -> list[SwitchValue]:
    """What the properties of a lever are while the other controls act than now."""
    ways = zip(lever.keys, lever.now, lever.flipped, strict=True)
    return [SwitchValue(key, now, flipped) for key, now, flipped in ways]
