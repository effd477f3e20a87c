"""Invariants of the play: the end, the round and its steps, bids, the move, hands, the stack of pending decisions."""

from __future__ import annotations

import functools
import operator
from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace

from isla_dorada_env.actions import HAND_LIMIT, NUM_ANIMALS, START_GOLD
from isla_dorada_env.board import (
    ADJACENT,
    CUT,
    DESTINATIONS,
    NUM_PLACES,
    ROUTE_ENDS,
    ROUTE_NAMES,
    ROUTE_SORT,
    ROUTE_WAY,
)
from isla_dorada_env.components import (
    FIRST_BONUS,
    FIRST_COMMON_TREASURE,
    MARKERS,
    TELEGRAM_MARKERS,
    TREASURE_PLACE,
    VALUES,
)
from isla_dorada_env.convert.words import (
    FRAME_KEYS,
    PLACE,
    STAGES,
    STAGES_OF,
    bidders,
    detail_codec,
    distance_of,
    finished_steps,
    in_setup,
    order_of,
    seat_at,
    starred_due,
    treasure_hands,
    treasures_laid,
)
from isla_dorada_env.decisions import DECISION_NAMES, Decision, Stage
from isla_dorada_env.gold import PAYABLE_WITH_GOLD
from isla_dorada_env.rules.bidding import OVETO_FROM
from isla_dorada_env.rules.lightning import PANDA_CARDS
from isla_dorada_env.state import MOST_IN_HAND, NATURAL, RUNNING, TRUNCATED
from isla_dorada_env.vocab import BASE, CARD_OF_WAY, CARDS, PLACES, WAYS, Card, RouteSort, Way
from island_core.convert import OUTCOMES, PLAYERS, SEATS, detail_problems, unused_frames
from island_core.reader import Problem

ROBBERS = (Card.MACAQUE, Card.MARABOU)
CHOOSERS = (Card.PANDA, Card.BARON_SATURDAY)

# ---- What the rules say of hands and ways, in plain Python


def hand_of(s: SimpleNamespace, seat: int) -> Counter[int]:
    """The number of each adventure card in a hand."""
    return Counter(s.hand[seat][: s.hand_size[seat]])


def highest_payable(s: SimpleNamespace, seat: int, way: int, turned: int = 0) -> int:
    """I6.1, I6.2: the most that a seat can pay for a way, animals of the bit set ``turned`` counting already."""
    hand = hand_of(s, seat)
    amount = int(PAYABLE_WITH_GOLD[hand[Card.DRAGON], hand[Card.ZEPPELIN], s.gold[seat]])
    if way == Way.FLIGHT:
        return amount
    own = CARD_OF_WAY[way]
    amount += VALUES[own] * hand[own]
    if way == Way.WATER:
        return amount
    others = [animal for animal in range(NUM_ANIMALS) if animal != own]
    amount += sum(hand[animal] for animal in others if turned >> animal & 1)
    to_turn = sorted((hand[animal] for animal in others if not turned >> animal & 1), reverse=True)
    return amount + sum(to_turn[: hand[Card.SHAMAN]])


def open_places(s: SimpleNamespace, way: int) -> int:
    """I5.2, I9.1: the bit set of places that a way leads to from the camp, past the monsters."""
    places = int(DESTINATIONS[s.camp, way])
    for route in s.monster_at:
        if route >= 0 and ROUTE_WAY[route] == way:
            places &= ~int(CUT[route, s.camp])
    return places


def onward_places(s: SimpleNamespace, way: int) -> int:
    """I7.3: the bit set of places where a move by a way can go on to."""
    if way == Way.FLIGHT:
        return int(ADJACENT[s.camp])
    return open_places(s, way) & ~int(CUT[s.last_route, s.camp])


def is_stuck(s: SimpleNamespace, seat: int) -> bool:
    """I5.7: whether a seat has no legal first bid."""
    least = [int(way == Way.FLIGHT) for way in Way]
    return not any(open_places(s, way) and highest_payable(s, seat, way) >= least[way] for way in Way)


def telegram_of(s: SimpleNamespace) -> int:
    """I8.4: 1 or 2 if the marker just placed brings the first or second telegram, 0 if not."""
    placed = sum(s.markers)
    return TELEGRAM_MARKERS.index(placed) + 1 if s.camp != BASE and placed in TELEGRAM_MARKERS else 0


def _bid(s: SimpleNamespace, seat: int) -> tuple[int, int]:
    return s.bid_place[seat], s.bid_way[seat]


