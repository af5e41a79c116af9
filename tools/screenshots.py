# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
r"""Pictures of the panels for the documentation; run it in a Blender with a window.

    blender --factory-startup --window-geometry 0 0 1600 1080 --python tools/screenshots.py \
        -- [FOLDER [GRABBER [RIG.blend]]]

It makes the project's own person and a ramp, sets up, bakes, and saves pictures of the window and
of each panel to FOLDER (``docs/images`` where none is given), then closes Blender. Where Blender
cannot read its own window, as with software drawing under Xvfb, GRABBER is a command that saves the
screen to the file named after it, such as ``import -window root``.
RIG.blend has a rig with controls and a walk for it, such as `tests.control_rigs` makes them; without
it the pictures of controls stay as they are.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

import bpy
import numpy as np
from mathutils import Euler

REPOSITORY = Path(__file__).resolve().parent.parent
# Seconds for Blender to draw what was changed.
_DRAWING = 0.4
_DRAWINGS = 3
_FRAME, _RAMP_FRAME, _CONTROLLED_FRAME = 30, 62, 60
_LAST_FRAME = 96
_HELD_FRAMES = 36.0
_SLOPE = np.radians(12.0)
_MARGIN = 8
_TAB = "Locomotion"


def main() -> None:
    """Take the pictures one after the other, with time to draw between them."""
    arguments = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    folder = Path(arguments[0]) if arguments else REPOSITORY / "docs" / "images"
    folder.mkdir(parents=True, exist_ok=True)
    bpy.context.preferences.view.show_splash = False
    camera = Camera(folder, shlex.split(arguments[1]) if len(arguments) > 1 else [])
    steps = take_pictures(camera, arguments[2] if len(arguments) > 2 else "")

    def advance() -> float | None:
        try:
            next(steps)
        except StopIteration:
            bpy.ops.wm.quit_blender()
            return None
        except Exception:  # noqa: BLE001
            # Blender would go on with an open window that nobody closes.
            traceback.print_exc()
            os._exit(1)
        return _DRAWING

    # The file with controls is opened meanwhile.
    bpy.app.timers.register(advance, first_interval=_DRAWING, persistent=True)


def take_pictures(camera: Camera, rigged: str) -> Iterator[None]:
    """Each yield gives Blender time to draw."""
    ensure_registered()
    open_panels()
    armature = make_scene()
    area, window = find_view()
    area.spaces[0].show_region_ui = True
    frame_view(area, armature)
    yield
    choose_tab(area)
    clear_view(area, is_clear=True)
    with only_panels("LOCOMOTION_PT_character"):
        yield from redraw(area)
        camera.save_sidebar(window, area, "panel_set_up.png")
    with in_view(window, area):
        bpy.ops.anim.locomotion_setup()
        armature.locomotion.travel.source = "POINTS"
        for y in (0.0, -4.5):
            armature.locomotion.travel.points.add().location = (0.0, y)
        bpy.ops.anim.locomotion_bake()
    bpy.context.scene.frame_end = _LAST_FRAME
    armature.locomotion.active_motion = 1
    own = [f"LOCOMOTION_PT_{name}" for name in ("legs", "soles", "body")]
    for name, children, picture in (
        ("LOCOMOTION_PT_character", own, "panel_character.png"),
        ("LOCOMOTION_PT_travel", None, "panel_travel.png"),
        ("LOCOMOTION_PT_bake", None, "panel_bake.png"),
    ):
        with only_panels(name, children):
            yield from redraw(area)
            camera.save_sidebar(window, area, picture)
    bpy.context.scene.frame_set(_FRAME)
    frame_view(area, armature)
    clear_view(area, is_clear=False)
    with only_panels("LOCOMOTION_PT_bake"):
        yield from redraw(area)
        camera.save_window(window, area, "window.png")
    yield from picture_edits(camera, armature)
    yield from picture_overlay(camera, armature)
    if rigged:
        yield from picture_controls(camera, rigged)


def picture_controls(camera: Camera, path: str) -> Iterator[None]:
    """A walk on the controls of a rig, one of them moved by hand; and the panel with a leg in doubt."""
    bpy.ops.wm.open_mainfile(filepath=path, load_ui=False)
    yield
    area, window = find_view()
    armature = next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    add_ramp(bpy.context.scene)
    bpy.context.scene.frame_end = _LAST_FRAME
    frame_view(area, armature)
    clear_view(area, is_clear=False)
    with in_view(window, area):
        bpy.ops.anim.locomotion_setup()
        bpy.ops.anim.locomotion_bake()
        bpy.context.scene.frame_set(_CONTROLLED_FRAME)
        bpy.ops.anim.locomotion_controls_select()
    armature.data.display_type = "WIRE"
    keyed = {bone.name for bone in bpy.context.selected_pose_bones}
    for bone in armature.pose.bones:
        (bone if "hide" in bone.bl_rna.properties else bone.bone).hide = bone.name not in keyed
    place = armature.matrix_world.translation
    view_from(area, (0.0, place.y - 0.1, place.z + 0.85), 76.0, 62.0, 3.6)
    panels = ("LOCOMOTION_PT_controls",)
    with only_panels("LOCOMOTION_PT_character", panels):
        yield from redraw(area)
        camera.save_view(window, area, "controls.png")
    clear_view(area, is_clear=True)
    armature.locomotion.controls.legs[1].pole.bone = "knee_target.R"
    with only_panels("LOCOMOTION_PT_character", panels):
        yield from redraw(area)
        camera.save_sidebar(window, area, "panel_controls.png")


def picture_edits(camera: Camera, armature: bpy.types.Object) -> Iterator[None]:
    """A sole, a key time, groups and a made cycle as a user changes them."""
    area, window = find_view()
    data, options = armature.locomotion, bpy.context.window_manager.locomotion_overlay
    data.legs[0].heel.offset[1] -= 0.02
    options.show_own_sole = True
    view_from(area, armature.matrix_world @ armature.pose.bones["foot.L"].head, 80.0, 50.0, 1.6)
    with only_panels("LOCOMOTION_PT_character", ("LOCOMOTION_PT_legs", "LOCOMOTION_PT_soles")):
        yield from redraw(area)
        camera.save_view(window, area, "legs_and_sole.png")
    options.show_own_sole = False
    clear_view(area, is_clear=True)
    with in_view(window, area):
        bpy.ops.anim.locomotion_sole_reset()
    times = data.motions[data.active_motion].key_times[0]
    times.off -= 0.04
    own = ("LOCOMOTION_PT_motion", "LOCOMOTION_PT_key_times")
    with only_panels("LOCOMOTION_PT_motions", own):
        yield from redraw(area)
        camera.save_sidebar(window, area, "panel_motions.png")
    add_limp(armature)
    with only_panels("LOCOMOTION_PT_motions", ("LOCOMOTION_PT_groups",)):
        yield from redraw(area)
        camera.save_sidebar(window, area, "panel_groups.png")
    add_wave(armature)
    with only_panels("LOCOMOTION_PT_motions", ("LOCOMOTION_PT_layers",)):
        yield from redraw(area)
        camera.save_sidebar(window, area, "panel_layers.png")
    bpy.ops.anim.locomotion_list(target="LAYERS", change="REMOVE")
    options.show_cycle = options.compare_cycles = True
    clear_view(area, is_clear=False)
    view_from(area, armature.matrix_world.translation, 62.0, 40.0, 4.2)
    with only_panels("LOCOMOTION_PT_motions", ("LOCOMOTION_PT_analysis",)):
        yield from redraw(area)
        camera.save_view(window, area, "analysis.png")
    options.show_cycle = options.compare_cycles = False
    clear_view(area, is_clear=True)
    with in_view(window, area):
        bpy.ops.anim.locomotion_make_cycle(gait="SNEAK", use_play=False)
    with only_panels("LOCOMOTION_PT_motions", ("LOCOMOTION_PT_cycle",)):
        yield from redraw(area)
        camera.save_sidebar(window, area, "panel_made_cycles.png")
    data.motions[data.active_motion].enabled = False


def picture_overlay(camera: Camera, armature: bpy.types.Object) -> Iterator[None]:
    """The overlay with all that it shows, over the foot of the ramp."""
    area, window = find_view()
    data = armature.locomotion
    names = [entry.action.name for entry in data.motions]
    data.active_motion = names.index(f"{armature.name} Walk")
    clear_view(area, is_clear=False)
    with in_view(window, area):
        bpy.ops.anim.locomotion_bake()
        bpy.ops.view3d.locomotion_overlay(action="ON")
    options = bpy.context.window_manager.locomotion_overlay
    options.show_ghost = options.show_forward = True
    bpy.context.scene.frame_set(_RAMP_FRAME)
    place = armature.matrix_world.translation
    view_from(area, (0.0, place.y + 0.2, place.z + 0.5), 62.0, 65.0, 5.0)
    with only_panels("LOCOMOTION_PT_overlay"):
        yield from redraw(area)
        camera.save_window(window, area, "overlay.png")
    yield from take_footstep_pictures(camera, window, area)


def take_footstep_pictures(
    camera: Camera, window: bpy.types.Window, area: bpy.types.Area
) -> Iterator[None]:
    """A bent run of footsteps, one of them held, with numbers and frames, and its panel."""
    armature = make_scene()
    bpy.data.objects.remove(bpy.data.objects["Ramp"])
    with in_view(window, area):
        bpy.ops.anim.locomotion_setup()
        bpy.ops.object.footsteps_generate(count=10)
        bpy.ops.object.footsteps_bend(angle=np.radians(70.0))
        bpy.ops.anim.locomotion_bake()
    steps = load_module("blender.footsteps.objects").list_footsteps(armature)
    held = steps[4]
    for item in bpy.context.view_layer.objects:
        item.select_set(item == held)
    bpy.context.view_layer.objects.active = held
    held.locomotion_footstep.duration += _HELD_FRAMES
    with in_view(window, area):
        bpy.ops.anim.locomotion_bake()
    clear_view(area, is_clear=True)
    with only_panels("LOCOMOTION_PT_footsteps"):
        yield from redraw(area)
        camera.save_sidebar(window, area, "panel_footsteps.png")
    clear_view(area, is_clear=False)
    bpy.context.window_manager.locomotion_step_labels = True
    bpy.context.scene.frame_set(round(held.locomotion_footstep.start) + _FRAME)
    view = area.spaces[0].region_3d
    view.view_rotation = Euler((np.radians(50.0), 0.0, np.radians(35.0))).to_quaternion()
    view.view_location, view.view_distance = (1.6, -2.6, 0.4), 8.0
    with only_panels("LOCOMOTION_PT_footsteps"):
        yield from redraw(area)
        camera.save_window(window, area, "footsteps_times.png")


@dataclass(frozen=True)
class Camera:
    """Takes pictures of the window.

    Attributes
    ----------
    folder
        Where they are saved.
    grabber
        Command that saves the screen to the file named after it; empty for Blender's own means.
    """

    folder: Path
    grabber: Sequence[str]

    def save_window(self, window: bpy.types.Window, area: bpy.types.Area, name: str) -> Path:
        """Save a picture of the whole window."""
        path = self.folder / name
        if self.grabber:
            subprocess.run([*self.grabber, str(path)], check=True)
        else:
            with in_view(window, area):
                bpy.ops.screen.screenshot(filepath=str(path))
        if not np.ptp(load_pixels(path)):
            raise SystemExit(f"{path} is black: name a GRABBER")
        return path

    def save_sidebar(self, window: bpy.types.Window, area: bpy.types.Area, name: str) -> None:
        """Save a picture of the sidebar without its empty lower part."""
        path = self.save_window(window, area, name)
        region = find_region(area, "UI")
        x, y = region.x, region.y
        pixels = load_pixels(path)[y : y + region.height, x : x + region.width]
        save_pixels(pixels[find_end(pixels) :], path)

    def save_view(self, window: bpy.types.Window, area: bpy.types.Area, name: str) -> None:
        """Save a picture of the 3D view with its sidebar."""
        path = self.save_window(window, area, name)
        pixels = load_pixels(path)
        save_pixels(pixels[area.y : area.y + area.height, area.x : area.x + area.width], path)


def view_from(
    area: bpy.types.Area, place: Sequence[float], tilt: float, turn: float, distance: float
) -> None:
    """Look at a place from a direction in degrees and a distance in metres."""
    view = area.spaces[0].region_3d
    view.view_rotation = Euler((np.radians(tilt), 0.0, np.radians(turn))).to_quaternion()
    view.view_location, view.view_distance = place, distance


def add_limp(armature: bpy.types.Object) -> None:
    """A second walk in a group of its own that has a part in the walk."""
    data = armature.locomotion
    walk = next(e for e in data.motions if e.enabled and e.action.name.endswith("Walk"))
    limp = walk.action.copy()
    limp.name = f"{armature.name} Limp"
    bpy.ops.anim.locomotion_analyze(actions=[{"name": limp.name}])
    data.active_motion = len(data.motions) - 1
    data.motions[data.active_motion].group = "limp"
    for weight in (0.75, 0.25):
        bpy.ops.anim.locomotion_list(target="GROUPS", change="ADD")
        data.groups[data.active_group].weight = weight


def add_wave(armature: bpy.types.Object) -> None:
    """An action that one arm shall follow over the walk."""
    wave = next(e for e in armature.locomotion.motions if e.enabled).action.copy()
    wave.name = f"{armature.name} Wave"
    bpy.ops.anim.locomotion_list(target="LAYERS", change="ADD")
    layer = armature.locomotion.layers[-1]
    layer.name, layer.action = "Wave", wave
    layer.mask, layer.bone, layer.repeats = "BONE", "shoulder.R", False


def ensure_registered() -> None:
    """Register the package from this checkout, where it is not enabled as an extension."""
    if not hasattr(bpy.types.Object, "locomotion"):
        sys.path.insert(0, str(REPOSITORY))
        import semi_procedural_locomotion

        semi_procedural_locomotion.register()


def make_scene() -> bpy.types.Object:
    """The project's person with its gaits, before a ramp."""
    characters = load_module("demo.characters")
    shapes = load_module("demo.biped")
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    scene = bpy.context.scene
    armature = characters.create_biped(scene.collection)
    characters.write_gaits(armature, shapes.make_biped_shape(), ["rest", "run", "walk"])
    add_ramp(scene)
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    return armature


