# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make Walk Cycle: cycles for characters that have none, made again while their numbers change."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty

from ...api.cycles import (
    REST,
    CycleChoice,
    MadeCycles,
    find_cycles,
    list_all_ways,
    list_gaits,
    make_again,
    play_cycle,
    write_cycles,
)
from ...api.notes import tell_notes
from ...api.progress import run_steps
from ...api.set_up_work import is_set_up
from ...blender.setup.cycle_properties import (
    LOCOMOTION_PG_cycle,
    add_listener,
    read_style,
    remove_listener,
)
from ...errors import LocomotionError
from ...requests.settings.motions import STYLE
from ..choices import FORGET, copy_property
from ..menus import make_menu_registration
from ..panels.clips import draw_style
from ..targets import find_active_armature, find_armatures, poll_armatures
from ..telling import report_line
from ..wording import count

_ALL = "ALL"
# Gaits with the number by which Blender remembers them (0 is the default), and what they are.
_GAITS = {
    "walk": (0, "Walk", "Walk forward"),
    _ALL: (1, "All Ways", "Walk, run or trot, step back, to both sides, turn and stand"),
    "run": (2, "Run", "Run with both feet in the air"),
    "sneak": (3, "Sneak", "Walk low and carefully"),
    "sidestep": (4, "Sidestep", "Step to the left, or mirrored to the right"),
    "backward": (5, "Backward", "Walk backward"),
    "turn": (6, "Turn", "Walk in a turn to the left, or mirrored to the right"),
    "trot": (7, "Trot", "Trot by diagonal pairs of legs"),
    "gallop": (8, "Gallop", "Gallop with a bending back"),
    "tripod": (9, "Alternating", "Quick walk, half of the legs at once"),
    "ripple": (10, "Ripple", "Slow walk, one leg after the other"),
    REST: (11, "Stand", "Stand still"),
}


@lru_cache(maxsize=16)
def _list_items(leg_count: int) -> list[tuple[str, str, str, int]]:
    """List what a character of so many legs can be made; all where nothing is known for that number.

    The lists are kept, since Blender does not keep the texts of items that it is given.
    """
    gaits = list_gaits(leg_count) if leg_count else ()
    known = (_ALL, *gaits) if gaits else tuple(_GAITS)
    return [
        (name.upper(), *texts, number) for name, (number, *texts) in _GAITS.items() if name in known
    ]


def _get_items(
    operator: bpy.types.Operator,  # noqa: ARG001
    context: bpy.types.Context | None,
) -> list[tuple[str, str, str, int]]:
    """Gaits that suit the active character."""
    armature = None if context is None else find_active_armature(context)
    ready = armature is not None and is_set_up(armature)
    items = _list_items(len(armature.locomotion.legs)) if ready and armature is not None else []
    return items or _list_items(0)


class _StyleProperties:
    """The numbers of a style as properties of an operator."""


def _declare_style() -> dict[str, Any]:
    """The annotations of `_StyleProperties`: those of made cycles, not remembered between calls."""
    return {name: copy_property(LOCOMOTION_PG_cycle, name) for name in STYLE}


_StyleProperties.__annotations__ = _declare_style()


class ANIM_OT_locomotion_make_cycle(_StyleProperties, bpy.types.Operator):
    """Make cycles for the selected armatures."""

    bl_idname = "anim.locomotion_make_cycle"
    bl_label = "Make Walk Cycle"
    bl_description = (
        "Make a walk or another cycle for the selected armatures from numbers, as an ordinary "
        "action, and tick it in the motions"
    )
    bl_options = {"REGISTER", "UNDO"}

    gait: EnumProperty(name="Gait", description="What to make", items=_get_items, options=FORGET)
    use_rest: BoolProperty(
        name="With Stance",
        description="Make a pose to stand in as well, where none is among the motions",
        default=True,
        options=FORGET,
    )
    use_play: BoolProperty(
        name="Play",
        description="Let the character play the cycle, unless it plays an action of its own",
        default=True,
        options=FORGET,
    )

    poll = classmethod(poll_armatures)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Compute for all selected armatures, then write."""
        armatures = find_armatures(context)
        try:
            found = [run_steps(find_cycles(item, self._choose(item))) for item in armatures]
        except LocomotionError as error:
            report_line(self, {"ERROR"}, str(error))
            return {"CANCELLED"}
        for item, cycles in zip(armatures, found, strict=True):
            made = write_cycles(cycles)
            if self.use_play:
                play_cycle(item, made.actions[0])
            data = item.locomotion
            names = [entry.action for entry in data.motions]
            data.active_motion = names.index(made.actions[0])
            self._tell(item, made, len(armatures) > 1)
        return {"FINISHED"}

    def _choose(self, armature: bpy.types.Object) -> list[CycleChoice] | None:
        """The cycles to make for an armature; None for all ways in their own style."""
        style = read_style(self)
        gait = self.gait.lower()
        if self.gait == _ALL:
            legs = len(armature.locomotion.legs)
            return list(list_all_ways(legs, style)) if legs else None
        choices = [CycleChoice(gait, style)]
        rests = [entry for entry in armature.locomotion.motions if _is_rest(entry)]
        if self.use_rest and gait != REST and not rests:
            choices.append(CycleChoice(REST, style))
        return choices

    def _tell(self, armature: bpy.types.Object, made: MadeCycles, names_it: bool) -> None:
        """Report what was made and what had to be changed."""
        lead = f"{armature.name}: " if names_it else ""
        walk = made.findings[0].motion
        text = made.actions[0].name if len(made.actions) == 1 else count(len(made.actions), "cycle")
        speed = "" if walk is None else f", {walk.speed:.2f} m/s"
        report_line(self, {"INFO"}, f"{lead}Made {text}{speed}")
        for action, finding, notes in zip(made.actions, made.findings, made.notes, strict=True):
            for problem in (*tell_notes(notes), finding.reason):
                if problem:
                    report_line(self, {"WARNING"}, f"{action.name}: {problem}")

    def draw(self, context: bpy.types.Context) -> None:  # noqa: ARG002
        """Show gait and style."""
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "gait")
        draw_style(layout, self, self.gait.lower())
        row = layout.row()
        row.enabled = self.gait not in {_ALL, REST.upper()}
        row.prop(self, "use_rest")
        layout.prop(self, "use_play")


def _is_rest(entry: bpy.types.PropertyGroup) -> bool:
    """Whether a motion stands still and is used."""
    return bool(entry.enabled and (entry.kind == "REST" or entry.found_kind == "rest"))


def _follow(context: bpy.types.Context, action: bpy.types.Action) -> None:
    """Make a cycle again after one of its numbers was changed."""
    active = find_active_armature(context)
    chosen = [active] if active is not None else []
    for armature in (*chosen, *context.scene.objects):
        if armature.type != "ARMATURE" or not is_set_up(armature):
            continue
        if all(entry.action != action for entry in armature.locomotion.motions):
            continue
        try:
            make_again(armature, action)
        except LocomotionError as error:
            action.locomotion_cycle.message = str(error)
        return


_add_entry, _take_entry_out = make_menu_registration(ANIM_OT_locomotion_make_cycle)


def register() -> None:
    """Add operator and menu entry, and follow changes."""
    _add_entry()
    add_listener(_follow)


def unregister() -> None:
    """Take them out."""
    remove_listener(_follow)
    _take_entry_out()
