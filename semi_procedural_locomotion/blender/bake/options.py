# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a bake is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy

from ...errors import BakeError
from ...requests.settings.bakes import BAKE, OUTPUT
from ...requests.settings.kinds import check_values


@dataclass(frozen=True)
class BakeOptions:
    """How a bake is written; `requests.settings.bakes` has defaults, ranges and units.

    Attributes
    ----------
    output
        Which bones get the keys: ``"controls"``, ``"deforming"`` or ``"both"``; ``"automatic"`` for
        controls where the map of the character is verified, see `ControlMap`.
    output_to
        ``"object"``: the object carries the travel; ``"bone"``: ``root_bone`` does; ``"none"``: the
        object moves as it is animated and the bones without a parent make up for it.
    root_bone
        Name of the bone that carries the travel.
    blend_in, blend_out
        Frames at the ends over which the existing animation and the walk are mixed.
    action_name
        Name of the bake's action; None makes one from the object's name, or leaves that of an
        earlier bake.
    keep_edits
        Put what was changed by hand on the keys of earlier bakes on the new ones, as offsets.
    dropped_edits
        Data path and first frame of edits that are given up.
    key_tolerance
        Keys are left out that change no value by more than this, metres and radians; 0 keeps a key
        on every frame.
    upright_root
        Turn a root bone that carries the travel by the heading alone.
    use_markers
        Put markers on the action where feet strike and leave the ground.
    use_strip
        Play the walk in a strip of the NLA instead of as the active action.
    extend_scene
        Let the scene end with the walk where that takes longer.
    source_actions
        The walk's own motions. Where one of them is active, its pose keys are not taken over.
    leg_bones, body
        Names of the bones of all legs and of the one that carries the hips. Constraints that would
        move them, or copy other poses onto what they carry, are switched off where the walk plays.
    start
        Frame at which the walk begins; None for frames of a range, which tell nothing of it.
    keep_around
        The frames are a section: keys of a whole walk that was baked before stay around them.
    cleans
        The poses are the character's own motion, cleaned, and no walk.
    is_mixed
        The poses are mixed with the animation beside the walk already, at both ends.
    is_alone
        The poses are an action of its own, with which no other animation of the character plays.

    Raises
    ------
    SettingError
        A value is of the wrong kind or out of its range.
    BakeError
        A root bone shall carry the travel and none is named.
    """

    output: str = BAKE["output"].default
    output_to: str = OUTPUT.default
    root_bone: str | None = None
    blend_in: int = BAKE["blend_in"].default
    blend_out: int = BAKE["blend_out"].default
    action_name: str | None = BAKE["action_name"].default
    # A script that writes keys itself has to ask for what is kept of others.
    keep_edits: bool = False
    dropped_edits: Sequence[tuple[str, int]] = ()
    key_tolerance: float = BAKE["key_tolerance"].default
    upright_root: bool = BAKE["upright_root"].default
    use_markers: bool = BAKE["use_markers"].default
    use_strip: bool = BAKE["use_strip"].default
    extend_scene: bool = BAKE["extend_scene"].default
    source_actions: Sequence[bpy.types.Action] = ()
    leg_bones: Sequence[str] = ()
    body: str = ""
    start: int | None = None
    keep_around: bool = False
    cleans: bool = False
    is_mixed: bool = False
    is_alone: bool = False

    @property
    def carrier(self) -> str:
        """The bone that carries the travel; empty where none does."""
        return self.root_bone or "" if self.output_to == "bone" else ""

    def __post_init__(self) -> None:
        check_values({**BAKE, OUTPUT.name: OUTPUT}, vars(self))
        if self.output_to == "bone" and not self.root_bone:
            raise BakeError(
                "no root bone above the hips to carry the travel",
                "choose one as Root, or set Write To to Object",
                'name one as `root`, or take `output_to = "object"`',
            )
