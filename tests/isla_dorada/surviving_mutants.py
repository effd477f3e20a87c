"""Drawn mutants that change nothing that can happen, each with the reason: no test can catch them.

The names are those that ``python -m tests.isla_dorada.mutants --drawn`` prints, without the line.
"""

SURVIVING: dict[str, str] = {
    "arrival.py next_bongo: deleted: return False": "None is as false",
    "bidding.py next_bidder: constant: 1 in return -1 if other == last else other": "only its sign is read",
    "bidding.py winning_seat: deleted: if not s.cooperative:": "in the basic game the last bid is the highest one, too",
    "bidding.py winning_seat: constant: 1 in best = -1": "only its sign is read",
    "cooperative.py least_share: comparison: last < 0": (
        "a leader without a bid is asked after another one's only if he is stuck, and then flights alone are open"
    ),
    "cooperative.py least_share: constant: 0 in if last < 0 and seat == leader(s) and (way != Way.FLIGHT):": (
        "as before: a leader without a bid is asked after another one's only if he is stuck"
    ),
    "drawing.py next_draw: deleted: return False": "None is as false",
    "scoring.py destiny_points: constant: 0 in most = 0": "the destiny asks for four markers on one place",
    "telegram.py end_telegram: comparison: s.telegram_rejected[seat] >= 0": (
        "treasure 0 is a starred one, which comes with no telegram"
    ),
}
