# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Placing footsteps by pointing, as a state machine that knows nothing of windows.

The tool tells it what is pointed at and which button or key was pressed; it tells which sole to
show and what to do. Everything is seen from above, heights are those pointed at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum, auto

import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ...api.footstep_runs import StepMaker, stand_step
from ...blender.footsteps.objects import SIDE_COLOURS
from ...core.drawing.shapes import outline_soles
from ...core.footsteps.layout import LaidStep, StepGait
from ...core.ground.interface import Ground
from ...core.maths.rotations import FloatArray, wrap_angles
from ..limits import PLACING


class PlacerState(Enum):
    """Record of what the tool is about."""

    HOVER = auto()
    TURN = auto()
    ASK = auto()


class StepPlacer:
    """Record of where the next footstep goes.

    Parameters
    ----------
    place
        Place of the body before the first step, world x and y, metres, shape (2,).
    direction
        Where it faces, radians from +X.
    """

    def __init__(self, gait: StepGait, place: FloatArray, direction: float) -> None:
        self.gait = gait
        self.state = PlacerState.HOVER
        self.ghost: LaidStep | None = None
        self.jumps = False
        self._place, self._direction = np.array(place[:2]), direction
        self._last: LaidStep | None = None
        self._first = gait.order[0]
        self._chosen: int | None = None

    def set_steps(self, steps: Sequence[LaidStep]) -> None:
        """Tell which steps there are, in their order."""
        self._last = steps[-1] if steps else None
        if self.state is not PlacerState.TURN:
            self.ghost = None

    @property
    def next_leg(self) -> int:
        """The leg that takes the next step."""
        if self._chosen is not None:
            return self._chosen
        return self._first if self._last is None else self.gait.follow(self._last.leg)

    def hover(self, point: FloatArray | None, snap: bool) -> None:
        """Point at a place (3,), world, metres; None for nothing.

        Parameters
        ----------
        point
            What is pointed at.
        snap
            Whether the step is to be as long as a step of the walk.
        """
        if self.state is PlacerState.HOVER:
            if point is not None and self._last is None:
                self._first = self._find_nearest_leg(point)
            self.ghost = None if point is None else self._aim(point, snap)
        elif self.state is PlacerState.TURN and point is not None and self.ghost is not None:
            apart = point[:2] - self.ghost.middle[:2]
            if np.hypot(*apart) > PLACING.dragged * self.gait.stride:
                self.ghost = replace(self.ghost, heading=float(np.arctan2(apart[1], apart[0])))

    def press(self) -> bool:
        """Set the foot down; it can be turned until the button is released. False over nothing."""
        if self.state is not PlacerState.HOVER or self.ghost is None:
            return False
        self.state = PlacerState.TURN
        return True

    def release(self) -> LaidStep | None:
        """Let go of the foot: the step to be made, None where no foot was set down."""
        if self.state is not PlacerState.TURN:
            return None
        step, self.ghost = self.ghost, None
        self.state, self._chosen = PlacerState.HOVER, None
        if step is not None:
            self._last = step
        return step

    def change_side(self) -> None:
        """Take the next step with the leg after the one that would take it."""
        self._chosen = self.gait.follow(self.next_leg)
        if self.state is PlacerState.HOVER:
            self.ghost = None

    def ask_clear(self, count: int) -> bool:
        """Ask whether all of so many steps shall go; False where there is nothing to ask."""
        if self.state is not PlacerState.HOVER or not count:
            return False
        self.state = PlacerState.ASK
        return True

    def answer(self, clear: bool) -> bool:
        """Answer that question; True where all steps are to go."""
        if self.state is not PlacerState.ASK:
            return False
        self.state, self._chosen = PlacerState.HOVER, None
        return clear

    def stop(self) -> bool:
        """Take back what is begun; True where nothing was and the tool is to end."""
        if self.state is PlacerState.HOVER:
            return True
        self.state = PlacerState.HOVER
        return False

    def _find_nearest_leg(self, point: FloatArray) -> int:
        """The leg on whose side of the body a point (3,) lies, for a first step."""
        apart = point[:2] - self._place
        side = np.cos(self._direction) * apart[1] - np.sin(self._direction) * apart[0]
        return min(self.gait.order, key=lambda leg: abs(float(self.gait.middles[leg, 1]) - side))

    def _aim(self, point: FloatArray, snap: bool) -> LaidStep:
        """The step at a point, turned along the way there."""
        leg = self.next_leg
        place, direction = self._place, self._direction
        if self._last is not None:
            place, direction = self.gait.place_body(
                self._last.leg, self._last.middle, self._last.heading
            )
        middle = point[:2]
        # The way leads from body to body; where the next body is depends on the way's direction.
        for _ in range(PLACING.rounds):
            body, _ = self.gait.place_body(leg, middle, direction + self.gait.turns[leg])
            way = body - place
            if np.hypot(*way) < PLACING.turned * self.gait.stride:
                break
            direction = float(np.arctan2(way[1], way[0]))
        if self._last is not None:
            direction = self._turn_from(self._last, leg, middle, direction)
        if snap:
            before = self.gait.order[self.gait.order.index(leg) - 1]
            if self._last is not None:
                before = self._last.leg
            ahead = self.gait.stride * self.gait.advance(before, leg)
            body = place + ahead * np.array([np.cos(direction), np.sin(direction)])
            middle, _ = self.gait.place_step(leg, body, direction)
        heading = direction + float(self.gait.turns[leg])
        return LaidStep(leg, np.append(middle, point[2]), heading, self.jumps)

    def _turn_from(self, last: LaidStep, leg: int, middle: FloatArray, direction: float) -> float:
        """A direction of the body's way, less where it turns too far from that of the last step.

        A foot set down beside another one makes a pair with it and turns no further: the way within
        a pair tells nothing.
        """
        before = last.heading - float(self.gait.turns[last.leg])
        apart = float(np.hypot(*(middle - last.middle[:2])))
        if leg != last.leg and apart < PLACING.beside * self.gait.stride:
            return before
        turn = float(wrap_angles(direction - before))
        return before + float(np.clip(turn, -PLACING.most_turn, PLACING.most_turn))


