"""Addresses of documents, of which only the most preferred one of each address is compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class Addresses:
    """The column of addresses, and the content of the file of rules for them, if there is one."""

    field: str
    rules: Optional[str]