def add_ramp(scene: bpy.types.Scene) -> None:
    """A ramp between two levels, ahead of the origin."""
    rise = 3.0 * np.tan(_SLOPE)
    profile = ((2.0, 0.0), (-1.5, 0.0), (-4.5, rise), (-7.0, rise))
    mesh = bpy.data.meshes.new("Ramp")
    mesh.from_pydata(
        [(x, y, z) for y, z in profile for x in (-1.2, 1.2)],
        [],
        [(2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2) for i in range(len(profile) - 1)],
    )
    scene.collection.objects.link(bpy.data.objects.new("Ramp", mesh))


def find_view() -> tuple[bpy.types.Area, bpy.types.Window]:
    """The largest 3D view and its window."""
    window = bpy.context.window_manager.windows[0]
    views = [area for area in window.screen.areas if area.type == "VIEW_3D"]
    return max(views, key=lambda area: area.width * area.height), window


def find_region(area: bpy.types.Area, kind: str) -> bpy.types.Region:
    """A region of an area."""
    return next(region for region in area.regions if region.type == kind)


@contextmanager
def in_view(window: bpy.types.Window, area: bpy.types.Area) -> Iterator[None]:
    """Call operators as from the 3D view."""
    region = find_region(area, "WINDOW")
    with bpy.context.temp_override(window=window, area=area, region=region):
        yield


