# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Phase offsets that make the legs of several motions stand at the same time (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..maths.rotations import FloatArray
from .limits import SYNCHRONISING
from .records import Motion


def synchronize_stances(
    stances: FloatArray, steps: np.ndarray | None = None
) -> tuple[FloatArray, float, FloatArray]:
    """Offsets that bring the stance phases of all motions together, leg by leg.

    Start from the leading eigenvector of the pairwise agreement, then alternate in closed form
    between the legs' mean phases and the motions' offsets (docs/method/motions.md, Synchronising).

    Parameters
    ----------
    stances
        Stance phases in cycles, shape (M, L).
    steps
        Which of them count, shape (M, L) of bool; None for all.

    Returns
    -------
    offsets
        Cycles in [0, 1), the first 0, shape (M,): the common phase of a stance is stance + offset.
    score
        Agreement of the whole set, 0 to 1.
    motion_scores
        Agreement of each motion with the mean phases, 0 to 1, shape (M,).
    """
    stances = np.asarray(stances, dtype=np.float64)
    counted = np.ones(stances.shape, dtype=bool) if steps is None else np.asarray(steps, dtype=bool)
    if stances.ndim != 2 or counted.shape != stances.shape:
        raise ValueError(
            f"stances and steps must have shape (M, L), got {stances.shape}, {counted.shape}"
        )
    if len(stances) == 0:
        return np.zeros(0), 1.0, np.zeros(0)
    pointers = np.exp(2j * np.pi * stances) * counted
    _, vectors = np.linalg.eigh(pointers @ pointers.conj().T)
    turns = _normalize_complex(np.conj(vectors[:, -1]), np.ones(len(stances), dtype=complex))
    for _ in range(SYNCHRONISING.most_sweeps):
        means = _normalize_complex(np.sum(pointers * turns[:, None], axis=0), 0.0)
        better = _normalize_complex(np.sum(means * np.conj(pointers), axis=1), turns)
        moved = float(np.max(np.abs(np.angle(better * np.conj(turns))))) / (2.0 * np.pi)
        turns = better
        if moved < SYNCHRONISING.converged:
            break
    aligned = pointers * turns[:, None]
    sums = np.sum(aligned, axis=0)
    present = np.sum(counted, axis=0)
    legs = max(int(np.sum(present > 0)), 1)
    shares = np.abs(sums) ** 2 / np.maximum(present, 1) ** 2
    score = float(np.sum(shares) / legs)
    means = _normalize_complex(sums, 0.0)
    own = np.abs(np.sum(means * np.conj(pointers), axis=1))
    motion_scores = own / np.maximum(np.sum(counted, axis=1), 1)
    offsets = (np.angle(turns * np.conj(turns[0])) / (2.0 * np.pi)) % 1.0
    # A tiny negative angle wraps to just below 1, which is 0.
    offsets[(offsets > 1.0 - SYNCHRONISING.converged) | (offsets < SYNCHRONISING.converged)] = 0.0
    return offsets, score, np.asarray(motion_scores)


def synchronize_motions(motions: Sequence[Motion]) -> tuple[FloatArray, float, FloatArray]:
    """Phase offsets of motions for a `MotionSet`.

    Parameters
    ----------
    motions
        M motions of one rig; rest motions get offset 0 and score 1.

    Returns
    -------
    offsets
        Motion phase = common phase - offset, cycles in [0, 1), shape (M,).
    score
        Agreement of all cycles, 0 to 1.
    motion_scores
        Agreement of each motion, shape (M,); below 0.8 the gait differs from the others and blending
        with it will scuff the feet.
    """
    cycles = [i for i, motion in enumerate(motions) if motion.is_cycle]
    offsets, motion_scores = np.zeros(len(motions)), np.ones(len(motions))
    if not cycles:
        return offsets, 1.0, motion_scores
    stances = np.array([[leg.stance for leg in motions[i].legs] for i in cycles])
    steps = np.array([[leg.steps for leg in motions[i].legs] for i in cycles])
    found, score, scores = synchronize_stances(stances, steps)
    offsets[cycles], motion_scores[cycles] = found, scores
    return offsets, score, motion_scores


def _normalize_complex(values: np.ndarray, fallback: np.ndarray | complex) -> np.ndarray:
    """Unit complex numbers along ``values``; ``fallback`` where they vanish."""
    size = np.abs(values)
    clear = size > SYNCHRONISING.vanishing
    return np.where(clear, values / np.where(clear, size, 1.0), fallback)
