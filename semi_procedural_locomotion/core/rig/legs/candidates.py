# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What reaches the ground where no legs were found, in words, so that a user can name legs."""

from __future__ import annotations

import numpy as np

from .attachment import Attachment
from .body import Body, PosedClip
from .contacts import find_contacts
from .limits import CANDIDATES, GROUND

_CANDIDATES = "candidates: "


def describe_candidates(body: Body, attachment: Attachment) -> str:
    """Limbs that stand on the ground in the best named clip, or why there are none.

    Parameters
    ----------
    body, attachment
        The prepared evidence and its re-attached tree.

    Returns
    -------
    str
        Such as ``"candidates: thigh.l > shin.l > foot.l (stands 62 %)"``, without a full stop.
    """
    clip = next(iter(body.clips), body.rest)
    contacts = find_contacts(body, attachment, clip)
    if contacts is None or not contacts.tips:
        return "nothing but the body itself reaches the ground"
    limbs: list[tuple[float, str]] = []
    rigid: list[str] = []
    for tip in contacts.tips:
        path = _find_limb(body, attachment, tip)
        if len(path) < CANDIDATES.fewest_bones:
            rigid.append(body.names[tip])
            continue
        floor = contacts.ground + GROUND.tolerance * contacts.height
        share = float((clip.lows[:, tip] < floor).mean())
        chain = " > ".join(body.names[bone] for bone in path[-CANDIDATES.most_bones :])
        limbs.append((share, f"{chain} ({_tell_share(clip, share)})"))
    if not limbs:
        named = ", ".join(rigid[: CANDIDATES.most])
        return f"what reaches the ground does not bend, as wheels and props: {named}"
    limbs.sort(key=lambda limb: (-limb[0], limb[1]))
    more = len(limbs) - CANDIDATES.most
    listed = ", ".join(text for _, text in limbs[: CANDIDATES.most])
    return f"{_CANDIDATES}{listed}" + (f" and {more} more" if more > 0 else "")


def describe_lack(body: Body, attachment: Attachment) -> str:
    """Why no limbs are legs, with what `describe_candidates` tells."""
    told = describe_candidates(body, attachment)
    return (
        f"no two limbs that mirror one another reach the ground ({told})"
        if told.startswith(_CANDIDATES)
        else told
    )


def _tell_share(clip: PosedClip, share: float) -> str:
    """How long a limb stands, or that it does in a single pose."""
    return "stands at rest" if clip.frame_count == 1 else f"stands {share:.0%}".replace("%", " %")


def _find_limb(body: Body, attachment: Attachment, tip: int) -> list[int]:
    """Bones from the trunk down to a bone that stands for a limb."""
    heavy = np.flatnonzero(body.find_heavy(attachment.tree))
    above = attachment.tree.find_ancestors(tip)[1:]
    trunk = next((bone for bone in above if bone in heavy), -1)
    return attachment.tree.find_path_down(tip, trunk)