def frame_view(area: bpy.types.Area, armature: bpy.types.Object) -> None:
    """Look at the character from the side."""
    view = area.spaces[0].region_3d
    view.view_perspective = "PERSP"
    view.view_rotation = Euler((np.radians(75.0), 0.0, np.radians(70.0))).to_quaternion()
    view.view_location = (0.0, armature.location.y - 0.6, armature.location.z + 0.9)
    view.view_distance = 6.0
    area.spaces[0].overlay.show_relationship_lines = False
    armature.hide_set(False)
    armature.data.display_type = "STICK"
    area.tag_redraw()


def clear_view(area: bpy.types.Area, is_clear: bool) -> None:
    """Leave nothing behind the sidebar, which lets the view shine through."""
    space = area.spaces[0]
    space.overlay.show_overlays = not is_clear
    space.show_object_viewport_mesh = space.show_object_viewport_armature = not is_clear


def choose_tab(area: bpy.types.Area) -> None:
    """Bring the extension's tab to the front."""
    region = find_region(area, "UI")
    region.active_panel_category = _TAB
    region.tag_redraw()


def open_panels() -> None:
    """Open the sub-panels, before they are drawn for the first time."""
    for name in (
        *(
            "body",
            "legs",
            "soles",
            "controls",
            "motion",
            "key_times",
            "groups",
            "layers",
            "cycle",
            "analysis",
        ),
        *("steps", "bake_options", "overlay"),
    ):
        getattr(bpy.types, f"LOCOMOTION_PT_{name}").bl_options = set()
    load_module("ui.panels.tab").move_to_tab(_TAB)


