"""The vector environment as a ``VecEnv`` of Stable-Baselines3. Needs the extra ``sb3``.

::

    env = SB3VecEnv(gymnasium.make_vec("...", num_envs=64, opponents="random", mask_in="info"))
    model = MaskablePPO("MlpPolicy", env)

Games that are not vectorised need no adapter: ``DummyVecEnv`` takes single-seat environments as they are.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from island_core.errors import GameOverError, NotResetError, OptionError
from island_core.options import check_bool, check_choice
from island_core.position import Game, Position
from island_core.vector import VectorEnv


class OneOfMany:
    """One game of an `SB3VecEnv`, to be asked: what ``get_attr`` and ``env_method`` reach.

    It holds nothing of the game itself. Attributes that ``set_attr`` gives it stay with it.
    """

    render_mode = None

    def __init__(self, env: VectorEnv, index: int) -> None:
        self._env = env
        self.index = index
        """Its number among the games."""

    @property
    def observation_space(self) -> gymnasium.Space[Any]:
        """The space of one game's observations."""
        return self._env.single_observation_space

    @property
    def action_space(self) -> gymnasium.Space[Any]:
        """The space of one game's actions."""
        return self._env.single_action_space

    @property
    def game(self) -> Game:
        """The rules object, which all games share."""
        return self._env.game

    @property
    def seat(self) -> int:
        """The learner's seat. Raises ``NotResetError`` before the first reset."""
        return int(self._env.seats[self.index])

    @property
    def position(self) -> Position:
        """A copy of the game as it stands. Raises ``NotResetError`` before the first reset."""
        return self._env.position(self.index)

    def action_masks(self) -> NDArray[np.bool_]:
        """The learner's legal actions, ``bool[A]``. Raises ``NotResetError`` before the first reset."""
        mask: NDArray[np.bool_] = self._env.action_masks()[self.index]
        return mask


