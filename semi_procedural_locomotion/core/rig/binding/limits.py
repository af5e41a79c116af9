# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All thresholds of the binding of meshes, each with its unit and reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class BindingLimits:
    """How vertices find their bones (docs/method/binding.md, Weights)."""

    chunk: int = 100_000
    """Vertices times bones that are looked at together: 1 MB an array, which stays in
    the cache."""

    nearest: float = 1e-3
    """Share of the bones' extent below which a vertex is no nearer to a bone: on the bone its weight
    would be without limit."""

    near_kin: int = 2
    """Bones along the tree up to which a vertex follows those above and below its own: from the hips
    these are the knees, but no hands that hang beside them."""

    rival: float = 0.5
    """Share of its distance at which another limb lies, for a bone to count no more: in the middle
    between two legs both are as far, and the crotch follows both."""

    joined: float = 0.02
    """Share of the bones' extent within which a bone that hangs from the root begins where another one
    ends, and so follows it: feet of many IK rigs do."""

    most_mendings: int = 4
    """Times that patches of a mesh are handed to the limb around them; one does as a rule."""

    smoothed: float = 0.5
    """Share of the neighbours' mean that a vertex takes at each smoothing."""

    negligible: float = 0.005
    """Weight that is left out: nobody sees it, and game engines count bones."""


BINDING = BindingLimits()
