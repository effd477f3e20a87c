"""Drawn mutants that change nothing that can happen, each with the reason: no test can catch them.

The names are those that ``python -m tests.isla_dorada.mutants --drawn`` prints, without the line.
"""

SURVIVING: dict[str, str] = {
    "arrival.py next_bongo: deleted: return False": "None is as false",
    "bidding.py apply_bid: comparison: action < OFFSET.amount": "the first amount is no answer to what is asked here",
    "bidding.py bidding_over: constant: 1 in first = -1": "only its sign is read",
    "bidding.py next_bidder: constant: 1 in return -1 if other == last else other": "only its sign is read",
    "bidding.py winning_seat: deleted: if not s.cooperative:": "in the basic game the last bid is the highest one, too",
    "bidding.py winning_seat: constant: 1 in best = -1": "only its sign is read",
    "bidding.py winning_seat: constant: 1 in for later in range(place + 1, 6):": (
        "no other bid lies between a place and the next one: a member at the former stands for one at the latter"
    ),
    "bidding.py winning_seat: deleted: return last_bidder(s)": "in the basic game the last bid is the highest one, too",
    "cooperative.py least_share: comparison: last < 0": (
        "a leader without a bid is asked after another one's only if he is stuck, and then flights alone are open"
    ),
    "cooperative.py least_share: constant: 0 in if last < 0 and seat == leader(s) and (way != Way.FLIGHT):": (
        "as before: a leader without a bid is asked after another one's only if he is stuck"
    ),
    "drawing.py next_draw: deleted: return False": "None is as false",
    "lightning.py strike: comparison: s.destiny_deck_size > 0": "the deck of destinies is never empty",
    "movement.py next_sangaia: deleted: return False": "None is as false",
    "movement.py open_destinations: comparison: way < Way.FLIGHT": "no route is one of flights",
    "payment.py next_payment: deleted: return False": "None is as false",
    "scoring.py destiny_points: constant: 0 in most = 0": "the destiny asks for four markers on one place",
    "seats.py relative: deleted: distance = other - seat": "no rule asks it, but observations, tested elsewhere",
    "setup.py clear: constant: 0 in s.treasure_deck[:] = 0": "it is cleared again after the starred ones",
    "telegram.py end_telegram: comparison: s.telegram_rejected[seat] >= 0": (
        "treasure 0 is a starred one, which comes with no telegram"
    ),
    "telegram.py end_telegram: constant: 0 in if s.telegram_rejected[seat] >= 0:": (
        "treasure 0 is a starred one, which comes with no telegram"
    ),
    "treasures.py draw_treasure: comparison: last > 0": (
        "before the first place stands the last one, which is empty when one card is left"
    ),
    "treasures.py draw_treasure: constant: 1 in for place in range(last + 1):": "the place above the top card is empty",
    "treasures.py lay_card: comparison: place > 0": "before the first place stands the last one, which is empty",
    "treasures.py lay: deleted: if s.treasure_kinds[seat] & BONUSES == NONE:": "the question only saves time",
    "treasures.py lay: deleted: return": "the return only saves time",
}
