# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies like those that users bring, with names and helpers of other programs (numpy only).

Metres, Z up; all face -Y. Their walks are made by `striding` from this alone and know nothing of the
program.
"""

from __future__ import annotations

from collections.abc import Iterator

from .animals import list_animals
from .bodies import Limb, Part, Stranger
from .people import list_people
from .unusual import list_unusual

__all__ = ["Limb", "Part", "Stranger", "list_strangers"]


def list_strangers() -> Iterator[Stranger]:
    """All of them."""
    yield from list_people()
    yield from list_animals()
    yield from list_unusual()
