"""Reading: a record from a dict of names, complete or partial."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from isla_dorada_env.actions import START_GOLD
from isla_dorada_env.board import NUM_PLACES, ROUTE_ENDS, ROUTE_SORT, ROUTE_WAY
from isla_dorada_env.components import (
    FIRST_COMMON_TREASURE,
    MARKERS,
    NUM_DESTINIES,
    TELEGRAM_MARKERS,
)
from isla_dorada_env.convert.invariants import all_problems, problems
from isla_dorada_env.convert.words import (
    ADVENTURE,
    ALL_TREASURES,
    AMOUNT,
    BID_KEYS,
    CAMP,
    CARD,
    COMMON,
    CURSES,
    DECISION,
    DESTINIES,
    DESTINY,
    EVENT_FORM,
    FRAME_KEYS,
    GAME,
    GOLD,
    HAND_CARD,
    KEYS,
    LOT,
    PLACE,
    ROUND_KEYS,
    ROUTE,
    STAGE,
    STAGES_OF,
    STARRED,
    TREASURE,
    WAY,
    bidders,
    destinies_due,
    detail_codec,
    distance_of,
    in_setup,
    order_of,
    starred_due,
    treasure_hands,
)
from isla_dorada_env.decisions import Decision, Stage
from isla_dorada_env.notation import MONSTERS
from isla_dorada_env.options import MOST_ROUNDS, IslaDoradaOptions, new_record
from isla_dorada_env.rules import engine
from isla_dorada_env.rules.lightning import DISPLAY
from isla_dorada_env.state import LAID, MOST_IN_HAND, NUM_TREASURES, RUNNING, STACK_LIMIT, STATE
from isla_dorada_env.vocab import BASE, RouteSort, Way
from island_core.convert import (
    OUTCOME,
    PLAYERS,
    SEATS,
    Dict,
    check_fixed,
    fill_generator,
    fill_record,
    player_codec,
    read_certain,
    read_details,
)
from island_core.errors import PositionError
from island_core.layout import States
from island_core.reader import Given, or_none, plain, whole_number

DECKS = ("deck", "treasure_deck", "curse_deck", "destiny_deck")


def from_dict(data: Dict, options: IslaDoradaOptions) -> States:
    """A position from its dict, complete or partial, for a game with these options: one record, ready to be played on.

    Raises `PositionError` naming the key, what was given and what is allowed.
    """
    states = _Builder(Given("", data).table(KEYS), options).build()
    for problem in problems(states, 0):
        raise PositionError(str(problem))
    # Play runs on to the first decision.
    engine.refresh(states, 0)
    for problem in all_problems(states, 0):
        raise PositionError(str(problem))
    return states


class _Builder:
    """Fills one record from a dict, section by section; what is missing as the tables in the docs say."""

    def __init__(self, data: Given, options: IslaDoradaOptions) -> None:
        self.data = data
        self.options = options
        self.player = player_codec(options.num_players)
        self.states = new_record(options)
        self.generator = self.states["rng"][0]
        self.s = plain(STATE, self.states, 0)
        """The record being filled, as Python numbers and lists."""

    def build(self) -> States:
        """The record, filled. Raises `PositionError`."""
        check_fixed(self.data, GAME, self.options)
        fill_generator(self.data.get("rng"), self.generator)
        self.read_board()
        self.read_bids()
        self.read_round()
        self.read_cards()
        self.read_treasures()
        self.read_curses()
        self.read_destinies()
        EVENT_FORM.read(self.s, self.data.get("events", {}))
        fill_record(STATE, self.states, self.s, ("legal", "rng", *DECKS))
        return self.states

    def seats(self, key: str) -> dict[int, Given]:
        """What a dict by players holds, by seat."""
        return dict(self.player.read_keys(self.data.get(key, {}), "players"))

    # ---- The board and the bids

    def read_board(self) -> None:
        """The expedition, markers, monsters, tokens and gold."""
        s = self.s
        s.camp = PLACE.read(self.data.get("camp", PLACE.write(BASE)))
        for place, number in CAMP.read_keys(self.data.get("markers", {}), "places"):
            s.markers[place] = whole_number(0, MARKERS).read(number)
        monsters = self.data.get("monsters", {}).table(MONSTERS)
        s.monster_at = [or_none(ROUTE, "outside").read(monsters.get(name, "outside")) for name in MONSTERS]
        s.sea_journeys = whole_number(0, 2).read(self.data.get("sea_journeys", 0))
        s.returns = whole_number(0, MOST_ROUNDS).read(self.data.get("returns", 0))
        s.gold = [START_GOLD if seat < s.num_players else 0 for seat in range(SEATS)]
        for seat, gold in self.seats("gold").items():
            s.gold[seat] = GOLD.read(gold)

    def read_bids(self) -> None:
        """The last bid of each player, their orders, what each has bid for, who has passed and who is barred."""
        s = self.s
        s.bid_place, s.bid_way, s.bid_amount = [-1] * SEATS, [-1] * SEATS, [0] * SEATS
        for seat, bid in self.seats("bids").items():
            bid.table(BID_KEYS)
            s.bid_place[seat] = PLACE.read(bid.get("place"))
            s.bid_way[seat] = WAY.read(bid.get("way"))
            s.bid_amount[seat] = AMOUNT.read(bid.get("amount"))
        by_amount = sorted(bidders(s), key=lambda seat: int(s.bid_amount[seat]))
        s.bid_joined = self.read_order("joined", bidders(s) if s.cooperative else by_amount)
        s.bid_raised = self.read_order("raised", order_of(s.bid_joined))
        s.bid_for = [1 << place if place >= 0 else 0 for place in s.bid_place]
        for seat, places in self.seats("bid_for").items():
            s.bid_for[seat] = PLACE.read_set(places, "places")
        s.passed = self.player.read_set(self.data.get("passed", []), "players")
        s.barred = self.player.read_set(self.data.get("barred", []), "players")

    def read_order(self, key: str, missing: list[int]) -> list[int]:
        """An order of seats, filled up with -1."""
        given = self.data.get(key)
        seats = missing if given.value is None else self.player.read_all(given, SEATS, "players")
        return seats + [-1] * (SEATS - len(seats))

    # ---- The round and the stack

    def read_round(self) -> None:
        """The round, the stack, the outcome, and the route used last."""
        s = self.s
        s.outcome = OUTCOME.read(self.data.get("outcome", "running"))
        given = self.data.get("round", {}).table(ROUND_KEYS)
        s.rounds = whole_number(0, MOST_ROUNDS).read(given.get("number", 0))
        s.winning_total = whole_number(0, 2**31 - 1).read(given.get("winning_total", 0))
        if s.outcome == RUNNING:
            s.frame_seat[0] = self.player.read(given.get("leader", PLAYERS[0]))
            self.read_stack(given)
        else:
            stack = self.data.get("stack", [])
            if stack.entries(STACK_LIMIT, "frames"):
                raise stack.refusal("no frames once the game is over")
            for name in ("leader", "stage", "step"):
                if given.get(name).value is not None:
                    raise given.get(name).refusal("null once the game is over")
        s.last_route = self.likely_route()
        if "last_route" in self.data.value:
            s.last_route = or_none(ROUTE, None).read(self.data.get("last_route"))

    def read_stack(self, given: Given) -> None:
        """The frames: the bottom one from ``round``, the others from ``stack``."""
        s = self.s
        stack = self.data.get("stack", [])
        stage = given.get("stage")
        frames = stack.entries(STACK_LIMIT - 1, "frames above the bottom one")
        s.depth = 1 + len(frames)
        s.frame_decision[0] = int(Decision.ROUND)
        for place, frame in enumerate(frames, 1):
            self.read_frame(place, frame)
        decision = s.frame_decision[s.depth - 1]
        if stage.value is not None:
            s.frame_a[0] = STAGE.read(stage)
        elif frames:
            s.frame_a[0] = int(STAGES_OF.get(decision, (Stage.DRAWING,))[0])
        else:
            s.frame_a[0] = int(Stage.BIDDING)
        if s.frame_a[0] == Stage.BIDDING and "stack" not in self.data.value:
            s.depth, s.frame_decision[1], s.frame_seat[1] = 2, int(Decision.BID), s.frame_seat[0]
            s.frame_a[1] = s.frame_b[1] = -1
        step = given.get("step")
        s.frame_b[0] = self.likely_step() if step.value is None else whole_number(0, 2 * SEATS).read(step)

    def read_frame(self, place: int, frame: Given) -> None:
        """One frame above the bottom one."""
        s = self.s
        frame.table(allowed="a dict with decision, player and the decision's details")
        given = frame.get("decision")
        decision = DECISION.read(given)
        if decision == Decision.ROUND:
            raise given.refusal("other decisions; the bottom frame is described by round")
        names = FRAME_KEYS[decision]
        frame.table(("decision", "player", *filter(None, names)))
        seat = self.player.read(frame.get("player", PLAYERS[s.frame_seat[0]]))
        likely = {
            "turned": lambda given: 0,
            "drawn": lambda given: self.likely_drawn(decision),
            "cards": lambda given: 3,
        }
        s.frame_decision[place], s.frame_seat[place] = decision, seat
        s.frame_a[place], s.frame_b[place] = read_details(s, frame, names, detail_codec, likely)

    def likely_drawn(self, decision: int) -> int:
        """How many treasures were drawn: one more than may be kept (I8.4, I10.3)."""
        return 3 if decision == Decision.TELEGRAM and sum(self.s.markers) == TELEGRAM_MARKERS[1] else 2

    def likely_step(self) -> int:
        """The step of the stage that the player on top of the stack makes, counted as done."""
        s = self.s
        if s.depth == 1 or s.frame_a[0] == Stage.BIDDING:
            return 0
        decision, seat = s.frame_decision[s.depth - 1], s.frame_seat[s.depth - 1]
        if s.frame_a[0] == Stage.PAYMENT:
            order = order_of(s.bid_joined)
            return order.index(seat) + 1 if seat in order else 0
        distance = distance_of(s, seat)
        if s.frame_a[0] == Stage.SETUP:
            return 2 * distance + (2 if decision == Decision.DESTINY else 1)
        if s.frame_a[0] == Stage.DRAWING:
            return 2 * distance + (2 if decision == Decision.BUY else 1)
        return distance + 1

    def likely_route(self) -> int:
        """After a move by a winning bid, no flight: the first route of its way that leads to the camp; else none."""
        s = self.s
        ways = [s.bid_way[seat] for seat in bidders(s)]
        if not ways or ways[0] == Way.FLIGHT or (s.depth and s.frame_a[0] < Stage.MOVEMENT):
            return -1
        for route, (first, second) in enumerate(ROUTE_ENDS.tolist()):
            arrivals = (second,) if ROUTE_SORT[route] == RouteSort.RIVER else (first, second)
            if ROUTE_WAY[route] == ways[0] and s.camp in arrivals:
                return route
        return -1

    # ---- The cards

    def read_cards(self) -> None:
        """Hands, display, discard, deck: every adventure card in one place; in the set-up none is dealt."""
        s = self.s
        left = Counter() if in_setup(s) else Counter(dict(enumerate(ADVENTURE.copies)))
        for seat, cards in self.seats("hands").items():
            hand = HAND_CARD.read_all(cards, MOST_IN_HAND, "cards in a hand")
            s.hand_size[seat] = len(hand)
            s.hand[seat][: len(hand)] = hand
            left.subtract(hand)
        shown = self.data.get("display")
        if shown.value is not None:
            for card in CARD.read_all(shown, DISPLAY, "cards in the display"):
                s.table[card] += 1
                left[card] -= 1
        for card, number in CARD.read_keys(self.data.get("discard", {}), "cards"):
            s.discard[card] = whole_number(0, ADVENTURE.copies[card]).read(number)
            left[card] -= s.discard[card]
        deck = self.states["deck"][0]
        s.deck_size = ADVENTURE.fill_deck(
            self.data.get("deck", []), CARD, left, self.generator, deck, "cards, what hands, display and discard leave"
        )
        if shown.value is None and not in_setup(s):
            if s.deck_size < DISPLAY:
                raise shown.refusal(f"{DISPLAY} cards, as the deck has only {s.deck_size}")
            for _ in range(DISPLAY):
                s.deck_size -= 1
                s.table[int(deck[s.deck_size])] += 1
                deck[s.deck_size] = 0
        hands = [s.hand[seat][: s.hand_size[seat]] for seat in range(SEATS)]
        read_certain(self.data.get("certain", {}), s.num_players, hands, s.knowers, CARD)

    def read_treasures(self) -> None:
        """The treasures of the players, those rejected, and their deck."""
        s = self.s
        left = Counter(dict(enumerate(ALL_TREASURES.copies)))
        given = [self.seats("treasures"), self.seats("laid")]
        groups: dict[tuple[int, int], list[int]] = {}
        for laid in (0, 1):
            for seat, cards in given[laid].items():
                groups[seat, laid] = TREASURE.read_all(cards, NUM_TREASURES, "treasure cards")
                left.subtract(groups[seat, laid])
        for key, codec in (("starred_rejected", STARRED), ("telegram_rejected", COMMON)):
            numbers = [-1] * SEATS
            for seat, rejected in self.seats(key).items():
                numbers[seat] = codec.read(rejected)
                left[numbers[seat]] -= 1
            setattr(s, key, numbers)
        ALL_TREASURES.refuse_excess(left)
        if in_setup(s):
            self.deal_starred(groups, left)
        number = 0
        for seat in range(SEATS):
            for card in groups.get((seat, 0), ()):
                s.treasure_card[number] = card
                number += 1
            s.treasure_start[seat + 1] = number
            for card in groups.get((seat, 1), ()):
                s.laid_card[s.laid_total], s.laid_seat[s.laid_total] = card, seat
                s.laid_total += 1
        # Starred treasures that are nowhere have left the game.
        for card in range(FIRST_COMMON_TREASURE):
            del left[card]
        what = "treasure cards, what the players leave"
        s.treasure_deck_size = ALL_TREASURES.fill_deck(
            self.data.get("treasure_deck", []), COMMON, left, self.generator, self.states["treasure_deck"][0], what
        )
        self.read_certain_treasures()
        for place, known, lot in self.read_put_under("put_under_treasures", s.treasure_deck_size, ("telegram",)):
            s.treasure_deck_knowers[place], s.treasure_deck_lot[place] = known, lot

    def deal_starred(self, groups: dict[tuple[int, int], list[int]], left: Counter[int]) -> None:
        """In the set-up a player whose treasures are missing has the first starred ones that are nowhere else."""
        for seat in range(self.s.num_players):
            if (seat, 0) not in groups:
                free = [card for card in range(FIRST_COMMON_TREASURE) if left[card]]
                groups[seat, 0] = free[: starred_due(self.s, seat)]
                left.subtract(groups[seat, 0])

    def read_certain_treasures(self) -> None:
        """Who is certain of which treasures in whose hand."""
        s = self.s
        hands = treasure_hands(s)
        knowers = [[0] * len(hand) for hand in hands]
        read_certain(self.data.get("certain_treasures", {}), s.num_players, hands, knowers, TREASURE)
        for seat, known in enumerate(knowers):
            s.treasure_knowers[s.treasure_start[seat] : s.treasure_start[seat + 1]] = known

    def read_put_under(self, key: str, size: int, more: tuple[str, ...] = ()) -> Iterator[tuple[int, int, int]]:
        """The cards that players put under a deck: the place, who knows the card, and the telegram it came with."""
        given = self.data.get(key, [])
        places = set()
        for entry in given.entries(size, "cards of the deck"):
            place = whole_number(0, size - 1).read(entry.table(("place", "players", *more)).get("place"))
            if place in places:
                raise given.refusal("each place once")
            places.add(place)
            known = self.player.read_set(entry.get("players"), "players")
            lot = LOT.read(entry.get("telegram")) + 1
            if not known and not lot:
                raise entry.get("players").refusal("one player, or nobody for a card of a telegram")
            yield place, known, lot

    def read_curses(self) -> None:
        """The curses of the players and their deck."""
        s = self.s
        s.curse_at = [-1] * NUM_PLACES
        left = Counter(dict(enumerate(CURSES.copies)))
        for key, laid in (("curses", 0), ("curses_laid", LAID)):
            for seat, places in self.seats(key).items():
                for place in CAMP.read_all(places, NUM_PLACES, "places"):
                    s.curse_at[place] = seat + laid
                    left[place] -= 1
        deck, what = self.states["curse_deck"][0], "curses, what the players leave"
        given = self.data.get("curse_deck", [])
        s.curse_deck_size = CURSES.fill_deck(given, CAMP, left, self.generator, deck, what)

    def read_destinies(self) -> None:
        """The destinies of the players and their deck."""
        s = self.s
        left = Counter(dict(enumerate(DESTINIES.copies)))
        s.destiny = [[-1, -1] for _ in range(SEATS)]
        given = self.seats("destinies")
        for seat, cards in given.items():
            own = DESTINY.read_all(cards, 2, "destinies")
            s.destiny[seat] = own + [-1] * (2 - len(own))
            left.subtract(own)
        deck = self.data.get("destiny_deck", [])
        # What is given as part of the deck is dealt to nobody; too many of a card are refused with the deck.
        free = left - Counter(DESTINY.read_all(deck, NUM_DESTINIES, "destinies"))
        for seat in range(s.num_players):
            if seat not in given:
                own = sorted(free.elements())[: destinies_due(s, seat)]
                s.destiny[seat] = own + [-1] * (2 - len(own))
                free.subtract(own)
                left.subtract(own)
        what = "destinies, what the players leave"
        s.destiny_deck_size = DESTINIES.fill_deck(
            deck, DESTINY, left, self.generator, self.states["destiny_deck"][0], what
        )
        for place, known, _ in self.read_put_under("put_under_destinies", s.destiny_deck_size):
            s.destiny_deck_knowers[place] = known
