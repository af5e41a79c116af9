# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sole that is drawn under the pointer while footsteps are placed."""

from __future__ import annotations

import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ...api.footstep_runs import StepMaker, stand_step
from ...blender.footsteps.objects import SIDE_COLOURS
from ...core.drawing.shapes import outline_soles
from ...core.footsteps.layout import LaidStep
from ...core.ground.interface import Ground

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
