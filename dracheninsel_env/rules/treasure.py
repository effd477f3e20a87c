"""D6 and D7.4: moving hunters and pairs, what happens where they arrive, delivery and its duel."""

from __future__ import annotations

from typing import Any

from dracheninsel_env.actions import OFFSET, USE_CARD
from dracheninsel_env.decisions import Decision, Stage
from dracheninsel_env.events import Event
from dracheninsel_env.rules.acts import act_over, active_seat, list_also, list_only, own_slot, play_task, set_stage
from dracheninsel_env.rules.hands import holds, legal_uses
from dracheninsel_env.rules.spaces import CELLS, FIRST_BOAT, SITE, other_hunter_on, partner_of, treasure_on
from dracheninsel_env.state import COLLECTED, REMOVED, STOCK
from dracheninsel_env.vocab import Task
from island_core.bitset import set_bit
from island_core.decisions import pop, push, retop
from island_core.events import EVERYBODY, event
from island_core.jit import kernel

Rec = Any


@kernel
def lay_next_treasure(s: Rec) -> None:
    """D6.4: lay the next treasure on the site, if any is in stock."""
    for treasure in range(len(s.treasure_at)):
        if s.treasure_at[treasure] == STOCK:
            s.treasure_at[treasure] = SITE
            event(s, Event.LAID, -1, treasure, -1, EVERYBODY)
            return


@kernel
def remove_treasure(s: Rec, treasure: int) -> None:
    """Take a treasure out of the game (D6.7)."""
    s.treasure_at[treasure] = REMOVED
    event(s, Event.REMOVED, -1, treasure, -1, EVERYBODY)


@kernel
def treasures_left(s: Rec) -> bool:
    """D10.1: whether a treasure is on the board or in stock."""
    for treasure in range(len(s.treasure_at)):
        if s.treasure_at[treasure] >= STOCK:
            return True
    return False


@kernel
def form_pair(s: Rec, hunter: int, partner: int) -> None:
    """D6.2: an own hunter arrives and becomes a pair with another; the lists of own carriers start anew (D4.6)."""
    event(s, Event.PAIR, active_seat(s), hunter, partner, EVERYBODY)
    list_only(s, own_slot(s, hunter), s.at[hunter])
    slot = own_slot(s, partner)
    if slot >= 0:
        list_only(s, slot, s.at[partner])


@kernel
def send_home(s: Rec, hunter: int) -> None:
    """D7.5: a hunter goes to his own boat, whoever stands there."""
    s.at[hunter] = FIRST_BOAT + hunter
    event(s, Event.HOME, active_seat(s), hunter, -1, EVERYBODY)
    slot = own_slot(s, hunter)
    if slot >= 0:
        list_also(s, slot, FIRST_BOAT + hunter)


@kernel
def go(s: Rec, hunter: int, target: int, how: int) -> None:
    """Section 6 of the protocol: the active player's hunter, with partner and treasure, goes to a space; what then
    follows.

    ``how`` is the event: ``STEP`` or ``LAND``. Only the bottom frame may be on the stack.
    """
    seat = active_seat(s)
    place = s.at[hunter]
    partner = partner_of(s, hunter)
    carried = treasure_on(s, place)
    if carried >= 0 and partner < 0:
        # D6.7: the lone carrier abandons his treasure; his list starts anew before the move (D4.6).
        remove_treasure(s, carried)
        list_only(s, own_slot(s, hunter), place)
    # What stands on the target must be known before the hunter arrives.
    waiting = other_hunter_on(s, target, hunter)
    s.mover = hunter
    s.at[hunter] = target
    list_also(s, own_slot(s, hunter), target)
    if partner >= 0:
        s.at[partner] = target
        s.treasure_at[carried] = target
        slot = own_slot(s, partner)
        if slot >= 0:
            list_also(s, slot, target)
    event(s, how, seat, hunter, target, EVERYBODY)
    if partner >= 0:
        if place == SITE:
            lay_next_treasure(s)
        if target >= CELLS:
            guest = hunter
            if target == FIRST_BOAT + hunter:
                guest = partner
            set_stage(s, Stage.DELIVERY)
            s.frame_b[0] = guest
            return
    elif target == SITE and treasure_on(s, SITE) >= 0:
        if waiting < 0:
            set_stage(s, Stage.ARRIVED)  # D6.1
        else:
            form_pair(s, hunter, waiting)
            push(s, Decision.EXIT, seat, hunter, -1)  # D6.3
        return
    elif waiting >= 0:
        # D6.6, D7.4: a third hunter on the space means an ambush, otherwise he joins a lone carrier.
        for third in range(waiting + 1, 6):
            if third != hunter and s.at[third] == target:
                push(s, Decision.AMBUSH, seat, hunter, -1)
                return
        form_pair(s, hunter, waiting)
    act_over(s)


