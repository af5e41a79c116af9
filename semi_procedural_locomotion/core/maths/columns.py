# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records whose fields are columns of one table (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Self

import numpy as np

Index = np.ndarray | slice | tuple[np.ndarray | slice | int, ...]


@dataclass(frozen=True)
class Columns:
    """A record whose arrays, and those of such records in it, have the same first axis."""

    def select(self, rows: Index) -> Self:
        """The same for some rows: any index of arrays, also of more axes where all columns have them."""
        return replace(
            self,
            **{
                entry.name: value.select(rows) if isinstance(value, Columns) else value[rows]
                for entry in fields(self)
                if isinstance(value := getattr(self, entry.name), np.ndarray | Columns)
            },
        )

    def put(self, rows: Index, others: Columns) -> Self:
        """The same with others in the place of some rows, in the columns that these have."""
        columns = {entry.name: getattr(self, entry.name).copy() for entry in fields(others)}
        for name, column in columns.items():
            column[rows] = getattr(others, name)
        return replace(self, **columns)
