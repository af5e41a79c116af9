# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is tried with one file, in a process of its own: find legs, bake on each ground, look.

``python -m tools.compatibility.trial FILE RESULT.json [--grounds a,b] [--no-pictures]``. After each step
all that is known is written, so that a crash tells where it happened.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy
import numpy as np

import semi_procedural_locomotion as package
from semi_procedural_locomotion import api
from semi_procedural_locomotion.api import inspection, opening, setups
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.errors import LocomotionError

from .courses import COURSES, Course, make_course
from .meter import SourceSight, measure_source, measure_walk
from .placing import add_ground, cut_feet, find_axes, list_feet, turn_sight
from .seeing import Cast, hide_scenery, make_cast, see_frames
from .strips import draw_legs, draw_walk

# Lengths of the leg to walk, cycles at the least, and frames at the least and most.
_WAY, _CYCLES = 9.0, 2.5
_LEAST, _MOST = 48, 200


class Trial:
    """One file that is tried; ``found`` is what is known of it."""

    def __init__(self, file: Path, result: Path, has_pictures: bool) -> None:
        self.file, self.result, self.has_pictures = file, result, has_pictures
        self.found: dict[str, Any] = {
            "file": file.name,
            "blender": bpy.app.version_string,
            "times": {},
            "grounds": [],
            "pictures": [],
        }

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Take the time of a step, and write before and after it."""
        self.found["step"] = name
        self.write()
        start = time.perf_counter()
        try:
            yield
        finally:
            times = self.found["times"]
            times[name] = round(times.get(name, 0.0) + time.perf_counter() - start, 3)

    def write(self) -> None:
        """Keep what is known."""
        draft = self.result.with_suffix(".part")
        draft.write_text(json.dumps(self.found, indent=1), encoding="utf-8")
        draft.replace(self.result)

    def run(self, grounds: Sequence[str]) -> None:
        """Try everything; what fails is written and ends it."""
        try:
            self._run(grounds)
        except LocomotionError as error:
            self.found["refused"] = str(error)
        except Exception:  # noqa: BLE001  what fails without words is what is looked for
            self.found["error"] = traceback.format_exc(limit=-4)
        self.found["step"] = "done"
        self.write()

    def _run(self, grounds: Sequence[str]) -> None:
        with self.step("open"):
            is_imported = opening.open_file(self.file)
        armatures = [o for o in bpy.context.scene.objects if o.type == "ARMATURE"]
        self.found["armatures"] = [o.name for o in armatures]
        if not armatures:
            self.found["refused"] = "it has no armature"
            return
        with self.step("find"):
            armature = self._choose(armatures)
        if armature is None:
            return
        scene = bpy.context.scene
        scene.frame_start = 1
        scene.frame_set(1)
        if not is_imported:
            self.found["hidden"] = hide_scenery(armature)
        with self.step("set up"):
            character, findings = api.set_up(armature)
        described = inspection.describe_character(character, findings)
        ticked = [
            f.action
            for f, t in zip(findings, api.tick_motions(findings, character.rig), strict=True)
            if t
        ]
        self.found.update(described, ticked=ticked, fps=_get_rate(scene))
        walk = _find_walk(described, ticked)
        self.found["walk"] = walk
        cast = make_cast(armature)
        feet = list_feet(armature, described, bool(cast.skins))
        self.found["measured_by"] = "meshes" if cast.skins else "bones"
        with self.step("look at the clip"):
            source = self._look_at_source(cast, feet, described, walk)
        for name in grounds:
            entry: dict[str, Any] = {"ground": name}
            self.found["grounds"].append(entry)
            try:
                self._try_ground(
                    entry, make_course(name, described["leg_length"]), cast, feet, source
                )
            except LocomotionError as error:
                entry["refused"] = str(error)
            except Exception:  # noqa: BLE001  likewise
                entry["error"] = traceback.format_exc(limit=-4)
            self.write()

    def _choose(self, armatures: Sequence[bpy.types.Object]) -> bpy.types.Object | None:
        """The armature of which most is known: one that walks, then the surest."""
        if len(armatures) == 1:
            return armatures[0]
        ranked, refused = [], {}
        for armature in armatures:
            try:
                seen = api.inspect_armature(armature)
            except LocomotionError as error:
                refused[armature.name] = str(error)
                continue
            walks = any(motion["kind"] == "cycle" for motion in seen["motions"])
            ranked.append((walks, seen["confidence"], -len(ranked), armature))
        self.found["refused_armatures"] = refused
        if not ranked:
            self.found["refused"] = "; ".join(refused.values())
            return None
        return max(ranked, key=lambda entry: entry[:3])[3]

    def _look_at_source(
        self,
        cast: Cast,
        feet: dict[str, list[int]],
        found: dict[str, Any],
        walk: dict[str, Any] | None,
    ) -> SourceSight | None:
        """Play the walk by itself and measure it; the armature is left as it was."""
        if walk is None:
            return None
        armature, scene = cast.armature, bpy.context.scene
        action = bpy.data.actions[walk["action"]]
        before, slot = versions.get_assigned_action(armature)
        versions.assign_action(armature, action, versions.find_slot(action, armature) or "")
        first, last = action.frame_range
        sight = see_frames(cast, range(round(first), min(round(last), round(first) + _MOST) + 1))
        versions.assign_action(armature, before, slot)
        scene.frame_set(1)
        body = sight.bones[:, cast.names.index(found["root"]), 0]
        parts = {
            name: sight.points[:, own & cast.deformed]
            for number, name in enumerate(cast.names)
            if (own := cast.owners == number)[cast.deformed].any()
            and not any(number in bones for bones in feet.values())
        }
        parts.update(cut_feet(sight, cast, feet, found["leg_length"]))
        rate = action.get("locomotion_frame_rate") or _get_rate(scene)
        joints = {bone for leg in found["legs"] for bone in leg["bones"]}
        seen = measure_source(parts, list(feet), body, found["leg_length"], rate)
        self.found["source"] = {
            "speed": seen.speed,
            "direction": None if seen.direction is None else seen.direction.tolist(),
            "standing": seen.standing,
            "carrying": {n: share for n, share in seen.carrying.items() if n not in joints},
        }
        if self.has_pictures:
            picture = self.result.with_suffix(".legs.png")
            draw_legs(picture, sight, cast, found)
            self.found["pictures"].append(["legs", picture.name])
        return seen

    def _try_ground(
        self,
        entry: dict[str, Any],
        course: Course,
        cast: Cast,
        feet: dict[str, list[int]],
        source: SourceSight | None,
    ) -> None:
        armature, scene, found = cast.armature, bpy.context.scene, self.found
        # What an earlier bake has moved is read where it stands now.
        bpy.context.view_layer.update()
        walk = found["walk"]
        axes = find_axes(armature, walk["direction"] if walk else found["forward"])
        ground = add_ground(course, axes)
        scene.frame_end = _count_frames(found)
        scene.frame_set(1)
        try:
            with self.step(f"bake {course.name}"):
                result = setups.bake_set_up(armature, scene)
            entry.update(result.as_dict(armature.name))
            entry["span"] = list(result.frames)
            with self.step(f"look {course.name}"):
                world = see_frames(cast, range(result.frames[0], result.frames[1] + 1))
            sight = turn_sight(world, axes)
            cut = cut_feet(sight, cast, feet, found["leg_length"])
            body = sight.bones[:, cast.names.index(found["root"]), 0]
            shown = source or SourceSight(None, None, {}, float("inf"))
            entry["seen"] = measure_walk(
                cut, course.measure_clearances, shown, found["leg_length"], found["fps"]
            )
            gone = body[-1, :2] - body[0, :2]
            entry["seen"]["way"] = round(float(np.hypot(*gone)) / found["leg_length"], 3)
            entry["seen"]["aside"] = round(float(np.degrees(np.arctan2(gone[1], gone[0]))), 2)
            if self.has_pictures:
                with self.step("draw"):
                    picture = self.result.with_suffix(f".{course.name}.png")
                    draw_walk(picture, sight, cast, found, course)
                    entry["picture"] = picture.name
            setups.remove_set_up_bake(armature)
        finally:
            bpy.data.objects.remove(ground)


def _get_rate(scene: bpy.types.Scene) -> float:
    return scene.render.fps / scene.render.fps_base


def _find_walk(found: dict[str, Any], ticked: Sequence[str]) -> dict[str, Any] | None:
    """Of the ticked walks the plain one."""
    walks = [m for m in found["motions"] if m["kind"] == "cycle" and m["action"] in ticked]
    plain = [m for m in walks if any(note["kind"] == "plain_walk" for note in m["notes"])]
    chosen = next(iter([*plain, *walks]), None)
    keys = ("action", "speed", "speed_range", "direction", "period")
    return None if chosen is None else {key: chosen[key] for key in keys}


def _count_frames(found: dict[str, Any]) -> int:
    """Last frame of a walk that covers the ground."""
    walk, rate = found["walk"], found["fps"]
    if walk is None or not walk["speed"]:
        return _LEAST
    seconds = max(_WAY * found["leg_length"] / walk["speed"], _CYCLES * walk["period"])
    return int(np.clip(round(seconds * rate), _LEAST, _MOST))


def main() -> None:
    """Try one file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("result", type=Path)
    parser.add_argument("--grounds", default=",".join(COURSES))
    parser.add_argument("--no-pictures", action="store_true")
    options = parser.parse_args()
    package.register()
    trial = Trial(options.file.resolve(), options.result.resolve(), not options.no_pictures)
    trial.run([name for name in options.grounds.split(",") if name])
    sys.stdout.flush()
    sys.stderr.flush()
    # The wheel of Blender 4.2 crashes when Python takes it apart.
    os._exit(0)


if __name__ == "__main__":
    main()
