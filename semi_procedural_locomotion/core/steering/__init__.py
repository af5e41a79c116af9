# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A walk whose future is not known yet, as while someone steers it (numpy only).

In: the motions, the ground, and which keys are held. Out: a state that is advanced in time, with the
travel so far, where each foot will stand as far as can be foreseen, and a pose of it. It is the one place
where anything runs forward in time; a walk is baked from the recorded travel by the ordinary plan
(docs/method/steering.md, State).
"""
