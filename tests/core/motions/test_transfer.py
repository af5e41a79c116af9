# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips of one character carried over to another (docs/method/transfer.md, Feet)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.gaits.making import make_gait
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.analysis import analyze_clip
from semi_procedural_locomotion.core.motions.clips import Clip
from semi_procedural_locomotion.core.motions.transfer.closing import close_clip
from semi_procedural_locomotion.core.motions.transfer.leading import drop_leading_pose
from semi_procedural_locomotion.core.motions.transfer.matching import match_legs
from semi_procedural_locomotion.core.motions.transfer.moving import transfer_clip
from semi_procedural_locomotion.core.motions.transfer.reducing import expand_clip, reduce_clip
from semi_procedural_locomotion.core.rig.footpoints import compute_sole_points
from semi_procedural_locomotion.core.rig.skeleton import Skeleton, compute_global_poses
from semi_procedural_locomotion.core.rig.structure import Rig, SolePoint
from semi_procedural_locomotion.errors import RigError
from tests.core.specimens import find_specimen

from ..gait_rigs import FOOT, build_biped, build_leg, build_many_legged, build_rig, build_skeleton

WALKERS = {2: build_biped(), 4: build_many_legged(2), 6: build_many_legged(3)}


def walk(rig: Rig, name: str = "walk") -> Clip:
    return make_gait(rig, find_specimen(name, len(rig.legs), 0.85))


def see(rig: Rig, clip: Clip):
    """Rotations and positions of all bones in character space."""
    return compute_global_poses(rig.skeleton, clip.rotations, clip.translations, clip.scales)


def change_soles(rig: Rig, change) -> tuple:
    """Legs whose sole points are changed by a function of bone and offset."""
    return tuple(
        replace(
            leg,
            **{
                name: SolePoint(point.bone, change(point.bone, point.offset))
                for name, point in zip(("heel", "ball", "toe_tip"), leg.soles, strict=True)
            },
        )
        for leg in rig.legs
    )


def scale_rig(rig: Rig, factor: float) -> Rig:
    """A copy of another size."""
    skeleton = replace(rig.skeleton, rest_translations=factor * rig.skeleton.rest_translations)
    legs = change_soles(rig, lambda _, offset: factor * offset)
    return replace(
        rig,
        skeleton=skeleton,
        legs=tuple(replace(leg, length=factor * leg.length) for leg in legs),
        foot_lengths=factor * rig.foot_lengths,
        ground_height=factor * rig.ground_height,
    )


def turn_axes(rig: Rig, seed: int = 0) -> Rig:
    """A copy with other axes and names of all bones, in the same places."""
    skeleton, count = rig.skeleton, len(rig.skeleton)
    turns = rot.normalize_quaternions(np.random.default_rng(seed).normal(size=(count, 4)))
    rotations, positions = skeleton.rest_poses
    axes = rot.multiply(rotations, turns)
    parents = skeleton.parents
    rooted = (parents < 0)[:, None]
    back = np.where(rooted, rot.IDENTITY, rot.conjugate(axes[parents]))
    origins = np.where(rooted, 0.0, positions[parents])
    turned = Skeleton(
        names=tuple(f"bone{number}" for number in range(count)),
        parents=parents,
        rest_rotations=rot.multiply(back, axes),
        rest_translations=rot.rotate(back, positions - origins),
    )
    legs = change_soles(rig, lambda bone, offset: rot.rotate(rot.conjugate(turns[bone]), offset))
    return replace(
        rig,
        skeleton=turned,
        legs=tuple(
            replace(leg, hinge=rot.rotate(rot.conjugate(turns[leg.joints[0]]), leg.hinge))
            for leg in legs
        ),
    )


