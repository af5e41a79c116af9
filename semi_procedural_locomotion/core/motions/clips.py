# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sampled motion of a skeleton (numpy only)."""

from __future__ import annotations

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
    last = max(len(clip.times) - 2, 0)
    index = np.clip(np.searchsorted(clip.times, times, side="right") - 1, 0, last)
    after = np.minimum(index + 1, len(clip.times) - 1)
    span = np.maximum(clip.times[after] - clip.times[index], 1e-12)
    share = np.clip((times - clip.times[index]) / span, 0.0, 1.0)[:, None]
    return replace(
        clip,
        times=np.asarray(times, dtype=np.float64),
        rotations=rot.nlerp(clip.rotations[index], clip.rotations[after], share),
        translations=_mix(clip.translations, index, after, share),
        scales=_mix(clip.scales, index, after, share),
        properties=resample_properties(clip.properties, clip.times, times),
    )


def _mix(values: FloatArray, index: np.ndarray, after: np.ndarray, share: FloatArray) -> FloatArray:
    """Linear interpolation between rows of (S, B, 3)."""
    return values[index] * (1.0 - share[..., None]) + values[after] * share[..., None]