def _bid_text(place: int, way: int) -> str:
    return f"{PLACES[place]} by {WAYS[way]}"


# ---- The end, the stages and their steps


def end_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """I11.1: when the game is over."""
    running = s.outcome == RUNNING
    all_placed = sum(s.markers) == MARKERS
    if not running and all_placed != (s.outcome == NATURAL):
        yield Problem("outcome", OUTCOMES[s.outcome], f"natural with all {MARKERS} markers placed, truncated without")
    if running and s.rounds >= s.max_rounds:
        yield Problem("round.number", str(s.rounds), f"less than {s.max_rounds} while running")
    if s.outcome == NATURAL and s.rounds > s.max_rounds or s.outcome == TRUNCATED and s.rounds != s.max_rounds:
        most = "at most " if s.outcome == NATURAL else ""
        yield Problem("round.number", str(s.rounds), f"{most}{s.max_rounds} when {OUTCOMES[s.outcome]}")
    if running != (s.depth > 0):
        yield Problem("stack", f"{s.depth} frames", "at least one while running, none after the end")
    yield from unused_frames(s)


def stage_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """I4.1: the bottom frame is the round, and what is pending above it belongs to its stage and step."""
    if s.depth == 0:
        return
    if s.frame_decision[0] != Decision.ROUND:
        yield Problem("stack", DECISION_NAMES[s.frame_decision[0]] or "nothing", "round as the bottom frame")
    for place in range(s.depth):
        if s.frame_seat[place] >= s.num_players:
            key = f"stack[{place - 1}].player" if place else "round.leader"
            yield Problem(key, PLAYERS[s.frame_seat[place]], f"{s.num_players} players")
    stage, step = s.frame_a[0], s.frame_b[0]
    if not 0 <= stage < len(STAGES):
        yield Problem("round.stage", str(stage), ", ".join(STAGES))
    kinds = s.frame_decision[1 : s.depth]
    names = ", ".join(DECISION_NAMES[kind] for kind in kinds) or "nothing"
    for kind in kinds:
        if kind not in FRAME_KEYS:
            yield Problem("stack", names, "other decisions than round above the bottom frame")
        if stage not in STAGES_OF.get(kind, (Stage.DRAWING,)):
            fitting = " or ".join(STAGES[each] for each in STAGES_OF.get(kind, (Stage.DRAWING,)))
            yield Problem("round.stage", STAGES[stage], f"{fitting} while {DECISION_NAMES[kind]} is pending")
    if len(kinds) == 2 and (kinds != [Decision.PANDA] * 2 or s.frame_seat[1] == s.frame_seat[2]):
        yield Problem("stack", names, "one frame, or the panda of the second player and above it that of the first")
    if stage == Stage.BIDDING and not kinds:
        yield Problem("stack", names, "a frame of the bidding in the stage bidding")
    steps = {Stage.BIDDING: 0, Stage.PAYMENT: SEATS, Stage.SETUP: 2 * s.num_players, Stage.DRAWING: 2 * s.num_players}
    most = steps.get(stage, s.num_players)
    least = int(bool(kinds) and stage != Stage.BIDDING)
    if not least <= step <= most:
        pending = f" while {names} is pending" if least else ""
        yield Problem("round.step", str(step), f"{least} to {most} in the stage {STAGES[stage]}{pending}")


def setup_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """I3: in the set-up the board is empty, and each player holds the starred treasures he was dealt."""
    if not in_setup(s):
        return
    players = range(s.num_players)
    moved = (s.rounds, s.winning_total, s.returns, s.sea_journeys, *s.markers, s.camp != BASE)
    if any(moved) or max(s.monster_at) >= 0 or any(s.gold[seat] != START_GOLD for seat in players):
        yield Problem("round.stage", "setup", "a game in which nothing has happened yet")
    hands, laid = treasure_hands(s), treasures_laid(s)
    for seat in players:
        due = starred_due(s, seat)
        if laid[seat] or len(hands[seat]) != due or any(card >= FIRST_COMMON_TREASURE for card in hands[seat]):
            given = f"{len(hands[seat]) + len(laid[seat])} treasures"
            yield Problem(f"treasures.{PLAYERS[seat]}", given, f"{due} starred ones in hand at this step of the set-up")


# ---- Bids


