"""What every environment of one live game shares: options, spaces, seeds, what seats see, rewards, text, saving.

The AEC, the parallel and the single-seat environment add the order of calls of their interface and know no more of the
game than this does.
"""

from __future__ import annotations

import operator
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from island_core import rng
from island_core.boxes import observation_box, with_mask
from island_core.errors import IllegalActionError, NotResetError
from island_core.options import ViewOptions, as_integer, check_range, split_options
from island_core.position import LARGEST_SEED, Game, Lens, Position

SAMPLER_STREAM = 2**62
"""Numbers of the streams drawn from the seed beside the game's own (which are small): the sampler's and the one that
replaces illegal actions. Those of game i of many are 2 i further on. ``opponents`` has those of the single seat."""
REPLACEMENT_STREAM = 2**62 + 1

RENDERING = {"render_modes": ["ansi", "human"], "render_fps": 1}


class View:
    """One live game. ``position`` is it; ``state_space`` is the space of ``state()``."""

    game_class: type[Game]
    view_options: type[ViewOptions] = ViewOptions
    illegal_default = "terminate"

    def __init__(self, **options: Any) -> None:
        """Take the game's and the view's options. Raises ``OptionError`` naming a bad one."""
        super().__init__()
        spec = self.game_class.spec
        own, view = split_options(options, spec.options, self.view_options)
        view.setdefault("illegal", self.illegal_default)
        self._view = self.view_options(**view)
        self.game = self.game_class(**own)
        self._spec = spec
        self.metadata: dict[str, Any] = {"name": f"{spec.name}_{spec.version}", **RENDERING}
        self.render_mode = self._view.render_mode
        self._lens = Lens(spec, self._view.obs_dtype, self._view.history)
        self._room = np.empty(self._lens.size, np.int8)
        self._in_observation = self._view.mask_in != "info"
        self._in_info = self._view.mask_in != "observation"
        self._gain = self._view.reward == "gain"
        self._size = spec.actions.size
        self._idle_mask: NDArray[np.int8] = np.zeros(self._size, np.int8)
        self._flat_space: Any = observation_box(self._lens)
        players = self.game.num_players
        self.state_space = gymnasium.spaces.Box(
            np.tile(self._flat_space.low, players),
            np.tile(self._flat_space.high, players),
            dtype=self._flat_space.dtype,
        )
        self._position: Position | None = None
        self._seed: int | None = None
        # As which game of many it is dealt, see Game.new; one alone is the first.
        self._index = 0
        self._episode = 0
        self._money: list[int] = []
        self._sampler = np.zeros(4, np.uint64)
        self._replacements = np.zeros(4, np.uint64)

    def _seat_space(self) -> gymnasium.Space[Any]:
        """A space of what a seat sees, the mask included if it belongs there."""
        if not self._in_observation:
            return self._flat_space  # type: ignore[no-any-return]
        return with_mask(self._flat_space, self._size)

    # Dealing

    @property
    def position(self) -> Position:
        """The live position. Raises ``NotResetError`` before the first reset."""
        return self._live("position")

    def _live(self, name: str) -> Position:
        """The live position, for what has this name. Raises ``NotResetError`` before the first reset."""
        if self._position is None:
            raise NotResetError(f"{name}: call reset() first")
        return self._position

    def _next_deal(self, seed: int | None) -> tuple[int, int]:
        """The seed and the episode of the next game; nothing is changed. Raises ``OptionError`` for a bad seed.

        A seed gives its episode 0, none the episode after the last one; without any so far, the seed comes from the
        operating system.
        """
        if seed is not None:
            check_range("seed", seed, 0, LARGEST_SEED)
            return operator.index(seed), 0
        if self._seed is None:
            return rng.fresh_seed(), 0
        return self._seed, self._episode + 1

    def _deal(self, seed: int | None) -> Position:
        """The next game, and the streams beside it."""
        self._seed, self._episode = self._next_deal(seed)
        self._seed_streams(self._seed, self._episode)
        return self.game.new(self._seed, self._index, self._episode)

    def _seed_streams(self, seed: int, episode: int) -> None:
        rng.seed_words(self._sampler, seed, SAMPLER_STREAM + 2 * self._index, episode)
        rng.seed_words(self._replacements, seed, REPLACEMENT_STREAM + 2 * self._index, episode)

    # Actions

    def _number(self, action: Any, agent: str) -> int:
        """The id given; -1 for integers outside the space. Raises ``IllegalActionError`` for what is no integer."""
        number = as_integer(action)
        if number is None:
            raise IllegalActionError(f"action={action!r} for {agent}; allowed: integers from 0 to {self._size - 1}")
        return number if 0 <= number < self._size else -1

    def _random_step(self, position: Position) -> tuple[int, int]:
        """Play a random legal action in place of an illegal one; gives its id and the status."""
        number = int(self._spec.sample(position._place, self._replacements))
        return number, int(self._spec.try_step(position._place, number))

    # What is seen

    def _mask(self, position: Position, acting: bool) -> NDArray[np.int8]:
        """A fresh mask of a seat."""
        if not acting:
            return self._idle_mask.copy()
        mask = np.empty(self._size, np.int8)
        self._spec.write_mask(position._place, mask)
        return mask

    def _look(self, position: Position, seat: int, acting: bool) -> Any:
        """A fresh observation of a seat."""
        if not self._in_observation:
            return self._lens.look(position._states, 0, seat)
        if acting:
            flat, mask = self._lens.show(position._place, seat, self._room)
        else:
            flat, mask = self._lens.look(position._states, 0, seat), self._idle_mask.copy()
        return {"observation": flat, "action_mask": mask}

    def _info(self, acting: bool, illegal_actions: int) -> dict[str, Any]:
        """A seat's info: numbers and arrays only, the same keys from reset on."""
        info: dict[str, Any] = {}
        if self._in_info:
            info["action_mask"] = self._mask(self.position, acting)
        if self._view.illegal == "random":
            info["illegal_actions"] = illegal_actions
        return info

    def state(self) -> NDArray[Any]:
        """The observations of all seats one after the other, ``[num_players * D]``.

        Meant for centralised critics: together they show every hand, so it is hidden information for each seat. The
        order of the deck is not in it. Raises ``NotResetError``.
        """
        position = self._live("state")
        return np.concatenate([self._lens.look(position._states, 0, seat) for seat in range(self.game.num_players)])

    def render(self) -> str | None:
        """``"ansi"`` returns the table as text, all hands open; ``"human"`` prints it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() of an environment made without render_mode; allowed: 'ansi', 'human'")
            return None
        text = str(self._live("render"))
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is held open."""

    # Rewards

    def _gains(self, position: Position) -> list[float]:
        """Of each seat: own gain since the last call minus the mean gain, in units of the score scale."""
        before, self._money = self._money, position.scores
        gains = [now - then for now, then in zip(self._money, before, strict=True)]
        mean = sum(gains) / len(gains)
        return [(gain - mean) / self._spec.score_scale for gain in gains]

    # Saving

    def get_state(self) -> bytes:
        """The position, its future included, for ``set_state``. Raises ``NotResetError``."""
        return self._live("get_state").to_bytes()

    def _loaded(self, state: bytes) -> Position:
        """A saved position. Raises ``PositionError``, with nothing changed, for one that does not belong here."""
        position = self.game.from_bytes(state)
        if self._seed is None:
            self._seed_streams(0, 0)
        return position

    def __repr__(self) -> str:
        """Name and options."""
        return f"<{self.metadata['name']} {self.game.options}>"


class AgentsView(View):
    """What the PettingZoo environments share: agents by name, ``player_k`` for seat k, and spaces for each."""

    def __init__(self, **options: Any) -> None:
        """As ``View``."""
        super().__init__(**options)
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.num_players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self.observation_spaces = {agent: self._seat_space() for agent in self.possible_agents}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(self._size) for agent in self.possible_agents}
        self._illegal_actions = dict.fromkeys(self.possible_agents, 0)

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
