"""The oracle: Isla Dorada a second time, in slow and plain Python, written from the rules document alone.

It shares no code with the kernels it is compared with, only the words and the contents of the box. Rule ids (`I5.2`)
are those of docs/rules/isla_dorada.md, `P4` is section 4 of docs/rules/isla_dorada-decisions.md. `READING` marks a
place where the documents leave something open.

    oracle = Oracle.from_dict(position)
    while oracle.actor:
        oracle.step(name, chance)           # name out of oracle.legal()

All names are words: places, ways, routes, cards; seats are numbers inside, `player_2` outside.
`python -m tests.isla_dorada.oracle --games 5` plays random games of its own and checks invariants.
"""

import copy
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from tests.isla_dorada.oracle_bidding import Bidding
from tests.isla_dorada.oracle_box import (
    BASE,
    CARD_COPIES,
    CARD_GOLD,
    CARD_NUMBERS,
    CARD_VALUES,
    GROUND,
    KEPT,
    LIGHTNING,
    MARKERS,
    PLACE_NUMBERS,
    ROUTE_NUMBERS,
    ROUTES,
    TELEGRAMS,
    WAY_NUMBERS,
    OracleError,
    adjacent,
    best_bonus,
    is_bonus,
    most,
    payments,
    player_name,
    purse,
    rides,
    treasure_place,
)
from tests.isla_dorada.oracle_box import TREASURES as TREASURE_ORDER
from tests.isla_dorada.oracle_chance import DISPLAY, HAND, Chance
from tests.isla_dorada.oracle_table import DeckCard, Frame

HAND_LIMIT = 10  # I10.6
DRAWN = {4: 2, 9: 3}  # I8.4
PANDA = 3  # I10.3

Menu = dict[str, Callable[[], None]]
"""Legal actions by name, with what they do."""


