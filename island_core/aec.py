"""The PettingZoo AEC environment, once for every game.

``RawEnv`` is the bare, fast one; ``Env`` adds the checks users expect, in the class itself: PettingZoo's usual wrappers
cost ten times what a step does. The order inside ``step`` is the one all of PettingZoo's tests and the trainers agree
on: the actor's cumulative reward is cleared first, rewards of the step are written for all, the next agent is chosen
even at the end, all agents end together.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv

from island_core import rng
from island_core.boxes import observation_box
from island_core.errors import GameOverError, IllegalActionError, NotResetError
from island_core.options import ViewOptions, as_integer, check_range, split_options
from island_core.position import LARGEST_SEED, Game, Lens, Position, ranks_of

SAMPLER_STREAM = 2**62
"""Numbers of the streams drawn from the seed beside the game's own (which are small): the sampler's and the one that
replaces illegal actions."""
REPLACEMENT_STREAM = 2**62 + 1


class RawEnv(AECEnv):
    """One game as an AEC environment.

    Observations are ``{"observation": ..., "action_mask": ...}``, or the flat one alone with ``mask_in="info"``.
    Only the acting seat's mask is non-zero. ``position`` is the live position.
    """

    game_class: type[Game]
    illegal_default = "raise"

    def __init__(self, **options: Any) -> None:
        """Take the game's and the view's options. Raises ``OptionError`` naming a bad one."""
        super().__init__()
        spec = self.game_class.spec
        own, view = split_options(options, spec.options, ViewOptions)
        view.setdefault("illegal", self.illegal_default)
        self._view = ViewOptions(**view)
        self.game = self.game_class(**own)
        self._spec = spec
        self.metadata = {
            "name": f"{spec.name}_{spec.version}",
            "render_modes": ["ansi", "human"],
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.render_mode = self._view.render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.num_players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self._lens = Lens(spec, self._view.obs_dtype, self._view.history)
        self._in_observation = self._view.mask_in != "info"
        self._in_info = self._view.mask_in != "observation"
        self._gain = self._view.reward == "gain"
        self._speaking = self._in_info or self._view.illegal == "random"
        size = self._size = spec.actions.size
        flat = observation_box(self._lens)
        players = self.game.num_players
        self.state_space = gymnasium.spaces.Box(
            np.tile(flat.low, players),
            np.tile(flat.high, players),
            dtype=flat.dtype,
        )
        masks = gymnasium.spaces.Box(0, 1, (size,), np.int8)
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict({"observation": flat, "action_mask": masks}) if self._in_observation else flat
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(size) for agent in self.possible_agents}
        self._position: Position | None = None
        self._seed: int | None = None
        self._episode = 0
        self._illegal_actions = dict.fromkeys(self.possible_agents, 0)
        self._money: list[int] = []
        self._sampler = np.zeros(4, np.uint64)
        self._replacements = np.zeros(4, np.uint64)
        self._actor = ""

    # Spaces

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """The space of an agent's observations, the same for all, the same object each time."""
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """The space of an agent's actions, the same for all, the same object each time."""
        return self.action_spaces[self._known(agent)]

    def _known(self, agent: str) -> str:
        if agent not in self._seats:
            raise ValueError(f"agent={agent!r}; allowed: {', '.join(self.possible_agents)}")
        return agent

    # Playing

    @property
    def position(self) -> Position:
        """The live position. Raises ``NotResetError`` before the first reset."""
        if self._position is None:
            raise NotResetError("position: call reset() first")
        return self._position

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; unknown keys in ``options`` are tolerated.

        ``reset(seed=s)`` deals ``(s, 0, 0)``; later resets without a seed count the episode up. Without any seed the
        first one is drawn from the operating system.
        """
        if seed is not None:
            check_range("seed", seed, 0, LARGEST_SEED)
            self._seed, self._episode = operator.index(seed), 0
        elif self._seed is None:
            self._seed, self._episode = rng.fresh_seed(), 0
        else:
            self._episode += 1
        rng.seed_words(self._sampler, self._seed, SAMPLER_STREAM, self._episode)
        rng.seed_words(self._replacements, self._seed, REPLACEMENT_STREAM, self._episode)
        self._begin(self.game.new(self._seed, 0, self._episode))

    def _begin(self, position: Position) -> None:
        """Start the bookkeeping anew around a position."""
        self._position = position
        self._illegal_actions = dict.fromkeys(self.possible_agents, 0)
        self.agents = self.possible_agents[:]
        self._skip_agent_selection = None
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, position.is_over and not position.is_truncated)
        self.truncations = dict.fromkeys(self.agents, position.is_truncated)
        self.infos = {agent: self._info(agent, False) for agent in self.agents}
        self._money = position.scores if self._gain else []
        actor = position.actor
        self.agent_selection = self.agents[0 if actor is None else actor]
        self._actor = self.agent_selection if actor is not None else ""
        if actor is not None:
            self.infos[self.agent_selection] = self._info(self.agent_selection, True)

    def _info(self, agent: str, acting: bool) -> dict[str, Any]:
        """An agent's info: numbers and arrays only, the same keys from reset on."""
        info: dict[str, Any] = {}
        if self._in_info:
            size = self._spec.actions.size
            info["action_mask"] = self.position.mask() if acting else np.zeros(size, np.int8)
        if self._view.illegal == "random":
            info["illegal_actions"] = self._illegal_actions[agent]
        return info

    def step(self, action: Any) -> None:
        """Play an action of ``agent_selection``; ``None`` for an agent whose game is over."""
        agent = self.agent_selection if self.agents else ""
        if not agent:
            raise self._nothing_to_step()
        if self.terminations[agent] or self.truncations[agent]:
            self._step_ended(action)
            return
        position = self._position
        assert position is not None
        # The usual case first: the general conversion costs as much as the rules.
        number = action if type(action) is int and 0 <= action < self._size else self._number(action)
        status = self._spec.try_step(position._states, 0, number)
        if status < 0:
            if self._view.illegal == "raise":
                raise IllegalActionError(position._refusal(action, number))
            if self._view.illegal == "terminate":
                self._end_by(agent)
                return
            # Counted in the offender's info alone: the others must not learn that he was asked.
            self._illegal_actions[agent] += 1
            number = int(self._spec.sample(position._states, 0, self._replacements))
            status = self._spec.try_step(position._states, 0, number)
        position._status = status
        position._actions.append(number)
        self._cumulative_rewards[agent] = 0.0
        if self._speaking:
            self.infos[agent] = self._info(agent, False)
        if self._gain:
            self._pay_gain(position)
        if status >> 16:
            self._end(position)
        else:
            self.agent_selection = self._actor = self.possible_agents[(status & 255) - 1]
            if self._speaking:
                self.infos[self.agent_selection] = self._info(self.agent_selection, True)
        if self.render_mode == "human":
            self.render()

    def _number(self, action: Any) -> int:
        """The id given; -1 for integers outside the space. Raises ``IllegalActionError`` for what is no integer."""
        number = as_integer(action)
        if number is None:
            most = self._spec.actions.size - 1
            raise IllegalActionError(
                f"action={action!r} for {self.agent_selection}; allowed: integers from 0 to {most}"
            )
        return number if 0 <= number < self._spec.actions.size else -1

    def _nothing_to_step(self) -> Exception:
        if self._position is None:
            return NotResetError("step: call reset() first")
        return GameOverError("step: the game is over and every agent has had its last step; call reset()")

    def _step_ended(self, action: Any) -> None:
        """The last step of an agent whose game is over: it leaves."""
        if action is not None:
            raise GameOverError(f"step({action!r}): the game is over for {self.agent_selection}; allowed: None")
        self._was_dead_step(None)

    def _pay_gain(self, position: Position) -> None:
        """Rewards of this step: own gain minus the mean gain, in units of the score scale."""
        before, self._money = self._money, position.scores
        gains = [now - then for now, then in zip(self._money, before, strict=True)]
        mean = sum(gains) / len(gains)
        for agent, gain in zip(self.possible_agents, gains, strict=True):
            self.rewards[agent] = (gain - mean) / self._spec.score_scale
            self._cumulative_rewards[agent] += self.rewards[agent]

    def _end(self, position: Position) -> None:
        """All agents end together, with the rewards of the whole game."""
        if not self._gain:
            rewards = final_rewards(position, self._view.reward)
            for agent, reward in zip(self.possible_agents, rewards, strict=True):
                self.rewards[agent] = reward
                self._cumulative_rewards[agent] += reward
        truncated = position.is_truncated
        for agent in self.agents:
            self.terminations[agent] = not truncated
            self.truncations[agent] = truncated
        self._actor = ""
        self._deads_step_first()

    def _end_by(self, offender: str) -> None:
        """An illegal action under ``illegal="terminate"``: the game ends for all; the offender gets -1, others 0."""
        self._cumulative_rewards[offender] = 0.0
        self._clear_rewards()
        self.rewards[offender] = -1.0
        self._accumulate_rewards()
        for agent in self.agents:
            self.terminations[agent] = True
            self.infos[agent] = self._info(agent, False)
        self._actor = ""
        self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def sample_action(self) -> int | None:
        """A random legal action of ``agent_selection``, drawn inside the kernels; None if its game is over."""
        if self._position is None:
            raise NotResetError("sample_action: call reset() first")
        if not self._actor:
            return None
        return self._spec.sample(self._position._states, 0, self._sampler)  # type: ignore[no-any-return]

    # Looking

    def observe(self, agent: str) -> Any:
        """What an agent sees now, as a fresh copy."""
        position = self._position
        if position is None:
            raise NotResetError("observe: call reset() first")
        seat = self._seats.get(agent)
        if seat is None:
            self._known(agent)
        flat = self._lens.look(position._states, 0, seat)  # type: ignore[arg-type]
        if not self._in_observation:
            return flat
        mask = np.empty(self._spec.actions.size, np.int8)
        if agent == self._actor:
            self._spec.write_mask(position._states, 0, mask)
        else:
            mask.fill(0)
        return {"observation": flat, "action_mask": mask}

    def state(self) -> NDArray[Any]:
        """The observations of all seats one after the other, ``[num_players * D]``.

        Meant for centralised critics: together they show every hand, so it is hidden information for each seat. The
        order of the deck is not in it.
        """
        position = self.position
        return np.concatenate([self._lens.look(position._states, 0, seat) for seat in range(self.game.num_players)])

    def render(self) -> str | None:
        """``"ansi"`` returns the table as text, all hands open; ``"human"`` prints it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() of an environment made without render_mode; allowed: 'ansi', 'human'")
            return None
        text = str(self.position)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is held open."""

    # Saving

    def get_state(self) -> bytes:
        """The position, its future included, for ``set_state``."""
        return self.position.to_bytes()

    def set_state(self, state: bytes) -> None:
        """Go on from a saved position of the same options.

        Forgotten are the rewards so far, an ending by an illegal action, and where the sampler stood; ``copy.deepcopy``
        and ``pickle`` keep them.

        Raises ``PositionError``, with nothing changed, for bytes of other components, another version or other options.
        """
        position = self.game.from_bytes(state)
        if self._seed is None:
            rng.seed_words(self._sampler, 0, SAMPLER_STREAM, 0)
            rng.seed_words(self._replacements, 0, REPLACEMENT_STREAM, 0)
        self._begin(position)

    def __repr__(self) -> str:
        """Name and options."""
        return f"<{self.metadata['name']} {self.game.options}>"


