# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks with known truth: trajectories of feet (docs/method/contacts.md, What it reaches).

Feet point to +y, right is +x, up is +z. A foot is a rigid line from heel to toe tip: planted, it
rolls about its heel after strike and about its toe tip before foot-off.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

GAITS = {
    "walk": (0.0, 0.5),
    "lateral walk": (0.0, 0.5, 0.75, 0.25),
    "trot": (0.0, 0.5, 0.5, 0.0),
    "gallop": (0.0, 0.12, 0.5, 0.62),
    "bound": (0.0, 0.06, 0.5, 0.56),
    "tripod": (0.0, 0.5, 0.0, 0.5, 0.0, 0.5),
    "ripple": (0.0, 0.5, 0.25, 0.75, 0.5, 0.0, 0.75, 0.25),
    "hop": (0.0,),
    "jump": (0.0, 0.0),
}
BALL_SHARE = 0.7
PITCH_OFF, PITCH_STRIKE = 0.5, 0.35


@dataclass(frozen=True)
class Recipe:
    """One synthetic walk; lengths in metres before ``scale``, angles in radians."""

    gait: str = "walk"
    duty: float = 0.6
    period: float = 1.0
    speed: float = 1.4
    heading: float = 0.0
    turn_rate: float = 0.0
    style: str = "heel"
    lift: float = 0.10
    off_roll: float = 0.12
    strike_roll: float = 0.06
    foot_length: float = 0.25
    hip_height: float = 0.9
    half_width: float = 0.2
    ground: float = 0.0
    sink: float = 0.0
    arc: float = 0.0
    skate: float = 0.0
    limp: float = 0.0
    ripple: float = 0.0
    sway: float = 0.0
    noise: float = 0.0
    seam: float = 0.0
    keys: float = 30.0
    cycles: float = 1.0
    start: float = 0.0
    scale: float = 1.0
    seed: int = 0

    @property
    def legs(self):
        return len(GAITS[self.gait])

    @property
    def velocity(self):
        return self.scale * self.speed * np.array([np.sin(self.heading), np.cos(self.heading)])


@dataclass(frozen=True)
class LegTruth:
    """True phases of one leg."""

    strike: float
    land: float
    lift: float
    off: float
    duty: float


@dataclass(frozen=True)
class Feet:
    """Trajectories at the keys: points (n, L, 3, 3) heel, ball, toe tip; body places and yaws."""

    recipe: Recipe
    times: np.ndarray
    points: np.ndarray
    body: np.ndarray
    yaws: np.ndarray
    truth: tuple[LegTruth, ...]
    velocity: np.ndarray
    turn_rate: float = field(default=0.0)


def smooth_step(x):
    x = np.clip(x, 0.0, 1.0)
    return x * x * (3.0 - 2.0 * x)


def turn_vectors(vectors, angles):
    cosine, sine = np.cos(angles), np.sin(angles)
    x, y = vectors[..., 0], vectors[..., 1]
    return np.stack([cosine * x - sine * y, sine * x + cosine * y], axis=-1)


def place_mean_body(recipe, times):
    """World place (n, 2) and yaw (n,) of a body that moves evenly."""
    velocity = recipe.speed * np.array([np.sin(recipe.heading), np.cos(recipe.heading)])
    times = np.asarray(times, dtype=float)
    rate = recipe.turn_rate
    if rate == 0.0:
        return times[:, None] * velocity, np.zeros_like(times)
    along, across = np.sin(rate * times) / rate, (1.0 - np.cos(rate * times)) / rate
    x = along * velocity[0] - across * velocity[1]
    y = across * velocity[0] + along * velocity[1]
    return np.stack([x, y], axis=-1), rate * times


