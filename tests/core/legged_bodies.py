# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small bodies made in code, with walks of known geometry, for the tests of finding legs."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import numpy as np

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.legs import BodyEvidence, EvidenceClip
from semi_procedural_locomotion.core.rig.skeleton import Skeleton

FRAMES = 25
INTERVAL = 1.0 / 24.0
DUTY = 0.6
FORWARD = np.array([0.0, -1.0, 0.0])


@dataclass(frozen=True)
class LegPath:
    """Hip, knee and ankle bones of a leg that walks, its phase and which way the knee bends."""

    hip: str
    knee: str
    ankle: str
    phase: float
    bend: tuple[float, float, float] = (0.0, -1.0, 0.0)
    sink: float = 0.0


class BodyMaker:
    """Bones by name, parents first, and boxes of vertices that ride on them."""

    def __init__(self):
        self.names, self.parents, self.heads, self.tails, self.deform = [], [], {}, {}, {}
        self.boxes = []
        self.ik_links = []

    def bone(self, name, parent, head, tail=None, deform=True):
        """Add a bone; without a tail it is 0.001 long."""
        self.names.append(name)
        self.parents.append(parent)
        self.heads[name] = np.array(head, dtype=float)
        self.tails[name] = (
            self.heads[name] + [0, 0, 1e-3] if tail is None else np.array(tail, float)
        )
        self.deform[name] = deform
        return name

    def box(self, bone, low, high, steps=2):
        """Add the vertices of a box between two corners, weighted to one bone."""
        sides = [np.linspace(a, b, steps) for a, b in zip(low, high, strict=True)]
        self.boxes.append((bone, np.array(list(itertools.product(*sides)))))

    def tube(self, first, second, thickness=0.03):
        """Vertices around the way from one joint to the next, weighted to the first."""
        a, b = self.heads[first], self.heads[second]
        points = []
        for share in (0.1, 0.5, 0.9):
            centre = a + share * (b - a)
            points += [
                centre + thickness * np.array(d) for d in itertools.product((-1, 1), repeat=3)
            ]
        self.boxes.append((first, np.array(points)))

    def pose(self, moves, frames=FRAMES):
        """Global rotations and positions, everything not in ``moves`` following its parent."""
        rotations, positions = {}, {}
        for name, parent in zip(self.names, self.parents, strict=True):
            if parent is None:
                turn, place = (
                    np.tile(rot.IDENTITY, (frames, 1)),
                    np.tile(self.heads[name], (frames, 1)),
                )
            else:
                offset = self.heads[name] - self.heads[parent]
                turn = rotations[parent]
                place = positions[parent] + rot.rotate(turn, offset)
            given = moves.get(name, {})
            rotations[name] = given.get("rotation", turn)
            positions[name] = given.get("position", place)
        order = self.names
        return (
            np.stack([rotations[n] for n in order], 1),
            np.stack([positions[n] for n in order], 1),
        )

    def clip(self, name, moves, frames=FRAMES):
        """A clip in which the named bones move."""
        rotations, positions = self.pose(moves, frames)
        return EvidenceClip(name, rotations, positions, np.ones(rotations.shape[:2]), INTERVAL)

    def evidence(self, clips=(), mesh=True, skin_of=None):
        """All of it; ``skin_of`` limits the mesh to some bones."""
        index = {name: i for i, name in enumerate(self.names)}
        parents = np.array([-1 if p is None else index[p] for p in self.parents])
        heads = np.array([self.heads[n] for n in self.names])
        count = len(self.names)
        skeleton = Skeleton(
            names=tuple(self.names),
            parents=parents,
            rest_rotations=np.tile(rot.IDENTITY, (count, 1)),
            rest_translations=np.where((parents >= 0)[:, None], heads - heads[parents], heads),
        )
        boxes = [b for b in self.boxes if skin_of is None or b[0] in skin_of] if mesh else []
        vertices = np.concatenate([points for _, points in boxes]) if boxes else np.zeros((0, 3))
        bones = np.zeros((len(vertices), 4), dtype=np.intp)
        weights = np.zeros((len(vertices), 4))
        if boxes:
            bones[:, 0] = np.concatenate([np.full(len(p), index[b]) for b, p in boxes])
            weights[:, 0] = 1.0
        return BodyEvidence(
            skeleton=skeleton,
            tails=np.array([self.tails[n] for n in self.names]),
            deform=np.array([self.deform[n] for n in self.names]),
            vertices=vertices,
            vertex_bones=bones,
            vertex_weights=weights,
            clips=tuple(clips),
            ik_links=tuple((index[a], index[b], n) for a, b, n in self.ik_links),
        )


