"""The bidding of the oracle, basic and cooperative (I5, I12)."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from isla_dorada_env.vocab import CARDS, WAYS
from tests.isla_dorada.oracle_box import bid_number, most, player_name, purse, rides
from tests.isla_dorada.oracle_table import Bid, Frame, OracleTable

OVETO_FROM = 4  # I5.4, I12.5

Menu = dict[str, Callable[[], None]]


@dataclass
class Bidding(OracleTable, ABC):
    """Who may bid what, and who wins."""

    @property
    @abstractmethod
    def seat(self) -> int:
        """Who decides."""

    @abstractmethod
    def ask(self, decision: str, seat: int, **details: object) -> None:
        """Put a decision on the stack."""

    @abstractmethod
    def enter(self, stage: str) -> None:
        """Begin a stage."""

    # ---- What can be bid ---------------------------------------------------------------------------------------------

    def open_rides(self, start: str, way: str) -> dict[str, list[str]]:
        """Where a way leads without a blocked route (I5.2, I9.1)."""
        blocked = set(self.monsters.values())
        return {place: hops for place, hops in rides(start, way).items() if not blocked & set(hops)}

    def highest(self, seat: int, way: str) -> int:
        """The most that a player can pay for a way (I5.3)."""
        return most(purse(way, self.hands[seat], self.gold[seat], []))

    def members(self, place: str, way: str) -> list[int]:
        """Who belongs to a bid, in the order of joining (I12.4)."""
        there = [seat for seat, bid in self.bids.items() if (bid.place, bid.way) == (place, way)]
        return [seat for seat in self.joined if seat in there]

    def total(self, place: str, way: str) -> int:
        return sum(self.bids[seat].amount for seat in self.members(place, way))

    def is_alone(self, seat: int) -> bool:
        return self.members(self.bids[seat].place, self.bids[seat].way) == [seat]

    def least(self, seat: int, way: str) -> int:
        """The least amount or share that a player may say now (P4: bid)."""
        if not self.bids and way == "flight":
            return 1  # I5.3
        if not self.bids:
            return 0 if seat == self.leader else 1
        if not self.cooperative:
            return max(bid.amount for bid in self.bids.values()) + 1  # I5.1
        return self.bids[seat].amount + 1 if seat in self.bids else 1  # I12.1, I12.2

    def can_say(self, seat: int, way: str) -> bool:
        return self.highest(seat, way) >= self.least(seat, way)

    def choices(self, seat: int) -> list[tuple[str, str, str]]:
        """The bids open to a player: `bid`, `join` or `raise`, place, way."""
        bound = self.cooperative and seat in self.bids and not self.is_alone(seat)  # I12.2
        found = []
        for way in WAYS:
            if not self.can_say(seat, way):
                continue
            for place in self.open_rides(self.camp, way):
                members = self.members(place, way)
                if not self.cooperative or (not members and not bound):
                    found.append(("bid", place, way))
                elif seat in members:
                    found.append(("raise", place, way))
                elif members and not bound:
                    found.append(("join", place, way))
        return found

    def menu_bid(self) -> Menu:
        seat, menu = self.seat, Menu()
        choices = self.choices(seat)
        for verb, place, way in choices:
            name = "raise" if verb == "raise" else f"{verb} {place} {way}"
            menu[name] = partial(self.do_name, place, way)
        if "juju" in self.hands[seat]:  # I5.5
            for other in range(self.num_players):
                if other != seat and other not in self.barred:
                    menu[f"juju {player_name(other)}"] = partial(self.do_juju, other)
        if self.bids or seat != self.leader or not choices:  # I5.1, I5.7
            menu["pass"] = self.do_pass
        return menu

    # ---- What follows ------------------------------------------------------------------------------------------------

    def do_juju(self, other: int) -> None:
        self.give_up(self.seat, "juju")
        self.card_event("play", self.seat, "juju", other)
        self.barred.append(other)

    def do_pass(self) -> None:
        seat = self.stack.pop().seat
        self.passed.add(seat)
        self.event("pass", seat)
        self.ask_next(seat)

    def do_name(self, place: str, way: str) -> None:
        seat = self.stack.pop().seat
        self.ask("share" if self.cooperative else "amount", seat, place=place, way=way)

    def _numbers(self, word: str) -> Menu:
        frame = self.stack[-1]
        numbers = range(self.least(frame.seat, frame.way), self.highest(frame.seat, frame.way) + 1)
        return {f"{word} {number}": partial(self.do_say, frame, number) for number in numbers}

    def menu_amount(self) -> Menu:
        return self._numbers("amount")

    def menu_share(self) -> Menu:
        return self._numbers("share")

    def do_say(self, frame: Frame, number: int) -> None:
        """The bid stands; a bid that was given up is gone (I12.2)."""
        seat, place, way = self.stack.pop().seat, frame.place, frame.way
        members = self.members(place, way) if self.cooperative else []
        verb = "raise" if seat in members else "join" if members else "bid"
        self.bids[seat] = Bid(place, way, number)
        self.bid_for.setdefault(seat, set()).add(place)
        # READING: he was asked for a bid once it stands; until he says how much, his pass of the last time counts.
        self.passed.discard(seat)
        if verb != "raise":
            self.joined = [other for other in self.joined if other != seat] + [seat]
        self.raised = [other for other in self.raised if other != seat] + [seat]
        self.event(verb, seat, bid_number(place, way), number)
        total = self.total(place, way) if self.cooperative else number
        if self.next_bidder(seat) is None:  # I5.4: not asked if the bidding is over anyway
            self.end_bidding()
        elif total >= OVETO_FROM and (self.polls_all or "oveto" in self.hands[seat]):
            self.ask("oveto", seat)
        else:
            self.ask_next(seat)

    def menu_oveto(self) -> Menu:
        menu: Menu = {"let be": self.do_let_go_on}
        if "oveto" in self.hands[self.seat]:
            menu["oveto"] = self.do_oveto
        return menu

    def do_let_go_on(self) -> None:
        self.ask_next(self.stack.pop().seat)

    def do_oveto(self) -> None:
        seat = self.stack.pop().seat
        self.give_up(seat, "oveto")
        self.event("play", seat, CARDS.index("oveto"))
        self.end_bidding()

    def next_bidder(self, seat: int) -> int | None:
        """Whose turn is next; None where it would return to the last bidder, or without a bid to the leader (I5.1)."""
        last = self.raised[-1] if self.raised else self.leader
        for offset in range(1, self.num_players + 1):
            other = (seat + offset) % self.num_players
            if other == last:
                return None
            if other not in self.barred:
                return other
        return None

    def ask_next(self, seat: int) -> None:
        other = self.next_bidder(seat)
        if other is None:
            self.end_bidding()
        else:
            self.ask("bid", other)

    def winning_bid(self) -> tuple[str, str]:
        """I5.1; I12.3: the highest total, among equals the one that reached it first, when a member spoke last."""
        if not self.cooperative:
            bid = self.bids[self.raised[-1]]
            return bid.place, bid.way
        standing = {(bid.place, bid.way) for bid in self.bids.values()}

        def rank(bid: tuple[str, str]) -> tuple[int, int]:
            return self.total(*bid), -max(self.raised.index(seat) for seat in self.members(*bid))

        return max(standing, key=rank)

    def end_bidding(self) -> None:
        """The winner leads; nothing but his bid is left (I5.6, I5.7, I12.4)."""
        self.stack = []
        if not self.bids:
            self.event("stay", self.leader)
            self.enter("drawing")
            return
        place, way = self.winning_bid()
        if self.cooperative:
            members = self.members(place, way)
            highest = max(self.bids[seat].amount for seat in members)
            self.leader = next(seat for seat in members if self.bids[seat].amount == highest)
        else:
            self.leader = self.raised[-1]
            members = [self.leader]
        self.bids = {seat: self.bids[seat] for seat in members}
        # READING: the orders keep the seats whose bids are gone; a step of the payment passes over these.
        total = sum(bid.amount for bid in self.bids.values())
        self.winning_total += total
        self.event("winner", self.leader, bid_number(place, way), total)
        self.enter("payment")
