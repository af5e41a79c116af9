# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a scene is no ground."""

from __future__ import annotations

from .kinds import LEG, Flag, Number, list_settings

GROUND = list_settings(
    Flag(
        name="rendered_only",
        label="Rendered Only",
        description="Leave out objects that are hidden in renders",
    ),
    Flag(
        name="leave_out_instances",
        label="Leave Out Instances",
        description="Leave out everything that is shown by instances, such as grass by Geometry Nodes, "
        "particles and instanced collections",
    ),
    Flag(
        name="leave_out_small",
        label="Leave Out Small Things",
        description="Leave out meshes and instances that are smaller than a sole, seen from above, such "
        "as pebbles and blades of grass: no foot can stand on them",
    ),
    Number(
        name="only_nearby",
        label="Only Nearby",
        description="Leave out what stands still farther from the way than the feet reach and this "
        "many lengths of the leg; 0 looks at the whole scene",
        default=0.0,
        low=0.0,
        high=10000.0,
        soft_high=20.0,
        unit=LEG,
    ),
)
