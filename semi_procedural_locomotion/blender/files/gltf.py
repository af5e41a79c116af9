# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""glTF files: what keeps Blender's importer from reading one, told or mended.

Files that ask for extensions which only change how a surface looks are read without them, and so
are files whose images are missing: neither moves a bone.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from ...errors import FileError
from .kinds import GLB_MAGIC, READ_AGAIN

_HEADER_SIZE = 12
_CHUNK = struct.Struct("<I4s")
# Extensions that change which vertices and bones there are; others may be left out.
_SHAPING = frozenset(
    {
        "KHR_draco_mesh_compression",
        "KHR_mesh_quantization",
        "EXT_mesh_gpu_instancing",
        "EXT_meshopt_compression",
        "KHR_meshopt_compression",
        "MESHOPT_compression",
    }
)
# A texture of one grey point.
_PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNo"
    "AAAAggCB2kUIOwAAAABJRU5ErkJggg=="
)


def prepare_gltf(path: Path, content: bytes) -> bytes | None:
    """Find what Blender's importer shall read of a .glb, .gltf or .vrm file.

    Raises FileError: it is broken, of version 1, packed in a way that Blender does not read, or a
    part is missing.

    Parameters
    ----------
    content
        Its bytes.

    Returns
    -------
    bytes or None
        The mended file, to be put into any folder; None where the file can be read as it is.
    """
    is_binary = content.startswith(GLB_MAGIC)
    # Some programs call the text of a .gltf a .glb, too.
    if not is_binary and path.suffix.lower() != ".gltf" and b"{" not in content[:_HEADER_SIZE]:
        raise FileError(f"{path} is broken or no binary glb file: {READ_AGAIN}")
    text, rest = _split_glb(path, content) if is_binary else (content, b"")
    try:
        data = _parse(text)
    except (ValueError, RecursionError) as error:
        raise FileError(f"{path} is broken, its JSON cannot be read: {READ_AGAIN}") from error
    if not isinstance(data, dict) or not isinstance(data.get("asset"), dict):
        raise FileError(
            f"{path} is JSON but no glTF, as servers send for errors: download the file itself, or "
            f"{READ_AGAIN}"
        )
    version = str(data["asset"].get("version", ""))
    if not version.startswith("2"):
        raise FileError(
            f"{path} is glTF {version or 'of no version'}, and 2.0 is needed: "
            "export it again as glTF 2.0"
        )
    _check_packing(path, data)
    mended = _drop_extensions(data)
    mended |= version != "2.0"
    data["asset"]["version"] = "2.0"
    mended |= _find_parts(path, data)
    mended |= is_binary and int.from_bytes(content[8:12], "little") != len(content)
    mended |= not is_binary and text.startswith(b"\xef\xbb\xbf")
    if not mended:
        return None
    for table in ("buffers", "images"):
        for entry in data.get(table, ()):
            uri = entry.get("uri", "")
            if _names_file(uri):
                entry["uri"] = quote(str((path.parent / unquote(uri)).resolve()))
    written = json.dumps(data).encode()
    if not is_binary:
        return written
    written += b" " * (-len(written) % 4)
    size = _HEADER_SIZE + _CHUNK.size + len(written) + len(rest)
    head = GLB_MAGIC + struct.pack("<II", 2, size)
    return head + _CHUNK.pack(len(written), b"JSON") + written + rest


def _split_glb(path: Path, content: bytes) -> tuple[bytes, bytes]:
    """The JSON of a .glb, and its further chunks without what follows them."""
    broken = FileError(f"{path} is broken or no binary glb file: {READ_AGAIN}")
    if len(content) < _HEADER_SIZE + _CHUNK.size:
        raise broken
    version, size = struct.unpack_from("<II", content, len(GLB_MAGIC))
    if version != 2:
        raise FileError(
            f"{path} is glTF {version}.0, and 2.0 is needed: export it again as glTF 2.0"
        )
    if size > len(content):
        raise FileError(
            f"{path} ends early, {len(content)} of {size} bytes are there (broken or no binary glb "
            f"file): take another copy, or {READ_AGAIN}"
        )
    length, kind = _CHUNK.unpack_from(content, _HEADER_SIZE)
    start = _HEADER_SIZE + _CHUNK.size
    if kind != b"JSON" or start + length > len(content):
        raise broken
    return content[start : start + length], content[start + length : size]


