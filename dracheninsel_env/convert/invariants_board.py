"""Invariants of the pieces: who sits where, and where each disc, card, coin, treasure, hunter and dragon is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from types import SimpleNamespace

from dracheninsel_env.board import CELLS, FIRST_BOAT, LANDINGS, SITE, SPACE_NAMES
from dracheninsel_env.components import (
    BOATS_FOUR,
    CARD_NAMES,
    CLOCKWISE,
    COINS_EACH,
    DISCS_EACH,
    SEATS_THREE,
)
from dracheninsel_env.convert.words import DECK, VALUES
from dracheninsel_env.decisions import Decision, Stage
from dracheninsel_env.state import COLLECTED, STOCK
from dracheninsel_env.vocab import HUNTERS, TERRAINS
from island_core.convert import PLAYERS, SEATS, certain_problems
from island_core.reader import Problem

# ---- Seats, discs, cards, coins


@lru_cache(maxsize=8)
def seatings(players: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """D3.2, D9.1: every seating, the default one first: the hunters of each seat in hunter order."""
    if players == 3:
        circles: list[list[tuple[int, ...]]] = [[(min(pair), max(pair)) for pair in SEATS_THREE]]
    elif players == 4:
        circles = [[(hunter,) for hunter in BOATS_FOUR]]
    else:
        outside = reversed(CLOCKWISE) if players == 5 else [-1]
        circles = [[(hunter,) for hunter in CLOCKWISE if hunter != out] for out in outside]
    return tuple((*circle[turn:], *circle[:turn]) for circle in circles for turn in range(players))


def seat_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """D3.2, D9.1: who sits where; who plays stands somewhere."""
    seats = tuple(tuple(h for h in s.hunters[seat] if h >= 0) for seat in range(s.num_players))
    if seats not in seatings(s.num_players) or any(h >= 0 for row in s.hunters[s.num_players :] for h in row):
        given = "; ".join(", ".join(HUNTERS[h] for h in seat) or "nobody" for seat in seats)
        yield Problem("seats", given, "the hunters in the clockwise order of their boats (D3.2, D9.1)")
    owners = [next((seat for seat, own in enumerate(seats) if h in own), -1) for h in range(SEATS)]
    if owners != s.owner:
        yield Problem("seats", f"owners {s.owner}", f"{owners}, as the hunters of each seat say")
    for hunter, name in enumerate(HUNTERS):
        if (s.at[hunter] >= 0) != (s.owner[hunter] >= 0):
            given = SPACE_NAMES[s.at[hunter]] if s.at[hunter] >= 0 else "no space"
            yield Problem(f"hunters.{name}", given, "a space for each hunter that plays, none for the others")


def disc_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """D1.2: ten discs each, none on the site."""
    if s.terrain[SITE] >= 0:
        yield Problem("discs.e5", TERRAINS[s.terrain[SITE]], "nothing, it is the treasure site")
    for terrain, name in enumerate(TERRAINS):
        if s.terrain.count(terrain) != DISCS_EACH:
            yield Problem("discs", f"{s.terrain.count(terrain)} of {name}", f"{DISCS_EACH} of each terrain")


def card_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """D2.3, D2.4: every card in exactly one zone; unused places are 0."""
    found = Counter(s.deck[: s.deck_size])
    for zone in (s.discard, s.table):
        found.update(dict(enumerate(zone)))
    for seat, hand in enumerate(s.hand):
        size = s.hand_size[seat]
        found.update(hand[:size])
        if any(hand[size:]) or (seat >= s.num_players and size):
            yield Problem(f"hands.{PLAYERS[seat]}", f"{size} cards and {hand}", "zeros in unused places")
    if any(s.deck[s.deck_size :]):
        yield Problem("deck", "cards beyond its size", "zeros in unused places")
    yield from DECK.problems(found)
    hands = [hand[:size] for hand, size in zip(s.hand, s.hand_size, strict=True)]
    yield from certain_problems("certain", s.num_players, hands, s.knowers, CARD_NAMES)


def coin_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """D2.2: a collected treasure has both coins with players, any other none."""
    for k, place in enumerate(s.treasure_at):
        paid = sum(coins[k] for coins in s.coins)
        if paid != (COINS_EACH if place == COLLECTED else 0):
            allowed = f"{COINS_EACH} coins for a collected treasure, none for any other"
            yield Problem("coins", f"{paid} coins of {VALUES[k]}", allowed)
    if any(any(coins) for coins in s.coins[s.num_players :]):
        yield Problem("coins", "coins where nobody sits", "none")


# ---- The board: treasures, hunters, dragons


def place_problems(s: SimpleNamespace) -> Iterator[Problem]:
    """The board: treasures, hunters and dragons."""
    top = s.depth - 1
    decision, hunter = (s.frame_decision[top], s.frame_a[top]) if s.depth else (Decision.NONE, -1)
    boats = s.depth > 0 and s.frame_a[0] in (Stage.DELIVERY, Stage.SETTLE)
    leaves = decision == Decision.EXIT or (decision == Decision.FLIGHT and s.at[hunter] == SITE)
    ambushed = s.at[hunter] if decision == Decision.AMBUSH else -1
    yield from treasure_problems("", s.treasure_at, s.at, boats)
    yield from hunter_problems("", s.at, s.treasure_at, leaves and SITE in s.treasure_at, ambushed)
    yield from dragon_problems("", s.dragon_at, s.at)
    if decision == Decision.EXIT and not (s.at.count(SITE) == 2 and s.at[hunter] == SITE and SITE in s.treasure_at):
        yield Problem("stack", "exit", "a pair on the site, with its treasure")
    if ambushed >= 0 and not (s.at.count(ambushed) == 3 and ambushed in s.treasure_at and ambushed != SITE):
        allowed = "three hunters with a treasure on a terrain space"
        yield Problem("stack", f"ambush on {SPACE_NAMES[ambushed]}", allowed)


def treasure_problems(key: str, treasure_at: list[int], at: list[int], boats: bool) -> Iterator[Problem]:
    """D6.4: the treasures are laid in ascending order; one under way is with a hunter."""
    laid = [k for k, place in enumerate(treasure_at) if place != STOCK]
    if laid != list(range(len(laid))):
        given = f"{VALUES[treasure_at.index(STOCK)]} in stock and {VALUES[laid[-1]]} laid"
        yield Problem(f"{key}treasures", given, "in stock only what is above all treasures laid")
    on_site = [k for k, place in enumerate(treasure_at) if place == SITE]
    if on_site not in ([], laid[-1:]) or (not on_site and len(laid) < len(treasure_at)):
        given = f"{', '.join(VALUES[k] for k in on_site) or 'nothing'} on the site"
        yield Problem(f"{key}treasures", given, "the highest treasure laid on the site while others are in stock")
    for k, place in enumerate(treasure_at):
        if place < 0 or place == SITE:
            continue
        name = f"{key}treasures.{VALUES[k]}"
        if place >= FIRST_BOAT and not boats:
            yield Problem(name, SPACE_NAMES[place], "a boat in the stages delivery and settle only")
        if place not in at:
            yield Problem(name, f"{SPACE_NAMES[place]}, where nobody stands", "a space with its carriers")
        if treasure_at.index(place) < k:
            yield Problem(name, f"{SPACE_NAMES[place]}, where another one is", "one treasure on a space")


def hunter_problems(
    key: str, at: list[int], treasure_at: list[int], pair_on_site: bool, ambushed: int
) -> Iterator[Problem]:
    """D6, D7: how many hunters share a space. ``ambushed`` is the space of a pending ambush, -1 if none."""
    for space, number in Counter(at).items():
        if not 0 <= space < CELLS:
            continue
        most = 1
        if space == SITE:
            most = 2 if pair_on_site else 1
        elif space in treasure_at:
            most = 3 if space == ambushed else 2
        if number > most:
            names = " and ".join(HUNTERS[h] for h in range(SEATS) if at[h] == space)
            allowed = f"{most} there: two with a treasure, a third in an ambush, two on the site in the exit only"
            yield Problem(f"{key}hunters", f"{names} on {SPACE_NAMES[space]}", allowed)


def dragon_problems(key: str, dragon_at: list[int], at: list[int]) -> Iterator[Problem]:
    """D8.2: where dragons may stand."""
    for dragon, cell in enumerate(dragon_at):
        if cell < 0:
            if any(later >= 0 for later in dragon_at[dragon:]):
                yield Problem(f"{key}dragons", "one outside before one inside", "those outside last")
            continue
        if cell == SITE or cell in LANDINGS or cell in at or cell in dragon_at[:dragon]:
            allowed = "empty terrain spaces that are no landing, a different one each"
            yield Problem(f"{key}dragons", SPACE_NAMES[cell], allowed)