def bid_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """I5, I12: what was bid, in which order, who has passed and who is barred."""
    seats = bidders(s)
    for seat, name in enumerate(PLAYERS):
        sound = (s.bid_way[seat] >= 0) if seat in seats else (s.bid_way[seat] < 0 and not s.bid_amount[seat])
        if not sound or (seat in seats and seat >= s.num_players):
            yield Problem(f"bids.{name}", str((*_bid(s, seat), s.bid_amount[seat])), "a whole bid of a player, or none")
    if s.barred >= (1 << s.num_players) - 1:
        yield Problem("barred", f"{s.barred:06b}", "players, but not all of them")
    joined, raised = order_of(s.bid_joined), order_of(s.bid_raised)
    for key, field, order in (("joined", s.bid_joined, joined), ("raised", s.bid_raised, raised)):
        if field != order + [-1] * (SEATS - len(order)) or len(set(order)) != len(order):
            yield Problem(key, str(field), "different players, one after the other")
    begun = s.depth > 0 and s.frame_a[0] <= Stage.BIDDING
    if sorted(joined) != sorted(raised) or not set(seats) <= set(raised) or (begun and len(seats) != len(raised)):
        given = f"joined {', '.join(PLAYERS[k] for k in joined)}; raised {', '.join(PLAYERS[k] for k in raised)}"
        allowed = "in both the players with a bid, after the bidding also those whose bid has lost"
        yield Problem("joined, raised", given, allowed)
    if not s.cooperative and joined != raised:
        yield Problem("raised", ", ".join(PLAYERS[k] for k in raised), "the order of joined, as nobody raises a share")
    if in_setup(s) and (seats or s.barred):
        yield Problem("bids", f"{len(seats)} bids", "neither bids nor barred players in the set-up")
    if s.passed >> s.num_players or (raised and s.passed >> raised[-1] & 1):
        yield Problem("passed", f"{s.passed:06b}", "players, but not the one who bid last")
    if in_setup(s) and s.passed:
        yield Problem("passed", f"{s.passed:06b}", "nobody in the set-up")
    for seat in seats:
        place, way = _bid(s, seat)
        if not any(int(DESTINATIONS[start, way]) >> place & 1 for start in range(NUM_PLACES)):
            yield Problem(f"bids.{PLAYERS[seat]}", _bid_text(place, way), "a way that leads there")
        if way == Way.FLIGHT and s.bid_amount[seat] == 0:
            yield Problem(f"bids.{PLAYERS[seat]}.amount", "0", "at least 1 for a flight")
        if s.bid_amount[seat] == 0 and not joined[0] == raised[0] == seat:
            yield Problem(f"bids.{PLAYERS[seat]}.amount", "0", "at least 1 in all bids but the first")
    if begun:
        yield from _bidding_problems(s, seats, raised)
    else:
        yield from _winner_problems(s, seats, joined, raised)
    for seat, places in enumerate(s.bid_for):
        yield from _bid_for_problems(s, seat, places, raised)


def _bid_for_problems(s: SimpleNamespace, seat: int, places: int, raised: list[int]) -> Iterator[Problem]:
    """What a seat has bid for: nothing if he has not bid, else also his last bid; each place is open while they bid.

    What those whose bid has lost had bid for may have been forgotten, as in partial dicts.
    """
    key, given = f"bid_for.{PLAYERS[seat]}", ", ".join(PLACE.write_set(places)) or "nothing"
    if places and seat not in raised:
        yield Problem(key, given, "nothing, as he is not in raised")
    if s.bid_place[seat] >= 0 and not places >> s.bid_place[seat] & 1:
        yield Problem(key, given, f"also {PLACES[s.bid_place[seat]]}, his last bid")
    if s.depth > 0 and s.frame_a[0] <= Stage.BIDDING:
        open_now = functools.reduce(operator.or_, (open_places(s, way) for way in range(len(WAYS))))
        if places & ~open_now:
            yield Problem(key, given, f"places that a way from {PLACES[s.camp]} is open to")


def _bidding_problems(s: SimpleNamespace, seats: list[int], raised: list[int]) -> Iterator[Problem]:
    """I5.1 to I5.3, I12.1: the bids that stand while the bidding goes on."""
    for seat in seats:
        name, amount = PLAYERS[seat], s.bid_amount[seat]
        place, way = _bid(s, seat)
        if not open_places(s, way) >> place & 1:
            yield Problem(f"bids.{name}", _bid_text(place, way), f"an open way from {PLACES[s.camp]}")
        if amount > (most := highest_payable(s, seat, way)):
            yield Problem(f"bids.{name}.amount", str(amount), f"at most {most}, what he could pay")
        if amount == 0 and seat != s.frame_seat[0]:
            yield Problem(f"bids.{name}.amount", "0", "at least 1, but for the leader")
    amounts = [s.bid_amount[seat] for seat in raised]
    if not s.cooperative and any(later <= earlier for earlier, later in zip(amounts, amounts[1:], strict=False)):
        yield Problem("bids", f"amounts {amounts} in the order of raised", "each higher than the one before")


