"""Isla Dorada as a reinforcement-learning environment: being built, not playable yet.

There are the components and the map; rules, state and environments follow.
"""
