# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""``bash tools/run fuzz MINUTES [--seed N]``: cases until the time is over, in one process.

Failures are exceptions other than `LocomotionError`, numbers that are none, feet in air or ground
without a word, changed source actions, and memory that grows. Each is told with its case.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisException

from tests.fuzz import checks, strategies

# Cases of each kind in a round; those without Blender are many times as quick.
ROUND = {"walks": 3, "clips": 25, "bodies": 25, "jobs": 120, "scenes": 8, "operations": 8}
# Memory may grow by so many MB from the second quarter of a run to its last, and by this share of it:
# stores fill up in the first.
GROWTH, GROWTH_SHARE = 40.0, 0.08


def main(arguments: Sequence[str]) -> int:
    """Run cases until the time is over; 1 where something was found."""
    parser = argparse.ArgumentParser(prog="bash tools/run fuzz", description=__doc__)
    parser.add_argument("minutes", type=float)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="the one kind of cases to try")
    options = parser.parse_args(arguments)
    families = {k: v for k, v in _list_families().items() if options.only in (k, "")}
    end = time.monotonic() + 60.0 * options.minutes
    found: dict[str, str] = {}
    sizes, counts, number = [], dict.fromkeys(families, 0), 0
    while time.monotonic() < end:
        for name, (strategy, check) in families.items():
            text = _run(name, strategy, check, (options.seed, number), (counts, end))
            if text and text.splitlines()[-1] not in found:
                found[text.splitlines()[-1]] = text
                print(f"\nFOUND in {name}, round {number}:\n{text}", flush=True)
        number += 1
        gc.collect()
        sizes.append(read_size())
        print(f"round {number}: {counts}, {sizes[-1]:.0f} MB", file=sys.stderr, flush=True)
    text = judge_growth(sizes)
    if text:
        found[text] = text
        print(f"\nFOUND: {text}")
    told = ", ".join(f"{count} {name}" for name, count in counts.items())
    print(f"seed {options.seed}: {told}; {len(found)} findings", flush=True)
    return 1 if found else 0


def judge_growth(sizes: Sequence[float]) -> str:
    """What to tell of memory (MB after each round) that grows; empty where it does not."""
    if len(sizes) < 8:
        return ""
    quarter = len(sizes) // 4
    before, after = (
        sorted(part)[quarter // 2] for part in (sizes[quarter : 2 * quarter], sizes[-quarter:])
    )
    if after - before <= max(GROWTH, GROWTH_SHARE * before):
        return ""
    return f"memory grows from {before:.0f} to {after:.0f} MB"


def read_size() -> float:
    """Memory of this process, MB."""
    with Path("/proc/self/statm").open() as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def _list_families() -> dict[str, tuple[st.SearchStrategy, Callable]]:
    """Strategies and checks by name; those of scenes where there is Blender."""
    families = {
        "walks": (strategies.walks(), checks.check_walk),
        "clips": (strategies.clips(), checks.check_clip),
        "bodies": (strategies.bodies(), checks.check_body),
        "jobs": (strategies.jobs(), checks.check_job),
    }
    try:
        import bpy  # noqa: F401
    except ImportError:
        return families
    import semi_procedural_locomotion
    from tests import scenes as common
    from tests.fuzz.operations import check_operations
    from tests.fuzz.scenes import check_scene

    common.keep_characters_in(Path(tempfile.mkdtemp(prefix="fuzz-")))
    semi_procedural_locomotion.register()
    return {
        **families,
        "scenes": (strategies.scenes(), check_scene),
        "operations": (strategies.operations(), check_operations),
    }


def _run(
    name: str,
    strategy: st.SearchStrategy,
    check: Callable,
    seeds: tuple[int, int],
    state: tuple[dict[str, int], float],
) -> str:
    """Some cases of one kind; what was found with its case, empty where nothing was."""
    counts, end = state
    failed: list[object] = []

    @seed(hash((*seeds, len(name))))
    @settings(
        max_examples=ROUND[name],
        deadline=None,
        database=None,
        phases=(Phase.generate,)
        if name in ("scenes", "operations")
        else (Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @given(strategy)
    def run(case: object) -> None:
        # What failed is tried again, and has to fail again, though the time is over meanwhile.
        if time.monotonic() < end or failed:
            counts[name] += 1
            failed.append(case)
            check(case)
            failed.pop()

    try:
        run()
    except HypothesisException as error:
        return f"{type(error).__name__}: {error}"
    except Exception as error:  # noqa: BLE001 - each is what is looked for
        lines = traceback.format_exception(type(error), error, error.__traceback__)
        notes = "\n".join(getattr(error, "__notes__", ()))
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}:{last.lineno}"
        return f"{''.join(lines[-8:])}{notes}\n{type(error).__name__} at {place}"
    return ""


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    # The wheel of Blender may crash when Python takes it apart.
    os._exit(code)
