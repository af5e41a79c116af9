# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sampled motion of a skeleton (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...errors import AnalysisError
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .limits import CLIP
from .properties import Properties, resample_properties


@dataclass(frozen=True)
class Clip:
    """Local poses of all bones at increasing times, as recorded (root motion included).

    Attributes
    ----------
    name
        The action's name.
    times
        Seconds from the clip's first sample, increasing, shape (S,).
    rotations, translations, scales
        Relative to the parent as in `Skeleton`, metres, shapes (S, B, 4), (S, B, 3), (S, B, 3). The
        armature object's own motion is folded into the parentless bones.
    key_interval
        Seconds between authored keys (the median distance of key times).
    frame_rate
        Frames per second of the source, for reports.
    keyed
        Names of the bones that it keys.
    properties
        What else it keys, at the same times.
    """

    name: str
    times: FloatArray
    rotations: FloatArray
    translations: FloatArray
    scales: FloatArray
    key_interval: float
    frame_rate: float
    keyed: frozenset[str] = frozenset()
    properties: Properties = field(default_factory=dict)

    def __post_init__(self) -> None:
        samples, bones = self.rotations.shape[:2]
        expected = {
            "times": (samples,),
            "rotations": (samples, bones, 4),
            "translations": (samples, bones, 3),
            "scales": (samples, bones, 3),
        }
        for field_name, shape in expected.items():
            value = getattr(self, field_name)
            if value.shape != shape:
                raise ValueError(f"{field_name} must have shape {shape}, got {value.shape}")
            # NaN is not within any limit.
            if not np.all(np.abs(value) <= CLIP.farthest):
                raise AnalysisError(
                    f"action {self.name!r} holds keys that are no numbers, or beyond all measure",
                    "delete or correct them in the Graph Editor, or leave the action out",
                    "correct them in Blender, or leave the action out of `motions`",
                )
        if samples > 1 and np.any(np.diff(self.times) <= 0):
            raise ValueError(f"times of clip {self.name!r} must increase")

    @property
    def duration(self) -> float:
        """Seconds from the first to the last sample."""
        return float(self.times[-1] - self.times[0])


def resample_clip(clip: Clip, times: FloatArray) -> Clip:
    """The clip at other times, by linear interpolation (nlerp for rotations).

    Parameters
    ----------
    clip
        Any clip.
    times
        Increasing seconds in the clip's own time, shape (N,); outside its range the ends are held.

    Returns
    -------
    Clip
        With ``times`` as given.
    """
    index, after, share = _find_samples(clip.times, times)
    return replace(
        clip,
        times=np.asarray(times, dtype=np.float64),
        rotations=rot.nlerp(clip.rotations[index], clip.rotations[after], share),
        translations=_mix(clip.translations, index, after, share),
        scales=_mix(clip.scales, index, after, share),
        properties=resample_properties(clip.properties, clip.times, times),
    )


def resample_rotations(clip: Clip, times: FloatArray, bones: Sequence[int]) -> FloatArray:
    """Rotations of some bones of a clip alone, as `resample_clip` has them, shape (N, K, 4)."""
    index, after, share = _find_samples(clip.times, times)
    own = clip.rotations[:, bones]
    return rot.nlerp(own[index], own[after], share)


def _find_samples(
    known: FloatArray, times: FloatArray
) -> tuple[np.ndarray, np.ndarray, FloatArray]:
    """Samples before and after times (N,) among those known (S,), and how far on they are, (N, 1)."""
    last = max(len(known) - 2, 0)
    index = np.clip(np.searchsorted(known, times, side="right") - 1, 0, last)
    after = np.minimum(index + 1, len(known) - 1)
    span = np.maximum(known[after] - known[index], 1e-12)
    return index, after, np.clip((times - known[index]) / span, 0.0, 1.0)[:, None]


def _mix(values: FloatArray, index: np.ndarray, after: np.ndarray, share: FloatArray) -> FloatArray:
    """Linear interpolation between rows of (S, B, 3)."""
    return values[index] * (1.0 - share[..., None]) + values[after] * share[..., None]