def _check_packing(path: Path, data: dict[str, Any]) -> None:
    """Raise FileError where meshes or motions are packed by meshopt."""
    used = {*data.get("extensionsUsed", ()), *data.get("extensionsRequired", ())}
    packed = sorted(name for name in used if "meshopt" in name.lower())
    required = set(data.get("extensionsRequired", ()))
    if packed and (required & set(packed) or _lacks_plain_buffer(data)):
        raise FileError(
            f"{path} is packed with {packed[0]}, which Blender does not read: export it without "
            "meshopt compression, or unpack it (gltf-transform copy)"
        )


def _lacks_plain_buffer(data: dict[str, Any]) -> bool:
    """Whether a buffer is there for packed data alone."""
    return any("uri" not in entry for entry in data.get("buffers", ())[1:])


def _drop_extensions(data: dict[str, Any]) -> bool:
    """Ask for no extension that only changes a look; whether any was asked for."""
    required = list(data.get("extensionsRequired", ()))
    kept = [name for name in required if name in _SHAPING]
    used = set(data.get("extensionsUsed", ()))
    # Blender refuses files that require what they do not list as used.
    unlisted = [name for name in kept if name not in used]
    if len(kept) == len(required) and not unlisted:
        return False
    data["extensionsUsed"] = [*data.get("extensionsUsed", ()), *unlisted]
    data.pop("extensionsRequired", None)
    if kept:
        data["extensionsRequired"] = kept
    return True


def _find_parts(path: Path, data: dict[str, Any]) -> bool:
    """Look for the files that a glTF names; whether images had to be left out.

    Raises FileError: a buffer is missing.
    """
    for entry in data.get("buffers", ()):
        uri = entry.get("uri", "")
        if _names_file(uri) and not _is_there(path, uri):
            raise FileError(
                f"{path} needs the file {unquote(uri)!r}, which is not beside it: put it there, or "
                "export a .glb, which holds all"
            )
    missing = [
        entry
        for entry in data.get("images", ())
        if _names_file(entry.get("uri", "")) and not _is_there(path, entry["uri"])
    ]
    for entry in missing:
        entry["uri"] = _PIXEL
        entry.pop("mimeType", None)
    return bool(missing)


def _parse(text: bytes) -> Any:  # noqa: ANN401
    """Find what the JSON of a glTF says; ValueError or RecursionError where it is broken."""
    return json.loads(text.decode("utf-8-sig").rstrip("\0 \n\r\t"))


def _names_file(uri: str) -> bool:
    """Whether a part of a glTF is a file beside it, and not written in it."""
    return bool(uri) and not uri.startswith("data:")


def _is_there(path: Path, uri: str) -> bool:
    """Whether a file that a glTF names is beside it."""
    try:
        return (path.parent / unquote(uri)).is_file()
    except (OSError, ValueError):
        return False


def find_part_files(path: Path) -> list[Path]:
    """Files that a .gltf, .glb or .vrm needs besides itself: those of its buffers that are there.

    Images are left out, since they move nothing. A file that cannot be read has none.
    """
    try:
        content = path.read_bytes()
        text = _split_glb(path, content)[0] if content.startswith(GLB_MAGIC) else content
        uris = [str(entry.get("uri", "")) for entry in _parse(text).get("buffers", ())]
    except (OSError, ValueError, RecursionError, AttributeError, FileError):
        return []
    named = [uri for uri in uris if _names_file(uri) and _is_there(path, uri)]
    return [(path.parent / unquote(uri)).resolve() for uri in named]