def find_leg_place(recipe, leg):
    """Foot centre under the standing body, (2,)."""
    rows = (recipe.legs + 1) // 2
    side = 0.0 if recipe.legs == 1 else (-1.0 if leg % 2 == 0 else 1.0)
    return np.array([side * recipe.half_width, -0.8 * (leg // 2 - (rows - 1) / 2)])


def compute_leg_truth(recipe, leg):
    """Phases of a leg, and the lengths of its two rolls."""
    touch = GAITS[recipe.gait][leg]
    duty = recipe.duty * (1.0 + (recipe.limp if leg % 2 == 0 else -recipe.limp))
    rolls = recipe.style in ("heel", "toe")
    off_roll = min(recipe.off_roll, 0.4 * duty) if rolls else 0.0
    strike_roll = min(recipe.strike_roll, 0.3 * duty) if rolls else 0.0
    truth = LegTruth(
        strike=touch % 1.0,
        land=(touch + strike_roll) % 1.0,
        lift=(touch + duty - off_roll) % 1.0,
        off=(touch + duty) % 1.0,
        duty=duty,
    )
    return truth, off_roll, strike_roll


def pitch_foot(recipe, stance, since, swing, duty, off_roll, strike_roll):
    """Pitch of the foot, positive with the heel up."""
    top_off = PITCH_OFF * min(1.0, off_roll / 0.08)
    top_strike = PITCH_STRIKE * min(1.0, strike_roll / 0.06)
    if recipe.style == "toe":
        top_strike = -top_strike
    pitch = top_off * (1.0 - smooth_step(1.3 * swing)) - top_strike * smooth_step(1.3 * swing - 0.3)
    standing = np.zeros_like(since)
    if off_roll:
        standing += top_off * np.clip((since - duty + off_roll) / off_roll, 0.0, 1.0) ** 1.5
    if strike_roll:
        standing -= top_strike * (1.0 - np.clip(since / strike_roll, 0.0, 1.0)) ** 1.5
    pitch = np.where(stance, standing, pitch)
    return pitch + (0.5 if recipe.style == "tiptoe" else 0.0)


def make_leg(recipe, leg, times):
    """Heel, ball and toe tip of one leg in the world, (n, 3, 3), and its truth."""
    truth, off_roll, strike_roll = compute_leg_truth(recipe, leg)
    duty, place = truth.duty, find_leg_place(recipe, leg)
    cycles = times / recipe.period
    step = np.floor(cycles - GAITS[recipe.gait][leg])
    since = cycles - GAITS[recipe.gait][leg] - step
    stance = since < duty
    swing = np.clip((since - duty) / (1.0 - duty), 0.0, 1.0)
    advance = smooth_step(swing)

    def plant(number):
        middle = (number + GAITS[recipe.gait][leg] + 0.5 * duty) * recipe.period
        body, yaw = place_mean_body(recipe, middle)
        return body + turn_vectors(place, yaw), yaw

    (here, yaw_here), (there, yaw_there) = plant(step), plant(step + 1)
    centre = here + (there - here) * advance[:, None]
    yaw = yaw_here + (yaw_there - yaw_here) * advance
    velocity = recipe.speed * np.array([np.sin(recipe.heading), np.cos(recipe.heading)])
    creep = np.where(stance, since - 0.5 * duty, duty * (0.5 - advance))
    centre = centre - recipe.skate * recipe.period * creep[:, None] * velocity
    height = recipe.lift * np.sin(np.pi * swing) ** 2
    share = np.clip(since / duty, 0.0, 1.0)
    height -= recipe.sink * np.where(stance, np.sin(np.pi * share), 0.0)
    height += recipe.arc * np.where(stance, (2.0 * share - 1.0) ** 2, 1.0)
    pitch = pitch_foot(recipe, stance, since, swing, duty, off_roll, strike_roll)
    forward = np.stack([-np.sin(yaw), np.cos(yaw)], axis=-1)
    foot = recipe.foot_length * np.concatenate(
        [forward * np.cos(pitch)[:, None], -np.sin(pitch)[:, None]], axis=1
    )
    half = 0.5 * recipe.foot_length * forward
    heel = np.concatenate([centre - half, height[:, None]], axis=1)
    toe = np.concatenate([centre + half, height[:, None]], axis=1)
    heel = np.where((pitch > 0)[:, None], toe - foot, heel)
    return np.stack([heel, heel + BALL_SHARE * foot, heel + foot], axis=1), truth


def make_feet(recipe, travelling=False):
    """Feet at the keys.

    ``travelling`` keeps world space; otherwise they are seen from the evenly moving body. Ripple and
    sway belong to the body alone, so planted feet stay planted.
    """
    count = int(np.ceil(recipe.keys * recipe.cycles - 1e-9)) + 1
    times = np.arange(count) / recipe.keys * recipe.period
    clock = times + recipe.start * recipe.period
    legs = [make_leg(recipe, leg, clock) for leg in range(recipe.legs)]
    points = np.stack([leg[0] for leg in legs], axis=1)
    place, yaw = place_mean_body(recipe, clock)
    wave = 2.0 * np.pi / recipe.period
    stride = recipe.speed * recipe.period
    along = recipe.ripple * stride / (4.0 * np.pi) * np.sin(2.0 * wave * clock)
    ahead = np.array([np.sin(recipe.heading), np.cos(recipe.heading)])
    shift = along[:, None] * ahead
    shift = shift + (recipe.sway * np.sin(wave * clock))[:, None] * np.array([ahead[1], -ahead[0]])
    body = place + turn_vectors(shift, yaw)
    if not travelling:
        points[..., :2] = turn_vectors(points[..., :2] - place[:, None, None], -yaw[:, None, None])
        body, yaw = shift, np.zeros_like(yaw)
    points[..., 2] += recipe.ground
    rng = np.random.default_rng(recipe.seed)
    if recipe.noise:
        points = points + rng.normal(0.0, recipe.noise, points.shape)
    if recipe.seam:
        ramp = np.linspace(-0.5, 0.5, count)[:, None, None, None]
        points = points + recipe.seam * ramp * rng.normal(0.0, 1.0, (1, recipe.legs, 1, 3))
    return Feet(
        recipe=recipe,
        times=times,
        points=points * recipe.scale,
        body=body * recipe.scale,
        yaws=yaw,
        truth=tuple(leg[1] for leg in legs),
        velocity=recipe.velocity * (1.0 + recipe.skate),
        turn_rate=recipe.turn_rate,
    )


def sample_cycle(feet, count=96):
    """One closed cycle at ``count`` phases, linear between keys as a baked clip is, (count, L, 3, 3)."""
    period = feet.recipe.period
    flat = feet.points.reshape(len(feet.times), -1)
    phases = np.arange(count) / count

    def sample(times):
        return np.stack([np.interp(times, feet.times, column) for column in flat.T], axis=1)

    residual = sample([period]) - sample([0.0])
    cycle = sample(phases * period) - (phases - 0.5)[:, None] * residual
    return cycle.reshape(count, *feet.points.shape[1:])


def draw_recipe(rng):
    """A random recipe of the family that docs/method/contacts.md, What it reaches, tells of."""
    gait = rng.choice(
        ["walk", "walk", "walk", "lateral walk", "trot", "gallop", "tripod", "ripple"]
    )
    duty = rng.uniform(0.22, 0.75)
    keys = rng.integers(14, 100) + (rng.uniform() if rng.uniform() < 0.25 else 0.0)
    fast = 1.0 - (duty - 0.22) / 0.53
    lift = rng.uniform(0.04, 0.30)
    return Recipe(
        gait=str(gait),
        duty=duty,
        period=rng.uniform(0.5, 2.0) * (0.5 if fast > 0.8 else 1.0) + 0.2 * (fast > 0.8),
        speed=float(np.exp(rng.uniform(np.log(0.3), np.log(0.8 + 4.2 * fast)))),
        heading=float(rng.choice([0.0, 0.0, rng.uniform(-np.pi, np.pi)])),
        turn_rate=float(rng.choice([0.0, 0.0, 0.5, -1.2])),
        style=str(rng.choice(["heel", "heel", "heel", "toe", "flat", "tiptoe"])),
        lift=lift,
        ground=rng.uniform(-0.05, 0.05),
        sink=min(rng.uniform(0.0, 0.02), 0.25 * lift) * (rng.uniform() < 0.3),
        arc=min(rng.uniform(0.0, 0.015), 0.25 * lift) * (rng.uniform() < 0.3),
        noise=float(rng.choice([0.0, 0.0005, 0.001, 0.003, 0.005])),
        skate=rng.uniform(-0.10, 0.05) * (rng.uniform() < 0.3),
        limp=0.1 * (rng.uniform() < 0.2),
        seam=0.02 * (rng.uniform() < 0.2),
        keys=float(keys),
        seed=int(rng.integers(1 << 30)),
    )
