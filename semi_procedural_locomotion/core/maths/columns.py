# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records whose fields are columns of one table (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
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
                name: value.select(rows) if isinstance(value, Columns) else value[rows]
                for name, value in self._list_columns().items()
            },
        )

    def put(self, rows: Index, others: Columns) -> Self:
        """The same with others in the place of some rows, in the columns that these have."""
        columns = {entry.name: getattr(self, entry.name).copy() for entry in fields(others)}
        for name, column in columns.items():
            column[rows] = getattr(others, name)
        return replace(self, **columns)

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """The rows of some records, one after the other; what is no column is that of the first."""
        columns = {}
        for name, value in parts[0]._list_columns().items():
            others = [getattr(part, name) for part in parts]
            columns[name] = (
                value.join(others) if isinstance(value, Columns) else np.concatenate(others)
            )
        return replace(parts[0], **columns)

    def _list_columns(self) -> dict[str, np.ndarray | Columns]:
        """Arrays and records of arrays by their names."""
        return {
            entry.name: value
            for entry in fields(self)
            if isinstance(value := getattr(self, entry.name), np.ndarray | Columns)
        }