def turn_rig(rig: Rig, yaw: float) -> Rig:
    """A copy that faces elsewhere, its legs in another order."""
    turn = rot.quaternions_from_yaws(yaw)
    roots = rig.skeleton.parents < 0
    skeleton = replace(
        rig.skeleton,
        rest_rotations=np.where(
            roots[:, None],
            rot.multiply(turn, rig.skeleton.rest_rotations),
            rig.skeleton.rest_rotations,
        ),
        rest_translations=np.where(
            roots[:, None],
            rot.rotate(turn, rig.skeleton.rest_translations),
            rig.skeleton.rest_translations,
        ),
    )
    forward = rot.rotate(turn, np.array([*rig.forward, 0.0]))[:2]
    return replace(rig, skeleton=skeleton, forward=forward, legs=rig.legs[::-1])


def build_person(
    *, spines: int = 2, arms: float = 0.75, foot: float = FOOT, wide: float = 1.0
) -> Rig:
    """A person like `build_biped` with more or fewer spine bones, other arms, feet and hips.

    ``arms`` is the sine of the angle by which they hang at rest: 0 is a T-pose.
    """
    bones: list[tuple[str, str | None, tuple[float, float, float]]] = [
        ("root", None, (0.0, 0.0, 0.0)),
        ("hips", "root", (0.0, 0.0, 0.95)),
    ]
    above = "hips"
    for number, height in enumerate(np.linspace(1.1, 1.3, spines)):
        bones.append((f"spine{number}", above, (0.0, 0.0, float(height))))
        above = f"spine{number}"
    bones += [("neck", above, (0.0, 0.0, 1.5)), ("head", "neck", (0.0, 0.0, 1.6))]
    for side, x in (("L", -1.0), ("R", 1.0)):
        down, out = 0.25 * arms, 0.25 * np.sqrt(1.0 - arms**2)
        bones += [
            (f"collar.{side}", above, (0.03 * x, 0.0, 1.45)),
            (f"arm.{side}", f"collar.{side}", (0.2 * x, 0.0, 1.42)),
            (f"fore.{side}", f"arm.{side}", ((0.2 + out) * x, 0.0, 1.42 - down)),
            (f"hand.{side}", f"fore.{side}", ((0.2 + 2 * out) * x, 0.02, 1.42 - 2 * down)),
            (f"thigh.{side}", "hips", (0.1 * wide * x, 0.0, 0.9)),
            (f"shin.{side}", f"thigh.{side}", (0.1 * wide * x, 0.02, 0.48)),
            (f"foot.{side}", f"shin.{side}", (0.1 * wide * x, 0.0, 0.08)),
            (f"toe.{side}", f"foot.{side}", (0.1 * wide * x, 0.45 * foot, 0.02)),
        ]
    skeleton = build_skeleton(bones)
    forward = np.array([0.0, 1.0])
    legs = tuple(
        build_leg(
            skeleton,
            side,
            (f"thigh.{side}", f"shin.{side}", f"foot.{side}"),
            f"toe.{side}",
            forward,
            foot,
        )
        for side in ("L", "R")
    )
    return build_rig(skeleton, legs, forward, foot)


def point_arms(rig: Rig, clip: Clip) -> np.ndarray:
    """Unit vectors along upper arms and forearms, shape (S, 4, 3)."""
    positions = see(rig, clip)[1]
    pairs = [
        (f"{start}.{side}", f"{end}.{side}")
        for side in ("L", "R")
        for start, end in (("arm", "fore"), ("fore", "hand"))
    ]
    find = rig.skeleton.find_index
    return np.stack(
        [rot.normalize(positions[:, find(b)] - positions[:, find(a)]) for a, b in pairs], axis=1
    )


def measure_ground(rig: Rig, clip: Clip) -> np.ndarray:
    """Height of the lowest sole point of each foot, shares of the leg, shape (S, L)."""
    rotations, positions = see(rig, clip)
    points = [compute_sole_points(leg, rotations, positions) for leg in rig.legs]
    return np.stack([p[..., 2].min(axis=1) for p in points], axis=1) / rig.leg_length


