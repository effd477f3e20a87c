"""The PettingZoo AEC environment, once for every game.

``RawEnv`` is the bare, fast one; ``Env`` adds the checks users expect, in the class itself: PettingZoo's usual wrappers
cost ten times what a step does. The order inside ``step`` is the one all of PettingZoo's tests and the trainers agree
on: the actor's cumulative reward is cleared first, rewards of the step are written for all, the next agent is chosen
even at the end, all agents end together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pettingzoo import AECEnv

from island_core.errors import GameOverError, IllegalActionError, NotResetError
from island_core.position import Position
from island_core.view import AgentsView, final_rewards


class RawEnv(AgentsView, AECEnv):
    """One game as an AEC environment.

    Observations are ``{"observation": ..., "action_mask": ...}``, or the flat one alone with ``mask_in="info"``.
    Only the acting seat's mask is non-zero. ``position`` is the live position.
    """

    illegal_default = "raise"

    def __init__(self, **options: Any) -> None:
        """Take the game's and the view's options. Raises ``OptionError`` naming a bad one."""
        super().__init__(**options)
        self.metadata["is_parallelizable"] = False
        self._speaking = self._in_info or self._view.illegal == "random"
        self._actor = ""
        """Who decides; nobody before the first reset and once the game is over."""

    # Playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; unknown keys in ``options`` are tolerated.

        ``reset(seed=s)`` deals ``(s, 0, 0)``; later resets without a seed count the episode up. Without any seed the
        first one is drawn from the operating system.
        """
        self._begin(self._deal(seed))

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
        self.infos = {agent: self._agent_info(agent, False) for agent in self.agents}
        self._money = position.scores if self._gain else []
        actor = position.actor
        self.agent_selection = self.agents[0 if actor is None else actor]
        self._actor = self.agent_selection if actor is not None else ""
        if actor is not None:
            self.infos[self.agent_selection] = self._agent_info(self.agent_selection, True)

    def _agent_info(self, agent: str, acting: bool) -> dict[str, Any]:
        return self._info(acting, self._illegal_actions[agent])

    def step(self, action: Any) -> None:
        """Play an action of ``agent_selection``; ``None`` for an agent whose game is over."""
        agent = self._actor
        if not agent:
            self._step_ended(action)
            return
        position = self._position
        assert position is not None
        # The usual case first: the general conversion costs as much as the rules.
        number = action if type(action) is int and 0 <= action < self._size else self._number(action, agent)
        status = self._spec.try_step(position._place, number)
        if status < 0:
            if self._view.illegal == "raise":
                raise IllegalActionError(position._refusal(action, number))
            if self._view.illegal == "terminate":
                self._end_by(agent)
                return
            # Counted in the offender's info alone: the others must not learn that he was asked.
            self._illegal_actions[agent] += 1
            number, status = self._random_step(position)
        position._status = status
        position._actions.append(number)
        self._cumulative_rewards[agent] = 0.0
        if self._speaking:
            self.infos[agent] = self._agent_info(agent, False)
        if self._gain:
            self._pay_gain(position)
        if status >> 16:
            self._end(position)
        else:
            self.agent_selection = self._actor = self.possible_agents[(status & 255) - 1]
            if self._speaking:
                self.infos[self.agent_selection] = self._agent_info(self.agent_selection, True)
        if self.render_mode == "human":
            self.render()

    def _step_ended(self, action: Any) -> None:
        """The last step of an agent whose game is over: it leaves."""
        if self._position is None:
            raise NotResetError("step: call reset() first")
        if not self.agents:
            raise GameOverError("step: the game is over and every agent has had its last step; call reset()")
        if action is not None:
            raise GameOverError(f"step({action!r}): the game is over for {self.agent_selection}; allowed: None")
        self._was_dead_step(None)

    def _pay_gain(self, position: Position) -> None:
        for agent, gain in zip(self.possible_agents, self._gains(position), strict=True):
            self.rewards[agent] = gain
            self._cumulative_rewards[agent] += gain

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
            self.infos[agent] = self._agent_info(agent, False)
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
        return self._spec.sample(self._position._place, self._sampler)

    # Looking

    def observe(self, agent: str) -> Any:
        """What an agent sees now, as a fresh copy."""
        # The usual case first, and without the calls of the general one, which cost as much as the kernel.
        if agent and agent == self._actor and self._in_observation:
            flat, mask = self._lens.show(self._position._place, self._seats[agent], self._room)  # type: ignore[union-attr]
            return {"observation": flat, "action_mask": mask}
        position = self._position
        if position is None:
            raise NotResetError("observe: call reset() first")
        return self._look(position, self._seats[self._known(agent)], agent == self._actor)

    # Saving

    def set_state(self, state: bytes) -> None:
        """Go on from a saved position of the same options.

        Forgotten are the rewards so far, an ending by an illegal action, and where the sampler stood; ``copy.deepcopy``
        and ``pickle`` keep them.

        Raises ``PositionError``, with nothing changed, for bytes of other components, another version or other options.
        """
        self._begin(self._loaded(state))


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
