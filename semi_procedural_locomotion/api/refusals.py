# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Refusals of several motions told at once, so that nobody meets them one by one."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import AnalysisError


def refuse_motions(errors: Sequence[AnalysisError]) -> None:
    """Raise what was found wrong with motions as one error; nothing where there is none.

    Raises
    ------
    AnalysisError
        The only error itself, or one that names them all.
    """
    if len(errors) == 1:
        raise errors[0]
    if errors:
        told = f"{len(errors)} motions cannot be used: {'; '.join(error.case for error in errors)}"
        cures = list(dict.fromkeys(error.cure for error in errors if error.cure))
        job_cures = list(dict.fromkeys(error.job_cure for error in errors if error.job_cure))
        raise AnalysisError(told, "; ".join(cures), "; ".join(job_cures))
