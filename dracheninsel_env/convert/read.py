"""Reading: a record from a dict of names, complete or partial."""

from __future__ import annotations

from collections import Counter

from dracheninsel_env.board import CELLS, FIRST_BOAT, SITE, TERRAIN_OF
from dracheninsel_env.components import COINS, COINS_EACH, DRAGONS, HAND_SIZE
from dracheninsel_env.convert.invariants import all_problems, problems
from dracheninsel_env.convert.invariants_board import seatings
from dracheninsel_env.convert.words import (
    ANY_CELLS,
    CARD,
    CELL,
    DECISION,
    DECK,
    EVENT_FORM,
    FRAME_KEYS,
    GAME,
    HUNTER,
    KEYS,
    POLLS,
    SLOTS,
    SPACE,
    STAGE,
    STAGES_OF,
    STOLEN_MOST,
    TERRAIN,
    TREASURE,
    TREASURE_PLACE,
    TURN_KEYS,
    UNDO_KEYS,
    VALUES,
    cell_names,
    detail_codec,
)
from dracheninsel_env.decisions import Decision, Stage
from dracheninsel_env.options import MOST_TURNS, DracheninselOptions, new_record
from dracheninsel_env.rules import engine
from dracheninsel_env.state import RUNNING, STATE, STOCK
from dracheninsel_env.vocab import HUNTERS
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
from island_core.reader import Codec, Given, or_none, plain, whole_number


def from_dict(data: Dict, options: DracheninselOptions) -> States:
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


def _in_play(owner: list[int]) -> Codec:
    """The hunters that play."""

    def read(given: Given) -> int:
        hunter = HUNTER.read(given)
        if owner[hunter] < 0:
            raise given.refusal(", ".join(name for k, name in enumerate(HUNTERS) if owner[k] >= 0))
        return hunter

    return HUNTER._replace(read=read)


