# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in a file before it is written to, kept so that it can be put back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from .. import versions
from .bake_record import ChannelKey, Marker
from .components import read_component, write_component
from .curve_records import CurveRecord

_SELECTED = ("select_control_point", "select_left_handle", "select_right_handle")


@dataclass(frozen=True)
class _KeptCurve:
    """One curve as it was.

    Attributes
    ----------
    record
        All of it but what is selected.
    is_selected
        Whether it is selected itself.
    selected
        Which of its keys and handles are selected, by the names of these choices; none where their
        number stays, for then so does the selection.
    """

    record: CurveRecord
    is_selected: bool
    selected: dict[str, np.ndarray]


class KeptCurves:
    """Curves of a slot as they were before they were changed or made.

    Parameters
    ----------
    bag
        Has the slot's ``fcurves`` and ``groups``.
    """

    def __init__(self, bag: bpy.types.ActionChannelbag) -> None:
        self._bag = bag
        self._curves: dict[ChannelKey, _KeptCurve | None] = {}
        self._groups = {group.name for group in bag.groups}

    def keep(self, key: ChannelKey, curve: bpy.types.FCurve | None, new_count: int) -> None:
        """Note a curve before it is changed for the first time.

        Parameters
        ----------
        key
            Its data path and index.
        curve
            The curve; None where there is none and one may be made.
        new_count
            How many keys it is given.
        """
        if curve is None:
            self._curves[key] = None
            return
        self._curves[key] = _KeptCurve(
            record=CurveRecord.read(curve),
            is_selected=curve.select,
            selected=_read_selection(curve) if len(curve.keyframe_points) != new_count else {},
        )

    def put_back(self) -> None:
        """Make all noted curves what they were, and take those away that are new."""
        for (path, index), kept in self._curves.items():
            curve = self._bag.fcurves.find(path, index=index)
            if kept is None:
                if curve is not None:
                    self._bag.fcurves.remove(curve)
                continue
            curve = kept.record.write(self._bag, path, index, curve)
            curve.select = kept.is_selected
            for name, column in kept.selected.items():
                curve.keyframe_points.foreach_set(name, column)
        for group in [group for group in self._bag.groups if group.name not in self._groups]:
            self._bag.groups.remove(group)


def _read_selection(curve: bpy.types.FCurve) -> dict[str, np.ndarray]:
    """Which keys and handles of a curve are selected, by the names of these choices."""
    found = {name: np.empty(len(curve.keyframe_points), dtype=bool) for name in _SELECTED}
    for name, column in found.items():
        curve.keyframe_points.foreach_get(name, column)
    return found


class KeptActions:
    """Which actions the file has."""

    def __init__(self) -> None:
        self._known = {action.session_uid for action in bpy.data.actions}

    def put_back(self) -> None:
        """Remove those that are new."""
        for action in [a for a in bpy.data.actions if a.session_uid not in self._known]:
            bpy.data.actions.remove(action)


class KeptComponents:
    """Single components of an object's properties.

    Parameters
    ----------
    armature
        The object.
    keys
        Data paths and indices; those whose owner is gone are left out.
    """

    def __init__(self, armature: bpy.types.Object, keys: Iterable[ChannelKey]) -> None:
        self._armature = armature
        self._values = {key: read_component(armature, key) for key in keys}

    def put_back(self) -> None:
        """Give the properties their values again."""
        for key, value in self._values.items():
            if value is not None:
                write_component(self._armature, key, value)


class KeptSelection:
    """Which keys of an action are selected, with their handles.

    Parameters
    ----------
    action
        The action.
    """

    def __init__(self, action: bpy.types.Action) -> None:
        self._action = action
        self._selected = {
            (slot, curve.data_path, curve.array_index): _read_selection(curve)
            for slot in versions.list_slots(action)
            for curve in versions.get_curves(action, slot)
        }

    def put_back(self) -> None:
        """Select them again, on curves that have as many keys."""
        for slot in versions.list_slots(self._action):
            for curve in versions.get_curves(self._action, slot):
                kept = self._selected.get((slot, curve.data_path, curve.array_index), {})
                for name, column in kept.items():
                    if len(column) == len(curve.keyframe_points):
                        curve.keyframe_points.foreach_set(name, column)


class KeptMarkers:
    """Markers of an action.

    Parameters
    ----------
    action
        The action.
    """

    def __init__(self, action: bpy.types.Action) -> None:
        self._action = action
        self._markers: list[tuple[Marker, bool]] = [
            ((marker.name, marker.frame), marker.select) for marker in action.pose_markers
        ]

    def put_back(self) -> None:
        """Replace the action's markers by those that it had."""
        markers = self._action.pose_markers
        while len(markers):
            markers.remove(markers[0])
        for (name, frame), is_selected in self._markers:
            marker = markers.new(name)
            marker.frame, marker.select = frame, is_selected


class KeptCustomProperties:
    """Custom properties of a data-block.

    Parameters
    ----------
    owner
        The data-block.
    names
        Names of its properties, there or not.
    """

    def __init__(self, owner: bpy.types.ID, names: Iterable[str]) -> None:
        self._owner = owner
        self._values = {name: _read_property(owner.get(name)) for name in names}

    def put_back(self) -> None:
        """Give the data-block these properties again, and none that it did not have."""
        for name, value in self._values.items():
            if value is not None:
                self._owner[name] = value
            elif name in self._owner:
                del self._owner[name]


def _read_property(value: Any) -> Any:  # noqa: ANN401
    """A custom property as a plain value: groups stay no part of their owner."""
    return value.to_dict() if hasattr(value, "to_dict") else value