def step_path(rest, phase, stride, lift, frames=FRAMES, direction=FORWARD):
    """Ankle path of an in-place walk: straight back in stance, an arch in swing."""
    share = (np.arange(frames) / (frames - 1) + phase) % 1.0
    stance = share < DUTY
    swing = np.clip((share - DUTY) / (1.0 - DUTY), 0.0, 1.0)
    along = np.where(stance, 0.5 - share / DUTY, rot.step_cubic(swing) - 0.5) * stride
    height = np.where(stance, 0.0, lift * np.sin(np.pi * swing) ** 2)
    return rest + along[:, None] * direction + height[:, None] * rot.UP


def bend_leg(maker, leg, target, hip_positions=None):
    """Moves of hip and knee bones so that the ankle follows ``target``, and of a flat ankle."""
    hip = maker.heads[leg.hip] if hip_positions is None else hip_positions
    knee, ankle = maker.heads[leg.knee], maker.heads[leg.ankle]
    upper, lower = np.linalg.norm(knee - maker.heads[leg.hip]), np.linalg.norm(ankle - knee)
    way = target - hip
    distance = np.minimum(np.linalg.norm(way, axis=1), 0.9999 * (upper + lower))
    unit = rot.normalize(way)
    along = (upper**2 - lower**2 + distance**2) / (2 * distance)
    out = np.sqrt(np.maximum(upper**2 - along**2, 0.0))
    bend = np.array(leg.bend)
    pole = rot.normalize(bend - (unit @ bend)[:, None] * unit)
    middle = hip + along[:, None] * unit + out[:, None] * pole
    end = hip + distance[:, None] * unit
    thigh = rot.normalize(knee - maker.heads[leg.hip])
    shin = rot.normalize(ankle - knee)
    flat = np.tile(rot.IDENTITY, (len(target), 1))
    return {
        leg.hip: {"rotation": rot.quaternions_from_arcs(thigh, rot.normalize(middle - hip))},
        leg.knee: {"rotation": rot.quaternions_from_arcs(shin, rot.normalize(end - middle))},
        leg.ankle: {"rotation": flat, "position": end},
    }


def walk(maker, legs, stride=0.4, lift=0.1, name="Walk", frames=FRAMES, extra=None):
    """A walk in place of all legs."""
    moves = dict(extra or {})
    for leg in legs:
        path = step_path(maker.heads[leg.ankle], leg.phase, stride, lift, frames)
        path[:, 2] -= leg.sink
        moves.update(bend_leg(maker, leg, path))
    return maker.clip(name, moves, frames)


def add_trunk(maker, low, high, bones=("hips", "spine", "head"), root="root", y=0.0):
    """A column of heavy bones from the hips up."""
    maker.bone(root, None, (0, 0, 0), deform=False)
    parent = root
    for index, bone in enumerate(bones):
        height = low + (high - low) * index / len(bones)
        maker.bone(bone, parent, (0, y, height))
        top = low + (high - low) * (index + 1) / len(bones)
        maker.box(bone, (-0.12, y - 0.1, height), (0.12, y + 0.1, top), steps=5)
        parent = bone


def add_leg(maker, side, x, y, parent, names, detached_parent=False, knee_offset=-0.02, foot=True):
    """Hip at 0.9, knee at 0.5, ankle at 0.1 with a toe 0.12 ahead and a box foot 0.25 long."""
    hip, knee, ankle, toe = (f"{name}{side}" for name in names)
    maker.bone(hip, parent, (x, y, 0.9))
    maker.bone(knee, hip, (x, y + knee_offset, 0.5))
    maker.bone(ankle, knee if detached_parent is False else detached_parent, (x, y, 0.1))
    maker.bone(toe, ankle, (x, y - 0.12, 0.02))
    maker.tube(hip, knee)
    maker.tube(knee, ankle)
    if foot:
        maker.box(ankle, (x - 0.04, y - 0.11, 0.0), (x + 0.04, y + 0.06, 0.12), steps=3)
        maker.box(toe, (x - 0.04, y - 0.19, 0.0), (x + 0.04, y - 0.12, 0.05), steps=3)
    return hip, knee, ankle


BIPED_NAMES = ("thigh", "shin", "foot", "toe")