class Env(RawEnv):
    """The environment with the checks users expect: nothing is asked of it before ``reset``, in words that help."""

    illegal_default = "terminate"

    def step(self, action: Any) -> None:
        """As ``RawEnv.step``."""
        if self._position is None:
            raise NotResetError("step: call reset() first")
        super().step(action)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation, cumulative reward, termination, truncation and info of ``agent_selection``."""
        if self._position is None:
            raise NotResetError("last: call reset() first")
        if not self.agents:
            raise GameOverError("last: the game is over and every agent has had its last step; call reset()")
        found: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return found

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The agents in the order in which they act, until the game is over or ``max_iter`` steps are made."""
        if self._position is None:
            raise NotResetError("agent_iter: call reset() first")
        return iter(super().agent_iter(max_iter))

    def render(self) -> str | None:
        """As ``RawEnv.render``."""
        if self._position is None:
            raise NotResetError("render: call reset() first")
        return super().render()


def final_rewards(position: Position, kind: str) -> list[float]:
    """The rewards of a game that is over, in seat order.

    ``"win"``: with W winners among P seats and w = 1/W for a winner and 0 for others, (P w - 1) / (P - 1).
    ``"score"``: (own score - mean score) / scale of the game. ``"rank"``: linear from +1 to -1, ties averaged.
    """
    players = position.game.num_players
    if kind == "win":
        winners = position.winners
        return [(players * (1 / len(winners) if s in winners else 0.0) - 1) / (players - 1) for s in range(players)]
    if kind == "score":
        scores = position.scores
        mean = sum(scores) / players
        return [(score - mean) / position.game.spec.score_scale for score in scores]
    return [1 - 2 * (rank - 1) / (players - 1) for rank in position.ranks]


__all__ = ["Env", "RawEnv", "final_rewards", "ranks_of"]
