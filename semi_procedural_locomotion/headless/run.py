# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""``blender -b --python .../headless/run.py -- VERB`` without installing anything.

A script for Blender, not a module to import: it loads the package that it lies in under the
package's plain name, whatever the folder above is called.
"""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType

import addon_utils
import bpy

_PACKAGE = "semi_procedural_locomotion"


def _load_package() -> ModuleType:
    """Load the package around this file under its plain name, without a change of sys.path."""
    folder = Path(__file__).resolve().parent.parent
    specification = importlib.util.spec_from_file_location(
        _PACKAGE, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if specification is None or specification.loader is None:
        raise ImportError(f"{folder} is not a Python package")
    package = importlib.util.module_from_spec(specification)
    sys.modules[_PACKAGE] = package
    specification.loader.exec_module(package)
    return package


def _disable_installed_extension() -> None:
    """Disable an installed copy for this session, so that both do not register the same names."""
    preferences = bpy.context.preferences
    for name in list(preferences.addons.keys()) if preferences else []:
        if name.endswith(f".{_PACKAGE}"):
            addon_utils.disable(name)


def _run_arguments_after_dashes() -> int:
    """Run the verb that follows ``--`` on Blender's command line."""
    from semi_procedural_locomotion.headless.cli import main
    from semi_procedural_locomotion.headless.output import silence_stdout

    arguments = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    try:
        return main(arguments)
    finally:
        silence_stdout()


exit_code = 1
try:
    _load_package()
    _disable_installed_extension()
    exit_code = _run_arguments_after_dashes()
finally:
    # Blender reports success after an exception in a script, and only SystemExit sets its code.
    if sys.exc_info()[0] is not None:
        traceback.print_exc()
    sys.exit(exit_code)