def make_biped(names=BIPED_NAMES, sides=(".L", ".R"), detached_parent=False, arms=True, foot=True):
    """A person facing -Y: hips at 0.95, legs of 0.8 at x = 0.1 and -0.1 (side 0 on the left)."""
    maker = BodyMaker()
    add_trunk(maker, 0.95, 1.7)
    legs = []
    for side, x, phase in ((sides[0], 0.1, 0.0), (sides[1], -0.1, 0.5)):
        chain = add_leg(maker, side, x, 0.0, "hips", names, detached_parent, foot=foot)
        legs.append(LegPath(*chain, phase))
        if arms:
            out = np.sign(x)
            maker.bone(f"arm{side}", "spine", (0.2 * out, 0, 1.4))
            maker.bone(f"forearm{side}", f"arm{side}", (0.25 * out, 0, 1.15))
            maker.bone(f"hand{side}", f"forearm{side}", (0.28 * out, 0, 0.9))
            maker.tube(f"arm{side}", f"forearm{side}")
            maker.tube(f"forearm{side}", f"hand{side}")
            centre = maker.heads[f"hand{side}"]
            maker.box(f"hand{side}", centre - 0.03, centre + 0.03)
    return maker, legs


def make_quadruped(clavicles=True):
    """A dog facing -Y: level shoulders, clavicles in front, hocks behind; paws are the ankles."""
    maker = BodyMaker()
    maker.bone("root", None, (0, 0, 0), deform=False)
    maker.bone("pelvis", "root", (0, 0.5, 0.75))
    maker.bone("spine", "pelvis", (0, 0.0, 0.78))
    maker.bone("head", "spine", (0, -0.6, 1.0))
    maker.box("pelvis", (-0.15, 0.1, 0.65), (0.15, 0.55, 0.9), steps=5)
    maker.box("spine", (-0.15, -0.5, 0.65), (0.15, 0.1, 0.9), steps=5)
    maker.box("head", (-0.08, -0.9, 0.9), (0.08, -0.6, 1.1), steps=5)
    legs = []
    for side, x, phase in ((".L", 0.12, 0.0), (".R", -0.12, 0.5)):
        top = "spine"
        if clavicles:
            top = maker.bone(f"clavicle{side}", "spine", (0.25 * x, -0.4, 0.72))
            maker.box(top, (0.3 * x - 0.01, -0.42, 0.7), (x + 0.01, -0.38, 0.76))
        upper = maker.bone(f"front_upper{side}", top, (x, -0.4, 0.7))
        lower = maker.bone(f"front_lower{side}", upper, (x, -0.37, 0.38))
        paw = maker.bone(f"front_paw{side}", lower, (x, -0.4, 0.05))
        legs.append(LegPath(upper, lower, paw, phase, bend=(0, 1, 0)))
        thigh = maker.bone(f"hind_thigh{side}", "pelvis", (x, 0.5, 0.7))
        shin = maker.bone(f"hind_shin{side}", thigh, (x, 0.42, 0.5))
        hock = maker.bone(f"hind_hock{side}", shin, (x, 0.58, 0.3))
        hind = maker.bone(f"hind_paw{side}", hock, (x, 0.54, 0.05))
        legs.append(LegPath(thigh, shin, hock, phase + 0.5))
        for first, second in (
            (upper, lower),
            (lower, paw),
            (thigh, shin),
            (shin, hock),
            (hock, hind),
        ):
            maker.tube(first, second)
        for bone in (paw, hind):
            centre = maker.heads[bone]
            low, high = (x - 0.04, centre[1] - 0.1, 0.0), (x + 0.04, centre[1] + 0.03, 0.07)
            maker.box(bone, low, high, steps=3)
            maker.tails[bone] = centre + np.array([0, -0.06, -0.04])
    return maker, legs


def make_spider(count=4, sides=(".L", ".R")):
    """Eight legs, knees above the hips, feet as root bones at the leg ends."""
    maker = BodyMaker()
    maker.bone("body", None, (0, 0, 0.5))
    maker.box("body", (-0.3, -0.5, 0.4), (0.3, 0.5, 0.7), steps=10)
    legs = []
    for side, sign in ((sides[0], 1.0), (sides[1], -1.0)):
        for number in range(count):
            y = -0.45 + 0.3 * number
            spread = 0.25 * (number - 0.5 * (count - 1))
            upper = maker.bone(f"upper{number}{side}", "body", (0.3 * sign, y, 0.5))
            lower = maker.bone(f"lower{number}{side}", upper, (0.75 * sign, y + 0.5 * spread, 0.9))
            foot = maker.bone(f"foot{number}{side}", lower, (1.2 * sign, y + spread, 0.05))
            maker.tube(upper, lower)
            maker.tube(lower, foot)
            centre = maker.heads[foot]
            maker.box(foot, centre - [0.02, 0.02, 0.05], centre + np.array([0.02, 0.02, 0]))
            phase = 0.5 * ((number + (sign > 0)) % 2)
            legs.append(LegPath(upper, lower, foot, phase, bend=(0.3 * sign, 0, 1)))
    return maker, legs