_FILL, _LINE = 0.45, 1.0
# Lines over the view are drawn in the screen's own values.
_GAMMA = 2.2


class StepGhost:
    """A sole on the ground that is no object."""

    def __init__(self) -> None:
        # Corners of the sole, world, metres, shape (P, 3); None for nothing.
        self.outline: np.ndarray | None = None
        self._colour: tuple[float, ...] = SIDE_COLOURS[""]

    def show(
        self, maker: StepMaker, ground: Ground, step: LaidStep | None, scene: bpy.types.Scene
    ) -> None:
        """Show a step where it would stand; None shows nothing."""
        self.outline = None
        if step is None:
            return
        rig = maker.character.rig
        leg = rig.legs[step.leg]
        position, frame = stand_step(maker, ground, step, scene)
        length = float(rig.foot_lengths[step.leg])
        (self.outline,) = outline_soles(
            position[None], frame[None], length, leg.sole_width, leg.side
        )
        linear = SIDE_COLOURS.get(leg.side, SIDE_COLOURS[""])
        self._colour = tuple(value ** (1.0 / _GAMMA) for value in linear)

    def draw(self) -> None:
        """Draw the sole over everything, so that it is seen in every kind of shading."""
        if self.outline is None:
            return
        corners = self.outline.tolist()
        shader = gpu.shader.from_builtin("UNIFORM_COLOR")
        fan = [(0, i, i + 1) for i in range(1, len(corners) - 1)]
        fill = batch_for_shader(shader, "TRIS", {"pos": corners}, indices=fan)
        line = batch_for_shader(shader, "LINE_STRIP", {"pos": [*corners, corners[0]]})
        gpu.state.blend_set("ALPHA")
        gpu.state.depth_test_set("NONE")
        for batch, alpha in ((fill, _FILL), (line, _LINE)):
            shader.uniform_float("color", (*self._colour, alpha))
            batch.draw(shader)
        gpu.state.blend_set("NONE")