@pytest.mark.parametrize("legs", WALKERS)
def test_a_scaled_copy_turns_its_bones_as_the_source_does(legs):
    source = WALKERS[legs]
    clip = walk(source)
    target = scale_rig(source, 0.3)
    moved = transfer_clip(clip, source, target)
    assert rot.angles_between(moved.rotations, clip.rotations).max() < 1e-9
    assert np.abs(moved.translations - 0.3 * clip.translations).max() < 1e-9
    assert np.array_equal(moved.times, clip.times)


@pytest.mark.parametrize("legs", WALKERS)
def test_axes_and_names_of_bones_do_not_matter(legs):
    source = WALKERS[legs]
    clip = walk(source)
    target = turn_axes(source)
    moved = transfer_clip(clip, source, target)
    assert np.abs(see(target, moved)[1] - see(source, clip)[1]).max() < 1e-9


def test_a_character_that_faces_elsewhere_walks_that_way_with_its_own_sides():
    source = WALKERS[2]
    clip = walk(source)
    target = turn_rig(source, 1.2)
    assert match_legs(source, target) == (1, 0)
    moved = transfer_clip(clip, source, target)
    turn = rot.quaternions_from_yaws(1.2)
    expected = rot.rotate(turn, see(source, clip)[1])
    assert np.abs(see(target, moved)[1] - expected).max() < 1e-9


def test_travel_is_scaled_with_the_legs():
    source = WALKERS[2]
    clip = walk(source)
    shift = clip.times[:, None, None] * np.array([0.3, 1.1, 0.0])
    roots = (source.skeleton.parents < 0)[:, None]
    travelling = replace(clip, translations=clip.translations + np.where(roots, shift, 0.0))
    target = scale_rig(source, 0.5)
    moved = transfer_clip(travelling, source, target)
    place = see(target, moved)[1][:, target.body]
    assert (place[-1] - place[0])[:2] == pytest.approx(0.5 * shift[-1, 0, :2], abs=1e-9)


@pytest.mark.parametrize(("first", "second"), [(0.0, 0.75), (0.75, 0.0), (0.95, 0.3)])
def test_arms_point_as_the_sources_do_whatever_they_do_at_rest(first, second):
    source, target = build_person(arms=first), build_person(arms=second)
    clip = walk(source)
    moved = transfer_clip(clip, source, target)
    assert np.abs(point_arms(target, moved) - point_arms(source, clip)).max() < 1e-9


def test_upper_arms_do_not_twist_between_a_pose_and_t_pose():
    source, target = build_person(arms=0.0), build_person(arms=0.75)
    clip = walk(source)
    still = replace(
        clip,
        rotations=np.broadcast_to(source.skeleton.rest_rotations, clip.rotations.shape).copy(),
        translations=np.broadcast_to(
            source.skeleton.rest_translations, clip.translations.shape
        ).copy(),
    )
    moved = transfer_clip(still, source, target)
    rest = target.skeleton.rest_poses[0]
    for side in ("L", "R"):
        bone = target.skeleton.find_index(f"arm.{side}")
        turn = rot.multiply(see(target, moved)[0][0, bone], rot.conjugate(rest[bone]))
        # Raised in the plane in which both hang, and turned about nothing else.
        assert abs(turn[2]) == pytest.approx(np.sin(0.5 * np.arcsin(0.75)), abs=1e-2)
        assert np.hypot(turn[1], turn[3]) < 0.05


@pytest.mark.parametrize("spines", [1, 3, 5])
def test_spines_with_other_numbers_of_bones_turn_by_their_share(spines):
    source, target = build_person(spines=2), build_person(spines=spines)
    clip = walk(source)
    moved = transfer_clip(clip, source, target)

    def turn(rig: Rig, clip: Clip, name: str) -> np.ndarray:
        bone = rig.skeleton.find_index(name)
        return rot.multiply(
            see(rig, clip)[0][:, bone], rot.conjugate(rig.skeleton.rest_poses[0][bone])
        )

    chest, head = turn(source, clip, "spine1"), turn(source, clip, "head")
    seen = turn(target, moved, f"spine{spines - 1}")
    assert rot.angles_between(seen, chest).max() < 1e-9
    assert rot.angles_between(turn(target, moved, "head"), head).max() < 1e-9
    if spines > 1:
        first, body = turn(target, moved, "spine0"), turn(source, clip, "hips")
        whole = rot.angles_between(body, chest)
        assert np.all(rot.angles_between(body, first) <= whole + 1e-9)
        assert np.all(rot.angles_between(first, chest) <= whole + 1e-9)


