"""The tests of island-envs."""
