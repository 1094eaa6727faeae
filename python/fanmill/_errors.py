"""Errors: one class to catch them all, and Python's own ``ValueError`` for wrong arguments and inputs."""

from __future__ import annotations


class FanmillError(Exception):
    """Something that Fanmill could not do; its text says what, and what helps."""

    #: ``setting``, ``input``, ``io``, ``busy``, ``cancelled``, or ``internal`` for a fault of Fanmill's own.
    code: str = "internal"
    #: The arguments that the text names.
    settings: tuple[str, ...] = ()

    @classmethod
    def _of(cls, message: str, code: str, settings: list[str]) -> FanmillError:
        error = cls(message)
        error.code, error.settings = code, tuple(settings)
        return error


class FanmillValueError(FanmillError, ValueError):
    """An argument, or an input, that cannot be used."""