@kernel
def legal_ambush(s: Rec, words: Any) -> None:
    """D7.4, D9.4: either of the two carriers found on the space. Besides fear (D8.6) only this splits a pair (D6.9)."""
    mover = s.frame_a[s.depth - 1]
    for hunter in range(6):
        if hunter != mover and s.at[hunter] == s.at[mover]:
            set_bit(words, OFFSET.send_home + hunter)


@kernel
def apply_ambush(s: Rec, action: int) -> None:
    """D7.4: the chosen carrier goes home, the ambusher takes his place."""
    mover = s.frame_a[s.depth - 1]
    pop(s)
    send_home(s, action - OFFSET.send_home)
    form_pair(s, mover, other_hunter_on(s, s.at[mover], mover))
    act_over(s)


@kernel
def pay_coins(s: Rec, seat: int, treasure: int, count: int) -> None:
    """Give coins of a treasure to a seat."""
    s.coins[seat, treasure] += count
    event(s, Event.COINS, seat, treasure, count, EVERYBODY)


@kernel
def treasure_in_boat(s: Rec) -> int:
    """The treasure that stands in a boat, waiting to be settled."""
    treasure = 0
    while s.treasure_at[treasure] < CELLS:
        treasure += 1
    return treasure


@kernel
def share(s: Rec, owner: int, partner: int, treasure: int) -> None:
    """D6.8: one coin each."""
    event(s, Event.SHARE, owner, treasure, -1, EVERYBODY)
    pay_coins(s, owner, treasure, 1)
    pay_coins(s, partner, treasure, 1)
    settled(s, treasure)


@kernel
def claim(s: Rec, seat: int, treasure: int) -> None:
    """D6.8, D9.3: one player takes both coins."""
    pay_coins(s, seat, treasure, 2)
    settled(s, treasure)


@kernel
def settled(s: Rec, treasure: int) -> None:
    """The treasure is collected; the turn ends (D6.8)."""
    s.treasure_at[treasure] = COLLECTED
    set_stage(s, Stage.ENDED)


@kernel
def settle(s: Rec) -> None:
    """D6.8: ask the owner of the boat, or do what needs no asking."""
    treasure = treasure_in_boat(s)
    guest = s.frame_b[0]
    owner = s.owner[s.treasure_at[treasure] - FIRST_BOAT]
    partner = s.owner[guest]
    if owner == partner:
        claim(s, owner, treasure)  # D9.3
    elif s.polls_all or holds(s, owner, Task.BETRAYAL):
        push(s, Decision.BETRAYAL, owner, -1, guest)
    else:
        share(s, owner, partner, treasure)


@kernel
def legal_betrayal(s: Rec, words: Any) -> None:
    """D6.8: the owner shares or betrays; later answers betray or let be."""
    top = s.depth - 1
    legal_uses(s, words, s.frame_seat[top], Task.BETRAYAL)
    set_bit(words, OFFSET.share if s.frame_a[top] < 0 else OFFSET.let_be)


@kernel
def apply_betrayal(s: Rec, action: int) -> None:
    """D6.8: share, claim both coins, or leave them to the last who claimed them."""
    top = s.depth - 1
    seat = s.frame_seat[top]
    claimer = s.frame_a[top]
    guest = s.frame_b[top]
    treasure = treasure_in_boat(s)
    owner = s.owner[s.treasure_at[treasure] - FIRST_BOAT]
    partner = s.owner[guest]
    if action == OFFSET.share:
        pop(s)
        share(s, owner, partner, treasure)
    elif action == OFFSET.let_be:
        pop(s)
        claim(s, claimer, treasure)
    else:
        play_task(s, seat, USE_CARD[action - OFFSET.play], Task.BETRAYAL)
        other = partner if seat == owner else owner
        if s.polls_all or holds(s, other, Task.BETRAYAL):
            retop(s, Decision.BETRAYAL, other, seat, guest)
        else:
            pop(s)
            claim(s, seat, treasure)
