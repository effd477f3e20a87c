"""Drawn mutants that change nothing that can happen, each with the reason: no test can catch them.

The names are those that ``python -m tests.dracheninsel.mutants --drawn`` prints, without the line.
"""

SURVIVING: dict[str, str] = {
    "setup.py seat_players: constant: 1 in out = -1": "only read with five players, where it is drawn",
    "spaces.py read_board: comparison: place >= 0": "cell 0 is a landing (a1), where no dragon stands (D8.2)",
    "tasks.py legal_tasks: operator: uses & USES_OF_TASK[Task.DARING_FLIGHT]": (
        "the question only saves time: of what may be begun the uses in hand are kept"
    ),
    "treasure.py treasures_left: deleted: return False": "None is as false",
    "turn.py apply_turn: constant: 1 in push(s, Decision.EXCHANGE, active_seat(s), -1, -1) #2": (
        "the frame is replaced or closed at once, by the first card discarded"
    ),
}