def turn_evidence(evidence, scale=1.0, yaw=0.0, move=(0.0, 0.0, 0.0), axes=rot.IDENTITY):
    """The same body scaled, turned about up, moved, and with other bone axes at rest."""
    turn = rot.quaternions_from_yaws(yaw)
    skeleton = evidence.skeleton
    root = (skeleton.parents < 0)[:, None]
    back = rot.conjugate(axes)

    def place(points):
        return scale * rot.rotate(turn, points) + np.array(move)

    moved = replace(
        skeleton,
        rest_rotations=np.where(
            root,
            rot.multiply(turn, rot.multiply(skeleton.rest_rotations, axes)),
            rot.multiply(back, rot.multiply(skeleton.rest_rotations, axes)),
        ),
        rest_translations=np.where(
            root,
            place(skeleton.rest_translations),
            scale * rot.rotate(back, skeleton.rest_translations),
        ),
    )
    clips = tuple(
        replace(
            clip,
            rotations=rot.multiply(turn, rot.multiply(clip.rotations, axes)),
            positions=place(clip.positions),
        )
        for clip in evidence.clips
    )
    return replace(
        evidence,
        skeleton=moved,
        tails=place(evidence.tails),
        vertices=place(evidence.vertices),
        clips=clips,
    )


def turn_about_origin(evidence, turn):
    """The same body turned by any rotation (4,), as by an import with other axes."""
    skeleton = evidence.skeleton
    root = (skeleton.parents < 0)[:, None]

    def place(points):
        return rot.rotate(turn, points)

    turned = replace(
        skeleton,
        rest_rotations=np.where(
            root, rot.multiply(turn, skeleton.rest_rotations), skeleton.rest_rotations
        ),
        rest_translations=np.where(
            root, place(skeleton.rest_translations), skeleton.rest_translations
        ),
    )
    clips = tuple(
        replace(clip, rotations=rot.multiply(turn, clip.rotations), positions=place(clip.positions))
        for clip in evidence.clips
    )
    tails, vertices = place(evidence.tails), place(evidence.vertices)
    return replace(evidence, skeleton=turned, tails=tails, vertices=vertices, clips=clips)


def list_legs(rig):
    """Name, side, bone names from hip to ankle and toe of every leg."""
    names = rig.skeleton.names
    return [
        (
            leg.name,
            leg.side,
            tuple(names[bone] for bone in leg.joints),
            None if leg.toe is None else names[leg.toe],
        )
        for leg in rig.legs
    ]


def list_sole_points(rig):
    """Heel, ball and toe tip of every leg in the rest pose, shape (L, 3, 3)."""
    from semi_procedural_locomotion.core.rig.skeleton import compute_rest_poses

    rotations, positions = compute_rest_poses(rig.skeleton)
    return np.array(
        [
            [positions[s.bone] + rot.rotate(rotations[s.bone], s.offset) for s in leg.soles]
            for leg in rig.legs
        ]
    )


def add_middle_leg(maker, y=0.0, parent="hips", phase=0.0, names=BIPED_NAMES):
    """A leg on the mirror plane, as `add_leg` makes them."""
    return LegPath(*add_leg(maker, "", 0.0, y, parent, names), phase)


def make_pogo(arms=True):
    """A body on one leg in the middle."""
    maker = BodyMaker()
    add_trunk(maker, 0.95, 1.7)
    leg = add_middle_leg(maker)
    for side, out in ((".L", 1.0), (".R", -1.0)) if arms else ():
        for name, parent, x, height in (
            ("arm", "spine", 0.2, 1.4),
            ("forearm", f"arm{side}", 0.25, 1.15),
            ("hand", f"forearm{side}", 0.28, 0.9),
        ):
            maker.bone(name + side, parent, (out * x, 0.0, height))
        maker.tube(f"arm{side}", f"forearm{side}")
        maker.tube(f"forearm{side}", f"hand{side}")
        centre = maker.heads[f"hand{side}"]
        maker.box(f"hand{side}", centre - 0.03, centre + 0.03)
    return maker, [leg]


