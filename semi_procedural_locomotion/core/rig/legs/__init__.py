# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the legs, soles, forward and the bone to move of any armature (numpy only)."""

from __future__ import annotations

from .ends import fit_evidence
from .evidence import BodyEvidence, EvidenceClip, LegChoice, RigFindings
from .find import build_rig, find_rig
from .standing import choose_standing, list_bearing

__all__ = [
    "BodyEvidence",
    "EvidenceClip",
    "LegChoice",
    "RigFindings",
    "build_rig",
    "choose_standing",
    "find_rig",
    "fit_evidence",
    "list_bearing",
]
