# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts that stand for records, and what is kept under them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths.fingerprints import (
    KeptResults,
    NoFingerprintError,
    fingerprint,
    try_fingerprint,
)


@dataclass(frozen=True)
class Part:
    """A record with a record inside."""

    name: str
    values: np.ndarray
    beside: object = None


PART = Part("leg", np.arange(6.0).reshape(2, 3), {"a": (1, 2.5), "b": frozenset({"x", "y"})})


def test_the_same_data_have_the_same_text():
    again = Part("leg", np.arange(6.0).reshape(2, 3), {"b": {"y", "x"}, "a": (1, 2.5)})
    assert fingerprint(PART) == fingerprint(again)
    # However an array lies in memory.
    turned = replace(PART, values=np.asfortranarray(PART.values))
    assert fingerprint(turned) == fingerprint(PART)


@pytest.mark.parametrize(
    "other",
    [
        replace(PART, name="arm"),
        replace(PART, values=np.nextafter(PART.values, 9.0)),
        replace(PART, values=PART.values.reshape(3, 2)),
        replace(PART, values=PART.values.astype(np.float32)),
        replace(PART, beside=None),
        replace(PART, beside={"a": (1, 2.5), "b": frozenset({"x"})}),
        replace(PART, beside={"a": (1.0, 2.5), "b": frozenset({"x", "y"})}),
        replace(PART, beside={"a": [(1,), 2.5], "b": frozenset({"x", "y"})}),
    ],
)
def test_other_data_have_another(other):
    assert fingerprint(other) != fingerprint(PART)


def test_neighbours_are_told_apart():
    assert fingerprint("ab", "c") != fingerprint("a", "bc")
    assert fingerprint([1], 2) != fingerprint([1, 2])
    assert fingerprint(1) != fingerprint(True)


def test_what_is_more_than_data_has_none():
    with pytest.raises(NoFingerprintError):
        fingerprint([PART, len])
    assert try_fingerprint(replace(PART, beside=object())) is None


def test_results_are_made_once_and_cannot_be_changed():
    made, kept = [], KeptResults(2)

    def make(number):
        made.append(number)
        return Part("made", np.full(3, float(number)))

    first = kept.get("a", lambda: make(1))
    assert kept.get("a", lambda: make(2)) is first
    with pytest.raises(ValueError, match="read-only"):
        first.values[0] = 5.0
    kept.get("b", lambda: make(3))
    kept.get("a", lambda: make(4))
    kept.get("c", lambda: make(5))
    # The one that was asked for last stays, the older one goes.
    kept.get("a", lambda: make(6))
    kept.get("b", lambda: make(7))
    assert made == [1, 3, 5, 7]
    # What has no text is made each time.
    kept.get(None, lambda: make(8))
    kept.get(None, lambda: make(9))
    assert made[-2:] == [8, 9]
