# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""glTF files with what keeps Blender's importer from reading them."""

from __future__ import annotations

import json
import struct

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.files.gltf import prepare_gltf
from semi_procedural_locomotion.errors import FileError


def make_data(**changes):
    return {"asset": {"version": "2.0"}, **changes}


def make_glb(data, rest=b"", tail=b""):
    text = json.dumps(data).encode()
    text += b" " * (-len(text) % 4)
    size = 20 + len(text) + len(rest)
    return b"glTF" + struct.pack("<IIII", 2, size, len(text), 0x4E4F534A) + text + rest + tail


def test_good_files_are_left_alone(tmp_path):
    required = make_data(
        extensionsRequired=["KHR_mesh_quantization"], extensionsUsed=["KHR_mesh_quantization"]
    )
    for data in (make_data(), required):
        assert prepare_gltf(tmp_path / "a.gltf", json.dumps(data).encode()) is None
        assert prepare_gltf(tmp_path / "a.glb", make_glb(data)) is None


def test_bytes_behind_the_end_and_marks_before_the_start_are_cut(tmp_path):
    good = make_glb(make_data(), rest=struct.pack("<II", 4, 0x4E4942) + b"abcd")
    mended = prepare_gltf(tmp_path / "a.glb", good + b"\0\0\0\0 more")
    assert mended == good
    text = json.dumps(make_data())
    mended = prepare_gltf(tmp_path / "a.gltf", text.encode("utf-8-sig"))
    assert json.loads(mended) == make_data()


def test_extensions_of_looks_are_not_asked_for(tmp_path):
    names = ["KHR_texture_basisu", "KHR_draco_mesh_compression", "VRMC_vrm"]
    data = make_data(extensionsRequired=names, extensionsUsed=names)
    mended = json.loads(prepare_gltf(tmp_path / "a.gltf", json.dumps(data).encode()))
    assert mended["extensionsRequired"] == ["KHR_draco_mesh_compression"]
    assert mended["extensionsUsed"] == names


def test_images_that_are_missing_are_left_out_and_others_found_from_elsewhere(tmp_path):
    (tmp_path / "so good.bin").write_bytes(b"abcd")
    (tmp_path / "skin.png").write_bytes(b"")
    data = make_data(
        buffers=[{"uri": "so%20good.bin", "byteLength": 4}],
        images=[{"uri": "skin.png"}, {"uri": "gone.png", "mimeType": "image/png"}],
    )
    mended = json.loads(prepare_gltf(tmp_path / "a.gltf", json.dumps(data).encode()))
    assert mended["buffers"][0]["uri"].endswith("/so%20good.bin")
    assert mended["images"][0]["uri"].endswith("/skin.png")
    assert mended["images"][1]["uri"].startswith("data:image/png;base64,")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (make_data(asset={"version": "1.0"}), "is glTF 1.0, and 2.0 is needed"),
        (make_data(asset={}), "of no version"),
        (make_data(buffers=[{"uri": "body%20data.bin"}]), "needs the file 'body data.bin'"),
        (
            make_data(
                extensionsRequired=["EXT_meshopt_compression"],
                extensionsUsed=["EXT_meshopt_compression"],
            ),
            "is packed with EXT_meshopt_compression",
        ),
    ],
)
def test_what_cannot_be_mended_is_named_with_its_cure(tmp_path, data, message):
    for name, content in (("a.gltf", json.dumps(data).encode()), ("a.glb", make_glb(data))):
        with pytest.raises(FileError, match=message):
            prepare_gltf(tmp_path / name, content)


def test_cut_files_tell_how_much_is_there(tmp_path):
    whole = make_glb(make_data(), rest=struct.pack("<II", 4, 0x4E4942) + b"abcd")
    with pytest.raises(FileError, match=f"ends early, {len(whole) - 2} of {len(whole)} bytes"):
        prepare_gltf(tmp_path / "a.glb", whole[:-2])
