"""``planner``: the player who plans his turn with the cards in hand.

Its topics have modules of their own: what can be reached (`reach`), what that is worth (`aims`, `chances`), the choices
of a plan (`plans`), discs (`swaps`), harm to others (`hindering`), answers in windows (`answers`), and which cards to
keep (`keeping`). Where no aim can be reached in the turn it gets nearer to one like ``greedy``.
"""

from __future__ import annotations

from typing import Any

from dracheninsel_env.actions import OFFSET
from dracheninsel_env.decisions import Decision
from dracheninsel_env.policies.answers import betrayal, counter, slumber
from dracheninsel_env.policies.choices import NOTHING, use_of
from dracheninsel_env.policies.greedy import leave_site, move_on, robbed
from dracheninsel_env.policies.hindering import dragon_choice, fear_target, feared
from dracheninsel_env.policies.keeping import cursed, exchanged, spare_task, spares_do
from dracheninsel_env.policies.plans import ambushed, flyer, journey_card, journey_terrain, landing, planned
from dracheninsel_env.policies.swaps import first_disc, second_disc, useful_swap
from dracheninsel_env.vocab import Task
from island_core.jit import kernel

Rec = Any


@kernel
def turn(s: Rec, seat: int, words: Any) -> int:
    """The next action of a turn: steal a card, bring a disc onto the line, follow the plan or get nearer to an aim.
    When nothing of that is left: frighten somebody, curse, and see that many new cards come.
    """
    action = use_of(s, Task.SNEAK_ATTACK)
    if action == NOTHING:
        action = useful_swap(s, seat)
    if action == NOTHING:
        action = planned(s, seat)
    if action == NOTHING:
        action = move_on(s, seat, False, words)
    if action == NOTHING and feared(s, seat) >= 0:
        action = use_of(s, Task.FEAR_AND_TERROR)
    if action == NOTHING:
        action = cursed(s, seat)
    if action == NOTHING and s.acts == 0 and not spares_do(s, seat):
        action = exchanged(s, seat)
    if action == NOTHING:
        action = spare_task(s)
    return action if action != NOTHING else OFFSET.stop


@kernel
def exit_site(s: Rec, seat: int, hunter: int, words: Any) -> int:
    """The way out of the site (D6.3): that of the plan, else the best that ``greedy`` sees."""
    action = planned(s, seat)
    return action if action != NOTHING else leave_site(s, seat, hunter, words)


@kernel
def exchange(s: Rec, seat: int, decision: int) -> int:
    """Discard what is not kept, then be content (D4.5)."""
    action = exchanged(s, seat)
    if action == NOTHING:
        action = OFFSET.done if decision == Decision.EXCHANGE else OFFSET.stop
    return action


@kernel
def planner(s: Rec, words: Any) -> int:
    """The action of ``planner`` for the seat that decides."""
    top = s.depth - 1
    decision = s.frame_decision[top]
    seat = s.frame_seat[top]
    if decision == Decision.TURN:
        return turn(s, seat, words)
    if decision == Decision.SLUMBER:
        return slumber(s, seat)
    if decision == Decision.COUNTER:
        return counter(s, seat)
    if decision == Decision.BETRAYAL:
        return betrayal(s, seat)
    if decision == Decision.EXIT:
        return exit_site(s, seat, s.frame_a[top], words)
    if decision == Decision.FLIGHT:
        return landing(s, seat, s.frame_a[top], words)
    if decision == Decision.FLYER:
        return flyer(s, seat)
    if decision == Decision.AMBUSH:
        return ambushed(s, seat, s.frame_a[top])
    if decision == Decision.JOURNEY_CARD:
        return journey_card(s, seat)
    if decision == Decision.JOURNEY_TERRAIN:
        return journey_terrain(s, seat)
    if decision == Decision.FEAR_TARGET:
        return fear_target(s, seat)
    if decision == Decision.ROB_TARGET:
        return robbed(s, seat, words)
    if decision == Decision.FIRST_DISC:
        return first_disc(s, seat, words)
    if decision == Decision.SECOND_DISC:
        return second_disc(s, seat, words)
    if decision == Decision.DRAGON or decision == Decision.DRAGON_SPACE:
        return dragon_choice(s, seat, words)
    return exchange(s, seat, decision)