@pytest.mark.parametrize("foot", [0.14, 0.4])
@pytest.mark.parametrize("wide", [0.7, 1.8])
def test_other_feet_and_hips_stand_as_firmly_and_as_long(foot, wide):
    source, target = WALKERS[2], scale_rig(build_person(foot=foot, wide=wide), 1.7)
    clip = walk(source)
    moved = transfer_clip(clip, source, target)
    before, after = analyze_clip(clip, source), analyze_clip(moved, target)
    assert after.period == before.period
    assert after.speed == pytest.approx(
        before.speed * target.leg_length / source.leg_length, rel=0.01
    )
    frame = 1.0 / (24.0 * before.period)
    for old, new in zip(before.legs, after.legs, strict=True):
        for name in ("strike", "off"):
            ours = (new.stance + getattr(new, name)) % 1.0
            theirs = (old.stance + getattr(old, name)) % 1.0
            assert abs((ours - theirs + 0.5) % 1.0 - 0.5) < frame
        assert new.skate < old.skate + 0.01
    assert measure_ground(target, moved).min() > measure_ground(source, clip).min() - 0.005
    assert np.abs(measure_ground(target, moved).min(axis=1)).max() < 0.01


def test_a_turning_walk_does_not_slide_on_wider_hips():
    source, target = WALKERS[2], build_person(wide=2.0)
    clip = walk(source, "turn")
    before, after = (
        analyze_clip(clip, source),
        analyze_clip(transfer_clip(clip, source, target), target),
    )
    assert after.turn_rate == pytest.approx(before.turn_rate, rel=0.05)
    assert max(leg.skate for leg in after.legs) < max(leg.skate for leg in before.legs) + 0.02


def test_other_numbers_of_legs_are_refused_in_words():
    with pytest.raises(RigError, match="a walk on 4 legs cannot be given to a character with 2"):
        transfer_clip(walk(WALKERS[4]), WALKERS[4], WALKERS[2])


def test_legs_of_other_numbers_of_bones_follow_as_a_whole():
    source = WALKERS[4]
    bones: list[tuple[str, str | None, tuple[float, float, float]]] = [
        ("root", None, (0.0, 0.0, 0.0)),
        ("body", "root", (0.0, 0.0, 0.6)),
    ]
    names = []
    for pair, x in enumerate((0.5, -0.5)):
        for side, y in (("L", 1.0), ("R", -1.0)):
            name = f"{pair}.{side}"
            names.append(name)
            bones += [
                (f"a{name}", "body", (x, 0.12 * y, 0.6)),
                (f"b{name}", f"a{name}", (x - 0.06, 0.14 * y, 0.33)),
                (f"d{name}", f"b{name}", (x, 0.15 * y, 0.05)),
            ]
    skeleton, forward = build_skeleton(bones), np.array([1.0, 0.0])
    legs = tuple(
        build_leg(skeleton, n, (f"a{n}", f"b{n}", f"d{n}"), None, forward, 0.1) for n in names
    )
    target = build_rig(skeleton, legs, forward, 0.1)
    clip = walk(source)
    before, after = (
        analyze_clip(clip, source),
        analyze_clip(transfer_clip(clip, source, target), target),
    )
    assert after.speed == pytest.approx(
        before.speed * target.leg_length / source.leg_length, rel=0.02
    )
    for old, new in zip(before.legs, after.legs, strict=True):
        assert abs((new.stance - old.stance + 0.5) % 1.0 - 0.5) < 0.03