def _winner_problems(s: SimpleNamespace, seats: list[int], joined: list[int], raised: list[int]) -> Iterator[Problem]:
    """I5.6, I5.7, I12.3, I12.4: after the bidding the winning bid alone stands, and its leader leads."""
    if len({_bid(s, seat) for seat in seats}) > 1 or (len(seats) > 1 and not s.cooperative):
        given = ", ".join(f"{PLAYERS[seat]} {_bid_text(*_bid(s, seat))}" for seat in seats)
        yield Problem("bids", given, "the winning bid alone once the bidding is over")
    if not seats and raised:
        yield Problem("raised", ", ".join(PLAYERS[seat] for seat in raised), "nobody, as no bid has won")
    if seats and not s.cooperative and raised[-1] != seats[0]:
        yield Problem("raised", PLAYERS[raised[-1]], f"{PLAYERS[seats[0]]} as the last one, whose bid has won")
    if s.depth == 0:
        return
    stage = s.frame_a[0]
    if not seats:
        if stage not in (Stage.DRAWING, Stage.HAND_LIMIT):
            yield Problem("bids", "none", f"a winning bid in the stage {STAGES[stage]}")
        return
    members = [seat for seat in joined if seat in seats]
    first = max(members, key=lambda seat: (s.bid_amount[seat], -members.index(seat)))
    if s.frame_seat[0] != first:
        yield Problem("round.leader", PLAYERS[s.frame_seat[0]], f"{PLAYERS[first]}, who has the winning bid")
    place, way = _bid(s, first)
    if stage == Stage.PAYMENT:
        if not open_places(s, way) >> place & 1:
            yield Problem(f"bids.{PLAYERS[first]}", _bid_text(place, way), f"an open way from {PLACES[s.camp]}")
        for seat in joined[s.frame_b[0] :]:
            if seat in seats and s.bid_amount[seat] > (most := highest_payable(s, seat, way)):
                key = f"bids.{PLAYERS[seat]}.amount"
                yield Problem(key, str(s.bid_amount[seat]), f"at most {most}, what he can pay")


# ---- The move


def move_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """I7, I8, I11.1: the route used last leads to the camp; the marker of this round, and the telegram it brings."""
    seats = bidders(s)
    stage = s.frame_a[0] if s.depth else Stage.HAND_LIMIT
    way = s.bid_way[seats[0]] if seats and stage >= Stage.MOVEMENT else -1
    route = s.last_route
    if (route >= 0) != (0 <= way != Way.FLIGHT):
        allowed = "a route after a move by land or water, else null"
        yield Problem("last_route", ROUTE_NAMES[route] if route >= 0 else "null", allowed)
    if route >= 0:
        first, second = ROUTE_ENDS[route]
        arrivals = [second] if ROUTE_SORT[route] == RouteSort.RIVER else [first, second]
        if ROUTE_WAY[route] != way or s.camp not in arrivals:
            yield Problem("last_route", ROUTE_NAMES[route], f"a route by {WAYS[way]} that leads to {PLACES[s.camp]}")
    arrived = bool(seats) and stage >= Stage.BONGO
    if arrived and s.camp != BASE and not s.markers[s.camp]:
        yield Problem(f"markers.{PLACES[s.camp]}", "0", "at least 1, as the expedition has stopped there")
    if arrived and s.camp == BASE and not s.returns:
        yield Problem("returns", "0", "at least 1, as the expedition has stopped in the base")
    if s.outcome == RUNNING and sum(s.markers) == MARKERS and not (arrived and s.camp != BASE):
        allowed = f"less than {MARKERS} before the round that places the last one has come to its marker"
        yield Problem("markers", str(MARKERS), allowed)
    if stage == Stage.TELEGRAM and not telegram_of(s):
        given = f"telegram with {sum(s.markers)} markers in {PLACES[s.camp]}"
        yield Problem(
            "round.stage", given, f"{' or '.join(map(str, TELEGRAM_MARKERS))} markers, the last one not in the base"
        )


