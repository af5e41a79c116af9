# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact hulls as text that is kept with the legs of an armature."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ...core.rig.hulls import FootHull
from ..values.schema import read_kept

# Digits that are kept: more than the float32 numbers of a mesh have.
_DIGITS = 9


def text_from_hull(hull: FootHull | None, names: Sequence[str], scale: float) -> str:
    """A hull as JSON, lengths in armature units; empty for None.

    Parameters
    ----------
    hull
        Of one foot.
    names
        Of the bones that it counts.
    scale
        Metres per armature unit.
    """
    if hull is None:
        return ""
    ridden = {bone: place for place, bone in enumerate(hull.ridden)}
    bones = np.where(hull.weights > 0, hull.bones, hull.ridden[0])
    kept: dict[str, list] = {
        "names": [names[bone] for bone in ridden],
        "bones": [[ridden[int(bone)] for bone in row] for row in bones],
        "weights": _list_digits(hull.weights),
        "offsets": _list_digits(hull.offsets / scale),
        "places": _list_digits(hull.places / scale),
        "parts": hull.parts.tolist(),
        "frame": _list_digits(hull.frame),
    }
    if hull.keeps_volume is not None and hull.binds is not None:
        kept["keeps_volume"] = hull.keeps_volume.astype(int).tolist()
        kept["binds"] = _list_digits(hull.binds)
    return json.dumps(kept, separators=(",", ":"))


def hull_from_text(text: str, names: Sequence[str], scale: float) -> FootHull | None:
    """The hull that a text holds; None where it holds none, or names bones that are gone.

    Parameters are those of `text_from_hull`.
    """
    found: FootHull | None = None
    if text:
        found = read_kept("the set-up of a leg", "hull", text, partial(_unpack, names, scale))
    return found


def _unpack(names: Sequence[str], scale: float, kept: dict[str, Any]) -> FootHull | None:
    """The hull of a text that was taken apart."""
    index = {name: bone for bone, name in enumerate(names)}
    if any(name not in index for name in kept["names"]):
        return None
    numbers = np.array([index[name] for name in kept["names"]], dtype=np.intp)
    weights, count = kept["weights"], len(kept["parts"])
    shapes = [kept[name].shape for name in ("bones", "offsets", "places", "frame")]
    if shapes != [weights.shape, (*weights.shape, 3), (count, 3), (4,)] or len(weights) != count:
        raise ValueError("its points have not the same number of numbers")
    is_blended = "binds" in kept and "keeps_volume" in kept
    return FootHull(
        bones=numbers[kept["bones"].astype(np.intp)],
        weights=weights / weights.sum(axis=1, keepdims=True),
        offsets=scale * kept["offsets"],
        places=scale * kept["places"],
        parts=kept["parts"].astype(np.intp),
        frame=kept["frame"],
        keeps_volume=kept["keeps_volume"] > 0 if is_blended else None,
        binds=kept["binds"] if is_blended else None,
    )


def _list_digits(values: np.ndarray) -> list:
    """Nested lists of numbers with as many digits as are kept."""
    shortened = [float(f"{value:.{_DIGITS}g}") for value in np.ravel(values)]
    return np.reshape(shortened, np.shape(values)).tolist()