class SB3VecEnv(VecEnv):
    """A vector environment in the form that Stable-Baselines3 trains on.

    What ``DummyVecEnv`` gives for B single-seat environments, made by one call into the kernels:

    - observations ``[B, D]``, or a dict with ``action_mask`` ``int8[B, A]`` beside them unless the vector environment
      was made with ``mask_in="info"``; rewards ``float32[B]``; dones ``bool[B]``;
    - infos, a dict for each game: ``seat`` (int), ``TimeLimit.truncated`` (bool), what else the options say, and in the
      step that ends a game ``terminal_observation``. The observation is then the next game's, whose info is in
      ``reset_infos``;
    - ``seed(s)`` deals game i of the next ``reset`` as ``Game.new(s + i, index=i, episode=0)``; options have no effect;
    - ``get_attr``, ``set_attr`` and ``env_method`` reach what `OneOfMany` has: ``env_method("action_masks")``.

    The games cannot be rendered, and no wrapper is around one of them.
    """

    def __init__(self, env: VectorEnv, *, truncated_is_over: bool = False) -> None:
        """Take what ``gymnasium.make_vec`` makes of a game.

        ``truncated_is_over``:
            Truncated games pay the reward of their end like all others. Yet on ``TimeLimit.truncated`` the algorithms
            of Stable-Baselines3 add the value that the last observation would have if the game went on. With True it is
            never told, and the end is the end.

        Raises ``OptionError`` for another environment, a wrapped one, or one with another ``autoreset_mode`` than
        ``"SAME_STEP"`` or with ``copy=False``: rollouts keep the arrays they are given.
        """
        if not isinstance(env, VectorEnv):
            raise OptionError(f"env={env!r}; allowed: what gymnasium.make_vec makes of a game, without a wrapper")
        check_bool("truncated_is_over", truncated_is_over)
        check_choice("autoreset_mode of env", env._view.autoreset_mode, ("SAME_STEP",))
        check_choice("copy of env", env._view.copy, (True,))
        self.env = env
        """The vector environment. Whoever steps it, steps the games of this one."""
        self.games = tuple(OneOfMany(env, i) for i in range(env.num_envs))
        self._truncated_is_over = truncated_is_over
        self._actions: NDArray[Any] | None = None
        self._closed = False
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)

    # Playing

    def reset(self) -> Any:
        """Begin all games anew, with the seeds of the last call of ``seed`` if there was one since the last reset.

        Returns observations; infos are in ``reset_infos``. Raises ``PolicyError`` for an opponent that gives no legal
        action, ``GameOverError`` after ``close``.
        """
        self._need_open("reset")
        observations, infos = self.env.reset(seed=None if None in self._seeds else self._seeds)
        self._actions = None
        self.reset_infos = _of_each(infos, self.num_envs)
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: NDArray[Any]) -> None:
        """Take the actions of the next step, integers ``[B]``."""
        self._need_open("step_async")
        self._actions = np.array(actions)

    def step_wait(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play them. Returns observations, rewards, dones and infos.

        Raises what ``VectorEnv.step`` raises, with nothing changed, and ``NotResetError`` without ``step_async``.
        """
        self._need_open("step_wait")
        actions, self._actions = self._actions, None
        if actions is None:
            raise NotResetError("step_wait: call step_async(actions) first")
        observations, rewards, terminated, truncated, found = self.env.step(actions)
        infos, dones = _of_each(found, self.num_envs), terminated | truncated
        if dones.any():
            last = _of_each(found["final_info"], self.num_envs)
            for i in np.flatnonzero(dones).tolist():
                self.reset_infos[i] = infos[i]
                infos[i] = {**last[i], "terminal_observation": found["final_obs"][i]}
        cut_off = truncated & ~terminated & (not self._truncated_is_over)
        for info, one in zip(infos, cut_off.tolist(), strict=True):
            info["TimeLimit.truncated"] = one
        return observations, rewards.astype(np.float32), dones, infos

    def close(self) -> None:
        """Close the vector environment; nothing can be played any more."""
        self._closed = True
        self.env.close()

    def _need_open(self, name: str) -> None:
        if self._closed:
            raise GameOverError(f"{name}: the environment was closed")

    # Asking the games

    def _chosen(self, indices: Any) -> list[OneOfMany]:
        return [self.games[i] for i in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: None | int | Iterable[int] = None) -> list[Any]:
        """An attribute of each game, or of those with these numbers. Raises ``AttributeError``."""
        return [getattr(game, attr_name) for game in self._chosen(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: None | int | Iterable[int] = None) -> None:
        """Give each game an attribute, or those with these numbers. Raises ``AttributeError`` for what is fixed."""
        for game in self._chosen(indices):
            setattr(game, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: None | int | Iterable[int] = None, **method_kwargs: Any
    ) -> list[Any]:
        """What a method of each game returns, or of those with these numbers. Raises ``AttributeError``."""
        games = self._chosen(indices)
        if method_name == "action_masks" and not method_args and not method_kwargs:
            # Asked in every step: one copy of all masks, not one for each game.
            masks = self.env.action_masks()
            return [masks[game.index] for game in games]
        return [getattr(game, method_name)(*method_args, **method_kwargs) for game in games]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: None | int | Iterable[int] = None) -> list[bool]:
        """False for each game."""
        return [False for _ in self._chosen(indices)]

    def get_images(self) -> list[None]:
        """None for each game, with a warning: there are no pictures."""
        warnings.warn("get_images: vector environments are not rendered", stacklevel=2)
        return [None for _ in self.games]


def _of_each(infos: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Gymnasium's infos of many games as one dict for each; what belongs to ends that are past is left out."""
    rows: list[dict[str, Any]] = [{} for _ in range(count)]
    for name, column in infos.items():
        if name.startswith(("_", "final_")):
            continue
        for row, value in zip(rows, column.tolist() if column.ndim == 1 else column, strict=True):
            row[name] = value
    return rows


__all__ = ["OneOfMany", "SB3VecEnv"]