# ---- Hands


def hand_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """I10.1, I10.6: how many adventure cards a hand holds: ten, while drawing one more for each card drawn."""
    for seat in range(s.num_players):
        most = HAND_LIMIT
        if s.depth and s.frame_a[0] == Stage.DRAWING:
            most += min(max(finished_steps(s) - 2 * distance_of(s, seat), 0), MOST_IN_HAND - HAND_LIMIT)
        elif s.depth and s.frame_a[0] == Stage.HAND_LIMIT and distance_of(s, seat) >= finished_steps(s):
            most = MOST_IN_HAND
        if s.hand_size[seat] > most:
            where = f"in the stage {STAGES[s.frame_a[0]]} at this step" if s.depth else "after the end"
            yield Problem(f"hands.{PLAYERS[seat]}", f"{s.hand_size[seat]} cards", f"at most {most} {where}")


# ---- The frames above the bottom one


def frame_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """Who decides, and the details of what he decides."""
    for place in range(1, s.depth):
        key = f"stack[{place - 1}]"
        decision = s.frame_decision[place]
        a, b = s.frame_a[place], s.frame_b[place]
        yield from detail_problems(s, key, FRAME_KEYS[decision], a, b, detail_codec)
        stage = s.frame_a[0]
        if stage == Stage.BIDDING:
            yield from _bidder_problems(s, key, decision)
        elif decision == Decision.PANDA:
            yield from _panda_problems(s, key, place)
        else:
            yield from _turn_problems(s, key, decision)
            yield from _detail_problems(s, key, decision)


def _bidder_problems(s: SimpleNamespace, key: str, decision: int) -> Iterator[Problem]:
    """I5, I12: who is asked in the bidding, and for what."""
    seat, place, way = s.frame_seat[1], s.frame_a[1], s.frame_b[1]
    raised = order_of(s.bid_raised)
    last = raised[-1] if raised else -1
    name = f"{key}.player"
    if s.barred >> seat & 1:
        yield Problem(name, PLAYERS[seat], "a player who is not barred")
    if decision == Decision.OVETO:
        total = sum(s.bid_amount[other] for other in bidders(s) if _bid(s, other) == _bid(s, seat))
        if seat != last or (total if s.cooperative else s.bid_amount[seat]) < OVETO_FROM:
            yield Problem(name, PLAYERS[seat], f"who has bid last, with a bid of at least {OVETO_FROM}")
        if s.barred | 1 << seat == (1 << s.num_players) - 1:
            yield Problem(key, "oveto", "another decision, as nobody else may bid")
        if not s.polls_all and not hand_of(s, seat)[Card.OVETO]:
            yield Problem(name, f"{PLAYERS[seat]} without an oveto", "one who holds such a card")
        return
    if seat == last:
        yield Problem(name, PLAYERS[seat], "another than the last bidder")
    leader = s.frame_seat[0]
    if not raised and seat != leader and not is_stuck(s, leader):
        yield Problem(name, PLAYERS[seat], f"{PLAYERS[leader]}, who leads and opens the bidding")
    if decision == Decision.BID:
        return
    if (decision == Decision.SHARE) != bool(s.cooperative):
        yield Problem(key, DECISION_NAMES[decision], "amount in the basic game, share in cooperative bidding")
    if not open_places(s, way) >> place & 1:
        yield Problem(key, _bid_text(place, way), f"an open way from {PLACES[s.camp]}")
    with_others = [other for other in bidders(s) if other != seat and _bid(s, other) == _bid(s, seat)]
    if s.cooperative and seat in raised and with_others and _bid(s, seat) != (place, way):
        yield Problem(key, _bid_text(place, way), f"{_bid_text(*_bid(s, seat))}, which he shares with others")


def _panda_problems(s: SimpleNamespace, key: str, place: int) -> Iterator[Problem]:
    """I10.3: how many cards a panda still takes."""
    left, size = s.frame_a[place], s.hand_size[s.frame_seat[place]]
    if place < s.depth - 1 and left != PANDA_CARDS:
        yield Problem(f"{key}.cards", str(left), f"{PANDA_CARDS} for the second player")
    if left < PANDA_CARDS and size <= left:
        yield Problem(f"{key}.cards", f"{left} of {size} cards in hand", "less, as he had more than three")