class _Builder:
    """Fills one record from a dict, section by section; what is missing as the table in the docs says."""

    def __init__(self, data: Given, options: DracheninselOptions) -> None:
        self.data = data
        self.options = options
        self.player = player_codec(options.num_players)
        self.hunter = HUNTER
        """The hunters that play, once the seats are read."""
        self.states = new_record(options)
        self.s = plain(STATE, self.states, 0)
        """The record being filled, as Python numbers and lists."""

    def build(self) -> States:
        """The record, filled. Raises `PositionError`."""
        check_fixed(self.data, GAME, self.options)
        self.read_seats()
        self.read_board()
        self.read_coins()
        fill_generator(self.data.get("rng"), self.states["rng"][0])
        self.read_cards()
        self.read_turn()
        self.read_undo()
        EVENT_FORM.read(self.s, self.data.get("events", {}))
        fill_record(STATE, self.states, self.s, ("legal", "rng", "deck"))
        return self.states

    def read_seats(self) -> None:
        """The first seating that agrees with what is given."""
        given = self.data.get("seats", {})
        wanted = {
            seat: tuple(sorted(HUNTER.read_all(hunters, 2, "hunters")))
            for seat, hunters in self.player.read_keys(given, "players")
        }
        known = seatings(self.options.num_players)
        fitting = [seats for seats in known if all(seats[seat] == own for seat, own in wanted.items())]
        if not fitting:
            shown = "; ".join(", ".join(HUNTERS[h] for h in own) for own in known[0])
            without = " or the same without another colour" if self.options.num_players == 5 else ""
            raise given.refusal(f"a rotation of {shown}{without}")
        s = self.s
        s.owner, s.hunters = [-1] * SEATS, [[-1, -1] for _ in range(SEATS)]
        for seat, own in enumerate(fitting[0]):
            for slot, hunter in enumerate(own):
                s.owner[hunter], s.hunters[seat][slot] = seat, hunter
        self.hunter = _in_play(s.owner)

    # ---- The pieces

    def read_board(self) -> None:
        """Discs, hunters, treasures, dragons."""
        s = self.s
        s.terrain = TERRAIN_OF.tolist()
        for cell, terrain in CELL.read_keys(self.data.get("discs", {}), "spaces"):
            if cell == SITE:
                raise Given("discs", CELL.write(cell)).refusal("terrain spaces; e5 is the treasure site")
            s.terrain[cell] = TERRAIN.read(terrain)
        at = [FIRST_BOAT + hunter if s.owner[hunter] >= 0 else -1 for hunter in range(SEATS)]
        s.at = self.read_hunters(self.data.get("hunters", {}), at)
        s.treasure_at = self.read_treasures(self.data.get("treasures", {}))
        s.dragon_at = self.read_dragons(self.data.get("dragons", []))

    def read_hunters(self, given: Given, missing: list[int]) -> list[int]:
        """The space of each hunter."""
        at = list(missing)
        for hunter, space in self.hunter.read_keys(given, "hunters"):
            at[hunter] = SPACE.read(space)
        return at

    def read_treasures(self, given: Given, missing: list[int] | None = None) -> list[int]:
        """Where each treasure is; without ``missing`` the lowest missing one is on the site, the others in stock."""
        places = {VALUES.index(name): TREASURE_PLACE.read(place) for name, place in given.table(VALUES).items()}
        if missing is not None:
            return [places.get(k, place) for k, place in enumerate(missing)]
        absent = [k for k in range(len(COINS)) if k not in places]
        if absent and SITE not in places.values():
            places[absent.pop(0)] = SITE
        return [places.get(k, STOCK) for k in range(len(COINS))]

    def read_dragons(self, given: Given) -> list[int]:
        """The cells of the dragons."""
        cells = CELL.read_all(given, DRAGONS, "dragons")
        return cells + [-1] * (DRAGONS - len(cells))

    def read_coins(self) -> None:
        """The coins of each player."""
        for seat, coins in self.player.read_keys(self.data.get("coins", {}), "players"):
            for k in TREASURE.read_all(coins, COINS_EACH * len(COINS), "coins"):
                self.s.coins[seat][k] += 1
                if self.s.coins[seat][k] > COINS_EACH:
                    raise coins.refusal(f"at most {COINS_EACH} coins of {VALUES[k]}")

    # ---- The cards

    def read_cards(self) -> None:
        """Hands, discard, table, deck: every card in one place; who is certain of which."""
        s = self.s
        left = Counter(dict(enumerate(DECK.copies)))
        for seat, cards in self.player.read_keys(self.data.get("hands", {}), "players"):
            hand = CARD.read_all(cards, HAND_SIZE, "cards in a hand")
            s.hand_size[seat] = len(hand)
            s.hand[seat][: len(hand)] = hand
            left.subtract(hand)
        for zone in ("discard", "table"):
            counts = getattr(s, zone)
            for card, number in CARD.read_keys(self.data.get(zone, {}), "cards"):
                counts[card] = whole_number(0, DECK.copies[card]).read(number)
                left[card] -= counts[card]
        given, what = self.data.get("deck", []), "cards, what hands, discard and table leave"
        s.deck_size = DECK.fill_deck(given, CARD, left, self.states["rng"][0], self.states["deck"][0], what)
        hands = [s.hand[seat][: s.hand_size[seat]] for seat in range(SEATS)]
        read_certain(self.data.get("certain", {}), s.num_players, hands, s.knowers, CARD)

    # ---- The turn and the stack

    def read_turn(self) -> None:
        """The turn, the stack and the outcome."""
        s = self.s
        s.outcome = OUTCOME.read(self.data.get("outcome", "running"))
        turn = self.data.get("turn", {}).table(TURN_KEYS)
        if s.outcome == RUNNING:
            s.frame_seat[0] = self.player.read(turn.get("active", PLAYERS[0]))
        else:
            for given in (turn.get(name) for name in ("active", "stage", "guest")):
                if given.value is not None:
                    raise given.refusal("null once the game is over")
        s.turns = whole_number(0, MOST_TURNS).read(turn.get("number", 0))
        s.mover = self.read_mover(turn.get("mover"))
        s.freed = TERRAIN.read_set(turn.get("freed", []), "terrains")
        s.left_alone = HUNTER.read_set(turn.get("left_alone", []), "hunters")
        standing = [1 << s.at[hunter] if hunter >= 0 else 0 for hunter in self.own_hunters()]
        s.listed_cells, s.listed_boats = self.read_listed(turn.get("listed", {}), standing)
        self.read_stack(turn)
        begun = s.mover >= 0 or s.freed or s.left_alone or s.frame_decision[1] not in (0, Decision.EXCHANGE)
        s.acts = whole_number(0, 32767).read(turn.get("acts", int(bool(begun))))

    def own_hunters(self) -> list[int]:
        """The two hunters of the active player, -1 for none."""
        own: list[int] = self.s.hunters[self.s.frame_seat[0]] if self.s.outcome == RUNNING else [-1, -1]
        return own

    def read_mover(self, given: Given) -> int:
        """A hunter that plays, or null."""
        return or_none(self.hunter, None).read(given)

    def read_listed(self, given: Given, missing: list[int]) -> tuple[list[int], list[int]]:
        """The lists of D4.6 as cells and boats: by the active player's hunters, or as first and second."""
        names = {HUNTERS[hunter]: slot for slot, hunter in enumerate(self.own_hunters()) if hunter >= 0}
        names |= {name: slot for slot, name in enumerate(SLOTS)}
        masks = list(missing)
        for name, spaces in given.table(tuple(names)).items():
            masks[names[name]] = SPACE.read_set(spaces, "spaces")
        return [mask & ANY_CELLS for mask in masks], [mask >> CELLS for mask in masks]

    def read_stack(self, turn: Given) -> None:
        """The frames: the bottom one from ``turn``, the others from ``stack``."""
        s = self.s
        stack = self.data.get("stack", [])
        frames = stack.entries(2, "frames above the bottom one")
        if s.outcome != RUNNING:
            if frames:
                raise stack.refusal("no frames once the game is over")
            return
        s.depth = 1 + len(frames)
        s.frame_decision[0] = int(Decision.TURN)
        for place, frame in enumerate(frames, 1):
            self.read_frame(place, frame)
        stage, guest = turn.get("stage"), turn.get("guest")
        s.frame_a[0] = self.likely_stage() if stage.value is None else STAGE.read(stage)
        s.frame_b[0] = -1
        if guest.value is not None:
            s.frame_b[0] = self.hunter.read(guest)
        elif s.frame_a[0] in (Stage.DELIVERY, Stage.SETTLE):
            s.frame_b[0] = self.likely_guest(guest)

    def read_frame(self, place: int, frame: Given) -> None:
        """One frame above the bottom one."""
        s = self.s
        frame.table(allowed="a dict with decision, player and the decision's details")
        given = frame.get("decision")
        decision = DECISION.read(given)
        if decision == Decision.TURN:
            raise given.refusal("other decisions; the bottom frame is described by turn")
        names = FRAME_KEYS[decision]
        frame.table(("decision", "player", *filter(None, names)))
        missing = None if decision in POLLS else PLAYERS[s.frame_seat[0]]
        s.frame_decision[place] = decision
        s.frame_seat[place] = self.player.read(frame.get("player", missing))
        likely = {"guest": self.likely_guest, "hunter": self.likely_mover}
        s.frame_a[place], s.frame_b[place] = read_details(s, frame, names, detail_codec, likely)

    def likely_stage(self) -> int:
        """The stage that what is pending leaves open, if none is given."""
        s = self.s
        if s.depth == 1:
            return int(Stage.IDLE)
        if s.frame_decision[1] == Decision.SLUMBER:
            delivers = any(place >= FIRST_BOAT for place in s.treasure_at)
            return int(Stage.DELIVERY if delivers else Stage.ACT_OVER)
        return int(STAGES_OF.get(s.frame_decision[1], (Stage.IDLE,))[0])

    def likely_guest(self, missing: Given) -> int:
        """The only one who can be the guest in the boat with the treasure."""
        s = self.s
        boats = [place for place in s.treasure_at if place >= FIRST_BOAT]
        guests = [h for place in boats for h in range(SEATS) if s.at[h] == place != FIRST_BOAT + h]
        if len(guests) != 1:
            raise missing.refusal("the carrier whose boat it is not, as it is not clear from the board")
        return guests[0]

    def likely_mover(self, missing: Given) -> int:
        """The only own hunter, or the one that moves in this turn."""
        own = [hunter for hunter in self.own_hunters() if hunter >= 0]
        if len(own) > 1 and self.s.mover < 0:
            raise missing.refusal(" or ".join(HUNTERS[hunter] for hunter in own))
        return int(self.s.mover if self.s.mover >= 0 else own[0])

    # ---- The past

    def read_undo(self) -> None:
        """What the last act would be undone to, by default what is; nothing at all if ``undo`` is null."""
        s = self.s
        undo = self.data.get("undo", {})
        if undo.value is None:
            return
        undo.table(UNDO_KEYS)
        s.undo_at = self.read_hunters(undo.get("hunters", {}), s.at)
        s.undo_treasure_at = self.read_treasures(undo.get("treasures", {}), s.treasure_at)
        s.undo_dragon_at = self.read_dragons(undo.get("dragons", cell_names(s.dragon_at)))
        given = undo.get("swap", [])
        swap = CELL.read_all(given, 2, "spaces")
        if swap and len(set(swap)) != 2:
            raise given.refusal("two different spaces, or none")
        s.undo_swap = swap or [0, 0]
        for n, entry in enumerate(undo.get("stolen", []).entries(STOLEN_MOST, "stolen cards")):
            entry.table(("card", "from"))
            s.undo_stolen_card[n] = CARD.read(entry.get("card"))
            s.undo_stolen_seat[n] = self.player.read(entry.get("from"))
            s.undo_stolen = n + 1
        cards = CARD.read_all(undo.get("discarded", []), HAND_SIZE, "discarded cards")
        s.undo_discarded = len(cards)
        s.undo_discarded_card[: len(cards)] = cards
