# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clean stdout, progress lines, and files that appear whole or not at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from semi_procedural_locomotion.errors import FileError
from semi_procedural_locomotion.headless.output import (
    stdout_kept_for_data,
    text_from_data,
    whole_file,
    whole_folder,
    write_progress,
)

REPOSITORY = Path(__file__).resolve().parents[2]


def test_stdout_is_kept_for_data(capfd):
    with stdout_kept_for_data() as write:
        os.write(1, b"from below Python\n")
        print("from Python")
        write("data: \u00e9\n")
    print("afterwards")
    out, err = capfd.readouterr()
    assert out == "data: \u00e9\nafterwards\n"
    assert "from below Python" in err


def test_stdout_comes_back_after_a_failure(capfd):
    with pytest.raises(ZeroDivisionError), stdout_kept_for_data():
        raise ZeroDivisionError
    os.write(1, b"back\n")
    assert capfd.readouterr().out == "back\n"


def test_nothing_that_steers_a_terminal_is_printed(capfd):
    name = "\x1b[31mMan\x07\x9b5m\u202e"
    with stdout_kept_for_data() as write:
        write(text_from_data({"name": name}))
    write_progress(0.5, name)
    out, err = capfd.readouterr()
    assert json.loads(out) == {"name": name}
    assert not set(name) & set("\x1b\x07\x9b\u202e") & set(out + err)


def test_modes_are_kept_and_read_only_files_refused_before_the_work(tmp_path):
    report, folder = tmp_path / "report.json", tmp_path / "reports"
    folder.mkdir()
    for path in (report, folder / report.name):
        path.write_text("old")
        path.chmod(0o640)
    for _ in range(2):
        with whole_file(report) as temporary, whole_folder(folder) as inner:
            temporary.write_text("new")
            (inner / report.name).write_text("new")
    for path in (report, folder / report.name):
        assert path.stat().st_mode & 0o777 == 0o640
        path.chmod(0o440)
    with pytest.raises(FileError, match=r"report\.json: is read-only"), whole_file(report):
        pytest.fail("the work has begun")
    with pytest.raises(FileError, match="is read-only"), whole_folder(folder) as inner:
        (inner / report.name).write_text("newer")
    assert (folder / report.name).read_text() == report.read_text() == "new"


def test_a_stdout_that_takes_nothing_is_told(capfd):
    kept = os.dup(1)
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, 1)
    try:
        with (
            pytest.raises(FileError, match="stdout cannot be written"),
            stdout_kept_for_data() as write,
        ):
            write("data")
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(full)


@pytest.mark.parametrize("closed", ["1", "2", "0", "1 2 0"])
def test_streams_that_are_closed_take_no_file_of_the_program(tmp_path, closed):
    """A file that is opened afterwards does not get what is printed, and the data are missed."""
    script = """
import sys
from pathlib import Path
from semi_procedural_locomotion.headless import output
output.open_streams()
victim = open(sys.argv[1], "w")
print("chatter", file=sys.stderr)
code = 0
try:
    with output.stdout_kept_for_data() as write:
        output.write_progress(0.5, "half")
        write("data")
except output.FileError:
    code = 3
victim.close()
sys.exit(code)
"""
    victim = tmp_path / "victim.txt"
    command = [sys.executable, "-c", script, str(victim)]
    closing = " ".join(f"{number}>&-" for number in closed.split())
    done = subprocess.run(
        ["sh", "-c", f'"$@" {closing}', "sh", *command], check=False, cwd=REPOSITORY
    )
    assert done.returncode == (3 if "1" in closed else 0)
    assert victim.read_text() == ""


def test_progress_that_nobody_reads_stops_nothing(monkeypatch):
    class Closed:
        def write(self, _):
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stderr", Closed())
    write_progress(0.5, "half")


def test_progress_lines(capfd):
    write_progress(0.4199, "solving")
    write_progress(1.5, "done")
    assert capfd.readouterr().err == "progress: 0.42 solving\nprogress: 1.00 done\n"


def test_whole_file_replaces_at_the_end(tmp_path):
    path = tmp_path / "new" / "walk.blend"
    with whole_file(path) as temporary:
        assert temporary.suffix == ".blend"
        assert temporary.parent == path.parent
        temporary.write_text("new")
        assert not path.exists()
    assert path.read_text() == "new"
    assert list(path.parent.iterdir()) == [path]


def test_failed_file_leaves_the_old_one(tmp_path):
    path = tmp_path / "walk.blend"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), whole_file(path) as temporary:
        temporary.write_text("half")
        raise ZeroDivisionError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_file_that_nobody_wrote(tmp_path):
    with pytest.raises(FileError, match="was not written"), whole_file(tmp_path / "walk.blend"):
        pass


def test_file_in_a_place_that_is_no_folder(tmp_path):
    (tmp_path / "file").touch()
    with (
        pytest.raises(FileError, match="cannot be written"),
        whole_file(tmp_path / "file" / "walk.blend"),
    ):
        pass


def test_whole_folder_moves_all_files(tmp_path):
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "kept.txt").write_text("kept")
    (folder / "report.json").write_text("old")
    with whole_folder(folder) as temporary:
        (temporary / "report.json").write_text("new")
    assert (folder / "report.json").read_text() == "new"
    assert (folder / "kept.txt").read_text() == "kept"
    assert list(tmp_path.iterdir()) == [folder]


def test_failed_folder_leaves_the_old_files(tmp_path):
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "report.json").write_text("old")
    with pytest.raises(ZeroDivisionError), whole_folder(folder) as temporary:
        (temporary / "report.json").write_text("half")
        raise ZeroDivisionError
    assert (folder / "report.json").read_text() == "old"
    assert list(tmp_path.iterdir()) == [folder]


def test_json_refuses_what_json_has_not():
    assert text_from_data({"a": [1, "\u00e9"]}).endswith("}\n")
    with pytest.raises(ValueError, match="not JSON compliant"):
        text_from_data({"a": float("nan")})