def make_radial(count, start=-90.0):
    """Legs at equal angles about a body; seen from above the first is at ``start`` degrees."""
    maker = BodyMaker()
    add_trunk(maker, 0.95, 1.3)
    legs = []
    for number in range(count):
        angle = np.radians(start + 360.0 * number / count)
        way = np.array([np.cos(angle), np.sin(angle)])
        hip, knee, ankle = (f"{name}_{number}" for name in ("upper", "lower", "foot"))
        maker.bone(hip, "hips", (*(0.2 * way), 0.9))
        maker.bone(knee, hip, (*(0.4 * way), 0.55))
        maker.bone(ankle, knee, (*(0.4 * way), 0.06))
        maker.tube(hip, knee)
        maker.tube(knee, ankle)
        centre = maker.heads[ankle]
        maker.box(ankle, centre - [0.04, 0.09, 0.06], centre + np.array([0.04, 0.04, 0.0]), steps=3)
        legs.append(LegPath(hip, knee, ankle, (2.0 * number / count) % 1.0))
    return maker, legs


def make_centipede(count):
    """Pairs of legs on a chain of segments, each in phase with the one six segments behind."""
    maker = BodyMaker()
    parent = maker.bone("root", None, (0, 0, 0), deform=False)
    legs = []
    for number in range(count):
        y = 0.3 * (number - 0.5 * (count - 1))
        parent = maker.bone(f"segment{number}", parent, (0, y, 0.5))
        maker.box(parent, (-0.2, y - 0.12, 0.4), (0.2, y + 0.12, 0.6), steps=4)
        for side, sign in ((".L", 1.0), (".R", -1.0)):
            upper = maker.bone(f"upper{number}{side}", parent, (0.2 * sign, y, 0.5))
            lower = maker.bone(f"lower{number}{side}", upper, (0.45 * sign, y, 0.6))
            foot = maker.bone(f"foot{number}{side}", lower, (0.6 * sign, y, 0.04))
            maker.tube(upper, lower)
            maker.tube(lower, foot)
            centre = maker.heads[foot]
            maker.box(foot, centre - [0.02, 0.02, 0.04], centre + np.array([0.02, 0.02, 0.0]))
            phase = (number / 6.0 + 0.5 * (sign > 0)) % 1.0
            legs.append(LegPath(upper, lower, foot, phase, bend=(0.3 * sign, 0, 1)))
    return maker, legs


def make_stilts(pairs=1, wide=False, shoes=False):
    """Pairs of legs of a thigh and a shin that stand on the ends of their shins, without feet.

    The ends are called ``end`` and a number and a side, and are no bones. Legs that are ``wide`` rise
    from the hips, as those of insects; ``shoes`` hang on the shins.
    """
    maker = BodyMaker()
    legs = []
    height = 0.4 if wide else 0.9
    maker.bone("root", None, (0, 0, 0), deform=False)
    maker.bone("hips", "root", (0, 0, height), (0, 0, height + 0.3))
    reach = 0.3 * pairs
    maker.box("hips", (-0.12, -reach, height - 0.1), (0.12, reach, height + 0.5), steps=7)
    for number in range(pairs):
        y = 0.45 * (number - 0.5 * (pairs - 1))
        for side, sign in ((".L", 1.0), (".R", -1.0)):
            thigh, shin, end = (f"{name}{number}{side}" for name in ("thigh", "shin", "end"))
            if wide:
                knee, foot = (0.3 * sign, y, 0.65), (0.7 * sign, y, 0.0)
            else:
                knee, foot = (0.12 * sign, y - 0.04, 0.45), (0.12 * sign, y, 0.0)
            maker.bone(thigh, "hips", (0.12 * sign, y, height), knee)
            maker.bone(shin, thigh, knee, foot)
            maker.heads[end] = np.array(foot)
            maker.tube(thigh, shin, thickness=0.02)
            maker.tube(shin, end, thickness=0.02)
            low, high = maker.heads[end] - [0.02, 0.02, 0.0], maker.heads[end] + [0.02, 0.02, 0.04]
            if shoes:
                low, high = low - [0.02, 0.16, 0.0], high - [-0.02, -0.04, -0.04]
            maker.box(shin, low, high, steps=3)
            phase = (0.5 * (number + (sign < 0))) % 1.0
            bend = (0.3 * sign, 0.0, 1.0) if wide else (0.0, -1.0, 0.0)
            legs.append(LegPath(thigh, shin, end, phase, bend))
    return maker, legs
