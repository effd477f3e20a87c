"""The PettingZoo parallel environment of a game in which one seat acts at a time.

Every seat acts each step. All but the one who decides have a single legal action, the no-op, which is the last id of
the action space; the one who decides has what the rules allow, and never the no-op. A step of this environment is a
step of the AEC environment of the same seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo import ParallelEnv as PettingZooEnv

from island_core.errors import GameOverError, IllegalActionError, NotResetError
from island_core.position import Position
from island_core.view import AgentsView, final_rewards

ByAgent = dict[str, Any]


class ParallelEnv(AgentsView, PettingZooEnv):
    """One game as a parallel environment.

    Observations are ``{"observation": ..., "action_mask": ...}``, or the flat one alone with ``mask_in="info"``. A
    mask is ``int8[A]``; that of a seat which does not decide allows the no-op alone, after the end that of every seat.
    ``position`` is the live position.
    """

    def __init__(self, **options: Any) -> None:
        """Take the game's and the view's options. Raises ``OptionError`` naming a bad one."""
        super().__init__(**options)
        self.metadata["is_parallelizable"] = True
        self.noop = self._spec.actions.noop
        self._idle_mask[self.noop] = 1

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[ByAgent, ByAgent]:
        """Begin a new game; unknown keys in ``options`` are tolerated. Returns observations and infos by agent.

        ``reset(seed=s)`` deals ``(s, 0, 0)``; later resets without a seed count the episode up. Without any seed the
        first one is drawn from the operating system.
        """
        return self._begin(self._deal(seed))

    def _begin(self, position: Position) -> tuple[ByAgent, ByAgent]:
        """Start the bookkeeping anew around a position."""
        self._position = position
        self._illegal_actions = dict.fromkeys(self.possible_agents, 0)
        self.agents = [] if position.is_over else self.possible_agents[:]
        self._money = position.scores if self._gain else []
        return self._observations(), self._infos()

    def step(self, actions: Mapping[str, Any]) -> tuple[ByAgent, ByAgent, ByAgent, ByAgent, ByAgent]:
        """Play one action of every agent: a legal one of the agent who decides, the no-op of all others.

        Returns observations, rewards (``float``), terminations, truncations (``bool``) and infos by agent, all agents
        at every step; they end together.

        Raises ``GameOverError`` after the end, and ``IllegalActionError``, with nothing changed, for actions that are
        not one integer an agent, whatever ``illegal`` says. Illegal integers, from 0 to A - 1 or not, are dealt with as
        ``illegal`` says: of somebody who does not decide, all but the no-op are illegal.
        """
        position = self._position
        if position is None:
            raise NotResetError("step: call reset() first")
        if not self.agents:
            raise GameOverError("step: the game is over for every agent; call reset()")
        numbers = self._numbers(actions)
        offenders = [seat for seat, number in enumerate(numbers) if not self._is_legal(seat, number)]
        if offenders and self._view.illegal == "raise":
            raise IllegalActionError(self._refusal(offenders[0], actions, numbers))
        if offenders and self._view.illegal == "terminate":
            return self._end_by(offenders)
        for seat in offenders:
            self._illegal_actions[self.possible_agents[seat]] += 1
        decides = position.actor
        if decides in offenders:
            number, position._status = self._random_step(position)
        else:
            number = numbers[decides]  # type: ignore[index]  # somebody decides in a running game
            position._status = int(self._spec.try_step(position._place, number))
        position._actions.append(number)
        rewards = self._rewards(position)
        if position.is_over:
            self.agents = []
        return self._outcome(rewards, position.is_over and not position.is_truncated, position.is_truncated)

    def _is_legal(self, seat: int, number: int) -> bool:
        """Whether an id, -1 for one outside the space, is legal for a seat."""
        if not self._decides(seat):
            return number == self.noop
        return number >= 0 and bool(self._mask(self.position, True)[number])

    def _numbers(self, actions: Any) -> list[int]:
        """The ids by seat, -1 for integers outside the space. Raises ``IllegalActionError`` for anything else."""
        if not isinstance(actions, Mapping):
            raise IllegalActionError(f"actions={actions!r}; allowed: a dict with an action of every agent")
        if actions.keys() != self._seats.keys():
            given = ", ".join(map(repr, actions)) or "nobody"
            raise IllegalActionError(f"actions of {given}; allowed: of {', '.join(map(repr, self.possible_agents))}")
        return [self._number(actions[agent], agent) for agent in self.possible_agents]

    def _refusal(self, seat: int, actions: Mapping[str, Any], numbers: list[int]) -> str:
        agent = self.possible_agents[seat]
        if self._decides(seat):
            return f"{agent}: {self.position._refusal(actions[agent], numbers[seat])}"
        return f"action {actions[agent]!r} of {agent}, who does not decide, is not legal; legal: {self.noop}, the no-op"

    def _rewards(self, position: Position) -> list[float]:
        """The rewards of a step by seat."""
        if self._gain:
            return self._gains(position)
        if position.is_over:
            return final_rewards(position, self._view.reward)
        return [0.0] * self.game.num_players

    def _end_by(self, offenders: list[int]) -> tuple[ByAgent, ByAgent, ByAgent, ByAgent, ByAgent]:
        """Illegal actions under ``illegal="terminate"``: the game ends for all; offenders get -1, others 0."""
        self.agents = []
        rewards = [-1.0 if seat in offenders else 0.0 for seat in range(self.game.num_players)]
        return self._outcome(rewards, True, False)

    def _outcome(
        self, rewards: list[float], terminated: bool, truncated: bool
    ) -> tuple[ByAgent, ByAgent, ByAgent, ByAgent, ByAgent]:
        """What ``step`` returns."""
        if self.render_mode == "human":
            self.render()
        agents = self.possible_agents
        return (
            self._observations(),
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, terminated),
            dict.fromkeys(agents, truncated),
            self._infos(),
        )

    def _decides(self, seat: int) -> bool:
        """Whether a seat decides; nobody does after the end."""
        return bool(self.agents) and self.position.actor == seat

    def _observations(self) -> ByAgent:
        return {agent: self.observe(agent) for agent in self.possible_agents}

    def _infos(self) -> ByAgent:
        return {
            agent: self._info(self._decides(seat), self._illegal_actions[agent]) for agent, seat in self._seats.items()
        }

    def sample_actions(self) -> dict[str, int]:
        """A random legal action of the agent who decides, drawn inside the kernels, and the no-op of all others.

        Empty after the end. Raises ``NotResetError``.
        """
        position = self._live("sample_actions")
        if not self.agents:
            return {}
        drawn = int(self._spec.sample(position._place, self._sampler))
        return {agent: drawn if self._decides(seat) else self.noop for agent, seat in self._seats.items()}

    def observe(self, agent: str) -> Any:
        """What an agent sees now, as a fresh copy."""
        position = self._live("observe")
        seat = self._seats[self._known(agent)]
        return self._look(position, seat, self._decides(seat))

    def set_state(self, state: bytes) -> tuple[ByAgent, ByAgent]:
        """Go on from a saved position of the same options; returns what ``reset`` returns.

        Forgotten are the rewards so far, an ending by an illegal action, and where the sampler stood; ``copy.deepcopy``
        and ``pickle`` keep them.

        Raises ``PositionError``, with nothing changed, for bytes of other components, another version or other options.
        """
        return self._begin(self._loaded(state))
