"""Names of the manager's as workers of an open campaign see them: a keyed digest tells nothing.

A file is often called after what it is for ("gold-07"), and what everybody gets under one name can
be told apart from what few get.
"""

from __future__ import annotations

import hashlib

SHORT = 6  # digits, where people read them
BYTES = 8  # two of a million names are the same once in 37 million campaigns


def alias(name: str, key: str) -> str:
    """The same for one name and key; another in each campaign. Without a key the name itself."""
    if not key:
        return name
    digest = hashlib.blake2b(name.encode(), digest_size=BYTES, key=key.encode(), person=b"alias")
    return digest.hexdigest()
