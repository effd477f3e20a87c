"""Drawn mutants that change nothing that can happen, each with the reason: no test can catch them.

The names are those that ``python -m tests.dracheninsel.mutants --drawn`` prints, without the line.
"""

SURVIVING: dict[str, str] = {
    "hands.py holds: deleted: return False": "None is as false",
    "setup.py seat_players: constant: 1 in out = -1": "only read with five players, where it is drawn",
    "setup.py seat_players: deleted: out = -1": "only read with five players, where it is drawn",
    "spaces.py read_board: comparison: place >= 0": "cell 0 is a landing (a1), where no dragon stands (D8.2)",
    "spaces.py holds_treasure: comparison: space < CELLS": "the bit after the cells, for the red boat, is never set",
    "steps.py legal_steps: constant: 0 in "
    "flights = flight_cards(s, seat) if NEIGHBOUR_CELLS[place] & SITE_BIT != NONE else 0": (
        "the site, where alone the number is read, is no neighbour then"
    ),
    "tasks.py begin_task: constant: 0 in while outside < DRAGONS and s.dragon_at[outside] >= 0:": (
        "cell 0 is a landing (a1), where no dragon stands (D8.2)"
    ),
    "tasks.py legal_tasks: operator: uses & USES_OF_TASK[Task.DARING_FLIGHT]": (
        "the question only saves time: of what may be begun the uses in hand are kept"
    ),
    "treasure.py treasures_left: deleted: return False": "None is as false",
    "turn.py apply_turn: constant: 1 in push(s, Decision.EXCHANGE, active_seat(s), -1, -1) #2": (
        "the frame is replaced or closed at once, by the first card discarded"
    ),
    "windows.py next_polled: constant: 1 in return -1": "only its sign is read",
}