def _turn_problems(s: SimpleNamespace, key: str, decision: int) -> Iterator[Problem]:
    """Whose turn it is at this step of the stage."""
    stage, step, seat = s.frame_a[0], s.frame_b[0], s.frame_seat[1]
    name, given = f"{key}.player", PLAYERS[seat]
    if stage == Stage.PAYMENT:
        joined = order_of(s.bid_joined)
        asked = joined[step - 1] if step <= len(joined) else -1
    elif decision == Decision.ONWARD:
        asked = s.frame_seat[0]
    elif stage in (Stage.SETUP, Stage.DRAWING):
        asked = seat_at(s, (step - 1) // 2)
        second = decision == (Decision.BUY if stage == Stage.DRAWING else Decision.DESTINY)
        first = decision == Decision.STARRED
        if (second and step % 2) or (first and step % 2 == 0):
            allowed = f"an {'even' if second else 'odd'} number while {DECISION_NAMES[decision]} is pending"
            yield Problem("round.step", str(step), allowed)
    else:
        asked = seat_at(s, step - 1)
    if seat != asked:
        yield Problem(name, given, f"{PLAYERS[asked] if asked >= 0 else 'nobody'} at step {step} of {STAGES[stage]}")


def _detail_problems(s: SimpleNamespace, key: str, decision: int) -> Iterator[Problem]:
    """What is asked can be asked of him."""
    seat, a, b = s.frame_seat[1], s.frame_a[1], s.frame_b[1]
    name, given = f"{key}.player", PLAYERS[seat]
    hand, treasures = hand_of(s, seat), treasure_hands(s)[seat]
    if decision == Decision.PAY:
        yield from _payment_problems(s, key, seat, a, b)
    elif decision == Decision.SANGAIA and not s.polls_all:
        if not hand[Card.SANGAIA] or not onward_places(s, s.bid_way[s.frame_seat[0]]):
            yield Problem(name, f"{given} without a usable sangaia", "one who holds such a card")
    elif decision == Decision.BONGO and not s.polls_all:
        near = [card for card in treasures if card < FIRST_BONUS and int(ADJACENT[s.camp]) >> TREASURE_PLACE[card] & 1]
        if not hand[Card.BONGO] or not near:
            yield Problem(name, f"{given} without a usable bongo", "one who holds such a card and a treasure for it")
    elif decision in (Decision.TELEGRAM, Decision.ANTIK):
        due = telegram_of(s) + 1 if decision == Decision.TELEGRAM else 2
        if a != due:
            yield Problem(f"{key}.drawn", str(a), str(due))
        known = treasure_hands(s, "treasure_knowers")[seat]
        if len(treasures) < a or min(treasures[-a:]) < FIRST_COMMON_TREASURE or any(known[-a:]):
            yield Problem(f"treasures.{given}", f"{len(treasures)} cards", f"{a} cards of the deck, known to him, last")
    elif decision == Decision.BUY and not s.gold[seat]:
        yield Problem(f"gold.{given}", "0", "at least 1 while he may buy")
    elif decision == Decision.VICTIM and a not in ROBBERS:
        yield Problem(f"{key}.card", CARDS[a], "macaque, marabou")
    elif decision in (Decision.FIRST_PLAYER, Decision.SECOND_PLAYER):
        if a not in CHOOSERS:
            yield Problem(f"{key}.card", CARDS[a], "panda, baron-saturday")
        if a == Card.BARON_SATURDAY and not s.curse_deck_size:
            yield Problem(f"{key}.card", CARDS[a], "panda, as the curse deck is empty")
    elif decision == Decision.HAND_LIMIT and s.hand_size[seat] <= HAND_LIMIT:
        yield Problem(f"hands.{given}", f"{s.hand_size[seat]} cards", f"more than {HAND_LIMIT} while he must discard")


def _payment_problems(s: SimpleNamespace, key: str, seat: int, due: int, turned: int) -> Iterator[Problem]:
    """I6: what is still due can be paid."""
    amount, way = s.bid_amount[seat], s.bid_way[seat]
    if due > amount:
        yield Problem(f"{key}.due", str(due), f"at most {amount}, what he has bid")
    may_turn = sum(1 << animal for animal in range(NUM_ANIMALS) if way < Way.WATER and CARD_OF_WAY[way] != animal)
    if turned & ~may_turn or (turned and due == amount):
        allowed = "animals that are not those of the way, on land, once something is paid"
        yield Problem(f"{key}.turned", f"{turned:03b}", allowed)
    if due > (most := highest_payable(s, seat, way, turned)):
        yield Problem(f"{key}.due", str(due), f"at most {most}, what he can pay")