@dataclass
class Oracle(Bidding):
    """A position, and everything the rules say about it."""

    chance: Chance | None = None

    def copy(self) -> "Oracle":
        return copy.deepcopy(self)

    # ---- Decisions (P1) ----------------------------------------------------------------------------------------------

    @property
    def seat(self) -> int:
        """Who decides, -1 when the game is over."""
        return self.stack[-1].seat if self.stack else -1

    @property
    def actor(self) -> str | None:
        return player_name(self.seat) if self.stack else None

    @property
    def decision(self) -> str:
        """The protocol's name of the decision, empty when the game is over."""
        return self.stack[-1].decision if self.stack else ""

    def legal(self) -> set[str]:
        return set(self.menu())

    def step(self, name: str, chance: Chance) -> None:
        """Carry out an action, and everything that follows without a further decision."""
        menu = self.menu()
        if name not in menu:
            raise OracleError(f"'{name}' is not legal in '{self.decision}' of {self.actor}: {sorted(menu)}")
        self.events, self.chance = [], chance
        menu[name]()
        self.run()
        chance.done()
        self.chance = None

    def menu(self) -> Menu:
        """Every legal action by name, with what it does."""
        if not self.stack:
            return {}
        menu: Menu = getattr(self, f"menu_{self.decision.replace(' ', '_')}")()
        return menu

    def run(self) -> None:
        """Go on, step by step of the stages, until somebody is to be asked."""
        while not self.stack and self.outcome == "running":
            getattr(self, f"go_{self.stage.replace(' ', '_')}")()

    def enter(self, stage: str) -> None:
        self.stage, self.steps = stage, 0

    def ask(self, decision: str, seat: int, **details: object) -> None:
        self.stack.append(Frame(decision, seat, **details))  # type: ignore[arg-type]

    def done(self) -> None:
        """The decision is made and asks nothing more."""
        self.stack.pop()

    def drawn_chance(self) -> Chance:
        assert self.chance is not None
        return self.chance

    # ---- Set-up (I3, P3) ---------------------------------------------------------------------------------------------

    def go_setup(self) -> None:
        if self.steps == 2 * self.num_players:
            self.deal()
            return
        seat = self.after_leader(self.steps // 2)
        decision = "destiny" if self.steps % 2 else "starred"
        self.steps += 1
        self.ask(decision, seat)

    def menu_starred(self) -> Menu:
        return {f"reject {card}": partial(self.do_reject_starred, card) for card in self.treasures[self.seat]}

    def do_reject_starred(self, card: str) -> None:
        seat = self.seat
        self.treasures[seat].remove(card)
        self.starred_rejected[seat] = card
        self.treasure_event("reject treasure", seat, card, seers=(seat,))
        self.done()

    def menu_destiny(self) -> Menu:
        return {f"reject {destiny}": partial(self.do_reject_destiny, destiny) for destiny in self.destinies[self.seat]}

    def do_reject_destiny(self, destiny: str) -> None:
        """I3.2, I10.3 (istwa): it goes under the deck."""
        seat = self.seat
        self.destinies[seat].remove(destiny)
        self.destiny_deck.append(DeckCard(destiny, frozenset({seat})))
        self.destiny_event("reject destiny", seat, destiny)
        self.done()

    def deal(self) -> None:
        """I3.3: six kept cards for each, four for the display, all others in the deck."""
        deal = self.drawn_chance().dealt(self.num_players, self.leader)
        open_cards = [card for cards in (*deal.hands, deal.display) for card in cards]
        if [len(hand) for hand in deal.hands] != [HAND] * self.num_players or len(deal.display) != DISPLAY:
            raise OracleError(f"not six cards each and four in the display: {deal}")
        if set(open_cards) & set(LIGHTNING) or Counter(open_cards + deal.deck) != Counter(CARD_COPIES):
            raise OracleError(f"cards that cannot be dealt: {deal}")
        self.hands = [list(hand) for hand in deal.hands]
        self.display, self.deck = list(deal.display), list(deal.deck)
        for offset in range(self.num_players):
            seat = self.after_leader(offset)
            for card in self.hands[seat]:
                self.card_event("deal", seat, card, seers=(seat,))
        for card in sorted(self.display, key=CARD_NUMBERS.__getitem__):
            self.card_event("refill", -1, card)
        self.begin_round()

    # ---- Rounds (I4.1, P6) -------------------------------------------------------------------------------------------

    def begin_round(self) -> None:
        self.bids, self.joined, self.raised, self.barred, self.last_route = {}, [], [], [], None
        self.bid_for, self.passed = {}, set()
        self.event("round", self.leader)
        self.enter("bidding")
        self.ask("bid", self.leader)

    def end_round(self) -> None:
        self.rounds += 1
        if self.markers.total() == MARKERS:  # I11.1
            self.finish("natural")
        elif self.rounds >= self.max_rounds:
            self.finish("truncated")
        else:
            self.begin_round()

    def finish(self, outcome: str) -> None:
        self.enter("")
        self.outcome = outcome
        self.event("end", a=("natural", "truncated").index(outcome))

    # ---- Payment (I6, P5) --------------------------------------------------------------------------------------------

    def go_payment(self) -> None:
        """I12.4: the members pay in the order of joining; in the basic game the winner alone."""
        if self.steps == len(self.joined):
            self.travel(self.bids[self.leader].place)
            return
        seat = self.joined[self.steps]
        self.steps += 1
        if seat in self.bids and self.bids[seat].amount > 0:
            self.ask("pay", seat, due=self.bids[seat].amount)

    def menu_pay(self) -> Menu:
        frame = self.stack[-1]
        have = purse(self.bids[frame.seat].way, self.hands[frame.seat], self.gold[frame.seat], frame.turned)
        menu: Menu = {}
        for (card, with_shaman), rest in payments(have).items():
            if CARD_VALUES[card] + most(rest) >= frame.due:  # I6.3
                name = f"pay {card} with shaman" if with_shaman else f"pay {card}"
                menu[name] = partial(self.do_pay, card, with_shaman)
        return menu

    def do_pay(self, card: str, with_shaman: bool) -> None:
        frame = self.stack[-1]
        if with_shaman:  # I6.2
            self.give_up(frame.seat, "shaman")
            frame.turned.append(card)
            self.card_event("shaman", frame.seat, "shaman", CARD_NUMBERS[card])
        self.give_up(frame.seat, card)
        self.gold[frame.seat] -= CARD_GOLD[card]
        self.card_event("pay", frame.seat, card, CARD_GOLD[card])
        frame.due -= CARD_VALUES[card]
        if frame.due <= 0:
            self.done()

    # ---- Movement (I7) -----------------------------------------------------------------------------------------------

    def way(self) -> str:
        """The way of the winning bid."""
        return self.bids[self.leader].way

    def travel(self, place: str, hops: list[str] | None = None) -> None:
        """Go to a named place and ask about sangaias there."""
        hops = rides(self.camp, self.way())[place] if hops is None else hops
        self.camp = place
        for hop in hops:
            self.last_route = hop
            if ROUTES[hop].sort == "sea":  # I7.2
                self.sea_journeys = min(2, self.sea_journeys + 1)
                self.event("sail", self.leader, ROUTE_NUMBERS[hop])
        self.event("move", self.leader, PLACE_NUMBERS[place], WAY_NUMBERS[self.way()])
        self.enter("movement")

    def onward(self) -> dict[str, list[str]]:
        """Where the move can go on to, with the routes used (I7.3)."""
        if self.way() == "flight":
            return {place: [] for place in sorted(adjacent(self.camp))}
        return {
            place: hops for place, hops in self.open_rides(self.camp, self.way()).items() if self.last_route not in hops
        }

    def go_movement(self) -> None:
        """Ask everybody once at this stop, clockwise from the leader (I7.3)."""
        if self.steps == self.num_players:
            self.arrive()
            return
        seat = self.after_leader(self.steps)
        self.steps += 1
        # READING: with polls="all" everybody is asked even where the move cannot go on.
        if self.polls_all or ("sangaia" in self.hands[seat] and self.onward()):
            self.ask("sangaia", seat)

    def menu_sangaia(self) -> Menu:
        menu: Menu = {"let be": self.done}
        if "sangaia" in self.hands[self.seat] and self.onward():
            menu["sangaia"] = self.do_sangaia
        return menu

    def do_sangaia(self) -> None:
        self.give_up(self.seat, "sangaia")
        self.card_event("play", self.seat, "sangaia")
        self.done()
        self.ask("onward", self.leader)

    def menu_onward(self) -> Menu:
        return {f"go {place}": partial(self.do_go, place, hops) for place, hops in self.onward().items()}

    def do_go(self, place: str, hops: list[str]) -> None:
        self.done()
        self.travel(place, hops)

    # ---- Arrival (I8) ------------------------------------------------------------------------------------------------

    def arrive(self) -> None:
        if self.camp == BASE:  # I7.1
            self.returns += 1
            self.event("return")
        else:
            self.markers[self.camp] += 1
            self.event("marker", -1, PLACE_NUMBERS[self.camp], self.markers[self.camp])
        for seat in range(self.num_players):  # I8.1
            if self.camp in self.curses[seat]:
                self.curses[seat].remove(self.camp)
                self.curses_laid[seat].append(self.camp)
                self.event("curse laid", seat, PLACE_NUMBERS[self.camp])
        for offset in range(self.num_players):  # I8.2
            seat = self.after_leader(offset)
            for treasure in self.fitting(seat, {self.camp}):
                self.lay_with_bonus(seat, treasure)
        self.enter("bongo")

    def fitting(self, seat: int, places: set[str]) -> list[str]:
        """The hand treasures of these places, no bonus cards.

        READING: the order in which several are laid is that of the cards.
        """
        held = [card for card in self.treasures[seat] if not is_bonus(card) and treasure_place(card) in places]
        return sorted(held, key=TREASURE_ORDER.index)

    def lay_with_bonus(self, seat: int, treasure: str) -> None:
        self.lay(seat, treasure)
        bonus = best_bonus(treasure, self.treasures[seat])
        if bonus is not None:
            self.lay(seat, bonus)

    def can_bongo(self, seat: int) -> bool:
        return "bongo" in self.hands[seat] and bool(self.fitting(seat, adjacent(self.camp)))

    def go_bongo(self) -> None:
        """I8.3; then the telegram (I8.4)."""
        if self.steps == self.num_players:
            if self.telegram_number():
                self.event("telegram", b=self.telegram_number())
                self.enter("telegram")
            else:
                self.enter("drawing")
            return
        seat = self.after_leader(self.steps)
        self.steps += 1
        if self.polls_all or self.can_bongo(seat):
            self.ask("bongo", seat)

    def menu_bongo(self) -> Menu:
        menu: Menu = {"let be": self.done}
        if self.can_bongo(self.seat):
            for treasure in self.fitting(self.seat, adjacent(self.camp)):
                menu[f"bongo {treasure}"] = partial(self.do_bongo, treasure)
        return menu

    def do_bongo(self, treasure: str) -> None:
        seat = self.seat
        self.give_up(seat, "bongo")
        self.card_event("play", seat, "bongo")
        self.lay_with_bonus(seat, treasure)
        if not self.can_bongo(seat):
            self.done()

    def telegram_number(self) -> int:
        """4 or 9 if the marker just placed brings a telegram, else 0 (I8.4)."""
        number = self.markers.total()
        return number if self.camp != BASE and number in TELEGRAMS else 0

    def go_telegram(self) -> None:
        if self.steps == self.num_players:
            self.put_rejects_under()
            self.enter("drawing")
            return
        seat = self.after_leader(self.steps)
        self.steps += 1
        number = DRAWN[self.telegram_number()]
        drawn = min(number, len(self.treasure_deck))
        self.draw_treasures(seat, drawn, kept=drawn < number)
        if drawn == number:
            self.ask("telegram", seat, drawn=drawn)

    def draw_treasures(self, seat: int, number: int, kept: bool) -> None:
        """Draw from the treasure deck; `kept`: none of them can be given back."""
        for _ in range(number):
            card = self.treasure_deck.pop(0)
            lot = [other for other in self.treasure_deck if card.telegram and other.telegram == card.telegram]
            if lot:
                # Which card of the lot it was and which ones are left, he alone sees who draws it.
                for other in [card, *lot]:
                    other.players &= {seat}
            self.treasures[seat].append(card.name)
            self.treasure_event("treasure", seat, card.name, seers=(seat,))
            if kept:
                for observer in card.players - {seat}:
                    self.certain_treasures[observer][seat][card.name] += 1

    def drawn_treasures(self) -> list[str]:
        """The treasures just drawn: the last ones in hand."""
        return self.treasures[self.seat][-self.stack[-1].drawn :]

    def reject_drawn(self, card: str) -> None:
        """One of the treasures just drawn leaves the hand again; of equal ones the last."""
        hand = self.treasures[self.seat]
        del hand[len(hand) - 1 - hand[::-1].index(card)]
        self.treasure_event("reject treasure", self.seat, card, seers=(self.seat,))

    def menu_telegram(self) -> Menu:
        return {f"reject {card}": partial(self.do_reject_telegram, card) for card in self.drawn_treasures()}

    def do_reject_telegram(self, card: str) -> None:
        self.reject_drawn(card)
        self.telegram_rejected[self.seat] = card
        self.done()

    def put_rejects_under(self) -> None:
        """The rejects of all are shuffled and put under the deck (I8.4)."""
        seats = sorted(self.telegram_rejected)
        if seats:
            order = self.drawn_chance().put_under(self.telegram_rejected)
            if sorted(order) != seats:
                raise OracleError(f"rejects of {seats} were put under the deck as {order}")
            for seat in order:
                card = DeckCard(self.telegram_rejected[seat], frozenset({seat}), self.telegram_number())
                self.treasure_deck.append(card)
        self.telegram_rejected = {}

    # ---- Drawing (I10.1, I10.5) --------------------------------------------------------------------------------------

    def go_drawing(self) -> None:
        if self.steps == 2 * self.num_players:
            self.enter("hand limit")
            return
        seat, buys = self.after_leader(self.steps // 2), self.steps % 2 == 1
        self.steps += 1
        if not buys:
            self.ask("draw", seat)
        elif self.gold[seat] > 0:
            self.ask("buy", seat)

    def menu_draw(self) -> Menu:
        menu: Menu = {"draw deck": self.do_draw_deck}
        menu.update({f"draw {card}": partial(self.do_take, card) for card in self.display})
        return menu

    def menu_buy(self) -> Menu:
        menu: Menu = {"let be": self.done, "buy deck": partial(self.do_buy, self.do_draw_deck)}
        menu.update({f"buy {card}": partial(self.do_buy, partial(self.do_take, card)) for card in self.display})
        return menu

    def do_buy(self, draw: Callable[[], None]) -> None:
        self.gold[self.seat] -= 1
        self.event("buy", self.seat)
        draw()

    def top_card(self) -> str:
        """The next card of the deck, made anew if there is none (I10.5)."""
        if not self.deck:
            self.shuffle(self.discard)
            self.discard = Counter()
        return self.deck.pop(0)

    def shuffle(self, cards: Counter[str]) -> None:
        """Make a new deck."""
        order = self.drawn_chance().shuffled(sorted(cards.elements()))
        if Counter(order) != Counter(cards.elements()):
            raise OracleError(f"{sorted(cards.elements())} were shuffled into {sorted(order)}")
        self.deck = order
        self.event("shuffle")

    def refill(self) -> None:
        card = self.top_card()
        self.display.append(card)
        self.card_event("refill", -1, card)

    def do_draw_deck(self) -> None:
        seat, card = self.seat, self.top_card()
        self.done()
        if card in KEPT:
            self.gain(seat, card, (seat,))
            self.card_event("draw", seat, card, seers=(seat,))
        else:
            self.lightning(seat, card)

    def do_take(self, card: str) -> None:
        """From the display, which is refilled at once (I10.1, I10.2)."""
        seat = self.seat
        self.done()
        self.display.remove(card)
        self.card_event("take", seat, card)
        if card in KEPT:
            self.gain(seat, card, range(self.num_players))
        self.refill()
        if card in LIGHTNING:
            self.lightning(seat, card)

    # ---- Lightning cards (I10.2-I10.4) -------------------------------------------------------------------------------

    def lightning(self, seat: int, card: str) -> None:
        """It is discarded, then resolved."""
        self.discard[card] += 1
        self.card_event("lightning", seat, card)
        getattr(self, f"draws_{card.replace('-', '_')}")(seat)

    def robbable(self, seat: int, card: str) -> list[int]:
        held = self.hands if card == "macaque" else self.treasures
        return [other for other in range(self.num_players) if other != seat and held[other]]

    def draws_macaque(self, seat: int) -> None:
        if self.robbable(seat, "macaque"):
            self.ask("victim", seat, card="macaque")

    def draws_marabou(self, seat: int) -> None:
        if self.robbable(seat, "marabou"):
            self.ask("victim", seat, card="marabou")

    def menu_victim(self) -> Menu:
        seats = self.robbable(self.seat, self.stack[-1].card)
        return {f"rob {player_name(seat)}": partial(self.do_rob, seat) for seat in seats}

    def do_rob(self, victim: int) -> None:
        thief = self.seat
        adventure = self.stack[-1].card == "macaque"
        held, known = (self.hands, self.certain) if adventure else (self.treasures, self.certain_treasures)
        card = self.drawn_chance().stolen(victim, list(held[victim]))
        if card not in held[victim]:
            raise OracleError(f"{card} was stolen from {held[victim]}")
        held[victim].remove(card)
        held[thief].append(card)
        self.steals(known, thief, victim, card)
        if adventure:
            self.card_event("rob", thief, card, victim, (thief, victim))
        else:
            self.treasure_event("loot", thief, card, victim, (thief, victim))
        self.done()

    def draws_bigfoot(self, seat: int) -> None:
        self.ask("monster", seat, monster="bigfoot")

    def draws_leviathan(self, seat: int) -> None:
        self.ask("monster", seat, monster="leviathan")

    def menu_monster(self) -> Menu:
        monster = self.stack[-1].monster
        routes = [route for route in GROUND[monster] if self.monsters.get(monster) != route]
        return {f"place {route}": partial(self.do_place, monster, route) for route in routes}

    def do_place(self, monster: str, route: str) -> None:
        start = ROUTE_NUMBERS[self.monsters[monster]] if monster in self.monsters else -1
        self.monsters[monster] = route
        self.event(monster, self.seat, start, ROUTE_NUMBERS[route])
        self.done()

    def draws_antik(self, seat: int) -> None:
        drawn = min(2, len(self.treasure_deck))
        self.draw_treasures(seat, drawn, kept=drawn == 1)
        if drawn == 2:
            self.ask("antik", seat, drawn=2)

    def menu_antik(self) -> Menu:
        return {f"reject {card}": partial(self.do_reject_antik, card) for card in self.drawn_treasures()}

    def do_reject_antik(self, card: str) -> None:
        self.reject_drawn(card)
        self.treasure_deck.append(DeckCard(card, frozenset({self.seat})))
        self.done()

    def draws_istwa(self, seat: int) -> None:
        if self.destiny_deck:
            card = self.destiny_deck.pop(0)
            self.destinies[seat].append(card.name)
            self.destiny_event("destiny", seat, card.name)
            self.ask("destiny", seat)

    def draws_diawas(self, seat: int) -> None:
        """All that is in no hand is shuffled; a new display, and a draw of any sort."""
        self.shuffle(self.discard + Counter(self.deck) + Counter(self.display))
        self.discard, self.display = Counter(), []
        for _ in range(DISPLAY):
            self.refill()
        self.ask("draw", seat)

    def draws_panda(self, seat: int) -> None:
        self.ask("first player", seat, card="panda")

    def draws_baron_saturday(self, seat: int) -> None:
        if self.curse_deck:
            self.ask("first player", seat, card="baron-saturday")

    def menu_first_player(self) -> Menu:
        return {f"choose {player_name(seat)}": partial(self.do_choose, seat) for seat in range(self.num_players)}

    def menu_second_player(self) -> Menu:
        menu = self.menu_first_player()
        del menu[f"choose {player_name(self.stack[-1].first)}"]
        return menu

    def do_choose(self, chosen: int) -> None:
        frame = self.stack.pop()
        self.card_event("choose", frame.seat, frame.card, chosen)
        if frame.decision == "first player":
            self.ask("second player", frame.seat, card=frame.card, first=chosen)
        elif frame.card == "panda":
            self.ask("panda", chosen, cards=PANDA)
            self.ask("panda", frame.first, cards=PANDA)
            self.settle_pandas()
        else:
            self.take_curse(frame.first)
            self.take_curse(chosen)

    def take_curse(self, seat: int) -> None:
        if self.curse_deck:
            place = self.curse_deck.pop(0)
            self.curses[seat].append(place)
            self.event("curse", seat, PLACE_NUMBERS[place], seers=(seat,))

    def settle_pandas(self) -> None:
        """One who has three cards or fewer is not asked and loses them all, in the order in which he holds them."""
        while self.decision == "panda" and self.stack[-1].cards == PANDA and len(self.hands[self.seat]) <= PANDA:
            for card in list(self.hands[self.seat]):
                self.discard_openly(self.seat, card)
            self.done()

    def discard_openly(self, seat: int, card: str) -> None:
        self.give_up(seat, card)
        self.card_event("discard", seat, card)

    def menu_panda(self) -> Menu:
        return {f"discard {card}": partial(self.do_discard_to_panda, card) for card in self.hands[self.seat]}

    def do_discard_to_panda(self, card: str) -> None:
        frame = self.stack[-1]
        self.discard_openly(frame.seat, card)
        frame.cards -= 1
        if frame.cards == 0:
            self.done()
            self.settle_pandas()

    # ---- Hand limit (I10.6) ------------------------------------------------------------------------------------------

    def go_hand_limit(self) -> None:
        if self.steps == self.num_players:
            self.end_round()
            return
        seat = self.after_leader(self.steps)
        self.steps += 1
        if len(self.hands[seat]) > HAND_LIMIT:
            self.ask("hand limit", seat)

    def menu_hand_limit(self) -> Menu:
        return {f"discard {card}": partial(self.do_discard_down, card) for card in self.hands[self.seat]}

    def do_discard_down(self, card: str) -> None:
        self.discard_openly(self.seat, card)
        if len(self.hands[self.seat]) == HAND_LIMIT:
            self.done()


if __name__ == "__main__":
    from tests.isla_dorada.oracle_play import main

    main()
