"""The exceptions of the library. Each message names the argument, what was given and what is allowed."""

from __future__ import annotations


class OptionError(ValueError):
    """An option that does not exist, or a value it does not take."""


class IllegalActionError(ValueError):
    """An action that is not legal in the position; nothing was changed."""


class GameOverError(RuntimeError):
    """Something was asked of a game that is over; nothing was changed."""


class NotResetError(RuntimeError):
    """An environment was used before its first ``reset``, or what a search found out before its first ``run``."""


class PolicyError(RuntimeError):
    """A policy gave something else than one legal action, or it plays another game than the one it is asked in."""


class NotationError(ValueError):
    """A name that means nothing in the position."""


class PositionError(ValueError):
    """A saved or described position that cannot be; the message says where and why."""


class InvariantError(AssertionError):
    """A position that no sequence of legal actions can give: a defect of the rules kernels, or memory tampered with."""


class ResultsError(ValueError):
    """A file of results that a tournament cannot go on from; the message says where and why."""


class WorkerError(RuntimeError):
    """A worker process failed, or ended again and again on the same games."""