def load_module(name: str) -> ModuleType:
    """A module of the registered package."""
    package = bpy.types.ANIM_OT_locomotion_bake.__module__.rpartition(".ui")[0]
    return import_module(f"{package}.{name}")


def redraw(area: bpy.types.Area) -> Iterator[None]:
    """Let Blender draw until panels that are new have found their places."""
    for _ in range(_DRAWINGS):
        for region in area.regions:
            region.tag_redraw()
        yield


@contextmanager
def only_panels(name: str, children: Sequence[str] | None = None) -> Iterator[None]:
    """Show one panel with all or some sub-panels, by taking the others out for a moment."""
    panels = load_module("ui.panels.tab")
    shown = {name, *(children or ())}
    hidden = [
        cls
        for cls in panels._PANELS
        if cls.__name__ not in shown
        and (children is not None or getattr(cls, "bl_parent_id", "") != name)
    ]
    for cls in reversed(hidden):
        bpy.utils.unregister_class(cls)
    yield
    for cls in hidden:
        bpy.utils.register_class(cls)
    panels.move_to_tab(_TAB)


def load_pixels(path: Path) -> np.ndarray:
    """Pixels of a picture, shape (height, width, 4), from below."""
    image = bpy.data.images.load(str(path))
    width, height = image.size
    pixels = np.empty(4 * width * height, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(height, width, 4)


def find_end(pixels: np.ndarray) -> int:
    """Row, from below, under which the sidebar is empty but for its tabs."""
    inner = pixels[:, : int(0.8 * pixels.shape[1]), :3]
    varied = np.flatnonzero(np.ptp(inner, axis=1).max(axis=-1) > 0.02)
    return max(int(varied[0]) - _MARGIN, 0) if len(varied) else 0


def save_pixels(pixels: np.ndarray, path: Path) -> None:
    """Write pixels (height, width, 4), from below, as a PNG."""
    height, width = pixels.shape[:2]
    image = bpy.data.images.new("Picture", width, height, alpha=False)
    image.pixels.foreach_set(np.ascontiguousarray(pixels).ravel())
    image.filepath_raw = str(path)
    image.file_format = "PNG"
    image.save()
    bpy.data.images.remove(image)


main()