def test_fingers_follow_their_namesakes():
    def build(prefix: str) -> Rig:
        rig = build_person()
        skeleton = rig.skeleton
        longer = Skeleton(
            names=(*(prefix + name for name in skeleton.names), f"{prefix}Finger_1.L"),
            parents=np.append(skeleton.parents, skeleton.find_index("hand.L")),
            rest_rotations=np.concatenate([skeleton.rest_rotations, [rot.IDENTITY]]),
            rest_translations=np.concatenate([skeleton.rest_translations, [[0.0, 0.05, 0.0]]]),
        )
        return replace(rig, skeleton=longer)

    source, target = build("mixamorig:"), build("")
    clip = walk(source)
    finger = len(source.skeleton) - 1
    curled = rot.quaternions_from_axis_angles(np.array([1.0, 0.0, 0.0]), 0.7)
    clip.rotations[:, finger] = rot.multiply(source.skeleton.rest_rotations[finger], curled)
    moved = transfer_clip(clip, source, target)
    assert rot.angles_between(moved.rotations[:, finger], clip.rotations[:, finger]).max() < 1e-9


def test_a_cycle_without_its_last_key_is_closed():
    source = WALKERS[2]
    clip = walk(source)
    opened = replace(
        clip,
        times=clip.times[:-1],
        rotations=clip.rotations[:-1],
        translations=clip.translations[:-1],
        scales=clip.scales[:-1],
    )
    closed = close_clip(opened, source)
    assert closed.times == pytest.approx(clip.times)
    assert np.array_equal(closed.rotations[-1], closed.rotations[0])
    assert close_clip(clip, source) is clip


def test_a_clip_comes_back_from_fewer_bones_to_all():
    rig = WALKERS[2]
    clip = walk(rig)
    kept = [b for b in range(len(rig.skeleton)) if rig.skeleton.names[b] != "root"]
    number = {bone: place for place, bone in enumerate(kept)}
    rotations, positions = rig.skeleton.rest_poses
    small, _ = rig.skeleton.select(kept)
    assert len(small) == len(rig.skeleton)
    free = Skeleton(
        names=tuple(rig.skeleton.names[b] for b in kept),
        parents=np.array([number.get(int(rig.skeleton.parents[b]), -1) for b in kept]),
        rest_rotations=np.array(
            [
                rotations[b] if rig.skeleton.parents[b] == 0 else rig.skeleton.rest_rotations[b]
                for b in kept
            ]
        ),
        rest_translations=np.array(
            [
                positions[b] if rig.skeleton.parents[b] == 0 else rig.skeleton.rest_translations[b]
                for b in kept
            ]
        ),
    )
    less = replace(
        rig,
        skeleton=free,
        body=number[rig.body],
        legs=tuple(
            replace(
                leg,
                joints=tuple(number[b] for b in leg.joints),
                toe=number[leg.toe],
                **{
                    name: replace(point, bone=number[point.bone])
                    for name, point in zip(("heel", "ball", "toe_tip"), leg.soles, strict=True)
                },
            )
            for leg in rig.legs
        ),
    )
    back = expand_clip(reduce_clip(clip, rig, less), less, rig)
    assert np.abs(see(rig, back)[1] - see(rig, clip)[1]).max() < 1e-9


def test_a_pose_before_a_capture_is_left_out():
    rig = WALKERS[2]
    clip = walk(rig)
    assert drop_leading_pose(clip) is clip
    count = len(rig.skeleton)
    step = clip.times[1]
    held = replace(
        clip,
        times=np.concatenate([[0.0], clip.times + step]),
        rotations=np.concatenate([np.tile([0.0, 1.0, 0.0, 0.0], (1, count, 1)), clip.rotations]),
        translations=np.concatenate([clip.translations[:1], clip.translations]),
        scales=np.concatenate([clip.scales[:1], clip.scales]),
        properties={},
    )
    left = drop_leading_pose(held)
    assert left.times == pytest.approx(clip.times)
    assert np.array_equal(left.rotations, clip.rotations)
    still = replace(held, rotations=np.repeat(clip.rotations[:1], len(held.times), axis=0))
    assert drop_leading_pose(still) is still
