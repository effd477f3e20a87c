"""Drawn mutants that change nothing that can happen, each with the reason: no test can catch them.

The names are those that ``python -m tests.isla_dorada.mutants --drawn`` prints, without the line.
"""

SURVIVING: dict[str, str] = {}
